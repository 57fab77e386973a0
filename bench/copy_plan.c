/* What does each instruction of a copy move, from where to where, and what should that cost? */
#include "bench/copy_plan.h"

#include <stdio.h>
#include <stddef.h>
#include <string.h>

enum { BF16 = 9, ELEM_BYTES = COPY_ELEM_BITS / 8, NO_SWIZZLE = 0 };

/* ---- Moves --------------------------------------------------------------------------------- */

static uint32_t pitch_of(const struct copy_case *c)
{
    return c->packed ? swb_tile_line_bytes(&c->tile) : COPY_PITCH_BYTES;
}

/* The piece of `bytes` bytes from byte `at` on, counted along the lines. */
static struct copy_move move_at(const struct copy_case *c, unsigned at, unsigned bytes)
{
    unsigned line_bytes = swb_tile_line_bytes(&c->tile);
    unsigned line = at / line_bytes, byte = at % line_bytes;
    return (struct copy_move){line * pitch_of(c) + byte, swb_tile_line_offset(&c->tile, line, byte),
                              bytes};
}

/* Along shared memory: pieces have their places there, of which padding is none. */
static void plan_lanes(const struct copy_case *c, struct copy_plan *plan)
{
    unsigned bytes = c->way->lane_bytes, pieces = plan->tile_bytes / bytes;
    for (unsigned i = 0; i < pieces; i++) {
        struct copy_move move = move_at(c, i * bytes, bytes);
        plan->moves[c->order == COPY_ALONG_SHARED ? move.shared / bytes : i] = move;
    }
    plan->lanes = SWB_LANES;
    plan->instructions = pieces / SWB_LANES;
    plan->warps = plan->instructions < COPY_MOST_WARPS ? plan->instructions : COPY_MOST_WARPS;
}

/* A copy goes on as long as both sides do. */
static void plan_bulk(const struct copy_case *c, struct copy_plan *plan)
{
    for (unsigned at = 0; at < plan->tile_bytes; at += SWB_TMA_CHUNK_BYTES) {
        struct copy_move next = move_at(c, at, SWB_TMA_CHUNK_BYTES);
        struct copy_move *last = plan->instructions ? &plan->moves[plan->instructions - 1] : NULL;
        if (last && last->global + last->bytes == next.global &&
            last->shared + last->bytes == next.shared)
            last->bytes += next.bytes;
        else
            plan->moves[plan->instructions++] = next;
    }
}

/* Atoms follow each other down the lines in shared memory, or else along them. */
static bool goes_down(const struct swb_tile *t)
{
    return (t->major == SWB_K_MAJOR) == (t->stack == SWB_STACK_COL);
}

static unsigned swizzle_of(const struct swb_layout_mode *mode)
{
    return mode->tma_number ? mode->tma_number - 1 : NO_SWIZZLE;
}

/* A box is one span wide. Atoms that follow each other down the lines are one box, else each has
 * its own. */
static void plan_boxes(const struct copy_case *c, struct copy_plan *plan)
{
    const struct swb_layout_mode *mode = c->tile.mode;
    unsigned lines = swb_tile_lines(&c->tile), line_bytes = swb_tile_line_bytes(&c->tile);
    unsigned width = mode->span_bytes ? mode->span_bytes : line_bytes;
    unsigned height = goes_down(&c->tile) || width == line_bytes ? lines : mode->atom_lines;
    for (unsigned line = 0; line < lines; line += height)
        for (unsigned byte = 0; byte < line_bytes; byte += width)
            plan->moves[plan->instructions++] = move_at(c, line * line_bytes + byte, width);
    plan->map = (struct swb_tma_map){
        .dtype = BF16,
        .rank = 2,
        .dims = {COPY_PITCH_BYTES / ELEM_BYTES},
        .strides = {COPY_PITCH_BYTES},
        .box = {width / ELEM_BYTES, height},
        .element_strides = {1, 1},
        .swizzle = swizzle_of(mode),
    };
}

/* A span of some lines, then the next span of these lines, then the next lines: the order in which
 * the atoms lie. */
