/* An operand of an mma, or of a tiled one: who holds which element, and who holds the same? */
#ifndef SWIZZLEBENCH_BENCH_MMA_OPERAND_H
#define SWIZZLEBENCH_BENCH_MMA_OPERAND_H

#include <stdint.h>

#include "harness/error.h"
#include "model/swizzlebench.h"

struct mma_operand {
    enum swb_mma_operand which;
    unsigned bits; /* of an element */
    unsigned rows, cols, threads, values;
    struct swb_layout tv;
};

struct mma_place {
    unsigned row, col;
};

/* Of a single atom, and of a tiled one over rows and columns of `problem`. False, with the reason,
 * where no thread holds it. */
bool mma_operand_of_atom(const struct swb_mma_atom *atom, enum swb_mma_operand which,
                         struct mma_operand *operand, struct swb_refusal *refusal);
bool mma_operand_of_tiled(const struct swb_tiled_mma *tiled, enum swb_mma_operand which,
                          const unsigned *problem, struct mma_operand *operand,
                          struct swb_refusal *refusal);

char mma_operand_letter(enum swb_mma_operand which);

/* "M" and "K" of A. */
char mma_operand_row_mode(enum swb_mma_operand which);
char mma_operand_col_mode(enum swb_mma_operand which);

struct mma_place mma_operand_place(const struct mma_operand *operand, unsigned thread,
                                   unsigned value);

/* The columns operand,thread,value,row,col: their header, and the rows of a thread. */
void mma_operand_csv_header(void);
void mma_operand_csv(const struct mma_operand *operand, unsigned thread);

/* Prints which warps hold the same elements, a line for each set of warps. */
bool mma_operand_print_sharing(const struct mma_operand *operand, struct error *error);

#endif
