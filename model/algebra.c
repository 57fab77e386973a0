/* Coalescing, composition, complement and inverses of layouts: CuTe's algebra. */
#include "model/build.h"
#include "model/refuse.h"

#include <inttypes.h>

void swb_flatten(const struct swb_layout *layout, struct swb_flat *flat)
{
    *flat = (struct swb_flat){.count = 0};
    for (unsigned i = 0; i < layout->shape.count; i++) {
        if (layout->shape.nodes[i].is_tuple)
            continue;
        flat->shape[flat->count] = layout->shape.nodes[i].value;
        flat->stride[flat->count++] = layout->stride.nodes[i].value;
    }
}

void swb_build_flat(struct swb_layout *layout, const struct swb_flat *flat)
{
    if (flat->count == 0) {
        swb_build_add(layout, 1, 0);
        return;
    }
    if (flat->count == 1) {
        swb_build_add(layout, flat->shape[0], flat->stride[0]);
        return;
    }
    unsigned all = swb_build_open(layout);
    for (unsigned i = 0; i < flat->count; i++)
        swb_build_add(layout, flat->shape[i], flat->stride[i]);
    swb_build_close(layout, all);
}

static void flat_add(struct swb_flat *flat, int64_t shape, int64_t stride)
{
    flat->shape[flat->count] = shape;
    flat->stride[flat->count++] = stride;
}

void swb_flat_coalesce(struct swb_flat *flat)
{
    struct swb_flat merged = {.count = 0};
    for (unsigned i = 0; i < flat->count; i++) {
        unsigned last = merged.count - 1;
        if (flat->shape[i] == 1)
            continue;
        if (merged.count > 0 && merged.shape[last] * merged.stride[last] == flat->stride[i])
            merged.shape[last] *= flat->shape[i];
        else
            flat_add(&merged, flat->shape[i], flat->stride[i]);
    }
    *flat = merged;
}

static bool finish_flat(struct swb_flat *flat, struct swb_layout *result,
                        struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    swb_build_flat(&built, flat);
    return swb_build_finish(&built, result, refusal);
}

bool swb_coalesce(const struct swb_layout *layout, struct swb_layout *result,
                  struct swb_refusal *refusal)
{
    struct swb_flat flat;
    swb_flatten(layout, &flat);
    swb_flat_coalesce(&flat);
    return finish_flat(&flat, result, refusal);
}

static bool coalesce_node(const struct swb_layout *layout, unsigned node,
                          const struct swb_tuple *profile, unsigned at, struct swb_layout *built,
                          struct swb_refusal *refusal)
{
    if (!profile->nodes[at].is_tuple) {
        struct swb_layout part = {.shape = {.count = 0}};
        struct swb_flat flat;
        swb_build_copy(&part, layout, node);
        swb_flatten(&part, &flat);
        swb_flat_coalesce(&flat);
        swb_build_flat(built, &flat);
        return true;
    }
    unsigned modes = swb_tuple_modes(&layout->shape, node);
    unsigned wanted = swb_tuple_modes(profile, at);
    if (wanted > modes)
        return swb_refuse(refusal, 0, "the profile has %u modes, the layout %u", wanted, modes);
    unsigned all = swb_build_open(built);
    for (unsigned i = 0; i < modes; i++) {
        unsigned mode = swb_tuple_mode(&layout->shape, node, i);
        if (i >= wanted)
            swb_build_copy(built, layout, mode);
        else if (!coalesce_node(layout, mode, profile, swb_tuple_mode(profile, at, i), built,
                                refusal))
            return false;
    }
    swb_build_close(built, all);
    return true;
}

bool swb_coalesce_by(const struct swb_layout *layout, const struct swb_tuple *profile,
                     struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    return coalesce_node(layout, 0, profile, 0, &built, refusal) &&
           swb_build_finish(&built, result, refusal);
}

/* a o shape:stride, for a flat and coalesced: every stride-th element of a, `shape` of them.
 * Walks the modes of a from the fastest; `stride` is what is left to step over, in units of the
 * mode at hand, and `shape` what is left to count. */
