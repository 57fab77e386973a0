/* What do the layouts of fragments say? Claims S6, S7 and T1 to T6: they are about indices, so that
 * the algebra decides, and products of a real mma may contradict it. */
#include <stdlib.h>
#include <string.h>

#include "bench/claims_rows.h"
#include "bench/tiled_mma.h"

/* The rows of mma.csv of one filter: were the products right? False, and the claim left open, where
 * one was not: then the fragments are others than the model has. */
static bool products_agree(const struct compare_side *side, const char *filter, const char *of,
                           struct claim_answer *answer)
{
    const struct claim_rows rows = claim_walk(side, "mma", filter);
    if (rows.verified.no) {
        answer->verdict = CLAIM_OPEN;
        claim_say(answer, "but %zu of %zu products in mma.csv are not those of these fragments",
                  rows.verified.no, rows.verified.no + rows.verified.yes);
        claim_rest_on_row(answer, &rows, rows.verified.no_row);
        return false;
    }
    if (rows.verified.yes) {
        claim_say(answer, "%zu products of %s came out exact", rows.verified.yes, of);
        claim_rest_on_count(answer, &rows);
    }
    return true;
}

static struct mma_operand operand_of(const char *atom_name, enum swb_mma_operand which)
{
    struct swb_mma_atom atom;
    struct mma_operand operand;
    struct swb_refusal refusal;
    if (!swb_mma_atom_find(atom_name, &atom) ||
        !mma_operand_of_atom(&atom, which, &operand, &refusal))
        abort(); /* the names are those below */
    return operand;
}

/* "(0,0), (0,1)": what thread 0 holds. */
static void say_places(struct claim_answer *answer, const struct mma_operand *operand)
{
    for (unsigned value = 0; value < operand->values; value++) {
        struct mma_place place = mma_operand_place(operand, 0, value);
        claim_say_on(answer, "%s(%u,%u)", value ? ", " : "", place.row, place.col);
    }
}

/* Does thread 0 hold these rows and columns? */
static bool thread_0_holds(const struct mma_operand *operand, const unsigned *claimed)
{
    for (unsigned value = 0; value < operand->values; value++) {
        struct mma_place place = mma_operand_place(operand, 0, value);
        if (place.row != claimed[2 * value] || place.col != claimed[2 * value + 1])
            return false;
    }
    return true;
}

/* ---- S6 ------------------------------------------------------------------------------------ */

static const char sixteen_bit_atom[] = "SM80_16x8x16_F32BF16BF16F32_TN";

/* Where ldmatrix finds what it puts into the two halves of a thread's register: of an 8x8 matrix in
 * memory, elements 2t and 2t + 1 of row g to thread 4g + t; with .trans those of column g. */
static struct mma_place loaded(unsigned thread, unsigned half, bool trans)
{
    struct mma_place place = {thread / 4, 2 * (thread % 4) + half};
    return trans ? (struct mma_place){place.col, place.row} : place;
}

enum { IS_FRAGMENT = 1, IS_TRANSPOSED = 2 };

/* What does a thread find in each 8x8 of the operand, whose rows are lines in memory (K-major) or
 * columns (MN-major)? The first values of a register are in one matrix. */
static unsigned found_by(const struct mma_operand *operand, enum swb_major major, bool trans)
{
    unsigned found = IS_FRAGMENT | IS_TRANSPOSED;
    for (unsigned thread = 0; thread < operand->threads; thread++) {
        for (unsigned value = 0; value < operand->values; value++) {
            struct mma_place wanted = mma_operand_place(operand, thread, value);
            struct mma_place memory = loaded(thread, value % 2, trans);
            struct mma_place is =
                major == SWB_K_MAJOR ? memory : (struct mma_place){memory.col, memory.row};
            if (is.row != wanted.row % 8 || is.col != wanted.col % 8)
                found &= ~(unsigned)IS_FRAGMENT;
            if (is.col != wanted.row % 8 || is.row != wanted.col % 8)
                found &= ~(unsigned)IS_TRANSPOSED;
        }
    }
    return found;
}

