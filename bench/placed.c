/* Where in shared memory does a tile's layout, as a user types it, put each element? */
#include "bench/placed.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/options.h"
#include "harness/text.h"

enum { DEFAULT_LINES = 8, DEFAULT_LINE_BYTES = 128, MAX_ELEM_BITS = 128 };

/* ---- Words -------------------------------------------------------------------------------- */

bool placed_tile_extents(const char *text, unsigned *rows, unsigned *cols, struct error *error)
{
    char *end;
    unsigned long first = strtoul(text, &end, 10), second = 0;
    if (isdigit((unsigned char)*text) && *end == 'x' && isdigit((unsigned char)end[1]))
        second = strtoul(end + 1, &end, 10);
    if (*end != '\0' || first < 1 || second < 1)
        return error_set(error, ERROR_INPUT, "--tile '%s': ROWSxCOLS is needed, as in 64x128",
                         text);
    if (first > SWB_TILE_MAX_EXTENT || second > SWB_TILE_MAX_EXTENT)
        return error_set(error, ERROR_INPUT, "--tile '%s': a tile has at most %d rows and columns",
                         text, SWB_TILE_MAX_EXTENT);
    *rows = (unsigned)first;
    *cols = (unsigned)second;
    return true;
}

static bool read_stack(const char *text, enum swb_stack *stack, struct error *error)
{
    *stack = text && strcmp(text, "row") == 0 ? SWB_STACK_ROW : SWB_STACK_COL;
    if (text && strcmp(text, "row") != 0 && strcmp(text, "col") != 0)
        return error_set(error, ERROR_INPUT, "--stack '%s': row or col is needed", text);
    return true;
}

/* ---- A layout by name --------------------------------------------------------------------- */

static bool unknown_name(const char *name, struct error *error)
{
    enum { MOST = 48 };
    char words[MOST][32], hint[320];
    const char *known[MOST];
    size_t count = 0;
    for (size_t i = 0; swb_layout_mode_at(i) && count + 2 <= MOST; i++) {
        const struct swb_layout_mode *mode = swb_layout_mode_at(i);
        for (unsigned major = 0; major < (mode->span_bytes ? 2 : 1); major++) {
            snprintf(words[count], sizeof words[count], "%s%s",
                     mode->span_bytes == 0 ? ""
                     : major == 0          ? "K/"
                                           : "MN/",
                     mode->name);
            known[count] = words[count];
            count++;
        }
    }
    text_suggest(name, known, count, hint, sizeof hint);
    return error_set(error, ERROR_INPUT, "--layout '%s': no such layout; %s", name, hint);
}

/* One atom, or 8 lines of 128 bytes where the layout has none. */
static void default_tile(struct swb_tile *tile)
{
    const struct swb_layout_mode *mode = tile->mode;
    unsigned line_bytes = mode->span_bytes ? mode->span_bytes : DEFAULT_LINE_BYTES;
    unsigned lines = mode->span_bytes ? mode->atom_lines : DEFAULT_LINES;
    unsigned elems = line_bytes * 8 / tile->elem_bits;
    tile->rows = tile->major == SWB_K_MAJOR ? lines : elems;
    tile->cols = tile->major == SWB_K_MAJOR ? elems : lines;
}

static bool place_named(const struct placed_words *words, const struct swb_layout_mode *mode,
                        enum swb_major major, struct placed *placed, struct error *error)
{
    struct swb_tile tile = {.mode = mode, .major = major, .elem_bits = placed->elem_bits};
    struct swb_refusal refusal;
    if (tile.elem_bits == 0)
        return error_set(error, ERROR_INPUT, "--layout '%s' needs --elem-bits 4, 8, 16 or 32",
                         words->layout);
    if (tile.elem_bits < 4 || tile.elem_bits > 32 || (tile.elem_bits & (tile.elem_bits - 1)) != 0)
        return error_set(error, ERROR_INPUT,
                         "--elem-bits %u: no width of a named layout like '%s'; 4, 8, 16 and 32 "
                         "are (6-bit elements lie where 8-bit ones do)",
                         tile.elem_bits, words->layout);
    if (!read_stack(words->stack, &tile.stack, error))
        return false;
    default_tile(&tile);
    if (words->tile && !placed_tile_extents(words->tile, &tile.rows, &tile.cols, error))
        return false;
    if (swb_tile_refusal(&tile))
        return error_set(error, ERROR_INPUT, "--layout '%s', %ux%u elements of %u bits: %s",
                         words->layout, tile.rows, tile.cols, tile.elem_bits,
                         swb_tile_refusal(&tile));

