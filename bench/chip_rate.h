/* How many bytes a second does a launch on all SMs move?
 *
 * A rate is bytes over the time from the first CTA's start to the last one's end, by %globaltimer,
 * which all SMs share. */
#ifndef SWIZZLEBENCH_BENCH_CHIP_RATE_H
#define SWIZZLEBENCH_BENCH_CHIP_RATE_H

#include "harness/gpu.h"

struct chip_rate {
    double gbytes_per_s, min_gbytes_per_s, max_gbytes_per_s; /* median, least and most */
};

/* Each CTA of the launch writes its start and its end to spans; `buffer` has room for them. What a
 * launch takes is 0 where %globaltimer has not moved on. */
bool chip_rate_time(struct gpu *gpu, const struct gpu_launch *launch, gpu_address spans,
                    uint64_t *buffer, double *nanoseconds, struct error *error);
bool chip_rate_measure(struct gpu *gpu, const struct gpu_launch *launch, gpu_address spans,
                       uint64_t *buffer, double bytes, struct chip_rate *rate, struct error *error);

#endif
