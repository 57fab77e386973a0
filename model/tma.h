/* What the files model/tma_*.c tell each other. Private to model/. */
#ifndef SWIZZLEBENCH_MODEL_TMA_H
#define SWIZZLEBENCH_MODEL_TMA_H

#include "model/swizzlebench.h"

struct swb_tma_type {
    const char *name;
    unsigned elem_bits;
    bool is_float;
    bool is_packed; /* elements of less than a byte, 16 together */
    bool is_padded; /* 16 elements take 16 bytes of shared memory, with gaps */
};

/* NULL for a type that does not exist. */
const struct swb_tma_type *swb_tma_type(unsigned dtype);

/* The layout mode with the swizzle of a tensor map, "none" for swizzle 0; NULL for a swizzle that
 * does not exist. */
const struct swb_layout_mode *swb_tma_mode(unsigned swizzle);

/* ---- Rules: tma_rules.c lists them, tma_check.c applies them ------------------------------- */

/* What rules are about. */
struct swb_tma_subject {
    struct swb_tma_map map;
    unsigned compute_capability; /* 90 for 9.0 */
    uint64_t box_bytes;          /* as the driver counts them, 2^61 - 1 for more */
};

/* Elements along dimension i as the driver counts them: rounded down, where the documentation says
 * that the hardware loads the quotient rounded up. */
uint32_t swb_tma_counted_step(const struct swb_tma_map *map, unsigned i); /* 1 for 0 */
uint64_t swb_tma_counted_elements(const struct swb_tma_map *map, unsigned i);
uint64_t swb_tma_counted_bits(const struct swb_tma_map *map); /* UINT64_MAX for more */

/* A value that rules limit, or several: entries first to end - 1 of an array, of which a tensor map
 * has as many as its rank, less `rank_less`. */
struct swb_tma_field {
    const char *name;
    size_t offset_bytes; /* in swb_tma_subject */
    unsigned entry_bytes;
    unsigned first, end, rank_less;
    bool is_array, is_word;
    enum swb_tma_word word; /* the names of the values, where is_word */
};

enum swb_tma_limit { SWB_TMA_AT_LEAST, SWB_TMA_AT_MOST, SWB_TMA_MULTIPLE, SWB_TMA_ONE_OF };

/* What a limit function answers when its rule says nothing about this tensor map. */
#define SWB_TMA_NO_LIMIT UINT64_MAX

struct swb_tma_rule {
    const char *name;
    const struct swb_tma_field *field;
    enum swb_tma_limit kind;
    uint64_t limit; /* of SWB_TMA_ONE_OF: a bit for each legal value */
    uint64_t (*limit_of)(const struct swb_tma_subject *subject); /* instead of limit */
    const char *why;
};

/* All of them, ended by one without a name. */
extern const struct swb_tma_rule swb_tma_rules[];
extern const struct swb_tma_field swb_tma_box_bytes_field;

#endif
