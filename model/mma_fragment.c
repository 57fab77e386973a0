/* Which thread of an mma holds which elements of A, B and C?
 *
 * All figures of the PTX ISA for the shapes of sm_75 to sm_90 come from one piece, 8 rows by four
 * threads: thread 4g + t holds of row g the elements that make up one 32-bit register, from
 * element t * (elements of a register) on. An element of 32 bits and more is a piece's share by
 * itself; of an accumulator a thread holds two neighbours along N, whatever their width. Pieces
 * follow each other in a thread's values down the rows first (row g + 8 of an operand with 16),
 * then along the columns. A warpgroup's four warps have 16 rows each.
 *
 * Rows are M for A and C and N for B, columns are K for A and B and N for C: B is held as A is, its
 * columns in the place of A's rows, which is what _TN says. */
#include "model/build.h"
#include "model/refuse.h"

enum { PIECE_ROWS = 8, PIECE_THREADS_A_ROW = 4, REGISTER_BITS = 32, WARP_ROWS_OF_WGMMA = 16 };

enum swb_mma_mode swb_mma_rows(enum swb_mma_operand operand)
{
    return operand == SWB_MMA_B ? SWB_MMA_N : SWB_MMA_M;
}

enum swb_mma_mode swb_mma_cols(enum swb_mma_operand operand)
{
    return operand == SWB_MMA_C ? SWB_MMA_N : SWB_MMA_K;
}

/* Neighbours along a row that a thread holds. */
static unsigned elements_together(const struct swb_mma_atom *atom, enum swb_mma_operand operand)
{
    unsigned bits = atom->types[operand]->bits;
    if (operand == SWB_MMA_C)
        return 2;
    return bits < REGISTER_BITS ? REGISTER_BITS / bits : 1;
}

/* The modes as CuTe writes them: without those of one element, an integer where there is one. */
static void add_values(struct swb_layout *tv, struct swb_flat *modes)
{
    struct swb_flat kept = {.count = 0};
    struct swb_layout values = {.shape = {.count = 0}};
    for (unsigned i = 0; i < modes->count; i++) {
        if (modes->shape[i] == 1)
            continue;
        kept.shape[kept.count] = modes->shape[i];
        kept.stride[kept.count++] = modes->stride[i];
    }
    swb_build_flat(&values, &kept);
    swb_build_copy(tv, &values, 0);
}

bool swb_mma_fragment(const struct swb_mma_atom *atom, enum swb_mma_operand operand,
                      struct swb_layout *tv, struct swb_refusal *refusal)
{
    unsigned rows = atom->extents[swb_mma_rows(operand)];
    unsigned cols = atom->extents[swb_mma_cols(operand)];
    unsigned together = elements_together(atom, operand);
    unsigned piece_cols = together * PIECE_THREADS_A_ROW;
    unsigned warp_rows = atom->is_wgmma ? WARP_ROWS_OF_WGMMA : rows;
    if (atom->is_wgmma && (operand == SWB_MMA_B || (operand == SWB_MMA_A && atom->a_in_shared)))
        return swb_refuse(refusal, 0,
                          "%s reads %s from shared memory through a descriptor; no thread holds it",
                          atom->name, operand == SWB_MMA_A ? "A" : "B");

    struct swb_layout made = {.shape = {.count = 0}};
    struct swb_flat values = {.count = 3,
                              .shape = {together, warp_rows / PIECE_ROWS, cols / piece_cols},
                              .stride = {rows, PIECE_ROWS, (int64_t)rows * piece_cols}};
    unsigned all = swb_build_open(&made), threads = swb_build_open(&made);
    swb_build_add(&made, PIECE_THREADS_A_ROW, (int64_t)rows * together);
    swb_build_add(&made, PIECE_ROWS, 1);
    if (atom->is_wgmma)
        swb_build_add(&made, rows / warp_rows, warp_rows);
    swb_build_close(&made, threads);
    add_values(&made, &values);
    swb_build_close(&made, all);
    return swb_build_finish(&made, tv, refusal);
}
