/* Do `predict` and `show` answer as their users and scripts rely on? */
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
#include "model/swizzlebench.h"
#include "tests/ask.h"

/* To the last question; ~ stands for a space in a word of it. */
static struct answer *answer;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static char folder[] = "/tmp/swizzlebench-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* ---- Accesses ----------------------------------------------------------------------------- */

static void test_a_row_for_a_row(void **state)
{
    (void)state;
    answer = ask(&command_predict, "predict --accesses tests/golden/h200-accesses.csv --csv");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->err, "");
    char line[1024], *printed = answer->out;
    assert_string_equal(strsep(&printed, "\n"),
                        "instruction,wavefronts,ideal_wavefronts,conflicts");
    FILE *golden = fopen("tests/golden/h200-accesses.csv", "r");
    assert_non_null(golden);
    while (fgets(line, sizeof line, golden) != NULL) {
        char expected[128], *rest = line;
        if (line[0] == '#' || strncmp(line, "instruction", 11) == 0)
            continue;
        const char *instruction = strsep(&rest, ",");
        strsep(&rest, ",");
        strsep(&rest, ",");
        int wavefronts = atoi(strsep(&rest, ",")), conflicts = atoi(rest);
        snprintf(expected, sizeof expected, "%s,%d,%d,%d", instruction, wavefronts,
                 wavefronts - conflicts, conflicts);
        assert_string_equal(strsep(&printed, "\n"), expected);
    }
    fclose(golden);
    assert_string_equal(printed, "");
}

#define LANES_0_TO_30                                                                              \
    "0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 80 84 88 92 96 "                     \
    "100 104 108 112 116 120"
#define HEADER "instruction,active_mask,lane_byte_addresses\n"
#define GOOD   "ld.shared.b32,ffffffff," LANES_0_TO_30 " 124\n"

static void test_columns_by_name(void **state)
{
    (void)state;
    write_file(path, "# a comment\r\nnote,lane_byte_addresses,active_mask,instruction\r\n"
                     "\"x, y\",\"" LANES_0_TO_30 " 128\",FFFFFFFF,ld.shared.b32\r\n\r\n"
                     "# without global addresses cp.async is not predicted\n,"
                     "" LANES_0_TO_30 " 124,1,cp.async.4");
    char line[128];
    snprintf(line, sizeof line, "predict --accesses %s --csv", path);
    answer = ask(&command_predict, line);
    assert_string_equal(answer->err, "");
    assert_string_equal(answer->out, "instruction,wavefronts,ideal_wavefronts,conflicts\n"
                                     "ld.shared.b32,2,1,1\ncp.async.4,,,\n");
}

static void test_bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence_part;
    } cases[] = {
        {"", "is empty"},
        {"# only a comment\n", "is empty"},
        {HEADER, "no accesses"},
        {"instruction,lane_byte_addresses\n" GOOD, "line 1: the header has no column active_mask"},
        {HEADER GOOD "ld.shared.b31,ffffffff," LANES_0_TO_30 " 124\n",
         "line 3: unknown instruction: 'ld.shared.b31'"},
        {HEADER GOOD "ld.shared.b32,fffffffff," LANES_0_TO_30 " 124\n", "line 3: a mask has"},
        {HEADER GOOD "ld.shared.b32,," LANES_0_TO_30 " 124\n", "line 3: a mask has"},
        {HEADER GOOD "ld.shared.b32,0g," LANES_0_TO_30 " 124\n", "line 3: a mask has"},
        {HEADER GOOD GOOD "\n# x\nld.shared.b32,ffffffff," LANES_0_TO_30 "\n",
         "line 6, lane 31: no address"},
        {HEADER GOOD "ld.shared.b32,ffffffff," LANES_0_TO_30 " 124 128\n",
         "line 3: more than 32 addresses"},
        {HEADER GOOD "ld.shared.b32,ffffffff," LANES_0_TO_30 " -4\n",
         "line 3, lane 31: no address"},
        {HEADER GOOD "ld.shared.b32,ffffffff," LANES_0_TO_30 " 4294967296\n",
         "line 3, lane 31: no address"},
        {HEADER GOOD "ld.shared.b64,ffffffff," LANES_0_TO_30 " 124\n",
         "line 3, lane 1: address 4 is no multiple of 8"},
        {HEADER GOOD "ldmatrix.x1,ffffffff," LANES_0_TO_30 " 124\n",
         "line 3, lane 1: address 4 is no multiple of 16"},
        {HEADER GOOD "ld.shared.b32,ffffffff," LANES_0_TO_30 " 233472\n",
         "line 3, lane 31: address 233472 lies outside the 228 KiB"},
        {HEADER GOOD "ld.shared.b32,ffffffff\n", "line 3, lane 0: no address"},
        {HEADER "ld.shared.b32,ffffffff," LANES_0_TO_30 " 124,more\n",
         "line 2: more fields than the header has columns: 'more'"},
        {"instruction,active_mask,lane_byte_addresses,active_mask\n" GOOD,
         "line 1: the header has active_mask twice"},
    };
    char line[128];
    snprintf(line, sizeof line, "predict --accesses %s --csv", path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(path, cases[i].text);
        answer = ask(&command_predict, line);
        assert_int_equal(answer->status, 2);
        assert_string_equal(answer->out, "");
        assert_contains(answer->err, cases[i].sentence_part);
        assert_ptr_equal(strchr(answer->err, '\n'), answer->err + strlen(answer->err) - 1);
    }
}

