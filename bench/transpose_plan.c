/* Which bytes does each thread move at each step of a transpose, and what do the banks take? */
#include "bench/transpose_plan.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t place(unsigned line, unsigned byte)
{
    return line << 16 | byte;
}

static const struct swb_instruction *instruction_of(const char *prefix, unsigned bytes)
{
    char name[32];
    snprintf(name, sizeof name, "%s.b%u", prefix, 8 * bytes % 1000);
    return swb_instruction_find(name);
}

/* ---- Lines: lane after lane along a line, then the next line -------------------------------- */

static void walk_lines(const struct transpose_case *c, struct transpose_plan *plan, unsigned width,
                       struct transpose_pieces *global, struct transpose_pieces *shared)
{
    unsigned line_bytes = transpose_line_bytes(c);
    global->count = shared->count = plan->thread_bytes / width;
    for (unsigned piece = 0; piece < global->count; piece++)
        for (unsigned thread = 0; thread < plan->threads; thread++) {
            unsigned at = (piece * plan->threads + thread) * width;
            unsigned line = at / line_bytes, byte = at % line_bytes;
            global->at[piece][thread] = place(line, byte);
            shared->at[piece][thread] = transpose_smem_offset(c, line, byte);
        }
}

static void write_lines(const struct transpose_case *c, struct transpose_plan *plan, unsigned width)
{
    plan->steps[TRANSPOSE_WRITE].instruction = instruction_of("st.shared", width);
    walk_lines(c, plan, width, &plan->steps[TRANSPOSE_LOAD], &plan->steps[TRANSPOSE_WRITE]);
}

static void read_lines(const struct transpose_case *c, struct transpose_plan *plan, unsigned width)
{
    plan->steps[TRANSPOSE_READ].instruction = instruction_of("ld.shared", width);
    walk_lines(c, plan, width, &plan->steps[TRANSPOSE_STORE], &plan->steps[TRANSPOSE_READ]);
}

/* ---- Columns: lane after lane down a column, which is along a line of the turned tile ------- */

/* Blocks of `side` words below each other, of `side` elements each: a thread reads the words of a
 * block, turns it in registers, and stores a word for each of its columns. A block of one element
 * needs no turning. */
static void read_blocks(const struct transpose_case *c, struct transpose_plan *plan, unsigned width,
                        unsigned side)
{
    struct transpose_pieces *read = &plan->steps[TRANSPOSE_READ],
                            *store = &plan->steps[TRANSPOSE_STORE];
    unsigned down = c->tile / side;
    read->instruction = instruction_of("ld.shared", width);
    read->count = store->count = plan->thread_bytes / width;
    for (unsigned piece = 0; piece < read->count; piece++)
        for (unsigned thread = 0; thread < plan->threads; thread++) {
            unsigned block = piece / side * plan->threads + thread, i = piece % side;
            unsigned row = block % down * side, col = block / down * side;
            read->at[piece][thread] = transpose_smem_offset(c, row + i, col * c->elem_bits / 8);
            store->at[piece][thread] = place(col + i, row * c->elem_bits / 8);
        }
}

/* ---- Matrices ------------------------------------------------------------------------------ */

/* What a warp turns at once: 8 columns of units of 16 bits x 32 rows. */
struct block {
    unsigned col_byte, row;
};

static struct block block_of(const struct transpose_case *c, unsigned warp)
{
    unsigned across = transpose_line_bytes(c) / 16;
    return (struct block){warp % across * 16, warp / across * 32};
}

/* The row of the 32 that lane 8m + i gives: those that lane 4g + t gets from all four matrices are
 * either eight in a row, or two of eight in each. */
static unsigned matrix_row(unsigned lane, bool eight_in_a_row)
{
    unsigned m = lane / 8, i = lane % 8;
    return eight_in_a_row ? i / 2 * 8 + m * 2 + i % 2 : lane;
}

static void read_matrices(const struct transpose_case *c, struct transpose_plan *plan)
{
    struct transpose_pieces *read = &plan->steps[TRANSPOSE_READ],
                            *store = &plan->steps[TRANSPOSE_STORE];
    bool wide = c->method->out == TRANSPOSE_OUT_LDMATRIX;
    unsigned elem_bytes = c->elem_bits / 8, in_unit = 2 / elem_bytes;
    read->instruction = swb_instruction_find("ldmatrix.x4.trans");
    read->count = 1;
    store->count = wide ? in_unit : 4;
    for (unsigned thread = 0; thread < plan->threads; thread++) {
        struct block block = block_of(c, thread / SWB_LANES);
        unsigned lane = thread % SWB_LANES, g = lane / 4, t = lane % 4;
        read->at[0][thread] =
            transpose_smem_offset(c, block.row + matrix_row(lane, wide), block.col_byte);
        for (unsigned piece = 0; piece < store->count; piece++) {
            unsigned col = block.col_byte / elem_bytes + g * in_unit + (wide ? piece : 0);
            unsigned row = block.row + (wide ? 8 * t : 8 * piece + 2 * t);
            store->at[piece][thread] = place(col, row * elem_bytes);
        }
    }
}

/* Lane 4g + t has eight elements, as many as chunk t of four has, of row g; bytes of rows 2g and 2g
 * + 1. stmatrix.trans writes a row for each column. */
