/* How fast does the whole GPU transpose a matrix, in DRAM or in L2, and copy one?
 *
 * A rate is bytes over the time from the first CTA's start to the last one's end, by %globaltimer,
 * which all SMs share. */
#include "bench/transpose_bench.h"

#include <math.h>

#include "harness/outside.h"
#include "harness/stats.h"

enum { SAMPLES = 5, COPY_THREADS = 512, SM_THREADS = 1024, TMA_SM_THREADS = 2048 };
static const uint64_t moved_bytes = UINT64_C(2) << 30; /* read and written */

/* ---- A rate -------------------------------------------------------------------------------- */

static bool rate_of(struct transpose_case_run *r, unsigned ctas, double bytes, double *rate)
{
    uint64_t *spans = r->bench->spans, first = UINT64_MAX, last = 0;
    if (!gpu_download(r->gpu, spans, r->bench->clocks, (size_t)ctas * 16, r->error))
        return false;
    for (unsigned i = 0; i < ctas; i++) {
        first = spans[2 * i] < first ? spans[2 * i] : first;
        last = spans[2 * i + 1] > last ? spans[2 * i + 1] : last;
    }
    *rate = last > first ? bytes / (double)(last - first) : NAN;
    return true;
}

/* Where nothing is measured, what is larger than L2 is left out. */
static unsigned first_memory(void)
{
    return outside_untimed() ? TRANSPOSE_L2 : TRANSPOSE_DRAM;
}

static bool measure_rate(struct transpose_case_run *r, const struct gpu_launch *launch,
                         double bytes, struct transpose_rate *rate)
{
    double rates[SAMPLES];
    if (outside_untimed()) {
        *rate = (struct transpose_rate){NAN, NAN, NAN};
        return transpose_launch(r, launch);
    }
    for (unsigned i = 0; i < SAMPLES + 1; i++) /* the first is a warm-up */
        if (!transpose_launch(r, launch) ||
            !rate_of(r, launch->grid_x, bytes, &rates[i > 0 ? i - 1 : 0]))
            return false;
    struct stats stats = stats_of(rates, SAMPLES);
    *rate = (struct transpose_rate){stats.median, stats.min, stats.max};
    return true;
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
                      struct transpose_rate *rate)
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

/* Of as many bytes; measured when first asked for. */
static bool rate_copies(struct transpose_case_run *r, const struct transpose_rate **rates)
{
    struct transpose_bench *b = r->bench;
    unsigned width = r->c->elem_bits / 16;
    *rates = b->copies[width];
    for (unsigned memory = first_memory(); !b->has_copies[width] && memory < TRANSPOSE_MEMORIES;
         memory++)
        if (!rate_copy(r, memory, &b->copies[width][memory]))
            return false;
    b->has_copies[width] = true;
    return true;
}

/* The copy's own row. */
static bool rate_verified_copy(struct transpose_case_run *r, enum transpose_memory memory,
                               struct transpose_rate *rate)
{
    return transpose_poison(r, memory) && rate_copy(r, memory, rate) &&
           transpose_compare(r, memory);
}

/* ---- Transposes ---------------------------------------------------------------------------- */

static bool rate_whole(struct transpose_case_run *r, enum transpose_memory memory,
                       struct transpose_rate *rate)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    uint64_t bytes = matrix_bytes(r, memory);
    uint32_t rounds = rounds_of(bytes);
    /* What loads into registers has two tiles a CTA on the way, and registers for so many threads.
     */
    unsigned threads = r->c->method->in == TRANSPOSE_IN_TMA ? TMA_SM_THREADS : SM_THREADS;
    unsigned ctas = (unsigned)info->sm_count * transpose_ctas(r, threads);
    struct gpu_launch launch;
    if (!transpose_poison(r, memory) || !transpose_prepare(r, "whole", memory, ctas, &launch))
        return false;
    r->tiles *= rounds;
    return measure_rate(r, &launch, 2.0 * (double)bytes * rounds, rate) &&
           transpose_compare(r, memory);
}

bool transpose_rates(struct transpose_case_run *r, struct transpose_result *result)
{
    const struct transpose_rate *copies;
    if (!rate_copies(r, &copies))
        return false;
    for (unsigned memory = first_memory(); memory < TRANSPOSE_MEMORIES && r->row->status == ROW_OK;
         memory++) {
        result->copy[memory] = copies[memory].median;
        if (!(r->c->method->is_copy ? rate_verified_copy(r, memory, &result->rates[memory])
                                    : rate_whole(r, memory, &result->rates[memory])))
            return false;
    }
    return true;
}
