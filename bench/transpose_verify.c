/* Is every byte of the output where it belongs? */
#include "bench/transpose_bench.h"

#include <inttypes.h>

#include "bench/mix.h"

enum { THREADS = 512 };

static size_t bytes_of(const struct transpose_case_run *r, enum transpose_memory memory)
{
    unsigned elem_bytes = r->c->elem_bits / 8;
    return (size_t)elem_bytes << 2 * transpose_side_shift(gpu_info(r->gpu), elem_bytes, memory);
}

bool transpose_poison(struct transpose_case_run *r, enum transpose_memory memory)
{
    return gpu_fill(r->gpu, r->bench->out, 0xa5, bytes_of(r, memory), r->error);
}

static uint8_t input_byte(const struct transpose_bench *b, uint64_t at)
{
    return (uint8_t)(mix((uint32_t)(at / 4) + b->seed) >> 8 * (at % 4));
}

static void judge(struct transpose_case_run *r, uint64_t wrong, uint64_t first, const char *where)
{
    unsigned elem_bytes = r->c->elem_bits / 8;
    r->row->verified = wrong ? VERIFIED_NO : VERIFIED_YES;
    if (wrong)
        row_end(r->row, ROW_FAILED,
                "wrong bytes: %" PRIu64 " in the output in %s, the first is number %" PRIu64
                " of element %" PRIu64,
                wrong, where, first % elem_bytes, first / elem_bytes);
}

static bool compare_here(struct transpose_case_run *r)
{
    struct transpose_bench *b = r->bench;
    unsigned elem_bytes = r->c->elem_bits / 8;
    unsigned shift = transpose_side_shift(gpu_info(r->gpu), elem_bytes, TRANSPOSE_L2);
    size_t bytes = bytes_of(r, TRANSPOSE_L2);
    uint64_t wrong = 0, first = 0;
    if (!gpu_download(r->gpu, b->found, b->out, bytes, r->error))
        return false;
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t element = i / elem_bytes, row = element >> shift,
                 col = element & ((1u << shift) - 1);
        uint64_t from = r->c->method->is_copy ? element : col << shift | row;
        if (b->found[i] == input_byte(b, from * elem_bytes + i % elem_bytes))
            continue;
        first = wrong++ ? first : i;
    }
    judge(r, wrong, first, "L2");
    return true;
}

static bool compare_there(struct transpose_case_run *r)
{
    struct transpose_bench *b = r->bench;
    uint32_t elem_bytes = r->c->elem_bits / 8, turned = !r->c->method->is_copy;
    uint32_t shift = transpose_side_shift(gpu_info(r->gpu), elem_bytes, TRANSPOSE_DRAM);
    uint64_t wrong[2] = {0, UINT64_MAX};
    void *pointers[] = {&b->out, &shift, &elem_bytes, &turned, &b->seed, &b->wrong};
    struct gpu_launch launch = {.grid_x = b->span_ctas, .block_x = THREADS, .arguments = pointers};
    if (!gpu_upload(r->gpu, b->wrong, wrong, sizeof wrong, r->error) ||
        !gpu_kernel_find(r->gpu, "transpose", "check", &launch.kernel, r->error) ||
        !transpose_launch(r, &launch) ||
        !gpu_download(r->gpu, wrong, b->wrong, sizeof wrong, r->error))
        return false;
    judge(r, wrong[0], wrong[1], "DRAM");
    return true;
}

bool transpose_compare(struct transpose_case_run *r, enum transpose_memory memory)
{
    return memory == TRANSPOSE_L2 ? compare_here(r) : compare_there(r);
}

/* A copy is verified where its rate is measured. */
bool transpose_verify(struct transpose_case_run *r)
{
    struct gpu_launch launch;
    if (r->c->method->is_copy)
        return true;
    return transpose_poison(r, TRANSPOSE_L2) &&
           transpose_prepare(r, "whole", TRANSPOSE_L2, (unsigned)gpu_info(r->gpu)->sm_count,
                             &launch) &&
           transpose_launch(r, &launch) && transpose_check_barriers(r) &&
           transpose_compare(r, TRANSPOSE_L2);
}
