/* How do the rows of one family differ between two sides?
 *
 * Rows are matched by case. Counters and what the model says are compared exactly, times and rates
 * with the samples of both sides: a median counts as changed where it differs by more than the
 * threshold and the least and largest samples of the two sides leave a gap. A value that one side
 * lacks cannot be compared, and that is a difference too, but where it is known why: in a row that
 * is not ok, in a column that the first side's file does not have yet, and of what is measured
 * where one side is the model's, which measures nothing. In ns a row cannot be compared without its
 * clock either; that too is counted and no difference, for a launch may be too short to tell it.
 */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_H
#define SWIZZLEBENCH_HARNESS_COMPARE_H

#include "harness/compare_columns.h"
#include "harness/compare_side.h"
#include "harness/filter.h"

#define COMPARE_ROUNDING 1e-12 /* of a ratio: 105 is no more than 5 % above 100 */

/* In the order in which they are listed. */
enum difference_kind {
    DIFFERENCE_STATUS,
    DIFFERENCE_MISSING, /* the case is on the first side alone */
    DIFFERENCE_NEW,     /* on the other side alone */
    DIFFERENCE_ALONE,   /* a value that one side lacks in a row that is ok on both */
    DIFFERENCE_COUNTER,
    DIFFERENCE_MODEL,
    DIFFERENCE_SLOWER,
    DIFFERENCE_FASTER,
    DIFFERENCE_TRAFFIC,
    DIFFERENCE_NONE, /* a time or a rate that did not change, where all are asked for */
    DIFFERENCE_KINDS
};
extern const char *const difference_names[DIFFERENCE_KINDS];

/* A median and its samples' ends, which are the median where the file has none. */
struct interval {
    double median, least, most;
};

struct difference {
    enum difference_kind kind;
    int column;        /* of the pair's columns; -1: of the whole row */
    long first, other; /* number of the row on each side; -1: not there */
    double cost;       /* time of the other side over that of the first; 1 of what takes none */
};

/* What the medians of one column do over all rows. */
struct column_summary {
    double *ratios; /* other over first, sorted */
    size_t count;
    size_t within_half_pct, within_pct;
};

/* In how many rows there are values of a kind, a row counting in each that it has some of. */
struct compare_presence {
    size_t both, first, other; /* on both sides, on the first alone, on the other alone */
};

struct compare_pair {
    const struct family *family;
    const struct compare_side *first_side, *other_side;
    const struct result_file *first, *other; /* NULL: this side has no file of the family */
    struct compare_column columns[ROW_MAX_COLUMNS];
    struct column_summary summaries[ROW_MAX_COLUMNS]; /* of times and rates */
    size_t column_count;
    size_t first_rows, other_rows, matched;          /* that pass the filter */
    size_t failed;                                   /* rows of the other side with this status */
    size_t first_failed;                             /* the first of these, where there are any */
    struct compare_presence presence[COMPARE_KINDS]; /* rates count as times */
    size_t one_sided;                /* values that one side has and the other lacks */
    size_t counts[DIFFERENCE_KINDS]; /* differences of each kind */
    size_t rows[DIFFERENCE_KINDS];   /* rows with such a difference */
    struct difference *differences;  /* by kind, the largest first */
    size_t difference_count;
    bool absolute;
    bool one_predicted; /* one side is of the model's backend, and the other is not */
};

struct compare_settings {
    struct filter filter; /* asks the first side, and the other where a case is there alone */
    bool all;             /* DIFFERENCE_NONE as well */
    double threshold;     /* 0.005: medians closer than this are the same */
    bool absolute;        /* clocks times the row's sm_clock_mhz: ns, and bytes or FLOP a second */
    bool measured;        /* that a side is the model's is no reason for it to lack a value */
};

/* Whether a case that passes the filter is on both sides. ERROR_INPUT where there is none: nothing
 * could be compared. */
bool compare_have_common(const struct compare_side *first, const struct compare_side *other,
                         const struct filter *filter, struct error *error);

/* Compares the registry's family number `family`. Free with compare_pair_free, also after a
 * failure, which is lack of memory alone. */
bool compare_pair_make(const struct compare_side *first, const struct compare_side *other,
                       size_t family, const struct compare_settings *settings,
                       struct compare_pair *pair, struct error *error);
void compare_pair_free(struct compare_pair *pair);

/* The case and the values that a difference is about. */
const char *difference_case(const struct compare_pair *pair, const struct difference *difference);

/* What a side has in a column of a row, as it is judged. False where it has nothing. */
bool compare_interval(const struct compare_pair *pair, size_t column,
                      const struct result_file *file, long row, struct interval *interval);

/* "clk/box", or with --absolute "ns/box"; "" for what has none. */
const char *compare_unit(const struct compare_pair *pair, size_t column, char *text, size_t bytes);

#endif
