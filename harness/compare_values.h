/* How are the two values of a difference written? */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_VALUES_H
#define SWIZZLEBENCH_HARNESS_COMPARE_VALUES_H

#include "harness/compare.h"

enum { COMPARE_VALUE_BYTES = 320, COMPARE_NUMBER_BYTES = 32 };

struct compare_values {
    const char *column; /* "" where the difference is of the whole row */
    char unit[64];
    char first[COMPARE_VALUE_BYTES], other[COMPARE_VALUE_BYTES];
    char ends[4][COMPARE_NUMBER_BYTES]; /* least and largest sample, first and other; or "" */
    char ratio[COMPARE_NUMBER_BYTES];   /* other over first; "" where one is 0 or no number */
    char change[COMPARE_NUMBER_BYTES];  /* the same in percent: "+1.3 %" */
};

struct compare_values compare_values_of(const struct compare_pair *pair,
                                        const struct difference *difference);

/* Of a kind of difference and a column: the largest, and how many rows have one. */
struct compare_worst {
    const struct difference *difference;
    size_t rows;
};
enum { COMPARE_MOST_WORST = DIFFERENCE_KINDS * (1 + ROW_MAX_COLUMNS) };

/* Puts one for each kind and column that the pair has into `worst`, which has room for
 * COMPARE_MOST_WORST, and returns how many. */
size_t compare_worst_of(const struct compare_pair *pair, struct compare_worst *worst);

#endif