static void plan_whole(const struct copy_case *c, struct copy_plan *plan)
{
    const struct swb_layout_mode *mode = c->tile.mode;
    unsigned lines = swb_tile_lines(&c->tile), span = mode->span_bytes;
    unsigned height = goes_down(&c->tile) ? lines : mode->atom_lines;
    plan->moves[plan->instructions++] = move_at(c, 0, span);
    plan->map = (struct swb_tma_map){
        .dtype = BF16,
        .rank = 4,
        .dims = {span / ELEM_BYTES, height, COPY_PITCH_BYTES / span},
        .strides = {COPY_PITCH_BYTES, span, (uint64_t)height * COPY_PITCH_BYTES},
        .box = {span / ELEM_BYTES, height, swb_tile_line_bytes(&c->tile) / span, lines / height},
        .element_strides = {1, 1, 1, 1},
        .swizzle = swizzle_of(mode),
    };
}

void copy_plan_of(const struct copy_case *c, struct copy_plan *plan)
{
    size_t bytes = swb_tile_bytes(&c->tile);
    memset(plan, 0, offsetof(struct copy_plan, moves));
    if (c->way->kind == COPY_PLAIN)
        return;
    plan->stage_bytes =
        (uint32_t)(bytes + COPY_ALIGNMENT_BYTES - 1) / COPY_ALIGNMENT_BYTES * COPY_ALIGNMENT_BYTES;
    plan->tile_bytes = swb_tile_lines(&c->tile) * swb_tile_line_bytes(&c->tile);
    plan->pitch_bytes = pitch_of(c);
    plan->lanes = plan->warps = 1;
    if (c->way->lane_bytes)
        plan_lanes(c, plan);
    else if (c->way->kind == COPY_BULK)
        plan_bulk(c, plan);
    else if (c->way->whole)
        plan_whole(c, plan);
    else
        plan_boxes(c, plan);
}

/* ---- Places in the tensor ------------------------------------------------------------------ */

unsigned copy_tiles_across(const struct copy_case *c)
{
    return pitch_of(c) / swb_tile_line_bytes(&c->tile);
}

uint64_t copy_tile_offset(const struct copy_case *c, uint64_t tile)
{
    unsigned across = copy_tiles_across(c);
    return tile / across * swb_tile_lines(&c->tile) * pitch_of(c) +
           tile % across * swb_tile_line_bytes(&c->tile);
}

/* ---- Predictions --------------------------------------------------------------------------- */

/* Distinct sectors of all lanes. */
static unsigned lane_sectors(const struct copy_move *moves)
{
    unsigned sectors = 0;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        bool seen = false;
        for (unsigned other = 0; other < lane && !seen; other++)
            seen = moves[other].global / TMA_SECTOR_BYTES == moves[lane].global / TMA_SECTOR_BYTES;
        sectors += !seen;
    }
    return sectors;
}

static const struct swb_instruction *shared_instruction(const struct copy_way *way)
{
    char name[24];
    if (way->kind == COPY_ASYNC)
        snprintf(name, sizeof name, "cp.async.%u", way->lane_bytes);
    else
        snprintf(name, sizeof name, "%s.shared.b%u", way->back ? "ld" : "st", 8 * way->lane_bytes);
    return swb_instruction_find(name);
}

static void add_warp(const struct copy_case *c, const struct swb_instruction *instruction,
                     const struct copy_move *moves, struct copy_prediction *p)
{
    struct swb_copy copy = {.to.active_mask = UINT32_MAX, .bypass_l1 = c->way->bypass_l1};
    struct swb_copy_cost async = {.wavefronts = 0};
    struct swb_cost cost = {.wavefronts = 0};
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        copy.to.lane_byte_addresses[lane] = moves[lane].shared;
        copy.global_byte_addresses[lane] = moves[lane].global;
    }
    if (swb_copy_cost(instruction, &copy, &async)) {
        p->wavefronts += async.wavefronts;
        p->ideal_wavefronts += async.ideal_wavefronts;
        p->sectors += async.sectors;
    } else if (swb_bank_cost(instruction, &copy.to, &cost)) {
        p->wavefronts += cost.wavefronts;
        p->ideal_wavefronts += cost.ideal_wavefronts;
        p->sectors += lane_sectors(moves);
    }
}

