/* How do the warps of a CTA read A or B from shared memory, at what cost, and what do they get? */
#include "bench/mma_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/access_plan.h"
#include "bench/mma_reads.h"

/* Names of layouts and places on the way to a plan. */
struct plan_source {
    struct tiled_mma tiled;
    struct placed placed;
    struct mma_reads reads;
};

/* B of a tile is two atoms of each warp wide, so that a load fills four registers of either
 * operand. */
bool mma_plan_tiled(const struct mma_type *type, struct tiled_mma *tiled, struct error *error)
{
    struct swb_mma_atom atom = mma_type_atom(type);
    char tile[32], problem[32];
    unsigned k = atom.extents[SWB_MMA_K];
    snprintf(tile, sizeof tile, "32x64x%u", k);
    snprintf(problem, sizeof problem, "%dx%dx%u", MMA_ROWS, MMA_ROWS, MMA_STEPS * k);
    const struct mma_words words = {.atoms = MMA_ATOMS, .tile = tile, .problem = problem};
    return tiled_mma_open(type->atom, &words, tiled, error);
}

static bool place_tile(const char *layout, const struct mma_operand *whole, struct placed *placed,
                       struct error *error)
{
    char bits[16], tile[32];
    enum swb_major major = SWB_K_MAJOR;
    snprintf(bits, sizeof bits, "%u", whole->bits);
    snprintf(tile, sizeof tile, "%ux%u", whole->rows, whole->cols);
    swb_layout_find(layout, &major);
    const struct placed_words words = {.layout = layout,
                                       .elem_bits = bits,
                                       .tile = tile,
                                       .stack = major == SWB_K_MAJOR ? "row" : "col"};
    return placed_read(&words, placed, error);
}

static const struct swb_instruction *without_trans(const struct swb_instruction *instruction)
{
    char name[32];
    snprintf(name, sizeof name, "%s", instruction->name);
    char *suffix = strstr(name, ".trans");
    if (!suffix)
        abort(); /* a case without a .trans that it could lack */
    *suffix = '\0';
    return swb_instruction_find(name);
}

static void take_places(struct mma_plan *plan, const struct placed *placed, uint16_t *element_at)
{
    for (unsigned col = 0; col < plan->cols; col++) {
        for (unsigned row = 0; row < plan->rows; row++) {
            unsigned element = row + plan->rows * col;
            plan->place[element] = (uint16_t)(placed_bit_address(placed, row, col, 0) / 8);
            element_at[plan->place[element]] = (uint16_t)element;
        }
    }
}

/* Which elements an instruction brings to the lanes, and to the places of which. */
static void take_found(struct mma_plan *plan, const struct mma_reads *reads, unsigned warp,
                       unsigned load, const uint16_t *element_at)
{
    unsigned element_bytes = plan->bits / 8;
    unsigned registers = plan->instruction->matrices ? plan->instruction->matrices : 1;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        for (unsigned byte = 0; byte < 4 * registers; byte += element_bytes) {
            unsigned piece_lane, piece_byte;
            struct mma_place wanted =
                mma_reads_place(reads, warp, load, lane, byte / element_bytes);
            access_register_byte(plan->instruction, lane, byte / 4, byte % 4, &piece_lane,
                                 &piece_byte);
            plan->found[wanted.row + plan->rows * wanted.col] =
                element_at[plan->offsets[warp][load][piece_lane] + piece_byte];
        }
    }
}

static void take_loads(struct mma_plan *plan, const struct mma_reads *reads,
                       const uint16_t *element_at)
{
    for (unsigned warp = 0; warp < MMA_WARPS; warp++) {
        for (unsigned load = 0; load < plan->loads; load++) {
            struct swb_access access;
            struct swb_cost cost;
            mma_reads_access(reads, warp, load, &access);
            swb_bank_cost(plan->instruction, &access, &cost);
            plan->cost.wavefronts += cost.wavefronts;
            plan->cost.ideal_wavefronts += cost.ideal_wavefronts;
            plan->cost.conflicts += cost.conflicts;
            memcpy(plan->offsets[warp][load], access.lane_byte_addresses,
                   sizeof access.lane_byte_addresses);
            take_found(plan, reads, warp, load, element_at);
        }
    }
}

static bool make_plan(const struct mma_case *c, enum swb_mma_operand which, struct mma_plan *plan,
                      struct plan_source *source, struct error *error)
{
    uint16_t element_at[MMA_MAX_TILE_BYTES];
    if (!mma_plan_tiled(c->type, &source->tiled, error))
        return false;
    const struct mma_operand *whole = &source->tiled.whole[which];
    if (!place_tile(c->layouts[which], whole, &source->placed, error) ||
        !mma_reads_plan(&source->tiled.tile[which], &source->placed, &source->reads, error))
        return false;
    *plan = (struct mma_plan){.instruction = source->reads.instruction,
                              .rows = whole->rows,
                              .cols = whole->cols,
                              .bits = whole->bits,
                              .loads = source->reads.per_warp,
                              .tile_bytes = source->placed.smem_bytes};
    if (plan->instruction->lane_bytes < 4) {
        plan->why_not = "MN-major operands of 8 bits: .trans turns elements of 16 bits alone, and "
                        "no kernel here puts fragments together from single bytes";
        return true;
    }
    if (c->without_trans[which])
        plan->instruction = without_trans(plan->instruction);
    take_places(plan, &source->placed, element_at);
    take_loads(plan, &source->reads, element_at);
    for (unsigned i = 0; i < plan->rows * plan->cols; i++)
        plan->misplaced += plan->found[i] != i;
    return true;
}

/* ---- Kept plans ------------------------------------------------------------------------------ */

/* Many cases have the plan of an operand in common. */
struct kept {
    struct mma_case of; /* with nothing but what matters to this operand */
    enum swb_mma_operand which;
    struct mma_plan *plan;
};

static bool is_same(const struct kept *kept, const struct mma_case *c, enum swb_mma_operand which)
{
    return kept->which == which && kept->of.type == c->type &&
           kept->of.layouts[which] == c->layouts[which] &&
           kept->of.without_trans[which] == c->without_trans[which];
}

const struct mma_plan *mma_plan_of(const struct mma_case *c, enum swb_mma_operand which)
{
    enum { MOST_KEPT = 256 };
    static struct kept kept[MOST_KEPT];
    static size_t count;
    struct error error = {.kind = ERROR_NONE};
    for (size_t i = 0; i < count; i++)
        if (is_same(&kept[i], c, which))
            return kept[i].plan;
    struct plan_source *source = malloc(sizeof *source);
    struct mma_plan *plan = malloc(sizeof *plan);
    if (count == MOST_KEPT || !source || !plan || !make_plan(c, which, plan, source, &error)) {
        fprintf(stderr, "mma %s: %s\n", c->type->name, error.text);
        abort();
    }
    free(source);
    kept[count++] = (struct kept){*c, which, plan};
    return plan;
}
