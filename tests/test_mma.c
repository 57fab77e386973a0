/* Do the threads of an mma hold what CuTe says, each element once, and what a tutorial (T1 to T6)
 * and an article (S7) claim? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/table.h"
#include "model/swizzlebench.h"

static struct swb_mma_atom atom_named(const char *name)
{
    struct swb_mma_atom atom;
    if (!swb_mma_atom_find(name, &atom))
        fail_msg("no atom %s", name);
    return atom;
}

static enum swb_mma_operand operand_named(const char *letter)
{
    assert_non_null(strchr("ABC", letter[0]));
    return (enum swb_mma_operand)(strchr("ABC", letter[0]) - "ABC");
}

static struct swb_layout fragment_of(const char *name, enum swb_mma_operand operand)
{
    struct swb_mma_atom atom = atom_named(name);
    struct swb_layout tv;
    struct swb_refusal refusal;
    if (!swb_mma_fragment(&atom, operand, &tv, &refusal))
        fail_msg("%s", refusal.sentence);
    return tv;
}

static unsigned mode_size(const struct swb_layout *tv, unsigned mode)
{
    struct swb_layout part = swb_layout_mode(tv, mode);
    return (unsigned)swb_layout_size(&part);
}

/* "64x64x32" */
static void read_three(const char *text, unsigned *three)
{
    assert_int_equal(sscanf(text, "%ux%ux%u", &three[0], &three[1], &three[2]), 3);
}

static struct swb_layout layout_of(const char *text)
{
    struct swb_layout layout;
    struct swb_refusal refusal;
    if (!swb_layout_parse(text, &layout, &refusal))
        fail_msg("%s: %s", text, refusal.sentence);
    return layout;
}

/* Atoms "2x2x1" or "(2,2,1):(2,1,0)". */
static struct swb_layout atoms_of(const char *text)
{
    char compact[64] = "(";
    if (*text == '(')
        return layout_of(text);
    snprintf(compact, sizeof compact, "(%s)", text);
    for (char *at = compact; *at; at++)
        *at = *at == 'x' ? ',' : *at;
    return layout_of(compact);
}

/* Tile "-" or "32x(8,2,2):(1,16,8)x_". */
static struct swb_tiled_mma tiled_of(const char *atom_name, const char *atoms_text,
                                     const char *tile_text)
{
    struct swb_mma_atom atom = atom_named(atom_name);
    struct swb_layout tile[SWB_MMA_MODES], atoms = atoms_of(atoms_text);
    struct swb_tiled_mma tiled;
    struct swb_refusal refusal;
    char text[256], *rest = text;
    bool is_given = strcmp(tile_text, "-") != 0;
    assert_true(snprintf(text, sizeof text, "%s", tile_text) < (int)sizeof text);
    for (unsigned mode = 0; is_given && mode < SWB_MMA_MODES; mode++) {
        char extent[16];
        const char *part = strsep(&rest, "x");
        snprintf(extent, sizeof extent, "%u",
                 atom.extents[mode] * (unsigned)atoms.shape.nodes[1 + mode].value);
        tile[mode] = layout_of(strcmp(part, "_") == 0 ? extent : part);
    }
    if (!swb_tiled_mma_make(&atom, &atoms, is_given ? tile : NULL, &tiled, &refusal))
        fail_msg("%s", refusal.sentence);
    return tiled;
}

static struct swb_layout partition_of(const struct swb_tiled_mma *tiled,
                                      enum swb_mma_operand operand, const char *problem_text,
                                      unsigned *rows)
{
    struct swb_layout tv;
    struct swb_refusal refusal;
    unsigned problem[SWB_MMA_MODES];
    read_three(problem_text, problem);
    *rows = problem[swb_mma_rows(operand)];
    if (!swb_tiled_mma_partition(tiled, operand, *rows, problem[swb_mma_cols(operand)], &tv,
                                 &refusal))
        fail_msg("%s", refusal.sentence);
    return tv;
}

