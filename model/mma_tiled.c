/* Which thread holds what when an mma atom is repeated over warps and over a tile? */
#include "model/build.h"
#include "model/refuse.h"

static const char mode_names[] = "MNK";

unsigned swb_tiled_mma_threads(const struct swb_tiled_mma *tiled)
{
    return tiled->atom.threads * (unsigned)swb_layout_size(&tiled->atoms);
}

unsigned swb_tiled_mma_atoms(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode)
{
    struct swb_layout atoms = swb_layout_mode(&tiled->atoms, mode);
    return (unsigned)swb_layout_size(&atoms);
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

/* Onto 0 to its size less one. */
static bool is_one_to_one(const struct swb_layout *layout)
{
    int64_t size = swb_layout_size(layout), first, second;
    for (unsigned i = 0; i < layout->stride.count; i++) {
        if (layout->stride.nodes[i].value < 0)
            return false;
    }
    return swb_layout_cosize(layout) == size && !swb_layout_collision(layout, &first, &second);
}

static bool check_atoms(const struct swb_tiled_mma *tiled, struct swb_refusal *refusal)
{
    const struct swb_layout *atoms = &tiled->atoms;
    int64_t threads = tiled->atom.threads * swb_layout_size(atoms);
    if (swb_layout_rank(atoms) != SWB_MMA_MODES || atoms->shape.count != 1 + SWB_MMA_MODES)
        return swb_refuse(refusal, 0, "the atoms need three modes, M, N and K, a number each");
    if (threads > SWB_MMA_MAX_THREADS)
        return swb_refuse(refusal, 0, "%lld threads; a block has at most %d", (long long)threads,
                          SWB_MMA_MAX_THREADS);
    if (!is_one_to_one(atoms))
        return swb_refuse(refusal, 0, "the %lld atoms are not the warps 0 to %lld, one each",
                          (long long)swb_layout_size(atoms), (long long)swb_layout_size(atoms) - 1);
    return true;
}

static bool check_tile(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode,
                       struct swb_refusal *refusal)
{
    unsigned atoms = swb_tiled_mma_atoms(tiled, mode), extent = tiled->atom.extents[mode];
    int64_t size = swb_layout_size(&tiled->tile[mode]);
    if (size % (atoms * extent) != 0)
        return swb_refuse(refusal, 0,
                          "the tile has %lld along %c, no multiple of the %u that %u atom%s of %u "
                          "take",
                          (long long)size, mode_names[mode], atoms * extent, atoms,
                          atoms == 1 ? "" : "s", extent);
    if (size >= SWB_COLLISION_INDICES)
        return swb_refuse(refusal, 0, "the tile has %lld along %c; no shared memory holds it",
                          (long long)size, mode_names[mode]);
    if (!is_one_to_one(&tiled->tile[mode]))
        return swb_refuse(refusal, 0,
                          "the tile's order along %c does not take each of its %lld once",
                          mode_names[mode], (long long)size);
    return true;
}

bool swb_tiled_mma_make(const struct swb_mma_atom *atom, const struct swb_layout *atoms,
                        const struct swb_layout *tile, struct swb_tiled_mma *tiled,
                        struct swb_refusal *refusal)
{
    struct swb_tiled_mma made = {.atom = *atom, .atoms = *atoms};
    if (!check_atoms(&made, refusal))
        return false;
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        int64_t covered = (int64_t)atom->extents[mode] * swb_tiled_mma_atoms(&made, mode);
        made.tile[mode] = tile ? tile[mode] : extent_layout(covered, 1);
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
    struct swb_layout over_warps = extent_layout(swb_tiled_mma_atoms(tiled, mode), 1);
    return swb_logical_divide(rest, &over_warps, split, refusal);
}

/* (V, thread modes of M, N and K) in the order in which the number of a thread counts them. */
static bool join_threads(const struct swb_tiled_mma *tiled, const struct swb_layout *in_atom,
                         const struct swb_layout *over_atoms, struct swb_layout *threads,
                         struct swb_refusal *refusal)
{
    const struct swb_tuple_node *strides = &tiled->atoms.stride.nodes[1];
    struct swb_layout ordered[1 + SWB_MMA_MODES] = {*in_atom};
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        unsigned place = 1;
        for (unsigned other = 0; other < SWB_MMA_MODES; other++)
            place += strides[other].value < strides[mode].value ||
                     (other < mode && strides[other].value == strides[mode].value);
        ordered[place] = over_atoms[mode];
    }
    return swb_layout_join(ordered, 1 + SWB_MMA_MODES, threads, refusal);
}

bool swb_tiled_mma_partition(const struct swb_tiled_mma *tiled, enum swb_mma_operand operand,
                             unsigned rows, unsigned cols, struct swb_layout *tv,
                             struct swb_refusal *refusal)
{
    enum swb_mma_mode modes[] = {swb_mma_rows(operand), swb_mma_cols(operand)};
    struct swb_layout divided, fragment, parts[2], over_atoms[SWB_MMA_MODES], values[3];
    if (!swb_mma_fragment(&tiled->atom, operand, &fragment, refusal) ||
        !divide(tiled, operand, rows, cols, &divided, refusal))
        return false;
    struct swb_layout in_atom = swb_layout_mode(&divided, 0);
    struct swb_layout rest = swb_layout_mode(&divided, 1);
    if (!swb_composition(&in_atom, &fragment, &fragment, refusal))
        return false;

    /* Warps along the mode that the operand lacks have the same. */
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++)
        over_atoms[mode] = extent_layout(swb_tiled_mma_atoms(tiled, mode), 0);
    values[0] = swb_layout_mode(&fragment, 1);
    for (unsigned i = 0; i < 2; i++) {
        struct swb_layout along = swb_layout_mode(&rest, i), split;
        if (!split_rest(tiled, modes[i], &along, &split, refusal))
            return false;
        over_atoms[modes[i]] = swb_layout_mode(&split, 0);
        values[1 + i] = swb_layout_mode(&split, 1);
    }
    struct swb_layout threads = swb_layout_mode(&fragment, 0);
    return join_threads(tiled, &threads, over_atoms, &parts[0], refusal) &&
           swb_layout_join(values, 3, &parts[1], refusal) && swb_layout_join(parts, 2, tv, refusal);
}
