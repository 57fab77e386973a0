/* How many clocks does an instruction of each side take alone, and how many beside the other?
 *
 *     balance  iterations of each side, so that both are at work equally long beside each other:
 *              from its clocks alone, then from those together
 *     repeat   (a sample)
 *         run both; run the readers alone; run the writers alone: the same kernel each time
 *         in each run, from when all its warps are past their first segment until the first of them
 *         has done its last: clocks / instructions of the segments that lie in this window
 *     until the middle half of all values lies within 0.05 % of their median, or 15 are taken
 *
 * A side that ends earlier ends the window: what the other does after it counts for nothing, nor
 * does a segment in which it was both, beside the other and alone. */
#include "bench/contention_bench.h"

#include <math.h>

#include "harness/outside.h"
#include "harness/stats.h"
#include "harness/steady.h"

enum {
    MIN_SAMPLES = 5,
    MAX_SAMPLES = 15,
    SEGMENT_CYCLES = 8192,        /* or an iteration */
    MOST_SEGMENT_CYCLES = 1 << 28 /* longer is no clock: a seventh of a second */
};
static const double steady_spread = 0.0005;

/* ---- The window ---------------------------------------------------------------------------- */

/* Signed, so that a clock that has gone round makes no difference. */
static int32_t after(uint32_t clock, uint32_t origin)
{
    return (int32_t)(clock - origin);
}

struct window {
    uint32_t origin;
    double begin, end, first, last; /* of the window; of any warp's run */
};

static void narrow(const uint32_t *clocks, struct window *w)
{
    double start = after(clocks[0], w->origin), second = after(clocks[1], w->origin);
    double end = after(clocks[CONTENTION_SEGMENTS], w->origin);
    w->begin = fmax(w->begin, second);
    w->end = fmin(w->end, end);
    w->first = fmin(w->first, start);
    w->last = fmax(w->last, end);
}

/* Segments a clock of a warp: of those that lie whole in the window, for one that does not has been
 * slow and fast. 0 where there are none. */
static double pace_of(const uint32_t *clocks, const struct window *w)
{
    unsigned first = 0, last = CONTENTION_SEGMENTS;
    while (first < CONTENTION_SEGMENTS && after(clocks[first], w->origin) < w->begin)
        first++;
    while (last > 0 && after(clocks[last], w->origin) > w->end)
        last--;
    return first < last ? (last - first) / (double)after(clocks[last], clocks[first]) : 0;
}

/* Of the warps together; nan where one of them has no segment in the window. */
static double cycles_of(const struct contention_side *side, uint32_t iterations,
                        const uint32_t (*clocks)[CONTENTION_MARKS], const struct window *w)
{
    double of_segment = (double)iterations * side->body * side->bodies / side->warps, pace = 0;
    for (unsigned warp = 0; warp < side->warps; warp++) {
        double of_warp = pace_of(clocks[warp], w);
        if (of_warp == 0)
            return NAN;
        pace += of_warp;
    }
    return 1 / (pace * of_segment);
}

struct contention_rates contention_rates_of(const struct contention_plan *plan,
                                            uint32_t reader_iterations, uint32_t writer_iterations,
                                            const uint32_t (*clocks)[CONTENTION_MARKS])
{
    const uint32_t(*writers)[CONTENTION_MARKS] = clocks + plan->reader.warps;
    struct contention_rates rates = {NAN, NAN, 0, true, false};
    struct window w = {clocks[0][0], -INFINITY, INFINITY, INFINITY, -INFINITY};
    for (unsigned i = 0; reader_iterations && i < plan->reader.warps; i++)
        narrow(clocks[i], &w);
    double readers_end = w.last;
    for (unsigned i = 0; writer_iterations && i < plan->writer.warps; i++)
        narrow(writers[i], &w);
    rates.readers_end_last = readers_end == w.last;
    rates.overlap_pct = 100 * fmax(0, w.end - w.begin) / (w.last - w.first);
    if (reader_iterations) {
        rates.reader_cycles = cycles_of(&plan->reader, reader_iterations, clocks, &w);
        rates.overlaps &= !isnan(rates.reader_cycles);
    }
    if (writer_iterations) {
        rates.writer_cycles = cycles_of(&plan->writer, writer_iterations, writers, &w);
        rates.overlaps &= !isnan(rates.writer_cycles);
    }
    return rates;
}

/* ---- Launches ------------------------------------------------------------------------------ */

/* Whether each mark of a side's warps is a clock later than the one before. A tool outside may hold
 * a segment up until the clock has gone round, so that only another clock than before is left. */
