/* Is each verdict a function of the rows? Every rule is shown made-up rows that bear its claim out,
 * and rows that do not; and the results of the H200. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/claims_rows.h"
#include "bench/commands.h"
#include "tests/ask.h"
#include "tests/sides.h"

static const char *const families[] = {"shared",   "tma",  "mma",      "wgmma",
                                       "pipeline", "copy", "transpose"};

#define COMMON "family,case,status,reason,verified,"

/* ---- A folder of made-up results ----------------------------------------------------------- */

static void clear(void)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "a/%s.csv", families[i]);
        unlink(path);
    }
}

static void give(const char *family, const char *columns, const char *rows)
{
    char path[64], header[512];
    snprintf(path, sizeof path, "a/%s.csv", family);
    snprintf(header, sizeof header, COMMON "%s", columns);
    sides_file(path, sides_schema, header, rows);
}

static const struct claim *find(const char *id)
{
    for (size_t i = 0; i < CLAIMS; i++)
        if (strcmp(claims[i].id, id) == 0)
            return &claims[i];
    fail_msg("no claim %s", id);
    return NULL;
}

/* What the rule says about a folder; NULL: without results. */
static struct claim_answer judge(const char *id, const char *folder)
{
    struct claim_answer answer = {.verdict = CLAIM_OPEN};
    struct compare_side *side = NULL;
    struct error error = {.kind = ERROR_NONE};
    if (folder) {
        side = calloc(1, sizeof *side);
        assert_non_null(side);
        if (!compare_side_read(folder, 'A', side, &error) || !compare_sides_check(side, 1, &error))
            fail_msg("%s", error.text);
    }
    find(id)->judge(find(id), side, &answer);
    if (side)
        compare_side_free(side);
    free(side);
    return answer;
}

static void assert_answer(const struct claim_answer *answer, const char *id,
                          enum claim_verdict verdict, const char *condition)
{
    if (answer->verdict != verdict)
        fail_msg("%s is %s, not %s: %s", id, claim_verdict_name(answer->verdict),
                 claim_verdict_name(verdict), answer->condition);
    assert_contains(answer->condition, condition);
    assert_true(*answer->evidence);
}

static void assert_judged(const char *id, enum claim_verdict verdict, const char *condition)
{
    struct claim_answer answer = judge(id, "a");
    assert_answer(&answer, id, verdict, condition);
}

/* One row for each of the eight layouts: `format` has the number of the layout as %1$u, and its
 * name as %2$s. */
static const char *eight(const char *format)
{
    static const char *const layouts[] = {"K/none",  "K/32B",  "K/64B",  "K/128B",
                                          "MN/none", "MN/32B", "MN/64B", "MN/128B"};
    static char rows[2048];
    char *at = rows;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    for (unsigned i = 0; i < 8; i++)
        at += snprintf(at, (size_t)(rows + sizeof rows - at), format, i, layouts[i]);
#pragma GCC diagnostic pop
    return rows;
}

/* The same rows and one more. */
static const char *and_one(const char *rows, const char *row)
{
    static char both[4096];
    snprintf(both, sizeof both, "%s%s", rows, row);
    return both;
}

/* ---- shared.csv ---------------------------------------------------------------------------- */

static const char ldmatrix_columns[] =
    "instruction,layout,elem_bits,tile,access,hw_wavefronts,ideal_wavefronts,"
    "cycles_per_wavefront,one_warp_cycles";
static const char ldmatrix_rows[] =
    "shared,c%1$u,ok,,yes,ldmatrix.x1,%2$s,16,64x64,subtile,1,1,1.0005,4.3\n";

static void s1_is_about_every_row(void **state)
{
    (void)state;
    clear();
    give("shared", ldmatrix_columns, eight(ldmatrix_rows));
    assert_judged("S1", CLAIM_CONFIRMED, "no conflict in all 8 rows");
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,bad,failed,model and counter disagree,yes,ldmatrix.x4,K/64B,16,64x64,"
                 "block,5,4,1.0005,8\n"));
    assert_judged("S1", CLAIM_REFUTED, "up to 1.25 wavefronts a sub-tile");
    assert_contains(judge("S1", "a").evidence, "shared.csv:bad");
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,slow,ok,,yes,ldmatrix.x1,K/64B,16,64x64,subtile,1,1,1.02,4.3\n"));
    assert_judged("S1", CLAIM_DEPENDS, "1.0200 clk a wavefront");
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,uncounted,ok,,yes,ldmatrix.x1,K/64B,16,64x64,subtile,,1,1,4.3\n"));
    assert_judged("S1", CLAIM_OPEN,
                  "1 of 9 rows of ldmatrix in the eight layouts have no "
                  "hw_wavefronts in shared.csv, which takes counters");
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,wrong,failed,wrong register,no,ldmatrix.x1,K/64B,16,64x64,subtile,2,1,1,"
                 "4\n"));
    assert_judged("S1", CLAIM_CONFIRMED,
                  "1 of 9 rows of shared.csv left out, as their bytes were wrong");
    assert_contains(judge("S1", "a").evidence, "shared.csv:wrong");
    give("shared", ldmatrix_columns,
         "shared,c,ok,,yes,ldmatrix.x1,K/64B,16,64x64,subtile,1,1,1,4.3\n");
    assert_judged("S1", CLAIM_OPEN, "no measured row of K/none, K/32B, K/128B, MN/none");
}

static void s2_wants_more_ways_for_wider_lines(void **state)
{
    (void)state;
    clear();
    const char *two = "shared,a,ok,,yes,ldmatrix.x1,linear,16,64x16,subtile,2,1,1,4\n"
                      "shared,b,ok,,yes,ldmatrix.x1,linear,16,64x32,subtile,4,1,1,4\n";
    give("shared", ldmatrix_columns,
         and_one(two, "shared,c,ok,,yes,ldmatrix.x4,linear,8,64x128,block,32,4,1,4\n"));
    assert_judged("S2", CLAIM_CONFIRMED, "128 B a line: 8-way");
    give("shared", ldmatrix_columns,
         and_one(two, "shared,c,ok,,yes,ldmatrix.x4,linear,8,64x128,block,16,4,1,4\n"));
    assert_judged("S2", CLAIM_REFUTED, "128 B a line: 4-way");
    give("shared", ldmatrix_columns,
         "shared,a,ok,,yes,ldmatrix.x1,linear,16,64x16,subtile,3,1,1,4\n"
         "shared,b,ok,,yes,ldmatrix.x1,linear,16,64x32,subtile,4,1,1,4\n"
         "shared,c,ok,,yes,ldmatrix.x4,linear,8,64x128,block,32,4,1,4\n");
    assert_judged("S2", CLAIM_REFUTED, "32 B a line: 3-way");
    give("shared", ldmatrix_columns, two);
    assert_judged("S2", CLAIM_OPEN, "no measured row of ldmatrix in linear lines of 128 bytes");
}

