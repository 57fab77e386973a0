/* What does each side of a case access, where in shared memory, and what should that cost? */
#ifndef SWIZZLEBENCH_BENCH_CONTENTION_PLAN_H
#define SWIZZLEBENCH_BENCH_CONTENTION_PLAN_H

#include "bench/access_plan.h"
#include "bench/contention_cases.h"
#include "bench/tma_global.h"
#include "bench/wgmma_operands.h"

/* The shape of kernels/contention.cuh. */
enum {
    CONTENTION_PITCH = 4096, /* from one copy of the lanes' tiles to the next */
    CONTENTION_COPIES = 4,
    CONTENTION_SEGMENTS = 31,
    CONTENTION_SLOTS = 16,                    /* of a side, repeated where it has fewer */
    CONTENTION_TENSOR_BYTES = 16 << 20,       /* stays in L2 */
    CONTENTION_SOURCE_STEP_BYTES = 32 * 1024, /* from a place of the lanes in it to the next */
    CONTENTION_SMEM_BYTES = 224 * 1024,       /* the most that a case takes, barriers included */
};

/* Of an instruction: of all warps of a warpgroup for wgmma, a box for TMA. */
struct contention_cost {
    double wavefronts, ideal_wavefronts, conflicts;
    double cycles; /* alone: what bounds it, as far as the models know */
    unsigned bytes;
};

struct contention_side {
    unsigned warps;
    unsigned bodies; /* warps, or warpgroups, that each run `body` instructions an iteration */
    unsigned body;
    struct contention_cost cost;
};

struct contention_plan {
    struct contention_side reader, writer;
    struct access_plan loads, stores; /* of sides that go lane by lane: no slots where none does */
    bool copies;                      /* what is stored comes from global memory */
    struct wgmma_case multiplied;
    struct wgmma_plan operands; /* at wgmma_offset_bytes */
    struct swb_tma_map map;     /* of a tensor at address 0 */
    uint32_t wgmma_offset_bytes, box_offset_bytes, box_bytes, box_lines, boxes;
    uint32_t tensor_bytes;   /* that the writers go over, round and round */
    uint32_t source_bytes;   /* what they read of it; 0: they do not */
    uint32_t image_bytes;    /* of shared memory, all that is used but for barriers */
    uint32_t barrier_offset; /* of a barrier for each writer warp; 0: none */
    uint32_t smem_bytes;     /* of dynamic shared memory */

    /* A reader's instruction with as many of the writer's as take as long alone: clocks, if shared
     * memory serves one wavefront a clock, and by how much longer that is. 0 where one is idle. */
    double model_cycles, model_slowdown;
};
void contention_plan_of(const struct contention_case *c, struct contention_plan *plan);

/* Where in a copy of the tiles the writers' one begins. */
uint32_t contention_stage_offset(void);

#endif
