/* What stands in a result file, and how far is it whole? */
#include "harness/result.h"

#include <stdlib.h>
#include <string.h>

#include "harness/csv.h"
#include "harness/slurp.h"
#include "harness/version.h"

static bool no_memory(const char *path, struct error *error)
{
    return error_set(error, ERROR_FAILED, "no memory to read %s", path);
}

/* Takes the `# key: value` lines. Returns false where the text ends within one. */
static bool take_head(struct csv_reader *reader, struct result_file *file)
{
    while (reader->at < reader->end && *reader->at == '#') {
        char *line = reader->at, *stop = memchr(line, '\n', (size_t)(reader->end - line));
        if (!stop)
            return false;
        *stop = '\0';
        if (stop > line && stop[-1] == '\r')
            stop[-1] = '\0';
        reader->at = stop + 1;
        reader->line++;
        char *colon = strstr(line, ": ");
        if (!colon || file->key_count == sizeof file->keys / sizeof file->keys[0])
            continue;
        *colon = '\0';
        file->keys[file->key_count].name = line + 1 + strspn(line + 1, " ");
        file->keys[file->key_count++].value = colon + 2;
    }
    return true;
}

/* Of two columns of one name nobody could tell which is meant. */
static bool check_header(const struct result_file *file, const char *path, struct error *error)
{
    for (size_t i = 1; i < file->column_count; i++) {
        size_t first = (size_t)result_column(file, file->columns[i]);
        if (first < i)
            return error_set(error, ERROR_INPUT,
                             "%s:%zu: columns %zu and %zu are both called '%s'; leave one of them",
                             path, file->header_line, first + 1, i + 1, file->columns[i]);
    }
    return true;
}

static bool add_row(struct result_file *file, char **fields, size_t line, size_t *room)
{
    if (file->row_count == *room) {
        *room = *room ? 2 * *room : 256;
        char **larger = realloc(file->fields, *room * file->column_count * sizeof *larger);
        if (!larger)
            return false;
        file->fields = larger;
        size_t *longer = realloc(file->lines, *room * sizeof *longer);
        if (!longer)
            return false;
        file->lines = longer;
    }
    memcpy(file->fields + file->row_count * file->column_count, fields,
           file->column_count * sizeof *fields);
    file->lines[file->row_count++] = line;
    return true;
}

static bool take_rows(struct csv_reader *reader, const char *path, struct result_file *file,
                      struct error *error)
{
    char *fields[sizeof file->columns / sizeof file->columns[0]];
    size_t room = 0, count;
    for (;;) {
        size_t line = reader->line;
        file->whole_bytes = reader->at - file->text;
        if (!csv_next(reader, fields, sizeof fields / sizeof fields[0], &count))
            break;
        if (count == file->column_count) {
            if (!add_row(file, fields, line, &room))
                return no_memory(path, error);
        } else if (reader->at == reader->end) {
            file->cut = true;
            return true;
        } else {
            return error_set(error, ERROR_INPUT, "%s:%zu: the row has %zu fields, the header %zu",
                             path, line, count, file->column_count);
        }
    }
    file->cut = reader->at < reader->end;
    return true;
}

static int by_case(const void *a, const void *b, void *context)
{
    const struct result_file *file = context;
    return strcmp(result_value(file, *(const size_t *)a, "case"),
                  result_value(file, *(const size_t *)b, "case"));
}

static bool sort_cases(struct result_file *file, const char *path, struct error *error)
{
    file->by_case = malloc((file->row_count + 1) * sizeof *file->by_case);
    if (!file->by_case)
        return no_memory(path, error);
    for (size_t i = 0; i < file->row_count; i++)
        file->by_case[i] = i;
    qsort_r(file->by_case, file->row_count, sizeof *file->by_case, by_case, file);
    return true;
}

bool result_read(const char *path, struct result_file *file, struct error *error)
{
    static const char beginning[] = "# schema: ";
    size_t length = 0, columns = 0;
    *file = (struct result_file){.row_count = 0};
    if (!file_slurp(path, &file->text, &length, error))
        return false;
    /* After a loss of power a file may end in zeros that were never written. */
    length = strlen(file->text);
    size_t known = length < strlen(beginning) ? length : strlen(beginning);
    if (strncmp(file->text, beginning, known) != 0)
        return error_set(error, ERROR_INPUT, "%s:1: not a result file: it does not begin with '%s'",
                         path, beginning);
    struct csv_reader reader = {.at = file->text, .end = file->text + length, .line = 1};
    bool whole_head = take_head(&reader, file);
    file->header_line = reader.line;
    if (!whole_head || !csv_next(&reader, file->columns,
                                 sizeof file->columns / sizeof file->columns[0], &columns)) {
        file->cut = true;
        return true;
    }
    if (columns > sizeof file->columns / sizeof file->columns[0])
        return error_set(error, ERROR_INPUT, "%s: more than %zu columns", path,
                         sizeof file->columns / sizeof file->columns[0]);
    file->column_count = columns;
    return check_header(file, path, error) && take_rows(&reader, path, file, error) &&
           sort_cases(file, path, error);
}

void result_free(struct result_file *file)
{
    free(file->by_case);
    free(file->fields);
    free(file->lines);
    free(file->text);
    *file = (struct result_file){.row_count = 0};
}

const char *result_key(const struct result_file *file, const char *name)
{
    for (size_t i = 0; i < file->key_count; i++) {
        if (strcmp(file->keys[i].name, name) == 0)
            return file->keys[i].value;
    }
    return NULL;
}

bool result_is_current(const struct result_file *file)
{
    const char *schema = result_key(file, "schema");
    return schema && strcmp(schema, SWIZZLEBENCH_SCHEMA) == 0;
}

int result_column(const struct result_file *file, const char *name)
{
    for (size_t i = 0; i < file->column_count; i++) {
        if (strcmp(file->columns[i], name) == 0)
            return (int)i;
    }
    return -1;
}

const char *result_value(const struct result_file *file, size_t row, const char *column)
{
    int at = result_column(file, column);
    return at < 0 ? "" : file->fields[row * file->column_count + (size_t)at];
}

long result_find_case(const struct result_file *file, const char *case_name)
{
    size_t low = 0, high = file->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t row = file->by_case[middle];
        int order = strcmp(case_name, result_value(file, row, "case"));
        if (order == 0)
            return (long)row;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

bool result_find_twice(const struct result_file *file, size_t rows[2])
{
    for (size_t i = 1; i < file->row_count; i++) {
        size_t a = file->by_case[i - 1], b = file->by_case[i];
        if (strcmp(result_value(file, a, "case"), result_value(file, b, "case")) != 0)
            continue;
        rows[0] = a < b ? a : b;
        rows[1] = a < b ? b : a;
        return true;
    }
    return false;
}
