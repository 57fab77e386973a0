/* How do the rows of one family differ between two sides? */
#include "harness/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats.h"
#include "harness/text.h"

const char *const difference_names[DIFFERENCE_KINDS] = {
    [DIFFERENCE_STATUS] = "status",   [DIFFERENCE_MISSING] = "missing",
    [DIFFERENCE_NEW] = "new",         [DIFFERENCE_ALONE] = "alone",
    [DIFFERENCE_COUNTER] = "counter", [DIFFERENCE_MODEL] = "model",
    [DIFFERENCE_SLOWER] = "slower",   [DIFFERENCE_FASTER] = "faster",
    [DIFFERENCE_TRAFFIC] = "traffic", [DIFFERENCE_NONE] = "none",
};

/* What a walk over the rows needs besides the pair. */
struct walk {
    struct compare_pair *pair;
    const struct compare_settings *settings;
    size_t room; /* of the differences */
    long first, other;
    bool both_ok;
    struct compare_presence presence[COMPARE_KINDS]; /* values of this row */
};

/* ---- Values -------------------------------------------------------------------------------- */

static bool number_of(const struct result_file *file, long row, const char *column, double *value)
{
    return text_number(result_value(file, (size_t)row, column), value);
}

bool compare_interval(const struct compare_pair *pair, size_t column,
                      const struct result_file *file, long row, struct interval *interval)
{
    const struct compare_column *c = &pair->columns[column];
    double mhz = 0;
    if (!number_of(file, row, c->column->name, &interval->median))
        return false;
    if (!c->least || !number_of(file, row, c->least->name, &interval->least))
        interval->least = interval->median;
    if (!c->most || !number_of(file, row, c->most->name, &interval->most))
        interval->most = interval->median;
    if (!pair->absolute || !c->per_clock)
        return true;
    if (!number_of(file, row, "sm_clock_mhz", &mhz) || mhz <= 0)
        return false;
    double scale = c->kind == COMPARE_TIME ? 1e3 / mhz : mhz / 1e3;
    interval->median *= scale;
    interval->least *= scale;
    interval->most *= scale;
    return true;
}

const char *compare_unit(const struct compare_pair *pair, size_t column, char *text, size_t bytes)
{
    const struct compare_column *c = &pair->columns[column];
    const char *unit = c->column->unit, *clock = strstr(unit, "clk");
    if (!pair->absolute || !clock)
        snprintf(text, bytes, "%s", strcmp(unit, "-") == 0 ? "" : unit);
    else
        snprintf(text, bytes, "%.*sns%s", (int)(clock - unit), unit, clock + strlen("clk"));
    return text;
}

const char *difference_case(const struct compare_pair *pair, const struct difference *difference)
{
    return difference->first >= 0 ? result_value(pair->first, (size_t)difference->first, "case")
                                  : result_value(pair->other, (size_t)difference->other, "case");
}

/* ---- A row --------------------------------------------------------------------------------- */

static bool add(struct walk *walk, enum difference_kind kind, int column, double cost)
{
    struct compare_pair *pair = walk->pair;
    if (pair->difference_count == walk->room) {
        walk->room = walk->room ? 2 * walk->room : 256;
        struct difference *larger = realloc(pair->differences, walk->room * sizeof *larger);
        if (!larger)
            return false;
        pair->differences = larger;
    }
    pair->counts[kind]++;
    pair->differences[pair->difference_count++] =
        (struct difference){kind, column, walk->first, walk->other, cost};
    return true;
}

static struct compare_presence *presence_of(struct walk *walk, size_t column)
{
    enum compare_kind kind = walk->pair->columns[column].kind;
    return &walk->presence[kind == COMPARE_RATE ? COMPARE_TIME : kind];
}

/* A value that one side alone has to compare: the first, or the other. */
static void count_alone(struct walk *walk, size_t column, bool on_first)
{
    struct compare_presence *presence = presence_of(walk, column);
    walk->pair->one_sided++;
    presence->first += on_first;
    presence->other += !on_first;
}

