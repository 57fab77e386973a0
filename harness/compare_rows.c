/* Which rows differ, and in what? */
#include "harness/compare_print.h"
#include "harness/compare_values.h"

enum { TEXT_ROWS_OF_A_KIND = 8 };

void compare_rows_start(struct grid *grid, enum grid_style style)
{
    static const char *const all[] = {"family",    "case",      "against",   "difference", "column",
                                      "unit",      "first",     "first_min", "first_max",  "other",
                                      "other_min", "other_max", "ratio"};
    static const char *const few[] = {"family", "against", "difference", "column",
                                      "change", "first",   "other",      "case"};
    if (style == GRID_CSV)
        grid_start(grid, all, sizeof all / sizeof all[0]);
    else
        grid_start(grid, few, sizeof few / sizeof few[0]);
}

static void add_all(struct grid *grid, const struct compare_pair *pair, const struct difference *d)
{
    struct compare_values values = compare_values_of(pair, d);
    grid_cell(grid, "%s", pair->family->name);
    grid_cell(grid, "%s", difference_case(pair, d));
    grid_cell(grid, "%s", pair->other_side->path);
    grid_cell(grid, "%s", difference_names[d->kind]);
    grid_cell(grid, "%s", values.column);
    grid_cell(grid, "%s", values.unit);
    grid_cell(grid, "%s", values.first);
    grid_cell(grid, "%s", values.ends[0]);
    grid_cell(grid, "%s", values.ends[1]);
    grid_cell(grid, "%s", values.other);
    grid_cell(grid, "%s", values.ends[2]);
    grid_cell(grid, "%s", values.ends[3]);
    grid_cell(grid, "%s", values.ratio);
}

static void add_few(struct grid *grid, const struct compare_pair *pair, const struct difference *d)
{
    struct compare_values values = compare_values_of(pair, d);
    grid_cell(grid, "%s", pair->family->name);
    grid_cell(grid, "%c", pair->other_side->letter);
    grid_cell(grid, "%s", difference_names[d->kind]);
    grid_cell(grid, "%s", values.column);
    grid_cell(grid, "%s", values.change);
    grid_cell(grid, "%s", values.first);
    grid_cell(grid, "%s", values.other);
    grid_cell(grid, "%s", difference_case(pair, d));
}

void compare_rows_add(struct grid *grid, const struct compare_pair *pair, enum grid_style style)
{
    size_t shown[DIFFERENCE_KINDS] = {0};
    if (style != GRID_CSV && (!pair->first || !pair->other))
        return;
    for (size_t i = 0; i < pair->difference_count; i++) {
        const struct difference *d = &pair->differences[i];
        if (style == GRID_TEXT && shown[d->kind]++ >= TEXT_ROWS_OF_A_KIND)
            continue;
        if (style == GRID_CSV)
            add_all(grid, pair, d);
        else
            add_few(grid, pair, d);
    }
}
