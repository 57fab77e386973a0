/* Does the contention family verify, count, time and judge rightly, on a GPU that is made up in
 * tests/made_up_contention.h? */
#include "bench/families.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_contention.h"

static struct working_family working = {
    .family = &family_contention, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static const char *value(const struct row *row, const char *name)
{
    return working_value(&working, row, name);
}

/* Clocks are whole numbers: a value of many of them is right to so many digits. */
static void assert_near(const struct row *row, const char *name, double expected)
{
    double found = atof(value(row, name));
    if (fabs(found / expected - 1) > 1e-4)
        fail_msg("%s: %s is %g, not %g", row->case_name, name, found, expected);
}

static int healthy(void **state)
{
    (void)state;
    unsetenv("SWIZZLEBENCH_UNTIMED");
    working.options.counters = true;
    made_up_hopper(SMEM_BYTES);
    made_up_info.sm_count = SMS;
    fake.fault = NO_FAULT;
    fake.refuses_maps = fake.races = false;
    fake.reader_alone = 4;
    fake.writer_alone = 8;
    fake.reader_together = 6;
    fake.writer_together = 20;
    return 0;
}

static void assert_measured(const struct row *row, bool reads, bool writes)
{
    if (row->status != ROW_OK)
        fail_msg("%s: %s", row->case_name, row->reason);
    assert_int_equal(row->verified, VERIFIED_YES);
    if (reads) {
        bool multiplies = strncmp(value(row, "reader"), "wgmma", 5) == 0;
        assert_string_equal(value(row, "reader_inst_expected"), value(row, "reader_inst_executed"));
        assert_string_equal(
            value(row, "reader_model_wavefronts"),
            value(row, multiplies ? "reader_hw_wavefronts" : "reader_sass_wavefronts"));
    }
    if (writes)
        assert_string_equal(value(row, "writer_inst_expected"), value(row, "writer_inst_executed"));
    if (writes && strcmp(value(row, "writer"), "tma") != 0)
        assert_string_equal(value(row, "writer_model_wavefronts"),
                            value(row, "writer_sass_wavefronts"));
    assert_string_equal(value(row, "verdict"),
                        !reads && strcmp(value(row, "writer"), "tma") == 0 ? "" : "as predicted");
}

/* All of the default sweep, and of the others as many as a test has time for. */
static void test_cases(void **unused)
{
    (void)unused;
    enum { EVERY = 11 };
    size_t usual = contention_case_count(false);
    static struct row row;
    working_open(&working);
    for (size_t i = 0; i < contention_case_count(true); i += i < usual ? 1 : EVERY) {
        struct contention_case c = contention_case_at(i);
        working_measure(&working, i, &row);
        assert_measured(&row, c.reader, c.writer);
    }
    working_close(&working);
}

/* Where a side has fewer warps than its tile has groups of slots, the tile is smaller. */
static void test_few_warps(void **unused)
{
    (void)unused;
    static struct row row;
    working_open(&working);
    for (size_t i = contention_case_count(false); i < contention_case_count(true); i++) {
        struct contention_case c = contention_case_at(i);
        if (c.writer_warps != 2)
            continue;
        working_measure(&working, i, &row);
        assert_measured(&row, c.reader, c.writer);
    }
    working_close(&working);
}

/* Warps that copy to the same bytes race, and whose pieces lie there in the end is nobody's fault.
 */
static void test_races(void **unused)
{
    (void)unused;
    static struct row row;
    fake.races = true;
    working_open(&working);
    for (size_t i = 0; i < contention_case_count(true); i++) {
        struct contention_case c = contention_case_at(i);
        bool multiplies = c.reader && c.reader->means == CONTENTION_WGMMA;
        if (!c.writer || !c.writer->copies || c.writer->means == CONTENTION_TMA || multiplies)
            continue;
        working_measure(&working, i, &row);
        assert_measured(&row, c.reader, c.writer);
    }
    working_close(&working);
}

/* A side that ends later is faster from then on; that must not show. */
static void test_columns(void **unused)
{
    (void)unused;
    static struct row row;
    working_open(&working);
    working_measure(&working,
                    case_index(&family_contention, "reader=ldmatrix.x4 K/128B "
                                                   "writer=st.shared.b128 K/128B warps=8+8"),
                    &row);
    assert_measured(&row, true, true);
    assert_string_equal(value(&row, "reader_cycles_alone"), "4");
    assert_near(&row, "reader_cycles_together", 6);
    assert_near(&row, "reader_slowdown", 1.5);
    assert_string_equal(value(&row, "reader_bytes_per_clk_alone"), "128");
    assert_near(&row, "reader_bytes_per_clk_together", 256.0 / 3);
    assert_string_equal(value(&row, "writer_cycles_alone"), "8");
    assert_near(&row, "writer_cycles_together", 20);
    assert_near(&row, "writer_slowdown", 2.5);
    assert_string_equal(value(&row, "writer_cycles_alone_min"), "8");
    assert_near(&row, "writer_cycles_together_max", 20);
    assert_near(&row, "wavefronts_per_clk", 13.0 / 15);
    assert_string_equal(value(&row, "predicted"), "0");
    assert_string_equal(value(&row, "counted_sass"), "0");
    assert_string_equal(value(&row, "counted_hw"), "0");
    assert_string_equal(value(&row, "samples"), "5");
    assert_string_equal(value(&row, "throttled_samples"), "0");
    assert_true(atof(value(&row, "overlap_pct")) > 90);
    working_close(&working);
}

/* What is timed has about as much to do on either side, however slow each is. */
static void test_sides_are_balanced(void **unused)
{
    (void)unused;
    static const struct {
        double reader, writer;
    } cycles[] = {{6, 20}, {4, 4}, {40, 5}, {5, 100}, {100, 9}, {4, 3000}, {700, 8}};
    static struct row row;
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
        fake.reader_together = cycles[i].reader;
        fake.writer_together = cycles[i].writer;
        working_open(&working);
        working_measure(&working,
                        case_index(&family_contention, "reader=ldmatrix.x4 linear "
                                                       "writer=cp.async.16.cg K/none warps=8+8"),
                        &row);
        assert_measured(&row, true, true);
        assert_near(&row, "reader_cycles_together", cycles[i].reader);
        assert_near(&row, "writer_cycles_together", cycles[i].writer);
        assert_true(atof(value(&row, "overlap_pct")) > 85);
        working_close(&working);
    }
}