/* With both addresses cp.async is predicted like the rest; a picture of the banks there is none. */
static void test_cp_async_of_a_file(void **state)
{
    (void)state;
    char line[4096], *printed = answer->out;
    answer = ask(&command_predict, "predict --accesses tests/golden/h200-cp-async.csv --csv");
    assert_int_equal(answer->status, 0);
    assert_string_equal(answer->err, "");
    FILE *golden = fopen("tests/golden/h200-cp-async.csv", "r");
    assert_non_null(golden);
    strsep(&printed, "\n");
    while (fgets(line, sizeof line, golden) != NULL) {
        char instruction[32], measured_rest[64];
        unsigned wavefronts, ideal, conflicts, measured[2];
        if (line[0] == '#' || strncmp(line, "instruction", 11) == 0)
            continue;
        char *last = line + strlen(line);
        for (unsigned commas = 0; commas < 3; commas += *last == ',')
            last--;
        assert_int_equal(sscanf(last, ",%u,%u,%63s", &measured[0], &measured[1], measured_rest), 3);
        assert_int_equal(sscanf(strsep(&printed, "\n"), "%31[^,],%u,%u,%u", instruction,
                                &wavefronts, &ideal, &conflicts),
                         4);
        assert_memory_equal(instruction, line, strlen(instruction));
        assert_int_equal(wavefronts, measured[0]);
        assert_int_equal(conflicts, measured[1]);
    }
    fclose(golden);
    assert_string_equal(printed, "");
    answer = ask(&command_predict, "predict --accesses tests/golden/h200-cp-async.csv --explain");
    assert_int_equal(answer->status, 2);
    assert_contains(answer->err, "row 112 is cp.async.4, which is not explained bank by bank");
    assert_contains(answer->err, "--position N takes another row");
}

/* A headline that counts what is not predicted as nought would look like a result. */
static void test_a_headline_without_predictions(void **state)
{
    (void)state;
    static const char copy[] = "cp.async.4,ffffffff," LANES_0_TO_30 " 124\n";
    static const struct {
        const char *good, *headline;
        unsigned copies;
    } cases[] = {
        {"", "1 access, none predicted\ninstruction ", 1},
        {"", "2 accesses, none predicted\ninstruction ", 2},
        {GOOD, "1 access: 1 wavefront, ideal 1, no conflicts\n", 0},
        {GOOD, "2 accesses, 1 of them not predicted: 1 wavefront, ideal 1, no conflicts\n", 1},
        {GOOD GOOD, "4 accesses, 2 of them not predicted: 2 wavefronts, ideal 2, no conf", 2},
    };
    char line[128], text[2048];
    snprintf(line, sizeof line, "predict --accesses %s", path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, HEADER "%s%s%s", cases[i].copies > 0 ? copy : "",
                 cases[i].copies > 1 ? copy : "", cases[i].good);
        write_file(path, text);
        answer = ask(&command_predict, line);
        assert_int_equal(answer->status, 0);
        assert_memory_equal(answer->out, cases[i].headline, strlen(cases[i].headline));
        assert_int_equal(!strstr(answer->out, "global_byte_addresses are missing"),
                         cases[i].copies == 0);
    }
}

/* What stands behind a NUL byte must not be passed over. */
static void test_a_nul_byte(void **state)
{
    (void)state;
    static const char text[] = HEADER GOOD "\0" GOOD;
    char line[128];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    assert_int_equal(fclose(file), 0);
    snprintf(line, sizeof line, "predict --accesses %s", path);
    answer = ask(&command_predict, line);
    assert_int_equal(answer->status, 2);
    assert_string_equal(answer->out, "");
    assert_contains(answer->err, "line 3: a NUL byte");
}

/* Past L1 nothing is a conflict, and yet 8 times the ideal must not look like a good answer. */
static void test_cp_async_past_l1_is_not_called_free(void **state)
{
    (void)state;
    char line[128];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("instruction,cache,active_mask,lane_byte_addresses,global_byte_addresses\n"
          "cp.async.16,cg,ffffffff,",
          file);
    for (unsigned lane = 0; lane < 64; lane++)
        fprintf(file, "%u%c", lane < 32 ? 128 * lane : 1024 * (lane - 32),
                lane == 31   ? ','
                : lane == 63 ? '\n'
                             : ' ');
    assert_int_equal(fclose(file), 0);
    snprintf(line, sizeof line, "predict --accesses %s", path);
    answer = ask(&command_predict, line);
    assert_contains(answer->out, "1 access: 32 wavefronts, ideal 4, none of them counted as a");
    assert_contains(answer->out, "worst row 0, cp.async.16: 32 wavefronts, ideal 4 (past L1 none");
}

