/* The rows that a claim rests on: how does a rule find them, and say which they were? */
#include "bench/claims_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/text.h"

/* ---- Rows ---------------------------------------------------------------------------------- */

/* The family's file, where it holds measured rows. */
static const struct result_file *measured_file(const struct compare_side *side, const char *family)
{
    for (size_t i = 0; side && i < COMPARE_MAX_FAMILIES && registry_families[i]; i++) {
        if (!side->names[i] || strcmp(registry_families[i]->name, family) != 0)
            continue;
        const char *backend = result_key(&side->files[i], "backend");
        return backend && strcmp(backend, "model") == 0 ? NULL : &side->files[i];
    }
    return NULL;
}

void claim_rows_start(struct claim_rows *rows, const struct compare_side *side, const char *family,
                      const char *filter)
{
    struct error error = {.kind = ERROR_NONE};
    *rows = (struct claim_rows){
        .family = family, .filter_text = filter, .file = measured_file(side, family)};
    if (!filter_parse(filter, &rows->filter, &error))
        abort(); /* all filters are literals of bench/claims_*.c */
}

static bool was_measured(const struct claim_rows *rows, size_t row)
{
    const char *status = result_value(rows->file, row, "status");
    return strstr(rows->filter_text, "status=") || strcmp(status, row_status_name(ROW_OK)) == 0 ||
           strcmp(status, row_status_name(ROW_FAILED)) == 0;
}

bool claim_rows_next(struct claim_rows *rows)
{
    while (rows->file && rows->next < rows->file->row_count) {
        rows->row = rows->next++;
        if (!filter_passes_file(&rows->filter, rows->file, rows->row) ||
            !was_measured(rows, rows->row))
            continue;
        if (claim_is(rows, "verified", row_verified_name(VERIFIED_NO))) {
            rows->verified.no++;
            rows->verified.no_row = rows->row;
            continue;
        }
        rows->verified.yes += claim_is(rows, "verified", row_verified_name(VERIFIED_YES));
        rows->count++;
        return true;
    }
    return false;
}

struct claim_rows claim_walk(const struct compare_side *side, const char *family,
                             const char *filter)
{
    struct claim_rows rows;
    claim_rows_start(&rows, side, family, filter);
    while (claim_rows_next(&rows)) {
    }
    return rows;
}

const char *claim_value(const struct claim_rows *rows, const char *column)
{
    return result_value(rows->file, rows->row, column);
}

double claim_number_of(const struct claim_rows *rows, size_t row, const char *column)
{
    double value;
    return text_number(result_value(rows->file, row, column), &value) ? value : NAN;
}

double claim_number(const struct claim_rows *rows, const char *column)
{
    return claim_number_of(rows, rows->row, column);
}

double claim_ways(const struct claim_rows *rows)
{
    return claim_number(rows, "hw_wavefronts") / claim_number(rows, "ideal_wavefronts");
}

double claim_requests(const struct claim_rows *rows, const char *column)
{
    return floor(claim_number(rows, column));
}

bool claim_is(const struct claim_rows *rows, const char *column, const char *value)
{
    return strcmp(claim_value(rows, column), value) == 0;
}

void claim_range_add(struct claim_range *range, double value, size_t row)
{
    if (!isfinite(value)) {
        range->unknown++;
        return;
    }
    if (range->count == 0 || value < range->least) {
        range->least = value;
        range->least_row = row;
    }
    if (range->count == 0 || value > range->most) {
        range->most = value;
        range->most_row = row;
    }
    range->count++;
}

void claim_names_add(struct claim_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return;
    if (names->count == sizeof names->names / sizeof names->names[0])
        names->left_off++;
    else
        names->names[names->count++] = name;
}

/* ---- The eight canonical layouts ----------------------------------------------------------- */

const char *const claim_layouts[CLAIM_LAYOUTS] = {"K/none",  "K/32B",  "K/64B",  "K/128B",
                                                  "MN/none", "MN/32B", "MN/64B", "MN/128B"};

unsigned claim_layout_bit(const char *name)
{
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++)
        if (strcmp(claim_layouts[i], name) == 0)
            return 1u << i;
    return 0;
}

/* ---- The answer ---------------------------------------------------------------------------- */

static const char more[] = " ...";

static bool is_cut(const char *text)
{
    size_t length = strlen(text);
    return length >= strlen(more) && strcmp(text + length - strlen(more), more) == 0;
}