/* One session for the cases that come next, and one for the control of each kernel. */
static void test_counting_ahead(void **unused)
{
    (void)unused;
    static struct row row;
    static size_t cases[COUNTERS_MAX_LAUNCHES];
    unsigned before;
    working_open(&working);
    for (size_t i = 0; i < COUNTERS_MAX_LAUNCHES; i++)
        cases[i] = i;
    for (size_t i = 0; i < COUNTERS_MAX_LAUNCHES; i++) {
        working.options.cases = &cases[i];
        working.options.case_count = COUNTERS_MAX_LAUNCHES - i;
        before = made_up_sessions;
        working_measure(&working, i, &row);
        assert_int_equal(row.status, ROW_OK);
        assert_in_range(made_up_sessions - before, i == 0 ? 2 : 0, i == 0 ? 2 : 1);
    }
    before = made_up_sessions;
    working_measure(&working, COUNTERS_MAX_LAUNCHES - 1, &row);
    assert_int_equal(made_up_sessions, before);
    working.options.case_count = 0;
    working_close(&working);
}

static void assert_caught(const char *name, int fault, const char *reason)
{
    working_open(&working);
    fake.fault = fault;
    assert_ends(&working, case_index(&family_contention, name), ROW_FAILED, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *lanes = "reader=ldmatrix.x4.trans MN/128B writer=st.shared.b128 K/none warps=8+8",
               *copies = "reader=ldmatrix.x4 K/128B writer=cp.async.16.ca K/128B warps=8+8",
               *words = "reader=wgmma.n64 K/128B writer=st.shared.b32 linear warps=4+8",
               *boxes = "reader=wgmma.n128 K/128B writer=tma 32B warps=4+8",
               *wide = "reader=ldmatrix.x4 linear writer=tma 128B warps=8+8",
               *past_l1 = "reader=wgmma.n64 K/128B writer=cp.async.16.cg K/none warps=4+8",
               *alone = "writer=cp.async.4.ca linear warps=0+8",
               *grid = "report=grid writer=ld.global+st.shared.b128 K/128B warps=0+8 smem=16KiB "
                       "ctas=10/SM";
    assert_caught(lanes, FLIPPED_BIT, "wrong sum of what was read: thread 1 register 0");
    assert_caught(boxes, FLIPPED_BIT, "wrong product: D(");
    assert_caught(words, LOST_STEP, "wrong product: D(0,0) is");
    assert_caught(lanes, LOST_LANE, "wrong bytes: byte");
    assert_caught(copies, LOST_LANE, "wrong bytes: byte");
    assert_caught(words, LOST_LANE, "wrong bytes: byte");
    assert_caught(grid, LOST_LANE, "wrong bytes: byte");
    assert_caught(copies, STRAY_STORE, "wrong bytes: byte 4101 of shared memory");
    assert_caught(boxes, STRAY_STORE, "wrong bytes: byte 4101 of shared memory");
    assert_caught(boxes, LOST_BOX, "wrong bytes");
    assert_caught(wide, LOST_BOX, "wrong bytes");
    assert_caught(wide, SHIFTED_BOX, "wrong bytes");
    assert_caught(boxes, STILL_SOURCE, "wrong bytes");
    assert_caught(wide, NEXT_SOURCE, "wrong bytes");
    assert_caught(wide, OTHER_WARPS_SOURCE, "wrong bytes");
    assert_caught(copies, STILL_SOURCE, "wrong bytes: byte 2048 of shared memory");
    assert_caught(copies, NEXT_SOURCE, "wrong bytes: byte 2048 of shared memory");
    assert_caught(alone, STILL_SOURCE, "wrong bytes: byte 2048 of shared memory");
    assert_caught(alone, OTHER_WARPS_SOURCE, "wrong bytes: byte 2048 of shared memory");
    assert_caught(wide, CLOSED_BARRIER, "a barrier of a box did not open");
    assert_caught(boxes, STUCK_WHEN_TIMED, "a barrier of a box did not open");
    assert_caught(copies, SWAPPED_MARKS, "the two sides never ran at the same time");
    assert_caught(copies, TURNED_MARKS, "wrong clocks: segment 1 of warp 7 of the writers");
    assert_caught(alone, TURNED_MARKS, "wrong clocks: segment 1 of warp 7 of the writers");
    assert_caught(alone, STOPPED_CLOCK, "wrong clocks: segment 31 of warp 7 of the writers");
    assert_caught(lanes, UNSET_MARK, "wrong clocks: segment 31 of warp 0 of the readers");
    assert_caught(alone, LATE_WARP, "the warps of the writers never all ran at the same time");
    assert_caught(copies, MERGED_READ, "the readers executed");
    assert_caught(copies, MERGED_WRITE, "the writers executed");
    assert_caught(copies, OTHER_CACHE, "went past L1 where the source has none");
    assert_caught(past_l1, OTHER_CACHE, "wrong count: 0 of the");
    assert_caught(boxes, MERGED_READ, "the readers executed");
    assert_caught(boxes, MERGED_WRITE, "the writers executed");
    assert_caught(lanes, EXTRA_READ_WAVEFRONT,
                  "4 wavefronts an instruction of the readers predicted, 5 counted");
    assert_caught(words, EXTRA_READ_WAVEFRONT,
                  "32 wavefronts an instruction of the readers predicted, 33 counted");
    assert_caught(lanes, EXTRA_WRITE_WAVEFRONT,
                  "32 wavefronts an instruction of the writers predicted, 33 counted");
    assert_caught(copies, EXTRA_WRITE_WAVEFRONT,
                  "4 wavefronts an instruction of the writers predicted, 5 counted");
}

/* What the instructions of a warp order ends with the last iteration, wherever its sources lie. */
static void test_the_last_iteration_stays(void **unused)
{
    (void)unused;
    static const int faults[] = {STILL_SOURCE, NEXT_SOURCE, SOURCE_BEFORE};
    size_t rows = 0;
    working_open(&working);
    for (size_t i = 0; i < contention_case_count(true); i++) {
        struct contention_case c = contention_case_at(i);
        if (!c.writer || strcmp(c.writer->name, "ld.global+st.shared.b128") != 0)
            continue;
        for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
            fake.fault = faults[f];
            assert_ends(&working, i, ROW_FAILED, "wrong bytes: byte 2048 of shared memory");
        }
        rows++;
    }
    working_close(&working);
    assert_true(rows > 0);
}

