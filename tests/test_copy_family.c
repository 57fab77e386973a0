/* Is the table of the copy family what it claims: every path into every layout that it can produce,
 * each byte of a tile moved once, and the known costs predicted? */
#include "bench/copy_columns.h"
#include "bench/copy_plan.h"
#include "bench/families.h"
#include "harness/result.h"
#include "tests/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_cases_are_unique(void **state)
{
    (void)state;
    assert_unique_cases(&family_copy);
    assert_first_of_full(&family_copy, "ld-st.4 8x64B linear L2 stages=4");
}

/* All tiles, stages, sources, layouts and stackings that the family is to have. */
static void test_full_has_all(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "tma-load 8x64B K/64B L2 stages=4",
        "tma-load 16x64B K/32B stack=row DRAM stages=4",
        "tma-load 128x128B linear DRAM stages=1",
        "tma-load 64x256B K/128B stack=col L2 stages=2",
        "tma-load 64x256B MN/128B stack=row L2 stages=4",
        "tma-store 64x256B K/128B stack=row DRAM stages=4",
        "tma-load.whole 64x64B K/32B stack=row L2 stages=4",
        "tma-store.whole 64x256B MN/64B stack=col DRAM stages=4",
        "cp.async.cg.16 16x64B MN/64B DRAM stages=1",
        "bulk-load 64x128B K/128B L2 stages=4",
        "bulk-load 64x128B padded packed DRAM stages=4",
        "bulk-store 64x64B linear packed L2 stages=4",
        "ld-st.4 64x128B K/32B stack=row order=shared DRAM stages=4",
        "ld-st.8 16x64B MN/none stack=col L2 stages=4",
        "ld-st.16 8x64B padded L2 stages=3",
        "cp.async.ca.4 128x128B K/64B stack=row DRAM stages=2",
        "cp.async.ca.8 64x256B linear L2 stages=4",
        "cp.async.ca.16 64x64B K/none stack=col L2 stages=1",
        "cp.async.cg.16 64x128B K/128B order=shared L2 stages=4",
        "back.16 64x128B K/128B L2 stages=4",
        "plain-load DRAM",
        "plain-store L2",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        case_index(&family_copy, wanted[i]);
}

/* Lines of a box: all of it but its innermost dimension. */
static unsigned lines_of(const struct swb_tma_map *map)
{
    unsigned lines = 1;
    for (unsigned i = 1; i < map->rank; i++)
        lines *= map->box[i];
    return lines;
}

/* How far behind the first line of its box a line is in the tensor. */
static uint32_t line_offset(const struct swb_tma_map *map, unsigned line)
{
    uint64_t offset = 0;
    for (unsigned i = 1; i < map->rank; i++) {
        offset += line % map->box[i] * map->strides[i - 1];
        line /= map->box[i];
    }
    return (uint32_t)offset;
}

/* Counts how often each byte is read and written by the moves; boxes have further lines. */
static void add_move(const struct copy_case *c, const struct copy_plan *plan,
                     const struct copy_move *move, uint8_t *read, uint8_t *written)
{
    unsigned lines = c->way->kind == COPY_TMA ? lines_of(&plan->map) : 1;
    for (unsigned line = 0; line < lines; line++)
        for (unsigned byte = 0; byte < move->bytes; byte++) {
            uint32_t from = move->global + line_offset(&plan->map, line) + byte, to;
            unsigned y = from / plan->pitch_bytes, x = from % plan->pitch_bytes;
            if (c->way->kind == COPY_TMA) {
                struct swb_tma_box box = swb_tma_box_of(&plan->map, move->shared);
                to = swb_tma_box_address(&box, line, byte);
            } else {
                to = move->shared + byte;
            }
            if (to != swb_tile_line_offset(&c->tile, y, x))
                fail_msg("%s: byte %u of line %u goes to %u", c->way->name, x, y, to);
            read[from]++;
            written[to]++;
        }
}

static void assert_moves_once(const struct copy_case *c)
{
    static struct copy_plan plan;
    static uint8_t read[128 * COPY_PITCH_BYTES], written[32 * 1024];
    memset(read, 0, sizeof read);
    memset(written, 0, sizeof written);
    copy_plan_of(c, &plan);
    assert_true(plan.instructions > 0 && plan.instructions * plan.lanes <= COPY_MOST_MOVES);
    assert_int_equal(plan.instructions % plan.warps, 0);
    assert_int_equal(plan.stage_bytes % 1024, 0);
    for (uint32_t i = 0; i < plan.instructions * plan.lanes; i++) {
        assert_int_equal(plan.moves[i].global % 4, 0);
        assert_true(plan.moves[i].global / 4 < 1 << 16 && plan.moves[i].shared < 1 << 16);
        add_move(c, &plan, &plan.moves[i], read, written);
    }
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof written; i++) {
        assert_in_range(written[i], 0, 1);
        bytes += written[i];
    }
    assert_int_equal(bytes, plan.tile_bytes);
    for (unsigned line = 0; line < swb_tile_lines(&c->tile); line++)
        for (unsigned byte = 0; byte < swb_tile_line_bytes(&c->tile); byte++)
            assert_int_equal(read[line * plan.pitch_bytes + byte], 1);
}

static void test_each_byte_moves_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < copy_case_count(true); i++) {
        struct copy_case c = copy_case_at(i);
        if (c.way->kind != COPY_PLAIN && c.source == COPY_L2 && c.stages == 4)
            assert_moves_once(&c);
    }
}

