/* Between what do the numbers of a result file lie, and how many rows have which status? */
#include "harness/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats.h"
#include "harness/text.h"

struct report_counts report_count(const struct result_file *file)
{
    struct report_counts counts = {.verified = 0};
    for (size_t i = 0; i < file->row_count; i++) {
        const char *status = result_value(file, i, "status");
        const char *verified = result_value(file, i, "verified");
        for (int s = ROW_OK; s <= ROW_FAILED; s++)
            counts.status[s] += strcmp(status, row_status_name((enum row_status)s)) == 0;
        counts.verified += strcmp(verified, row_verified_name(VERIFIED_YES)) == 0;
        counts.wrong += strcmp(verified, row_verified_name(VERIFIED_NO)) == 0;
    }
    return counts;
}

/* ---- A column ------------------------------------------------------------------------------ */

enum content { CONTENT_NONE, CONTENT_NUMBERS, CONTENT_WORDS };

/* Collects the column's numbers of the rows that are ok. */
static enum content collect(const struct result_file *file, size_t column, double *values,
                            size_t *count)
{
    int status = result_column(file, "status");
    *count = 0;
    for (size_t i = 0; i < file->row_count; i++) {
        char *const *fields = file->fields + i * file->column_count;
        if (strcmp(fields[status], row_status_name(ROW_OK)) != 0 || *fields[column] == '\0')
            continue;
        if (!text_number(fields[column], &values[*count]))
            return CONTENT_WORDS;
        ++*count;
    }
    return *count > 0 ? CONTENT_NUMBERS : CONTENT_NONE;
}

static const struct column *find(const struct family *family, const char *name)
{
    for (size_t i = 0; family && i < family->column_count; i++) {
        if (strcmp(family->columns[i].name, name) == 0)
            return &family->columns[i];
    }
    return NULL;
}

static bool is_common(const char *name)
{
    for (size_t i = 0; i < RESULT_COMMON_COLUMNS; i++) {
        if (strcmp(result_common_columns[i].name, name) == 0)
            return true;
    }
    return false;
}

/* 1048576 and not 1.04858e+06. */
static void add_number(struct grid *grid, double value)
{
    if (value == floor(value) && fabs(value) < 1e15)
        grid_cell(grid, "%.0f", value);
    else
        grid_cell(grid, "%.6g", value);
}

static void add_numbers(struct grid *grid, const struct report_file *file, const char *name,
                        double *values, size_t count)
{
    const struct column *column = find(file->family, name);
    struct stats stats = stats_of(values, count);
    grid_cell(grid, "`%s`", name);
    grid_cell(grid, "%s", column ? column->unit : "-");
    grid_cell(grid, "%zu", count);
    add_number(grid, stats.min);
    add_number(grid, stats.median);
    add_number(grid, stats.max);
    report_cell(grid, column ? column->meaning : "");
}

static void put_names(FILE *to, const char *what, const char *names)
{
    if (*names)
        fprintf(to, "\n%s: %s.\n", what, names);
}

/* ---- The table ----------------------------------------------------------------------------- */

static bool put_table(const struct report_file *file, double *values, FILE *to)
{
    static const char *const header[] = {"column", "unit", "rows",   "least",
                                         "median", "most", "meaning"};
    char words[4096] = "", none[4096] = "", name[128];
    struct grid grid;
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t c = 0; c < file->file->column_count; c++) {
        const char *column = file->file->columns[c];
        size_t count;
        if (is_common(column))
            continue;
        enum content content = collect(file->file, c, values, &count);
        snprintf(name, sizeof name, "`%s`", column);
        if (content == CONTENT_NUMBERS)
            add_numbers(&grid, file, column, values, count);
        else if (content == CONTENT_WORDS)
            text_append(words, sizeof words, ", ", name);
        else
            text_append(none, sizeof none, ", ", name);
    }
    bool printed = grid_rows(&grid) == 0 || grid_print(&grid, GRID_MARKDOWN, to);
    grid_free(&grid);
    put_names(to, "Columns of words", words);
    put_names(to, "Columns that are empty in every row that is ok", none);
    return printed;
}

bool report_numbers(const struct report_file *file, FILE *to)
{
    double *values = malloc((file->file->row_count + 1) * sizeof *values);
    bool printed = values && put_table(file, values, to);
    free(values);
    return printed;
}
