/* Is the table of the tma family what it claims: every geometry, names that are unique, and the
 * known sectors predicted? */
#include "bench/families.h"
#include "bench/tma_cases.h"
#include "bench/tma_global.h"
#include "harness/result.h"
#include "tests/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GEOMETRY_ROWS = 23552, BF16 = 9 };

static size_t column(const char *name)
{
    return case_column(&family_tma, name);
}

static void test_cases_are_unique(void **state)
{
    (void)state;
    assert_unique_cases(&family_tma);
}

/* A plain bf16 box of rank 2: nothing about it but its sides, its swizzle and its way is special.
 */
static bool is_geometry(const struct tma_case *c)
{
    const struct swb_tma_map *map = &c->map;
    return (c->way == TMA_LOAD || c->way == TMA_STORE) && c->chip == TMA_ONE_SM &&
           map->dtype == BF16 && map->rank == 2 && map->interleave == 0 && map->swizzle < 4 &&
           map->oob_fill == 0 && map->l2_promotion == 0 && c->smem_offset == 0 &&
           c->start[0] == 0 && c->start[1] == 0 && map->element_strides[0] == 1 &&
           map->element_strides[1] == 1 && swb_tma_check(map, 90, NULL, 0) == 0;
}

static void test_every_geometry_is_there(void **state)
{
    (void)state;
    static unsigned seen[2][4][33][257];
    size_t rows = 0, legal = 0;
    for (size_t i = 0; i < tma_case_count(true); i++) {
        const struct tma_case *c = tma_case_at(i);
        if (!is_geometry(c))
            continue;
        rows++;
        seen[c->way == TMA_STORE][c->map.swizzle][c->map.box[0] / 8][c->map.box[1]]++;
    }
    assert_int_equal(rows, GEOMETRY_ROWS);
    static const unsigned widest[] = {32, 2, 4, 8};
    for (unsigned way = 0; way < 2; way++)
        for (unsigned swizzle = 0; swizzle < 4; swizzle++)
            for (unsigned width = 1; width <= widest[swizzle]; width++)
                for (unsigned height = 1; height <= 256; height++, legal++)
                    assert_int_equal(seen[way][swizzle][width][height], 1);
    assert_int_equal(legal, GEOMETRY_ROWS);
    assert_true(tma_case_count(false) > 1000 && tma_case_count(false) < 2000);
}

/* Alone a start that makes the instruction fault is refused without the driver, and a row names a
 * rule where the model has one. */
static void test_legality_is_the_models(void **state)
{
    (void)state;
    size_t rule = column("rule"), sectors = column("model_sectors"), forbidden = 0, faulting = 0;
    static struct row row;
    for (size_t i = 0; i < tma_case_count(true); i++) {
        const struct tma_case *c = tma_case_at(i);
        row_predict(&family_tma, i, &row);
        bool faults = strncmp(row.values[rule], "start-", 6) == 0;
        assert_int_equal(row.status, faults ? ROW_REFUSED : ROW_OK);
        bool broken = faults || tma_broken_rules(c, 90, NULL, 0) > 0;
        assert_int_equal(broken, row.values[rule][0] != 0);
        if ((!broken || faults) && c->way != TMA_PLAIN_LOAD)
            assert_true(row.values[sectors][0] != 0);
        forbidden += broken;
        faulting += faults;
    }
    assert_int_equal(forbidden, 33);
    assert_int_equal(faulting, 8);
}

static void assert_predicted(const char *name, const char *what, const char *value)
{
    assert_case(&family_tma, name, what, value);
}

