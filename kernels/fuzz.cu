// targets: 75 80 86 89 90a 100a 103a 120a
// How can a hundred million accesses be counted, when a counted launch costs milliseconds? Many
// accesses share a launch, and each runs as often as its weight says, so that the one sum that
// comes back tells whether all of them cost what the model says.
//
// A warp fetches FUZZ_HELD accesses into registers, waits until every warp has its own, and runs
// them; so nothing but the instruction moves data in the SM while it is being counted.
#include "kernels/instructions.cuh"

enum { FUZZ_HELD = 8 };

// The host packs the same struct: bench/fuzz_launch.c.
struct fuzz_arguments {
    const uint16_t *offsets; // [accesses][32]: byte offset of each lane in shared memory
    const uint16_t *sources; // [accesses][32]: cp.async alone, byte offset of each lane in source
    const uint32_t *masks;   // [accesses]: lanes that take part
    const uint32_t *weights; // [accesses]: how often it runs
    const uint8_t *source;
    uint32_t *out;       // [threads]
    uint32_t accesses;   // in the arrays; warp w of all takes 8 from 8 w on, and so on
    uint32_t first, end; // of those, only these run
    uint32_t step;       // 0
};

extern __shared__ __align__(1024) uint8_t fuzz_memory[];

struct fuzz_access {
    uint32_t address, mask, weight;
    const uint8_t *source;
};

template <class Instruction>
static __device__ fuzz_access fuzz_take(const fuzz_arguments &a, uint32_t index)
{
    uint32_t lane = threadIdx.x % 32, base = (uint32_t)__cvta_generic_to_shared(fuzz_memory);
    fuzz_access access = {base, 0, 0, nullptr};
    if (index < a.end && index >= a.first) {
        access.address = base + a.offsets[index * 32 + lane];
        access.mask = a.masks[index];
        access.weight = a.weights[index];
        if (Instruction::takes_source)
            access.source = a.source + a.sources[index * 32 + lane];
    }
    return access;
}

// Opens when all warps have theirs. Returns 0, which the compiler cannot know.
static __device__ uint32_t fuzz_arrive(const fuzz_access (&held)[FUZZ_HELD])
{
    uint32_t all = UINT32_MAX, mixed = 0;
#pragma unroll
    for (int i = 0; i < FUZZ_HELD; i++) {
        all &= held[i].address;
        mixed ^= held[i].mask ^ held[i].weight ^ (uint32_t)(uintptr_t)held[i].source;
    }
    return (uint32_t)__syncthreads_or((all == UINT32_MAX) & (mixed != 1));
}

struct fuzz_load {
    template <class Instruction>
    static __device__ void run(uint32_t address, const uint8_t *, uint32_t &sum)
    {
        uint32_t r[4] = {0, 0, 0, 0};
        Instruction::template load<0>(address, r);
#pragma unroll
        for (int j = 0; j < Instruction::registers; j++)
            sum += r[j];
    }
    template <class Instruction> static __device__ void drain(void) {}
};

struct fuzz_store {
    template <class Instruction>
    static __device__ void run(uint32_t address, const uint8_t *source, uint32_t &sum)
    {
        Instruction::template store<0>(address, make_uint4(sum, sum, sum, sum), source);
    }
    template <class Instruction> static __device__ void drain(void)
    {
        Instruction::drain();
    }
};

template <class Kind, class Instruction> static __device__ void fuzz(const fuzz_arguments &a)
{
    uint32_t thread = threadIdx.x, warps = gridDim.x * blockDim.x / 32;
    uint32_t warp = (blockIdx.x * blockDim.x + thread) / 32, sum = 0;

    for (uint32_t round = 0; round < a.accesses; round += warps * FUZZ_HELD) {
        fuzz_access held[FUZZ_HELD];
        __syncthreads(); // the warps still at the round before
#pragma unroll
        for (int i = 0; i < FUZZ_HELD; i++)
            held[i] = fuzz_take<Instruction>(a, round + warp * FUZZ_HELD + i);
        uint32_t zero = fuzz_arrive(held), step = a.step + zero;
        uint32_t lane = (thread + zero) % 32;
#pragma unroll
        for (int i = 0; i < FUZZ_HELD; i++)
            if (held[i].mask >> lane & 1)
#pragma unroll 1
                for (uint32_t n = held[i].weight; n > 0; n--) {
                    Kind::template run<Instruction>(held[i].address, held[i].source, sum);
                    held[i].address += step;
                }
        Kind::template drain<Instruction>();
    }
    __syncthreads();
    a.out[warp * 32 + thread % 32] = sum;
}

#define FUZZ_KERNEL(name, kind, ...)                                                               \
    extern "C" __global__ void __launch_bounds__(1024, 1)                                          \
        fuzz_##name(const __grid_constant__ fuzz_arguments a)                                      \
    {                                                                                              \
        fuzz<kind, __VA_ARGS__>(a);                                                                \
    }

FUZZ_KERNEL(ld_shared_b8, fuzz_load, plain_load<1>)
FUZZ_KERNEL(ld_shared_b16, fuzz_load, plain_load<2>)
FUZZ_KERNEL(ld_shared_b32, fuzz_load, plain_load<4>)
FUZZ_KERNEL(ld_shared_b64, fuzz_load, plain_load<8>)
FUZZ_KERNEL(ld_shared_b128, fuzz_load, plain_load<16>)
FUZZ_KERNEL(st_shared_b8, fuzz_store, plain_store<1>)
FUZZ_KERNEL(st_shared_b16, fuzz_store, plain_store<2>)
FUZZ_KERNEL(st_shared_b32, fuzz_store, plain_store<4>)
FUZZ_KERNEL(st_shared_b64, fuzz_store, plain_store<8>)
FUZZ_KERNEL(st_shared_b128, fuzz_store, plain_store<16>)
FUZZ_KERNEL(ldmatrix_x1, fuzz_load, matrix_load_x1)
FUZZ_KERNEL(ldmatrix_x2, fuzz_load, matrix_load_x2)
FUZZ_KERNEL(ldmatrix_x4, fuzz_load, matrix_load_x4)
FUZZ_KERNEL(ldmatrix_x1_trans, fuzz_load, matrix_load_x1_trans)
FUZZ_KERNEL(ldmatrix_x2_trans, fuzz_load, matrix_load_x2_trans)
FUZZ_KERNEL(ldmatrix_x4_trans, fuzz_load, matrix_load_x4_trans)
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
FUZZ_KERNEL(stmatrix_x1, fuzz_store, matrix_store_x1)
FUZZ_KERNEL(stmatrix_x2, fuzz_store, matrix_store_x2)
FUZZ_KERNEL(stmatrix_x4, fuzz_store, matrix_store_x4)
FUZZ_KERNEL(stmatrix_x1_trans, fuzz_store, matrix_store_x1_trans)
FUZZ_KERNEL(stmatrix_x2_trans, fuzz_store, matrix_store_x2_trans)
FUZZ_KERNEL(stmatrix_x4_trans, fuzz_store, matrix_store_x4_trans)
#endif
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
FUZZ_KERNEL(cp_async_4_ca, fuzz_store, copy_4_ca)
FUZZ_KERNEL(cp_async_8_ca, fuzz_store, copy_8_ca)
FUZZ_KERNEL(cp_async_16_ca, fuzz_store, copy_16_ca)
FUZZ_KERNEL(cp_async_16_cg, fuzz_store, copy_16_cg)
#endif
