/* Do the statistics keep a bad sample out, and does the timing loop stop, retry and refuse when it
 * should? The GPU is a fake whose clocks are known. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu.h"
#include "harness/stats.h"

enum { FAKE_CTAS = 7, FAKE_SM = 4 };

/* A GPU whose kernel takes overhead + iterations * cycles_per_iteration, times a jitter that goes
 * round a list, at clock_ghz; one CTA is ten times slower than the others. Where the launch is for
 * one SM, the CTA on it claims the work and writes; where none does, all stays as it was. */
struct gpu {
    uint32_t iterations;
    unsigned ctas;
    double overhead, cycles_per_iteration, clock_ghz;
    const double *jitter;
    unsigned jitter_count, launches, clock_questions;
    unsigned throttled_questions; /* the first so many answers say throttled */
    uint32_t stretch;             /* that the kernel allows */
    bool chooses;                 /* an SM for the work; else all CTAs work */
    struct one_sm choice;         /* the kernel's argument */
    uint64_t claim;               /* ticket, and SM << 32 */
    unsigned comes_to;            /* SM that the CTA which works says that it is on */
    unsigned missed_launches;     /* so many more, in which no CTA comes to the chosen SM */
    unsigned seen_launches;       /* with 0: all; after so many none comes there any more */
    bool silent;                  /* the kernel writes no clocks */
    bool no_nvml;
    bool faulty;
};

bool gpu_run(struct gpu *gpu, const struct gpu_launch *launch, struct error *error)
{
    memcpy(&gpu->iterations, launch->arguments[0], sizeof gpu->iterations);
    gpu->ctas = launch->grid_x;
    gpu->launches++;
    (void)error;
    if (!gpu->choice.claimed)
        return true;
    assert_int_equal(gpu->ctas, FAKE_CTAS);
    assert_int_equal(gpu->choice.sm, FAKE_SM);
    if (gpu->seen_launches && gpu->launches > gpu->seen_launches)
        return true;
    if (gpu->missed_launches)
        gpu->missed_launches--;
    else if (gpu->choice.ticket > (uint32_t)gpu->claim)
        gpu->claim = (uint64_t)gpu->comes_to << 32 | gpu->choice.ticket;
    return true;
}

bool gpu_wait(struct gpu *gpu, struct error *error)
{
    return !gpu->faulty ||
           error_set(error, ERROR_FAILED, "running fake: CUDA_ERROR_FAKE (a fault)");
}

bool gpu_fill(struct gpu *gpu, gpu_address to, uint8_t value, size_t bytes, struct error *error)
{
    (void)to, (void)error;
    assert_int_equal(value, 0);
    if (gpu->choice.claimed) {
        assert_int_equal(bytes, 32);
        gpu->claim = 0;
    }
    return true;
}

bool gpu_download(struct gpu *gpu, void *to, gpu_address from, size_t bytes, struct error *error)
{
    uint64_t *clocks = to;
    double jitter = gpu->jitter_count ? gpu->jitter[gpu->launches % gpu->jitter_count] : 1;

    (void)error;
    if (gpu->choice.claimed) {
        assert_int_equal(gpu->choice.claimed, from + 16);
        gpu->ctas = 1;
        clocks[2] = gpu->claim;
        bytes -= 16;
    }
    assert_int_equal(bytes, gpu->ctas * 2 * sizeof *clocks);
    for (size_t cta = 0; cta < gpu->ctas; cta++) {
        double cycles = gpu->overhead + gpu->iterations * gpu->cycles_per_iteration * jitter;
        if (cta == 3)
            cycles *= 10;
        clocks[2 * cta] = gpu->silent ? 0 : (uint64_t)llround(cycles);
        clocks[2 * cta + 1] = (uint64_t)llround(cycles / gpu->clock_ghz);
    }
    return true;
}

void gpu_clocks(struct gpu *gpu, struct gpu_clocks *clocks)
{
    *clocks = (struct gpu_clocks){.unknown = gpu->no_nvml,
                                  .throttled = gpu->clock_questions < gpu->throttled_questions};
    gpu->clock_questions++;
}

static struct gpu fake_gpu(void)
{
    return (struct gpu){
        .overhead = 500, .cycles_per_iteration = 64, .clock_ghz = 1.98, .comes_to = FAKE_SM};
}

/* Times 16 instructions an iteration; n is what the kernel's argument must be afterwards, too. */
static bool time_fake(struct gpu *gpu, uint32_t n, struct timing *timing, struct error *error)
{
    uint32_t iterations = 0;
    void *arguments[] = {&iterations};
    const struct timed_kernel timed = {
        .launch = {.kernel = {.entry = "fake"},
                   .grid_x = FAKE_CTAS,
                   .block_x = 32,
                   .arguments = arguments},
        .iterations = &iterations,
        .one_sm = gpu->chooses ? &gpu->choice : NULL,
        .n = n,
        .stretch = gpu->stretch,
        .work_per_iteration = 16,
        .min_samples = 5,
        .max_samples = 12,
    };
    gpu->choice.sm = FAKE_SM;
    gpu->claim = (uint64_t)FAKE_SM << 32 | 1000; /* of measurements before */
    bool ok = gpu_time_cycles(gpu, &timed, timing, error);

    if (ok)
        assert_int_equal(iterations, n);
    return ok;
}

