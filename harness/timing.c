/* How many SM clocks does a unit of work take?
 *
 *     run n iterations once, unmeasured        (loads the code, fills the caches, wakes the clock)
 *     repeat                                   (a sample)
 *         a = clocks of n iterations, b = clocks of 2n
 *         value = median over the CTAs of (b - a) / (n * work an iteration)
 *     until the middle half of the values lies within 0.05 % of the median
 *
 * Where the first few scatter and the kernel allows it, they are thrown away, and the second launch
 * has (1 + stretch) n iterations from then on: few long differences tell more than many short ones.
 *
 * What a launch costs before and after its loop is in a and in b, and leaves with the difference.
 */
#include "harness/gpu.h"
#include "harness/outside.h"
#include "harness/stats.h"
#include "harness/steady.h"

#include <math.h>
#include <stdlib.h>

enum {
    DEFAULT_MIN_SAMPLES = 5,
    DEFAULT_MAX_SAMPLES = 25,
    MAX_LONG_SAMPLES = 9,
    CLAIM_TRIES = 3,
    CLOCK_RUN_NS = 10000, /* shorter than this, the steps of %globaltimer (up to 1 us) show */
};
static const double steady_spread = 0.0005, scattered_spread = 0.003;

/* What one CTA writes. */
struct cta_clock {
    uint64_t cycles, nanoseconds;
};

/* The buffers of one measurement. */
struct sampler {
    struct gpu *gpu;
    const struct timed_kernel *timed;
    struct cta_clock *few, *many; /* of n and of (1 + longer) n iterations; a CTA each */
    uint32_t longer;              /* n of the difference */
    double *differences;          /* a CTA each */
    double *cycles, *mhz;         /* a value a sample; mhz has mhz_count of them */
    size_t count, mhz_count;
    struct stats stats; /* of the cycles */
    bool nobody_came;   /* to the chosen SM */
};

static unsigned cta_count(const struct timed_kernel *timed)
{
    return timed->first_cta_alone || timed->one_sm ? 1 : timed->launch.grid_x;
}

/* Of the clocks: the claim lies behind them. */
static size_t clock_bytes(const struct timed_kernel *timed)
{
    return (cta_count(timed) + (timed->one_sm ? 1 : 0)) * sizeof(struct cta_clock);
}

/* Whether the work was claimed, else the clocks are those of a launch before. */
static bool is_claimed(const struct one_sm *choice, const struct cta_clock *clocks)
{
    return !choice || (uint32_t)clocks[1].cycles == choice->ticket;
}

static bool is_on_its_sm(const struct timed_kernel *timed, const struct cta_clock *clocks,
                         struct error *error)
{
    uint32_t sm = (uint32_t)(clocks[1].cycles >> 32);
    return sm == timed->one_sm->sm ||
           error_set(error, ERROR_FAILED, "timing %s: the work was done on SM %u, not on SM %u",
                     timed->launch.kernel.entry, sm, timed->one_sm->sm);
}

/* Runs the kernel with a number of iterations and fetches the clocks of its CTAs. */
static bool run(struct sampler *sampler, uint32_t iterations, struct cta_clock *clocks,
                struct error *error)
{
    const struct timed_kernel *timed = sampler->timed;

    *timed->iterations = iterations;
    for (unsigned try = 0; try < CLAIM_TRIES; try++) {
        if (timed->one_sm)
            timed->one_sm->ticket++;
        if (!gpu_run(sampler->gpu, &timed->launch, error) || !gpu_wait(sampler->gpu, error) ||
            !gpu_download(sampler->gpu, clocks, timed->clocks, clock_bytes(timed), error))
            return false;
        if (is_claimed(timed->one_sm, clocks))
            return !timed->one_sm || is_on_its_sm(timed, clocks, error);
    }
    sampler->nobody_came = true;
    return error_set(error, ERROR_FAILED, "timing %s: none of %u CTAs came to SM %u",
                     timed->launch.kernel.entry, timed->launch.grid_x, timed->one_sm->sm);
}

/* One CTA, wherever it comes. */
static void put_anywhere(struct timed_kernel *timed)
{
    timed->one_sm->claimed = 0;
    timed->one_sm = NULL;
    timed->launch.grid_x = 1;
}

/* The unmeasured run, which also shows whether the kernel writes its clocks at all. */
static bool warm_up(struct sampler *sampler, struct error *error)
{
    const struct timed_kernel *timed = sampler->timed;

    if (timed->one_sm) {
        timed->one_sm->claimed = timed->clocks + sizeof(struct cta_clock);
        timed->one_sm->ticket = 0;
    }
    if (!gpu_fill(sampler->gpu, timed->clocks, 0, clock_bytes(timed), error) ||
        !run(sampler, timed->n, sampler->few, error))
        return false;
    for (unsigned cta = 0; cta < cta_count(timed); cta++)
        if (sampler->few[cta].cycles == 0)
            return error_set(error, ERROR_FAILED, "timing %s: CTA %u of %u wrote no clocks",
                             timed->launch.kernel.entry, cta, cta_count(timed));
    return true;
}

/* The SM clock of a run in MHz, 0 when it was too short for the resolution of %globaltimer. */
static double sm_mhz(const struct cta_clock *clocks, unsigned count)
{
    double cycles = 0, nanoseconds = 0;

    for (unsigned i = 0; i < count; i++) {
        cycles += (double)clocks[i].cycles;
        nanoseconds += (double)clocks[i].nanoseconds;
    }
    return nanoseconds < (double)CLOCK_RUN_NS * count ? 0 : cycles / nanoseconds * 1e3;
}