static void test_fuzz_options(void **state)
{
    (void)state;
    static const struct {
        const char *line, *sentence_part;
    } cases[] = {
        {"fuzz cp.async --instruction ld.shared.b32", "'cp.async' beside it is too much"},
        {"fuzz --seed 99999999999999999999999", "is needed"},
        {"fuzz --count 0", "--count '0': a whole number from 1 to 1000000000000 is needed"},
        {"fuzz --instruction ld.shared.b31", "no such instruction"},
        {"fuzz what", "accesses, cp.async or tma"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer = ask(&command_fuzz, cases[i].line);
        assert_int_equal(answer->status, 2);
        assert_string_equal(answer->out, "");
        assert_contains(answer->err, cases[i].sentence_part);
    }
}

/* Good rows before a bad one are not printed, however many. */
static void test_one_bad_line_of_many(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    char line[128];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(HEADER, file);
    for (unsigned i = 0; i < ROWS; i++)
        fputs(i == ROWS - 2 ? "ld.shared.b64,ffffffff," LANES_0_TO_30 " 124\n" : GOOD, file);
    assert_int_equal(fclose(file), 0);
    for (unsigned i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "predict --accesses %s%s", path, i ? " --csv" : "");
        answer = ask(&command_predict, line);
        assert_int_equal(answer->status, 2);
        assert_string_equal(answer->out, "");
        assert_contains(answer->err, "line 100000, lane 1: address 4 is no multiple of 8");
    }
}

/* Lanes that are off, and those that ldmatrix does not read, may give anything. */
static void test_idle_lanes_may_give_anything(void **state)
{
    (void)state;
    write_file(path, HEADER "ld.shared.b32,7fffffff," LANES_0_TO_30 " 4294967295\n"
                            "ldmatrix.x1,ffffffff,0 16 32 48 64 80 96 112 1 2 3 4 5 6 7 8 9 10 11 "
                            "12 13 14 15 16 17 18 19 20 21 22 23 999999999\n");
    char line[128];
    snprintf(line, sizeof line, "predict --accesses %s --csv", path);
    answer = ask(&command_predict, line);
    assert_string_equal(answer->err, "");
    assert_contains(answer->out, "ld.shared.b32,1,1,0\nldmatrix.x1,1,1,0\n");
}

/* ---- Layouts ------------------------------------------------------------------------------ */

static void test_layouts(void **state)
{
    (void)state;
    static const struct {
        const char *line, *first_line;
    } cases[] = {
        {"predict --layout Sw<3,4,3>~o~smem_ptr[16b]~o~(64,64):(64,1) --instruction ldmatrix.x4",
         "ldmatrix.x4 over Sw<3,4,3> o smem_ptr[16b] o (64,64):(64,1): 4 wavefronts, ideal 4, no "
         "conflicts\n16 positions, 64 wavefronts in all, ideal 64, no conflicts\n"},
        {"predict --layout (64,64):(64,1) --elem-bits 16 --instruction ldmatrix.x4",
         "ldmatrix.x4 over (64,64):(64,1): 32 wavefronts, ideal 4, 8-way\n16 positions, 512 "
         "wavefronts in all, ideal 64, 448 conflicts\nworst position 0, from row 0, column 0, "
         "8-way: lanes 0-7 want 8 words from each of banks 0-3\n"},
        {"predict --layout (8,16):(16,1) --elem-bits 16 --instruction ldmatrix.x1",
         "ldmatrix.x1 over (8,16):(16,1): 2 wavefronts, ideal 1, 2-way\n2 positions"},
        {"predict --layout K/none --elem-bits 16 --tile 16x16 --instruction ldmatrix.x4",
         "ldmatrix.x4 over K/none (16x16): 4 wavefronts, ideal 4, no conflicts\n1 position,"},
        {"predict --layout MN/128B --elem-bits 16 --tile 64x64 --instruction stmatrix.x4.trans",
         "stmatrix.x4.trans over MN/128B (64x64): 4 wavefronts, ideal 4, no conflicts\n"},
        {"predict --layout padded --elem-bits 16 --tile 64x64 --instruction ldmatrix.x2",
         "ldmatrix.x2 over padded (64x64): 2 wavefronts, ideal 2, no conflicts\n"},
        {"predict --layout (32,32):(32,1) --elem-bits 32 --instruction ld.shared.b32",
         "ld.shared.b32 over (32,32):(32,1): 1 wavefront, ideal 1, no conflicts\n32 positions"},
        {"predict --layout (32,32):(32,1) --elem-bits 32 --instruction ld.shared.b32 --access "
         "columns",
         "ld.shared.b32 over (32,32):(32,1): 32 wavefronts, ideal 1, 32-way\n"},
        {"predict --layout (32,32):(33,1) --elem-bits 32 --instruction ld.shared.b32 --access "
         "columns",
         "ld.shared.b32 over (32,32):(33,1): 1 wavefront, ideal 1, no conflicts\n"},
        {"predict --layout K/4B-atom --elem-bits 32 --instruction st.shared.b32 --access columns",
         "st.shared.b32 over K/4B-atom (32x32): 1 wavefront, ideal 1, no conflicts\n"},
        {"predict --layout 20:1 --elem-bits 16 --instruction ld.shared.b16",
         "ld.shared.b16 over 20:1: 1 wavefront, ideal 1, no conflicts\n1 position,"},
        /* The accumulator of m16n8 into rows of 32 bytes: two floats a lane. */
        {"predict --layout (16,8):(8,1) --elem-bits 32 --instruction st.shared.b64 --tv "
         "((4,8),(2,2)):((32,1),(16,8))",
         "st.shared.b64 over (16,8):(8,1): 2 wavefronts, ideal 2, no conflicts\n2 positions"},
        {"predict --layout (16,8):(8,1) --elem-bits 32 --instruction st.shared.b32 --tv "
         "((4,8),(2,2)):((32,1),(16,8))",
         "st.shared.b32 over (16,8):(8,1): 2 wavefronts, ideal 1, 2-way\n4 positions"},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[4b]~o~(8,256):(256,1) --instruction ldmatrix.x4",
         "ldmatrix.x4 over Sw<3,4,3> o smem_ptr[4b] o (8,256):(256,1): 4 wavefronts, ideal 4, no"},
        {"predict --layout (8,64):(64,1) --elem-bits 6 --instruction ldmatrix.x1",
         "ldmatrix.x1 over (8,64):(64,1): 1 wavefront, ideal 1, no conflicts\n3 positions"},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[16b]~o~(8,64):(64,1) --tile 64x128 --stack row "
         "--instruction ldmatrix.x4",
         "ldmatrix.x4 over Sw<3,4,3> o smem_ptr[16b] o ((8,8),(64,2)):((64,1024),(1,512)): 4 wave"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer = ask(&command_predict, cases[i].line);
        assert_string_equal(answer->err, "");
        assert_int_equal(answer->status, 0);
        if (strncmp(answer->out, cases[i].first_line, strlen(cases[i].first_line)) != 0)
            fail_msg("%s: %s", cases[i].line, answer->out);
    }
}

