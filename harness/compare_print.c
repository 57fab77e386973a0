/* What is there to say about a comparison: heads and summaries? */
#include "harness/compare_print.h"

#include <stdio.h>
#include <string.h>

#include "harness/stats.h"

/* ---- Heads --------------------------------------------------------------------------------- */

static void print_notes(const struct compare_side *side, enum grid_style style)
{
    const char *mark = style == GRID_MARKDOWN ? "\n" : "";
    char backend[64];
    compare_side_value(side, "backend", backend, sizeof backend);
    if (strstr(backend, "model"))
        printf("%s%c: what the model predicts, not measured\n", mark, side->letter);
    if (!*side->left_out && !*side->notes)
        return;
    printf("%s%c: ", mark, side->letter);
    grid_put_words(side->left_out, style, stdout);
    if (*side->left_out && *side->notes)
        printf("; ");
    grid_put_words(side->notes, style, stdout);
    putchar('\n');
}

bool compare_print_heads(const struct compare_side *sides, size_t count, enum grid_style style)
{
    static const char *const keys[] = {"backend",  "gpu",      "compute_capability",
                                       "sm_count", "driver",   "cuda",
                                       "version",  "counters", "date"};
    const char *header[1 + COMPARE_MAX_SIDES] = {""};
    char letters[COMPARE_MAX_SIDES][2], value[512];
    struct grid grid;
    for (size_t i = 0; i < count; i++) {
        snprintf(letters[i], sizeof letters[i], "%c", sides[i].letter);
        header[1 + i] = letters[i];
    }
    grid_start(&grid, header, 1 + count);
    grid_cell(&grid, "results");
    for (size_t i = 0; i < count; i++)
        grid_cell(&grid, "%s", sides[i].path);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        grid_cell(&grid, "%s", keys[k]);
        for (size_t i = 0; i < count; i++) {
            compare_side_value(&sides[i], keys[k], value, sizeof value);
            grid_cell(&grid, "%s", value);
        }
    }
    bool printed = grid_print(&grid, style, stdout);
    grid_free(&grid);
    for (size_t i = 0; i < count; i++)
        print_notes(&sides[i], style);
    return printed;
}

/* ---- A family ------------------------------------------------------------------------------ */

static void print_title(const char *of, const struct compare_side *first,
                        const struct compare_side *other, enum grid_style style)
{
    printf("\n%s%s, %c and %c\n%s", style == GRID_MARKDOWN ? "## " : "", of, first->letter,
           other->letter, style == GRID_MARKDOWN ? "\n" : "");
}

/* ", in A alone in 3 rows", or with nothing before it. */
static void print_alone(size_t rows, char letter, bool *begun)
{
    if (rows > 0)
        printf("%sin %c alone in %zu row%s", *begun ? ", " : "", letter, rows,
               rows == 1 ? "" : "s");
    *begun = *begun || rows > 0;
}

/* "counters: the same in all 20 rows with any on both sides, in A alone in 3 rows": `differ` of
 * those on both sides have one that is not the same. */
static void print_exact(const char *what, const struct compare_presence *presence, size_t differ,
                        const struct compare_side *first, const struct compare_side *other,
                        const char *mark)
{
    bool begun = presence->both > 0;
    printf("%s%s: ", mark, what);
    if (differ > 0)
        printf("other in %zu of %zu", differ, presence->both);
    else if (presence->both == 1)
        printf("the same in the one");
    else if (begun)
        printf("the same in all %zu", presence->both);
    if (begun)
        printf(" row%s with any on both sides", presence->both == 1 ? "" : "s");
    print_alone(presence->first, first->letter, &begun);
    print_alone(presence->other, other->letter, &begun);
    puts(begun ? "" : "none on either side");
}

static void print_one_sided(size_t values, const char *mark)
{
    if (values > 0)
        printf("%s%zu value%s on one side alone, not compared\n", mark, values,
               values == 1 ? "" : "s");
}

