/* How far is the run? A bar on a terminal, a line now and then elsewhere, nothing when quiet. Of
 * several runs side by side each tells one process, which shows them all. */
#ifndef SWIZZLEBENCH_HARNESS_PROGRESS_H
#define SWIZZLEBENCH_HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/family.h"

enum { ROW_STATUSES = ROW_FAILED + 1 };

/* One run's state, with no pointer in it: it travels from process to process. */
struct progress_state {
    size_t total; /* rows of the whole run */
    size_t kept;  /* of them, taken over from an earlier run */
    size_t by_status[ROW_STATUSES];
    double started_s;
    char run[32]; /* which of several: "GPU 1"; "" where there is one */
    char family[32], case_name[ROW_CASE_BYTES]; /* in work */
};

struct progress {
    bool quiet, terminal, colour; /* colour: a terminal, and NO_COLOR is not set */
    int listener;                 /* socket to the process that shows; -1: this one does */
    double shown_s;
    size_t bars_shown;
    struct progress_state state; /* of the run of this process, where it has one */
};

/* Where and how it is shown. `listener` as in struct progress. */
void progress_start(struct progress *progress, size_t total, int listener, bool quiet);

/* One row more, measured now or kept from an earlier run. */
void progress_row(struct progress *progress, enum row_status status, bool kept);

/* Shows the state, or tells the listener, if it is time to; `at` is the family and case in work. */
void progress_show(struct progress *progress, const char *family, const char *case_name);

/* Shows, if it is time to, several states that runs have told this process. */
void progress_show_several(struct progress *progress, const struct progress_state *states,
                           size_t count);

/* Takes the bars away, so that a line of text can be written. A listener gets the last state. */
void progress_clear(struct progress *progress);

#endif