static void assert_holds(const struct swb_layout *tv, unsigned rows, unsigned thread,
                         unsigned value, unsigned row, unsigned col)
{
    int64_t index = swb_layout_at(tv, thread + (int64_t)mode_size(tv, 0) * value);
    if (index != row + (int64_t)rows * col)
        fail_msg("thread %u, value %u: (%u,%u), not (%u,%u)", thread, value,
                 (unsigned)(index % rows), (unsigned)(index / rows), row, col);
}

/* ---- CuTe ---------------------------------------------------------------------------------- */

static void open_golden(const char *path, const char *const *columns, size_t count,
                        struct table *table)
{
    struct error error;
    if (!table_open(path, columns, count, table, &error))
        fail_msg("%s", error.text);
}

static unsigned number_in(const struct table *table, unsigned field)
{
    return (unsigned)strtoul(table->fields[field], NULL, 10);
}

static void test_fragments_are_cutes(void **state)
{
    (void)state;
    static const char *const columns[] = {"atom", "operand", "thread", "value", "row", "col"};
    struct table table;
    struct error error;
    unsigned count = 0;
    open_golden("tests/golden/cute-mma-fragments.csv", columns, 6, &table);
    for (; table_next(&table, &error); count++) {
        enum swb_mma_operand operand = operand_named(table.fields[1]);
        struct swb_mma_atom atom = atom_named(table.fields[0]);
        struct swb_layout tv = fragment_of(table.fields[0], operand);
        assert_holds(&tv, atom.extents[swb_mma_rows(operand)], number_in(&table, 2),
                     number_in(&table, 3), number_in(&table, 4), number_in(&table, 5));
    }
    table_close(&table);
    assert_int_equal(error.kind, ERROR_NONE);
    assert_int_equal(count, 1152);
}

static void test_all_layouts_are_cutes(void **state)
{
    (void)state;
    static const char *const columns[] = {"atom", "operand", "layout"};
    struct table table;
    struct error error;
    unsigned count = 0;
    open_golden("tests/golden/cute-mma-layouts.csv", columns, 3, &table);
    for (; table_next(&table, &error); count++) {
        struct swb_layout tv = fragment_of(table.fields[0], operand_named(table.fields[1]));
        struct swb_layout cutes = layout_of(table.fields[2]);
        assert_int_equal(mode_size(&tv, 0), mode_size(&cutes, 0));
        assert_int_equal(swb_layout_size(&tv), swb_layout_size(&cutes));
        for (int64_t i = 0; i < swb_layout_size(&tv); i++)
            assert_int_equal(swb_layout_at(&tv, i), swb_layout_at(&cutes, i));
    }
    table_close(&table);
    assert_int_equal(error.kind, ERROR_NONE);
    assert_int_equal(count, 415);
}

/* What CuTe had wrong: a register of thread t has 8 values of 4 bits, so t counts by 8 of K. */
static void test_b_of_4_bits(void **state)
{
    (void)state;
    struct swb_layout tv = fragment_of("SM80_16x8x32_S32S4U4S32_TN", SWB_MMA_B);
    assert_holds(&tv, 8, 0, 7, 0, 7);
    assert_holds(&tv, 8, 1, 0, 0, 8);
    assert_holds(&tv, 8, 31, 7, 7, 31);
}

static void test_tiled_is_cutes(void **state)
{
    (void)state;
    static const char *const columns[] = {"atoms",  "tile",  "problem", "operand",
                                          "thread", "value", "row",     "col"};
    struct table table;
    struct error error;
    unsigned count = 0;
    open_golden("tests/golden/cute-tiled-mma.csv", columns, 8, &table);
    for (; table_next(&table, &error); count++) {
        struct swb_tiled_mma tiled =
            tiled_of("SM80_16x8x16_F16F16F16F16_TN", table.fields[0], table.fields[1]);
        unsigned rows;
        struct swb_layout tv =
            partition_of(&tiled, operand_named(table.fields[3]), table.fields[2], &rows);
        assert_holds(&tv, rows, number_in(&table, 4), number_in(&table, 5), number_in(&table, 6),
                     number_in(&table, 7));
    }
    table_close(&table);
    assert_int_equal(error.kind, ERROR_NONE);
    assert_int_equal(count, 14336);
}

