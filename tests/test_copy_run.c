/* Does the copy family verify, count and judge rightly? On the GPU of tests/made_up_copy.h. */
#include "bench/families.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_copy.h"

static struct working_family working = {
    .family = &family_copy, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static int healthy(void **state)
{
    (void)state;
    made_up_hopper(SMEM_BYTES);
    made_up_info.l2_bytes = 512 * 1024; /* 32 MiB are DRAM then */
    fake.fault = NO_FAULT;
    fake.refuses_maps = false;
    fake.tile_ns = 0;
    unsetenv("SWIZZLEBENCH_UNTIMED");
    return 0;
}

static const char *value(const struct row *row, const char *name)
{
    return working_value(&working, row, name);
}

static void assert_measured(const struct row *row)
{
    if (row->status != ROW_OK)
        fail_msg("%s: %s", row->case_name, row->reason);
    assert_int_equal(row->verified, VERIFIED_YES);
    assert_string_equal(value(row, "model_sectors"), value(row, "hw_sectors"));
    assert_string_equal(value(row, "inst_expected"), value(row, "inst_executed"));
    assert_string_equal(value(row, "model_wavefronts"), value(row, "hw_wavefronts"));
    assert_string_equal(value(row, "model_requests"), value(row, "requests"));
}

/* Every so many of those that have no conflicts, or of those of registers. */
static void test_cases(void **unused)
{
    enum { STEP = 7 };
    static struct row row;
    (void)unused;
    working_open(&working);
    for (size_t i = 0; i < copy_case_count(true); i += STEP) {
        row_predict(&family_copy, i, &row);
        if (strncmp(row.case_name, "cp.async", 8) == 0 &&
            strcmp(value(&row, "model_wavefronts"), value(&row, "ideal_wavefronts")) != 0)
            continue;
        working_measure(&working, i, &row);
        assert_measured(&row);
    }
    working_close(&working);
}

static void measure_case(const char *name, struct row *row)
{
    working_open(&working);
    working_measure(&working, case_index(&family_copy, name), row);
    working_close(&working);
}

/* Two SMs, and a launch from 1000 to 2000 + CTAs - 1 ns. */
static void test_columns(void **unused)
{
    static struct row row;
    (void)unused;
    measure_case("tma-load 64x64B K/32B stack=row L2 stages=4", &row);
    assert_measured(&row);
    assert_string_equal(value(&row, "cycles_per_tile"), "512");
    assert_string_equal(value(&row, "sm"), "5");
    assert_string_equal(value(&row, "bytes_per_clk_sm"), "8");
    assert_string_equal(value(&row, "inst_executed"), "1024");
    assert_string_equal(value(&row, "requests"), "");
    assert_string_equal(value(&row, "ctas_per_sm"), "4");
    assert_string_equal(value(&row, "gbytes_per_s"), "2132555.8"); /* 2 GiB in 1007 ns */
    assert_in_range(atoi(value(&row, "pct_of_peak")), 95, 105);

    measure_case("plain-load DRAM", &row);
    assert_int_equal(row.status, ROW_OK);
    assert_int_equal(row.verified, VERIFIED_YES);
    assert_string_equal(value(&row, "pct_of_peak"), "100");
    assert_string_equal(value(&row, "hw_sectors"), "");

    measure_case("plain-store L2", &row);
    assert_int_equal(row.status, ROW_OK);
    assert_int_equal(row.verified, VERIFIED_YES);
}

/* What a tool outside had launched, and not timed, has no rate, not one of 0. */
static void test_untimed(void **unused)
{
    static struct row row;
    (void)unused;
    setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
    measure_case("plain-load L2", &row);
    assert_int_equal(row.verified, VERIFIED_YES);
    assert_string_equal(value(&row, "gbytes_per_s"), "");
    assert_string_equal(value(&row, "peak_gbytes_per_s"), "");
}

/* A run has one plain copy of each kind: the row that comes later has what others were held
 * against. */
static void test_one_plain_copy(void **unused)
{
    static struct row tile, plain;
    (void)unused;
    working_open(&working);
    working_measure(&working, case_index(&family_copy, "tma-load 64x64B linear L2 stages=4"),
                    &tile);
    fake.fault = WRONG_SUM; /* seen if it were measured again */
    working_measure(&working, case_index(&family_copy, "plain-load L2"), &plain);
    working_close(&working);
    assert_int_equal(plain.status, ROW_OK);
    assert_int_equal(plain.verified, VERIFIED_YES);
    assert_string_equal(value(&plain, "gbytes_per_s"), value(&tile, "peak_gbytes_per_s"));
}

static void test_one_plain_copy_untimed(void **unused)
{
    setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
    test_one_plain_copy(unused);
}

/* 2 GiB are 65536 tiles for each of 8 CTAs; a launch is to take 6 ms at most, or an eighth of them.
 */
static void test_slow_copies(void **unused)
{
    static const struct {
        uint32_t tile_ns, least, most;
    } cases[] = {{0, 65536, 65536}, {80, 65536, 65536}, {100, 59700, 60000}, {5000, 8192, 8192}};
    static struct row row;
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fake.tile_ns = cases[i].tile_ns;
        measure_case("tma-load 64x64B linear L2 stages=4", &row);
        assert_measured(&row);
        assert_in_range(fake.chip_tiles, cases[i].least, cases[i].most);
        double ns = 1007 + (double)fake.chip_tiles * fake.tile_ns;
        assert_float_equal(atof(value(&row, "gbytes_per_s")), fake.chip_tiles * 8 * 4096.0 / ns,
                           0.1);
    }
}

