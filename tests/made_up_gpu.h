/* Memory and counters of a GPU that a test makes up: addresses are those of the test itself, and
 * what a launch counts is the test's count_launch. Defines functions of harness/gpu.h, so that a
 * test program may include it once, behind cmocka.h. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_GPU_H
#define SWIZZLEBENCH_TESTS_MADE_UP_GPU_H

#include <stdio.h>

#include "bench/one_sm.h"
#include "tests/made_up_memory.h"

/* ---- What it is ---------------------------------------------------------------------------- */

static struct gpu_info made_up_info;

const struct gpu_info *gpu_info(const struct gpu *unused)
{
    (void)unused;
    return &made_up_info;
}

/* Two SMs of compute capability 9.0; a test may change what it wants. */
static void made_up_hopper(int smem_bytes)
{
    made_up_info = (struct gpu_info){.name = "Fake",
                                     .compute_major = 9,
                                     .sm_count = 2,
                                     .smem_per_block_optin_bytes = smem_bytes};
}

/* ---- Its SMs: none is like another --------------------------------------------------------- */

enum { MADE_UP_TYPICAL_SM = 5 };

bool one_sm_find_typical(struct gpu *unused, uint32_t *sm, struct error *error)
{
    (void)unused, (void)error;
    *sm = MADE_UP_TYPICAL_SM;
    return true;
}

/* ---- Counters: all that there may be, but those called no_such... -------------------------- */

struct counter_set {
    char names[32][96];
    size_t count;
};

/* Fills in a value for each name of the set. */
static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values);

static unsigned made_up_sessions; /* of counting */

bool counters_has_metric(struct gpu *unused, const char *metric)
{
    (void)unused;
    return !strstr(metric, "no_such");
}

bool counter_set_open(struct gpu *unused, const char *const *metrics, size_t metric_count,
                      struct counter_set **set, struct error *error)
{
    (void)unused, (void)error;
    *set = calloc(1, sizeof **set);
    (*set)->count = metric_count;
    for (size_t i = 0; i < metric_count; i++)
        snprintf((*set)->names[i], sizeof(*set)->names[i], "%s", metrics[i]);
    return true;
}

void counter_set_close(struct counter_set *set)
{
    free(set);
}

bool counters_collect(struct gpu *unused, struct counter_set *set,
                      const struct gpu_launch *launches, size_t launch_count, double *values,
                      struct error *error)
{
    (void)unused, (void)error;
    assert_in_range(launch_count, 1, COUNTERS_MAX_LAUNCHES);
    made_up_sessions++;
    for (size_t i = 0; i < launch_count; i++)
        count_launch(set, &launches[i], values + i * set->count);
    return true;
}

#endif