static void write_matrices(const struct transpose_case *c, struct transpose_plan *plan)
{
    struct transpose_pieces *load = &plan->steps[TRANSPOSE_LOAD],
                            *write = &plan->steps[TRANSPOSE_WRITE];
    unsigned elem_bytes = c->elem_bits / 8, in_unit = 2 / elem_bytes;
    write->instruction = swb_instruction_find("stmatrix.x4.trans");
    load->count = in_unit;
    write->count = 1;
    for (unsigned thread = 0; thread < plan->threads; thread++) {
        struct block turned = block_of(c, thread / SWB_LANES);
        unsigned lane = thread % SWB_LANES, g = lane / 4, t = lane % 4;
        for (unsigned piece = 0; piece < load->count; piece++)
            load->at[piece][thread] = place(turned.col_byte / elem_bytes + g * in_unit + piece,
                                            (turned.row + 8 * t) * elem_bytes);
        write->at[0][thread] =
            transpose_smem_offset(c, turned.row + matrix_row(lane, true), turned.col_byte);
    }
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void plan_in(const struct transpose_case *c, struct transpose_plan *plan)
{
    unsigned span = c->layout->mode.span_bytes;
    switch (c->method->in) {
    case TRANSPOSE_IN_ELEMENTS:
        write_lines(c, plan, c->elem_bits / 8);
        break;
    case TRANSPOSE_IN_WORDS:
        write_lines(c, plan, 4);
        break;
    case TRANSPOSE_IN_CHUNKS:
        write_lines(c, plan, 16);
        break;
    case TRANSPOSE_IN_STMATRIX:
        write_matrices(c, plan);
        break;
    case TRANSPOSE_IN_TMA:
        plan->steps[TRANSPOSE_LOAD].count = plan->steps[TRANSPOSE_WRITE].count = 0;
        plan->steps[TRANSPOSE_WRITE].instruction = NULL;
        plan->boxes = span ? transpose_line_bytes(c) / span : 1;
        plan->box_bytes = transpose_tile_bytes(c) / plan->boxes;
        break;
    }
}

static void plan_out(const struct transpose_case *c, struct transpose_plan *plan)
{
    switch (c->method->out) {
    case TRANSPOSE_OUT_ELEMENTS:
        read_blocks(c, plan, c->elem_bits / 8, 1);
        break;
    case TRANSPOSE_OUT_WORDS:
        read_blocks(c, plan, 4, 32 / c->elem_bits);
        break;
    case TRANSPOSE_OUT_LDMATRIX:
    case TRANSPOSE_OUT_LDMATRIX_8X16B:
        read_matrices(c, plan);
        break;
    case TRANSPOSE_OUT_CHUNKS:
        read_lines(c, plan, 16);
        break;
    }
}

/* Where pieces of the turned tile are stored, less the pitch of the matrix. */
static void plan_put(const struct transpose_case *c, struct transpose_plan *plan)
{
    const struct transpose_pieces *store = &plan->steps[TRANSPOSE_STORE];
    struct transpose_pieces *put = &plan->steps[TRANSPOSE_PUT];
    put->count = c->method->tma_out ? store->count : 0;
    put->instruction =
        put->count ? instruction_of("st.shared", plan->thread_bytes / put->count) : NULL;
    for (unsigned piece = 0; piece < put->count; piece++)
        for (unsigned thread = 0; thread < plan->threads; thread++) {
            uint32_t at = store->at[piece][thread];
            put->at[piece][thread] = (at >> 16) * transpose_line_bytes(c) + (at & 0xffff);
        }
}

static void add_costs(const struct transpose_plan *plan, struct transpose_pieces *pieces)
{
    pieces->cost = (struct swb_cost){0, 0, 0};
    for (unsigned piece = 0; piece < pieces->count; piece++)
        for (unsigned first = 0; first < plan->threads; first += SWB_LANES) {
            struct swb_access access = {.active_mask = UINT32_MAX};
            struct swb_cost cost;
            for (unsigned lane = 0; lane < SWB_LANES; lane++)
                access.lane_byte_addresses[lane] = pieces->at[piece][first + lane];
            if (!swb_bank_cost(pieces->instruction, &access, &cost))
                abort();
            pieces->cost.wavefronts += cost.wavefronts;
            pieces->cost.ideal_wavefronts += cost.ideal_wavefronts;
            pieces->cost.conflicts += cost.conflicts;
        }
}

void transpose_plan_of(const struct transpose_case *c, struct transpose_plan *plan)
{
    bool has_elements = c->method->out == TRANSPOSE_OUT_ELEMENTS;
    plan->thread_bytes = has_elements ? 4 * c->elem_bits / 8 : 16;
    plan->threads = transpose_tile_bytes(c) / plan->thread_bytes;
    plan->boxes = plan->box_bytes = 0;
    plan_in(c, plan);
    plan_out(c, plan);
    plan_put(c, plan);
    add_costs(plan, &plan->steps[TRANSPOSE_WRITE]);
    add_costs(plan, &plan->steps[TRANSPOSE_READ]);
    add_costs(plan, &plan->steps[TRANSPOSE_PUT]);
}

unsigned transpose_instructions(const struct transpose_plan *plan, enum transpose_step step)
{
    return plan->steps[step].count * plan->threads / SWB_LANES;
}