CLAIM_RULE(s6)
{
    bool holds = true;
    for (unsigned i = 0; i < 2; i++) {
        const struct mma_operand operand = operand_of(sixteen_bit_atom, i ? SWB_MMA_B : SWB_MMA_A);
        holds = holds && found_by(&operand, SWB_K_MAJOR, false) == IS_FRAGMENT &&
                found_by(&operand, SWB_MN_MAJOR, true) == IS_FRAGMENT &&
                found_by(&operand, SWB_MN_MAJOR, false) == IS_TRANSPOSED;
    }
    answer->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_say(answer, "of 16-bit elements, each 8x8 matrix by itself, in A and in B");
    claim_rest_on(answer, "swizzlebench show fragment %s --csv", sixteen_bit_atom);
    if (!products_agree(side, "wrong=,load=*.trans*", "mma.sync", answer))
        return;
    struct claim_range wrong = {.count = 0}, other_loads = {.count = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "mma", "wrong=A without .trans");
    while (claim_rows_next(&rows))
        claim_range_add(&wrong, claim_number(&rows, "product_wrong_share"), rows.row);
    if (wrong.count) {
        claim_say(answer, "A loaded without .trans: %.3g %% of the product is wrong at least",
                  100 * wrong.least);
        claim_say(answer, "elements out of their place: %s of A",
                  result_value(rows.file, wrong.least_row, "a_misplaced_share"));
        claim_rest_on_row(answer, &rows, wrong.least_row);
        if (wrong.least == 0)
            answer->verdict = CLAIM_REFUTED;
    }
    claim_say_left_out(answer, &rows);
    claim_rows_start(&rows, side, "mma", "wrong=,a_layout=MN/*,load!=*.trans*,load=?*");
    while (claim_rows_next(&rows))
        claim_range_add(&other_loads, 1, rows.row);
    if (other_loads.count) {
        claim_say(answer, "MN-major operands of other widths (%s) take plain loads",
                  result_value(rows.file, other_loads.most_row, "dtype"));
        claim_rest_on_row(answer, &rows, other_loads.most_row);
    }
}

/* ---- S7 ------------------------------------------------------------------------------------ */

CLAIM_RULE(s7)
{
    static const char atom[] = "SM80_16x8x8_F32BF16BF16F32_TN";
    const struct mma_operand a = operand_of(atom, SWB_MMA_A);
    answer->verdict = thread_0_holds(&a, claim->claimed) ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_say(answer, "thread 0 holds (M,K) = ");
    say_places(answer, &a);
    claim_rest_on(answer, "swizzlebench show fragment %s --csv", atom);
}

/* ---- T1 to T3 ------------------------------------------------------------------------------ */

static const char tutorial_atom[] = "SM80_16x8x16_F16F16F16F16_TN";

#define SIBLING "SM80_16x8x16_F32F16F16F32_TN"

/* Products were measured of its sibling, which adds up in f32. Do the same threads hold the same?
 */
static void look_at_sibling(const struct compare_side *side, struct claim_answer *answer)
{
    for (enum swb_mma_operand which = SWB_MMA_A; which < SWB_MMA_OPERANDS; which++) {
        const struct mma_operand a = operand_of(tutorial_atom, which),
                                 b = operand_of(SIBLING, which);
        if (!swb_layout_equal(&a.tv, &b.tv))
            return;
    }
    products_agree(side, "atom=" SIBLING ",wrong=", SIBLING ", which has the same layouts,",
                   answer);
}

CLAIM_RULE(t1)
{
    bool holds = true;
    for (enum swb_mma_operand which = SWB_MMA_A; which < SWB_MMA_OPERANDS; which++) {
        const struct mma_operand operand = operand_of(tutorial_atom, which);
        holds = holds && operand.threads == claim->claimed[0] &&
                operand.values == claim->claimed[1 + which];
        claim_say(answer, "%c: %u threads with %u values", mma_operand_letter(which),
                  operand.threads, operand.values);
    }
    answer->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_rest_on(answer, "swizzlebench show fragment %s", tutorial_atom);
    look_at_sibling(side, answer);
}

CLAIM_RULE(t2)
{
    static const unsigned offsets[] = {0, 16, 8, 24};
    const struct mma_operand c = operand_of(tutorial_atom, SWB_MMA_C);
    bool same_offsets = true;
    for (unsigned value = 0; value < 4; value++) {
        struct mma_place place = mma_operand_place(&c, 0, value);
        same_offsets = same_offsets && place.row + c.rows * place.col == offsets[value];
    }
    answer->verdict =
        thread_0_holds(&c, claim->claimed) && same_offsets ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_say(answer, "the offsets are %s", same_offsets ? "right" : "others");
    claim_say(answer, "in %ux%u counted down the columns thread 0 holds ", c.rows, c.cols);
    say_places(answer, &c);
    claim_rest_on(answer, "swizzlebench show fragment %s --csv", tutorial_atom);
    look_at_sibling(side, answer);
}

CLAIM_RULE(t3)
{
    bool holds = true;
    for (enum swb_mma_operand which = SWB_MMA_A; which < SWB_MMA_OPERANDS; which++) {
        const struct mma_operand operand = operand_of(tutorial_atom, which);
        char layout[128];
        swb_layout_print(&operand.tv, layout, sizeof layout);
        holds = holds && strcmp(layout, claim->claimed_layouts[which]) == 0;
        claim_say(answer, "%c: %s", mma_operand_letter(which), layout);
    }
    answer->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_rest_on(answer, "swizzlebench show fragment %s", tutorial_atom);
    look_at_sibling(side, answer);
}

/* ---- T4 to T6 ------------------------------------------------------------------------------ */

static struct tiled_mma tiled_of(const char *tile, const char *problem)
{
    const struct mma_words words = {.atoms = "2x2x1", .tile = tile, .problem = problem};
    struct error error = {.kind = ERROR_NONE};
    struct tiled_mma tiled;
    if (!tiled_mma_open(tutorial_atom, &words, &tiled, &error))
        abort(); /* the words are those below */
    return tiled;
}

