/* Where does wgmma look for the elements of an operand that a matrix descriptor describes?
 *
 * Source: PTX ISA, asynchronous warpgroup-level matrix instructions: the format of the matrix
 * descriptor, its strides, and the canonical layouts. */
#include "model/refuse.h"
#include "model/swizzlebench.h"

enum {
    UNIT_BITS = 4, /* addresses and offsets are stored without their lowest four bits */
    FIELD_BITS = 14,
    START_AT = 0,
    LEADING_AT = 16,
    STRIDE_AT = 32,
    BASE_OFFSET_AT = 49,
    MODE_AT = 62,
    CHUNK_BYTES = 16,
    ATOM_LINES = 8,
    K_BYTES = 32,          /* of K that one instruction reads, whatever the type */
    BASE_OFFSET_SHIFT = 7, /* which counts lines of 128 bytes */
    LARGEST_BASE_OFFSET = 7,
    SMEM_MASK = (1 << (FIELD_BITS + UNIT_BITS)) - 1,
};

static const uint32_t largest_bytes = ((1u << FIELD_BITS) - 1) << UNIT_BITS;

static bool is_describable(const struct swb_layout_mode *mode)
{
    return mode->chunk_bytes == CHUNK_BYTES && mode->atom_lines == ATOM_LINES;
}

static unsigned mode_code(const struct swb_layout_mode *mode)
{
    return mode->swizzle_bits ? 4 - mode->swizzle_bits : 0;
}

static bool fits(uint32_t bytes)
{
    return bytes <= largest_bytes && bytes % CHUNK_BYTES == 0;
}

const char *swb_descriptor_refusal(const struct swb_descriptor *d)
{
    if (!is_describable(d->mode))
        return "a matrix descriptor of wgmma names none, 32B, 64B and 128B alone";
    if (!fits(d->start_bytes) || !fits(d->leading_bytes) || !fits(d->stride_bytes))
        return "addresses and offsets must be multiples of 16 below 262144";
    if (d->base_offset > LARGEST_BASE_OFFSET)
        return "the base offset must be 0 to 7";
    return NULL;
}

uint64_t swb_descriptor_encode(const struct swb_descriptor *d)
{
    return (uint64_t)(d->start_bytes >> UNIT_BITS) << START_AT |
           (uint64_t)(d->leading_bytes >> UNIT_BITS) << LEADING_AT |
           (uint64_t)(d->stride_bytes >> UNIT_BITS) << STRIDE_AT |
           (uint64_t)d->base_offset << BASE_OFFSET_AT | (uint64_t)mode_code(d->mode) << MODE_AT;
}

static uint32_t field(uint64_t bits, unsigned at)
{
    return (uint32_t)(bits >> at & ((1u << FIELD_BITS) - 1)) << UNIT_BITS;
}

static const struct swb_layout_mode *mode_of(unsigned code)
{
    const struct swb_layout_mode *mode;
    for (size_t i = 0; (mode = swb_layout_mode_at(i)); i++)
        if (is_describable(mode) && mode_code(mode) == code)
            return mode;
    return NULL;
}

