// targets: 90a 100a 103a 120a
// What does stmatrix cost, for one, two and four 8x8 matrices, plain and transposed?
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

SWEEP_STORE_KERNELS(stmatrix_x1, matrix_store_x1)
SWEEP_STORE_KERNELS(stmatrix_x2, matrix_store_x2)
SWEEP_STORE_KERNELS(stmatrix_x4, matrix_store_x4)
SWEEP_STORE_KERNELS(stmatrix_x1_trans, matrix_store_x1_trans)
SWEEP_STORE_KERNELS(stmatrix_x2_trans, matrix_store_x2_trans)
SWEEP_STORE_KERNELS(stmatrix_x4_trans, matrix_store_x4_trans)
