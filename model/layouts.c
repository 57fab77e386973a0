/* Where does a tile in one of the named layouts put its elements? */
#include "model/swizzlebench.h"

#include <string.h>

enum { UNSWIZZLED_REPEAT_BYTES = 16 };

static const struct swb_layout_mode modes[] = {
    {.name = "linear", .atom_lines = 1},
    {.name = "padded", .atom_lines = 1, .pad_bytes = 16},
    {.name = "none", .span_bytes = 16, .atom_lines = 8, .chunk_bytes = 16, .tma_number = 1},
    {.name = "32B",
     .swizzle_bits = 1,
     .swizzle_base = 4,
     .swizzle_shift = 3,
     .span_bytes = 32,
     .atom_lines = 8,
     .chunk_bytes = 16,
     .tma_number = 2},
    {.name = "64B",
     .swizzle_bits = 2,
     .swizzle_base = 4,
     .swizzle_shift = 3,
     .span_bytes = 64,
     .atom_lines = 8,
     .chunk_bytes = 16,
     .tma_number = 3},
    {.name = "128B",
     .swizzle_bits = 3,
     .swizzle_base = 4,
     .swizzle_shift = 3,
     .span_bytes = 128,
     .atom_lines = 8,
     .chunk_bytes = 16,
     .tma_number = 4},
    {.name = "128B-atom32B",
     .swizzle_bits = 2,
     .swizzle_base = 5,
     .swizzle_shift = 2,
     .span_bytes = 128,
     .atom_lines = 8,
     .chunk_bytes = 32,
     .tma_number = 5},
    {.name = "128B-atom32B-flip8B",
     .swizzle_bits = 2,
     .swizzle_base = 5,
     .swizzle_shift = 2,
     .span_bytes = 128,
     .atom_lines = 8,
     .chunk_bytes = 8,
     .flip_8_bytes = true,
     .tma_number = 6},
    {.name = "128B-atom64B",
     .swizzle_bits = 1,
     .swizzle_base = 6,
     .swizzle_shift = 1,
     .span_bytes = 128,
     .atom_lines = 8,
     .chunk_bytes = 64,
     .tma_number = 7},
    {.name = "4B-atom",
     .swizzle_bits = 5,
     .swizzle_base = 2,
     .swizzle_shift = 5,
     .span_bytes = 128,
     .atom_lines = 32,
     .chunk_bytes = 4},
};

enum { MODE_COUNT = sizeof modes / sizeof modes[0] };

const struct swb_layout_mode *swb_layout_mode_at(size_t index)
{
    return index < MODE_COUNT ? &modes[index] : NULL;
}

static const struct swb_layout_mode *find_mode(const char *name)
{
    for (size_t i = 0; i < MODE_COUNT; i++) {
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    }
    return NULL;
}

const struct swb_layout_mode *swb_layout_find(const char *name, enum swb_major *major)
{
    bool names_k = strncmp(name, "K/", 2) == 0;
    bool names_mn = strncmp(name, "MN/", 3) == 0;
    const struct swb_layout_mode *mode = find_mode(name + (names_k ? 2 : names_mn ? 3 : 0));

    /* A tensor-core layout without its major order is ambiguous; rows back to back are not. */
    if (mode == NULL || (!names_k && !names_mn && mode->span_bytes != 0))
        return NULL;
    *major = names_mn ? SWB_MN_MAJOR : SWB_K_MAJOR;
    return mode;
}

unsigned swb_tile_lines(const struct swb_tile *tile)
{
    return tile->major == SWB_K_MAJOR ? tile->rows : tile->cols;
}

static unsigned line_elems(const struct swb_tile *tile)
{
    return tile->major == SWB_K_MAJOR ? tile->cols : tile->rows;
}

unsigned swb_tile_line_bytes(const struct swb_tile *tile)
{
    return line_elems(tile) * tile->elem_bits / 8;
}

