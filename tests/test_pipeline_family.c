/* Is the table of the pipeline family what it claims: all extents and layouts that fit, legal boxes
 * that land where the descriptors lead, and the known costs predicted? */
#include "bench/families.h"
#include "bench/pipeline_plan.h"
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
    assert_unique_cases(&family_pipeline);
    assert_first_of_full(&family_pipeline, "k16 n64 A=K/none B=K/none stages=4 boxes=many");
}

/* Every N and k-block has every layout whose span divides the k-block. */
static void test_default_has_all_layouts(void **state)
{
    (void)state;
    static unsigned seen[257][129][4];
    for (size_t i = 0; i < pipeline_case_count(false); i++) {
        struct pipeline_case c = pipeline_case_at(i);
        assert_ptr_equal(c.layouts[SWB_MMA_A].mode, c.layouts[SWB_MMA_B].mode);
        seen[c.n][c.k_block][c.layouts[SWB_MMA_A].mode->swizzle_bits]++;
    }
    for (unsigned n = 64; n <= 256; n *= 2)
        for (unsigned k = 16; k <= 128; k *= 2)
            for (unsigned bits = 0; bits < 4; bits++)
                assert_int_equal(seen[n][k][bits] > 0, 2 * k % (16u << bits) == 0);
}

static void test_stages_fit_and_are_filled(void **state)
{
    (void)state;
    for (size_t i = 0; i < pipeline_case_count(true); i++) {
        struct pipeline_case c = pipeline_case_at(i);
        struct pipeline_plan plan;
        pipeline_plan_of(&c, &plan);
        const struct pipeline_operand *a = &plan.operands[SWB_MMA_A],
                                      *b = &plan.operands[SWB_MMA_B];
        assert_in_range(c.stages, 2, PIPELINE_MOST_STAGES);
        assert_true(c.stages * plan.stage_bytes <= PIPELINE_DATA_BYTES);
        assert_int_equal(plan.stage_bytes % 1024, 0);
        assert_int_equal(b->offset_bytes % 1024, 0);
        assert_int_equal(b->offset_bytes, a->boxes * a->box_bytes);
        assert_int_equal(plan.stage_bytes, b->offset_bytes + b->boxes * b->box_bytes);
        assert_int_equal(plan.positions & (plan.positions - 1), 0);
        assert_int_equal(plan.positions * c.k_block, PIPELINE_K);
        assert_true(c.stages < plan.positions);
    }
}

/* Address in the stage of byte `byte` of a line of the operand, by its boxes. */
static uint32_t landed(const struct pipeline_operand *o, unsigned lines, unsigned line,
                       unsigned byte)
{
    unsigned width = o->map.box[0] * 2, span = byte / width;
    unsigned box = o->map.rank == 2 ? span : 0;
    struct swb_tma_box shape = swb_tma_box_of(&o->map, o->offset_bytes + box * o->box_bytes);
    assert_null(swb_tma_box_refusal(&shape));
    assert_int_equal(swb_tma_box_bytes(&shape), o->box_bytes);
    return swb_tma_box_address(&shape, o->map.rank == 2 ? line : span * lines + line, byte % width);
}

static void assert_lands(const struct pipeline_case *c, enum swb_mma_operand operand,
                         const struct pipeline_operand *o)
{
    bool k_major = c->layouts[operand].major == SWB_K_MAJOR;
    assert_int_equal(swb_tma_check(&o->map, 90, NULL, 0), 0);
    for (unsigned row = 0; row < pipeline_rows(c, operand); row++)
        for (unsigned k = 0; k < c->k_block; k++) {
            unsigned line = k_major ? row : k, along = k_major ? k : row;
            uint32_t at = landed(o, pipeline_lines(c, operand), line, 2 * along);
            assert_int_equal(at, o->offset_bytes + swb_tile_byte_offset(&o->tile, row, k));
            assert_int_equal(at,
                             swb_descriptor_address(&o->descriptors[k / 16],
                                                    c->layouts[operand].major, 16, row, k % 16));
        }
}

