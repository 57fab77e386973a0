/* How do the tiles of a case get into shared memory, how are they described, and what is predicted
 * for a k-block? */
#ifndef SWIZZLEBENCH_BENCH_PIPELINE_PLAN_H
#define SWIZZLEBENCH_BENCH_PIPELINE_PLAN_H

#include "bench/pipeline_cases.h"
#include "bench/tma_global.h"

enum {
    PIPELINE_K = 1024,       /* of the tensors, which stay in L2 */
    PIPELINE_MOST_STEPS = 8, /* instructions of a k-block */
    PIPELINE_MOST_RANK = 3,
};

/* An operand's boxes: number j of the k-block at position p begins at p * per_k_block + j *
 * per_box in the tensor, and at offset_bytes + j * box_bytes in the stage. */
struct pipeline_operand {
    struct swb_tile tile;
    struct swb_descriptor descriptors[PIPELINE_MOST_STEPS]; /* in a stage that begins at 0 */
    uint32_t offset_bytes;
    struct swb_tma_map map; /* of a tensor at address 0 */
    uint32_t boxes, box_bytes;
    int32_t per_box[PIPELINE_MOST_RANK], per_k_block[PIPELINE_MOST_RANK];
};

/* A is first in a stage, which has no gaps. */
struct pipeline_plan {
    struct pipeline_operand operands[WGMMA_OPERANDS];
    uint32_t stage_bytes;
    unsigned steps, positions; /* a power of two */
};
void pipeline_plan_of(const struct pipeline_case *c, struct pipeline_plan *plan);

/* Of a k-block. */
struct pipeline_prediction {
    uint64_t sectors, tma_cycles; /* of its boxes */
    unsigned wavefronts;          /* of reading both operands */
    unsigned wgmma_cycles;        /* of all instructions */
    unsigned smem_cycles;         /* writing what TMA brings and reading the operands, 128 bytes a
                                     clock */
    uint64_t bound_cycles;        /* the larger of tma_cycles and wgmma_cycles */
};
struct pipeline_prediction pipeline_predicted(const struct pipeline_case *c,
                                              const struct pipeline_plan *plan);

/* Element (row, k) of an operand in global memory, and as a whole number. */
uint32_t pipeline_place(const struct pipeline_case *c, enum swb_mma_operand operand, unsigned row,
                        unsigned k);
int pipeline_number(enum swb_mma_operand operand, uint32_t place);

#endif
