// targets: 90a
// wgmma of u8: entry points n8_ss_k_k ... n256_rs_k.
#include "kernels/wgmma.cuh"

WGMMA_INTEGER_EXTENTS(WGMMA_INTEGER, "k32.s32.u8.u8")
