/* Do matrix descriptors have the bits that the PTX ISA gives them, and lead to where the layouts
 * have put the elements? */
#include "model/swizzlebench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct swb_layout_mode *mode(const char *name)
{
    const struct swb_layout_mode *mode;
    for (size_t i = 0; (mode = swb_layout_mode_at(i)); i++)
        if (strcmp(mode->name, name) == 0)
            return mode;
    fail_msg("no mode %s", name);
    return NULL;
}

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        uint64_t bits;
    } codes[] = {{"none", 0}, {"128B", 1}, {"64B", 2}, {"32B", 3}};
    struct swb_descriptor d = {
        .start_bytes = 0x12340, .leading_bytes = 0x80, .stride_bytes = 0x400, .base_offset = 5};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        d.mode = mode(codes[i].mode);
        assert_null(swb_descriptor_refusal(&d));
        uint64_t bits = swb_descriptor_encode(&d);
        assert_int_equal(bits, codes[i].bits << 62 | UINT64_C(5) << 49 | UINT64_C(0x40) << 32 |
                                   UINT64_C(0x8) << 16 | 0x1234);
        struct swb_descriptor back = swb_descriptor_decode(bits);
        assert_int_equal(back.start_bytes, d.start_bytes);
        assert_int_equal(back.leading_bytes, d.leading_bytes);
        assert_int_equal(back.stride_bytes, d.stride_bytes);
        assert_int_equal(back.base_offset, d.base_offset);
        assert_ptr_equal(back.mode, d.mode);
    }
}

static void test_what_is_no_descriptor(void **state)
{
    (void)state;
    const struct swb_descriptor good = {.stride_bytes = 1024, .mode = mode("128B")};
    struct swb_descriptor bad = good;
    assert_null(swb_descriptor_refusal(&good));
    bad.start_bytes = 8;
    assert_non_null(swb_descriptor_refusal(&bad));
    bad = good;
    bad.leading_bytes = 1 << 18;
    assert_non_null(swb_descriptor_refusal(&bad));
    bad.leading_bytes = (1 << 18) - 16;
    assert_null(swb_descriptor_refusal(&bad));
    bad = good;
    bad.stride_bytes = 1 << 18;
    assert_non_null(swb_descriptor_refusal(&bad));
    bad = good;
    bad.base_offset = 8;
    assert_non_null(swb_descriptor_refusal(&bad));
    static const char *const others[] = {"linear", "padded", "128B-atom32B", "4B-atom"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        bad = good;
        bad.mode = mode(others[i]);
        assert_non_null(swb_descriptor_refusal(&bad));
    }
}

/* Every element that an instruction reads, at every step along K. */
static void assert_leads_to_tile(const struct swb_tile *tile, uint32_t base)
{
    unsigned k = 256 / tile->elem_bits;
    struct swb_refusal refusal;
    struct swb_descriptor d;
    for (unsigned col = 0; col < tile->cols; col += k) {
        if (!swb_tile_descriptor(tile, base, col, &d, &refusal))
            fail_msg("%s: %s", tile->mode->name, refusal.sentence);
        for (unsigned row = 0; row < tile->rows; row++)
            for (unsigned i = 0; i < k; i++)
                assert_int_equal(swb_descriptor_address(&d, tile->major, tile->elem_bits, row, i),
                                 base + swb_tile_byte_offset(tile, row, col + i));
        assert_int_equal(swb_descriptor_wavefronts(&d, tile->major, tile->elem_bits, tile->rows),
                         tile->rows / 4);
    }
}

static void test_descriptors_lead_to_the_layouts(void **state)
{
    (void)state;
    static const char *const modes[] = {"none", "32B", "64B", "128B"};
    for (unsigned bits = 8; bits <= 32; bits *= 2)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned variant = 0; variant < 4; variant++) {
                struct swb_tile tile = {.mode = mode(modes[i]),
                                        .major = variant & 1 ? SWB_MN_MAJOR : SWB_K_MAJOR,
                                        .stack = variant & 2 ? SWB_STACK_ROW : SWB_STACK_COL,
                                        .rows = 128,
                                        .cols = 2048 / bits,
                                        .elem_bits = bits};
                if (tile.major == SWB_MN_MAJOR && bits != 16)
                    continue;
                assert_leads_to_tile(&tile, 0);
                assert_leads_to_tile(&tile, 9 * 1024);
            }
}