/* Clocks that are wrong balance nothing: no launch goes out behind them, and what is counted goes
 * by those before. An iteration takes 2048 clocks of the readers, and 512 of the writers as
 * predicted, 1024 as they are. */
static void test_wrong_clocks_end_the_row(void **unused)
{
    (void)unused;
    static const struct {
        int fault;
        unsigned launches, iterations;
    } ends[] = {
        {UNSET_MARK, 2, 4 + 16},   /* verified, readers alone */
        {TURNED_MARKS, 3, 4 + 16}, /* writers alone */
        {TURNED_BESIDE, 4, 4 + 8}, /* both */
    };
    size_t index = case_index(&family_contention,
                              "reader=ldmatrix.x4 K/128B writer=cp.async.16.ca K/128B warps=8+8");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        fake.fault = ends[i].fault;
        working_open(&working);
        assert_ends(&working, index, ROW_FAILED, "wrong clocks");
        assert_int_equal(fake.iterations, ends[i].iterations);
        working_close(&working);
        working.options.counters = false;
        working_open(&working);
        fake.launches = 0;
        assert_ends(&working, index, ROW_FAILED, "wrong clocks");
        assert_int_equal(fake.launches, ends[i].launches);
        working_close(&working);
        working.options.counters = true;
    }
}

/* A tool outside holds a segment up for a second and more, in which a clock of 32 bits says nothing
 * of what came first. */
