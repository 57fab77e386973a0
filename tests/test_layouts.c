/* Do the named layouts put every element where the hardware does, and no two in one place?
 *
 * tests/test_algebra.c compares them with CuTe's canonical expressions. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/swizzlebench.h"

static const struct swb_layout_mode *mode_named(const char *name)
{
    for (size_t i = 0; swb_layout_mode_at(i) != NULL; i++) {
        if (strcmp(swb_layout_mode_at(i)->name, name) == 0)
            return swb_layout_mode_at(i);
    }
    fail_msg("no mode %s", name);
    return NULL;
}

/* A tile of `atoms` x `atoms` swizzle atoms. */
static struct swb_tile tile_of_atoms(const char *mode_name, enum swb_major major,
                                     enum swb_stack stack, unsigned atoms, unsigned elem_bits)
{
    const struct swb_layout_mode *mode = mode_named(mode_name);
    unsigned span_bytes = mode->span_bytes == 0 ? 64 : mode->span_bytes;
    unsigned lines = atoms * (mode->atom_lines == 1 ? 8 : mode->atom_lines);
    unsigned elems = atoms * span_bytes * 8 / elem_bits;
    return (struct swb_tile){.mode = mode,
                             .major = major,
                             .stack = stack,
                             .rows = major == SWB_K_MAJOR ? lines : elems,
                             .cols = major == SWB_K_MAJOR ? elems : lines,
                             .elem_bits = elem_bits};
}

/* One row of the measured TMA boxes: rank,swizzle,inner_bytes,rows,planes,smem_offset,chunks. TMA
 * fills the atoms of a K-major tile from a base that is no multiple of the repeat; that is the
 * same as a taller tile whose first lines are not written. */
static void check_measured_box(char *line)
{
    static const char *const modes[] = {"linear", "32B", "64B", "128B"};
    char *rest = line;
    strsep(&rest, ",");
    unsigned swizzle = (unsigned)strtoul(strsep(&rest, ","), NULL, 10);
    unsigned inner_bytes = (unsigned)strtoul(strsep(&rest, ","), NULL, 10);
    unsigned rows = (unsigned)strtoul(strsep(&rest, ","), NULL, 10);
    unsigned planes = (unsigned)strtoul(strsep(&rest, ","), NULL, 10);
    unsigned smem_offset = (unsigned)strtoul(strsep(&rest, ","), NULL, 10) % 1024;

    const struct swb_layout_mode *mode = mode_named(modes[swizzle]);
    unsigned line_bytes = mode->span_bytes ? mode->span_bytes : inner_bytes;
    unsigned first_line = mode->span_bytes ? smem_offset / line_bytes : 0;
    struct swb_tile tile = {.mode = mode,
                            .major = SWB_K_MAJOR,
                            .stack = SWB_STACK_COL,
                            .rows = (first_line + rows * planes + 7) / 8 * 8,
                            .cols = line_bytes,
                            .elem_bits = 8};
    char *slots[16384] = {NULL};
    for (size_t slot = 0; rest != NULL && slot < 16384; slot++)
        slots[slot] = strsep(&rest, " \n");
    for (unsigned row = 0; row < rows * planes; row++) {
        for (unsigned chunk = 0; chunk < inner_bytes / 16; chunk++) {
            char expected[32];
            uint32_t offset = swb_tile_line_offset(&tile, first_line + row, chunk * 16);
            uint32_t slot = ((mode->span_bytes ? 0 : smem_offset) + offset) / 16;
            snprintf(expected, sizeof expected, "%u.%u", row / rows * 128 + row % rows, chunk);
            assert_non_null(slots[slot]);
            assert_string_equal(slots[slot], expected);
        }
    }
}

static void test_equals_the_hardware(void **state)
{
    (void)state;
    static char line[1 << 18];
    unsigned boxes = 0;
    FILE *file = fopen("tests/golden/h200-tma-placement.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || strncmp(line, "rank,", 5) == 0)
            continue;
        check_measured_box(line);
        boxes++;
    }
    fclose(file);
    assert_int_equal(boxes, 400);
}

static void check_one_to_one(const struct swb_tile *tile)
{
    size_t bytes = swb_tile_bytes(tile);
    unsigned char *taken = calloc(bytes, 1);
    assert_non_null(taken);
    assert_null(swb_tile_refusal(tile));
    for (unsigned row = 0; row < tile->rows; row++) {
        for (unsigned col = 0; col < tile->cols; col++) {
            uint32_t offset = swb_tile_byte_offset(tile, row, col);
            assert_true(offset + tile->elem_bits / 8 <= bytes);
            assert_int_equal(offset % (tile->elem_bits / 8), 0);
            assert_int_equal(taken[offset]++, 0);
        }
    }
    free(taken);
}

