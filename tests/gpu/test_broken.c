/* Are a layout off by one bit and a kernel whose instructions were merged caught on a real GPU?
 *
 * $BROKEN_KERNELS is the folder of the fatbins of tests/gpu/kernels. */
#include "bench/access_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct measure_options options = {.counters = true};

static struct gpu *open_gpu(void)
{
    struct error error = {0};
    struct gpu *gpu = NULL;
    if (!gpu_open(0, &gpu, &error)) {
        print_message("%s\n", error.text);
        skip();
    }
    return gpu;
}

static struct access_plan *plan_of(const char *instruction, const char *layout,
                                   enum access_shape shape)
{
    struct access_plan *plan = calloc(1, sizeof *plan);
    struct swb_tile tile = {.rows = 64, .cols = 64, .elem_bits = 16};
    tile.mode = swb_layout_find(layout, &tile.major);
    assert_null(access_plan_tile(plan, swb_instruction_find(instruction), &tile, shape));
    return plan;
}

static void run(struct gpu *gpu, const struct access_plan *plan, struct row *row,
                struct access_result *result)
{
    struct error error = {0};
    struct access_bench *bench;
    memset(row, 0, sizeof *row);
    if (!access_bench_open(gpu, &options, &bench, &error))
        fail_msg("%s", error.text);
    if (!access_bench_run(gpu, bench, plan, result, row, &error))
        fail_msg("%s", error.text);
    access_bench_close(gpu, bench);
}

/* Runs the plan as it is, which must verify, then with one bit of one address changed. */
static void assert_bit_is_caught(const char *instruction, const char *layout,
                                 enum access_shape shape, unsigned bit)
{
    struct gpu *gpu = open_gpu();
    struct access_plan *plan = plan_of(instruction, layout, shape);
    struct access_result result;
    struct row row;

    run(gpu, plan, &row, &result);
    assert_int_equal(row.verified, VERIFIED_YES);
    assert_int_equal(row.status, ROW_OK);

    plan->offsets[5][3] ^= bit;
    run(gpu, plan, &row, &result);
    assert_int_equal(row.verified, VERIFIED_NO);
    assert_int_equal(row.status, ROW_FAILED);
    assert_non_null(strstr(row.reason, "wrong bytes"));
    free(plan);
    gpu_close(gpu);
}

static void test_load_off_by_one_bit(void **state)
{
    (void)state;
    assert_bit_is_caught("ld.shared.b32", "K/64B", ACCESS_COLUMNS, 4);
}

static void test_ldmatrix_off_by_one_bit(void **state)
{
    (void)state;
    assert_bit_is_caught("ldmatrix.x4", "K/128B", ACCESS_BLOCK, 16);
}

static void test_store_off_by_one_bit(void **state)
{
    (void)state;
    assert_bit_is_caught("st.shared.b128", "MN/32B", ACCESS_ROWS, 128);
}

static void test_cp_async_off_by_one_bit(void **state)
{
    (void)state;
    assert_bit_is_caught("cp.async.16", "K/128B", ACCESS_ROWS, 32);
}

static void test_merged_instructions(void **state)
{
    (void)state;
    const char *folder = getenv("BROKEN_KERNELS");
    if (!folder)
        fail_msg("BROKEN_KERNELS is not set: run scripts/test-gpu");
    setenv("SWIZZLEBENCH_KERNELS", folder, 1);
    struct gpu *gpu = open_gpu();
    struct access_plan *plan = plan_of("ld.shared.b32", "linear", ACCESS_ROWS);
    struct access_result result;
    struct row row;

    run(gpu, plan, &row, &result);
    gpu_close(gpu);
    unsetenv("SWIZZLEBENCH_KERNELS");
    free(plan);
    assert_int_equal(row.verified, VERIFIED_YES);
    assert_int_equal(row.status, ROW_FAILED);
    assert_non_null(strstr(row.reason, "wrong count"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_off_by_one_bit),  cmocka_unit_test(test_ldmatrix_off_by_one_bit),
        cmocka_unit_test(test_store_off_by_one_bit), cmocka_unit_test(test_cp_async_off_by_one_bit),
        cmocka_unit_test(test_merged_instructions),
    };
    return cmocka_run_group_tests_name("broken on purpose", tests, NULL, NULL);
}
