/* Does kill -9 of the program or of its worker, at a random moment, cost more than the row in
 * flight, and does --resume end with the same rows?
 *
 * The program itself runs, over what the model predicts. $SWIZZLEBENCH_KILLS says how often (20);
 * $SWIZZLEBENCH_SEED, which is printed, when. tests/gpu/test_kills.c does the same on a card. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/disturbed.h"

static void kills_cost_no_other_row(void **state)
{
    const char *given = getenv("SWIZZLEBENCH_KILLS");
    unsigned kills = given ? (unsigned)strtoul(given, NULL, 10) : 20;
    assert_in_range(disturbed_kills(*state, kills, 3600), kills, kills + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kills_cost_no_other_row),
    };
    return cmocka_run_group_tests(tests, undisturbed_model, undisturbed_model_remove);
}
