// targets: 90a 100a 103a 120a
// What does a transpose cost with the instructions that came with compute capability 9.0: stmatrix,
// and TMA in place of loads and stores?
#include "kernels/transpose.cuh"

#include "kernels/barrier.cuh"

#define WRITE_MATRICES(width, pack)                                                                \
    global_pieces<width, 16 / width>, pack, shared_pieces<matrix_store_x4_trans, 1>

TRANSPOSE_KERNELS(stmatrix_chunks_8, 256, WRITE_MATRICES(8, turn_rows), TRANSPOSE_READ_CHUNKS)
TRANSPOSE_KERNELS(stmatrix_chunks_16, 512, WRITE_MATRICES(16, turn_nothing), TRANSPOSE_READ_CHUNKS)

// ---- TMA ---------------------------------------------------------------------------------------

enum { STAGES = 2 };

struct alignas(64) transpose_map {
    uint8_t bytes[128];
};
struct transpose_maps {
    transpose_map in, out;
};

// A tile, box beside box; they lie one behind the other in shared memory.
static __device__ void send_tile(const transpose_arguments &a, const transpose_maps &maps,
                                 uint32_t number, uint32_t smem, uint32_t barrier)
{
    transpose_walk at(a, number);
    barrier_expect(barrier, a.boxes * a.box_bytes);
#pragma unroll 1
    for (uint32_t box = 0; box < a.boxes; box++)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem + box * a.box_bytes),
                     "l"(&maps.in), "r"((at.col * a.boxes + box) * a.box_elements),
                     "r"(at.row * a.tile_lines), "r"(barrier)
                     : "memory");
}

// A turned tile, one box without a swizzle.
static __device__ void send_turned(const transpose_arguments &a, const transpose_maps &maps,
                                   uint32_t number, uint32_t smem)
{
    transpose_walk at(a, number);
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], "
                 "[%3];" ::"l"(&maps.out),
                 "r"(at.row * a.tile_lines), "r"(at.col * a.tile_lines), "r"(smem)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// All but the last so many of the turned tiles have left shared memory.
template <int PENDING> static __device__ void await_sent(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
}

// A tile is on its way while the one before it is read. Turned ones go to global memory, or TMA_OUT
// to stages of their own and from there. Barriers lie behind the stages.
template <bool TMA_OUT, class Read, class Turn, class Store>
static __device__ void transpose_tma(const transpose_arguments &a, const transpose_maps &maps,
                                     uint32_t tiles)
{
    Read read;
    Store store;
    uint32_t out[Store::registers];
    uint32_t barriers = sweep_base() + (TMA_OUT ? 2 : 1) * STAGES * a.stage_bytes;
    uint32_t stage = 0, parity = 0;
    uint64_t began = clock_nanoseconds();
    transpose_thread thread = {threadIdx.x, blockDim.x};
    store.take(read.take(a.places, thread, sweep_base()), thread,
               TMA_OUT ? a.line_bytes : a.pitch_bytes);
    if (threadIdx.x < STAGES) {
        barrier_init(barriers + 8 * threadIdx.x, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    barrier_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x < tiles)
        send_tile(a, maps, blockIdx.x, sweep_base(), barriers);
#pragma unroll 1
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        uint32_t other = stage ^ 1;
        if (threadIdx.x == 0 && tile + gridDim.x < tiles)
            send_tile(a, maps, tile + gridDim.x, sweep_base() + other * a.stage_bytes,
                      barriers + 8 * other);
        __syncwarp();
        barrier_wait(barriers + 8 * stage, parity, a.patience_cycles, a.stuck);
        read.read(stage * a.stage_bytes, out);
        Turn::turn(out);
        if (TMA_OUT) {
            uint32_t turned = (STAGES + stage) * a.stage_bytes;
            if (threadIdx.x == 0)
                await_sent<1>();
            __syncthreads();
            store.store(sweep_memory + turned, out);
            barrier_proxy_fence();
            __syncthreads();
            if (threadIdx.x == 0)
                send_turned(a, maps, tile, sweep_base() + turned);
        } else {
            // Before the barrier: a store waits for what was read, __syncthreads() does not, and
            // the TMA that fills the stage anew would overtake reads that wait for their banks.
            store.store(transpose_to(a, tile), out);
            __syncthreads();
        }
        parity ^= stage;
        stage = other;
    }
    if (TMA_OUT && threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    transpose_stop(a, began);
}

#define TMA_KERNEL(name, threads, ...)                                                             \
    extern "C" __global__ void __launch_bounds__(threads, 1024 / (threads))                        \
        name##_whole(const __grid_constant__ transpose_arguments a, uint32_t tiles,                \
                     const __grid_constant__ transpose_maps maps)                                  \
    {                                                                                              \
        transpose_tma<__VA_ARGS__>(a, maps, tiles);                                                \
    }
#define TMA_KERNELS(name, threads, ...)                                                            \
    TMA_KERNEL(tma_##name, threads, false, __VA_ARGS__)                                            \
    TMA_KERNEL(tma_##name##_tma, threads, true, __VA_ARGS__)

TMA_KERNELS(elements_32, 1024, TRANSPOSE_READ_ELEMENTS(4))
TMA_KERNELS(words_8, 256, TRANSPOSE_READ_WORDS(turn_4x4))
TMA_KERNELS(words_16, 512, TRANSPOSE_READ_WORDS(turn_2x2))
TMA_KERNELS(ldmatrix_8, 256, TRANSPOSE_READ_MATRICES(turn_pairs, 8))
TMA_KERNELS(ldmatrix_16, 512, TRANSPOSE_READ_MATRICES(turn_nothing, 16))
TMA_KERNELS(ldmatrix_8x16b_16, 512, TRANSPOSE_READ_MATRICES(turn_nothing, 4))
