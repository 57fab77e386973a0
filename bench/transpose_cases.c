/* Which transposes are measured: how a tile gets into shared memory, in which layout it lies there,
 * and how it is read out turned? */
#include "bench/transpose_cases.h"

#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- Tables -------------------------------------------------------------------------------- */

#define METHOD(method_name, way_in, way_out, bits, sends)                                          \
    {                                                                                              \
        .name = method_name, .in = TRANSPOSE_IN_##way_in, .out = TRANSPOSE_OUT_##way_out,          \
        .elem_bits = bits, .tma_out = sends                                                        \
    }

static const struct transpose_method methods[] = {
    {.name = "copy", .elem_bits = 8 + 16 + 32, .is_copy = true},
    METHOD("elements", ELEMENTS, ELEMENTS, 8 + 16 + 32, false),
    METHOD("words", WORDS, WORDS, 8 + 16, false),
    METHOD("ldmatrix.trans", CHUNKS, LDMATRIX, 8 + 16, false),
    METHOD("ldmatrix.trans-8x16B", CHUNKS, LDMATRIX_8X16B, 16, false),
    METHOD("stmatrix.trans", STMATRIX, CHUNKS, 8 + 16, false),
    METHOD("tma-elements", TMA, ELEMENTS, 32, false),
    METHOD("tma-words", TMA, WORDS, 8 + 16, false),
    METHOD("tma-ldmatrix.trans", TMA, LDMATRIX, 8 + 16, false),
    METHOD("tma-ldmatrix.trans-8x16B", TMA, LDMATRIX_8X16B, 16, false),
    METHOD("tma-elements-tma", TMA, ELEMENTS, 32, true),
    METHOD("tma-words-tma", TMA, WORDS, 8 + 16, true),
    METHOD("tma-ldmatrix.trans-tma", TMA, LDMATRIX, 8 + 16, true),
    METHOD("tma-ldmatrix.trans-8x16B-tma", TMA, LDMATRIX_8X16B, 16, true),
};

#define MMA_LAYOUT(mma_name, bits, span)                                                           \
    {                                                                                              \
        .name = mma_name, .mode = {                                                                \
            .swizzle_bits = bits,                                                                  \
            .swizzle_base = 4,                                                                     \
            .swizzle_shift = 3,                                                                    \
            .span_bytes = span,                                                                    \
            .atom_lines = 8,                                                                       \
            .chunk_bytes = 16,                                                                     \
            .tma_number = 1 + bits                                                                 \
        }                                                                                          \
    }

/* Of the packed ones, transpose_smem_offset() says where a byte lies. */
static const struct transpose_layout layouts[] = {
    {.name = "linear", .mode = {.atom_lines = 1, .tma_number = 1}},
    {.name = "padded4", .mode = {.atom_lines = 1, .pad_bytes = 4, .chunk_bytes = 4}},
    {.name = "padded16", .mode = {.atom_lines = 1, .pad_bytes = 16, .chunk_bytes = 16}},
    {.name = "4B-xor",
     .mode = {.swizzle_bits = 5,
              .swizzle_base = 2,
              .swizzle_shift = 5,
              .atom_lines = 1,
              .chunk_bytes = 4}},
    {.name = "4B-xor-packed",
     .mode = {.atom_lines = 1, .chunk_bytes = 4},
     .kind = TRANSPOSE_4B_PACKED},
    {.name = "16B-xor-packed",
     .mode = {.atom_lines = 1, .chunk_bytes = 16},
     .kind = TRANSPOSE_16B_PACKED},
    MMA_LAYOUT("K/none", 0, 16),
    MMA_LAYOUT("K/32B", 1, 32),
    MMA_LAYOUT("K/64B", 2, 64),
    MMA_LAYOUT("K/128B", 3, 128),
};

static const struct {
    unsigned tile;
    bool full_only;
} tiles[] = {{64, false}, {32, true}};

static const unsigned widths[] = {8, 16, 32};

/* ---- What goes together -------------------------------------------------------------------- */

/* Bytes that an instruction of the method takes together. */
static unsigned chunk_of(const struct transpose_case *c)
{
    if (c->method->in == TRANSPOSE_IN_ELEMENTS)
        return c->elem_bits / 8;
    return c->method->in == TRANSPOSE_IN_WORDS ? 4 : 16;
}

static struct swb_tile tile_of(const struct transpose_case *c)
{
    return (struct swb_tile){.mode = &c->layout->mode,
                             .major = SWB_K_MAJOR,
                             .stack = SWB_STACK_COL,
                             .rows = c->tile,
                             .cols = c->tile,
                             .elem_bits = c->elem_bits};
}

static bool is_a_case(const struct transpose_case *c)
{
    const struct swb_layout_mode *mode = &c->layout->mode;
    struct swb_tile tile = tile_of(c);
    if (swb_tile_refusal(&tile))
        return false;
    if (mode->chunk_bytes && mode->chunk_bytes < chunk_of(c))
        return false;
    if (c->layout->kind == TRANSPOSE_16B_PACKED &&
        (chunk_of(c) < 16 || transpose_line_bytes(c) > SWB_WAVEFRONT_BYTES))
        return false;
    return c->method->in != TRANSPOSE_IN_TMA || mode->tma_number;
}