struct swb_descriptor swb_descriptor_decode(uint64_t bits)
{
    return (struct swb_descriptor){.start_bytes = field(bits, START_AT),
                                   .leading_bytes = field(bits, LEADING_AT),
                                   .stride_bytes = field(bits, STRIDE_AT),
                                   .base_offset = bits >> BASE_OFFSET_AT & LARGEST_BASE_OFFSET,
                                   .mode = mode_of((unsigned)(bits >> MODE_AT))};
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* From the start of the operand to `byte` of `line`, before the swizzle. */
static uint32_t unswizzled(const struct swb_descriptor *d, enum swb_major major, unsigned line,
                           unsigned byte)
{
    bool swizzles = d->mode->swizzle_bits != 0;
    unsigned span_bytes = d->mode->span_bytes, atoms = line / ATOM_LINES, spans = byte / span_bytes;
    uint32_t in_atom = line % ATOM_LINES * span_bytes + byte % span_bytes;
    if (major == SWB_K_MAJOR && swizzles) /* has no use for the leading offset */
        return in_atom + spans * span_bytes + atoms * d->stride_bytes;
    if (major == SWB_MN_MAJOR && !swizzles)
        return in_atom + spans * d->stride_bytes + atoms * d->leading_bytes;
    return in_atom + spans * d->leading_bytes + atoms * d->stride_bytes;
}

uint32_t swb_descriptor_address(const struct swb_descriptor *d, enum swb_major major,
                                unsigned elem_bits, unsigned row, unsigned col)
{
    unsigned line = major == SWB_K_MAJOR ? row : col, along = major == SWB_K_MAJOR ? col : row;
    uint32_t address = d->start_bytes + unswizzled(d, major, line, along * elem_bits / 8);
    uint32_t pattern_line = (address >> BASE_OFFSET_SHIFT) - d->base_offset;
    uint32_t turned = pattern_line & ((1u << d->mode->swizzle_bits) - 1);
    return (address ^ turned << d->mode->swizzle_base) & SMEM_MASK;
}

/* The most wavefronts that 16 bytes from each of these addresses take, eight of them. */
static unsigned wavefronts_of(const struct swb_access *chunks)
{
    struct swb_cost cost = {.wavefronts = 0};
    swb_bank_cost(swb_instruction_find("ldmatrix.x1"), chunks, &cost);
    return cost.wavefronts;
}

unsigned swb_descriptor_wavefronts(const struct swb_descriptor *d, enum swb_major major,
                                   unsigned elem_bits, unsigned rows)
{
    unsigned cols = K_BYTES * 8 / elem_bits, chunk = CHUNK_BYTES * 8 / elem_bits;
    unsigned row_step = major == SWB_K_MAJOR ? ATOM_LINES : chunk;
    unsigned col_step = major == SWB_K_MAJOR ? chunk : ATOM_LINES;
    unsigned wavefronts = 0;
    for (unsigned row = 0; row < rows; row += row_step) {
        for (unsigned col = 0; col < cols; col += col_step) {
            struct swb_access chunks = {.active_mask = (1u << ATOM_LINES) - 1};
            for (unsigned line = 0; line < ATOM_LINES; line++)
                chunks.lane_byte_addresses[line] = swb_descriptor_address(
                    d, major, elem_bits, row + (major == SWB_K_MAJOR ? line : 0),
                    col + (major == SWB_K_MAJOR ? 0 : line));
            wavefronts += wavefronts_of(&chunks);
        }
    }
    return wavefronts;
}

/* ---- Describing a tile --------------------------------------------------------------------- */

/* From `byte` of `line` to so many lines and bytes on; 0 where the tile ends before. */
static uint32_t distance(const struct swb_tile *tile, unsigned line, unsigned byte, unsigned lines,
                         unsigned bytes)
{
    if (line + lines >= swb_tile_lines(tile) || byte + bytes >= swb_tile_line_bytes(tile))
        return 0;
    return swb_tile_line_offset(tile, line + lines, byte + bytes) -
           swb_tile_line_offset(tile, line, byte);
}

bool swb_tile_descriptor(const struct swb_tile *tile, uint32_t base_bytes, unsigned col,
                         struct swb_descriptor *descriptor, struct swb_refusal *refusal)
{
    bool k_major = tile->major == SWB_K_MAJOR, swizzles = tile->mode->swizzle_bits != 0;
    unsigned line = k_major ? 0 : col, byte = k_major ? col * tile->elem_bits / 8 : 0;
    if (swb_tile_refusal(tile))
        return swb_refuse(refusal, 0, "%s", swb_tile_refusal(tile));
    if (!is_describable(tile->mode))
        return swb_refuse(refusal, 0, "no matrix descriptor of wgmma names %s", tile->mode->name);
    if (!k_major && tile->elem_bits != 16)
        return swb_refuse(refusal, 0, "wgmma reads MN-major operands of 16 bits alone, not of %u",
                          tile->elem_bits);
    if (col * tile->elem_bits % (K_BYTES * 8) || col >= tile->cols)
        return swb_refuse(refusal, 0, "wgmma begins at a multiple of %u columns, not at %u",
                          K_BYTES * 8 / tile->elem_bits, col);

    if (swizzles && base_bytes % (1u << BASE_OFFSET_SHIFT))
        return swb_refuse(refusal, 0, "a swizzled tile begins at a multiple of %u bytes, not at %u",
                          1u << BASE_OFFSET_SHIFT, base_bytes);

    uint32_t lines_on = distance(tile, line, byte, ATOM_LINES, 0);
    uint32_t span_on =
        k_major && swizzles ? 0 : distance(tile, line, byte, 0, tile->mode->span_bytes);
    bool leads_by_lines = !k_major && !swizzles;
    struct swb_descriptor made = {
        .start_bytes = base_bytes + swb_tile_line_offset(tile, line, byte),
        .leading_bytes = leads_by_lines ? lines_on : span_on,
        .stride_bytes = leads_by_lines ? span_on : lines_on,
        .base_offset = swizzles && base_bytes % swb_tile_repeat_bytes(tile)
                           ? base_bytes >> BASE_OFFSET_SHIFT & LARGEST_BASE_OFFSET
                           : 0,
        .mode = tile->mode};
    if (swb_descriptor_refusal(&made))
        return swb_refuse(refusal, 0, "%s", swb_descriptor_refusal(&made));
    *descriptor = made;
    return true;
}
