/* How are launches shown to a profiler outside of the process? */
#ifndef SWIZZLEBENCH_HARNESS_CUDA_REPLAY_H
#define SWIZZLEBENCH_HARNESS_CUDA_REPLAY_H

#include "harness/cuda/state.h"

/* As counters_collect(), with the counts that gpu->replay holds. */
bool replay_collect(struct gpu *gpu, char *const *metrics, size_t metric_count,
                    const struct gpu_launch *launches, size_t launch_count, double *values,
                    struct error *error);

#endif
