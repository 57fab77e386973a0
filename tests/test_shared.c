/* Is the table of the shared family what it claims: names that stay, unique cases, every byte of a
 * tile visited, and the known costs predicted? */
#include "bench/access_plan.h"
#include "bench/families.h"
#include "harness/result.h"
#include "tests/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t column(const char *name)
{
    return case_column(&family_shared, name);
}

static struct row *predicted(size_t index)
{
    struct row *row = calloc(1, sizeof *row);
    assert_non_null(row);
    row_predict(&family_shared, index, row);
    return row;
}

static void test_cases_are_unique(void **state)
{
    (void)state;
    assert_unique_cases(&family_shared);
}

/* Other people's scripts take columns by these names: more may come, none changes. */
static void test_the_header_stays(void **state)
{
    (void)state;
    static const char *const names[] = {
        "family",
        "case",
        "status",
        "reason",
        "verified",
        "instruction",
        "cache",
        "layout",
        "major",
        "swizzle",
        "elem_bits",
        "tile",
        "stack",
        "access",
        "positions",
        "model_wavefronts",
        "hw_wavefronts",
        "ideal_wavefronts",
        "worst_wavefronts",
        "model_conflicts",
        "hw_conflicts",
        "hw_total_wavefronts",
        "hw_other_wavefronts",
        "hw_arbitration_conflicts",
        "inst_expected",
        "inst_executed",
        "latency_cycles",
        "latency_min_cycles",
        "latency_max_cycles",
        "one_warp_cycles",
        "one_warp_cycles_per_wavefront",
        "one_warp_min_cycles_per_wavefront",
        "one_warp_max_cycles_per_wavefront",
        "throughput_cycles",
        "throughput_min_cycles",
        "throughput_max_cycles",
        "cycles_per_wavefront",
        "bytes_per_clk_sm",
        "pct_of_peak",
        "model_sectors",
        "hw_sectors",
        "hw_l2_sectors",
        "hw_dram_sectors",
        "sm_clock_mhz",
        "samples",
        "throttled_samples",
    };
    const struct result_form form = {.family = &family_shared};
    size_t count = sizeof names / sizeof names[0];
    for (size_t i = 0; i < count; i++)
        assert_string_equal(result_column_name(&form, i), names[i]);
    assert_null(result_column_name(&form, count));
}

/* One of each shape, and of each order of the atoms, in the default sweep: a name is the same on
 * every GPU and in every version. */
static void test_names_of_the_default_sweep_stay(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ld.shared.b32 ladder 2-way",
        "ld.shared.b32 linear 64x128x8b rows",
        "st.shared.b128 MN/128B-atom64B 64x32x32b rows stack=col",
        "ld.shared.b64 padded 64x16x16b columns",
        "ld.shared.b32 K/none 64x128x8b columns stack=row",
        "st.shared.b32 K/64B 64x64x16b fragment stack=row",
        "ldmatrix.x2 K/none 32x64x32b subtile stack=row",
        "stmatrix.x4.trans MN/none 64x64x16b block stack=col",
        "ldmatrix.x4 K/128B 64x64x16b block",
        "cp.async.4 MN/none 128x64x8b rows stack=col",
        "cp.async.16.cg padded 64x64x16b rows",
    };
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        bool found = false;
        for (size_t i = 0; !found && i < family_shared.case_count(&family_shared, false); i++) {
            struct row *row = predicted(i);
            found = strcmp(row->case_name, names[n]) == 0;
            free(row);
        }
        if (!found)
            fail_msg("no case %s in the default sweep", names[n]);
    }
}

/* What was measured is still a case, with what the model says of it. */
static void test_cases_of_the_results_stay(void **state)
{
    (void)state;
    struct result_file file;
    struct error error;
    if (!result_read("results/nvidia-h200/shared.csv", &file, &error))
        fail_msg("%s", error.text);
    bool *found = calloc(file.row_count, sizeof *found);
    assert_non_null(found);
    assert_true(file.row_count > 5000);
    for (size_t i = 0; i < family_shared.case_count(&family_shared, true); i++) {
        struct row *row = predicted(i);
        long at = result_find_case(&file, row->case_name);
        if (at >= 0) {
            found[at] = true;
            assert_string_equal(result_value(&file, (size_t)at, "model_wavefronts"),
                                row->values[column("model_wavefronts")]);
        }
        free(row);
    }
    for (size_t i = 0; i < file.row_count; i++)
        if (!found[i])
            fail_msg("no case %s any more", result_value(&file, i, "case"));
    free(found);
    result_free(&file);
}

