/* Does `advise` choose the layout, box and descriptor that are known to be right, with the model's
 * numbers, and say what each other way loses? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/advise.h"
#include "bench/commands.h"
#include "bench/families.h"
#include "harness/csv.h"
#include "tests/ask.h"
#include "tests/cases.h"

/* ---- The CSV ------------------------------------------------------------------------------- */

enum { MAX_COLUMNS = 96, MAX_LINES = 64 };

static struct {
    char *fields[MAX_LINES][MAX_COLUMNS];
    size_t columns, lines; /* the header is line 0 */
} table;

static void advise(const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "advise --csv %s", words);
    struct answer *answer = ask_well(&command_advise, line);
    struct csv_reader reader = {answer->out, answer->out + strlen(answer->out), 1};
    size_t count;
    for (table.lines = 0; csv_next(&reader, table.fields[table.lines], MAX_COLUMNS, &count);
         table.lines++) {
        table.columns = table.lines ? table.columns : count;
        assert_int_equal(count, table.columns);
    }
}

static const char *value(size_t line, const char *column)
{
    for (size_t i = 0; i < table.columns; i++)
        if (strcmp(table.fields[0][i], column) == 0)
            return table.fields[line][i];
    fail_msg("there is no column %s", column);
    return NULL;
}

/* Of the one line with this layout, stacking and writer. */
static size_t line_of(const char *layout, const char *stack, const char *writer)
{
    for (size_t line = 1; line < table.lines; line++)
        if (strcmp(value(line, "layout"), layout) == 0 &&
            strcmp(value(line, "stack"), stack) == 0 && strcmp(value(line, "writer"), writer) == 0)
            return line;
    fail_msg("there is no %s %s %s", layout, stack, writer);
    return 0;
}

/* "column=value" one after the other. */
static void assert_line(size_t line, const char *wanted)
{
    char copy[512], *rest = copy, *pair;
    snprintf(copy, sizeof copy, "%s", wanted);
    while ((pair = strsep(&rest, " ")) != NULL) {
        char *column = strsep(&pair, "=");
        assert_string_equal(value(line, column), pair);
    }
}

/* ---- What is known to be right ------------------------------------------------------------- */

static const struct {
    const char *words, *best;
} known[] = {
    {"--dtype bf16 --tile 128x64 --major K --reader wgmma --writer tma",
     "layout=K/128B stack= box=64x128 swizzle=128B copies=1 sectors=512 writer_cycles=128 reads=8 "
     "reader_cycles=1024 bound_cycles=1024 bounded_by=reader smem_bytes=16384 lbo_bytes=0 "
     "sbo_bytes=1024 base_offset=0 mode=1 descriptor=0x4000004000000000 start_bytes=0;32;64;96"},
    {"--dtype bf16 --tile 128x64 --major K --reader wgmma", "writer=tma layout=K/128B"},
    {"--dtype bf16 --tile 64x32 --major K --reader wgmma --writer tma",
     "layout=K/64B box=32x64 copies=1 sbo_bytes=512 mode=2 descriptor=0x8000002000000000"},
    {"--dtype bf16 --tile 64x16 --major K --reader wgmma --writer tma",
     "layout=K/32B box=16x64 copies=1 sbo_bytes=256 mode=3 bound_cycles=128"},
    {"--dtype bf16 --tile 128x64 --major MN --reader wgmma --writer tma",
     "layout=MN/128B reads_as=MN/128B stack=row box=64x64 copies=2 lbo_bytes=8192 sbo_bytes=1024 "
     "mode=1 "
     "start_bytes=0;2048;4096;6144"},
    {"--dtype tf32 --tile 64x32 --major K --reader wgmma --writer tma",
     "layout=K/128B box=32x64 reads=4 sbo_bytes=1024"},
    {"--dtype s8 --tile 128x128 --major K --reader wgmma --writer tma",
     "layout=K/128B box=128x128 reads=8 sbo_bytes=1024"},
    {"--dtype bf16 --tile 256x64 --major K --operand B --reader wgmma --writer tma",
     "layout=K/128B reads=4 reader_cycles=512"},
    {"--dtype bf16 --tile 256x64 --major K --operand B --n 32 --reader wgmma --writer tma",
     "reads=32 reader_wavefronts=768 reader_cycles=768"},
    {"--dtype bf16 --tile 64x64 --major K --n 8 --reader wgmma --writer tma",
     "reader_cycles=72 writer_cycles=64 bounded_by=reader"},
    {"--dtype bf16 --tile 128x64 --major K --reader mma --writer tma",
     "layout=K/128B reader_instruction=ldmatrix.x4 reads=32 reader_wavefronts=128 "
     "reader_ideal_wavefronts=128 bounded_by=both descriptor="},
    {"--dtype bf16 --tile 64x64 --major MN --operand B --reader mma --writer st",
     "layout=MN/128B reader_instruction=ldmatrix.x4.trans reads=16 writer_wavefronts=64"},
    {"--dtype bf16 --tile 64x64 --major MN --reader ldmatrix --writer cp.async",
     "layout=MN/128B reader_instruction=ldmatrix.x4.trans reads=16 reader_cycles=64 copies=16 "
     "sectors=256 writer_wavefronts=64 box= swizzle="},
    {"--dtype bf16 --tile 8x8 --major K --reader ldmatrix --writer st",
     "layout=K/none reader_instruction=ldmatrix.x1 reads=1 reader_cycles=1"},
};

