/* Where in shared memory does each byte of a TMA box land?
 *
 * Source: 400 boxes read back on an H200, tests/golden/h200-tma-placement.csv, for interleave none
 * and the swizzles none to 128B: lines follow each other at a pitch that is the span of the
 * swizzle, even where they are narrower, and the swizzle then acts on the absolute address. */
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

/* Elements that arrive along dimension i of the box: as documented, rounded up. */
static unsigned arriving_elements(const struct swb_tma_map *map, unsigned i)
{
    unsigned step = map->element_strides[i] > 1 ? map->element_strides[i] : 1;
    return (map->box[i] + step - 1) / step;
}

struct swb_tma_box swb_tma_box_of(const struct swb_tma_map *map, uint32_t smem_address)
{
    struct swb_tma_box box = {.swizzle = map->swizzle,
                              .interleave = map->interleave,
                              .rank = map->rank,
                              .inner_bytes = map->box[0] * swb_tma_smem_elem_bits(map->dtype) / 8,
                              .smem_address = smem_address};
    for (unsigned i = 1; i < map->rank && i < SWB_TMA_MAX_RANK; i++)
        box.extents[i - 1] = arriving_elements(map, i);
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
    return box->swizzle == 0 ? box->inner_bytes : span_bytes(box);
}

/* Interleaved boxes keep the order of NC/8HWC8: the last dimension, then slices of 16 (32) bytes of
 * dimension 0, then the dimensions between. Documented as the order of global memory; that shared
 * memory has it too is not proven. */
static unsigned slice_bytes(const struct swb_tma_box *box)
{
    return 16 * box->interleave;
}

static unsigned slices(const struct swb_tma_box *box)
{
    return (box->inner_bytes + slice_bytes(box) - 1) / slice_bytes(box);
}

static uint32_t interleaved_offset(const struct swb_tma_box *box, unsigned line, unsigned byte)
{
    unsigned pixels = swb_tma_box_lines(box) / box->extents[box->rank - 2];
    unsigned image = line / pixels, pixel = line % pixels, slice = byte / slice_bytes(box);
    return ((image * slices(box) + slice) * pixels + pixel) * slice_bytes(box) +
           byte % slice_bytes(box);
}

/* ---- The box ------------------------------------------------------------------------------ */

static uint64_t box_bytes(const struct swb_tma_box *box)
{
    uint64_t bytes = box->interleave ? slices(box) * slice_bytes(box) : pitch_bytes(box);
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
    if (box->inner_bytes > 256 * 8)
        return "a line of the box has at most 256 elements of 8 bytes";
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
    uint32_t address = box->smem_address + (box->interleave ? interleaved_offset(box, line, byte)
                                                            : line * pitch_bytes(box) + byte);
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
        unsigned step = map->element_strides[i] > 1 ? map->element_strides[i] : 1;
        unsigned extent = arriving_elements(map, i);
        int64_t coordinate = start[i] + (int64_t)(line % extent) * step;
        if ((uint64_t)coordinate >= map->dims[i])
            return false;
        line /= extent;
    }
    return true;
}

unsigned swb_tma_filled_bytes(const struct swb_tma_map *map, const int32_t *start, unsigned line,
                              unsigned byte)
{
    unsigned elem_bits = swb_tma_smem_elem_bits(map->dtype), filled = 0;
    bool inside = line_inside(map, start, line);
    for (unsigned i = byte; i < byte + SWB_TMA_CHUNK_BYTES; i++) {
        int64_t element = start[0] + (int64_t)i * 8 / elem_bits;
        filled += !inside || (uint64_t)element >= map->dims[0];
    }
    return filled;
}
