/* Which bytes of global memory does a box have, and how many sectors are they? */
#ifndef SWIZZLEBENCH_BENCH_TMA_GLOBAL_H
#define SWIZZLEBENCH_BENCH_TMA_GLOBAL_H

#include "bench/tma_cases.h"

enum { TMA_SECTOR_BYTES = 32, TMA_MAX_PIECES = 256 };

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

/* Bytes that arrive with a box, those outside the tensor among them. */
uint32_t tma_moved_bytes(const struct tma_case *c);

/* The pieces of a line, at most TMA_MAX_PIECES; none where all of it lies outside. */
unsigned tma_pieces(const struct tma_case *c, const struct tma_place *place, unsigned line,
                    struct tma_piece *pieces);

/* 32-byte sectors of global memory that a box asks for, line by line: a sector that two lines share
 * counts twice. A load asks again in each 128 bytes of shared memory that it fills, and for what
 * lies outside the tensor too. *bytes gets how many bytes of the box lie inside the tensor. */
uint64_t tma_sectors(const struct tma_case *c, uint32_t position, uint64_t *bytes);

/* Whether the instruction faults: a load that begins in dimension 0 at no multiple of 16 bytes. */
bool tma_start_faults(const struct tma_case *c);

#endif