static bool marks_follow(struct contention_case_run *r, const char *who,
                         const struct contention_side *side,
                         const uint32_t (*clocks)[CONTENTION_MARKS])
{
    uint32_t most = outside_untimed() ? UINT32_MAX : MOST_SEGMENT_CYCLES;
    for (unsigned warp = 0; warp < side->warps; warp++)
        for (unsigned i = 1; i < CONTENTION_MARKS; i++) {
            uint32_t passed = clocks[warp][i] - clocks[warp][i - 1];
            if (passed == 0 || passed > most)
                return row_end(r->row, ROW_FAILED,
                               "wrong clocks: segment %u of warp %u of the %s begins at %u and "
                               "ends at %u",
                               i, warp, who, (unsigned)clocks[warp][i - 1],
                               (unsigned)clocks[warp][i]);
        }
    return true;
}

static bool has_failed(const struct contention_case_run *r)
{
    return r->row->status != ROW_OK;
}

/* Runs the sides that have iterations; of a row that has failed, nothing more. */
static bool run(struct contention_case_run *r, struct contention_launch *l,
                struct contention_rates *rates)
{
    contention_clocks clocks;
    *rates = (struct contention_rates){NAN, NAN, 0, false, false};
    if (has_failed(r))
        return true;
    if (!gpu_run(r->gpu, &l->launch, r->error) || !gpu_wait(r->gpu, r->error) ||
        !gpu_download(r->gpu, clocks, r->bench->marks, sizeof clocks, r->error))
        return false;
    uint32_t reads = l->arguments.reader_iterations, writes = l->arguments.writer_iterations;
    const uint32_t(*c)[CONTENTION_MARKS] = (const uint32_t(*)[CONTENTION_MARKS])clocks;
    if ((!reads || marks_follow(r, "readers", &r->plan.reader, c)) &&
        (!writes || marks_follow(r, "writers", &r->plan.writer, c + r->plan.reader.warps)))
        *rates = contention_rates_of(&r->plan, reads, writes, c);
    return true;
}

/* Clocks of an iteration of the whole side. */
static double iteration_cycles(const struct contention_side *side, double cycles)
{
    return cycles * side->body * side->bodies;
}

static uint32_t iterations_for(double segment_cycles, double iteration_cycles)
{
    double count = round(segment_cycles / iteration_cycles);
    return count >= 1 ? (uint32_t)count : 1; /* also of nan: clocks that could not be told */
}

/* Of the side with the longer iterations as many as go into a segment; the other follows. */
static void set_iterations(struct contention_case_run *r, struct contention_launch *l,
                           double reader_cycles, double writer_cycles)
{
    double reader = r->c.reader ? iteration_cycles(&r->plan.reader, reader_cycles) : 0;
    double writer = r->c.writer ? iteration_cycles(&r->plan.writer, writer_cycles) : 0;
    double longer = fmax(reader, writer), segment = iterations_for(SEGMENT_CYCLES, longer) * longer;
    l->arguments.reader_iterations = r->c.reader ? iterations_for(segment, reader) : 0;
    l->arguments.writer_iterations = r->c.writer ? iterations_for(segment, writer) : 0;
}

/* One side, or both; the other is idle for the time. */
static bool run_sides(struct contention_case_run *r, struct contention_launch *l, bool reads,
                      bool writes, struct contention_rates *rates)
{
    struct contention_arguments kept = l->arguments;
    l->arguments.reader_iterations *= reads;
    l->arguments.writer_iterations *= writes;
    bool done = run(r, l, rates);
    l->arguments = kept;
    return done;
}

/* Sides that the case has not are left out, and their rates stay nan. */
static bool run_alone(struct contention_case_run *r, struct contention_launch *l,
                      struct contention_rates *readers, struct contention_rates *writers)
{
    *readers = *writers = (struct contention_rates){NAN, NAN, 0, true, false};
    return (!r->c.reader || run_sides(r, l, true, false, readers)) &&
           (!r->c.writer || run_sides(r, l, false, true, writers));
}

/* Where one side waits for the other's end, it has to have less to do, or the other more, to be at
 * work beside it. */
static void shift_work(struct contention_launch *l, bool readers_end_last)
{
    enum { LESS = 4 };
    uint32_t *last =
        readers_end_last ? &l->arguments.reader_iterations : &l->arguments.writer_iterations;
    uint32_t *first =
        readers_end_last ? &l->arguments.writer_iterations : &l->arguments.reader_iterations;
    if (*last >= LESS)
        *last /= LESS;
    else
        *first *= LESS;
}

/* From iterations that take as long alone to such that do so together. */
static bool balance_together(struct contention_case_run *r, struct contention_launch *l)
{
    enum { TRIES = 6, ROUNDS = 2 };
    struct contention_rates rates;
    for (unsigned tries = 0, rounds = 0; tries < TRIES && rounds < ROUNDS; tries++) {
        if (!run(r, l, &rates))
            return false;
        if (has_failed(r))
            break;
        if (rates.overlaps) {
            set_iterations(r, l, rates.reader_cycles, rates.writer_cycles);
            rounds++;
        } else {
            shift_work(l, rates.readers_end_last);
        }
    }
    return true;
}

