/* Which accesses does a command line ask about: those of a file, or an instruction's over a
 * layout? */
#ifndef SWIZZLEBENCH_BENCH_QUERY_H
#define SWIZZLEBENCH_BENCH_QUERY_H

#include "bench/placed.h"

/* As typed; NULL where an option was not given. */
struct query_words {
    struct placed_words placed;
    const char *accesses, *instruction, *access, *tv;
};

struct query_access {
    const struct swb_instruction *instruction;
    struct swb_copy copy; /* .to is all there is, but for cp.async */
    bool has_globals;     /* cp.async whose global addresses are known */
};

struct query {
    struct query_access *accesses;
    size_t count, room;
    bool is_walk; /* over a layout: the accesses are its positions */
    char title[PLACED_NAME_BYTES + 64];
};

/* Whether the options go together. */
bool query_check(const struct query_words *words, struct error *error);

/* Reads the file, or walks the layout. ERROR_INPUT with one line. Free with query_free, also after
 * a failure. */
bool query_make(const struct query_words *words, struct query *query, struct error *error);
void query_free(struct query *query);

#endif
