/* What layout does a text mean, and where is it wrong?
 *
 *   composed = [ swizzle "o" [ ( pointer | integer ) "o" ] ] layout
 *   swizzle  = ( "Sw" | "S" ) "<" integer "," integer "," integer ">"
 *   pointer  = "smem_ptr" "[" integer "b" "]" [ "(unset)" ]
 *   layout   = tuple [ ":" tuple ]
 *   tuple    = integer | "(" tuple { "," tuple } ")"
 *   integer  = [ "_" ] [ "-" ] digits
 */
#include "model/build.h"
#include "model/refuse.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { MAX_DEPTH = 16 };

struct reader {
    const char *text, *at;
    struct swb_refusal *refusal;
};

static unsigned column_of(const struct reader *reader)
{
    return (unsigned)(reader->at - reader->text) + 1;
}

static void skip_blanks(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static bool refuse_here(struct reader *reader, const char *expected)
{
    skip_blanks(reader);
    if (*reader->at == '\0')
        return swb_refuse(reader->refusal, column_of(reader), "the text ends where %s should be",
                          expected);
    return swb_refuse(reader->refusal, column_of(reader), "'%c' stands where %s should be",
                      *reader->at, expected);
}

/* Takes `word` if it comes next. */
static bool take(struct reader *reader, const char *word)
{
    skip_blanks(reader);
    if (strncmp(reader->at, word, strlen(word)) != 0)
        return false;
    reader->at += strlen(word);
    return true;
}

static bool expect(struct reader *reader, const char *word, const char *expected)
{
    return take(reader, word) || refuse_here(reader, expected);
}

static bool read_integer(struct reader *reader, int64_t *value)
{
    int64_t sum = 0;
    take(reader, "_");
    bool negative = take(reader, "-");
    const char *start = reader->at;
    if (!isdigit((unsigned char)*start))
        return refuse_here(reader, "a number");
    for (; isdigit((unsigned char)*reader->at); reader->at++) {
        sum = sum * 10 + (*reader->at - '0');
        if (sum > SWB_LAYOUT_MAX_SIZE) {
            reader->at = start;
            return swb_refuse(reader->refusal, column_of(reader), "the number is larger than 2^30");
        }
    }
    *value = negative ? -sum : sum;
    return true;
}

/* Where each node of a tuple stands in the text. */
struct columns {
    unsigned of[SWB_TUPLE_NODES];
};

static bool read_tuple(struct reader *reader, struct swb_tuple *tuple, struct columns *columns,
                       unsigned depth)
{
    skip_blanks(reader);
    if (tuple->count == SWB_TUPLE_NODES)
        return swb_refuse(reader->refusal, column_of(reader),
                          "more than %d integers and parentheses", SWB_TUPLE_NODES);
    if (depth == MAX_DEPTH)
        return swb_refuse(reader->refusal, column_of(reader), "parentheses more than %d deep",
                          MAX_DEPTH);
    columns->of[tuple->count] = column_of(reader);
    if (!take(reader, "(")) {
        int64_t value;
        if (!read_integer(reader, &value))
            return false;
        swb_tuple_add(tuple, value);
        return true;
    }
    unsigned node = swb_tuple_open(tuple);
    do {
        if (!read_tuple(reader, tuple, columns, depth + 1))
            return false;
    } while (take(reader, ","));
    swb_tuple_close(tuple, node);
    return expect(reader, ")", "',' or ')'");
}

/* Points at the first place where the profiles of shape and stride differ. */
static bool match_profiles(struct reader *reader, const struct swb_layout *layout, unsigned node,
                           unsigned stride_node, const struct columns *columns)
{
    const struct swb_tuple *shape = &layout->shape, *stride = &layout->stride;
    unsigned column = columns->of[stride_node];
    if (shape->nodes[node].is_tuple != stride->nodes[stride_node].is_tuple)
        return swb_refuse(reader->refusal, column, "the stride has %s where the shape has %s",
                          shape->nodes[node].is_tuple ? "an integer" : "a tuple",
                          shape->nodes[node].is_tuple ? "a tuple" : "an integer");
    unsigned modes = swb_tuple_modes(shape, node), strides = swb_tuple_modes(stride, stride_node);
    if (modes != strides)
        return swb_refuse(reader->refusal, column, "the stride has %u modes where the shape has %u",
                          strides, modes);
    for (unsigned i = 0; shape->nodes[node].is_tuple && i < modes; i++) {
        if (!match_profiles(reader, layout, swb_tuple_mode(shape, node, i),
                            swb_tuple_mode(stride, stride_node, i), columns))
            return false;
    }
    return true;
}

static bool check_extents(struct reader *reader, const struct swb_tuple *shape,
                          const struct columns *columns)
{
    for (unsigned i = 0; i < shape->count; i++) {
        if (!shape->nodes[i].is_tuple && shape->nodes[i].value < 1)
            return swb_refuse(reader->refusal, columns->of[i],
                              "an extent is %" PRId64 "; it must be at least 1",
                              shape->nodes[i].value);
    }
    return true;
}

/* The first mode fastest, with no gaps; 0 for an extent of 1, as CuTe has it. */
static void compact_strides(struct swb_layout *layout)
{
    int64_t stride = 1;
    layout->stride = layout->shape;
    for (unsigned i = 0; i < layout->shape.count; i++) {
        if (layout->shape.nodes[i].is_tuple)
            continue;
        layout->stride.nodes[i].value = layout->shape.nodes[i].value == 1 ? 0 : stride;
        if (__builtin_mul_overflow(stride, layout->shape.nodes[i].value, &stride))
            stride = SWB_LAYOUT_MAX_SIZE; /* the size is refused anyway */
    }
}

static bool read_layout(struct reader *reader, struct swb_layout *layout)
{
    struct swb_layout read = {.shape = {.count = 0}};
    struct columns columns;
    skip_blanks(reader);
    unsigned start = column_of(reader);
    if (!read_tuple(reader, &read.shape, &columns, 0) ||
        !check_extents(reader, &read.shape, &columns))
        return false;
    if (!take(reader, ":"))
        compact_strides(&read);
    else if (!read_tuple(reader, &read.stride, &columns, 0) ||
             !match_profiles(reader, &read, 0, 0, &columns))
        return false;
    if (swb_build_finish(&read, layout, reader->refusal))
        return true;
    if (reader->refusal != NULL)
        reader->refusal->column = start;
    return false;
}

static bool read_swizzle(struct reader *reader, struct swb_swizzle *swizzle)
{
    int64_t numbers[3];
    unsigned start = column_of(reader);
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0 && !expect(reader, ",", "','"))
            return false;
        if (!read_integer(reader, &numbers[i]))
            return false;
    }
    if (!expect(reader, ">", "'>'"))
        return false;
    *swizzle = (struct swb_swizzle){(int)numbers[0], (int)numbers[1], (int)numbers[2]};
    if (swb_swizzle_check(swizzle, reader->refusal))
        return true;
    if (reader->refusal != NULL)
        reader->refusal->column = start;
    return false;
}