static void test_known_tiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        advise(known[i].words);
        assert_line(1, known[i].best);
    }
}

/* A 64 x 256 B tile in 128B swizzle takes two boxes of 64 x 128 B. */
static void test_claim_s14(void **state)
{
    (void)state;
    advise("--dtype bf16 --tile 64x128 --major K --reader wgmma --writer tma");
    assert_line(line_of("K/128B", "col", "tma"), "box=64x64 swizzle=128B copies=2 sbo_bytes=1024");
}

/* A 64 x 64 B K-major tile in 32B swizzle: 16 boxes of 8 x 32 B with the atoms along rows, two of
 * 64 x 32 B along columns, the same sectors; for the tensor core they differ in the SBO alone. */
static void test_claims_s15_and_s16(void **state)
{
    (void)state;
    advise("--dtype bf16 --tile 64x32 --major K --reader wgmma --writer tma");
    size_t row = line_of("K/32B", "row", "tma"), col = line_of("K/32B", "col", "tma");
    assert_line(row, "box=16x8 copies=16 sectors=128 writer_cycles=128");
    assert_line(col, "box=16x64 copies=2 sectors=128 writer_cycles=128");
    assert_line(row, "mode=3 lbo_bytes=0 sbo_bytes=512 base_offset=0");
    assert_line(col, "mode=3 lbo_bytes=0 sbo_bytes=256 base_offset=0");
    assert_true(row > col);
    assert_non_null(strstr(value(row, "loses"), "copies +15 (a box has 8 lines of 32 bytes)"));
}

/* ---- What each way costs ------------------------------------------------------------------- */

static void test_every_candidate_has_its_numbers(void **state)
{
    (void)state;
    advise("--dtype bf16 --tile 128x64 --major K --reader mma");
    assert_int_equal(table.lines, 1 + 3 * (1 + 2 + 2 + 2 + 1 + 1));
    assert_line(line_of("K/64B", "col", "st"), "writer_wavefronts=256 sectors=512 copies=32");
    assert_line(line_of("K/none", "col", "st"),
                "writer_wavefronts=1024 writer_cycles=1024 sectors=512");
    assert_line(line_of("K/none", "col", "cp.async"), "writer_wavefronts=1024 sectors=1024");
    assert_line(line_of("K/none", "col", "tma"), "box=8x128x8 copies=1 sectors=1024");
    assert_line(line_of("K/none", "row", "tma"), "box=8x8x8 copies=16 sectors=1024");
    assert_line(line_of("linear", "", "tma"),
                "box=64x128 swizzle=none reads_as= reader_cycles=1024");
    assert_line(line_of("padded", "", "st"), "smem_bytes=18432 reader_cycles=128");
    assert_line(line_of("padded", "", "tma"), "status=refused rank= bound_cycles=");
    assert_non_null(strstr(value(line_of("padded", "", "tma"), "reason"), "no room between"));
    assert_string_equal(value(line_of("linear", "", "st"), "loses"),
                        "reads +896 (8 times the ideal wavefronts); copies +31 (a warp copies 512 "
                        "bytes with each)");
    assert_string_equal(value(line_of("K/128B", "", "tma"), "loses"), "");
}

/* Where 256 elements are fewer than a line, and where a line is no multiple of 16 bytes. */
static void test_what_tma_does_not_write(void **state)
{
    (void)state;
    advise("--dtype u8 --tile 64x512 --major K --reader mma --writer tma");
    assert_non_null(strstr(value(line_of("linear", "", "tma"), "reason"), "box-width-most"));
    assert_line(line_of("K/none", "col", "tma"), "box=16x64x32 copies=1");
    advise("--dtype bf16 --tile 512x64 --major K --reader mma --writer tma");
    assert_line(line_of("K/128B", "", "tma"), "box=64x256 copies=2");
    assert_line(line_of("K/none", "col", "tma"), "box=8x256 copies=16");
    assert_line(line_of("linear", "", "tma"), "box=64x256 copies=2");
    advise("--dtype bf16 --tile 264x64 --major K --reader ldmatrix --writer tma");
    assert_line(line_of("K/128B", "", "tma"), "box=64x88 copies=3");
}