/* ---- The list: copies, then transposes; default cases first -------------------------------- */

enum { MOST_CASES = 512 };
struct case_list {
    struct transpose_case cases[MOST_CASES];
    size_t count, default_count;
};

static void add(struct case_list *list, struct transpose_case c)
{
    if (list->count == MOST_CASES)
        abort();
    list->cases[list->count++] = c;
}

static void add_layouts(struct case_list *list, struct transpose_case c)
{
    for (size_t l = 0; l < LENGTH(layouts); l++) {
        c.layout = &layouts[l];
        if (is_a_case(&c))
            add(list, c);
    }
}

static void add_method(struct case_list *list, const struct transpose_method *method, bool full)
{
    for (size_t w = 0; w < LENGTH(widths); w++) {
        struct transpose_case c = {.method = method, .elem_bits = widths[w]};
        if (!(method->elem_bits & widths[w]))
            continue;
        if (method->is_copy && !full)
            add(list, c);
        for (size_t t = 0; t < LENGTH(tiles) && !method->is_copy; t++) {
            c.tile = tiles[t].tile;
            if (tiles[t].full_only == full)
                add_layouts(list, c);
        }
    }
}

static void add_cases(struct case_list *list, bool full)
{
    for (size_t m = 0; m < LENGTH(methods); m++)
        add_method(list, &methods[m], full);
}

/* Made from the constant tables when first asked for, and only read from then on. */
static const struct case_list *all_cases(void)
{
    static struct case_list list;
    if (!list.count) {
        add_cases(&list, false);
        list.default_count = list.count;
        add_cases(&list, true);
    }
    return &list;
}

size_t transpose_case_count(bool full)
{
    return full ? all_cases()->count : all_cases()->default_count;
}

const struct transpose_case *transpose_case_at(size_t index)
{
    return &all_cases()->cases[index];
}

const struct transpose_case *transpose_copy_of(const struct transpose_case *c)
{
    const struct case_list *list = all_cases();
    for (size_t i = 0; i < list->default_count; i++)
        if (list->cases[i].method->is_copy && list->cases[i].elem_bits == c->elem_bits)
            return &list->cases[i];
    abort();
}

void transpose_case_name(const struct transpose_case *c, char *name, size_t bytes)
{
    if (c->method->is_copy)
        snprintf(name, bytes, "%u-bit copy", c->elem_bits);
    else
        snprintf(name, bytes, "%u-bit %ux%u %s %s", c->elem_bits, c->tile, c->tile, c->method->name,
                 c->layout->name);
}

/* ---- Where the bytes lie ------------------------------------------------------------------- */

unsigned transpose_line_bytes(const struct transpose_case *c)
{
    return c->tile * c->elem_bits / 8;
}

unsigned transpose_tile_bytes(const struct transpose_case *c)
{
    return c->tile * transpose_line_bytes(c);
}

unsigned transpose_smem_bytes(const struct transpose_case *c)
{
    struct swb_tile tile = tile_of(c);
    return (unsigned)swb_tile_bytes(&tile);
}

/* The words of a block that is turned in registers lie in as many lines as a word has elements, and
 * the lanes of a warp read the same line of all blocks of a column of blocks. So words change
 * places by the number of the block; where a line is shorter than 128 bytes, a warp reads several
 * columns, which are told apart by the lines that share 128 bytes. */
static uint32_t packed_4b_offset(const struct transpose_case *c, unsigned line, unsigned byte)
{
    unsigned line_bytes = transpose_line_bytes(c), word = byte / 4,
             block = line * c->elem_bits / 32;
    unsigned words = line_bytes / 4 < SWB_BANKS ? line_bytes / 4 : SWB_BANKS;
    unsigned lines = line_bytes < SWB_WAVEFRONT_BYTES ? SWB_WAVEFRONT_BYTES / line_bytes : 1;
    return (line ^ word % lines) * line_bytes + (word ^ block % words) * 4 + byte % 4;
}

/* A lane that gets 16 bytes of a line of the turned tile through ldmatrix.x4.trans needs rows 8t +
 * 2m
 * + {0, 1}, t = 0 to 3, in matrix m. These are told apart by bits 0, 3 and 4 of their number, less
 * those that the place of a line shorter than 128 bytes has in it already. */
static uint32_t packed_16b_offset(const struct transpose_case *c, unsigned line, unsigned byte)
{
    unsigned line_bytes = transpose_line_bytes(c);
    unsigned turn = line_bytes == 128  ? line % 2 + line / 8 % 4 * 2
                    : line_bytes == 64 ? line / 8 % 4
                                       : line / 8 % 2 + line / 16 % 2 * 4;
    return (line * line_bytes + byte) ^ turn * 16;
}

uint32_t transpose_smem_offset(const struct transpose_case *c, unsigned line, unsigned byte)
{
    struct swb_tile tile = tile_of(c);
    return c->layout->kind == TRANSPOSE_4B_PACKED    ? packed_4b_offset(c, line, byte)
           : c->layout->kind == TRANSPOSE_16B_PACKED ? packed_16b_offset(c, line, byte)
                                                     : swb_tile_line_offset(&tile, line, byte);
}
