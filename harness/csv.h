/* How are the fields of a CSV line quoted and taken apart? RFC 4180, with \n as the line's end. */
#ifndef SWIZZLEBENCH_HARNESS_CSV_H
#define SWIZZLEBENCH_HARNESS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes one field, quoted where it has to be. Errors stay in the stream (ferror). */
void csv_put(FILE *to, const char *field);

/* Text that is read record by record, in place: fields are unquoted where they lie. */
struct csv_reader {
    char *at, *end;
    size_t line; /* number of the line that `at` is on, from 1 */
};

/* Takes the next record apart. *count is the number of its fields, of which the first
 * `max_fields` are stored; each is ended by a NUL in the text. Returns false at the end of the
 * text, and where the text ends before the record's newline (at < end then tells the two apart,
 * and `at` stays at the record's start). */
bool csv_next(struct csv_reader *reader, char **fields, size_t max_fields, size_t *count);

#endif
