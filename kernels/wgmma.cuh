// How are wgmma instructions run, so that their product can be checked and they can be counted and
// timed?
//
// A CTA of one or two warpgroups copies an image of both operands into shared memory. Each
// warpgroup then multiplies by the same WGMMA_STEPS pairs of descriptors, step after step, round
// and round, and accumulates: D = iterations * sum of A[step] * B[step]. A group of WGMMA_STEPS
// instructions is waited for when the next one is on its way, so that the tensor core never runs
// dry. Nothing but wgmma touches the accumulators between first and last.
//
// The host lays out the image and encodes the descriptors, for shared memory that begins at 0; the
// place of the data, a multiple of 1024 bytes, is added here.
#pragma once

#include <stdint.h>

#include "kernels/clock.cuh"
#include "kernels/wgmma_accumulators.cuh"

enum { WGMMA_STEPS = 8, WGMMA_WARPGROUP = 128, WGMMA_MOST_WARPGROUPS = 2, WGMMA_ALIGNMENT = 1024 };

// What every kernel is given. The host packs the same struct: bench/wgmma_bench.h.
struct wgmma_arguments {
    const uint4 *image;                      // what shared memory shall hold
    const uint4 *fragments;                  // of A in registers: [step][thread of a warpgroup]
    uint32_t *out;                           // accumulators of CTA 0: [register][thread of the CTA]
    uint64_t *clocks;                        // [CTAs][2]: SM cycles and nanoseconds of the loop
    uint64_t a[WGMMA_STEPS], b[WGMMA_STEPS]; // descriptors
    uint32_t image_bytes;                    // a multiple of 16
};

// What the steps multiply: descriptors of A or its registers, and descriptors of B.
struct wgmma_operands {
    uint64_t a[WGMMA_STEPS], b[WGMMA_STEPS];
    uint4 fragments[WGMMA_STEPS];
};

extern __shared__ __align__(1024) uint8_t wgmma_memory[];

// Copies the image to the first multiple of 1024 bytes of shared memory and returns its address.
static __device__ __forceinline__ uint32_t wgmma_open(const wgmma_arguments &a)
{
    uint32_t begin = (uint32_t)__cvta_generic_to_shared(wgmma_memory);
    uint32_t data = (begin + WGMMA_ALIGNMENT - 1) & ~(uint32_t)(WGMMA_ALIGNMENT - 1);
    uint4 *to = reinterpret_cast<uint4 *>(wgmma_memory + (data - begin));
    for (uint32_t i = threadIdx.x; i < a.image_bytes / sizeof *to; i += blockDim.x)
        to[i] = a.image[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    return data;
}

static __device__ __forceinline__ wgmma_operands wgmma_load(const wgmma_arguments &a, uint32_t data,
                                                            bool a_in_registers)
{
    wgmma_operands operands;
#pragma unroll
    for (int step = 0; step < WGMMA_STEPS; step++) {
        operands.a[step] = a.a[step] + (data >> 4);
        operands.b[step] = a.b[step] + (data >> 4);
        if (a_in_registers)
            operands.fragments[step] =
                a.fragments[step * WGMMA_WARPGROUP + threadIdx.x % WGMMA_WARPGROUP];
    }
    return operands;
}

template <class Registers, class Multiply>
static __device__ __forceinline__ void wgmma_run(const wgmma_arguments &a, uint32_t iterations,
                                                 bool a_in_registers, Multiply multiply,
                                                 Registers registers)
{
    wgmma_declare(registers);
    wgmma_operands operands = wgmma_load(a, wgmma_open(a), a_in_registers);
    __syncthreads();
    int64_t began = clock64();
    uint64_t began_ns = clock_nanoseconds();
#pragma unroll 1
    for (uint32_t i = 0; i < iterations; i++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < WGMMA_STEPS; step++)
            multiply(operands, step);
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        a.clocks[2 * blockIdx.x] = (uint64_t)(clock64() - began);
        a.clocks[2 * blockIdx.x + 1] = clock_nanoseconds() - began_ns;
    }
    if (blockIdx.x == 0)
        wgmma_tell(a.out + threadIdx.x, blockDim.x, registers);
}

