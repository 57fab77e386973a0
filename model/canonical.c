/* How does CuTe write a tile in one of the named layouts? */
#include "model/build.h"
#include "model/refuse.h"

/* One atom as (lines, bytes of a line) in elements: for K-major (rows, cols), for MN-major turned
 * round. An atom of a layout without spans is a whole line. */
static void add_atom(const struct swb_tile *tile, struct swb_layout *atom)
{
    const struct swb_layout_mode *mode = tile->mode;
    unsigned line_elems = swb_tile_line_bytes(tile) * 8 / tile->elem_bits;
    unsigned elems = mode->span_bytes ? mode->span_bytes * 8 / tile->elem_bits : line_elems;
    unsigned pitch = elems + mode->pad_bytes * 8 / tile->elem_bits;
    unsigned lines = mode->span_bytes ? mode->atom_lines : swb_tile_lines(tile);

    unsigned all = swb_build_open(atom);
    if (tile->major == SWB_K_MAJOR)
        swb_build_add(atom, lines, pitch);
    swb_build_add(atom, elems, 1);
    if (tile->major == SWB_MN_MAJOR)
        swb_build_add(atom, lines, pitch);
    swb_build_close(atom, all);
}

static struct swb_tuple pair(int64_t first, int64_t second)
{
    struct swb_tuple tuple = {.count = 0};
    unsigned all = swb_tuple_open(&tuple);
    swb_tuple_add(&tuple, first);
    swb_tuple_add(&tuple, second);
    swb_tuple_close(&tuple, all);
    return tuple;
}

bool swb_tile_composed(const struct swb_tile *tile, struct swb_composed *composed,
                       struct swb_refusal *refusal)
{
    const struct swb_layout_mode *mode = tile->mode;
    if (swb_tile_refusal(tile) != NULL)
        return swb_refuse(refusal, 0, "%s", swb_tile_refusal(tile));
    if (mode->flip_8_bytes)
        return swb_refuse(refusal, 0, "CuTe has no form of 128B-atom32B-flip8B");

    struct swb_layout atom = {.shape = {.count = 0}};
    struct swb_tuple shape = pair(tile->rows, tile->cols);
    struct swb_tuple order = tile->stack == SWB_STACK_COL ? pair(0, 1) : pair(1, 0);
    struct swb_composed made = {
        .swizzle = {(int)mode->swizzle_bits, (int)mode->swizzle_base, (int)mode->swizzle_shift},
        .pointer_bits = mode->swizzle_bits ? tile->elem_bits : 0};
    add_atom(tile, &atom);
    if (!swb_tile_to_shape(&atom, &shape, &order, &made.layout, refusal))
        return false;
    *composed = made;
    return true;
}