    placed->rows = tile.rows;
    placed->cols = tile.cols;
    placed->lines_are_rows = major == SWB_K_MAJOR;
    snprintf(placed->name, sizeof placed->name, "%s (%ux%u)", words->layout, tile.rows, tile.cols);
    if (swb_tile_composed(&tile, &placed->composed, &refusal))
        return true;
    placed->tile = tile;
    if (placed->base_bytes % swb_tile_repeat_bytes(&tile) != 0)
        return error_set(error, ERROR_INPUT, "--base %u: %s needs a multiple of its repeat, %u",
                         placed->base_bytes, words->layout, swb_tile_repeat_bytes(&tile));
    return true;
}

/* ---- A layout in CuTe's notation ---------------------------------------------------------- */

/* Repeats the layout until it fills the tile, as tile_to_shape does. */
static bool repeat_to_tile(const struct placed_words *words, struct swb_composed *composed,
                           struct error *error)
{
    struct swb_refusal refusal;
    struct swb_tuple shape, order;
    enum swb_stack stack;
    unsigned rows, cols;
    char text[64];
    if (!read_stack(words->stack, &stack, error) ||
        !placed_tile_extents(words->tile, &rows, &cols, error))
        return false;
    snprintf(text, sizeof text, "(%u,%u)", rows, cols);
    if (!swb_tuple_parse(text, &shape, &refusal) ||
        !swb_tuple_parse(stack == SWB_STACK_COL ? "(0,1)" : "(1,0)", &order, &refusal) ||
        !swb_tile_to_shape(&composed->layout, &shape, &order, &composed->layout, &refusal))
        return error_set(error, ERROR_INPUT, "--tile %s of --layout '%s': %s", words->tile,
                         words->layout, refusal.sentence);
    return true;
}

/* The mode with a stride of 1 is the one along which a line runs. */
static bool runs_along_rows(const struct swb_layout *layout)
{
    struct swb_layout first = swb_layout_mode(layout, 0);
    for (unsigned i = 0; i < first.shape.count; i++) {
        if (!first.shape.nodes[i].is_tuple && first.shape.nodes[i].value > 1 &&
            first.stride.nodes[i].value == 1)
            return false;
    }
    return true;
}

static bool place_composed(const struct placed_words *words, struct placed *placed,
                           struct error *error)
{
    struct swb_composed *composed = &placed->composed;
    struct swb_refusal refusal;
    if (!swb_composed_parse(words->layout, composed, &refusal))
        return error_set(error, ERROR_INPUT, "--layout '%s', column %u: %s", words->layout,
                         refusal.column, refusal.sentence);
    if (composed->pointer_bits && placed->elem_bits && composed->pointer_bits != placed->elem_bits)
        return error_set(error, ERROR_INPUT, "--elem-bits %u: the layout's pointer says %u",
                         placed->elem_bits, composed->pointer_bits);
    if (composed->pointer_bits)
        placed->elem_bits = composed->pointer_bits;
    if (placed->elem_bits == 0)
        return error_set(error, ERROR_INPUT, "--layout '%s' needs --elem-bits", words->layout);
    if (words->tile && !repeat_to_tile(words, composed, error))
        return false;

    struct swb_layout first = swb_layout_mode(&composed->layout, 0);
    bool is_line = swb_layout_rank(&composed->layout) == 1;
    int64_t size = swb_layout_size(&composed->layout);
    if (size > PLACED_SMEM_BYTES * 8)
        return error_set(error, ERROR_INPUT,
                         "--layout '%s': %" PRId64 " elements; no shared memory "
                         "holds them",
                         words->layout, size);
    placed->rows = is_line ? (unsigned)size : (unsigned)swb_layout_size(&first);
    placed->cols = (unsigned)size / placed->rows;
    placed->lines_are_rows = runs_along_rows(&composed->layout);
    swb_composed_print(composed, placed->name, sizeof placed->name);
    return true;
}

/* ---- Both --------------------------------------------------------------------------------- */

int64_t placed_bit_address(const struct placed *placed, unsigned row, unsigned col, unsigned bit)
{
    if (placed->tile.mode)
        return 8 * ((int64_t)placed->base_bytes + swb_tile_byte_offset(&placed->tile, row, col)) +
               (placed->lines_are_rows ? col : row) * placed->elem_bits % 8 + bit;
    return swb_composed_bit_address(&placed->composed, placed->elem_bits, placed->base_bytes,
                                    row + (int64_t)placed->rows * col, bit);
}

