/* How does an instruction go over a tile: which 32 addresses at each position? */
#include "bench/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MATRIX_LINES = 8, MATRIX_BYTES = 16 };

/* ---- Plans -------------------------------------------------------------------------------- */

/* As many matrices side by side along the line as divide it, the others below. */
static bool plan_matrices(struct walk *walk, struct error *error)
{
    const struct placed *placed = walk->placed;
    unsigned matrices = walk->instruction->matrices;
    walk->order = WALK_MATRICES;
    for (unsigned along = matrices; along > 0; along /= 2) {
        unsigned width = MATRIX_BYTES * along, height = MATRIX_LINES * (matrices / along);
        if (placed->line_bytes % width != 0 || placed->lines % height != 0)
            continue;
        walk->matrices_along = along;
        walk->positions = placed->line_bytes / width * (placed->lines / height);
        return true;
    }
    return error_set(error, ERROR_INPUT,
                     "%s takes %u matri%s of 8 lines x 16 bytes at a time, which cannot fill "
                     "the %u lines of %u bytes of %s; see --tile",
                     walk->instruction->name, matrices, matrices == 1 ? "x" : "ces", placed->lines,
                     placed->line_bytes, placed->name);
}

static bool plan_plain(const char *access, struct walk *walk, struct error *error)
{
    const struct placed *placed = walk->placed;
    unsigned lane_bytes = walk->instruction->lane_bytes;
    bool columns = access && strcmp(access, "columns") == 0;
    walk->order = columns ? WALK_COLUMNS : WALK_ROWS;
    if (placed->line_bytes % lane_bytes != 0)
        return error_set(error, ERROR_INPUT,
                         "the %u bytes of a line of %s are no multiple of the %u bytes that a "
                         "lane of %s takes",
                         placed->line_bytes, placed->name, lane_bytes, walk->instruction->name);
    unsigned across = placed->line_bytes / lane_bytes;
    walk->positions = columns ? across * ((placed->lines + SWB_LANES - 1) / SWB_LANES)
                              : (placed->lines * across + SWB_LANES - 1) / SWB_LANES;
    return true;
}

/* The smallest index that a layout gives: below 0 where strides are negative. */
static int64_t lowest_index(const struct swb_layout *layout)
{
    int64_t lowest = 0;
    for (unsigned i = 0; i < layout->shape.count; i++) {
        if (!layout->shape.nodes[i].is_tuple && layout->stride.nodes[i].value < 0)
            lowest += (layout->shape.nodes[i].value - 1) * layout->stride.nodes[i].value;
    }
    return lowest;
}

static bool plan_tv(const char *text, struct walk *walk, struct error *error)
{
    const struct placed *placed = walk->placed;
    struct swb_refusal refusal;
    unsigned lane_bits = 8 * walk->instruction->lane_bytes;
    int64_t elements = (int64_t)placed->rows * placed->cols;
    walk->order = WALK_TV;
    if (!swb_layout_parse(text, &walk->tv, &refusal))
        return error_set(error, ERROR_INPUT, "--tv '%s', column %u: %s", text, refusal.column,
                         refusal.sentence);
    if (swb_layout_rank(&walk->tv) != 2)
        return error_set(error, ERROR_INPUT, "--tv '%s': two modes are needed, (thread, value)",
                         text);
    struct swb_layout threads = swb_layout_mode(&walk->tv, 0);
    struct swb_layout values = swb_layout_mode(&walk->tv, 1);
    if (lowest_index(&walk->tv) < 0)
        return error_set(error, ERROR_INPUT,
                         "--tv '%s' reaches element %" PRId64 "; they count from 0", text,
                         lowest_index(&walk->tv));
    if (swb_layout_cosize(&walk->tv) > elements)
        return error_set(error, ERROR_INPUT,
                         "--tv '%s' reaches element %" PRId64 "; %s has %" PRId64, text,
                         swb_layout_cosize(&walk->tv) - 1, placed->name, elements);
    walk->threads = (unsigned)swb_layout_size(&threads);
    walk->values = (unsigned)swb_layout_size(&values);
    walk->piece_elems = lane_bits / placed->elem_bits;
    if (lane_bits % placed->elem_bits != 0 || walk->values % walk->piece_elems != 0)
        return error_set(error, ERROR_INPUT,
                         "--tv '%s': a lane of %s takes %u bits, and the %u values of a thread "
                         "have %u bits each",
                         text, walk->instruction->name, lane_bits, walk->values, placed->elem_bits);
    unsigned lanes = swb_instruction_lanes(walk->instruction);
    walk->positions = (walk->threads + lanes - 1) / lanes * (walk->values / walk->piece_elems);
    return true;
}

