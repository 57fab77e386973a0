// targets: 90a 100a 103a 120a
// What does it cost that TMA moves a tile: in boxes, or as contiguous bytes?
//
// Loads have a warp for each stage, of which one thread sends: see kernels/tma.cuh. Stores are sent
// by one thread for all stages, as groups.
#include "kernels/copy.cuh"

enum { TENSOR_LINE_BYTES = 1024, ELEMENT_BYTES = 2 };

struct boxes {
    int32_t x, y; // of the tile

    __device__ __forceinline__ boxes(const copy_arguments &a, uint32_t tile)
        : x((tile & (1u << a.across) - 1) * a.line_bytes / ELEMENT_BYTES),
          y((tile >> a.across) * a.lines)
    {
    }

    __device__ __forceinline__ void in(const copy_map &map, const copy_arguments &a, uint32_t i,
                                       uint32_t stage, uint32_t barrier) const
    {
        uint32_t at = copy_global_of(a.moves[i]);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(stage + copy_shared_of(a.moves[i])),
                     "l"(&map), "r"(x + at % TENSOR_LINE_BYTES / ELEMENT_BYTES),
                     "r"(y + at / TENSOR_LINE_BYTES), "r"(barrier)
                     : "memory");
    }

    __device__ __forceinline__ void out(const copy_map &map, const copy_arguments &a, uint32_t i,
                                        uint32_t stage) const
    {
        uint32_t at = copy_global_of(a.moves[i]);
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                     "[%0, {%1, %2}], [%3];" ::"l"(&map),
                     "r"(x + at % TENSOR_LINE_BYTES / ELEMENT_BYTES),
                     "r"(y + at / TENSOR_LINE_BYTES), "r"(stage + copy_shared_of(a.moves[i]))
                     : "memory");
    }
};

// One box of rank 4: a span of some lines, the next spans of these, the next lines.
struct whole {
    int32_t across, down; // of the tile, in spans and in boxes' lines

    __device__ __forceinline__ whole(const copy_arguments &a, uint32_t tile)
        : across((tile & (1u << a.across) - 1) * a.line_bytes / a.span_bytes),
          down((tile >> a.across) * a.lines / a.box_lines)
    {
    }

    __device__ __forceinline__ void in(const copy_map &map, const copy_arguments &, uint32_t,
                                       uint32_t stage, uint32_t barrier) const
    {
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %2, %3, %4}], [%5];" ::"r"(stage),
                     "l"(&map), "r"(0), "r"(across), "r"(down), "r"(barrier)
                     : "memory");
    }

    __device__ __forceinline__ void out(const copy_map &map, const copy_arguments &, uint32_t,
                                        uint32_t stage) const
    {
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group "
                     "[%0, {%1, %1, %2, %3}], [%4];" ::"l"(&map),
                     "r"(0), "r"(across), "r"(down), "r"(stage)
                     : "memory");
    }
};

// Behind each move stand its bytes.
struct runs {
    uint8_t *from;

    __device__ __forceinline__ runs(const copy_arguments &a, uint32_t tile)
        : from(copy_tile(a, tile))
    {
    }

    __device__ __forceinline__ void in(const copy_map &, const copy_arguments &a, uint32_t i,
                                       uint32_t stage, uint32_t barrier) const
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(stage + copy_shared_of(a.moves[2 * i])),
                     "l"(from + copy_global_of(a.moves[2 * i])), "r"(a.moves[2 * i + 1]),
                     "r"(barrier)
                     : "memory");
    }

    __device__ __forceinline__ void out(const copy_map &, const copy_arguments &a, uint32_t i,
                                        uint32_t stage) const
    {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                         from + copy_global_of(a.moves[2 * i])),
                     "r"(stage + copy_shared_of(a.moves[2 * i])), "r"(a.moves[2 * i + 1])
                     : "memory");
    }
};

template <class Way>
static __device__ __forceinline__ void copy_in(const copy_map &map, const copy_arguments &a,
                                               const copy_cta &cta, uint32_t tiles)
{
    uint32_t stage = __shfl_sync(~0u, threadIdx.x / 32, 0), parity = 0;
    uint32_t barrier = cta.barrier(stage);
    if (threadIdx.x % 32 == 0) {
        barrier_init(barrier, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    barrier_proxy_fence();
    copy_start(a);
#pragma unroll 1
    for (uint32_t i = stage; i < tiles; i += a.stages) {
        if (threadIdx.x % 32 == 0) {
            Way way(a, cta.tile(a, i));
            barrier_expect(barrier, a.tile_bytes);
#pragma unroll 1
            for (uint32_t j = 0; j < a.instructions; j++)
                way.in(map, a, j, cta.stage(a, stage), barrier);
        }
        __syncwarp();
        if (!barrier_wait(barrier, parity, a.patience_cycles, a.stuck))
            break;
        parity ^= 1;
    }
}

// Until no more than so many groups of this thread are not done.
static __device__ __forceinline__ void wait_for_groups(uint32_t pending)
{
    if (pending == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    else if (pending == 1)
        asm volatile("cp.async.bulk.wait_group 1;" ::: "memory");
    else if (pending == 2)
        asm volatile("cp.async.bulk.wait_group 2;" ::: "memory");
    else
        asm volatile("cp.async.bulk.wait_group 3;" ::: "memory");
}

template <class Way>
static __device__ __forceinline__ void copy_out(const copy_map &map, const copy_arguments &a,
                                                const copy_cta &cta, uint32_t tiles)
{
    barrier_proxy_fence();
    copy_start(a);
    if (threadIdx.x == 0) {
        uint32_t stage = 0;
#pragma unroll 1
        for (uint32_t i = 0; i < tiles; i++) {
            Way way(a, cta.tile(a, i));
#pragma unroll 1
            for (uint32_t j = 0; j < a.instructions; j++)
                way.out(map, a, j, cta.stage(a, stage));
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            wait_for_groups(a.stages - 1);
            stage = stage + 1 == a.stages ? 0 : stage + 1;
        }
        wait_for_groups(0);
    }
}

COPY_ENTRY(tma_load, copy_in<boxes>(map, a, cta, tiles))
COPY_ENTRY(tma_store, copy_out<boxes>(map, a, cta, tiles))
COPY_ENTRY(tma_load_whole, copy_in<whole>(map, a, cta, tiles))
COPY_ENTRY(tma_store_whole, copy_out<whole>(map, a, cta, tiles))
COPY_ENTRY(bulk_load, copy_in<runs>(map, a, cta, tiles))
COPY_ENTRY(bulk_store, copy_out<runs>(map, a, cta, tiles))
