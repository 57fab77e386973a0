/* Where in shared memory does a tile's layout, as a user types it, put each element? */
#ifndef SWIZZLEBENCH_BENCH_PLACED_H
#define SWIZZLEBENCH_BENCH_PLACED_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/error.h"
#include "model/swizzlebench.h"

enum {
    PLACED_SMEM_BYTES = 228 * 1024, /* the shared memory of an SM, the most there is today */
    PLACED_NAME_BYTES = 512,
};

/* As typed; NULL where an option was not given. */
struct placed_words {
    const char *layout, *elem_bits, *tile, *stack, *base;
};

struct placed {
    char name[PLACED_NAME_BYTES]; /* of the layout, for a sentence about it */
    unsigned rows, cols, elem_bits;
    uint32_t base_bytes;
    unsigned smem_bytes; /* from the base to behind the last element */
    struct swb_composed composed;
    struct swb_tile tile; /* where CuTe has no form of a named layout: mode is not NULL */

    /* Elements follow each other in memory along lines, which are rows of the tile, or columns. */
    bool lines_are_rows;
    unsigned lines, line_bytes;
};

/* Reads the words. ERROR_INPUT with one line: which option, what is wrong, where. */
bool placed_read(const struct placed_words *words, struct placed *placed, struct error *error);

/* "64x128", of --tile. ERROR_INPUT. */
bool placed_tile_extents(const char *text, unsigned *rows, unsigned *cols, struct error *error);

/* Address, counted in bits, of a bit of the element at row and column. */
int64_t placed_bit_address(const struct placed *placed, unsigned row, unsigned col, unsigned bit);

/* Lowest and highest address, in bits, of an element; a swizzle may take it apart. */
struct placed_reach {
    int64_t least, most;
};
struct placed_reach placed_element_reach(const struct placed *placed, unsigned row, unsigned col);

/* Address of byte `byte` of a line, or -1 where its bits do not lie in one byte of memory. */
int64_t placed_byte_address(const struct placed *placed, unsigned line, unsigned byte);

/* Prints to stderr what a user may not have meant, a line each: a swizzle on the numbers of
 * elements that are not bytes, a base off the repeat, elements outside the tile's own bytes. */
void placed_print_notes(const char *command, const struct placed *placed);

/* Writes a sentence about two elements that lie in one place; false when there are none. */
bool placed_collision(const struct placed *placed, char *sentence, size_t bytes);

#endif
