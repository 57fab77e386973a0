// How is mma.sync fed from shared memory, so that it can be verified, counted and timed?
//
// A CTA is eight warps over a problem of 128 x 128 and four mma deep, as a GEMM's main loop has it:
// CuTe's 2x4x1 atoms, so that a warp has 4 x 4 of them. A step of the loop, one mma deep, loads
// four fragments of A and two of B (each of which is two atoms wide) into four registers each, and
// runs sixteen mma. The addresses of all loads of a warp come from the host, which gives the same
// to the model, and stay in registers. After four steps `step` is added to them: 0 when it runs,
// which the compiler cannot know, so that it can take no load out of the loop.
#pragma once

#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

enum {
    MMA_THREADS = 256,
    MMA_STEPS = 4,
    MMA_A_FRAGMENTS = 4, // of a step
    MMA_B_FRAGMENTS = 2,
    MMA_REGISTERS = 4, // of a fragment, and of an accumulator
    MMA_ACROSS = 2 * MMA_B_FRAGMENTS
};

// What every kernel of this file is given. The host packs the same struct: bench/mma_bench.h.
struct mma_arguments {
    const uint32_t *offsets; // [warp][loads of A, then of B][32]: byte offset of each lane
    const uint4 *image;      // what shared memory holds
    uint32_t *out;           // [thread][N][M][register]: the accumulators of the first CTA
    uint64_t *clocks;        // [CTAs][2]: SM cycles and nanoseconds of the loop
    uint32_t image_bytes;
    uint32_t step; // 0
};

// ---- Loads -------------------------------------------------------------------------------------

// The addresses of an operand's loads over all steps. Load is one of kernels/instructions.cuh.
template <class Load, int FRAGMENTS> struct mma_operand {
    enum { each = MMA_REGISTERS / Load::registers, count = MMA_STEPS * FRAGMENTS * each };
    uint32_t address[count];

    __device__ void take(const uint32_t *offsets)
    {
#pragma unroll
        for (int i = 0; i < count; i++)
            address[i] = sweep_base() + offsets[i * 32 + threadIdx.x % 32];
    }

    __device__ uint32_t mixed(void) const
    {
        uint32_t all = UINT32_MAX;
#pragma unroll
        for (int i = 0; i < count; i++)
            all &= address[i];
        return all;
    }

    __device__ void move(uint32_t step)
    {
#pragma unroll
        for (int i = 0; i < count; i++)
            address[i] += step;
    }

    __device__ void load(int step, uint32_t (&fragments)[FRAGMENTS][MMA_REGISTERS]) const
    {
#pragma unroll
        for (int f = 0; f < FRAGMENTS; f++)
#pragma unroll
            for (int part = 0; part < each; part++) {
                uint32_t r[4];
                Load::template load<0>(address[(step * FRAGMENTS + f) * each + part], r);
#pragma unroll
                for (int i = 0; i < Load::registers; i++)
                    fragments[f][part * Load::registers + i] = r[i];
            }
    }
};

struct mma_fragments {
    uint32_t a[MMA_A_FRAGMENTS][MMA_REGISTERS], b[MMA_B_FRAGMENTS][MMA_REGISTERS];
};

// ---- mma ---------------------------------------------------------------------------------------

// Accumulators are words whatever their type: float or int32_t.
#define MMA_INSTRUCTION(name, form, word, constraint)                                              \
    struct name {                                                                                  \
        typedef word accumulator;                                                                  \
        static __device__ void multiply(const uint32_t (&a)[MMA_REGISTERS], const uint32_t *b,     \
                                        word (&c)[MMA_REGISTERS])                                  \
        {                                                                                          \
            asm volatile("mma.sync.aligned." form                                                  \
                         " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"        \
                         : "+" constraint(c[0]), "+" constraint(c[1]), "+" constraint(c[2]),       \
                           "+" constraint(c[3])                                                    \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));      \
        }                                                                                          \
    }

template <class Mma>
static __device__ void
mma_multiply(const mma_fragments &f,
             typename Mma::accumulator (&c)[MMA_ACROSS][MMA_A_FRAGMENTS][MMA_REGISTERS])
{
#pragma unroll
    for (int n = 0; n < MMA_ACROSS; n++)
#pragma unroll
        for (int m = 0; m < MMA_A_FRAGMENTS; m++)
            Mma::multiply(f.a[m], &f.b[n / 2][n % 2 * 2], c[n][m]);
}

