/* Where does a writer that is already there put the tile, and in which layout is it then? Private
 * to `advise --check`. */
#ifndef SWIZZLEBENCH_BENCH_ADVISE_LANDING_H
#define SWIZZLEBENCH_BENCH_ADVISE_LANDING_H

#include "bench/advise.h"

struct advise_landing {
    unsigned lines, line_bytes; /* of the tile */
    uint32_t base_bytes;
    char writer[128]; /* "2 boxes of 64x64 under 128B land" */

    /* The layout, NULL where it is none with a name; from base_bytes on, were that a multiple of
     * the repeat. A box narrower than its span leaves room, which the layout counts. */
    struct swb_tile tile;
    char layout[48];      /* "K/64B stack=row" */
    unsigned width_bytes; /* of a line that the tile gives span_bytes of room */
    unsigned span_bytes;

    /* By TMA, which swizzles absolute addresses; else from base_bytes on. */
    bool by_tma, down_first;
    struct swb_tma_box box; /* the first */
    unsigned along, down;
};

/* Reads the writer's words. Each thing that cannot be right is printed and counted, and no layout
 * is looked for where there is one. ERROR_INPUT: bad words. */
bool advise_landing_read(const struct advise_question *question, const struct advise_words *words,
                         uint32_t base_bytes, struct advise_landing *landing, unsigned *wrong,
                         struct error *error);

/* Address of a byte of a line. */
uint32_t advise_landing_address(const struct advise_landing *landing, unsigned line, unsigned byte);

/* The same byte in the layout that has a name. */
unsigned advise_landing_byte(const struct advise_landing *landing, unsigned byte);

/* The tile of the question in a layout that was typed. ERROR_INPUT also where it does not fit. */
bool advise_read_layout(const char *option, const char *name,
                        const struct advise_question *question, const char *stack,
                        struct swb_tile *tile, struct error *error);

/* "K/64B stack=row": the order of the atoms where there is one. */
enum { ADVISE_LAYOUT_BYTES = 48 };
const char *advise_layout_text(const struct swb_tile *tile, char text[ADVISE_LAYOUT_BYTES]);

/* Prints "disagree: ..." and counts it. */
void advise_disagree(unsigned *wrong, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