static void s3_wants_none_without_conflicts(void **state)
{
    (void)state;
    clear();
    give("shared", ldmatrix_columns, eight(ldmatrix_rows));
    assert_judged("S3", CLAIM_CONFIRMED, "112 of 128 16-bit elements of 8x32 B lie elsewhere");
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,x,ok,,yes,ldmatrix.x1,MN/none,16,64x64,subtile,2,1,1,4\n"));
    assert_judged("S3", CLAIM_REFUTED, "2-way at most in 3 rows");
}

/* ---- transpose.csv ------------------------------------------------------------------------- */

static const char transpose_columns[] =
    "method,layout,elem_bits,hw_wavefronts_in,ideal_wavefronts_in,hw_wavefronts_out,"
    "ideal_wavefronts_out,hw_wavefronts_put,ideal_wavefronts_put";
static const char words_only[] = "transpose,n,ok,,yes,words,K/none,16,512,64,512,64,,\n"
                                 "transpose,s,ok,,yes,words,K/32B,16,256,64,512,64,,\n"
                                 "transpose,m,ok,,yes,words,K/64B,16,128,64,512,64,,\n"
                                 "transpose,w,ok,,yes,words,4B-xor-packed,16,64,64,64,64,,\n"
                                 "transpose,k,ok,,yes,words,K/128B,16,64,64,512,64,,\n"
                                 "transpose,t,ok,,yes,tma-words-tma,K/128B,16,,,64,64,128,64\n";

static void s17_depends_on_what_else_has_no_conflicts(void **state)
{
    (void)state;
    const char *in = "shared,in,ok,,yes,st.shared.b32,K/64B,16,64x32,rows,1,1,1,4\n";
    clear();
    give("shared", ldmatrix_columns, and_one(eight(ldmatrix_rows), in));
    give("transpose", transpose_columns, words_only);
    assert_judged("S17", CLAIM_CONFIRMED, "1 of 6 transposes have no conflicts, 1 of them in");
    give("transpose", transpose_columns,
         and_one(words_only,
                 "transpose,l,ok,,yes,ldmatrix.trans,16B-xor-packed,16,64,64,64,64,,\n"));
    assert_judged("S17", CLAIM_DEPENDS, "the others are in 16B-xor-packed (16-bit ldmatrix.trans)");
    assert_contains(judge("S17", "a").evidence, "transpose.csv:l");
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,in,ok,,yes,st.shared.b32,K/64B,16,64x32,rows,2,1,1,4\n"));
    assert_judged("S17", CLAIM_REFUTED, "pieces of 2x64 B in: 2-way");
    give("transpose", transpose_columns, "transpose,k,ok,,yes,words,linear,16,64,64,2048,64,,\n");
    assert_judged("S17", CLAIM_OPEN, "no measured row of transposes in 4-byte atoms");
    give("transpose", transpose_columns,
         "transpose,w,ok,,yes,words,4B-xor-packed,16,64,64,64,64,,\n");
    assert_judged("S17", CLAIM_OPEN, "no measured row of K/none, K/32B, K/64B, K/128B");
    give("transpose", transpose_columns, words_only);
    give("shared", ldmatrix_columns,
         and_one("shared,o,ok,,yes,ldmatrix.x1,K/none,16,64x64,subtile,1,1,1,4\n", in));
    assert_judged("S17", CLAIM_OPEN, "no measured row of K/32B, K/64B, K/128B, MN/none");
    unlink("a/transpose.csv");
    assert_judged("S17", CLAIM_OPEN, "needs measured rows of transposes: run transpose on a GPU");
}

/* Each of them is named, however many there are. */
static void s17_names_all_that_have_no_conflicts(void **state)
{
    char rows[16384], part[96];
    char *at = rows + snprintf(rows, sizeof rows, "%s", words_only);
    (void)state;
    clear();
    give("shared", ldmatrix_columns,
         and_one(eight(ldmatrix_rows),
                 "shared,in,ok,,yes,st.shared.b32,K/64B,16,64x32,rows,1,1,1,4\n"));
    for (unsigned layout = 0; layout < 40; layout++)
        for (unsigned bits = 8; bits <= 16; bits *= 2)
            at += snprintf(at, (size_t)(rows + sizeof rows - at),
                           "transpose,l%u %u,ok,,yes,a-long-method-%u,a-long-layout-%u,%u,64,64,64,"
                           "64,,\n",
                           layout, bits, layout % 2, layout, bits);
    give("transpose", transpose_columns, rows);
    for (unsigned layout = 0; layout < 40; layout++) {
        snprintf(part, sizeof part, "a-long-layout-%u (8/16-bit a-long-method-%u)", layout,
                 layout % 2);
        assert_judged("S17", CLAIM_DEPENDS, part);
    }
}

/* ---- tma.csv ------------------------------------------------------------------------------- */

static const char box_columns[] =
    "direction,dtype,rank,box,swizzle,interleave,chip,l2_promotion,inner_bytes,box_bytes,"
    "hw_sectors,hw_requests,cycles_per_box,gbytes_per_s,gbytes_per_s_min,gbytes_per_s_max";

/* A box whose bytes are not where the model has them, and one that is as it should be. */
static void boxes_must_lie_where_the_algebra_has_them(void **state)
{
    static const struct {
        const char *id;
        enum claim_verdict right, wrong;
    } cases[] = {{"S4", CLAIM_CONFIRMED, CLAIM_REFUTED},
                 {"S12", CLAIM_CONFIRMED, CLAIM_REFUTED},
                 {"S13", CLAIM_DEPENDS, CLAIM_OPEN}};
    const char *rows = "tma,a,ok,,yes,load,bf16,2,32x8,128B,none,,none,64,512,,,,,,\n"
                       "tma,b,ok,,yes,load,bf16,2,32x8,none,none,,none,64,512,,,,,,\n";
    (void)state;
    clear();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        give("tma", box_columns, rows);
        assert_judged(cases[i].id, cases[i].right, "boxes measured lie so, byte for byte");
        give("tma", box_columns,
             and_one(rows, "tma,c,failed,wrong,no,load,bf16,2,32x16,128B,none,,none,64,1024,,,,,,\n"
                           "tma,d,failed,wrong,no,load,bf16,2,32x16,none,none,,none,64,1024,,,,,,"
                           "\n"));
        assert_judged(cases[i].id, cases[i].wrong, "did not lie where the model has their bytes");
    }
}

