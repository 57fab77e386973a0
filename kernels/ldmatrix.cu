// targets: 75 80 86 89 90a 100a 103a 120a
// What does ldmatrix cost, for one, two and four 8x8 matrices, plain and transposed?
#include "kernels/sweep.cuh"

#define LDMATRIX(name, count, form, outputs, address_slot, offset_slot, ...)                       \
    struct name {                                                                                  \
        enum { registers = count, rounds = count == 1 ? 8 : 4, takes_data = 0, takes_source = 0 }; \
        template <int OFFSET> static __device__ void load(uint32_t address, uint32_t (&r)[4])      \
        {                                                                                          \
            asm volatile("ldmatrix.sync.aligned.m8n8." form ".shared.b16 {" outputs                \
                         "}, [" address_slot "+" offset_slot "];"                                  \
                         : __VA_ARGS__                                                             \
                         : "r"(address), "n"(OFFSET));                                             \
        }                                                                                          \
    }

#define X1 "=r"(r[0])
#define X2 "=r"(r[0]), "=r"(r[1])
#define X4 "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])

LDMATRIX(load_x1, 1, "x1", "%0", "%1", "%2", X1);
LDMATRIX(load_x2, 2, "x2", "%0, %1", "%2", "%3", X2);
LDMATRIX(load_x4, 4, "x4", "%0, %1, %2, %3", "%4", "%5", X4);
LDMATRIX(load_x1_trans, 1, "x1.trans", "%0", "%1", "%2", X1);
LDMATRIX(load_x2_trans, 2, "x2.trans", "%0, %1", "%2", "%3", X2);
LDMATRIX(load_x4_trans, 4, "x4.trans", "%0, %1, %2, %3", "%4", "%5", X4);

SWEEP_LOAD_KERNELS(ldmatrix_x1, load_x1)
SWEEP_LOAD_KERNELS(ldmatrix_x2, load_x2)
SWEEP_LOAD_KERNELS(ldmatrix_x4, load_x4)
SWEEP_LOAD_KERNELS(ldmatrix_x1_trans, load_x1_trans)
SWEEP_LOAD_KERNELS(ldmatrix_x2_trans, load_x2_trans)
SWEEP_LOAD_KERNELS(ldmatrix_x4_trans, load_x4_trans)
