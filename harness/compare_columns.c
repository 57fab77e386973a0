/* Which columns of a family can two runs be compared by, and how? */
#include "harness/compare_columns.h"

#include <stdio.h>
#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    size_t length = strlen(text), end = strlen(with);
    return length >= end && strcmp(text + length - end, with) == 0;
}

static const struct column *find(const struct family *family, const char *name)
{
    for (size_t i = 0; i < family->column_count; i++) {
        if (strcmp(family->columns[i].name, name) == 0)
            return &family->columns[i];
    }
    return NULL;
}

/* "latency_cycles" -> "latency_min_cycles", "cycles_per_mma" -> "cycles_per_mma_min". */
static const struct column *extreme_of(const struct family *family, const char *name,
                                       const char *which)
{
    char sought[96];
    const char *unit = strstr(name, "_cycles");
    int stem = unit ? (int)(unit - name) : (int)strlen(name);
    snprintf(sought, sizeof sought, "%.*s_%s%s", stem, name, which, unit ? unit : "");
    const struct column *column = find(family, sought);
    if (column)
        return column;
    snprintf(sought, sizeof sought, "%s_%s", name, which);
    return find(family, sought);
}

/* Where a word stands between underscores, "hw" in "reader_hw_wavefronts", or NULL. */
static const char *word_in(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(name, word); at; at = strstr(at + 1, word)) {
        bool begins_there = at == name || at[-1] == '_';
        if (begins_there && (at[length] == '_' || !at[length]))
            return at;
    }
    return NULL;
}

/* Of what, in "model_wavefronts": not "cycles_over_model". */
static const char *prefix_in(const char *name, const char *word)
{
    const char *at = word_in(name, word);
    return at && at[strlen(word)] ? at : NULL;
}

/* The column called the same, but for one word; NULL where there is none. */
static const struct column *beside(const struct family *family, const char *name, const char *at,
                                   const char *word, const char *other)
{
    char sought[96];
    snprintf(sought, sizeof sought, "%.*s%s%s", (int)(at - name), name, other, at + strlen(word));
    return find(family, sought);
}

static bool is_disturbed(const struct family *family, const char *name)
{
    for (const char *const *d = family->disturbed; d && *d; d++)
        if (strcmp(*d, name) == 0)
            return true;
    return false;
}

/* Returns false where the column is no counter's. */
static bool classify_counter(const struct family *family, struct compare_column *c)
{
    static const char *const words[] = {"hw", "sass"};
    const char *name = c->column->name, *at = word_in(name, "executed");
    c->kind = COMPARE_TRAFFIC;
    if (at) {
        c->expected = beside(family, name, at, "executed", "expected");
        c->kind = c->expected ? COMPARE_COUNTER : COMPARE_TRAFFIC;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        at = prefix_in(name, words[i]);
        if (!at)
            continue;
        if (!is_disturbed(family, name) && beside(family, name, at, words[i], "model"))
            c->kind = COMPARE_COUNTER;
        return true;
    }
    return false;
}

static bool is_time(const struct compare_column *c)
{
    const char *name = c->column->name, *unit = c->column->unit;
    if (!begins(unit, "clk/"))
        return false;
    return c->least || (begins(name, "cycles_per_") && strcmp(unit, "clk/wavefront") != 0);
}

/* A peak is what many rows refer to, and has a row of its own. */
static bool is_rate(const struct compare_column *c, bool has_times)
{
    const char *unit = c->column->unit;
    if (begins(c->column->name, "peak_"))
        return false;
    bool per_clock = strstr(unit, "/clk") != NULL;
    return (per_clock && (c->least || !has_times)) || ends(unit, "B/s") || ends(unit, "FLOP/s");
}

/* Returns false where the column is not compared. */
static bool classify(const struct family *family, bool has_times, struct compare_column *c)
{
    const char *name = c->column->name;
    c->least = extreme_of(family, name, "min");
    c->most = extreme_of(family, name, "max");
    c->per_clock = strstr(c->column->unit, "clk") != NULL;
    if (ends(name, "_min") || ends(name, "_max"))
        return false;
    if (prefix_in(name, "model"))
        c->kind = COMPARE_MODEL;
    else if (classify_counter(family, c))
        return true;
    else if (is_time(c))
        c->kind = COMPARE_TIME;
    else if (is_rate(c, has_times))
        c->kind = COMPARE_RATE;
    else
        return false;
    return true;
}

size_t compare_columns_of(const struct family *family, struct compare_column *columns)
{
    bool has_times = false;
    for (size_t i = 0; i < family->column_count; i++) {
        struct compare_column c = {.column = &family->columns[i]};
        has_times = has_times || (classify(family, false, &c) && c.kind == COMPARE_TIME);
    }
    size_t count = 0;
    for (size_t i = 0; i < family->column_count && count < ROW_MAX_COLUMNS; i++) {
        struct compare_column c = {.column = &family->columns[i]};
        if (classify(family, has_times, &c))
            columns[count++] = c;
    }
    return count;
}
