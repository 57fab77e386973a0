// targets: 75 80 86 89 90a 100a 103a 120a
// What does ldmatrix cost, for one, two and four 8x8 matrices, plain and transposed?
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

SWEEP_LOAD_KERNELS(ldmatrix_x1, matrix_load_x1)
SWEEP_LOAD_KERNELS(ldmatrix_x2, matrix_load_x2)
SWEEP_LOAD_KERNELS(ldmatrix_x4, matrix_load_x4)
SWEEP_LOAD_KERNELS(ldmatrix_x1_trans, matrix_load_x1_trans)
SWEEP_LOAD_KERNELS(ldmatrix_x2_trans, matrix_load_x2_trans)
SWEEP_LOAD_KERNELS(ldmatrix_x4_trans, matrix_load_x4_trans)
