// targets: 90a
// wgmma of e5m2: entry points n8_ss_k_k ... n256_rs_k.
#include "kernels/wgmma.cuh"

WGMMA_EXTENTS(WGMMA_FLOAT, "k32.f32.e5m2.e5m2")