/* A value that stands in the row of one side alone. */
static bool add_alone(struct walk *walk, size_t column, bool on_first)
{
    const struct compare_pair *pair = walk->pair;
    const struct compare_column *c = &pair->columns[column];
    bool is_new = result_column(pair->first, c->column->name) < 0;
    bool unmeasured = pair->one_predicted && c->kind != COMPARE_MODEL && !walk->settings->measured;
    count_alone(walk, column, on_first);
    return !walk->both_ok || unmeasured || is_new ||
           add(walk, DIFFERENCE_ALONE, (int)column, INFINITY);
}

/* What was executed, of what was expected: how much work a launch has may differ. Returns false
 * where the column is no such, or the expectation of a side is not there. */
static bool compare_executed(struct walk *walk, size_t column, bool *added)
{
    struct compare_pair *pair = walk->pair;
    const struct compare_column *c = &pair->columns[column];
    double a, b, of_a, of_b;
    if (!c->expected || !number_of(pair->first, walk->first, c->column->name, &a) ||
        !number_of(pair->other, walk->other, c->column->name, &b) ||
        !number_of(pair->first, walk->first, c->expected->name, &of_a) ||
        !number_of(pair->other, walk->other, c->expected->name, &of_b))
        return false;
    double change = a > 0 && of_a > 0 && b > 0 && of_b > 0 ? b / of_b / (a / of_a) : INFINITY;
    *added = a - of_a == b - of_b || add(walk, DIFFERENCE_COUNTER, (int)column, change);
    return true;
}

/* Values that are the same to the digit, or the same number. */
static bool compare_exactly(struct walk *walk, size_t column)
{
    static const enum difference_kind kinds[] = {[COMPARE_MODEL] = DIFFERENCE_MODEL,
                                                 [COMPARE_COUNTER] = DIFFERENCE_COUNTER,
                                                 [COMPARE_TRAFFIC] = DIFFERENCE_TRAFFIC};
    struct compare_pair *pair = walk->pair;
    const struct compare_column *c = &pair->columns[column];
    const char *first = result_value(pair->first, (size_t)walk->first, c->column->name);
    const char *other = result_value(pair->other, (size_t)walk->other, c->column->name);
    double a, b;
    if (!*first && !*other)
        return true;
    if (!*first || !*other)
        return add_alone(walk, column, *first);
    presence_of(walk, column)->both++;
    bool added;
    if (compare_executed(walk, column, &added))
        return added;
    if (strcmp(first, other) == 0)
        return true;
    bool numbers = number_of(pair->first, walk->first, c->column->name, &a) &&
                   number_of(pair->other, walk->other, c->column->name, &b);
    if (numbers && a == b)
        return true;
    return add(walk, kinds[c->kind], (int)column, numbers && a > 0 && b > 0 ? b / a : INFINITY);
}

static bool compare_medians(struct walk *walk, size_t column)
{
    struct compare_pair *pair = walk->pair;
    struct column_summary *summary = &pair->summaries[column];
    const char *name = pair->columns[column].column->name;
    struct interval a, b;
    bool on_first = *result_value(pair->first, (size_t)walk->first, name);
    bool on_other = *result_value(pair->other, (size_t)walk->other, name);
    if (on_first != on_other)
        return add_alone(walk, column, on_first);
    bool has_a = compare_interval(pair, column, pair->first, walk->first, &a);
    bool has_b = compare_interval(pair, column, pair->other, walk->other, &b);
    if (has_a != has_b) /* the clock is missing */
        count_alone(walk, column, has_a);
    if (!has_a || !has_b)
        return true;
    presence_of(walk, column)->both++;
    double ratio = b.median / a.median, change = fabs(ratio - 1);
    bool slower = (ratio > 1) == (pair->columns[column].kind == COMPARE_TIME);
    summary->ratios[summary->count++] = ratio;
    summary->within_half_pct += change <= 0.005;
    summary->within_pct += change <= 0.01;
    double cost = pair->columns[column].kind == COMPARE_TIME ? ratio : 1 / ratio;
    if (change <= walk->settings->threshold + COMPARE_ROUNDING ||
        (a.least <= b.most && b.least <= a.most))
        return !walk->settings->all || add(walk, DIFFERENCE_NONE, (int)column, cost);
    return add(walk, slower ? DIFFERENCE_SLOWER : DIFFERENCE_FASTER, (int)column, cost);
}

