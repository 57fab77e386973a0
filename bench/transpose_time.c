/* How many clocks does a tile take in shared memory, without the global memory on either side? */
#include "bench/transpose_bench.h"

enum { SAMPLE_CYCLES = 65536, LEAST_TILES = 8, SM_THREADS = 1024 };

/* As many CTAs on each SM as have a thread in a thousand, and no more: the rest of shared memory is
 * shared out among them. */
bool transpose_time(struct transpose_case_run *r, struct transpose_result *result)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    const struct transpose_pieces *steps = r->bench->plan.steps;
    unsigned ctas = transpose_ctas(r, SM_THREADS);
    unsigned optin = (unsigned)info->smem_per_block_optin_bytes;
    unsigned room = (optin + TRANSPOSE_CTA_SMEM_BYTES) / ctas - TRANSPOSE_CTA_SMEM_BYTES;
    struct timed_kernel timed = {
        .iterations = &r->tiles, .clocks = r->bench->clocks, .work_per_iteration = ctas};
    if (r->row->status != ROW_OK || r->c->method->in == TRANSPOSE_IN_TMA)
        return true;
    if (!transpose_prepare(r, "shared", TRANSPOSE_L2, ctas * (unsigned)info->sm_count,
                           &timed.launch))
        return false;
    timed.launch.dynamic_smem_bytes = room / 16 * 16;
    timed.n =
        SAMPLE_CYCLES /
        (ctas * (steps[TRANSPOSE_WRITE].cost.wavefronts + steps[TRANSPOSE_READ].cost.wavefronts));
    timed.n = timed.n < LEAST_TILES ? LEAST_TILES : timed.n;
    return gpu_time_cycles(r->gpu, &timed, &result->cycles, r->error);
}
