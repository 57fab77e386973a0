/* Does `advise --gpu` give the figures of the row that is that very thing, or repeats in it, and
 * say where there is none? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands.h"
#include "tests/ask.h"

static char folder[] = "/tmp/swizzlebench-advise-XXXXXX";

static const char *const names[] = {"shared.csv", "tma.csv", "mma.csv", "wgmma.csv", "copy.csv"};
enum { FILES = sizeof names / sizeof names[0], COPY = 4 };

static void path_of(size_t file, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%s", folder, names[file]);
}

struct head {
    const char *schema, *backend, *gpu;
};

static void write_as(size_t file, const struct head *head, const char *columns, const char *rows)
{
    char path[64];
    path_of(file, path, sizeof path);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fprintf(to, "# schema: %s\n# backend: %s\n# gpu: %s\n", head->schema, head->backend, head->gpu);
    fprintf(to, "family,case,status,reason,verified,%s\n%s", columns, rows);
    fclose(to);
}

static void write_file(size_t file, const char *backend, const char *columns, const char *rows)
{
    write_as(file, &(struct head){"swizzlebench 1", backend, "NVIDIA H987"}, columns, rows);
}

static int make_results(void **state)
{
    (void)state;
    write_file(0, "cuda", "latency_cycles,throughput_cycles,bytes_per_clk_sm",
               "shared,ldmatrix.x4 K/128B 64x64x16b block,ok,,yes,34.5,4.25,127.1\n"
               "shared,st.shared.b128 K/128B 64x64x16b rows,ok,,yes,40,4.5,126\n"
               "shared,cp.async.16.cg K/64B 64x64x16b rows stack=col,ok,,yes,400,9,60\n");
    write_file(1, "cuda", "latency_cycles,cycles_per_box,bytes_per_clk_sm",
               "tma,load bf16 64x64 128B,ok,,yes,446.5,80.25,102\n"
               "tma,load bf16 32x64 64B,ok,,yes,440.5,75.5,54\n"
               "tma,load bf16 16x64 32B,failed,wrong bytes,no,,,\n");
    write_file(2, "cuda", "cycles_per_mma,bound_cycles",
               "mma,bf16 A=K/128B B=K/128B,ok,,yes,1.75,1.5\n"
               "mma,bf16 A=K/64B B=K/64B,ok,,yes,1.78,1.5\n"
               "mma,e4m3 A=K/128B B=K/128B,skipped,no such tensor cores,-,,\n");
    write_file(3, "cuda", "cycles_per_mma",
               "wgmma,bf16 n256 A=K/128B B=K/128B col,ok,,yes,128.5\n"
               "wgmma,bf16 n64 A=K/32B B=K/32B row,ok,,yes,32.5\n");
    write_file(COPY, "cuda",
               "instructions,bytes_per_clk_sm,pct_of_peak,cycles_per_tile,ctas_per_sm",
               "copy,tma-load 64x128B K/128B L2 stages=1,ok,,yes,1,15.125,94.5,544.25,4\n"
               "copy,tma-load 64x128B K/128B L2 stages=2,ok,,yes,1,28.5,97.75,286.5,3\n"
               "copy,tma-load 64x128B K/128B L2 stages=4,ok,,yes,1,57.25,97.75,143.125,2\n"
               "copy,tma-load 64x128B K/128B DRAM stages=3,failed,wrong bytes,no,1,,,,\n"
               "copy,tma-load 64x128B K/128B DRAM stages=4,ok,,yes,1,26.5,99.5,314.5,1\n"
               "copy,tma-load 64x128B K/64B stack=row L2 stages=4,ok,,yes,16,18.5,96.25,436.5,4\n"
               "copy,tma-load.whole 64x128B K/64B stack=row L2 stages=2,ok,,yes,1,47,98.25,176,4\n"
               "copy,tma-load.whole 64x128B K/64B stack=row L2 stages=4,ok,,yes,1,46,98.5,175,4\n"
               "copy,tma-load 64x128B K/32B stack=col L2 stages=4,failed,wrong bytes,no,4,,,,\n"
               "copy,tma-load 64x128B K/none stack=col L2 stages=4,ok,,yes,8,16,27.25,512,4\n"
               "copy,tma-load.whole 64x128B K/none stack=col L2 stages=4,ok,,yes,1,16,31.5,511,4\n"
               "copy,tma-load 64x128B K/none stack=row L2 stages=4,ok,,yes,64,5,34.5,1515,4\n"
               "copy,ld-st.16 64x128B K/128B L2 stages=4,ok,,yes,16,66,90.5,124,1\n"
               "copy,ld-st.8 64x128B K/128B L2 stages=4,ok,,yes,32,66,99,100,1\n"
               "copy,cp.async.cg.16 64x128B K/64B stack=col L2 stages=4,ok,,yes,16,60,89.25,136,1\n"
               "copy,cp.async.cg.16 64x128B K/64B stack=col order=shared L2 stages=4,ok,,yes,16,60,"
               "99,100,1\n"
               "copy,cp.async.ca.16 64x128B K/64B stack=col L2 stages=4,ok,,yes,16,60,99,100,1\n");
    return 0;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t file = 0; file < FILES; file++) {
        char path[64];
        path_of(file, path, sizeof path);
        unlink(path);
    }
    return rmdir(folder);
}

static const char *advise(const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "advise --dtype bf16 --tile 64x64 --major K --gpu %s %s", folder,
             words);
    return ask_well(&command_advise, line)->out;
}

static void test_writer_and_wgmma(void **state)
{
    (void)state;
    const char *page = advise("--reader wgmma --writer tma");
    assert_contains(page, "measured on NVIDIA H987 (/tmp/swizzlebench-advise-");
    assert_contains(page, "80.25 clk a box, 80.25 the tile; latency 446.5 clk; 102 B/clk\n");
    assert_contains(page, "tma.csv, `load bf16 64x64 128B`, cycles_per_box\n");
    assert_contains(page, "128.5 clk an instruction, 514.00 the tile\n");
    assert_contains(page, "wgmma.csv, `bf16 n256 A=K/128B B=K/128B col`, cycles_per_mma\n");
    assert_contains(page,
                    "K/64B stack=col    tma              512     128     512    151.0        -");
}

/* The model's numbers stay what they are without. */
static void test_model_is_not_mixed_in(void **state)
{
    (void)state;
    const char *page = advise("--reader wgmma --writer tma");
    assert_contains(page, "bounded by the reader: 512 clk; the writer takes 64\n");
    page = advise("--reader wgmma --writer tma --csv");
    assert_contains(page, "\nK/128B,,tma,ok,,1,512,reader,64,512,");
    assert_contains(page, ",80.25,446.5,102,\"tma.csv, `load bf16 64x64 128B`, cycles_per_box\","
                          "514.00,\"wgmma.csv, ");
    assert_contains(page, ",\"tma.csv, `load bf16 16x64 32B`: failed, wrong bytes\",");
}

