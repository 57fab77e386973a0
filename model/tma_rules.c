/* Which rules does cuTensorMapEncodeTiled follow?
 *
 * Every rule limits one field, so that all rules of a field together give its nearest legal value.
 *
 * Source: 12,000 answers of an H200's driver (580.159), tests/golden/h200-tma-encode.csv, which
 * these rules reproduce without exception, and where the answers say nothing, the documentation in
 * cuda.h of CUDA 13.0. docs/tma-rules.md lists where the two differ and what is undecided. */
#include "model/tma.h"

enum {
    HOPPER = 90,
    BLACKWELL = 100,
    NO_INTERLEAVE = 0,
    INTERLEAVE_32B = 2,
    LAST_HOPPER_TYPE = 12,
    LAST_TYPE = 15,
    LAST_HOPPER_SWIZZLE = 3,
    LAST_SWIZZLE = 6,
    PADDED_BOX_WIDTH = 128,
};

#define STRIDE_END ((uint64_t)1 << 40)

typedef const struct swb_tma_subject subject;

/* ---- Fields ------------------------------------------------------------------------------- */

#define PLACE(member, entry)                                                                       \
    .offset_bytes = offsetof(struct swb_tma_subject, member),                                      \
    .entry_bytes = sizeof((subject *)0)->entry
#define VALUE(member, text)                                                                        \
    {                                                                                              \
        PLACE(member, member), .name = (text), .end = 1                                            \
    }
#define WORD(member, names)                                                                        \
    {                                                                                              \
        PLACE(map.member, map.member), .name = #member, .end = 1, .is_word = true, .word = (names) \
    }
#define ARRAY(member, from, to, less)                                                              \
    {                                                                                              \
        PLACE(map.member, map.member[0]), .name = #member, .first = (from), .end = (to),           \
                                          .rank_less = (less), .is_array = true                    \
    }

static const struct swb_tma_field capability = VALUE(compute_capability, "compute capability x 10");
static const struct swb_tma_field rank = VALUE(map.rank, "rank");
static const struct swb_tma_field address = VALUE(map.address, "address");
static const struct swb_tma_field dtype = WORD(dtype, SWB_TMA_DTYPE);
static const struct swb_tma_field interleave = WORD(interleave, SWB_TMA_INTERLEAVE);
static const struct swb_tma_field swizzle = WORD(swizzle, SWB_TMA_SWIZZLE);
static const struct swb_tma_field l2_promotion = WORD(l2_promotion, SWB_TMA_L2_PROMOTION);
static const struct swb_tma_field oob_fill = WORD(oob_fill, SWB_TMA_OOB_FILL);
static const struct swb_tma_field dims = ARRAY(dims, 0, 5, 0);
static const struct swb_tma_field inner_dim = ARRAY(dims, 0, 1, 0);
static const struct swb_tma_field strides = ARRAY(strides, 0, 4, 1);
static const struct swb_tma_field box_width = ARRAY(box, 0, 1, 0);
static const struct swb_tma_field box_height = ARRAY(box, 1, 5, 0);
static const struct swb_tma_field element_strides = ARRAY(element_strides, 0, 5, 0);
const struct swb_tma_field swb_tma_box_bytes_field = VALUE(box_bytes, "the box's size in bytes");

uint32_t swb_tma_counted_step(const struct swb_tma_map *map, unsigned i)
{
    return map->element_strides[i] ? map->element_strides[i] : 1;
}

uint64_t swb_tma_counted_elements(const struct swb_tma_map *map, unsigned i)
{
    return map->box[i] / swb_tma_counted_step(map, i);
}

uint64_t swb_tma_counted_bits(const struct swb_tma_map *map)
{
    uint64_t bits = swb_tma_smem_elem_bits(map->dtype);
    for (unsigned i = 0; i < map->rank && i < SWB_TMA_MAX_RANK; i++) {
        uint64_t elements = swb_tma_counted_elements(map, i);
        bits = elements != 0 && bits > UINT64_MAX / elements ? UINT64_MAX : bits * elements;
    }
    return bits;
}

