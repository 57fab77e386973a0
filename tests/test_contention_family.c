/* Is the table of the contention family what it claims: all readers beside all writers, the four
 * reports, stages that do not overlap, and the known costs predicted? */
#include "bench/contention_bench.h"
#include "bench/families.h"
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
    assert_unique_cases(&family_contention);
    assert_first_of_full(&family_contention, "reader=ldmatrix.x4 K/none warps=8+0");
}

static bool is_default(const char *name)
{
    return case_index(&family_contention, name) < contention_case_count(false);
}

static void test_default_has_the_usual(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "reader=ldmatrix.x4 K/128B warps=8+0",
        "writer=tma 128B warps=0+8",
        "reader=ldmatrix.x4 K/128B writer=cp.async.16.cg K/none warps=8+8",
        "reader=ldmatrix.x4.trans MN/128B writer=st.shared.b32 linear warps=8+8",
        "reader=wgmma.n64 K/128B writer=tma 32B warps=4+8",
        "reader=wgmma.n256 K/128B writer=cp.async.4.ca linear warps=4+8",
        "report=sw334-ldmatrix-trans reader=ldmatrix.x4.trans Sw<3,3,4>/128 warps=8+0",
        "report=sw334-ldmatrix-trans reader=ldmatrix.x4.trans Sw<3,3,4>/64 writer=tma 128B "
        "warps=8+8",
        "report=ca-or-cg writer=cp.async.16.ca K/64B warps=0+8",
        "report=ca-or-cg writer=cp.async.16.cg K/64B warps=0+8",
        "report=smem-size writer=st.shared.b32 linear warps=0+8 smem=227KiB ctas=1",
        "report=smem-size writer=ld.global+st.shared.b128 K/128B warps=0+8 smem=16KiB "
        "carveout=50% ctas=8/SM",
        "report=grid reader=ldmatrix.x4 K/128B warps=8+0 smem=16KiB ctas=10/SM",
        "report=grid writer=st.shared.b32 linear warps=0+8 smem=16KiB ctas=1",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_true(is_default(wanted[i]));
    assert_in_range(contention_case_count(false), 100, 160);
}

static void test_full_has_others(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "reader=wgmma.n128 K/none writer=cp.async.8.ca K/none warps=4+8",
        "reader=ldmatrix.x4.trans MN/32B writer=ld.global+st.shared.b128 K/none warps=8+8",
        "reader=ldmatrix.x4 K/none writer=tma linear warps=8+8",
        "reader=ldmatrix.x4 K/128B writer=st.shared.b128 K/128B warps=2+2",
        "reader=wgmma.n64 K/128B writer=st.shared.b32 linear warps=4+4",
        "reader=ldmatrix.x4 K/128B writer=tma 128B warps=4+8",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_false(is_default(wanted[i]));
}

/* ---- Costs --------------------------------------------------------------------------------- */