static void test_ldmatrix_and_stores(void **state)
{
    (void)state;
    const char *page = advise("--reader ldmatrix --writer st");
    assert_contains(page, "4.5 clk an instruction, 72.00 the tile; latency 40 clk; 126 B/clk\n");
    assert_contains(page,
                    "shared.csv, `st.shared.b128 K/128B 64x64x16b rows`, throughput_cycles\n");
    assert_contains(page, "4.25 clk an instruction, 68.00 the tile");
    page = advise("--reader ldmatrix --writer cp.async");
    assert_contains(page,
                    "K/64B stack=col    cp.async         128     128      64    144.0        -");
    assert_contains(page, "none: shared.csv has no row `cp.async.16.cg K/128B 64x64x16b rows`\n");
}

static void assert_line_contains(const char *page, const char *head, const char *part)
{
    char line[2048];
    const char *at = strstr(page, head);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    assert_contains(line, part);
}

/* Its atoms go along the lines first, and its clocks are of no tile. */
static void test_mma(void **state)
{
    (void)state;
    const char *page = advise("--reader mma --writer tma");
    assert_contains(page, "1.75 clk an mma, with its loads\n");
    assert_contains(page, "mma.csv, `bf16 A=K/128B B=K/128B`, cycles_per_mma\n");
    page = advise("--reader mma --writer tma --csv");
    assert_line_contains(page, "\nK/64B,col,tma,", "mma.csv stacks the atoms the other way");
    assert_line_contains(page, "\nK/64B,row,tma,", "`bf16 A=K/64B B=K/64B`, cycles_per_mma");
}

static void test_what_is_not_there(void **state)
{
    (void)state;
    char path[64], line[256];
    const char *page = advise("--reader wgmma --writer tma --n 8");
    assert_contains(page, "none: wgmma.csv has no row `bf16 n8 A=K/128B B=K/128B col`\n");
    snprintf(line, sizeof line,
             "advise --dtype e4m3 --tile 64x128 --major K --reader mma --writer tma --gpu %s",
             folder);
    page = ask_well(&command_advise, line)->out;
    assert_contains(page, "none: tma.csv has no row `load u8 128x64 128B`\n");
    assert_contains(page,
                    "none: mma.csv, `e4m3 A=K/128B B=K/128B`: skipped, no such tensor cores\n");
    path_of(3, path, sizeof path);
    unlink(path);
    assert_contains(advise("--reader wgmma"), "none: there is no wgmma.csv\n");
}

