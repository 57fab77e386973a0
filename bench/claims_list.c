/* The claims, each with the rule that settles it.
 *
 * They are of two texts, in our words: S, an article on the swizzled layouts of tensor-core
 * operands; T, a tutorial on tiled MMA in CuTe. Nothing about them is taken from the texts but what
 * is to be settled. */
#include "bench/claims.h"

const struct claim claims[CLAIMS] = {
    {.id = "S1",
     .text = "ldmatrix reads every 8x16 B sub-tile of the eight canonical layouts in one cycle, "
             "without a bank conflict",
     .judge = claim_s1},
    {.id = "S2",
     .text = "a linear tile with lines of 32 B is 2-way; wider lines (64 B, 128 B) are worse",
     .judge = claim_s2},
    {.id = "S3",
     .text = "\"none\" of the mma has no conflicts either, but is not the linear layout",
     .judge = claim_s3},
    {.id = "S4",
     .text = "a swizzle keeps each 16 bytes whole, and the contiguous dimension of the tile",
     .judge = claim_s4},
    {.id = "S5",
     .text = "the 128B swizzle exists with chunks of 32 and of 64 bytes too",
     .judge = claim_s5},
    {.id = "S6",
     .text = "an MN-major operand needs ldmatrix.trans, which gives the fragment that ldmatrix "
             "gives of a K-major one; without it the fragment is transposed",
     .judge = claim_s6},
    {.id = "S7",
     .text = "thread 0 of a 16-bit m16n8k8 holds four consecutive k of A",
     .judge = claim_s7,
     /* (row, column) of each value */
     .claimed = {0, 0, 0, 1, 0, 2, 0, 3}},
    {.id = "S8",
     .text = "filling 128 contiguous bytes of shared memory a warp, 4 B a lane, has no conflicts "
             "in any layout, and takes runs of 16, 32, 64, 128 B of global memory for none, 32B, "
             "64B, 128B",
     .judge = claim_s8},
    {.id = "S9",
     .text =
         "the longer the run, the better the global read; 128 B is best, because of the cache line",
     .judge = claim_s9},
    {.id = "S10",
     .text = "so take the widest swizzle whose span fits the contiguous extent of the tile",
     .judge = claim_s10},
    {.id = "S11",
     .text = "a tile may stack its atoms along rows or along columns; both are right",
     .judge = claim_s11},
    {.id = "S12",
     .text = "\"none\" of TMA is not \"none\" of the mma: a box of 8x64 B without swizzle is the "
             "linear layout",
     .judge = claim_s12,
     /* lines, bytes of one */
     .claimed = {8, 64}},
    {.id = "S13",
     .text = "a box of TMA gives an mma layout exactly when it is one atom wide, at any height "
             "that is a multiple of 8",
     .judge = claim_s13},
    {.id = "S14",
     .text = "a tile of 64x256 B in 128B takes two boxes of 64x128 B",
     .judge = claim_s14,
     /* boxes; rows, bytes of one */
     .claimed = {2, 64, 256}},
    {.id = "S15",
     .text = "a K-major tile of 64x64 B in 32B takes 16 boxes of 8x32 B with its atoms along rows, "
             "two of 64x32 B along columns, in requests of 32 B either way",
     .judge = claim_s15,
     /* boxes either way, bytes of a request; rows, bytes of one */
     .claimed = {16, 2, 32, 64, 64}},
    {.id = "S16",
     .text = "the two K-halves of that tile differ for the tensor core in the descriptor's stride "
             "byte offset alone",
     .judge = claim_s16},
    {.id = "S17",
     .text = "a transpose without conflicts needs 4-byte atoms; the mma swizzles serve pieces of "
             "2x64 B of rows in, and of 8x16 B of columns out",
     .judge = claim_s17},
    {.id = "S18",
     .text = "wgmma reads each of the layouts straight from shared memory",
     .judge = claim_s18},
    {.id = "T1",
     .text = "SM80_16x8x16_F16F16F16F16_TN: 32 threads with 8, 4 and 4 values of A, B and C",
     .judge = claim_t1,
     /* threads; values of A, B, C */
     .claimed = {32, 8, 4, 4}},
    {.id = "T2",
     .text = "its thread 0 holds C at (0,0), (2,0), (1,0), (3,0), from offsets 0, 16, 8, 24",
     .judge = claim_t2,
     /* (row, column) of each value */
     .claimed = {0, 0, 2, 0, 1, 0, 3, 0}},
    {.id = "T3",
     .text = "its thread-value layouts are ((4,8),(2,2,2)):((32,1),(16,8,128)), "
             "((4,8),(2,2)):((16,1),(8,64)) and ((4,8),(2,2)):((32,1),(16,8))",
     .judge = claim_t3,
     .claimed_layouts = {"((4,8),(2,2,2)):((32,1),(16,8,128))", "((4,8),(2,2)):((16,1),(8,64))",
                         "((4,8),(2,2)):((32,1),(16,8))"}},
    {.id = "T4",
     .text = "2x2x1 of it are 128 threads over 32x16x16, with unchanged fragments",
     .judge = claim_t4,
     /* threads; M, N, K */
     .claimed = {128, 32, 16, 16}},
    {.id = "T5",
     .text = "a tile of 32x32x16 adds work and no threads; on 128x128x32 MMA_M = 4, MMA_N = 8 (4 "
             "in a comment), MMA_K = 2, with 128 accumulators a thread",
     .judge = claim_t5,
     /* repeats along M, N, K; accumulators */
     .claimed = {4, 8, 2, 128}},
    {.id = "T6",
     .text = "there the next N-repeat of thread 0 is 16 columns on, the next M-repeat 32 rows",
     .judge = claim_t6,
     /* columns, rows */
     .claimed = {16, 32}},
};
