/* Which 32 addresses does an instruction give at each position of a tile? */
#include "bench/access_plan.h"

#include <string.h>

const char *access_shape_name(enum access_shape shape)
{
    static const char *const names[] = {
        [ACCESS_SUBTILE] = "subtile", [ACCESS_BLOCK] = "block",       [ACCESS_ROWS] = "rows",
        [ACCESS_COLUMNS] = "columns", [ACCESS_FRAGMENT] = "fragment", [ACCESS_LADDER] = "ladder",
    };
    return names[shape];
}

unsigned access_registers(const struct swb_instruction *instruction)
{
    return instruction->matrices ? instruction->matrices : instruction->lane_bytes / 4;
}

unsigned access_address_lanes(const struct swb_instruction *instruction)
{
    return instruction->matrices ? 8 * instruction->matrices : SWB_LANES;
}

void access_register_byte(const struct swb_instruction *instruction, unsigned lane, unsigned reg,
                          unsigned byte, unsigned *piece_lane, unsigned *piece_byte)
{
    if (!instruction->matrices) {
        *piece_lane = lane;
        *piece_byte = 4 * reg + byte;
    } else if (!instruction->transposed) {
        *piece_lane = 8 * reg + lane / 4;
        *piece_byte = 4 * (lane % 4) + byte;
    } else {
        *piece_lane = 8 * reg + 2 * (lane % 4) + byte / 2;
        *piece_byte = 2 * (lane / 4) + byte % 2;
    }
}

/* ---- Where a lane's piece starts, by shape ------------------------------------------------- */

struct piece {
    unsigned line, byte;
};

struct walk {
    const struct swb_instruction *instruction;
    enum swb_major major;
    unsigned lines, line_bytes;
};

/* Positions go along the line first, then down: `across` of them side by side. */
static struct piece subtile_piece(const struct walk *w, unsigned slot, unsigned lane)
{
    unsigned matrices = w->instruction->matrices;
    unsigned across = w->line_bytes / (16 * matrices);
    return (struct piece){8 * (slot / across) + lane % 8,
                          16 * (matrices * (slot % across) + lane / 8)};
}

/* An mma operand wants its four matrices M (or N) first, then K: down the lines of a K-major tile,
 * along the line of an MN-major one. */
static struct piece block_piece(const struct walk *w, unsigned slot, unsigned lane)
{
    unsigned across = w->line_bytes / 32, matrix = lane / 8;
    bool k_major = w->major == SWB_K_MAJOR;
    unsigned down = k_major ? matrix % 2 : matrix / 2, along = k_major ? matrix / 2 : matrix % 2;
    return (struct piece){16 * (slot / across) + 8 * down + lane % 8,
                          32 * (slot % across) + 16 * along};
}

static struct piece rows_piece(const struct walk *w, unsigned slot, unsigned lane)
{
    unsigned byte = (SWB_LANES * slot + lane) * w->instruction->lane_bytes;
    return (struct piece){byte / w->line_bytes, byte % w->line_bytes};
}

static struct piece columns_piece(const struct walk *w, unsigned slot, unsigned lane)
{
    unsigned across = w->line_bytes / w->instruction->lane_bytes;
    return (struct piece){SWB_LANES * (slot / across) + lane,
                          slot % across * w->instruction->lane_bytes};
}

static struct piece fragment_piece(const struct walk *w, unsigned slot, unsigned lane)
{
    unsigned width = 4 * w->instruction->lane_bytes, across = w->line_bytes / width;
    return (struct piece){8 * (slot / across) + lane / 4,
                          slot % across * width + lane % 4 * w->instruction->lane_bytes};
}

/* What a shape covers at one position, and where each lane's piece lies. */
static const struct shape {
    bool matrices; /* of ldmatrix and stmatrix; else of plain accesses */
    struct piece (*piece)(const struct walk *w, unsigned slot, unsigned lane);
} shapes[] = {
    [ACCESS_SUBTILE] = {true, subtile_piece},    [ACCESS_BLOCK] = {true, block_piece},
    [ACCESS_ROWS] = {false, rows_piece},         [ACCESS_COLUMNS] = {false, columns_piece},
    [ACCESS_FRAGMENT] = {false, fragment_piece}, [ACCESS_LADDER] = {false, NULL},
};