static void test_boxes_land_where_descriptors_lead(void **state)
{
    (void)state;
    for (size_t i = 0; i < pipeline_case_count(true); i++) {
        struct pipeline_case c = pipeline_case_at(i);
        struct pipeline_plan plan;
        pipeline_plan_of(&c, &plan);
        for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
            assert_lands(&c, operand, &plan.operands[operand]);
    }
}

/* The same in every layout, and no wavefront more than the bytes need. */
static void test_operands_are_read_without_conflicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < pipeline_case_count(true); i++) {
        struct pipeline_case c = pipeline_case_at(i);
        struct pipeline_plan plan;
        pipeline_plan_of(&c, &plan);
        struct pipeline_prediction p = pipeline_predicted(&c, &plan);
        assert_int_equal(p.wavefronts, plan.stage_bytes / 128);
        assert_int_equal(p.wgmma_cycles, plan.steps * swb_wgmma_cycles(c.n, true, 16 + c.n / 4));
    }
}

static void test_cutlass_choice(void **state)
{
    (void)state;
    assert_string_equal(pipeline_cutlass_mode(8)->name, "none");
    assert_string_equal(pipeline_cutlass_mode(16)->name, "32B");
    assert_string_equal(pipeline_cutlass_mode(32)->name, "64B");
    assert_string_equal(pipeline_cutlass_mode(64)->name, "128B");
    assert_string_equal(pipeline_cutlass_mode(96)->name, "64B");
    assert_string_equal(pipeline_cutlass_mode(128)->name, "128B");
}

static void assert_predicted(const char *name, const char *what, const char *value)
{
    assert_case(&family_pipeline, name, what, value);
}

/* Clocks of TMA: one a line of at most 128 bytes; two of the sectors of 16-byte lines are waste. */
static void test_known_cases(void **state)
{
    (void)state;
    const char *wide = "k64 n128 A=K/128B B=K/128B stages=4 boxes=many",
               *narrow = "k64 n128 A=K/32B B=K/32B stages=4 boxes=many",
               *bricks = "k64 n128 A=K/none B=K/none stages=4 boxes=one",
               *many_bricks = "k64 n128 A=K/none B=K/none stages=4 boxes=many",
               *turned = "k16 n256 A=K/32B B=MN/64B stages=4 boxes=many";
    assert_predicted(wide, "tma_model_cycles", "192");
    assert_predicted(wide, "wgmma_model_cycles", "256");
    assert_predicted(wide, "bound_cycles", "256");
    assert_predicted(wide, "smem_model_cycles", "384");
    assert_predicted(wide, "model_sectors", "768");
    assert_predicted(wide, "model_wavefronts", "192");
    assert_predicted(wide, "bytes", "24576");
    assert_predicted(wide, "boxes_per_stage", "2");
    assert_predicted(wide, "cutlass_choice", "yes");
    assert_predicted(narrow, "tma_model_cycles", "768");
    assert_predicted(narrow, "bound_cycles", "768");
    assert_predicted(narrow, "model_sectors", "768");
    assert_predicted(narrow, "boxes_per_stage", "8");
    assert_predicted(narrow, "cutlass_choice", "no");
    assert_predicted(bricks, "tma_model_cycles", "1536");
    assert_predicted(bricks, "model_sectors", "1536");
    assert_predicted(bricks, "boxes_per_stage", "2");
    assert_predicted(many_bricks, "boxes_per_stage", "16");
    assert_predicted(turned, "boxes_per_stage", "9");
    assert_predicted(turned, "a_layout", "K/32B");
    assert_predicted(turned, "b_layout", "MN/64B");
    assert_predicted(turned, "cutlass_choice", "no");
    assert_predicted(turned, "tma_model_cycles", "192");
    assert_predicted("k16 n64 A=K/32B B=MN/128B stages=4 boxes=many", "cutlass_choice", "yes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),
        cmocka_unit_test(test_default_has_all_layouts),
        cmocka_unit_test(test_stages_fit_and_are_filled),
        cmocka_unit_test(test_boxes_land_where_descriptors_lead),
        cmocka_unit_test(test_operands_are_read_without_conflicts),
        cmocka_unit_test(test_cutlass_choice),
        cmocka_unit_test(test_known_cases),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