bool contention_balance(struct contention_case_run *r, struct contention_launch *l)
{
    struct gpu_launch wanted = l->launch;
    struct contention_rates readers, writers;
    l->launch.grid_x = 1;
    set_iterations(r, l, r->plan.reader.cost.cycles, r->plan.writer.cost.cycles);
    bool done = run_alone(r, l, &readers, &writers);
    if (done && !has_failed(r))
        set_iterations(r, l, readers.reader_cycles, writers.writer_cycles);
    if (done && r->c.reader && r->c.writer)
        done = balance_together(r, l);
    l->launch = wanted;
    return done;
}

/* ---- Samples ------------------------------------------------------------------------------- */

enum value { READER_ALONE, WRITER_ALONE, READER_TOGETHER, WRITER_TOGETHER, VALUES };

struct samples {
    struct contention_case_run *run;
    double of[VALUES][MAX_SAMPLES], overlap_pct[MAX_SAMPLES];
    unsigned count;
};

static bool take_sample(struct contention_case_run *r, struct samples *s)
{
    struct contention_rates both = {NAN, NAN, NAN, true, false}, readers, writers;
    if ((r->c.reader && r->c.writer && !run(r, &r->own, &both)) ||
        !run_alone(r, &r->own, &readers, &writers))
        return false;
    if (!both.overlaps)
        row_end(r->row, ROW_FAILED,
                "the two sides never ran at the same time: one of them gets no turn");
    if (!readers.overlaps || !writers.overlaps)
        row_end(r->row, ROW_FAILED, "the warps of the %s never all ran at the same time",
                readers.overlaps ? "writers" : "readers");
    s->of[READER_ALONE][s->count] = readers.reader_cycles;
    s->of[WRITER_ALONE][s->count] = writers.writer_cycles;
    s->of[READER_TOGETHER][s->count] = both.reader_cycles;
    s->of[WRITER_TOGETHER][s->count] = both.writer_cycles;
    s->overlap_pct[s->count++] = both.overlap_pct;
    return true;
}

/* Over the samples so far; they are not sorted. */
static struct stats stats_so_far(const double *values, unsigned count)
{
    double sorted[MAX_SAMPLES];
    for (unsigned i = 0; i < count; i++)
        sorted[i] = values[i];
    return stats_of(sorted, count);
}

static bool is_steady(const struct samples *s)
{
    for (unsigned i = 0; i < VALUES; i++)
        if (!isnan(s->of[i][0]) && stats_so_far(s->of[i], s->count).spread >= steady_spread)
            return false;
    return true;
}

static bool take_samples(void *samples, size_t *count, struct error *error)
{
    struct samples *s = samples;
    (void)error; /* is the run's */
    s->count = 0;
    do {
        if (!take_sample(s->run, s))
            return false;
    } while (!has_failed(s->run) && s->count < MAX_SAMPLES &&
             (s->count < MIN_SAMPLES || !is_steady(s)));
    *count = s->count;
    return true;
}

static struct contention_clock clock_of(const struct samples *s, enum value value)
{
    if (isnan(s->of[value][0]))
        return (struct contention_clock){NAN, NAN, NAN};
    struct stats stats = stats_so_far(s->of[value], s->count);
    return (struct contention_clock){stats.min, stats.median, stats.max};
}

/* Each side alone, for a tool outside: both at once were launched to be verified. */
static bool run_untimed(struct contention_case_run *r)
{
    struct contention_rates readers, writers;
    return run_alone(r, &r->own, &readers, &writers) && contention_check_barriers(r);
}

bool contention_time(struct contention_case_run *r, struct contention_result *result)
{
    struct samples s = {.run = r};
    const struct steady_round round = {take_samples, &s};
    if (outside_untimed())
        return run_untimed(r);
    if (!contention_balance(r, &r->own) ||
        !steady_take(r->gpu, &round, &result->throttled_samples, r->error) ||
        !contention_check_barriers(r))
        return false;
    if (has_failed(r))
        return true;
    result->samples = s.count;
    result->reader.alone = clock_of(&s, READER_ALONE);
    result->writer.alone = clock_of(&s, WRITER_ALONE);
    result->reader.together = clock_of(&s, READER_TOGETHER);
    result->writer.together = clock_of(&s, WRITER_TOGETHER);
    if (!r->c.reader || !r->c.writer)
        return true;
    result->overlap_pct = stats_so_far(s.overlap_pct, s.count).median;
    result->wavefronts_per_clk =
        r->plan.reader.cost.wavefronts / result->reader.together.median_cycles +
        r->plan.writer.cost.wavefronts / result->writer.together.median_cycles;
    return true;
}
