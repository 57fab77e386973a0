/* How does an instruction go over a tile: which 32 addresses at each position? */
#ifndef SWIZZLEBENCH_BENCH_WALK_H
#define SWIZZLEBENCH_BENCH_WALK_H

#include "bench/placed.h"

enum walk_order {
    WALK_MATRICES, /* ldmatrix, stmatrix: 8 lines x 16 bytes a matrix */
    WALK_ROWS,     /* consecutive lanes along a line, then on to the next */
    WALK_COLUMNS,  /* consecutive lanes down the lines, at the same byte of each */
    WALK_TV,       /* as a thread-value layout says */
};

struct walk {
    const struct placed *placed;
    const struct swb_instruction *instruction;
    enum walk_order order;
    struct swb_layout tv;     /* (thread, value) -> element number, the rows fastest */
    unsigned matrices_along;  /* of the instruction's matrices, side by side on a line */
    unsigned threads, values; /* of tv: extents, */
    unsigned piece_elems;     /* and the elements of a lane's access */
    unsigned positions;
};

/* access: "rows" or "columns", tv: CuTe's notation; NULL where not given. */
bool walk_plan(const struct placed *placed, const struct swb_instruction *instruction,
               const char *access, const char *tv, struct walk *walk, struct error *error);

/* The addresses at a position; lanes that would lie outside the tile are off. ERROR_INPUT where
 * the hardware could not do it: bytes of a lane that are not together or not aligned. */
bool walk_access(const struct walk *walk, unsigned position, struct swb_access *access,
                 struct error *error);

/* Which element lane 0 starts at: row and column. */
void walk_start(const struct walk *walk, unsigned position, unsigned *row, unsigned *col);

#endif