static void test_every_layout_is_one_to_one(void **state)
{
    (void)state;
    static const unsigned widths[] = {8, 16, 32};
    for (size_t mode = 0; swb_layout_mode_at(mode) != NULL; mode++) {
        for (unsigned variant = 0; variant < 4; variant++) {
            for (size_t width = 0; width < 3; width++) {
                struct swb_tile tile = tile_of_atoms(
                    swb_layout_mode_at(mode)->name, variant & 1 ? SWB_MN_MAJOR : SWB_K_MAJOR,
                    variant & 2 ? SWB_STACK_COL : SWB_STACK_ROW, 3, widths[width]);
                check_one_to_one(&tile);
            }
        }
    }
}

static void test_chunks_stay_whole(void **state)
{
    (void)state;
    for (size_t mode = 0; swb_layout_mode_at(mode) != NULL; mode++) {
        struct swb_tile tile =
            tile_of_atoms(swb_layout_mode_at(mode)->name, SWB_K_MAJOR, SWB_STACK_ROW, 2, 8);
        unsigned chunk = tile.mode->chunk_bytes ? tile.mode->chunk_bytes : tile.cols;
        bool larger_whole = true;
        for (unsigned line = 0; line < swb_tile_lines(&tile); line++) {
            for (unsigned byte = 0; byte < tile.cols; byte++) {
                uint32_t offset = swb_tile_line_offset(&tile, line, byte);
                uint32_t start = swb_tile_line_offset(&tile, line, byte - byte % chunk);
                uint32_t pair = swb_tile_line_offset(&tile, line, byte - byte % (2 * chunk));
                assert_int_equal(offset, start + byte % chunk);
                larger_whole &= offset == pair + byte % (2 * chunk);
            }
        }
        if (tile.mode->swizzle_bits != 0) /* chunk_bytes names the largest such size */
            assert_false(larger_whole);
    }
}

/* The modes that no H200 has: offsets worked out by hand. */
static void test_worked_out_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        unsigned line, byte, offset;
    } cases[] = {
        {"linear", 3, 5, 3 * 256 + 5},
        {"padded", 3, 5, 3 * 272 + 5},
        {"128B-atom32B", 1, 0, 128 + 32},  /* address bit 7 onto bit 5 */
        {"128B-atom32B", 2, 0, 256 + 64},  /* bit 8 onto bit 6 */
        {"128B-atom32B", 5, 96, 640 + 64}, /* the row counts modulo 4 */
        {"128B-atom32B-flip8B", 1, 0, 128 + 32 + 8},
        {"128B-atom32B-flip8B", 2, 0, 256 + 64},
        {"128B-atom32B-flip8B", 3, 8, 384 + 96},
        {"128B-atom32B-flip8B", 4, 0, 512},
        {"128B-atom32B-flip8B", 0, 128, 4096}, /* 4 atoms of 8 lines stand below each other */
        {"128B-atom64B", 1, 0, 128 + 64},      /* bit 7 onto bit 6 */
        {"128B-atom64B", 2, 0, 256},
        {"4B-atom", 31, 0, 31 * 128 + 31 * 4}, /* a full column meets every bank once */
        {"4B-atom", 3, 8, 3 * 128 + 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tile tile = {.mode = mode_named(cases[i].mode),
                                .major = SWB_K_MAJOR,
                                .stack = SWB_STACK_COL,
                                .rows = 32,
                                .cols = 256,
                                .elem_bits = 8};
        assert_int_equal(swb_tile_line_offset(&tile, cases[i].line, cases[i].byte),
                         cases[i].offset);
    }
}

/* The next atom in memory: along rows when stacked by column, along columns when by row. */
static void test_stacking(void **state)
{
    (void)state;
    for (unsigned major = SWB_K_MAJOR; major <= SWB_MN_MAJOR; major++) {
        struct swb_tile col = tile_of_atoms("64B", major, SWB_STACK_COL, 2, 16);
        struct swb_tile row = tile_of_atoms("64B", major, SWB_STACK_ROW, 2, 16);
        assert_int_equal(swb_tile_byte_offset(&col, col.rows / 2, 0) / 512, 1);
        assert_int_equal(swb_tile_byte_offset(&col, 0, col.cols / 2) / 512, 2);
        assert_int_equal(swb_tile_byte_offset(&row, row.rows / 2, 0) / 512, 2);
        assert_int_equal(swb_tile_byte_offset(&row, 0, row.cols / 2) / 512, 1);
    }
}

