// targets: 90a
// What does a k-block cost when TMA writes its tiles and wgmma reads them?
//
// The CTA that works has a consumer warpgroup and, for each stage of shared memory, a producer
// warp: that waits until the stage is empty, tells the stage's full barrier what to expect, and
// sends all boxes of both operands. One thread for all stages would measure itself: see
// kernels/tma.cuh. The warpgroup waits until a stage is full, multiplies it, and gives back the
// stage before when the products of that are done, so that the tensor core has the next ones
// already: what CUTLASS's main loop does.
//
// K-block number i comes from position i of the tensors, round and round.
//
// Dynamic shared memory: the barriers, then from the next multiple of 1024 bytes on the stages.
#include "kernels/barrier.cuh"
#include "kernels/clock.cuh"
#include "kernels/one_sm.cuh"
#include "kernels/wgmma_accumulators.cuh"

enum {
    MOST_STAGES = 8,
    MOST_STEPS = 8, // instructions of a k-block
    OPERANDS = 2,
    MOST_RANK = 3,
    WARPGROUP = 128,
    WARPGROUP_WARPS = 4,
    MOST_THREADS = WARPGROUP + 32 * MOST_STAGES,
    ALIGNMENT_BYTES = 1024,
};

// CUtensorMaps of A and B.
struct alignas(64) pipeline_maps {
    uint8_t bytes[OPERANDS][128];
};

// How an operand is loaded: box j of the k-block at position p goes to smem_offset + j * box_bytes
// of its stage and begins at p * per_k_block + j * per_box.
struct pipeline_operand {
    uint32_t boxes, box_bytes, smem_offset;
    int32_t per_box[MOST_RANK], per_k_block[MOST_RANK];
};

// What every kernel is given. The host packs the same struct: bench/pipeline_bench.h.
struct pipeline_arguments {
    uint32_t *out;                         // accumulators: [register][thread of the warpgroup]
    uint64_t *clocks;                      // [2]: SM cycles and nanoseconds of the loop
    uint64_t *stuck;                       // set by a barrier that did not open
    uint64_t a[MOST_STEPS], b[MOST_STEPS]; // descriptors, in a stage that begins at 0
    pipeline_operand operands[OPERANDS];
    uint32_t rank;        // of the boxes: 2 or 3
    uint32_t stages;      // in use
    uint32_t stage_bytes; // all of which the boxes fill
    uint32_t positions;   // a power of two
    uint32_t fill_bytes;  // of shared memory that begins as ones, NaNs
    uint32_t patience_cycles;
    one_sm choice;
};

static_assert(sizeof(pipeline_arguments) == 264, "as bench/pipeline_bench.h packs it");

extern __shared__ __align__(1024) uint8_t pipeline_memory[];

struct pipeline_cta {
    uint32_t barriers, data; // shared addresses

    __device__ uint32_t full(uint32_t stage) const
    {
        return barriers + 8 * stage;
    }
    __device__ uint32_t empty(uint32_t stage) const
    {
        return barriers + 8 * (MOST_STAGES + stage);
    }
};

static __device__ __forceinline__ pipeline_cta pipeline_open(const pipeline_arguments &a)
{
    pipeline_cta cta;
    cta.barriers = (uint32_t)__cvta_generic_to_shared(pipeline_memory);
    cta.data = (cta.barriers + 2 * 8 * MOST_STAGES + ALIGNMENT_BYTES - 1) &
               ~(uint32_t)(ALIGNMENT_BYTES - 1);
    uint32_t *words = reinterpret_cast<uint32_t *>(__cvta_shared_to_generic(cta.data));
    for (uint32_t i = threadIdx.x; i < a.fill_bytes / 4; i += blockDim.x)
        words[i] = ~0u;
    if (threadIdx.x < a.stages) {
        barrier_init(cta.full(threadIdx.x), 1);
        barrier_init(cta.empty(threadIdx.x), WARPGROUP_WARPS);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    barrier_proxy_fence();
    __syncthreads();
    return cta;
}

// ---- Producers ---------------------------------------------------------------------------------

static __device__ __forceinline__ void send_box(uint32_t rank, const uint8_t *map, uint32_t smem,
                                                const int32_t (&at)[MOST_RANK], uint32_t barrier)
{
    if (rank == 2)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem),
                     "l"(map), "r"(at[0]), "r"(at[1]), "r"(barrier)
                     : "memory");
    else
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(smem),
                     "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(barrier)
                     : "memory");
}

static __device__ __forceinline__ void send_boxes(const pipeline_arguments &a, const uint8_t *map,
                                                  const pipeline_operand &operand, int32_t position,
                                                  uint32_t stage, uint32_t barrier)
{
    int32_t at[MOST_RANK];
    uint32_t smem = stage + operand.smem_offset;
#pragma unroll
    for (int i = 0; i < MOST_RANK; i++)
        at[i] = position * operand.per_k_block[i];
#pragma unroll 1
    for (uint32_t box = 0; box < operand.boxes; box++) {
        send_box(a.rank, map, smem, at, barrier);
        smem += operand.box_bytes;
#pragma unroll
        for (int i = 0; i < MOST_RANK; i++)
            at[i] += operand.per_box[i];
    }
}