const char *swb_tile_refusal(const struct swb_tile *tile)
{
    const struct swb_layout_mode *mode = tile->mode;
    if (tile->elem_bits != 4 && tile->elem_bits != 8 && tile->elem_bits != 16 &&
        tile->elem_bits != 32)
        return "the element width must be 4, 8, 16 or 32 bits (6-bit elements lie where 8-bit ones "
               "do)";
    if (tile->rows == 0 || tile->cols == 0)
        return "the tile has no elements";
    if (tile->rows > SWB_TILE_MAX_EXTENT || tile->cols > SWB_TILE_MAX_EXTENT)
        return "the tile has more than 16384 rows or columns";
    if (swb_tile_line_bytes(tile) * 8 != line_elems(tile) * tile->elem_bits)
        return "a line must be a whole number of bytes";
    if (mode->span_bytes != 0 && swb_tile_line_bytes(tile) % mode->span_bytes != 0)
        return mode->span_bytes == 16   ? "a line must be a multiple of 16 bytes"
               : mode->span_bytes == 32 ? "a line must be a multiple of the span of 32 bytes"
               : mode->span_bytes == 64 ? "a line must be a multiple of the span of 64 bytes"
                                        : "a line must be a multiple of the span of 128 bytes";
    if (swb_tile_lines(tile) % mode->atom_lines != 0)
        return mode->atom_lines == 32
                   ? "the number of lines must be a multiple of the 32 lines of an atom"
                   : "the number of lines must be a multiple of the 8 lines of an atom";
    return NULL;
}

size_t swb_tile_bytes(const struct swb_tile *tile)
{
    return (size_t)swb_tile_lines(tile) * (swb_tile_line_bytes(tile) + tile->mode->pad_bytes);
}

/* Atoms are stored one behind the other. In a K-major tile the next atom along the rows holds the
 * next lines, in an MN-major one the next span of the same lines. */
static bool next_atom_holds_next_lines(const struct swb_tile *tile)
{
    return (tile->major == SWB_K_MAJOR) == (tile->stack == SWB_STACK_COL);
}

static uint32_t unswizzled_offset(const struct swb_tile *tile, unsigned line, unsigned byte)
{
    const struct swb_layout_mode *mode = tile->mode;
    unsigned line_bytes = swb_tile_line_bytes(tile);
    if (mode->span_bytes == 0)
        return line * (line_bytes + mode->pad_bytes) + byte;

    unsigned span = byte / mode->span_bytes, spans = line_bytes / mode->span_bytes;
    unsigned block = line / mode->atom_lines, blocks = swb_tile_lines(tile) / mode->atom_lines;
    unsigned atom = next_atom_holds_next_lines(tile) ? span * blocks + block : block * spans + span;
    return (atom * mode->atom_lines + line % mode->atom_lines) * mode->span_bytes +
           byte % mode->span_bytes;
}

uint32_t swb_tile_line_offset(const struct swb_tile *tile, unsigned line, unsigned byte)
{
    const struct swb_layout_mode *mode = tile->mode;
    uint32_t offset = unswizzled_offset(tile, line, byte);
    uint32_t target_bits = ((1u << mode->swizzle_bits) - 1) << mode->swizzle_base;
    uint32_t swizzled = offset ^ (offset >> mode->swizzle_shift & target_bits);
    return mode->flip_8_bytes ? swizzled ^ (line % 2 * 8) : swizzled;
}

uint32_t swb_tile_byte_offset(const struct swb_tile *tile, unsigned row, unsigned col)
{
    return tile->major == SWB_K_MAJOR ? swb_tile_line_offset(tile, row, col * tile->elem_bits / 8)
                                      : swb_tile_line_offset(tile, col, row * tile->elem_bits / 8);
}

unsigned swb_tile_repeat_bytes(const struct swb_tile *tile)
{
    const struct swb_layout_mode *mode = tile->mode;
    if (mode->swizzle_bits == 0)
        return UNSWIZZLED_REPEAT_BYTES;
    return 1u << (mode->swizzle_bits + mode->swizzle_base + mode->swizzle_shift);
}
