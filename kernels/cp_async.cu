// targets: 80 86 89 90a 100a 103a 120a
// What does cp.async cost, through L1 (.ca: 4, 8, 16 bytes a lane) and past it (.cg: 16 bytes)?
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

SWEEP_STORE_KERNELS(cp_async_4_ca, copy_4_ca)
SWEEP_STORE_KERNELS(cp_async_8_ca, copy_8_ca)
SWEEP_STORE_KERNELS(cp_async_16_ca, copy_16_ca)
SWEEP_STORE_KERNELS(cp_async_16_cg, copy_16_cg)
