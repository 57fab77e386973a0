/* Which accesses does a command line ask about: those of a file, an instruction's over a layout, or
 * one? `predict` and `measure` take the same. */
#ifndef SWIZZLEBENCH_BENCH_QUERY_H
#define SWIZZLEBENCH_BENCH_QUERY_H

#include "bench/walk.h"

/* As typed; NULL where an option was not given. */
struct query_words {
    struct placed_words placed;
    const char *accesses, *lanes, *mask, *instruction, *access, *tv;
};

/* The options that name the accesses, for the table of getopt_long. */
enum query_option {
    QUERY_ACCESSES = 512,
    QUERY_LAYOUT,
    QUERY_ELEM_BITS,
    QUERY_TILE,
    QUERY_STACK,
    QUERY_BASE,
    QUERY_LANES,
    QUERY_MASK,
    QUERY_INSTRUCTION,
    QUERY_ACCESS,
    QUERY_TV,
};
#define QUERY_OPTIONS                                                                              \
    {"accesses", required_argument, NULL, QUERY_ACCESSES},                                         \
        {"layout", required_argument, NULL, QUERY_LAYOUT},                                         \
        {"elem-bits", required_argument, NULL, QUERY_ELEM_BITS},                                   \
        {"tile", required_argument, NULL, QUERY_TILE},                                             \
        {"stack", required_argument, NULL, QUERY_STACK},                                           \
        {"base", required_argument, NULL, QUERY_BASE},                                             \
        {"lanes", required_argument, NULL, QUERY_LANES},                                           \
        {"mask", required_argument, NULL, QUERY_MASK},                                             \
        {"instruction", required_argument, NULL, QUERY_INSTRUCTION},                               \
        {"access", required_argument, NULL, QUERY_ACCESS},                                         \
    {                                                                                              \
        "tv", required_argument, NULL, QUERY_TV                                                    \
    }

/* What they mean, for --help. */
extern const char query_help[];

/* Keeps the value of an answer of getopt_long; leaves other answers alone. */
void query_take_option(int answer, const char *value, struct query_words *words);

/* Whether the options go together. */
bool query_check(const struct query_words *words, struct error *error);

enum query_kind { QUERY_OF_FILE, QUERY_OF_LAYOUT, QUERY_OF_LANES };

struct query {
    enum query_kind kind;
    const char *file;                          /* QUERY_OF_FILE */
    const struct swb_instruction *instruction; /* the others */
    struct placed placed;                      /* QUERY_OF_LAYOUT; walk points here */
    struct walk walk;
    struct swb_access access; /* QUERY_OF_LANES */
    char title[PLACED_NAME_BYTES + 64];
};

struct query_access {
    const struct swb_instruction *instruction;
    struct swb_copy copy; /* .to is all there is, but for cp.async */
    bool has_globals;     /* cp.async whose global addresses are known */
};

/* Reads the words that query_check has let pass. Notes and warnings about a layout go to stderr in
 * the name of the command. ERROR_INPUT with one line. The query must stay where it is. */
bool query_open(const struct query_words *words, const char *command, struct query *query,
                struct error *error);

/* Hands every access to take(), in order, until that returns false. */
typedef bool query_take(void *taker, const struct query_access *access, struct error *error);
bool query_each(const struct query *query, query_take *take, void *taker, struct error *error);

#endif