static void test_permuted_tiles_are_cutes(void **state)
{
    (void)state;
    static const char *const columns[] = {"atom",    "atoms",  "tile",       "problem",
                                          "operand", "thread", "coordinates"};
    struct table table;
    struct error error;
    unsigned count = 0;
    open_golden("tests/golden/cute-tiled-mma-permuted.csv", columns, 7, &table);
    for (; table_next(&table, &error); count++) {
        struct swb_tiled_mma tiled = tiled_of(table.fields[0], table.fields[1], table.fields[2]);
        unsigned rows, row, col, value = 0;
        struct swb_layout tv =
            partition_of(&tiled, operand_named(table.fields[4]), table.fields[3], &rows);
        char coordinates[4096], *rest = coordinates;
        snprintf(coordinates, sizeof coordinates, "%s", table.fields[6]);
        for (; rest; value++) {
            assert_int_equal(sscanf(strsep(&rest, " "), "%u.%u", &row, &col), 2);
            assert_holds(&tv, rows, number_in(&table, 5), value, row, col);
        }
        assert_int_equal(value, mode_size(&tv, 1));
    }
    table_close(&table);
    assert_int_equal(error.kind, ERROR_NONE);
    assert_int_equal(count, 138);
}

/* ---- Atoms --------------------------------------------------------------------------------- */

static void check_operand(const struct swb_mma_atom *atom, enum swb_mma_operand operand)
{
    struct swb_layout tv;
    struct swb_refusal refusal = {.column = 9};
    int64_t first, second;
    bool in_shared = atom->is_wgmma &&
                     (operand == SWB_MMA_B || (operand == SWB_MMA_A && strstr(atom->name, "_SS")));
    assert_int_equal(swb_mma_fragment(atom, operand, &tv, &refusal), !in_shared);
    if (in_shared) {
        assert_non_null(strstr(refusal.sentence, operand == SWB_MMA_A
                                                     ? "reads A from shared memory through"
                                                     : "reads B from shared memory through"));
        assert_int_equal(refusal.column, 0);
        return;
    }
    int64_t elements =
        (int64_t)atom->extents[swb_mma_rows(operand)] * atom->extents[swb_mma_cols(operand)];
    assert_int_equal(mode_size(&tv, 0), atom->threads);
    assert_int_equal(swb_layout_size(&tv), elements);
    assert_int_equal(swb_layout_cosize(&tv), elements);
    assert_false(swb_layout_collision(&tv, &first, &second));
}

/* Threads times values are the operand's elements, and none is held twice. */
static void test_every_element_once(void **state)
{
    (void)state;
    struct swb_mma_atom atom, found;
    size_t sync = 0, wgmma = 0;
    for (size_t i = 0; swb_mma_atom_at(i, &atom); i++) {
        for (enum swb_mma_operand operand = SWB_MMA_A; operand < SWB_MMA_OPERANDS; operand++)
            check_operand(&atom, operand);
        assert_true(swb_mma_atom_find(atom.name, &found));
        assert_int_equal(memcmp(found.extents, atom.extents, sizeof atom.extents), 0);
        assert_string_equal(found.name, atom.name);
        sync += !atom.is_wgmma;
        wgmma += atom.is_wgmma;
    }
    assert_int_equal(sync, 81);
    assert_int_equal(wgmma, 12 * 2 * 32 + 8 * 2 * 18);
    assert_true(swb_mma_atom_at(81, &atom));
    assert_string_equal(atom.name, "SM90_64x8x16_F16F16F16_SS"); /* as CuTe lists them */
    assert_true(swb_mma_atom_at(82, &atom));
    assert_string_equal(atom.name, "SM90_64x8x16_F16F16F16_RS");
}

