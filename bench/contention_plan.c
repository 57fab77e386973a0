/* What does each side of a case access, where in shared memory, and what should that cost? */
#include "bench/contention_plan.h"

#include <assert.h>
#include <string.h>

#include "bench/sweep_arguments.h"

enum {
    BF16 = 9, /* CUtensorMapDataType */
    ELEM_BYTES = CONTENTION_ELEM_BITS / 8,
    ALIGNMENT_BYTES = 1024,
    BARRIERS_BYTES = 1024,
    ROUNDS = 4, /* of sixteen instructions, in an iteration */
    COPY_ROUNDS = 1,
    BOX_BYTES = 8 * 1024,
    NEAR_BYTES = 1 << 20, /* in eighths or less of it */
    MOST_BOX_LINES = 256,
    LINEAR_BOX_BYTES = 128, /* of a line, without swizzle */
};

static uint32_t round_up(uint32_t n)
{
    return (n + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
}

uint32_t contention_stage_offset(void)
{
    return CONTENTION_PITCH / 2;
}

/* ---- Lane by lane -------------------------------------------------------------------------- */

static enum access_shape shape_of(const struct swb_instruction *instruction, bool side_by_side)
{
    return !instruction->matrices ? ACCESS_ROWS : side_by_side ? ACCESS_SUBTILE : ACCESS_BLOCK;
}

/* As much of the tile as the warps have slots for: whole lines, and whole atoms of the layout. */
static struct swb_tile tile_for(const struct swb_instruction *instruction,
                                const struct swb_tile *tile, unsigned warps)
{
    struct swb_tile t = *tile;
    unsigned *lines = t.major == SWB_K_MAJOR ? &t.rows : &t.cols;
    unsigned slots =
        GROUP_SLOTS * warps < CONTENTION_SLOTS ? GROUP_SLOTS * warps : CONTENTION_SLOTS;
    unsigned most = slots * swb_instruction_bytes(instruction) / swb_tile_line_bytes(&t);
    *lines = *lines < most ? *lines : most;
    return t;
}

static void plan_lanes(const struct contention_actor *actor, const char *layout_name,
                       struct access_plan *lanes, struct contention_side *side)
{
    const struct swb_instruction *instruction = swb_instruction_find(actor->instruction);
    struct contention_layout layout;
    bool found = contention_layout_find(layout_name, instruction->lane_bytes, &layout);
    struct swb_tile tile = tile_for(instruction, &layout.tile, side->warps);
    const char *why =
        access_plan_tile(lanes, instruction, &tile, shape_of(instruction, layout.side_by_side));
    assert(found && !why && lanes->slots <= CONTENTION_SLOTS);
    (void)found, (void)why;
    lanes->bypass_l1 = actor->bypass_l1;
    struct plan_cost cost = access_plan_cost(lanes);
    double slots = lanes->slots;
    side->bodies = side->warps;
    side->body = GROUP_SLOTS * CONTENTION_COPIES * (actor->copies ? COPY_ROUNDS : ROUNDS);
    side->cost = (struct contention_cost){.wavefronts = cost.wavefronts / slots,
                                          .ideal_wavefronts = cost.ideal_wavefronts / slots,
                                          .conflicts = cost.conflicts / slots,
                                          .cycles = cost.wavefronts / slots,
                                          .bytes = swb_instruction_bytes(instruction)};
}

/* ---- wgmma --------------------------------------------------------------------------------- */

static void plan_wgmma(const struct contention_case *c, struct contention_plan *plan)
{
    struct wgmma_layout layout;
    layout.mode = swb_layout_find(c->reader_layout, &layout.major);
    plan->multiplied = (struct wgmma_case){.n = c->reader->n,
                                           .a_in_shared = true,
                                           .layouts = {layout, layout},
                                           .stack = SWB_STACK_COL};
    wgmma_plan_of(&plan->multiplied, &plan->operands);
    plan->wgmma_offset_bytes = plan->image_bytes;
    plan->image_bytes = round_up(plan->image_bytes + plan->operands.image_bytes);
    struct wgmma_prediction p = wgmma_predicted(&plan->multiplied, &plan->operands);
    unsigned k = wgmma_k(wgmma_type_at(plan->multiplied.type));
    plan->reader.bodies = 1;
    plan->reader.body = WGMMA_STEPS;
    plan->reader.cost =
        (struct contention_cost){.wavefronts = p.wavefronts,
                                 .ideal_wavefronts = p.wavefronts,
                                 .cycles = p.cycles,
                                 .bytes = (WGMMA_M + c->reader->n) * k * ELEM_BYTES};
}

/* ---- TMA ----------------------------------------------------------------------------------- */

/* The tensor: lines as wide as the box, one behind the other. */
static void plan_boxes(const struct contention_case *c, struct contention_plan *plan)
{
    char name[16] = "K/";
    enum swb_major major;
    bool linear = strcmp(c->writer_layout, "linear") == 0;
    strncat(name, linear ? "none" : c->writer_layout, sizeof name - 3);
    const struct swb_layout_mode *mode = swb_layout_find(name, &major);
    unsigned width = linear ? LINEAR_BOX_BYTES : mode->span_bytes;
    unsigned lines = BOX_BYTES / width < MOST_BOX_LINES ? BOX_BYTES / width : MOST_BOX_LINES;
    plan->map = (struct swb_tma_map){
        .dtype = BF16,
        .rank = 2,
        .dims = {width / ELEM_BYTES, plan->tensor_bytes / width},
        .strides = {width},
        .box = {width / ELEM_BYTES, lines},
        .element_strides = {1, 1},
        .swizzle = mode->tma_number - 1,
    };
    plan->box_lines = lines;
    plan->box_bytes = lines * width;
    plan->boxes = plan->tensor_bytes / plan->box_bytes;
    plan->box_offset_bytes = plan->image_bytes;
    plan->image_bytes = round_up(plan->image_bytes + plan->writer.warps * plan->box_bytes);
    plan->barrier_offset = plan->image_bytes;
    struct tma_case box = {.way = TMA_LOAD,
                           .map = plan->map,
                           .cluster_ctas = 1,
                           .smem_offset = plan->box_offset_bytes};
    double wavefronts = (double)plan->box_bytes / SWB_WAVEFRONT_BYTES;
    plan->writer.bodies = plan->writer.warps;
    plan->writer.body = 1;
    plan->writer.cost = (struct contention_cost){.wavefronts = wavefronts,
                                                 .ideal_wavefronts = wavefronts,
                                                 .cycles = (double)tma_traffic_of(&box, 0).cycles,
                                                 .bytes = plan->box_bytes};
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void plan_reader(const struct contention_case *c, struct contention_plan *plan)
{
    plan->reader.warps = c->reader_warps;
    if (c->reader->means == CONTENTION_WGMMA)
        plan_wgmma(c, plan);
    else
        plan_lanes(c->reader, c->reader_layout, &plan->loads, &plan->reader);
}

/* Sectors of a step that the writers read, in bytes: each copy reads further on. */
static uint32_t bytes_of_step(const struct access_plan *stores)
{
    enum { SECTOR_BYTES = 32, SECTORS = CONTENTION_SOURCE_STEP_BYTES / SECTOR_BYTES };
    bool read[SECTORS] = {false};
    uint32_t bytes = 0;
    for (unsigned slot = 0; slot < stores->slots; slot++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            for (unsigned copy = 0; copy < CONTENTION_COPIES; copy++) {
                bool *sector =
                    &read[(stores->sources[slot][lane] + copy * CONTENTION_PITCH) / SECTOR_BYTES];
                bytes += *sector ? 0 : SECTOR_BYTES;
                *sector = true;
            }
    return bytes;
}

static void plan_writer(const struct contention_case *c, struct contention_plan *plan)
{
    plan->writer.warps = c->writer_warps;
    plan->copies = c->writer->copies;
    plan->tensor_bytes = c->near_sources ? NEAR_BYTES : CONTENTION_TENSOR_BYTES;
    if (c->writer->means == CONTENTION_TMA)
        plan_boxes(c, plan);
    else
        plan_lanes(c->writer, c->writer_layout, &plan->stores, &plan->writer);
    if (c->writer->means == CONTENTION_TMA)
        plan->source_bytes = plan->tensor_bytes;
    else if (plan->copies)
        plan->source_bytes =
            plan->tensor_bytes / CONTENTION_SOURCE_STEP_BYTES * bytes_of_step(&plan->stores);
}

/* Side by side, each with as much to do as the other takes alone. */
static void bound(struct contention_plan *plan)
{
    const struct contention_cost *r = &plan->reader.cost, *w = &plan->writer.cost;
    double wavefronts = r->wavefronts + w->wavefronts * r->cycles / w->cycles;
    plan->model_cycles = wavefronts > r->cycles ? wavefronts : r->cycles;
    plan->model_slowdown = plan->model_cycles / r->cycles;
}

void contention_plan_of(const struct contention_case *c, struct contention_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->image_bytes = CONTENTION_COPIES * CONTENTION_PITCH;
    if (c->reader)
        plan_reader(c, plan);
    if (c->writer)
        plan_writer(c, plan);
    if (c->reader && c->writer)
        bound(plan);
    plan->smem_bytes = plan->image_bytes + (plan->barrier_offset ? BARRIERS_BYTES : 0);
    if (c->smem_kib * 1024 > plan->smem_bytes)
        plan->smem_bytes = c->smem_kib * 1024;
}
