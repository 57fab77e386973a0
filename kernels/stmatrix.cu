// targets: 90a 100a 103a 120a
// What does stmatrix cost, for one, two and four 8x8 matrices, plain and transposed?
#include "kernels/sweep.cuh"

#define STMATRIX(name, count, form, inputs, ...)                                                   \
    struct name {                                                                                  \
        enum { registers = count, rounds = 4, takes_data = 1, takes_source = 0 };                  \
        template <int OFFSET>                                                                      \
        static __device__ void store(uint32_t address, const uint4 &d, const uint8_t *)            \
        {                                                                                          \
            asm volatile("stmatrix.sync.aligned.m8n8." form ".shared.b16 [%0+%1], {" inputs        \
                         "};" ::"r"(address),                                                      \
                         "n"(OFFSET), __VA_ARGS__                                                  \
                         : "memory");                                                              \
        }                                                                                          \
        static __device__ void drain(void) {}                                                      \
    }

#define X1 "r"(d.x)
#define X2 "r"(d.x), "r"(d.y)
#define X4 "r"(d.x), "r"(d.y), "r"(d.z), "r"(d.w)

STMATRIX(store_x1, 1, "x1", "%2", X1);
STMATRIX(store_x2, 2, "x2", "%2, %3", X2);
STMATRIX(store_x4, 4, "x4", "%2, %3, %4, %5", X4);
STMATRIX(store_x1_trans, 1, "x1.trans", "%2", X1);
STMATRIX(store_x2_trans, 2, "x2.trans", "%2, %3", X2);
STMATRIX(store_x4_trans, 4, "x4.trans", "%2, %3, %4, %5", X4);

SWEEP_STORE_KERNELS(stmatrix_x1, store_x1)
SWEEP_STORE_KERNELS(stmatrix_x2, store_x2)
SWEEP_STORE_KERNELS(stmatrix_x4, store_x4)
SWEEP_STORE_KERNELS(stmatrix_x1_trans, store_x1_trans)
SWEEP_STORE_KERNELS(stmatrix_x2_trans, store_x2_trans)
SWEEP_STORE_KERNELS(stmatrix_x4_trans, store_x4_trans)
