/* What is a layout, and where does it put a coordinate? */
#include "model/build.h"
#include "model/refuse.h"
#include "model/text.h"

#include <inttypes.h>
#include <string.h>

unsigned swb_build_open(struct swb_layout *layout)
{
    swb_tuple_open(&layout->shape);
    return swb_tuple_open(&layout->stride);
}

void swb_build_close(struct swb_layout *layout, unsigned node)
{
    swb_tuple_close(&layout->shape, node);
    swb_tuple_close(&layout->stride, node);
}

void swb_build_add(struct swb_layout *layout, int64_t shape, int64_t stride)
{
    swb_tuple_add(&layout->shape, shape);
    swb_tuple_add(&layout->stride, stride);
}

void swb_build_copy(struct swb_layout *layout, const struct swb_layout *from, unsigned node)
{
    swb_tuple_copy(&layout->shape, &from->shape, node);
    swb_tuple_copy(&layout->stride, &from->stride, node);
}

bool swb_build_finish(const struct swb_layout *layout, struct swb_layout *result,
                      struct swb_refusal *refusal)
{
    int64_t size = 1, last = 0;
    if (layout->shape.count > SWB_TUPLE_NODES)
        return swb_refuse(refusal, 0, "the layout has more than %d integers and parentheses",
                          SWB_TUPLE_NODES);
    for (unsigned i = 0; i < layout->shape.count; i++) {
        int64_t shape = layout->shape.nodes[i].value, added;
        if (layout->shape.nodes[i].is_tuple)
            continue;
        if (shape < 1)
            return swb_refuse(refusal, 0, "an extent is %" PRId64 "; it must be at least 1", shape);
        if (__builtin_mul_overflow(size, shape, &size) || size > SWB_LAYOUT_MAX_SIZE)
            return swb_refuse(refusal, 0, "the layout has more than 2^30 coordinates");
        if (__builtin_mul_overflow(shape - 1, imaxabs(layout->stride.nodes[i].value), &added) ||
            added >= SWB_LAYOUT_MAX_SIZE || (last += added) >= SWB_LAYOUT_MAX_SIZE)
            return swb_refuse(refusal, 0, "the layout gives indices of 2^30 and more");
    }
    *result = *layout;
    return true;
}

bool swb_layout_make(const struct swb_tuple *shape, const struct swb_tuple *stride,
                     struct swb_layout *layout, struct swb_refusal *refusal)
{
    if (!swb_tuple_congruent(shape, stride))
        return swb_refuse(refusal, 0, "shape and stride have different profiles");
    struct swb_layout made = {.shape = *shape, .stride = *stride};
    return swb_build_finish(&made, layout, refusal);
}

/* The node with the smallest number in `order` that has none of the strides yet. */
static unsigned next_in_order(const struct swb_tuple *order, const bool *placed)
{
    unsigned next = 0;
    for (unsigned node = 1; node < order->count; node++) {
        if (!placed[node] && (next == 0 || order->nodes[node].value < order->nodes[next].value))
            next = node;
    }
    return next;
}

bool swb_layout_make_ordered(const struct swb_tuple *shape, const struct swb_tuple *order,
                             struct swb_layout *layout, struct swb_refusal *refusal)
{
    bool placed[SWB_TUPLE_NODES] = {false};
    struct swb_layout made = {.shape = *shape, .stride = *shape};
    if (!swb_tuple_congruent(shape, order) || shape->count != swb_tuple_rank(shape) + 1)
        return swb_refuse(refusal, 0, "an order must have one number for each mode of the shape");

    int64_t stride = 1;
    for (unsigned i = 1; i < shape->count; i++) {
        unsigned node = next_in_order(order, placed);
        placed[node] = true;
        made.stride.nodes[node].value = shape->nodes[node].value == 1 ? 0 : stride;
        if (__builtin_mul_overflow(stride, shape->nodes[node].value, &stride) ||
            stride > SWB_LAYOUT_MAX_SIZE)
            return swb_refuse(refusal, 0, "the layout has more than 2^30 coordinates");
    }
    return swb_build_finish(&made, layout, refusal);
}

size_t swb_layout_print(const struct swb_layout *layout, char *text, size_t bytes)
{
    struct text printed = {.start = text, .bytes = bytes};
    printed.length = swb_tuple_print(&layout->shape, text, bytes);
    swb_text_add(&printed, ":");
    size_t room = printed.length < bytes ? bytes - printed.length : 0;
    return printed.length +
           swb_tuple_print(&layout->stride, room ? text + printed.length : NULL, room);
}