static void test_stats(void **state)
{
    double odd[] = {5, 1, 9, 3, 7}, even[] = {4, 1, 2, 3}, one[] = {6},
           outlier[] = {1, 1, 1, 1, 99};
    struct stats stats = stats_of(odd, 5);

    (void)state;
    assert_float_equal(stats.min, 1, 0);
    assert_float_equal(stats.median, 5, 0);
    assert_float_equal(stats.max, 9, 0);
    assert_float_equal(stats.spread, (7. - 3.) / 5., 1e-12);
    assert_float_equal(stats_median(even, 4), 2.5, 0);
    assert_float_equal(stats_of(one, 1).spread, 0, 0);
    assert_float_equal(stats_of(outlier, 5).spread, 0, 0);
    assert_float_equal(stats_median(one, 0), 0, 0);
}

static void test_overhead_leaves_with_the_difference(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_float_equal(timing.median_cycles, 4, 1e-9);
    assert_float_equal(timing.min_cycles, 4, 1e-9);
    assert_float_equal(timing.max_cycles, 4, 1e-9);
    assert_float_equal(timing.sm_clock_mhz, 1980, 0.5);
    assert_int_equal(timing.samples, 5);
    assert_int_equal(timing.throttled_samples, 0);
    assert_int_equal(gpu.launches, 1 + 5 * 2);
}

/* One short launch, no times, and a kernel that writes no clocks is still found out. */
static void test_untimed(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_true(isnan(timing.min_cycles) && isnan(timing.median_cycles) &&
                isnan(timing.max_cycles));
    assert_int_equal(timing.samples, 0);
    assert_int_equal(gpu.launches, 1);
    assert_int_equal(gpu.iterations, 1);
    assert_int_equal(gpu.ctas, 2);
    gpu.silent = true;
    assert_false(time_fake(&gpu, 1000, &timing, &error));
    unsetenv("SWIZZLEBENCH_UNTIMED");
}

/* Every launch has a ticket of its own, or one that nobody worked on is not noticed. */
static void test_one_sm(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_true(isnan(timing.sm));
    gpu.chooses = true;
    gpu.launches = 0;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_float_equal(timing.median_cycles, 4, 1e-9);
    assert_float_equal(timing.sm, FAKE_SM, 0);
    assert_int_equal(gpu.launches, 1 + 5 * 2);
}

static void test_one_sm_that_a_launch_misses(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.chooses = true;
    gpu.missed_launches = 2;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_float_equal(timing.sm, FAKE_SM, 0);
    assert_int_equal(gpu.launches, 2 + 1 + 5 * 2);
}

/* Where no CTA comes there: one, anywhere. */
static void test_one_sm_that_is_not_there(void **state)
{
    struct gpu absent = fake_gpu(), leaves = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    absent.chooses = leaves.chooses = true;
    absent.missed_launches = UINT32_MAX;
    leaves.seen_launches = 4;
    assert_true(time_fake(&absent, 1000, &timing, &error));
    assert_true(isnan(timing.sm));
    assert_float_equal(timing.median_cycles, 4, 1e-9);
    assert_int_equal(absent.ctas, 1);
    assert_true(time_fake(&leaves, 1000, &timing, &error));
    assert_true(isnan(timing.sm));
    assert_int_equal(timing.samples, 5);
    assert_int_equal(leaves.launches, 4 + 3 + 1 + 5 * 2);
}

/* A kernel that does the work on an SM that was not chosen is wrong. */
static void test_work_on_another_sm(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.chooses = true;
    gpu.comes_to = FAKE_SM + 1;
    assert_false(time_fake(&gpu, 1000, &timing, &error));
    assert_string_equal(error.text, "timing fake: the work was done on SM 5, not on SM 4");
}

/* A tool outside makes everything slow: one CTA alone, wherever it comes. */
static void test_one_sm_untimed(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.chooses = true;
    gpu.choice.claimed = 16; /* of a launch before */
    setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    unsetenv("SWIZZLEBENCH_UNTIMED");
    assert_int_equal(gpu.choice.claimed, 0);
    assert_int_equal(gpu.ctas, 1);
}

static void test_spoilt_samples_do_not_count(void **state)
{
    /* Every fifth launch is 30 % slow: of five samples one comes out high and one low. */
    static const double jitter[] = {1, 1, 1, 1, 1.3};
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.jitter = jitter;
    gpu.jitter_count = 5;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_int_equal(timing.samples, 5);
    assert_float_equal(timing.median_cycles, 4, 1e-9);
    assert_float_equal(timing.max_cycles, 4 * 1.6, 1e-9);
}