static void s4_looks_at_stores_too(void **state)
{
    (void)state;
    clear();
    give("shared", "instruction,layout", "shared,s,ok,,yes,st.shared.b32,K/32B\n");
    assert_judged("S4", CLAIM_CONFIRMED, "1 of 1 rows of stores verified");
    assert_judged("S4", CLAIM_CONFIRMED, "8 of 8 canonical layouts keep them");
    assert_judged("S4", CLAIM_CONFIRMED, "these do not: 128B-atom32B-flip8B, 4B-atom");
    give("shared", "instruction,layout", "shared,s,failed,wrong byte,no,st.shared.b32,K/32B\n");
    assert_judged("S4", CLAIM_REFUTED, "0 of 1 rows of stores verified");
}

static void s5_goes_by_the_encode_calls(void **state)
{
    (void)state;
    clear();
    give("tma", box_columns,
         "tma,a,refused,rule,-,load,bf16,2,64x64,128B-atom32B,none,,none,128,8192,,,,,,\n"
         "tma,b,refused,rule,-,load,bf16,2,64x64,128B-atom64B,none,,none,128,8192,,,,,,\n");
    assert_judged("S5", CLAIM_DEPENDS,
                  "128B-atom64B: as documented, from compute capability 10.0 "
                  "on; this GPU refuses it");
    give("tma", box_columns,
         "tma,a,ok,,yes,load,bf16,2,64x64,128B-atom32B,none,,none,128,8192,,,,,,\n"
         "tma,b,ok,,yes,load,bf16,2,64x64,128B-atom64B,none,,none,128,8192,,,,,,\n");
    assert_judged("S5", CLAIM_CONFIRMED, "this GPU loads it");
    sides_text("a/tma.csv", "# schema: swizzlebench 1\n# compute_capability: 10.0\n" COMMON
                            "direction,swizzle\ntma,a,refused,rule,-,load,128B-atom32B\n");
    assert_judged("S5", CLAIM_REFUTED, "this GPU refuses it");
}

static void s9_compares_rates_beyond_their_spread(void **state)
{
#define RATE(run, rate) "tma," run "-" rate ",ok,,yes,load,bf16,2,x,none,none,L2,none," run ",1024"
    const char *to_a_line = RATE("16", "20") ",64,64.125,,20,19,21\n" RATE(
        "64", "60") ",32,16.125,,60,59,61\n" RATE("128", "90") ",32,8.125,,90,89,91\n";
    (void)state;
    clear();
    give("tma", box_columns, and_one(to_a_line, RATE("512", "91") ",32,8.125,,91,90,92\n"));
    assert_judged("S9", CLAIM_CONFIRMED, "TMA from L2, GB/s: 16 B 20, 64 B 60, 128 B 90, 512 B 91");
    give("tma", box_columns, and_one(to_a_line, RATE("512", "120") ",32,8.125,,120,119,121\n"));
    assert_judged("S9", CLAIM_DEPENDS, "slower than what is longer");
    give("tma", box_columns, and_one(to_a_line, RATE("96", "90") ",32,12.125,,90,89,91\n"));
    assert_judged("S9", CLAIM_DEPENDS, "128 B is not faster than what is shorter");
    give("tma", box_columns, and_one(to_a_line, RATE("512", "91") ",32,2.125,,91,90,92\n"));
    assert_judged("S9", CLAIM_DEPENDS, "a request to L2 brings 512 B at most");
    give("tma", box_columns, and_one(to_a_line, RATE("32", "10") ",32,32.125,,10,9,11\n"));
    assert_judged("S9", CLAIM_REFUTED, "a longer run is slower");
    give("tma", box_columns,
         and_one(to_a_line,
                 RATE("512", "91") ",32,,,91,90,92\n" RATE("256", "91") ",32,,,91,90,92\n"));
    assert_judged("S9", CLAIM_OPEN, "requests to L2 are not known of 2 of 5 rows");
    give("tma", box_columns, and_one(to_a_line, RATE("512", "120") ",32,,,120,119,121\n"));
    assert_judged("S9", CLAIM_DEPENDS, "requests to L2 are not known of 1 of 4 rows");
    give("tma", box_columns,
         RATE("16", "20") ",64,64.125,,20,19,21\n" RATE("64", "10") ",32,16.125,,10,9,11\n");
    assert_judged("S9", CLAIM_OPEN, "no measured row of rates of the whole GPU, of 128 B");
    clear();
    give("mma", "dtype", "mma,x,ok,,yes,f16\n");
    assert_judged("S9", CLAIM_OPEN, "needs measured rows of rates of the whole GPU");
#undef RATE
}

/* A length for which there is no room is said, and settles nothing. */
static void s9_leaves_no_length_off(void **state)
{
    static char rows[32768];
    char *at = rows;
    (void)state;
    clear();
    for (unsigned run = 1; run <= 130; run++)
        at +=
            snprintf(at, (size_t)(rows + sizeof rows - at),
                     "tma,%u,ok,,yes,load,bf16,2,x,none,none,L2,none,%u,1024,32,8.125,,%u,%u,%u\n",
                     run, run, run, run, run);
    give("tma", box_columns, rows);
    assert_judged("S9", CLAIM_OPEN, "128 B 128 and 2 rows more");
}