static void test_the_default_sweep_is_large_enough(void **state)
{
    (void)state;
    size_t defaults = family_shared.case_count(&family_shared, false);
    assert_true(defaults >= 800);
    assert_true(family_shared.case_count(&family_shared, true) > defaults);
}

/* Every case but the impossible rungs of the ladder has a prediction. */
static void test_every_case_is_predicted(void **state)
{
    (void)state;
    size_t wavefronts = column("model_wavefronts");
    for (size_t i = 0; i < family_shared.case_count(&family_shared, true); i++) {
        struct row *row = predicted(i);
        if (row->status == ROW_SKIPPED)
            assert_non_null(strstr(row->reason, "make a phase: at most"));
        else
            assert_true(row->values[wavefronts][0] != 0);
        free(row);
    }
}

/* Columns of a case that is looked up by name. */
static void assert_predicted(const char *case_name, const char *model, const char *ideal)
{
    assert_case(&family_shared, case_name, "model_wavefronts", model);
    assert_case(&family_shared, case_name, "ideal_wavefronts", ideal);
}

static void test_known_costs(void **state)
{
    (void)state;
    assert_predicted("ldmatrix.x4 K/128B 64x64x16b block", "4", "4");
    assert_predicted("ldmatrix.x4.trans MN/32B 64x64x16b block stack=col", "4", "4");
    assert_predicted("ldmatrix.x4 linear 64x64x16b block", "32", "4");
    assert_predicted("ldmatrix.x1 linear 64x16x16b subtile", "2", "1");
    assert_predicted("ldmatrix.x1 padded 64x64x16b subtile", "1", "1");
    assert_predicted("st.shared.b32 linear 64x64x16b fragment", "8", "1");
    assert_predicted("st.shared.b32 K/128B 64x64x16b fragment", "1", "1");
    assert_predicted("ld.shared.b32 linear 64x64x16b columns", "32", "1");
    assert_predicted("ld.shared.b32 K/4B-atom 32x64x32b columns", "1", "1");
    assert_predicted("ld.shared.b128 ladder 8-way", "32", "4");
    assert_predicted("ld.shared.b32 ladder 32-way", "32", "1");
    assert_predicted("cp.async.16 K/128B 64x64x16b rows", "4", "4");
    assert_predicted("cp.async.16.cg padded 64x64x16b rows", "10.5", "4");
    assert_predicted("cp.async.4 padded 64x16x16b rows", "5", "1");
}

/* Each shape of each layout takes every byte of the tile once. */
static void test_every_byte_is_visited_once(void **state)
{
    (void)state;
    static const char *const instructions[] = {"ld.shared.b32", "ld.shared.b128", "ldmatrix.x4",
                                               "ldmatrix.x2.trans", "st.shared.b64"};
    static const char *const layouts[] = {"linear", "padded", "K/none", "MN/64B", "K/128B"};
    struct access_plan plan;
    unsigned plans = 0;
    for (size_t i = 0; i < 5; i++)
        for (size_t l = 0; l < 5; l++)
            for (int shape = ACCESS_SUBTILE; shape < ACCESS_LADDER; shape++) {
                struct swb_tile tile = {.rows = 64, .cols = 64, .elem_bits = 16};
                const struct swb_instruction *instruction = swb_instruction_find(instructions[i]);
                tile.mode = swb_layout_find(layouts[l], &tile.major);
                if (access_plan_tile(&plan, instruction, &tile, (enum access_shape)shape))
                    continue;
                unsigned char seen[PLAN_TILE_BYTES] = {0};
                for (unsigned slot = 0; slot < plan.slots; slot++)
                    for (unsigned lane = 0; lane < access_address_lanes(instruction); lane++)
                        for (unsigned b = 0; b < instruction->lane_bytes; b++) {
                            unsigned at = plan.tile_bytes_at[slot][lane] + b;
                            seen[at]++;
                            assert_int_equal(plan.place[at], plan.offsets[slot][lane] + b);
                        }
                for (unsigned byte = 0; byte < plan.tile_bytes; byte++)
                    assert_int_equal(seen[byte], 1);
                plans++;
            }
    assert_true(plans >= 40);
}