bool swb_layout_equal(const struct swb_layout *a, const struct swb_layout *b)
{
    return swb_tuple_equal(&a->shape, &b->shape) && swb_tuple_equal(&a->stride, &b->stride);
}

unsigned swb_layout_rank(const struct swb_layout *layout)
{
    return swb_tuple_rank(&layout->shape);
}

int64_t swb_layout_size(const struct swb_layout *layout)
{
    return swb_tuple_product(&layout->shape);
}

int64_t swb_layout_cosize(const struct swb_layout *layout)
{
    int64_t last = 0;
    for (unsigned i = 0; i < layout->shape.count; i++) {
        if (!layout->shape.nodes[i].is_tuple)
            last += (layout->shape.nodes[i].value - 1) * imaxabs(layout->stride.nodes[i].value);
    }
    return last + 1;
}

struct swb_layout swb_layout_mode(const struct swb_layout *layout, unsigned mode)
{
    struct swb_layout part = {.shape = {.count = 0}};
    swb_build_copy(&part, layout, swb_tuple_mode(&layout->shape, 0, mode));
    return part;
}

bool swb_layout_join(const struct swb_layout *modes, unsigned count, struct swb_layout *layout,
                     struct swb_refusal *refusal)
{
    struct swb_layout joined = {.shape = {.count = 0}};
    unsigned all = swb_build_open(&joined);
    for (unsigned i = 0; i < count; i++)
        swb_build_copy(&joined, &modes[i], 0);
    swb_build_close(&joined, all);
    return swb_build_finish(&joined, layout, refusal);
}

/* Index of number i of the coordinates of one node. */
static int64_t node_at(const struct swb_layout *layout, unsigned node, int64_t i)
{
    int64_t index = 0;
    unsigned end = node + layout->shape.nodes[node].nodes;
    for (; node < end; node++) {
        if (layout->shape.nodes[node].is_tuple)
            continue;
        int64_t extent = layout->shape.nodes[node].value;
        int64_t place = node + 1 < end ? i % extent : i;
        index += place * layout->stride.nodes[node].value;
        i /= extent;
    }
    return index;
}

int64_t swb_layout_at(const struct swb_layout *layout, int64_t i)
{
    return node_at(layout, 0, i);
}

static bool coordinate_at(const struct swb_layout *layout, unsigned node,
                          const struct swb_tuple *coordinate, unsigned at, int64_t *index,
                          struct swb_refusal *refusal)
{
    if (!coordinate->nodes[at].is_tuple) {
        *index += node_at(layout, node, coordinate->nodes[at].value);
        return true;
    }
    if (!layout->shape.nodes[node].is_tuple)
        return swb_refuse(refusal, 0, "the coordinate has a tuple where the shape has an integer");
    unsigned modes = swb_tuple_modes(&layout->shape, node);
    unsigned given = swb_tuple_modes(coordinate, at);
    if (given != modes)
        return swb_refuse(refusal, 0, "the coordinate has %u modes where the shape has %u", given,
                          modes);
    for (unsigned i = 0; i < modes; i++) {
        if (!coordinate_at(layout, swb_tuple_mode(&layout->shape, node, i), coordinate,
                           swb_tuple_mode(coordinate, at, i), index, refusal))
            return false;
    }
    return true;
}

bool swb_layout_at_coordinate(const struct swb_layout *layout, const struct swb_tuple *coordinate,
                              int64_t *index, struct swb_refusal *refusal)
{
    int64_t sum = 0;
    if (!coordinate_at(layout, 0, coordinate, 0, &sum, refusal))
        return false;
    *index = sum;
    return true;
}

void swb_layout_coordinate(const struct swb_layout *layout, int64_t i, struct swb_tuple *coordinate)
{
    *coordinate = layout->shape;
    for (unsigned node = 0; node < coordinate->count; node++) {
        if (coordinate->nodes[node].is_tuple)
            continue;
        int64_t extent = layout->shape.nodes[node].value;
        coordinate->nodes[node].value = i % extent;
        i /= extent;
    }
}

bool swb_layout_collision(const struct swb_layout *layout, int64_t *first, int64_t *second)
{
    uint64_t seen[SWB_COLLISION_INDICES / 64];
    int64_t size = swb_layout_size(layout);
    memset(seen, 0, sizeof seen);
    for (int64_t i = 0; i < size; i++) {
        int64_t index = swb_layout_at(layout, i);
        if (index < 0 || index >= SWB_COLLISION_INDICES)
            continue;
        if (seen[index / 64] >> index % 64 & 1) {
            *second = i;
            for (*first = 0; swb_layout_at(layout, *first) != index;)
                ++*first;
            return true;
        }
        seen[index / 64] |= (uint64_t)1 << index % 64;
    }
    return false;
}