static void s15_counts_boxes_and_requests(void **state)
{
    const char *tall = "tma,load bf16 16x64 32B,ok,,yes,load,bf16,2,16x64,32B,none,,none,32,2048,"
                       "64,64.125,75,,,\n";
    const char *tile_columns = "path,layout,tile,stacking,source,stages,instructions,hw_sectors,"
                               "cycles_per_tile";
    const char *tiles = "copy,r,ok,,yes,tma-load,K/32B,64x64B,row,L2,4,16,128,200\n"
                        "copy,c,ok,,yes,tma-load,K/32B,64x64B,col,L2,4,2,128,150\n";
    (void)state;
    clear();
    give("tma", box_columns, tall);
    assert_judged("S15", CLAIM_OPEN, "the requests are to be counted");
    give("tma", box_columns,
         and_one(tall, "tma,load bf16 16x8 32B,ok,,yes,load,bf16,2,16x8,32B,none,,none,32,256,8,"
                       "8.125,67,,,\n"));
    give("copy", tile_columns, tiles);
    assert_judged("S15", CLAIM_DEPENDS, "16 boxes of rank 2 along rows, 2 along columns");
    assert_contains(judge("S15", "a").condition,
                    "along rows copy.csv takes 16, 128 sectors, 200 clk a tile");
    assert_contains(judge("S15", "a").condition,
                    "along columns copy.csv takes 2, 128 sectors, 150 clk a tile");
    give("copy", tile_columns,
         and_one(tiles, "copy,w,ok,,yes,tma-load.whole,K/32B,64x64B,row,L2,4,1,128,175\n"));
    assert_judged("S15", CLAIM_DEPENDS, "in one box along rows copy.csv takes 1, 128 sectors, 175");
    assert_contains(judge("S15", "a").evidence, "copy.csv:w");
    give("copy", tile_columns,
         and_one(tiles, "copy,w,failed,wrong,no,tma-load.whole,K/32B,64x64B,col,L2,4,1,128,175\n"));
    assert_judged("S15", CLAIM_OPEN, "but what copy.csv loaded in one box along columns was wrong");
    give("copy", tile_columns,
         "copy,r,ok,,yes,tma-load,K/32B,64x64B,row,L2,4,8,128,200\n"
         "copy,c,ok,,yes,tma-load,K/32B,64x64B,col,L2,4,2,128,150\n");
    assert_judged("S15", CLAIM_REFUTED, "along rows copy.csv takes 8,");
    give("copy", tile_columns,
         "copy,r,ok,,yes,tma-load,K/32B,64x64B,row,L2,4,16,128,200\n"
         "copy,c,failed,wrong,no,tma-load,K/32B,64x64B,col,L2,4,2,128,150\n");
    assert_judged("S15", CLAIM_OPEN,
                  "but what copy.csv loaded in boxes of rank 2 along columns was wrong");
    give("copy", tile_columns,
         "copy,r,ok,,yes,tma-load,K/32B,64x64B,row,L2,4,16,256,200\n"
         "copy,c,ok,,yes,tma-load,K/32B,64x64B,col,L2,4,2,128,150\n");
    assert_judged("S15", CLAIM_REFUTED, "takes 16, 256 sectors");
    give("copy", tile_columns,
         "copy,r,ok,,yes,tma-load,K/32B,64x64B,row,L2,4,16,256,200\n"
         "copy,c,ok,,yes,tma-load,K/32B,64x64B,col,L2,4,2,256,150\n");
    assert_judged("S15", CLAIM_REFUTED, "takes 2, 256 sectors");
    give("copy", tile_columns, "copy,c,ok,,yes,tma-load,K/32B,64x64B,col,L2,4,2,256,150\n");
    assert_judged("S15", CLAIM_REFUTED, "takes 2, 256 sectors");
    give("copy", tile_columns, tiles);
    give("tma", box_columns,
         and_one(tall, "tma,load bf16 16x8 32B,ok,,yes,load,bf16,2,16x8,32B,none,,none,32,256,16,"
                       "8.125,67,,,\n"));
    assert_judged("S15", CLAIM_REFUTED, "64 at most");
}

/* ---- copy.csv ------------------------------------------------------------------------------ */

static const char copy_columns[] = "path,layout,order,run_bytes,hw_wavefronts,ideal_wavefronts,"
                                   "hw_sectors,bytes,hw_l2_requests";
static const char copy_rows[] = "copy,a,ok,,yes,ld-st.4,K/none,shared,16,64,64,512,8192,220.3\n"
                                "copy,b,ok,,yes,ld-st.4,K/32B,shared,32,64,64,256,8192,256.03\n"
                                "copy,c,ok,,yes,ld-st.4,K/64B,shared,64,64,64,256,8192,\n";
#define S8_ROW(run, wavefronts, sectors, requests)                                                 \
    "copy,d,ok,,yes,ld-st.4,K/128B,shared," run "," wavefronts ",64," sectors ",8192," requests "\n"

