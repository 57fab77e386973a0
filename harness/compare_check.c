/* Is what a file holds fit to be compared? */
#include "harness/compare_check.h"

#include <stdio.h>
#include <string.h>

#include "harness/compare_columns.h"
#include "harness/compare_units.h"
#include "harness/text.h"

enum { SHOWN_BYTES = 48 }; /* of a value in a sentence */

static void note(struct compare_side *side, const char *name, const char *what)
{
    text_append(side->notes, sizeof side->notes, "; ", name);
    text_append(side->notes, sizeof side->notes, " ", what);
}

/* ---- Columns ------------------------------------------------------------------------------- */

static bool is_known(const struct family *family, const char *name)
{
    const struct result_form form = {.family = family};
    const char *known;
    for (size_t i = 0; (known = result_column_name(&form, i)); i++) {
        if (strcmp(known, name) == 0)
            return true;
    }
    return false;
}

/* The file's column that is `wanted` in another unit, or NULL. */
static const char *in_other_unit(const struct family *family, const struct result_file *file,
                                 const char *wanted)
{
    for (size_t i = 0; i < file->column_count; i++) {
        const char *name = file->columns[i];
        if (!is_known(family, name) && compare_units_differ(name, wanted))
            return name;
    }
    return NULL;
}

/* Missing columns are said, and so are those that nobody knows. */
static bool check_columns(struct compare_side *side, const struct family *family,
                          const struct result_file *file, const char *path, struct error *error)
{
    char names[2048] = "", what[2112];
    for (size_t i = 0; i < RESULT_COMMON_COLUMNS; i++) {
        if (result_column(file, result_common_columns[i].name) < 0)
            return error_set(error, ERROR_INPUT, "%s: the header has no column '%s'", path,
                             result_common_columns[i].name);
    }
    for (size_t i = 0; i < family->column_count; i++) {
        const struct column *wanted = &family->columns[i];
        if (result_column(file, wanted->name) >= 0)
            continue;
        const char *other = in_other_unit(family, file, wanted->name);
        if (other)
            return error_set(error, ERROR_INPUT,
                             "%s:%zu: its column '%s' is '%s' of this program in another unit; "
                             "%s is needed",
                             path, file->header_line, other, wanted->name, wanted->unit);
        text_append(names, sizeof names, ", ", wanted->name);
    }
    if (*names) {
        snprintf(what, sizeof what, "has no %s", names);
        note(side, family->name, what);
    }
    names[0] = '\0';
    for (size_t i = 0; i < file->column_count; i++) {
        if (!is_known(family, file->columns[i]))
            text_append(names, sizeof names, ", ", file->columns[i]);
    }
    if (*names) {
        snprintf(what, sizeof what, "has %s, not compared", names);
        note(side, family->name, what);
    }
    return true;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static bool is_status(const char *text)
{
    for (enum row_status status = ROW_OK; status <= ROW_FAILED; status++) {
        if (strcmp(text, row_status_name(status)) == 0)
            return true;
    }
    return false;
}

static bool is_verified(const char *text)
{
    for (enum verified verified = VERIFIED_NOT_RUN; verified <= VERIFIED_NO; verified++) {
        if (strcmp(text, row_verified_name(verified)) == 0)
            return true;
    }
    return false;
}

/* What is wrong with the common columns of a row, and in which; NULL where nothing is. */
static const char *wrong_in_row(const struct family *family, const struct result_file *file,
                                size_t row, const char **column)
{
    const char *verified = result_value(file, row, "verified");
    const char *status = result_value(file, row, "status");
    *column = "family";
    if (strcmp(result_value(file, row, "family"), family->name) != 0)
        return "all rows of a file are of one family";
    *column = "status";
    if (!is_status(status))
        return "ok, refused, skipped or failed is needed";
    *column = "verified";
    if (!is_verified(verified))
        return "yes, no or - is needed";
    if (strcmp(status, row_status_name(ROW_OK)) == 0 &&
        strcmp(verified, row_verified_name(VERIFIED_NO)) == 0)
        return "the status is ok, and a row with wrong bytes is failed";
    return NULL;
}

static bool bad_value(const struct result_file *file, const char *path, size_t row,
                      const char *column, const char *wanted, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s:%zu: %s is '%.*s': %s", path, file->lines[row], column,
                     SHOWN_BYTES, result_value(file, row, column), wanted);
}

static bool check_rows(const struct family *family, const struct result_file *file,
                       const char *path, struct error *error)
{
    for (size_t row = 0; row < file->row_count; row++) {
        const char *column, *wrong = wrong_in_row(family, file, row, &column);
        if (wrong)
            return bad_value(file, path, row, column, wrong, error);
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* A column that the family does not have, NULL, is fine. */
static bool check_numbers(const struct result_file *file, const char *path, const char *column,
                          bool above_zero, struct error *error)
{
    int at = column ? result_column(file, column) : -1;
    for (size_t row = 0; at >= 0 && row < file->row_count; row++) {
        const char *text = file->fields[row * file->column_count + (size_t)at];
        double value;
        if (*text && (!text_number(text, &value) || (above_zero && value <= 0)))
            return bad_value(file, path, row, column,
                             above_zero ? "a number above 0 is needed, or nothing"
                                        : "a number is needed, or nothing",
                             error);
    }
    return true;
}

static const char *name_of(const struct column *column)
{
    return column ? column->name : NULL;
}

static bool check_values(const struct family *family, const struct result_file *file,
                         const char *path, struct error *error)
{
    struct compare_column columns[ROW_MAX_COLUMNS];
    size_t count = compare_columns_of(family, columns);
    for (size_t i = 0; i < count; i++) {
        const struct compare_column *c = &columns[i];
        bool median = c->kind == COMPARE_TIME || c->kind == COMPARE_RATE;
        if (!check_numbers(file, path, c->column->name, median, error) ||
            !check_numbers(file, path, name_of(c->least), median, error) ||
            !check_numbers(file, path, name_of(c->most), median, error) ||
            !check_numbers(file, path, name_of(c->expected), false, error))
            return false;
    }
    /* 0 where a row was not timed, as files of before have it. */
    return check_numbers(file, path, "sm_clock_mhz", false, error);
}

/* ---- A file -------------------------------------------------------------------------------- */

bool compare_check_file(struct compare_side *side, const struct family *family,
                        const struct result_file *file, const char *path, struct error *error)
{
    size_t twice[2];
    if (!check_columns(side, family, file, path, error))
        return false;
    if (result_find_twice(file, twice))
        return error_set(error, ERROR_INPUT,
                         "%s: lines %zu and %zu are both of case '%s'; leave one of them", path,
                         file->lines[twice[0]], file->lines[twice[1]],
                         result_value(file, twice[0], "case"));
    if (file->cut)
        note(side, family->name, "has an unfinished last row, left out");
    return check_rows(family, file, path, error) && check_values(family, file, path, error);
}
