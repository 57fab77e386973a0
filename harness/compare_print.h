/* What is there to say about a comparison: the heads, a summary for each family, the rows. */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_PRINT_H
#define SWIZZLEBENCH_HARNESS_COMPARE_PRINT_H

#include "harness/compare_values.h"
#include "harness/grid.h"

/* What each side says about its GPU and its run, side by side, and what is left out of each. */
bool compare_print_heads(const struct compare_side *sides, size_t count, enum grid_style style);

/* What a person reads in a minute. */
bool compare_print_summary(const struct compare_pair *pair, enum grid_style style);

/* What the families of two sides add up to: rows in both, medians of times and rates. */
struct compare_total {
    size_t families, rows, counter_rows, model_rows, one_sided;
    struct compare_presence presence[COMPARE_KINDS];
    size_t medians, within_half_pct, within_pct;
    size_t with_gpu, same_gpu; /* families of which both sides name their GPU, and name one */
    const char *gpus[COMPARE_MAX_FAMILIES]; /* these, each once */
    size_t gpu_count;
};
void compare_total_add(struct compare_total *total, const struct compare_pair *pair);
void compare_print_total(const struct compare_side *first, const struct compare_side *other,
                         const struct compare_total *total, enum grid_style style);

/* Adds to a grid: kind, column, rows, the largest change, both values and the case of that. */
void compare_worst_add(struct grid *grid, const struct compare_pair *pair,
                       const struct compare_worst *worst);

/* A grid of rows that differ. With GRID_CSV: family, case, against, difference, column, unit, and
 * of both sides the value and its least and largest sample. */
void compare_rows_start(struct grid *grid, enum grid_style style);

/* Adds those of a pair: all, or of GRID_TEXT the largest of each kind. Of a family that is on one
 * side alone only GRID_CSV has them. */
void compare_rows_add(struct grid *grid, const struct compare_pair *pair, enum grid_style style);

#endif
