/* Memory and counters of a GPU that a test makes up: addresses are those of the test itself, and
 * what a launch counts is the test's count_launch. Defines functions of harness/gpu.h, so that a
 * test program may include it once, behind cmocka.h. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_GPU_H
#define SWIZZLEBENCH_TESTS_MADE_UP_GPU_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu.h"

bool gpu_alloc(struct gpu *unused, size_t bytes, gpu_address *address, struct error *error)
{
    (void)unused;
    if (bytes > 1u << 30)
        return error_set(error, ERROR_FAILED, "no room for %zu bytes", bytes);
    *address = (uintptr_t)aligned_alloc(128, (bytes + 127) / 128 * 128);
    memset((void *)(uintptr_t)*address, 0, bytes);
    return true;
}

void gpu_free(struct gpu *unused, gpu_address address)
{
    (void)unused;
    free((void *)(uintptr_t)address);
}

static uint8_t *at(gpu_address address)
{
    return (uint8_t *)(uintptr_t)address;
}

bool gpu_upload(struct gpu *unused, gpu_address to, const void *from, size_t bytes,
                struct error *error)
{
    (void)unused, (void)error;
    memcpy(at(to), from, bytes);
    return true;
}

bool gpu_download(struct gpu *unused, void *to, gpu_address from, size_t bytes, struct error *error)
{
    (void)unused, (void)error;
    memcpy(to, at(from), bytes);
    return true;
}

bool gpu_fill(struct gpu *unused, gpu_address to, uint8_t value, size_t bytes, struct error *error)
{
    (void)unused, (void)error;
    memset(at(to), value, bytes);
    return true;
}

bool gpu_wait(struct gpu *unused, struct error *error)
{
    (void)unused, (void)error;
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