static void test_untimed(void **unused)
{
    (void)unused;
    enum { SEGMENT_INSTRUCTIONS = 128 };
    static struct row row;
    const char *name = "reader=ldmatrix.x4 K/128B writer=cp.async.16.ca K/128B warps=8+8";
    fake.writer_alone = fake.writer_together = 3e9 / SEGMENT_INSTRUCTIONS;
    assert_caught(name, NO_FAULT, "wrong clocks: segment 1 of warp 0 of the writers");
    setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
    working_open(&working);
    fake.launches = 0;
    working_measure(&working, case_index(&family_contention, name), &row);
    assert_int_equal(fake.launches, 3);
    working_close(&working);
    assert_caught(name, STOPPED_CLOCK, "wrong clocks: segment 31 of warp 7 of the writers");
    assert_measured(&row, true, true);
    assert_string_equal(value(&row, "reader_cycles_alone"), "");
    assert_string_equal(value(&row, "samples"), "");
}

/* What is counted with CTAs on all three SMs is verified with all of them, but with two for a tool.
 */
static void test_grid_untimed(void **unused)
{
    (void)unused;
    static struct row row;
    size_t index = case_index(&family_contention, "report=grid writer=st.shared.b32 linear "
                                                  "warps=0+8 smem=16KiB ctas=10/SM");
    for (unsigned untimed = 0; untimed < 2; untimed++) {
        fake.most_ctas = 0;
        if (untimed)
            setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
        working_open(&working);
        working_measure(&working, index, &row);
        assert_measured(&row, false, true);
        assert_int_equal(fake.most_ctas, untimed ? 2 : 30);
        assert_int_equal(fake.grid, 30);
        working_close(&working);
    }
}

/* Turns that are lost to others are no failure, and are called what they are. */
static void test_lost_turns(void **unused)
{
    (void)unused;
    static struct row row;
    const char *name = "report=sw334-ldmatrix-trans reader=ldmatrix.x4.trans Sw<3,3,4>/64 "
                       "writer=cp.async.16.cg K/128B warps=8+8";
    working_open(&working);
    fake.fault = LOST_TURNS;
    working_measure(&working, case_index(&family_contention, name), &row);
    working_close(&working);
    assert_int_equal(row.status, ROW_OK);
    assert_string_equal(value(&row, "predicted"), "4");
    assert_string_equal(value(&row, "counted_sass"), "4");
    assert_string_equal(value(&row, "counted_hw"), "5");
    assert_string_equal(value(&row, "verdict"), "arbitration");
    assert_string_equal(value(&row, "reader_hw_conflicts"), "5");
    assert_string_equal(value(&row, "writer_hw_conflicts"), "1");
    fake.fault = FEW_TURNS;
    working_open(&working);
    working_measure(&working, case_index(&family_contention, name), &row);
    working_close(&working);
    assert_string_equal(value(&row, "verdict"), "arbitration");
    assert_true(strtod(value(&row, "arbitration"), NULL) > 0);
    assert_true(strtod(value(&row, "arbitration"), NULL) < 0.00005);
    fake.fault = OTHER_TURNS;
    working_open(&working);
    working_measure(&working, case_index(&family_contention, name), &row);
    working_close(&working);
    assert_string_equal(value(&row, "verdict"), "other turns");
    assert_string_equal(value(&row, "arbitration"), "0");
}

