/* How do the warps of a CTA read A or B from shared memory, at what cost, and what do they get? The
 * plan is what the model, the kernel and the check are all given. */
#ifndef SWIZZLEBENCH_BENCH_MMA_PLAN_H
#define SWIZZLEBENCH_BENCH_MMA_PLAN_H

#include <stdint.h>

#include "bench/mma_cases.h"
#include "bench/tiled_mma.h"

enum {
    MMA_MAX_LOADS = 64,         /* of a warp, of an operand: 16 fragments of 4 words */
    MMA_MAX_TILE_BYTES = 18432, /* of an operand: 128 lines of 128 bytes, padded */
};

struct mma_plan {
    const struct swb_instruction *instruction;
    const char *why_not; /* no kernel here reads it; NULL: one does */
    unsigned rows, cols, bits;
    unsigned loads; /* of a warp */
    uint32_t offsets[MMA_WARPS][MMA_MAX_LOADS][SWB_LANES];
    struct swb_cost cost; /* of all warps together */
    unsigned tile_bytes;

    /* By element, row + rows * column: where it lies, and the number of the element that threads
     * get in the place of it: another one where the load lacks its .trans. */
    uint16_t place[MMA_MAX_ELEMENTS], found[MMA_MAX_ELEMENTS];
    unsigned misplaced; /* elements that are not found in their place */
};

/* The problem as `show tiled-mma` is given it. */
bool mma_plan_tiled(const struct mma_type *type, struct tiled_mma *tiled, struct error *error);

/* The plan of A or B; made when it is first asked for. */
const struct mma_plan *mma_plan_of(const struct mma_case *c, enum swb_mma_operand which);

#endif
