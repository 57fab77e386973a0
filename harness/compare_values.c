/* How are the two values of a difference written? */
#include "harness/compare_values.h"

#include <math.h>
#include <stdio.h>

/* "ok", or "failed: wrong bytes". */
static void status_of(const struct result_file *file, long row, char *text, size_t bytes)
{
    const char *reason = row < 0 ? "" : result_value(file, (size_t)row, "reason");
    snprintf(text, bytes, "%s%s%s", row < 0 ? "" : result_value(file, (size_t)row, "status"),
             *reason ? ": " : "", reason);
}

static void put_ratio(double ratio, struct compare_values *values)
{
    if (!isfinite(ratio))
        return;
    snprintf(values->ratio, sizeof values->ratio, "%.6g", ratio);
    snprintf(values->change, sizeof values->change, "%+.2f %%", 100 * (ratio - 1));
}

static void put_interval(const struct interval *interval, char *median, char (*ends)[32])
{
    snprintf(median, COMPARE_VALUE_BYTES, "%.6g", interval->median);
    snprintf(ends[0], COMPARE_NUMBER_BYTES, "%.6g", interval->least);
    snprintf(ends[1], COMPARE_NUMBER_BYTES, "%.6g", interval->most);
}

struct compare_values compare_values_of(const struct compare_pair *pair,
                                        const struct difference *difference)
{
    struct compare_values values = {.column = ""};
    struct interval first, other;
    if (difference->column < 0) {
        status_of(pair->first, difference->first, values.first, sizeof values.first);
        status_of(pair->other, difference->other, values.other, sizeof values.other);
        return values;
    }
    size_t column = (size_t)difference->column;
    values.column = pair->columns[column].column->name;
    compare_unit(pair, column, values.unit, sizeof values.unit);
    if (pair->columns[column].kind == COMPARE_TIME || pair->columns[column].kind == COMPARE_RATE) {
        bool on_first = compare_interval(pair, column, pair->first, difference->first, &first);
        bool on_other = compare_interval(pair, column, pair->other, difference->other, &other);
        if (on_first)
            put_interval(&first, values.first, &values.ends[0]);
        if (on_other)
            put_interval(&other, values.other, &values.ends[2]);
        if (on_first && on_other)
            put_ratio(other.median / first.median, &values);
        return values;
    }
    snprintf(values.first, sizeof values.first, "%s",
             result_value(pair->first, (size_t)difference->first, values.column));
    snprintf(values.other, sizeof values.other, "%s",
             result_value(pair->other, (size_t)difference->other, values.column));
    put_ratio(difference->cost, &values);
    return values;
}

size_t compare_worst_of(const struct compare_pair *pair, struct compare_worst *worst)
{
    size_t place[DIFFERENCE_KINDS][1 + ROW_MAX_COLUMNS] = {{0}}; /* in worst, from 1 */
    size_t count = 0;
    for (size_t i = 0; i < pair->difference_count; i++) {
        const struct difference *d = &pair->differences[i];
        size_t *at = &place[d->kind][1 + d->column];
        if (*at == 0) {
            worst[count++] = (struct compare_worst){.difference = d};
            *at = count;
        }
        worst[*at - 1].rows++;
    }
    return count;
}