/* A box that the driver takes and that the hardware can place. */
static void test_boxes_are_legal(void **state)
{
    (void)state;
    static struct copy_plan plan;
    for (size_t i = 0; i < copy_case_count(true); i++) {
        struct copy_case c = copy_case_at(i);
        if (c.way->kind != COPY_TMA)
            continue;
        copy_plan_of(&c, &plan);
        plan.map.dims[plan.map.rank - 1] = 16384;
        assert_int_equal(swb_tma_check(&plan.map, 90, NULL, 0), 0);
        for (uint32_t j = 0; j < plan.instructions; j++) {
            struct swb_tma_box box = swb_tma_box_of(&plan.map, plan.moves[j].shared);
            assert_null(swb_tma_box_refusal(&box));
        }
    }
}

static void assert_predicted(const char *name, const char *what, const char *value)
{
    assert_case(&family_copy, name, what, value);
}

/* Claim S15: 16 boxes against two, with 32 bytes a run either way. Claim S14: two boxes. */
static void test_boxes_of_the_claims(void **state)
{
    (void)state;
    const char *row = "tma-load 64x64B K/32B stack=row L2 stages=4",
               *col = "tma-load 64x64B K/32B stack=col L2 stages=4";
    assert_predicted(row, "instructions", "16");
    assert_predicted(col, "instructions", "2");
    assert_predicted(row, "run_bytes", "32");
    assert_predicted(col, "run_bytes", "32");
    assert_predicted(row, "model_sectors", "128");
    assert_predicted(col, "model_sectors", "128");
    assert_predicted("tma-load 64x256B K/128B stack=col L2 stages=4", "instructions", "2");
    assert_predicted("tma-load 64x256B MN/128B stack=row L2 stages=4", "instructions", "2");
    assert_predicted("tma-load 64x256B linear L2 stages=4", "instructions", "1");
    assert_predicted("tma-load 64x64B K/none stack=col L2 stages=4", "model_sectors", "256");
}

/* Claim S8: 128 bytes of shared memory a warp are conflict-free in every layout, and the runs are
 * as wide as the spans. */
static void test_runs_of_the_modes(void **state)
{
    (void)state;
    static const struct {
        const char *layout, *run, *sectors;
    } modes[] = {{"K/none stack=col", "16", "512"},
                 {"K/32B stack=col", "32", "256"},
                 {"K/64B stack=col", "64", "256"},
                 {"K/128B", "128", "256"}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char name[ROW_CASE_BYTES];
        snprintf(name, sizeof name, "ld-st.4 64x128B %s order=shared L2 stages=4", modes[i].layout);
        assert_predicted(name, "model_wavefronts", "64");
        assert_predicted(name, "ideal_wavefronts", "64");
        assert_predicted(name, "model_sectors", modes[i].sectors);
        assert_predicted(name, "run_bytes", modes[i].run);
    }
}

static void test_other_costs(void **state)
{
    (void)state;
    assert_predicted("ld-st.16 64x128B linear L2 stages=4", "model_requests", "16");
    assert_predicted("ld-st.16 64x128B linear L2 stages=4", "model_wavefronts", "64");
    assert_predicted("bulk-load 64x128B linear packed L2 stages=4", "instructions", "1");
    assert_predicted("bulk-load 64x128B linear L2 stages=4", "instructions", "64");
    assert_predicted("bulk-load 64x128B linear packed L2 stages=4", "model_sectors", "256");
    assert_predicted("bulk-load 64x64B K/none stack=col L2 stages=4", "instructions", "256");
    assert_predicted("cp.async.cg.16 64x128B K/128B L2 stages=4", "model_sectors", "256");
}

/* Requests that reached L2, of 64 tiles: those predicted, less what is merged on the way where a
 * sector is asked for twice. */
static void test_l2_requests_equal_the_hardware(void **state)
{
    (void)state;
    struct result_file file;
    struct error error;
    static struct row row;
    unsigned equal = 0, fewer = 0;
    if (!result_read("results/nvidia-h200/copy.csv", &file, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < copy_case_count(true); i++) {
        row_predict(&family_copy, i, &row);
        long at = result_find_case(&file, row.case_name);
        const char *model = row.values[COPY_COL_MODEL_L2_REQUESTS];
        if (at < 0 || !*model)
            continue;
        bool twice =
            atoi(row.values[COPY_COL_MODEL_SECTORS]) > atoi(row.values[COPY_COL_BYTES]) / 32;
        double more = atof(result_value(&file, (size_t)at, "hw_l2_requests")) - atof(model);
        bool may_be_fewer = twice && !strstr(row.values[COPY_COL_PATH], "store");
        if (more >= 1 || (more <= -1 && !may_be_fewer))
            fail_msg("%s: %s requests predicted, %+.2f counted", row.case_name, model, more);
        equal += more > -1;
        fewer += more <= -1;
    }
    assert_true(equal > 3500);
    assert_true(fewer > 0);
    result_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),
        cmocka_unit_test(test_full_has_all),
        cmocka_unit_test(test_each_byte_moves_once),
        cmocka_unit_test(test_boxes_are_legal),
        cmocka_unit_test(test_boxes_of_the_claims),
        cmocka_unit_test(test_runs_of_the_modes),
        cmocka_unit_test(test_other_costs),
        cmocka_unit_test(test_l2_requests_equal_the_hardware),
    };
    return cmocka_run_group_tests_name("copy", tests, NULL, NULL);
}
