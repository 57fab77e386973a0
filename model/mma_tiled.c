/* Which thread holds what when an mma atom is repeated over warps and over a tile? */
#include "model/build.h"
#include "model/refuse.h"

static const char mode_names[] = "MNK";

unsigned swb_tiled_mma_threads(const struct swb_tiled_mma *tiled)
{
    const unsigned *atoms = tiled->atoms;
    return tiled->atom.threads * atoms[SWB_MMA_M] * atoms[SWB_MMA_N] * atoms[SWB_MMA_K];
}

unsigned swb_tiled_mma_extent(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode)
{
    return (unsigned)swb_layout_size(&tiled->tile[mode]);
}

static struct swb_layout extent_layout(int64_t extent, int64_t stride)
{
    struct swb_layout layout = {.shape = {.count = 0}};
    swb_build_add(&layout, extent, stride);
    return layout;
}

static bool check_threads(const struct swb_tiled_mma *tiled, struct swb_refusal *refusal)
{
    uint64_t threads = tiled->atom.threads;
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        if (tiled->atoms[mode] < 1 || tiled->atoms[mode] > SWB_MMA_MAX_THREADS)
            return swb_refuse(refusal, 0, "%u atoms along %c; a block has 1 to %d threads",
                              tiled->atoms[mode], mode_names[mode], SWB_MMA_MAX_THREADS);
        threads *= tiled->atoms[mode];
    }
    if (threads > SWB_MMA_MAX_THREADS)
        return swb_refuse(refusal, 0, "%llu threads; a block has at most %d",
                          (unsigned long long)threads, SWB_MMA_MAX_THREADS);
    return true;
}

static bool check_tile(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode,
                       struct swb_refusal *refusal)
{
    const struct swb_layout *tile = &tiled->tile[mode];
    unsigned atoms = tiled->atom.extents[mode] * tiled->atoms[mode];
    int64_t size = swb_layout_size(tile), first, second;
    if (size % atoms != 0)
        return swb_refuse(refusal, 0,
                          "the tile has %lld along %c, no multiple of the %u that %u atom%s of %u "
                          "take",
                          (long long)size, mode_names[mode], atoms, tiled->atoms[mode],
                          tiled->atoms[mode] == 1 ? "" : "s", tiled->atom.extents[mode]);
    if (size >= SWB_COLLISION_INDICES)
        return swb_refuse(refusal, 0, "the tile has %lld along %c; no shared memory holds it",
                          (long long)size, mode_names[mode]);
    if (swb_layout_cosize(tile) != size || swb_layout_collision(tile, &first, &second))
        return swb_refuse(refusal, 0,
                          "the tile's order along %c does not take each of its %lld once",
                          mode_names[mode], (long long)size);
    return true;
}

bool swb_tiled_mma_make(const struct swb_mma_atom *atom, const unsigned *atoms,
                        const struct swb_layout *tile, struct swb_tiled_mma *tiled,
                        struct swb_refusal *refusal)
{
    struct swb_tiled_mma made = {.atom = *atom,
                                 .atoms = {atoms[SWB_MMA_M], atoms[SWB_MMA_N], atoms[SWB_MMA_K]}};
    if (!check_threads(&made, refusal))
        return false;
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        made.tile[mode] =
            tile ? tile[mode] : extent_layout((int64_t)atom->extents[mode] * atoms[mode], 1);
        if (!check_tile(&made, mode, refusal))
            return false;
    }
    *tiled = made;
    return true;
}

/* (rows, cols) -> ((atom rows, atom columns), (rest of rows, rest of columns)), in the order of the
 * tile. */
static bool divide(const struct swb_tiled_mma *tiled, enum swb_mma_operand operand, unsigned rows,
                   unsigned cols, struct swb_layout *divided, struct swb_refusal *refusal)
{
    enum swb_mma_mode modes[] = {swb_mma_rows(operand), swb_mma_cols(operand)};
    struct swb_layout data[] = {extent_layout(rows, 1), extent_layout(cols, rows)};
    struct swb_layout tile[2], atom[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned covered = swb_tiled_mma_extent(tiled, modes[i]);
        unsigned extent = i == 0 ? rows : cols;
        if (extent == 0 || extent % covered != 0)
            return swb_refuse(refusal, 0,
                              "%u along %c is no multiple of the %u that the tile covers", extent,
                              mode_names[modes[i]], covered);
        tile[i] = tiled->tile[modes[i]];
        atom[i] = extent_layout(tiled->atom.extents[modes[i]], 1);
    }
    return swb_layout_join(data, 2, divided, refusal) &&
           swb_logical_divide_by(divided, tile, 2, divided, refusal) &&
           swb_zipped_divide(divided, atom, 2, divided, refusal);
}

/* The rest along rows or columns -> (over the atoms of the tile, over a thread's repeats). */
static bool split_rest(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode,
                       const struct swb_layout *rest, struct swb_layout *split,
                       struct swb_refusal *refusal)
{
    struct swb_layout over_warps = extent_layout(tiled->atoms[mode], 1);
    return swb_logical_divide(rest, &over_warps, split, refusal);
}

bool swb_tiled_mma_partition(const struct swb_tiled_mma *tiled, enum swb_mma_operand operand,
                             unsigned rows, unsigned cols, struct swb_layout *tv,
                             struct swb_refusal *refusal)
{
    enum swb_mma_mode modes[] = {swb_mma_rows(operand), swb_mma_cols(operand)};
    struct swb_layout divided, fragment, parts[2], threads[4], values[3];
    if (!swb_mma_fragment(&tiled->atom, operand, &fragment, refusal) ||
        !divide(tiled, operand, rows, cols, &divided, refusal))
        return false;
    struct swb_layout in_atom = swb_layout_mode(&divided, 0);
    struct swb_layout rest = swb_layout_mode(&divided, 1);
    if (!swb_composition(&in_atom, &fragment, &fragment, refusal))
        return false;

    threads[0] = swb_layout_mode(&fragment, 0);
    values[0] = swb_layout_mode(&fragment, 1);
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) /* a warp along the mode that the */
        threads[1 + mode] = extent_layout(tiled->atoms[mode], 0); /* operand lacks has the same */
    for (unsigned i = 0; i < 2; i++) {
        struct swb_layout along = swb_layout_mode(&rest, i), split;
        if (!split_rest(tiled, modes[i], &along, &split, refusal))
            return false;
        threads[1 + modes[i]] = swb_layout_mode(&split, 0);
        values[1 + i] = swb_layout_mode(&split, 1);
    }
    return swb_layout_join(threads, 4, &parts[0], refusal) &&
           swb_layout_join(values, 3, &parts[1], refusal) && swb_layout_join(parts, 2, tv, refusal);
}
