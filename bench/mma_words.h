/* Which atom, and how is it tiled, as a user types it? */
#ifndef SWIZZLEBENCH_BENCH_MMA_WORDS_H
#define SWIZZLEBENCH_BENCH_MMA_WORDS_H

#include "harness/error.h"
#include "model/swizzlebench.h"

/* ERROR_INPUT names the nearest one, or says how to list them. */
bool mma_words_atom(const char *name, struct swb_mma_atom *atom, struct error *error);

/* As typed: "2x2x1" or "(2,2,1):(2,1,0)", "32x(8,2,2):(1,16,8)x_", "64x64x32"; NULL where an option
 * was not given. */
struct mma_words {
    const char *atoms, *tile, *problem;
};

/* Reads the words; without --problem it is the tile that the atoms cover. */
bool mma_words_tiled(const struct mma_words *words, const struct swb_mma_atom *atom,
                     struct swb_tiled_mma *tiled, unsigned *problem, struct error *error);

/* "mma.sync, sm_80 and later": where the atom runs. */
const char *mma_words_kind(const struct swb_mma_atom *atom, char *text, size_t bytes);

#endif
