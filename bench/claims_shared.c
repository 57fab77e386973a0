/* What do the rows of shared.csv and transpose.csv say about bank conflicts? Claims S1, S2, S3 and
 * S17. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims_rows.h"
#include "model/swizzlebench.h"

/* A clock measured is never just the whole number: 1 % is ten times the spread of busy SMs. */
static const double a_clock = 1.01;

/* ---- S1 ------------------------------------------------------------------------------------ */

/* A matrix of 8 rows of 16 bytes is a wavefront at best, so that the ideal of .xN is N: a mean over
 * all positions that equals it was met at each of them. */
CLAIM_RULE(s1)
{
    struct claim_range way = {.count = 0}, clocks = {.count = 0}, alone = {.count = 0};
    unsigned layouts = 0;
    struct claim_rows rows;
    claim_rows_start(&rows, side, "shared", "instruction=ldmatrix*," CLAIM_OF_THE_EIGHT("layout"));
    while (claim_rows_next(&rows)) {
        layouts |= claim_layout_bit(claim_value(&rows, "layout"));
        claim_range_add(&way, claim_ways(&rows), rows.row);
        claim_range_add(&clocks, claim_number(&rows, "cycles_per_wavefront"), rows.row);
        if (claim_is(&rows, "instruction", "ldmatrix.x1"))
            claim_range_add(&alone, claim_number(&rows, "one_warp_cycles"), rows.row);
    }
    if (way.count && way.most > 1) {
        answer->verdict = CLAIM_REFUTED;
        claim_say(answer, "up to %.4g wavefronts a sub-tile", way.most);
        claim_rest_on_row(answer, &rows, way.most_row);
        claim_rest_on_count(answer, &rows);
        return;
    }
    if (!claim_is_known(answer, &rows, &way, "hw_wavefronts", "ldmatrix in the eight layouts") ||
        !claim_has_layouts(answer, &rows, layouts, CLAIM_ALL_LAYOUTS) ||
        !claim_is_known(answer, &rows, &clocks, "cycles_per_wavefront", "ldmatrix"))
        return;
    answer->verdict = clocks.most <= a_clock ? CLAIM_CONFIRMED : CLAIM_DEPENDS;
    claim_say(answer, "%.4g wavefront a sub-tile and no conflict in all %zu rows", way.most,
              way.count);
    claim_say(answer, "on a busy SM %.4f to %.4f clk a wavefront", clocks.least, clocks.most);
    if (alone.count)
        claim_say(answer, "of one warp alone an .x1 takes %.2f clk or more", alone.least);
    claim_rest_on_row(answer, &rows, way.most_row);
    claim_rest_on_row(answer, &rows, clocks.most_row);
    claim_rest_on_count(answer, &rows);
}

/* ---- S2 ------------------------------------------------------------------------------------ */

/* Bytes of a line of a K-major tile, ROWSxCOLS. */
static unsigned line_bytes(const struct claim_rows *rows)
{
    const char *x = strchr(claim_value(rows, "tile"), 'x');
    return x ? (unsigned)(strtoul(x + 1, NULL, 10) *
                          strtoul(claim_value(rows, "elem_bits"), NULL, 10) / 8)
             : 0;
}

CLAIM_RULE(s2)
{
    static const unsigned widths[] = {32, 64, 128, 256};
    enum { WIDTHS = sizeof widths / sizeof widths[0] };
    struct claim_range way[WIDTHS] = {{.count = 0}};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "shared", "instruction=ldmatrix*,layout=linear");
    while (claim_rows_next(&rows))
        for (unsigned i = 0; i < WIDTHS; i++)
            if (line_bytes(&rows) == widths[i])
                claim_range_add(&way[i], claim_ways(&rows), rows.row);
    bool holds = true;
    for (unsigned i = 0; i < 3; i++) {
        char what[64];
        snprintf(what, sizeof what, "ldmatrix in linear lines of %u bytes", widths[i]);
        if (!claim_is_known(answer, &rows, &way[i], "hw_wavefronts", what))
            return;
        holds = holds &&
                (i == 0 ? way[0].least == 2 && way[0].most == 2 : way[i].least > way[i - 1].most);
    }
    answer->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    for (unsigned i = 0; i < WIDTHS; i++) {
        if (!way[i].count)
            continue;
        if (way[i].least == way[i].most)
            claim_say(answer, "%u B a line: %.4g-way", widths[i], way[i].most);
        else
            claim_say(answer, "%u B a line: %.4g- to %.4g-way", widths[i], way[i].least,
                      way[i].most);
        claim_rest_on_row(answer, &rows, way[i].most_row);
    }
    claim_rest_on_count(answer, &rows);
}

