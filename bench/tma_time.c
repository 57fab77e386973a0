/* How many clocks does a box take on one SM, with 1, 2, 4 and 8 of them in flight? */
#include "bench/tma_bench.h"

enum {
    SAMPLE_CYCLES = 16384,
    LEAST_BOXES = 8, /* a multiple of every depth */
    MOST_BOXES = 128,
    PREFETCHED_BOXES = 512, /* enough to fill the unit's queue */
    MIN_SAMPLES = 3,
    MAX_SAMPLES = 5,
    LATENCY_CYCLES = 700, /* guesses, to choose how many boxes a sample has */
    LINE_CYCLES = 1,
    BYTES_PER_CYCLE = 50,
};

static uint32_t boxes_of(const struct tma_case_run *r, unsigned depth)
{
    struct tma_place place = tma_place_of(r->c, 0);
    if (r->c->way == TMA_PREFETCH)
        return PREFETCHED_BOXES;
    uint32_t moving = LINE_CYCLES * swb_tma_box_lines(&place.box) + r->box_bytes / BYTES_PER_CYCLE;
    uint32_t cycles = LATENCY_CYCLES / depth + moving;
    uint32_t boxes = SAMPLE_CYCLES / cycles / LEAST_BOXES * LEAST_BOXES;
    return boxes < LEAST_BOXES ? LEAST_BOXES : boxes > MOST_BOXES ? MOST_BOXES : boxes;
}

static bool time_depth(struct tma_case_run *r, unsigned depth, struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->boxes,
                                 .work_per_iteration = 1,
                                 .min_samples = MIN_SAMPLES,
                                 .max_samples = MAX_SAMPLES};
    if (!tma_prepare(r, r->entry, 1, depth, &timed.launch))
        return false;
    timed.clocks = r->arguments.clocks;
    timed.n = boxes_of(r, depth);
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

/* Nothing waits for a prefetch, so it has one depth alone. */
bool tma_time(struct tma_case_run *r, struct tma_result *result)
{
    unsigned depths = r->c->way == TMA_PREFETCH ? 1 : TMA_DEPTHS;
    for (unsigned i = 0; i < depths; i++)
        if (tma_depth_bytes(r, 1u << i) <= r->bench->room_bytes &&
            !time_depth(r, 1u << i, &result->depth[i]))
            return false;
    return true;
}
