// How are boxes sent through TMA, so that they can be verified, counted and timed?
//
// A CTA has `depth` stages in shared memory, each with room for a box, and for loads a barrier of
// its own and a warp that keeps it busy: it sends a box, waits for it, sends the next. One thread
// for all stages would measure itself: to wait, to tell the barrier what to expect and to send take
// it 150 clocks on an H200, whatever the box. And it is the whole warp that waits, for a lane that
// waits while others are elsewhere wakes up to 180 clocks late.
//
// Box number p begins at start[] + p * extent along the last dimension, and a CTA takes every
// stride-th of them, round and round.
//
// Dynamic shared memory: the barriers, then from the next multiple of 1024 bytes on the data, which
// begins as a pattern that the host can compute as well.
#pragma once

#include <stdint.h>

#include "kernels/barrier.cuh"
#include "kernels/clock.cuh"
#include "kernels/mix.cuh"
#include "kernels/one_sm.cuh"

enum { TMA_STAGES = 8, TMA_MAX_RANK = 5, TMA_ALIGNMENT_BYTES = 1024 };

// A CUtensorMap.
struct alignas(64) tma_map {
    uint8_t bytes[128];
};

// What every kernel is given. The host packs the same struct: bench/tma_bench.h.
struct tma_arguments {
    uint8_t *global;  // of copies without a tensor map
    uint4 *out;       // the first out_bytes of the data, one CTA after the other
    uint64_t *clocks; // [CTAs][2]: SM cycles and nanoseconds of the loop
    uint64_t *spans;  // [CTAs][2]: %globaltimer before and after the loop
    uint64_t *waits;  // [CTAs][2]: SM cycles from sending to having a box, over those of stage 0
    uint64_t *stuck;  // set by a barrier that did not open
    int32_t start[TMA_MAX_RANK];
    uint32_t extent; // from box to box; bytes for copies without a tensor map
    uint32_t positions, stride;
    uint32_t smem_offset; // of stage 0 in the data
    uint32_t stage_bytes; // from stage to stage
    uint32_t box_bytes;   // what the barrier waits for
    uint32_t depth;       // stages in use: boxes in flight
    uint32_t fill_bytes;  // data that begins as the pattern
    uint32_t out_bytes;
    uint32_t seed, keep, set; // word i of the data is mix(seed + i) & keep | set
    uint32_t patience_cycles; // for a barrier; 0: for ever
    uint16_t tap[4];          // offsets of im2col, from W on
    one_sm choice;
};

static_assert(sizeof(tma_arguments) == 144, "as bench/tma_bench.h packs it");

extern __shared__ __align__(1024) uint8_t tma_memory[];

// The number of this CTA.
static __device__ uint32_t tma_number(const tma_arguments &a)
{
    return one_sm_cta(a.choice);
}

// False when the barrier has not opened in time.
static __device__ bool tma_wait(const tma_arguments &a, uint32_t barrier, uint32_t parity)
{
    return barrier_wait(barrier, parity, a.patience_cycles, a.stuck);
}

// ---- A CTA -------------------------------------------------------------------------------------

struct tma_cta {
    uint32_t barriers, data; // shared addresses

    __device__ uint32_t barrier(uint32_t stage) const
    {
        return barriers + 8 * stage;
    }
    // Of a stage in all CTAs of a cluster, in the first of them.
    __device__ uint32_t ready(uint32_t stage) const
    {
        return barriers + 8 * (TMA_STAGES + stage);
    }
    __device__ uint32_t stage(const tma_arguments &a, uint32_t stage) const
    {
        return data + a.smem_offset + stage * a.stage_bytes;
    }
};

static __device__ uint32_t *tma_data_words(const tma_cta &cta)
{
    return reinterpret_cast<uint32_t *>(__cvta_shared_to_generic(cta.data));
}

// Lays the pattern, and makes TMA see it.
static __device__ tma_cta tma_open(const tma_arguments &a)
{
    tma_cta cta;
    cta.barriers = (uint32_t)__cvta_generic_to_shared(tma_memory);
    cta.data = (cta.barriers + 2 * 8 * TMA_STAGES + TMA_ALIGNMENT_BYTES - 1) &
               ~(uint32_t)(TMA_ALIGNMENT_BYTES - 1);
    uint32_t *words = tma_data_words(cta);
    for (uint32_t i = threadIdx.x; i < a.fill_bytes / 4; i += blockDim.x)
        words[i] = (mix(a.seed + i) & a.keep) | a.set;
    barrier_proxy_fence();
    if (threadIdx.x == 0) {
        for (uint32_t stage = 0; stage < TMA_STAGES; stage++)
            barrier_init(cta.barrier(stage), 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        barrier_proxy_fence();
    }
    __syncthreads();
    return cta;
}

struct tma_clock {
    int64_t cycles;
    uint64_t ns;
};

static __device__ tma_clock tma_start(void)
{
    __syncthreads();
    return {clock64(), clock_nanoseconds()};
}

static __device__ void tma_stop(const tma_arguments &a, tma_clock start)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        int64_t cycles = clock64();
        uint64_t ns = clock_nanoseconds();
        uint32_t cta = tma_number(a);
        a.clocks[2 * cta] = (uint64_t)(cycles - start.cycles);
        a.clocks[2 * cta + 1] = ns - start.ns;
        a.spans[2 * cta] = start.ns;
        a.spans[2 * cta + 1] = ns;
    }
}

