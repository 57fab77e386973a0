/* What did the hardware count for a case, in a session that took the cases behind it as well? */
#include "bench/count_ahead.h"

static bool enlist(struct count_ahead *ahead, size_t index, void *run)
{
    bool launched = true;
    if (!ahead->prepare(run, index, ahead->count, &ahead->launches[ahead->count], &launched))
        return false;
    if (launched)
        ahead->cases[ahead->count++] = index;
    return true;
}

static bool enlist_all(struct count_ahead *ahead, const struct measure_options *options,
                       size_t index, void *run)
{
    ahead->count = 0;
    if (!enlist(ahead, index, run))
        return false;
    for (size_t i = 1; i < options->case_count && ahead->count < COUNTERS_MAX_LAUNCHES; i++)
        if (!enlist(ahead, options->cases[i], run))
            return false;
    return true;
}

const double *count_ahead(struct count_ahead *ahead, struct gpu *gpu,
                          const struct metric_sets *metrics, const struct measure_options *options,
                          size_t index, void *run, struct error *error)
{
    for (size_t place = 0; place < ahead->count; place++)
        if (ahead->cases[place] == index)
            return &ahead->counts[place * metrics->metric_count];
    if (enlist_all(ahead, options, index, run) &&
        metric_sets_collect(gpu, metrics, ahead->launches, ahead->count, ahead->counts, error))
        return ahead->counts;
    ahead->count = 0;
    return NULL;
}