static void test_a_row_for_each_position(void **state)
{
    (void)state;
    answer = ask(&command_predict,
                 "predict --layout (16,8):(8,1) --elem-bits 32 --instruction ld.shared.b128 --csv");
    assert_string_equal(answer->out, "position,instruction,wavefronts,ideal_wavefronts,conflicts\n"
                                     "0,ld.shared.b128,4,4,0\n");
    answer =
        ask(&command_predict,
            "predict --layout (8,12):(12,1) --elem-bits 32 --instruction ld.shared.b128 --csv");
    assert_string_equal(answer->out, "position,instruction,wavefronts,ideal_wavefronts,conflicts\n"
                                     "0,ld.shared.b128,3,3,0\n"); /* 24 lanes are on */
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *sentence_part;
    } cases[] = {
        {"predict", "give one of --accesses FILE, --layout LAYOUT and --lanes LAYOUT"},
        {"predict --accesses a --layout b", "give one of"},
        {"predict --accesses a --base 4", "do not go with it"},
        {"predict --accesses /no/such/file", "cannot open /no/such/file"},
        {"predict more", "'more' belongs to no option"},
        {"predict --layuot x", "did you mean '--layout'"},
        {"predict --layout", "needs a value"},
        {"predict --layout K/128B", "--layout needs --instruction"},
        {"predict --layout K/128B --instruction ldmatrix.x4", "needs --elem-bits"},
        {"predict --layout (8,8) --instruction ldmatrix.x4", "needs --elem-bits"},
        {"predict --layout K/129B --elem-bits 16 --instruction ldmatrix.x4",
         "did you mean 'K/128B'"},
        {"predict --layout K/128B --elem-bits 16 --instruction ldmatrix.x5", "did you mean"},
        {"predict --layout K/128B --elem-bits 16 --instruction cp.async.16", "not predicted"},
        {"predict --layout K/128B --elem-bits 0 --instruction ldmatrix.x4", "from 1 to 128"},
        {"predict --layout K/128B --elem-bits 16 --tile 8 --instruction ldmatrix.x4", "ROWSxCOLS"},
        {"predict --layout K/128B --elem-bits 16 --tile 12x64 --instruction ldmatrix.x4",
         "8 lines of an atom"},
        {"predict --layout K/128B --elem-bits 16 --stack row --instruction ldmatrix.x4",
         "give --tile too"},
        {"predict --layout K/128B --elem-bits 16 --tile 8x64 --stack up --instruction ldmatrix.x4",
         "row or col"},
        {"predict --layout K/128B --elem-bits 16 --base x --instruction ldmatrix.x4", "--base 'x'"},
        {"predict --layout K/128B-atom32B-flip8B --elem-bits 16 --base 128 --instruction "
         "ld.shared.b64",
         "multiple of its repeat, 512"},
        {"predict --layout (8,64):(64,x) --elem-bits 16 --instruction ldmatrix.x4", "column 12"},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[16b]~o~(8,64):(64,1) --elem-bits 32 --instruction "
         "ldmatrix.x4",
         "the layout's pointer says 16"},
        {"predict --layout (8,64):(64,1) --elem-bits 16 --tile 12x64 --instruction ldmatrix.x4",
         "does not divide the 12"},
        {"predict --layout K/none --elem-bits 16 --instruction ldmatrix.x4", "4 matrices"},
        {"predict --layout (8,3):(3,1) --elem-bits 4 --instruction ldmatrix.x1",
         "no whole number of bytes"},
        {"predict --layout (8,9):(9,1) --elem-bits 32 --instruction ld.shared.b64",
         "no multiple of the 8 bytes"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b64 --base 4",
         "position 0, lane 0: byte address 4 is no multiple of 8; ld.shared.b64 would fault"},
        {"predict --layout (32,4):(33,1) --elem-bits 32 --instruction ld.shared.b128",
         "position 0, lane 1: byte address 132 is no multiple of 16"},
        {"predict --layout (8,8):(16,2) --elem-bits 16 --instruction ld.shared.b32",
         "lane 0: the 32 bits"},
        {"predict --layout Sw<1,2,3>~o~(8,64):(64,1) --elem-bits 16 --instruction ldmatrix.x1",
         "position 4, lane 0: the 128 bits"},
        {"predict --layout Sw<1,0,3>~o~smem_ptr[16b]~o~(8,64):(64,1) --instruction ld.shared.b16",
         "not together"},
        {"predict --layout (1024,64):(64,1) --elem-bits 32 --instruction ld.shared.b32",
         "element (912,0) of (1024,64):(64,1) lies at byte 233472"},
        {"predict --layout 8:-1 --elem-bits 32 --instruction ld.shared.b32", "lies at byte -4"},
        {"predict --layout 1073741824:1 --elem-bits 8 --instruction ld.shared.b8", "no shared mem"},
        {"predict --layout (8,8):(4,1) --elem-bits 32 --instruction st.shared.b32",
         "puts elements (1,0) and (0,4) in one place, index 4: st.shared.b32 would lose one"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --access "
         "diagonal",
         "rows or columns"},
        {"predict --layout (8,64):(64,1) --elem-bits 16 --instruction ldmatrix.x1 --access rows",
         "--access is for loads and stores"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --access rows "
         "--tv (8,8)",
         "give one"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --tv (8,8",
         "--tv '(8,8', column 5"},
        {"predict --layout (64,64):(64,1) --elem-bits 16 --instruction st.shared.b32 --tv "
         "(32,2):(0,64)",
         "gives element 0 to thread 0, value 0 and to thread 1, value 0: st.shared.b32 would lose"},
        {"predict --layout Sw<3,-4,3>~o~(8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32",
         "column 4: Sw<3,-4,3>: the base bit must not be negative"},
        {"predict --layout Sw<31,4,31>~o~(8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32",
         "column 4: Sw<31,4,31>: the swizzle reaches beyond bit 29"},
        {"predict --layout Sw<2,4,0>~o~(8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32",
         "two addresses become one"},
        {"predict --layout (8,8):(8,1,2) --elem-bits 32 --instruction ld.shared.b32",
         "column 7: the stride has 3 modes where the shape has 2"},
        {"predict --lanes 32:4", "--lanes needs --instruction"},
        {"predict --lanes 32:4 --instruction ld.shared.b64",
         "--lanes, lane 1: byte address 4 is no multiple of 8; ld.shared.b64 would fault"},
        {"predict --lanes 32:16384 --instruction ld.shared.b64",
         "--lanes, lane 15: byte address 245760 lies outside the 228 KiB"},
        {"predict --lanes 32:-4 --instruction ld.shared.b32",
         "lane 1: byte address -4 lies outside"},
        {"predict --lanes 32:16 --instruction ldmatrix.x1",
         "--lanes '32:16' has 32 lanes; 8 give an address to ldmatrix.x1"},
        {"predict --lanes 64:1 --instruction ld.shared.b8", "has 64 lanes; 32 give"},
        {"predict --lanes 32:y --instruction ld.shared.b32", "--lanes '32:y', column 4"},
        {"predict --lanes Sw<3,4,3>~o~smem_ptr[16b]~o~32:4 --instruction ld.shared.b32",
         "leave smem_ptr out"},
        {"predict --lanes 32:4 --mask 123456789 --instruction ld.shared.b32", "1 to 8 hex digits"},
        {"predict --lanes 32:4 --mask 0x1 --instruction ld.shared.b32", "1 to 8 hex digits"},
        {"predict --lanes 32:4 --base 4 --instruction ld.shared.b32", "do not go with it"},
        {"predict --layout 32:4 --mask 1 --instruction ld.shared.b32", "--mask goes with --lanes"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --tv 64:1",
         "two modes"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --tv (32,4)",
         "reaches element 127; (8,8):(8,1) has 64"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --tv "
         "((6,1),(2,2)):((-2,1),(12,8))",
         "reaches element -10; they count from 0"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b64 --tv (32,1)",
         "takes 64 bits"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b64 --tv (32,2)",
         "not together"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --position 2",
         "--position 2: there are 2 positions, from 0"},
        {"predict --layout (8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32 --svg /no/such/a",
         "cannot write /no/such/a"},
        {"predict --layout K/128B --elem-bits 12 --instruction ldmatrix.x4",
         "--elem-bits 12: no width of a named layout like 'K/128B'; 4, 8, 16 and 32 are"},
        {"predict --layout linear --elem-bits 64 --instruction ldmatrix.x4",
         "--elem-bits 64: no width of a named layout like 'linear'"},
        {"predict --layout linear --elem-bits 2 --instruction ldmatrix.x4", "--elem-bits 2: no"},
        {"predict --layout linear --elem-bits 8 --tile 64x100000 --instruction ldmatrix.x4",
         "--tile '64x100000': a tile has at most 16384 rows and columns"},
        {"predict --layout linear --elem-bits 8 --tile 16385x1 --instruction ldmatrix.x4",
         "at most 16384 rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer = ask(&command_predict, cases[i].line);
        if (answer->status != 2 || strstr(answer->err, cases[i].sentence_part) == NULL)
            fail_msg("%s: status %d: %s", cases[i].line, answer->status, answer->err);
        assert_string_equal(answer->out, "");
        assert_ptr_equal(strchr(answer->err, '\n'), answer->err + strlen(answer->err) - 1);
    }
}

