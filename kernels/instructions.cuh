// How is each instruction written in PTX?
//
// A load has load<OFFSET>(address, registers), which reads at address + OFFSET. A store has
// store<OFFSET>(address, data, source), which writes there, and drain(), which waits for what is
// asynchronous. `rounds` is how many times sixteen of them stand in the body of a sweep.
#pragma once

#include <stdint.h>

// ---- ld.shared, st.shared: 1, 2, 4, 8 or 16 bytes a lane ---------------------------------------

template <int BYTES> struct plain_load {
    enum {
        registers = BYTES > 4 ? BYTES / 4 : 1,
        rounds = BYTES > 4 ? 4 : 8,
        takes_data = 0,
        takes_source = 0
    };

    template <int OFFSET> static __device__ void load(uint32_t address, uint32_t (&r)[4])
    {
        if (BYTES == 1)
            asm volatile("ld.shared.u8 %0, [%1+%2];" : "=r"(r[0]) : "r"(address), "n"(OFFSET));
        if (BYTES == 2)
            asm volatile("ld.shared.u16 %0, [%1+%2];" : "=r"(r[0]) : "r"(address), "n"(OFFSET));
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
    enum { registers = BYTES > 4 ? BYTES / 4 : 1, rounds = 4, takes_data = 1, takes_source = 0 };

    template <int OFFSET>
    static __device__ void store(uint32_t address, const uint4 &d, const uint8_t *)
    {
        if (BYTES == 1)
            asm volatile("st.shared.u8 [%0+%1], %2;" ::"r"(address), "n"(OFFSET), "r"(d.x)
                         : "memory");
        if (BYTES == 2)
            asm volatile("st.shared.u16 [%0+%1], %2;" ::"r"(address), "n"(OFFSET), "r"(d.x)
                         : "memory");
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

// ---- ldmatrix: one, two or four 8x8 matrices, plain and transposed -----------------------------

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

#define OUT_1 "=r"(r[0])
#define OUT_2 "=r"(r[0]), "=r"(r[1])
#define OUT_4 "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])

LDMATRIX(matrix_load_x1, 1, "x1", "%0", "%1", "%2", OUT_1);
LDMATRIX(matrix_load_x2, 2, "x2", "%0, %1", "%2", "%3", OUT_2);
LDMATRIX(matrix_load_x4, 4, "x4", "%0, %1, %2, %3", "%4", "%5", OUT_4);
LDMATRIX(matrix_load_x1_trans, 1, "x1.trans", "%0", "%1", "%2", OUT_1);
LDMATRIX(matrix_load_x2_trans, 2, "x2.trans", "%0, %1", "%2", "%3", OUT_2);
LDMATRIX(matrix_load_x4_trans, 4, "x4.trans", "%0, %1, %2, %3", "%4", "%5", OUT_4);

// ---- stmatrix ----------------------------------------------------------------------------------

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

#define IN_1 "r"(d.x)
#define IN_2 "r"(d.x), "r"(d.y)
#define IN_4 "r"(d.x), "r"(d.y), "r"(d.z), "r"(d.w)

STMATRIX(matrix_store_x1, 1, "x1", "%2", IN_1);
STMATRIX(matrix_store_x2, 2, "x2", "%2, %3", IN_2);
STMATRIX(matrix_store_x4, 4, "x4", "%2, %3, %4, %5", IN_4);
STMATRIX(matrix_store_x1_trans, 1, "x1.trans", "%2", IN_1);
STMATRIX(matrix_store_x2_trans, 2, "x2.trans", "%2, %3", IN_2);
STMATRIX(matrix_store_x4_trans, 4, "x4.trans", "%2, %3, %4, %5", IN_4);

// ---- cp.async: through L1 (.ca) or past it (.cg) -----------------------------------------------

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
