/* Does compare find what differs between two folders, and only that? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/commands.h"
#include "harness/compare_columns.h"
#include "harness/slurp.h"
#include "tests/ask.h"
#include "tests/sides.h"

static struct answer *compare(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct answer *compare(const char *format, ...)
{
    char line[1024] = "compare ";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + strlen(line), sizeof line - strlen(line), format, arguments);
    va_end(arguments);
    return ask(&command_compare, line);
}

/* What --csv says about a and b, without its header. */
static const char *differences(const char *rows_of_b)
{
    sides_write(rows_of_b);
    struct answer *answer = compare("a b --csv --fail-if never");
    assert_int_equal(answer->status, 0);
    char *rows = strchr(answer->out, '\n');
    assert_non_null(rows);
    return rows + 1;
}

/* ---- What differs -------------------------------------------------------------------------- */

static void same_rows_do_not_differ(void **state)
{
    (void)state;
    assert_string_equal(differences(sides_rows), "");
    struct answer *answer = ask_well(&command_compare, "compare a b");
    assert_contains(answer->out, "3 rows in both, 0 in A alone, 0 in B alone");
    assert_contains(answer->out, "\n0 differences\n");
    assert_contains(answer->out, "GPU a  GPU b");
}

static void a_median_changes_only_beyond_the_spread_and_the_threshold(void **state)
{
    (void)state;
    /* one: 4 % slower, apart; two: the same 0.4 % apart; three: 5 % slower, but within samples */
    assert_string_equal(differences("mma,one,ok,,yes,2,2,104,103,105,2000\n"
                                    "mma,two,ok,,yes,4,4,200.8,200.7,200.9,2000\n"
                                    "mma,three,ok,,yes,4,4,210,205,215,2000\n"),
                        "mma,one,b,slower,cycles_per_mma,clk/mma,100,99,101,104,103,105,1.04\n");
    struct answer *answer = compare("a b --csv --all --fail-if never");
    assert_contains(answer->out, "mma,two,b,none,cycles_per_mma,clk/mma,200,199,201,200.8,");
    answer = compare("a b --threshold 5%% --fail-if never");
    assert_contains(answer->out, "\n0 differences\n");
}