static void test_a_collision_is_a_warning_for_a_load(void **state)
{
    (void)state;
    answer = ask(&command_predict,
                 "predict --layout (8,8):(4,1) --elem-bits 32 --instruction ld.shared.b32 --csv");
    assert_int_equal(answer->status, 0);
    assert_contains(answer->err, "warning: (8,8):(4,1) puts elements (1,0) and (0,4) in one place");
    assert_contains(answer->out, "1,ld.shared.b32,1,1,0\n");
}

/* Bytes, half words and elements narrower than a byte: the first line of the answer. */
static void test_narrow_accesses_and_elements(void **state)
{
    (void)state;
    static const struct {
        const char *words, *verdict;
    } cases[] = {
        {"(32,32):(32,1) --elem-bits 8 --instruction ld.shared.b8", "1 wavefront, ideal 1, no "},
        {"(32,32):(32,1) --elem-bits 8 --instruction st.shared.b8 --access columns",
         "8 wavefronts, ideal 1, 8-way"},
        {"(32,32):(36,1) --elem-bits 8 --instruction st.shared.b8 --access columns",
         "1 wavefront, ideal 1, no conflicts"},
        {"(32,32):(32,1) --elem-bits 16 --instruction ld.shared.b16 --access columns",
         "16 wavefronts, ideal 1, 16-way"},
        {"(32,32):(34,1) --elem-bits 16 --instruction ld.shared.b16 --access columns",
         "1 wavefront, ideal 1, no conflicts"},
        {"(32,64):(64,1) --elem-bits 4 --instruction ld.shared.b8 --access columns",
         "8 wavefronts, ideal 1, 8-way"},
        {"(32,64):(64,1) --elem-bits 4 --instruction ld.shared.b8 --tv (32,2):(1,32)",
         "8 wavefronts, ideal 1, 8-way"},
        {"(32,64):(64,1) --elem-bits 6 --instruction ld.shared.b16 --access columns",
         "4 wavefronts, ideal 1, 4-way"},
        {"(8,64):(64,1) --elem-bits 6 --instruction ldmatrix.x1", "1 wavefront, ideal 1, no"},
        {"Sw<3,4,3>~o~smem_ptr[6b]~o~(8,512):(512,1) --instruction ldmatrix.x4",
         "4 wavefronts, ideal 4, no conflicts"},
        {"K/128B --elem-bits 4 --tile 64x256 --instruction ldmatrix.x4.trans",
         "4 wavefronts, ideal 4, no conflicts"},
        {"MN/64B --elem-bits 4 --tile 256x64 --instruction st.shared.b128",
         "8 wavefronts, ideal 4, 2-way"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "predict --layout %s", cases[i].words);
        answer = ask(&command_predict, line);
        assert_string_equal(answer->err, "");
        assert_contains(answer->out, cases[i].verdict);
    }
}

