/* Figures that others published, beside ours. */
#ifndef SWIZZLEBENCH_BENCH_PUBLISHED_H
#define SWIZZLEBENCH_BENCH_PUBLISHED_H

#include "harness/compare_side.h"
#include "harness/filter.h"
#include "harness/grid.h"

/* Whether the file begins as one of published figures does: comments, then "gpu,". */
bool published_is(const char *path);

enum { PUBLISHED_COLUMNS = 9 };
extern const char *const published_header[PUBLISHED_COLUMNS];

/* Adds a row to `grid` for each figure of the file and each side: what is published, and what the
 * side has for it: the largest in the rows that belong to the quantity and pass the filter, or no
 * figure. ERROR_INPUT for a file that cannot be read, a value that is no number above 0, a
 * value_max below the value, an empty field other than value_max, a unit other than ours, or a
 * figure that is there twice. */
bool published_add(struct grid *grid, const char *path, const struct compare_side *sides,
                   size_t count, const struct filter *filter, struct error *error);

#endif
