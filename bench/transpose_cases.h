/* Which transposes are measured: how a tile gets into shared memory, in which layout it lies there,
 * and how it is read out turned? */
#ifndef SWIZZLEBENCH_BENCH_TRANSPOSE_CASES_H
#define SWIZZLEBENCH_BENCH_TRANSPOSE_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/swizzlebench.h"

/* How a row of the tile gets into shared memory. */
enum transpose_in {
    TRANSPOSE_IN_ELEMENTS, /* st.shared, an element a lane */
    TRANSPOSE_IN_WORDS,    /* st.shared, 4 bytes a lane */
    TRANSPOSE_IN_CHUNKS,   /* st.shared, 16 bytes a lane */
    TRANSPOSE_IN_STMATRIX, /* stmatrix.x4.trans: the tile lies turned in shared memory */
    TRANSPOSE_IN_TMA
};

/* How a row of the turned tile comes out of it. */
enum transpose_out {
    TRANSPOSE_OUT_ELEMENTS, /* ld.shared, an element a lane, down a column */
    TRANSPOSE_OUT_WORDS,    /* ld.shared, 4 bytes a lane; blocks of words are turned in registers */
    TRANSPOSE_OUT_LDMATRIX, /* ldmatrix.x4.trans of rows that give a lane 16 bytes of a line */
    TRANSPOSE_OUT_LDMATRIX_8X16B, /* ldmatrix.x4.trans of eight rows, one under the other */
    TRANSPOSE_OUT_CHUNKS          /* ld.shared, 16 bytes a lane */
};

struct transpose_method {
    const char *name; /* "words" */
    enum transpose_in in;
    enum transpose_out out;
    unsigned elem_bits; /* widths that it is for, added up */
    bool tma_out;       /* the turned tile is laid out plainly, and sent by TMA */
    bool is_copy;       /* of 16 bytes a lane, without shared memory or turning */
};

struct transpose_layout {
    const char *name;            /* "padded4", "K/128B" */
    struct swb_layout_mode mode; /* copied out of the model, or the family's own */
    enum { TRANSPOSE_AS_MODE, TRANSPOSE_4B_PACKED, TRANSPOSE_16B_PACKED } kind;
};

struct transpose_case {
    const struct transpose_method *method;
    const struct transpose_layout *layout; /* NULL: a copy */
    unsigned tile;                         /* rows, and columns */
    unsigned elem_bits;
};

enum { TRANSPOSE_MAX_TILE = 64 };

size_t transpose_case_count(bool full);
const struct transpose_case *transpose_case_at(size_t index);

/* The plain copy of elements as wide. */
const struct transpose_case *transpose_copy_of(const struct transpose_case *c);

/* "16-bit 64x64 words padded4", "16-bit copy" */
void transpose_case_name(const struct transpose_case *c, char *name, size_t bytes);

unsigned transpose_line_bytes(const struct transpose_case *c);
unsigned transpose_tile_bytes(const struct transpose_case *c); /* without padding */

/* Shared memory, with the padding. */
unsigned transpose_smem_bytes(const struct transpose_case *c);

/* Where a byte of a line of the tile, or of the turned tile, lies. */
uint32_t transpose_smem_offset(const struct transpose_case *c, unsigned line, unsigned byte);

#endif
