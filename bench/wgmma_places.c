/* Which output of a wgmma does a thread have in a register of its accumulators? */
#include "bench/wgmma_places.h"

bool wgmma_places_of(const struct swb_mma_atom *atom, struct wgmma_places *places)
{
    unsigned n = atom->extents[SWB_MMA_N];
    struct swb_layout tv;
    if (!swb_mma_fragment(atom, SWB_MMA_C, &tv, NULL))
        return false;
    for (unsigned value = 0; value < n / 2; value++)
        for (unsigned thread = 0; thread < WGMMA_WARPGROUP; thread++) {
            unsigned place = (unsigned)swb_layout_at(&tv, thread + WGMMA_WARPGROUP * value);
            places->at[value][thread] = (uint16_t)(place % WGMMA_M * n + place / WGMMA_M);
        }
    places->n = n;
    return true;
}
