/* Which rows were not measured, and why? */
#include "harness/report.h"

#include <string.h>

/* A GPU without an engine skips thousands of rows for one reason. */
enum { MAX_REASONS = 32, ROWS_OF_A_REASON = 50 };

struct skipped {
    const char *reasons[MAX_REASONS];
    size_t rows[MAX_REASONS];
    size_t count;
};

/* Counts a skipped row. Returns its number among those with its reason, from 1. */
static size_t count_reason(struct skipped *skipped, const char *reason)
{
    size_t i = 0;
    while (i < skipped->count && strcmp(skipped->reasons[i], reason) != 0)
        i++;
    if (i == MAX_REASONS)
        return 1;
    if (i == skipped->count)
        skipped->reasons[skipped->count++] = reason;
    return ++skipped->rows[i];
}

static void add_row(struct grid *grid, const struct result_file *file, size_t row)
{
    report_cell(grid, result_value(file, row, "status"));
    report_cell(grid, result_value(file, row, "case"));
    report_cell(grid, result_value(file, row, "reason"));
}

static bool put_more(const struct skipped *skipped, const char *name, FILE *to)
{
    bool put = true;
    for (size_t i = 0; i < skipped->count; i++) {
        if (skipped->rows[i] <= ROWS_OF_A_REASON)
            continue;
        fprintf(to, "\nAnd %zu more skipped rows, which are in %s.csv: ",
                skipped->rows[i] - ROWS_OF_A_REASON, name);
        put = put && report_put(to, skipped->reasons[i]);
        fputc('\n', to);
    }
    return put;
}

bool report_rows(const struct report_file *file, FILE *to)
{
    static const char *const header[] = {"status", "case", "reason"};
    const char *ok = row_status_name(ROW_OK), *skip = row_status_name(ROW_SKIPPED);
    struct skipped skipped = {.count = 0};
    struct grid grid;
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < file->file->row_count; i++) {
        const char *status = result_value(file->file, i, "status");
        if (strcmp(status, ok) == 0)
            continue;
        if (strcmp(status, skip) != 0 ||
            count_reason(&skipped, result_value(file->file, i, "reason")) <= ROWS_OF_A_REASON)
            add_row(&grid, file->file, i);
    }
    if (grid_rows(&grid) == 0)
        fputs("None: every row is ok.\n", to);
    bool printed = grid_rows(&grid) == 0 || grid_print(&grid, GRID_MARKDOWN, to);
    grid_free(&grid);
    return printed && put_more(&skipped, file->name, to);
}