static void test_one_access_by_its_lanes(void **state)
{
    (void)state;
    static const char head[] = "instruction,wavefronts,ideal_wavefronts,conflicts\n";
    static const struct {
        const char *words, *printed;
    } cases[] = {
        {"32:128 --instruction ld.shared.b32",
         "ld.shared.b32 of 32:128: 32 wavefronts, ideal 1, 32-way, 31 conflicts\n"
         "one phase of all 32 lanes: none takes more than a word\n"
         "lanes 0-31 want 32 words from bank 0\n"},
        {"32:16 --instruction ld.shared.b128 --csv", "ld.shared.b128,4,4,0\n"},
        {"(2,16):(0,16) --instruction ld.shared.b128 --csv", "ld.shared.b128,2,2,0\n"},
        {"Sw<3,4,3>~o~8:128 --instruction ldmatrix.x1 --csv", "ldmatrix.x1,1,1,0\n"},
        {"(4,8):(4,128) --mask ff0000f0 --instruction st.shared.b32",
         "st.shared.b32 of (4,8):(4,128): 3 wavefronts, ideal 1, 3-way, 2 conflicts\n"
         "one phase of all 32 lanes: none takes more than a word\n"
         "lanes 4,24,28 want 3 words from bank 0\n"},
        {"(16,2):(16,128) --instruction ldmatrix.x4 --explain",
         "ldmatrix.x4 of (16,2):(16,128): 4 wavefronts, ideal 4, no conflicts\n"
         "each 8x8 matrix is a phase: the 8 lanes that give its rows\n"
         "phase 0, lanes 0-7: 1 wavefront\n  banks 0-31   1 word each, lanes 0-7\n"},
        {"12:16 --instruction ld.shared.b128",
         "ld.shared.b128 of 12:16: 2 wavefronts, ideal 2, no conflicts\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "predict --lanes %s", cases[i].words);
        answer = ask(&command_predict, line);
        assert_string_equal(answer->err, "");
        assert_int_equal(answer->status, 0);
        size_t skipped = strstr(line, "--csv") ? strlen(head) : 0;
        assert_memory_equal(answer->out, head, skipped);
        if (strncmp(answer->out + skipped, cases[i].printed, strlen(cases[i].printed)) != 0)
            fail_msg("%s: %s", line, answer->out);
    }
}

/* What was typed is possible, and may not be what was meant. */
static void test_notes(void **state)
{
    (void)state;
    static const struct {
        const char *line, *note_part;
    } cases[] = {
        {"predict --layout Sw<3,4,3>~o~(64,64):(64,1) --elem-bits 16 --instruction ldmatrix.x4",
         "Sw<3,4,3> acts on element numbers here, and so keeps 16 elements of 16 bits together, "
         "not "
         "16 bytes; the hardware's 128B swizzle is Sw<3,4,3> o smem_ptr[16b] o (64,64):(64,1)"},
        {"predict --layout Sw<1,4,3>~o~(8,8):(8,1) --elem-bits 32 --instruction ld.shared.b32",
         "the hardware's 32B swizzle"},
        {"predict --layout Sw<3,4,3>~o~(64,64):(64,1) --elem-bits 8 --instruction ldmatrix.x4", ""},
        {"predict --layout Sw<3,3,3>~o~(64,64):(64,1) --elem-bits 16 --instruction ldmatrix.x4",
         ""},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[16b]~o~(7,72):(72,1) --instruction ld.shared.b32",
         "the swizzle moves elements behind the 1008 bytes from byte 0 on that the layout alone "
         "takes, as far as byte 1023"},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[16b]~o~(7,72):(72,1) --base 144 --instruction "
         "ld.shared.b32",
         "moves elements before the 1008 bytes from byte 144 on"},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[16b]~o~(8,72):(72,1) --instruction ld.shared.b32",
         ""},
        {"predict --layout Sw<3,4,3>~o~smem_ptr[6b]~o~(8,512):(512,1) --instruction ld.shared.b32",
         ""},
        {"predict --layout K/64B --elem-bits 16 --base 256 --instruction ld.shared.b32",
         "--base 256 is no multiple of the 512 bytes"},
        {"show layout Sw<2,4,3>~o~(8,8):(8,1) --elem-bits 32", "the hardware's 64B swizzle"},
        {"show layout (8,8):(4,1) --elem-bits 16",
         "warning: (8,8):(4,1) puts elements (1,0) and (0,4) in one place"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer = ask(cases[i].line[0] == 's' ? &command_show : &command_predict, cases[i].line);
        assert_int_equal(answer->status, 0);
        assert_contains(answer->err, cases[i].note_part);
        if (cases[i].note_part[0] == '\0')
            assert_string_equal(answer->err, "");
    }
}

