/* Is the table of the wgmma family what it claims: every layout and N, names that are unique, and
 * the known costs and offsets predicted? */
#include "bench/families.h"
#include "bench/wgmma_operands.h"
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
    assert_unique_cases(&family_wgmma);
    assert_first_of_full(&family_wgmma, "bf16 n40 A=K/none B=K/none col");
}

static unsigned layout_number(const struct wgmma_layout *layout)
{
    return layout->mode->swizzle_bits + (layout->major == SWB_MN_MAJOR ? 4 : 0);
}

enum { REGISTERS = 8 };

/* How often each type, source or layout of A, layout of B and N / 8 occurs, flawless and stacked
 * along columns. */
static unsigned seen[WGMMA_TYPES][REGISTERS + 1][8][33];

static void count_cases(bool full)
{
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < wgmma_case_count(full); i++) {
        struct wgmma_case c = wgmma_case_at(i);
        if (c.flaw || c.base_lines || c.stack != SWB_STACK_COL)
            continue;
        unsigned a = c.a_in_shared ? layout_number(&c.layouts[SWB_MMA_A]) : (unsigned)REGISTERS;
        seen[c.type][a][layout_number(&c.layouts[SWB_MMA_B])][c.n / 8]++;
    }
}

static void test_bf16_has_all_pairs_and_n(void **state)
{
    (void)state;
    count_cases(true);
    for (unsigned a = 0; a <= REGISTERS; a++)
        for (unsigned b = 0; b < 8; b++)
            for (unsigned n = 1; n <= 32; n++)
                assert_int_equal(seen[0][a][b][n], 1);
    count_cases(false);
    for (unsigned a = 0; a <= REGISTERS; a++)
        for (unsigned b = 0; b < 8; b++)
            assert_int_equal(seen[0][a][b][32], 1);
}

/* 16-bit types in eight layouts, others K-major; integers have N = 8, 16, 24, 32 and then every
 * 16. */
static void test_other_types(void **state)
{
    (void)state;
    count_cases(true);
    for (unsigned t = 1; t < WGMMA_TYPES; t++) {
        const struct wgmma_type *type = wgmma_type_at(t);
        bool is_integer = type->exponent_bits == 0;
        unsigned layouts = type->bits == 16 ? 8 : 4;
        for (unsigned a = 0; a <= REGISTERS; a++)
            for (unsigned b = 0; b < 8; b++)
                for (unsigned n = 1; n <= 32; n++) {
                    bool exists = (a < layouts || a == REGISTERS) && b < layouts &&
                                  (!is_integer || n <= 4 || n % 2 == 0);
                    if (exists && (type->bits != 16 || a == b || a == REGISTERS))
                        assert_int_equal(seen[t][a][b][n], 1);
                    else
                        assert_true(exists || seen[t][a][b][n] == 0);
                }
    }
}

/* Sums must be exact: of 24 bits in f32, and of 13 where the tensor core adds fp8. */
static void test_sums_are_exact(void **state)
{
    (void)state;
    for (unsigned t = 0; t < WGMMA_TYPES; t++) {
        const struct wgmma_type *type = wgmma_type_at(t);
        long long most = -type->least > type->most ? -type->least : type->most;
        long long limit = type->exponent_bits && type->bits == 8 ? 1 << 13 : 1 << 24;
        assert_true(most * most * WGMMA_K_BYTES * 8 / type->bits < limit);
        for (int number = type->least; number <= type->most; number++)
            assert_true(type->bits == 32 || wgmma_element(type, number) >> type->bits == 0);
    }
}

/* Descriptors lead to where the layout has laid the elements, and read without conflicts. */
static void test_flawless_descriptors_are_right(void **state)
{
    (void)state;
    enum { EVERY = 5 };
    static struct wgmma_product truth, described;
    struct wgmma_plan plan;
    for (size_t i = 0; i < wgmma_case_count(true); i++) {
        struct wgmma_case c = wgmma_case_at(i);
        wgmma_plan_of(&c, &plan);
        assert_true(plan.image_bytes <= WGMMA_IMAGE_BYTES);
        assert_true(wgmma_predicted(&c, &plan).wavefronts ==
                    swb_wgmma_wavefronts(c.n, c.a_in_shared));
        if (!c.base_lines && !c.flaw && i % EVERY)
            continue;
        wgmma_true_product(&c, &plan, &truth);
        wgmma_described_product(&c, &plan, &described);
        double share = wgmma_differing_share(&c, &truth, &described);
        if (c.flaw ? share < 0.5 : share != 0)
            fail_msg("case %zu: %g of the outputs differ", i, share);
    }
}

static void assert_predicted(const char *name, const char *what, const char *value)
{
    assert_case(&family_wgmma, name, what, value);
}

static void test_known_cases(void **state)
{
    (void)state;
    const char *wide = "bf16 n256 A=K/128B B=MN/128B col",
               *narrow = "e4m3 n8 A=registers B=K/64B col";
    assert_predicted(wide, "model_cycles", "128");
    assert_predicted(wide, "model_wavefronts", "80");
    assert_predicted(wide, "a_lbo_bytes", "0");
    assert_predicted(wide, "a_sbo_bytes", "1024");
    assert_predicted(wide, "b_base_bytes", "16384");
    assert_predicted(wide, "b_lbo_bytes", "1024");
    assert_predicted(wide, "b_sbo_bytes", "4096");
    assert_predicted(narrow, "model_cycles", "13");
    assert_predicted(narrow, "tensor_cycles", "4");
    assert_predicted(narrow, "model_wavefronts", "2");
    assert_predicted(narrow, "k", "32");
    assert_predicted("tf32 n64 A=K/none B=K/none col", "b_lbo_bytes", "1024");
    assert_predicted("tf32 n64 A=K/none B=K/none row", "b_lbo_bytes", "128");
    assert_predicted("tf32 n64 A=K/none B=K/none row", "b_sbo_bytes", "2048");
    assert_predicted("bf16 n128 A=K/128B B=K/128B col B-at-384", "b_base_bytes", "16768");
    assert_predicted("bf16 n128 A=K/128B B=K/128B col wrong=B-as-64B", "model_wrong_share",
                     "0.875");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),
        cmocka_unit_test(test_bf16_has_all_pairs_and_n),
        cmocka_unit_test(test_other_types),
        cmocka_unit_test(test_sums_are_exact),
        cmocka_unit_test(test_flawless_descriptors_are_right),
        cmocka_unit_test(test_known_cases),
    };
    return cmocka_run_group_tests_name("wgmma", tests, NULL, NULL);
}