static void s8_wants_no_conflict_and_whole_runs(void **state)
{
    (void)state;
    clear();
    give("copy", copy_columns, and_one(copy_rows, S8_ROW("128", "64", "256", "64.03")));
    assert_judged("S8", CLAIM_CONFIRMED,
                  "K/none: runs of 16 B, 2 B of sectors a byte moved, 0.4297");
    assert_judged("S8", CLAIM_CONFIRMED, "runs of the layout's span in all of them");
    static const struct {
        const char *row, *condition;
    } others[] = {
        {S8_ROW("64", "64", "256", "64.03"), "K/128B: runs of 64 B"},
        {S8_ROW("256", "64", "256", "64.03"), "K/128B: runs of 256 B"},
        {S8_ROW("128", "64", "512", "64.03"), "2 B of sectors a byte moved"},
        {S8_ROW("128", "64", "128", "64.03"), "0.5 B of sectors a byte moved"},
        {S8_ROW("128", "64", "256", "128.03"), "2 requests to L2 a span"},
        {S8_ROW("128", "64", "256", "32.03"), "0.5 requests to L2 a span"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        give("copy", copy_columns, and_one(copy_rows, others[i].row));
        assert_judged("S8", CLAIM_REFUTED, others[i].condition);
        assert_judged("S8", CLAIM_REFUTED, "not those of its span in 1 of 1 rows");
        assert_contains(judge("S8", "a").evidence, "copy.csv:d");
    }
    give("copy", copy_columns,
         and_one(copy_rows,
                 S8_ROW("128", "64", "256",
                        "64.03") "copy,e,ok,,yes,ld-st.4,K/128B,shared,64,64,64,256,8192,\n"));
    assert_judged("S8", CLAIM_DEPENDS, "K/128B: runs of 64 to 128 B");
    assert_judged("S8", CLAIM_DEPENDS, "not those of its span in 1 of 2 rows");
    give("copy", copy_columns,
         "copy,a,ok,,yes,ld-st.4,K/none,shared,16,64,64,9999,8192,\n"
         "copy,b,ok,,yes,ld-st.4,K/32B,shared,32,64,64,9999,8192,\n"
         "copy,c,ok,,yes,ld-st.4,K/64B,shared,64,64,64,9999,8192,\n"
         "copy,d,ok,,yes,ld-st.4,K/128B,shared,128,64,64,9999,8192,\n");
    assert_judged("S8", CLAIM_REFUTED, "39.06 B of sectors a byte moved: not those of its span");
    give("copy", copy_columns, and_one(copy_rows, S8_ROW("128", "64", "", "64.03")));
    assert_judged("S8", CLAIM_OPEN, "1 of 4 rows of 4-byte copies in shared order have no hw_sec");
    give("copy", copy_columns, and_one(copy_rows, S8_ROW("128", "65", "256", "64.03")));
    assert_judged("S8", CLAIM_REFUTED, "1.016 times the ideal");
    give("copy", copy_columns, copy_rows);
    assert_judged("S8", CLAIM_OPEN, "no measured row of K/128B");
}

static void s14_counts_boxes(void **state)
{
    const char *tile_columns = "path,layout,tile,stacking,source,stages,instructions,hw_sectors,"
                               "cycles_per_tile";
    (void)state;
    clear();
    give("copy", tile_columns, "copy,t,ok,,yes,tma-load,K/128B,64x256B,col,L2,4,2,512,300\n");
    assert_judged("S14", CLAIM_DEPENDS, "one of rank 3 (64 elements, 64 rows, 2) holds all of it");
    give("copy", tile_columns, "copy,t,ok,,yes,tma-load,K/128B,64x256B,col,L2,4,3,512,300\n");
    assert_judged("S14", CLAIM_REFUTED,
                  "2 boxes of rank 2, which is no wider than the span of 128 B; in boxes of rank 2 "
                  "copy.csv takes 3, 512 sectors, 300 clk");
    give("copy", tile_columns, "copy,w,ok,,yes,tma-load.whole,K/128B,64x256B,col,L2,4,1,512,320\n");
    assert_judged("S14", CLAIM_DEPENDS, "in one box copy.csv takes 1, 512 sectors, 320 clk a tile");
    assert_contains(judge("S14", "a").evidence, "copy.csv:w");
    give("copy", tile_columns,
         "copy,w,failed,wrong,no,tma-load.whole,K/128B,64x256B,col,L2,4,1,512,320\n");
    assert_judged("S14", CLAIM_OPEN, "but what copy.csv loaded in one box was wrong");
    give("copy", tile_columns, "copy,t,failed,wrong,no,tma-load,K/128B,64x256B,col,L2,4,2,512,3\n");
    assert_judged("S14", CLAIM_OPEN, "but what copy.csv loaded in boxes of rank 2 was wrong");
    clear();
    give("pipeline", "boxes,layout,k_block,a_layout",
         "pipeline,p,failed,wrong product,no,one,128B,128,K/128B\n");
    assert_judged("S14", CLAIM_OPEN, "1 products of tiles filled by one such box were wrong");
}

/* ---- pipeline.csv and wgmma.csv ------------------------------------------------------------ */

static void s10_ranks_layouts_tile_by_tile(void **state)
{
    const char *columns = "layout,k_block,n,stages,b_layout,cutlass_choice,cycles_per_k_block";
    const char *rows = "pipeline,a,ok,,yes,128B,64,64,4,K/128B,yes,100\n"
                       "pipeline,b,ok,,yes,64B,64,64,4,K/64B,no,120\n"
                       "pipeline,c,ok,,yes,64B,32,64,4,K/64B,yes,300\n";
    (void)state;
    clear();
    give("pipeline", columns, rows);
    assert_judged("S10", CLAIM_CONFIRMED, "1 tiles filled by TMA");
    give("pipeline", columns, and_one(rows, "pipeline,d,ok,,yes,32B,32,64,4,K/32B,no,250\n"));
    assert_judged("S10", CLAIM_DEPENDS, "takes 0.833 to 1.200 times");
    assert_contains(judge("S10", "a").evidence, "pipeline.csv:c");
    give("pipeline", columns,
         "pipeline,a,ok,,yes,128B,64,64,4,K/128B,yes,100\n"
         "pipeline,b,ok,,yes,64B,64,64,4,K/64B,no,90\n");
    assert_judged("S10", CLAIM_REFUTED, "takes 0.900 to 0.900 times");
    give("pipeline", columns, and_one(rows, "pipeline,d,failed,x,no,32B,64,64,4,K/32B,no,50\n"));
    assert_judged("S10", CLAIM_CONFIRMED, "1 of 4 rows of pipeline.csv left out");
    give("pipeline", columns, "pipeline,a,ok,,yes,128B,64,64,4,K/128B,yes,100\n");
    assert_judged("S10", CLAIM_OPEN,
                  "no measured row of one tile, with clocks, in several layouts");
}

static const char wgmma_columns[] = "dtype,n,wrong,stack,a_source,a_layout,b_layout,"
                                    "cycles_per_mma,cycles_over_model,hw_conflicts";
static const char wgmma_rows[] =
    "wgmma,p%1$u row,ok,,yes,bf16,64,,row,shared,%2$s,%2$s,32.01,1.0003,0\n"
    "wgmma,p%1$u col,ok,,yes,bf16,64,,col,shared,%2$s,%2$s,32,1,0\n";

static void s11_and_s18_want_exact_products(void **state)
{
    const char *wrong =
        "wgmma,bad row,failed,wrong product,no,bf16,64,,row,shared,K/32B,K/32B,32,1,"
        "0\n";
    const char *slow = "wgmma,slow row,ok,,yes,bf16,64,,row,shared,K/32B,K/32B,33,1.03,0\n";
    (void)state;
    clear();
    give("wgmma", wgmma_columns, eight(wgmma_rows));
    assert_judged("S11", CLAIM_CONFIRMED, "differ by 0.031 % at most");
    assert_judged("S18", CLAIM_CONFIRMED, "all 16 products of A and B in the eight layouts");
    give("wgmma", wgmma_columns, and_one(eight(wgmma_rows), wrong));
    assert_judged("S11", CLAIM_REFUTED, "1 of 9 products from atoms stacked along rows are wrong");
    assert_judged("S18", CLAIM_REFUTED, "1 of 17 products are wrong");
    give("wgmma", wgmma_columns, and_one(eight(wgmma_rows), slow));
    assert_judged("S18", CLAIM_DEPENDS, "1.00000 to 1.03000 of the clocks");
    give(
        "wgmma", wgmma_columns,
        and_one(eight(wgmma_rows), "wgmma,x row,ok,,yes,bf16,64,,row,shared,K/32B,K/32B,32,1,8\n"));
    assert_judged("S18", CLAIM_DEPENDS, "8 conflicts at most");
    give("wgmma", wgmma_columns,
         and_one(eight(wgmma_rows), "wgmma,x row,ok,,yes,bf16,64,,row,shared,K/32B,K/32B,32,1,\n"));
    assert_judged("S18", CLAIM_CONFIRMED, "in 1 of 17 rows none were counted, so that the clocks");
    give("wgmma", wgmma_columns,
         and_one(eight(wgmma_rows),
                 "wgmma,x col,failed,wrong,no,bf16,64,,col,shared,K/32B,K/32B,32,1,0\n"));
    assert_judged("S11", CLAIM_REFUTED, "1 of 9 products from atoms stacked along columns");
    give("wgmma", wgmma_columns,
         eight("wgmma,p%1$u col,ok,,yes,bf16,64,,col,shared,%2$s,%2$s,32,1,0\n"));
    assert_judged("S11", CLAIM_OPEN, "no measured row of K/none");

    give("wgmma", wgmma_columns, slow);
    assert_judged("S11", CLAIM_OPEN, "no measured row of K/none");
    assert_judged("S18", CLAIM_OPEN, "no measured row of K/none, K/64B");
}

static void s16_wants_exact_products(void **state)
{
    const char *columns = "wrong,stack,b_layout";
    (void)state;
    clear();
    give("wgmma", columns, "wgmma,a,ok,,yes,,row,K/32B\nwgmma,b,ok,,yes,,col,K/32B\n");
    assert_judged("S16", CLAIM_REFUTED, "the halves of a tile differ in: start address (0 and");
    assert_contains(judge("S16", "a").condition,
                    "stackings differ in is: stride byte offset (256 B along columns, 512 along");
    give("wgmma", columns, "wgmma,a,ok,,yes,,row,K/32B\nwgmma,b,failed,wrong,no,,col,K/32B\n");
    assert_judged("S16", CLAIM_OPEN, "but 1 products from K/32B, both stackings were wrong");
}

/* ---- mma.csv ------------------------------------------------------------------------------- */

static void products_may_contradict_fragments(void **state)
{
    static const char *const ids[] = {"S6", "T1", "T3"};
    const char *columns = "atom,wrong,load,a_layout,a_misplaced_share,product_wrong_share";
    (void)state;
    clear();
    for (size_t i = 0; i < 3; i++) {
        give("mma", columns,
             "mma,a,ok,,yes,SM80_16x8x16_F32F16F16F32_TN,,ldmatrix.x4.trans,MN/none,0,0\n"
             "mma,b,ok,,yes,SM80_16x8x16_F32F16F16F32_TN,A without "
             ".trans,ldmatrix.x4,MN/none,0.875,1\n");
        assert_judged(ids[i], CLAIM_CONFIRMED, "came out exact");
        give("mma", columns,
             "mma,a,failed,wrong,no,SM80_16x8x16_F32F16F16F32_TN,,ldmatrix.x4.trans,MN/"
             "none,0,0.5\n");
        assert_judged(ids[i], CLAIM_OPEN, "1 of 1 products in mma.csv are not those");
    }
    assert_judged("T2", CLAIM_OPEN, "1 of 1 products in mma.csv are not those");
    give("mma", columns,
         "mma,b,ok,,yes,SM80_16x8x16_F32F16F16F32_TN,A without "
         ".trans,ldmatrix.x4,MN/none,0.875,0\n");
    assert_judged("S6", CLAIM_REFUTED, "0 % of the product is wrong at least");
}

/* ---- What the algebra settles alone -------------------------------------------------------- */

static void indices_need_no_gpu(void **state)
{
    static const struct {
        const char *id;
        enum claim_verdict verdict;
        const char *condition;
    } cases[] = {
        {"S7", CLAIM_REFUTED, "(0,0), (0,1), (8,0), (8,1)"},
        {"S12", CLAIM_CONFIRMED, "is linear and is not \"none\" of the mma; one of 8x16 B is both"},
        {"S13", CLAIM_DEPENDS, "swizzle 64B, an atom of 64 B: boxes 16, 32, 48, 64 B wide"},
        {"S13", CLAIM_DEPENDS, "swizzle none, an atom of 16 B: boxes 16 B wide; swizzle 32B"},
        {"S13", CLAIM_DEPENDS, "boxes 16, 32, 48, 64, 80, 96, 112, 128 B wide; at all heights"},
        {"S14", CLAIM_DEPENDS, "2 boxes of rank 2"},
        {"S16", CLAIM_REFUTED, "start address"},
        {"T1", CLAIM_CONFIRMED, "B: 32 threads with 4 values"},
        {"T2", CLAIM_REFUTED,
         "the offsets are right; in 16x8 counted down the columns thread 0 "
         "holds (0,0), (0,1), (8,0), (8,1)"},
        {"T3", CLAIM_CONFIRMED, "A: ((4,8),(2,2,2)):((32,1),(16,8,128))"},
        {"T4", CLAIM_CONFIRMED,
         "128 threads over 32x16x16; of A the same is read by warps 0 and "
         "2, 1 and 3; of B the same is read by warps 0 and 1, 2 and 3"},
        {"T5", CLAIM_CONFIRMED, "MMA_M = 4; MMA_N = 8, not the 4 of the comment; MMA_K = 2; 128"},
        {"T6", CLAIM_CONFIRMED, "along N 16 columns, along M 32 rows"},
        {"S1", CLAIM_OPEN, "run shared on a GPU"},
        {"S10", CLAIM_OPEN, "run pipeline on a GPU"},
        {"S18", CLAIM_OPEN, "run wgmma on a GPU"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct claim_answer answer = judge(cases[i].id, NULL);
        assert_answer(&answer, cases[i].id, cases[i].verdict, cases[i].condition);
    }
}

/* The same rule about something else: it must say the contrary. */
static void other_indices_are_judged_otherwise(void **state)
{
    static const struct {
        const char *id;
        unsigned claimed[8];
        enum claim_verdict verdict;
    } cases[] = {
        {"S7", {0, 0, 0, 1, 8, 0, 8, 1}, CLAIM_CONFIRMED},
        {"S7", {0, 0, 0, 1, 8, 0, 8, 2}, CLAIM_REFUTED},
        {"S12", {8, 16}, CLAIM_REFUTED},
        {"S14", {3, 64, 256}, CLAIM_REFUTED},
        {"S14", {16, 256, 2048}, CLAIM_CONFIRMED}, /* more bytes than a box can have */
        {"S15", {16, 3, 32, 64, 64}, CLAIM_REFUTED},
        {"S15", {15, 2, 32, 64, 64}, CLAIM_REFUTED},
        {"T1", {64, 8, 4, 4}, CLAIM_REFUTED},
        {"T1", {32, 8, 4, 8}, CLAIM_REFUTED},
        {"T2", {0, 0, 0, 1, 8, 0, 8, 1}, CLAIM_CONFIRMED},
        {"T4", {128, 32, 16, 32}, CLAIM_REFUTED},
        {"T4", {64, 32, 16, 16}, CLAIM_REFUTED},
        {"T5", {4, 4, 2, 128}, CLAIM_REFUTED},
        {"T5", {4, 8, 2, 64}, CLAIM_REFUTED},
        {"T6", {8, 32}, CLAIM_REFUTED},
        {"T6", {16, 16}, CLAIM_REFUTED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct claim other = *find(cases[i].id);
        struct claim_answer answer = {.verdict = CLAIM_OPEN};
        memcpy(other.claimed, cases[i].claimed, sizeof other.claimed);
        other.judge(&other, NULL, &answer);
        assert_answer(&answer, cases[i].id, cases[i].verdict, "");
    }
    struct claim tall = *find("S15");
    struct claim_answer of_tall = {.verdict = CLAIM_OPEN};
    memcpy(tall.claimed, (unsigned[8]){512, 16, 32, 2048, 64}, sizeof tall.claimed);
    tall.judge(&tall, NULL, &of_tall);
    assert_answer(&of_tall, "S15", CLAIM_OPEN, "512 boxes of rank 2 along rows, 16 along columns");
    assert_null(strstr(of_tall.condition, "holds all of either"));
    for (size_t i = 0; i < 3; i++) {
        struct claim other = *find("T3");
        struct claim_answer answer = {.verdict = CLAIM_OPEN};
        other.claimed_layouts[i] = "((4,8),(2,2)):((32,1),(16,4))";
        other.judge(&other, NULL, &answer);
        assert_answer(&answer, "T3", CLAIM_REFUTED, "");
    }
}

/* Predictions settle what no results would. */
static void predictions_are_no_evidence(void **state)
{
    char text[8192];
    (void)state;
    clear();
    snprintf(text, sizeof text, "# schema: %s\n# backend: model\n" COMMON "%s\n%s", sides_schema,
             ldmatrix_columns, eight(ldmatrix_rows));
    sides_text("a/shared.csv", text);
    assert_judged("S1", CLAIM_OPEN, "needs measured rows of ldmatrix in the eight layouts");
}

/* ---- The command --------------------------------------------------------------------------- */

static void the_command_prints_and_writes(void **state)
{
    (void)state;
    clear();
    give("shared", ldmatrix_columns, eight(ldmatrix_rows));
    struct answer *answer = ask_well(&command_claims, "claims a --csv");
    assert_contains(answer->out, "id,claim,verdict,condition,evidence\nS1,");
    answer = ask_well(&command_claims, "claims a");
    assert_contains(answer->out, "S1   confirmed  ldmatrix reads every");
    assert_contains(answer->out, "GPU a: ");
    answer = ask_well(&command_claims, "claims a --markdown");
    assert_contains(answer->out, "| T1 | ");
    assert_contains(answer->out, "(instruction=ldmatrix\\*,");
    answer = ask_well(&command_claims, "claims a --out made/claims");
    assert_contains(answer->out, "made/claims/claims.csv: ");
    struct result_file file;
    struct error error = {.kind = ERROR_NONE};
    assert_true(result_read("made/claims/claims.csv", &file, &error));
    assert_int_equal(file.row_count, CLAIMS);
    assert_string_equal(result_key(&file, "gpu"), "GPU a");
    assert_string_equal(result_key(&file, "schema"), sides_schema);
    assert_string_equal(result_key(&file, "command"), "swizzlebench claims a --out made/claims");
    assert_string_equal(result_value(&file, 0, "case"), "S1");
    assert_string_equal(result_value(&file, 0, "status"), "ok");
    assert_string_equal(result_value(&file, 7, "verdict"), "open");
    assert_string_equal(result_value(&file, 7, "status"), "skipped");
    assert_contains(result_value(&file, 7, "reason"), "run copy on a GPU");
    result_free(&file);
    ask_bad(&command_claims, "claims none", "none");
    ask_bad(&command_claims, "claims a b", "'b': one folder of results is enough");
    ask_bad(&command_claims, "claims --out b", "--out needs a folder of results");
    ask_bad(&command_claims, "claims a --csv --markdown", "give one of them");
    ask_bad(&command_claims, "claims a --out b --csv", "leave --csv and --markdown out");
}

/* The GPU's name and the cases come from outside. */
static void what_a_terminal_obeys_is_shown(void **state)
{
    (void)state;
    char text[8192], *name;
    clear();
    snprintf(text, sizeof text, "# schema: %s\n# gpu: \033]0;x\007\n" COMMON "%s\n%s", sides_schema,
             ldmatrix_columns, eight(ldmatrix_rows));
    while ((name = strstr(text, "shared,c")))
        name[strlen("shared,")] = '\033';
    sides_text("a/shared.csv", text);
    struct answer *answer = ask_well(&command_claims, "claims a");
    assert_null(strpbrk(answer->out, "\033\007"));
    assert_contains(answer->out, "\n\\x1b]0;x\\x07: ");
    assert_contains(answer->out, "by        shared.csv:\\x1b0;");
    clear();
}

/* ---- The H200 ------------------------------------------------------------------------------ */

static void h200_folder(char *folder, size_t bytes)
{
    char path[1100];
    snprintf(folder, bytes, "%s/results/nvidia-h200", sides_home);
    snprintf(path, sizeof path, "%s/shared.csv", folder);
    if (access(path, R_OK) != 0)
        skip();
}

/* Those that rest on a file are open just where it is not there. */
static void every_claim_has_a_verdict_on_the_h200(void **state)
{
    static const struct {
        const char *id;
        enum claim_verdict verdict;
    } cases[] = {
        {"S1", CLAIM_CONFIRMED},  {"S2", CLAIM_CONFIRMED},  {"S3", CLAIM_CONFIRMED},
        {"S4", CLAIM_CONFIRMED},  {"S5", CLAIM_DEPENDS},    {"S6", CLAIM_CONFIRMED},
        {"S7", CLAIM_REFUTED},    {"S10", CLAIM_CONFIRMED}, {"S11", CLAIM_CONFIRMED},
        {"S12", CLAIM_CONFIRMED}, {"S13", CLAIM_DEPENDS},   {"S14", CLAIM_DEPENDS},
        {"S15", CLAIM_DEPENDS},   {"S16", CLAIM_REFUTED},   {"S18", CLAIM_CONFIRMED},
        {"T1", CLAIM_CONFIRMED},  {"T2", CLAIM_REFUTED},    {"T3", CLAIM_CONFIRMED},
        {"T4", CLAIM_CONFIRMED},  {"T5", CLAIM_CONFIRMED},  {"T6", CLAIM_CONFIRMED},
    };
    static const struct {
        const char *id, *file;
    } rest_on[] = {{"S8", "copy.csv"}, {"S9", "tma.csv"}, {"S17", "transpose.csv"}};
    char folder[1024], path[1100];
    (void)state;
    h200_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct claim_answer answer = judge(cases[i].id, folder);
        assert_answer(&answer, cases[i].id, cases[i].verdict, "");
    }
    for (size_t i = 0; i < sizeof rest_on / sizeof rest_on[0]; i++) {
        struct claim_answer answer = judge(rest_on[i].id, folder);
        snprintf(path, sizeof path, "%s/%s", folder, rest_on[i].file);
        assert_int_equal(answer.verdict == CLAIM_OPEN, access(path, R_OK) != 0);
        assert_true(*answer.condition && *answer.evidence);
    }
}

/* The verdicts on the same results, after something was taken from them; in memory. */
static void judge_changed(void (*change)(struct result_file *file),
                          struct claim_answer answers[CLAIMS])
{
    char folder[1024];
    struct error error = {.kind = ERROR_NONE};
    struct compare_side *side = calloc(1, sizeof *side);
    h200_folder(folder, sizeof folder);
    assert_non_null(side);
    assert_true(compare_side_read(folder, 'A', side, &error));
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES; i++)
        if (side->names[i])
            change(&side->files[i]);
    claims_judge(side, answers);
    compare_side_free(side);
    free(side);
}

static void set_columns(struct result_file *file, const char *part, char *value)
{
    for (size_t column = RESULT_COMMON_COLUMNS; column < file->column_count; column++)
        for (size_t row = 0; strstr(file->columns[column], part) && row < file->row_count; row++)
            file->fields[row * file->column_count + column] = value;
}

static char nothing[] = "", no[] = "no", failed[] = "failed";

static void take_counters(struct result_file *file)
{
    set_columns(file, "hw_", nothing);
}

static void take_times(struct result_file *file)
{
    static const char *const parts[] = {"cycles", "_per_s", "_per_clk", "pct_of_"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        set_columns(file, parts[i], nothing);
}

static void make_all_wrong(struct result_file *file)
{
    for (size_t row = 0; row < file->row_count; row++) {
        char **fields = &file->fields[row * file->column_count];
        if (strcmp(fields[RESULT_VERIFIED], "yes") != 0)
            continue;
        fields[RESULT_VERIFIED] = no;
        fields[2] = failed;
    }
}

static void take_nothing(struct result_file *file)
{
    (void)file;
}

/* What rests on what was taken is open, or refuted where wrong bytes refute it; the others stay. */
static void no_claim_rests_on_what_is_not_there(void **state)
{
    static const struct {
        void (*take)(struct result_file *file);
        const char *open, *refuted;
    } cases[] = {
        {take_counters, " S1 S2 S3 S8 S9 S15 S17 ", " S7 S16 T2 "},
        {take_times, " S1 S9 S10 S18 ", " S7 S16 T2 "},
        {make_all_wrong, " S1 S2 S3 S6 S8 S9 S10 S13 S14 S15 S16 S17 T1 T2 T3 ",
         " S4 S7 S11 S12 S18 "},
        {take_nothing, "", " S7 S16 T2 "},
    };
    static struct claim_answer answers[CLAIMS];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        judge_changed(cases[c].take, answers);
        for (size_t i = 0; i < CLAIMS; i++) {
            char id[8];
            snprintf(id, sizeof id, " %s ", claims[i].id);
            enum claim_verdict verdict = answers[i].verdict;
            if ((verdict == CLAIM_OPEN) != !!strstr(cases[c].open, id) ||
                (verdict == CLAIM_REFUTED) != !!strstr(cases[c].refuted, id))
                fail_msg("case %zu:%sis %s: %s", c, id, claim_verdict_name(verdict),
                         answers[i].condition);
            assert_true(*answers[i].condition && *answers[i].evidence);
            static const char *const never[] = {"nan", "inf", " ..."};
            for (size_t n = 0; n < sizeof never / sizeof never[0]; n++)
                if (strstr(answers[i].condition, never[n]) || strstr(answers[i].evidence, never[n]))
                    fail_msg("case %zu:%ssays '%s': %s by %s", c, id, never[n],
                             answers[i].condition, answers[i].evidence);
        }
    }
}

/* What does not fit is never cut without a sign, nor in the middle. */
static void an_answer_that_is_full_says_so(void **state)
{
    static struct claim_answer answer;
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        claim_say(&answer, "sentence %u", i);
        claim_rest_on(&answer, "row %u", i);
    }
    assert_true(strlen(answer.condition) < sizeof answer.condition);
    assert_contains(answer.condition, "sentence 0; sentence 1; ");
    assert_string_equal(strrchr(answer.condition, ' '), " ...");
    assert_string_equal(strrchr(answer.evidence, ' '), " ...");
    answer.condition[0] = '\0';
    claim_say(&answer, "%0*u", (int)sizeof answer.condition, 1);
    assert_string_equal(answer.condition, " ...");
    answer.condition[0] = '\0';
    claim_say(&answer, "%0*u", 3000, 1);
    assert_int_equal(strlen(answer.condition), 3000);
}

