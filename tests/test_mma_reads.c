/* Do the instructions that `show tiled-mma` prints for each warp fill the fragments, and at which
 * cost? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands.h"
#include "bench/mma_words.h"
#include "bench/table.h"
#include "model/swizzlebench.h"
#include "tests/ask.h"
#include "tests/scratch.h"

static void test_reads_of_a_tile(void **state)
{
    (void)state;
    const char *text =
        ask_well(&command_show, "show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 2x2x1 --tile "
                                "32x32x16 --problem 64x64x64 --layout-a K/128B --layout-b linear")
            ->out;
    assert_contains(text, "\nA in K/128B (64x64), elements of 16 bits, 8192 bytes\n"
                          "  ldmatrix.x4, 8 a warp: 128 wavefronts, ideal 128, no conflicts\n"
                          "  4 warps read 16384 bytes: each byte 2 times\n");
    assert_contains(text, "     1           48,48           4  6240 6384 6464 6608 6688 6832 6912 "
                          "7056 | 7264 7408 7488 7632 7712 7856 7936 8080 | 6256 6368 6480 6592 "
                          "6704 6816 6928 7040 | 7280 7392 7504 7616 7728 7840 7952 8064\n");
    assert_contains(text, "\nB in linear (64x64), elements of 16 bits, 8192 bytes\n"
                          "  ldmatrix.x4, 8 a warp: 1024 wavefronts, ideal 128, 8-way, 896 "
                          "conflicts\n");
}

static void test_what_reads_an_operand(void **state)
{
    (void)state;
    static const struct {
        const char *words, *text_part;
    } cases[] = {
        /* B of one atom, one n8, is two registers; two of them in a tile are four */
        {"SM80_16x8x16_F16F16F16F16_TN --layout-b K/32B", "  ldmatrix.x2, 1 a warp: 2 wavefronts"},
        {"SM80_16x8x16_F16F16F16F16_TN --tile 16x16x16 --layout-b K/32B", "  ldmatrix.x4, 1 a"},
        {"SM80_16x8x16_F16F16F16F16_TN --layout-a MN/none", "  ldmatrix.x4.trans, 1 a warp: 4"},
        {"SM80_16x8x8_F16F16F16F16_TN --layout-b K/none", "  ldmatrix.x1, 1 a warp: 1 wavefront"},
        {"SM80_16x8x32_S32S8S8S32_TN --layout-a K/32B", "  ldmatrix.x4, 1 a warp: 4 wavefronts"},
        {"SM80_16x8x64_S32S4S4S32_TN --layout-a K/32B", "  ldmatrix.x4, 1 a warp: 4 wavefronts"},
        {"SM80_16x8x8_F32TF32TF32F32_TN --layout-a K/32B", "  ldmatrix.x4, 1 a warp: 4 wavefronts"},
        {"SM80_16x8x8_F32TF32TF32F32_TN --problem 16x32x8 --layout-b MN/128B",
         "  ldmatrix takes rows of 16 bytes along K, together and aligned, and from N 0, K 0 on "
         "they "
         "are not; .trans turns elements of 16 bits alone\n  ld.shared.b32, 8 a warp: 16"},
        {"SM80_16x8x32_S32S8S8S32_TN --layout-a MN/none", "  ld.shared.b8, 16 a warp: "},
        {"SM80_16x8x16_F16F16F16F16_TN --layout-a (16,16):(18,1)",
         "from M 1, K 0 on they are not; nor are they the other way, for .trans\n  ld.shared.b32, "
         "4"},
        {"SM80_16x8x16_F16F16F16F16_TN --layout-a (16,16):(17,1)", "  ld.shared.b16, 8 a warp: "},
        {"SM80_8x8x4_F64F64F64F64_TN --layout-a (8,4):(4,1)",
         "  ldmatrix hands a lane 4 bytes of a row, and an element has 8\n  ld.shared.b64, 1 a "
         "warp: "
         "2 wavefronts, ideal 2, no conflicts\n"},
        {"SM90_64x8x16_F32F16F16_RS --layout-a K/32B",
         "  4 warps read 2048 bytes: each byte 1 time\n"},
        {"SM80_16x8x16_F16F16F16F16_TN --atoms 1x4x1 --layout-a K/32B",
         "  4 warps read 2048 bytes: each byte 4 times\n"},
        {"SM80_16x8x16_F16F16F16F16_TN --problem 32x8x32 --layout-a (16,16):(16,1)",
         "\nA in ((16,2),(16,2)):((16,256),(1,512)), elements"},
        {"SM80_16x8x16_F16F16F16F16_TN --problem 32x8x32 --stack row --layout-a (16,16):(16,1)",
         "\nA in ((16,2),(16,2)):((16,512),(1,256)), elements"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "show tiled-mma %s", cases[i].words);
        assert_contains(ask_well(&command_show, line)->out, cases[i].text_part);
    }
}