/* ---- S3 ------------------------------------------------------------------------------------ */

/* 16-bit elements of a K-major tile that "none" and "linear" put in different places. */
static unsigned differing(unsigned rows, unsigned cols)
{
    enum swb_major major;
    struct swb_tile none = {.mode = swb_layout_find("K/none", &major),
                            .rows = rows,
                            .cols = cols,
                            .elem_bits = 16},
                    linear = none;
    linear.mode = swb_layout_find("linear", &major);
    unsigned count = 0;
    for (unsigned row = 0; row < rows; row++)
        for (unsigned col = 0; col < cols; col++)
            count +=
                swb_tile_byte_offset(&none, row, col) != swb_tile_byte_offset(&linear, row, col);
    return count;
}

CLAIM_RULE(s3)
{
    struct claim_range way = {.count = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "shared", "instruction=ldmatrix*,layout=*/none");
    while (claim_rows_next(&rows))
        claim_range_add(&way, claim_ways(&rows), rows.row);
    unsigned wide = differing(8, 16), narrow = differing(8, 8);
    bool conflicts = way.count && way.most > 1;
    if (!conflicts && !claim_is_known(answer, &rows, &way, "hw_wavefronts", "ldmatrix in \"none\""))
        return;
    answer->verdict = conflicts || wide == 0 ? CLAIM_REFUTED : CLAIM_CONFIRMED;
    claim_say(answer, "%.4g-way at most in %zu rows", way.most, way.count);
    claim_say(answer,
              "%u of 128 16-bit elements of 8x32 B lie elsewhere than in a linear tile, of 8x16 B "
              "%u of 64",
              wide, narrow);
    claim_rest_on_row(answer, &rows, way.most_row);
    claim_rest_on_count(answer, &rows);
    claim_rest_on(answer, "swizzlebench show layout K/none --elem-bits 16 --tile 8x16 --csv");
}

/* ---- S17 ----------------------------------------------------------------------------------- */

/* The way of the rows, where all is conflict-free: into shared memory, out of it, and, for TMA to
 * send it, in again. An empty column is a way that TMA goes. */
static double worst_way(const struct claim_rows *rows)
{
    static const char *const ways_there[] = {"in", "out", "put"};
    double worst = 0;
    for (unsigned i = 0; i < 3; i++) {
        char counted[32], ideal[32];
        snprintf(counted, sizeof counted, "hw_wavefronts_%s", ways_there[i]);
        snprintf(ideal, sizeof ideal, "ideal_wavefronts_%s", ways_there[i]);
        if (!*claim_value(rows, ideal))
            continue;
        double way = claim_number(rows, counted) / claim_number(rows, ideal);
        if (!isfinite(way))
            return NAN;
        worst = fmax(worst, way);
    }
    return worst;
}

static bool has_word_atoms(const struct claim_rows *rows)
{
    return strncmp(claim_value(rows, "layout"), "4B-", 3) == 0;
}

struct free_transposes {
    struct claim_range way; /* of all */
    size_t words, others;   /* without conflicts: with atoms of 4 bytes, and without */
    size_t of_words;        /* all with atoms of 4 bytes */
    size_t row;             /* one of the others */
};

static void count_free(struct free_transposes *found, const struct claim_rows *rows)
{
    double worst = worst_way(rows);
    claim_range_add(&found->way, worst, rows->row);
    found->of_words += has_word_atoms(rows);
    if (!(worst <= 1))
        return;
    if (has_word_atoms(rows)) {
        found->words++;
        return;
    }
    if (found->others++ == 0)
        found->row = rows->row;
}

static const char all_transposes[] = "method!=copy";

/* What a column has in the transposes without conflicts, but those in 4-byte atoms; of one layout
 * and method, where these are not NULL. */
static struct claim_names names_of_free(const struct compare_side *side, const char *column,
                                        const char *layout, const char *method)
{
    struct claim_names names = {.count = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "transpose", all_transposes);
    while (claim_rows_next(&rows))
        if (worst_way(&rows) <= 1 && !has_word_atoms(&rows) &&
            (!layout || claim_is(&rows, "layout", layout)) &&
            (!method || claim_is(&rows, "method", method)))
            claim_names_add(&names, claim_value(&rows, column));
    return names;
}