static void test_noise_is_sampled_to_the_end(void **state)
{
    static const double jitter[] = {1, 1.01, 0.99};
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.jitter = jitter;
    gpu.jitter_count = 3;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_int_equal(timing.samples, 12);
    assert_float_equal(timing.median_cycles, 4, 0.1);
}

/* Samples that scatter are thrown away, and few of long differences taken instead. */
static void test_stretch(void **state)
{
    static const double little[] = {1, 1.0005, 0.9995}, much[] = {1, 1.001, 0.999};
    const struct {
        const double *jitter;
        unsigned samples, launches;
        uint32_t iterations;
        double range; /* of the samples, over the middle one */
    } cases[] = {
        {NULL, 5, 1 + 5 * 2, 2000, 0},
        {little, 12, 1 + 12 * 2, 2000, 5 * 0.0005},
        {much, 9, 1 + 5 * 2 + 9 * 2, 9000, 19. / 8 * 0.001},
    };
    struct timing timing;
    struct error error;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gpu gpu = fake_gpu();
        gpu.stretch = 8;
        gpu.jitter = cases[i].jitter;
        gpu.jitter_count = gpu.jitter ? 3 : 0;
        assert_true(time_fake(&gpu, 1000, &timing, &error));
        assert_int_equal(timing.samples, cases[i].samples);
        assert_int_equal(gpu.launches, cases[i].launches);
        assert_int_equal(gpu.iterations, cases[i].iterations);
        assert_float_equal((timing.max_cycles - timing.min_cycles) / 4, cases[i].range, 1e-4);
    }
}

static void test_throttled_round_is_taken_again(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.throttled_questions = 2; /* before and after the first round */
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_int_equal(timing.samples, 5);
    assert_int_equal(timing.throttled_samples, 5);
    assert_int_equal(gpu.launches, 1 + 2 * 5 * 2);
}

static void test_card_that_stays_throttled_is_reported(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.throttled_questions = UINT32_MAX;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_int_equal(timing.throttled_samples, 10);
    assert_float_equal(timing.median_cycles, 4, 1e-9);
}

/* 0 would say that it was not. */
static void test_whether_it_throttled_is_unknown_without_nvml(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    gpu.no_nvml = true;
    assert_true(time_fake(&gpu, 1000, &timing, &error));
    assert_int_equal(timing.samples, 5);
    assert_true(isnan(timing.throttled_samples));
}

static void test_short_run_has_no_clock(void **state)
{
    struct gpu gpu = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    assert_true(time_fake(&gpu, 10, &timing, &error));
    assert_float_equal(timing.median_cycles, 4, 1e-9);
    assert_float_equal(timing.sm_clock_mhz, 0, 0);
}

static void test_refusals(void **state)
{
    struct gpu silent = fake_gpu(), empty = fake_gpu(), faulty = fake_gpu(), unused = fake_gpu();
    struct timing timing;
    struct error error;

    (void)state;
    silent.silent = true;
    assert_false(time_fake(&silent, 1000, &timing, &error));
    assert_string_equal(error.text, "timing fake: CTA 0 of 7 wrote no clocks");

    empty.cycles_per_iteration = 0;
    assert_false(time_fake(&empty, 1000, &timing, &error));
    assert_non_null(strstr(error.text, "took no longer"));

    faulty.faulty = true;
    assert_false(time_fake(&faulty, 1000, &timing, &error));
    assert_non_null(strstr(error.text, "CUDA_ERROR_FAKE"));

    assert_false(time_fake(&unused, 0, &timing, &error));
    assert_false(time_fake(&unused, UINT32_MAX, &timing, &error));
    unused.stretch = 8;
    assert_false(time_fake(&unused, UINT32_MAX / 4, &timing, &error));
    assert_int_equal(unused.launches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_overhead_leaves_with_the_difference),
        cmocka_unit_test(test_untimed),
        cmocka_unit_test(test_one_sm),
        cmocka_unit_test(test_one_sm_that_a_launch_misses),
        cmocka_unit_test(test_one_sm_that_is_not_there),
        cmocka_unit_test(test_work_on_another_sm),
        cmocka_unit_test(test_one_sm_untimed),
        cmocka_unit_test(test_spoilt_samples_do_not_count),
        cmocka_unit_test(test_noise_is_sampled_to_the_end),
        cmocka_unit_test(test_stretch),
        cmocka_unit_test(test_throttled_round_is_taken_again),
        cmocka_unit_test(test_card_that_stays_throttled_is_reported),
        cmocka_unit_test(test_whether_it_throttled_is_unknown_without_nvml),
        cmocka_unit_test(test_short_run_has_no_clock),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
