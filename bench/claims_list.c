/* The claims, each with the rule that settles it.
 *
 * They are of two texts, in our words: S, an article on the swizzled layouts of tensor-core
 * operands; T, a tutorial on tiled MMA in CuTe. Nothing about them is taken from the texts but what
 * is to be settled. */
#include "bench/claims.h"

const struct claim claims[CLAIMS] = {
    {"S1",
     "ldmatrix reads every 8x16 B sub-tile of the eight canonical layouts in one cycle, without a "
     "bank conflict",
     claim_s1},
    {"S2", "a linear tile with lines of 32 B is 2-way; wider lines (64 B, 128 B) are worse",
     claim_s2},
    {"S3", "\"none\" of the mma has no conflicts either, but is not the linear layout", claim_s3},
    {"S4", "a swizzle keeps each 16 bytes whole, and the contiguous dimension of the tile",
     claim_s4},
    {"S5", "the 128B swizzle exists with chunks of 32 and of 64 bytes too", claim_s5},
    {"S6",
     "an MN-major operand needs ldmatrix.trans, which gives the fragment that ldmatrix gives of a "
     "K-major one; without it the fragment is transposed",
     claim_s6},
    {"S7", "thread 0 of a 16-bit m16n8k8 holds four consecutive k of A", claim_s7},
    {"S8",
     "filling 128 contiguous bytes of shared memory a warp, 4 B a lane, has no conflicts in any "
     "layout, and takes runs of 16, 32, 64, 128 B of global memory for none, 32B, 64B, 128B",
     claim_s8},
    {"S9",
     "the longer the run, the better the global read; 128 B is best, because of the cache line",
     claim_s9},
    {"S10", "so take the widest swizzle whose span fits the contiguous extent of the tile",
     claim_s10},
    {"S11", "a tile may stack its atoms along rows or along columns; both are right", claim_s11},
    {"S12",
     "\"none\" of TMA is not \"none\" of the mma: a box of 8x64 B without swizzle is the linear "
     "layout",
     claim_s12},
    {"S13",
     "a box of TMA gives an mma layout exactly when it is one atom wide, at any height that is a "
     "multiple of 8",
     claim_s13},
    {"S14", "a tile of 64x256 B in 128B takes two boxes of 64x128 B", claim_s14},
    {"S15",
     "a K-major tile of 64x64 B in 32B takes 16 boxes of 8x32 B with its atoms along rows, two of "
     "64x32 B along columns, in requests of 32 B either way",
     claim_s15},
    {"S16",
     "the two K-halves of that tile differ for the tensor core in the descriptor's stride byte "
     "offset alone",
     claim_s16},
    {"S17",
     "a transpose without conflicts needs 4-byte atoms; the mma swizzles serve pieces of 2x64 B "
     "of rows in, and of 8x16 B of columns out",
     claim_s17},
    {"S18", "wgmma reads each of the layouts straight from shared memory", claim_s18},
    {"T1", "SM80_16x8x16_F16F16F16F16_TN: 32 threads with 8, 4 and 4 values of A, B and C",
     claim_t1},
    {"T2", "its thread 0 holds C at (0,0), (2,0), (1,0), (3,0), from offsets 0, 16, 8, 24",
     claim_t2},
    {"T3",
     "its thread-value layouts are ((4,8),(2,2,2)):((32,1),(16,8,128)), "
     "((4,8),(2,2)):((16,1),(8,64)) and ((4,8),(2,2)):((32,1),(16,8))",
     claim_t3},
    {"T4", "2x2x1 of it are 128 threads over 32x16x16, with unchanged fragments", claim_t4},
    {"T5",
     "a tile of 32x32x16 adds work and no threads; on 128x128x32 MMA_M = 4, MMA_N = 8 (4 in a "
     "comment), MMA_K = 2, with 128 accumulators a thread",
     claim_t5},
    {"T6", "there the next N-repeat of thread 0 is 16 columns on, the next M-repeat 32 rows",
     claim_t6},
};
