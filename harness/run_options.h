/* What did the user ask `swizzlebench run` for? */
#ifndef SWIZZLEBENCH_HARNESS_RUN_OPTIONS_H
#define SWIZZLEBENCH_HARNESS_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"
#include "harness/worker.h"

struct run_options {
    const char *label;         /* the command, for what it says on stderr: "run" */
    const struct family *only; /* a family that no list holds; NULL: those of the registry */
    char *const *families;     /* names as typed; none: all not on request */
    size_t family_count;
    const char *filter; /* NULL: none */
    const char *out;    /* NULL: results/<gpu> or results/model */
    bool full, resume, quiet, help;
    bool all_devices; /* --device all: job.device says nothing */
    struct worker_job job;
    const char *metrics[ROW_MAX_COLUMNS]; /* what job.measure.extra_metrics points at */
    char *metric_text;                    /* where their text lies */
    char command[512];                    /* the words typed, for the head of the files */
};

/* Reads the words. The options must not move afterwards. Free with run_options_free, also after a
 * failure, which is ERROR_INPUT. */
bool run_options_read(struct run_options *options, int argc, char **argv, struct error *error);
void run_options_free(struct run_options *options);

/* Does the run that the options describe and returns the exit status. */
int run_with_options(const struct run_options *options);

/* What --help prints. */
extern const char run_help[];

#endif
