/* Does `tma check` say what the driver says, and name the rule, the limit and the nearest legal
 * value? */
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
#include "bench/table.h"
#include "bench/tma_row.h"
#include "model/swizzlebench.h"
#include "tests/ask.h"

enum { HOPPER = 90, BLACKWELL = 100, BF16 = 9 };

static const char golden[] = "tests/golden/h200-tma-encode.csv";

/* ---- The driver's answers ----------------------------------------------------------------- */

static void test_equals_the_driver(void **state)
{
    (void)state;
    const char *columns[TMA_ROW_COLUMNS + 1];
    struct table table;
    struct error error = {.kind = ERROR_NONE};
    struct swb_tma_map map;
    unsigned count = 0, taken = 0;
    memcpy(columns, tma_row_columns, sizeof tma_row_columns);
    columns[TMA_ROW_COLUMNS] = "result";
    assert_true(table_open(golden, columns, TMA_ROW_COLUMNS + 1, &table, &error));
    while (table_next(&table, &error)) {
        assert_true(tma_row_read(&table, &map, &error));
        bool is_taken = strcmp(table.fields[TMA_ROW_COLUMNS], "0") == 0;
        if ((swb_tma_check(&map, HOPPER, NULL, 0) == 0) != is_taken)
            fail_msg("line %zu: the driver %s it", table.line, is_taken ? "takes" : "refuses");
        count++;
        taken += is_taken;
    }
    table_close(&table);
    assert_int_equal(error.kind, ERROR_NONE);
    assert_int_equal(count, 12000);
    assert_int_equal(taken, 5592);
}

static void test_a_row_for_a_row(void **state)
{
    (void)state;
    const struct answer *answer =
        ask(&command_tma, "tma check --descriptors tests/golden/h200-tma-encode.csv --csv");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->err, "");
    char *copy = strdup(answer->out), *rest = copy, line[1024];
    assert_string_equal(strsep(&rest, "\n"), "legal,rule");
    FILE *file = fopen(golden, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == 'd')
            continue;
        const char *printed = strsep(&rest, "\n");
        assert_non_null(printed);
        if (strcmp(strrchr(line, ','), ",0\n") == 0)
            assert_string_equal(printed, "yes,");
        else
            assert_true(strncmp(printed, "no,", 3) == 0 && strlen(printed) > 20);
    }
    assert_string_equal(rest, "");
    fclose(file);
    free(copy);
}

/* ---- Rules, one at a time ----------------------------------------------------------------- */

/* A legal tensor map of rank 3. */
static const struct swb_tma_map legal = {
    .dtype = BF16,
    .rank = 3,
    .dims = {2048, 4096, 16},
    .strides = {4096, 4096 * 4096},
    .box = {64, 64, 2},
    .element_strides = {1, 1, 1},
    .swizzle = 3,
};

static struct swb_tma_map map_of(const char *words)
{
    struct table table;
    struct error error = {.kind = ERROR_NONE};
    struct swb_tma_map map;
    char path[] = "/tmp/swizzlebench-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(dprintf(file, "%s\n%s\n", tma_row_header, words) > 0, 1);
    close(file);
    assert_true(table_open(path, tma_row_columns, TMA_ROW_COLUMNS, &table, &error));
    assert_true(table_next(&table, &error));
    assert_true(tma_row_read(&table, &map, &error));
    table_close(&table);
    unlink(path);
    return map;
}

#define DIMS3    "2048;4096;16"
#define STRIDES3 "4096;16777216"

/* Fails unless these rules are broken, each with a space behind it, and no other. */
static void assert_breaks(const struct swb_tma_map *map, unsigned capability, const char *rules)
{
    char names[1024] = "";
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    unsigned count = swb_tma_check(map, capability, broken, SWB_TMA_MAX_BROKEN);
    for (unsigned i = 0; i < count; i++) {
        strcat(names, broken[i].rule);
        strcat(names, " ");
    }
    assert_string_equal(names, rules);
}