/* smem_ptr[16b] or an offset, and the "o" behind it. */
static bool read_middle(struct reader *reader, struct swb_composed *composed)
{
    int64_t bits;
    if (take(reader, "smem_ptr")) {
        if (!expect(reader, "[", "'['"))
            return false;
        skip_blanks(reader);
        unsigned column = column_of(reader);
        if (!read_integer(reader, &bits))
            return false;
        if (bits < 1 || bits > 128)
            return swb_refuse(reader->refusal, column, "an element of %" PRId64 " bits", bits);
        composed->pointer_bits = (unsigned)bits;
        if (!expect(reader, "b", "'b'") || !expect(reader, "]", "']'"))
            return false;
        take(reader, "(unset)");
        return expect(reader, "o", "'o'");
    }
    /* An integer followed by "o" is an offset; anything else is the layout. */
    const char *before = reader->at;
    struct reader ahead = *reader;
    ahead.refusal = NULL;
    if (!read_integer(&ahead, &composed->offset) || !take(&ahead, "o")) {
        composed->offset = 0;
        reader->at = before;
        return true;
    }
    reader->at = ahead.at;
    return true;
}

static bool at_end(struct reader *reader)
{
    skip_blanks(reader);
    return *reader->at == '\0' || refuse_here(reader, "the end");
}

bool swb_tuple_parse(const char *text, struct swb_tuple *tuple, struct swb_refusal *refusal)
{
    struct reader reader = {.text = text, .at = text, .refusal = refusal};
    struct swb_tuple read = {.count = 0};
    struct columns columns;
    if (!read_tuple(&reader, &read, &columns, 0) || !at_end(&reader))
        return false;
    *tuple = read;
    return true;
}

bool swb_layout_parse(const char *text, struct swb_layout *layout, struct swb_refusal *refusal)
{
    struct reader reader = {.text = text, .at = text, .refusal = refusal};
    struct swb_layout read;
    if (!read_layout(&reader, &read) || !at_end(&reader))
        return false;
    *layout = read;
    return true;
}

bool swb_composed_parse(const char *text, struct swb_composed *composed,
                        struct swb_refusal *refusal)
{
    struct reader reader = {.text = text, .at = text, .refusal = refusal};
    struct swb_composed read = {.pointer_bits = 0};
    if ((take(&reader, "Sw<") || take(&reader, "S<")) &&
        (!read_swizzle(&reader, &read.swizzle) || !expect(&reader, "o", "'o'") ||
         !read_middle(&reader, &read)))
        return false;
    if (!read_layout(&reader, &read.layout) || !at_end(&reader))
        return false;
    *composed = read;
    return true;
}
