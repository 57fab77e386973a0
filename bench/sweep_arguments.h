/* What the loops of kernels/sweep.cuh are given. */
#ifndef SWIZZLEBENCH_BENCH_SWEEP_ARGUMENTS_H
#define SWIZZLEBENCH_BENCH_SWEEP_ARGUMENTS_H

#include "harness/gpu.h"

enum { GROUP_SLOTS = 4 }; /* that a warp takes at a time */

/* As kernels/sweep.cuh declares it. */
struct sweep_arguments {
    gpu_address offsets, sources, data, image, source, out, clocks;
    uint32_t image_bytes, out_bytes, groups, warps, step, chain_start, active_mask;
};

#endif
