/* How is a whole tile read once, by wgmma, by the loads of mma.sync or by ldmatrix, at what cost?
 */
#include <stdio.h>

#include "bench/advise.h"
#include "bench/mma_reads.h"
#include "bench/tiled_mma.h"
#include "bench/walk.h"

/* ---- wgmma --------------------------------------------------------------------------------- */

/* One instruction for every 32 bytes of K and 64 rows of A, or N of B. The other operand has no
 * conflicts. */
static bool read_by_wgmma(const struct advise_question *question, struct advise_candidate *c)
{
    const struct swb_tile *tile = &c->tile;
    unsigned rows = advise_wgmma_rows(question), k = wgmma_k(wgmma_type_at(question->wgmma_type));
    unsigned own = swb_wgmma_wavefronts(question->n, true);
    unsigned other = own - swb_wgmma_wavefronts(rows, false);
    struct swb_refusal refusal;
    for (unsigned col = 0; col < tile->cols; col += k) {
        struct swb_descriptor descriptor;
        if (!swb_tile_descriptor(tile, 0, col, &descriptor, &refusal)) {
            snprintf(c->refusal, sizeof c->refusal, "%s", refusal.sentence);
            return false;
        }
        unsigned wavefronts =
            other + swb_descriptor_wavefronts(&descriptor, tile->major, tile->elem_bits, rows);
        unsigned times = tile->rows / rows;
        c->read.instructions += times;
        c->read.wavefronts += times * wavefronts;
        c->read.ideal += times * own;
        c->read.cycles += times * swb_wgmma_cycles(question->n, true, wavefronts);
    }
    return true;
}

/* ---- mma.sync ------------------------------------------------------------------------------ */

/* One warp reads the tile as its operand: an atom of A at a time, or two of B, so that either loads
 * four registers. */
static bool read_by_mma(const struct advise_question *question, const struct placed *placed,
                        struct advise_candidate *c)
{
    struct error error = {.kind = ERROR_NONE};
    struct tiled_mma tiled;
    struct mma_reads reads;
    char tile[32];
    const struct mma_words words = {.atoms = "1x1x1", .tile = tile};
    snprintf(tile, sizeof tile, "16x16x%u", 256 / question->bits);
    if (!tiled_mma_open(question->type->mma, &words, &tiled, &error) ||
        !mma_reads_plan(&tiled.tile[question->operand], placed, &reads, &error)) {
        snprintf(c->refusal, sizeof c->refusal, "%s", error.text);
        return false;
    }
    struct swb_cost cost = mma_reads_cost(&reads);
    c->read.instruction = reads.instruction;
    c->read.instructions = reads.warps * reads.per_warp;
    c->read.wavefronts = c->read.cycles = cost.wavefronts;
    c->read.ideal = cost.ideal_wavefronts;
    snprintf(c->read.why_not, sizeof c->read.why_not, "%s", reads.why_not);
    return true;
}

/* ---- ldmatrix ------------------------------------------------------------------------------ */

/* The widest that goes into the tile evenly. */
static bool plan_walk(const struct placed *placed, struct walk *walk, struct error *error)
{
    for (unsigned matrices = 4; matrices > 0; matrices /= 2) {
        char name[32];
        snprintf(name, sizeof name, "ldmatrix.x%u%s", matrices,
                 placed->lines_are_rows ? "" : ".trans");
        *error = (struct error){.kind = ERROR_NONE};
        if (walk_plan(placed, swb_instruction_find(name), NULL, NULL, walk, error))
            return true;
    }
    return false;
}

static bool read_by_ldmatrix(const struct placed *placed, struct advise_candidate *c)
{
    struct error error;
    struct walk walk;
    struct swb_access access;
    bool done = plan_walk(placed, &walk, &error);
    for (unsigned position = 0; done && position < walk.positions; position++) {
        struct swb_cost cost;
        done = walk_access(&walk, position, &access, &error);
        if (!done)
            break;
        swb_bank_cost(walk.instruction, &access, &cost);
        c->read.wavefronts += cost.wavefronts;
        c->read.ideal += cost.ideal_wavefronts;
    }
    if (!done) {
        snprintf(c->refusal, sizeof c->refusal, "%s", error.text);
        return false;
    }
    c->read.instruction = walk.instruction;
    c->read.instructions = walk.positions;
    c->read.cycles = c->read.wavefronts;
    return true;
}

bool advise_plan_read(const struct advise_question *question, const struct placed *placed,
                      struct advise_candidate *c)
{
    switch (question->reader) {
    case ADVISE_WGMMA:
        return read_by_wgmma(question, c);
    case ADVISE_MMA:
        return read_by_mma(question, placed, c);
    default:
        return read_by_ldmatrix(placed, c);
    }
}
