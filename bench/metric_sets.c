/* What does the hardware count for many launches at once? */
#include "bench/metric_sets.h"

#include <math.h>

static void add(struct metric_set *set, size_t number, const char *name)
{
    set->names[set->count] = name;
    set->numbers[set->count++] = number;
}

bool metric_sets_open(struct gpu *gpu, const char *const *own, size_t own_count,
                      const struct measure_options *options, struct metric_sets *sets,
                      struct error *error)
{
    if (options->extra_metric_count > METRIC_SETS_MAX_EXTRA)
        return error_set(error, ERROR_INPUT, "--metrics: at most %d of them, not %zu",
                         METRIC_SETS_MAX_EXTRA, options->extra_metric_count);
    sets->metric_count = own_count + METRIC_SETS_MAX_EXTRA;
    for (size_t i = 0; i < own_count; i++)
        if (counters_has_metric(gpu, own[i]))
            add(&sets->sets[0], i, own[i]);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        add(&sets->sets[1], own_count + i, options->extra_metrics[i]);
    for (size_t i = 0; i < METRIC_SETS; i++) {
        struct metric_set *set = &sets->sets[i];
        if (set->count && !counter_set_open(gpu, set->names, set->count, &set->set, error))
            return false;
    }
    return true;
}

void metric_sets_close(struct metric_sets *sets)
{
    for (size_t i = 0; i < METRIC_SETS; i++)
        counter_set_close(sets->sets[i].set);
}

bool metric_sets_count(const struct metric_sets *sets)
{
    return sets->sets[0].set || sets->sets[1].set;
}

bool metric_sets_collect(struct gpu *gpu, const struct metric_sets *sets,
                         const struct gpu_launch *launches, size_t launch_count, double *values,
                         struct error *error)
{
    double counted[COUNTERS_MAX_LAUNCHES * METRIC_SETS_MOST];
    for (size_t i = 0; i < launch_count * sets->metric_count; i++)
        values[i] = NAN;
    for (size_t s = 0; s < METRIC_SETS; s++) {
        const struct metric_set *set = &sets->sets[s];
        if (!set->set)
            continue;
        if (!counters_collect(gpu, set->set, launches, launch_count, counted, error))
            return false;
        for (size_t launch = 0; launch < launch_count; launch++)
            for (size_t i = 0; i < set->count; i++)
                values[launch * sets->metric_count + set->numbers[i]] =
                    counted[launch * set->count + i];
    }
    return true;
}
