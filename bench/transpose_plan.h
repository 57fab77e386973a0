/* Which bytes does each thread move at each step of a transpose, and what do the banks take? The
 * plan is what the model and the kernel are both given. */
#ifndef SWIZZLEBENCH_BENCH_TRANSPOSE_PLAN_H
#define SWIZZLEBENCH_BENCH_TRANSPOSE_PLAN_H

#include <stdint.h>

#include "bench/transpose_cases.h"

enum {
    TRANSPOSE_MAX_PIECES = 4,
    TRANSPOSE_MAX_THREADS = TRANSPOSE_MAX_TILE * TRANSPOSE_MAX_TILE * 4 / 16
};

enum transpose_step {
    TRANSPOSE_LOAD,  /* from global memory */
    TRANSPOSE_WRITE, /* to shared memory */
    TRANSPOSE_READ,  /* from shared memory */
    TRANSPOSE_STORE, /* to global memory */
    TRANSPOSE_PUT,   /* in its place, to shared memory: the turned tile, for TMA to send */
    TRANSPOSE_STEPS
};

/* In global memory a place is line << 16 | byte, of the tile or of the turned one; in shared memory
 * a byte offset. */
struct transpose_pieces {
    const struct swb_instruction *instruction; /* of shared memory; NULL: none */
    unsigned count;                            /* of a thread; 0: TMA does it */
    uint32_t at[TRANSPOSE_MAX_PIECES][TRANSPOSE_MAX_THREADS];
    struct swb_cost cost; /* of all warps together */
};

struct transpose_plan {
    unsigned thread_bytes; /* moved in, and out, by a thread: 16, or four elements */
    unsigned threads;
    struct transpose_pieces steps[TRANSPOSE_STEPS];
    unsigned boxes, box_bytes; /* of TMA, each as wide as the swizzle's span */
};

/* Of a case that is no copy. */
void transpose_plan_of(const struct transpose_case *c, struct transpose_plan *plan);

/* Instructions of one step over a tile. */
unsigned transpose_instructions(const struct transpose_plan *plan, enum transpose_step step);

#endif
