// targets: 80 86 89 90a 100a 103a 120a
// What does it cost that lanes move a tile: through registers, or with cp.async?
//
// Entry points: ld_st_16_u4 and the like. u: the instructions of a thread for a tile.
#include "kernels/copy.cuh"
#include "kernels/instructions.cuh"

template <int BYTES>
static __device__ __forceinline__ void load_global(const uint8_t *from, uint32_t (&r)[4])
{
    if (BYTES == 4)
        asm volatile("ld.global.b32 %0, [%1];" : "=r"(r[0]) : "l"(from));
    if (BYTES == 8)
        asm volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "l"(from));
    if (BYTES == 16)
        asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "l"(from));
}

template <int BYTES>
static __device__ __forceinline__ void store_global(uint8_t *to, const uint32_t (&r)[4])
{
    if (BYTES == 4)
        asm volatile("st.global.b32 [%0], %1;" ::"l"(to), "r"(r[0]) : "memory");
    if (BYTES == 8)
        asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(to), "r"(r[0]), "r"(r[1]) : "memory");
    if (BYTES == 16)
        asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(r[0]), "r"(r[1]),
                     "r"(r[2]), "r"(r[3])
                     : "memory");
}

// As many loads are sent before the first store as so many bytes of registers hold: on the way back
// they need not wait for global memory.
enum { BATCH_BYTES = 64, BACK_BATCH_BYTES = 32 };

template <int BYTES, int LANE_BYTES, int COUNT> struct batch {
    enum { size = COUNT < BYTES / LANE_BYTES ? COUNT : BYTES / LANE_BYTES };
};

template <int BYTES> struct through_registers {
    template <int COUNT>
    static __device__ __forceinline__ void tile(uint8_t *global, uint32_t shared,
                                                const uint32_t (&moves)[COUNT])
    {
        enum { LOADS = batch<BATCH_BYTES, BYTES, COUNT>::size };
#pragma unroll
        for (int i = 0; i < COUNT; i += LOADS) {
            uint32_t r[LOADS][4] = {};
#pragma unroll
            for (int j = 0; j < LOADS; j++)
                load_global<BYTES>(global + copy_global_of(moves[i + j]), r[j]);
#pragma unroll
            for (int j = 0; j < LOADS; j++)
                plain_store<BYTES>::template store<0>(
                    shared + copy_shared_of(moves[i + j]),
                    make_uint4(r[j][0], r[j][1], r[j][2], r[j][3]), 0);
        }
    }
};

template <int BYTES> struct back_through_registers {
    template <int COUNT>
    static __device__ __forceinline__ void tile(uint8_t *global, uint32_t shared,
                                                const uint32_t (&moves)[COUNT])
    {
        enum { LOADS = batch<BACK_BATCH_BYTES, BYTES, COUNT>::size };
#pragma unroll
        for (int i = 0; i < COUNT; i += LOADS) {
            uint32_t r[LOADS][4] = {};
#pragma unroll
            for (int j = 0; j < LOADS; j++)
                plain_load<BYTES>::template load<0>(shared + copy_shared_of(moves[i + j]), r[j]);
#pragma unroll
            for (int j = 0; j < LOADS; j++)
                store_global<BYTES>(global + copy_global_of(moves[i + j]), r[j]);
        }
    }
};

template <class Copy> struct asynchronously {
    template <int COUNT>
    static __device__ __forceinline__ void tile(uint8_t *global, uint32_t shared,
                                                const uint32_t (&moves)[COUNT])
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            Copy::template store<0>(shared + copy_shared_of(moves[i]), uint4{},
                                    global + copy_global_of(moves[i]));
        Copy::drain();
    }
};

// Offsets that are taken apart once and for all take more registers than 16 moves leave.
enum { MOST_APART = 8 };

// A tile is done when all threads of its stage say so.
template <class Way, int COUNT>
static __device__ __forceinline__ void copy_lanes(const copy_arguments &a, const copy_cta &cta,
                                                  uint32_t tiles)
{
    uint32_t stage = threadIdx.x / a.group_threads, thread = threadIdx.x % a.group_threads;
    uint32_t moves[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        moves[i] = a.moves[i * a.group_threads + thread];
    uint32_t shared = cta.stage(a, stage), ready = stage + 1;
    copy_start(a);
#pragma unroll 1
    for (uint32_t i = stage; i < tiles; i += a.stages) {
        if (COUNT > MOST_APART)
#pragma unroll
            for (int j = 0; j < COUNT; j++)
                asm volatile("" : "+r"(moves[j]));
        Way::tile(copy_tile(a, cta.tile(a, i)), shared, moves);
        asm volatile("bar.sync %0, %1;" ::"r"(ready), "r"(a.group_threads) : "memory");
    }
}

#define COPY_LANES(name, count, ...)                                                               \
    COPY_ENTRY(name##_u##count, (copy_lanes<__VA_ARGS__, count>(a, cta, tiles)))

#define COPY_OF_4(name, ...)                                                                       \
    COPY_LANES(name, 1, __VA_ARGS__)                                                               \
    COPY_LANES(name, 4, __VA_ARGS__)                                                               \
    COPY_LANES(name, 8, __VA_ARGS__) COPY_LANES(name, 16, __VA_ARGS__)
#define COPY_OF_8(name, ...)                                                                       \
    COPY_LANES(name, 1, __VA_ARGS__)                                                               \
    COPY_LANES(name, 2, __VA_ARGS__)                                                               \
    COPY_LANES(name, 4, __VA_ARGS__) COPY_LANES(name, 8, __VA_ARGS__)
#define COPY_OF_16(name, ...)                                                                      \
    COPY_LANES(name, 1, __VA_ARGS__)                                                               \
    COPY_LANES(name, 2, __VA_ARGS__) COPY_LANES(name, 4, __VA_ARGS__)

COPY_OF_4(ld_st_4, through_registers<4>)
COPY_OF_8(ld_st_8, through_registers<8>)
COPY_OF_16(ld_st_16, through_registers<16>)
COPY_OF_4(back_4, back_through_registers<4>)
COPY_OF_8(back_8, back_through_registers<8>)
COPY_OF_16(back_16, back_through_registers<16>)
COPY_OF_4(ca_4, asynchronously<copy_4_ca>)
COPY_OF_8(ca_8, asynchronously<copy_8_ca>)
COPY_OF_16(ca_16, asynchronously<copy_16_ca>)
COPY_OF_16(cg_16, asynchronously<copy_16_cg>)