/* ---- Whole copies -------------------------------------------------------------------------- */

/* The best number of stages for all SMs, of equal ones the fewest, and that for one CTA. */
static void test_copy(void **state)
{
    (void)state;
    const char *page = advise("--reader wgmma --writer tma");
    assert_contains(page,
                    "  copy from L2   all SMs: 97.75 % of the plain copy, with 2 stages x 3 CTAs "
                    "an SM\n"
                    "                 copy.csv, `tma-load 64x128B K/128B L2 stages=2`, "
                    "pct_of_peak, by stages 1: 94.5, 2: 97.75, 4: 97.75\n"
                    "                 one CTA alone: 143.125 clk the tile, 57.25 B/clk/SM, "
                    "with 4 stages\n"
                    "                 copy.csv, `tma-load 64x128B K/128B L2 stages=4`, "
                    "cycles_per_tile, by stages 1: 544.25, 2: 286.5, 4: 143.125\n");
    assert_contains(page,
                    "  from DRAM      all SMs: 99.5 % of the plain copy, with 4 stages x 1 CTA an "
                    "SM\n"
                    "                 copy.csv, `tma-load 64x128B K/128B DRAM stages=4`, "
                    "pct_of_peak\n");
    assert_null(strstr(page, "one box, "));
    page = advise("--reader wgmma --writer tma --csv");
    assert_line_contains(
        page, "\nK/128B,,tma,",
        ",97.75,2,3,\"copy.csv, `tma-load 64x128B K/128B L2 stages=2`, pct_of_peak\","
        "143.125,4,\"copy.csv, `tma-load 64x128B K/128B L2 stages=4`, "
        "cycles_per_tile\",99.5,4,1,");
}

/* What is no number is none, and the reason is said. */
static void test_copy_without_a_number(void **state)
{
    (void)state;
    write_file(COPY, "cuda",
               "instructions,bytes_per_clk_sm,pct_of_peak,cycles_per_tile,ctas_per_sm",
               "copy,tma-load 64x128B K/128B L2 stages=1,ok,,yes,1,15.125,nan,,4\n"
               "copy,tma-load 64x128B K/128B L2 stages=2,ok,,yes,1,28.5,97.75,inf,3\n"
               "copy,tma-load 64x128B K/128B L2 stages=4,ok,,yes,1,28.5,0,-5,3\n");
    const char *page = advise("--reader wgmma --writer tma");
    assert_contains(page, "  copy from L2   all SMs: 97.75 % of the plain copy, with 2 stages");
    assert_contains(page, "`tma-load 64x128B K/128B L2 stages=2`, pct_of_peak\n"
                          "                 one CTA alone: none: copy.csv, `tma-load 64x128B "
                          "K/128B L2 stages=4`: no cycles_per_tile\n");
}

/* What is copied is bytes. */
static void test_copy_of_bytes(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line,
             "advise --dtype e4m3 --tile 64x128 --major K --reader mma --writer tma --gpu %s",
             folder);
    assert_contains(ask_well(&command_advise, line)->out,
                    "copy.csv, `tma-load 64x128B K/128B L2 stages=2`, pct_of_peak");
}

/* A row is of use where it takes the boxes that the candidate takes; in one box it is another. */
static void test_copy_in_boxes(void **state)
{
    (void)state;
    const char *page = advise("--reader wgmma --writer tma --csv");
    assert_line_contains(page, "\nK/64B,row,tma,",
                         ",96.25,4,4,\"copy.csv, `tma-load 64x128B K/64B stack=row L2 stages=4`, ");
    assert_line_contains(page, "\nK/64B,row,tma,",
                         ",98.5,4,4,\"copy.csv, `tma-load.whole 64x128B K/64B stack=row L2 "
                         "stages=4`, pct_of_peak\",175,4,");
    assert_line_contains(page, "\nK/none,col,tma,",
                         ",31.5,4,4,\"copy.csv, `tma-load.whole 64x128B K/none stack=col L2 "
                         "stages=4`, ");
    assert_line_contains(page, "\nK/none,row,tma,",
                         ",,,,\"copy.csv, `tma-load 64x128B K/none stack=row L2 stages=4`: in 64 "
                         "instructions, and these are 8\",");
    assert_line_contains(page, "\nK/32B,col,tma,",
                         ",,,,\"copy.csv, `tma-load 64x128B K/32B stack=col L2 stages=4`: failed, "
                         "wrong bytes\",");
    assert_line_contains(
        page, "\nK/32B,row,tma,",
        "\"copy.csv has no row `tma-load 64x128B K/32B stack=row L2 stages=1`, nor "
        "one of more stages\",");
    page = advise("--reader wgmma --writer tma");
    assert_line_contains(page, "\nK/64B stack=row    tma ", "   96.25       -  ");
    assert_line_contains(
        page, "\nK/64B stack=row         16 ",
        "   436.5    98.5      4       175      4       -      -         -      -");
}

