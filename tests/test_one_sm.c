/* Which SM stands for all of them? The GPU is a fake with SMs of two kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "bench/one_sm.h"
#include "bench/tma_bench.h"
#include "tests/made_up_memory.h"

enum { SMS = 7 };
static const double fake_rates[SMS] = {105.3, 95.5, 95.61, 105.2, 95.6, 95.6, 105.4};
static struct gpu_info fake_info = {.sm_count = SMS, .compute_major = 9};
static bool on_each_sm[SMS];

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
    on_each_sm[a->choice.sm] = true;
    *timing = (struct timing){.median_cycles = a->box_bytes / fake_rates[a->choice.sm]};
    return true;
}

static void test_first_at_the_median(void **state)
{
    const double alike[] = {50, 51, 49}, halves[] = {1, 1, 9, 9};
    (void)state;
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
        cmocka_unit_test(test_no_bulk_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
