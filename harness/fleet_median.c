/* What do most GPUs of a fleet say? Medians of what is measured, the most common of all else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/csv.h"
#include "harness/fleet.h"
#include "harness/stats.h"
#include "harness/text.h"
#include "harness/version.h"

enum { STATUS = 2 }; /* among the common columns */

/* A case of all sides, and the columns that they have it in. */
struct table {
    const struct compare_side *sides;
    size_t count, family;
    struct result_form form;
    size_t column_count;
    bool measured[RESULT_MAX_COLUMNS]; /* the median is taken */
    int *places;                       /* side x column: its number in the side's file, or -1 */
    long *rows;                        /* of the case on each side, or -1 */
    const char **texts;                /* room for one of each side */
    double *numbers;
};

static const struct result_file *file_of(const struct table *table, size_t side)
{
    return &table->sides[side].files[table->family];
}

/* Times, rates, the ends of their samples, and the SM clock. */
static void find_measured(struct table *table)
{
    struct compare_column columns[ROW_MAX_COLUMNS];
    size_t count = compare_columns_of(registry_families[table->family], columns);
    for (size_t i = 0; i < table->column_count; i++) {
        const char *name = result_column_name(&table->form, i);
        table->measured[i] = strcmp(name, "sm_clock_mhz") == 0;
        for (size_t c = 0; c < count && !table->measured[i]; c++) {
            const struct column *these[] = {columns[c].column, columns[c].least, columns[c].most};
            bool timed = columns[c].kind == COMPARE_TIME || columns[c].kind == COMPARE_RATE;
            for (size_t t = 0; timed && t < 3; t++)
                table->measured[i] |= these[t] && strcmp(these[t]->name, name) == 0;
        }
    }
}

static void find_places(struct table *table)
{
    for (size_t s = 0; s < table->count; s++) {
        for (size_t i = 0; i < table->column_count; i++)
            table->places[s * table->column_count + i] =
                result_column(file_of(table, s), result_column_name(&table->form, i));
    }
}

static const char *value_of(const struct table *table, size_t side, size_t column)
{
    const struct result_file *file = file_of(table, side);
    int place = table->places[side * table->column_count + column];
    if (table->rows[side] < 0 || place < 0)
        return "";
    return file->fields[(size_t)table->rows[side] * file->column_count + (size_t)place];
}

/* The texts of a column, less the empty ones, of those sides that say `status` (NULL: of all). */
static size_t gather(struct table *table, size_t column, const char *status)
{
    size_t count = 0;
    for (size_t s = 0; s < table->count; s++) {
        const char *text = value_of(table, s, column);
        if (*text && (!status || strcmp(value_of(table, s, STATUS), status) == 0))
            table->texts[count++] = text;
    }
    return count;
}

/* Of equally common ones the first. */
static const char *most_common(const struct table *table, size_t count)
{
    const char *best = "";
    size_t most = 0;
    for (size_t i = 0; i < count && 2 * most < count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < count; j++)
            same += strcmp(table->texts[i], table->texts[j]) == 0;
        if (same > most) {
            most = same;
            best = table->texts[i];
        }
    }
    return best;
}

static void put_median(struct table *table, size_t count, FILE *to)
{
    size_t numbers = 0;
    for (size_t i = 0; i < count; i++) {
        if (text_number(table->texts[i], &table->numbers[numbers]))
            numbers++;
    }
    if (numbers > 0)
        fprintf(to, "%.10g", stats_median(table->numbers, numbers));
}

static void put_row(struct table *table, FILE *to)
{
    const char *status = most_common(table, gather(table, STATUS, NULL));
    size_t sides = gather(table, STATUS, status);
    for (size_t i = 0; i < table->column_count; i++) {
        size_t count = gather(table, i, status);
        if (2 * count < sides)
            count = 0; /* what most do not have, the fleet does not */
        if (i > 0)
            fputc(',', to);
        if (table->measured[i])
            put_median(table, count, to);
        else
            csv_put(to, most_common(table, count));
    }
    fputc('\n', to);
}

/* Finds the case on every side; true where it is not on one before `side`, and on at least half. */
static bool is_new(struct table *table, const char *name, size_t side)
{
    size_t present = 0;
    for (size_t s = 0; s < table->count; s++) {
        table->rows[s] = result_find_case(file_of(table, s), name);
        if (s < side && table->rows[s] >= 0)
            return false;
        present += table->rows[s] >= 0;
    }
    return 2 * present >= table->count;
}

static void put_file(struct table *table, FILE *to)
{
    fprintf(to, "# schema: %s\n# backend: median\n# gpu: median of %zu folders\n# version: %s\n",
            SWIZZLEBENCH_SCHEMA, table->count, SWIZZLEBENCH_VERSION);
    for (size_t i = 0; i < table->column_count; i++)
        fprintf(to, "%s%s", i > 0 ? "," : "", result_column_name(&table->form, i));
    fputc('\n', to);
    for (size_t s = 0; s < table->count; s++) {
        const struct result_file *file = file_of(table, s);
        for (size_t r = 0; r < file->row_count; r++) {
            if (is_new(table, result_value(file, r, "case"), s))
                put_row(table, to);
        }
    }
}

/* What others measured is not written over: a file that is there must be a median itself. */
static bool may_write(const char *path, struct error *error)
{
    char line[256];
    bool median = false;
    FILE *there = fopen(path, "r");
    if (!there)
        return true;
    while (!median && fgets(line, sizeof line, there) && line[0] == '#')
        median = strcmp(line, "# backend: median\n") == 0;
    fclose(there);
    return median || error_set(error, ERROR_INPUT,
                               "%s is there and holds no median: it is not written over; name "
                               "another folder with --median",
                               path);
}

bool fleet_median_write(const struct compare_side *sides, size_t count, size_t family,
                        const char *path, struct error *error)
{
    struct table table = {.sides = sides,
                          .count = count,
                          .family = family,
                          .form = {.family = registry_families[family]}};
    while (result_column_name(&table.form, table.column_count))
        table.column_count++;
    table.places = malloc(count * table.column_count * sizeof *table.places);
    table.rows = malloc(count * sizeof *table.rows);
    table.texts = malloc(count * sizeof *table.texts);
    table.numbers = malloc(count * sizeof *table.numbers);
    bool room = table.places && table.rows && table.texts && table.numbers;
    bool written =
        room ? may_write(path, error) : error_set(error, ERROR_FAILED, "no memory for %s", path);
    FILE *to = written ? fopen(path, "w") : NULL;
    if (to) {
        find_measured(&table);
        find_places(&table);
        put_file(&table, to);
    }
    if (written && (!to || (ferror(to) | fclose(to))))
        written = error_set(error, ERROR_FAILED, "cannot write %s: %s", path, strerror(errno));
    free(table.places);
    free(table.rows);
    free(table.texts);
    free(table.numbers);
    return written;
}
