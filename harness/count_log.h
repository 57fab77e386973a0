/* What did each counted launch of a process count, in order?
 *
 * A CSV file with the header `launch,kernel,metric,value`: launches from 0 on, each with a line a
 * metric of its counter set, in the set's order. Raw counts: the control kernel is a launch like
 * the others, and nothing is subtracted or divided. */
#ifndef SWIZZLEBENCH_HARNESS_COUNT_LOG_H
#define SWIZZLEBENCH_HARNESS_COUNT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"

struct count_log;

/* To be written, or to be gone through. ERROR_INPUT: the file cannot be, or has another form. */
bool count_log_create(const char *path, struct count_log **log, struct error *error);
bool count_log_open(const char *path, struct count_log **log, struct error *error);
void count_log_close(struct count_log *log); /* NULL is fine */

/* Adds a launch. */
bool count_log_write(struct count_log *log, const char *kernel, char *const *metrics,
                     size_t metric_count, const double *values, struct error *error);

/* Whether any launch has the metric. */
bool count_log_has(const struct count_log *log, const char *metric);

/* The counts of the next launch. ERROR_INPUT where that is of another kernel or other metrics, or
 * has no value. */
bool count_log_take(struct count_log *log, const char *kernel, char *const *metrics,
                    size_t metric_count, double *values, struct error *error);

#endif
