/* What did the hardware count for a case, in a session that took the cases behind it as well?
 *
 * CUPTI's price is that of a session, hardly that of a launch. So a session counts the case that is
 * asked for together with those that come next. */
#ifndef SWIZZLEBENCH_BENCH_COUNT_AHEAD_H
#define SWIZZLEBENCH_BENCH_COUNT_AHEAD_H

#include "bench/metric_sets.h"

struct count_ahead {
    /* Makes a launch ready for the case, out of the family's inputs number `place`, which must last
     * until the session is over. Clears *launched where the case is not to be launched; returns
     * false for a fault of the GPU. */
    bool (*prepare)(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched);

    /* Those counted last. */
    size_t count, cases[COUNTERS_MAX_LAUNCHES];
    struct gpu_launch launches[COUNTERS_MAX_LAUNCHES];
    double counts[COUNTERS_MAX_LAUNCHES * METRIC_SETS_MOST];
};

/* The counts of case number `index`, which can be launched, by number of the metric: from the last
 * session or from a new one. `run` is handed to prepare(). NULL for a fault of the GPU. */
const double *count_ahead(struct count_ahead *ahead, struct gpu *gpu,
                          const struct metric_sets *metrics, const struct measure_options *options,
                          size_t index, void *run, struct error *error);

#endif
