/* Is a result file read as what it says, and do two compare without harm, one with itself as equal?
 * A line %% stands between two files; without one the file is compared with itself. */
#include <stdlib.h>
#include <string.h>

#include "harness/compare_fail.h"
#include "harness/compare_print.h"
#include "harness/csv.h"
#include "tests/fuzz/fuzz.h"

/* ---- Printed and read again ---------------------------------------------------------------- */

static void print_record(FILE *to, char **fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", to);
        csv_put(to, fields[i]);
    }
    fputc('\n', to);
}

static char *print_file(const struct result_file *file)
{
    FILE *to = fuzz_print();
    fputs("# schema: fuzzed\n", to);
    print_record(to, (char **)file->columns, file->column_count);
    for (size_t i = 0; i < file->row_count; i++)
        print_record(to, file->fields + i * file->column_count, file->column_count);
    return strdup(fuzz_printed(to));
}

static void check_printed(const struct result_file *file)
{
    struct result_file again;
    struct error error = {.kind = ERROR_NONE};
    char *text = print_file(file);
    FUZZ_CHECK(text && result_read(fuzz_file(1, (uint8_t *)text, strlen(text)), &again, &error));
    FUZZ_CHECK(again.column_count == file->column_count && again.row_count == file->row_count);
    for (size_t i = 0; i < file->column_count; i++)
        FUZZ_CHECK(strcmp(file->columns[i], again.columns[i]) == 0);
    for (size_t i = 0; i < file->row_count * file->column_count; i++)
        FUZZ_CHECK(strcmp(file->fields[i], again.fields[i]) == 0);
    result_free(&again);
    free(text);
}

/* What looks at a file alone. The fields of a comment's line begin no record. */
static void check_read(const char *path)
{
    struct result_file file;
    struct error error = {.kind = ERROR_NONE};
    if (fuzz_read_or_refused(result_read(path, &file, &error), &error)) {
        for (size_t i = 0; i < file.row_count; i++)
            FUZZ_CHECK(result_find_case(&file, result_value(&file, i, "case")) >= 0);
        if (file.column_count > 0 && file.columns[0][0] != '#')
            check_printed(&file);
    }
    result_free(&file);
}

/* ---- Compared ------------------------------------------------------------------------------ */

static void check_pair(const struct compare_pair *pair, bool is_itself)
{
    const struct compare_conditions none = {.failed = false};
    struct compare_conditions all = {.lost = true};
    struct grid grid;
    for (size_t i = 0; i < DIFFERENCE_KINDS; i++)
        all.kinds[i] = true;
    FUZZ_CHECK(!compare_conditions_met(&none, pair));
    FUZZ_CHECK(compare_conditions_met(&all, pair) == (pair->difference_count > 0));
    FUZZ_CHECK(pair->matched <= pair->first_rows && pair->matched <= pair->other_rows);
    FUZZ_CHECK(!is_itself || (pair->difference_count == 0 && pair->matched == pair->first_rows &&
                              pair->matched == pair->other_rows));
    for (enum grid_style style = GRID_TEXT; style <= GRID_MARKDOWN; style++) {
        compare_rows_start(&grid, style);
        compare_rows_add(&grid, pair, style);
        FUZZ_CHECK(grid_print(&grid, style, stdout));
        grid_free(&grid);
    }
    FUZZ_CHECK(compare_print_summary(pair, GRID_MARKDOWN));
}

static void compare(struct compare_side *sides, bool is_itself)
{
    struct compare_settings settings = {.threshold = 0.005};
    struct error error = {.kind = ERROR_NONE};
    if (!fuzz_read_or_refused(compare_sides_check(sides, 2, &error), &error))
        return;
    FUZZ_CHECK(compare_print_heads(sides, 2, GRID_TEXT));
    for (size_t f = 0; registry_families[f]; f++) {
        struct compare_pair pair;
        settings.absolute = f % 2;
        if (!sides[0].names[f] && !sides[1].names[f])
            continue;
        FUZZ_CHECK(compare_pair_make(&sides[0], &sides[1], f, &settings, &pair, &error));
        check_pair(&pair, is_itself);
        compare_pair_free(&pair);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char between[] = "\n%%\n";
    static struct compare_side sides[2];
    struct error error = {.kind = ERROR_NONE};
    const uint8_t *middle = memmem(data, bytes, between, strlen(between));
    size_t first = middle ? (size_t)(middle - data) + 1 : bytes;
    check_read(fuzz_file(0, data, first));

    const char *paths[2] = {fuzz_file(0, data, first), NULL};
    paths[1] = middle ? fuzz_file(1, data + first + 3, bytes - first - 3) : paths[0];
    bool read = fuzz_read_or_refused(compare_side_read(paths[0], 'A', &sides[0], &error), &error);
    if (read && fuzz_read_or_refused(compare_side_read(paths[1], 'B', &sides[1], &error), &error))
        compare(sides, !middle);
    compare_side_free(&sides[0]);
    compare_side_free(&sides[1]);
    return 0;
}
