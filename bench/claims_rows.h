/* The rows that a claim rests on: how does a rule find them, and say which they were? */
#ifndef SWIZZLEBENCH_BENCH_CLAIMS_ROWS_H
#define SWIZZLEBENCH_BENCH_CLAIMS_ROWS_H

#include "bench/claims.h"
#include "harness/filter.h"

/* How many rows had their bytes or products as they must be? */
struct claim_verified {
    size_t yes, no;
    size_t no_row; /* one of the latter */
};

/* A walk over the rows of a family's file that pass a filter and were measured: those that are ok,
 * and those that failed because model and counter disagree, for what the hardware did is evidence
 * whatever the model says. Where the filter asks for a status, those of that status.
 *
 * A row whose bytes were wrong is not given: what it did is not what it says, so that its counts
 * and clocks show nothing. It is in `verified`. */
struct claim_rows {
    const char *family, *filter_text;
    const struct result_file *file; /* NULL: no file, or one of predictions */
    struct filter filter;
    size_t next;
    size_t row;                     /* the present one */
    size_t count;                   /* of those that were given */
    struct claim_verified verified; /* of those that were walked over */
};
void claim_rows_start(struct claim_rows *rows, const struct compare_side *side, const char *family,
                      const char *filter);
bool claim_rows_next(struct claim_rows *rows);

/* Of the present row. A number is NAN where the column is empty or lacking. */
const char *claim_value(const struct claim_rows *rows, const char *column);
double claim_number(const struct claim_rows *rows, const char *column);
double claim_number_of(const struct claim_rows *rows, size_t row, const char *column);
double claim_ways(const struct claim_rows *rows); /* wavefronts over the ideal: 2 is 2-way */
bool claim_is(const struct claim_rows *rows, const char *column, const char *value);

/* Requests of the present row, of a column of counts. Those are taken over several tiles or boxes,
 * so that a stray request is a fraction of one, which is left off. */
double claim_requests(const struct claim_rows *rows, const char *column);

/* Between what do values lie, and in which rows are the ends? What is no finite number is counted
 * as unknown. */
struct claim_range {
    double least, most;
    size_t least_row, most_row;
    size_t count, unknown;
};
void claim_range_add(struct claim_range *range, double value, size_t row);

/* A walk to its end. */
struct claim_rows claim_walk(const struct compare_side *side, const char *family,
                             const char *filter);

/* Distinct values of a column, as they come: these point into the file. */
struct claim_names {
    const char *names[64];
    size_t count, left_off;
};
void claim_names_add(struct claim_names *names, const char *name);

/* ---- The eight canonical layouts ----------------------------------------------------------- */

enum {
    CLAIM_LAYOUTS = 8,
    CLAIM_ALL_LAYOUTS = (1 << CLAIM_LAYOUTS) - 1,
    CLAIM_K_LAYOUTS = (1 << CLAIM_LAYOUTS / 2) - 1
};
extern const char *const claim_layouts[CLAIM_LAYOUTS]; /* K/none ... MN/128B */

/* 1 << number of the layout; 0 for another name. */
unsigned claim_layout_bit(const char *name);

/* In terms of a filter: the layouts of the eight, in a column named so. */
#define CLAIM_OF_THE_EIGHT(column) column "=*/*," column "!=*atom*"

/* ---- The answer ---------------------------------------------------------------------------- */

/* Appends to the condition, "; " between. */
void claim_say(struct claim_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Goes on in the sentence. */
void claim_say_on(struct claim_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "a, b, c", and how many more there were than are kept, after the sentence so far. */
void claim_say_names(struct claim_answer *answer, const struct claim_names *names,
                     const char *separator);

/* Says how many rows the walk did not give, as their bytes were wrong; nothing where it gave all.
 */
void claim_say_left_out(struct claim_answer *answer, const struct claim_rows *rows);

/* Appends to the evidence, "; " between: text, a row, how many rows the walk gave (those that it
 * did not are said in the condition). */
void claim_rest_on(struct claim_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void claim_rest_on_row(struct claim_answer *answer, const struct claim_rows *rows, size_t row);
void claim_rest_on_count(struct claim_answer *answer, const struct claim_rows *rows);

/* Leaves the claim open: the walk gave no rows of `what`. */
void claim_lacks(struct claim_answer *answer, const struct claim_rows *rows, const char *what);

/* Has each row that was walked over a value in the column? Otherwise the claim is left open. */
bool claim_is_known(struct claim_answer *answer, const struct claim_rows *rows,
                    const struct claim_range *range, const char *column, const char *what);

/* Are all the wanted layouts among these? Otherwise the claim is left open. */
bool claim_has_layouts(struct claim_answer *answer, const struct claim_rows *rows, unsigned layouts,
                       unsigned wanted);

#endif
