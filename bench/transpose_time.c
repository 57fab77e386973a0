/* How many clocks does a tile take in shared memory, without the global memory on either side? */
#include "bench/transpose_bench.h"

enum {
    SAMPLE_CYCLES = 65536,
    LEAST_TILES = 8,
    SM_THREADS = 1024,
    MOST_GROUPS = 15, /* each has a barrier of its own; all of them another */
    GROUP_ALIGNMENT_BYTES = 1024,
};

/* One CTA on each SM, with a group of threads for each of as many tiles as have a thread in a
 * thousand. */
bool transpose_time(struct transpose_case_run *r, struct transpose_result *result)
{
    const struct transpose_plan *plan = &r->bench->plan;
    unsigned groups =
        SM_THREADS / plan->threads < MOST_GROUPS ? SM_THREADS / plan->threads : MOST_GROUPS;
    struct timed_kernel timed = {
        .iterations = &r->tiles, .clocks = r->bench->clocks, .work_per_iteration = groups};
    if (r->row->status != ROW_OK || r->c->method->in == TRANSPOSE_IN_TMA)
        return true;
    if (!transpose_prepare(r, "shared", TRANSPOSE_L2, (unsigned)gpu_info(r->gpu)->sm_count,
                           &timed.launch))
        return false;
    r->arguments.group_bytes = (transpose_cta_bytes(r->c) + GROUP_ALIGNMENT_BYTES - 1) /
                               GROUP_ALIGNMENT_BYTES * GROUP_ALIGNMENT_BYTES;
    timed.launch.block_x = groups * plan->threads;
    timed.launch.dynamic_smem_bytes = groups * r->arguments.group_bytes;
    timed.n = SAMPLE_CYCLES / (groups * (plan->steps[TRANSPOSE_WRITE].cost.wavefronts +
                                         plan->steps[TRANSPOSE_READ].cost.wavefronts));
    timed.n = timed.n < LEAST_TILES ? LEAST_TILES : timed.n;
    return gpu_time_cycles(r->gpu, &timed, &result->cycles, r->error);
}
