// targets: 80 86 89 90a 100a 103a 120a
// What does it cost to transpose a matrix through shared memory, and to copy one?
#include "kernels/transpose.cuh"

#include "kernels/mix.cuh"

#define WRITE_ELEMENTS(bytes)                                                                      \
    global_pieces<bytes, 4>, turn_nothing, shared_pieces<plain_store<bytes>, 4>
#define WRITE_CHUNKS global_pieces<16, 1>, turn_nothing, shared_pieces<plain_store<16>, 1>

TRANSPOSE_KERNELS(elements_elements_8, 1024, WRITE_ELEMENTS(1), TRANSPOSE_READ_ELEMENTS(1))
TRANSPOSE_KERNELS(elements_elements_16, 1024, WRITE_ELEMENTS(2), TRANSPOSE_READ_ELEMENTS(2))
TRANSPOSE_KERNELS(elements_elements_32, 1024, WRITE_ELEMENTS(4), TRANSPOSE_READ_ELEMENTS(4))
TRANSPOSE_KERNELS(words_words_8, 256, WRITE_ELEMENTS(4), TRANSPOSE_READ_WORDS(turn_4x4))
TRANSPOSE_KERNELS(words_words_16, 512, WRITE_ELEMENTS(4), TRANSPOSE_READ_WORDS(turn_2x2))
TRANSPOSE_KERNELS(chunks_ldmatrix_8, 256, WRITE_CHUNKS, TRANSPOSE_READ_MATRICES(turn_pairs, 8))
TRANSPOSE_KERNELS(chunks_ldmatrix_16, 512, WRITE_CHUNKS, TRANSPOSE_READ_MATRICES(turn_nothing, 16))
TRANSPOSE_KERNELS(chunks_ldmatrix_8x16b_16, 512, WRITE_CHUNKS,
                  TRANSPOSE_READ_MATRICES(turn_nothing, 4))

// ---- Copy --------------------------------------------------------------------------------------

// Bytes are 16 * count, a power of two, as often as `rounds` says.
extern "C" __global__ void __launch_bounds__(512)
    copy(const uint4 *in, uint4 *out, uint64_t count, uint64_t *spans, uint32_t rounds)
{
    enum { UNROLL = 4 };
    uint64_t all = count * rounds, step = (uint64_t)gridDim.x * blockDim.x * UNROLL;
    uint64_t began = clock_nanoseconds();
#pragma unroll 1
    for (uint64_t first = (uint64_t)blockIdx.x * blockDim.x * UNROLL + threadIdx.x; first < all;
         first += step) {
        uint4 v[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; j++)
            if (first + j * blockDim.x < all)
                v[j] = __ldcg(in + ((first + j * blockDim.x) & (count - 1)));
#pragma unroll
        for (int j = 0; j < UNROLL; j++)
            if (first + j * blockDim.x < all)
                out[(first + j * blockDim.x) & (count - 1)] = v[j];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        spans[2 * blockIdx.x] = began;
        spans[2 * blockIdx.x + 1] = clock_nanoseconds();
    }
}

// ---- Data --------------------------------------------------------------------------------------

// Word i is mix(seed + i).
extern "C" __global__ void __launch_bounds__(512)
    fill(uint32_t *words, uint64_t count, uint32_t seed)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (uint64_t)gridDim.x * blockDim.x)
        words[i] = mix((uint32_t)i + seed);
}

// Every byte of a square matrix against what fill() gives: in place, or turned. wrong[0] is how
// many are not that, wrong[1] the number of the first of them.
extern "C" __global__ void __launch_bounds__(512)
    check(const uint8_t *out, uint32_t side_shift, uint32_t elem_bytes, uint32_t turned,
          uint32_t seed, unsigned long long *wrong)
{
    uint64_t elements = UINT64_C(1) << 2 * side_shift, side = UINT64_C(1) << side_shift;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < elements;
         i += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t row = i >> side_shift, col = i & (side - 1);
        uint64_t from = (turned ? col << side_shift | row : i) * elem_bytes;
        for (uint32_t b = 0; b < elem_bytes; b++) {
            uint32_t word = mix((uint32_t)((from + b) / 4) + seed);
            if (out[i * elem_bytes + b] != (uint8_t)(word >> 8 * ((from + b) % 4))) {
                atomicAdd(&wrong[0], 1ull);
                atomicMin(&wrong[1], (unsigned long long)(i * elem_bytes + b));
            }
        }
    }
}
