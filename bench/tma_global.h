/* Which bytes of global memory does a box have, and how many sectors are they? */
#ifndef SWIZZLEBENCH_BENCH_TMA_GLOBAL_H
#define SWIZZLEBENCH_BENCH_TMA_GLOBAL_H

#include "bench/tma_cases.h"

enum { TMA_SECTOR_BYTES = 32 };

/* Bytes of a line of the box that lie inside the tensor and follow each other in it. */
struct tma_piece {
    unsigned byte, bytes; /* in the line */
    uint64_t offset;      /* from the start of the tensor */
};

/* Box number `position` of the case: its shape (without a tensor map: one line), and where it
 * begins. */
struct tma_place {
    struct swb_tma_box box; /* smem_address is the case's offset */
    int32_t start[SWB_TMA_MAX_RANK];
    uint64_t offset; /* without a tensor map */
};
struct tma_place tma_place_of(const struct tma_case *c, uint32_t position);

/* swb_tma_check for the case, tiled or im2col; 0 without a tensor map. */
unsigned tma_broken_rules(const struct tma_case *c, unsigned compute_capability,
                          struct swb_tma_broken *broken, unsigned most);

/* Bytes that arrive with a box, those outside the tensor among them. */
uint32_t tma_moved_bytes(const struct tma_case *c);

/* A line is one run, or one a slice where an element stride leaves gaps between them. The piece of
 * a run: false where all of it lies outside. */
unsigned tma_runs(const struct tma_case *c, const struct tma_place *place);
bool tma_piece_of(const struct tma_case *c, const struct tma_place *place, unsigned line,
                  unsigned run, struct tma_piece *piece);

/* What a box moves, and takes. */
struct tma_traffic {
    uint64_t bytes; /* that lie inside the tensor */

    /* 32-byte sectors of global memory that it asks for, line by line: a sector that two lines
     * share counts twice, and so does one that two 128 bytes of shared memory share. Loads ask for
     * what lies outside the tensor too, and one into several CTAs never asks for less than two
     * sectors at a time. */
    uint64_t sectors;

    /* Requests to L2: one for each 128 bytes of global memory, of a line and of 128 bytes of shared
     * memory. A load into one CTA makes one of the whole sectors among them, and one of each half.
     * Halves that are asked for twice may be merged on the way, and what lies outside the tensor
     * may not be asked for. */
    uint64_t requests;

    /* Clocks of the TMA unit, proven for loads and stores through a tensor map by one CTA. */
    uint64_t cycles;
};
struct tma_traffic tma_traffic_of(const struct tma_case *c, uint32_t position);

/* Sectors and requests alone, of 16-byte chunks in the order in which they are asked for: of a copy
 * without a tensor map, or of what lanes copy past L1. */
struct tma_chunk {
    uint64_t global;
    uint32_t smem;
};
struct tma_traffic tma_chunk_traffic(bool loads, const struct tma_chunk *chunks, size_t count);

/* NULL, or the rule of where a box may begin that the case breaks, so that the instruction faults;
 * found on an H200. */
struct tma_start_rule {
    const char *name, *sentence;
};
const struct tma_start_rule *tma_start_fault(const struct tma_case *c);

#endif
