// targets: 90a 100a 103a 120a
// What does TMA do with a box: load, store, reduction, prefetch into L2, copy without a tensor map,
// load into a whole cluster?
#include "kernels/tma.cuh"

template <class Load>
static __device__ void tma_loads(const tma_map &map, const tma_arguments &a, uint32_t boxes)
{
    tma_cta cta = tma_open(a);
    tma_clock start = tma_start();
    uint32_t stage = tma_warp();
    if (stage < a.depth) {
        tma_walk walk = tma_first(a, tma_number(a), stage, a.depth);
        uint32_t barrier = cta.barrier(stage), parity = 0;
        tma_latency latency;
#pragma unroll 1
        for (uint32_t box = stage; box < boxes; box += a.depth) {
            if (tma_lane() == 0) {
                barrier_expect(barrier, a.box_bytes);
                latency.begin();
                Load::send(a, map, walk, cta.stage(a, stage), barrier);
            }
            tma_next(a, walk);
            if (!tma_wait(a, barrier, parity))
                break;
            latency.end();
            parity ^= 1;
        }
        latency.tell(a);
    }
    tma_stop(a, start);
    tma_dump(a, cta);
}

// One thread has all stores in flight, as groups that it waits for in order: a thread that waits
// for its own waits for those of other threads as well.
template <class Store, int DEPTH>
static __device__ void tma_store_loop(const tma_map &map, const tma_arguments &a,
                                      const tma_cta &cta, uint32_t boxes)
{
    tma_walk walk = tma_first(a, tma_number(a), 0, 1);
    tma_latency latency;
    uint32_t stage = 0;
#pragma unroll 1
    for (uint32_t sent = 0; sent < boxes; sent++) {
        if (DEPTH == 1)
            latency.begin();
        Store::send(a, map, walk, cta.stage(a, stage));
        tma_commit_and_wait<DEPTH - 1>();
        if (DEPTH == 1)
            latency.end();
        tma_next(a, walk);
        stage = stage + 1 == DEPTH ? 0 : stage + 1;
    }
    tma_commit_and_wait<0>();
    latency.tell(a);
}

template <class Store>
static __device__ void tma_stores(const tma_map &map, const tma_arguments &a, uint32_t boxes)
{
    tma_cta cta = tma_open(a);
    tma_clock start = tma_start();
    if (threadIdx.x == 0) {
        if (a.depth == 1)
            tma_store_loop<Store, 1>(map, a, cta, boxes);
        else if (a.depth == 2)
            tma_store_loop<Store, 2>(map, a, cta, boxes);
        else if (a.depth == 4)
            tma_store_loop<Store, 4>(map, a, cta, boxes);
        else
            tma_store_loop<Store, 8>(map, a, cta, boxes);
    }
    tma_stop(a, start);
}

// Nothing tells when a prefetch is done, so all of them are sent back to back.
template <class Prefetch>
static __device__ void tma_prefetches(const tma_map &map, const tma_arguments &a, uint32_t boxes)
{
    tma_cta cta = tma_open(a);
    tma_clock start = tma_start();
    uint32_t stage = tma_warp();
    if (stage < a.depth && tma_lane() == 0) {
        tma_walk walk = tma_first(a, tma_number(a), stage, a.depth);
#pragma unroll 1
        for (uint32_t box = stage; box < boxes; box += a.depth) {
            Prefetch::send(a, map, walk);
            tma_next(a, walk);
        }
    }
    tma_stop(a, start);
    tma_dump(a, cta);
}

#define TMA_ENTRY(name, body)                                                                      \
    extern "C" __global__ void __launch_bounds__(256)                                              \
        name(const __grid_constant__ tma_map map, const __grid_constant__ tma_arguments a,         \
             uint32_t boxes)                                                                       \
    {                                                                                              \
        if (one_sm_works(a.choice)) {                                                              \
            body;                                                                                  \
        }                                                                                          \
    }

