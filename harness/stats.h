/* How is a handful of noisy samples put into a few numbers? Pure arithmetic; no GPU. */
#ifndef SWIZZLEBENCH_HARNESS_STATS_H
#define SWIZZLEBENCH_HARNESS_STATS_H

#include <stddef.h>

struct stats {
    double min, median, max;
    double spread; /* of the middle half, relative: (upper quartile - lower quartile) / median */
};

/* Sorts values, of which there are at least one. Quartiles lie between two values where they fall
 * between two ranks (linear interpolation), the median of an even number too. spread is 0 where
 * the median is 0. */
struct stats stats_of(double *values, size_t count);

/* The value that a fraction (0 to 1) of the sorted values lies below, of which there are at least
 * one; between two of them where it falls between two ranks. */
double stats_quantile(const double *sorted, size_t count, double fraction);

/* The median alone; sorts values too. 0 where there are none. */
double stats_median(double *values, size_t count);

#endif
