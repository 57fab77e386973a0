/* How far is the run? A bar on a terminal, a line now and then elsewhere, nothing when quiet. */
#ifndef SWIZZLEBENCH_HARNESS_PROGRESS_H
#define SWIZZLEBENCH_HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/family.h"

enum { ROW_STATUSES = ROW_FAILED + 1 };

struct progress {
    bool quiet, terminal, colour; /* colour: a terminal, and NO_COLOR is not set */
    size_t total;                 /* rows of the whole run */
    size_t kept;                  /* of them, taken over from an earlier run */
    size_t by_status[ROW_STATUSES];
    double started_s, shown_s;
    bool bar_shown;
};

void progress_start(struct progress *progress, size_t total, bool quiet);

/* One row more, measured now or kept from an earlier run. */
void progress_row(struct progress *progress, enum row_status status, bool kept);

/* Shows the state if it is time to; `at` is the family and case in work. */
void progress_show(struct progress *progress, const char *family, const char *case_name);

/* Takes the bar away, so that a line of text can be written. */
void progress_clear(struct progress *progress);

#endif