static bool take_sample(struct sampler *sampler, struct error *error)
{
    const struct timed_kernel *timed = sampler->timed;
    unsigned ctas = cta_count(timed);
    uint32_t more = sampler->longer * timed->n;

    if (!run(sampler, timed->n, sampler->few, error) ||
        !run(sampler, timed->n + more, sampler->many, error))
        return false;
    for (unsigned i = 0; i < ctas; i++)
        sampler->differences[i] = (double)sampler->many[i].cycles - (double)sampler->few[i].cycles;

    double cycles = stats_median(sampler->differences, ctas);
    if (cycles <= 0)
        return error_set(error, ERROR_FAILED, "timing %s: %u iterations took no longer than %u",
                         timed->launch.kernel.entry, timed->n + more, timed->n);
    sampler->cycles[sampler->count++] = cycles / (more * timed->work_per_iteration);

    double mhz = sm_mhz(sampler->many, ctas);
    if (mhz > 0)
        sampler->mhz[sampler->mhz_count++] = mhz;
    return true;
}

static size_t max_samples(const struct timed_kernel *timed)
{
    return timed->max_samples ? timed->max_samples : DEFAULT_MAX_SAMPLES;
}

/* Which differences are taken, from the first sample on. */
static void begin(struct sampler *sampler, uint32_t longer)
{
    sampler->longer = longer;
    sampler->count = sampler->mhz_count = 0;
}

/* Fills the sampler. */
static bool take_samples(void *samples, size_t *count, struct error *error)
{
    struct sampler *sampler = samples;
    const struct timed_kernel *timed = sampler->timed;
    size_t min = timed->min_samples ? timed->min_samples : DEFAULT_MIN_SAMPLES;
    size_t max = max_samples(timed);

    begin(sampler, 1);
    do {
        if (!take_sample(sampler, error))
            return false;
        sampler->stats = stats_of(sampler->cycles, sampler->count);
        if (timed->stretch > sampler->longer && sampler->count == min &&
            sampler->stats.spread > scattered_spread) {
            begin(sampler, timed->stretch);
            max = max < MAX_LONG_SAMPLES ? max : MAX_LONG_SAMPLES;
        }
    } while (sampler->count < max &&
             (sampler->count < min || sampler->stats.spread >= steady_spread));
    *count = sampler->count;
    return true;
}

static bool measure(struct sampler *sampler, struct timing *timing, struct error *error)
{
    const struct steady_round round = {take_samples, sampler};

    timing->throttled_samples = 0;
    return warm_up(sampler, error) &&
           steady_take(sampler->gpu, &round, &timing->throttled_samples, error);
}

/* For a tool that makes every instruction slow. */
static bool run_untimed(const struct sampler *sampler, struct timing *timing, struct error *error)
{
    struct timed_kernel timed = *sampler->timed;
    struct sampler few = *sampler;

    *timing = NO_TIMING;
    few.timed = &timed;
    timed.n = outside_iterations(timed.n);
    if (timed.one_sm)
        put_anywhere(&timed);
    else if (timed.launch.cluster_x <= 1)
        timed.launch.grid_x = outside_ctas(timed.launch.grid_x);
    return warm_up(&few, error);
}

bool gpu_time_cycles(struct gpu *gpu, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    size_t ctas = cta_count(timed), max = max_samples(timed);
    uint32_t longest = timed->stretch ? 1 + timed->stretch : 2;
    struct timed_kernel placed = *timed;
    struct sampler sampler = {.gpu = gpu, .timed = &placed};
    bool done = false;

    *timing = (struct timing){.samples = 0};
    if (timed->n == 0 || timed->n > UINT32_MAX / longest || ctas == 0 ||
        timed->work_per_iteration <= 0)
        return error_set(error, ERROR_FAILED,
                         "timing %s: %u iterations of %zu CTAs cannot be timed",
                         timed->launch.kernel.entry, timed->n, ctas);

    sampler.few = malloc(clock_bytes(timed));
    sampler.many = malloc(clock_bytes(timed));
    sampler.differences = malloc(ctas * sizeof *sampler.differences);
    sampler.cycles = malloc(max * sizeof *sampler.cycles);
    sampler.mhz = malloc(max * sizeof *sampler.mhz);
    if (!sampler.few || !sampler.many || !sampler.differences || !sampler.cycles || !sampler.mhz) {
        error_set(error, ERROR_FAILED, "timing %s: out of memory", timed->launch.kernel.entry);
        goto out;
    }
    if (outside_untimed()) {
        done = run_untimed(&sampler, timing, error);
        goto out;
    }
    bool taken = measure(&sampler, timing, error);
    if (!taken && sampler.nobody_came) {
        put_anywhere(&placed);
        taken = measure(&sampler, timing, error);
    }
    if (!taken)
        goto out;

    timing->min_cycles = sampler.stats.min;
    timing->median_cycles = sampler.stats.median;
    timing->max_cycles = sampler.stats.max;
    timing->samples = (unsigned)sampler.count;
    timing->sm = placed.one_sm ? placed.one_sm->sm : NAN;
    timing->sm_clock_mhz = stats_median(sampler.mhz, sampler.mhz_count);
    done = true;
out:
    *timed->iterations = timed->n;
    free(sampler.few);
    free(sampler.many);
    free(sampler.differences);
    free(sampler.cycles);
    free(sampler.mhz);
    return done;
}
