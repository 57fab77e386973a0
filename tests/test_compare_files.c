/* Does compare refuse files that are not fit to be compared, and say what is wrong where? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/commands.h"
#include "harness/compare_units.h"
#include "tests/ask.h"
#include "tests/sides.h"

/* ---- Files --------------------------------------------------------------------------------- */

static void wrong_files_are_named(void **state)
{
    (void)state;
    static const char twice[] = "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                                "mma,two,ok,,yes,2,2,100,99,101,2000\n"
                                "mma,one,ok,,yes,2,2,100,99,101,2000\n";
    sides_write(sides_rows);
    sides_bad("a nowhere", "cannot read nowhere: No such file");
    sides_bad("a empty", "there is no result file of a family, such as shared.csv");
    sides_text("b/mma.csv", "x,y\n1,2\n");
    sides_bad("a b", "b/mma.csv:1: not a result file");
    sides_text("b/mma.csv", "# schema: swizzlebench 1\n");
    sides_bad("a b", "b/mma.csv: ends before its header does");
    sides_text("b/mma.csv", "# schema: swizzlebench 1");
    sides_bad("a b", "b/mma.csv: ends before its header does");
    sides_text("b/mma.csv", "");
    sides_bad("a b", "b/mma.csv: is empty");
    sides_bad("a b/mma.csv", "b/mma.csv: is empty");
    sides_write(twice);
    sides_bad("a b", "b/mma.csv: lines 6 and 8 are both of case 'one'");
    sides_file("b/mma.csv", sides_schema, sides_header, "");
    sides_bad("a b/mma.csv", "there is no row in it");
    sides_file("b/mma.csv", sides_schema, sides_header, "fuzz,one,ok,,yes,2,2,100,99,101,2000\n");
    sides_bad("a b/mma.csv", "is of family 'fuzz', which is none");
    sides_file("b/mma.csv", sides_schema, "family,case,reason,verified", "mma,one,,yes\n");
    sides_bad("a b", "b/mma.csv: the header has no column 'status'");
}

/* What a text editor of another system leaves at the ends of lines is not part of them. */
static void lines_may_end_in_cr_lf(void **state)
{
    (void)state;
    char text[4096] = "", line[512];
    sides_write(sides_rows);
    FILE *from = fopen("b/mma.csv", "r");
    assert_non_null(from);
    while (fgets(line, sizeof line, from)) {
        strcpy(strchr(line, '\n'), "\r\n");
        strcat(text, line);
    }
    fclose(from);
    sides_text("b/mma.csv", text);
    struct answer *answer = ask_well(&command_compare, "compare a b");
    assert_contains(answer->out, "GPU a  GPU b\n");
    assert_contains(answer->out, "\n0 differences\n");
}

/* A device has no end, and a pipe keeps the reader waiting. */
static void only_regular_files_are_read(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_bad("a /dev/zero", "cannot read /dev/zero: it is a device, a pipe or a socket, and a "
                             "regular file is needed");
    unlink("b/mma.csv");
    assert_int_equal(mkfifo("b/mma.csv", 0666), 0);
    sides_bad("a b", "cannot read b/mma.csv: it is a device, a pipe or a socket");
    sides_bad("a b/mma.csv", "cannot read b/mma.csv: it is a device, a pipe or a socket");
    ask_bad(&command_report, "report b", "cannot read b/mma.csv: it is a device");
    ask_bad(&command_claims, "claims b", "cannot read b/mma.csv: it is a device");
    unlink("b/mma.csv");
    assert_int_equal(mkdir("b/mma.csv", 0777), 0);
    sides_bad("a b", "cannot read b/mma.csv: it is a folder");
    assert_int_equal(rmdir("b/mma.csv"), 0);
}

/* The end to read of a pipe, into which a child writes the file in two goes. */
static int pipe_of(const char *path)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    if (fork() == 0) {
        char text[4096];
        int from = open(path, O_RDONLY);
        ssize_t bytes = from < 0 ? -1 : read(from, text, sizeof text);
        ssize_t begun = bytes < 0 ? -1 : write(ends[1], text, (size_t)bytes / 2);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        _exit(begun < 0 || write(ends[1], text + begun, (size_t)(bytes - begun)) < 0);
    }
    close(ends[1]);
    return ends[0];
}