/* Two lanes that store one element: the hardware keeps one of the values, whichever. */
static bool check_tv_store(const char *text, const struct walk *walk, struct error *error)
{
    int64_t a, b, threads = walk->threads;
    enum swb_kind kind = walk->instruction->kind;
    if ((kind != SWB_STORE && kind != SWB_STMATRIX) || !swb_layout_collision(&walk->tv, &a, &b))
        return true;
    return error_set(error, ERROR_INPUT,
                     "--tv '%s' gives element %" PRId64 " to thread %" PRId64 ", value %" PRId64
                     " and to thread %" PRId64 ", value %" PRId64 ": %s would lose one",
                     text, swb_layout_at(&walk->tv, a), a % threads, a / threads, b % threads,
                     b / threads, walk->instruction->name);
}

bool walk_plan(const struct placed *placed, const struct swb_instruction *instruction,
               const char *access, const char *tv, struct walk *walk, struct error *error)
{
    memset(walk, 0, sizeof *walk);
    walk->placed = placed;
    walk->instruction = instruction;
    if (access && strcmp(access, "rows") != 0 && strcmp(access, "columns") != 0)
        return error_set(error, ERROR_INPUT, "--access '%s': rows or columns is needed", access);
    if (access && tv)
        return error_set(error, ERROR_INPUT, "--access and --tv both say who takes what: give one");
    if (access && instruction->matrices)
        return error_set(error, ERROR_INPUT,
                         "--access is for loads and stores; %s goes over its "
                         "matrices",
                         instruction->name);
    if (tv)
        return plan_tv(tv, walk, error) && check_tv_store(tv, walk, error);
    if (placed->line_bytes * 8 !=
        placed->elem_bits * (placed->lines_are_rows ? placed->cols : placed->rows))
        return error_set(error, ERROR_INPUT, "a line of %s is no whole number of bytes",
                         placed->name);
    return instruction->matrices ? plan_matrices(walk, error) : plan_plain(access, walk, error);
}

/* ---- Positions ---------------------------------------------------------------------------- */

/* Line and first byte of a lane's access. Positions go along the line first, then down. */
static void lane_piece(const struct walk *walk, unsigned position, unsigned lane, unsigned *line,
                       unsigned *byte)
{
    const struct placed *placed = walk->placed;
    unsigned lane_bytes = walk->instruction->lane_bytes;
    unsigned across = placed->line_bytes / lane_bytes;
    if (walk->order == WALK_MATRICES) {
        unsigned along = walk->matrices_along, matrix = lane / MATRIX_LINES;
        unsigned below = walk->instruction->matrices / along;
        unsigned positions_across = across / along;
        *line = MATRIX_LINES * (position / positions_across * below + matrix / along) +
                lane % MATRIX_LINES;
        *byte = MATRIX_BYTES * (position % positions_across * along + matrix % along);
    } else if (walk->order == WALK_ROWS) {
        *line = (SWB_LANES * position + lane) / across;
        *byte = (SWB_LANES * position + lane) % across * lane_bytes;
    } else {
        *line = SWB_LANES * (position / across) + lane;
        *byte = position % across * lane_bytes;
    }
}

static bool refuse_scattered(const struct walk *walk, unsigned position, unsigned lane,
                             struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "position %u, lane %u: the %u bits that a lane of %s takes are not together "
                     "in memory in %s",
                     position, lane, 8 * walk->instruction->lane_bytes, walk->instruction->name,
                     walk->placed->name);
}

