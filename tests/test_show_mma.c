/* Do `show fragment` and `show tiled-mma` print what CuTe has, and one clear line when they are
 * asked for nonsense? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands.h"
#include "tests/ask.h"
#include "tests/scratch.h"

/* ---- Golden data --------------------------------------------------------------------------- */

/* Wants the lines of a golden file that begin with `prefix`, less that, behind a header. */
static void assert_prints_golden(const char *line, const char *file_name, const char *prefix,
                                 unsigned wanted)
{
    char golden[256], *printed = ask_well(&command_show, line)->out;
    unsigned count = 0;
    FILE *file = fopen(file_name, "r");
    assert_non_null(file);
    assert_string_equal(strsep(&printed, "\n"), "operand,thread,value,row,col");
    while (fgets(golden, sizeof golden, file)) {
        if (strncmp(golden, prefix, strlen(prefix)) != 0)
            continue;
        golden[strcspn(golden, "\n")] = '\0';
        assert_string_equal(strsep(&printed, "\n"), golden + strlen(prefix));
        count++;
    }
    fclose(file);
    assert_string_equal(printed, "");
    assert_int_equal(count, wanted);
}

static void test_csv_is_cutes(void **state)
{
    (void)state;
    static const char fragments[] = "tests/golden/cute-mma-fragments.csv";
    static const char tiled[] = "tests/golden/cute-tiled-mma.csv";
    assert_prints_golden("show fragment SM80_16x8x8_F32BF16BF16F32_TN --csv", fragments,
                         "SM80_16x8x8_F32BF16BF16F32_TN,", 320);
    assert_prints_golden("show fragment SM80_16x8x16_F16F16F16F16_TN --csv", fragments,
                         "SM80_16x8x16_F16F16F16F16_TN,", 512);
    assert_prints_golden("show fragment SM80_16x8x8_F32TF32TF32F32_TN --csv", fragments,
                         "SM80_16x8x8_F32TF32TF32F32_TN,", 320);
    assert_prints_golden("show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 2x2x1 --csv", tiled,
                         "2x2x1,-,32x16x16,", 2048);
    assert_prints_golden("show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 2x2x1 --tile "
                         "32x32x16 --problem 64x64x32 --csv",
                         tiled, "2x2x1,32x32x16,64x64x32,", 12288);
}

/* ---- Pictures ------------------------------------------------------------------------------ */

static void test_both_ways(void **state)
{
    (void)state;
    const char *text = ask_well(&command_show, "show fragment SM80_16x8x16_F32BF16BF16F32_TN")->out;
    assert_contains(text, "mma.sync, sm_80 and later, 32 threads\n"
                          "C f32 += A bf16 x B bf16, M x N x K = 16x8x16\n");
    assert_contains(text, "A, 16 x 16 (M x K): 8 values of 16 bits a thread\n"
                          "(thread, value) -> M + 16 K: ((4,8),(2,2,2)):((32,1),(16,8,128))\n");
    assert_contains(text,
                    "M    9   T4:2-3  T5:2-3  T6:2-3  T7:2-3  T4:6-7  T5:6-7  T6:6-7  T7:6-7\n");
    assert_contains(text, "value     0-1    2-3    4-5    6-7\n"
                          "T0        0,0    8,0    0,8    8,8\n");
    assert_contains(text, "B, 8 x 16 (N x K): 4 values of 16 bits a thread\n");
    assert_contains(text, "T31       7,6   15,6\n");
}

static void test_one_value_alone(void **state)
{
    (void)state;
    const char *text = ask_well(&command_show, "show fragment SM80_16x8x8_F32TF32TF32F32_TN")->out;
    assert_contains(text, "M    9   T4:1  T5:1  T6:1  T7:1  T4:3  T5:3  T6:3  T7:3\n");
    assert_contains(text,
                    "value       0      1      2      3\nT0        0,0    8,0    0,4    8,4\n");
}

/* 64 lines of 32 cells are shown of what is larger. */
static void test_wgmma(void **state)
{
    (void)state;
    const char *text = ask_well(&command_show, "show fragment SM90_64x256x16_F32F16F16_RS")->out;
    assert_contains(text, "wgmma, sm_90a, 128 threads");
    assert_contains(text, "M   63  T124:2-3 T125:2-3 T126:2-3 T127:2-3 T124:6-7");
    assert_contains(text, "... of 64 lines of 128 cells; --csv has all");
    assert_contains(text, "... of 128 lines of 4 cells; --csv has all");
    assert_contains(text, "reads B from shared memory through a descriptor; no thread holds it");
    text = ask_well(&command_show, "show fragment SM90_64x64x16_F32F16F16_SS --csv")->out;
    assert_null(strstr(text, "A,"));
    assert_null(strstr(text, "B,"));
    assert_contains(text, "C,127,31,63,63\n");
}