static void test_launches(void **unused)
{
    (void)unused;
    static struct row row;
    working_open(&working);
    working_measure(&working,
                    case_index(&family_contention,
                               "report=smem-size writer=st.shared.b32 linear warps=0+8 smem=16KiB "
                               "carveout=75% ctas=8/SM"),
                    &row);
    assert_measured(&row, false, true);
    assert_int_equal(fake.grid, 8 * SMS);
    assert_int_equal(fake.carveout_pct, 75);
    assert_int_equal(fake.smem_bytes_counted, 16 * 1024);
    assert_string_equal(value(&row, "writer_cycles_alone"), "");
    assert_string_equal(value(&row, "ctas"), "8/SM");
    working_close(&working);
}

static void test_without_counters(void **unused)
{
    (void)unused;
    static struct row row;
    working.options.counters = false;
    working_open(&working);
    working_measure(&working, 0, &row);
    working_close(&working);
    working.options.counters = true;
    assert_int_equal(row.status, ROW_OK);
    assert_string_equal(value(&row, "reader_cycles_alone"), "4");
    assert_string_equal(value(&row, "reader_inst_expected"), "");
    assert_string_equal(value(&row, "verdict"), "");
}

static void test_refused_map(void **unused)
{
    (void)unused;
    static struct row row;
    struct error error = {.kind = ERROR_NONE};
    size_t index = case_index(&family_contention, "writer=tma 128B warps=0+8");
    working_open(&working);
    fake.refuses_maps = true;
    row_predict(&family_contention, index, &row);
    assert_false(family_contention.measure(working.gpu, working.state, index, &working.options,
                                           &row, &error));
    assert_string_equal(error.text, "the driver refuses the tensor map, with code 1");
    working_close(&working);
}

static void test_other_architectures(void **unused)
{
    (void)unused;
    static const struct {
        int major, smem_kib;
        const char *name, *reason;
    } others[] = {
        {8, 163, "writer=tma 128B warps=0+8", "tma needs compute capability 9.0, this GPU has 8.0"},
        {7, 64, "reader=ldmatrix.x4 K/128B warps=8+0",
         "ldmatrix.x4 needs compute capability 8.0, this GPU has 7.0"},
        {12, 99, "reader=wgmma.n64 K/128B warps=4+0",
         "wgmma needs compute capability 9.0, this GPU has 12.0"},
        {8, 64, "report=grid reader=ldmatrix.x4 K/128B warps=8+0 smem=96KiB ctas=1/SM",
         "a CTA needs 98304 bytes of shared memory, this GPU has 65536"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        made_up_info.compute_major = others[i].major;
        made_up_info.smem_per_block_optin_bytes = others[i].smem_kib * 1024;
        working_open(&working);
        assert_ends(&working, case_index(&family_contention, others[i].name), ROW_SKIPPED,
                    others[i].reason);
        working_close(&working);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_cases, healthy),
        cmocka_unit_test_setup(test_few_warps, healthy),
        cmocka_unit_test_setup(test_races, healthy),
        cmocka_unit_test_setup(test_columns, healthy),
        cmocka_unit_test_setup(test_sides_are_balanced, healthy),
        cmocka_unit_test_setup(test_counting_ahead, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_the_last_iteration_stays, healthy),
        cmocka_unit_test_setup(test_wrong_clocks_end_the_row, healthy),
        cmocka_unit_test_setup(test_untimed, healthy),
        cmocka_unit_test_setup(test_grid_untimed, healthy),
        cmocka_unit_test_setup(test_lost_turns, healthy),
        cmocka_unit_test_setup(test_launches, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_refused_map, healthy),
        cmocka_unit_test_setup(test_other_architectures, healthy),
    };
    return cmocka_run_group_tests_name("contention on a made-up GPU", tests, NULL, NULL);
}
