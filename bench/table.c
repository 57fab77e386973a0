/* Which fields has the next row of a CSV file with columns by name? */
#include "bench/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_STEP_BYTES = 1 << 16, MAX_FILE_COLUMNS = 64, SHOWN_BYTES = 48 };

/* ---- The whole file ----------------------------------------------------------------------- */

/* Reads everything and ends it with a newline, which csv_next wants behind every row. */
static bool read_all(FILE *from, struct table *table, struct error *error)
{
    size_t room = 0, used = 0, got = 1;
    while (got > 0) {
        if (room - used < READ_STEP_BYTES + 2) {
            room = 2 * room + 2 * READ_STEP_BYTES;
            char *larger = realloc(table->text, room);
            if (!larger)
                return error_set(error, ERROR_MACHINE, "no memory for %s", table->name);
            table->text = larger;
        }
        got = fread(table->text + used, 1, room - used - 2, from);
        if (memchr(table->text + used, '\0', got)) /* at once: /dev/zero has no end */
            return error_set(error, ERROR_INPUT, "%s is no text file", table->name);
        used += got;
    }
    if (ferror(from))
        return error_set(error, ERROR_INPUT, "cannot read %s: %s", table->name, strerror(errno));
    if (used > 0 && table->text[used - 1] != '\n')
        table->text[used++] = '\n';
    table->text[used] = '\0';
    table->reader = (struct csv_reader){table->text, table->text + used, 1};
    return true;
}

/* ---- Records ------------------------------------------------------------------------------ */

static void skip_comments(struct table *table)
{
    struct csv_reader *reader = &table->reader;
    while (*reader->at == '#' || *reader->at == '\n' || *reader->at == '\r') {
        reader->at = strchr(reader->at, '\n') + 1;
        reader->line++;
    }
}

static bool take_record(struct table *table, char **fields, size_t *count, struct error *error)
{
    error->kind = ERROR_NONE;
    skip_comments(table);
    table->line = table->reader.line;
    if (csv_next(&table->reader, fields, MAX_FILE_COLUMNS, count))
        return true;
    if (table->reader.at < table->reader.end)
        error_set(error, ERROR_INPUT, "%s, line %zu: a quotation mark is never closed", table->name,
                  table->line);
    return false;
}

static bool read_header(struct table *table, const char *const *columns, struct error *error)
{
    char *fields[MAX_FILE_COLUMNS];
    size_t count;
    if (!take_record(table, fields, &count, error))
        return error->kind == ERROR_NONE
                   ? error_set(error, ERROR_INPUT, "%s is empty: a line of column names is needed",
                               table->name)
                   : false;
    table->header_fields = count;
    for (size_t i = 0; i < table->columns; i++) {
        size_t at = 0;
        while (at < count && at < MAX_FILE_COLUMNS && strcmp(fields[at], columns[i]) != 0)
            at++;
        if (at == count || at == MAX_FILE_COLUMNS)
            return error_set(error, ERROR_INPUT, "%s, line %zu: the header has no column %s",
                             table->name, table->line, columns[i]);
        table->positions[i] = at;
    }
    return true;
}

bool table_open(const char *name, const char *const *columns, size_t count, struct table *table,
                struct error *error)
{
    bool is_input = strcmp(name, "-") == 0;
    *table = (struct table){.name = is_input ? "standard input" : name, .columns = count};
    FILE *from = is_input ? stdin : fopen(name, "r");
    if (!from)
        return error_set(error, ERROR_INPUT, "cannot open %s: %s", name, strerror(errno));
    bool read = read_all(from, table, error);
    if (!is_input)
        fclose(from);
    if (read && read_header(table, columns, error))
        return true;
    table_close(table);
    return false;
}

void table_close(struct table *table)
{
    free(table->text);
    table->text = NULL;
}

bool table_next(struct table *table, struct error *error)
{
    char *fields[MAX_FILE_COLUMNS];
    size_t count;
    if (!take_record(table, fields, &count, error))
        return false;
    if (count != table->header_fields)
        return error_set(error, ERROR_INPUT, "%s, line %zu: the row has %zu fields, the header %zu",
                         table->name, table->line, count, table->header_fields);
    for (size_t i = 0; i < table->columns; i++)
        table->fields[i] = fields[table->positions[i]];
    return true;
}

bool table_bad_field(const struct table *table, const char *column, const char *text,
                     const char *wanted, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s, line %zu, %s '%.*s': %s", table->name, table->line,
                     column, SHOWN_BYTES, text, wanted);
}
