/* Does `advise --check` tell a writer and a reader that agree from those that do not, and say
 * where, with the value that would be right? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/advise.h"
#include "bench/commands.h"
#include "tests/ask.h"

static const struct answer *check(const char *words)
{
    char line[1024];
    snprintf(line, sizeof line, "advise --check --dtype bf16 %s", words);
    return ask(&command_advise, line);
}

#define K_TILE   "--tile 128x64 --major K "
#define MN_TILE  "--tile 128x64 --major MN "
#define TMA_128B "--writer-box 64,128 --writer-swizzle 128B "
#define K_WGMMA  K_TILE TMA_128B "--reader wgmma "

/* ---- Both ways ----------------------------------------------------------------------------- */

static const struct {
    enum { DISAGREE, AGREE } which;
    const char *words, *said[2];
} cases[] = {
    {AGREE,
     K_WGMMA "--descriptor 0x4000004000000000",
     {"1 box of 64x128 under swizzle 128B lands as K/128B, and the descriptor reads rows 0 to 63, "
      "K 0 to 15 where they lie"}},
    {AGREE, K_WGMMA "--mode 128B --sbo 1024", {"agree: "}},
    {AGREE, K_WGMMA "--mode 1 --sbo 1024 --lbo 16", {"agree: "}}, /* LBO is not used */
    {AGREE,
     K_WGMMA "--writer tma --base 2048 --descriptor 0x4000004000000084",
     {"rows 0 to 63, K 32 to 47"}},
    {AGREE, K_WGMMA "--base 0 --descriptor 0x4000004000000202", {"rows 64 to 127, K 16 to 31"}},
    {DISAGREE,
     K_WGMMA "--mode 64B --sbo 1024",
     {"lands as K/128B, but the descriptor's mode is 2 (64B): mode 1 (128B) would be right"}},
    {DISAGREE,
     K_WGMMA "--mode 64B --sbo 512",
     {"mode 1 (128B) would be right", "the descriptor's SBO is 512, but in K/128B it is 1024 bytes "
                                      "to the next 8 rows: SBO 1024 would be right"}},
    {DISAGREE, K_WGMMA "--mode 128B --sbo 512", {"SBO 1024 would be right"}},
    {DISAGREE,
     K_WGMMA "--mode 128B --sbo 1024 --base-offset 1",
     {"base offset is 1, but TMA counts the pattern from multiples of 1024"}},
    {DISAGREE,
     K_WGMMA "--base 0 --descriptor 0x4000004000000001",
     {"starts at byte 16, where no wgmma's part of the tile from --base 0 on begins"}},
    {DISAGREE,
     K_WGMMA "--descriptor 0x4000404000000000",
     {"bits 0x0000400000000000, which are in no field"}}, /* tcgen05's */
    {DISAGREE,
     K_WGMMA "--base 64 --mode 128B --sbo 1024",
     {"the box at --base 64: the address in shared memory must be a multiple of 128"}},

    /* Within the pattern. TMA swizzles absolute addresses, and so does a base offset of 0. */
    {AGREE, K_WGMMA "--descriptor 0x4000004000000008", {"note: byte 128 is no multiple of 1024"}},
    {DISAGREE, K_WGMMA "--descriptor 0x4002004000000008", {"base offset 0 would be right"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer st --writer-layout K/128B --descriptor 0x4000004000000008",
     {"base offset is 0, but the tile begins at byte 128, 128 behind a multiple of the 1024 after "
      "which 128B repeats: base offset 1 would be right"}},
    {AGREE,
     K_TILE "--reader wgmma --writer cp.async --writer-layout K/128B --base 384 --mode 128B "
            "--sbo 1024 --base-offset 3",
     {"agree: the writer stores the tile as K/128B"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-layout K/128B --base 64 --mode 128B --sbo 1024",
     {"from byte 64 on, which no descriptor describes"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-layout padded --mode none --sbo 128",
     {"stores the tile padded from byte 0 on, which no descriptor describes"}},

    /* Boxes. */
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 128,128 --writer-swizzle 128B --mode 128B --sbo 1024",
     {"rule box-width-span: box[0] is 128: must be at most 64"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 48,128 --writer-swizzle 128B --mode 128B --sbo 1024",
     {"box[0] is 48, so that a box takes 96 bytes of a line, which does not divide the 128 bytes "
      "that the lines of the tile have; 64 would be right"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 64,100 --writer-swizzle 128B --mode 128B --sbo 1024",
     {"box[1] is 100, which does not divide the 128 lines of the tile; 128 would be right"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 64,128 --mode none --sbo 128 --lbo 2048",
     {"where no descriptor reads it: wrong mode: lines of 128 bytes in row order; take swizzle "
      "128B, or lines of 16 bytes"}},
    {AGREE,
     K_TILE "--reader wgmma --writer-box 64,64 --writer-swizzle 128B --mode 128B --sbo 1024",
     {"agree: 2 boxes of 64x64 under swizzle 128B land as K/128B"}},
    {AGREE,
     K_TILE "--reader wgmma --writer-box 32,128 --writer-swizzle 128B --mode 128B --sbo 1024",
     {"agree: 2 boxes of 32x128"}}, /* a line takes a span, and half of it is not used */
    {AGREE,
     K_TILE "--reader wgmma --writer-box 16,128 --writer-swizzle 32B --mode 32B --sbo 256",
     {"land as K/32B stack=col"}},
    {AGREE,
     K_TILE "--reader wgmma --writer-box 16,8 --writer-swizzle 32B --stack row --mode 3 --sbo 1024",
     {"land as K/32B stack=row"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 16,8 --writer-swizzle 32B --stack row --mode 3 --sbo 256",
     {"in K/32B stack=row it is 1024 bytes to the next 8 rows"}},
    {AGREE,
     K_TILE "--reader wgmma --writer-box 8,128,8 --mode none --sbo 128 --lbo 2048",
     {"1 box of 8x128x8 under swizzle none lands as K/none stack=col"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 8,128 --mode none --sbo 128 --lbo 128",
     {"LBO is 128, but in K/none stack=col it is 2048 bytes to the next 16 bytes of K"}},
    {DISAGREE,
     K_TILE "--reader wgmma --writer-box 8,4 --mode none --sbo 128 --lbo 2048",
     {"the second box, behind the first: the address in shared memory must be a multiple of 128"}},

    /* MN-major. */
    {AGREE,
     MN_TILE "--reader wgmma --writer-box 64,64 --writer-swizzle 128B --mode 1 --lbo 8192 "
             "--sbo 1024",
     {"land as MN/128B stack=row"}},
    {DISAGREE,
     MN_TILE "--operand B --reader wgmma --writer-box 64,64 --writer-swizzle 128B --mode 1 "
             "--lbo 1024 --sbo 1024",
     {"LBO is 1024, but in MN/128B stack=row it is 8192 bytes to the next span of M or N"}},
    {DISAGREE,
     MN_TILE "--reader wgmma --writer-box 64,64 --writer-swizzle 128B --mode 1 --sbo 8192",
     {"in MN/128B stack=row it is 1024 bytes to the next 8 of K"}},
    {DISAGREE,
     MN_TILE "--reader wgmma --writer-layout MN/none --mode 0 --lbo 1024 --sbo 128",
     {"SBO is 128, but in MN/none stack=row it is 1024 bytes to the next 16 bytes of M or N",
      "LBO is 1024, but in MN/none stack=row it is 128 bytes to the next 8 of K"}},

    /* Readers that compute addresses. */
    {AGREE, K_TILE TMA_128B "--reader ldmatrix --reader-layout K/128B", {"takes it for that"}},
    {DISAGREE,
     K_TILE TMA_128B "--reader mma --reader-layout K/64B",
     {"lands as K/128B, and the reader takes it for K/64B stack=col: byte 64 of line 0 lies at 64 "
      "and is read at 8192; K/128B would be right"}},
    {DISAGREE,
     K_TILE TMA_128B "--reader ldmatrix --reader-layout K/128B --base 128",
     {"byte 0 of line 0 lies at 144 and is read at 128; a --base that is a multiple of 1024"}},
    {AGREE, K_TILE "--reader mma --writer-box 64,128 --reader-layout linear", {"lands as linear"}},
    {DISAGREE,
     K_TILE "--reader mma --writer-layout padded --reader-layout linear",
     {"padded would be"}},
};

static void test_both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct answer *answer = check(cases[i].words);
        if (answer->status != (cases[i].which == AGREE ? 0 : 1))
            fail_msg("exit status %d of %s: %s%s", answer->status, cases[i].words, answer->out,
                     answer->err);
        assert_string_equal(answer->err, "");
        assert_int_equal(strncmp(answer->out, cases[i].which == AGREE ? "agree" : "disagree", 5),
                         0);
        for (size_t said = 0; said < 2 && cases[i].said[said]; said++)
            assert_contains(answer->out, cases[i].said[said]);
    }
}

/* ---- What is advised agrees with itself ---------------------------------------------------- */

static void ask_of(const struct advise_candidate *c, const char *tile, const char *major,
                   const struct swb_descriptor *d, int status)
{
    const struct swb_tma_map *map = &c->write.boxes.first.map;
    char words[512], third[16] = "";
    if (map->rank > 2)
        snprintf(third, sizeof third, ",%u", map->box[2]);
    snprintf(words, sizeof words,
             "--tile %s --major %s --reader wgmma --stack %s --base 0 --writer-box %u,%u%s "
             "--writer-swizzle %s --descriptor 0x%" PRIx64,
             tile, major, c->tile.stack == SWB_STACK_ROW ? "row" : "col", map->box[0], map->box[1],
             third, c->tile.mode->name, swb_descriptor_encode(d));
    const struct answer *answer = check(words);
    if (answer->status != status)
        fail_msg("exit status %d of %s: %s%s", answer->status, words, answer->out, answer->err);
}

/* Every K of every layout; and with any one offset that the instruction uses changed, not. */
static void test_advice_agrees(void **state)
{
    (void)state;
    static const char *const tiles[] = {"128x64", "64x128"}, *const majors[] = {"K", "MN"};
    struct advice *advice = malloc(sizeof *advice);
    assert_non_null(advice);
    for (size_t i = 0; i < 4; i++) {
        const struct advise_words words = {.dtype = "bf16",
                                           .tile = tiles[i / 2],
                                           .major = majors[i % 2],
                                           .reader = "wgmma",
                                           .writer = "tma"};
        struct advise_question question;
        struct error error = {.kind = ERROR_NONE};
        assert_true(advise_question_read(&words, &question, &error));
        assert_true(advise_find(&question, advice, &error));
        for (size_t at = 0; at < advice->possible; at++) {
            const struct advise_candidate *c = &advice->candidates[at];
            struct swb_descriptor d;
            for (unsigned col = 0; col < question.cols; col += 16) {
                assert_true(swb_tile_descriptor(&c->tile, 0, col, &d, NULL));
                ask_of(c, words.tile, words.major, &d, 0);
            }
            d.base_offset = c->tile.mode->swizzle_bits == 3;
            d.stride_bytes += d.base_offset ? 0 : 16;
            ask_of(c, words.tile, words.major, &d, 1);
        }
    }
    free(advice);
}

/* ---- Bad words ----------------------------------------------------------------------------- */

static void test_bad_words(void **state)
{
    (void)state;
    static const struct {
        const char *words, *said;
    } bad[] = {
        {K_TILE "--reader wgmma", "needs --descriptor, or --mode"},
        {K_TILE "--reader wgmma --mode 128B --sbo 1024", "--check needs the writer"},
        {K_WGMMA "--writer-layout K/128B --mode 1", "--check needs the writer"},
        {K_WGMMA "--mode 1 --descriptor 0x0", "--descriptor has all fields"},
        {K_WGMMA "--descriptor zz", "64 bits as 0x... are needed"},
        {K_WGMMA "--descriptor -1", "64 bits as 0x... are needed"},
        {K_WGMMA "--mode 256B", "unknown --mode '256B'"},
        {K_WGMMA "--mode 4", "unknown --mode '4'"},
        {K_WGMMA "--mode 1 --sbo 1000", "multiples of 16"},
        {K_WGMMA "--mode 1 --sbo 1000000", "from 0 to 262128"},
        {K_WGMMA "--mode 1 --base-offset 8", "from 0 to 7"},
        {K_WGMMA "--mode 1 --base x", "--base 'x'"},
        {K_WGMMA "--mode 1 --stack up", "unknown --stack 'up'"},
        {K_WGMMA "--mode 1 --writer st", "--writer st goes with --writer-layout"},
        {K_WGMMA "--mode 1 --reader-layout K/128B", "not with --reader-layout"},
        {K_WGMMA "--mode 1 --gpu results", "--gpu does not go with --check"},
        {K_WGMMA "--mode 1 --csv", "--csv does not go with --check"},
        {K_TILE "--reader wgmma --mode 1 --writer tma --writer-layout K/128B",
         "--writer tma goes with --writer-box"},
        {K_TILE "--reader wgmma --mode 1 --writer-layout K/128B --writer-swizzle 32B",
         "--writer-swizzle goes with --writer-box"},
        {K_TILE "--reader wgmma --mode 1 --writer-layout K/256B", "unknown --writer-layout"},
        {K_TILE "--reader wgmma --mode 1 --writer-layout MN/128B", "--major says K"},
        {"--tile 64x32 --major K --reader wgmma --mode 1 --writer-layout K/128B",
         "lines of 64 bytes"},
        {K_TILE "--reader wgmma --mode 1 --writer-box 64", "two or three whole numbers"},
        {K_TILE "--reader wgmma --mode 1 --writer-box 64,64 --writer-swizzle 256B", "'256B'"},
        {K_TILE TMA_128B "--reader mma", "--reader mma needs --reader-layout"},
        {K_TILE TMA_128B "--reader mma --mode 1", "--reader-layout, not with a descriptor"},
        {"--tile 64x63 --major K --reader wgmma --writer-box 64,64 --mode 1",
         "nearest legal tile is 64x64"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, "advise --check --dtype bf16 %s", bad[i].words);
        ask_bad(&command_advise, line, bad[i].said);
    }
    ask_bad(&command_advise,
            "advise --check --dtype tf32 --tile 64x64 --major MN --reader wgmma --mode 1",
            "of 16 bits alone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_advice_agrees),
        cmocka_unit_test(test_bad_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