static void test_counting_ahead(void **unused)
{
    (void)unused;
    assert_counts_ahead(&working, &made_up_sessions);
}

static void assert_caught(const char *name, int fault, const char *reason)
{
    static struct row row;
    fake.fault = fault;
    measure_case(name, &row);
    fake.fault = NO_FAULT;
    if (row.status != ROW_FAILED || !strstr(row.reason, reason))
        fail_msg("%s, fault %d: status %d, %s", name, fault, row.status, row.reason);
}

static void test_wrong_bytes(void **unused)
{
    static const char *const names[] = {
        "ld-st.4 64x128B K/128B order=shared L2 stages=4",
        "cp.async.cg.16 64x64B padded DRAM stages=4",
        "tma-load 64x64B K/32B stack=row L2 stages=4",
        "bulk-load 64x128B padded L2 stages=4",
        "back.8 64x128B K/64B stack=col L2 stages=4",
        "tma-store 64x64B linear L2 stages=4",
        "bulk-store 64x64B linear packed L2 stages=4",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (int fault = FLIPPED_BIT; fault <= TILE_TOO_MANY; fault++)
            assert_caught(names[i], fault, "wrong bytes after 13 tiles: ");
}

static void test_wrong_counts(void **unused)
{
    const char *lanes = "ld-st.16 64x128B K/128B L2 stages=4",
               *back = "back.16 64x128B linear L2 stages=4",
               *boxes = "tma-load 64x128B K/64B stack=row L2 stages=4",
               *async = "cp.async.ca.16 64x128B K/128B L2 stages=4";
    (void)unused;
    assert_caught(lanes, MERGED_LOAD,
                  "the kernel executed 1023 ld-st.16 where its source has 1024");
    assert_caught(lanes, MERGED_STORE, "executed 1023 ld-st.16 where");
    assert_caught(back, MERGED_STORE, "executed 1023 back.16 where");
    assert_caught(back, MERGED_LOAD, "executed 1023 back.16 where");
    assert_caught(async, MERGED_LOAD, "executed 1023 cp.async.ca.16 where");
    assert_caught(boxes, MERGED_LOAD, "executed 1023 tma-load where its source has 1024");
    assert_caught(lanes, EXTRA_SECTOR, "256 sectors a tile predicted, 256.016 counted");
    assert_caught(boxes, EXTRA_SECTOR, "256 sectors a tile predicted, 256.016 counted");
    assert_caught(lanes, EXTRA_WAVEFRONT, "64 wavefronts a tile predicted, 64.0156 counted");
    assert_caught(async, EXTRA_WAVEFRONT, "64 wavefronts a tile predicted, 64.0156 counted");
}

static void test_other_faults(void **unused)
{
    (void)unused;
    assert_caught("tma-load 64x128B K/128B L2 stages=4", CLOSED_BARRIER,
                  "a barrier of a stage did not open");
    assert_caught("plain-load L2", WRONG_SUM, "wrong bytes: plain loads add up to");
    assert_caught("plain-store L2", LOST_STORE, "wrong bytes: ");
    assert_caught("tma-load 64x128B K/128B L2 stages=4", WRONG_SUM,
                  "the plain copy to compare with: wrong bytes");
}

static void test_refused_map(void **unused)
{
    static struct row row;
    struct error error = {.kind = ERROR_NONE};
    size_t index = case_index(&family_copy, "tma-load 64x128B K/128B L2 stages=4");
    (void)unused;
    working_open(&working);
    fake.refuses_maps = true;
    row_predict(&family_copy, index, &row);
    assert_false(
        family_copy.measure(working.gpu, working.state, index, &working.options, &row, &error));
    assert_string_equal(error.text, "the driver refuses the tensor map, with code 1");
    working_close(&working);
}

static void assert_skipped(const char *name, const char *reason)
{
    static struct row row;
    measure_case(name, &row);
    assert_int_equal(row.status, ROW_SKIPPED);
    if (!strstr(row.reason, reason))
        fail_msg("%s: %s", name, row.reason);
}

static void test_other_gpus(void **unused)
{
    static struct row row;
    (void)unused;
    made_up_info.compute_major = 8;
    assert_skipped("tma-load 64x128B K/128B L2 stages=4",
                   "tma-load needs compute capability 9.0, this GPU has 8.0");
    measure_case("cp.async.ca.16 64x128B K/128B L2 stages=4", &row);
    assert_int_equal(row.status, ROW_OK);
    made_up_info.l2_bytes = 32 << 20; /* for which there is no room */
    assert_skipped("ld-st.16 64x128B K/128B DRAM stages=4", "no room for 2147483648 bytes");
    measure_case("ld-st.16 64x128B K/128B L2 stages=4", &row);
    assert_int_equal(row.status, ROW_OK);
}

static void test_without_counters(void **unused)
{
    (void)unused;
    assert_uncounted(&working, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_cases, healthy),
        cmocka_unit_test_setup(test_columns, healthy),
        cmocka_unit_test_setup(test_untimed, healthy),
        cmocka_unit_test_setup(test_one_plain_copy, healthy),
        cmocka_unit_test_setup(test_one_plain_copy_untimed, healthy),
        cmocka_unit_test_setup(test_slow_copies, healthy),
        cmocka_unit_test_setup(test_counting_ahead, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_wrong_bytes, healthy),
        cmocka_unit_test_setup(test_wrong_counts, healthy),
        cmocka_unit_test_setup(test_other_faults, healthy),
        cmocka_unit_test_setup(test_refused_map, healthy),
        cmocka_unit_test_setup(test_other_gpus, healthy),
    };
    return cmocka_run_group_tests_name("copy on a made-up GPU", tests, NULL, NULL);
}
