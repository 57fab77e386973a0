/* Is the table of the transpose family what it claims: names that are unique, plans that move every
 * byte to its place, and the known costs predicted? */
#include "bench/families.h"
#include "bench/transpose_plan.h"
#include "tests/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_cases_are_unique(void **state)
{
    (void)state;
    assert_unique_cases(&family_transpose);
    assert_int_equal(transpose_case_count(false), 135);
    assert_int_equal(transpose_case_count(true), 248);
}

/* No two bytes of a tile lie in one place, and none outside. */
static void test_layouts_are_one_to_one(void **state)
{
    (void)state;
    static uint8_t taken[32768];
    for (size_t i = 0; i < transpose_case_count(true); i++) {
        const struct transpose_case *c = transpose_case_at(i);
        if (c->method->is_copy)
            continue;
        memset(taken, 0, sizeof taken);
        for (unsigned line = 0; line < c->tile; line++)
            for (unsigned byte = 0; byte < transpose_line_bytes(c); byte++) {
                uint32_t at = transpose_smem_offset(c, line, byte);
                assert_true(at < transpose_smem_bytes(c));
                assert_int_equal(taken[at]++, 0);
            }
    }
}

/* Pieces are whole: their bytes lie beside each other, and every thread has as many. */
static void test_pieces_cover_the_tile(void **state)
{
    (void)state;
    static struct transpose_plan plan;
    static uint8_t taken[TRANSPOSE_MAX_TILE][4 * TRANSPOSE_MAX_TILE];
    for (size_t i = 0; i < transpose_case_count(true); i++) {
        const struct transpose_case *c = transpose_case_at(i);
        if (c->method->is_copy)
            continue;
        transpose_plan_of(c, &plan);
        assert_int_equal(plan.threads % SWB_LANES, 0);
        assert_true(plan.threads <= TRANSPOSE_MAX_THREADS);
        for (unsigned step = TRANSPOSE_LOAD; step <= TRANSPOSE_STORE; step += TRANSPOSE_STORE) {
            const struct transpose_pieces *pieces = &plan.steps[step];
            memset(taken, 0, sizeof taken);
            for (unsigned piece = 0; piece < pieces->count; piece++)
                for (unsigned thread = 0; thread < plan.threads; thread++)
                    for (unsigned b = 0; b < plan.thread_bytes / pieces->count; b++) {
                        uint32_t at = pieces->at[piece][thread];
                        assert_int_equal(taken[at >> 16][(at & 0xffff) + b]++, 0);
                    }
            for (unsigned line = 0; line < c->tile && pieces->count; line++)
                for (unsigned byte = 0; byte < transpose_line_bytes(c); byte++)
                    assert_int_equal(taken[line][byte], 1);
        }
    }
}

static void assert_costs(const char *name, const char *in, const char *out)
{
    assert_case(&family_transpose, name, "model_wavefronts_in", in);
    assert_case(&family_transpose, name, "model_wavefronts_out", out);
}

/* By hand: 32 words a row or a column, one wavefront where they are in banks of their own. */
static void test_known_costs(void **state)
{
    (void)state;
    assert_costs("32-bit 32x32 elements linear", "32", "1024");
    assert_costs("32-bit 32x32 elements padded4", "32", "32");
    assert_costs("32-bit 32x32 elements padded16", "32", "128");
    assert_costs("32-bit 32x32 elements 4B-xor", "32", "32");
    assert_costs("32-bit 32x32 elements K/128B", "32", "128");
    assert_costs("32-bit 64x64 elements 4B-xor", "128", "256");
    assert_costs("16-bit 64x64 ldmatrix.trans-8x16B K/128B", "64", "64");
    assert_costs("16-bit 64x64 ldmatrix.trans K/128B", "64", "256");
    assert_costs("16-bit 64x64 stmatrix.trans linear", "512", "64");
    assert_costs("16-bit 64x64 tma-words K/128B", "", "512");
    assert_case(&family_transpose, "16-bit 64x64 tma-words K/128B", "instruction_in", "TMA");
    assert_case(&family_transpose, "16-bit 64x64 tma-words-tma K/128B", "model_wavefronts_put",
                "64");
    assert_case(&family_transpose, "16-bit 64x64 tma-words-tma K/128B", "instruction_put",
                "st.shared.b32");
    assert_case(&family_transpose, "8-bit 64x64 ldmatrix.trans K/64B", "store_bytes", "8");
    assert_case(&family_transpose, "8-bit 64x64 elements linear", "load_bytes", "1");
}

static bool is_free(const struct transpose_plan *plan)
{
    return plan->steps[TRANSPOSE_WRITE].cost.conflicts +
               plan->steps[TRANSPOSE_READ].cost.conflicts ==
           0;
}

/* The layouts made for it have no conflicts either way, whatever the width and the tile; no layout
 * with 16-byte atoms has none where words are read down a column. */
static void test_what_is_free_of_conflicts(void **state)
{
    (void)state;
    static struct transpose_plan plan;
    for (size_t i = 0; i < transpose_case_count(true); i++) {
        const struct transpose_case *c = transpose_case_at(i);
        if (c->method->is_copy)
            continue;
        transpose_plan_of(c, &plan);
        if (c->layout->kind == TRANSPOSE_4B_PACKED && c->method->in == TRANSPOSE_IN_WORDS)
            assert_true(is_free(&plan));
        if (c->layout->kind == TRANSPOSE_16B_PACKED &&
            c->method->out != TRANSPOSE_OUT_LDMATRIX_8X16B)
            assert_true(is_free(&plan));
        if (c->layout->mode.chunk_bytes == 16 && c->method->out == TRANSPOSE_OUT_WORDS)
            assert_true(plan.steps[TRANSPOSE_READ].cost.conflicts > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),
        cmocka_unit_test(test_layouts_are_one_to_one),
        cmocka_unit_test(test_pieces_cover_the_tile),
        cmocka_unit_test(test_known_costs),
        cmocka_unit_test(test_what_is_free_of_conflicts),
    };
    return cmocka_run_group_tests_name("transpose", tests, NULL, NULL);
}