static bool compose_mode(const struct swb_flat *a, int64_t shape, int64_t stride,
                         struct swb_flat *result, struct swb_refusal *refusal)
{
    result->count = 0;
    for (unsigned i = 0; i + 1 < a->count && stride != 0; i++) {
        int64_t extent = a->shape[i], step = imaxabs(stride);
        if (step > extent && step % extent != 0)
            return swb_refuse(refusal, 0,
                              "no composition: the stride %" PRId64 " of the right layout is no "
                              "multiple of the extent %" PRId64 " of the left",
                              stride, extent);
        int64_t in_mode = (extent + step - 1) / step;
        int64_t taken = in_mode < shape ? in_mode : shape;
        if (shape % taken != 0)
            return swb_refuse(refusal, 0,
                              "no composition: the extent %" PRId64 " of the right layout does not "
                              "divide into the %" PRId64 " that the left has",
                              shape, taken);
        if (taken > 1) {
            flat_add(result, taken, stride * a->stride[i]);
            shape /= taken;
        }
        if (shape > 1 && step < extent && extent % step != 0)
            return swb_refuse(refusal, 0,
                              "no composition: the stride %" PRId64 " of the right layout does not "
                              "divide the extent %" PRId64 " of the left",
                              stride, extent);
        stride = (step + extent - 1) / extent * (stride < 0 ? -1 : 1);
    }
    if (shape > 1 || result->count == 0)
        flat_add(result, shape, stride * a->stride[a->count - 1]);
    return true;
}

static bool compose_node(const struct swb_flat *a, const struct swb_layout *b, unsigned node,
                         struct swb_layout *built, struct swb_refusal *refusal)
{
    if (!b->shape.nodes[node].is_tuple) {
        struct swb_flat modes;
        if (!compose_mode(a, b->shape.nodes[node].value, b->stride.nodes[node].value, &modes,
                          refusal))
            return false;
        swb_build_flat(built, &modes);
        return true;
    }
    unsigned all = swb_build_open(built);
    unsigned end = node + b->shape.nodes[node].nodes;
    for (unsigned child = node + 1; child < end; child += b->shape.nodes[child].nodes) {
        if (!compose_node(a, b, child, built, refusal))
            return false;
    }
    swb_build_close(built, all);
    return true;
}

/* The largest remainder that shape:stride reaches modulo `period`, in steps that compose_mode has
 * let through. */
static int64_t largest_remainder(int64_t shape, int64_t stride, int64_t period)
{
    int64_t step = imaxabs(stride);
    if (step % period == 0)
        return 0;
    int64_t steps = period % step == 0 && period / step < shape ? period / step : shape;
    return (steps - 1) * step;
}

/* Composing mode by mode adds up what a gives for each mode of b. That is a of their sum only
 * where the sum carries over no end of a mode of a, nor borrows across one. */
static bool check_no_carry(const struct swb_flat *a, const struct swb_layout *b,
                           struct swb_refusal *refusal)
{
    struct swb_flat modes;
    int64_t period = 1;
    swb_flatten(b, &modes);
    for (unsigned i = 0; i + 1 < a->count; i++) {
        int64_t remainders = 0;
        bool goes_up = false, goes_down = false;
        period *= a->shape[i];
        for (unsigned k = 0; k < modes.count; k++) {
            bool moves = modes.shape[k] > 1;
            remainders += largest_remainder(modes.shape[k], modes.stride[k], period);
            goes_up |= moves && modes.stride[k] > 0;
            goes_down |= moves && modes.stride[k] < 0;
        }
        if (remainders >= period || (remainders > 0 && goes_up && goes_down))
            return swb_refuse(refusal, 0,
                              "no composition: the modes of the right layout add up across "
                              "multiples of %" PRId64 ", where a mode of the left ends",
                              period);
    }
    return true;
}

bool swb_composition(const struct swb_layout *a, const struct swb_layout *b,
                     struct swb_layout *result, struct swb_refusal *refusal)
{
    struct swb_layout built = {.shape = {.count = 0}};
    struct swb_flat flat;
    swb_flatten(a, &flat);
    /* Beyond its size a layout goes on in its last mode, and b may reach there; so that mode has to
     * stay, even one of extent 1, and no other extent counts. */
    flat.shape[flat.count - 1] = 2;
    swb_flat_coalesce(&flat);
    return compose_node(&flat, b, 0, &built, refusal) && check_no_carry(&flat, b, refusal) &&
           swb_build_finish(&built, result, refusal);
}

