// targets: 90a 100a 103a 120a
// What does a transpose cost with the instructions that came with compute capability 9.0: stmatrix,
// and TMA in place of loads and stores?
#include "kernels/transpose.cuh"

#include "kernels/barrier.cuh"

#define WRITE_MATRICES global_pieces<16, 1>, shared_pieces<matrix_store_x4_trans, 1>

TRANSPOSE_KERNELS(stmatrix_chunks_16, 512, WRITE_MATRICES, TRANSPOSE_READ_CHUNKS)

// ---- TMA ---------------------------------------------------------------------------------------

enum { STAGES = 2 };

struct alignas(64) transpose_map {
    uint8_t bytes[128];
};

// A tile, box beside box; they lie one behind the other in shared memory.
static __device__ void send_tile(const transpose_arguments &a, const transpose_map &map,
                                 uint32_t number, uint32_t smem, uint32_t barrier)
{
    transpose_walk at(a, number);
    barrier_expect(barrier, a.boxes * a.box_bytes);
#pragma unroll 1
    for (uint32_t box = 0; box < a.boxes; box++)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem + box * a.box_bytes),
                     "l"(&map), "r"((at.col * a.boxes + box) * a.box_elements),
                     "r"(at.row * a.tile_lines), "r"(barrier)
                     : "memory");
}

// A box is on its way while the one before it is read. Barriers lie behind the stages.
template <class Read, class Turn, class Store>
static __device__ void transpose_tma(const transpose_arguments &a, const transpose_map &map,
                                     uint32_t tiles)
{
    Read read;
    Store store;
    uint32_t out[Store::registers];
    uint32_t barriers = sweep_base() + STAGES * a.stage_bytes, stage = 0, parity = 0;
    uint64_t began = clock_nanoseconds();
    store.take(read.take(a.places), a.pitch_bytes);
    if (threadIdx.x < STAGES) {
        barrier_init(barriers + 8 * threadIdx.x, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    barrier_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x < tiles)
        send_tile(a, map, blockIdx.x, sweep_base(), barriers);
#pragma unroll 1
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        uint32_t other = stage ^ 1;
        if (threadIdx.x == 0 && tile + gridDim.x < tiles)
            send_tile(a, map, tile + gridDim.x, sweep_base() + other * a.stage_bytes,
                      barriers + 8 * other);
        __syncwarp();
        barrier_wait(barriers + 8 * stage, parity, a.patience_cycles, a.stuck);
        read.read(stage * a.stage_bytes, out);
        Turn::turn(out);
        __syncthreads();
        store.store(transpose_to(a, tile), out);
        parity ^= stage;
        stage = other;
    }
    transpose_stop(a, began);
}

#define TMA_KERNEL(name, threads, ...)                                                             \
    extern "C" __global__ void __launch_bounds__(threads, 1024 / (threads))                        \
        name##_whole(const __grid_constant__ transpose_arguments a, uint32_t tiles,                \
                     const __grid_constant__ transpose_map map)                                    \
    {                                                                                              \
        transpose_tma<__VA_ARGS__>(a, map, tiles);                                                 \
    }

TMA_KERNEL(tma_elements_32, 1024, TRANSPOSE_READ_ELEMENTS(4))
TMA_KERNEL(tma_words_8, 256, TRANSPOSE_READ_WORDS(turn_4x4))
TMA_KERNEL(tma_words_16, 512, TRANSPOSE_READ_WORDS(turn_2x2))
TMA_KERNEL(tma_ldmatrix_8, 256, TRANSPOSE_READ_MATRICES(turn_pairs, 8))
TMA_KERNEL(tma_ldmatrix_16, 512, TRANSPOSE_READ_MATRICES(turn_nothing, 16))
TMA_KERNEL(tma_ldmatrix_8x16b_16, 512, TRANSPOSE_READ_MATRICES(turn_nothing, 4))
