/* How is a handful of noisy samples put into a few numbers? Order statistics: they do not mind the
 * odd sample that an interrupt or another process spoilt. */
#include "harness/stats.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double stats_quantile(const double *sorted, size_t count, double fraction)
{
    double rank = fraction * (double)(count - 1);
    size_t below = (size_t)rank;
    size_t above = below + 1 < count ? below + 1 : below;

    return sorted[below] + (rank - (double)below) * (sorted[above] - sorted[below]);
}

struct stats stats_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    struct stats stats = {
        .min = values[0],
        .median = stats_quantile(values, count, 0.5),
        .max = values[count - 1],
    };
    if (stats.median != 0)
        stats.spread = (stats_quantile(values, count, 0.75) - stats_quantile(values, count, 0.25)) /
                       fabs(stats.median);
    return stats;
}

double stats_median(double *values, size_t count)
{
    return count ? stats_of(values, count).median : 0;
}
