/* Does `swizzlebench outliers` name the GPU that is not like the others, and no other one? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/commands.h"
#include "tests/ask.h"
#include "tests/sides.h"

enum { FLEET = 5 };

static const char *const folders[FLEET] = {"a", "b", "c", "d", "e"};

/* Five GPUs with the same rows, but for one. */
static void fleet_write(const char *other, const char *rows_of_other)
{
    char path[64];
    for (size_t i = 0; i < FLEET; i++) {
        mkdir(folders[i], 0777);
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        sides_file(path, sides_schema, sides_header,
                   strcmp(folders[i], other) == 0 ? rows_of_other : sides_rows);
    }
}

/* Wants exit status 1 and one outlier, the folder, for this reason. */
static void one_outlier(const char *folder, const char *options, const char *why)
{
    char line[256], part[256];
    snprintf(line, sizeof line, "outliers a b c d e%s", options);
    struct answer *answer = ask(&command_outliers, line);
    assert_int_equal(answer->status, 1);
    assert_string_equal(answer->err, "");
    assert_contains(answer->out, ", 1 outlier\n");
    snprintf(part, sizeof part, "\n%s: %s\n", folder, why);
    assert_contains(answer->out, part);
}

static void no_outlier(const char *options)
{
    char line[256];
    snprintf(line, sizeof line, "outliers a b c d e%s", options);
    assert_contains(ask_well(&command_outliers, line)->out,
                    "5 folders, 3 rows of the median, 0 outliers");
}

/* ---- What makes an outlier ------------------------------------------------------------------- */

static void gpus_that_are_alike_are_none(void **state)
{
    (void)state;
    fleet_write("", "");
    no_outlier("");
}

