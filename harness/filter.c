/* Which cases does --filter choose? */
#include "harness/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "harness/result.h"
#include "harness/text.h"

/* Length of the term that `text` begins with: up to a comma without a backslash. */
static size_t term_length(const char *text)
{
    size_t length = 0;
    while (text[length] && text[length] != ',')
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    return length;
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = '\0';
}

static bool parse_term(const char *text, struct filter_term *term, struct error *error)
{
    const char *equals = strchr(text, '=');
    *term = (struct filter_term){.negated = equals && equals > text && equals[-1] == '!'};
    const char *pattern = equals ? equals + 1 : text;
    size_t name = equals ? (size_t)(equals - text) - term->negated : 0;
    if (*text == '\0' || (equals && name == 0))
        return error_set(error, ERROR_INPUT,
                         "--filter: empty term '%s'; terms are column=glob, column!=glob or a part "
                         "of a case's name",
                         text);
    if (name >= sizeof term->column || strlen(pattern) >= sizeof term->pattern)
        return error_set(error, ERROR_INPUT, "--filter: the term '%s' is too long", text);
    snprintf(term->column, sizeof term->column, "%.*s", (int)name, text);
    strcpy(term->pattern, pattern);
    if (!equals)
        unescape(term->pattern);
    return true;
}

bool filter_parse(const char *text, struct filter *filter, struct error *error)
{
    char term[320];
    filter->count = 0;
    if (!text)
        return true;
    while (*text) {
        size_t length = term_length(text);
        if (length >= sizeof term || filter->count == FILTER_MAX_TERMS)
            return error_set(error, ERROR_INPUT, "--filter: too long; at most %d terms",
                             FILTER_MAX_TERMS);
        snprintf(term, sizeof term, "%.*s", (int)length, text);
        if (!parse_term(term, &filter->terms[filter->count++], error))
            return false;
        text += length;
        if (*text == ',' && *++text == '\0')
            return error_set(error, ERROR_INPUT, "--filter: nothing behind the last comma");
    }
    return true;
}

/* Number of the column in the family's rows, or -1. */
static int find_column(const struct family *family, const char *name)
{
    struct result_form form = {.family = family};
    const char *column;
    for (size_t i = 0; (column = result_column_name(&form, i)); i++) {
        if (strcmp(column, name) == 0)
            return (int)i;
    }
    return -1;
}

/* Sets predicted[i] for each column that has a value in some case before anything is measured.
 * Stops as soon as column `wanted` has one; -1 goes through all cases. */
static void find_predicted(const struct family *family, int wanted, bool *predicted)
{
    const struct result_form form = {.family = family};
    size_t columns = RESULT_COMMON_COLUMNS + family->column_count;
    struct row row;
    for (size_t i = 0; i < columns; i++)
        predicted[i] = i < RESULT_COMMON_COLUMNS && i != RESULT_VERIFIED;
    for (size_t i = 0; i < family->case_count(family, true); i++) {
        if (wanted >= 0 && predicted[wanted])
            return;
        row_predict(family, i, &row);
        for (size_t c = RESULT_COMMON_COLUMNS; c < columns; c++)
            predicted[c] = predicted[c] || *result_row_value(&form, &row, c);
    }
}

static bool useless_column(const char *name, const struct family *family, struct error *error)
{
    const struct result_form form = {.family = family};
    const char *names[RESULT_MAX_COLUMNS], *column;
    bool predicted[RESULT_MAX_COLUMNS], is_measured = find_column(family, name) >= 0;
    char hint[640];
    size_t count = 0;
    find_predicted(family, -1, predicted);
    for (size_t i = 0; (column = result_column_name(&form, i)); i++) {
        if (predicted[i])
            names[count++] = column;
    }
    text_suggest(name, names, count, hint, sizeof hint);
    return error_set(error, ERROR_INPUT,
                     is_measured
                         ? "--filter: '%s' of %s is known only after measuring; before it, %s"
                         : "--filter: no column '%s' in %s; before measuring, %s",
                     name, family->name, hint);
}

bool filter_check(const struct filter *filter, const struct family *const *families, size_t count,
                  struct error *error)
{
    for (size_t t = 0; t < filter->count; t++) {
        const char *name = filter->terms[t].column;
        const struct family *closest = families[0]; /* one that has the column, where one does */
        bool usable = *name == '\0';
        for (size_t i = 0; i < count && !usable; i++) {
            bool predicted[RESULT_MAX_COLUMNS];
            int column = find_column(families[i], name);
            if (column < 0)
                continue;
            closest = families[i];
            find_predicted(families[i], column, predicted);
            usable = predicted[column];
        }
        if (!usable)
            return useless_column(name, closest, error);
    }
    return true;
}

/* `value` is that of the term's column; NULL where there is no such column. */
static bool term_passes(const struct filter_term *term, const char *case_name, const char *value)
{
    if (term->column[0] == '\0')
        return strstr(case_name, term->pattern) != NULL;
    return value && (fnmatch(term->pattern, value, 0) == 0) != term->negated;
}

bool filter_passes(const struct filter *filter, const struct family *family, const struct row *row)
{
    struct result_form form = {.family = family};
    for (size_t t = 0; t < filter->count; t++) {
        const struct filter_term *term = &filter->terms[t];
        int column = find_column(family, term->column);
        const char *value = column < 0 ? NULL : result_row_value(&form, row, (size_t)column);
        if (!term_passes(term, row->case_name, value))
            return false;
    }
    return true;
}

bool filter_passes_file(const struct filter *filter, const struct result_file *file, size_t row)
{
    for (size_t t = 0; t < filter->count; t++) {
        const struct filter_term *term = &filter->terms[t];
        bool there = result_column(file, term->column) >= 0;
        const char *value = there ? result_value(file, row, term->column) : NULL;
        if (!term_passes(term, result_value(file, row, "case"), value))
            return false;
    }
    return true;
}