const char *access_plan_refusal(const struct swb_instruction *instruction,
                                const struct swb_tile *tile, enum access_shape shape)
{
    unsigned matrices = instruction->matrices, lane_bytes = instruction->lane_bytes;
    unsigned chunk = tile->mode->chunk_bytes, line = swb_tile_line_bytes(tile);
    unsigned lines = swb_tile_lines(tile);
    const char *why = swb_tile_refusal(tile);

    if (why)
        return why;
    if (swb_tile_bytes(tile) > PLAN_TILE_BYTES)
        return "the tile takes more than 16 KiB of shared memory";
    if (!shapes[shape].piece || shapes[shape].matrices != (matrices > 0))
        return "this shape is not one of this instruction";
    if (chunk && chunk < lane_bytes)
        return "an access is wider than the bytes that the swizzle keeps together";
    if (instruction->transposed && tile->elem_bits != 16)
        return ".trans moves 16-bit elements alone";
    if (matrices && tile->elem_bits != 16 && tile->major != SWB_K_MAJOR)
        return "an MN-major operand needs .trans, which moves 16-bit elements alone";
    if (shape == ACCESS_BLOCK && (matrices != 4 || lines % 16 || line % 32))
        return "a block is four matrices, 16 lines x 32 bytes";
    if (shape == ACCESS_SUBTILE && line % (16 * matrices))
        return "the line is shorter than the matrices side by side";
    if (shape == ACCESS_COLUMNS && lines % SWB_LANES)
        return "a column access needs a multiple of 32 lines";
    if (shape == ACCESS_FRAGMENT && (tile->major != SWB_K_MAJOR || tile->elem_bits < 16 ||
                                     lane_bytes != tile->elem_bits / 4 || line % (4 * lane_bytes)))
        return "a lane of an accumulator holds two neighbours of one line";
    return NULL;
}

const char *access_plan_tile(struct access_plan *plan, const struct swb_instruction *instruction,
                             const struct swb_tile *tile, enum access_shape shape)
{
    const char *why = access_plan_refusal(instruction, tile, shape);
    if (why)
        return why;

    struct walk walk = {instruction, tile->major, swb_tile_lines(tile), swb_tile_line_bytes(tile)};
    memset(plan, 0, sizeof *plan);
    plan->instruction = instruction;
    plan->active_mask = UINT32_MAX;
    plan->line_bytes = walk.line_bytes;
    plan->tile_bytes = walk.lines * walk.line_bytes;
    plan->smem_bytes = (unsigned)swb_tile_bytes(tile);
    plan->slots = plan->tile_bytes / swb_instruction_bytes(instruction);

    for (unsigned byte = 0; byte < plan->tile_bytes; byte++)
        plan->place[byte] =
            (uint16_t)swb_tile_line_offset(tile, byte / walk.line_bytes, byte % walk.line_bytes);
    for (unsigned slot = 0; slot < plan->slots; slot++) {
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            /* Lanes whose address is not read give that of a lane whose is. */
            unsigned source = lane % access_address_lanes(instruction);
            struct piece p = shapes[shape].piece(&walk, slot, source);
            plan->offsets[slot][lane] = swb_tile_line_offset(tile, p.line, p.byte);
            plan->tile_bytes_at[slot][lane] = p.line * walk.line_bytes + p.byte;
        }
    }
    return NULL;
}

const char *access_plan_ladder(struct access_plan *plan, const struct swb_instruction *instruction,
                               unsigned ways)
{
    unsigned bytes = instruction->lane_bytes, lanes_of_phase = SWB_WAVEFRONT_BYTES / bytes;
    if (ways > lanes_of_phase)
        return bytes == 16 ? "8 lanes of 16 bytes make a phase: at most 8-way"
                           : "16 lanes of 8 bytes make a phase: at most 16-way";

    memset(plan, 0, sizeof *plan);
    plan->instruction = instruction;
    plan->active_mask = UINT32_MAX;
    plan->slots = 1;
    plan->tile_bytes = plan->smem_bytes = plan->line_bytes = SWB_LANES * ways * bytes;
    for (unsigned byte = 0; byte < plan->tile_bytes; byte++)
        plan->place[byte] = (uint16_t)byte;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        unsigned source = lane % access_address_lanes(instruction);
        plan->offsets[0][lane] = plan->tile_bytes_at[0][lane] = source * ways * bytes;
    }
    return NULL;
}

bool access_plan_cost(const struct access_plan *plan, struct plan_cost *sum)
{
    *sum = (struct plan_cost){0};
    for (unsigned slot = 0; slot < plan->slots; slot++) {
        struct swb_access access = {.active_mask = plan->active_mask};
        struct swb_cost cost;
        memcpy(access.lane_byte_addresses, plan->offsets[slot], sizeof plan->offsets[slot]);
        if (!swb_bank_cost(plan->instruction, &access, &cost))
            return false;
        sum->wavefronts += cost.wavefronts;
        sum->ideal_wavefronts += cost.ideal_wavefronts;
        sum->conflicts += cost.conflicts;
        if (cost.wavefronts > sum->worst_wavefronts) {
            sum->worst_wavefronts = cost.wavefronts;
            sum->worst_slot = slot;
        }
    }
    return true;
}

unsigned access_plan_sectors(const struct access_plan *plan)
{
    enum { SECTOR_BYTES = 32, SECTORS = PLAN_TILE_BYTES / SECTOR_BYTES };
    unsigned sectors = 0;
    for (unsigned slot = 0; slot < plan->slots; slot++) {
        bool seen[SECTORS] = {false};
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            /* A line starts on a sector, so that sectors can be counted in the packed tile where
             * lines hold whole ones. */
            unsigned sector = plan->tile_bytes_at[slot][lane] / SECTOR_BYTES;
            sectors += !seen[sector];
            seen[sector] = true;
        }
    }
    return sectors;
}
