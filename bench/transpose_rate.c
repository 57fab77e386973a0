/* How fast does the whole GPU transpose a matrix, in DRAM or in L2, and copy one? */
#include "bench/transpose_bench.h"

#include "harness/outside.h"

enum { COPY_THREADS = 512, SM_THREADS = 1024, TMA_SM_THREADS = 2048 };
static const uint64_t moved_bytes = UINT64_C(2) << 30; /* read and written */

/* ---- A rate -------------------------------------------------------------------------------- */

/* Where nothing is measured, what is larger than L2 is left out. */
static unsigned first_memory(void)
{
    return outside_untimed() ? TRANSPOSE_L2 : TRANSPOSE_DRAM;
}

static bool measure_rate(struct transpose_case_run *r, const struct gpu_launch *launch,
                         double bytes, struct chip_rate *rate)
{
    return chip_rate_measure(r->gpu, launch, r->bench->clocks, r->bench->spans, bytes, rate,
                             r->error);
}

static uint64_t matrix_bytes(const struct transpose_case_run *r, enum transpose_memory memory)
{
    unsigned elem_bytes = r->c->elem_bits / 8;
    return (uint64_t)elem_bytes << 2 * transpose_side_shift(gpu_info(r->gpu), elem_bytes, memory);
}

/* How often a matrix is read and written in a launch. */
static uint32_t rounds_of(uint64_t bytes)
{
    uint64_t rounds = outside_share(moved_bytes) / (2 * bytes);
    return rounds < 1 ? 1 : (uint32_t)rounds;
}

/* ---- Copies -------------------------------------------------------------------------------- */

static bool rate_copy(struct transpose_case_run *r, enum transpose_memory memory,
                      struct chip_rate *rate)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    struct transpose_bench *b = r->bench;
    uint64_t bytes = matrix_bytes(r, memory), count = bytes / 16;
    uint32_t rounds = rounds_of(bytes);
    void *pointers[] = {&b->in, &b->out, &count, &b->clocks, &rounds};
    struct gpu_launch launch = {.grid_x = (unsigned)info->sm_count * SM_THREADS / COPY_THREADS,
                                .block_x = COPY_THREADS,
                                .arguments = pointers};
    return gpu_kernel_find(r->gpu, "transpose", "copy", &launch.kernel, r->error) &&
           measure_rate(r, &launch, 2.0 * (double)bytes * rounds, rate);
}

/* The copy of as many bytes, verified where it is measured. */
static bool measure_copies(struct transpose_case_run *r, struct chip_rate *rates)
{
    struct row row = {.status = ROW_OK};
    struct transpose_case_run copy = *r;
    copy.c = transpose_copy_of(r->c);
    copy.row = &row;
    for (unsigned memory = first_memory(); memory < TRANSPOSE_MEMORIES && row.status == ROW_OK;
         memory++)
        if (!transpose_poison(&copy, memory) || !rate_copy(&copy, memory, &rates[memory]) ||
            !transpose_compare(&copy, memory))
            return false;
    if (row.status != ROW_OK && r->c->method->is_copy)
        row_end(r->row, row.status, "%s", row.reason);
    else if (row.status != ROW_OK)
        row_end(r->row, row.status, "the plain copy to compare with: %s", row.reason);
    return true;
}

/* Once a run: in the row of the copy, or when another needs it before. */
static bool rate_copies(struct transpose_case_run *r, const struct chip_rate **rates)
{
    struct transpose_bench *b = r->bench;
    unsigned width = r->c->elem_bits / 16;
    *rates = b->copies[width];
    if (!b->has_copies[width] && !measure_copies(r, b->copies[width]))
        return false;
    b->has_copies[width] = r->row->status == ROW_OK;
    return true;
}

/* ---- Transposes ---------------------------------------------------------------------------- */

static bool rate_whole(struct transpose_case_run *r, enum transpose_memory memory,
                       struct chip_rate *rate)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    uint64_t bytes = matrix_bytes(r, memory);
    uint32_t rounds = rounds_of(bytes);
    /* What loads into registers has two tiles a CTA on the way, and registers for so many threads.
     */
    unsigned threads = r->c->method->in == TRANSPOSE_IN_TMA ? TMA_SM_THREADS : SM_THREADS;
    unsigned ctas = outside_ctas((unsigned)info->sm_count * transpose_ctas(r, threads));
    struct gpu_launch launch;
    if (!transpose_poison(r, memory) || !transpose_prepare(r, "whole", memory, ctas, &launch))
        return false;
    r->tiles *= rounds;
    return measure_rate(r, &launch, 2.0 * (double)bytes * rounds, rate) &&
           transpose_compare(r, memory);
}

bool transpose_rates(struct transpose_case_run *r, struct transpose_result *result)
{
    const struct chip_rate *copies;
    if (!rate_copies(r, &copies))
        return false;
    if (r->c->method->is_copy)
        r->row->verified = r->row->status == ROW_OK ? VERIFIED_YES : VERIFIED_NO;
    for (unsigned memory = first_memory(); memory < TRANSPOSE_MEMORIES && r->row->status == ROW_OK;
         memory++) {
        result->copy[memory] = copies[memory].gbytes_per_s;
        if (r->c->method->is_copy)
            result->rates[memory] = copies[memory];
        else if (!rate_whole(r, memory, &result->rates[memory]))
            return false;
    }
    return true;
}
