// targets: 75 80 86 89 90a 100a 103a 120a
// What do plain loads and stores of 4, 8 and 16 bytes a lane cost?
#include "kernels/sweep.cuh"

template <int BYTES> struct plain_load {
    enum { registers = BYTES / 4, rounds = BYTES == 4 ? 8 : 4, takes_data = 0, takes_source = 0 };

    template <int OFFSET> static __device__ void load(uint32_t address, uint32_t (&r)[4])
    {
        if (BYTES == 4)
            asm volatile("ld.shared.b32 %0, [%1+%2];" : "=r"(r[0]) : "r"(address), "n"(OFFSET));
        if (BYTES == 8)
            asm volatile("ld.shared.v2.b32 {%0, %1}, [%2+%3];"
                         : "=r"(r[0]), "=r"(r[1])
                         : "r"(address), "n"(OFFSET));
        if (BYTES == 16)
            asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4+%5];"
                         : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                         : "r"(address), "n"(OFFSET));
    }
};

template <int BYTES> struct plain_store {
    enum { registers = BYTES / 4, rounds = 4, takes_data = 1, takes_source = 0 };

    template <int OFFSET>
    static __device__ void store(uint32_t address, const uint4 &d, const uint8_t *)
    {
        if (BYTES == 4)
            asm volatile("st.shared.b32 [%0+%1], %2;" ::"r"(address), "n"(OFFSET), "r"(d.x)
                         : "memory");
        if (BYTES == 8)
            asm volatile("st.shared.v2.b32 [%0+%1], {%2, %3};" ::"r"(address), "n"(OFFSET),
                         "r"(d.x), "r"(d.y)
                         : "memory");
        if (BYTES == 16)
            asm volatile("st.shared.v4.b32 [%0+%1], {%2, %3, %4, %5};" ::"r"(address), "n"(OFFSET),
                         "r"(d.x), "r"(d.y), "r"(d.z), "r"(d.w)
                         : "memory");
    }

    static __device__ void drain(void) {}
};

SWEEP_LOAD_KERNELS(ld_shared_b32, plain_load<4>)
SWEEP_LOAD_KERNELS(ld_shared_b64, plain_load<8>)
SWEEP_LOAD_KERNELS(ld_shared_b128, plain_load<16>)
SWEEP_STORE_KERNELS(st_shared_b32, plain_store<4>)
SWEEP_STORE_KERNELS(st_shared_b64, plain_store<8>)
SWEEP_STORE_KERNELS(st_shared_b128, plain_store<16>)

// Where dynamic shared memory starts in the shared window: the host needs it to lay addresses into
// an image.
extern "C" __global__ void shared_base(uint32_t *out)
{
    *out = sweep_base();
}
