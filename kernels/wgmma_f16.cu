// targets: 90a
// wgmma of f16: entry points n8_ss_k_k ... n256_rs_k; k and mn are the majors of A and B.
#include "kernels/wgmma.cuh"

WGMMA_EXTENTS(WGMMA_16_BIT, "k16.f32.f16.f16")