/* What is changed breaks this one rule and no other. The row is dtype, elem_bytes, rank, addr,
 * dims, strides, box, element_strides, interleave, swizzle, l2_promotion, oob_fill. */
static const struct {
    const char *row;
    unsigned capability;
    const char *rule, *sentence;
} breaks[] = {
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", 80, "device", "at least 90"},
    {"16,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", BLACKWELL, "type",
     "dtype is 16: cuda.h has no further type; nearest legal value b6x16_p32 (15)"},
    {"13,0,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", HOPPER, "type-packed",
     "dtype is b4x16 (13): packed types need compute capability 10.0; nearest legal value "
     "tf32.ftz (12)"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,3,3,0,0", HOPPER, "interleave",
     "nearest legal value 32B (2)"},
    {"15,0,3,0," DIMS3 "," STRIDES3 ",128;64;2,1;1;1,1,3,0,0", BLACKWELL, "interleave-6bit",
     "nearest legal value none (0)"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,7,0,0", BLACKWELL, "swizzle",
     "swizzle is 7: cuda.h has no further swizzle; nearest legal value 128B-atom64B (6)"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,4,0,0", HOPPER, "swizzle-atom",
     "swizzle is 128B-atom32B (4): atoms of 32 and 64 bytes need compute capability 10.0; nearest "
     "legal value 128B (3)"},
    {"14,0,3,0," DIMS3 "," STRIDES3 ",128;64;2,1;1;1,0,6,0,0", BLACKWELL, "swizzle-padded",
     "nearest legal value 128B-atom32B (4)"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,4,0", HOPPER, "l2-promotion",
     "nearest legal value 256B (3)"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,2", HOPPER, "fill",
     "nearest legal value nan (1)"},
    {"1,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,1", HOPPER, "fill-nan",
     "oob_fill is nan (1): only floating-point types have NaNs; nearest legal value zero (0)"},
    {"9,2,0,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", HOPPER, "rank-least",
     "rank is 0: must be at least 1 (a tensor has a dimension); nearest legal value 1"},
    {"9,2,6,0,8;8;8;8;8,16;16;16;16,8;8;8;8;1,1;1;1;1;1,0,3,0,0", HOPPER, "rank-most",
     "rank is 6: must be at most 5 (TMA has five dimensions); nearest legal value 5"},
    {"9,2,2,0," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,1,3,0,0", HOPPER, "rank-interleaved",
     "rank is 2: must be at least 3 (with an interleave); nearest legal value 3"},
    {"9,2,3,25," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", HOPPER, "address-16B",
     "address is 25: must be a multiple of 16 (bytes); nearest legal value 32"},
    {"9,2,3,48," DIMS3 "," STRIDES3 ",64;64;2,1;1;1,2,3,0,0", HOPPER, "address-32B",
     "nearest legal value 32"},
    {"15,0,3,16," DIMS3 "," STRIDES3 ",128;64;2,1;1;1,0,3,0,0", BLACKWELL, "address-padded",
     "nearest legal value 32"},
    {"9,2,3,0,2048;0;16," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", HOPPER, "dim-least",
     "dims[1] is 0: must be at least 1 (element); nearest legal value 1"},
    {"9,2,3,0,2048;4096;4294967297," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", HOPPER, "dim-most",
     "dims[2] is 4294967297: must be at most 4294967296 (2^32 elements); nearest legal value "
     "4294967296"},
    {"13,0,3,0,2047;4096;16," STRIDES3 ",64;64;2,1;1;1,0,3,0,0", BLACKWELL, "dim-packed",
     "dims[0] is 2047: must be a multiple of 2 (elements, with a packed type); nearest legal value "
     "2046"},
    {"13,0,1,0,2047,,32,1,0,0,0,0", BLACKWELL, "dim-packed", "nearest legal value 2046"},
    {"14,0,3,0,2050;4096;16," STRIDES3 ",128;64;2,1;1;1,0,3,0,0", BLACKWELL, "dim-packed",
     "dims[0] is 2050: must be a multiple of 128 (elements, with a packed type); nearest legal "
     "value 2048"},
    {"15,0,3,0,2050;4096;16," STRIDES3 ",128;64;2,1;1;1,0,3,0,0", BLACKWELL, "dim-packed",
     "must be a multiple of 128"},
    {"9,2,3,0," DIMS3 ",4096;24,64;64;2,1;1;1,0,3,0,0", HOPPER, "stride-16B",
     "strides[1] is 24: must be a multiple of 16 (bytes); nearest legal value 16"},
    {"9,2,3,0," DIMS3 ",4112;4096,64;64;2,1;1;1,2,3,0,0", HOPPER, "stride-32B",
     "strides[0] is 4112: must be a multiple of 32 (bytes, with interleave 32B); nearest legal "
     "value 4096"},
    {"15,0,3,0," DIMS3 ",4080;4096,128;64;2,1;1;1,0,3,0,0", BLACKWELL, "stride-padded",
     "nearest legal value 4064"},
    {"9,2,3,0," DIMS3 ",4096;1099511627776,64;64;2,1;1;1,0,3,0,0", HOPPER, "stride-most",
     "strides[1] is 1099511627776: must be at most 1099511627775 (below 2^40 bytes); nearest legal "
     "value 1099511627760"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",0;64;2,1;1;1,0,3,0,0", HOPPER, "box-width-least",
     "box[0] is 0: must be at least 1 (element); nearest legal value 8"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",264;64;2,1;1;1,0,0,0,0", HOPPER, "box-width-most",
     "box[0] is 264: must be at most 256 (elements); nearest legal value 256"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",61;64;2,1;1;1,1,3,0,0", HOPPER, "box-width-16B",
     "box[0] is 61: must be a multiple of 8 (elements: lines are multiples of 16 bytes); nearest "
     "legal value 64"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",72;64;2,1;1;1,0,3,0,0", HOPPER, "box-width-span",
     "box[0] is 72: must be at most 64 (elements: the span of the swizzle); nearest legal value "
     "64"},
    {"14,0,3,0," DIMS3 "," STRIDES3 ",16;64;2,1;1;1,0,3,0,0", BLACKWELL, "box-width-padded",
     "box[0] is 16: must be a multiple of 128 (elements, with a padded type); nearest legal value "
     "128"},
    {"15,0,3,0," DIMS3 "," STRIDES3 ",256;64;2,1;1;1,0,0,0,0", BLACKWELL, "box-width-padded-most",
     "box[0] is 256: must be at most 128 (elements, with a padded type); nearest legal value 128"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;0;2,1;1;1,0,3,0,0", HOPPER, "box-least",
     "box[1] is 0: must be at least 1 (element); nearest legal value 1"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;2;300,1;1;1,0,3,0,0", HOPPER, "box-most",
     "box[2] is 300: must be at most 256 (elements); nearest legal value 256"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,1;0;1,0,3,0,0", HOPPER, "element-stride-least",
     "nearest legal value 1"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;64;2,9;1;1,0,3,0,0", HOPPER, "element-stride-most",
     "element_strides[0] is 9: must be at most 8 (elements); nearest legal value 8"},
    {"9,2,3,0," DIMS3 "," STRIDES3 ",64;256;8,1;1;1,0,3,0,0", HOPPER, "box-bytes",
     "the box's size in bytes is 262144: must be at most 233472 (228 KiB, counting box / "
     "element_strides rounded down); nearest legal value of box[1] 228"},
};