/* On absolute addresses a base off the repeat keeps a pointer's swizzle conflict-free; a note
 * says that the pattern starts elsewhere. */
static void test_a_base_off_the_repeat(void **state)
{
    (void)state;
    answer = ask(&command_predict, "predict --layout K/128B --elem-bits 16 --tile 16x64 --base 128 "
                                   "--instruction ldmatrix.x4");
    assert_contains(answer->err, "no multiple of the 1024 bytes");
    assert_contains(answer->out, "4 wavefronts, ideal 4, no conflicts");
    answer = ask(&command_predict, "predict --layout K/128B --elem-bits 16 --base 1024 "
                                   "--instruction ldmatrix.x4");
    assert_string_equal(answer->err, "");
}

/* ---- Reasons ------------------------------------------------------------------------------ */

static void test_reasons(void **state)
{
    (void)state;
    answer = ask(&command_predict,
                 "predict --layout (8,64):(64,1) --elem-bits 16 --instruction ldmatrix.x1 "
                 "--position 1 --explain");
    assert_contains(answer->out, "position 1: 8 wavefronts, ideal 1, 8-way, 7 conflicts\n"
                                 "each 8x8 matrix is a phase: the 8 lanes that give its rows\n"
                                 "phase 0, lanes 0-7: 8 wavefronts\n  banks 0-3   -\n"
                                 "  banks 4-7    8 words * byte 16: lane 0 | byte 144: lane 1 |");
    answer = ask(&command_predict, "predict --layout (32,4):(4,1) --elem-bits 32 --instruction "
                                   "ld.shared.b128 --tv ((2,16),4):((0,1),32) --explain");
    assert_contains(answer->out, "2 wavefronts, ideal 2");
    assert_contains(answer->out, "phases merge, to 16 lanes: in every pair of lanes (n, n^1)");
    assert_contains(
        answer->out,
        "phase 1, lanes 16-31: 1 wavefront\n  banks 0-3    1 word    byte 128: lanes 16-17\n");
    answer = ask(&command_predict, "predict --layout (32,4):(4,1) --elem-bits 32 --instruction "
                                   "ld.shared.b128 --explain");
    assert_contains(answer->out, "they do not merge: of the pairs (n, n^1) lanes 0 and 1 differ");
    answer = ask(&command_predict, "predict --layout (32,4):(4,1) --elem-bits 32 --instruction "
                                   "st.shared.b128 --explain --csv");
    assert_contains(answer->err, "those of a store never merge");
    assert_null(strstr(answer->out, "phase"));
    answer = ask(&command_predict, "predict --accesses tests/golden/h200-accesses-paired-lanes.csv "
                                   "--position 3 --explain");
    assert_contains(answer->out, "row 3: 4 wavefronts, ideal 2, 2-way, 2 conflicts\n");
}