static struct swb_descriptor describe(const char *mode_name, enum swb_stack stack, unsigned col)
{
    /* 64 rows of 64 bytes. */
    const struct swb_tile tile = {.mode = mode(mode_name),
                                  .major = SWB_K_MAJOR,
                                  .stack = stack,
                                  .rows = 64,
                                  .cols = 32,
                                  .elem_bits = 16};
    struct swb_descriptor d;
    assert_true(swb_tile_descriptor(&tile, 0, col, &d, NULL));
    return d;
}

/* Claim S16: the stackings of a 64 x 64 byte tile in 32B differ in the stride byte offset, and in
 * where the second half of K begins. */
static void test_stackings_differ_in_the_stride(void **state)
{
    (void)state;
    static const struct {
        enum swb_stack stack;
        uint32_t stride_bytes, second_half;
    } stackings[] = {{SWB_STACK_COL, 256, 2048}, {SWB_STACK_ROW, 512, 256}};
    for (size_t i = 0; i < 2; i++)
        for (unsigned half = 0; half < 2; half++) {
            struct swb_descriptor d = describe("32B", stackings[i].stack, 16 * half);
            assert_int_equal(d.stride_bytes, stackings[i].stride_bytes);
            assert_int_equal(d.leading_bytes, 0);
            assert_int_equal(d.start_bytes, half * stackings[i].second_half);
        }
}

/* A pattern that begins three lines of 128 bytes behind a multiple of 1024. */
static void test_base_offset(void **state)
{
    (void)state;
    enum { BASE = 2 * 1024 + 3 * 128 };
    const struct swb_tile tile = {
        .mode = mode("128B"), .major = SWB_K_MAJOR, .rows = 64, .cols = 64, .elem_bits = 16};
    struct swb_descriptor d;
    assert_true(swb_tile_descriptor(&tile, BASE, 16, &d, NULL));
    assert_int_equal(d.base_offset, 3);
    assert_leads_to_tile(&tile, BASE);
    d.base_offset = 0; /* then the address's own lines count: row 0 lies in line 3 */
    assert_int_equal(swb_descriptor_address(&d, SWB_K_MAJOR, 16, 0, 0), BASE + 16 * (2 ^ 3));
    static const char *const modes[] = {"32B", "64B", "128B"};
    for (unsigned lines = 0; lines < 8; lines++)
        for (unsigned m = 0; m < 3; m++)
            for (unsigned major = 0; major < 2; major++) {
                const struct swb_tile any = {.mode = mode(modes[m]),
                                             .major = major ? SWB_MN_MAJOR : SWB_K_MAJOR,
                                             .rows = 64,
                                             .cols = 64,
                                             .elem_bits = 16};
                assert_leads_to_tile(&any, 1024 + 128 * lines);
            }
    for (unsigned m = 0; m < 3; m++) { /* where the pattern begins with the tile there is none */
        const struct swb_tile whole = {
            .mode = mode(modes[m]), .major = SWB_K_MAJOR, .rows = 64, .cols = 64, .elem_bits = 16};
        assert_true(swb_tile_descriptor(&whole, swb_tile_repeat_bytes(&whole), 0, &d, NULL));
        assert_int_equal(d.base_offset, 0);
    }
    const struct swb_tile bricks = {
        .mode = mode("none"), .major = SWB_K_MAJOR, .rows = 64, .cols = 64, .elem_bits = 16};
    assert_true(swb_tile_descriptor(&bricks, BASE, 0, &d, NULL));
    assert_int_equal(d.base_offset, 0);
}

/* Every bit of a field is read, and none of the bits between fields. */
static void test_decoding_bit_by_bit(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        struct swb_descriptor d = swb_descriptor_decode((uint64_t)1 << bit);
        unsigned within = bit % 16;
        uint32_t bytes = bit < 48 && within < 14 ? 16u << within : 0;
        assert_int_equal(d.start_bytes, bit < 16 ? bytes : 0);
        assert_int_equal(d.leading_bytes, bit / 16 == 1 ? bytes : 0);
        assert_int_equal(d.stride_bytes, bit / 16 == 2 ? bytes : 0);
        assert_int_equal(d.base_offset, bit >= 49 && bit < 52 ? 1u << (bit - 49) : 0);
        assert_string_equal(d.mode->name, bit == 62 ? "128B" : bit == 63 ? "64B" : "none");
    }
}

/* Addresses have 18 bits, and go on from 0 behind the last of them. */
static void test_addresses_wrap(void **state)
{
    (void)state;
    const struct swb_descriptor d = {
        .start_bytes = 262144 - 128, .stride_bytes = 1024, .mode = mode("none")};
    assert_int_equal(swb_descriptor_address(&d, SWB_K_MAJOR, 8, 0, 15), 262144 - 128 + 15);
    assert_int_equal(swb_descriptor_address(&d, SWB_K_MAJOR, 8, 8, 0), 1024 - 128);
    assert_int_equal(swb_descriptor_address(&d, SWB_K_MAJOR, 8, 8 * 256, 0), 262144 - 128);
}