/* The four matrices of a block lie in the order in which an mma operand takes them: M (or N) first,
 * then K. Lines of these tiles are 128 bytes. */
static void test_order_of_a_block(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        enum swb_major major;
        unsigned starts[4];
    } blocks[] = {
        {"ldmatrix.x4", SWB_K_MAJOR, {0, 8 * 128, 16, 8 * 128 + 16}},
        {"stmatrix.x4", SWB_K_MAJOR, {0, 8 * 128, 16, 8 * 128 + 16}},
        {"ldmatrix.x4.trans", SWB_MN_MAJOR, {0, 16, 8 * 128, 8 * 128 + 16}},
    };
    struct access_plan plan;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        const struct swb_instruction *instruction = swb_instruction_find(blocks[i].instruction);
        struct swb_tile tile = {.rows = 64, .cols = 64, .elem_bits = 16};
        tile.mode = swb_layout_find("linear", &tile.major);
        tile.major = blocks[i].major;
        assert_null(access_plan_tile(&plan, instruction, &tile, ACCESS_BLOCK));
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            assert_int_equal(plan.offsets[0][lane], blocks[i].starts[lane / 8] + lane % 8 * 128);
    }
}

/* What cp.async reads lies within the source of the sweep kernels. */
static void test_sources_are_within_bounds(void **state)
{
    (void)state;
    struct access_plan plan;
    struct swb_tile tile = {.rows = 128, .cols = 64, .elem_bits = 16};
    tile.mode = swb_layout_find("K/128B", &tile.major);
    assert_null(access_plan_tile(&plan, swb_instruction_find("cp.async.16"), &tile, ACCESS_ROWS));
    for (unsigned slot = 0; slot < plan.slots; slot++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            assert_true(plan.sources[slot][lane] + 16 <= PLAN_MAX_LINES * PLAN_SOURCE_PITCH_BYTES);
    tile.rows = 256;
    tile.cols = 32;
    assert_non_null(
        access_plan_tile(&plan, swb_instruction_find("cp.async.16"), &tile, ACCESS_ROWS));
}

/* The fragment of .trans is the transpose of the plain one: register by register, half by half. */
static void test_register_map(void **state)
{
    (void)state;
    const struct swb_instruction *plain = swb_instruction_find("ldmatrix.x4");
    const struct swb_instruction *trans = swb_instruction_find("ldmatrix.x4.trans");
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned reg = 0; reg < 4; reg++)
            for (unsigned half = 0; half < 2; half++) {
                unsigned row, byte, row_trans, byte_trans;
                access_register_byte(plain, lane, reg, 2 * half, &row, &byte);
                access_register_byte(trans, lane, reg, 2 * half, &row_trans, &byte_trans);
                assert_int_equal(row / 8, row_trans / 8);
                assert_int_equal(row % 8, byte_trans / 2);
                assert_int_equal(byte / 2, row_trans % 8);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),
        cmocka_unit_test(test_the_header_stays),
        cmocka_unit_test(test_names_of_the_default_sweep_stay),
        cmocka_unit_test(test_cases_of_the_results_stay),
        cmocka_unit_test(test_the_default_sweep_is_large_enough),
        cmocka_unit_test(test_every_case_is_predicted),
        cmocka_unit_test(test_known_costs),
        cmocka_unit_test(test_every_byte_is_visited_once),
        cmocka_unit_test(test_order_of_a_block),
        cmocka_unit_test(test_sources_are_within_bounds),
        cmocka_unit_test(test_register_map),
    };
    return cmocka_run_group_tests_name("shared", tests, NULL, NULL);
}
