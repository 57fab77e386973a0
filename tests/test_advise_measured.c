/* Does `advise --gpu` give the figures of the row that is that very thing, and say where there is
 * none? */
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

static const char *const names[] = {"shared.csv", "tma.csv", "mma.csv", "wgmma.csv"};

static void path_of(size_t file, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%s", folder, names[file]);
}

static void write_file(size_t file, const char *backend, const char *columns, const char *rows)
{
    char path[64];
    path_of(file, path, sizeof path);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fprintf(to, "# schema: swizzlebench 1\n# backend: %s\n# gpu: NVIDIA H987\n", backend);
    fprintf(to, "family,case,status,reason,verified,%s\n%s", columns, rows);
    fclose(to);
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
    for (size_t file = 0; file < 4; file++) {
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
    char line[1024];
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
    ask_bad(&command_advise,
            "advise --dtype bf16 --tile 64x64 --major K --reader mma --gpu /tmp/not/there",
            "--gpu /tmp/not/there: there is none of shared.csv, tma.csv, mma.csv and wgmma.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_writer_and_wgmma, make_results),
        cmocka_unit_test_setup(test_model_is_not_mixed_in, make_results),
        cmocka_unit_test_setup(test_ldmatrix_and_stores, make_results),
        cmocka_unit_test_setup(test_mma, make_results),
        cmocka_unit_test_setup(test_what_is_not_there, make_results),
        cmocka_unit_test_setup(test_bad_results, make_results),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
