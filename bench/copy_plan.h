/* What does each instruction of a copy move, from where to where, and what should that cost? */
#ifndef SWIZZLEBENCH_BENCH_COPY_PLAN_H
#define SWIZZLEBENCH_BENCH_COPY_PLAN_H

#include "bench/copy_cases.h"
#include "bench/tma_global.h"

enum {
    COPY_MOST_WARPS = 8,    /* of a stage */
    COPY_MOST_MOVES = 4096, /* 16 KiB, 4 bytes a lane */
    COPY_ALIGNMENT_BYTES = 1024,
};

/* Contiguous bytes: of a lane, of a bulk copy, or the first line of a box. Offsets are from the
 * tile's first byte in the tensor, and from the stage's in shared memory. */
struct copy_move {
    uint32_t global, shared, bytes;
};

/* moves[32 i + lane] for instruction number i, or moves[i] where one thread sends: kernel,
 * prediction and check take the same. */
struct copy_plan {
    uint32_t instructions; /* of a tile; a load and a store count as one */
    uint32_t lanes;        /* that give an address: 32 or 1 */
    uint32_t warps;        /* of a stage */
    uint32_t stage_bytes, tile_bytes, pitch_bytes;
    struct swb_tma_map map; /* of a tensor with no lines yet, at address 0; they are counted by its
                               last dimension */
    struct copy_move moves[COPY_MOST_MOVES];
};

/* A case without moves, a plain one, has a plan of zeros. */
void copy_plan_of(const struct copy_case *c, struct copy_plan *plan);

/* Of a tile. */
struct copy_prediction {
    uint64_t sectors;
    uint64_t l2_requests;                  /* 0: L1 has a say, no model */
    unsigned requests;                     /* of ld.global and the like; 0: no model */
    unsigned wavefronts, ideal_wavefronts; /* in shared memory; 0: no lanes */
    unsigned run_bytes;                    /* contiguous in global memory: the least of a tile */
};
struct copy_prediction copy_predicted(const struct copy_case *c, const struct copy_plan *plan);

/* Tiles are numbered along the tensor's lines first. */
unsigned copy_tiles_across(const struct copy_case *c);
uint64_t copy_tile_offset(const struct copy_case *c, uint64_t tile); /* of its first byte */

#endif
