/* Dividing layouts into tiles, repeating them, and seeing them as wider or narrower elements. */
#include "model/build.h"
#include "model/refuse.h"

#include <inttypes.h>

typedef bool splitter(const struct swb_layout *layout, const struct swb_layout *tiler,
                      struct swb_layout *result, struct swb_refusal *refusal);

/* Splits each mode by the tiler with its number; modes beyond those stay as they are. */
static bool split_by(splitter *split, const struct swb_layout *layout,
                     const struct swb_layout *tilers, unsigned count, struct swb_layout *result,
                     struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    unsigned rank = swb_layout_rank(layout);
    if (count > rank)
        return swb_refuse(refusal, 0, "there are %u tilers for the %u modes of the layout", count,
                          rank);
    unsigned all = swb_build_open(&built);
    for (unsigned i = 0; i < rank; i++) {
        struct swb_layout mode = swb_layout_mode(layout, i);
        if (i < count && !split(&mode, &tilers[i], &mode, refusal))
            return false;
        swb_build_copy(&built, &mode, 0);
    }
    swb_build_close(&built, all);
    return swb_build_finish(&built, result, refusal);
}

/* ((a,b),(c,d),e) -> ((a,c),(b,d,e)) for count = 2. */
static bool gather(const struct swb_layout *layout, unsigned count, struct swb_layout *result,
                   struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    unsigned all = swb_build_open(&built);
    for (unsigned part = 0; part < 2; part++) {
        unsigned parts = swb_build_open(&built);
        for (unsigned i = 0; i < swb_layout_rank(layout); i++) {
            unsigned mode = swb_tuple_mode(&layout->shape, 0, i);
            if (i < count)
                swb_build_copy(&built, layout, swb_tuple_mode(&layout->shape, mode, part));
            else if (part == 1)
                swb_build_copy(&built, layout, mode);
        }
        swb_build_close(&built, parts);
    }
    swb_build_close(&built, all);
    return swb_build_finish(&built, result, refusal);
}

static bool join_two(const struct swb_layout *first, const struct swb_layout *second,
                     struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    unsigned all = swb_build_open(&built);
    swb_build_copy(&built, first, 0);
    swb_build_copy(&built, second, 0);
    swb_build_close(&built, all);
    return swb_build_finish(&built, result, refusal);
}

bool swb_logical_divide(const struct swb_layout *layout, const struct swb_layout *tiler,
                        struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout rest, both;
    return swb_complement(tiler, swb_layout_size(layout), &rest, refusal) &&
           join_two(tiler, &rest, &both, refusal) &&
           swb_composition(layout, &both, result, refusal);
}

bool swb_logical_divide_by(const struct swb_layout *layout, const struct swb_layout *tilers,
                           unsigned count, struct swb_layout *result, struct swb_refusal *refusal)
{
    return split_by(swb_logical_divide, layout, tilers, count, result, refusal);
}

bool swb_zipped_divide(const struct swb_layout *layout, const struct swb_layout *tilers,
                       unsigned count, struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout divided;
    return swb_logical_divide_by(layout, tilers, count, &divided, refusal) &&
           gather(&divided, count, result, refusal);
}

bool swb_logical_product(const struct swb_layout *block, const struct swb_layout *tiler,
                         struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout rest, repetitions;
    int64_t extent = swb_layout_size(block) * swb_layout_cosize(tiler);
    return swb_complement(block, extent, &rest, refusal) &&
           swb_composition(&rest, tiler, &repetitions, refusal) &&
           join_two(block, &repetitions, result, refusal);
}

bool swb_logical_product_by(const struct swb_layout *block, const struct swb_layout *tilers,
                            unsigned count, struct swb_layout *result, struct swb_refusal *refusal)
{
    return split_by(swb_logical_product, block, tilers, count, result, refusal);
}

bool swb_zipped_product(const struct swb_layout *block, const struct swb_layout *tilers,
                        unsigned count, struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout product;
    return swb_logical_product_by(block, tilers, count, &product, refusal) &&
           gather(&product, count, result, refusal);
}

/* The layout as a tuple of `rank` modes, 1:0 for those that it has not. */
static bool pad_to_rank(const struct swb_layout *layout, unsigned rank, struct swb_layout *padded,
                        struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    unsigned own = swb_layout_rank(layout), all = swb_build_open(&built);
    for (unsigned i = 0; i < own; i++)
        swb_build_copy(&built, layout, swb_tuple_mode(&layout->shape, 0, i));
    for (unsigned i = own; i < rank; i++)
        swb_build_add(&built, 1, 0);
    swb_build_close(&built, all);
    return swb_build_finish(&built, padded, refusal);
}

bool swb_blocked_product(const struct swb_layout *block, const struct swb_layout *tiler,
                         struct swb_layout *result, struct swb_refusal *refusal)
{
    unsigned block_rank = swb_layout_rank(block), tiler_rank = swb_layout_rank(tiler);
    unsigned rank = block_rank > tiler_rank ? block_rank : tiler_rank;
    struct swb_layout padded_block, padded_tiler, product, zipped = {.shape = {.count = 0}};
    if (!pad_to_rank(block, rank, &padded_block, refusal) ||
        !pad_to_rank(tiler, rank, &padded_tiler, refusal) ||
        !swb_logical_product(&padded_block, &padded_tiler, &product, refusal))
        return false;