/* ---- Limits that depend on the rest of the tensor map ------------------------------------- */

static bool is_padded(subject *subject)
{
    const struct swb_tma_type *type = swb_tma_type(subject->map.dtype);
    return type && type->is_padded;
}

static bool is_6_bit(subject *subject)
{
    return swb_tma_elem_bits(subject->map.dtype) == 6;
}

static uint64_t last_type(subject *subject)
{
    bool is_known = subject->map.dtype <= LAST_TYPE;
    return is_known && subject->compute_capability < BLACKWELL ? LAST_HOPPER_TYPE
                                                               : SWB_TMA_NO_LIMIT;
}

static uint64_t last_swizzle(subject *subject)
{
    bool is_known = subject->map.swizzle <= LAST_SWIZZLE;
    return is_known && subject->compute_capability < BLACKWELL ? LAST_HOPPER_SWIZZLE
                                                               : SWB_TMA_NO_LIMIT;
}

static uint64_t no_interleave_of_6_bit(subject *subject)
{
    return is_6_bit(subject) ? NO_INTERLEAVE : SWB_TMA_NO_LIMIT;
}

static uint64_t padded_swizzles(subject *subject)
{
    enum { NONE_AND_128B = 1 << 0 | 1 << 3, ATOM_32B = 1 << 4, ATOM_64B = 1 << 6 };
    if (!is_padded(subject))
        return SWB_TMA_NO_LIMIT;
    return NONE_AND_128B | ATOM_32B | (is_6_bit(subject) ? ATOM_64B : 0);
}

static uint64_t zero_unless_float(subject *subject)
{
    const struct swb_tma_type *type = swb_tma_type(subject->map.dtype);
    return type && !type->is_float ? 0 : SWB_TMA_NO_LIMIT;
}

static uint64_t rank_of_interleaved(subject *subject)
{
    return subject->map.interleave != NO_INTERLEAVE ? 3 : SWB_TMA_NO_LIMIT;
}

static uint64_t interleave_32_bytes(subject *subject)
{
    return subject->map.interleave == INTERLEAVE_32B ? 32 : SWB_TMA_NO_LIMIT;
}

static uint64_t padded_32_bytes(subject *subject)
{
    return is_padded(subject) ? 32 : SWB_TMA_NO_LIMIT;
}

static uint64_t packed_elements(subject *subject)
{
    const struct swb_tma_type *type = swb_tma_type(subject->map.dtype);
    return !type || !type->is_packed ? SWB_TMA_NO_LIMIT : type->is_padded ? PADDED_BOX_WIDTH : 2;
}

static uint64_t elements_in(subject *subject, unsigned smem_bytes)
{
    unsigned elem_bits = swb_tma_smem_elem_bits(subject->map.dtype);
    return elem_bits > 0 ? smem_bytes * 8 / elem_bits : SWB_TMA_NO_LIMIT;
}

static uint64_t elements_in_chunk(subject *subject)
{
    return elements_in(subject, SWB_TMA_CHUNK_BYTES);
}

static uint64_t elements_in_span(subject *subject)
{
    const struct swb_tma_map *map = &subject->map;
    const struct swb_layout_mode *mode = swb_tma_mode(map->swizzle);
    if (!mode || mode->swizzle_bits == 0 || map->interleave != NO_INTERLEAVE)
        return SWB_TMA_NO_LIMIT;
    return elements_in(subject, mode->span_bytes);
}

static uint64_t padded_box_width(subject *subject)
{
    return is_padded(subject) ? PADDED_BOX_WIDTH : SWB_TMA_NO_LIMIT;
}

/* ---- The rules ---------------------------------------------------------------------------- */

#define AT_LEAST SWB_TMA_AT_LEAST
#define AT_MOST  SWB_TMA_AT_MOST
#define MULTIPLE SWB_TMA_MULTIPLE
#define ONE_OF   SWB_TMA_ONE_OF

