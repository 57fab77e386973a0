// targets: 80 86 89 90a 100a 103a 120a
// What does mma.sync cost with its operands in shared memory? 16-bit floats, tf32 and 8-bit
// integers.
#include "kernels/mma.cuh"

MMA_INSTRUCTION(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f");
MMA_INSTRUCTION(mma_f16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f");
MMA_INSTRUCTION(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f");
MMA_INSTRUCTION(mma_s8, "m16n8k32.row.col.s32.s8.s8.s32", int32_t, "r");

// Entry points are named after the instructions that load A and B.
#define MMA_16_BIT_KERNELS(name, mma)                                                              \
    MMA_KERNELS(name##_ldmatrix_x4_ldmatrix_x4, mma, matrix_load_x4, matrix_load_x4)               \
    MMA_KERNELS(name##_ldmatrix_x4_ldmatrix_x4_trans, mma, matrix_load_x4, matrix_load_x4_trans)   \
    MMA_KERNELS(name##_ldmatrix_x4_trans_ldmatrix_x4, mma, matrix_load_x4_trans, matrix_load_x4)   \
    MMA_KERNELS(name##_ldmatrix_x4_trans_ldmatrix_x4_trans, mma, matrix_load_x4_trans,             \
                matrix_load_x4_trans)

MMA_16_BIT_KERNELS(bf16, mma_bf16)
MMA_16_BIT_KERNELS(f16, mma_f16)
MMA_KERNELS(tf32_ldmatrix_x4_ldmatrix_x4, mma_tf32, matrix_load_x4, matrix_load_x4)
MMA_KERNELS(tf32_ldmatrix_x4_ld_shared_b32, mma_tf32, matrix_load_x4, plain_load<4>)
MMA_KERNELS(tf32_ld_shared_b32_ldmatrix_x4, mma_tf32, plain_load<4>, matrix_load_x4)
MMA_KERNELS(tf32_ld_shared_b32_ld_shared_b32, mma_tf32, plain_load<4>, plain_load<4>)
MMA_KERNELS(s8_ldmatrix_x4_ldmatrix_x4, mma_s8, matrix_load_x4, matrix_load_x4)

// Everything that the kernels above do but the loads and the mma. Its counts are subtracted from
// theirs.
MMA_ENTRY(control, mma_fill(a); uint32_t zero = mma_arrive(a.offsets[threadIdx.x]);
          sweep_clock start = sweep_start(); mma_stop(a, start, threadIdx.x + zero);
          if (blockIdx.x == 0) a.out[threadIdx.x + zero] = iterations + a.step)