static void print_counts(const struct compare_pair *pair, enum grid_style style)
{
    const char *mark = style == GRID_MARKDOWN ? "- " : "  ";
    const struct compare_side *first = pair->first_side, *other = pair->other_side;
    const struct compare_presence *presence = pair->presence;
    char a = first->letter, b = other->letter;
    bool begun = true;
    printf("%s%zu rows in both, %zu in %c alone, %zu in %c alone; status changed in %zu, failed in "
           "%c %zu\n",
           mark, pair->matched, pair->counts[DIFFERENCE_MISSING], a, pair->counts[DIFFERENCE_NEW],
           b, pair->counts[DIFFERENCE_STATUS], b, pair->failed);
    print_exact("counters with a prediction", &presence[COMPARE_COUNTER],
                pair->rows[DIFFERENCE_COUNTER], first, other, mark);
    print_exact("other counters", &presence[COMPARE_TRAFFIC], pair->rows[DIFFERENCE_TRAFFIC], first,
                other, mark);
    print_exact("model", &presence[COMPARE_MODEL], pair->rows[DIFFERENCE_MODEL], first, other,
                mark);
    printf("%stimes and rates beyond the spread: %zu row%s with a slower one, %zu with a faster "
           "one",
           mark, pair->rows[DIFFERENCE_SLOWER], pair->rows[DIFFERENCE_SLOWER] == 1 ? "" : "s",
           pair->rows[DIFFERENCE_FASTER]);
    print_alone(presence[COMPARE_TIME].first, a, &begun);
    print_alone(presence[COMPARE_TIME].other, b, &begun);
    putchar('\n');
    print_one_sided(pair->one_sided, mark);
}

static bool print_grid(struct grid *grid, enum grid_style style)
{
    bool printed = true;
    if (grid_rows(grid) > 0) {
        putchar('\n');
        printed = grid_print(grid, style, stdout);
    }
    grid_free(grid);
    return printed;
}

static bool print_medians(const struct compare_pair *pair, enum grid_style style)
{
    static const char *const header[] = {"median", "unit", "rows", "least",        "5 %",
                                         "half",   "95 %", "most", "within 0.5 %", "within 1 %"};
    static const double fractions[] = {0, 0.05, 0.5, 0.95, 1};
    struct grid grid;
    char unit[64], median[64];
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < pair->column_count; i++) {
        const struct column_summary *s = &pair->summaries[i];
        if (s->count == 0)
            continue;
        snprintf(median, sizeof median, "%s, %c over %c", pair->columns[i].column->name,
                 pair->other_side->letter, pair->first_side->letter);
        grid_cell(&grid, "%s", median);
        grid_cell(&grid, "%s", compare_unit(pair, i, unit, sizeof unit));
        grid_cell(&grid, "%zu", s->count);
        for (size_t f = 0; f < sizeof fractions / sizeof fractions[0]; f++)
            grid_cell(&grid, "%.4f", stats_quantile(s->ratios, s->count, fractions[f]));
        grid_cell(&grid, "%.1f %%", 100 * (double)s->within_half_pct / (double)s->count);
        grid_cell(&grid, "%.1f %%", 100 * (double)s->within_pct / (double)s->count);
    }
    return print_grid(&grid, style);
}

void compare_worst_add(struct grid *grid, const struct compare_pair *pair,
                       const struct compare_worst *worst)
{
    const struct difference *d = worst->difference;
    struct compare_values values = compare_values_of(pair, d);
    grid_cell(grid, "%s", difference_names[d->kind]);
    grid_cell(grid, "%s", values.column);
    grid_cell(grid, "%zu", worst->rows);
    grid_cell(grid, "%s", values.change);
    grid_cell(grid, "%s", values.first);
    grid_cell(grid, "%s", values.other);
    grid_cell(grid, "%s", difference_case(pair, d));
}

