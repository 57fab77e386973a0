/* Which columns of a family can two runs be compared by, and how? Names and units say. */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_COLUMNS_H
#define SWIZZLEBENCH_HARNESS_COMPARE_COLUMNS_H

#include <stdbool.h>

#include "harness/family.h"

enum compare_kind {
    COMPARE_MODEL,   /* model_*: another value is another model */
    COMPARE_COUNTER, /* hw_X or sass_X beside model_X: exact. X_executed beside X_expected: by how
                      * many more than expected, for the host chooses how much work a launch has */
    COMPARE_TRAFFIC, /* other hw_*, which no model predicts, and what family.disturbed names: exact
                      * too, but caches and others have a say */
    COMPARE_TIME,    /* more is slower */
    COMPARE_RATE,    /* more is faster */
    COMPARE_KINDS
};

struct compare_column {
    const struct column *column;
    enum compare_kind kind;
    const struct column *expected;     /* beside X_executed; else NULL */
    const struct column *least, *most; /* its least and largest sample; NULL where there are none */
    bool per_clock;                    /* in clocks of the SM, and not in seconds */
};

/* Puts the family's into `columns`, which has room for ROW_MAX_COLUMNS, and returns how many.
 *
 * Times are columns in clk with a least and a largest sample beside them, and without such those
 * named cycles_per_*, except per wavefront: such a one repeats another. A rate per clock repeats
 * the clocks of its row, and is taken only where the family has none. */
size_t compare_columns_of(const struct family *family, struct compare_column *columns);

#endif
