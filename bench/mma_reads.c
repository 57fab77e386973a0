/* How does each warp of a tiled mma read an operand from shared memory? */
#include "bench/mma_reads.h"

#include <stdio.h>
#include <string.h>

enum { MATRIX_ROWS = 8, MATRIX_ROW_BITS = 128, REGISTER_BITS = 32, TRANS_BITS = 16 };

/* One instruction's part of a warp's work: a tile of the problem, and the first register, or load,
 * of it. */
struct part {
    unsigned warp, tile, first;
};

/* ---- Addresses ----------------------------------------------------------------------------- */

static struct mma_place place_of(const struct mma_reads *reads, const struct part *part,
                                 unsigned lane, unsigned value)
{
    const struct mma_operand *tile = reads->tile;
    struct mma_place place = mma_operand_place(tile, part->warp * SWB_LANES + lane, value);
    place.row += part->tile % reads->tiles_down * tile->rows;
    place.col += part->tile / reads->tiles_down * tile->cols;
    return place;
}

/* Address in bits of an element, -1 where a swizzle takes it apart. */
static int64_t element_address(const struct mma_reads *reads, const struct part *part,
                               unsigned lane, unsigned value)
{
    struct mma_place place = place_of(reads, part, lane, value);
    struct placed_reach reach = placed_element_reach(reads->placed, place.row, place.col);
    return reach.most - reach.least == reads->tile->bits - 1 ? reach.least : -1;
}

/* Byte address of a row of the matrix that fills a register of all lanes; -1 where its 16 bytes are
 * not together and aligned. Lane 4g + t gets element t of row g, or of column g when turned. */
static int64_t matrix_row(const struct mma_reads *reads, const struct part *part, unsigned reg,
                          unsigned row, bool turned)
{
    unsigned bits = reads->tile->bits, in_register = REGISTER_BITS / bits;
    int64_t first = -1;
    for (unsigned i = 0; i < MATRIX_ROW_BITS / bits; i++) {
        unsigned lane = turned ? 4 * i + row / 2 : 4 * row + i / in_register;
        unsigned value = reg * in_register + (turned ? row % 2 : i % in_register);
        int64_t address = element_address(reads, part, lane, value);
        first = i == 0 ? address : first;
        if (address < 0 || address != first + (int64_t)i * bits)
            return -1;
    }
    return first % MATRIX_ROW_BITS == 0 ? first / 8 : -1;
}

/* Byte address of `count` values of a lane from `value` on; -1 where they are not together and
 * aligned. */
static int64_t lane_piece(const struct mma_reads *reads, const struct part *part, unsigned lane,
                          unsigned value, unsigned count)
{
    unsigned bits = reads->tile->bits;
    int64_t first = element_address(reads, part, lane, value);
    for (unsigned i = 1; i < count; i++) {
        if (element_address(reads, part, lane, value + i) != first + (int64_t)i * bits)
            return -1;
    }
    return first >= 0 && first % (count * bits) == 0 ? first / 8 : -1;
}

/* ---- Plans --------------------------------------------------------------------------------- */

/* Whether a matrix fills every register; else which element is the first of a row that it lacks. */
static bool matrices_fit(const struct mma_reads *reads, unsigned tiles, bool turned,
                         struct mma_place *lacking)
{
    unsigned in_register = REGISTER_BITS / reads->tile->bits;
    for (struct part part = {0}; part.warp < reads->warps; part.warp++) {
        for (part.tile = 0; part.tile < tiles; part.tile++) {
            for (unsigned reg = 0; reg < reads->tile->values / in_register; reg++) {
                for (unsigned row = 0; row < MATRIX_ROWS; row++) {
                    if (matrix_row(reads, &part, reg, row, turned) >= 0)
                        continue;
                    *lacking = place_of(reads, &part, turned ? row / 2 : 4 * row,
                                        reg * in_register + (turned ? row % 2 : 0));
                    return false;
                }
            }
        }
    }
    return true;
}

static bool pieces_fit(const struct mma_reads *reads, unsigned tiles, unsigned count)
{
    if (reads->tile->values % count != 0)
        return false;
    for (struct part part = {0}; part.warp < reads->warps; part.warp++) {
        for (part.tile = 0; part.tile < tiles; part.tile++) {
            for (unsigned i = 0; i < SWB_LANES * (reads->tile->values / count); i++) {
                if (lane_piece(reads, &part, i % SWB_LANES, i / SWB_LANES * count, count) < 0)
                    return false;
            }
        }
    }
    return true;
}

static const struct swb_instruction *ldmatrix(unsigned registers, bool turned)
{
    char name[32];
    snprintf(name, sizeof name, "ldmatrix.x%d%s",
             registers % 4 == 0   ? 4
             : registers % 2 == 0 ? 2
                                  : 1,
             turned ? ".trans" : "");
    return swb_instruction_find(name);
}