static void test_known_sectors(void **state)
{
    (void)state;
    assert_predicted("load bf16 64x64 128B", "model_sectors", "256");
    assert_predicted("load bf16 64x64 128B", "reads_as", "K/128B");
    assert_predicted("load bf16 8x256 none", "model_sectors", "256");
    assert_predicted("load bf16 8x256 none", "needed_sectors", "128");
    assert_predicted("load bf16 8x256 none", "waste", "2");
    assert_predicted("store bf16 24x7 none", "model_sectors", "15");
    assert_predicted("load bf16 40x3 128B", "smem_bytes", "384");
    assert_predicted("load bf16 40x3 128B", "box_bytes", "240");
    assert_predicted("load bf16 64x64 128B steps=1;2", "rows", "32");
    assert_predicted("load bf16 64x63 128B steps=1;2", "rows", "32");
    assert_predicted("store bf16 64x64 128B start=-8;-20", "rule", "start-store");
    assert_predicted("store bf16 64x64 128B start=1000;8150", "model_sectors", "84");
    assert_predicted("load bf16 16x4x8x2 none interleave=16B", "box_bytes", "2048");
    assert_predicted("load bf16 16x8x4 none interleave=16B steps=2;1;1", "box_bytes", "512");
    assert_predicted("im2col bf16 64x128 128B window=0;0 to=0;0 tap=0;0", "rows", "128");
    assert_predicted("im2col bf16 257x8 none window=0;0 to=0;0 tap=0;0", "rule", "im2col-channels");
    assert_predicted("multicast bf16 8x64 none cluster=2", "model_sectors", "256");
    assert_predicted("multicast bf16 40x64 none cluster=2", "model_sectors", "464");
    assert_predicted("bulk-load 48", "model_sectors", "2");
    assert_predicted("load bf16 64x64 128B", "model_cycles", "64");
    assert_predicted("load bf16 8x256 none", "model_cycles", "256");
    assert_predicted("load bf16 24x256 none", "model_cycles", "544");
    assert_predicted("load bf16 24x256 128B", "model_cycles", "512");
    assert_predicted("load bf16 40x256 128B", "model_cycles", "512");
    assert_predicted("store bf16 64x64 128B", "model_cycles", "257");
    assert_predicted("store bf16 8x256 none", "model_cycles", "513");
    assert_predicted("store bf16 24x256 128B", "model_cycles", "769");
    assert_predicted("store bf16 24x128 none", "model_cycles", "417");
    assert_predicted("multicast bf16 64x8 128B cluster=4", "model_sectors", "128");
    assert_predicted("prefetch bf16 64x64 128B", "model_sectors", "256");
    assert_predicted("load bf16 64x64 128B start=2000;0", "model_cycles", "");
    assert_predicted("load bf16 64x64 128B-atom32B", "rule", "swizzle-atom");
    assert_predicted("load bf16 72x64 128B", "rule", "box-width-span");
    assert_predicted("load bf16 64x64x29 none", "rule", "box-bytes");
    assert_predicted("load bf16 64x64 128B start=1;0", "rule", "start-16B");
    assert_predicted("load bf16 64x64 128B start=997;0", "rule", "start-16B");
    assert_predicted("load bf16 64x64 128B start=-3;-1", "rule", "start-16B");
}

/* ---- What the hardware counted -------------------------------------------------------------- */

static void assert_as_before(const struct result_file *file, size_t at, const struct row *row,
                             const char *name)
{
    const char *before = result_value(file, at, name), *now = row->values[column(name)];
    if (strcmp(before, now) != 0)
        fail_msg("%s: %s was %s and is %s", row->case_name, name, before, now);
}

/* Requests that reached L2, of eight boxes, with some of the launch's own. None is missing but
 * where a sector is asked for twice, which may be merged, or lies outside the tensor. */
static void assert_requests(const struct tma_case *c, const struct row *row, const char *hw)
{
    const char *model = row->values[column("model_requests")];
    uint64_t needed = strtoull(row->values[column("needed_sectors")], NULL, 10);
    uint64_t sectors = strtoull(row->values[column("model_sectors")], NULL, 10);
    bool is_tile = c->way != TMA_IM2COL &&
                   strncmp(row->values[column("interleave")], "16", 2) != 0 &&
                   strncmp(row->values[column("interleave")], "32", 2) != 0;
    bool merged = tma_way_loads(c->way) && (sectors > needed || !is_tile);
    bool outside = c->way == TMA_PREFETCH && sectors > needed;
    double more = atof(hw) - atof(model);
    /* Not all boxes are cut off as box 0 is. */
    bool of_box_0 = strcmp(row->values[column("start")], "1000;8150") != 0 &&
                    strcmp(row->values[column("start")], "504;8150") != 0;
    if (of_box_0 && (more >= 1 || (more <= -1 && !merged && !outside)))
        fail_msg("%s: %s requests predicted, %s counted", row->case_name, model, hw);
}

/* Every row that was measured is still a case, with the sectors that were counted. */
static void test_sectors_equal_the_hardware(void **state)
{
    (void)state;
    struct result_file file;
    struct error error;
    static struct row row;
    size_t counted = 0, found = 0;
    if (!result_read("results/nvidia-h200/tma.csv", &file, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < tma_case_count(true); i++) {
        row_predict(&family_tma, i, &row);
        long at = result_find_case(&file, row.case_name);
        if (at < 0)
            continue;
        found++;
        const char *hw = result_value(&file, (size_t)at, "hw_sectors");
        const char *model = row.values[column("model_sectors")];
        if (*hw && strcmp(hw, model) != 0)
            fail_msg("%s: %s sectors predicted, %s counted", row.case_name, model, hw);
        if (*result_value(&file, (size_t)at, "hw_requests"))
            assert_requests(tma_case_at(i), &row, result_value(&file, (size_t)at, "hw_requests"));
        assert_as_before(&file, (size_t)at, &row, "model_cycles");
        assert_as_before(&file, (size_t)at, &row, "needed_sectors");
        assert_as_before(&file, (size_t)at, &row, "waste");
        assert_as_before(&file, (size_t)at, &row, "reads_as");
        counted += *hw != 0;
    }
    assert_int_equal(found, file.row_count);
    assert_true(counted > GEOMETRY_ROWS);
    result_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),
        cmocka_unit_test(test_every_geometry_is_there),
        cmocka_unit_test(test_legality_is_the_models),
        cmocka_unit_test(test_known_sectors),
        cmocka_unit_test(test_sectors_equal_the_hardware),
    };
    return cmocka_run_group_tests_name("tma", tests, NULL, NULL);
}
