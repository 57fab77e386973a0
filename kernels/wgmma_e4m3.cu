// targets: 90a
// wgmma of e4m3: entry points n8_ss_k_k ... n256_rs_k.
#include "kernels/wgmma.cuh"

WGMMA_EXTENTS(WGMMA_FLOAT, "k32.f32.e4m3.e4m3")