// What a warp waits for its boxes, from before it sends each until it has it.
struct tma_latency {
    int64_t began, cycles = 0;

    __device__ void begin(void)
    {
        began = clock64();
    }
    __device__ void end(void)
    {
        cycles += clock64() - began;
    }
    __device__ void tell(const tma_arguments &a) const
    {
        if (threadIdx.x == 0)
            a.waits[2 * tma_number(a)] = (uint64_t)cycles;
    }
};

static __device__ void tma_dump(const tma_arguments &a, const tma_cta &cta)
{
    __syncthreads();
    const uint4 *data = reinterpret_cast<const uint4 *>(tma_data_words(cta));
    uint4 *out = a.out + (size_t)tma_number(a) * (a.out_bytes / 16);
    for (uint32_t i = threadIdx.x; i < a.out_bytes / 16; i += blockDim.x)
        out[i] = data[i];
}

// ---- Where the next box is ---------------------------------------------------------------------

static __device__ uint32_t tma_warp(void)
{
    return threadIdx.x / 32;
}

static __device__ uint32_t tma_lane(void)
{
    return threadIdx.x % 32;
}

struct tma_walk {
    uint32_t position, step;
};

// Of the boxes of CTA number `number`, every stages-th from number `stage` on.
static __device__ tma_walk tma_first(const tma_arguments &a, uint32_t number, uint32_t stage,
                                     uint32_t stages)
{
    return {(number + stage * a.stride) % a.positions, stages * a.stride % a.positions};
}

static __device__ void tma_next(const tma_arguments &a, tma_walk &walk)
{
    walk.position += walk.step;
    if (walk.position >= a.positions)
        walk.position -= a.positions;
}

template <int RANK>
static __device__ int32_t tma_coordinate(const tma_arguments &a, tma_walk walk, int dimension)
{
    return dimension == RANK - 1 ? a.start[dimension] + (int32_t)(walk.position * a.extent)
                                 : a.start[dimension];
}

// ---- The instructions --------------------------------------------------------------------------
//
// A load takes the shared address, the tensor map, the walk and the barrier; a store and a prefetch
// have no barrier.

#define TMA_C(i) "r"(tma_coordinate<RANK>(a, walk, i))

#define TMA_COORDINATES_1 TMA_C(0)
#define TMA_COORDINATES_2 TMA_COORDINATES_1, TMA_C(1)
#define TMA_COORDINATES_3 TMA_COORDINATES_2, TMA_C(2)
#define TMA_COORDINATES_4 TMA_COORDINATES_3, TMA_C(3)
#define TMA_COORDINATES_5 TMA_COORDINATES_4, TMA_C(4)

// An instruction for every rank: the operands of its coordinates, and the operand behind them.
#define TMA_FOR_RANKS(with)                                                                        \
    with(1, "%2", "%3") with(2, "%2, %3", "%4") with(3, "%2, %3, %4", "%5")                        \
        with(4, "%2, %3, %4, %5", "%6") with(5, "%2, %3, %4, %5, %6", "%7")

template <int RANK> struct tile_load {
    static __device__ void send(const tma_arguments &a, const tma_map &map, tma_walk walk,
                                uint32_t smem, uint32_t barrier);
};
template <int RANK> struct im2col_load {
    static __device__ void send(const tma_arguments &a, const tma_map &map, tma_walk walk,
                                uint32_t smem, uint32_t barrier);
};
template <int RANK> struct tile_store {
    static __device__ void send(const tma_arguments &a, const tma_map &map, tma_walk walk,
                                uint32_t smem);
};
template <int RANK> struct tile_reduce {
    static __device__ void send(const tma_arguments &a, const tma_map &map, tma_walk walk,
                                uint32_t smem);
};
template <int RANK> struct tile_prefetch {
    static __device__ void send(const tma_arguments &a, const tma_map &map, tma_walk walk);
};

#define TMA_LOAD(rank, coordinates, next)                                                          \
    template <>                                                                                    \
    __device__ void tile_load<rank>::send(const tma_arguments &a, const tma_map &map,              \
                                          tma_walk walk, uint32_t smem, uint32_t barrier)          \
    {                                                                                              \
        constexpr int RANK = rank;                                                                 \
        asm volatile("cp.async.bulk.tensor." #rank                                                 \
                     "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "                 \
                     "[%1], [%0, {" coordinates "}], [" next "];" ::"l"(&map),                     \
                     "r"(smem), TMA_COORDINATES_##rank, "r"(barrier)                               \
                     : "memory");                                                                  \
    }
TMA_FOR_RANKS(TMA_LOAD)