static void test_each_rule_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        struct swb_tma_map map = map_of(breaks[i].row);
        struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
        unsigned count = swb_tma_check(&map, breaks[i].capability, broken, SWB_TMA_MAX_BROKEN);
        if (count != 1 || strcmp(broken[0].rule, breaks[i].rule) != 0)
            fail_msg("%s: %u rules, the first %s, not %s alone", breaks[i].row, count,
                     count > 0 ? broken[0].rule : "-", breaks[i].rule);
        assert_contains(broken[0].sentence, breaks[i].sentence);
    }
}

/* The nearest values are legal: put in, the rule is no longer broken. */
static void test_nearest_is_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        struct swb_tma_broken broken;
        struct swb_tma_map map = map_of(breaks[i].row);
        assert_int_equal(swb_tma_check(&map, breaks[i].capability, &broken, 1), 1);
        const char *nearest = strstr(broken.sentence, "nearest legal value");
        assert_non_null(nearest);
        unsigned long long value = strtoull(nearest + strcspn(nearest, "0123456789"), NULL, 10);
        unsigned entry = 0;
        if (strncmp(breaks[i].rule, "box-", 4) == 0) {
            sscanf(broken.sentence, "box[%u]", &entry);
            if (sscanf(nearest, "nearest legal value of box[%u] %llu", &entry, &value) != 2)
                value = strtoull(nearest + strlen("nearest legal value "), NULL, 10);
            map.box[entry] = (uint32_t)value;
        } else if (sscanf(broken.sentence, "strides[%u]", &entry) == 1) {
            map.strides[entry] = value;
        } else if (sscanf(broken.sentence, "dims[%u]", &entry) == 1) {
            map.dims[entry] = value;
        } else if (sscanf(broken.sentence, "element_strides[%u]", &entry) == 1) {
            map.element_strides[entry] = (uint32_t)value;
        } else if (strncmp(broken.sentence, "address", 7) == 0) {
            map.address = value;
        } else {
            continue;
        }
        assert_int_equal(swb_tma_check(&map, breaks[i].capability, NULL, 0), 0);
    }
}

