/* What does a family predict for a case that is known by its name? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/cases.h"

size_t case_column(const struct family *family, const char *name)
{
    for (size_t i = 0; i < family->column_count; i++)
        if (strcmp(family->columns[i].name, name) == 0)
            return i;
    fail_msg("no column %s", name);
    return 0;
}

size_t case_index(const struct family *family, const char *case_name)
{
    static struct row row;
    for (size_t i = 0; i < family->case_count(family, true); i++) {
        row_predict(family, i, &row);
        if (strcmp(row.case_name, case_name) == 0)
            return i;
    }
    fail_msg("no case %s", case_name);
    return 0;
}

void assert_case(const struct family *family, const char *case_name, const char *column,
                 const char *value)
{
    static struct row row;
    size_t number = case_column(family, column);
    row_predict(family, case_index(family, case_name), &row);
    if (strcmp(row.values[number], value) != 0)
        fail_msg("%s: %s is %s, not %s", case_name, column, row.values[number], value);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void assert_unique_cases(const struct family *family)
{
    size_t count = family->case_count(family, true);
    char **names = calloc(count, sizeof *names);
    static struct row row;
    for (size_t i = 0; i < count; i++) {
        row_predict(family, i, &row);
        names[i] = strdup(row.case_name);
    }
    qsort(names, count, sizeof *names, by_text);
    for (size_t i = 1; i < count; i++)
        assert_string_not_equal(names[i - 1], names[i]);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

void assert_first_of_full(const struct family *family, const char *case_name)
{
    static struct row row;
    row_predict(family, family->case_count(family, false), &row);
    assert_string_equal(row.case_name, case_name);
}

void working_open(struct working_family *w)
{
    struct error error = {.kind = ERROR_NONE};
    if (!w->family->open(w->family, w->gpu, &w->options, &w->state, &error))
        fail_msg("%s", error.text);
}

void working_close(struct working_family *w)
{
    w->family->close(w->gpu, w->state);
}

void working_measure(const struct working_family *w, size_t index, struct row *row)
{
    struct error error = {.kind = ERROR_NONE};
    row_predict(w->family, index, row);
    if (row->status == ROW_OK &&
        !w->family->measure(w->gpu, w->state, index, &w->options, row, &error))
        fail_msg("%s: %s", row->case_name, error.text);
}

const char *working_value(const struct working_family *w, const struct row *row, const char *column)
{
    return row->values[case_column(w->family, column)];
}

void assert_ends(const struct working_family *w, size_t index, enum row_status status,
                 const char *reason)
{
    static struct row row;
    working_measure(w, index, &row);
    if (row.status != status || !strstr(row.reason, reason))
        fail_msg("%s: %s, %s; not %s, %s", row.case_name, row_status_name(row.status), row.reason,
                 row_status_name(status), reason);
}

void assert_uncounted(struct working_family *w, size_t index)
{
    static const char executed[] = "_executed";
    static struct row row;
    bool counters = w->options.counters;
    w->options.counters = false;
    working_open(w);
    working_measure(w, index, &row);
    working_close(w);
    w->options.counters = counters;
    assert_int_equal(row.status, ROW_OK);
    for (size_t i = 0; i < w->family->column_count; i++) {
        const struct column *column = &w->family->columns[i];
        const char *name = column->name, *end = strstr(name, executed);
        bool is_count = (strncmp(name, "hw_", 3) == 0 && strcmp(column->unit, "-") != 0) ||
                        (end && strcmp(end, executed) == 0);
        if (is_count && row.values[i][0])
            fail_msg("%s is %s without counters", name, row.values[i]);
    }
}

void assert_counts_ahead(struct working_family *w, const unsigned *sessions)
{
    static struct row row;
    size_t cases[COUNTERS_MAX_LAUNCHES + 1];
    unsigned before = *sessions;
    working_open(w);
    for (size_t i = 0; i <= COUNTERS_MAX_LAUNCHES; i++)
        cases[i] = i;
    for (size_t i = 0; i <= COUNTERS_MAX_LAUNCHES; i++) {
        w->options.cases = &cases[i];
        w->options.case_count = COUNTERS_MAX_LAUNCHES + 1 - i;
        working_measure(w, i, &row);
        assert_int_equal(row.status, ROW_OK);
        assert_int_equal(*sessions - before, i < COUNTERS_MAX_LAUNCHES ? 2 : 3);
    }
    w->options.case_count = 0;
    working_measure(w, 3, &row);
    working_measure(w, 4, &row);
    assert_int_equal(*sessions - before, 5);
    working_close(w);
}