#define TMA_ENTRIES(rank)                                                                          \
    TMA_ENTRY(load_##rank##d, tma_loads<tile_load<rank>>(map, a, boxes))                           \
    TMA_ENTRY(store_##rank##d, tma_stores<tile_store<rank>>(map, a, boxes))                        \
    TMA_ENTRY(reduce_##rank##d, tma_stores<tile_reduce<rank>>(map, a, boxes))                      \
    TMA_ENTRY(prefetch_##rank##d, tma_prefetches<tile_prefetch<rank>>(map, a, boxes))

TMA_ENTRIES(1)
TMA_ENTRIES(2)
TMA_ENTRIES(3)
TMA_ENTRIES(4)
TMA_ENTRIES(5)
TMA_ENTRY(im2col_3d, tma_loads<im2col_load<3>>(map, a, boxes))
TMA_ENTRY(im2col_4d, tma_loads<im2col_load<4>>(map, a, boxes))
TMA_ENTRY(im2col_5d, tma_loads<im2col_load<5>>(map, a, boxes))
TMA_ENTRY(bulk_load, tma_loads<copy_in>(map, a, boxes))
TMA_ENTRY(bulk_store, tma_stores<copy_out>(map, a, boxes))

#if __CUDA_ARCH__ < 1200 || !defined(__CUDA_ARCH__) // whose assembler advises against it
// The first CTA of a cluster sends each box to all of them. It may use a stage again when every CTA
// has its box and has made its barrier ready for the next: each says so at a second barrier, in the
// first CTA.
static __device__ void tma_ready_for_next(const tma_arguments &a, const tma_cta &cta, uint32_t box,
                                          uint32_t boxes)
{
    if (box + a.depth < boxes && tma_lane() == 0) {
        barrier_expect(cta.barrier(tma_warp()), a.box_bytes);
        tma_arrive_at_first(cta.ready(tma_warp()));
    }
}

static __device__ void tma_lead(const tma_map &map, const tma_arguments &a, const tma_cta &cta,
                                uint32_t boxes)
{
    uint32_t stage = tma_warp(), ctas = tma_cluster_ctas(), parity = 0;
    tma_walk walk = tma_first(a, blockIdx.x / ctas, stage, a.depth);
    tma_latency latency;
#pragma unroll 1
    for (uint32_t box = stage; box < boxes; box += a.depth) {
        if (box >= a.depth && !tma_wait(a, cta.ready(stage), parity ^ 1))
            break;
        latency.begin();
        if (tma_lane() == 0)
            tma_multicast(a, map, walk, cta.stage(a, stage), cta.barrier(stage), ctas);
        tma_next(a, walk);
        if (!tma_wait(a, cta.barrier(stage), parity))
            break;
        latency.end();
        tma_ready_for_next(a, cta, box, boxes);
        parity ^= 1;
    }
    latency.tell(a);
}

static __device__ void tma_follow(const tma_arguments &a, const tma_cta &cta, uint32_t boxes)
{
    uint32_t stage = tma_warp(), parity = 0;
#pragma unroll 1
    for (uint32_t box = stage; box < boxes && tma_wait(a, cta.barrier(stage), parity);
         box += a.depth) {
        tma_ready_for_next(a, cta, box, boxes);
        parity ^= 1;
    }
}

extern "C" __global__ void __launch_bounds__(256)
    multicast_2d(const __grid_constant__ tma_map map, const __grid_constant__ tma_arguments a,
                 uint32_t boxes)
{
    tma_cta cta = tma_open(a);
    uint32_t stage = tma_warp();
    if (tma_lane() == 0) {
        barrier_init(cta.ready(stage), tma_cluster_ctas());
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (stage < a.depth && stage < boxes)
            barrier_expect(cta.barrier(stage), a.box_bytes);
    }
    __syncthreads();
    tma_cluster_sync();

    tma_clock start = tma_start();
    if (stage < a.depth && tma_cluster_rank() == 0)
        tma_lead(map, a, cta, boxes);
    else if (stage < a.depth)
        tma_follow(a, cta, boxes);
    tma_stop(a, start);
    tma_dump(a, cta);
    tma_cluster_sync();
}
#endif

// Everything that the kernels above do but the boxes. Its counts are subtracted from theirs.
TMA_ENTRY(control, tma_cta cta = tma_open(a); tma_clock start = tma_start(); tma_stop(a, start);
          tma_dump(a, cta); if (boxes == UINT32_MAX) *a.stuck = map.bytes[0])

// Fills global memory with words mix(seed + i % period_words).
extern "C" __global__ void fill_global(uint32_t *words, uint64_t count, uint32_t seed,
                                       uint32_t period_words)
{
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
        words[i] = mix(seed + (uint32_t)(i % period_words));
}