/* One extent is cut down: the one of which most elements count, as far as it must. */
static void test_nearest_of_a_large_box(void **state)
{
    (void)state;
    static const struct {
        const char *row, *nearest;
    } cases[] = {
        /* The first of two; 16 x 256 bytes each. */
        {"0,1,3,0," DIMS3 "," STRIDES3 ",16;256;256,1;1;1,0,0,0,0", " value of box[1] 57"},
        {"9,2,3,0," DIMS3 "," STRIDES3 ",64;8;256,1;1;1,0,0,0,0", " value of box[2] 228"},
        {"9,2,4,0," DIMS3 ";9," STRIDES3 ";16,64;250;4;256,1;1;1;1,0,0,0,0", " value of box[3] 1"},
        /* Behind the rank, and a rank that there is not. */
        {"9,2,3,0," DIMS3 "," STRIDES3 ",64;256;8;999,1;1;1;1,0,0,0,0", " value of box[1] 228"},
        {"9,2,6,0,8;8;8;8;8,16;16;16;16,64;256;8;1;1,1;1;1;1;1,0,0,0,0", " value of box[1] 228"},
        /* Every second and every eighth element: 114 and 31 of them. */
        {"9,2,3,0," DIMS3 "," STRIDES3 ",64;256;16,1;2;1,0,0,0,0", " value of box[1] 229"},
        {"8,8,3,0," DIMS3 "," STRIDES3 ",40;256;23,1;8;1,0,0,0,0", " value of box[1] 255"},
        {"9,2,3,0," DIMS3 "," STRIDES3 ",64;256;8,1;0;1,0,0,0,0", " value of box[1] 228"},
        /* No box has more than 256; and of 4 bits one element is no whole byte. */
        {"13,0,2,0,8;8,16,1;4294967295,1;1,0,0,0,0", " value of box[1] 256"},
        {"0,1,2,0,8;8,16,1;4294967295,1;1,0,0,0,0", " value of box[1] 256"},
        {"0,1,5,0,1;1;1;1;1,16;16;16;16,256;256;256;256;256,1;1;1;1;1,0,0,0,0",
         "; more than one of box[] must shrink"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tma_map map = map_of(cases[i].row);
        struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
        unsigned count = swb_tma_check(&map, HOPPER, broken, SWB_TMA_MAX_BROKEN);
        assert_true(count >= 1);
        assert_string_equal(broken[count - 1].rule, "box-bytes");
        const char *sentence = broken[count - 1].sentence;
        if (strlen(sentence) < strlen(cases[i].nearest) ||
            strcmp(sentence + strlen(sentence) - strlen(cases[i].nearest), cases[i].nearest) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i].row, sentence, cases[i].nearest);
    }
}

