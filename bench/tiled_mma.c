/* A tiled mma over a problem: its operands, and as text. */
#include "bench/tiled_mma.h"

#include <stdio.h>

#include "bench/mma_picture.h"

const enum swb_mma_operand tiled_mma_order[SWB_MMA_OPERANDS] = {SWB_MMA_C, SWB_MMA_A, SWB_MMA_B};

bool tiled_mma_open(const char *atom_name, const struct mma_words *words, struct tiled_mma *tiled,
                    struct error *error)
{
    struct swb_mma_atom atom;
    struct swb_layout fragment;
    struct swb_refusal refusal;
    if (!mma_words_atom(atom_name, &atom, error) ||
        !mma_words_tiled(words, &atom, &tiled->mma, tiled->problem, error))
        return false;
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++)
        tiled->covered[mode] = swb_tiled_mma_extent(&tiled->mma, mode);
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++) {
        tiled->held[i] = swb_mma_fragment(&atom, i, &fragment, &tiled->refusals[i]);
        if (tiled->held[i] &&
            (!mma_operand_of_tiled(&tiled->mma, i, tiled->problem, &tiled->whole[i], &refusal) ||
             !mma_operand_of_tiled(&tiled->mma, i, tiled->covered, &tiled->tile[i], &refusal)))
            return error_set(error, ERROR_INPUT, "--problem %ux%ux%u: %s",
                             tiled->problem[SWB_MMA_M], tiled->problem[SWB_MMA_N],
                             tiled->problem[SWB_MMA_K], refusal.sentence);
    }
    return true;
}

unsigned tiled_mma_repeats(const struct tiled_mma *tiled, unsigned mode)
{
    return tiled->problem[mode] /
           (tiled->mma.atom.extents[mode] * swb_tiled_mma_atoms(&tiled->mma, mode));
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* How far on the next repeat of an atom is, for the first warp. */
static unsigned next_repeat(const struct tiled_mma *tiled, unsigned mode)
{
    const struct swb_tiled_mma *mma = &tiled->mma;
    unsigned atoms = mma->atom.extents[mode] * swb_tiled_mma_atoms(mma, mode);
    return atoms < tiled->covered[mode] ? (unsigned)swb_layout_at(&mma->tile[mode], atoms)
                                        : tiled->covered[mode];
}

static void print_head(const struct tiled_mma *tiled)
{
    const struct swb_tiled_mma *mma = &tiled->mma;
    const unsigned *covered = tiled->covered, *problem = tiled->problem;
    unsigned threads = swb_tiled_mma_threads(mma);
    unsigned long long each = 1;
    printf("%s, %ux%ux%u atoms: %u threads, %u warp%s, over a tile of %ux%ux%u (M x N x K)\n",
           mma->atom.name, swb_tiled_mma_atoms(mma, SWB_MMA_M), swb_tiled_mma_atoms(mma, SWB_MMA_N),
           swb_tiled_mma_atoms(mma, SWB_MMA_K), threads, threads / SWB_LANES,
           threads == SWB_LANES ? "" : "s", covered[SWB_MMA_M], covered[SWB_MMA_N],
           covered[SWB_MMA_K]);
    printf("problem %ux%ux%u:", problem[SWB_MMA_M], problem[SWB_MMA_N], problem[SWB_MMA_K]);
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        unsigned repeats = tiled_mma_repeats(tiled, mode);
        printf("%s MMA_%c = %u", mode ? "," : "", "MNK"[mode], repeats);
        if (repeats > 1)
            printf(" (the next %u on)", next_repeat(tiled, mode));
        each *= repeats;
    }
    printf("; %llu mma a %s\n", each, mma->atom.is_wgmma ? "warpgroup" : "warp");
}

static void print_fragment(const struct tiled_mma *tiled, enum swb_mma_operand which)
{
    const struct mma_operand *operand = &tiled->whole[which];
    struct swb_layout values;
    char text[128];
    if (!tiled->held[which]) {
        printf("%s\n", tiled->refusals[which].sentence);
        return;
    }
    values = swb_layout_mode(&operand->tv, 1);
    swb_tuple_print(&values.shape, text, sizeof text);
    printf("%c %s %ux%u: %u values a thread, (MMA,MMA_%c,MMA_%c) = %s\n", mma_operand_letter(which),
           tiled->mma.atom.types[which]->name, operand->rows, operand->cols, operand->values,
           mma_operand_row_mode(which), mma_operand_col_mode(which), text);
}

static bool print_map(const struct tiled_mma *tiled, enum swb_mma_operand which,
                      struct error *error)
{
    const struct mma_operand *operand = &tiled->tile[which];
    struct mma_map map;
    if (!mma_map_open(operand, &map, error))
        return false;
    printf("\n%c of a tile, %u x %u (%c x %c); who holds it:\n", mma_operand_letter(which),
           operand->rows, operand->cols, mma_operand_row_mode(which), mma_operand_col_mode(which));
    bool printed = mma_operand_print_sharing(operand, error);
    if (printed)
        mma_map_print_elements(&map);
    mma_map_close(&map);
    return printed;
}

bool tiled_mma_print(const struct tiled_mma *tiled, struct error *error)
{
    print_head(tiled);
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++)
        print_fragment(tiled, tiled_mma_order[i]);
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++) {
        if (tiled->held[tiled_mma_order[i]] && !print_map(tiled, tiled_mma_order[i], error))
            return false;
    }
    return true;
}