/* A pipe that a shell made, as in compare <(git show HEAD:mma.csv) mma.csv, does have an end. */
static void pipes_of_the_shell_are_read(void **state)
{
    (void)state;
    static const char *const names[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    char name[64], line[128];
    sides_write("mma,one,ok,,yes,2,3,100,99,101,2000\n");
    for (size_t i = 0; i < 4; i++) {
        int from = pipe_of("b/mma.csv");
        snprintf(name, sizeof name, names[i / 2], from);
        snprintf(line, sizeof line, i % 2 ? "compare a %s" : "compare %s a", name);
        struct answer *answer = ask(&command_compare, line);
        assert_string_equal(answer->err, "swizzlebench compare: mma, A and B: counter 1 time, "
                                         "first in 'one'\n");
        assert_int_equal(answer->status, 1);
        close(from);
        assert_true(wait(NULL) > 0);
    }

    int from = pipe_of("b/mma.csv"), before = dup(STDIN_FILENO);
    assert_true(before >= 0 && dup2(from, STDIN_FILENO) == STDIN_FILENO);
    assert_int_equal(ask(&command_compare, "compare a /dev/stdin")->status, 1);
    sides_bad("a /dev/stdin", "/dev/stdin: is empty"); /* it was read to its end */
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    close(before);
    close(from);
    assert_true(wait(NULL) > 0);

    /* a descriptor may be what has no end */
    from = open("/dev/zero", O_RDONLY);
    snprintf(line, sizeof line, "a /dev/fd/%d", from);
    sides_bad(line, "it is a device, a pipe or a socket");
    close(from);
    sides_bad("a /dev/fd/900", "cannot read /dev/fd/900: No such file");
}

/* ---- Columns ------------------------------------------------------------------------------- */

static void other_schemas_and_units_are_errors(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_file("b/mma.csv", "swizzlebench 2", sides_header, sides_rows);
    sides_bad("a b", "a/mma.csv has schema 'swizzlebench 1' and b/mma.csv has 'swizzlebench 2'");
    sides_file("a/mma.csv", "swizzlebench 2", sides_header, sides_rows);
    sides_bad("a b", "has schema 'swizzlebench 2', and this program reads 'swizzlebench 1'");
    sides_write(sides_rows);
    static const struct {
        const char *family, *column, *sentence;
    } others[] = {
        {"mma", "bound_ns",
         "b/mma.csv:5: its column 'bound_ns' is 'bound_cycles' of this program in another unit; "
         "clk/mma is needed"},
        {"mma", "ns_per_mma", "'ns_per_mma' is 'cycles_per_mma' of this program"},
        {"mma", "ns_per_mma_min", "'ns_per_mma_min' is 'cycles_per_mma_min' of this program"},
        {"mma", "sm_clock_ghz", "is 'sm_clock_mhz' of this program in another unit; MHz is"},
        {"tma", "gibytes_per_s", "is 'gbytes_per_s' of this program in another unit; GB/s is"},
        {"shared", "bits_per_clk_sm", "is 'bytes_per_clk_sm' of this program in another unit"},
        {"shared", "bytes_per_ns_sm", "is 'bytes_per_clk_sm' of this program in another unit"},
        {"wgmma", "tflops_per_s_sm", "is 'flop_per_clk_sm' of this program in another unit"},
    };
    char path[64], header[128], row[64];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        snprintf(path, sizeof path, "b/%s.csv", others[i].family);
        snprintf(header, sizeof header, "family,case,status,reason,verified,%s", others[i].column);
        snprintf(row, sizeof row, "%s,one,ok,,yes,1\n", others[i].family);
        sides_file(path, sides_schema, header, row);
        sides_bad("a b", others[i].sentence);
        sides_bad("b a", others[i].sentence);
        unlink(path);
    }
}

/* A column more, that this program does not have, is in no other unit where its own is there. */
static void a_further_column_may_repeat_another_in_its_unit(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_file("b/mma.csv", sides_schema,
               "family,case,status,reason,verified,cycles_per_mma,"
               "ns_per_mma,nanoseconds_per_mma,latency_ns",
               "mma,one,ok,,yes,100,50,50,7\n");
    struct answer *answer = ask(&command_compare, "compare a b --fail-if never");
    assert_int_equal(answer->status, 0);
    assert_contains(answer->out,
                    "mma has ns_per_mma, nanoseconds_per_mma, latency_ns, not compared");
}