#define TMA_IM2COL(rank, coordinates, barrier_operand, taps, ...)                                  \
    template <>                                                                                    \
    __device__ void im2col_load<rank>::send(const tma_arguments &a, const tma_map &map,            \
                                            tma_walk walk, uint32_t smem, uint32_t barrier)        \
    {                                                                                              \
        constexpr int RANK = rank;                                                                 \
        asm volatile("cp.async.bulk.tensor." #rank                                                 \
                     "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "               \
                     "[%1], [%0, {" coordinates "}], [" barrier_operand "], {" taps                \
                     "};" ::"l"(&map),                                                             \
                     "r"(smem), TMA_COORDINATES_##rank, "r"(barrier), __VA_ARGS__                  \
                     : "memory");                                                                  \
    }
TMA_IM2COL(3, "%2, %3, %4", "%5", "%6", "h"(a.tap[0]))
TMA_IM2COL(4, "%2, %3, %4, %5", "%6", "%7, %8", "h"(a.tap[0]), "h"(a.tap[1]))
TMA_IM2COL(5, "%2, %3, %4, %5, %6", "%7", "%8, %9, %10", "h"(a.tap[0]), "h"(a.tap[1]),
           "h"(a.tap[2]))

#define TMA_STORE(rank, coordinates, next)                                                         \
    template <>                                                                                    \
    __device__ void tile_store<rank>::send(const tma_arguments &a, const tma_map &map,             \
                                           tma_walk walk, uint32_t smem)                           \
    {                                                                                              \
        constexpr int RANK = rank;                                                                 \
        asm volatile("cp.async.bulk.tensor." #rank "d.global.shared::cta.tile.bulk_group "         \
                     "[%0, {" coordinates "}], [%1];" ::"l"(&map),                                 \
                     "r"(smem), TMA_COORDINATES_##rank                                             \
                     : "memory");                                                                  \
    }
TMA_FOR_RANKS(TMA_STORE)

#define TMA_REDUCE(rank, coordinates, next)                                                        \
    template <>                                                                                    \
    __device__ void tile_reduce<rank>::send(const tma_arguments &a, const tma_map &map,            \
                                            tma_walk walk, uint32_t smem)                          \
    {                                                                                              \
        constexpr int RANK = rank;                                                                 \
        asm volatile("cp.reduce.async.bulk.tensor." #rank                                          \
                     "d.global.shared::cta.add.tile.bulk_group "                                   \
                     "[%0, {" coordinates "}], [%1];" ::"l"(&map),                                 \
                     "r"(smem), TMA_COORDINATES_##rank                                             \
                     : "memory");                                                                  \
    }
TMA_FOR_RANKS(TMA_REDUCE)

#define TMA_PREFETCH(rank, coordinates, next)                                                      \
    template <>                                                                                    \
    __device__ void tile_prefetch<rank>::send(const tma_arguments &a, const tma_map &map,          \
                                              tma_walk walk)                                       \
    {                                                                                              \
        constexpr int RANK = rank;                                                                 \
        asm volatile("cp.async.bulk.prefetch.tensor." #rank "d.L2.global.tile "                    \
                     "[%0, {" coordinates "}];" ::"l"(&map),                                       \
                     "r"(0), TMA_COORDINATES_##rank                                                \
                     : "memory");                                                                  \
    }
TMA_FOR_RANKS(TMA_PREFETCH)

// Without a tensor map.
struct copy_in {
    static __device__ void send(const tma_arguments &a, const tma_map &, tma_walk walk,
                                uint32_t smem, uint32_t barrier)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(smem),
                     "l"(a.global + (uint64_t)walk.position * a.extent), "r"(a.box_bytes),
                     "r"(barrier)
                     : "memory");
    }
};

struct copy_out {
    static __device__ void send(const tma_arguments &a, const tma_map &, tma_walk walk,
                                uint32_t smem)
    {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                         a.global + (uint64_t)walk.position * a.extent),
                     "r"(smem), "r"(a.box_bytes)
                     : "memory");
    }
};

// Ends a group of stores, and waits until at most PENDING groups of this thread are not done.
template <int PENDING> static __device__ void tma_commit_and_wait(void)
{
    asm volatile("cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group %0;" ::"n"(PENDING)
                 : "memory");
}

// ---- Clusters ----------------------------------------------------------------------------------

static __device__ uint32_t tma_cluster_rank(void)
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ uint32_t tma_cluster_ctas(void)
{
    uint32_t ctas;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ctas));
    return ctas;
}

static __device__ void tma_cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

// Arrives at the barrier at the same place in the cluster's first CTA.
static __device__ void tma_arrive_at_first(uint32_t barrier)
{
    asm volatile("{\n"
                 ".reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, 0;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
                 "}" ::"r"(barrier)
                 : "memory");
}

// Sends a box to every CTA of the cluster, and its bytes to the barrier at the same place in each.
static __device__ void tma_multicast(const tma_arguments &a, const tma_map &map, tma_walk walk,
                                     uint32_t smem, uint32_t barrier, uint32_t ctas)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(smem),
                 "l"(&map), "r"(tma_coordinate<2>(a, walk, 0)), "r"(tma_coordinate<2>(a, walk, 1)),
                 "r"(barrier), "h"((uint16_t)((1u << ctas) - 1))
                 : "memory");
}
