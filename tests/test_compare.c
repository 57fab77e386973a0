/* Does compare find what differs between two folders, and only that? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/commands.h"
#include "tests/ask.h"

static const char schema[] = "swizzlebench 1";
static const char header[] = "family,case,status,reason,verified,model_wavefronts,hw_wavefronts,"
                             "cycles_per_mma,cycles_per_mma_min,cycles_per_mma_max,sm_clock_mhz";

/* A case a line: what the model says, what was counted, the median, and its ends. */
static const char rows_of_a[] = "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                                "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                                "mma,three,ok,,yes,4,4,200,190,210,2000\n";

static char *home; /* where the results are */

static void write_text(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

static void write_file(const char *path, const char *its_schema, const char *its_header,
                       const char *rows)
{
    char text[4096];
    snprintf(text, sizeof text,
             "# schema: %s\n# backend: cuda\n# gpu: GPU %c\n# sm_count: 100\n%s\n%s", its_schema,
             path[0], its_header, rows);
    write_text(path, text);
}

/* Folder a with the rows above, and b with others. */
static void write_sides(const char *rows_of_b)
{
    write_file("a/mma.csv", schema, header, rows_of_a);
    write_file("b/mma.csv", schema, header, rows_of_b);
}

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
    write_sides(rows_of_b);
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
    assert_string_equal(differences(rows_of_a), "");
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
    write_sides("mma,one,ok,,yes,2,2,100,99,101,1000\n");
    struct answer *answer = compare("a b --csv --absolute --filter case=one --fail-if never");
    assert_contains(answer->out,
                    "mma,one,b,slower,cycles_per_mma,ns/mma,50,49.5,50.5,100,99,101,2\n");
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

static void other_digits_of_one_number_are_the_same(void **state)
{
    (void)state;
    assert_string_equal(differences("mma,one,ok,,yes,2.0,2.00,100,99,101,2000\n"
                                    "mma,two,ok,,yes,4,,200,199,201,2000\n"
                                    "mma,three,ok,,yes,4,4,200,190,210,2000\n"),
                        "");
    assert_contains(compare("a b")->out, "1 value on one side alone, not compared");
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
    write_sides("mma,one,ok,,yes,2,2.5,100,99,101,2000\n"
                "mma,four,ok,,yes,2,2,200,190,210,2000\n");
    struct answer *answer = compare("a b --csv --filter hw_wavefronts=2 --fail-if never");
    assert_contains(answer->out, "mma,one,b,counter,");
    assert_contains(answer->out, "mma,four,b,new,");
    assert_null(strstr(answer->out, "missing"));

    write_sides("mma,one,failed,fault,no,2,2.5,,,,\n"
                "mma,two,failed,fault,no,4,4,,,,\n");
    answer = compare("a b --filter hw_wavefronts=2");
    assert_contains(answer->out, "failed in B 1\n");
}

static void more_of_a_rate_is_faster(void **state)
{
    (void)state;
    static const char columns[] =
        "family,case,status,reason,verified,gbytes_per_s,gbytes_per_s_min,gbytes_per_s_max";
    write_file("a/tma.csv", schema, columns,
               "tma,one,ok,,yes,4000,3990,4010\ntma,two,ok,,yes,4000,3990,4010\n");
    write_file("b/tma.csv", schema, columns,
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
    write_sides(rows_of_a);
    write_file("c/mma.csv", schema, header, "mma,one,ok,,yes,2,2,50,49,51,2000\n");
    struct answer *answer = ask_well(&command_compare, "compare a b c/mma.csv --csv");
    assert_null(strstr(answer->out, ",b,"));
    assert_contains(answer->out, "mma,one,c/mma.csv,faster,");
    answer = ask_well(&command_compare, "compare a b c --markdown");
    assert_contains(answer->out, "## mma, A and B\n");
    assert_contains(answer->out, "## mma, A and C\n");
    assert_contains(answer->out,
                    "| mma | C | faster | cycles_per_mma | -50.00 % | 100 | 50 | one |");
}

static void a_family_on_one_side_and_other_columns_are_said(void **state)
{
    (void)state;
    write_sides(rows_of_a);
    write_file("b/wgmma.csv", schema, "family,case,status,reason,verified,n,colour",
               "wgmma,x,ok,,yes,8,red\n");
    write_file("b/fuzz.csv", schema, header, "");
    write_text("b/notes.txt", "");
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
    write_sides("mma,one,ok,,yes,2,2,104,103,105,2000\n"
                "mma,two,ok,,yes,4,4,100,99,101,2000\n"
                "mma,three,ok,,yes,4,4,200,190,210,2000\n");
    assert_int_equal(compare("a b")->status, 0); /* 4 % is below what fails unasked */
    expect_status(1, "slower>3%");
    expect_status(1, "counters,slower>3");
    expect_status(0, "slower>4.5%");
    expect_status(1, "faster>99%");
    expect_status(0, "faster>101%");
    expect_status(0, "counters,traffic,model,missing,new,status,failed");
    assert_contains(compare("a b --fail-if slower>3%%")->err,
                    "compare: mma, A and B: slower 1 time, first in 'one'\n");

    write_sides("mma,one,ok,,yes,2,3,100,99,101,2000\n"
                "mma,four,failed,fault,no,4,,,,,\n"
                "mma,three,skipped,no,-,4,,,,,\n");
    assert_int_equal(compare("a b")->status, 1);
    expect_status(0, "slower>5%,faster>5%,model,traffic");
    expect_status(0, "never");
    expect_status(1, "counters");
    expect_status(1, "missing");
    expect_status(1, "new");
    expect_status(1, "status");
    expect_status(1, "failed");
}

/* ---- Wrong input --------------------------------------------------------------------------- */

static void bad(const char *words, const char *part)
{
    char line[1024];
    snprintf(line, sizeof line, "compare %s", words);
    ask_bad(&command_compare, line, part);
}

static void wrong_words_are_one_line(void **state)
{
    (void)state;
    write_sides(rows_of_a);
    bad("a", "two folders or files are needed");
    bad("a b a b a b a b a", "at most 8");
    bad("a b --all", "--all goes with --csv");
    bad("a b --csv --markdown", "one of them");
    bad("a b --threshold x", "a number");
    bad("a b --threshold 5%x", "a number");
    bad("a b --fail-if slow", "did you mean 'slower>P%'?");
    bad("a b --fail-if never,counters", "no such condition");
    bad("a b --fail-if slower>x%", "a number of percent");
    bad("a b --fail-if slower>0.1%", "below 0.5 % nothing counts as changed");
    bad("a b --filter colour=red", "no column 'colour'");
    bad("a b --filter case=none", "matches no row");
    bad("a b --colour", "unknown or ambiguous option");
}

static void wrong_files_are_named(void **state)
{
    (void)state;
    static const char twice[] = "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                                "mma,two,ok,,yes,2,2,100,99,101,2000\n"
                                "mma,one,ok,,yes,2,2,100,99,101,2000\n";
    write_sides(rows_of_a);
    bad("a nowhere", "cannot read nowhere: No such file");
    bad("a empty", "there is no result file of a family, such as shared.csv");
    write_text("b/mma.csv", "x,y\n1,2\n");
    bad("a b", "b/mma.csv:1: not a result file");
    write_text("b/mma.csv", "# schema: swizzlebench 1\n");
    bad("a b", "b/mma.csv: ends before its header does");
    write_sides(twice);
    bad("a b", "b/mma.csv: lines 6 and 8 are both of case 'one'");
    write_file("b/mma.csv", schema, header, "");
    bad("a b/mma.csv", "there is no row in it");
    write_file("b/mma.csv", schema, header, "fuzz,one,ok,,yes,2,2,100,99,101,2000\n");
    bad("a b/mma.csv", "is of family 'fuzz', which is none");
    write_file("b/mma.csv", schema, "family,case,reason,verified", "mma,one,,yes\n");
    bad("a b", "b/mma.csv: the header has no column 'status'");
}

static void other_schemas_and_units_are_errors(void **state)
{
    (void)state;
    write_sides(rows_of_a);
    write_file("b/mma.csv", "swizzlebench 2", header, rows_of_a);
    bad("a b", "a/mma.csv has schema 'swizzlebench 1' and b/mma.csv has 'swizzlebench 2'");
    write_file("a/mma.csv", "swizzlebench 2", header, rows_of_a);
    bad("a b", "has schema 'swizzlebench 2', and this program reads 'swizzlebench 1'");
    write_sides(rows_of_a);
    write_file("b/mma.csv", schema, "family,case,status,reason,verified,bound_ns",
               "mma,one,ok,,yes,1\n");
    bad("a b", "its column 'bound_ns' is 'bound_cycles' of this program in another unit");
}

/* ---- Published figures --------------------------------------------------------------------- */

static const char figures[] = "gpu,quantity,value,value_max,unit,source\n";

static void write_figures(const char *rows)
{
    char text[1024];
    snprintf(text, sizeof text, "# ours\n%s%s", figures, rows);
    write_text("p.csv", text);
}

static void published_figures_stand_on_either_side(void **state)
{
    (void)state;
    static const char rows[] = "wgmma,less,ok,,yes,f16,256,,3000,1500\n"
                               "wgmma,n256,ok,,yes,f16,256,,4000,1500\n"
                               "wgmma,no less,ok,,yes,f16,256,,3900,1500\n"
                               "wgmma,wrong,ok,,yes,f16,256,A,9000,1500\n";
    write_file("c/wgmma.csv", schema,
               "family,case,status,reason,verified,dtype,n,wrong,flop_per_clk_sm,sm_clock_mhz",
               rows);
    write_figures("X,\"wgmma f16 N=256, random data\",500,,TFLOP/s,s\n"
                  "X,\"wgmma f16 N=256, random data\",700,800,TFLOP/s,t\n"
                  "X,speed of light,3,,m/s,u\n");
    const char *wanted =
        "\"wgmma f16 N=256, random data\",TFLOP/s,X,500,B: GPU c,600,+20.0 %,n256,s\n"
        "\"wgmma f16 N=256, random data\",TFLOP/s,X,700 to 800,B: GPU c,600,"
        "-14.3 %,n256,t\n"
        "speed of light,m/s,X,3,B: GPU c,no figure of ours,,,u\n";
    assert_contains(ask_well(&command_compare, "compare p.csv c --csv")->out, wanted);
    assert_contains(ask_well(&command_compare, "compare c p.csv --csv")->out, "A: GPU c,600");
    unlink("c/wgmma.csv");
}

static void wrong_figures_are_named(void **state)
{
    (void)state;
    write_sides(rows_of_a);
    write_figures("X,speed,3,,m/s,u\n");
    bad("p.csv p.csv", "are both published figures");
    bad("a p.csv --fail-if counters", "there is one side of them");
    bad("a b p.csv --csv", "--csv is one table");
    write_figures("");
    bad("a p.csv", "there is no figure in it");
    write_figures("X,speed,fast,,m/s,u\n");
    bad("a p.csv", "p.csv, line 3, value 'fast': a number is needed");
    write_figures("X,speed,3,4x,m/s,u\n");
    bad("a p.csv", "p.csv, line 3, value_max '4x'");
    write_figures("X,speed,3,,m/s,u\nX,speed,4,,m/s,u\n");
    bad("a p.csv", "p.csv: lines 3 and 4 are both 'speed' of X");
    write_figures("X,ld.shared latency,3,,ns,u\n");
    bad("a p.csv", "p.csv, line 3: the unit of 'ld.shared latency' is 'ns'; ours is in 'clk'");
    write_text("p.csv", "gpu,quantity,value,value_max,unit\n");
    bad("a p.csv", "the header has no column source");
}

static void every_figure_that_is_shipped_is_shown(void **state)
{
    (void)state;
    struct answer *answer;
    char line[1024];
    snprintf(line, sizeof line, "compare %s/results/nvidia-h200 %s/results/published.csv", home,
             home);
    answer = ask_well(&command_compare, line);
    assert_contains(answer->out, "H100 SXM5         127.529  A: NVIDIA H200  12");
    assert_contains(answer->out, "364 to 369  A: NVIDIA H200  36");
    assert_contains(answer->out, "tcgen05");
}

/* ---- Full result sets ---------------------------------------------------------------------- */

static void full_sets_take_less_than_two_seconds(void **state)
{
    (void)state;
    struct timespec start, end;
    char line[1024];
    snprintf(line, sizeof line, "compare %s/results/nvidia-h200 %s/results/nvidia-h200/ --csv",
             home, home);
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct answer *answer = ask_well(&command_compare, line);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    assert_string_equal(strchr(answer->out, '\n'), "\n");
    printf("[   SPEED   ] two full sets compared in %.2f s\n", seconds);
    assert_true(seconds < 2);
}

static int make_folders(void **state)
{
    static char folder[] = "/tmp/swizzlebench-compare-XXXXXX";
    (void)state;
    home = getcwd(NULL, 0);
    return !home || !mkdtemp(folder) || chdir(folder) || mkdir("a", 0777) || mkdir("b", 0777) ||
           mkdir("c", 0777) || mkdir("empty", 0777);
}

static int remove_folders(void **state)
{
    static const char *const names[] = {"a/mma.csv", "b/mma.csv", "c/mma.csv", "p.csv",
                                        "b/notes.txt"};
    char *folder = getcwd(NULL, 0);
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(names[i]);
    int left = rmdir("a") | rmdir("b") | rmdir("c") | rmdir("empty") | chdir(home);
    left |= rmdir(folder);
    free(folder);
    free(home);
    return left;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_rows_do_not_differ),
        cmocka_unit_test(a_median_changes_only_beyond_the_spread_and_the_threshold),
        cmocka_unit_test(less_time_is_faster),
        cmocka_unit_test(more_of_a_rate_is_faster),
        cmocka_unit_test(clocks_and_seconds_are_told_apart),
        cmocka_unit_test(counters_model_and_status_are_exact),
        cmocka_unit_test(other_digits_of_one_number_are_the_same),
        cmocka_unit_test(cases_on_one_side_are_said),
        cmocka_unit_test(the_filter_asks_the_first_side),
        cmocka_unit_test(three_sides_are_compared_with_the_first),
        cmocka_unit_test(a_family_on_one_side_and_other_columns_are_said),
        cmocka_unit_test(worse_is_exit_status_1),
        cmocka_unit_test(wrong_words_are_one_line),
        cmocka_unit_test(wrong_files_are_named),
        cmocka_unit_test(other_schemas_and_units_are_errors),
        cmocka_unit_test(published_figures_stand_on_either_side),
        cmocka_unit_test(wrong_figures_are_named),
        cmocka_unit_test(every_figure_that_is_shipped_is_shown),
        cmocka_unit_test(full_sets_take_less_than_two_seconds),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
