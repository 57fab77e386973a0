/* Do the bytes of a box land where the hardware put them, and is what is called readable the layout
 * that the tensor core reads? */
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
#include "bench/show.h"
#include "model/swizzlebench.h"
#include "tests/ask.h"

enum { NONE, SWIZZLE_32B, SWIZZLE_64B, SWIZZLE_128B, ATOM_32B, ATOM_32B_FLIP_8B, ATOM_64B };

static const char golden[] = "tests/golden/h200-tma-placement.csv";

static struct swb_tma_box box_of(unsigned swizzle, unsigned inner_bytes, unsigned rows,
                                 unsigned planes, uint32_t smem_address)
{
    return (struct swb_tma_box){.swizzle = swizzle,
                                .rank = planes > 1 ? 3 : 2,
                                .inner_bytes = inner_bytes,
                                .extents = {rows, planes},
                                .smem_address = smem_address};
}

/* ---- What the hardware did ---------------------------------------------------------------- */

static void test_equals_the_hardware(void **state)
{
    (void)state;
    static char line[1 << 18];
    unsigned boxes = 0;
    const struct answer *answer =
        ask(&command_tma, "tma place --boxes tests/golden/h200-tma-placement.csv --csv");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->err, "");
    char *copy = strdup(answer->out), *rest = copy;
    assert_string_equal(strsep(&rest, "\n"), "chunks");
    FILE *file = fopen(golden, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == 'r')
            continue;
        char *chunks = strrchr(line, ',') + 1;
        chunks[strcspn(chunks, "\n")] = '\0';
        assert_string_equal(strsep(&rest, "\n"), chunks);
        boxes++;
    }
    fclose(file);
    assert_string_equal(rest, "");
    assert_int_equal(boxes, 400);
    free(copy);
}

/* Every byte has a place of its own, within what the box is said to take. */
static void check_one_to_one(const struct swb_tma_box *box)
{
    uint32_t bytes = swb_tma_box_bytes(box);
    unsigned char *taken = calloc(bytes, 1);
    assert_non_null(taken);
    for (unsigned line = 0; line < swb_tma_box_lines(box); line++) {
        for (unsigned byte = 0; byte < box->inner_bytes; byte++) {
            uint32_t offset = swb_tma_box_address(box, line, byte) - box->smem_address;
            assert_true(offset < bytes);
            assert_int_equal(taken[offset]++, 0);
        }
    }
    free(taken);
}

static void test_every_box_is_one_to_one(void **state)
{
    (void)state;
    static const unsigned widths[] = {16, 32, 48, 64, 96, 112, 128, 256};
    for (unsigned swizzle = NONE; swizzle <= ATOM_64B; swizzle++) {
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            for (unsigned interleave = 0; interleave <= 2; interleave++) {
                struct swb_tma_box box = box_of(swizzle, widths[i], 13, 3, 1024 + 128 * i);
                box.interleave = interleave;
                if (swb_tma_box_refusal(&box) == NULL)
                    check_one_to_one(&box);
            }
        }
    }
}

/* A line takes the span of its swizzle, however narrow it is. */
static void test_memory_of_a_box(void **state)
{
    (void)state;
    static const struct {
        unsigned swizzle, inner_bytes, rows, planes;
        uint32_t bytes;
    } boxes[] = {
        {NONE, 16, 256, 1, 4096},     {NONE, 144, 8, 3, 3456},        {SWIZZLE_32B, 16, 8, 1, 256},
        {SWIZZLE_64B, 16, 8, 1, 512}, {SWIZZLE_128B, 16, 8, 2, 2048}, {ATOM_64B, 64, 1, 1, 128},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        struct swb_tma_box box =
            box_of(boxes[i].swizzle, boxes[i].inner_bytes, boxes[i].rows, boxes[i].planes, 128);
        assert_int_equal(swb_tma_box_bytes(&box), boxes[i].bytes);
        assert_int_equal(swb_tma_box_lines(&box), boxes[i].rows * boxes[i].planes);
    }
}

