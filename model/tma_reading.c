/* Can the tensor core read a TMA box where it lies, and as which canonical layout?
 *
 * Source: the canonical layouts and matrix descriptors of the PTX ISA; test_tma_place.c holds the
 * boxes that are called readable against the named layouts, which equal CuTe's. */
#include "model/tma.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    ATOM_LINES = 8,
    K_STEP_BYTES = 32, /* of K that one instruction reads: 16 elements of 16 bits */
    WIDEST_SPAN_BYTES = 128,
    ATOM_32B = 4, /* the only one of the modes 4 to 6 that a matrix descriptor can name */
};

static struct swb_tma_reading unreadable(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static struct swb_tma_reading unreadable(const char *format, ...)
{
    struct swb_tma_reading reading = {.readable = false};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading.sentence, sizeof reading.sentence, format, arguments);
    va_end(arguments);
    return reading;
}

/* Without a swizzle: 8 lines of 16 bytes are a brick, and the planes of a rank-3 box are the next
 * 16-byte columns. */
static struct swb_tma_reading read_bricks(const struct swb_tma_box *box, unsigned lines)
{
    struct swb_tma_reading reading = {.readable = true, .name = "K/none"};
    unsigned column_bytes = lines * SWB_TMA_CHUNK_BYTES;
    if (box->inner_bytes > WIDEST_SPAN_BYTES)
        return unreadable("too wide: lines of %u bytes in row order; the tensor core reads spans "
                          "of up to %u bytes with their swizzle, or lines of %u without",
                          box->inner_bytes, WIDEST_SPAN_BYTES, SWB_TMA_CHUNK_BYTES);
    if (box->inner_bytes > SWB_TMA_CHUNK_BYTES)
        return unreadable("wrong mode: lines of %u bytes in row order; take swizzle %s, or lines "
                          "of %u bytes",
                          box->inner_bytes,
                          box->inner_bytes <= 32   ? "32B"
                          : box->inner_bytes <= 64 ? "64B"
                                                   : "128B",
                          SWB_TMA_CHUNK_BYTES);
    snprintf(reading.sentence, sizeof reading.sentence,
             "SBO 128 bytes; LBO %u bytes from plane to plane, a 16-byte column each%s",
             column_bytes,
             swb_tma_box_lines(box) == lines ? ", so that one instruction needs a second box" : "");
    return reading;
}

static struct swb_tma_reading read_spans(const struct swb_tma_box *box, unsigned elem_bits)
{
    const struct swb_layout_mode *mode = swb_tma_mode(box->swizzle);
    struct swb_tma_reading reading = {.readable = true};
    unsigned repeat_bytes = 1u << (mode->swizzle_bits + mode->swizzle_base + mode->swizzle_shift);
    unsigned atom_bytes = ATOM_LINES * mode->span_bytes;
    if (box->swizzle > ATOM_32B)
        return unreadable("wrong mode: no matrix descriptor names swizzle %s", mode->name);
    if (box->inner_bytes < K_STEP_BYTES)
        return unreadable("too narrow: lines of %u bytes, and an instruction reads %u bytes of K",
                          box->inner_bytes, K_STEP_BYTES);
    if (box->smem_address % repeat_bytes != 0)
        return unreadable("wrong base: %u is no multiple of %u, after which swizzle %s repeats",
                          box->smem_address, repeat_bytes, mode->name);
    snprintf(reading.name, sizeof reading.name, "K/%s", mode->name);
    snprintf(
        reading.sentence, sizeof reading.sentence, "SBO %u bytes; LBO is not used%s%s", atom_bytes,
        box->inner_bytes % K_STEP_BYTES != 0 ? "; only whole 32 bytes of a line can be read" : "",
        elem_bits == 16 && box->inner_bytes == mode->span_bytes
            ? "; where dimension 0 is M or N and not K, it is MN-major of the same mode"
            : "");
    return reading;
}

/* An interleaved box holds the 16 (32) bytes of a slice of pixel after pixel: it is a box with a
 * line a pixel, but for a swizzle whose span is not that of a slice. */
static struct swb_tma_box pixel_by_pixel(const struct swb_tma_box *box)
{
    struct swb_tma_box pixels = *box;
    pixels.interleave = 0;
    pixels.rank = 2;
    pixels.inner_bytes = SWB_TMA_CHUNK_BYTES * box->interleave;
    pixels.extents[0] = swb_tma_box_lines(box) * (box->inner_bytes / pixels.inner_bytes);
    return pixels;
}

static struct swb_tma_reading read_lines(const struct swb_tma_box *box, unsigned elem_bits)
{
    unsigned lines = box->rank > 1 ? box->extents[0] : 1;
    if (elem_bits != 8 && elem_bits != 16 && elem_bits != 32)
        return unreadable("wrong type: operands in shared memory have 8, 16 or 32 bits, not %u",
                          elem_bits);
    struct swb_tma_reading reading =
        box->swizzle == 0 ? read_bricks(box, lines) : read_spans(box, elem_bits);
    if (reading.readable && lines % ATOM_LINES != 0)
        return unreadable("wrong height: %u lines are no multiple of the %u of an atom", lines,
                          ATOM_LINES);
    return reading;
}

struct swb_tma_reading swb_tma_reading(const struct swb_tma_box *box, unsigned elem_bits)
{
    const char *refusal = swb_tma_box_refusal(box);
    if (refusal)
        return unreadable("%s", refusal);
    if (!box->interleave)
        return read_lines(box, elem_bits);
    struct swb_tma_box pixels = pixel_by_pixel(box);
    if (box->swizzle != 0 && pixels.inner_bytes != swb_tma_mode(box->swizzle)->span_bytes)
        return unreadable("wrong mode: a slice of %u bytes is not the span of swizzle %s",
                          pixels.inner_bytes, swb_tma_mode(box->swizzle)->name);
    return read_lines(&pixels, elem_bits);
}
