/* Which SM stands for all of them? The GPU is a fake with SMs of two kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "bench/one_sm.h"
#include "bench/tma_bench.h"
#include "tests/made_up_memory.h"

enum { SMS = 7 };
static const double fake_rates[SMS] = {105.3, 95.5, 95.61, 105.2, 95.6, 95.6, 95.6};
static struct gpu_info fake_info = {
    .sm_count = SMS, .compute_major = 9, .smem_per_block_optin_bytes = 227 * 1024};
static bool on_each_sm[SMS];
static uint32_t absent_sm = SMS, depth;
static bool gets_stuck;

const struct gpu_info *gpu_info(const struct gpu *unused)
{
    (void)unused;
    return &fake_info;
}

bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)fatbin, (void)error;
    *kernel = (struct gpu_kernel){.entry = entry};
    return true;
}

bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    const struct tma_arguments *a = timed->launch.arguments[1];
    (void)unused, (void)error;
    assert_ptr_equal(timed->one_sm, &a->choice);
    assert_int_equal(timed->launch.grid_x, SMS);
    assert_in_range(timed->launch.dynamic_smem_bytes, 1,
                    (unsigned)fake_info.smem_per_block_optin_bytes);
    memset(at(timed->clocks), 0xff, 32); /* as much as it may write */
    memset(at(a->spans), 0xff, 16);
    memset(at(a->waits), 0xff, 16);
    *at(a->stuck) |= gets_stuck;
    assert_int_equal(a->positions * a->extent, 1 << 20);
    for (uint32_t i = 0; i < a->positions; i++) /* and read */
        assert_int_equal(*at(a->global + i * a->extent + a->box_bytes - 1) & 1, 0);
    depth = a->depth;
    on_each_sm[a->choice.sm] = true;
    *timing = (struct timing){.median_cycles = a->box_bytes / fake_rates[a->choice.sm],
                              .sm = a->choice.sm == absent_sm ? NAN : a->choice.sm};
    return true;
}

static void test_first_at_the_median(void **state)
{
    const double alike[] = {50, 51, 49}, halves[] = {1, 1, 9, 9}, near[] = {52, 50, 48},
                 gap[] = {NAN, 52, 50, 50}, late_halves[] = {NAN, 1, 1, 9, 9}, none[] = {NAN, NAN};
    (void)state;
    assert_int_equal(one_sm_typical_of(near, 3), 1); /* 4 % off */
    assert_int_equal(one_sm_typical_of(gap, 4), 2);
    assert_int_equal(one_sm_typical_of(late_halves, 5), 1);
    assert_int_equal(one_sm_typical_of(none, 2), 0);
    assert_int_equal(one_sm_typical_of(fake_rates, SMS), 1);
    assert_int_equal(one_sm_typical_of(alike, 3), 0);
    assert_int_equal(one_sm_typical_of(halves, 4), 0);
}

static void test_all_are_measured(void **state)
{
    uint32_t sm = SMS;
    struct error error;
    (void)state;
    assert_true(one_sm_find_typical(NULL, &sm, &error));
    assert_int_equal(sm, 1);
    for (size_t i = 0; i < SMS; i++)
        assert_true(on_each_sm[i]);
    assert_int_equal(depth, 8);
}

static void test_one_that_is_not_there(void **state)
{
    uint32_t sm = SMS;
    struct error error;
    (void)state;
    absent_sm = 1;
    assert_true(one_sm_find_typical(NULL, &sm, &error));
    assert_int_equal(sm, 2);
    absent_sm = SMS;
}

/* 99 KiB, as GPUs of compute capability 12.0 have. */
static void test_little_shared_memory(void **state)
{
    uint32_t sm = SMS;
    struct error error;
    (void)state;
    fake_info.smem_per_block_optin_bytes = 99 * 1024;
    assert_true(one_sm_find_typical(NULL, &sm, &error));
    assert_int_equal(sm, 1);
    assert_int_equal(depth, 6);
    fake_info.smem_per_block_optin_bytes = 227 * 1024;
}

static void test_a_barrier_that_does_not_open(void **state)
{
    uint32_t sm = SMS;
    struct error error;
    (void)state;
    gets_stuck = true;
    assert_false(one_sm_find_typical(NULL, &sm, &error));
    assert_non_null(strstr(error.text, "did not open"));
    gets_stuck = false;
}

static void test_untimed(void **state)
{
    uint32_t sm = SMS;
    struct error error;
    (void)state;
    on_each_sm[0] = false;
    setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
    assert_true(one_sm_find_typical(NULL, &sm, &error));
    unsetenv("SWIZZLEBENCH_UNTIMED");
    assert_int_equal(sm, 0);
    assert_false(on_each_sm[0]);
}

static void test_no_bulk_copies(void **state)
{
    uint32_t sm = SMS;
    struct error error;
    (void)state;
    fake_info.compute_major = 8;
    assert_true(one_sm_find_typical(NULL, &sm, &error));
    assert_int_equal(sm, 0);
    fake_info.compute_major = 9;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_at_the_median),
        cmocka_unit_test(test_all_are_measured),
        cmocka_unit_test(test_one_that_is_not_there),
        cmocka_unit_test(test_little_shared_memory),
        cmocka_unit_test(test_a_barrier_that_does_not_open),
        cmocka_unit_test(test_untimed),
        cmocka_unit_test(test_no_bulk_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
