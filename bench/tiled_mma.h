/* A tiled mma over a problem: its operands, and as text. */
#ifndef SWIZZLEBENCH_BENCH_TILED_MMA_H
#define SWIZZLEBENCH_BENCH_TILED_MMA_H

#include "bench/mma_operand.h"
#include "bench/mma_words.h"

struct tiled_mma {
    struct swb_tiled_mma mma;
    unsigned problem[SWB_MMA_MODES], covered[SWB_MMA_MODES];
    struct mma_operand whole[SWB_MMA_OPERANDS], tile[SWB_MMA_OPERANDS]; /* over problem, covered */
    bool held[SWB_MMA_OPERANDS];
    struct swb_refusal refusals[SWB_MMA_OPERANDS]; /* why an operand is held by no thread */
};

/* The order in which a kernel meets the operands: the accumulators, then what is read. */
extern const enum swb_mma_operand tiled_mma_order[SWB_MMA_OPERANDS];

bool tiled_mma_open(const char *atom, const struct mma_words *words, struct tiled_mma *tiled,
                    struct error *error);

/* How often the atoms, side by side, are repeated along a mode of the problem: MMA_M, MMA_N or
 * MMA_K, the mma of a warp (or warpgroup) along it. */
unsigned tiled_mma_repeats(const struct tiled_mma *tiled, unsigned mode);

/* To stdout: threads, fragments and repeats; then who holds what of a tile. */
bool tiled_mma_print(const struct tiled_mma *tiled, struct error *error);

#endif