/* What does not fit is not there at all, and `more` says so; nothing goes behind that. */
static void append(char *text, size_t bytes, const char *separator, const char *format,
                   va_list arguments)
{
    size_t length = strlen(text), room = bytes - strlen(more);
    if (is_cut(text))
        return;
    size_t at = length + (length ? strlen(separator) : 0);
    text_append(text, room, "", length ? separator : "");
    int part = at < room ? vsnprintf(text + at, room - at, format, arguments) : -1;
    if (part < 0 || at + (size_t)part >= room)
        strcpy(text + length, more);
}

void claim_say(struct claim_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(answer->condition, sizeof answer->condition, "; ", format, arguments);
    va_end(arguments);
}

void claim_say_on(struct claim_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(answer->condition, sizeof answer->condition, "", format, arguments);
    va_end(arguments);
}

void claim_say_names(struct claim_answer *answer, const struct claim_names *names,
                     const char *separator)
{
    for (size_t i = 0; i < names->count; i++)
        claim_say_on(answer, "%s%s", i ? separator : "", names->names[i]);
    if (names->left_off)
        claim_say_on(answer, " and %zu more", names->left_off);
}

void claim_say_left_out(struct claim_answer *answer, const struct claim_rows *rows)
{
    if (!rows->verified.no)
        return;
    claim_say(answer, "%zu of %zu rows of %s.csv left out, as their bytes were wrong",
              rows->verified.no, rows->verified.no + rows->count, rows->family);
    claim_rest_on_row(answer, rows, rows->verified.no_row);
}

void claim_rest_on(struct claim_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(answer->evidence, sizeof answer->evidence, "; ", format, arguments);
    va_end(arguments);
}

/* Is "FAMILY.csv:NAME" one of the parts of the evidence? */
static bool rests_on(const struct claim_answer *answer, const char *family, const char *name)
{
    for (const char *at = answer->evidence; *at; at += strspn(at, "; ")) {
        size_t part = strcspn(at, ";"), before = strlen(family) + strlen(".csv:");
        if (part == before + strlen(name) && strncmp(at, family, strlen(family)) == 0 &&
            strncmp(at + before, name, strlen(name)) == 0)
            return true;
        at += part;
    }
    return false;
}

void claim_rest_on_row(struct claim_answer *answer, const struct claim_rows *rows, size_t row)
{
    const char *name = result_value(rows->file, row, "case");
    if (!rests_on(answer, rows->family, name))
        claim_rest_on(answer, "%s.csv:%s", rows->family, name);
}

void claim_rest_on_count(struct claim_answer *answer, const struct claim_rows *rows)
{
    claim_rest_on(answer, "%zu rows of %s.csv (%s)", rows->count, rows->family, rows->filter_text);
    claim_say_left_out(answer, rows);
}

void claim_lacks(struct claim_answer *answer, const struct claim_rows *rows, const char *what)
{
    answer->verdict = CLAIM_OPEN;
    claim_say_left_out(answer, rows);
    if (rows->file)
        claim_say(answer, "%s.csv has no measured row of %s", rows->family, what);
    else
        claim_say(answer, "needs measured rows of %s: run %s on a GPU", what, rows->family);
    claim_rest_on(answer, "swizzlebench run %s --full", rows->family);
}

bool claim_is_known(struct claim_answer *answer, const struct claim_rows *rows,
                    const struct claim_range *range, const char *column, const char *what)
{
    if (range->count + range->unknown == 0) {
        claim_lacks(answer, rows, what);
        return false;
    }
    if (range->unknown == 0)
        return true;
    answer->verdict = CLAIM_OPEN;
    claim_say_left_out(answer, rows);
    claim_say(answer, "%zu of %zu rows of %s have no %s in %s.csv, which takes %s", range->unknown,
              range->count + range->unknown, what, column, rows->family,
              strncmp(column, "hw_", 3) == 0 ? "counters" : "a run to its end");
    claim_rest_on(answer, "swizzlebench run %s --full", rows->family);
    return false;
}

bool claim_has_layouts(struct claim_answer *answer, const struct claim_rows *rows, unsigned layouts,
                       unsigned wanted)
{
    char missing[CLAIM_LAYOUTS * sizeof "MN/128B, "] = "";
    if ((layouts & wanted) == wanted)
        return true;
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++)
        if (wanted & ~layouts & 1u << i)
            text_append(missing, sizeof missing, ", ", claim_layouts[i]);
    claim_lacks(answer, rows, missing);
    return false;
}
