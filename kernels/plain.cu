// targets: 75 80 86 89 90a 100a 103a 120a
// How fast do all SMs read or write memory with plain 16-byte instructions?
#include <stdint.h>

#include "kernels/clock.cuh"

// Plain 16-byte loads past L1, as a copy loop has them: the threads of the grid take the data in
// order, and from its start again, `loops` times eight each. sums[thread] gets the sum of all words
// that it read.
extern "C" __global__ void __launch_bounds__(512)
    plain_loads(const uint4 *data, uint64_t count, uint32_t *sums, uint64_t *spans, uint32_t loops)
{
    enum { UNROLL = 8 };
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, at = thread;
    uint32_t sum = 0;
    __syncthreads();
    uint64_t began = clock_nanoseconds();
#pragma unroll 1
    for (uint32_t loop = 0; loop < loops; loop++) {
        uint4 v[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; j++) {
            v[j] = __ldcg(data + at);
            at += threads;
            at -= at >= count ? count : 0;
        }
#pragma unroll
        for (int j = 0; j < UNROLL; j++)
            sum += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    sums[thread] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        spans[2 * blockIdx.x] = began;
        spans[2 * blockIdx.x + 1] = clock_nanoseconds();
    }
}

// Plain 16-byte stores in the same way, of the words seed, seed + 1, seed + 2, seed + 3.
extern "C" __global__ void __launch_bounds__(512)
    plain_stores(uint4 *data, uint64_t count, uint32_t seed, uint64_t *spans, uint32_t loops)
{
    enum { UNROLL = 8 };
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    uint64_t at = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    uint64_t began = clock_nanoseconds();
#pragma unroll 1
    for (uint32_t loop = 0; loop < loops; loop++) {
#pragma unroll
        for (int j = 0; j < UNROLL; j++) {
            data[at] = make_uint4(seed, seed + 1, seed + 2, seed + 3);
            at += threads;
            at -= at >= count ? count : 0;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        spans[2 * blockIdx.x] = began;
        spans[2 * blockIdx.x + 1] = clock_nanoseconds();
    }
}