static void test_is_in_order(void **state)
{
    (void)state;
    static const char *const keys[] = {"bound_cycles", "writer_cycles", "smem_bytes", "copies",
                                       "sectors"};
    advise("--dtype bf16 --tile 128x128 --major MN --reader ldmatrix");
    for (size_t line = 2; line < table.lines && *value(line, "rank"); line++) {
        long difference = 0;
        for (size_t i = 0; i < 5 && difference == 0; i++)
            difference = atol(value(line, keys[i])) - atol(value(line - 1, keys[i]));
        assert_true(difference >= 0);
        assert_int_equal(atol(value(line, "rank")), line);
    }
}

/* What family tma predicts of the box is what is said here. */
static void test_boxes_cost_what_the_family_predicts(void **state)
{
    (void)state;
    advise("--dtype bf16 --tile 128x64 --major K --reader wgmma --writer tma");
    assert_case(&family_tma, "load bf16 64x128 128B", "model_sectors", value(1, "sectors"));
    assert_case(&family_tma, "load bf16 64x128 128B", "model_cycles", value(1, "writer_cycles"));
    assert_case(&family_wgmma, "bf16 n256 A=K/128B B=K/128B col", "a_sbo_bytes",
                value(1, "sbo_bytes"));
    assert_case(&family_wgmma, "bf16 n256 A=K/128B B=K/128B col", "model_cycles", "128");
}

/* ---- Boxes land where the layout says ------------------------------------------------------ */

static void check_boxes(const struct advise_candidate *c)
{
    size_t bytes = swb_tile_bytes(&c->tile), chunks = 0;
    unsigned char *taken = calloc(bytes, 1);
    assert_non_null(taken);
    for (unsigned i = 0; i < c->write.instructions; i++) {
        struct tma_case box_case = advise_box_at(c, i);
        struct swb_tma_box box = swb_tma_box_of(&box_case.map, box_case.smem_offset);
        const struct advise_boxes *boxes = &c->write.boxes;
        assert_null(swb_tma_box_refusal(&box));
        for (unsigned line = 0; line < swb_tma_box_lines(&box); line++) {
            for (unsigned byte = 0; byte < box.inner_bytes; byte += 16) {
                unsigned plane = line / boxes->lines;
                unsigned tile_line = i / boxes->along * boxes->lines + line % boxes->lines;
                unsigned tile_byte =
                    i % boxes->along * boxes->line_bytes + plane * box.inner_bytes + byte;
                uint32_t offset = swb_tma_box_address(&box, line, byte);
                assert_int_equal(offset, swb_tile_line_offset(&c->tile, tile_line, tile_byte));
                assert_int_equal(taken[offset]++, 0);
                chunks++;
            }
        }
    }
    assert_int_equal(chunks * 16, bytes);
    free(taken);
}

static void test_boxes_land_as_the_layout(void **state)
{
    (void)state;
    static const char *const tiles[] = {"128x64", "64x128", "512x32", "320x96", "64x512"};
    struct advice *advice = malloc(sizeof *advice);
    assert_non_null(advice);
    for (size_t i = 0; i < 2 * sizeof tiles / sizeof tiles[0]; i++) {
        const struct advise_words words = {.dtype = i % 3 ? "bf16" : "tf32",
                                           .tile = tiles[i / 2],
                                           .major = i % 2 ? "K" : "MN",
                                           .reader = "mma",
                                           .writer = "tma"};
        struct advise_question question;
        struct error error = {.kind = ERROR_NONE};
        assert_true(advise_question_read(&words, &question, &error));
        assert_true(advise_find(&question, advice, &error));
        for (size_t c = 0; c < advice->possible; c++)
            check_boxes(&advice->candidates[c]);
    }
    free(advice);
}

/* ---- Text ---------------------------------------------------------------------------------- */

static void test_page(void **state)
{
    (void)state;
    const char *page =
        ask_well(&command_advise,
                 "advise --dtype bf16 --tile 128x64 --major K --reader wgmma --writer tma")
            ->out;
    assert_contains(page, "K/128B, written by tma\n");
    assert_contains(page, "bounded by the reader: 1024 clk; the writer takes 128\n");
    assert_contains(page, "1 box of 64x128 (lines of 128 bytes): 512 sectors, 128 clk\n");
    assert_contains(page, "lands as K/128B, which a descriptor can name\n");
    assert_contains(page, "8 wgmma m64n256k16: 80 wavefronts each, 128 clk each\n");
    assert_contains(page, "0x4000004000000006\n");
    assert_contains(page, "the next 64 rows begin 8192 bytes on\n");
    assert_contains(page, "the larger of the clocks of writing and of reading");
    assert_contains(page, "writes +128 (a clock or more a line, and lines have 64 bytes); copies "
                          "+1 (a box has 128 lines of 64 bytes)\n");
    assert_contains(page, "linear             tma: no matrix descriptor of wgmma names linear\n");
    assert_null(strstr(page, "measured"));
}