static void other_units_of_one_dimension_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *name, *other;
        bool differ;
    } cases[] = {
        {"cycles_per_mma", "ns_per_mma", true},
        {"latency_cycles", "latency_us", true},
        {"gbytes_per_s", "gibytes_per_s", true},
        {"gbytes_per_s", "gb_per_s", true},
        {"gbytes_per_s", "gbytes_per_clk", true},
        {"bytes_per_clk_sm", "bits_per_cycle_sm", true},
        {"overlap_pct", "overlap_share", true},
        {"cycles_per_mma", "cycles_per_mma", false},
        {"cycles_per_mma", "cycles_per_box", false},
        {"cycles_per_mma", "bytes_per_mma", false},
        {"cycles_per_mma", "cycles_per_mma_min", false},
        {"latency_cycles", "latency_min_cycles", false},
        {"a_layout", "b_layout", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *name = cases[i].name, *other = cases[i].other;
        if (compare_units_differ(name, other) != cases[i].differ ||
            compare_units_differ(other, name) != cases[i].differ)
            fail_msg("%s and %s: %d is wanted", name, other, cases[i].differ);
    }
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static void bad_cells_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *row, *sentence;
    } bad[] = {
        {"mma,one,ok,,yes,2,2,abc,99,101,2000",
         "b/mma.csv:6: cycles_per_mma is 'abc': a number above 0 is needed, or nothing"},
        {"mma,one,ok,,yes,2,2,nan,99,101,2000", "cycles_per_mma is 'nan'"},
        {"mma,one,ok,,yes,2,2,inf,99,101,2000", "cycles_per_mma is 'inf'"},
        {"mma,one,ok,,yes,2,2,1e400,99,101,2000", "cycles_per_mma is '1e400'"},
        {"mma,one,ok,,yes,2,2,0,99,101,2000", "cycles_per_mma is '0'"},
        {"mma,one,ok,,yes,2,2,-100,99,101,2000", "cycles_per_mma is '-100'"},
        {"mma,one,ok,,yes,2,2,100,x,101,2000", "cycles_per_mma_min is 'x'"},
        {"mma,one,ok,,yes,2,2,100,99,x,2000", "cycles_per_mma_max is 'x'"},
        {"mma,one,ok,,yes,2,2,100,99,101,fast", "sm_clock_mhz is 'fast'"},
        {"mma,one,ok,,yes,2,two,100,99,101,2000",
         "hw_wavefronts is 'two': a number is needed, or nothing"},
        {"mma,one,ok,,yes,two,2,100,99,101,2000", "model_wavefronts is 'two'"},
        {"mma,one,foo,,yes,2,2,100,99,101,2000",
         "b/mma.csv:6: status is 'foo': ok, refused, skipped or failed is needed"},
        {"mma,one,ok,,perhaps,2,2,100,99,101,2000", "verified is 'perhaps': yes, no or - is"},
        {"mma,one,ok,,no,2,2,100,99,101,2000", "verified is 'no': the status is ok"},
        {"shared,one,ok,,yes,2,2,100,99,101,2000",
         "b/mma.csv:6: family is 'shared': all rows of a file are of one family"},
    };
    char rows[256];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(rows, sizeof rows, "%s\n", bad[i].row);
        sides_write(rows);
        sides_bad("a b", bad[i].sentence);
        sides_bad("b a", bad[i].sentence);
    }
}

static void good_cells_pass(void **state)
{
    (void)state;
    sides_write(
        "mma,one,ok,,yes,2,0,1e2,,,\n"
        "mma,two,ok,,-,4,-0.5,200.5,,201,2000\n"
        "mma,three,failed,wrong bytes,no,,,,,,0\n"); /* not timed, as files of before have it */
    assert_int_equal(ask(&command_compare, "compare a b --fail-if never")->status, 0);
}

static void a_column_that_is_there_twice_is_named(void **state)
{
    (void)state;
    sides_write(sides_rows);
    sides_file("b/mma.csv", sides_schema, "family,case,status,reason,verified,case",
               "mma,one,ok,,yes,one\n");
    sides_bad("a b", "b/mma.csv:5: columns 2 and 6 are both called 'case'; leave one of them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_files_are_named),
        cmocka_unit_test(lines_may_end_in_cr_lf),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(pipes_of_the_shell_are_read),
        cmocka_unit_test(other_schemas_and_units_are_errors),
        cmocka_unit_test(a_further_column_may_repeat_another_in_its_unit),
        cmocka_unit_test(other_units_of_one_dimension_are_told),
        cmocka_unit_test(bad_cells_are_named),
        cmocka_unit_test(good_cells_pass),
        cmocka_unit_test(a_column_that_is_there_twice_is_named),
    };
    return cmocka_run_group_tests(tests, sides_make, sides_remove);
}
