/* Which word stands at a place of data that anyone can compute? The kernels have the same:
 * kernels/mix.cuh. */
#ifndef SWIZZLEBENCH_BENCH_MIX_H
#define SWIZZLEBENCH_BENCH_MIX_H

#include <stdint.h>

uint32_t mix(uint32_t x);

#endif