static void assert_refused(const struct swb_tile *tile, uint32_t base_bytes, unsigned col,
                           const char *sentence)
{
    struct swb_refusal refusal = {.column = 9};
    struct swb_descriptor d;
    assert_false(swb_tile_descriptor(tile, base_bytes, col, &d, &refusal));
    assert_int_equal(refusal.column, 0);
    assert_string_equal(refusal.sentence, sentence);
}

static void test_what_no_descriptor_describes(void **state)
{
    (void)state;
    struct swb_descriptor d;
    const struct swb_tile good = {
        .mode = mode("128B"), .major = SWB_K_MAJOR, .rows = 64, .cols = 64, .elem_bits = 16};
    struct swb_tile bad = good;
    assert_true(swb_tile_descriptor(&good, 0, 48, &d, NULL));
    assert_true(swb_tile_descriptor(&good, 128, 0, &d, NULL));
    assert_refused(&good, 0, 8, "wgmma begins at a multiple of 16 columns, not at 8");
    assert_refused(&good, 0, 64, "wgmma begins at a multiple of 16 columns, not at 64");
    assert_refused(&good, 8, 0, "a swizzled tile begins at a multiple of 128 bytes, not at 8");
    assert_refused(&good, 1024 + 64, 0,
                   "a swizzled tile begins at a multiple of 128 bytes, not at 1088");
    bad.mode = mode("none");
    assert_refused(&bad, 8, 0, "addresses and offsets must be multiples of 16 below 262144");
    bad = good;
    bad.rows = 60;
    assert_refused(&bad, 0, 0, "the number of lines must be a multiple of the 8 lines of an atom");
    bad = good;
    bad.mode = mode("linear");
    assert_refused(&bad, 0, 0, "no matrix descriptor of wgmma names linear");
    bad = good;
    bad.major = SWB_MN_MAJOR;
    bad.rows = 128;
    bad.elem_bits = 8;
    assert_refused(&bad, 0, 0, "wgmma reads MN-major operands of 16 bits alone, not of 8");
}

/* The mode alone says how the eight lines lie that are read at once: no offset makes a conflict. */
static void test_wavefronts_of_wrong_descriptors(void **state)
{
    (void)state;
    static const char *const modes[] = {"none", "32B", "64B", "128B"};
    static const uint32_t offsets[] = {0, 16, 128, 1024, 4096};
    for (unsigned i = 0; i < 4 * 5 * 5; i++) {
        const struct swb_descriptor d = {.leading_bytes = offsets[i % 5],
                                         .stride_bytes = offsets[i / 5 % 5],
                                         .mode = mode(modes[i / 25])};
        assert_int_equal(swb_descriptor_wavefronts(&d, SWB_K_MAJOR, 16, 64), 16);
        assert_int_equal(swb_descriptor_wavefronts(&d, SWB_MN_MAJOR, 16, 64), 16);
    }
}

/* The measured law, at the eight N of the H200. */
static void test_cycles(void **state)
{
    (void)state;
    static const struct {
        unsigned n, shared, registers;
    } measured[] = {{8, 18, 13},  {16, 20, 13},  {32, 24, 16},  {64, 32, 32},
                    {96, 48, 48}, {128, 64, 64}, {192, 96, 96}, {256, 128, 128}};
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        unsigned n = measured[i].n;
        assert_int_equal(swb_wgmma_cycles(n, true, swb_wgmma_wavefronts(n, true)),
                         measured[i].shared);
        assert_int_equal(swb_wgmma_cycles(n, false, swb_wgmma_wavefronts(n, false)),
                         measured[i].registers);
    }
    assert_int_equal(swb_wgmma_cycles(64, true, 100), 100);
    assert_int_equal(swb_wgmma_wavefronts(256, true), 80);
    assert_int_equal(swb_wgmma_tensor_cycles(256), 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_what_is_no_descriptor),
        cmocka_unit_test(test_descriptors_lead_to_the_layouts),
        cmocka_unit_test(test_stackings_differ_in_the_stride),
        cmocka_unit_test(test_base_offset),
        cmocka_unit_test(test_decoding_bit_by_bit),
        cmocka_unit_test(test_addresses_wrap),
        cmocka_unit_test(test_what_no_descriptor_describes),
        cmocka_unit_test(test_wavefronts_of_wrong_descriptors),
        cmocka_unit_test(test_cycles),
    };
    return cmocka_run_group_tests_name("matrix descriptors", tests, NULL, NULL);
}