/* Which element lies at a byte of a tile; the test fails where none begins there. */
static unsigned element_at(const struct swb_tile *tile, unsigned byte)
{
    for (unsigned i = 0; i < tile->rows * tile->cols; i++) {
        if (swb_tile_byte_offset(tile, i % tile->rows, i / tile->rows) == byte)
            return i;
    }
    fail_msg("no element at byte %u", byte);
    return 0;
}

/* The element that ldmatrix, as PTX has it, puts into part `part` of register `reg` of a lane. */
static unsigned loaded(const struct swb_tile *tile, const struct swb_instruction *instruction,
                       const unsigned *addresses, unsigned reg, unsigned lane, unsigned part)
{
    unsigned elem_bytes = tile->elem_bits / 8;
    unsigned row = lane / 4, elem = lane % 4 * (4 / elem_bytes) + part;
    unsigned from = instruction->transposed ? elem : row, at = instruction->transposed ? row : elem;
    return element_at(tile, addresses[8 * reg + from] + at * elem_bytes);
}

/* Runs every printed ldmatrix of a one-tile problem, and wants the fragments of the partition. */
static void check_loads(const char *words, enum swb_mma_operand operand, const char *layout,
                        const struct swb_tiled_mma *tiled)
{
    static const char *const columns[] = {"warp", "instruction", "lane_byte_addresses"};
    unsigned rows = swb_tiled_mma_extent(tiled, swb_mma_rows(operand));
    unsigned cols = swb_tiled_mma_extent(tiled, swb_mma_cols(operand));
    struct swb_tile tile = {.rows = rows,
                            .cols = cols,
                            .stack = SWB_STACK_COL,
                            .elem_bits = tiled->atom.types[operand]->bits};
    unsigned threads = swb_tiled_mma_threads(tiled), in_register = 32 / tile.elem_bits;
    unsigned next_value[32] = {0}; /* of each warp */
    struct swb_layout tv;
    struct table table;
    struct error error;
    char line[256];
    tile.mode = swb_layout_find(layout, &tile.major);
    assert_true(swb_tiled_mma_partition(tiled, operand, rows, cols, &tv, NULL));
    snprintf(line, sizeof line, "show tiled-mma %s --layout-%c %s --reads", words, "ab"[operand],
             layout);
    scratch_write(ask_well(&command_show, line)->out);
    assert_true(table_open(scratch_path, columns, 3, &table, &error));
    while (table_next(&table, &error)) {
        unsigned warp = (unsigned)atoi(table.fields[0]), addresses[SWB_LANES];
        const struct swb_instruction *instruction = swb_instruction_find(table.fields[1]);
        char *at = (char *)table.fields[2];
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            addresses[lane] = (unsigned)strtoul(at, &at, 10);
        for (unsigned i = 0; i < instruction->matrices * SWB_LANES * in_register; i++) {
            unsigned lane = i / in_register % SWB_LANES, part = i % in_register;
            unsigned reg = i / in_register / SWB_LANES;
            unsigned value = next_value[warp] + reg * in_register + part;
            assert_int_equal(swb_layout_at(&tv, warp * SWB_LANES + lane + (int64_t)threads * value),
                             loaded(&tile, instruction, addresses, reg, lane, part));
        }
        next_value[warp] += instruction->matrices * in_register;
    }
    table_close(&table);
    struct swb_layout values = swb_layout_mode(&tv, 1);
    for (unsigned warp = 0; warp < threads / SWB_LANES; warp++)
        assert_int_equal(next_value[warp], swb_layout_size(&values));
}