static void test_known_costs(void **state)
{
    (void)state;
    static const struct {
        const char *name, *column, *value;
    } known[] = {
        {"reader=ldmatrix.x4 K/128B warps=8+0", "reader_model_wavefronts", "4"},
        {"reader=ldmatrix.x4 K/128B warps=8+0", "predicted", "0"},
        {"reader=ldmatrix.x4 linear warps=8+0", "reader_model_wavefronts", "32"},
        {"reader=ldmatrix.x4 linear warps=8+0", "predicted", "28"},
        {"reader=wgmma.n64 K/128B warps=4+0", "reader_model_wavefronts", "32"},
        {"reader=wgmma.n128 K/none warps=4+0", "reader_model_cycles", "64"},
        {"reader=wgmma.n256 K/128B warps=4+0", "reader_bytes", "10240"},
        {"writer=st.shared.b128 K/none warps=0+8", "predicted", "28"},
        {"writer=cp.async.16.cg K/none warps=0+8", "writer_model_wavefronts", "32"},
        {"writer=cp.async.16.cg K/none warps=0+8", "predicted", "0"},
        {"writer=cp.async.16.ca K/none warps=0+8", "predicted", "28"},
        {"writer=cp.async.16.ca K/none warps=0+8", "mode", "ca"},
        {"writer=tma 32B warps=0+8", "writer_model_cycles", "256"},
        {"writer=tma none warps=0+8", "writer_bytes", "4096"},
        {"report=sw334-ldmatrix-trans reader=ldmatrix.x4.trans Sw<3,3,4>/128 warps=8+0",
         "predicted", "0"},
        {"report=sw334-ldmatrix-trans reader=ldmatrix.x4.trans Sw<3,3,4>/64 warps=8+0", "predicted",
         "4"},
        {"report=grid writer=st.shared.b32 linear warps=0+8 smem=96KiB ctas=10/SM", "smem_bytes",
         "98304"},
        {"report=grid writer=st.shared.b32 linear warps=0+8 smem=96KiB ctas=10/SM", "ctas",
         "10/SM"},
        {"writer=cp.async.16.cg K/128B warps=0+8", "source_bytes", "1835008"},
        {"writer=st.shared.b32 linear warps=0+8", "source_bytes", ""},
        {"writer=tma 128B warps=0+8", "source_bytes", "16777216"},
        {"report=grid writer=ld.global+st.shared.b128 K/128B warps=0+8 smem=96KiB ctas=1/SM",
         "source_bytes", "114688"},
        {"report=grid writer=st.shared.b32 linear warps=0+8 smem=96KiB ctas=10/SM", "report",
         "grid"},
        /* Two sides that each take all of it; one with half of a side that takes five eighths. */
        {"reader=ldmatrix.x4 K/128B writer=st.shared.b128 K/128B warps=8+8", "model_slowdown", "2"},
        {"reader=wgmma.n256 K/128B writer=st.shared.b128 K/128B warps=4+8", "model_slowdown",
         "1.625"},
        {"reader=wgmma.n256 K/128B writer=st.shared.b128 K/128B warps=4+8", "model_cycles", "208"},
        {"reader=wgmma.n128 K/128B writer=tma 32B warps=4+8", "model_slowdown", "1"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_case(&family_contention, known[i].name, known[i].column, known[i].value);
}

/* The same places as in CuTe's notation, where the swizzle is on the numbers of elements. */
static void test_sw334_is_cutes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } pairs[] = {{"Sw<3,3,4>/128", "Sw<3,3,4> o (128,8):(1,128)"},
                 {"Sw<3,3,4>/64", "Sw<3,3,4> o (64,16):(1,64)"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct contention_layout layout;
        struct swb_composed composed;
        assert_true(contention_layout_find(pairs[i].name, 16, &layout));
        assert_true(swb_composed_parse(pairs[i].text, &composed, NULL));
        assert_int_equal(swb_tile_bytes(&layout.tile), 2048);
        for (unsigned col = 0; col < layout.tile.cols; col++)
            for (unsigned row = 0; row < layout.tile.rows; row++)
                assert_int_equal(swb_tile_byte_offset(&layout.tile, row, col),
                                 2 * swb_composed_at(&composed, row + layout.tile.rows * col));
    }
    struct contention_layout layout;
    assert_false(contention_layout_find("K/129B", 16, &layout));
}

/* ---- Places -------------------------------------------------------------------------------- */

static void assert_stage(const struct access_plan *lanes)
{
    for (unsigned slot = 0; slot < lanes->slots; slot++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            assert_true(lanes->offsets[slot][lane] + lanes->instruction->lane_bytes <=
                        CONTENTION_PITCH / 2);
    assert_in_range(lanes->slots, 1, CONTENTION_SLOTS);
}

/* A step of the tensor holds all that the lanes read at a place, and whole boxes. */
static void assert_sources(const struct contention_plan *p)
{
    for (unsigned slot = 0; slot < p->stores.slots; slot++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            assert_true(p->stores.sources[slot][lane] + 16 +
                            (CONTENTION_COPIES - 1) * CONTENTION_PITCH <=
                        CONTENTION_SOURCE_STEP_BYTES);
    if (!p->boxes)
        return;
    struct swb_tma_box box = swb_tma_box_of(&p->map, p->box_offset_bytes);
    assert_int_equal(swb_tma_check(&p->map, 90, NULL, 0), 0);
    assert_null(swb_tma_box_refusal(&box));
    assert_int_equal(swb_tma_box_bytes(&box), p->box_bytes);
    assert_int_equal(p->boxes & (p->boxes - 1), 0);
    assert_int_equal(CONTENTION_SOURCE_STEP_BYTES % p->box_bytes, 0);
}

static void test_stages_are_apart(void **state)
{
    (void)state;
    static struct contention_plan p;
    for (size_t i = 0; i < contention_case_count(true); i++) {
        struct contention_case c = contention_case_at(i);
        contention_plan_of(&c, &p);
        uint32_t end = CONTENTION_COPIES * CONTENTION_PITCH;
        if (p.loads.slots)
            assert_stage(&p.loads);
        if (p.stores.slots)
            assert_stage(&p.stores);
        assert_sources(&p);
        if (p.wgmma_offset_bytes) {
            assert_int_equal(p.wgmma_offset_bytes, end);
            end += p.operands.image_bytes;
        }
        if (p.boxes) {
            assert_true(p.box_offset_bytes >= end);
            assert_int_equal(p.box_offset_bytes % 1024, 0);
            end = p.box_offset_bytes + p.writer.warps * p.box_bytes;
            assert_true(p.barrier_offset >= end);
            assert_true(p.barrier_offset + 8 * p.writer.warps <= p.smem_bytes);
        }
        assert_true(p.image_bytes >= end && p.image_bytes <= CONTENTION_IMAGE_BYTES);
        assert_in_range(p.smem_bytes, p.image_bytes, 227 * 1024);
    }
}

/* What may be of many an iteration tells early from late by its bytes alone, and so does the last
 * box of a warp: no two iterations of any warps have the same. */
static void test_sources_come_once(void **state)
{
    (void)state;
    static struct contention_plan p;
    for (size_t i = 0; i < contention_case_count(true); i++) {
        struct contention_case c = contention_case_at(i);
        contention_plan_of(&c, &p);
        uint32_t visits = p.writer.warps * CONTENTION_SEGMENTS;
        if (p.boxes)
            assert_true(visits <= p.boxes);
        else if (p.copies && p.stores.instruction->kind == SWB_CP_ASYNC)
            assert_true(visits <= p.tensor_bytes / CONTENTION_SOURCE_STEP_BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),  cmocka_unit_test(test_default_has_the_usual),
        cmocka_unit_test(test_full_has_others),   cmocka_unit_test(test_known_costs),
        cmocka_unit_test(test_sw334_is_cutes),    cmocka_unit_test(test_stages_are_apart),
        cmocka_unit_test(test_sources_come_once),
    };
    return cmocka_run_group_tests_name("contention family", tests, NULL, NULL);
}