static void test_list(void **state)
{
    (void)state;
    char *text = ask_well(&command_show, "show fragment --list --csv")->out;
    unsigned lines = 0;
    assert_contains(text, "atom,sm,threads,m,n,k,a,b,c\nSM75_16x8x8_F32F16F16F32_TN,75,32,16,8,8,"
                          "f16,f16,f32\n");
    assert_contains(text, "\nSM90_64x24x32_S32U8S8_RS_TN,90,128,64,24,32,u8,s8,s32\n");
    for (; *text; text++)
        lines += *text == '\n';
    assert_int_equal(lines, 1 + 81 + 1056);
    text = ask_well(&command_show, "show fragment --list")->out;
    assert_contains(text, "SM89_16x8x32_F16E5M2E4M3F16_TN");
    assert_contains(text, "SM90_64x256x8_F32TF32TF32_RS_TN");
    assert_null(strstr(text, "SM90_64x128x"));
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* A cell for every two neighbours: 16 x 8 of A, 8 x 8 of B, 16 x 4 of C; and the page. */
static void test_svg(void **state)
{
    (void)state;
    static char svg[1 << 20];
    char line[256];
    snprintf(line, sizeof line, "show fragment SM80_16x8x16_F16F16F16F16_TN --svg %s",
             scratch_path);
    assert_string_equal(ask_well(&command_show, line)->out, "");
    scratch_read(svg, sizeof svg);
    assert_contains(svg, "coloured by thread<");
    assert_int_equal(count_of(svg, "<rect"), 1 + 128 + 64 + 64);
    assert_int_equal(count_of(svg, ">T31:0-1<"), 3);
    assert_int_equal(count_of(svg, ">T31:6-7<"), 1);
    assert_contains(svg, "<text x=\"1179.0\" y=\"185.0\" font-size=\"9.0\" "
                         "text-anchor=\"middle\">T30:2-3<"); /* of B: N 7 across, K 12 down */
    assert_contains(svg, "</svg>");

    snprintf(line, sizeof line, "show tiled-mma SM90_64x32x16_F32F16F16_SS --atoms 2x1x1 --svg %s",
             scratch_path);
    ask_well(&command_show, line);
    scratch_read(svg, sizeof svg);
    assert_contains(svg, "coloured by warp; where several");
    assert_int_equal(count_of(svg, "<rect"), 1 + 128 * 16);
    const char *cell = strstr(svg, ">T35:0-1<"); /* of warp 1 */
    assert_non_null(cell);
    while (strncmp(cell, "fill=", 5) != 0)
        cell--;
    assert_int_equal(strncmp(cell, "fill=\"#d9f0d3\"", 14), 0);
    assert_int_equal(count_of(svg, "#d9f0d3"), 16 * 16);
}

/* ---- Tiled --------------------------------------------------------------------------------- */

/* What T4 to T6 ask, in the words of the program. */
static void test_repeats_and_sharing(void **state)
{
    (void)state;
    const char *text =
        ask_well(&command_show, "show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 2x2x1 --tile "
                                "32x32x16 --problem 128x128x32")
            ->out;
    assert_contains(text, "2x2x1 atoms: 128 threads, 4 warps, over a tile of 32x32x16 (M x N x K)\n"
                          "problem 128x128x32: MMA_M = 4 (the next 32 on), MMA_N = 8 (the next 16 "
                          "on), MMA_K = 2 (the next 16 on); 64 mma a warp\n"
                          "C f16 128x128: 128 values a thread, (MMA,MMA_M,MMA_N) = ((2,2),4,8)\n"
                          "A f16 128x32: 64 values a thread, (MMA,MMA_M,MMA_K) = ((2,2,2),4,2)\n");
    assert_contains(text, "  warps 0,2: M 0-15, K 0-15\n  warps 1,3: M 16-31, K 0-15\n");
    assert_contains(text, "  warps 0-1: N 0-7,16-23, K 0-15\n  warps 2-3: N 8-15,24-31, K 0-15\n");
    assert_contains(text, "  warp 3: M 16-31, N 8-15,24-31\n");
    assert_contains(text, "M   31   T60:2-3  T61:2-3  T62:2-3  T63:2-3 T124:2-3");
}

/* With N permuted a warp's columns are neighbours, and the next repeat is 8 columns on. */
static void test_permuted_tile(void **state)
{
    (void)state;
    const char *text =
        ask_well(&command_show, "show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 2x2x1 --tile "
                                "_x(8,2,2):(1,16,8)x16")
            ->out;
    assert_contains(text, "over a tile of 32x32x16");
    assert_contains(text, "MMA_N = 2 (the next 8 on)");
    assert_contains(text, "  warps 0-1: N 0-15, K 0-15\n  warps 2-3: N 16-31, K 0-15\n");

    text = ask_well(&command_show, "show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 1x2x1 "
                                   "--tile _x(2,4,2):(1,4,2)x_ --problem 16x32x16")
               ->out;
    assert_contains(text, "MMA_N = 2 (the next 16 on)");
    assert_contains(text, "  warp 0: N 0-1,4-5,8-9,12-13, K 0-15\n");
    text = ask_well(&command_show, "show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 1x2x1 "
                                   "--tile _x(8,2):(2,1)x_")
               ->out;
    assert_contains(text, "  warp 1: N 1,3,5,7,9,11,13,15, K 0-15\n");
}

/* ---- Bad input ----------------------------------------------------------------------------- */

static void test_bad_input(void **state)
{
    (void)state;
    static const struct {
        const char *words, *part;
    } cases[] = {
        {"fragment", "one atom is needed, as in SM80_16x8x16_F32F16F16F32_TN"},
        {"fragment --list --svg x.svg", "leave --svg out"},
        {"fragment sm80_16x8x16_f32bf16bf16f32_tn",
         "did you mean 'SM80_16x8x16_F32BF16BF16F32_TN'"},
        {"fragment A B", "2 are given"},
        {"fragment SM80_16x8x16_F16F16F16F16",
         "no atom 'SM80_16x8x16_F16F16F16F16'; did you mean 'SM80_16x8x16_F16F16F16F16_TN'?"},
        {"fragment nonsense", "no atom 'nonsense'; `swizzlebench show fragment --list` has"},
        {"fragment --list SM80_8x8x4_F64F64F64F64_TN", "SM80_8x8x4_F64F64F64F64_TN"},
        {"fragment SM80_8x8x4_F64F64F64F64_TN --csv --svg x", "give one"},
        {"fragment SM80_8x8x4_F64F64F64F64_TN --svg /no/such/x", "cannot write /no/such/x"},
        {"fragment --cvs", "--cvs"},
        {"tiled-mma", "one atom is needed"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64", "did you mean 'SM80_8x8x4_F64F64F64F64_TN'?"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms 2x2", "--atoms '2x2': three numbers"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms 2x2x", "--atoms '2x2x': three numbers"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms 2x0x1", "--atoms '2x0x1': three numbers"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms 2x2x1x1", "three numbers"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms 8x8x1",
         "--atoms 8x8x1 of SM80_8x8x4_F64F64F64F64_TN: 2048 threads; a block has at most 1024"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms (2,2", "--atoms '(2,2', column 5"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --atoms (2,2)", "three modes, M, N and K"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --tile 8x8", "--tile '8x8': M, N and K are needed"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --tile 8x8x4x4", "M, N and K are needed"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --tile 8x(8,x4", "in '(8,', column 4"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --tile 8x12x4",
         "--tile 8x12x4 of SM80_8x8x4_F64F64F64F64_TN, --atoms 1x1x1: the tile has 12 along N, no "
         "multiple of the 8 that 1 atom of 8 take"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --tile 8x8192x4",
         "the tile covers 8192 along N; at most 4096 are drawn"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --problem 8x8x6",
         "--problem 8x8x6: 6 along K is no multiple of the 4 that the tile covers"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --csv --reads", "give one"},
        {"tiled-mma SM80_16x8x16_F16F16F16F16_TN --csv --layout-a K/32B",
         "--csv is who holds what"},
        {"tiled-mma SM80_16x8x16_F16F16F16F16_TN --svg x --layout-b K/32B", "--svg is who holds"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --reads", "--reads is about a tile in shared"},
        {"tiled-mma SM80_8x8x4_F64F64F64F64_TN --stack row", "--stack is about a tile in shared"},
        {"tiled-mma SM80_16x8x16_F16F16F16F16_TN --layout-a K/12B",
         "--layout-a: --layout 'K/12B': no such layout"},
        {"tiled-mma SM80_16x8x16_F16F16F16F16_TN --layout-b K/128B",
         "--layout-b: --layout 'K/128B', 8x16 elements of 16 bits: a line must be a multiple of"},
        {"tiled-mma SM80_16x8x16_F16F16F16F16_TN --layout-a (48,16):(16,1)",
         "the block, 48 long, does not divide the 16 of the shape"},
        {"tiled-mma SM80_16x8x16_F16F16F16F16_TN --layout-b "
         "Sw<1,0,4>~o~smem_ptr[16b]~o~(8,16):(16,1)",
         "from N 0, K 8 on they are not; nor are they the other way, for .trans, and no load"},
        {"tiled-mma SM80_16x8x64_S32S4S4S32_TN --layout-a (16,64):(1,16)",
         "no load takes elements of 4 bits apart"},
        {"tiled-mma SM90_64x64x16_F32F16F16_SS --layout-a K/32B",
         "--layout-a: SM90_64x64x16_F32F16F16_SS reads A from shared memory through a descriptor"},
        {"tiled-mma SM90_64x64x16_F32F16F16_RS --layout-b K/32B", "reads B from shared memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "show %s", cases[i].words);
        ask_bad(&command_show, line, cases[i].part);
    }
}

static void test_help(void **state)
{
    (void)state;
    assert_contains(ask_well(&command_show, "show --help")->out, "fragment");
    assert_contains(ask_well(&command_show, "show fragment --help")->out, "--list");
    assert_contains(ask_well(&command_show, "show tiled-mma --help")->out, "--layout-a LAYOUT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_is_cutes),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_one_value_alone),
        cmocka_unit_test(test_wgmma),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_repeats_and_sharing),
        cmocka_unit_test(test_permuted_tile),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