static bool compare_columns(struct walk *walk)
{
    const struct compare_pair *pair = walk->pair;
    for (size_t i = 0; i < pair->column_count; i++) {
        enum compare_kind kind = pair->columns[i].kind;
        if (kind != COMPARE_TIME && kind != COMPARE_RATE) {
            if (!compare_exactly(walk, i))
                return false;
        } else if (walk->both_ok && !compare_medians(walk, i)) {
            return false;
        }
    }
    return true;
}

/* How many rows there are with each kind of difference, now that `before` had so many, and with
 * values on either side. */
static void count_rows(const struct walk *walk, const size_t *before)
{
    struct compare_pair *pair = walk->pair;
    for (size_t i = 0; i < DIFFERENCE_KINDS; i++)
        pair->rows[i] += pair->counts[i] > before[i];
    for (size_t i = 0; i < COMPARE_KINDS; i++) {
        pair->presence[i].both += walk->presence[i].both > 0;
        pair->presence[i].first += walk->presence[i].first > 0;
        pair->presence[i].other += walk->presence[i].other > 0;
    }
}

static bool compare_row(struct walk *walk)
{
    struct compare_pair *pair = walk->pair;
    size_t before[DIFFERENCE_KINDS];
    memcpy(before, pair->counts, sizeof before);
    memset(walk->presence, 0, sizeof walk->presence);
    const char *first = result_value(pair->first, (size_t)walk->first, "status");
    const char *other = result_value(pair->other, (size_t)walk->other, "status");
    bool same = strcmp(first, other) == 0;
    pair->matched++;
    if (!same && !add(walk, DIFFERENCE_STATUS, -1, 1))
        return false;
    walk->both_ok = same && strcmp(first, "ok") == 0;
    bool compared = compare_columns(walk);
    count_rows(walk, before);
    return compared;
}

/* ---- All rows ------------------------------------------------------------------------------ */

static bool walk_first(struct walk *walk)
{
    struct compare_pair *pair = walk->pair;
    for (size_t i = 0; pair->first && i < pair->first->row_count; i++) {
        const char *name = result_value(pair->first, i, "case");
        if (!filter_passes_file(&walk->settings->filter, pair->first, i))
            continue;
        walk->first = (long)i;
        walk->other = pair->other ? result_find_case(pair->other, name) : -1;
        pair->first_rows++;
        if (walk->other >= 0 ? !compare_row(walk) : !add(walk, DIFFERENCE_MISSING, -1, 1))
            return false;
    }
    return true;
}

static bool walk_other(struct walk *walk)
{
    struct compare_pair *pair = walk->pair;
    const struct result_file *other = pair->other;
    walk->first = -1;
    for (size_t i = 0; other && i < other->row_count; i++) {
        const char *name = result_value(other, i, "case");
        long twin = pair->first ? result_find_case(pair->first, name) : -1;
        const struct result_file *asked = twin < 0 ? other : pair->first;
        if (!filter_passes_file(&walk->settings->filter, asked, twin < 0 ? i : (size_t)twin))
            continue;
        pair->other_rows++;
        if (strcmp(result_value(other, i, "status"), "failed") == 0 && pair->failed++ == 0)
            pair->first_failed = i;
        walk->other = (long)i;
        if (twin < 0 && !add(walk, DIFFERENCE_NEW, -1, 1))
            return false;
    }
    pair->rows[DIFFERENCE_MISSING] = pair->counts[DIFFERENCE_MISSING];
    pair->rows[DIFFERENCE_NEW] = pair->counts[DIFFERENCE_NEW];
    return true;
}