/* The line of the box is what `tma check` takes. */
static void test_box_passes_tma_check(void **state)
{
    (void)state;
    char line[256];
    const char *page =
        ask_well(&command_advise,
                 "advise --dtype bf16 --tile 64x64 --major K --reader wgmma --writer tma --n 8")
            ->out;
    const char *at = strstr(page, "swizzlebench tma check");
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 13, "\n"), at + 13);
    assert_contains(ask_well(&command_tma, line)->out, "legal: 64 lines of 128 bytes, 8192 bytes");
}

static void test_loads_that_are_no_ldmatrix(void **state)
{
    (void)state;
    const char *page =
        ask_well(&command_advise, "advise --dtype tf32 --tile 64x64 --major MN --reader mma")->out;
    assert_contains(page, "128 ld.shared.b32 of a warp: 256 wavefronts, ideal 128\n");
    assert_contains(page, ".trans turns elements of 16 bits alone");
    assert_contains(page, "which wgmma reads of 16 bits alone");
}

/* ---- Bad words ----------------------------------------------------------------------------- */

static void test_bad_words(void **state)
{
    (void)state;
    static const struct {
        const char *words, *said;
    } bad[] = {
        {"", "--dtype is needed"},
        {"--dtype bf16 --tile 64x64 --reader mma", "--major is needed"},
        {"--dtype bf17 --tile 64x64 --major K --reader mma", "did you mean 'bf16'?"},
        {"--dtype bf16 --tile 64 --major K --reader mma", "ROWSxCOLS is needed"},
        {"--dtype bf16 --tile 100x60 --major K --reader wgmma", "nearest legal tile is 128x64"},
        {"--dtype bf16 --tile 3x3 --major K --reader ldmatrix", "nearest legal tile is 8x8"},
        {"--dtype bf16 --tile 20x16 --major MN --reader ldmatrix", "nearest legal tile is 24x16"},
        {"--dtype bf16 --tile 24x16 --major K --reader mma", "nearest legal tile is 32x16"},
        {"--dtype bf16 --tile 1024x512 --major K --reader mma", "has 1048576 bytes"},
        {"--dtype tf32 --tile 64x64 --major MN --reader wgmma",
         "of 16 bits alone, and tf32 has 32"},
        {"--dtype s8 --tile 64x64 --major MN --reader ldmatrix", "--reader mma takes plain loads"},
        {"--dtype bf16 --tile 64x64 --major M --reader mma", "unknown --major 'M'"},
        {"--dtype bf16 --tile 64x64 --major K --reader tcgen05", "unknown --reader 'tcgen05'"},
        {"--dtype bf16 --tile 64x64 --major K --reader mma --writer sts", "did you mean 'st'?"},
        {"--dtype bf16 --tile 64x64 --major K --reader mma --operand C", "unknown --operand 'C'"},
        {"--dtype bf16 --tile 64x64 --major K --reader mma --n 8", "--n goes with --reader wgmma"},
        {"--dtype bf16 --tile 64x64 --major K --reader wgmma --n 12", "a multiple of 8"},
        {"--dtype s8 --tile 64x64 --major K --reader wgmma --n 40", "16, or 8 or 24"},
        {"--dtype bf16 --tile 64x64 --major K --reader wgmma --n 264", "from 8 to 256"},
        {"--dtype bf16 --tile 64x64 --major K --reader wgmma --operand B --n 24", "divide the 64"},
        {"--dtype bf16 --tile 64x64 --major K --reader mma extra", "'extra' belongs to no option"},
        {"--dtype bf16 --tile 64x64 --major K --reader mma --sbo 8", "--sbo goes with --check"},
        {"--dtype u8 --tile 8x512 --major K --reader ldmatrix --writer tma --bogus", "--bogus"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, "advise%s%s", *bad[i].words ? " " : "", bad[i].words);
        ask_bad(&command_advise, line, bad[i].said);
    }
}

static void test_help(void **state)
{
    (void)state;
    assert_contains(ask_well(&command_advise, "advise --help")->out, "usage: swizzlebench advise");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_tiles),
        cmocka_unit_test(test_claim_s14),
        cmocka_unit_test(test_claims_s15_and_s16),
        cmocka_unit_test(test_every_candidate_has_its_numbers),
        cmocka_unit_test(test_what_tma_does_not_write),
        cmocka_unit_test(test_is_in_order),
        cmocka_unit_test(test_boxes_cost_what_the_family_predicts),
        cmocka_unit_test(test_boxes_land_as_the_layout),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_box_passes_tma_check),
        cmocka_unit_test(test_loads_that_are_no_ldmatrix),
        cmocka_unit_test(test_bad_words),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
