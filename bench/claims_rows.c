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
        if (filter_passes_file(&rows->filter, rows->file, rows->row) &&
            was_measured(rows, rows->row)) {
            rows->count++;
            return true;
        }
    }
    return false;
}

const char *claim_value(const struct claim_rows *rows, const char *column)
{
    return result_value(rows->file, rows->row, column);
}

double claim_number(const struct claim_rows *rows, const char *column)
{
    const char *text = claim_value(rows, column);
    char *end;
    double value = strtod(text, &end);
    return *text && !*end ? value : NAN;
}

double claim_ways(const struct claim_rows *rows)
{
    return claim_number(rows, "hw_wavefronts") / claim_number(rows, "ideal_wavefronts");
}

bool claim_is(const struct claim_rows *rows, const char *column, const char *value)
{
    return strcmp(claim_value(rows, column), value) == 0;
}

void claim_range_add(struct claim_range *range, double value, size_t row)
{
    if (isnan(value)) {
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

void claim_verified_add(struct claim_verified *verified, const struct claim_rows *rows)
{
    if (claim_is(rows, "verified", row_verified_name(VERIFIED_YES))) {
        verified->yes++;
    } else if (claim_is(rows, "verified", row_verified_name(VERIFIED_NO))) {
        verified->no++;
        verified->no_row = rows->row;
    }
}

struct claim_verified claim_count_verified(const struct compare_side *side, const char *family,
                                           const char *filter)
{
    struct claim_verified verified = {.yes = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, family, filter);
    while (claim_rows_next(&rows))
        claim_verified_add(&verified, &rows);
    return verified;
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

static void append(char *text, size_t bytes, const char *format, va_list arguments)
{
    char part[512];
    vsnprintf(part, sizeof part, format, arguments);
    text_append(text, bytes, "; ", part);
}

void claim_say(struct claim_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(answer->condition, sizeof answer->condition, format, arguments);
    va_end(arguments);
}

void claim_rest_on(struct claim_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(answer->evidence, sizeof answer->evidence, format, arguments);
    va_end(arguments);
}

void claim_rest_on_row(struct claim_answer *answer, const struct claim_rows *rows, size_t row)
{
    char name[ROW_CASE_BYTES + 64];
    snprintf(name, sizeof name, "%s.csv:%s", rows->family, result_value(rows->file, row, "case"));
    if (!strstr(answer->evidence, name))
        claim_rest_on(answer, "%s", name);
}

void claim_rest_on_count(struct claim_answer *answer, const struct claim_rows *rows)
{
    claim_rest_on(answer, "%zu rows of %s.csv (%s)", rows->count, rows->family, rows->filter_text);
}

void claim_lacks(struct claim_answer *answer, const struct claim_rows *rows, const char *what)
{
    answer->verdict = CLAIM_OPEN;
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
    claim_say(answer, "%zu of %zu rows of %s have no %s in %s.csv, which takes %s", range->unknown,
              range->count + range->unknown, what, column, rows->family,
              strncmp(column, "hw_", 3) == 0 ? "counters" : "a run to its end");
    claim_rest_on(answer, "swizzlebench run %s --full", rows->family);
    return false;
}

bool claim_has_layouts(struct claim_answer *answer, const struct claim_rows *rows, unsigned layouts,
                       unsigned wanted)
{
    char missing[128] = "";
    if ((layouts & wanted) == wanted)
        return true;
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++)
        if (wanted & ~layouts & 1u << i)
            text_append(missing, sizeof missing, ", ", claim_layouts[i]);
    claim_lacks(answer, rows, missing);
    return false;
}