static int64_t line_bit_address(const struct placed *placed, unsigned line, unsigned bit)
{
    unsigned elem = bit / placed->elem_bits;
    unsigned row = placed->lines_are_rows ? line : elem;
    unsigned col = placed->lines_are_rows ? elem : line;
    return placed_bit_address(placed, row, col, bit % placed->elem_bits);
}

int64_t placed_byte_address(const struct placed *placed, unsigned line, unsigned byte)
{
    int64_t first = line_bit_address(placed, line, 8 * byte);
    for (unsigned bit = 1; bit < 8; bit++) {
        if (line_bit_address(placed, line, 8 * byte + bit) != first + bit)
            return -1;
    }
    return first % 8 == 0 ? first / 8 : -1;
}

struct placed_reach placed_element_reach(const struct placed *placed, unsigned row, unsigned col)
{
    unsigned last = placed->elem_bits - 1;
    int64_t address = placed_bit_address(placed, row, col, last);
    struct placed_reach reach = {address, address};
    for (unsigned bit = 0; bit < last; bit += 8) {
        address = placed_bit_address(placed, row, col, bit);
        reach.least = address < reach.least ? address : reach.least;
        reach.most = address > reach.most ? address : reach.most;
    }
    return reach;
}

/* Every element must lie in shared memory; takes note of how far the tile reaches. */
static bool check_reach(struct placed *placed, struct error *error)
{
    int64_t highest = 0;
    for (unsigned col = 0; col < placed->cols; col++) {
        for (unsigned row = 0; row < placed->rows; row++) {
            struct placed_reach reach = placed_element_reach(placed, row, col);
            int64_t address = placed_bit_address(placed, row, col, 0);
            if (reach.least < 0 || reach.most >= 8 * (int64_t)PLACED_SMEM_BYTES)
                return error_set(error, ERROR_INPUT,
                                 "element (%u,%u) of %s lies at byte %" PRId64
                                 ", outside the %d KiB of shared memory",
                                 row, col, placed->name, (address < 0 ? address - 7 : address) / 8,
                                 PLACED_SMEM_BYTES / 1024);
            highest = reach.most > highest ? reach.most : highest;
        }
    }
    placed->smem_bytes = (unsigned)(highest / 8 + 1) - placed->base_bytes;
    return true;
}

bool placed_read(const struct placed_words *words, struct placed *placed, struct error *error)
{
    enum swb_major major = SWB_K_MAJOR;
    const struct swb_layout_mode *mode = swb_layout_find(words->layout, &major);
    uint64_t elem_bits = 0, base_bytes = 0;
    if (words->elem_bits &&
        !option_whole("--elem-bits", words->elem_bits, 1, MAX_ELEM_BITS, &elem_bits, error))
        return false;
    if (words->base &&
        !option_whole("--base", words->base, 0, PLACED_SMEM_BYTES - 1, &base_bytes, error))
        return false;
    *placed = (struct placed){.elem_bits = (unsigned)elem_bits, .base_bytes = (uint32_t)base_bytes};
    if (words->stack && !words->tile)
        return error_set(error, ERROR_INPUT, "--stack orders the atoms of a tile: give --tile too");
    if (!mode && isalpha((unsigned char)words->layout[0]) && words->layout[0] != 'S')
        return unknown_name(words->layout, error);
    if (mode ? !place_named(words, mode, major, placed, error)
             : !place_composed(words, placed, error))
        return false;
    placed->lines = placed->lines_are_rows ? placed->rows : placed->cols;
    placed->line_bytes =
        (placed->lines_are_rows ? placed->cols : placed->rows) * placed->elem_bits / 8;
    return check_reach(placed, error);
}

bool placed_collision(const struct placed *placed, char *sentence, size_t bytes)
{
    int64_t first, second;
    if (placed->tile.mode || !swb_layout_collision(&placed->composed.layout, &first, &second))
        return false;
    snprintf(sentence, bytes,
             "%s puts elements (%" PRId64 ",%" PRId64 ") and (%" PRId64 ",%" PRId64
             ") in one place, index %" PRId64,
             placed->name, first % placed->rows, first / placed->rows, second % placed->rows,
             second / placed->rows, swb_layout_at(&placed->composed.layout, first));
    return true;
}
