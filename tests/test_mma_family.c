/* Is the table of the mma family what it claims: every pair of layouts, names that are unique, and
 * the known costs predicted? */
#include "bench/families.h"
#include "bench/mma_plan.h"
#include "tests/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/mma_bench.h"

enum { LAYOUTS = 10, K_LAYOUTS = 6 };

static void test_cases_are_unique(void **state)
{
    (void)state;
    assert_unique_cases(&family_mma);
}

static void test_every_pair_is_there(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t pairs, wrong;
    } types[] = {{"bf16", LAYOUTS * LAYOUTS, 12},
                 {"f16", LAYOUTS * LAYOUTS, 12},
                 {"tf32", LAYOUTS * LAYOUTS, 0},
                 {"s8", K_LAYOUTS * K_LAYOUTS + LAYOUTS - K_LAYOUTS, 0},
                 {"e4m3", K_LAYOUTS * K_LAYOUTS + LAYOUTS - K_LAYOUTS, 0}};
    size_t all = 0;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        size_t pairs = 0, wrong = 0;
        for (size_t i = 0; i < mma_case_count(true); i++) {
            const struct mma_case *c = mma_case_at(i);
            bool is_of = strcmp(c->type->name, types[t].name) == 0;
            wrong += is_of && mma_case_is_wrong(c);
            pairs += is_of && !mma_case_is_wrong(c);
        }
        assert_int_equal(pairs, types[t].pairs);
        assert_int_equal(wrong, types[t].wrong);
        all += pairs + wrong;
    }
    assert_int_equal(all, mma_case_count(true));
    assert_int_equal(mma_case_count(false), LAYOUTS * LAYOUTS + 12 + 4 * LAYOUTS);
}

/* Without the addresses being wrong on purpose, threads get what they should; without .trans all
 * but the diagonals of the 8 x 8 matrices changes places. */
static void test_what_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < mma_case_count(true); i++) {
        const struct mma_case *c = mma_case_at(i);
        for (unsigned which = 0; which < MMA_READ; which++) {
            const struct mma_plan *plan = mma_plan_of(c, (enum swb_mma_operand)which);
            if (plan->why_not)
                continue;
            for (unsigned element = 0; element < plan->rows * plan->cols; element++) {
                unsigned row = element % plan->rows, col = element / plan->rows;
                unsigned turned = row / 8 * 8 + col % 8 + plan->rows * (col / 8 * 8 + row % 8);
                assert_int_equal(plan->found[element], c->without_trans[which] ? turned : element);
            }
        }
    }
}

static void assert_predicted(const char *name, const char *what, const char *value)
{
    assert_case(&family_mma, name, what, value);
}

static void test_known_costs(void **state)
{
    (void)state;
    assert_predicted("bf16 A=K/128B B=K/128B", "model_wavefronts", "1.5");
    assert_predicted("bf16 A=K/128B B=K/128B", "load", "ldmatrix.x4");
    assert_predicted("bf16 A=linear B=linear", "model_wavefronts", "12");
    assert_predicted("bf16 A=linear B=linear", "model_conflicts", "10.5");
    assert_predicted("bf16 A=padded B=MN/none", "load", "ldmatrix.x4, ldmatrix.x4.trans");
    assert_predicted("bf16 A=MN/64B B=K/128B A-without-trans", "load", "ldmatrix.x4");
    assert_predicted("bf16 A=MN/64B B=K/128B A-without-trans", "a_misplaced_share", "0.875");
    assert_predicted("bf16 A=MN/64B B=K/128B A-without-trans", "b_misplaced_share", "0");
    assert_predicted("tf32 A=MN/32B B=MN/32B", "model_wavefronts", "1.5");
    assert_predicted("tf32 A=MN/128B B=MN/128B", "model_wavefronts", "3");
    assert_predicted("s8 A=K/128B B=linear", "model_wavefronts", "5");
}

static void assert_status(const char *name, enum row_status status)
{
    static struct row row;
    row_predict(&family_mma, case_index(&family_mma, name), &row);
    assert_int_equal(row.status, status);
}

static void test_what_no_kernel_loads(void **state)
{
    (void)state;
    assert_status("s8 A=MN/128B B=MN/128B", ROW_SKIPPED);
    assert_status("e4m3 A=MN/none B=MN/none", ROW_SKIPPED);
    assert_status("tf32 A=MN/none B=MN/none", ROW_OK);
}

/* By hand, from the formats. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        struct mma_type type;
        int number;
        uint32_t bits;
    } numbers[] = {
        {{.exponent_bits = 8, .mantissa_bits = 7}, 1, 0x3f80},
        {{.exponent_bits = 8, .mantissa_bits = 7}, -128, 0xc300},
        {{.exponent_bits = 8, .mantissa_bits = 7}, 127, 0x42fe},
        {{.exponent_bits = 5, .mantissa_bits = 10}, 3, 0x4200},
        {{.exponent_bits = 5, .mantissa_bits = 10}, -127, 0xd7f0},
        {{.exponent_bits = 8, .mantissa_bits = 23}, -100, 0xc2c80000},
        {{.exponent_bits = 4, .mantissa_bits = 3}, 7, 0x4e},
        {{.exponent_bits = 4, .mantissa_bits = 3}, -8, 0xd0},
        {{.exponent_bits = 4, .mantissa_bits = 3}, 0, 0},
        {{.exponent_bits = 0, .mantissa_bits = 0}, -2, 0xfffffffe},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_int_equal(mma_encode(&numbers[i].type, numbers[i].number), numbers[i].bits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_unique),     cmocka_unit_test(test_every_pair_is_there),
        cmocka_unit_test(test_what_is_found),        cmocka_unit_test(test_known_costs),
        cmocka_unit_test(test_what_no_kernel_loads), cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests_name("mma", tests, NULL, NULL);
}
