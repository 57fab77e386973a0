/* How does each warp of a tiled mma read an operand from shared memory? */
#ifndef SWIZZLEBENCH_BENCH_MMA_READS_H
#define SWIZZLEBENCH_BENCH_MMA_READS_H

#include "bench/mma_operand.h"
#include "bench/placed.h"

/* ldmatrix where its matrices fit, .trans where they fit turned; else loads of each thread's
 * values, as wide as they lie together. An instruction fills registers that follow each other in
 * the values of the tile that the atoms cover, .x4 where their number allows. */
struct mma_reads {
    const struct mma_operand *tile; /* the operand of one tile */
    const struct placed *placed;    /* of the whole problem */
    const struct swb_instruction *instruction;
    char why_not[256];        /* it is no ldmatrix; "" where it is */
    unsigned warps, per_warp; /* instructions of a warp over the whole problem, */
    unsigned per_tile;        /* and over one tile; tiles go down the rows first */
    unsigned tiles_down;
    unsigned register_values; /* of a lane: values in a register, or in its load */
};

/* ERROR_INPUT where no instruction reads it: elements of less than a byte that lie apart. */
bool mma_reads_plan(const struct mma_operand *tile, const struct placed *placed,
                    struct mma_reads *reads, struct error *error);

/* The element that a lane must get as value `value` of a warp's instruction number `number`. */
struct mma_place mma_reads_place(const struct mma_reads *reads, unsigned warp, unsigned number,
                                 unsigned lane, unsigned value);

/* What a warp's instruction number `number` reads, and the first element that it fills. */
struct mma_place mma_reads_access(const struct mma_reads *reads, unsigned warp, unsigned number,
                                  struct swb_access *access);

/* Of all warps together, over the whole problem. */
struct swb_cost mma_reads_cost(const struct mma_reads *reads);

/* To stdout: instructions, wavefronts, what is read twice, and each instruction's addresses. */
void mma_reads_print(const struct mma_reads *reads);

/* The columns of an accesses file, with the operand, the warp and the cost. */
void mma_reads_csv_header(void);
void mma_reads_csv(const struct mma_reads *reads);

#endif
