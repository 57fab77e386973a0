/* A CSV file with columns by name, as users and other programs write it: which fields has the next
 * row? Lines that begin with # are comments, empty ones are skipped, further columns ignored. */
#ifndef SWIZZLEBENCH_BENCH_TABLE_H
#define SWIZZLEBENCH_BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/csv.h"
#include "harness/error.h"

enum { TABLE_MAX_COLUMNS = 16 };

struct table {
    const char *name; /* of the file, for sentences */
    char *text;
    struct csv_reader reader;
    size_t columns;                        /* that were asked for */
    size_t header_fields;                  /* that every row must have */
    size_t positions[TABLE_MAX_COLUMNS];   /* of each in the file */
    const char *fields[TABLE_MAX_COLUMNS]; /* of the row, in the order asked for */
    size_t line;                           /* of the row, from 1 */
};

/* Opens a file ("-": standard input) and finds the columns, `count` of them, in its header.
 * ERROR_INPUT when it cannot be read, is empty or lacks one. */
bool table_open(const char *name, const char *const *columns, size_t count, struct table *table,
                struct error *error);
void table_close(struct table *table);

/* Takes the next row. False at the end, with error->kind ERROR_NONE, and at a row that cannot be
 * taken apart or lacks fields. */
bool table_next(struct table *table, struct error *error);

/* Records "FILE, line N, COLUMN 'text': what would be right" as ERROR_INPUT. Returns false. */
bool table_bad_field(const struct table *table, const char *column, const char *text,
                     const char *wanted, struct error *error);

#endif
