// targets: 90a
// wgmma of tf32: entry points n8_ss_k_k ... n256_rs_k.
#include "kernels/wgmma.cuh"

WGMMA_EXTENTS(WGMMA_FLOAT, "k8.f32.tf32.tf32")
