/* What do the products of wgmma say, and whole pipelines? Claims S10, S11 and S18. */
#include <math.h>
#include <string.h>

#include "bench/claims_rows.h"

/* Clocks that are the same: three times the largest distance from the law on an H200. */
static const double same_clocks = 0.001;

/* ---- S10 ----------------------------------------------------------------------------------- */

static bool is_same_tile(const struct claim_rows *rows, size_t a, size_t b)
{
    static const char *const columns[] = {"k_block", "n", "stages"};
    for (unsigned i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(result_value(rows->file, a, columns[i]),
                   result_value(rows->file, b, columns[i])) != 0)
            return false;
    return result_value(rows->file, a, "b_layout")[0] == result_value(rows->file, b, "b_layout")[0];
}

/* The best of the rows of one tile in other layouts, over the best in the widest whose span divides
 * the extent. NAN where there is no choice between them, and where the walk `first`, from its
 * present row on, is not at the tile's first row. Rows of other tiles are left alone. */
static double others_over_widest(const struct compare_side *side, const struct claim_rows *first)
{
    double of_widest = INFINITY, of_others = INFINITY;
    struct claim_rows rows;
    claim_rows_start(&rows, side, first->family, first->filter_text);
    while (claim_rows_next(&rows)) {
        if (!is_same_tile(&rows, first->row, rows.row))
            continue;
        if (rows.row < first->row)
            return NAN;
        double cycles = claim_number(&rows, "cycles_per_k_block");
        if (claim_is(&rows, "cutlass_choice", "yes"))
            of_widest = fmin(of_widest, cycles);
        else
            of_others = fmin(of_others, cycles);
    }
    return isinf(of_widest) || isinf(of_others) ? NAN : of_others / of_widest;
}

CLAIM_RULE(s10)
{
    static const double as_fast = 0.99;
    struct claim_range others = {.count = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "pipeline", "layout=*");
    while (claim_rows_next(&rows)) {
        claim_range_add(&others, others_over_widest(side, &rows), rows.row);
    }
    if (!others.count) {
        claim_lacks(answer, &rows, "one tile, with clocks, in several layouts");
        return;
    }
    answer->verdict = others.least >= as_fast ? CLAIM_CONFIRMED
                      : others.most < as_fast ? CLAIM_REFUTED
                                              : CLAIM_DEPENDS;
    claim_say(answer,
              "%zu tiles filled by TMA and read by wgmma: the best other layout takes %.3f to %.3f "
              "times the clocks of the widest one whose span divides the extent",
              others.count, others.least, others.most);
    claim_rest_on_row(answer, &rows, others.least_row);
    claim_rest_on_row(answer, &rows, others.most_row);
    claim_rest_on_count(answer, &rows);
}

/* ---- S11 ----------------------------------------------------------------------------------- */

/* The row of the same product with the other stacking, or -1: names end in it. */
static long twin_of(const struct claim_rows *rows)
{
    char name[ROW_CASE_BYTES];
    snprintf(name, sizeof name, "%s", claim_value(rows, "case"));
    char *end = strstr(name, " row");
    if (!end || end[4] != '\0')
        return -1;
    strcpy(end, " col");
    return result_find_case(rows->file, name);
}

CLAIM_RULE(s11)
{
    struct claim_range clocks = {.count = 0};
    static const char *const filters[2] = {"wrong=,stack=row", "wrong=,stack=col"};
    struct claim_rows rows[2];
    unsigned layouts = CLAIM_ALL_LAYOUTS;
    for (unsigned i = 0; i < 2; i++) {
        unsigned seen = 0;
        claim_rows_start(&rows[i], side, "wgmma", filters[i]);
        while (claim_rows_next(&rows[i])) {
            seen |= claim_layout_bit(claim_value(&rows[i], "b_layout"));
            long twin = twin_of(&rows[i]);
            if (twin >= 0)
                claim_range_add(&clocks,
                                claim_number(&rows[i], "cycles_per_mma") /
                                    claim_number_of(&rows[i], (size_t)twin, "cycles_per_mma"),
                                rows[i].row);
        }
        layouts &= seen;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct claim_verified *verified = &rows[i].verified;
        if (!verified->no)
            continue;
        answer->verdict = CLAIM_REFUTED;
        claim_say(answer, "%zu of %zu products from atoms stacked along %s are wrong", verified->no,
                  verified->no + verified->yes, i == 0 ? "rows" : "columns");
        claim_rest_on_row(answer, &rows[i], verified->no_row);
    }
    if (answer->verdict == CLAIM_REFUTED ||
        !claim_has_layouts(answer, &rows[0], layouts, CLAIM_ALL_LAYOUTS))
        return;
    answer->verdict = CLAIM_CONFIRMED;
    claim_say(answer, "all %zu products with atoms along rows are exact, and all %zu along columns",
              rows[0].verified.yes, rows[1].verified.yes);
    if (clocks.count) {
        claim_say(answer, "clocks of the same product differ by %.2g %% at most",
                  100 * fmax(clocks.most - 1, 1 - clocks.least));
        claim_rest_on_row(answer, &rows[0], clocks.most_row);
    }
    claim_rest_on_count(answer, &rows[0]);
    claim_rest_on_count(answer, &rows[1]);
}

/* ---- S18 ----------------------------------------------------------------------------------- */

CLAIM_RULE(s18)
{
    struct claim_range conflicts = {.count = 0}, clocks = {.count = 0};
    unsigned of_a = 0, of_b = 0;
    struct claim_names of_both_majors = {.count = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "wgmma", "wrong=,a_source=shared");
    while (claim_rows_next(&rows)) {
        unsigned a = claim_layout_bit(claim_value(&rows, "a_layout")),
                 b = claim_layout_bit(claim_value(&rows, "b_layout"));
        claim_range_add(&conflicts, claim_number(&rows, "hw_conflicts"), rows.row);
        claim_range_add(&clocks, claim_number(&rows, "cycles_over_model"), rows.row);
        of_a |= a;
        of_b |= b;
        if (b >= claim_layout_bit("MN/none"))
            claim_names_add(&of_both_majors, claim_value(&rows, "dtype"));
    }
    if (rows.verified.no) {
        answer->verdict = CLAIM_REFUTED;
        claim_say(answer, "%zu of %zu products are wrong", rows.verified.no,
                  rows.verified.no + rows.verified.yes);
        claim_rest_on_row(answer, &rows, rows.verified.no_row);
        return;
    }
    if (!claim_has_layouts(answer, &rows, of_a & of_b, CLAIM_ALL_LAYOUTS) ||
        !claim_is_known(answer, &rows, &clocks, "cycles_over_model", "wgmma"))
        return;
    bool same = clocks.most - clocks.least <= same_clocks;
    answer->verdict = same && conflicts.most <= 0 ? CLAIM_CONFIRMED : CLAIM_DEPENDS;
    claim_say(answer, "all %zu products of A and B in the eight layouts are exact",
              rows.verified.yes);
    if (conflicts.count)
        claim_say(answer, "%.4g conflicts at most", conflicts.most);
    if (conflicts.unknown)
        claim_say(answer, "in %zu of %zu rows none were counted, so that the clocks alone speak",
                  conflicts.unknown, rows.count);
    claim_say(answer, "%.5f to %.5f of the clocks of the law, which knows no layout", clocks.least,
              clocks.most);
    claim_say(answer, "MN-major of these types alone: ");
    claim_say_names(answer, &of_both_majors, ", ");
    claim_rest_on_row(answer, &rows, clocks.most_row);
    claim_rest_on_count(answer, &rows);
}