/* Sorts by stride, equal ones in their order, and keeps in `number` where each came from. */
static void sort_by_stride(struct swb_flat *flat, unsigned *number)
{
    for (unsigned i = 0; i < flat->count; i++) {
        int64_t shape = flat->shape[i], stride = flat->stride[i];
        unsigned at = i;
        for (; at > 0 && flat->stride[at - 1] > stride; at--) {
            flat->shape[at] = flat->shape[at - 1];
            flat->stride[at] = flat->stride[at - 1];
            number[at] = number[at - 1];
        }
        flat->shape[at] = shape;
        flat->stride[at] = stride;
        number[at] = i;
    }
}

static bool refuse_negative(const struct swb_flat *flat, struct swb_refusal *refusal)
{
    for (unsigned mode = 0; mode < flat->count; mode++) {
        if (flat->stride[mode] < 0)
            return swb_refuse(refusal, 0, "the stride %" PRId64 " is negative", flat->stride[mode]);
    }
    return true;
}

bool swb_complement(const struct swb_layout *layout, int64_t extent, struct swb_layout *result,
                    struct swb_refusal *refusal)
{
    struct swb_flat modes, gaps = {.count = 0};
    unsigned number[SWB_TUPLE_NODES];
    int64_t reached = 1; /* indices below this are filled by the layout and the gaps so far */

    swb_flatten(layout, &modes);
    if (!refuse_negative(&modes, refusal))
        return false;
    sort_by_stride(&modes, number);
    for (unsigned i = 0; i < modes.count; i++) {
        if (modes.shape[i] == 1 || modes.stride[i] == 0)
            continue;
        if (modes.stride[i] < reached)
            return swb_refuse(refusal, 0,
                              "no complement: the mode %" PRId64 ":%" PRId64
                              " runs into the modes below it",
                              modes.shape[i], modes.stride[i]);
        flat_add(&gaps, modes.stride[i] / reached, reached);
        reached = modes.shape[i] * modes.stride[i];
    }
    flat_add(&gaps, (extent + reached - 1) / reached, reached);
    swb_flat_coalesce(&gaps);
    return finish_flat(&gaps, result, refusal);
}

/* The product of the extents in front of each mode: the stride that it has as a coordinate. */
static void coordinate_strides(const struct swb_flat *modes, int64_t *strides)
{
    int64_t stride = 1;
    for (unsigned i = 0; i < modes->count; i++) {
        strides[i] = stride;
        stride *= modes->shape[i];
    }
}

bool swb_right_inverse(const struct swb_layout *layout, struct swb_layout *result,
                       struct swb_refusal *refusal)
{
    struct swb_flat modes, inverse = {.count = 0};
    unsigned number[SWB_TUPLE_NODES];
    int64_t strides[SWB_TUPLE_NODES], next = 1;

    swb_flatten(layout, &modes);
    swb_flat_coalesce(&modes);
    coordinate_strides(&modes, strides);
    sort_by_stride(&modes, number);
    for (unsigned i = 0; i < modes.count; i++) {
        if (modes.stride[i] != next)
            continue;
        flat_add(&inverse, modes.shape[i], strides[number[i]]);
        next = modes.shape[i] * modes.stride[i];
    }
    swb_flat_coalesce(&inverse);
    return finish_flat(&inverse, result, refusal);
}

bool swb_left_inverse(const struct swb_layout *layout, struct swb_layout *result,
                      struct swb_refusal *refusal)
{
    struct swb_flat modes, inverse = {.count = 0};
    unsigned number[SWB_TUPLE_NODES];
    int64_t strides[SWB_TUPLE_NODES], below = 1, reached = 1, stride = 0;

    swb_flatten(layout, &modes);
    swb_flat_coalesce(&modes);
    if (!refuse_negative(&modes, refusal))
        return false;
    coordinate_strides(&modes, strides);
    sort_by_stride(&modes, number);
    for (unsigned i = 0; i < modes.count; i++) {
        if (modes.stride[i] == 0)
            continue;
        if (modes.stride[i] < reached || modes.stride[i] % below != 0)
            return swb_refuse(refusal, 0,
                              "no left inverse: the mode %" PRId64 ":%" PRId64
                              " does not fit above the modes below it",
                              modes.shape[i], modes.stride[i]);
        flat_add(&inverse, modes.stride[i] / below, stride);
        below = modes.stride[i];
        reached = modes.shape[i] * modes.stride[i];
        stride = strides[number[i]];
    }
    if (modes.count > 0)
        flat_add(&inverse, modes.shape[modes.count - 1], stride);
    swb_flat_coalesce(&inverse);
    return finish_flat(&inverse, result, refusal);
}