static struct tma_traffic chunk_traffic(const struct copy_case *c, const struct copy_move *moves,
                                        unsigned lanes)
{
    struct tma_chunk chunks[COPY_MOST_TILE_BYTES / SWB_TMA_CHUNK_BYTES];
    size_t count = 0;
    for (unsigned lane = 0; lane < lanes; lane++)
        for (uint32_t byte = 0; byte < moves[lane].bytes; byte += SWB_TMA_CHUNK_BYTES)
            chunks[count++] =
                (struct tma_chunk){moves[lane].global + byte, moves[lane].shared + byte};
    return tma_chunk_traffic(!c->way->back, chunks, count);
}

static struct tma_traffic box_traffic(const struct copy_case *c, const struct copy_plan *plan,
                                      const struct copy_move *move)
{
    struct tma_case box = {.way = c->way->back ? TMA_STORE : TMA_LOAD,
                           .map = plan->map,
                           .cluster_ctas = 1,
                           .smem_offset = move->shared};
    box.map.dims[box.map.rank - 1] =
        (uint64_t)swb_tile_lines(&c->tile) * COPY_PITCH_BYTES / box.map.strides[box.map.rank - 2];
    box.start[0] = (int32_t)(move->global % COPY_PITCH_BYTES / ELEM_BYTES);
    box.start[1] = (int32_t)(move->global / COPY_PITCH_BYTES);
    return tma_traffic_of(&box, 0);
}

/* Of one instruction, which goes past L1. The sectors of lanes are those of their own rule. */
static void add_traffic(const struct copy_case *c, const struct copy_plan *plan,
                        const struct copy_move *moves, struct copy_prediction *p)
{
    struct tma_traffic traffic = c->way->kind == COPY_TMA ? box_traffic(c, plan, moves)
                                                          : chunk_traffic(c, moves, plan->lanes);
    p->l2_requests += traffic.requests;
    if (!c->way->lane_bytes)
        p->sectors += traffic.sectors;
}

/* Moves of an instruction in the order of global memory, in which they mostly are. */
static void sort_moves(const struct copy_move *moves, uint32_t count, struct copy_move *sorted)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = i;
        for (; place > 0 && sorted[place - 1].global > moves[i].global; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = moves[i];
    }
}

/* The least number of bytes that an instruction moves from one place. */
static unsigned least_run(const struct copy_plan *plan)
{
    unsigned least = UINT32_MAX;
    for (uint32_t i = 0; i < plan->instructions; i++) {
        struct copy_move moves[SWB_LANES] = {{.bytes = 0}};
        sort_moves(&plan->moves[i * plan->lanes], plan->lanes, moves);
        unsigned run = moves[0].bytes;
        for (uint32_t lane = 1; lane < plan->lanes; lane++) {
            bool goes_on = moves[lane].global == moves[lane - 1].global + moves[lane - 1].bytes;
            least = !goes_on && run < least ? run : least;
            run = (goes_on ? run : 0) + moves[lane].bytes;
        }
        least = run < least ? run : least;
    }
    return least;
}

struct copy_prediction copy_predicted(const struct copy_case *c, const struct copy_plan *plan)
{
    struct copy_prediction p = {.sectors = 0};
    const struct swb_instruction *instruction =
        c->way->lane_bytes ? shared_instruction(c->way) : NULL;
    for (uint32_t i = 0; i < plan->instructions; i++) {
        const struct copy_move *moves = &plan->moves[i * plan->lanes];
        if (instruction)
            add_warp(c, instruction, moves, &p);
        if (!instruction || c->way->bypass_l1)
            add_traffic(c, plan, moves, &p);
    }
    p.requests = instruction ? plan->instructions : 0;
    p.run_bytes = plan->instructions ? least_run(plan) : 0;
    return p;
}
