// targets: 89 120a
// What does mma.sync cost with its operands in shared memory? 8-bit floats, where the tensor cores
// take them from registers: elsewhere the assembler makes two mma of f16 of one.
#include "kernels/mma.cuh"

MMA_INSTRUCTION(mma_e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", float, "f");

MMA_KERNELS(e4m3_ldmatrix_x4_ldmatrix_x4, mma_e4m3, matrix_load_x4, matrix_load_x4)