// ---- Kernels -----------------------------------------------------------------------------------

static __device__ void mma_fill(const mma_arguments &a)
{
    for (uint32_t i = threadIdx.x; i < a.image_bytes / 16; i += MMA_THREADS)
        reinterpret_cast<uint4 *>(sweep_memory)[i] = a.image[i];
    __syncthreads();
}

static __device__ void mma_stop(const mma_arguments &a, sweep_clock start, uint32_t thread)
{
    __syncthreads();
    if (thread == 0) {
        a.clocks[2 * blockIdx.x] = (uint64_t)(clock64() - start.cycles);
        a.clocks[2 * blockIdx.x + 1] = clock_nanoseconds() - start.ns;
    }
}

// A 0 that the compiler cannot know, once every warp has all that it needs: see sweep_arrive().
static __device__ uint32_t mma_arrive(uint32_t mixed)
{
    return (uint32_t)__syncthreads_or(mixed == UINT32_MAX);
}

// Multiplies the problem `iterations` times onto the accumulators. Without LOADS the fragments are
// loaded once, before the clock starts.
template <class Mma, class LoadA, class LoadB, bool LOADS>
static __device__ void mma_loop(const mma_arguments &a, uint32_t iterations)
{
    typedef mma_operand<LoadA, MMA_A_FRAGMENTS> operand_a;
    typedef mma_operand<LoadB, MMA_B_FRAGMENTS> operand_b;
    typename Mma::accumulator c[MMA_ACROSS][MMA_A_FRAGMENTS][MMA_REGISTERS] = {};
    mma_fragments fragments[MMA_STEPS];
    operand_a at_a;
    operand_b at_b;

    mma_fill(a);
    const uint32_t *offsets =
        a.offsets + threadIdx.x / 32 * (operand_a::count + operand_b::count) * 32;
    at_a.take(offsets);
    at_b.take(offsets + operand_a::count * 32);
    uint32_t zero = mma_arrive(at_a.mixed() & at_b.mixed());
    uint32_t thread = threadIdx.x + zero, step = a.step + zero;
    iterations += zero;
    if (!LOADS) {
#pragma unroll
        for (int s = 0; s < MMA_STEPS; s++) {
            at_a.load(s, fragments[s].a);
            at_b.load(s, fragments[s].b);
        }
    }
    sweep_clock start = sweep_start();
#pragma unroll 1
    for (uint32_t i = 0; i < iterations; i++) {
#pragma unroll
        for (int s = 0; s < MMA_STEPS; s++) {
            if (LOADS) {
                at_a.load(s, fragments[s].a);
                at_b.load(s, fragments[s].b);
            }
            mma_multiply<Mma>(fragments[s], c);
        }
        at_a.move(step);
        at_b.move(step);
    }
    mma_stop(a, start, thread);
    if (blockIdx.x > 0)
        return;
    uint4 *out = reinterpret_cast<uint4 *>(a.out) + thread * MMA_ACROSS * MMA_A_FRAGMENTS;
#pragma unroll
    for (int n = 0; n < MMA_ACROSS; n++)
#pragma unroll
        for (int m = 0; m < MMA_A_FRAGMENTS; m++)
            out[n * MMA_A_FRAGMENTS + m] = *reinterpret_cast<uint4 *>(c[n][m]);
}

#define MMA_ENTRY(entry, body)                                                                     \
    extern "C" __global__ void __launch_bounds__(MMA_THREADS, 1)                                   \
        entry(const __grid_constant__ mma_arguments a, uint32_t iterations)                        \
    {                                                                                              \
        body;                                                                                      \
    }

// NAME_loads and NAME_alone: with the loads in the loop, and without.
#define MMA_KERNELS(name, ...)                                                                     \
    MMA_ENTRY(name##_loads, (mma_loop<__VA_ARGS__, true>(a, iterations)))                          \
    MMA_ENTRY(name##_alone, (mma_loop<__VA_ARGS__, false>(a, iterations)))