    unsigned all = swb_build_open(&zipped);
    for (unsigned i = 0; i < rank; i++) {
        unsigned pair = swb_build_open(&zipped);
        for (unsigned half = 0; half < 2; half++) {
            unsigned modes = swb_tuple_mode(&product.shape, 0, half);
            swb_build_copy(&zipped, &product, swb_tuple_mode(&product.shape, modes, i));
        }
        swb_build_close(&zipped, pair);
    }
    swb_build_close(&zipped, all);
    return swb_build_finish(&zipped, result, refusal);
}

static int64_t product_below(const struct swb_tuple *tuple, unsigned node)
{
    struct swb_tuple part = {.count = 0};
    swb_tuple_copy(&part, tuple, node);
    return swb_tuple_product(&part);
}

/* How often the block repeats along each mode of `shape`. */
static bool repetitions_of(const struct swb_layout *block, const struct swb_tuple *shape,
                           struct swb_tuple *repetitions, struct swb_refusal *refusal)
{
    unsigned rank = swb_tuple_rank(shape), block_rank = swb_layout_rank(block);
    if (block_rank > rank)
        return swb_refuse(refusal, 0, "the block has %u modes, the shape %u", block_rank, rank);
    repetitions->count = 0;
    unsigned all = swb_tuple_open(repetitions);
    for (unsigned i = 0; i < rank; i++) {
        int64_t target = product_below(shape, swb_tuple_mode(shape, 0, i));
        int64_t extent =
            i < block_rank ? product_below(&block->shape, swb_tuple_mode(&block->shape, 0, i)) : 1;
        if (target < 1 || target % extent != 0)
            return swb_refuse(refusal, 0,
                              "mode %u of the block, %" PRId64 " long, does not divide the %" PRId64
                              " of the shape",
                              i, extent, target);
        swb_tuple_add(repetitions, target / extent);
    }
    swb_tuple_close(repetitions, all);
    return true;
}

/* 0, 0, ...: equal numbers count from left to right. */
static struct swb_tuple first_mode_first(unsigned rank)
{
    struct swb_tuple order = {.count = 0};
    unsigned all = swb_tuple_open(&order);
    for (unsigned i = 0; i < rank; i++)
        swb_tuple_add(&order, 0);
    swb_tuple_close(&order, all);
    return order;
}

bool swb_tile_to_shape(const struct swb_layout *block, const struct swb_tuple *shape,
                       const struct swb_tuple *order, struct swb_layout *result,
                       struct swb_refusal *refusal)
{
    struct swb_tuple repetitions, natural = first_mode_first(swb_tuple_rank(shape));
    struct swb_layout tiler;
    return repetitions_of(block, shape, &repetitions, refusal) &&
           swb_layout_make_ordered(&repetitions, order ? order : &natural, &tiler, refusal) &&
           swb_blocked_product(block, &tiler, result, refusal);
}

/* a / b where one divides the other, and at least 1 or -1; b > 0. */
static bool divide_shape(int64_t a, int64_t b, int64_t *quotient, struct swb_refusal *refusal)
{
    if (a % b != 0 && b % a != 0)
        return swb_refuse(refusal, 0, "neither of %" PRId64 " and %" PRId64 " divides the other", a,
                          b);
    *quotient = a / b != 0 ? a / b : a < 0 ? -1 : 1;
    return true;
}

bool swb_upcast(const struct swb_layout *layout, int64_t n, struct swb_layout *result,
                struct swb_refusal *refusal)
{
    struct swb_layout cast = *layout;
    for (unsigned i = 0; i < cast.shape.count; i++) {
        int64_t *shape = &cast.shape.nodes[i].value, *stride = &cast.stride.nodes[i].value;
        int64_t step = imaxabs(*stride), in_element = 1;
        if (cast.shape.nodes[i].is_tuple || step == 0)
            continue;
        if (!divide_shape(n, step, &in_element, refusal) ||
            !divide_shape(*shape, in_element, shape, refusal) ||
            !divide_shape(*stride, n, stride, refusal))
            return false;
    }
    return swb_build_finish(&cast, result, refusal);
}

bool swb_downcast(const struct swb_layout *layout, int64_t n, struct swb_layout *result,
                  struct swb_refusal *refusal)
{
    struct swb_layout cast = *layout;
    bool has_adjacent = false;
    for (unsigned i = 0; i < cast.shape.count; i++) {
        int64_t stride = cast.stride.nodes[i].value;
        if (cast.shape.nodes[i].is_tuple)
            continue;
        has_adjacent |= stride == 1;
        if (stride == 1 || stride == -1)
            cast.shape.nodes[i].value *= n;
        else
            cast.stride.nodes[i].value *= n;
    }
    if (!has_adjacent)
        return swb_refuse(refusal, 0, "no mode has stride 1: there are no neighbours to split");
    return swb_build_finish(&cast, result, refusal);
}

bool swb_recast(const struct swb_layout *layout, unsigned old_bits, unsigned new_bits,
                struct swb_layout *result, struct swb_refusal *refusal)
{
    if (new_bits == 0 || old_bits == 0 || (new_bits % old_bits != 0 && old_bits % new_bits != 0))
        return swb_refuse(refusal, 0, "neither of %u and %u bits is a multiple of the other",
                          old_bits, new_bits);
    return new_bits >= old_bits ? swb_upcast(layout, new_bits / old_bits, result, refusal)
                                : swb_downcast(layout, old_bits / new_bits, result, refusal);
}