/* Does each lane of the one warp hold what that lane of the other does? */
static bool hold_the_same(const struct mma_operand *a, unsigned warp_a, const struct mma_operand *b,
                          unsigned warp_b)
{
    if (a->values != b->values)
        return false;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned value = 0; value < b->values; value++) {
            struct mma_place of_a = mma_operand_place(a, 32 * warp_a + lane, value),
                             of_b = mma_operand_place(b, 32 * warp_b + lane, value);
            if (of_a.row != of_b.row || of_a.col != of_b.col)
                return false;
        }
    return true;
}

/* "0 and 2, 1 and 3": warps that hold the same part; nothing where none do. */
static void say_pairs(struct claim_answer *answer, const struct mma_operand *operand, char letter)
{
    unsigned pairs = 0;
    for (unsigned warp = 0; warp < operand->threads / 32; warp++)
        for (unsigned other = warp + 1; other < operand->threads / 32; other++) {
            if (!hold_the_same(operand, warp, operand, other))
                continue;
            if (pairs++ == 0)
                claim_say(answer, "of %c the same is read by warps ", letter);
            claim_say_on(answer, "%s%u and %u", pairs > 1 ? ", " : "", warp, other);
        }
}

CLAIM_RULE(t4)
{
    const struct tiled_mma tiled = tiled_of(NULL, NULL);
    unsigned threads = swb_tiled_mma_threads(&tiled.mma);
    const unsigned *covers = tiled.covered;
    bool holds = threads == claim->claimed[0];
    for (enum swb_mma_mode mode = SWB_MMA_M; mode < SWB_MMA_MODES; mode++)
        holds = holds && covers[mode] == claim->claimed[1 + mode];
    claim_say(answer, "%u threads over %ux%ux%u", threads, covers[SWB_MMA_M], covers[SWB_MMA_N],
              covers[SWB_MMA_K]);
    for (enum swb_mma_operand which = SWB_MMA_A; which < SWB_MMA_OPERANDS; which++) {
        const struct mma_operand atom = operand_of(tutorial_atom, which);
        /* Does each thread of the first warp hold what it holds of the atom alone? */
        holds = holds && hold_the_same(&tiled.tile[which], 0, &atom, 0);
        say_pairs(answer, &tiled.tile[which], mma_operand_letter(which));
    }
    answer->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_rest_on(answer, "swizzlebench show tiled-mma %s --atoms 2x2x1", tutorial_atom);
}

static const char repeats_command[] = "swizzlebench show tiled-mma SM80_16x8x16_F16F16F16F16_TN "
                                      "--atoms 2x2x1 --tile 32x32x16 --problem 128x128x32";

CLAIM_RULE(t5)
{
    static const unsigned in_comment = 4; /* MMA_N */
    static const char modes[] = {[SWB_MMA_M] = 'M', [SWB_MMA_N] = 'N', [SWB_MMA_K] = 'K'};
    const struct tiled_mma tiled = tiled_of("32x32x16", "128x128x32"), plain = tiled_of(NULL, NULL);
    bool holds = tiled.whole[SWB_MMA_C].values == claim->claimed[3] &&
                 swb_tiled_mma_threads(&tiled.mma) == swb_tiled_mma_threads(&plain.mma);
    for (enum swb_mma_mode mode = SWB_MMA_M; mode < SWB_MMA_MODES; mode++) {
        unsigned repeats = tiled_mma_repeats(&tiled, mode);
        holds = holds && repeats == claim->claimed[mode];
        claim_say(answer, "MMA_%c = %u%s", modes[mode], repeats,
                  mode == SWB_MMA_N && repeats != in_comment ? ", not the 4 of the comment" : "");
    }
    claim_say(answer, "%u accumulators in each of %u threads", tiled.whole[SWB_MMA_C].values,
              swb_tiled_mma_threads(&tiled.mma));
    answer->verdict = holds ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_rest_on(answer, "%s", repeats_command);
}

CLAIM_RULE(t6)
{
    const struct tiled_mma tiled = tiled_of("32x32x16", "128x128x32");
    const struct mma_operand *c = &tiled.whole[SWB_MMA_C];
    /* Of the values an atom's 4 come first, then the repeats along M, then those along N. */
    unsigned along_m = tiled_mma_repeats(&tiled, SWB_MMA_M);
    unsigned atom_values = operand_of(tutorial_atom, SWB_MMA_C).values;
    struct mma_place first = mma_operand_place(c, 0, 0),
                     next_m = mma_operand_place(c, 0, atom_values),
                     next_n = mma_operand_place(c, 0, atom_values * along_m);
    unsigned rows = next_m.row - first.row, columns = next_n.col - first.col;
    answer->verdict = columns == claim->claimed[0] && rows == claim->claimed[1] &&
                              next_m.col == first.col && next_n.row == first.row
                          ? CLAIM_CONFIRMED
                          : CLAIM_REFUTED;
    claim_say(answer, "along N %u columns, along M %u rows, where the tile's order is the data's",
              columns, rows);
    claim_rest_on(answer, "%s", repeats_command);
}