/* "padded4 (8/16/32-bit elements), K/128B (16-bit ldmatrix.trans-8x16B)" */
static void say_free_layouts(struct claim_answer *answer, const struct compare_side *side)
{
    const struct claim_names layouts = names_of_free(side, "layout", NULL, NULL);
    claim_say(answer, "the others are in ");
    for (size_t i = 0; i < layouts.count; i++) {
        const struct claim_names methods = names_of_free(side, "method", layouts.names[i], NULL);
        claim_say_on(answer, "%s%s (", i ? ", " : "", layouts.names[i]);
        for (size_t m = 0; m < methods.count; m++) {
            const struct claim_names widths =
                names_of_free(side, "elem_bits", layouts.names[i], methods.names[m]);
            claim_say_on(answer, "%s", m ? ", " : "");
            claim_say_names(answer, &widths, "/");
            claim_say_on(answer, "-bit %s", methods.names[m]);
        }
        if (methods.left_off)
            claim_say_on(answer, " and %zu rows more", methods.left_off);
        claim_say_on(answer, ")");
    }
    if (layouts.left_off)
        claim_say_on(answer, " and %zu rows more", layouts.left_off);
}

/* The two shapes: a warp's 4 bytes a lane fill two lines of 64 bytes in 64B; ldmatrix reads columns
 * of eight 16-byte chunks. */
static bool shapes_are_free(const struct compare_side *side, struct claim_answer *answer)
{
    static const struct {
        const char *what, *filter;
        unsigned layouts; /* all of these must have been measured */
    } shapes[] = {{"2x64 B in",
                   "instruction=st.shared.b32,layout=K/64B,access=rows,tile=64x32,elem_bits=16", 0},
                  {"8x16 B out",
                   "instruction=ldmatrix*,access=subtile," CLAIM_OF_THE_EIGHT("layout"),
                   CLAIM_ALL_LAYOUTS}};
    bool are_free = true;
    for (unsigned i = 0; i < 2; i++) {
        struct claim_range way = {.count = 0};
        struct claim_rows rows;
        unsigned layouts = 0;
        claim_rows_start(&rows, side, "shared", shapes[i].filter);
        while (claim_rows_next(&rows)) {
            layouts |= claim_layout_bit(claim_value(&rows, "layout"));
            claim_range_add(&way, claim_ways(&rows), rows.row);
        }
        if (!claim_is_known(answer, &rows, &way, "hw_wavefronts", shapes[i].what) ||
            !claim_has_layouts(answer, &rows, layouts, shapes[i].layouts))
            return false;
        claim_say_left_out(answer, &rows);
        claim_say(answer, "pieces of %s: %.4g-way at most in %zu rows of shared.csv",
                  shapes[i].what, way.most, way.count);
        claim_rest_on_row(answer, &rows, way.most_row);
        are_free = are_free && way.most <= 1;
    }
    answer->verdict = are_free ? CLAIM_DEPENDS : CLAIM_REFUTED;
    return true;
}

CLAIM_RULE(s17)
{
    struct free_transposes found = {.words = 0};
    struct claim_rows rows;
    unsigned layouts = 0;
    claim_rows_start(&rows, side, "transpose", all_transposes);
    while (claim_rows_next(&rows)) {
        layouts |= claim_layout_bit(claim_value(&rows, "layout"));
        count_free(&found, &rows);
    }
    if (!claim_is_known(answer, &rows, &found.way, "hw_wavefronts_out", "transposes"))
        return;
    if (!found.of_words) {
        claim_lacks(answer, &rows, "transposes in 4-byte atoms");
        return;
    }
    if (!claim_has_layouts(answer, &rows, layouts, CLAIM_K_LAYOUTS) ||
        !shapes_are_free(side, answer))
        return;
    claim_say(answer, "%zu of %zu transposes have no conflicts, %zu of them in 4-byte atoms",
              found.words + found.others, rows.count, found.words);
    if (found.others) {
        say_free_layouts(answer, side);
        claim_rest_on_row(answer, &rows, found.row);
    } else if (answer->verdict == CLAIM_DEPENDS) {
        answer->verdict = found.words ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    }
    claim_rest_on_count(answer, &rows);
}
