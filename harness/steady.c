/* What is a round of samples worth on a card that may throttle? */
#include "harness/steady.h"

#include <math.h>

static bool is_throttled(struct gpu *gpu, double *throttled_samples)
{
    struct gpu_clocks clocks;

    gpu_clocks(gpu, &clocks);
    if (clocks.unknown)
        *throttled_samples = NAN;
    return clocks.throttled;
}

/* Asking the card about its clocks takes as long as a few samples, so it is asked once before and
 * once after a round. */
bool steady_take(struct gpu *gpu, const struct steady_round *round, double *throttled_samples,
                 struct error *error)
{
    enum { ROUNDS = 2 };
    for (int i = 0; i < ROUNDS; i++) {
        size_t count;
        bool throttled = is_throttled(gpu, throttled_samples);
        if (!round->take(round->samples, &count, error))
            return false;
        if (!is_throttled(gpu, throttled_samples) && !throttled)
            break;
        *throttled_samples += (double)count;
    }
    return true;
}
