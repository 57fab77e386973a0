/* What does a result file look like, how is it written so that no crash costs more than a row, and
 * how is it read?
 *
 * `# key: value` lines, a header, rows; RFC 4180 quoting. The first columns are those of
 * `result_common_columns`, then a family's own, then one for each metric of --metrics.
 */
#ifndef SWIZZLEBENCH_HARNESS_RESULT_H
#define SWIZZLEBENCH_HARNESS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/error.h"
#include "harness/family.h"

enum { RESULT_VERIFIED = 4 }; /* the one common column that is not known before measuring */
enum { RESULT_COMMON_COLUMNS = 5, RESULT_MAX_COLUMNS = RESULT_COMMON_COLUMNS + ROW_MAX_COLUMNS };
extern const struct column result_common_columns[RESULT_COMMON_COLUMNS];

/* ---- What stands in a file ---------------------------------------------------------------- */

/* The head's keys, in their order in the file. */
enum head_key {
    HEAD_SCHEMA,
    HEAD_BACKEND,
    HEAD_GPU,
    HEAD_GPU_UUID,
    HEAD_COMPUTE_CAPABILITY,
    HEAD_SM_COUNT,
    HEAD_DRIVER,
    HEAD_CUDA,
    HEAD_VERSION,
    HEAD_COMMAND,
    HEAD_DATE,
    HEAD_COUNTERS,
    HEAD_KEYS
};
extern const char *const result_head_names[HEAD_KEYS];

struct result_head {
    char values[HEAD_KEYS][512];
};

/* Sets one value; a line end in it becomes a blank. */
void result_head_set(struct result_head *head, enum head_key key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A file of one family: its name and columns, and the metrics behind them. */
struct result_form {
    const struct family *family;
    const char *const *metrics;
    size_t metric_count;
};

/* Name of column `index` counted over the whole row, or NULL past the last. */
const char *result_column_name(const struct result_form *form, size_t index);

/* The value that `row` holds in that column. */
const char *result_row_value(const struct result_form *form, const struct row *row, size_t index);

/* ---- Writing ------------------------------------------------------------------------------ */

struct result_writer {
    const char *path;
    const struct result_form *form;
    int fd;          /* -1: nothing is written yet */
    int64_t bytes;   /* length of the file up to its last whole row */
    double synced_s; /* when it last went to the disk */
    bool unsynced;
};

/* Moves an existing file out of the way, to PATH.previous (what stood there is replaced). Fails
 * with ERROR_INPUT when another run is writing it. A path that is no regular file stays. */
bool result_set_aside(const char *path, struct error *error);

/* Begins a new file with its head and header. `form` and `path` must outlive the writer. */
bool result_create(struct result_writer *writer, const char *path, const struct result_form *form,
                   const struct result_head *head, struct error *error);

struct result_file;

/* Continues an existing file: reads it into *kept, cuts an unfinished last row off, and appends
 * from there. ERROR_INPUT when its head or header is not what this run would write, or a case is
 * there twice. With no file, or one that was cut before its first row, *kept is empty and the file
 * must be created. */
bool result_resume(struct result_writer *writer, const char *path, const struct result_form *form,
                   const struct result_head *head, struct result_file *kept, struct error *error);

/* Appends a row with one write(2). Where the row does not go whole (disk full), that is an error,
 * and what went is taken back, so that the file ends with a whole row. */
bool result_append(struct result_writer *writer, const struct row *row, struct error *error);

/* Brings what was appended to the disk, unless that was done less than a second ago. */
bool result_sync(struct result_writer *writer, struct error *error);

/* Brings everything to the disk and closes. */
bool result_close(struct result_writer *writer, struct error *error);

/* ---- Reading ------------------------------------------------------------------------------ */

struct result_key {
    const char *name, *value;
};

/* A file in memory; all text lies in `text`. */
struct result_file {
    char *text;
    struct result_key keys[32];
    size_t key_count;
    char *columns[2 * RESULT_MAX_COLUMNS];
    size_t column_count; /* 0: the file ends before its header does */
    size_t header_line;  /* on which it begins, from 1 */
    char **fields;       /* row_count x column_count */
    size_t *lines;       /* on which each row begins, from 1 */
    size_t row_count;
    size_t *by_case;     /* row numbers, sorted by case */
    int64_t whole_bytes; /* length up to the last whole row */
    bool cut;            /* the last row was unfinished and is not among the rows */
};

/* Reads a file, whose lines may end in CR LF. An unfinished last row is left out; any other damage
 * is ERROR_INPUT, with path and line, and so are two columns of one name. Close with result_free,
 * also after a failure. */
bool result_read(const char *path, struct result_file *file, struct error *error);
void result_free(struct result_file *file);

/* Value of a key of the head, or NULL. */
const char *result_key(const struct result_file *file, const char *name);

/* Whether the file has the schema of this program. */
bool result_is_current(const struct result_file *file);

/* Number of a column, or -1. */
int result_column(const struct result_file *file, const char *name);

/* Value in a row by the column's name; "" where the file has no such column. */
const char *result_value(const struct result_file *file, size_t row, const char *column);

/* Number of the row of a case, or -1. */
long result_find_case(const struct result_file *file, const char *case_name);

/* Two rows of one case, the earlier in rows[0]. Returns false where each case is there once. */
bool result_find_twice(const struct result_file *file, size_t rows[2]);

#endif
