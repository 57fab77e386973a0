/* What does a run carry with it? Shared by run.c, run_all.c, run_family.c and run_summary.c alone.
 */
#ifndef SWIZZLEBENCH_HARNESS_RUN_H
#define SWIZZLEBENCH_HARNESS_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/error.h"
#include "harness/plan.h"
#include "harness/progress.h"
#include "harness/result.h"
#include "harness/run_options.h"
#include "harness/worker.h"

enum {
    EXIT_INTERRUPTED = 130,
    RUN_TROUBLES_LISTED = 10,
    RUN_CASES_ALONE = 64, /* no family works further ahead */
};

/* One family of the run and its file. */
struct run_family {
    const struct plan_family *planned;
    struct result_form form;
    char path[PATH_MAX];
    size_t alone_until; /* number in the plan: cases before it are asked for one at a time */
    size_t rows, kept;  /* kept: taken over by --resume; part of rows and of by_status */
    size_t by_status[ROW_STATUSES];
    double seconds;
};

/* Cases that something befell, and of the first of them what. */
struct run_troubles {
    size_t count;
    struct run_trouble {
        const char *family;
        char case_name[ROW_CASE_BYTES], reason[ROW_REASON_BYTES];
    } first[RUN_TROUBLES_LISTED];
};

struct run {
    const struct run_options *options;
    struct plan plan;
    struct run_family *families; /* plan.family_count */
    struct worker worker;
    struct result_head head;
    char out[PATH_MAX];
    bool one_of_several; /* on several GPUs of one machine: the folder ends in the GPU's number */
    FILE *summary;       /* where to tell how it went */
    bool writing; /* the first row is about to be written, and old files are out of the way */
    struct progress progress;
    size_t rows_written;
    struct run_troubles failed; /* rows, kept ones among them */
    struct run_troubles lost;   /* workers that may have worked ahead: no row tells of them */
};

/* Runs one family to its end, or until the user stops the run (true, too). */
bool run_one_family(struct run *run, struct run_family *family, struct error *error);

/* Does what is planned on the GPU of the options, or without one; tells how it went. Returns the
 * exit status. */
int run_planned(struct run *run);

/* Does it on every GPU of this machine at once, in a process each. Returns the highest of their
 * exit statuses. */
int run_on_all(struct run *run);

/* Adds to an error of the machine what can be done without a GPU. Returns false. */
bool run_needs_gpu(const struct run *run, struct error *error);

/* Tells on run->summary how the run went. */
void run_summary(struct run *run);

#endif
