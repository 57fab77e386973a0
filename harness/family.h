/* What a benchmark family is: a table of cases, a list of columns, and three functions.
 *
 * The harness walks the families of bench/registry.c and knows none of them by name. A family says
 * how many cases it has, what each is called and what the model predicts for it (no GPU needed),
 * and how one case is verified, counted and timed on a GPU.
 */
#ifndef SWIZZLEBENCH_HARNESS_FAMILY_H
#define SWIZZLEBENCH_HARNESS_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/error.h"

struct gpu;

/* One column of a result file. The header, the row, the reader and docs/columns.md all come from
 * a family's list of these. */
struct column {
    const char *name;    /* unit last: _cycles, _ns, _bytes, _bytes_per_clk ... */
    const char *unit;    /* "-" for text and plain numbers */
    const char *meaning; /* one sentence */
};

enum row_status { ROW_OK, ROW_REFUSED, ROW_SKIPPED, ROW_FAILED };
const char *row_status_name(enum row_status status);

enum verified { VERIFIED_NOT_RUN, VERIFIED_YES, VERIFIED_NO }; /* "-", "yes", "no" */
const char *row_verified_name(enum verified verified);

enum { ROW_VALUE_BYTES = 96, ROW_CASE_BYTES = 128, ROW_REASON_BYTES = 256, ROW_MAX_COLUMNS = 96 };

/* One row of a result file: the five common columns (family comes from the file), then one text a
 * family column, "" where there is nothing to say, then one a metric asked for with --metrics. */
struct row {
    enum row_status status;
    enum verified verified;
    char case_name[ROW_CASE_BYTES];
    char reason[ROW_REASON_BYTES]; /* "" when status is ROW_OK */
    char values[ROW_MAX_COLUMNS][ROW_VALUE_BYTES];
};

/* Sets column number `column` of the family. row_set_number prints the shortest text that keeps
 * `digits` decimals and no trailing zeros, and leaves the column empty for nan or infinity. */
void row_set_text(struct row *row, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void row_set_number(struct row *row, size_t column, double value, int digits);

/* Marks the row failed (refused, skipped) with a reason; the first reason given stays. Returns
 * false, so that a measuring function can end with it. */
bool row_end(struct row *row, enum row_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How a run wants its cases measured. */
struct measure_options {
    bool counters;                    /* false: --no-counters, or they are not to be had */
    const char *const *extra_metrics; /* --metrics, each a column behind the family's own */
    size_t extra_metric_count;
    size_t extra_column; /* number of the first such column in a row */

    /* The cases that are left to do, the present one first: those behind it may be worked on in
     * advance. None, or NULL, where they may not: after a fault, of whose cause nothing is known.
     */
    const size_t *cases;
    size_t case_count;
};

struct family {
    const char *name;     /* also the name of its file: results/<gpu>/<name>.csv */
    const char *question; /* what it answers, one line */
    const struct column *columns;
    size_t column_count;
    const void *context; /* of a family that is made when it is needed: what its cases are */
    /* Counters that also count what others do beside a case, so that they are not what a model
     * predicts, and two runs differ; NULL ends them. */
    const char *const *disturbed;
    bool on_request;  /* runs only where it is named: not yet proven on hardware as a whole */
    bool works_ahead; /* measure() may work on cases behind its own: a fault can be theirs */

    /* Number of cases. The cases of the default sweep come first: case i is the same with and
     * without full, and case_count(false) <= case_count(true). */
    size_t (*case_count)(const struct family *self, bool full);

    /* Fills the name of case i and every column that needs no GPU, with status ROW_OK (or
     * ROW_SKIPPED / ROW_REFUSED with the reason, where no GPU could run it). Pure; no GPU. */
    void (*predict)(const struct family *self, size_t index, struct row *row);

    /* Without a GPU: ends a row that predict() left ROW_OK although a GPU would refuse the case.
     * May be NULL. */
    void (*refuse)(const struct family *self, size_t index, struct row *row);

    /* Makes what all cases share on one GPU (buffers, kernels, counter sets), and undoes it.
     * May be NULL when there is nothing to share. */
    bool (*open)(const struct family *self, struct gpu *gpu, const struct measure_options *options,
                 void **state, struct error *error);
    void (*close)(struct gpu *gpu, void *state);

    /* Verifies, counts and times case i; `row` comes in as predict() left it. Sets status, reason,
     * verified and the measured columns. A fault of the GPU is returned as false with *error set:
     * the worker then ends and the harness writes the row. */
    bool (*measure)(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error);
};

/* Empties the row and lets the family predict case `index` into it. */
void row_predict(const struct family *family, size_t index, struct row *row);

/* A subcommand of the program. argv[0] is the command's own name. Returns the exit status. */
struct command {
    const char *name;
    const char *summary; /* one line for --help */
    int (*run)(int argc, char **argv);
};

/* bench/registry.c: the only list of families and of commands. NULL-terminated. */
extern const struct family *const registry_families[];
extern const struct command *const registry_commands[];

#endif
