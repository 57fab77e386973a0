/* What does the hardware count for many launches at once: a family's own metrics and those of
 * --metrics? */
#ifndef SWIZZLEBENCH_BENCH_METRIC_SETS_H
#define SWIZZLEBENCH_BENCH_METRIC_SETS_H

#include "harness/family.h"
#include "harness/gpu.h"

enum { METRIC_SETS_MOST = 32, METRIC_SETS_MAX_EXTRA = 8, METRIC_SETS = 2 };

/* Metrics have numbers: the family's own from 0 on in the order of their list, then the extra. */
struct metric_set {
    struct counter_set *set; /* NULL: nothing to count */
    const char *names[METRIC_SETS_MOST];
    size_t numbers[METRIC_SETS_MOST], count;
};
struct metric_sets {
    struct metric_set sets[METRIC_SETS]; /* own, extra: these need not fit into the same passes */
    size_t metric_count;
};

/* Leaves out what the chip has not. ERROR_INPUT: too many --metrics. The sets must be closed, even
 * where this fails; they may be all zeros. */
bool metric_sets_open(struct gpu *gpu, const char *const *own, size_t own_count,
                      const struct measure_options *options, struct metric_sets *sets,
                      struct error *error);
void metric_sets_close(struct metric_sets *sets);

/* Whether there is anything to count. */
bool metric_sets_count(const struct metric_sets *sets);

/* values[launch * sets->metric_count + number]; nan for what the chip has not. At most
 * COUNTERS_MAX_LAUNCHES launches. */
bool metric_sets_collect(struct gpu *gpu, const struct metric_sets *sets,
                         const struct gpu_launch *launches, size_t launch_count, double *values,
                         struct error *error);

#endif
