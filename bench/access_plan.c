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
    unsigned words = instruction->lane_bytes / 4;
    return instruction->matrices ? instruction->matrices : words ? words : 1;
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
    if (swb_tile_bytes(tile) > PLAN_TILE_BYTES || lines > PLAN_MAX_LINES)
        return "the tile has more than 128 lines or takes more than 16 KiB of shared memory";
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
            plan->sources[slot][lane] = p.line * PLAN_SOURCE_PITCH_BYTES + p.byte;
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

/* The row number of an address among the rows met so far, which it joins. */
static uint32_t compact(uint64_t address, uint64_t *rows, unsigned *row_count)
{
    unsigned row = 0;
    while (row < *row_count && rows[row] != address / SWB_WAVEFRONT_BYTES)
        row++;
    if (row == *row_count)
        rows[(*row_count)++] = address / SWB_WAVEFRONT_BYTES;
    return row * SWB_WAVEFRONT_BYTES + (uint32_t)(address % SWB_WAVEFRONT_BYTES);
}

/* The bytes of a tile are those of shared memory itself; for cp.async, where lanes may write other
 * bytes to one place, each lane has its own. */
static void place_access(struct access_plan *plan)
{
    bool copies = plan->instruction->kind == SWB_CP_ASYNC;
    unsigned bytes = plan->instruction->lane_bytes;
    plan->tile_bytes = copies ? SWB_LANES * bytes : plan->smem_bytes;
    for (unsigned byte = 0; byte < plan->tile_bytes; byte++)
        plan->place[byte] =
            (uint16_t)(copies ? plan->offsets[0][byte / bytes] + byte % bytes : byte);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        plan->tile_bytes_at[0][lane] = copies ? lane * bytes : plan->offsets[0][lane];
}

const char *access_plan_access(struct access_plan *plan, const struct swb_instruction *instruction,
                               const struct swb_copy *copy)
{
    uint64_t rows[SWB_LANES], lines[SWB_LANES];
    unsigned row_count = 0, line_count = 0;

    /* All 32 lanes take part in a matrix instruction; those that give no address need not say so.
     */
    uint32_t read = instruction->matrices == 4 || instruction->matrices == 0
                        ? UINT32_MAX
                        : (1u << 8 * instruction->matrices) - 1;
    if (instruction->matrices && (copy->to.active_mask & read) != read)
        return "ldmatrix and stmatrix need all 32 lanes";
    if (copy->to.active_mask == 0)
        return "no lane is active";
    memset(plan, 0, sizeof *plan);
    plan->instruction = instruction;
    plan->bypass_l1 = copy->bypass_l1;
    plan->active_mask = instruction->matrices ? UINT32_MAX : copy->to.active_mask;
    plan->slots = 1;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        /* A lane whose address is not read gives that of one whose is. */
        unsigned source = lane % access_address_lanes(instruction);
        if (!(plan->active_mask >> source & 1))
            source = (unsigned)__builtin_ctz(copy->to.active_mask);
        plan->offsets[0][lane] = compact(copy->to.lane_byte_addresses[source], rows, &row_count);
        plan->sources[0][lane] = compact(copy->global_byte_addresses[source], lines, &line_count);
    }
    plan->smem_bytes = plan->line_bytes = row_count * SWB_WAVEFRONT_BYTES;
    place_access(plan);
    return NULL;
}

/* One slot: cp.async by its own rule, all others by the bank model. */
static struct plan_cost slot_cost(const struct access_plan *plan, unsigned slot)
{
    struct swb_copy copy = {.to.active_mask = plan->active_mask, .bypass_l1 = plan->bypass_l1};
    struct swb_copy_cost copied = {0};
    struct swb_cost cost = {0};
    memcpy(copy.to.lane_byte_addresses, plan->offsets[slot], sizeof plan->offsets[slot]);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        copy.global_byte_addresses[lane] = plan->sources[slot][lane];
    if (!swb_copy_cost(plan->instruction, &copy, &copied)) {
        swb_bank_cost(plan->instruction, &copy.to, &cost);
        return (struct plan_cost){cost.wavefronts, cost.ideal_wavefronts, cost.conflicts, 0, 0, 0};
    }
    return (struct plan_cost){
        copied.wavefronts, copied.ideal_wavefronts, copied.conflicts, copied.sectors, 0, 0};
}

struct plan_cost access_plan_cost(const struct access_plan *plan)
{
    struct plan_cost sum = {0};
    for (unsigned slot = 0; slot < plan->slots; slot++) {
        struct plan_cost cost = slot_cost(plan, slot);
        sum.wavefronts += cost.wavefronts;
        sum.ideal_wavefronts += cost.ideal_wavefronts;
        sum.conflicts += cost.conflicts;
        sum.sectors += cost.sectors;
        if (cost.wavefronts > sum.worst_wavefronts) {
            sum.worst_wavefronts = cost.wavefronts;
            sum.worst_slot = slot;
        }
    }
    return sum;
}