static int by_ratio(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int by_kind_and_size(const void *left, const void *right)
{
    const struct difference *a = left, *b = right;
    double far_a = fabs(log(a->cost)), far_b = fabs(log(b->cost));
    if (a->kind != b->kind)
        return (a->kind > b->kind) - (a->kind < b->kind);
    if (far_a != far_b)
        return (far_a < far_b) - (far_a > far_b);
    if (a->first != b->first)
        return (a->first > b->first) - (a->first < b->first);
    return (a->column > b->column) - (a->column < b->column);
}

static bool make_room(struct compare_pair *pair)
{
    size_t rows = pair->first ? pair->first->row_count : 0;
    for (size_t i = 0; i < pair->column_count; i++) {
        if (pair->columns[i].kind != COMPARE_TIME && pair->columns[i].kind != COMPARE_RATE)
            continue;
        pair->summaries[i].ratios = malloc((rows + 1) * sizeof(double));
        if (!pair->summaries[i].ratios)
            return false;
    }
    return true;
}

static bool is_predicted(const struct result_file *file)
{
    const char *backend = file ? result_key(file, "backend") : NULL;
    return backend && strcmp(backend, "model") == 0;
}

bool compare_pair_make(const struct compare_side *first, const struct compare_side *other,
                       size_t family, const struct compare_settings *settings,
                       struct compare_pair *pair, struct error *error)
{
    *pair = (struct compare_pair){
        .family = registry_families[family],
        .first_side = first,
        .other_side = other,
        .first = first->names[family] ? &first->files[family] : NULL,
        .other = other->names[family] ? &other->files[family] : NULL,
        .absolute = settings->absolute,
    };
    pair->one_predicted = is_predicted(pair->first) != is_predicted(pair->other);
    struct walk walk = {.pair = pair, .settings = settings};
    pair->column_count = compare_columns_of(pair->family, pair->columns);
    if (!make_room(pair) || !walk_first(&walk) || !walk_other(&walk))
        return error_set(error, ERROR_FAILED, "no memory to compare the rows of %s",
                         pair->family->name);
    for (size_t i = 0; i < pair->column_count; i++)
        if (pair->summaries[i].count > 0)
            qsort(pair->summaries[i].ratios, pair->summaries[i].count, sizeof(double), by_ratio);
    if (pair->difference_count > 0)
        qsort(pair->differences, pair->difference_count, sizeof *pair->differences,
              by_kind_and_size);
    return true;
}

void compare_pair_free(struct compare_pair *pair)
{
    for (size_t i = 0; i < pair->column_count; i++)
        free(pair->summaries[i].ratios);
    free(pair->differences);
    *pair = (struct compare_pair){.column_count = 0};
}

/* ---- Whether there is anything to compare -------------------------------------------------- */

static bool family_has_common(const struct result_file *first, const struct result_file *other,
                              const struct filter *filter)
{
    for (size_t i = 0; i < first->row_count; i++) {
        if (filter_passes_file(filter, first, i) &&
            result_find_case(other, result_value(first, i, "case")) >= 0)
            return true;
    }
    return false;
}

bool compare_have_common(const struct compare_side *first, const struct compare_side *other,
                         const struct filter *filter, struct error *error)
{
    bool same_family = false;
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES; i++) {
        bool both = first->names[i] && other->names[i];
        same_family = same_family || both;
        if (both && family_has_common(&first->files[i], &other->files[i], filter))
            return true;
    }
    return error_set(error, ERROR_INPUT,
                     "nothing to compare: no %s%s is in both %s and %s; results of the same "
                     "families and cases are needed",
                     same_family ? "case" : "family",
                     same_family && filter->count > 0 ? " that passes --filter" : "", first->path,
                     other->path);
}