/* A padded box is 128 elements wide, and a span of 32 bytes is not. */
static void test_no_value_goes_with_the_rest(void **state)
{
    (void)state;
    struct swb_tma_map map = map_of("14,0,3,0," DIMS3 "," STRIDES3 ",128;64;2,1;1;1,0,1,0,0");
    struct swb_tma_broken broken[2];
    assert_breaks(&map, BLACKWELL, "swizzle-padded box-width-span ");
    swb_tma_check(&map, BLACKWELL, broken, 2);
    assert_contains(broken[0].sentence, "nearest legal value none (0)");
    assert_contains(broken[1].sentence, "at most 32 (elements: the span of the swizzle); no value "
                                        "goes with the rest");
}

/* ---- Types and words ---------------------------------------------------------------------- */

/* In the order of CUtensorMapDataType in cuda.h. */
static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned bits, smem_bits;
    } types[] = {
        {"u8", 8, 8},         {"u16", 16, 16},  {"u32", 32, 32},     {"s32", 32, 32},
        {"u64", 64, 64},      {"s64", 64, 64},  {"f16", 16, 16},     {"f32", 32, 32},
        {"f64", 64, 64},      {"bf16", 16, 16}, {"f32.ftz", 32, 32}, {"tf32", 32, 32},
        {"tf32.ftz", 32, 32}, {"b4x16", 4, 4},  {"b4x16_p64", 4, 8}, {"b6x16_p32", 6, 8},
    };
    enum { COUNT = sizeof types / sizeof types[0] };
    for (unsigned i = 0; i < COUNT; i++) {
        assert_string_equal(swb_tma_name(SWB_TMA_DTYPE, i), types[i].name);
        assert_int_equal(swb_tma_elem_bits(i), types[i].bits);
        assert_int_equal(swb_tma_smem_elem_bits(i), types[i].smem_bits);
    }
    assert_null(swb_tma_name(SWB_TMA_DTYPE, COUNT));
    assert_int_equal(swb_tma_elem_bits(COUNT), 0);
    assert_int_equal(swb_tma_smem_elem_bits(COUNT), 0);
}

/* As cuda.h has it; a swizzle that it does not name is none of them. */
static void test_swizzles_of_padded_types(void **state)
{
    (void)state;
    enum { B4X16_P64 = 14, B6X16_P32 = 15, NO_TYPE };
    static const bool is_legal[NO_TYPE][7] = {
        [B4X16_P64] = {[0] = true, [3] = true, [4] = true},
        [B6X16_P32] = {[0] = true, [3] = true, [4] = true, [6] = true},
    };
    struct swb_tma_map map = legal;
    map.box[0] = 128;
    for (map.dtype = B4X16_P64; map.dtype < NO_TYPE; map.dtype++) {
        for (map.swizzle = 0; map.swizzle <= 6; map.swizzle++) {
            struct swb_tma_broken broken = {.rule = ""};
            swb_tma_check(&map, BLACKWELL, &broken, 1);
            assert_string_equal(broken.rule,
                                is_legal[map.dtype][map.swizzle] ? "" : "swizzle-padded");
        }
        map.swizzle = 64;
        assert_breaks(&map, BLACKWELL, "swizzle swizzle-padded ");
    }
}

/* What compute capability 10.0 brought is on none below. */
static void test_before_blackwell(void **state)
{
    (void)state;
    struct swb_tma_map map = legal;
    map.box[0] = 128;
    map.swizzle = 0;
    for (map.dtype = 13; map.dtype <= 15; map.dtype++) {
        assert_breaks(&map, HOPPER, "type-packed ");
        assert_breaks(&map, BLACKWELL - 1, "type-packed ");
        assert_breaks(&map, BLACKWELL, "");
    }
    map = legal;
    for (map.swizzle = 4; map.swizzle <= 6; map.swizzle++) {
        assert_breaks(&map, HOPPER, "swizzle-atom ");
        assert_breaks(&map, BLACKWELL - 1, "swizzle-atom ");
        assert_breaks(&map, BLACKWELL, "");
    }
}

