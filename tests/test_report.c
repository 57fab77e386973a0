/* Does the report of a folder show all that is in it, and say what it leaves out? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bench/commands.h"
#include "harness/report.h"
#include "harness/slurp.h"
#include "harness/utf8.h"
#include "tests/ask.h"
#include "tests/sides.h"

static const char bad_reason[] = "mma,one,failed,\"a <b> & \"\"c\"\" |d| *e* `f` [g](#h) _i_\",no"
                                 ",2,2,100,99,101,2000\n"
                                 "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                                 "mma,three,refused,no such n,-,,,,,,\n"
                                 "mma,four,ok,,yes,5,4,300,199,201,2000\n";

/* What a file holds; the test ends where there is none. */
static const char *text_of(const char *path)
{
    static char text[ASK_OUTPUT_BYTES];
    FILE *from = fopen(path, "r");
    if (!from)
        fail_msg("there is no %s", path);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    return text;
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in: %s", part, text);
}

static void report(const char *rows, const char *options)
{
    char line[256];
    sides_file("a/mma.csv", sides_schema, sides_header, rows);
    snprintf(line, sizeof line, "report a%s", options);
    ask_well(&command_report, line);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static void a_reason_stays_as_it_is(void **state)
{
    (void)state;
    report(bad_reason, "");
    const char *html = text_of("a/report.html");
    assert_contains(html, "<td>a &lt;b&gt; &amp; &quot;c&quot; |d| *e* `f` [g](#h) _i_</td>");
    assert_contains(text_of("a/report.md"),
                    "a \\<b\\> \\& \"c\" \\|d\\| \\*e\\* \\`f\\` \\[g\\](#h) \\_i\\_ |");
}

/* What a worker that died, or a hand, left in a file may be anything. */
static void what_is_no_utf8_is_replaced(void **state)
{
    (void)state;
#define NONE "\xef\xbf\xbd" /* U+FFFD */
    static const struct {
        const char *reason, *shown;
    } cases[] = {
        {"\xc3\xa4 \xe2\x86\x92 \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x86\x92 \xf0\x9f\x98\x80"},
        {"\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf",
         "\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf"},
        {"a \xff b \xc3", "a " NONE " b " NONE},
        {"\xe2\x86 x", NONE NONE " x"},
        {"\xc0\xaf \xe0\x80\xaf", NONE NONE " " NONE NONE NONE}, /* longer than need be */
        {"\xed\xa0\x80 \xf4\x90\x80\x80", NONE NONE NONE " " NONE NONE NONE NONE},
        {"\xf8\x88\x80\x80\x80", NONE NONE NONE NONE NONE},
        {"\x1b[31m\x7f \xc2\x9b"
         "1m",
         NONE "\\[31m" NONE " " NONE NONE "1m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rows[256], wanted[128];
        snprintf(rows, sizeof rows, "mma,one,failed,%s,no,2,2,100,99,101,2000\n", cases[i].reason);
        snprintf(wanted, sizeof wanted, "| failed | one | %s |", cases[i].shown);
        report(rows, "");
        assert_contains(text_of("a/report.md"), wanted);
        assert_true(utf8_is_clean(text_of("a/report.md")));
        assert_true(utf8_is_clean(text_of("a/report.html")));
    }
    /* In the head as well, and where a command is shown as it is. */
    sides_text("a/mma.csv", "# schema: swizzlebench 1\n# gpu: \xff<\x1b>\n# command: \xfe\n"
                            "family,case,status,reason,verified\nmma,one,ok,,yes\n");
    ask_well(&command_report, "report a");
    assert_contains(text_of("a/report.html"), "<title>swizzlebench: " NONE "&lt;" NONE "&gt;<");
    assert_true(utf8_is_clean(text_of("a/report.html")));
    assert_contains(text_of("a/report.md"), "mma          " NONE "\n");
}

static void every_row_that_is_not_ok_is_there(void **state)
{
    (void)state;
    report(bad_reason, "");
    const char *html = text_of("a/report.html");
    assert_contains(html, "<td>failed</td><td>one</td>");
    assert_contains(html, "<td>refused</td><td>three</td><td>no such n</td>");
    const char *markdown = text_of("a/report.md");
    assert_contains(markdown, "| [mma](#mma) | 4 | 2 | 1 | 0 | 1 | 2 | 1 |\n");
    assert_lacks(markdown, "every row is ok");
    report(sides_rows, "");
    assert_contains(text_of("a/report.md"), "None: every row is ok.");
}

static void skipped_rows_of_one_reason_are_counted(void **state)
{
    (void)state;
    char rows[4096] = "", *at = rows;
    for (int i = 0; i < 60; i++)
        at += sprintf(at, "mma,case %d,skipped,needs <sm_90>,-,,,,,,\n", i);
    sprintf(at, "mma,other,skipped,another,-,,,,,,\n");
    report(rows, "");
    const char *markdown = text_of("a/report.md");
    assert_contains(markdown, "| case 49 |");
    assert_lacks(markdown, "| case 50 |");
    assert_contains(markdown, "| other | another |");
    assert_contains(markdown,
                    "And 10 more skipped rows, which are in mma.csv: needs \\<sm_90\\>\n");
}

static void numbers_are_those_of_rows_that_are_ok(void **state)
{
    (void)state;
    report(bad_reason, "");
    const char *markdown = text_of("a/report.md");
    assert_contains(markdown, "| `model_wavefronts` | wavefront/mma | 2 | 4 | 4.5 | 5 | predicted");
    assert_contains(markdown, "| `cycles_per_mma` | clk/mma | 2 | 200 | 250 | 300 | ");
    report("mma,one,ok,,yes,1048576,2.123456789,100,99,101,2000\n", "");
    markdown = text_of("a/report.md");
    assert_contains(markdown, "| `model_wavefronts` | wavefront/mma | 1 | 1048576 | 1048576 |");
    assert_contains(markdown, "| `hw_wavefronts` | wavefront/mma | 1 | 2.12346 |");
}

/* ---- Plots --------------------------------------------------------------------------------- */

static const char picture[] = "<?xml version='1.0'?>\n<svg viewBox='0 0 1 1'><title>Gnuplot</title>"
                              "<g id=\"x\"/><use xlink:href='#x' fill='url(#x)'/></svg>\n";

static void plots_are_inside_with_ids_of_their_own(void **state)
{
    (void)state;
    sides_text("a/mma-one.svg", picture);
    sides_text("a/mma-two.svg", picture);
    sides_text("a/mma-cut.svg", "<svg>");
    sides_text("a/mma-runs.svg", "<svg><SCRIPT>alert(1)</SCRIPT></svg>");
    sides_text("a/mma-latin.svg", "<svg><text>\xe4</text></svg>");
    sides_text("a/other-x.svg", picture);
    report(sides_rows, "");
    const char *html = text_of("a/report.html");
    assert_contains(html, "<svg viewBox='0 0 1 1'><g id=\"p0-x\"/><use xlink:href='#p0-x' "
                          "fill='url(#p0-x)'/></svg>");
    assert_contains(html, "<g id=\"p1-x\"/>");
    assert_lacks(html, "<?xml");
    assert_lacks(html, "Gnuplot");
    assert_contains(html, "mma-cut.svg: it is no SVG picture, or not a whole one");
    assert_contains(html, "mma-runs.svg: it has a script");
    assert_contains(html, "mma-latin.svg: it is not UTF-8, or has control characters");
    assert_lacks(html, "alert");
    assert_contains(html, "other-x.svg: no result file has that name before the -");
    assert_contains(text_of("a/report.md"), "![mma-two](mma-two.svg)\n");
    unlink("a/mma-cut.svg");
    unlink("a/mma-runs.svg");
    unlink("a/mma-latin.svg");
    unlink("a/other-x.svg");
}

static void with_out_the_plots_go_there_too(void **state)
{
    (void)state;
    sides_text("a/mma-one.svg", picture);
    report(sides_rows, " --out made/new");
    assert_contains(text_of("made/new/report.md"), "(mma-one.svg)");
    assert_contains(text_of("made/new/mma-one.svg"), "<svg viewBox");
    report(sides_rows, " --out ./a");
    assert_string_equal(text_of("a/mma-one.svg"), picture);
    unlink("a/mma-one.svg");
    unlink("a/mma-two.svg");
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    sides_text("a/notes.csv", "x,y\n1,2\n");
    sides_file("a/odd.csv", sides_schema, "x,y", "1,2\n");
    report(sides_rows, "");
    const char *markdown = text_of("a/report.md");
    assert_contains(markdown, "odd.csv: it has no column 'status'");
    assert_contains(markdown, "No plot: there is no mma-*.svg beside mma.csv.");
    assert_contains(markdown, "None: the report was made without --findings.");
    assert_contains(markdown, "shared.csv: not in the folder");
    assert_contains(markdown, "notes.csv: it is no result file");
    assert_contains(markdown, "mma has no atom");
    assert_contains(markdown, "| driver | not said |");
    unlink("a/notes.csv");
    unlink("a/odd.csv");
}

/* ---- Findings and claims ------------------------------------------------------------------- */

static void findings_stand_in_their_family(void **state)
{
    (void)state;
    sides_text("f.md", "<!-- family: tma -->\n<!-- findings: tma -->\nof boxes\n<!-- end -->\n"
                       "<!-- family: mma -->\n<!-- findings: mma-law -->\n"
                       "- **Bold `a < b`** and *slanted*, 2 * 3 < 4\n\n"
                       "| `a|b` | n |\n| --- | --: |\n| x \\| y | **7** |\n<!-- end -->\n");
    report(sides_rows, " --findings f.md");
    const char *html = text_of("a/report.html");
    assert_contains(html, "<h4>mma-law</h4>\n<ul>\n<li><strong>Bold <code>a &lt; b</code></strong> "
                          "and <em>slanted</em>, 2 * 3 &lt; 4</li>\n</ul>");
    assert_contains(html, "<tr><td>x | y</td><td class=\"r\"><strong>7</strong></td></tr>");
    assert_lacks(html, "of boxes");
    sides_text("f.md", "<!-- family: mma -->\n<!-- findings: mma -->\nfill-nan\n<!-- end -->\n"
                       "<!-- findings: mma-law -->\n0 of 0 (-nan %)\n<!-- end -->\n");
    report(sides_rows, " --findings f.md");
    const char *markdown = text_of("a/report.md");
    assert_contains(markdown, "#### mma\n\nfill-nan\n");
    assert_contains(markdown, "#### mma-law\n\nLeft out: the file has not all the rows");
    assert_lacks(markdown, "(-nan");
    sides_text("f.md", "<!-- family: tma -->\n");
    report(sides_rows, " --findings f.md");
    assert_contains(text_of("a/report.md"), "scripts/findings says nothing about mma.csv");
}

/* Anew, whatever an old claims.csv says. */
static void claims_are_judged_from_the_files(void **state)
{
    (void)state;
    sides_file("a/claims.csv", sides_schema,
               "id,claim,verdict,condition,evidence,family,case,status",
               "S1,x < y,holds,always,mma.csv: one,claims,S1,ok\n");
    report(sides_rows, "");
    assert_contains(text_of("a/report.html"), "<h2 id=\"claims\">Claims</h2>");
    const char *markdown = text_of("a/report.md");
    assert_contains(markdown, "| S7 | thread 0 of a 16-bit m16n8k8 holds four consecutive k of A | "
                              "refuted | thread 0 holds (M,K) = ");
    assert_contains(markdown, "| open | needs measured rows of ldmatrix in the eight layouts");
    assert_lacks(markdown, "x \\< y");
    unlink("a/claims.csv");
}

/* ---- The page ------------------------------------------------------------------------------ */

static void the_page_needs_nothing_else(void **state)
{
    (void)state;
    report(bad_reason, "");
    const char *html = text_of("a/report.html");
    assert_contains(html, "<title>swizzlebench: GPU a</title>");
    assert_contains(html, "default-src 'none'");
    assert_contains(html, "prefers-color-scheme: dark");
    assert_contains(html, "@media print");
    static const char *const needs[] = {"<script", "<link",    "src=\"",
                                        "http://", "https://", "@import"};
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        assert_lacks(html, needs[i]);
}

static void the_report_of_the_h200_is_small_and_quick(void **state)
{
    (void)state;
    char line[1024];
    struct timespec start, stop;
    snprintf(line, sizeof line, "%s/results/nvidia-h200/shared.csv", sides_home);
    if (access(line, R_OK) != 0)
        skip();
    snprintf(line, sizeof line, "report %s/results/nvidia-h200 --out h200", sides_home);
    clock_gettime(CLOCK_MONOTONIC, &start);
    ask_well(&command_report, line);
    clock_gettime(CLOCK_MONOTONIC, &stop);
    assert_true(stop.tv_sec - start.tv_sec < 10);
    char *text = NULL;
    size_t length = 0;
    struct error error;
    assert_true(file_slurp("h200/report.html", &text, &length, &error));
    assert_in_range(length, 100000, 5000000);
    assert_contains(text, "<svg");
    free(text);
}

/* ---- Wrong input --------------------------------------------------------------------------- */

static void bad(const char *words, const char *part)
{
    char line[256];
    snprintf(line, sizeof line, "report %s", words);
    ask_bad(&command_report, line, part);
}

static void wrong_input_is_one_line(void **state)
{
    (void)state;
    report(sides_rows, "");
    bad("--out x", "one folder of results is needed");
    bad("a b", "one folder of results is needed");
    bad("none", "cannot read none: No such file or directory");
    bad("a/mma.csv", "a/mma.csv: a file, and not a folder");
    bad("empty", "there is no result file of a family");
    bad("a --wat", "--wat");
    bad("a --findings none.md", "cannot read none.md");
    bad("a --findings a/mma.csv", "is not what scripts/findings prints");
    bad("a --out a/mma.csv/x", "cannot write to the folder 'a/mma.csv/x'");
    sides_text("b/mma.csv", "family,case\n");
    bad("b", "not a result file");
    sides_file("b/mma.csv", "swizzlebench 0", sides_header, sides_rows);
    bad("b", "this program reads 'swizzlebench 1'");
    sides_file("b/mma.csv", sides_schema, "family,case,status", "mma,x,ok\n");
    bad("b", "the header has no column 'reason'");
    assert_int_not_equal(access("b/report.md", F_OK), 0);
    assert_contains(ask_well(&command_report, "report --help")->out, "usage: swizzlebench report");
}

static void a_full_disk_is_said(void **state)
{
    (void)state;
    report(sides_rows, "");
    unlink("a/report.html");
    assert_int_equal(symlink("/dev/full", "a/report.html"), 0);
    const struct answer *answer = ask(&command_report, "report a");
    assert_int_equal(answer->status, 1);
    assert_contains(answer->err, "cannot write a/report.html: No space left on device");
    unlink("a/report.html");
}

/* No file may become longer than `bytes`; what is written beyond is an error, and no signal. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, bytes == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
}

static void what_was_there_outlives_a_full_disk(void **state)
{
    (void)state;
    static const struct {
        const struct command *command;
        const char *line, *path;
    } writers[] = {
        {&command_report, "report a", "a/report.md"},
        {&command_claims, "claims a --out a", "a/claims.csv"},
    };
    report(sides_rows, "");
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        char said[64];
        sides_text(writers[i].path, "before");
        limit_files(1000);
        const struct answer *answer = ask(writers[i].command, writers[i].line);
        limit_files(RLIM_INFINITY);
        assert_int_equal(answer->status, 1);
        snprintf(said, sizeof said, "cannot write %s: File too large", writers[i].path);
        assert_contains(answer->err, said);
        assert_string_equal(text_of(writers[i].path), "before");
        unlink(writers[i].path);
    }
    assert_int_equal(system("ls -A a | grep '^[.]'"), 1 << 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reason_stays_as_it_is),
        cmocka_unit_test(what_is_no_utf8_is_replaced),
        cmocka_unit_test(every_row_that_is_not_ok_is_there),
        cmocka_unit_test(skipped_rows_of_one_reason_are_counted),
        cmocka_unit_test(numbers_are_those_of_rows_that_are_ok),
        cmocka_unit_test(plots_are_inside_with_ids_of_their_own),
        cmocka_unit_test(with_out_the_plots_go_there_too),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(findings_stand_in_their_family),
        cmocka_unit_test(claims_are_judged_from_the_files),
        cmocka_unit_test(the_page_needs_nothing_else),
        cmocka_unit_test(the_report_of_the_h200_is_small_and_quick),
        cmocka_unit_test(wrong_input_is_one_line),
        cmocka_unit_test(a_full_disk_is_said),
        cmocka_unit_test(what_was_there_outlives_a_full_disk),
    };
    return cmocka_run_group_tests(tests, sides_make, sides_remove);
}