// Keeps one stage full. A fresh barrier is past the phase of parity 1: the stage is empty.
static __device__ __forceinline__ void produce(const pipeline_maps &maps,
                                               const pipeline_arguments &a, const pipeline_cta &cta,
                                               uint32_t stage, uint32_t k_blocks)
{
    uint32_t data = cta.data + stage * a.stage_bytes, full = cta.full(stage), parity = 1;
#pragma unroll 1
    for (uint32_t i = stage; i < k_blocks; i += a.stages) {
        if (!barrier_wait(cta.empty(stage), parity, a.patience_cycles, a.stuck))
            break;
        parity ^= 1;
        if (threadIdx.x % 32 == 0) {
            int32_t position = (int32_t)(i & (a.positions - 1));
            barrier_expect(full, a.stage_bytes);
#pragma unroll
            for (int operand = 0; operand < OPERANDS; operand++)
                send_boxes(a, maps.bytes[operand], a.operands[operand], position, data, full);
        }
        __syncwarp();
    }
}

// ---- The consumer ------------------------------------------------------------------------------

static __device__ __forceinline__ void give_back(uint32_t empty)
{
    if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(empty) : "memory");
}

template <int STEPS, class Multiply>
static __device__ __forceinline__ void consume(const pipeline_arguments &a, const pipeline_cta &cta,
                                               uint32_t k_blocks, Multiply multiply)
{
    uint32_t stage = 0, parity = 0, last_empty = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < k_blocks; i++) {
        uint64_t data = (cta.data + stage * a.stage_bytes) >> 4;
        if (!barrier_wait(cta.full(stage), parity, a.patience_cycles, a.stuck))
            break;
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEPS; step++)
            multiply(a.a[step] + data, a.b[step] + data);
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
        if (i > 0)
            give_back(last_empty);
        last_empty = cta.empty(stage);
        if (++stage == a.stages) {
            stage = 0;
            parity ^= 1;
        }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

template <int STEPS, class Registers, class Multiply>
static __device__ __forceinline__ void pipeline_run(const pipeline_maps &maps,
                                                    const pipeline_arguments &a, uint32_t k_blocks,
                                                    Multiply multiply, Registers registers)
{
    if (!one_sm_works(a.choice))
        return;
    wgmma_declare(registers);
    pipeline_cta cta = pipeline_open(a);
    uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0);
    int64_t began = clock64();
    uint64_t began_ns = clock_nanoseconds();
    if (warp < WARPGROUP_WARPS)
        consume<STEPS>(a, cta, k_blocks, multiply);
    else
        produce(maps, a, cta, warp - WARPGROUP_WARPS, k_blocks);
    __syncthreads();
    if (threadIdx.x == 0) {
        a.clocks[0] = (uint64_t)(clock64() - began);
        a.clocks[1] = clock_nanoseconds() - began_ns;
    }
    if (warp < WARPGROUP_WARPS)
        wgmma_tell(a.out + threadIdx.x, WARPGROUP, registers);
}

// ---- Entry points: n64_k16_k, n256_k128_mn: N, K of a k-block, major of B -----------------------

#define PIPELINE_KERNEL(cols, extent, b_major, b_transposed)                                       \
    extern "C" __global__ void __launch_bounds__(MOST_THREADS, 1) n##cols##_k##extent##_##b_major( \
        const __grid_constant__ pipeline_maps maps, const __grid_constant__ pipeline_arguments a,  \
        uint32_t k_blocks)                                                                         \
    {                                                                                              \
        auto multiply = [](uint64_t of_a, uint64_t of_b) {                                         \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #cols                                 \
                         "k16.f32.bf16.bf16 {" WGMMA_D##cols                                       \
                         "}, %0, %1, accumulate, 1, 1, 0, " #b_transposed ";" ::"l"(of_a),         \
                         "l"(of_b)                                                                 \
                         : "memory");                                                              \
        };                                                                                         \
        pipeline_run<extent / 16>(maps, a, k_blocks, multiply, wgmma_registers<cols>());           \
    }

#define PIPELINE_MAJORS(cols, extent)                                                              \
    PIPELINE_KERNEL(cols, extent, k, 0) PIPELINE_KERNEL(cols, extent, mn, 1)

#define PIPELINE_EXTENTS(cols)                                                                     \
    PIPELINE_MAJORS(cols, 16)                                                                      \
    PIPELINE_MAJORS(cols, 32) PIPELINE_MAJORS(cols, 64) PIPELINE_MAJORS(cols, 128)

PIPELINE_EXTENTS(64)
PIPELINE_EXTENTS(128)
PIPELINE_EXTENTS(256)
