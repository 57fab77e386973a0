/* How do the tiles of a case get into shared memory, how are they described, and what is predicted
 * for a k-block? */
#include "bench/pipeline_plan.h"

#include <assert.h>

enum {
    BF16 = 9, /* CUtensorMapDataType */
    ELEM_BYTES = PIPELINE_ELEM_BITS / 8,
    OTHER_NUMBERS = 1 << 20, /* where those of B begin, behind all of A's */
};

/* ---- Boxes --------------------------------------------------------------------------------- */

/* The tensor: K-major rows of PIPELINE_K elements, or MN-major lines of as many as the tile has.
 * Spans that lie side by side in it lie one after the other in shared memory. */
static struct swb_tma_map map_of(const struct pipeline_case *c, enum swb_mma_operand operand)
{
    const struct wgmma_layout *layout = &c->layouts[operand];
    bool k_major = layout->major == SWB_K_MAJOR;
    unsigned span = layout->mode->span_bytes / ELEM_BYTES;
    unsigned across = k_major ? PIPELINE_K : pipeline_rows(c, operand);
    unsigned lines = k_major ? pipeline_rows(c, operand) : PIPELINE_K;
    struct swb_tma_map map = {
        .dtype = BF16,
        .rank = 2,
        .dims = {across, lines},
        .strides = {across * ELEM_BYTES},
        .box = {span, pipeline_lines(c, operand)},
        .element_strides = {1, 1, 1},
        .swizzle = layout->mode->tma_number - 1,
    };
    if (c->one_box) {
        map.rank = 3;
        map.dims[0] = span;
        map.dims[2] = across / span;
        map.strides[1] = layout->mode->span_bytes;
        map.box[2] = pipeline_line_elements(c, operand) / span;
    }
    return map;
}

static void plan_boxes(const struct pipeline_case *c, enum swb_mma_operand operand,
                       struct pipeline_operand *o)
{
    const struct wgmma_layout *layout = &c->layouts[operand];
    unsigned span = layout->mode->span_bytes / ELEM_BYTES;
    o->map = map_of(c, operand);
    o->boxes = c->one_box ? 1 : pipeline_line_elements(c, operand) / span;
    o->box_bytes = pipeline_operand_bytes(c, operand) / o->boxes;
    o->per_box[0] = (int32_t)span;
    if (layout->major == SWB_MN_MAJOR)
        o->per_k_block[1] = (int32_t)c->k_block;
    else if (c->one_box)
        o->per_k_block[2] = (int32_t)(c->k_block / span);
    else
        o->per_k_block[0] = (int32_t)c->k_block;
}

/* ---- Tiles and descriptors ----------------------------------------------------------------- */

/* A box is atoms one after the other along its lines' number: rows of a K-major tile, columns of an
 * MN-major one. */
static void plan_operand(const struct pipeline_case *c, enum swb_mma_operand operand,
                         uint32_t offset_bytes, struct pipeline_operand *o)
{
    const struct wgmma_layout *layout = &c->layouts[operand];
    *o = (struct pipeline_operand){.offset_bytes = offset_bytes};
    o->tile =
        (struct swb_tile){.mode = layout->mode,
                          .major = layout->major,
                          .stack = layout->major == SWB_K_MAJOR ? SWB_STACK_COL : SWB_STACK_ROW,
                          .rows = pipeline_rows(c, operand),
                          .cols = c->k_block,
                          .elem_bits = PIPELINE_ELEM_BITS};
    for (unsigned step = 0; step < c->k_block / PIPELINE_STEP_K; step++) {
        bool described = swb_tile_descriptor(&o->tile, offset_bytes, step * PIPELINE_STEP_K,
                                             &o->descriptors[step], NULL);
        assert(described);
        (void)described;
    }
    plan_boxes(c, operand, o);
}

void pipeline_plan_of(const struct pipeline_case *c, struct pipeline_plan *plan)
{
    plan->stage_bytes = pipeline_stage_bytes(c);
    plan->steps = c->k_block / PIPELINE_STEP_K;
    plan->positions = PIPELINE_K / c->k_block;
    plan_operand(c, SWB_MMA_A, 0, &plan->operands[SWB_MMA_A]);
    plan_operand(c, SWB_MMA_B, pipeline_operand_bytes(c, SWB_MMA_A), &plan->operands[SWB_MMA_B]);
}

/* ---- Predictions --------------------------------------------------------------------------- */

/* All boxes of the operand, at position 0: every k-block begins at a whole sector. */
static void add_traffic(const struct pipeline_operand *o, struct pipeline_prediction *p)
{
    struct tma_case box = {.way = TMA_LOAD, .map = o->map, .cluster_ctas = 1};
    for (uint32_t j = 0; j < o->boxes; j++) {
        box.start[0] = (int32_t)j * o->per_box[0];
        box.smem_offset = o->offset_bytes + j * o->box_bytes;
        struct tma_traffic traffic = tma_traffic_of(&box, 0);
        p->sectors += traffic.sectors;
        p->tma_cycles += traffic.cycles;
    }
}

struct pipeline_prediction pipeline_predicted(const struct pipeline_case *c,
                                              const struct pipeline_plan *plan)
{
    struct pipeline_prediction p = {.sectors = 0};
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
        add_traffic(&plan->operands[operand], &p);
    for (unsigned step = 0; step < plan->steps; step++) {
        unsigned wavefronts = 0;
        for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
            wavefronts += swb_descriptor_wavefronts(&plan->operands[operand].descriptors[step],
                                                    c->layouts[operand].major, PIPELINE_ELEM_BITS,
                                                    pipeline_rows(c, operand));
        p.wavefronts += wavefronts;
        p.wgmma_cycles += swb_wgmma_cycles(c->n, true, wavefronts);
    }
    p.smem_cycles = p.wavefronts + plan->stage_bytes / SWB_WAVEFRONT_BYTES;
    p.bound_cycles = p.tma_cycles > p.wgmma_cycles ? p.tma_cycles : p.wgmma_cycles;
    return p;
}

/* ---- Data ---------------------------------------------------------------------------------- */

uint32_t pipeline_place(const struct pipeline_case *c, enum swb_mma_operand operand, unsigned row,
                        unsigned k)
{
    return c->layouts[operand].major == SWB_K_MAJOR ? row * PIPELINE_K + k
                                                    : k * pipeline_rows(c, operand) + row;
}

int pipeline_number(enum swb_mma_operand operand, uint32_t place)
{
    return wgmma_number(wgmma_type_at(0), (operand == SWB_MMA_B ? OTHER_NUMBERS : 0) + place);
}