static bool print_worst(const struct compare_pair *pair, enum grid_style style)
{
    const char a[] = {pair->first_side->letter, '\0'}, b[] = {pair->other_side->letter, '\0'};
    const char *header[] = {"difference", "column", "rows", "largest", a, b, "case"};
    struct compare_worst worst[COMPARE_MOST_WORST];
    struct grid grid;
    size_t count = compare_worst_of(pair, worst);
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < count; i++)
        compare_worst_add(&grid, pair, &worst[i]);
    return print_grid(&grid, style);
}

bool compare_print_summary(const struct compare_pair *pair, enum grid_style style)
{
    print_title(pair->family->name, pair->first_side, pair->other_side, style);
    if (!pair->first || !pair->other) {
        printf("%sthere in %c alone: %zu rows, not compared\n", style == GRID_TEXT ? "  " : "",
               pair->first ? pair->first_side->letter : pair->other_side->letter,
               pair->first_rows + pair->other_rows);
        return true;
    }
    print_counts(pair, style);
    return print_medians(pair, style) && print_worst(pair, style);
}

/* ---- All families -------------------------------------------------------------------------- */

/* By its UUID: two GPUs may have one name. */
static void add_gpu(struct compare_total *total, const struct compare_pair *pair)
{
    const char *first = result_key(pair->first, "gpu_uuid");
    const char *other = result_key(pair->other, "gpu_uuid");
    size_t i = 0;
    if (!compare_is_gpu(first) || !compare_is_gpu(other))
        return;
    total->with_gpu++;
    if (strcmp(first, other) != 0)
        return;
    total->same_gpu++;
    while (i < total->gpu_count && strcmp(total->gpus[i], first) != 0)
        i++;
    total->gpus[i] = first;
    total->gpu_count += i == total->gpu_count;
}

void compare_total_add(struct compare_total *total, const struct compare_pair *pair)
{
    if (!pair->first || !pair->other)
        return;
    total->families++;
    total->rows += pair->matched;
    add_gpu(total, pair);
    for (size_t i = 0; i < COMPARE_KINDS; i++) {
        total->presence[i].both += pair->presence[i].both;
        total->presence[i].first += pair->presence[i].first;
        total->presence[i].other += pair->presence[i].other;
    }
    total->counter_rows += pair->rows[DIFFERENCE_COUNTER];
    total->model_rows += pair->rows[DIFFERENCE_MODEL];
    total->one_sided += pair->one_sided;
    for (size_t i = 0; i < pair->column_count; i++) {
        total->medians += pair->summaries[i].count;
        total->within_half_pct += pair->summaries[i].within_half_pct;
        total->within_pct += pair->summaries[i].within_pct;
    }
}

static void print_same_gpu(const struct compare_total *total, const char *mark)
{
    if (total->with_gpu == 0)
        return;
    printf("%sthe same GPU on both sides: in %zu of %zu families", mark, total->same_gpu,
           total->with_gpu);
    if (total->same_gpu > 0)
        printf(" (%zu GPU%s)", total->gpu_count, total->gpu_count == 1 ? "" : "s");
    putchar('\n');
}

void compare_print_total(const struct compare_side *first, const struct compare_side *other,
                         const struct compare_total *total, enum grid_style style)
{
    const char *mark = style == GRID_MARKDOWN ? "- " : "  ";
    char name[64];
    snprintf(name, sizeof name, "all %zu families", total->families);
    print_title(name, first, other, style);
    printf("%s%zu rows in both\n", mark, total->rows);
    print_same_gpu(total, mark);
    print_exact("counters with a prediction", &total->presence[COMPARE_COUNTER],
                total->counter_rows, first, other, mark);
    print_exact("model", &total->presence[COMPARE_MODEL], total->model_rows, first, other, mark);
    print_one_sided(total->one_sided, mark);
    if (total->medians > 0)
        printf("%smedians: %zu, %.2f %% within 0.5 %%, %.2f %% within 1 %%\n", mark, total->medians,
               100 * (double)total->within_half_pct / (double)total->medians,
               100 * (double)total->within_pct / (double)total->medians);
}