/* The modes that no H200 has, from the documentation, and the interleaved ones. */
static void test_worked_out_by_hand(void **state)
{
    (void)state;
    static const struct {
        unsigned swizzle, interleave, line, byte;
        uint32_t address;
    } cases[] = {
        {ATOM_32B, 0, 1, 0, 1024 + 128 + 32},
        {ATOM_32B, 0, 2, 4, 1024 + 256 + 64 + 4},
        {ATOM_32B, 0, 7, 96, 1024 + 896}, /* the row counts modulo 4 */
        {ATOM_32B_FLIP_8B, 0, 1, 0, 1024 + 128 + 32 + 8},
        {ATOM_32B_FLIP_8B, 0, 2, 0, 1024 + 256 + 64},
        {ATOM_64B, 0, 3, 0, 1024 + 384 + 64},
        {NONE, 1, 3, 20, 1024 + 3 * 128 + 20}, /* line after line, a slice a pixel */
        {SWIZZLE_32B, 1, 1, 0, 1024 + 128 + 16},
        {SWIZZLE_32B, 2, 3, 48, 1024 + 384 + 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tma_box box = box_of(cases[i].swizzle, 128, 5, 2, 1024);
        box.interleave = cases[i].interleave;
        assert_int_equal(swb_tma_box_address(&box, cases[i].line, cases[i].byte), cases[i].address);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        struct swb_tma_box box;
        const char *part;
    } cases[] = {
        {{.rank = 0, .inner_bytes = 16}, "1 to 5"},
        {{.rank = 6, .inner_bytes = 16, .extents = {1, 1, 1, 1}}, "1 to 5"},
        {{.rank = 2, .inner_bytes = 16, .extents = {0}}, "1 to 256"},
        {{.rank = 2, .inner_bytes = 16, .extents = {257}}, "1 to 256"},
        {{.rank = 1, .inner_bytes = 0}, "multiple of 16"},
        {{.rank = 1, .inner_bytes = 24}, "multiple of 16"},
        {{.rank = 1, .inner_bytes = UINT32_MAX - 15}, "256 elements"},
        {{.rank = 1, .inner_bytes = 2048 + 16}, "256 elements"},
        {{.rank = 3, .inner_bytes = 4096 + 16, .extents = {1, 1}, .interleave = 1}, "256 slices"},
        {{.rank = 3, .inner_bytes = 8192 + 16, .extents = {1, 1}, .interleave = 2}, "256 slices"},
        {{.rank = 1, .inner_bytes = 80, .swizzle = SWIZZLE_64B}, "wider than the span"},
        {{.rank = 1, .inner_bytes = 16, .swizzle = 7}, "no such swizzle"},
        {{.rank = 3, .inner_bytes = 16, .extents = {1, 1}, .interleave = 3}, "no such"},
        {{.rank = 2, .inner_bytes = 16, .extents = {1}, .interleave = 1}, "three dimensions"},
        {{.rank = 1, .inner_bytes = 16, .smem_address = 64}, "multiple of 128"},
        {{.rank = 1, .inner_bytes = 16, .smem_address = 228 * 1024}, "228 KiB"},
        {{.rank = 2, .inner_bytes = 2048, .extents = {115}}, "228 KiB"},
        {{.rank = 5, .inner_bytes = 2048, .extents = {256, 256, 256, 256}}, "228 KiB"},
        {{.rank = 1, .inner_bytes = 16, .smem_address = UINT32_MAX - 127}, "228 KiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *refusal = swb_tma_box_refusal(&cases[i].box);
        if (refusal == NULL)
            fail_msg("case %zu is not refused", i);
        assert_contains(refusal, cases[i].part);
        assert_false(swb_tma_reading(&cases[i].box, 16).readable);
    }
    static const struct swb_tma_box largest[] = {
        {.rank = 2, .inner_bytes = 2048, .extents = {114}},
        {.rank = 3, .inner_bytes = 4096, .extents = {1, 1}, .interleave = 1},
        {.rank = 3, .inner_bytes = 8192, .extents = {1, 1}, .interleave = 2},
    };
    for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++)
        assert_null(swb_tma_box_refusal(&largest[i]));
}

/* ---- The box of a tensor map -------------------------------------------------------------- */

static void test_box_of_a_map(void **state)
{
    (void)state;
    struct swb_tma_map map = {.dtype = 7,
                              .rank = 4,
                              .box = {8, 9, 10, 3},
                              .element_strides = {2, 4, 5, 8},
                              .swizzle = SWIZZLE_32B};
    struct swb_tma_box box = swb_tma_box_of(&map, 256);
    assert_int_equal(box.inner_bytes, 32);
    assert_int_equal(box.extents[0], 3); /* 9 / 4, rounded up */
    assert_int_equal(box.extents[1], 2);
    assert_int_equal(box.extents[2], 1);
    assert_int_equal(swb_tma_box_lines(&box), 6);
    assert_int_equal(box.smem_address, 256);
    map = (struct swb_tma_map){.dtype = 14, .rank = 1, .box = {128}, .element_strides = {1}};
    assert_int_equal(swb_tma_box_of(&map, 0).inner_bytes, 128); /* 4 bits, and gaps */
    map.dtype = 13;
    assert_int_equal(swb_tma_box_of(&map, 0).inner_bytes, 64);
}

/* A rank that no tensor map has is for swb_tma_box_refusal() to say. */
static void test_entries_behind_the_rank(void **state)
{
    (void)state;
    struct swb_tma_map map = {
        .rank = 2, .box = {16, 4, 9, 9, 9}, .element_strides = {1, 1, 1, 1, 1}, .dims = {16, 4}};
    struct swb_tma_box box = swb_tma_box_of(&map, 512);
    assert_int_equal(box.extents[0], 4);
    for (unsigned i = 1; i < SWB_TMA_MAX_RANK - 1; i++)
        assert_int_equal(box.extents[i], 0);
    const int32_t start[SWB_TMA_MAX_RANK] = {0};
    assert_int_equal(swb_tma_filled_bytes(&map, start, 3, 0), 0);
    map.rank = 8;
    box = swb_tma_box_of(&map, 512);
    assert_int_equal(box.extents[SWB_TMA_MAX_RANK - 2], 9);
    assert_int_equal(box.smem_address, 512);
}

/* Of dimension 0 it counts where the tensor is interleaved alone; 0 is as 1. */
static void test_element_strides(void **state)
{
    (void)state;
    struct swb_tma_map map = {.rank = 3, .element_strides = {2, 3, 0}};
    assert_int_equal(swb_tma_step(&map, 0), 1);
    assert_int_equal(swb_tma_step(&map, 1), 3);
    assert_int_equal(swb_tma_step(&map, 2), 1);
    map.interleave = 1;
    assert_int_equal(swb_tma_step(&map, 0), 2);
    map =
        (struct swb_tma_map){.rank = 2, .box = {32, 1}, .element_strides = {1, 2}, .dims = {32, 1}};
    const int32_t start[SWB_TMA_MAX_RANK] = {0};
    assert_int_equal(swb_tma_filled_bytes(&map, start, 0, 16), 0);
}

static void test_out_of_bounds(void **state)
{
    (void)state;
    static const struct {
        int32_t start[3];
        unsigned line, byte, filled;
    } cases[] = {
        {{0, 0, 0}, 0, 0, 0},          {{0, 0, 0}, 0, 112, 0},
        {{36, 0, 0}, 0, 112, 0},       {{40, 0, 0}, 0, 112, 8},
        {{44, 0, 0}, 0, 112, 16},      {{-3, 0, 0}, 0, 0, 6},
        {{-8, 0, 0}, 0, 0, 16},        {{-8, 0, 0}, 0, 16, 0},
        {{0, -1, 0}, 0, 0, 16},        {{0, -1, 0}, 1, 0, 0},
        {{0, 17, 0}, 2, 0, 0},         {{0, 17, 0}, 3, 0, 16},
        {{0, 0, 4}, 3, 0, 0},          {{0, 0, 4}, 4, 0, 16},
        {{0, 0, INT32_MIN}, 4, 0, 16}, {{INT32_MAX, 0, 0}, 0, 112, 16},
    };
    const struct swb_tma_map map = {.dtype = 9,
                                    .rank = 3,
                                    .dims = {100, 20, 5},
                                    .box = {64, 4, 2},
                                    .element_strides = {1, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned filled = swb_tma_filled_bytes(&map, cases[i].start, cases[i].line, cases[i].byte);
        if (filled != cases[i].filled)
            fail_msg("case %zu: %u bytes are filled, not %u", i, filled, cases[i].filled);
    }
}

/* ---- What the tensor core reads ----------------------------------------------------------- */

/* The box, called readable, holds each line where the named layout has it. */
static void check_reading(unsigned swizzle, unsigned inner_bytes, unsigned rows, unsigned planes,
                          const char *name)
{
    enum swb_major major;
    struct swb_tma_box box = box_of(swizzle, inner_bytes, rows, planes, 4096);
    struct swb_tma_reading reading = swb_tma_reading(&box, 16);
    const struct swb_layout_mode *mode = swb_layout_find(name, &major);
    struct swb_tile tile = {
        .mode = mode, .major = SWB_K_MAJOR, .stack = SWB_STACK_COL, .elem_bits = 16};
    assert_true(reading.readable);
    assert_string_equal(reading.name, name);
    bool planes_are_columns = swizzle == NONE;
    tile.rows = planes_are_columns ? rows : rows * planes;
    tile.cols = planes_are_columns ? planes * 8 : mode->span_bytes / 2;
    for (unsigned line = 0; line < rows * planes; line++) {
        for (unsigned byte = 0; byte < inner_bytes; byte += 2) {
            unsigned row = planes_are_columns ? line % rows : line;
            unsigned col = planes_are_columns ? line / rows * 8 + byte / 2 : byte / 2;
            assert_int_equal(swb_tma_box_address(&box, line, byte) - 4096,
                             swb_tile_byte_offset(&tile, row, col));
        }
    }
}

static void test_readable_boxes(void **state)
{
    (void)state;
    check_reading(SWIZZLE_128B, 128, 64, 1, "K/128B");
    check_reading(SWIZZLE_128B, 32, 128, 1, "K/128B"); /* narrower than the span */
    check_reading(SWIZZLE_64B, 64, 16, 3, "K/64B");
    check_reading(SWIZZLE_32B, 32, 8, 1, "K/32B");
    check_reading(ATOM_32B, 128, 24, 1, "K/128B-atom32B");
    check_reading(NONE, 16, 64, 1, "K/none");
    check_reading(NONE, 16, 64, 4, "K/none");
}

/* SBO is from 8 lines to the next 8: 8 spans, or 8 lines of 16 bytes. LBO is from one column of 16
 * bytes to the next. */
static void test_sentences_of_readable_boxes(void **state)
{
    (void)state;
    static const struct {
        unsigned swizzle, interleave, inner_bytes, rows, planes, elem_bits;
        const char *sentence;
    } cases[] = {
        {NONE, 0, 16, 64, 1, 16,
         "SBO 128 bytes; LBO 1024 bytes from plane to plane, a 16-byte column each, so that one "
         "instruction needs a second box"},
        {NONE, 0, 16, 24, 4, 8,
         "SBO 128 bytes; LBO 384 bytes from plane to plane, a 16-byte column each"},
        {NONE, 1, 128, 1, 2, 32,
         "SBO 128 bytes; LBO 256 bytes from plane to plane, a 16-byte column each, so that one "
         "instruction needs a second box"},
        {SWIZZLE_32B, 0, 32, 8, 1, 8, "SBO 256 bytes; LBO is not used"},
        {SWIZZLE_64B, 0, 64, 8, 1, 16,
         "SBO 512 bytes; LBO is not used; where dimension 0 is M or N and not K, it is MN-major of "
         "the same mode"},
        {SWIZZLE_64B, 0, 48, 8, 1, 16,
         "SBO 512 bytes; LBO is not used; only whole 32 bytes of a line can be read"},
        {SWIZZLE_128B, 0, 64, 8, 1, 16, "SBO 1024 bytes; LBO is not used"},
        {SWIZZLE_128B, 0, 128, 8, 1, 32, "SBO 1024 bytes; LBO is not used"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tma_box box =
            box_of(cases[i].swizzle, cases[i].inner_bytes, cases[i].rows, cases[i].planes, 0);
        box.interleave = cases[i].interleave;
        struct swb_tma_reading reading = swb_tma_reading(&box, cases[i].elem_bits);
        assert_true(reading.readable);
        assert_string_equal(reading.sentence, cases[i].sentence);
    }
}

/* A box of rank 1 is one line, whatever stands where others have their second extent. */
static void test_reading_one_line(void **state)
{
    (void)state;
    struct swb_tma_box box = box_of(SWIZZLE_32B, 32, 8, 1, 0);
    box.rank = 1;
    struct swb_tma_reading reading = swb_tma_reading(&box, 16);
    assert_false(reading.readable);
    assert_string_equal(reading.sentence,
                        "wrong height: 1 lines are no multiple of the 8 of an atom");
}

static void test_unreadable_boxes(void **state)
{
    (void)state;
    static const struct {
        unsigned swizzle, inner_bytes, rows, smem_address, elem_bits;
        const char *part;
    } cases[] = {
        {NONE, 144, 8, 0, 16,
         "too wide: lines of 144 bytes in row order; the tensor core reads spans of up to 128 "
         "bytes with their swizzle, or lines of 16 without"},
        {NONE, 128, 8, 0, 16, "take swizzle 128B"},
        {NONE, 64, 8, 0, 16, "take swizzle 64B"},
        {NONE, 32, 8, 0, 16,
         "wrong mode: lines of 32 bytes in row order; take swizzle 32B, or lines of 16 bytes"},
        {NONE, 80, 8, 0, 16, "take swizzle 128B"},
        {SWIZZLE_128B, 128, 8, 128, 16, "wrong base: 128 is no multiple of 1024"},
        {SWIZZLE_64B, 64, 8, 256, 16, "wrong base: 256 is no multiple of 512"},
        {SWIZZLE_32B, 32, 8, 128, 16, "wrong base: 128 is no multiple of 256"},
        {SWIZZLE_32B, 16, 8, 0, 16, "lines of 16 bytes, and an instruction reads 32 bytes of K"},
        {SWIZZLE_128B, 128, 12, 0, 16, "wrong height: 12 lines"},
        {NONE, 16, 4, 0, 16, "wrong height: 4 lines"},
        {ATOM_64B, 128, 8, 0, 16, "wrong mode: no matrix descriptor names swizzle 128B-atom64B"},
        {ATOM_32B_FLIP_8B, 128, 8, 0, 16, "wrong mode"},
        {SWIZZLE_128B, 128, 8, 0, 64, "wrong type: operands in shared memory have 8, 16 or 32"},
        {SWIZZLE_128B, 128, 8, 0, 4, "bits, not 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tma_box box =
            box_of(cases[i].swizzle, cases[i].inner_bytes, cases[i].rows, 1, cases[i].smem_address);
        struct swb_tma_reading reading = swb_tma_reading(&box, cases[i].elem_bits);
        assert_false(reading.readable);
        assert_string_equal(reading.name, "");
        assert_contains(reading.sentence, cases[i].part);
    }
}

/* A slice a pixel: lines of 16 bytes, or of 32, and the swizzle of that span. */
static void test_reading_interleaved_boxes(void **state)
{
    (void)state;
    static const struct {
        unsigned swizzle, interleave, inner_bytes, lines;
        const char *name, *sentence;
    } cases[] = {
        {NONE, 1, 128, 2, "K/none", "SBO 128"},
        {SWIZZLE_32B, 2, 256, 1, "K/32B", "SBO 256"},
        {NONE, 2, 256, 1, "", "wrong mode: lines of 32 bytes"},
        {SWIZZLE_32B, 1, 128, 2, "", "wrong mode: a slice of 16 bytes"},
        {NONE, 1, 64, 1, "", "wrong height: 4 lines"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tma_box box =
            box_of(cases[i].swizzle, cases[i].inner_bytes, 1, cases[i].lines, 0);
        box.interleave = cases[i].interleave;
        box.rank = 3;
        struct swb_tma_reading reading = swb_tma_reading(&box, 16);
        assert_string_equal(reading.name, cases[i].name);
        assert_contains(reading.sentence, cases[i].sentence);
    }
}

/* Dimension 0 counts slices, and the dimension before the last is one slice thick. */
static void test_interleaved_boxes(void **state)
{
    (void)state;
    struct swb_tma_map map = {.dtype = 9,
                              .rank = 4,
                              .dims = {64, 8, 8, 8},
                              .box = {16, 4, 8, 2},
                              .element_strides = {1, 1, 1, 1},
                              .interleave = 1};
    struct swb_tma_box box = swb_tma_box_of(&map, 0);
    assert_int_equal(box.inner_bytes, 256);
    assert_int_equal(swb_tma_box_lines(&box), 8);
    assert_int_equal(swb_tma_unit_bits(&map), 128);
    map.element_strides[0] = 3; /* which counts, unlike without an interleave */
    map.interleave = 2;
    assert_int_equal(swb_tma_box_of(&map, 0).inner_bytes, 6 * 32);
    const int32_t start[] = {63, 0, 0, 0};
    assert_int_equal(swb_tma_filled_bytes(&map, start, 0, 0), 0);
    assert_int_equal(swb_tma_filled_bytes(&map, start, 0, 32), 16);
    map.interleave = 0;
    map.box[0] = 8;
    assert_int_equal(swb_tma_box_of(&map, 0).inner_bytes, 16);
}

/* ---- The commands ------------------------------------------------------------------------- */

#define PLACE "tma place --dtype bf16 "

static void test_one_by_options(void **state)
{
    (void)state;
    const struct answer *answer =
        ask(&command_tma, PLACE "--box 40,3 --swizzle 128B --smem-offset 256 --csv");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->out,
                        "chunks\n- - - - - - - - - - - - - - - - 0.2 0.3 0.0 0.1 - - 0.4 - "
                        "1.3 1.2 1.1 1.0 - - - 1.4 2.4 - - - 2.0 2.1 2.2 2.3\n");
    answer = ask(&command_tma, PLACE "--box 64,8 --swizzle 128B");
    assert_contains(answer->out, "8 lines of 128 bytes, swizzle 128B, from 0: 1024 bytes");
    assert_contains(answer->out, "the tensor core reads it as K/128B: SBO 1024 bytes");
    answer = ask(&command_tma, PLACE "--box 64,8 --swizzle 128B --smem-offset 256");
    assert_contains(answer->out, "the tensor core cannot read it: wrong base: 256");
    answer = ask(&command_tma, PLACE "--box 64,2 --dims 64,2 --start 1,0");
    assert_contains(answer->out, "what starts here faults");
    answer = ask(&command_tma, PLACE "--box 64,2 --dims 60,1 --start 0,0");
    assert_contains(answer->out, "0.6     0.7+\n");
    answer = ask(&command_tma, PLACE "--box 8,2,300 --interleave 16B --element-strides 1,1,8");
    assert_int_equal(answer->status, 2); /* 300 is too many even where few arrive */
    answer = ask(&command_tma, PLACE "--box 8,2,4 --interleave 16B");
    assert_contains(answer->out, "the tensor core reads it as K/none");
    answer = ask(&command_tma, PLACE "--box 64,2 --dims 64,2 --start 0,-1");
    assert_contains(answer->out, "a store that starts here faults");
}

static void test_show_box(void **state)
{
    (void)state;
    char line[256], svg[] = "/tmp/swizzlebench-test-XXXXXX";
    const struct answer *answer = ask(
        &show_box, "box --dtype f32 --box 8,3 --swizzle 32B --smem-offset 128 --dims 8,2 --csv");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->out, "line,chunk,byte_offset,filled_bytes\n"
                                     "0,1,0,0\n0,0,16,0\n1,1,32,0\n1,0,48,0\n2,1,64,16\n"
                                     "2,0,80,16\n");
    close(mkstemp(svg));
    snprintf(line, sizeof line, "box --dtype f32 --box 8,3 --svg %s", svg);
    answer = ask(&show_box, line);
    assert_int_equal(answer->status, 0);
    FILE *file = fopen(svg, "r");
    char text[4096];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(svg);
    assert_contains(text, "<svg");
    assert_contains(text, ">2.1<");
    assert_contains(text, "</svg>");
    ask_bad(&show_box, "box --dtype f32 --box 8,3 --boxes x", "unknown or ambiguous option");
    ask_bad(&show_box, "box --dtype f32 --box 8,3 --svg /nowhere/x", "/nowhere/x");
}

static void test_bad_words(void **state)
{
    (void)state;
    static const struct {
        const char *line, *part;
    } bad[] = {
        {"tma place", "--dtype is needed"},
        {PLACE "--swizzle 128B", "--box is needed"},
        {PLACE "--box 64,8 --smem-offset 100", "multiple of 128"},
        {PLACE "--box 64,8 --smem-offset 233472", "228 KiB"},
        {PLACE "--box 64,8 --smem-offset -128", "--smem-offset '-128'"},
        {PLACE "--box 64,8 --smem-offset 4294967296", "--smem-offset"},
        {PLACE "--box 256,256,256", "the driver refuses this box: the box's size"},
        {PLACE "--box 64,0", "box[1] is 0"},
        {PLACE "--box 8,1,1,1,1,1", "rank is 6"},
        {PLACE "--box ''", "--box ''"},
        {PLACE "--box 64,8 --swizzle 64B", "box[0] is 64: must be at most 32"},
        {PLACE "--box 64,8 --start 1", "--start '1'"},
        {PLACE "--box 64,8 --start 1,99999999999", "--start"},
        {PLACE "--box 64,8 --dims 0,8", "dims[0] is 0"},
        {PLACE "--box 64,8 --strides 8", "unknown or ambiguous option"},
        {PLACE "--box 64,8 --boxes x", "which gives all values"},
        {"tma place --boxes tests/golden/h200-tma-encode.csv", "no column inner_bytes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ask_bad(&command_tma, bad[i].line, bad[i].part);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *row, *part;
    } bad[] = {
        {"2,3,80,3,1,100", "line 3: the address in shared memory"},
        {"2,3,80,3,1,x", "line 3, smem_offset 'x'"},
        {"2,3,144,3,1,0", "line 3: a line of the box is wider"},
        {"2,3,80,3,2,0", "line 3: a box of rank 1 or 2 has one plane"},
        {"1,3,80,3,1,0", "line 3: a box of rank 1 has one row"},
        {"0,3,80,3,1,0", "line 3: the rank must be 1 to 5"},
        {"2,0,2048,256,1,0", "line 3: the box ends beyond"},
        {"2,3,80,3,1", "the header 6"},
    };
    char path[] = "/tmp/swizzlebench-test-XXXXXX", line[128];
    close(mkstemp(path));
    snprintf(line, sizeof line, "tma place --boxes %s --csv", path);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FILE *file = fopen(path, "w");
        fprintf(file, "rank,swizzle,inner_bytes,rows,planes,smem_offset\n2,3,80,3,1,256\n%s\n",
                bad[i].row);
        fclose(file);
        ask_bad(&command_tma, line, bad[i].part);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_hardware),
        cmocka_unit_test(test_every_box_is_one_to_one),
        cmocka_unit_test(test_memory_of_a_box),
        cmocka_unit_test(test_worked_out_by_hand),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_box_of_a_map),
        cmocka_unit_test(test_entries_behind_the_rank),
        cmocka_unit_test(test_element_strides),
        cmocka_unit_test(test_out_of_bounds),
        cmocka_unit_test(test_readable_boxes),
        cmocka_unit_test(test_sentences_of_readable_boxes),
        cmocka_unit_test(test_reading_one_line),
        cmocka_unit_test(test_unreadable_boxes),
        cmocka_unit_test(test_reading_interleaved_boxes),
        cmocka_unit_test(test_interleaved_boxes),
        cmocka_unit_test(test_one_by_options),
        cmocka_unit_test(test_show_box),
        cmocka_unit_test(test_bad_words),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