static void test_names(void **state)
{
    (void)state;
    enum swb_major major = SWB_MN_MAJOR;
    assert_string_equal(swb_layout_find("linear", &major)->name, "linear");
    assert_int_equal(major, SWB_K_MAJOR);
    assert_string_equal(swb_layout_find("MN/64B", &major)->name, "64B");
    assert_int_equal(major, SWB_MN_MAJOR);
    assert_string_equal(swb_layout_find("K/128B-atom32B-flip8B", &major)->name,
                        "128B-atom32B-flip8B");
    assert_int_equal(major, SWB_K_MAJOR);
    major = SWB_MN_MAJOR;
    assert_null(swb_layout_find("128B", &major));
    assert_null(swb_layout_find("K/", &major));
    assert_null(swb_layout_find("K/256B", &major));
    assert_null(swb_layout_find("K:128B", &major));
    assert_null(swb_layout_find("MN:128B", &major));
    assert_null(swb_layout_find("", &major));
    assert_int_equal(major, SWB_MN_MAJOR);
}

/* Two elements in a byte lie where one of 8 bits would. */
static void test_narrow_elements(void **state)
{
    (void)state;
    for (size_t i = 0; swb_layout_mode_at(i); i++) {
        for (unsigned major = SWB_K_MAJOR; major <= SWB_MN_MAJOR; major++) {
            bool k_major = major == SWB_K_MAJOR;
            struct swb_tile wide = {.mode = swb_layout_mode_at(i),
                                    .major = major,
                                    .rows = k_major ? 64 : 256,
                                    .cols = k_major ? 256 : 64,
                                    .elem_bits = 8};
            struct swb_tile narrow = wide;
            narrow.elem_bits = 4;
            narrow.rows *= k_major ? 1 : 2;
            narrow.cols *= k_major ? 2 : 1;
            assert_null(swb_tile_refusal(&narrow));
            assert_int_equal(swb_tile_bytes(&narrow), swb_tile_bytes(&wide));
            for (unsigned row = 0; row < narrow.rows; row++) {
                for (unsigned col = 0; col < narrow.cols; col++)
                    assert_int_equal(swb_tile_byte_offset(&narrow, row, col),
                                     swb_tile_byte_offset(&wide, k_major ? row : row / 2,
                                                          k_major ? col / 2 : col));
            }
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        unsigned rows, cols, elem_bits;
        const char *sentence_part;
    } cases[] = {
        {"128B", 8, 64, 6, "8, 16 or 32 bits"}, {"linear", 8, 65, 4, "whole number of bytes"},
        {"128B", 8, 257, 4, "whole number"},    {"128B", 12, 64, 16, "8 lines"},
        {"128B", 8, 96, 16, "128 bytes"},       {"64B", 8, 16, 16, "64 bytes"},
        {"32B", 8, 24, 16, "32 bytes"},         {"none", 8, 4, 16, "16 bytes"},
        {"4B-atom", 16, 64, 16, "32 lines"},    {"linear", 0, 64, 16, "no elements"},
        {"linear", 1, 0, 16, "no elements"},    {"linear", 1, 16385, 8, "16384"},
        {"linear", 16385, 1, 8, "16384"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tile tile = {.mode = mode_named(cases[i].mode),
                                .major = SWB_K_MAJOR,
                                .stack = SWB_STACK_COL,
                                .rows = cases[i].rows,
                                .cols = cases[i].cols,
                                .elem_bits = cases[i].elem_bits};
        assert_non_null(swb_tile_refusal(&tile));
        assert_non_null(strstr(swb_tile_refusal(&tile), cases[i].sentence_part));
    }
}

static void test_any_lines_where_there_are_no_atoms(void **state)
{
    (void)state;
    struct swb_tile tile = {.mode = mode_named("linear"), .rows = 1, .cols = 16384, .elem_bits = 8};
    assert_null(swb_tile_refusal(&tile));
    tile.rows = 16384;
    tile.cols = 1;
    assert_null(swb_tile_refusal(&tile));
    tile =
        (struct swb_tile){.mode = mode_named("padded"), .rows = 16383, .cols = 1, .elem_bits = 32};
    assert_null(swb_tile_refusal(&tile));
    assert_int_equal(swb_tile_byte_offset(&tile, 3, 0), 60);
    assert_int_equal(swb_tile_bytes(&tile), 16383 * 20);
}

static void test_repeats(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        unsigned repeat_bytes;
    } cases[] = {{"none", 16},          {"32B", 256},   {"64B", 512},          {"128B", 1024},
                 {"128B-atom32B", 512}, {"linear", 16}, {"128B-atom64B", 256}, {"4B-atom", 4096}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tile tile = tile_of_atoms(cases[i].mode, SWB_K_MAJOR, SWB_STACK_ROW, 1, 16);
        assert_int_equal(swb_tile_repeat_bytes(&tile), cases[i].repeat_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_hardware),
        cmocka_unit_test(test_every_layout_is_one_to_one),
        cmocka_unit_test(test_chunks_stay_whole),
        cmocka_unit_test(test_worked_out_by_hand),
        cmocka_unit_test(test_stacking),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_narrow_elements),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_any_lines_where_there_are_no_atoms),
        cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
