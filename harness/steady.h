/* What is a round of samples worth on a card that may throttle? */
#ifndef SWIZZLEBENCH_HARNESS_STEADY_H
#define SWIZZLEBENCH_HARNESS_STEADY_H

#include "harness/gpu.h"

/* Takes a round of samples, from the first on, and says how many there are. */
struct steady_round {
    bool (*take)(void *samples, size_t *count, struct error *error);
    void *samples;
};

/* A round taken while the card throttled is taken again as a whole, once. Adds the samples of such
 * rounds to *throttled_samples; NAN where NVML is absent. */
bool steady_take(struct gpu *gpu, const struct steady_round *round, double *throttled_samples,
                 struct error *error);

#endif