static void test_what_a_name_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned sm, threads, m, n, k;
        const char *a, *b, *c;
    } cases[] = {
        {"SM75_16x8x8_F32F16F16F32_TN", 75, 32, 16, 8, 8, "f16", "f16", "f32"},
        {"SM80_16x8x16_S32S8U8S32_TN_SATURATE", 80, 32, 16, 8, 16, "s8", "u8", "s32"},
        {"SM80_8x8x128_S32U1U1S32_TN_XORPOPC", 80, 32, 8, 8, 128, "b1", "b1", "s32"},
        {"SM80_8x8x4_GC64C64C64GC64_TN", 80, 32, 8, 8, 4, "c64", "c64", "gc64"},
        {"SM89_16x8x32_F16E5M2E4M3F16_TN", 89, 32, 16, 8, 32, "e5m2", "e4m3", "f16"},
        {"SM90_16x8x16_F64F64F64F64_TN", 90, 32, 16, 8, 16, "f64", "f64", "f64"},
        {"SM90_64x256x16_F32BF16BF16_SS", 90, 128, 64, 256, 16, "bf16", "bf16", "f32"},
        {"SM90_64x8x8_F32TF32TF32_RS_TN", 90, 128, 64, 8, 8, "tf32", "tf32", "f32"},
        {"SM90_64x24x32_S32U8S8_SS_TN_SATURATE", 90, 128, 64, 24, 32, "u8", "s8", "s32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_mma_atom atom = atom_named(cases[i].name);
        assert_int_equal(atom.sm, cases[i].sm);
        assert_int_equal(atom.threads, cases[i].threads);
        assert_int_equal(atom.extents[SWB_MMA_M], cases[i].m);
        assert_int_equal(atom.extents[SWB_MMA_N], cases[i].n);
        assert_int_equal(atom.extents[SWB_MMA_K], cases[i].k);
        assert_string_equal(atom.types[SWB_MMA_A]->name, cases[i].a);
        assert_string_equal(atom.types[SWB_MMA_B]->name, cases[i].b);
        assert_string_equal(atom.types[SWB_MMA_C]->name, cases[i].c);
    }
}

/* PTX's, of which a complex number has two and Gauss's sums three. */
static void test_widths_of_types(void **state)
{
    (void)state;
    static const struct swb_mma_type types[] = {
        {"f16", 16},  {"bf16", 16},  {"tf32", 32}, {"f32", 32}, {"f64", 64},
        {"c64", 128}, {"gc64", 192}, {"e4m3", 8},  {"e5m2", 8}, {"s8", 8},
        {"u8", 8},    {"s4", 4},     {"u4", 4},    {"b1", 1},   {"s32", 32},
    };
    enum { TYPES = sizeof types / sizeof types[0] };
    bool is_met[TYPES] = {false};
    struct swb_mma_atom atom;
    for (size_t i = 0; swb_mma_atom_at(i, &atom); i++) {
        for (unsigned operand = 0; operand < SWB_MMA_OPERANDS; operand++) {
            unsigned type = 0;
            while (strcmp(types[type].name, atom.types[operand]->name) != 0)
                assert_true(++type < TYPES);
            assert_int_equal(atom.types[operand]->bits, types[type].bits);
            is_met[type] = true;
        }
    }
    for (unsigned type = 0; type < TYPES; type++)
        assert_true(is_met[type]);
}

static void test_no_such_atom(void **state)
{
    (void)state;
    static const char *const names[] = {"",
                                        "SM80_16x8x16",
                                        "SM90_64x40x32_S32S8S8_SS_TN", /* 32, then 48 */
                                        "SM90_64x264x16_F32F16F16_SS",
                                        "SM90_64x4x16_F32F16F16_SS",
                                        "SM90_64x64x16_F32F16F16_SR",
                                        "SM90_64x64x16_F32F16F16_SS_TN",
                                        "sm80_16x8x16_F16F16F16F16_TN"};
    struct swb_mma_atom atom;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_false(swb_mma_atom_find(names[i], &atom));
}