/* The words that --explain counts are those that the model counts. */
static void test_pictures(void **state)
{
    (void)state;
    char line[256], text[1 << 16];
    snprintf(line, sizeof line,
             "predict --layout (8,64):(64,1) --elem-bits 16 --instruction ldmatrix.x4 --svg %s",
             path);
    answer = ask(&command_predict, line);
    assert_int_equal(answer->status, 0);
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unsigned boxes = 0;
    for (const char *at = text; (at = strstr(at, "<rect x=")) != NULL; at++)
        boxes++;
    assert_int_equal(boxes, 4 * (4 * 8 + 28)); /* 8 words on each of 4 banks, 28 empty ones */
    assert_contains(text, "</svg>\n");

    snprintf(line, sizeof line, "show layout K/64B --elem-bits 16 --svg %s", path);
    answer = ask(&command_show, line);
    assert_int_equal(answer->status, 0);
    file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_contains(text, "K/64B (8x32)");
}

/* ---- show --------------------------------------------------------------------------------- */

static void test_show_layout(void **state)
{
    (void)state;
    answer = ask(&command_show, "show layout K/128B --elem-bits 16");
    assert_contains(answer->out, "K/128B (8x64): 8 x 64 elements of 16 bits in 1024 bytes\n"
                                 "= Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)\n"
                                 "each line is a row; each cell 16 bytes: offset/bank\n");
    assert_contains(answer->out, "row  1   144/4    128/0    176/12   160/8 ");
    answer = ask(&command_show, "show layout MN/128B-atom32B-flip8B --elem-bits 16");
    assert_contains(answer->out, "col  1   168/10   160/8 ");
    answer = ask(&command_show, "show layout (2,3):(3,1) --elem-bits 6");
    assert_contains(answer->out, "row  1      2.2      3.0      3.6");
    answer = ask(&command_show, "show");
    assert_int_equal(answer->status, 2);
    answer = ask(&command_show, "show layuot");
    assert_contains(answer->err, "did you mean 'layout'");
    answer = ask(&command_show, "show layout");
    assert_contains(answer->err, "one layout is needed");
}

static void test_show_layout_csv(void **state)
{
    (void)state;
    struct swb_tile tile = {
        .major = SWB_MN_MAJOR, .stack = SWB_STACK_ROW, .rows = 64, .cols = 32, .elem_bits = 16};
    enum swb_major major;
    tile.mode = swb_layout_find("MN/64B", &major);
    answer = ask(&command_show, "show layout MN/64B --elem-bits 16 --tile 64x32 --stack row --csv");
    char *printed = answer->out, expected[64];
    assert_string_equal(strsep(&printed, "\n"), "row,col,byte_offset");
    for (unsigned row = 0; row < tile.rows; row++) {
        for (unsigned col = 0; col < tile.cols; col++) {
            snprintf(expected, sizeof expected, "%u,%u,%u", row, col,
                     swb_tile_byte_offset(&tile, row, col));
            assert_string_equal(strsep(&printed, "\n"), expected);
        }
    }
    assert_string_equal(printed, "");
    answer = ask(&command_show, "show layout (1,4):(4,1) --elem-bits 4 --base 64 --csv");
    assert_string_equal(answer->out, "row,col,byte_offset\n0,0,0\n0,1,0\n0,2,1\n0,3,1\n");
}

static void test_help(void **state)
{
    (void)state;
    answer = ask(&command_predict, "predict --help");
    assert_int_equal(answer->status, 0);
    assert_contains(answer->out, "usage: swizzlebench predict");
    answer = ask(&command_show, "show --help");
    assert_contains(answer->out, "layout");
    answer = ask(&command_show, "show layout --help");
    assert_contains(answer->out, "usage: swizzlebench show layout");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_for_a_row),
        cmocka_unit_test(test_columns_by_name),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_cp_async_of_a_file),
        cmocka_unit_test(test_a_headline_without_predictions),
        cmocka_unit_test(test_a_nul_byte),
        cmocka_unit_test(test_cp_async_past_l1_is_not_called_free),
        cmocka_unit_test(test_fuzz_options),
        cmocka_unit_test(test_one_bad_line_of_many),
        cmocka_unit_test(test_idle_lanes_may_give_anything),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_a_row_for_each_position),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_a_collision_is_a_warning_for_a_load),
        cmocka_unit_test(test_narrow_accesses_and_elements),
        cmocka_unit_test(test_one_access_by_its_lanes),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_a_base_off_the_repeat),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_show_layout),
        cmocka_unit_test(test_show_layout_csv),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