static bool piece_address(const struct walk *walk, unsigned position, unsigned lane, unsigned line,
                          unsigned byte, int64_t *address, struct error *error)
{
    *address = placed_byte_address(walk->placed, line, byte);
    for (unsigned i = 0; i < walk->instruction->lane_bytes; i++) {
        if (*address < 0 || placed_byte_address(walk->placed, line, byte + i) != *address + i)
            return refuse_scattered(walk, position, lane, error);
    }
    return true;
}

/* Thread and first value of a lane. */
static void tv_piece(const struct walk *walk, unsigned position, unsigned lane, unsigned *thread,
                     unsigned *value)
{
    unsigned pieces = walk->values / walk->piece_elems;
    *thread = position / pieces * swb_instruction_lanes(walk->instruction) + lane;
    *value = position % pieces * walk->piece_elems;
}

static bool tv_address(const struct walk *walk, unsigned position, unsigned lane, int64_t *address,
                       struct error *error)
{
    const struct placed *placed = walk->placed;
    unsigned thread, value, elem_bits = placed->elem_bits;
    int64_t first = 0;
    tv_piece(walk, position, lane, &thread, &value);
    for (unsigned i = 0; i < walk->piece_elems * elem_bits; i++) {
        int64_t pair = thread + (int64_t)walk->threads * (value + i / elem_bits);
        int64_t element = swb_layout_at(&walk->tv, pair);
        int64_t bits = placed_bit_address(placed, (unsigned)(element % placed->rows),
                                          (unsigned)(element / placed->rows), i % elem_bits);
        first = i == 0 ? bits : first;
        if (first % 8 != 0 || bits != first + i)
            return refuse_scattered(walk, position, lane, error);
    }
    *address = first / 8;
    return true;
}

/* The byte address that a lane gives, -1 where its access would lie outside the tile. */
static bool lane_address(const struct walk *walk, unsigned position, unsigned lane,
                         int64_t *address, struct error *error)
{
    unsigned line, byte, thread, value;
    *address = -1;
    if (walk->order == WALK_TV) {
        tv_piece(walk, position, lane, &thread, &value);
        return thread >= walk->threads || tv_address(walk, position, lane, address, error);
    }
    lane_piece(walk, position, lane, &line, &byte);
    return line >= walk->placed->lines ||
           piece_address(walk, position, lane, line, byte, address, error);
}

bool walk_access(const struct walk *walk, unsigned position, struct swb_access *access,
                 struct error *error)
{
    unsigned lane_bytes = walk->instruction->lane_bytes;
    memset(access, 0, sizeof *access);
    for (unsigned lane = 0; lane < swb_instruction_lanes(walk->instruction); lane++) {
        int64_t address;
        if (!lane_address(walk, position, lane, &address, error))
            return false;
        if (address < 0)
            continue;
        if (address % lane_bytes != 0)
            return error_set(error, ERROR_INPUT,
                             "position %u, lane %u: byte address %" PRId64 " is no multiple of %u; "
                             "%s would fault",
                             position, lane, address, lane_bytes, walk->instruction->name);
        access->active_mask |= 1u << lane;
        access->lane_byte_addresses[lane] = (uint32_t)address;
    }
    return true;
}

void walk_start(const struct walk *walk, unsigned position, unsigned *row, unsigned *col)
{
    const struct placed *placed = walk->placed;
    unsigned line, byte;
    if (walk->order == WALK_TV) {
        tv_piece(walk, position, 0, &line, &byte);
        int64_t element = swb_layout_at(&walk->tv, line + (int64_t)walk->threads * byte);
        *row = (unsigned)(element % placed->rows);
        *col = (unsigned)(element / placed->rows);
        return;
    }
    lane_piece(walk, position, 0, &line, &byte);
    *row = placed->lines_are_rows ? line : 8 * byte / placed->elem_bits;
    *col = placed->lines_are_rows ? 8 * byte / placed->elem_bits : line;
}
