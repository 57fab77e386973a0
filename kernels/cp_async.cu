// targets: 80 86 89 90a 100a 103a 120a
// What does cp.async cost, through L1 (.ca: 4, 8, 16 bytes a lane) and past it (.cg: 16 bytes)?
#include "kernels/sweep.cuh"

#define CP_ASYNC(name, form, bytes)                                                                \
    struct name {                                                                                  \
        enum { registers = 0, rounds = 1, takes_data = 0, takes_source = 1 };                      \
        template <int OFFSET>                                                                      \
        static __device__ void store(uint32_t address, const uint4 &, const uint8_t *source)       \
        {                                                                                          \
            asm volatile("cp.async." form ".shared.global [%0+%1], [%2+%1], " #bytes               \
                         ";" ::"r"(address),                                                       \
                         "n"(OFFSET), "l"(source)                                                  \
                         : "memory");                                                              \
        }                                                                                          \
        static __device__ void drain(void)                                                         \
        {                                                                                          \
            asm volatile("cp.async.wait_all;" ::: "memory");                                       \
        }                                                                                          \
    }

CP_ASYNC(copy_4_ca, "ca", 4);
CP_ASYNC(copy_8_ca, "ca", 8);
CP_ASYNC(copy_16_ca, "ca", 16);
CP_ASYNC(copy_16_cg, "cg", 16);

SWEEP_STORE_KERNELS(cp_async_4_ca, copy_4_ca)
SWEEP_STORE_KERNELS(cp_async_8_ca, copy_8_ca)
SWEEP_STORE_KERNELS(cp_async_16_ca, copy_16_ca)
SWEEP_STORE_KERNELS(cp_async_16_cg, copy_16_cg)