/* ---- Tiles that cannot be ------------------------------------------------------------------ */

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *atoms, *tile[3], *sentence_part;
    } cases[] = {
        {"(8,8)", {"128", "64", "16"}, "three modes, M, N and K"},
        {"((2,2),2,1)", {"128", "64", "16"}, "three modes, M, N and K"},
        {"8x8x1", {"128", "64", "16"}, "2048 threads"},
        {"1x1x4096", {"16", "8", "16"}, "131072 threads"},
        {"(2,2,1):(1,1,0)", {"32", "16", "16"}, "the 4 atoms are not the warps 0 to 3, one each"},
        {"(2,2,1):(1,4,0)", {"32", "16", "16"}, "the 4 atoms are not the warps 0 to 3, one each"},
        {"(2,2,1):(-1,2,0)", {"32", "16", "16"}, "the 4 atoms are not the warps 0 to 3, one each"},
        {"2x2x1", {"32", "16:-1", "16"}, "does not take each of its 16 once"},
        {"2x2x1", {"16", "16", "16"}, "16 along M, no multiple of the 32 that 2 atoms of 16"},
        {"2x1x1", {"32", "12", "16"}, "12 along N, no multiple of the 8 that 1 atom of 8"},
        {"2x2x1", {"32", "(8,2):(1,16)", "16"}, "does not take each of its 16 once"},
        {"2x2x1", {"32", "(4,4):(3,2)", "16"}, "does not take each of its 16 once"},
        {"1x1x1", {"1048576", "8", "16"}, "no shared memory holds it"},
    };
    struct swb_mma_atom atom = atom_named("SM80_16x8x16_F16F16F16F16_TN");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_layout tile[3], atoms = atoms_of(cases[i].atoms);
        struct swb_tiled_mma tiled;
        struct swb_refusal refusal = {.column = 9};
        for (unsigned mode = 0; mode < 3; mode++)
            tile[mode] = layout_of(cases[i].tile[mode]);
        assert_false(swb_tiled_mma_make(&atom, &atoms, tile, &tiled, &refusal));
        assert_int_equal(refusal.column, 0);
        if (!strstr(refusal.sentence, cases[i].sentence_part))
            fail_msg("'%s' is not in: %s", cases[i].sentence_part, refusal.sentence);
    }
}

/* 32 warps are a block, and a tile may have as many modes as a layout has. */
static void test_the_largest(void **state)
{
    (void)state;
    struct swb_tiled_mma tiled = tiled_of("SM80_16x8x16_F16F16F16F16_TN", "8x4x1", "-");
    assert_int_equal(swb_tiled_mma_threads(&tiled), 1024);
    char tile[256] = "(16";
    for (unsigned i = 2; i < SWB_TUPLE_NODES; i++)
        strcat(tile, ",1");
    strcat(tile, ")x_x_");
    tiled = tiled_of("SM80_16x8x16_F16F16F16F16_TN", "1x1x1", tile);
    assert_int_equal(swb_tiled_mma_extent(&tiled, SWB_MMA_M), 16);
}