/* ldmatrix, plain or turned; else says why not. */
static bool plan_ldmatrix(struct mma_reads *reads, unsigned tiles)
{
    unsigned bits = reads->tile->bits;
    char row_mode = mma_operand_row_mode(reads->tile->which);
    struct mma_place lacking;
    if (bits > REGISTER_BITS) {
        snprintf(reads->why_not, sizeof reads->why_not,
                 "ldmatrix hands a lane 4 bytes of a row, and an element has %u", bits / 8);
        return false;
    }
    bool turned = false, fits = matrices_fit(reads, tiles, false, &lacking);
    if (!fits && bits == TRANS_BITS) {
        struct mma_place turned_lacking;
        turned = fits = matrices_fit(reads, tiles, true, &turned_lacking);
    }
    if (!fits) {
        snprintf(reads->why_not, sizeof reads->why_not,
                 "ldmatrix takes rows of 16 bytes along K, together and aligned, and from %c %u, K "
                 "%u on they are not; %s",
                 row_mode, lacking.row, lacking.col,
                 bits == TRANS_BITS ? "nor are they the other way, for .trans"
                                    : ".trans turns elements of 16 bits alone");
        return false;
    }
    reads->register_values = REGISTER_BITS / bits;
    reads->instruction = ldmatrix(reads->tile->values / reads->register_values, turned);
    reads->per_tile = reads->tile->values / reads->register_values / reads->instruction->matrices;
    return true;
}

/* The widest load that takes neighbours in every lane. */
static bool plan_loads(struct mma_reads *reads, unsigned tiles)
{
    static const char *const names[] = {"ld.shared.b128", "ld.shared.b64", "ld.shared.b32",
                                        "ld.shared.b16", "ld.shared.b8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct swb_instruction *load = swb_instruction_find(names[i]);
        unsigned count = load->lane_bytes * 8 / reads->tile->bits;
        if (count == 0 || load->lane_bytes * 8 % reads->tile->bits != 0 ||
            !pieces_fit(reads, tiles, count))
            continue;
        reads->instruction = load;
        reads->register_values = count;
        reads->per_tile = reads->tile->values / count;
        return true;
    }
    return false;
}

bool mma_reads_plan(const struct mma_operand *tile, const struct placed *placed,
                    struct mma_reads *reads, struct error *error)
{
    unsigned tiles_down = placed->rows / tile->rows;
    unsigned tiles = tiles_down * (placed->cols / tile->cols);
    *reads = (struct mma_reads){.tile = tile,
                                .placed = placed,
                                .warps = tile->threads / SWB_LANES,
                                .tiles_down = tiles_down};
    if (!plan_ldmatrix(reads, tiles) && !plan_loads(reads, tiles))
        return error_set(error, ERROR_INPUT, "%s: %s, and no load takes elements of %u bits apart",
                         placed->name, reads->why_not, tile->bits);
    reads->per_warp = reads->per_tile * tiles;
    return true;
}

/* ---- Accesses ------------------------------------------------------------------------------ */

static struct part part_of(const struct mma_reads *reads, unsigned warp, unsigned number)
{
    unsigned registers = reads->instruction->matrices ? reads->instruction->matrices : 1;
    return (struct part){warp, number / reads->per_tile, number % reads->per_tile * registers};
}

struct mma_place mma_reads_place(const struct mma_reads *reads, unsigned warp, unsigned number,
                                 unsigned lane, unsigned value)
{
    struct part part = part_of(reads, warp, number);
    return place_of(reads, &part, lane, part.first * reads->register_values + value);
}

struct mma_place mma_reads_access(const struct mma_reads *reads, unsigned warp, unsigned number,
                                  struct swb_access *access)
{
    const struct swb_instruction *instruction = reads->instruction;
    struct part part = part_of(reads, warp, number);
    unsigned lanes = swb_instruction_lanes(instruction);
    *access = (struct swb_access){.active_mask = UINT32_MAX >> (SWB_LANES - lanes)};
    for (unsigned lane = 0; lane < lanes; lane++) {
        int64_t address = instruction->matrices
                              ? matrix_row(reads, &part, part.first + lane / MATRIX_ROWS,
                                           lane % MATRIX_ROWS, instruction->transposed)
                              : lane_piece(reads, &part, lane, part.first * reads->register_values,
                                           reads->register_values);
        access->lane_byte_addresses[lane] = (uint32_t)address;
    }
    return mma_reads_place(reads, warp, number, 0, 0);
}

struct swb_cost mma_reads_cost(const struct mma_reads *reads)
{
    struct swb_cost sum = {0};
    for (unsigned i = 0; i < reads->warps * reads->per_warp; i++) {
        struct swb_access access;
        struct swb_cost cost = {0};
        mma_reads_access(reads, i / reads->per_warp, i % reads->per_warp, &access);
        swb_bank_cost(reads->instruction, &access, &cost);
        sum.wavefronts += cost.wavefronts;
        sum.ideal_wavefronts += cost.ideal_wavefronts;
        sum.conflicts += cost.conflicts;
    }
    return sum;
}