const struct swb_tma_rule swb_tma_rules[] = {
    {"device", &capability, AT_LEAST, HOPPER, .why = "the first with TMA"},
    {"type", &dtype, AT_MOST, LAST_TYPE, .why = "cuda.h has no further type"},
    {"type-packed", &dtype, AT_MOST, .limit_of = last_type,
     .why = "packed types need compute capability 10.0"},
    {"interleave", &interleave, AT_MOST, INTERLEAVE_32B, .why = "cuda.h has no further interleave"},
    {"interleave-6bit", &interleave, AT_MOST, .limit_of = no_interleave_of_6_bit,
     .why = "6-bit types are never interleaved"},
    {"swizzle", &swizzle, AT_MOST, LAST_SWIZZLE, .why = "cuda.h has no further swizzle"},
    {"swizzle-atom", &swizzle, AT_MOST, .limit_of = last_swizzle,
     .why = "atoms of 32 and 64 bytes need compute capability 10.0"},
    {"swizzle-padded", &swizzle, ONE_OF, .limit_of = padded_swizzles,
     .why = "padded types know few swizzles"},
    {"l2-promotion", &l2_promotion, AT_MOST, 3, .why = "cuda.h has no further size"},
    {"fill", &oob_fill, AT_MOST, 1, .why = "cuda.h has no further fill"},
    {"fill-nan", &oob_fill, AT_MOST, .limit_of = zero_unless_float,
     .why = "only floating-point types have NaNs"},
    {"rank-least", &rank, AT_LEAST, 1, .why = "a tensor has a dimension"},
    {"rank-most", &rank, AT_MOST, SWB_TMA_MAX_RANK, .why = "TMA has five dimensions"},
    {"rank-interleaved", &rank, AT_LEAST, .limit_of = rank_of_interleaved,
     .why = "with an interleave"},
    {"address-16B", &address, MULTIPLE, 16, .why = "bytes"},
    {"address-32B", &address, MULTIPLE, .limit_of = interleave_32_bytes,
     .why = "bytes, with interleave 32B"},
    {"address-padded", &address, MULTIPLE, .limit_of = padded_32_bytes,
     .why = "bytes, with a padded type"},
    {"dim-least", &dims, AT_LEAST, 1, .why = "element"},
    {"dim-most", &dims, AT_MOST, (uint64_t)1 << 32, .why = "2^32 elements"},
    {"dim-packed", &inner_dim, MULTIPLE, .limit_of = packed_elements,
     .why = "elements, with a packed type"},
    {"stride-16B", &strides, MULTIPLE, 16, .why = "bytes"},
    {"stride-32B", &strides, MULTIPLE, .limit_of = interleave_32_bytes,
     .why = "bytes, with interleave 32B"},
    {"stride-padded", &strides, MULTIPLE, .limit_of = padded_32_bytes,
     .why = "bytes, with a padded type"},
    {"stride-most", &strides, AT_MOST, STRIDE_END - 1, .why = "below 2^40 bytes"},
    {"box-width-least", &box_width, AT_LEAST, 1, .why = "element"},
    {"box-width-most", &box_width, AT_MOST, 256, .why = "elements"},
    {"box-width-16B", &box_width, MULTIPLE, .limit_of = elements_in_chunk,
     .why = "elements: lines are multiples of 16 bytes"},
    {"box-width-span", &box_width, AT_MOST, .limit_of = elements_in_span,
     .why = "elements: the span of the swizzle"},
    {"box-width-padded", &box_width, MULTIPLE, .limit_of = padded_box_width,
     .why = "elements, with a padded type"},
    {"box-width-padded-most", &box_width, AT_MOST, .limit_of = padded_box_width,
     .why = "elements, with a padded type"},
    {"box-least", &box_height, AT_LEAST, 1, .why = "element"},
    {"box-most", &box_height, AT_MOST, 256, .why = "elements"},
    {"element-stride-least", &element_strides, AT_LEAST, 1, .why = "element"},
    {"element-stride-most", &element_strides, AT_MOST, 8, .why = "elements"},
    {"box-bytes", &swb_tma_box_bytes_field, AT_MOST, SWB_TMA_MAX_BOX_BYTES,
     .why = "228 KiB, counting box / element_strides rounded down"},
    {.name = NULL},
};
