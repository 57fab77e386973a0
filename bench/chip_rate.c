/* How many bytes a second does a launch on all SMs move? */
#include "bench/chip_rate.h"

#include <math.h>

#include "harness/outside.h"
#include "harness/stats.h"

enum { SAMPLES = 5 };

bool chip_rate_time(struct gpu *gpu, const struct gpu_launch *launch, gpu_address spans,
                    uint64_t *buffer, double *nanoseconds, struct error *error)
{
    uint64_t first = UINT64_MAX, last = 0;
    unsigned ctas = launch->grid_x;
    if (!gpu_run(gpu, launch, error) || !gpu_wait(gpu, error) ||
        !gpu_download(gpu, buffer, spans, (size_t)ctas * 16, error))
        return false;
    for (unsigned i = 0; i < ctas; i++) {
        first = buffer[2 * i] < first ? buffer[2 * i] : first;
        last = buffer[2 * i + 1] > last ? buffer[2 * i + 1] : last;
    }
    *nanoseconds = last > first ? (double)(last - first) : 0;
    return true;
}

/* Gigabytes a second of one launch. */
static bool run_once(struct gpu *gpu, const struct gpu_launch *launch, gpu_address spans,
                     uint64_t *buffer, double bytes, double *rate, struct error *error)
{
    double nanoseconds;
    if (!chip_rate_time(gpu, launch, spans, buffer, &nanoseconds, error))
        return false;
    *rate = nanoseconds > 0 ? bytes / nanoseconds : NAN;
    return true;
}

bool chip_rate_measure(struct gpu *gpu, const struct gpu_launch *launch, gpu_address spans,
                       uint64_t *buffer, double bytes, struct chip_rate *rate, struct error *error)
{
    double rates[SAMPLES];
    if (outside_untimed()) {
        *rate = (struct chip_rate){NAN, NAN, NAN};
        return run_once(gpu, launch, spans, buffer, bytes, &rates[0], error);
    }
    for (unsigned i = 0; i < SAMPLES + 1; i++) /* the first is a warm-up */
        if (!run_once(gpu, launch, spans, buffer, bytes, &rates[i > 0 ? i - 1 : 0], error))
            return false;
    struct stats stats = stats_of(rates, SAMPLES);
    *rate = (struct chip_rate){stats.median, stats.min, stats.max};
    return true;
}