/* An order of the tile that cuts across the two columns of a thread, or across the warps. */
static void test_orders_that_cut_across(void **state)
{
    (void)state;
    static const struct {
        const char *atom, *atoms, *tile;
        unsigned rows, cols;
    } cases[] = {
        {"SM90_64x24x16_F32F16F16_SS", "1x1x1", "_x(3,8):(8,1)x_", 64, 24},
        {"SM80_16x8x16_F16F16F16F16_TN", "2x1x1", "(16,3,2):(1,32,16)x_x_", 96, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tiled_mma tiled = tiled_of(cases[i].atom, cases[i].atoms, cases[i].tile);
        struct swb_layout tv;
        struct swb_refusal refusal = {.sentence = ""};
        assert_false(swb_tiled_mma_partition(&tiled, SWB_MMA_C, cases[i].rows, cases[i].cols, &tv,
                                             &refusal));
        assert_non_null(strstr(refusal.sentence, "no composition"));
    }
}

static void test_a_problem_is_whole_tiles(void **state)
{
    (void)state;
    struct swb_tiled_mma tiled = tiled_of("SM80_16x8x16_F16F16F16F16_TN", "2x2x1", "32x32x16");
    struct swb_tiled_mma wgmma = tiled_of("SM90_64x64x16_F32F16F16_SS", "1x1x1", "-");
    struct swb_layout tv;
    struct swb_refusal refusal = {.column = 9};
    assert_false(swb_tiled_mma_partition(&tiled, SWB_MMA_C, 64, 48, &tv, &refusal));
    assert_int_equal(refusal.column, 0);
    assert_string_equal(refusal.sentence,
                        "48 along N is no multiple of the 32 that the tile covers");
    assert_false(swb_tiled_mma_partition(&tiled, SWB_MMA_A, 0, 16, &tv, &refusal));
    assert_string_equal(refusal.sentence,
                        "0 along M is no multiple of the 32 that the tile covers");
    assert_false(swb_tiled_mma_partition(&wgmma, SWB_MMA_B, 64, 16, &tv, &refusal));
    assert_non_null(strstr(refusal.sentence, "through a descriptor"));
}

/* ---- The claims ---------------------------------------------------------------------------- */

static const char tutorial_atom[] = "SM80_16x8x16_F16F16F16F16_TN";

/* T1: 32 threads; 8, 4 and 4 values of A, B and C. T3: as which layouts. Confirmed. */
static void test_t1_and_t3(void **state)
{
    (void)state;
    static const struct {
        unsigned values;
        const char *layout;
    } cases[] = {[SWB_MMA_A] = {8, "((4,8),(2,2,2)):((32,1),(16,8,128))"},
                 [SWB_MMA_B] = {4, "((4,8),(2,2)):((16,1),(8,64))"},
                 [SWB_MMA_C] = {4, "((4,8),(2,2)):((32,1),(16,8))"}};
    for (enum swb_mma_operand operand = SWB_MMA_A; operand < SWB_MMA_OPERANDS; operand++) {
        struct swb_layout tv = fragment_of(tutorial_atom, operand);
        char text[128];
        swb_layout_print(&tv, text, sizeof text);
        assert_string_equal(text, cases[operand].layout);
        assert_int_equal(mode_size(&tv, 0), 32);
        assert_int_equal(mode_size(&tv, 1), cases[operand].values);
    }
}

/* T2: offsets 0, 16, 8, 24 are right; in a 16 x 8 tile they are other coordinates than claimed. */
static void test_t2(void **state)
{
    (void)state;
    static const unsigned offsets[] = {0, 16, 8, 24};
    static const unsigned coordinates[][2] = {{0, 0}, {0, 1}, {8, 0}, {8, 1}};
    struct swb_layout tv = fragment_of(tutorial_atom, SWB_MMA_C);
    for (unsigned value = 0; value < 4; value++) {
        assert_int_equal(swb_layout_at(&tv, 32 * value), offsets[value]);
        assert_holds(&tv, 16, 0, value, coordinates[value][0], coordinates[value][1]);
    }
}

/* T4: 2 x 2 atoms are 128 threads over 32 x 16 x 16 with fragments as before. Warps 0 and 2 have
 * the same of A, and 1 and 3; of B it is 0 and 1, and 2 and 3. */
static void test_t4(void **state)
{
    (void)state;
    static const unsigned same_warp[][4] = {
        [SWB_MMA_A] = {0, 1, 0, 1}, [SWB_MMA_B] = {0, 0, 2, 2}, [SWB_MMA_C] = {0, 1, 2, 3}};
    struct swb_tiled_mma tiled = tiled_of(tutorial_atom, "2x2x1", "-");
    assert_int_equal(swb_tiled_mma_threads(&tiled), 128);
    assert_int_equal(swb_tiled_mma_extent(&tiled, SWB_MMA_M), 32);
    assert_int_equal(swb_tiled_mma_extent(&tiled, SWB_MMA_N), 16);
    assert_int_equal(swb_tiled_mma_extent(&tiled, SWB_MMA_K), 16);
    for (enum swb_mma_operand operand = SWB_MMA_A; operand < SWB_MMA_OPERANDS; operand++) {
        unsigned rows;
        struct swb_layout fragment = fragment_of(tutorial_atom, operand);
        struct swb_layout tv = partition_of(&tiled, operand, "32x16x16", &rows);
        assert_int_equal(mode_size(&tv, 1), mode_size(&fragment, 1));
        for (int64_t i = 0; i < swb_layout_size(&tv); i++) {
            int64_t thread = i % 128, other = same_warp[operand][thread / 32] * 32 + thread % 32;
            assert_int_equal(swb_layout_at(&tv, i), swb_layout_at(&tv, i - thread + other));
            assert_int_equal(swb_layout_at(&tv, i) == swb_layout_at(&tv, i - thread), other == 0);
        }
    }
}

/* T5: the tile changes no thread. Repeats on 128 x 128 x 32 are 4, 8 and 2, and 128 accumulators.
 * T6: the next repeat along N is 16 columns on, along M 32 rows. */
static void test_t5_and_t6(void **state)
{
    (void)state;
    struct swb_tiled_mma tiled = tiled_of(tutorial_atom, "2x2x1", "32x32x16");
    unsigned rows;
    struct swb_layout c = partition_of(&tiled, SWB_MMA_C, "128x128x32", &rows);
    struct swb_layout a = partition_of(&tiled, SWB_MMA_A, "128x128x32", &rows);
    char text[128];
    assert_int_equal(swb_tiled_mma_threads(&tiled), 128);
    assert_int_equal(mode_size(&c, 1), 128);
    struct swb_layout values = swb_layout_mode(&c, 1);
    swb_tuple_print(&values.shape, text, sizeof text);
    assert_string_equal(text, "((2,2),4,8)");
    values = swb_layout_mode(&a, 1);
    swb_tuple_print(&values.shape, text, sizeof text);
    assert_string_equal(text, "((2,2,2),4,2)");
    assert_holds(&c, 128, 0, 4, 32, 0);
    assert_holds(&c, 128, 0, 4 * 4, 0, 16);
}

/* S7: of each 8 x 8 matrix of a 16-bit A a thread has two elements, not four, side by side. */
static void test_s7(void **state)
{
    (void)state;
    struct swb_layout tv = fragment_of("SM80_16x8x8_F32BF16BF16F32_TN", SWB_MMA_A);
    assert_int_equal(mode_size(&tv, 1), 4);
    for (unsigned thread = 0; thread < 32; thread++)
        for (unsigned value = 0; value < 4; value++)
            assert_holds(&tv, 16, thread, value, thread / 4 + 8 * (value / 2),
                         2 * (thread % 4) + value % 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fragments_are_cutes),
        cmocka_unit_test(test_all_layouts_are_cutes),
        cmocka_unit_test(test_b_of_4_bits),
        cmocka_unit_test(test_tiled_is_cutes),
        cmocka_unit_test(test_permuted_tiles_are_cutes),
        cmocka_unit_test(test_every_element_once),
        cmocka_unit_test(test_what_a_name_says),
        cmocka_unit_test(test_widths_of_types),
        cmocka_unit_test(test_no_such_atom),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_the_largest),
        cmocka_unit_test(test_orders_that_cut_across),
        cmocka_unit_test(test_a_problem_is_whole_tiles),
        cmocka_unit_test(test_t1_and_t3),
        cmocka_unit_test(test_t2),
        cmocka_unit_test(test_t4),
        cmocka_unit_test(test_t5_and_t6),
        cmocka_unit_test(test_s7),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
