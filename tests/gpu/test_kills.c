/* Does kill -9 of the program or of its worker, at a random moment, cost more than the row in
 * flight on a real GPU, which must be opened again after each, counters and all?
 *
 * As tests/test_kills.c. $SWIZZLEBENCH_KILLS says how often, and then it takes what time it takes;
 * otherwise as often as fits into a minute, 200 times at most. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/disturbed.h"

enum { MOST_KILLS = 200, LEAST_KILLS = 10 };

static const char *const words[] = {"shared", "--filter", "instruction=ldmatrix*,tile=64x64", NULL};
static const char *const families[] = {"shared", NULL};
/* Clocks differ from run to run; these do not. */
static const char *const columns[] = {
    "case",          "status",       "reason",        "verified",      "model_wavefronts",
    "hw_wavefronts", "hw_conflicts", "inst_expected", "inst_executed", NULL};
static struct undisturbed run = {.words = words, .families = families, .columns = columns};

static void kills_cost_no_other_row(void **state)
{
    (void)state;
    const char *given = getenv("SWIZZLEBENCH_KILLS");
    if (!undisturbed_run(&run)) {
        char why[512];
        disturbed_said(why, sizeof why);
        print_message("[  SKIPPED ] why: %s\n", why);
        skip();
    }
    unsigned kills = given ? (unsigned)strtoul(given, NULL, 10) : MOST_KILLS;
    print_message("in peace: %zu rows in %.1f s\n", run.files[0].row_count, run.seconds);
    unsigned done = disturbed_kills(&run, kills, given ? 3600 : 60);
    assert_true(done >= (given ? kills : LEAST_KILLS));
}

static int tear_down(void **state)
{
    (void)state;
    undisturbed_remove(&run);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kills_cost_no_other_row),
    };
    return cmocka_run_group_tests_name("kills", tests, NULL, tear_down);
}
