/* How many clocks does an mma take with eight warps on every SM, with its loads in the loop and
 * without? */
#include "bench/mma_bench.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_CYCLES = 65536, LEAST_ITERATIONS = 4 };

static bool time_kernel(struct mma_case_run *r, const char *suffix, double cycles_per_mma,
                        struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations, .work_per_iteration = MMA_MMAS};
    if (!mma_prepare(r, suffix, (unsigned)gpu_info(r->gpu)->sm_count, &timed.launch))
        return false;
    double iterations = SAMPLE_CYCLES / (MMA_MMAS * cycles_per_mma);
    timed.clocks = r->bench->clocks;
    timed.n = iterations < LEAST_ITERATIONS ? LEAST_ITERATIONS : (uint32_t)iterations;
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

/* Once for each kernel: see struct mma_alone. */
static bool time_alone(struct mma_case_run *r, struct timing *timing)
{
    struct mma_bench *b = r->bench;
    for (size_t i = 0; i < b->alone_count; i++)
        if (strcmp(b->alone[i].entry, r->entry) == 0) {
            *timing = b->alone[i].timing;
            return true;
        }
    if (!time_kernel(r, "alone", 1, timing))
        return false;
    if (b->alone_count < sizeof b->alone / sizeof b->alone[0]) {
        struct mma_alone *kept = &b->alone[b->alone_count++];
        snprintf(kept->entry, sizeof kept->entry, "%s", r->entry);
        kept->timing = *timing;
    }
    return true;
}

bool mma_time(struct mma_case_run *r, struct mma_result *result)
{
    double wavefronts = r->plans[SWB_MMA_A]->cost.wavefronts + r->plans[SWB_MMA_B]->cost.wavefronts;
    return time_alone(r, &result->without_loads) &&
           time_kernel(r, "loads", wavefronts / MMA_MMAS, &result->with_loads);
}