// ---- Entry points: n64_ss_k_mn, n64_rs_k -------------------------------------------------------

#define WGMMA_KERNEL(name, n, a_in_registers, instruction, ...)                                    \
    extern "C" __global__ void __launch_bounds__(WGMMA_MOST_WARPGROUPS *WGMMA_WARPGROUP, 1)        \
        name(const __grid_constant__ wgmma_arguments a, uint32_t iterations)                       \
    {                                                                                              \
        auto multiply = [](const wgmma_operands &o, int step) {                                    \
            asm volatile(instruction ::__VA_ARGS__ : "memory");                                    \
        };                                                                                         \
        wgmma_run(a, iterations, a_in_registers, multiply, wgmma_registers<n>());                  \
    }

// `types` is what the instruction's name ends with, `flags` what follows its operands.
#define WGMMA_SS(cols, a_major, b_major, types, flags)                                             \
    WGMMA_KERNEL(n##cols##_ss_##a_major##_##b_major, cols, false,                                  \
                 "wgmma.mma_async.sync.aligned.m64n" #cols types " {" WGMMA_D##cols                \
                 "}, %0, %1, accumulate" flags ";",                                                \
                 "l"(o.a[step]), "l"(o.b[step]))

#define WGMMA_RS(cols, b_major, types, flags)                                                      \
    WGMMA_KERNEL(n##cols##_rs_##b_major, cols, true,                                               \
                 "wgmma.mma_async.sync.aligned.m64n" #cols types " {" WGMMA_D##cols                \
                 "}, {%0, %1, %2, %3}, %4, accumulate" flags ";",                                  \
                 "r"(o.fragments[step].x), "r"(o.fragments[step].y), "r"(o.fragments[step].z),     \
                 "r"(o.fragments[step].w), "l"(o.b[step]))

// All kernels of an N: 16-bit types alone have a choice of the major.
#define WGMMA_16_BIT(cols, types)                                                                  \
    WGMMA_SS(cols, k, k, types, ", 1, 1, 0, 0")                                                    \
    WGMMA_SS(cols, k, mn, types, ", 1, 1, 0, 1")                                                   \
    WGMMA_SS(cols, mn, k, types, ", 1, 1, 1, 0")                                                   \
    WGMMA_SS(cols, mn, mn, types, ", 1, 1, 1, 1")                                                  \
    WGMMA_RS(cols, k, types, ", 1, 1, 0")                                                          \
    WGMMA_RS(cols, mn, types, ", 1, 1, 1")

#define WGMMA_FLOAT(cols, types)                                                                   \
    WGMMA_SS(cols, k, k, types, ", 1, 1")                                                          \
    WGMMA_RS(cols, k, types, ", 1, 1")

#define WGMMA_INTEGER(cols, types)                                                                 \
    WGMMA_SS(cols, k, k, types, "")                                                                \
    WGMMA_RS(cols, k, types, "")

// Every N of the integer types, and those that others have beside them.
#define WGMMA_INTEGER_EXTENTS(kernels, types)                                                      \
    kernels(8, types) kernels(16, types) kernels(24, types) kernels(32, types) kernels(48, types)  \
        kernels(64, types) kernels(80, types) kernels(96, types) kernels(112, types)               \
            kernels(128, types) kernels(144, types) kernels(160, types) kernels(176, types)        \
                kernels(192, types) kernels(208, types) kernels(224, types) kernels(240, types)    \
                    kernels(256, types)

#define WGMMA_OTHER_EXTENTS(kernels, types)                                                        \
    kernels(40, types) kernels(56, types) kernels(72, types) kernels(88, types)                    \
        kernels(104, types) kernels(120, types) kernels(136, types) kernels(152, types)            \
            kernels(168, types) kernels(184, types) kernels(200, types) kernels(216, types)        \
                kernels(232, types) kernels(248, types)

#define WGMMA_EXTENTS(kernels, types)                                                              \
    WGMMA_INTEGER_EXTENTS(kernels, types) WGMMA_OTHER_EXTENTS(kernels, types)
