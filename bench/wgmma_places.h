/* Which output of a wgmma does a thread have in a register of its accumulators? */
#ifndef SWIZZLEBENCH_BENCH_WGMMA_PLACES_H
#define SWIZZLEBENCH_BENCH_WGMMA_PLACES_H

#include "bench/wgmma_operands.h"

enum { WGMMA_MAX_REGISTERS = WGMMA_M * WGMMA_MAX_N / WGMMA_WARPGROUP };

struct wgmma_places {
    unsigned n;                                        /* 0: of none yet */
    uint16_t at[WGMMA_MAX_REGISTERS][WGMMA_WARPGROUP]; /* row * N + column */
};

/* False where the model knows no fragment of the atom. */
bool wgmma_places_of(const struct swb_mma_atom *atom, struct wgmma_places *places);

#endif
