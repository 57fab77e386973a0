// How do tiles get into stages of shared memory, and out of them, so that the ways can be compared?
//
// A CTA has a group of warps for each stage. It moves a tile and waits until that is done before it
// moves the next: as many tiles are in flight as there are stages. Tile number i of the CTA uses
// stage i % stages. Where from and where to are the host's table, one entry for each lane and
// instruction.
//
// A CTA alone goes on where the launch before has ended, so that it meets tiles that no cache has;
// it asks with an atomic, which none of the family's counters counts. The CTAs of a larger grid
// take their tiles in turn, from the first.
//
// Dynamic shared memory: barriers, then from the next multiple of 1024 bytes on the stages, which
// begin as a pattern that the host can compute as well.
#pragma once

#include "kernels/barrier.cuh"
#include "kernels/clock.cuh"
#include "kernels/mix.cuh"
#include "kernels/one_sm.cuh"

enum { COPY_STAGES = 4, COPY_MOVES = 4096, COPY_ALIGNMENT_BYTES = 1024 };

// A CUtensorMap.
struct alignas(64) copy_map {
    uint8_t bytes[128];
};

// What every kernel is given. The host packs the same struct: bench/copy_bench.h.
struct copy_arguments {
    uint8_t *global;
    uint4 *out;                 // the first out_bytes of the stages
    uint64_t *clocks;           // [CTAs][2]: SM cycles and nanoseconds of the loop
    uint64_t *spans;            // [CTAs][2]: %globaltimer before and after the loop
    uint64_t *stuck;            // set by a barrier that did not open
    uint64_t *cursor;           // the next tile of a CTA alone
    uint64_t row_bytes;         // of all tiles side by side
    uint32_t across;            // tiles side by side, as a power of two
    uint32_t line_bytes, lines; // of a tile
    uint32_t tile_mask;         // tiles of the tensor, less one
    uint32_t stages, stage_bytes, tile_bytes;
    uint32_t instructions;  // of a tile
    uint32_t group_threads; // of a stage
    uint32_t fill_bytes, out_bytes, seed, patience_cycles;
    uint32_t span_bytes, box_lines; // of a tile that is one box
    uint32_t reserved;
    one_sm choice;
    uint32_t moves[COPY_MOVES]; // global offset / 4 << 16 | shared offset
};

static_assert(sizeof(copy_arguments) == 16520, "as bench/copy_bench.h packs it");

extern __shared__ __align__(1024) uint8_t copy_memory[];

struct copy_cta {
    uint32_t barriers, data; // shared addresses
    uint32_t first, stride;  // tiles

    __device__ uint32_t barrier(uint32_t stage) const
    {
        return barriers + 8 * stage;
    }
    __device__ uint32_t stage(const copy_arguments &a, uint32_t stage) const
    {
        return data + stage * a.stage_bytes;
    }
    __device__ uint32_t tile(const copy_arguments &a, uint32_t i) const
    {
        return first + i * stride & a.tile_mask;
    }
};

static __device__ bool copy_is_alone(const copy_arguments &a)
{
    return one_sm_ctas(a.choice) == 1;
}

static __device__ __forceinline__ uint32_t copy_cursor(const copy_arguments &a)
{
    uint64_t at = 0;
    if (threadIdx.x % 32 == 0)
        asm volatile("atom.global.add.u64 %0, [%1], 0;" : "=l"(at) : "l"(a.cursor) : "memory");
    return __shfl_sync(~0u, (uint32_t)at, 0);
}

static __device__ __forceinline__ copy_cta copy_open(const copy_arguments &a)
{
    copy_cta cta;
    cta.barriers = (uint32_t)__cvta_generic_to_shared(copy_memory);
    cta.data = (cta.barriers + 8 * COPY_STAGES + COPY_ALIGNMENT_BYTES - 1) &
               ~(uint32_t)(COPY_ALIGNMENT_BYTES - 1);
    uint32_t *words = reinterpret_cast<uint32_t *>(__cvta_shared_to_generic(cta.data));
    for (uint32_t i = threadIdx.x; i < a.fill_bytes / 4; i += blockDim.x)
        words[i] = mix(a.seed + i);
    cta.first = copy_is_alone(a) ? copy_cursor(a) : blockIdx.x;
    cta.stride = one_sm_ctas(a.choice) | 1; // odd: a CTA comes to all tiles, not to a few again
    return cta;
}

// When it began waits in memory: the loops need the registers.
static __device__ __forceinline__ void copy_start(const copy_arguments &a)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t number = one_sm_cta(a.choice);
        a.spans[2 * number] = clock_nanoseconds();
        a.clocks[2 * number] = (uint64_t)clock64();
    }
}

static __device__ __forceinline__ void copy_stop(const copy_arguments &a, const copy_cta &cta,
                                                 uint32_t tiles)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t cycles = (uint64_t)clock64(), ns = clock_nanoseconds();
        uint32_t number = one_sm_cta(a.choice);
        a.clocks[2 * number] = cycles - a.clocks[2 * number];
        a.clocks[2 * number + 1] = ns - a.spans[2 * number];
        a.spans[2 * number + 1] = ns;
        if (copy_is_alone(a))
            *a.cursor = cta.first + tiles;
    }
    const uint4 *data = reinterpret_cast<const uint4 *>(__cvta_shared_to_generic(cta.data));
    for (uint32_t i = threadIdx.x; i < a.out_bytes / 16; i += blockDim.x)
        a.out[i] = data[i];
}

// First byte of a tile.
static __device__ __forceinline__ uint8_t *copy_tile(const copy_arguments &a, uint32_t tile)
{
    return a.global + (tile >> a.across) * a.row_bytes +
           (tile & (1u << a.across) - 1) * a.line_bytes;
}

static __device__ __forceinline__ uint32_t copy_shared_of(uint32_t move)
{
    return move & 0xffff;
}

static __device__ __forceinline__ uint32_t copy_global_of(uint32_t move)
{
    return move >> 16 << 2;
}

#define COPY_ENTRY(name, body)                                                                     \
    extern "C" __global__ void __launch_bounds__(1024, 1)                                          \
        name(const __grid_constant__ copy_map map, const __grid_constant__ copy_arguments a,       \
             uint32_t tiles)                                                                       \
    {                                                                                              \
        if (!one_sm_works(a.choice))                                                               \
            return;                                                                                \
        copy_cta cta = copy_open(a);                                                               \
        body;                                                                                      \
        copy_stop(a, cta, tiles);                                                                  \
    }