/* 16 bytes a lane along the lines, of cp.async past L1; no other width, order or cache. */
static void test_copy_by_lanes(void **state)
{
    (void)state;
    const char *page = advise("--reader ldmatrix --csv");
    assert_line_contains(
        page, "\nK/128B,,st,",
        ",90.5,4,1,\"copy.csv, `ld-st.16 64x128B K/128B L2 stages=4`, pct_of_peak\","
        "124,4,");
    assert_line_contains(page, "\nK/64B,col,cp.async,",
                         ",89.25,4,1,\"copy.csv, `cp.async.cg.16 64x128B K/64B stack=col L2 "
                         "stages=4`, pct_of_peak\",136,4,");
    assert_line_contains(page, "\nK/64B,col,st,", "copy.csv has no row `ld-st.16 64x128B K/64B ");
}

static void test_no_copies(void **state)
{
    (void)state;
    char path[64];
    path_of(COPY, path, sizeof path);
    unlink(path);
    assert_contains(advise("--reader wgmma"), "  copy from L2   none: there is no copy.csv\n"
                                              "  from DRAM      none: there is no copy.csv\n");
}

/* ---- A tile that repeats ------------------------------------------------------------------- */

static const char *advise_tile(const char *tile, const char *major, const char *words)
{
    char line[512];
    snprintf(line, sizeof line,
             "advise --dtype bf16 --tile %s --major %s --reader ldmatrix --gpu %s %s", tile, major,
             folder, words);
    return ask_well(&command_advise, line)->out;
}

/* As many clocks an instruction, for as many instructions as this tile takes. */
static void test_fewer_and_more_lines(void **state)
{
    (void)state;
    const char *page = advise_tile("128x64", "K", "--writer st");
    assert_contains(page,
                    "4.25 clk an instruction, 136.00 the tile; latency 34.5 clk; 127.1 B/clk\n"
                    "                 shared.csv, `ldmatrix.x4 K/128B 64x64x16b block`, "
                    "throughput_cycles: of 64x64, same wavefronts an instruction\n");
    assert_contains(page, "4.5 clk an instruction, 144.00 the tile;");
    page = advise_tile("32x64", "K", "--writer st");
    assert_contains(page, "4.25 clk an instruction, 34.00 the tile;");
    assert_contains(page, "block`, throughput_cycles: of 64x64, same wavefronts an instruction\n");
    page = advise_tile("96x64", "K", "--writer st");
    assert_contains(page, "none: shared.csv has no row `ldmatrix.x4 K/128B 96x64x16b block`\n");
}

/* Half of the last instruction is left over, so that these are 3 wavefronts in the mean, not 4. */
static void test_other_wavefronts(void **state)
{
    (void)state;
    write_file(0, "cuda", "latency_cycles,throughput_cycles,bytes_per_clk_sm",
               "shared,st.shared.b128 K/32B 48x16x16b rows,ok,,yes,40,4.5,126\n"
               "shared,st.shared.b128 K/32B 8x16x16b rows,ok,,yes,40,4.5,126\n");
    assert_line_contains(advise_tile("24x16", "K", "--writer st --csv"), "\nK/32B,,st,",
                         ",,,,shared.csv has no row `st.shared.b128 K/32B 24x16x16b rows`,");
    assert_line_contains(advise_tile("16x16", "K", "--writer st --csv"), "\nK/32B,,st,",
                         ",4.50,40,126,\"shared.csv, `st.shared.b128 K/32B 48x16x16b rows`, "
                         "throughput_cycles: of 48x16, ");
}

