/* How many clocks does a box take on one SM, alone from sending to having it, and with 1, 2, 4 and
 * 8 of them in flight? And how unlike are the SMs? */
#include "bench/tma_bench.h"

#include <math.h>
#include <stdlib.h>

#include "bench/one_sm.h"
#include "harness/outside.h"
#include "harness/stats.h"

enum {
    SAMPLE_CYCLES = 16384,
    LEAST_BOXES = 8, /* a multiple of every depth */
    MOST_BOXES = 1024,
    PREFETCHED_BOXES = 512, /* enough to fill the unit's queue */
    MIN_SAMPLES = 3,
    MAX_SAMPLES = 9,
    LOAD_CYCLES = 500, /* guesses for one box alone, to choose how many a sample has */
    STORE_CYCLES = 60,
    BYTES_PER_CYCLE = 50,
};

/* Twice as many in flight take half as long at best. */
static uint32_t boxes_of(const struct tma_case_run *r, double half_as_deep_cycles)
{
    double cycles = half_as_deep_cycles / 2;
    if (r->c->way == TMA_PREFETCH)
        return PREFETCHED_BOXES;
    if (isnan(cycles))
        cycles = (tma_way_stores(r->c->way) ? STORE_CYCLES : LOAD_CYCLES) +
                 (double)r->box_bytes / BYTES_PER_CYCLE;
    uint32_t boxes = (uint32_t)(SAMPLE_CYCLES / cycles) / LEAST_BOXES * LEAST_BOXES;
    return boxes < LEAST_BOXES ? LEAST_BOXES : boxes > MOST_BOXES ? MOST_BOXES : boxes;
}

/* `clocks`: of the bench, of whole loops or of waits. A cluster is not put on an SM. */
static bool time_depth(struct tma_case_run *r, uint32_t sm, unsigned depth,
                       double half_as_deep_cycles, gpu_address clocks, struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->boxes,
                                 .work_per_iteration = 1,
                                 .min_samples = MIN_SAMPLES,
                                 .max_samples = MAX_SAMPLES};
    if (!tma_prepare(r, r->entry, 1, depth, &timed.launch))
        return false;
    timed.clocks = clocks;
    timed.first_cta_alone = clocks == r->bench->waits;
    timed.n = boxes_of(r, half_as_deep_cycles);
    if (r->c->cluster_ctas == 1)
        one_sm_put(r->gpu, &timed, &r->arguments.choice, sm);
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

/* ---- Each SM ------------------------------------------------------------------------------- */

/* What came of each SM that a CTA came to. */
struct each_sm {
    double *cycles, *mhz; /* room for all SMs; the clock is not always known */
};

/* The least, the median and the most of the SMs' medians. */
static bool time_each(struct tma_case_run *r, unsigned depth, gpu_address clocks,
                      struct each_sm each, struct timing *all)
{
    size_t sms = (size_t)gpu_info(r->gpu)->sm_count, known = 0, mhz_known = 0;
    double throttled_samples = 0;
    for (uint32_t sm = 0; sm < sms; sm++) {
        struct timing one;
        if (!time_depth(r, sm, depth, NAN, clocks, &one))
            return false;
        throttled_samples += one.throttled_samples;
        if (isnan(one.sm))
            continue;
        each.cycles[known++] = one.median_cycles;
        if (one.sm_clock_mhz > 0)
            each.mhz[mhz_known++] = one.sm_clock_mhz;
    }
    if (!known)
        return true;
    struct stats stats = stats_of(each.cycles, known);
    *all = (struct timing){.min_cycles = stats.min,
                           .median_cycles = stats.median,
                           .max_cycles = stats.max,
                           .samples = (unsigned)known,
                           .throttled_samples = throttled_samples,
                           .sm_clock_mhz = stats_median(each.mhz, mhz_known),
                           .sm = NAN};
    return true;
}

static bool time_each_sm(struct tma_case_run *r, struct tma_result *result)
{
    unsigned depth = tma_deepest(r, 1u << (TMA_DEPTHS - 1));
    size_t sms = (size_t)gpu_info(r->gpu)->sm_count;
    double *room = calloc(2 * sms, sizeof *room);
    if (!room)
        return error_set(r->error, ERROR_FAILED, "no memory for the clocks of all SMs");
    struct each_sm each = {room, room + sms};
    bool done = time_each(r, depth, r->bench->clocks, each, &result->depth[__builtin_ctz(depth)]) &&
                time_each(r, 1, r->bench->waits, each, &result->latency);
    free(room);
    return done;
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* Nothing waits for a prefetch, so it is sent by as many warps as there may be. */
bool tma_time(struct tma_case_run *r, struct tma_result *result)
{
    const struct tma_bench *b = r->bench;
    if (r->c->chip == TMA_EACH_SM && !outside_untimed())
        return time_each_sm(r, result);
    if (r->c->way == TMA_PREFETCH)
        return time_depth(r, b->sm, tma_deepest(r, 8), NAN, b->clocks, &result->depth[0]);
    for (unsigned i = 0; i < TMA_DEPTHS; i++)
        if (tma_depth_bytes(r, 1u << i) <= b->room_bytes &&
            !time_depth(r, b->sm, 1u << i, i > 0 ? result->depth[i - 1].median_cycles : NAN,
                        b->clocks, &result->depth[i]))
            return false;
    return time_depth(r, b->sm, 1, 2 * result->depth[0].median_cycles, b->waits, &result->latency);
}
