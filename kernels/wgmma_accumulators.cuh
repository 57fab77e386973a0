// Which registers are the accumulators of a wgmma m64nN?
//
// They are registers d0, d1 ... of the assembler, declared once a kernel: as operands of every
// statement a hundred and more of them would have to be listed each time.
#pragma once

#include <stdint.h>

#include <utility>

// Those of an N, of which wgmma_declare and the others are told.
template <int N> using wgmma_registers = std::make_integer_sequence<int, N / 2>;

template <int REGISTER> static __device__ __forceinline__ void wgmma_clear(void)
{
    asm volatile("mov.b32 d%0, 0;" ::"n"(REGISTER));
}

// Zeros, and a predicate `accumulate` that is true.
template <int... REGISTER>
static __device__ __forceinline__ void wgmma_declare(std::integer_sequence<int, REGISTER...>)
{
    asm volatile(".reg .b32 d<%0>;" ::"n"(sizeof...(REGISTER)));
    asm volatile(".reg .pred accumulate;\n"
                 "setp.eq.u32 accumulate, 0, 0;");
    (wgmma_clear<REGISTER>(), ...);
}

template <int REGISTER>
static __device__ __forceinline__ void wgmma_tell_one(uint32_t *out, uint32_t stride)
{
    uint32_t value;
    asm volatile("mov.b32 %0, d%1;" : "=r"(value) : "n"(REGISTER));
    out[REGISTER * stride] = value;
}

// Writes them to out[0], out[stride] ...
template <int... REGISTER>
static __device__ __forceinline__ void wgmma_tell(uint32_t *out, uint32_t stride,
                                                  std::integer_sequence<int, REGISTER...>)
{
    (wgmma_tell_one<REGISTER>(out, stride), ...);
}

// The accumulators of each N.
#define WGMMA_D8   "d0, d1, d2, d3"
#define WGMMA_D16  WGMMA_D8 ", d4, d5, d6, d7"
#define WGMMA_D24  WGMMA_D16 ", d8, d9, d10, d11"
#define WGMMA_D32  WGMMA_D24 ", d12, d13, d14, d15"
#define WGMMA_D40  WGMMA_D32 ", d16, d17, d18, d19"
#define WGMMA_D48  WGMMA_D40 ", d20, d21, d22, d23"
#define WGMMA_D56  WGMMA_D48 ", d24, d25, d26, d27"
#define WGMMA_D64  WGMMA_D56 ", d28, d29, d30, d31"
#define WGMMA_D72  WGMMA_D64 ", d32, d33, d34, d35"
#define WGMMA_D80  WGMMA_D72 ", d36, d37, d38, d39"
#define WGMMA_D88  WGMMA_D80 ", d40, d41, d42, d43"
#define WGMMA_D96  WGMMA_D88 ", d44, d45, d46, d47"
#define WGMMA_D104 WGMMA_D96 ", d48, d49, d50, d51"
#define WGMMA_D112 WGMMA_D104 ", d52, d53, d54, d55"
#define WGMMA_D120 WGMMA_D112 ", d56, d57, d58, d59"
#define WGMMA_D128 WGMMA_D120 ", d60, d61, d62, d63"
#define WGMMA_D136 WGMMA_D128 ", d64, d65, d66, d67"
#define WGMMA_D144 WGMMA_D136 ", d68, d69, d70, d71"
#define WGMMA_D152 WGMMA_D144 ", d72, d73, d74, d75"
#define WGMMA_D160 WGMMA_D152 ", d76, d77, d78, d79"
#define WGMMA_D168 WGMMA_D160 ", d80, d81, d82, d83"
#define WGMMA_D176 WGMMA_D168 ", d84, d85, d86, d87"
#define WGMMA_D184 WGMMA_D176 ", d88, d89, d90, d91"
#define WGMMA_D192 WGMMA_D184 ", d92, d93, d94, d95"
#define WGMMA_D200 WGMMA_D192 ", d96, d97, d98, d99"
#define WGMMA_D208 WGMMA_D200 ", d100, d101, d102, d103"
#define WGMMA_D216 WGMMA_D208 ", d104, d105, d106, d107"
#define WGMMA_D224 WGMMA_D216 ", d108, d109, d110, d111"
#define WGMMA_D232 WGMMA_D224 ", d112, d113, d114, d115"
#define WGMMA_D240 WGMMA_D232 ", d116, d117, d118, d119"
#define WGMMA_D248 WGMMA_D240 ", d120, d121, d122, d123"
#define WGMMA_D256 WGMMA_D248 ", d124, d125, d126, d127"