static void a_counter_of_one_row_does(void **state)
{
    (void)state;
    fleet_write("c", "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                     "mma,two,ok,,yes,4,4.5,200,199,201,2000\n"
                     "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    one_outlier("c", "", "another counter in 1 row");
    assert_contains(ask(&command_outliers, "outliers a b c d e")->out,
                    "mma     counter     hw_wavefronts     1  +12.50 %      4   4.5  two\n");
}

static void medians_that_are_3_percent_slow_do(void **state)
{
    (void)state;
    static const char slow[] = "mma,one,ok,,yes,2,2,103,102,104,2000\n"
                               "mma,two,ok,,yes,4,4,206,205,207,2000\n"
                               "mma,three,ok,,yes,4,4,206,200,215,2000\n";
    fleet_write("d", slow);
    one_outlier("d", "",
                "mma cycles_per_mma +3.00 %; mma cycles_per_mma other in 66.7 % of the rows");
    one_outlier("d", " --rows 70%", "mma cycles_per_mma +3.00 %");
    no_outlier(" --limit 4% --rows 70%");
}

static void fast_ones_do_too(void **state)
{
    (void)state;
    fleet_write("a", "mma,one,ok,,yes,2,2,97,96,98,2000\n"
                     "mma,two,ok,,yes,4,4,194,193,195,2000\n"
                     "mma,three,ok,,yes,4,4,194,190,200,2000\n");
    one_outlier("a", " --rows 70", "mma cycles_per_mma -3.00 %");
}

static void a_low_rate_is_more_time(void **state)
{
    (void)state;
    char path[64], rows[128];
    for (size_t i = 0; i < FLEET; i++) {
        mkdir(folders[i], 0777);
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        unlink(path);
        snprintf(path, sizeof path, "%s/tma.csv", folders[i]);
        snprintf(rows, sizeof rows, "tma,one,ok,,yes,%d\n", i == 2 ? 3900 : 4000);
        sides_file(path, sides_schema, "family,case,status,reason,verified,gbytes_per_s", rows);
    }
    struct answer *answer = ask(&command_outliers, "outliers a b c d e --rows 100%");
    assert_contains(answer->out, "\nc: tma gbytes_per_s +2.56 %\n");
    for (size_t i = 0; i < FLEET; i++) {
        snprintf(path, sizeof path, "%s/tma.csv", folders[i]);
        unlink(path);
    }
}

static void one_slow_row_does_when_rows_are_few(void **state)
{
    (void)state;
    fleet_write("e", "mma,one,ok,,yes,2,2,110,109,111,2000\n"
                     "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                     "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    one_outlier("e", "", "mma cycles_per_mma other in 33.3 % of the rows");
    no_outlier(" --rows 34%");
}

static void a_slow_clock_does(void **state)
{
    (void)state;
    fleet_write("b", "mma,one,ok,,yes,2,2,100,99,101,1900\n"
                     "mma,two,ok,,yes,4,4,200,199,201,1900\n"
                     "mma,three,ok,,yes,4,4,200,190,210,1900\n");
    one_outlier("b", "", "SM clock -5.00 %");
    one_outlier("b", " --absolute --limit 5% --rows 100%",
                "mma cycles_per_mma +5.26 %; SM clock -5.00 %");
}

static void rows_that_failed_or_are_not_there_do(void **state)
{
    (void)state;
    fleet_write("b", "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                     "mma,two,failed,fault,no,4,,,,,\n"
                     "mma,four,ok,,yes,4,4,200,190,210,2000\n");
    one_outlier("b", "", "another status in 1 row; missing in 1 row; in no other half in 1 row");
}

static void a_gpu_that_counted_nothing_does(void **state)
{
    (void)state;
    static const char nothing[] = "mma,one,ok,,yes,2,,100,99,101,2000\n"
                                  "mma,two,ok,,yes,4,,200,199,201,2000\n"
                                  "mma,three,ok,,yes,4,,,,,2000\n";
    fleet_write("c", nothing);
    one_outlier("c", "", "values that the others have missing in 3 rows");
    struct answer *answer = ask(&command_outliers, "outliers a b c");
    assert_int_equal(answer->status, 1);
    assert_contains(answer->out, "new  alone  slower");
    assert_contains(answer->out,
                    "\n  c           3        0      0       0        0    0      3  ");
    assert_contains(answer->out,
                    "mma     alone       hw_wavefronts      3               2        one\n");

    /* And where most counted nothing, the one that did. */
    for (size_t i = 0; i < FLEET; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        sides_file(path, sides_schema, sides_header, i == 3 ? sides_rows : nothing);
    }
    one_outlier("d", "", "values that the others do not have in 3 rows");
}

/* The model measures nothing, and a fleet is of GPUs. */
static void a_folder_of_the_model_does(void **state)
{
    (void)state;
    char text[1024];
    fleet_write("", "");
    snprintf(text, sizeof text, "# schema: %s\n# backend: model\n# gpu_uuid: -\n%s\n%s",
             sides_schema, sides_header,
             "mma,one,ok,,-,2,,,,,\nmma,two,ok,,-,4,,,,,\nmma,three,ok,,-,4,,,,,\n");
    sides_text("b/mma.csv", text);
    one_outlier("b", "", "values that the others have missing in 3 rows");
    assert_null(strstr(ask(&command_outliers, "outliers a b c")->out, "\n-\n"));
    for (size_t i = 0; i < FLEET; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        sides_text(path, text);
    }
    no_outlier("");
}

static void a_folder_without_results_does(void **state)
{
    (void)state;
    fleet_write("", "");
    struct answer *answer = ask(&command_outliers, "outliers a b empty c d");
    assert_int_equal(answer->status, 1);
    assert_contains(answer->out, "\nempty: missing in 3 rows\n");
    sides_text("e/mma.csv", "# schema: swizzlebench 1\n");
    answer = ask(&command_outliers, "outliers a b c d e");
    assert_contains(answer->out, "\ne: missing in 3 rows\n");
}

static void a_row_that_failed_everywhere_does_not(void **state)
{
    (void)state;
    static const char failed[] = "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                                 "mma,two,failed,fault,no,4,,,,,\n"
                                 "mma,three,ok,,yes,4,4,200,190,210,2000\n";
    char path[64];
    fleet_write("", "");
    for (size_t i = 0; i < FLEET; i++) {
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        sides_file(path, sides_schema, sides_header, failed);
    }
    no_outlier("");
    assert_contains(ask_well(&command_outliers, "outliers a b c d e --csv")->out,
                    "a,GPU a,,3,0,0,0,0,0,0,0,0,1,1,mma cycles_per_mma,0,mma cycles_per_mma,2000,1,"
                    "no,\n");
}

/* ---- A large fleet, and what is said of it ----------------------------------------------------
 */

static void sixty_four_gpus_are_a_page_with_the_outliers_on_top(void **state)
{
    (void)state;
    char line[1024] = "outliers", path[64], rows[512];
    size_t lines = 0;
    for (int i = 0; i < 64; i++) {
        snprintf(path, sizeof path, "n%02d", i);
        mkdir(path, 0777);
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s", path);
        snprintf(path, sizeof path, "n%02d/mma.csv", i);
        double clocks = (i == 41 ? 103 : 100) + 0.01 * (i % 7);
        snprintf(rows, sizeof rows,
                 "mma,one,ok,,yes,2,%d,%.2f,99,104,2000\nmma,two,ok,,yes,2,2,%.2f,99,104,2000\n",
                 i == 17 ? 3 : 2, clocks, clocks);
        sides_file(path, sides_schema, sides_header, rows);
    }
    struct answer *answer = ask(&command_outliers, line);
    assert_int_equal(answer->status, 1);
    assert_contains(answer->out, "64 folders, 2 rows of the median, 2 outliers\n");
    const char *of_41 = strstr(answer->out, "\n  n41 "), *of_17 = strstr(answer->out, "\n  n17 ");
    const char *of_00 = strstr(answer->out, "\n  n00 ");
    assert_true(of_41 && of_17 && of_00 && of_41 < of_17 && of_17 < of_00);
    for (const char *at = answer->out; (at = strchr(at, '\n')); at++)
        lines++;
    assert_in_range(lines, 64, 100);
}

static void heads_that_differ_are_said(void **state)
{
    (void)state;
    fleet_write("", "");
    for (size_t i = 0; i < FLEET; i++) {
        char path[64], text[1024];
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        snprintf(text, sizeof text, "# schema: %s\n# driver: %s\n# gpu_uuid: GPU-%d\n%s\n%s",
                 sides_schema, i == 3 ? "570.1" : "580.2", (int)(i % 4), sides_header, sides_rows);
        sides_text(path, text);
    }
    struct answer *answer = ask_well(&command_outliers, "outliers a b c d e");
    assert_contains(answer->out, "580.2 in 4; 570.1 in 1 (d)\n");
    assert_contains(answer->out, "a and e are both of GPU-0\n");
}

/* Heads and names of folders come from outside. */
static void what_a_terminal_or_a_page_obeys_is_shown(void **state)
{
    (void)state;
    static const char folder[] = "d\033]0;x\007<i>";
    char path[64], text[1024];
    fleet_write("", "");
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/mma.csv", folder);
    snprintf(text, sizeof text,
             "# schema: %s\n# gpu: \033[2J<b>\n# driver: \2331m\n# gpu_uuid: \033c\n%s\n%s",
             sides_schema, sides_header, "mma,one,ok,,yes,2,3,100,99,101,2000\n");
    sides_text(path, text);
    sides_text("e/mma.csv", text);
    snprintf(text, sizeof text, "outliers a b c e %s", folder);
    struct answer *answer = ask(&command_outliers, text);
    assert_null(strpbrk(answer->out, "\033\007\233"));
    assert_contains(answer->out, "\\x1b[2J<b> in 2 (d\\x1b]0;x\\x07<i>, e); GPU a");
    assert_contains(answer->out,
                    "the same GPU        d\\x1b]0;x\\x07<i> and e are both of \\x1bc\n");
    assert_contains(answer->out,
                    "\nd\\x1b]0;x\\x07<i>: another counter in 1 row; missing in 2 rows\n"
                    "\\x1bc\n");
    snprintf(text, sizeof text, "outliers a b c e %s --markdown", folder);
    answer = ask(&command_outliers, text);
    assert_null(strpbrk(answer->out, "\033\007\233"));
    for (const char *at = answer->out; (at = strchr(at, '<')); at++)
        assert_int_equal(at[-1], '\\');
    assert_contains(answer->out, "- the same GPU: d");
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void the_median_is_a_folder_that_compare_takes(void **state)
{
    (void)state;
    fleet_write("b", "mma,one,ok,,yes,2,2,150,149,151,2000\n");
    assert_int_equal(ask(&command_outliers, "outliers a b c d e --median m")->status, 1);
    assert_contains(ask(&command_compare, "compare m a")->out, "\n0 differences\n");
    assert_contains(ask(&command_compare, "compare m b --csv")->out,
                    "mma,one,b,slower,cycles_per_mma,clk/mma,100,99,101,150,149,151,1.5\n");
}

static void of_times_the_median_is_taken_and_of_counters_what_most_say(void **state)
{
    (void)state;
    static const int counter[FLEET] = {7, 7, 2, 7, 2}, clocks[FLEET] = {90, 104, 102, 90, 108};
    for (size_t i = 0; i < FLEET; i++) {
        char path[64], rows[128];
        mkdir(folders[i], 0777);
        snprintf(path, sizeof path, "%s/mma.csv", folders[i]);
        snprintf(rows, sizeof rows, "mma,one,ok,,yes,2,%d,%d,%d,%d,%d\n", counter[i], clocks[i],
                 clocks[i] - 1, clocks[i] + 2, 2000 - clocks[i]);
        sides_file(path, sides_schema, sides_header, rows);
    }
    ask(&command_outliers, "outliers a b c d e --median m");
    sides_file("x.csv", sides_schema, sides_header, "mma,one,ok,,yes,2,7,102,101,104,1898\n");
    assert_contains(
        ask(&command_compare, "compare m/mma.csv x.csv --csv --all --fail-if never")->out,
        "\nmma,one,x.csv,none,cycles_per_mma,clk/mma,102,101,104,102,101,104,1\n");
    assert_contains(ask(&command_compare, "compare m/mma.csv x.csv")->out, "\n0 differences\n");
}

static void markdown_and_the_filter(void **state)
{
    (void)state;
    fleet_write("c", "mma,one,ok,,yes,2,3,100,99,101,2000\n");
    struct answer *answer =
        ask(&command_outliers, "outliers a b c d e --markdown --filter case=one");
    assert_int_equal(answer->status, 1);
    assert_contains(answer->out, "# 5 folders, 1 row of the median, 1 outlier\n");
    assert_contains(answer->out, "\n## c: another counter in 1 row\n");
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void wrong_words_are_one_line(void **state)
{
    (void)state;
    fleet_write("", "");
    ask_bad(&command_outliers, "outliers a b", "3 folders at least are needed");
    ask_bad(&command_outliers, "outliers a b none", "cannot read none: No such file");
    ask_bad(&command_outliers, "outliers a b a/mma.csv", "a/mma.csv is no folder");
    ask_bad(&command_outliers, "outliers a b c --csv --markdown", "one of them");
    ask_bad(&command_outliers, "outliers a b c --limit far", "--limit 'far': a number");
    ask_bad(&command_outliers, "outliers a b c --limits 3", "did you mean '--limit'");
    ask_bad(&command_outliers, "outliers a b c --filter case=none", "matches no row");
    ask_bad(&command_outliers, "outliers a b c --median a/mma.csv/x", "cannot write to the folder");
    ask_bad(&command_outliers, "outliers a b c --median a",
            "a/mma.csv is there and holds no median: it is not written over");
    sides_text("c/mma.csv", "# schema: swizzlebench 0\nfamily,case,status,reason,verified\n"
                            "mma,one,ok,,yes\n");
    ask_bad(&command_outliers, "outliers a b c", "c/mma.csv has 'swizzlebench 0'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_that_are_alike_are_none),
        cmocka_unit_test(a_counter_of_one_row_does),
        cmocka_unit_test(medians_that_are_3_percent_slow_do),
        cmocka_unit_test(fast_ones_do_too),
        cmocka_unit_test(a_low_rate_is_more_time),
        cmocka_unit_test(one_slow_row_does_when_rows_are_few),
        cmocka_unit_test(a_slow_clock_does),
        cmocka_unit_test(rows_that_failed_or_are_not_there_do),
        cmocka_unit_test(a_gpu_that_counted_nothing_does),
        cmocka_unit_test(a_folder_of_the_model_does),
        cmocka_unit_test(a_folder_without_results_does),
        cmocka_unit_test(a_row_that_failed_everywhere_does_not),
        cmocka_unit_test(sixty_four_gpus_are_a_page_with_the_outliers_on_top),
        cmocka_unit_test(heads_that_differ_are_said),
        cmocka_unit_test(what_a_terminal_or_a_page_obeys_is_shown),
        cmocka_unit_test(the_median_is_a_folder_that_compare_takes),
        cmocka_unit_test(of_times_the_median_is_taken_and_of_counters_what_most_say),
        cmocka_unit_test(markdown_and_the_filter),
        cmocka_unit_test(wrong_words_are_one_line),
    };
    return cmocka_run_group_tests(tests, sides_make, sides_remove);
}