/* ---- Borders ------------------------------------------------------------------------------ */

static void test_borders_are_legal(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "9,2,1,0,4294967296,0,256,8,0,0,0,0",
        "0,1,1,0,1,,16,1,0,1,3,0",
        "8,8,2,112,1;1,16,2;256,1;1,0,0,0,1",
        "9,2,2,16,9;4294967296,1099511627760,64;256,1;8,0,3,0,1",
        "9,2,3,0," DIMS3 "," STRIDES3 ",256;228;2,1;1;1,0,0,0,0", /* 228 KiB */
        "9,2,3,0," DIMS3 "," STRIDES3 ",256;229;2,1;1;1,1,3,0,0", /* refused: one line more */
        "9,2,3,0," DIMS3 "," STRIDES3 ",64;256;63,1;1;8,0,3,0,0", /* 63 / 8 counts as 7 */
        "9,2,3,0," DIMS3 "," STRIDES3 ",64;256;64,1;1;8,0,3,0,0", /* refused: 8 */
        "9,2,3,0," DIMS3 "," STRIDES3 ",256;256;2,1;1;3,0,0,0,0", /* 2 / 3 counts as none */
        "0,1,5,0,1;1;1;1;1,16;16;16;16,256;256;256;256;256,1;1;1;1;1,0,0,0,0", /* refused: 2^40 */
    };
    static const bool is_refused[] = {[5] = true, [7] = true, [9] = true};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct swb_tma_map map = map_of(rows[i]);
        assert_int_equal(swb_tma_check(&map, HOPPER, NULL, 0) != 0, is_refused[i]);
    }
}

/* What lies beyond the rank is not looked at. */
static void test_entries_past_the_rank(void **state)
{
    (void)state;
    struct swb_tma_map map = legal;
    map.dims[3] = map.dims[4] = 0;
    map.strides[2] = map.strides[3] = 7;
    map.box[3] = 0;
    map.element_strides[4] = 99;
    assert_int_equal(swb_tma_check(&map, HOPPER, NULL, 0), 0);
    map.rank = 4;
    assert_true(swb_tma_check(&map, HOPPER, NULL, 0) >= 4);
    map.rank = 0;
    map.dims[0] = map.box[1] = map.element_strides[0] = 0;
    map.strides[0] = 7;
    assert_breaks(&map, HOPPER, "rank-least ");
}

/* A rank that there is not has the five entries of the largest, and what follows is none of them.
 */
static void test_entries_of_rank_6(void **state)
{
    (void)state;
    struct swb_tma_map map = {.dtype = BF16, .rank = 6};
    assert_breaks(&map, HOPPER,
                  "rank-most dim-least dim-least dim-least dim-least dim-least box-width-least "
                  "box-least box-least box-least box-least element-stride-least "
                  "element-stride-least element-stride-least element-stride-least "
                  "element-stride-least ");
}

/* 2^64 bits are more than any limit, though 64 bits show them as 0; and of the dimensions only the
 * first has to be a multiple with a packed type. */
static void test_products_and_packed_dims(void **state)
{
    (void)state;
    struct swb_tma_map map = legal;
    map.dtype = 0;
    map.swizzle = 0;
    map.box[0] = 256;
    map.box[1] = 1u << 31;
    map.box[2] = 1u << 22;
    assert_breaks(&map, HOPPER, "box-most box-most box-bytes ");
    map = legal;
    map.dtype = 13;
    map.dims[1] = 4095;
    assert_breaks(&map, BLACKWELL, "");
}