/* What went wrong with the very tile is not made good by another; what cp.async fetches counts. */
static void test_not_repeated(void **state)
{
    (void)state;
    write_file(0, "cuda", "latency_cycles,throughput_cycles,bytes_per_clk_sm",
               "shared,ldmatrix.x4 K/128B 128x64x16b block,failed,wrong bytes,no,,,\n"
               "shared,ldmatrix.x4 K/128B 64x64x16b block,ok,,yes,34.5,4.25,127.1\n"
               "shared,cp.async.16.cg K/128B 64x64x16b rows,ok,,yes,400,9,60\n");
    const char *page = advise_tile("128x64", "K", "--writer cp.async");
    assert_contains(page, "none: shared.csv, `ldmatrix.x4 K/128B 128x64x16b block`: failed, wrong "
                          "bytes\n");
    assert_contains(page, "none: shared.csv has no row `cp.async.16.cg K/128B 128x64x16b rows`\n");
}

static void test_lacking_column(void **state)
{
    (void)state;
    write_file(0, "cuda", "latency_cycles,ns,bytes_per_clk_sm",
               "shared,ldmatrix.x4 K/128B 128x64x16b block,ok,,yes,34.5,4.25,127.1\n");
    assert_contains(advise_tile("128x64", "K", "--writer cp.async"),
                    "none: shared.csv has no column throughput_cycles\n");
}

/* MN-major lines are the rows of a K-major tile, where there are no atoms. */
static void test_lines_as_rows(void **state)
{
    (void)state;
    write_file(0, "cuda", "latency_cycles,throughput_cycles,bytes_per_clk_sm",
               "shared,st.shared.b128 linear 128x64x16b rows,ok,,yes,40,4.5,126\n"
               "shared,cp.async.16.cg linear 128x64x16b rows,ok,,yes,400,9.5,60\n"
               "shared,cp.async.16.cg padded 64x64x16b rows,ok,,yes,400,9,60\n");
    const char *page = advise_tile("64x128", "MN", "--csv");
    assert_line_contains(page, "\nMN/linear,,st,",
                         ",144.00,40,126,\"shared.csv, `st.shared.b128 linear 128x64x16b rows`, "
                         "throughput_cycles: of 128x64, same wavefronts an instruction\",");
    assert_line_contains(page, "\nMN/linear,,cp.async,", ",304.00,400,60,");
    assert_line_contains(page, "\nMN/padded,,cp.async,",
                         ",,,,shared.csv has no row `cp.async.16.cg MN/padded 64x128x16b rows`,");
}

/* ---- Files --------------------------------------------------------------------------------- */

static void test_bad_results(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "advise --dtype bf16 --tile 64x64 --major K --reader mma --gpu %s",
             folder);
    write_file(1, "model", "cycles_per_box", "");
    ask_bad(&command_advise, line, "tma.csv was not measured, its backend is model");
    write_file(1, "cuda", "cycles_per_box", "tma,too,few\ntma,load,ok,,yes,1\n");
    ask_bad(&command_advise, line, "tma.csv");
    write_as(1, &(struct head){"swizzlebench 99", "cuda", "NVIDIA H987"}, "cycles_per_box", "");
    ask_bad(&command_advise, line,
            "tma.csv has schema 'swizzlebench 99', this program reads 'swizzlebench 1'");
    write_as(1, &(struct head){"swizzlebench 1", "cuda", "NVIDIA X"}, "cycles_per_box", "");
    ask_bad(&command_advise, line,
            "shared.csv is of NVIDIA H987, and tma.csv of NVIDIA X: one GPU");
    ask_bad(&command_advise,
            "advise --dtype bf16 --tile 64x64 --major K --reader mma --gpu /tmp/not/there",
            "--gpu /tmp/not/there: there is none of shared.csv, tma.csv, mma.csv, wgmma.csv and "
            "copy.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_writer_and_wgmma, make_results),
        cmocka_unit_test_setup(test_model_is_not_mixed_in, make_results),
        cmocka_unit_test_setup(test_ldmatrix_and_stores, make_results),
        cmocka_unit_test_setup(test_mma, make_results),
        cmocka_unit_test_setup(test_what_is_not_there, make_results),
        cmocka_unit_test_setup(test_copy, make_results),
        cmocka_unit_test_setup(test_copy_without_a_number, make_results),
        cmocka_unit_test_setup(test_copy_of_bytes, make_results),
        cmocka_unit_test_setup(test_copy_in_boxes, make_results),
        cmocka_unit_test_setup(test_copy_by_lanes, make_results),
        cmocka_unit_test_setup(test_no_copies, make_results),
        cmocka_unit_test_setup(test_fewer_and_more_lines, make_results),
        cmocka_unit_test_setup(test_other_wavefronts, make_results),
        cmocka_unit_test_setup(test_not_repeated, make_results),
        cmocka_unit_test_setup(test_lacking_column, make_results),
        cmocka_unit_test_setup(test_lines_as_rows, make_results),
        cmocka_unit_test_setup(test_bad_results, make_results),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
