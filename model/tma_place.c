/* Where in shared memory does each byte of a TMA box land?
 *
 * Source: 400 boxes read back on an H200, tests/golden/h200-tma-placement.csv, for interleave none
 * and the swizzles none to 128B: lines follow each other at a pitch that is the span of the
 * swizzle, even where they are narrower, and the swizzle then acts on the absolute address.
 *
 * Interleaved boxes, read back on an H200 as well: dimension 0 counts slices of 16 (32) bytes, not
 * elements; a box is one slice thick, whatever it says, in the dimension before the last, whose
 * coordinate is the number of the slice; and lines follow each other without gaps. */
#include "model/tma.h"

enum {
    LAST_SWIZZLE = 6,
    LAST_INTERLEAVE = 2,
};

const struct swb_layout_mode *swb_tma_mode(unsigned swizzle)
{
    const struct swb_layout_mode *mode;
    for (size_t i = 0; (mode = swb_layout_mode_at(i)) != NULL; i++) {
        if (mode->tma_number == swizzle + 1)
            break;
    }
    return mode;
}

unsigned swb_tma_unit_bits(const struct swb_tma_map *map)
{
    return map->interleave ? 8 * 16 * map->interleave : swb_tma_elem_bits(map->dtype);
}

/* The same in shared memory, where packed elements may have gaps. */
static unsigned smem_unit_bits(const struct swb_tma_map *map)
{
    return map->interleave ? swb_tma_unit_bits(map) : swb_tma_smem_elem_bits(map->dtype);
}

unsigned swb_tma_step(const struct swb_tma_map *map, unsigned i)
{
    bool ignored = i == 0 && !map->interleave;
    return ignored || map->element_strides[i] == 0 ? 1 : map->element_strides[i];
}

/* Units that arrive along dimension i of the box: as documented, rounded up. */
static unsigned arriving_units(const struct swb_tma_map *map, unsigned i)
{
    unsigned step = swb_tma_step(map, i);
    bool one_slice = map->interleave && i + 2 == map->rank;
    return one_slice ? 1 : (map->box[i] + step - 1) / step;
}

struct swb_tma_box swb_tma_box_of(const struct swb_tma_map *map, uint32_t smem_address)
{
    struct swb_tma_box box = {.swizzle = map->swizzle,
                              .interleave = map->interleave,
                              .rank = map->rank,
                              .inner_bytes = arriving_units(map, 0) * smem_unit_bits(map) / 8,
                              .smem_address = smem_address};
    for (unsigned i = 1; i < map->rank && i < SWB_TMA_MAX_RANK; i++)
        box.extents[i - 1] = arriving_units(map, i);
    return box;
}

unsigned swb_tma_box_lines(const struct swb_tma_box *box)
{
    unsigned lines = 1;
    for (unsigned i = 1; i < box->rank; i++)
        lines *= box->extents[i - 1];
    return lines;
}

static unsigned span_bytes(const struct swb_tma_box *box)
{
    return box->swizzle == 0 ? SWB_TMA_CHUNK_BYTES : swb_tma_mode(box->swizzle)->span_bytes;
}

/* ---- Before the swizzle ------------------------------------------------------------------- */

static unsigned pitch_bytes(const struct swb_tma_box *box)
{
    return box->swizzle == 0 || box->interleave ? box->inner_bytes : span_bytes(box);
}

/* ---- The box ------------------------------------------------------------------------------ */

static uint64_t box_bytes(const struct swb_tma_box *box)
{
    uint64_t bytes = pitch_bytes(box);
    for (unsigned i = 1; i < box->rank; i++)
        bytes *= box->extents[i - 1];
    return (bytes + span_bytes(box) - 1) / span_bytes(box) * span_bytes(box);
}

uint32_t swb_tma_box_bytes(const struct swb_tma_box *box)
{
    return (uint32_t)box_bytes(box);
}

const char *swb_tma_box_refusal(const struct swb_tma_box *box)
{
    if (box->swizzle > LAST_SWIZZLE || box->interleave > LAST_INTERLEAVE)
        return "there is no such swizzle or interleave";
    if (box->rank < 1 || box->rank > SWB_TMA_MAX_RANK)
        return "the rank must be 1 to 5";
    if (box->interleave != 0 && box->rank < 3)
        return "an interleaved box has at least three dimensions";
    if (box->inner_bytes == 0 || box->inner_bytes % SWB_TMA_CHUNK_BYTES != 0)
        return "a line of the box must be a multiple of 16 bytes";
    if (box->inner_bytes > 256 * (box->interleave ? 16 * box->interleave : 8))
        return box->interleave ? "a line of the box has at most 256 slices"
                               : "a line of the box has at most 256 elements of 8 bytes";
    if (box->swizzle != 0 && box->interleave == 0 && box->inner_bytes > span_bytes(box))
        return "a line of the box is wider than the span of the swizzle";
    for (unsigned i = 1; i < box->rank; i++) {
        if (box->extents[i - 1] < 1 || box->extents[i - 1] > 256)
            return "an extent of the box must be 1 to 256";
    }
    if (box->smem_address % SWB_TMA_SMEM_ALIGNMENT_BYTES != 0)
        return "the address in shared memory must be a multiple of 128";
    if (box->smem_address + box_bytes(box) > SWB_TMA_MAX_BOX_BYTES)
        return "the box ends beyond the 228 KiB of shared memory";
    return NULL;
}

uint32_t swb_tma_box_address(const struct swb_tma_box *box, unsigned line, unsigned byte)
{
    const struct swb_layout_mode *mode = swb_tma_mode(box->swizzle);
    uint32_t address = box->smem_address + line * pitch_bytes(box) + byte;
    uint32_t target_bits = ((1u << mode->swizzle_bits) - 1) << mode->swizzle_base;
    uint32_t flipped_bit = mode->flip_8_bytes ? (address >> 7 & 1) << 3 : 0;
    return address ^ (address >> mode->swizzle_shift & target_bits) ^ flipped_bit;
}

/* ---- Out of bounds ------------------------------------------------------------------------ */

/* Whether the line's coordinates along the outer dimensions lie in the tensor; a negative one, as
 * an unsigned number, is beyond every end. */
static bool line_inside(const struct swb_tma_map *map, const int32_t *start, unsigned line)
{
    for (unsigned i = 1; i < map->rank && i < SWB_TMA_MAX_RANK; i++) {
        unsigned extent = arriving_units(map, i);
        int64_t coordinate = start[i] + (int64_t)(line % extent) * swb_tma_step(map, i);
        if ((uint64_t)coordinate >= map->dims[i])
            return false;
        line /= extent;
    }
    return true;
}

unsigned swb_tma_filled_bytes(const struct swb_tma_map *map, const int32_t *start, unsigned line,
                              unsigned byte)
{
    unsigned unit_bits = smem_unit_bits(map), filled = 0;
    bool inside = line_inside(map, start, line);
    for (unsigned i = byte; i < byte + SWB_TMA_CHUNK_BYTES; i++) {
        int64_t unit = start[0] + (int64_t)i * 8 / unit_bits * swb_tma_step(map, 0);
        filled += !inside || (uint64_t)unit >= map->dims[0];
    }
    return filled;
}