static void test_every_broken_rule_is_named(void **state)
{
    (void)state;
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    struct swb_tma_map worst = {.dtype = UINT32_MAX,
                                .rank = 5,
                                .address = 1,
                                .strides = {1, 1, 1, UINT64_MAX},
                                .interleave = UINT32_MAX,
                                .swizzle = UINT32_MAX,
                                .l2_promotion = UINT32_MAX,
                                .oob_fill = UINT32_MAX};
    unsigned count = swb_tma_check(&worst, 0, broken, SWB_TMA_MAX_BROKEN);
    assert_true(count > 20 && count <= SWB_TMA_MAX_BROKEN);
    for (unsigned i = 0; i < count; i++)
        assert_true(strlen(broken[i].sentence) > 0 &&
                    strlen(broken[i].sentence) < sizeof broken[i].sentence - 1);
    worst.box[0] = worst.box[1] = worst.box[3] = worst.box[4] = 1;
    worst.box[2] = UINT32_MAX; /* of which one element of 4 bits is no whole byte */
    worst.dtype = 13;
    assert_true(swb_tma_check(&worst, 0, broken, SWB_TMA_MAX_BROKEN) <= SWB_TMA_MAX_BROKEN);
}

/* ---- The command -------------------------------------------------------------------------- */

#define ONE "tma check --dtype bf16 --dims 2048,4096 --box 64,64 "

static void test_one_by_options(void **state)
{
    (void)state;
    const struct answer *answer = ask(&command_tma, ONE "--swizzle 128B");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->out, "legal: 64 lines of 128 bytes, 8192 bytes of shared memory\n");
    answer = ask(&command_tma, "tma check --dtype u8 --dims 16,999,9 --box 16,256,256 "
                               "--element-strides 1,3,1 --swizzle 128B");
    assert_contains(answer->out, "refused: 1 rule is broken"); /* 85 x 256 x 16 bytes */
    answer = ask(&command_tma, "tma check --dtype u8 --dims 16,999,9 --box 16,256,21 "
                               "--element-strides 1,3,1 --swizzle 128B");
    assert_contains(answer->out, "legal"); /* 85 x 21 x 16 bytes, of which each line takes 128 */
    answer = ask(&command_tma, "tma check --dtype u8 --dims 16,999,9 --box 16,256,64 "
                               "--swizzle 128B");
    assert_contains(answer->out, "refused");
    answer = ask(&command_tma, "tma check --dtype u8 --dims 16,999,9 --box 16,256,57 "
                               "--swizzle 128B");
    assert_contains(answer->out, "no kernel can use it: the box ends beyond the 228 KiB");
    answer = ask(&command_tma, ONE "--swizzle 64b");
    assert_int_equal(answer->status, 0);
    assert_contains(answer->out, "refused: 1 rule is broken");
    assert_contains(answer->out, "box-width-span");
    answer = ask(&command_tma, ONE "--swizzle 4 --csv");
    assert_contains(answer->out, "legal,rule\nno,swizzle-atom: swizzle is 128B-atom32B (4)");
    answer = ask(&command_tma, ONE "--swizzle 4 --compute-capability 10.0 --csv");
    assert_string_equal(answer->out, "legal,rule\nyes,\n");
    answer = ask(&command_tma, "tma check --dtype u8 --dims 1,2,3,4,5,6 --box 16,1,1,1,1,1 --csv");
    assert_contains(answer->out, "rank-most");
    answer = ask(&command_tma, ONE "--swizzle 3 --address 8 --strides 8192 --element-strides 1,9 "
                                   "--l2-promotion 256B --fill nan --csv");
    assert_contains(answer->out, "no,address-16B: ");
    assert_contains(answer->out, "; element-stride-most: ");
}

