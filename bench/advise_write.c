/* How is a tile filled, by boxes of TMA or by a warp with 16 bytes a lane, and at what cost? */
#include <stdio.h>

#include "bench/advise.h"
#include "bench/tma_global.h"
#include "bench/walk.h"

enum {
    ATOM_LINES = 8,
    MOST_OF_BOX = 256, /* elements along a dimension */
    HOPPER = 90,
};

/* From line to line of the tensor around the tile: whole TMA_LINE_BYTES, as where boxes are
 * measured. */
static unsigned pitch_bytes(const struct swb_tile *tile)
{
    unsigned lines = (swb_tile_line_bytes(tile) + TMA_LINE_BYTES - 1) / TMA_LINE_BYTES;
    return lines * TMA_LINE_BYTES;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* The largest part of `whole`, in steps of `step`, that goes into it evenly; 0 where none does. */
static unsigned largest_part(unsigned whole, unsigned step)
{
    for (unsigned part = MOST_OF_BOX / step * step; part > 0; part -= step)
        if (whole % part == 0)
            return part;
    return 0;
}

/* Whether atoms that are one below the other follow each other in memory, so that a box may hold
 * several. */
static bool stacks_down(const struct swb_tile *tile)
{
    return swb_tile_line_bytes(tile) == tile->mode->span_bytes ||
           (tile->major == SWB_K_MAJOR) == (tile->stack == SWB_STACK_COL);
}

/* Lines of a box: of atoms, as many as follow each other; without atoms, as many as end where the
 * next box may begin. */
static unsigned box_lines(const struct swb_tile *tile)
{
    unsigned lines = swb_tile_lines(tile), line_bytes = swb_tile_line_bytes(tile), step = 1;
    if (tile->mode->span_bytes)
        return stacks_down(tile) ? largest_part(lines, ATOM_LINES) : ATOM_LINES;
    while (lines > MOST_OF_BOX && step * line_bytes % SWB_TMA_SMEM_ALIGNMENT_BYTES)
        step *= 2;
    return largest_part(lines, step);
}

/* A box is one span wide. Without a swizzle that is 16 bytes, and a third dimension counts as many
 * of these as lie one behind the other. */
static void plan_boxes(const struct advise_question *question, const struct swb_tile *tile,
                       struct advise_boxes *boxes)
{
    unsigned line_bytes = swb_tile_line_bytes(tile), pitch = pitch_bytes(tile);
    unsigned width = tile->mode->span_bytes ? tile->mode->span_bytes : line_bytes;
    unsigned lines = box_lines(tile), columns = line_bytes / width;
    bool of_bricks = tile->mode->span_bytes == SWB_TMA_CHUNK_BYTES;
    bool gathers = of_bricks && (lines == swb_tile_lines(tile) || !stacks_down(tile));
    unsigned planes = gathers ? largest_part(columns, 1) : 1;
    unsigned elem_bytes = question->bits / 8;
    *boxes = (struct advise_boxes){.along = columns / planes,
                                   .down = lines ? swb_tile_lines(tile) / lines : 0,
                                   .line_bytes = width * planes,
                                   .lines = lines};
    boxes->first = (struct tma_case){
        .way = TMA_LOAD,
        .cluster_ctas = 1,
        .map = {.dtype = question->tma_dtype,
                .rank = planes > 1 ? 3 : 2,
                .dims = {(planes > 1 ? width : pitch) / elem_bytes, swb_tile_lines(tile),
                         pitch / width},
                .strides = {pitch, width},
                .box = {width / elem_bytes, lines, planes},
                .element_strides = {1, 1, 1},
                .swizzle = tile->mode->tma_number ? tile->mode->tma_number - 1 : 0}};
}

struct tma_case advise_box_at(const struct advise_candidate *c, unsigned number)
{
    const struct advise_boxes *boxes = &c->write.boxes;
    unsigned byte = number % boxes->along * boxes->line_bytes;
    unsigned line = number / boxes->along * boxes->lines;
    struct tma_case box = boxes->first;
    if (box.map.rank == 3)
        box.start[2] = (int32_t)(byte / SWB_TMA_CHUNK_BYTES);
    else
        box.start[0] = (int32_t)(byte * 8 / c->tile.elem_bits);
    box.start[1] = (int32_t)line;
    box.smem_offset = swb_tile_line_offset(&c->tile, line, byte);
    return box;
}

static bool write_by_tma(const struct advise_question *question, struct advise_candidate *c)
{
    struct advise_write *write = &c->write;
    struct swb_tma_broken broken;
    if (c->tile.mode->pad_bytes) {
        snprintf(c->refusal, sizeof c->refusal,
                 "TMA lays the lines of a box one behind the other, and leaves no room between");
        return false;
    }
    plan_boxes(question, &c->tile, &write->boxes);
    if (swb_tma_check(&write->boxes.first.map, HOPPER, &broken, 1)) {
        snprintf(c->refusal, sizeof c->refusal, "TMA, rule %s: %s", broken.rule, broken.sentence);
        return false;
    }
    write->instructions = write->boxes.along * write->boxes.down;
    for (unsigned i = 0; i < write->instructions; i++) {
        struct tma_case box = advise_box_at(c, i);
        struct tma_traffic traffic = tma_traffic_of(&box, 0);
        write->sectors += traffic.sectors;
        write->cycles += traffic.cycles;
    }
    return true;
}

/* ---- A warp -------------------------------------------------------------------------------- */

/* Lanes along the lines of the tile, 16 bytes each, then on to the next: whole sectors of the
 * tensor. The plain loads in front of st.shared ask for the sectors that cp.async asks for through
 * L1. */
static bool write_by_warp(const struct placed *placed, struct advise_candidate *c)
{
    const struct swb_instruction *copy_16 = swb_instruction_find("cp.async.16");
    bool by_copy = c->writer == ADVISE_CP_ASYNC;
    struct advise_write *write = &c->write;
    struct error error = {.kind = ERROR_NONE};
    struct walk walk;
    write->copies = by_copy ? copy_16 : swb_instruction_find("st.shared.b128");
    if (!walk_plan(placed, write->copies, "rows", NULL, &walk, &error)) {
        snprintf(c->refusal, sizeof c->refusal, "%s", error.text);
        return false;
    }
    write->instructions = walk.positions;
    for (unsigned position = 0; position < walk.positions; position++) {
        struct swb_copy copy = {.bypass_l1 = by_copy};
        struct swb_copy_cost copied;
        struct swb_cost stored;
        if (!walk_access(&walk, position, &copy.to, &error)) {
            snprintf(c->refusal, sizeof c->refusal, "%s", error.text);
            return false;
        }
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            uint64_t byte = ((uint64_t)position * SWB_LANES + lane) * copy_16->lane_bytes;
            copy.global_byte_addresses[lane] =
                byte / placed->line_bytes * pitch_bytes(&c->tile) + byte % placed->line_bytes;
        }
        swb_copy_cost(copy_16, &copy, &copied);
        if (!by_copy) {
            swb_bank_cost(write->copies, &copy.to, &stored);
            copied.wavefronts = stored.wavefronts;
            copied.ideal_wavefronts = stored.ideal_wavefronts;
        }
        write->sectors += copied.sectors;
        write->wavefronts += copied.wavefronts;
        write->ideal += copied.ideal_wavefronts;
    }
    write->cycles = write->wavefronts;
    return true;
}

bool advise_plan_write(const struct advise_question *question, const struct placed *placed,
                       struct advise_candidate *c)
{
    return c->writer == ADVISE_TMA ? write_by_tma(question, c) : write_by_warp(placed, c);
}