static void less_time_is_faster(void **state)
{
    (void)state;
    assert_string_equal(differences("mma,one,ok,,yes,2,2,50,49,51,2000\n"
                                    "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                                    "mma,three,ok,,yes,4,4,200,190,210,2000\n"),
                        "mma,one,b,faster,cycles_per_mma,clk/mma,100,99,101,50,49,51,0.5\n");
}

static void clocks_and_seconds_are_told_apart(void **state)
{
    (void)state;
    sides_write("mma,one,ok,,yes,2,2,100,99,101,1000\n");
    struct answer *answer = compare("a b --csv --absolute --filter case=one --fail-if never");
    assert_contains(answer->out,
                    "mma,one,b,slower,cycles_per_mma,ns/mma,50,49.5,50.5,100,99,101,2\n");
}

/* A launch may be too short to tell the clock, in one run and not in the next. */
static void a_clock_that_one_side_lacks_is_no_difference(void **state)
{
    (void)state;
    sides_write("mma,one,ok,,yes,2,2,100,99,101,\n"
                "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    struct answer *answer = ask_well(&command_compare, "compare a b --absolute");
    assert_contains(answer->out, "0 with a faster one, in A alone in 1 row\n"
                                 "  1 value on one side alone, not compared\n");
    assert_contains(answer->out, "\n0 differences\n");
    assert_contains(ask_well(&command_compare, "compare b a --absolute")->out,
                    "0 with a faster one, in B alone in 1 row\n");

    /* the clocks themselves are another matter */
    sides_write("mma,one,ok,,yes,2,2,,,,\n"
                "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                "mma,three,ok,,yes,4,4,,,,2000\n");
    answer = compare("a b --absolute --fail-if slower>5%%");
    assert_int_equal(answer->status, 1);
    assert_contains(answer->err, "a value, such as cycles_per_mma, on one side alone 2 times");
}

static void counters_model_and_status_are_exact(void **state)
{
    (void)state;
    assert_string_equal(differences("mma,one,ok,,yes,2,2.5,100,99,101,2000\n"
                                    "mma,two,ok,,yes,5,4,200,199,201,2000\n"
                                    "mma,three,failed,wrong bytes,no,4,4,,,,\n"),
                        "mma,three,b,status,,,ok,,,failed: wrong bytes,,,\n"
                        "mma,one,b,counter,hw_wavefronts,wavefront/mma,2,,,2.5,,,1.25\n"
                        "mma,two,b,model,model_wavefronts,wavefront/mma,4,,,5,,,1.25\n");
}

static void more_work_as_expected_is_the_same(void **state)
{
    static const char columns[] =
        "family,case,status,reason,verified,reader_inst_expected,"
        "reader_inst_executed,reader_hw_wavefronts,reader_sass_wavefronts";
    (void)state;
    sides_file("a/contention.csv", sides_schema, columns,
               "contention,one,ok,,yes,10,10,4,4\ncontention,two,ok,,yes,10,10,4,4\n"
               "contention,three,ok,,yes,10,10,4,4\n");
    sides_file("b/contention.csv", sides_schema, columns,
               "contention,one,ok,,yes,20,20,4.5,4\ncontention,two,ok,,yes,20,21,4,5\n"
               "contention,three,ok,,yes,8,10,4,4\n");
    struct answer *answer = compare("a/contention.csv b/contention.csv --csv --fail-if never");
    char *rows = strchr(answer->out, '\n');
    assert_non_null(rows);
    assert_string_equal(
        rows + 1,
        "contention,two,b/contention.csv,counter,reader_sass_wavefronts,wavefront/instruction,4,,,5"
        ",,,1.25\n"
        "contention,three,b/contention.csv,counter,reader_inst_executed,instruction,10,,,10,,,1.25"
        "\n"
        "contention,two,b/contention.csv,counter,reader_inst_executed,instruction,10,,,21,,,1.05\n"
        "contention,one,b/contention.csv,traffic,reader_hw_wavefronts,wavefront/instruction,4,,,4.5"
        ",,,1.125\n");
    unlink("a/contention.csv");
    unlink("b/contention.csv");
}

/* Of mma: one row 0.4 % off, one 0.8 %, one counter and one model differ; of tma the same once. */
static void all_families_are_added_up(void **state)
{
    static const char columns[] = "family,case,status,reason,verified,model_sectors,hw_sectors,"
                                  "cycles_per_box";
    (void)state;
    sides_write("mma,one,ok,,yes,2,2.5,100.4,99,101,2000\n"
                "mma,two,ok,,yes,5,4,201.6,199,201,2000\n"
                "mma,three,ok,,yes,4,,200,190,210,2000\n");
    sides_file("a/tma.csv", sides_schema, columns,
               "tma,one,ok,,yes,4,4,100\ntma,two,ok,,yes,4,4,100\n");
    sides_file("b/tma.csv", sides_schema, columns,
               "tma,one,ok,,yes,4,5,100\ntma,two,ok,,yes,3,4,102\n");
    struct answer *answer = compare("a b --fail-if never");
    assert_contains(answer->out, "\nall 2 families, A and B\n"
                                 "  5 rows in both\n"
                                 "  counters with a prediction: other in 2 of 4 rows with any on "
                                 "both sides, in A alone in 1 row\n"
                                 "  model: other in 2 of 5 rows with any on both sides\n"
                                 "  1 value on one side alone, not compared\n"
                                 "  medians: 5, 60.00 % within 0.5 %, 80.00 % within 1 %\n");
    answer = compare("a b --markdown --fail-if never");
    assert_contains(answer->out, "## all 2 families, A and B\n\n- 5 rows in both\n");
    assert_null(strstr(compare("a/tma.csv b/tma.csv --fail-if never")->out, "families"));

    sides_file("b/tma.csv", sides_schema, columns,
               "tma,one,ok,,yes,4,,100\ntma,two,ok,,yes,4,,100\n");
    answer = compare("a/tma.csv b/tma.csv");
    assert_contains(answer->out, "  counters with a prediction: in A alone in 2 rows\n"
                                 "  other counters: none on either side\n");
    unlink("a/tma.csv");
    unlink("b/tma.csv");
}

/* Two GPUs may have one name: of which card a family is, its UUID says. */
static void families_of_one_gpu_are_counted(void **state)
{
    (void)state;
    static const char *const gpus[3][3] = {
        {"a/mma.csv", "b/mma.csv", "GPU-1"},
        {"a/tma.csv", "b/tma.csv", "GPU-2"},
        {"a/wgmma.csv", "b/wgmma.csv", "GPU-1"},
    };
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        for (size_t side = 0; side < 2; side++) {
            const char *path = gpus[i][side];
            snprintf(text, sizeof text,
                     "# schema: %s\n# gpu_uuid: %s\nfamily,case,status,reason,verified\n"
                     "%.*s,x,ok,,yes\n",
                     sides_schema, i == 2 && side == 1 ? "GPU-3" : gpus[i][2],
                     (int)(strlen(path) - strlen("a/.csv")), path + 2);
            sides_text(path, text);
        }
    }
    assert_contains(ask_well(&command_compare, "compare a b")->out,
                    "\n  3 rows in both\n"
                    "  the same GPU on both sides: in 2 of 3 families (2 GPUs)\n");

    /* the model has none, and where no family is of one card none is counted */
    for (size_t i = 0; i < 2; i++) {
        for (size_t side = 0; side < 2; side++) {
            snprintf(text, sizeof text,
                     "# schema: %s\n# gpu_uuid: %s\nfamily,case,status,reason,verified\n"
                     "%s,x,ok,,yes\n",
                     sides_schema,
                     i == 0      ? "-"
                     : side == 0 ? "GPU-1"
                                 : "GPU-3",
                     i == 0 ? "mma" : "tma");
            sides_text(gpus[i][side], text);
        }
    }
    assert_contains(ask_well(&command_compare, "compare a b")->out,
                    "\n  the same GPU on both sides: in 0 of 2 families\n");
    for (size_t i = 0; i < 3; i++)
        for (size_t side = 0; side < 2; side++)
            unlink(gpus[i][side]);
}

static void other_digits_of_one_number_are_the_same(void **state)
{
    (void)state;
    assert_string_equal(differences("mma,one,ok,,yes,2.0,2.00,100,99,101,2000\n"
                                    "mma,two,ok,,yes,4,4.0,2e2,199,201,2000\n"
                                    "mma,three,ok,,yes,4,4,200,190,210,2000\n"),
                        "");
}

static void cases_on_one_side_are_said(void **state)
{
    (void)state;
    assert_string_equal(differences("mma,two,ok,,yes,4,4,200,199,201,2000\n"
                                    "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                                    "mma,four,ok,,yes,4,4,200,190,210,2000\n"),
                        "mma,three,b,missing,,,ok,,,,,,\n"
                        "mma,four,b,new,,,,,,ok,,,\n");
}

static void the_filter_asks_the_first_side(void **state)
{
    (void)state;
    sides_write("mma,one,ok,,yes,2,2.5,100,99,101,2000\n"
                "mma,four,ok,,yes,2,2,200,190,210,2000\n");
    struct answer *answer = compare("a b --csv --filter hw_wavefronts=2 --fail-if never");
    assert_contains(answer->out, "mma,one,b,counter,");
    assert_contains(answer->out, "mma,four,b,new,");
    assert_null(strstr(answer->out, "missing"));

    sides_write("mma,one,failed,fault,no,2,2.5,,,,\n"
                "mma,two,failed,fault,no,4,4,,,,\n");
    answer = compare("a b --filter hw_wavefronts=2");
    assert_contains(answer->out, "failed in B 1\n");
}

static void more_of_a_rate_is_faster(void **state)
{
    (void)state;
    static const char columns[] =
        "family,case,status,reason,verified,gbytes_per_s,gbytes_per_s_min,gbytes_per_s_max";
    sides_file("a/tma.csv", sides_schema, columns,
               "tma,one,ok,,yes,4000,3990,4010\ntma,two,ok,,yes,4000,3990,4010\n");
    sides_file("b/tma.csv", sides_schema, columns,
               "tma,one,ok,,yes,5000,4990,5010\ntma,two,ok,,yes,3900,3890,3910\n");
    struct answer *answer = compare("a/tma.csv b/tma.csv --csv --fail-if never");
    assert_contains(answer->out, "tma,two,b/tma.csv,slower,gbytes_per_s,GB/s,4000,");
    assert_contains(answer->out, "tma,one,b/tma.csv,faster,gbytes_per_s,GB/s,4000,");
    assert_int_equal(compare("a/tma.csv b/tma.csv --fail-if faster>24.9%%")->status, 1);
    assert_int_equal(compare("a/tma.csv b/tma.csv --fail-if faster>25.1%%")->status, 0);
    unlink("a/tma.csv");
    unlink("b/tma.csv");
}

static void three_sides_are_compared_with_the_first(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_file("c/mma.csv", sides_schema, sides_header, "mma,one,ok,,yes,2,2,50,49,51,2000\n");
    struct answer *answer =
        ask_well(&command_compare, "compare a b c/mma.csv --csv --fail-if failed");
    assert_null(strstr(answer->out, ",b,"));
    assert_contains(answer->out, "mma,one,c/mma.csv,faster,");
    answer = ask_well(&command_compare, "compare a b c --markdown --fail-if failed");
    assert_contains(answer->out, "## mma, A and B\n");
    assert_contains(answer->out, "## mma, A and C\n");
    assert_contains(answer->out,
                    "| mma | C | faster | cycles_per_mma | -50.00 % | 100 | 50 | one |");
}

static void a_family_on_one_side_and_other_columns_are_said(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_file("b/wgmma.csv", sides_schema, "family,case,status,reason,verified,n,colour",
               "wgmma,x,ok,,yes,8,red\n");
    sides_file("b/fuzz.csv", sides_schema, sides_header, "");
    sides_text("b/notes.txt", "");
    struct answer *answer = ask_well(&command_compare, "compare a b");
    assert_contains(answer->out, "wgmma, A and B\n  there in B alone: 1 row");
    assert_contains(answer->out, "B: fuzz.csv is left out, of no family; mma has no atom, ");
    assert_contains(answer->out, "wgmma has colour, not compared");
    unlink("b/wgmma.csv");
    unlink("b/fuzz.csv");
}

/* ---- Exit status --------------------------------------------------------------------------- */

static void expect_status(int status, const char *conditions)
{
    struct answer *answer = compare("a b --fail-if %s", conditions);
    if (answer->status != status)
        fail_msg("exit status %d of --fail-if %s", answer->status, conditions);
    assert_true((status == 1) == (answer->err[0] != '\0'));
}

static void worse_is_exit_status_1(void **state)
{
    (void)state;
    sides_write("mma,one,ok,,yes,2,2,104,103,105,2000\n"
                "mma,two,ok,,yes,4,4,100,99,101,2000\n"
                "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    assert_int_equal(compare("a b")->status, 0); /* 4 % is below what fails unasked */
    expect_status(1, "slower>3%");
    expect_status(1, "counters,slower>3");
    expect_status(0, "slower>4.5%");
    expect_status(1, "faster>99%");
    expect_status(0, "faster>101%");
    expect_status(0, "counters,traffic,model,missing,new,status,lost,failed");
    assert_contains(compare("a b --fail-if slower>3%%")->err,
                    "compare: mma, A and B: slower 1 time, first in 'one'\n");

    sides_write("mma,one,ok,,yes,2,2,105,104,106,2000\n"
                "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    expect_status(0, "slower>5%"); /* it is 5 %, and not more */
    expect_status(1, "slower>4.9%");
    expect_status(1, "slower>4.9% --threshold 4.9%");
    expect_status(0, "slower>5% --threshold 5%");
    assert_null(strstr(compare("a b --threshold 5%%")->out, "+5.00 %"));

    sides_write("mma,one,ok,,yes,2,3,100,99,101,2000\n"
                "mma,four,failed,fault,no,4,,,,,\n"
                "mma,three,skipped,no,-,4,,,,,\n");
    assert_int_equal(compare("a b")->status, 1);
    expect_status(0, "slower>5%,faster>5%,model,traffic");
    expect_status(0, "never");
    expect_status(1, "counters");
    expect_status(1, "missing");
    expect_status(1, "new");
    expect_status(1, "status");
    expect_status(1, "lost");
    expect_status(1, "failed");

    sides_write("mma,two,failed,fault,no,4,,,,,\n"
                "mma,three,failed,fault,no,4,,,,,\n"
                "mma,one,failed,fault,no,4,,,,,\n");
    assert_string_equal(compare("a b --fail-if failed --filter case!=two")->err,
                        "swizzlebench compare: mma, A and B: failed 2 times, first in 'three'\n");
}

/* A row that nobody measured is no slower one, and yet nothing that may pass. */
static void rows_that_are_lost_do_not_pass(void **state)
{
    (void)state;
    sides_write("mma,one,skipped,no counters,-,2,,,,,\n"
                "mma,two,refused,no,-,4,,,,,\n"
                "mma,three,skipped,no counters,-,4,,,,,\n");
    struct answer *answer = compare("a b");
    assert_int_equal(answer->status, 1);
    assert_string_equal(answer->err, "swizzlebench compare: mma, A and B: lost 3 times, first in "
                                     "'one'\n");
    expect_status(0, "slower>5%,counters,model,traffic,failed,missing");
    assert_int_equal(compare("b a")->status, 0); /* to be ok is nothing lost */

    sides_write("mma,one,ok,,yes,2,2,100,99,101,2000\n");
    expect_status(0, "lost"); /* a smaller run */
    expect_status(1, "missing");

    sides_write(sides_rows);
    sides_file("a/wgmma.csv", sides_schema, "family,case,status,reason,verified",
               "wgmma,x,ok,,yes\n");
    assert_int_equal(compare("a b")->status, 0); /* a family that was not run */
    expect_status(1, "missing");
    unlink("a/wgmma.csv");
}

/* ---- Values on one side -------------------------------------------------------------------- */

static void counters_that_one_side_lacks_do_not_pass(void **state)
{
    (void)state;
    sides_write("mma,one,ok,,yes,2,,100,99,101,2000\n"
                "mma,two,ok,,yes,4,,200,199,201,2000\n"
                "mma,three,ok,,yes,4,,200,190,210,2000\n");
    struct answer *answer = compare("a b --fail-if counters");
    assert_int_equal(answer->status, 1);
    assert_string_equal(answer->err, "swizzlebench compare: mma, A and B: a value, such as "
                                     "hw_wavefronts, on one side alone 3 times, first in 'one'\n");
    answer = compare("a b");
    assert_int_equal(answer->status, 1);
    assert_contains(answer->out, "counters with a prediction: in A alone in 3 rows\n");
    assert_contains(answer->out, "3 values on one side alone, not compared\n");
    assert_contains(answer->out, "\n3 differences\n");
    expect_status(0, "slower>5%,faster>5%,traffic,model,missing,new,status,lost,failed");
    assert_int_equal(compare("b a --fail-if counters")->status, 1);

    assert_string_equal(differences("mma,one,ok,,yes,2,2,100,99,101,2000\n"
                                    "mma,two,ok,,yes,4,,200,199,201,2000\n"
                                    "mma,three,ok,,yes,4,,200,190,210,2000\n"),
                        "mma,two,b,alone,hw_wavefronts,wavefront/mma,4,,,,,,\n"
                        "mma,three,b,alone,hw_wavefronts,wavefront/mma,4,,,,,,\n");
    assert_contains(
        compare("a b")->out,
        "counters with a prediction: the same in the one row with any on both sides, in "
        "A alone in 2 rows\n");
    assert_contains(compare("a b")->out,
                    "  model: the same in all 3 rows with any on both sides\n");
    expect_status(1, "counters");
    assert_int_equal(compare("a b --fail-if counters --filter case=one")->status, 0);
}

static void other_values_that_one_side_lacks_do_not_pass(void **state)
{
    (void)state;
    assert_string_equal(differences("mma,one,ok,,yes,2,2,,,,2000\n"
                                    "mma,two,ok,,yes,,4,200,199,201,2000\n"
                                    "mma,three,ok,,yes,4,4,200,190,210,2000\n"),
                        "mma,one,b,alone,cycles_per_mma,clk/mma,100,99,101,,,,\n"
                        "mma,two,b,alone,model_wavefronts,wavefront/mma,4,,,,,,\n");
    expect_status(1, "slower>5%");
    expect_status(1, "faster>5%");
    expect_status(1, "model");
    expect_status(0, "counters,traffic,missing,new,status,lost,failed");
    assert_contains(compare("a b")->out, "0 with a faster one, in A alone in 1 row\n");
}

/* What is known to be on one side alone is said, and is no difference. */
static void what_need_not_be_on_both_sides_passes(void **state)
{
    (void)state;
    static const char fewer[] = "family,case,status,reason,verified,model_wavefronts";
    static const char no_counters[] = "mma,one,ok,,-,2\nmma,two,ok,,-,4\nmma,three,ok,,-,4\n";
    char text[512];
    sides_write(sides_rows);
    snprintf(text, sizeof text,
             "# schema: swizzlebench 1\n# backend: model\n%s,hw_wavefronts\n"
             "mma,one,ok,,-,2,\nmma,two,ok,,-,4,\nmma,three,ok,,-,4,\n",
             fewer);
    sides_text("b/mma.csv", text);
    struct answer *answer = ask_well(&command_compare, "compare a b");
    assert_contains(answer->out, "counters with a prediction: in A alone in 3 rows\n");
    assert_contains(answer->out, "\n0 differences\n");
    assert_int_equal(compare("b a")->status, 0);
    snprintf(text + strlen(text), sizeof text - strlen(text), "mma,four,ok,,-,4,\n");
    sides_text("b/mma.csv", text);
    assert_int_equal(compare("b a")->status, 0);
    expect_status(1, "new");

    /* a counter that came with a later version, but not one that went */
    sides_file("b/mma.csv", sides_schema, fewer, no_counters);
    assert_int_equal(compare("b a")->status, 0);
    assert_contains(compare("b a")->out, "counters with a prediction: in B alone in 3 rows\n");
    assert_int_equal(compare("a b --fail-if counters")->status, 1);

    /* a row that is ok on one side only */
    sides_write("mma,one,failed,wrong bytes,no,2,,,,,\n"
                "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    expect_status(0, "slower>5%,counters,model");
}

/* A file of the model's backend. */
static void predict(const char *path, const char *rows)
{
    char text[1024];
    snprintf(text, sizeof text, "# schema: %s\n# backend: model\n%s\n%s", sides_schema,
             sides_header, rows);
    sides_text(path, text);
}

/* The model measures nothing, but does predict. */
static void predictions_do_not_vanish(void **state)
{
    (void)state;
    static const char all[] = "mma,one,ok,,-,2,,,,,\nmma,two,ok,,-,4,,,,,\n";
    static const char fewer[] = "mma,one,ok,,-,2,,,,,\nmma,two,ok,,-,,,,,,\n";
    static const char refused[] = "mma,one,ok,,-,2,,,,,\nmma,two,refused,no,-,4,,,,,\n";
    sides_write(sides_rows);
    predict("a/mma.csv", all);
    predict("b/mma.csv", fewer);
    expect_status(1, "model");
    expect_status(0, "slower>5%,counters,traffic,status,lost,failed");
    assert_int_equal(compare("b a --fail-if model")->status, 1);
    predict("b/mma.csv", all);
    expect_status(0, "model");

    /* beside what was measured */
    sides_write(sides_rows);
    predict("b/mma.csv", fewer);
    struct answer *answer = compare("a b --fail-if slower>5%%,counters,traffic,model");
    assert_int_equal(answer->status, 1);
    assert_string_equal(answer->err, "swizzlebench compare: mma, A and B: a value, such as "
                                     "model_wavefronts, on one side alone 1 time, first in "
                                     "'two'\n");

    /* what one predictor can answer and the other cannot is lost; beside a GPU it is not */
    predict("b/mma.csv", refused);
    expect_status(0, "lost");
    predict("a/mma.csv", all);
    expect_status(1, "lost");
    assert_int_equal(compare("b a --fail-if lost")->status, 0);
}

static void nothing_in_common_is_an_error(void **state)
{
    (void)state;
    unlink("c/mma.csv");
    sides_file("c/wgmma.csv", sides_schema, "family,case,status,reason,verified",
               "wgmma,x,ok,,yes\n");
    sides_write("mma,four,ok,,yes,2,2,100,99,101,2000\n");
    sides_bad("a c", "nothing to compare: no family is in both a and c;");
    sides_bad("a b --fail-if never", "nothing to compare: no case is in both a and b;");
    sides_bad("a a c", "no family is in both a and c;");
    sides_write("mma,one,ok,,yes,2,2,100,99,101,2000\n");
    sides_bad("a b --filter case=two", "no case that passes --filter is in both a and b;");
    unlink("c/wgmma.csv");
}

/* ---- What stands in a file and must not reach a terminal ------------------------------------ */

static void what_a_terminal_obeys_is_shown(void **state)
{
    (void)state;
    sides_write("mma,\"o\033[2Jne\",failed,\"wrong \033]0;x\007 \377 b\303\244d\",no,2,2,,,,\n"
                "mma,two,ok,,yes,4,4,200,199,201,2000\n");
    sides_text("b/\033<i>.csv", "");
    struct answer *answer = compare("a b --fail-if failed");
    assert_contains(answer->out, "o\\x1b[2Jne");
    assert_contains(answer->out, "B: \\x1b<i>.csv is left out");
    assert_contains(answer->err, "failed 1 time, first in 'o\\x1b[2Jne'");
    assert_null(strpbrk(answer->out, "\033\007\377"));
    assert_null(strpbrk(answer->err, "\033\007\377"));
    answer = compare("b a --markdown --fail-if never");
    assert_contains(answer->out, "| o\\x1b[2Jne |");
    assert_contains(answer->out, "\\x1b\\<i\\>.csv is left out");
    answer = compare("a b --csv --fail-if never"); /* for programs: as it is */
    assert_contains(answer->out, "o\033[2Jne");
    unlink("b/\033<i>.csv");

    sides_write("mma,one,ok,,yes,2,2,\"\0331\",99,101,2000\n");
    sides_bad("a b", "cycles_per_mma is '\\x1b1'");
}

static void what_a_page_obeys_is_shown(void **state)
{
    (void)state;
    assert_int_equal(mkdir("<b>", 0777), 0);
    sides_write(sides_rows);
    sides_file("<b>/mma.csv", sides_schema, sides_header, sides_rows);
    assert_contains(ask_well(&command_compare, "compare a <b> --markdown")->out,
                    "| results | a | \\<b> |");
    unlink("<b>/mma.csv");
    assert_int_equal(rmdir("<b>"), 0);

    /* a backslash in a file is not the one that takes the tag's meaning, nor the bar's */
    sides_write("mma,\\\\<img>,ok,,yes,2,2,100,99,101,2000\n"
                "mma,\\<b>,ok,,yes,2,2,100,99,101,2000\n"
                "mma,\\\\\\<i>,ok,,yes,2,2,100,99,101,2000\n"
                "mma,\\\\|u,ok,,yes,2,2,100,99,101,2000\n"
                "mma,\\|s,ok,,yes,2,2,100,99,101,2000\n"
                "mma,one,ok,,yes,2,2,100,99,101,2000\n");
    const char *out = ask_well(&command_compare, "compare a b --markdown")->out;
    assert_contains(out, "| \\\\\\<img> |");
    assert_contains(out, "| \\<b> |");
    assert_contains(out, "| \\\\\\<i> |");
    assert_contains(out, "| \\\\\\|u |");
    assert_contains(out, "| \\|s |");
}

/* ---- Wrong input --------------------------------------------------------------------------- */

static void wrong_words_are_one_line(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_bad("a", "two folders or files are needed");
    sides_bad("a b a b a b a b a", "at most 8");
    sides_bad("a b --all", "--all goes with --csv");
    sides_bad("a b --csv --markdown", "one of them");
    sides_bad("a b --threshold x", "a number");
    sides_bad("a b --threshold 5%x", "a number");
    sides_bad("a b --fail-if slow", "did you mean 'slower>P%'?");
    sides_bad("a b --fail-if never,counters", "--fail-if: never stands alone");
    sides_bad("a b --fail-if counters,never", "--fail-if: never stands alone");
    sides_bad("a b --fail-if never,", "--fail-if: never stands alone");
    sides_bad("a b --fail-if slower>x%", "a number of percent");
    sides_bad("a b --fail-if slower>0.1%", "below 0.5 % nothing counts as changed");
    sides_bad("a b --filter colour=red", "no column 'colour'");
    sides_bad("a b --filter case=none", "matches no row");
    sides_bad("a b --colour", "unknown or ambiguous option");
}

/* ---- Families ------------------------------------------------------------------------------ */

static const struct compare_column *named(const struct compare_column *columns, size_t count,
                                          const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(columns[i].column->name, name) == 0)
            return &columns[i];
    return NULL;
}

/* A name that is no column's would leave the counter that is meant among those that must agree.
 * docs/compare.md names them all. */
static void disturbed_counters_are_columns(void **state)
{
    (void)state;
    char path[1024], quoted[128], *document = NULL;
    size_t names = 0, length;
    struct error error;
    snprintf(path, sizeof path, "%s/docs/compare.md", sides_home);
    assert_true(file_slurp(path, &document, &length, &error));
    for (const struct family *const *f = registry_families; *f; f++) {
        struct compare_column columns[ROW_MAX_COLUMNS];
        size_t count = compare_columns_of(*f, columns);
        for (const char *const *name = (*f)->disturbed; name && *name; name++, names++) {
            const struct compare_column *c = named(columns, count, *name);
            if (!c)
                fail_msg("%s: %s is disturbed and no counter's column", (*f)->name, *name);
            assert_int_equal(c->kind, COMPARE_TRAFFIC);
            snprintf(quoted, sizeof quoted, "`%s`", *name);
            assert_contains(document, quoted);
        }
    }
    assert_true(names > 0);
    free(document);
}

/* ---- Full result sets ---------------------------------------------------------------------- */

/* Of the processes that have ended: what else runs on this machine does not count. */
static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static void full_sets_take_less_than_two_seconds(void **state)
{
    (void)state;
    char line[1024];
    snprintf(line, sizeof line, "compare %s/results/nvidia-h200 %s/results/nvidia-h200/ --csv",
             sides_home, sides_home);
    double before = cpu_seconds();
    struct answer *answer = ask_well(&command_compare, line);
    double seconds = cpu_seconds() - before;
    assert_string_equal(strchr(answer->out, '\n'), "\n");
    printf("[   SPEED   ] two full sets compared in %.2f s\n", seconds);
    assert_true(seconds < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_rows_do_not_differ),
        cmocka_unit_test(a_median_changes_only_beyond_the_spread_and_the_threshold),
        cmocka_unit_test(less_time_is_faster),
        cmocka_unit_test(more_of_a_rate_is_faster),
        cmocka_unit_test(clocks_and_seconds_are_told_apart),
        cmocka_unit_test(a_clock_that_one_side_lacks_is_no_difference),
        cmocka_unit_test(counters_model_and_status_are_exact),
        cmocka_unit_test(more_work_as_expected_is_the_same),
        cmocka_unit_test(all_families_are_added_up),
        cmocka_unit_test(families_of_one_gpu_are_counted),
        cmocka_unit_test(other_digits_of_one_number_are_the_same),
        cmocka_unit_test(cases_on_one_side_are_said),
        cmocka_unit_test(the_filter_asks_the_first_side),
        cmocka_unit_test(three_sides_are_compared_with_the_first),
        cmocka_unit_test(a_family_on_one_side_and_other_columns_are_said),
        cmocka_unit_test(worse_is_exit_status_1),
        cmocka_unit_test(rows_that_are_lost_do_not_pass),
        cmocka_unit_test(counters_that_one_side_lacks_do_not_pass),
        cmocka_unit_test(other_values_that_one_side_lacks_do_not_pass),
        cmocka_unit_test(what_need_not_be_on_both_sides_passes),
        cmocka_unit_test(predictions_do_not_vanish),
        cmocka_unit_test(nothing_in_common_is_an_error),
        cmocka_unit_test(what_a_terminal_obeys_is_shown),
        cmocka_unit_test(what_a_page_obeys_is_shown),
        cmocka_unit_test(wrong_words_are_one_line),
        cmocka_unit_test(disturbed_counters_are_columns),
        cmocka_unit_test(full_sets_take_less_than_two_seconds),
    };
    return cmocka_run_group_tests(tests, sides_make, sides_remove);
}