static void test_bad_words(void **state)
{
    (void)state;
    static const struct {
        const char *line, *part;
    } bad[] = {
        {"tma", "check or place"},
        {"tma chekc", "did you mean 'check'"},
        {"tma check", "--dims is needed"},
        {"tma check --dims 8", "--dtype is needed"},
        {"tma check --dims 8 --dtype bf16", "--box is needed"},
        {"tma check --dims '' --dtype bf16 --box 8", "--dims ''"},
        {"tma check --dims 8,8 --dtype bf17 --box 8,8", "did you mean 'bf16'"},
        {"tma check --dims 8,8 --dtype bf16 --box 8", "1 numbers; 2 are needed"},
        {"tma check --dims 8,-8 --dtype bf16 --box 8,8", "--dims '8,-8'"},
        {"tma check --dims 8,8, --dtype bf16 --box 8,8", "--dims '8,8,'"},
        {"tma check --dims 1,1,1,1,1,1,1,1,1 --dtype bf16 --box 8,8", "--dims"},
        {"tma check --dims 18446744073709551616 --dtype bf16 --box 8", "18446744073709551615"},
        {"tma check --dims 8,8 --dtype bf16 --box 8,4294967296", "4294967295"},
        {"tma check --dims 18446744073709551615,2 --dtype bf16 --box 8,8", "more than 64 bits"},
        {"tma check --dims 4294967296,4294967296,4294967296 --dtype u64 --box 2,1,1",
         "more than 64 bits"},
        {ONE "--strides 1,2", "2 numbers; 1 are needed"},
        {ONE "--swizzle 256B", "unknown --swizzle"},
        {ONE "--compute-capability 9", "--compute-capability '9'"},
        {ONE "--smem-offset 128", "unknown or ambiguous option"},
        {ONE "extra", "'extra'"},
        {ONE "--descriptors tests/golden/h200-tma-encode.csv", "which gives all values"},
        {"tma check --descriptors /nowhere", "cannot open /nowhere"},
        {"tma check --descriptors tests/golden/h200-tma-placement.csv", "no column dtype"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ask_bad(&command_tma, bad[i].line, bad[i].part);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const char good[] = "9,2,2,0,8;8,16,8;8,1;1,0,0,0,0";
    static const struct {
        const char *row, *part;
    } bad[] = {
        {"x,2,2,0,8;8,16,8;8,1;1,0,0,0,0", "line 3, dtype 'x'"},
        {"9,2,2,0,8,16,8;8,1;1,0,0,0,0", "line 3, dims '8'"},
        {"9,2,2,0,8;8,,8;8,1;1,0,0,0,0", "line 3, strides ''"},
        {"9,2,2,0,8;8,16,8;8;8;8;8;8,1;1,0,0,0,0", "line 3, box"},
        {"9,2,2,0,8;99999999999999999999,16,8;8,1;1,0,0,0,0", "line 3, dims"},
        {"9,2,2,0,8;8,16,8;8,1;1,0,0,0", "the header 12"},
        {"9,2,2,0,\"8;8", "never closed"},
    };
    char path[] = "/tmp/swizzlebench-test-XXXXXX", line[128];
    close(mkstemp(path));
    snprintf(line, sizeof line, "tma check --descriptors %s --csv", path);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FILE *file = fopen(path, "w");
        fprintf(file, "%s\n%s\n%s", tma_row_header, good, bad[i].row);
        fclose(file);
        ask_bad(&command_tma, line, bad[i].part);
    }
    FILE *file = fopen(path, "w");
    fprintf(file, "# nothing\n");
    fclose(file);
    ask_bad(&command_tma, line, "is empty");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_driver),
        cmocka_unit_test(test_a_row_for_a_row),
        cmocka_unit_test(test_each_rule_alone),
        cmocka_unit_test(test_nearest_is_legal),
        cmocka_unit_test(test_nearest_of_a_large_box),
        cmocka_unit_test(test_no_value_goes_with_the_rest),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_swizzles_of_padded_types),
        cmocka_unit_test(test_before_blackwell),
        cmocka_unit_test(test_borders_are_legal),
        cmocka_unit_test(test_entries_past_the_rank),
        cmocka_unit_test(test_entries_of_rank_6),
        cmocka_unit_test(test_products_and_packed_dims),
        cmocka_unit_test(test_every_broken_rule_is_named),
        cmocka_unit_test(test_one_by_options),
        cmocka_unit_test(test_bad_words),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