static void test_ldmatrix_fills_the_fragments(void **state)
{
    (void)state;
    static const struct {
        const char *atom, *atoms, *tile;
        enum swb_mma_operand operand;
        const char *layout;
    } cases[] = {
        {"SM80_16x8x16_F16F16F16F16_TN", "2x2x1", "32x32x32", SWB_MMA_A, "K/64B"},
        {"SM80_16x8x16_F16F16F16F16_TN", "2x2x1", "32x32x32", SWB_MMA_B, "K/64B"},
        {"SM80_16x8x16_F16F16F16F16_TN", "2x2x1", "32x32x32", SWB_MMA_A, "MN/64B"},
        {"SM80_16x8x16_F16F16F16F16_TN", "2x2x1", "32x32x32", SWB_MMA_B, "MN/none"},
        {"SM80_16x8x16_F16F16F16F16_TN", "1x1x2", "16x8x32", SWB_MMA_B, "K/none"},
        {"SM80_16x8x16_F16F16F16F16_TN", "(2,2,1):(2,1,0)", "32x(8,2,2):(1,16,8)x16", SWB_MMA_B,
         "K/32B"},
        {"SM80_16x8x32_S32S8U8S32_TN", "2x2x1", "32x16x32", SWB_MMA_A, "K/32B"},
        {"SM80_16x8x8_F32TF32TF32F32_TN", "2x1x1", "32x16x8", SWB_MMA_B, "K/32B"},
        {"SM90_64x32x16_F32F16F16_RS", "2x1x1", "128x32x16", SWB_MMA_A, "K/32B"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mma_words as_typed = {.atoms = cases[i].atoms, .tile = cases[i].tile};
        struct swb_mma_atom atom;
        struct swb_tiled_mma tiled;
        struct error error;
        unsigned problem[SWB_MMA_MODES];
        char words[128];
        assert_true(mma_words_atom(cases[i].atom, &atom, &error));
        assert_true(mma_words_tiled(&as_typed, &atom, &tiled, problem, &error));
        snprintf(words, sizeof words, "%s --atoms %s --tile %s", cases[i].atom, cases[i].atoms,
                 cases[i].tile);
        check_loads(words, cases[i].operand, cases[i].layout, &tiled);
    }
}

/* What it prints is an accesses file, and predict says of it what it says itself. */
static void test_reads_are_accesses(void **state)
{
    (void)state;
    static const char *const columns[] = {"instruction", "wavefronts", "ideal_wavefronts",
                                          "conflicts"};
    struct table table;
    struct error error;
    char line[256], expected[96];
    unsigned count = 0;
    char *reads =
        ask_well(&command_show,
                 "show tiled-mma SM80_16x8x16_F16F16F16F16_TN --atoms 2x2x1 --problem 64x64x64 "
                 "--layout-a linear --layout-b MN/64B --reads")
            ->out;
    assert_contains(reads, "\nA,1,16,0,ldmatrix.x4,ffffffff,2048 2176 ");
    assert_contains(reads, "\nB,2,8,0,ldmatrix.x2.trans,0000ffff,16 80 ");
    scratch_write(reads);
    snprintf(line, sizeof line, "predict --accesses %s --csv", scratch_path);
    char *printed = ask(&command_predict, line)->out;
    strsep(&printed, "\n");
    assert_true(table_open(scratch_path, columns, 4, &table, &error));
    for (; table_next(&table, &error); count++) {
        snprintf(expected, sizeof expected, "%s,%s,%s,%s", table.fields[0], table.fields[1],
                 table.fields[2], table.fields[3]);
        assert_string_equal(strsep(&printed, "\n"), expected);
    }
    table_close(&table);
    assert_string_equal(printed, "");
    assert_int_equal(count, 4 * 8 + 4 * 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_of_a_tile),
        cmocka_unit_test(test_what_reads_an_operand),
        cmocka_unit_test(test_ldmatrix_fills_the_fragments),
        cmocka_unit_test(test_reads_are_accesses),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