/* A row is named although another's name begins with its own. */
static void rows_with_one_beginning_are_both_named(void **state)
{
    (void)state;
    clear();
    give("shared", ldmatrix_columns,
         "shared,c12,ok,,yes,ldmatrix.x1,linear,16,64x16,subtile,2,1,1,4\n"
         "shared,c1,ok,,yes,ldmatrix.x1,linear,16,64x32,subtile,4,1,1,4\n"
         "shared,c2,ok,,yes,ldmatrix.x4,linear,8,64x128,block,32,4,1,4\n");
    assert_judged("S2", CLAIM_CONFIRMED, "");
    assert_contains(judge("S2", "a").evidence, "shared.csv:c12; shared.csv:c1; shared.csv:c2; ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s1_is_about_every_row),
        cmocka_unit_test(s2_wants_more_ways_for_wider_lines),
        cmocka_unit_test(s3_wants_none_without_conflicts),
        cmocka_unit_test(s17_depends_on_what_else_has_no_conflicts),
        cmocka_unit_test(s17_names_all_that_have_no_conflicts),
        cmocka_unit_test(boxes_must_lie_where_the_algebra_has_them),
        cmocka_unit_test(s4_looks_at_stores_too),
        cmocka_unit_test(s5_goes_by_the_encode_calls),
        cmocka_unit_test(s9_compares_rates_beyond_their_spread),
        cmocka_unit_test(s9_leaves_no_length_off),
        cmocka_unit_test(s15_counts_boxes_and_requests),
        cmocka_unit_test(s8_wants_no_conflict_and_whole_runs),
        cmocka_unit_test(s14_counts_boxes),
        cmocka_unit_test(s10_ranks_layouts_tile_by_tile),
        cmocka_unit_test(s11_and_s18_want_exact_products),
        cmocka_unit_test(s16_wants_exact_products),
        cmocka_unit_test(products_may_contradict_fragments),
        cmocka_unit_test(indices_need_no_gpu),
        cmocka_unit_test(other_indices_are_judged_otherwise),
        cmocka_unit_test(predictions_are_no_evidence),
        cmocka_unit_test(the_command_prints_and_writes),
        cmocka_unit_test(what_a_terminal_obeys_is_shown),
        cmocka_unit_test(every_claim_has_a_verdict_on_the_h200),
        cmocka_unit_test(no_claim_rests_on_what_is_not_there),
        cmocka_unit_test(an_answer_that_is_full_says_so),
        cmocka_unit_test(rows_with_one_beginning_are_both_named),
    };
    return cmocka_run_group_tests(tests, sides_make, sides_remove);
}
