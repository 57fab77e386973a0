/* Is this CuTe's layout algebra, and do its laws hold? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/swizzlebench.h"

enum { TEXT_BYTES = 1024, RANDOM_LAYOUTS = 4000 };

static struct swb_layout layout_of(const char *text)
{
    struct swb_layout layout;
    struct swb_refusal refusal;
    if (!swb_layout_parse(text, &layout, &refusal))
        fail_msg("%s: column %u: %s", text, refusal.column, refusal.sentence);
    return layout;
}

static struct swb_tuple tuple_of(const char *text)
{
    struct swb_tuple tuple;
    assert_true(swb_tuple_parse(text, &tuple, NULL));
    return tuple;
}

static struct swb_composed composed_of(const char *text)
{
    struct swb_composed composed;
    struct swb_refusal refusal;
    if (!swb_composed_parse(text, &composed, &refusal))
        fail_msg("%s: column %u: %s", text, refusal.column, refusal.sentence);
    return composed;
}

static void assert_layout(const struct swb_layout *layout, const char *expected)
{
    char text[TEXT_BYTES];
    swb_layout_print(layout, text, sizeof text);
    assert_string_equal(text, expected);
}

/* ---- Operations by name, as the golden file and the examples call them ---- */

struct operands {
    struct swb_layout a, tilers[2];
    unsigned tiler_count;
    struct swb_tuple shape, order;
    bool has_order;
    int64_t number;
};

#define ONE(name, call)                                                                            \
    static bool name(const struct operands *in, struct swb_layout *out, struct swb_refusal *why)   \
    {                                                                                              \
        return call;                                                                               \
    }
ONE(coalesce, swb_coalesce(&in->a, out, why))
ONE(composition, swb_composition(&in->a, &in->tilers[0], out, why))
ONE(complement, swb_complement(&in->a, in->number, out, why))
ONE(right_inverse, swb_right_inverse(&in->a, out, why))
ONE(left_inverse, swb_left_inverse(&in->a, out, why))
ONE(logical_divide, in->tiler_count == 1
                        ? swb_logical_divide(&in->a, in->tilers, out, why)
                        : swb_logical_divide_by(&in->a, in->tilers, in->tiler_count, out, why))
ONE(zipped_divide, swb_zipped_divide(&in->a, in->tilers, in->tiler_count, out, why))
ONE(logical_product, in->tiler_count == 1
                         ? swb_logical_product(&in->a, in->tilers, out, why)
                         : swb_logical_product_by(&in->a, in->tilers, in->tiler_count, out, why))
ONE(zipped_product, swb_zipped_product(&in->a, in->tilers, in->tiler_count, out, why))
ONE(blocked_product, swb_blocked_product(&in->a, &in->tilers[0], out, why))
ONE(tile_to_shape,
    swb_tile_to_shape(&in->a, &in->shape, in->has_order ? &in->order : NULL, out, why))
ONE(upcast, swb_upcast(&in->a, in->number, out, why))
ONE(downcast, swb_downcast(&in->a, in->number, out, why))
ONE(coalesce_by, swb_coalesce_by(&in->a, &in->shape, out, why))

enum operand { NOTHING, TILERS, NUMBER, SHAPE };

static const struct operation {
    const char *name;
    enum operand b;
    bool (*run)(const struct operands *, struct swb_layout *, struct swb_refusal *);
} operations[] = {
    {"coalesce", NOTHING, coalesce},
    {"coalesce_by", SHAPE, coalesce_by},
    {"composition", TILERS, composition},
    {"complement", NUMBER, complement},
    {"right_inverse", NOTHING, right_inverse},
    {"left_inverse", NOTHING, left_inverse},
    {"logical_divide", TILERS, logical_divide},
    {"zipped_divide", TILERS, zipped_divide},
    {"logical_product", TILERS, logical_product},
    {"zipped_product", TILERS, zipped_product},
    {"blocked_product", TILERS, blocked_product},
    {"tile_to_shape", SHAPE, tile_to_shape},
    {"upcast", NUMBER, upcast},
    {"downcast", NUMBER, downcast},
};

static bool run(const char *name, const char *a, const char *b, struct swb_layout *result,
                struct swb_refusal *refusal)
{
    struct operands operands = {.a = layout_of(a)};
    char parts[TEXT_BYTES], *rest = parts, *part;
    const struct operation *operation = operations;
    while (strcmp(operation->name, name) != 0)
        operation++;
    snprintf(parts, sizeof parts, "%s", b);
    if (operation->b == NUMBER)
        operands.number = atoll(b);
    while (operation->b == TILERS && (part = strsep(&rest, "|")) != NULL)
        operands.tilers[operands.tiler_count++] = layout_of(part);
    if (operation->b == SHAPE) {
        operands.shape = tuple_of(strsep(&rest, "|"));
        operands.has_order = rest != NULL;
        if (rest != NULL)
            operands.order = tuple_of(rest);
    }
    return operation->run(&operands, result, refusal);
}

static void check(const char *name, const char *a, const char *b, const char *expected)
{
    struct swb_layout result;
    struct swb_refusal refusal;
    if (!run(name, a, b, &result, &refusal))
        fail_msg("%s of %s and %s refused: %s", name, a, b, refusal.sentence);
    assert_layout(&result, expected);
}

/* operation,"a","b","result" */
static void test_equals_cute(void **state)
{
    (void)state;
    char line[4 * TEXT_BYTES];
    unsigned rows = 0;
    FILE *file = fopen("tests/golden/cute-algebra.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *fields[8], *rest = line;
        if (line[0] == '#' || strncmp(line, "operation,", 10) == 0)
            continue;
        for (unsigned i = 0; i < 7; i++)
            fields[i] = strsep(&rest, "\"");
        fields[0][strlen(fields[0]) - 1] = '\0'; /* the comma */
        check(fields[0], fields[1], fields[3], fields[5]);
        rows++;
    }
    fclose(file);
    assert_true(rows > 500);
}

/* The examples of CuTe's documentation. */
static void test_documented_examples(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *a, *b, *result;
    } cases[] = {
        {"coalesce", "(2,(1,6)):(1,(6,2))", "", "12:1"},
        {"coalesce_by", "(2,(1,6)):(1,(6,2))", "(1,1)", "(2,6):(1,2)"},
        {"coalesce_by", "((2,3),4):((1,2),6)", "((1,1),1)", "((2,3),4):((1,2),6)"},
        {"coalesce_by", "(2,(3,4)):(1,(2,6))", "(1)", "(2,(3,4)):(1,(2,6))"},
        {"composition", "(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)"},
        {"composition", "20:2", "(5,4):(4,1)", "(5,4):(8,2)"},
        {"composition", "(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"},
        {"composition", "(4,6,8):(1,4,7)", "6:1", "6:1"},
        {"composition", "(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)"},
        {"complement", "4:1", "24", "6:4"},
        {"complement", "6:4", "24", "4:1"},
        {"complement", "(4,6):(1,4)", "24", "1:0"},
        {"complement", "4:2", "24", "(2,3):(1,8)"},
        {"complement", "(2,4):(1,6)", "24", "3:2"},
        {"complement", "(2,2):(1,6)", "24", "(3,2):(2,12)"},
        {"logical_divide", "(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))"},
        {"logical_divide", "(9,(4,8)):(59,(13,1))", "3:3|(2,4):(1,8)",
         "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"},
        {"zipped_divide", "(9,(4,8)):(59,(13,1))", "3:3|(2,4):(1,8)",
         "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"},
        {"logical_product", "(2,2):(4,1)", "6:1", "((2,2),(2,3)):((4,1),(2,8))"},
        {"blocked_product", "(2,5):(5,1)", "(3,4):(1,3)", "((2,3),(5,4)):((5,10),(1,30))"},
        {"tile_to_shape", "(8,64):(64,1)", "(64,128)", "((8,8),(64,2)):((64,512),(1,4096))"},
        {"tile_to_shape", "(8,64):(64,1)", "(64,128)|(1,0)", "((8,8),(64,2)):((64,1024),(1,512))"},
        {"upcast", "(8,64):(64,1)", "8", "(8,8):(8,1)"},
        {"downcast", "(8,8):(8,1)", "8", "(8,64):(64,1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(cases[i].operation, cases[i].a, cases[i].b, cases[i].result);
}

/* What CuTe's compiled code answers where strides are negative, zero or short, and where ranks
 * differ. */
static void test_corners(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *a, *b, *result;
    } cases[] = {
        {"composition", "4:-1", "4:1", "4:-1"},
        {"composition", "4:1", "4:-1", "4:-1"},
        {"composition", "4:-1", "4:-1", "4:1"},
        {"composition", "4:1", "4:-2", "4:-2"},
        {"composition", "(4,4):(-1,1)", "(2,4,2)", "(2,(2,2),2):(-1,(-2,1),2)"},
        {"composition", "(4,4):(-1,1)", "(2,4,2):(1,4,2)", "(2,4,2):(-1,1,-2)"},
        {"composition", "(1,(2,4)):(0,(-1,512))", "2:-1", "2:1"},
        {"composition", "(1,(2,4)):(0,(-1,512))", "4:-1", "(2,2):(1,-512)"},
        {"composition", "(2,4):(-1,512)", "(2,2):(-1,0)", "(2,2):(1,0)"},
        {"composition", "(2,4):(-1,512)", "(2,2):(2,-2)", "(2,2):(512,-512)"},
        {"composition", "(4,3,1):(3,1,0)", "24:1", "(4,3,2):(3,1,0)"},
        {"composition", "1:4", "2:1", "2:4"},
        {"upcast", "(4,8,3):(-1,0,-4)", "2", "(2,8,3):(-1,0,-2)"},
        {"upcast", "(2,8):(1,2)", "4", "(1,4):(1,1)"},
        {"downcast", "(2,8,3):(1,-2,-1)", "4", "(8,8,12):(1,-8,-1)"},
        {"tile_to_shape", "4:2", "(8,3)", "((4,2),(1,3)):((2,1),(0,8))"},
        {"tile_to_shape", "(2,2):(2,1)", "(4,6,3)|(1,2,0)",
         "((2,2),(2,3),(1,3)):((2,12),(1,24),(0,4))"},
        {"zipped_divide", "8:1", "2:1", "((2),(4)):((1),(2))"},
        {"blocked_product", "4:2", "(2,3)", "((4,2),(1,3)):((2,1),(0,8))"},
        {"blocked_product", "4:2", "(2,3,2,5)",
         "((4,2),(1,3),(1,2),(1,5)):((2,1),(0,8),(0,24),(0,48))"},
        {"left_inverse", "4:0", "", "4:0"},
        {"left_inverse", "(4,2):(1,0)", "", "4:1"},
        {"left_inverse", "(2,3):(6,2)", "", "(2,3,2):(0,2,1)"},
        {"right_inverse", "(4,3):(0,1)", "", "3:4"},
        {"right_inverse", "(2,3):(-1,1)", "", "3:2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(cases[i].operation, cases[i].a, cases[i].b, cases[i].result);
}

static void test_recast(void **state)
{
    (void)state;
    struct swb_layout layout = layout_of("(8,64):(64,1)"), result;
    assert_true(swb_recast(&layout, 16, 32, &result, NULL));
    assert_layout(&result, "(8,32):(32,1)");
    assert_true(swb_recast(&layout, 16, 4, &result, NULL));
    assert_layout(&result, "(8,256):(256,1)");
    struct swb_layout strided = layout_of("(8,64):(128,2)");
    assert_true(swb_recast(&strided, 16, 16, &result, NULL));
    assert_layout(&result, "(8,64):(128,2)");
    struct swb_refusal refusal = {.column = 9};
    assert_false(swb_recast(&layout, 16, 24, &result, &refusal));
    assert_int_equal(refusal.column, 0);
    assert_false(swb_recast(&layout, 0, 16, &result, NULL));
    assert_false(swb_recast(&layout, 16, 0, &result, NULL));
}

/* Cases that CuTe's static assertions stop, tried with its compiler, and overlaps. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *a, *b, *sentence_part;
    } cases[] = {
        {"composition", "(4,3):(3,1)", "6:1", "extent 6"},
        {"composition", "(4,8):(1,9)", "2:6", "stride 6"},
        {"composition", "(6,2):(8,2)", "4:4", "does not divide the extent 6"},
        {"composition", "(9,2):(128,2304)", "(2,2,4):(1,8,2)", "multiples of 9"},
        {"complement", "(2,2):(2,3)", "12", "runs into"},
        {"complement", "4:-1", "12", "negative"},
        {"complement", "(2,2):(1,-4)", "12", "the stride -4 is negative"},
        {"left_inverse", "(3,2):(1,2)", "", "does not fit"},
        {"left_inverse", "4:-1", "", "negative"},
        {"composition", "(4,4):(-1,1)", "(4,4):(4,-1)", "add up across"},
        {"composition", "(4,4):(-1,1)", "(4,4):(1,-4)", "add up across"},
        {"zipped_divide", "((4,3),2):((3,1),12)", "6:1|1:1", "extent 6"},
        {"left_inverse", "(2,2):(2,3)", "", "does not fit"},
        {"logical_divide", "8:1", "2:1|2:1", "2 tilers for the 1 modes"},
        {"logical_divide", "(4,3):(3,1)", "6:1", "extent 6"},
        {"logical_product", "3:2", "3:1", "extent 3"},
        {"tile_to_shape", "(8,64):(64,1)", "(12,64)", "does not divide the 12"},
        {"tile_to_shape", "(8,64):(64,1)", "(0,64)", "does not divide the 0"},
        {"tile_to_shape", "(8,64):(64,1)", "512", "2 modes, the shape 1"},
        {"tile_to_shape", "(8,64):(64,1)", "(8,64)|(0,1,2)", "one number for each mode"},
        {"coalesce_by", "(2,3):(1,2)", "(1,1,1)", "3 modes, the layout 2"},
        {"coalesce_by", "((2,3),4)", "((1,1,1),1)", "3 modes, the layout 2"},
        {"upcast", "(8,6):(6,1)", "4", "divides the other"},
        {"upcast", "8:3", "2", "divides the other"},
        {"downcast", "(8,8):(16,2)", "2", "stride 1"},
        {"logical_product", "32768:1", "65536:1", "2^30"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_layout result;
        struct swb_refusal refusal = {.column = 9};
        assert_false(run(cases[i].operation, cases[i].a, cases[i].b, &result, &refusal));
        assert_int_equal(refusal.column, 0);
        if (strstr(refusal.sentence, cases[i].sentence_part) == NULL)
            fail_msg("%s of %s and %s: %s", cases[i].operation, cases[i].a, cases[i].b,
                     refusal.sentence);
        assert_false(run(cases[i].operation, cases[i].a, cases[i].b, &result, NULL));
    }
}

/* ---- Laws, on random layouts ---- */

static uint64_t random_state;

static unsigned random_below(unsigned bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state % bound);
}

static void add_random_shape(char *text, size_t bytes, unsigned depth)
{
    static const unsigned extents[] = {1, 2, 2, 3, 4, 4, 5, 8};
    size_t length = strlen(text);
    if (depth == 2 || random_below(100) < 45) {
        snprintf(text + length, bytes - length, "%u", extents[random_below(8)]);
        return;
    }
    unsigned modes = 1 + random_below(3);
    for (unsigned i = 0; i < modes; i++) {
        strcat(text, i == 0 ? "(" : ",");
        add_random_shape(text, bytes, depth + 1);
    }
    strcat(text, ")");
}

static void test_equality(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool congruent, equal;
    } cases[] = {
        {"(2,(3,4))", "(2,(3,4))", true, true},       {"(2,(3,4))", "(2,(3,5))", true, false},
        {"(2,(3,4))", "(1,(3,4))", true, false},      {"(2,(3,4))", "((2,3),4)", false, false},
        {"(2,(3,4))", "(2,3,4)", false, false},       {"(2,3)", "(2,3,4)", false, false},
        {"(2,3,4)", "(2,3)", false, false},           {"2", "(2)", false, false},
        {"(2,(3,(4)))", "(2,((3),4))", false, false}, {"7", "7", true, true},
        {"((2,3),4)", "((2,3,4))", false, false},     {"7", "8", true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tuple a = tuple_of(cases[i].a), b = tuple_of(cases[i].b);
        struct swb_layout layout;
        struct swb_refusal refusal = {.column = 9};
        assert_int_equal(swb_tuple_congruent(&a, &b), cases[i].congruent);
        assert_int_equal(swb_tuple_equal(&a, &b), cases[i].equal);
        assert_int_equal(swb_layout_make(&a, &b, &layout, &refusal), cases[i].congruent);
        if (!cases[i].congruent)
            assert_int_equal(refusal.column, 0);
        else
            assert_true(swb_tuple_equal(&layout.shape, &a) && swb_tuple_equal(&layout.stride, &b));
    }
    struct swb_layout one = layout_of("(2,3):(1,2)"), shape = layout_of("(2,4):(1,2)");
    struct swb_layout stride = layout_of("(2,3):(1,4)");
    assert_true(swb_layout_equal(&one, &one));
    assert_false(swb_layout_equal(&one, &shape));
    assert_false(swb_layout_equal(&one, &stride));
}

/* 2^30 coordinates, and indices below 2^30, are the last that there are. */
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool valid;
    } cases[] = {
        {"1073741824:1", true},           {"(1073741824,1):(1,7)", true},
        {"(32768,32768):(1,0)", true},    {"(32768,32769):(1,0)", false},
        {"2:1073741823", true},           {"2:1073741824", false},
        {"2:-1073741823", true},          {"2:-1073741824", false},
        {"(2,2):(-1073741823,1)", false}, {"3:536870912", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_layout layout;
        if (swb_layout_parse(cases[i].text, &layout, NULL) != cases[i].valid)
            fail_msg("%s", cases[i].text);
    }
    for (int64_t extent = -1; extent <= 1; extent++) {
        struct swb_layout made = layout_of("(2,3):(1,2)"), unchanged = made;
        struct swb_tuple bad = made.shape;
        struct swb_refusal why = {.column = 9};
        bad.nodes[2].value = extent;
        assert_int_equal(swb_layout_make(&bad, &made.stride, &made, &why), extent == 1);
        assert_int_equal(swb_layout_equal(&made, &unchanged), extent != 1);
        assert_int_equal(why.column, extent == 1 ? 9 : 0);
    }
    struct swb_tuple shape = tuple_of("(32768,32768)"), order = tuple_of("(1,0)");
    struct swb_layout layout;
    struct swb_refusal refusal = {.column = 9};
    assert_true(swb_layout_make_ordered(&shape, &order, &layout, NULL));
    struct swb_layout expected = layout_of("(32768,32768):(32768,1)");
    assert_true(swb_layout_equal(&layout, &expected));
    shape = tuple_of("(32768,32769)");
    assert_false(swb_layout_make_ordered(&shape, &order, &layout, &refusal));
    assert_int_equal(refusal.column, 0);
    struct swb_tuple stride = tuple_of("(1,0)");
    refusal.column = 9;
    assert_false(swb_layout_make(&shape, &stride, &layout, &refusal));
    assert_int_equal(refusal.column, 0);
}

/* Gives the modes strides in a random order, each a random multiple of what the ones before fill;
 * so the layout is one-to-one, unless `loose`, when some strides are anything at all. */
static struct swb_layout random_layout(bool loose)
{
    char text[TEXT_BYTES] = "";
    bool placed[SWB_TUPLE_NODES] = {false};
    add_random_shape(text, sizeof text, 0);
    struct swb_layout layout = layout_of(text);
    int64_t filled = 1;
    for (unsigned left = layout.shape.count; left > 0; left--) {
        unsigned node = random_below(layout.shape.count);
        while (placed[node])
            node = (node + 1) % layout.shape.count;
        placed[node] = true;
        if (layout.shape.nodes[node].is_tuple)
            continue;
        filled *= random_below(4) == 0 ? 1 + random_below(4) : 1;
        layout.stride.nodes[node].value =
            loose && random_below(3) == 0 ? (int64_t)random_below(15) - 3 : filled;
        filled *= layout.shape.nodes[node].value;
    }
    return layout;
}

static void test_print_and_parse_again(void **state)
{
    (void)state;
    random_state = 1;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        char text[TEXT_BYTES];
        struct swb_layout layout = random_layout(true), again;
        assert_true(swb_layout_print(&layout, text, sizeof text) < sizeof text);
        again = layout_of(text);
        assert_true(swb_layout_equal(&layout, &again));
    }
}

static void test_coalesce_keeps_the_function(void **state)
{
    (void)state;
    random_state = 2;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout layout = random_layout(true), result;
        assert_true(swb_coalesce(&layout, &result, NULL));
        assert_int_equal(swb_layout_size(&result), swb_layout_size(&layout));
        assert_true(result.shape.count <= layout.shape.count + 1);
        for (int64_t at = 0; at < swb_layout_size(&layout); at++)
            assert_int_equal(swb_layout_at(&result, at), swb_layout_at(&layout, at));
    }
}

static void test_composition_is_one_after_the_other(void **state)
{
    (void)state;
    unsigned composed = 0;
    random_state = 3;
    for (unsigned i = 0; i < 4 * RANDOM_LAYOUTS; i++) {
        struct swb_layout a = random_layout(true), b = random_layout(true), result;
        if (!swb_composition(&a, &b, &result, NULL))
            continue;
        composed++;
        assert_int_equal(swb_layout_size(&result), swb_layout_size(&b));
        for (int64_t at = 0; at < swb_layout_size(&b); at++)
            assert_int_equal(swb_layout_at(&result, at), swb_layout_at(&a, swb_layout_at(&b, at)));
    }
    assert_true(composed > RANDOM_LAYOUTS);
}

static void test_complement_is_ordered_and_disjoint(void **state)
{
    (void)state;
    random_state = 4;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout layout = random_layout(false), rest, both[2], whole;
        int64_t extent = 1 + random_below(300), first, second;
        assert_true(swb_complement(&layout, extent, &rest, NULL));
        for (int64_t at = 1; at < swb_layout_size(&rest); at++)
            assert_true(swb_layout_at(&rest, at - 1) < swb_layout_at(&rest, at));
        both[0] = layout;
        both[1] = rest;
        assert_true(swb_layout_join(both, 2, &whole, NULL));
        assert_true(swb_layout_cosize(&whole) >= extent);
        if (swb_layout_cosize(&whole) < SWB_COLLISION_INDICES)
            assert_false(swb_layout_collision(&whole, &first, &second));
    }
}

static void test_inverses(void **state)
{
    (void)state;
    unsigned inverted = 0;
    random_state = 5;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout layout = random_layout(i % 2), right, left;
        assert_true(swb_right_inverse(&layout, &right, NULL));
        for (int64_t at = 0; at < swb_layout_size(&right); at++)
            assert_int_equal(swb_layout_at(&layout, swb_layout_at(&right, at)), at);

        layout = random_layout(false);
        if (!swb_left_inverse(&layout, &left, NULL))
            continue;
        inverted++;
        for (int64_t at = 0; at < swb_layout_size(&layout); at++)
            assert_int_equal(swb_layout_at(&left, swb_layout_at(&layout, at)), at);
    }
    assert_true(inverted > RANDOM_LAYOUTS / 2);
}

/* The same laws said by the algebra itself: composed with its inverse, a layout counts. */
static void test_composed_with_its_inverse(void **state)
{
    (void)state;
    unsigned counted = 0;
    random_state = 10;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout layout = random_layout(false), inverse, identity;
        assert_true(swb_right_inverse(&layout, &inverse, NULL));
        if (swb_composition(&layout, &inverse, &identity, NULL)) {
            assert_true(swb_coalesce(&identity, &identity, NULL));
            assert_true(swb_tuple_rank(&identity.shape) == 1);
            assert_int_equal(swb_layout_size(&identity), swb_layout_size(&inverse));
            assert_int_equal(swb_layout_at(&identity, swb_layout_size(&inverse) - 1),
                             swb_layout_size(&inverse) - 1);
            counted++;
        }
        if (!swb_left_inverse(&layout, &inverse, NULL) ||
            !swb_composition(&inverse, &layout, &identity, NULL))
            continue;
        counted++;
        for (int64_t at = 0; at < swb_layout_size(&layout); at++)
            assert_int_equal(swb_layout_at(&identity, at), at);
    }
    assert_true(counted > RANDOM_LAYOUTS);
}

static void test_composition_is_associative(void **state)
{
    (void)state;
    unsigned compared = 0;
    random_state = 11;
    for (unsigned i = 0; i < 8 * RANDOM_LAYOUTS; i++) {
        struct swb_layout a = random_layout(true), b = random_layout(false);
        struct swb_layout c = random_layout(false), ab, bc, left, right;
        if (!swb_composition(&a, &b, &ab, NULL) || !swb_composition(&b, &c, &bc, NULL) ||
            !swb_composition(&ab, &c, &left, NULL) || !swb_composition(&a, &bc, &right, NULL))
            continue;
        /* Beyond its size b goes on in its last mode, and a o b in that of the result. */
        if (swb_layout_cosize(&c) > swb_layout_size(&b))
            continue;
        compared++;
        for (int64_t at = 0; at < swb_layout_size(&c); at++)
            assert_int_equal(swb_layout_at(&left, at), swb_layout_at(&right, at));
    }
    assert_true(compared > 100);
}

/* Every repetition is the block, shifted; together they are one-to-one when the block is. */
static void test_tile_to_shape_repeats_the_block(void **state)
{
    (void)state;
    unsigned repeated = 0;
    random_state = 12;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        static const char *const blocks[] = {"(2,4):(4,1)", "(4,2)", "(1,3):(0,1)", "(2,2):(1,6)",
                                             "((2,2),3):((1,6),2)"};
        struct swb_layout block = layout_of(blocks[random_below(5)]), tiled;
        struct swb_layout row_mode = swb_layout_mode(&block, 0);
        int64_t rows = swb_layout_size(&row_mode), cols = swb_layout_size(&block) / rows;
        int64_t down = 1 + random_below(4), across = 1 + random_below(4), first, second;
        char text[64];
        snprintf(text, sizeof text, "(%d,%d)", (int)(rows * down), (int)(cols * across));
        struct swb_tuple shape = tuple_of(text);
        struct swb_tuple order = tuple_of(random_below(2) ? "(0,1)" : "(1,0)");
        if (!swb_tile_to_shape(&block, &shape, &order, &tiled, NULL))
            continue;
        repeated++;
        assert_int_equal(swb_layout_size(&tiled), rows * down * cols * across);
        assert_false(swb_layout_collision(&tiled, &first, &second));
        for (int64_t at = 0; at < swb_layout_size(&tiled); at++) {
            int64_t row = at % (rows * down), col = at / (rows * down);
            int64_t corner = row / rows * rows + col / cols * cols * rows * down;
            assert_int_equal(swb_layout_at(&tiled, at) - swb_layout_at(&tiled, corner),
                             swb_layout_at(&block, row % rows + col % cols * rows));
        }
    }
    assert_true(repeated > RANDOM_LAYOUTS / 2);
}

/* The zipped forms hold the same elements as the logical ones, tiles first. */
static void test_zipped_forms(void **state)
{
    (void)state;
    unsigned divided = 0;
    random_state = 13;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        static const char *const tilers[] = {"2:1", "2:2", "4:1", "1:0"};
        struct swb_layout modes[2] = {random_layout(false), random_layout(false)}, layout;
        struct swb_layout by[2] = {layout_of(tilers[random_below(4)]),
                                   layout_of(tilers[random_below(4)])};
        struct swb_layout logical, zipped, tile, part;
        assert_true(swb_layout_join(modes, 2, &layout, NULL));
        if (!swb_logical_divide_by(&layout, by, 2, &logical, NULL))
            continue;
        divided++;
        assert_true(swb_zipped_divide(&layout, by, 2, &zipped, NULL));
        assert_int_equal(swb_layout_rank(&zipped), 2);
        assert_int_equal(swb_layout_size(&zipped), swb_layout_size(&logical));
        tile = swb_layout_mode(&zipped, 0);
        for (unsigned mode = 0; mode < 2; mode++) {
            struct swb_layout whole = swb_layout_mode(&logical, mode);
            struct swb_layout first = swb_layout_mode(&whole, 0);
            part = swb_layout_mode(&tile, mode);
            assert_true(swb_layout_equal(&first, &part));
        }
    }
    assert_true(divided > RANDOM_LAYOUTS / 20);
}

/* A swizzled layout is one-to-one where its layout is, at any base. */
static void test_swizzled_layouts_are_one_to_one(void **state)
{
    (void)state;
    random_state = 14;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        int bits = (int)random_below(4), shift = bits + (int)random_below(3);
        struct swb_composed composed = {
            .swizzle = {bits, 1 + (int)random_below(4), random_below(2) ? shift : -shift},
            .pointer_bits = random_below(2) ? 16 : 0,
            .layout = random_layout(false)};
        int64_t size = swb_layout_size(&composed.layout), one = random_below((unsigned)size);
        uint32_t base = 16 * random_below(100);
        for (int64_t other = 0; other < size; other++) {
            if (other != one)
                assert_int_not_equal(swb_composed_bit_address(&composed, 16, base, other, 0),
                                     swb_composed_bit_address(&composed, 16, base, one, 0));
        }
    }
}

/* Seen as other elements, every byte of a swizzled layout stays where it is. */
static void test_recast_moves_nothing(void **state)
{
    (void)state;
    random_state = 15;
    for (unsigned i = 0; i < RANDOM_LAYOUTS / 10; i++) {
        unsigned rows = 1 + random_below(8), cols = 8u << random_below(4), by_pointer = i % 2;
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "Sw<%u,4,3> o %s(%u,%u):(%u,1)", random_below(4),
                 by_pointer ? "smem_ptr[16b] o " : "", rows, cols, cols + 8 * random_below(4));
        struct swb_composed halves = composed_of(text), bytes, words;
        assert_true(swb_composed_recast(&halves, 16, 8, &bytes, NULL));
        assert_true(swb_composed_recast(&halves, 16, 32, &words, NULL));
        for (unsigned col = 0; col < cols; col++) {
            for (unsigned at = 0; at < 2 * rows; at++) {
                unsigned row = at / 2, byte = at % 2;
                int64_t bits =
                    swb_composed_bit_address(&halves, 16, 256, row + rows * col, 8 * byte);
                assert_int_equal(
                    swb_composed_bit_address(&bytes, 8, 256, row + rows * (2 * col + byte), 0),
                    bits);
                assert_int_equal(swb_composed_bit_address(&words, 32, 256, row + rows * (col / 2),
                                                          16 * (col % 2) + 8 * byte),
                                 bits);
            }
        }
    }
}

/* The first mode of a division is layout o tiler; the second leads to every other element, so
 * that together they are the layout in another order. */
static void test_division_visits_every_element_once(void **state)
{
    (void)state;
    unsigned divided = 0;
    random_state = 6;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        static const char *const tilers[] = {"2:1", "2:2", "4:1", "(2,2):(1,4)", "2:4", "1:0"};
        struct swb_layout layout = random_layout(false), result;
        struct swb_layout tiler = layout_of(tilers[random_below(6)]);
        if (!swb_logical_divide(&layout, &tiler, &result, NULL) ||
            swb_layout_size(&result) != swb_layout_size(&layout))
            continue;
        divided++;
        struct swb_layout tile = swb_layout_mode(&result, 0);
        int64_t sum = 0;
        for (int64_t at = 0; at < swb_layout_size(&tiler); at++)
            assert_int_equal(swb_layout_at(&tile, at),
                             swb_layout_at(&layout, swb_layout_at(&tiler, at)));
        for (int64_t at = 0; at < swb_layout_size(&layout); at++)
            sum += swb_layout_at(&layout, at) - swb_layout_at(&result, at);
        assert_int_equal(sum, 0);
        int64_t first, second;
        if (swb_layout_cosize(&result) < SWB_COLLISION_INDICES)
            assert_false(swb_layout_collision(&result, &first, &second));
    }
    assert_true(divided > RANDOM_LAYOUTS / 4);
}

static void test_product_repeats_the_block(void **state)
{
    (void)state;
    unsigned products = 0;
    random_state = 7;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout block = random_layout(false), tiler = random_layout(false), result;
        if (!swb_logical_product(&block, &tiler, &result, NULL))
            continue;
        products++;
        struct swb_layout first = swb_layout_mode(&result, 0);
        int64_t a, b;
        assert_true(swb_layout_equal(&first, &block));
        assert_int_equal(swb_layout_size(&result),
                         swb_layout_size(&block) * swb_layout_size(&tiler));
        if (swb_layout_cosize(&result) < SWB_COLLISION_INDICES)
            assert_false(swb_layout_collision(&result, &a, &b));
    }
    assert_true(products > RANDOM_LAYOUTS / 4);
}

static void test_casts_undo_each_other(void **state)
{
    (void)state;
    unsigned cast = 0;
    random_state = 8;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout layout = random_layout(false), narrow, wide;
        int64_t n = 2 << random_below(2);
        if (!swb_downcast(&layout, n, &narrow, NULL))
            continue;
        cast++;
        assert_true(swb_upcast(&narrow, n, &wide, NULL));
        for (int64_t at = 0; at < swb_layout_size(&layout); at++)
            assert_int_equal(swb_layout_at(&wide, at), swb_layout_at(&layout, at));
    }
    assert_true(cast > RANDOM_LAYOUTS / 4);
}

static void test_coordinates(void **state)
{
    (void)state;
    struct swb_layout layout = layout_of("(4,(3,2)):(2,(8,1))");
    int64_t index;
    assert_int_equal(swb_layout_cosize(&layout), 24);
    assert_int_equal(swb_layout_at(&layout, 23), 23);
    assert_int_equal(swb_layout_at(&layout, 24), 2); /* goes on in the last mode: (0,(0,2)) */
    static const struct {
        const char *coordinate;
        int64_t index;
    } cases[] = {{"5", 10}, {"(1,4)", 11}, {"(1,(1,1))", 11}, {"(0,(2,0))", 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_tuple coordinate = tuple_of(cases[i].coordinate);
        assert_true(swb_layout_at_coordinate(&layout, &coordinate, &index, NULL));
        assert_int_equal(index, cases[i].index);
    }
    struct swb_refusal refusal = {.column = 9};
    struct swb_tuple wrong = tuple_of("(1,2,3)"), deep = tuple_of("((1,2),3)");
    assert_false(swb_layout_at_coordinate(&layout, &wrong, &index, &refusal));
    assert_non_null(strstr(refusal.sentence, "3 modes where the shape has 2"));
    assert_int_equal(refusal.column, 0);
    refusal.column = 9;
    assert_false(swb_layout_at_coordinate(&layout, &deep, &index, &refusal));
    assert_int_equal(refusal.column, 0);
    assert_non_null(strstr(refusal.sentence, "an integer"));

    random_state = 9;
    for (unsigned i = 0; i < RANDOM_LAYOUTS; i++) {
        struct swb_layout any = random_layout(true);
        int64_t number = random_below((unsigned)swb_layout_size(&any));
        struct swb_tuple coordinate;
        swb_layout_coordinate(&any, number, &coordinate);
        assert_true(swb_layout_at_coordinate(&any, &coordinate, &index, NULL));
        assert_int_equal(index, swb_layout_at(&any, number));
    }
}

static void test_collisions(void **state)
{
    (void)state;
    static const struct {
        const char *layout;
        int64_t first, second;
    } cases[] = {
        {"(8,64):(64,1)", -1, -1},     {"(2,2):(2,3)", -1, -1},
        {"(3,2):(1,2)", 2, 3},         {"(4,2):(1,0)", 0, 4},
        {"(2,3,2):(6,1,2)", 4, 6},     {"(3,2):(-1,0)", 0, 3}, /* below 0 nothing is looked at, */
        {"(2,2):(524288,0)", 0, 2},                            /* and nothing from 2^19 on */
        {"(2,1,2):(524287,7,0)", 0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_layout layout = layout_of(cases[i].layout);
        int64_t first = -1, second = -1;
        assert_int_equal(swb_layout_collision(&layout, &first, &second), cases[i].first >= 0);
        assert_int_equal(first, cases[i].first);
        assert_int_equal(second, cases[i].second);
    }
}

/* ---- Swizzles ---- */

/* Bit by bit: each of the target bits is XORed with the bit `shift` above it. */
static int64_t swizzled_bit_by_bit(const struct swb_swizzle *swizzle, int64_t index)
{
    int64_t result = index;
    for (int bit = 0; bit < swizzle->bits; bit++) {
        int target = swizzle->base + bit - (swizzle->shift < 0 ? swizzle->shift : 0);
        result ^= (index >> (target + swizzle->shift) & 1) << target;
    }
    return result;
}

static void test_swizzle_is_its_own_inverse(void **state)
{
    (void)state;
    for (int bits = 0; bits <= 4; bits++) {
        for (int base = 0; base <= 5; base++) {
            for (int shift = -6; shift <= 6; shift++) {
                struct swb_swizzle swizzle = {bits, base, shift};
                bool valid = abs(shift) >= bits;
                assert_int_equal(swb_swizzle_check(&swizzle, NULL), valid);
                if (!valid)
                    continue;
                int64_t repeat = swb_swizzle_repeat(&swizzle);
                for (int64_t i = 0; i < 2 * repeat; i++) {
                    int64_t swizzled = swb_swizzle_apply(&swizzle, i);
                    assert_int_equal(swizzled, swizzled_bit_by_bit(&swizzle, i));
                    assert_int_equal(swb_swizzle_apply(&swizzle, swizzled), i);
                    assert_int_equal(swizzled / repeat, i / repeat);
                    assert_int_equal(swizzled - i / repeat * repeat,
                                     swb_swizzle_apply(&swizzle, i % repeat));
                }
            }
        }
    }
}

static void test_swizzle_numbers(void **state)
{
    (void)state;
    struct swb_swizzle bytes = {3, 4, 3}, elements, back = {2, 0, -3};
    assert_int_equal(swb_swizzle_apply(&bytes, 128), 128 + 16);
    assert_int_equal(swb_swizzle_apply(&bytes, 7 * 128 + 96), 7 * 128 + 16);
    assert_int_equal(swb_swizzle_repeat(&bytes), 1024);
    assert_int_equal(swb_swizzle_apply(&back, 3), 3 + 24);

    assert_true(swb_swizzle_recast(&bytes, 8, 16, &elements, NULL));
    assert_int_equal(elements.bits, 3);
    assert_int_equal(elements.base, 3);
    assert_true(swb_swizzle_recast(&elements, 16, 4, &elements, NULL));
    assert_int_equal(elements.base, 5);
    assert_true(swb_swizzle_recast(&bytes, 8, 256, &elements, NULL)); /* 32 bytes: a bit is lost */
    assert_int_equal(elements.bits, 2);
    assert_int_equal(elements.base, 0);
    assert_true(swb_swizzle_recast(&bytes, 8, 512, &elements, NULL)); /* 64 bytes: two are */
    assert_int_equal(elements.bits, 1);
    assert_true(swb_swizzle_recast(&bytes, 8, 8, &elements, NULL));
    assert_int_equal(elements.base, 4);
    assert_true(swb_swizzle_recast(&bytes, 8, 2048, &elements, NULL)); /* 256 bytes: all are */
    assert_int_equal(elements.bits, 0);
    assert_false(swb_swizzle_recast(&bytes, 8, 6, &elements, NULL));
    assert_false(swb_swizzle_recast(&bytes, 8, 24, &elements, NULL));
    assert_false(swb_swizzle_recast(&bytes, 8, 0, &elements, NULL));
    struct swb_swizzle none = {0, 4, 3}, high = {3, 23, 3};
    assert_true(swb_swizzle_recast(&none, 8, 24, &elements, NULL));
    assert_false(swb_swizzle_recast(&high, 8, 1, &elements, NULL));
    assert_int_equal(swb_swizzle_repeat(&none), 1);
}

static void test_swizzle_reach(void **state)
{
    (void)state;
    static const struct {
        struct swb_swizzle swizzle;
        const char *sentence_part; /* NULL: it is one */
    } cases[] = {
        {{3, 24, 3}, NULL},
        {{3, 24, 4}, "Sw<3,24,4>: the swizzle reaches beyond bit 29"},
        {{3, 25, 3}, "beyond bit 29"},
        {{1, 0, 29}, NULL},
        {{1, 0, -29}, NULL},
        {{1, 0, 30}, "beyond bit 29"},
        {{1, 0, -30}, "beyond bit 29"},
        {{15, 0, 15}, NULL},
        {{0, 31, 0}, "beyond bit 29"},
        {{0, 30, 0}, NULL},
        {{0, 0, 30}, NULL},
        {{0, 0, 31}, "beyond bit 29"},
        {{0, 0, -31}, "beyond bit 29"},
        {{31, 0, 31}, "beyond bit 29"},
        {{1, INT_MAX, 1}, "beyond bit 29"},
        {{INT_MAX, 1, 1}, "beyond bit 29"},
        {{0, 0, 0}, NULL},
        {{-1, 4, 3}, "Sw<-1,4,3>: the number of bits must not be negative"},
        {{1, -1, 3}, "Sw<1,-1,3>: the base bit must not be negative"},
        {{1, 4, 0}, "Sw<1,4,0>: with a shift of 0"},
        {{2, 1, 1}, "Sw<2,1,1>: the shift must be at least the number of bits"},
        {{2, 1, -1}, "at least the number of bits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_refusal refusal = {.column = 9};
        assert_int_equal(swb_swizzle_check(&cases[i].swizzle, &refusal), !cases[i].sentence_part);
        assert_int_equal(refusal.column, cases[i].sentence_part ? 0 : 9);
        if (cases[i].sentence_part && !strstr(refusal.sentence, cases[i].sentence_part))
            fail_msg("'%s' is not in: %s", cases[i].sentence_part, refusal.sentence);
    }
}

/* Casts of swizzled layouts that do not come out even. */
static void test_recasts_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *layout;
        unsigned old_bits, new_bits;
        const char *sentence_part;
    } cases[] = {
        {"Sw<3,3,3> o (8,96):(96,1)", 8, 24, "a power of two times"},
        {"Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)", 8, 16, "have 16 bits, not 8"},
        {"Sw<3,3,3> o 3 o (8,64):(64,1)", 16, 32, "the offset 3 is no whole number of 32-bit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_composed composed = composed_of(cases[i].layout), result;
        struct swb_refusal refusal = {.column = 9};
        assert_false(swb_composed_recast(&composed, cases[i].old_bits, cases[i].new_bits, &result,
                                         &refusal));
        assert_int_equal(refusal.column, 0);
        if (!strstr(refusal.sentence, cases[i].sentence_part))
            fail_msg("'%s' is not in: %s", cases[i].sentence_part, refusal.sentence);
    }
    struct swb_composed even = composed_of("Sw<3,3,3> o 2 o (8,64):(64,1)");
    assert_true(swb_composed_recast(&even, 16, 32, &even, NULL));
    assert_int_equal(even.offset, 1);
    assert_true(swb_composed_recast(&even, 32, 8, &even, NULL));
    assert_int_equal(even.offset, 4);
}

static void test_pointer_or_index(void **state)
{
    (void)state;
    struct swb_composed bytes = composed_of("Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)");
    struct swb_composed elements = composed_of("Sw<3,3,3> o (8,64):(64,1)");
    struct swb_composed plain = composed_of("(8,64):(64,1)");
    for (int64_t i = 0; i < 512; i++) {
        assert_int_equal(swb_composed_bit_address(&bytes, 16, 0, i, 0),
                         16 * swb_composed_at(&elements, i));
        assert_int_equal(swb_composed_bit_address(&elements, 16, 0, i, 0),
                         16 * swb_composed_at(&elements, i));
        assert_int_equal(swb_composed_bit_address(&plain, 16, 96, i, 0),
                         96 * 8 + 16 * swb_layout_at(&plain.layout, i));
    }
    /* A base off the repeat changes the pattern of a pointer's swizzle, and only shifts the
     * other. */
    assert_int_equal(swb_composed_bit_address(&bytes, 16, 128, 0, 0), (128 + 16) * 8);
    assert_int_equal(swb_composed_bit_address(&elements, 16, 128, 0, 0), 128 * 8);
}

static void test_narrow_elements(void **state)
{
    (void)state;
    struct swb_composed fp4 = composed_of("Sw<3,4,3> o smem_ptr[4b] o (8,256):(256,1)");
    assert_int_equal(swb_composed_bit_address(&fp4, 4, 0, 0 + 8 * 1, 0), 4);
    assert_int_equal(swb_composed_bit_address(&fp4, 4, 0, 1 + 8 * 3, 0), (128 + 16) * 8 + 12);
    struct swb_composed fp6 = composed_of("(8,32):(32,1)");
    assert_int_equal(swb_composed_bit_address(&fp6, 6, 0, 1 + 8 * 1, 0), 33 * 6);

    /* The swizzle cuts a 6-bit element where its 16 bytes end, and a 16-bit one in its bytes. */
    struct swb_composed cut = composed_of("Sw<3,4,3> o smem_ptr[6b] o (8,256):(256,1)");
    assert_int_equal(swb_composed_bit_address(&cut, 6, 0, 5 + 8 * 21, 0), 7678);
    assert_int_equal(swb_composed_bit_address(&cut, 6, 0, 5 + 8 * 21, 2), 7424);
    struct swb_composed halves = composed_of("Sw<1,0,3> o smem_ptr[16b] o 8:1");
    assert_int_equal(swb_composed_bit_address(&halves, 16, 0, 4, 0), 9 * 8);
    assert_int_equal(swb_composed_bit_address(&halves, 16, 0, 4, 8), 8 * 8);

    struct swb_composed bf16, wide;
    assert_true(swb_composed_recast(&fp4, 4, 16, &bf16, NULL));
    char text[TEXT_BYTES];
    swb_composed_print(&bf16, text, sizeof text);
    assert_string_equal(text, "Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)");
    assert_false(swb_composed_recast(&fp4, 8, 16, &bf16, NULL)); /* the pointer says 4 */
    assert_false(swb_composed_recast(&fp4, 4, 6, &bf16, NULL));
    struct swb_composed index = composed_of("Sw<3,3,3> o 8 o (8,64):(64,1)");
    assert_true(swb_composed_recast(&index, 16, 32, &wide, NULL));
    swb_composed_print(&wide, text, sizeof text);
    assert_string_equal(text, "Sw<3,2,3> o 4 o (8,32):(32,1)");
    assert_false(swb_composed_recast(&index, 16, 256, &wide, NULL)); /* half an element */
    struct swb_composed sixes = composed_of("Sw<3,3,3> o (8,64):(64,1)");
    assert_true(swb_composed_recast(&sixes, 6, 12, &wide, NULL));
    swb_composed_print(&wide, text, sizeof text);
    assert_string_equal(text, "Sw<3,2,3> o (8,32):(32,1)");
    struct swb_composed threes = composed_of("Sw<3,3,3> o (8,48):(48,1)");
    assert_false(swb_composed_recast(&threes, 8, 24, &wide, NULL));
    struct swb_composed plain = composed_of("(8,48):(48,1)");
    assert_true(swb_composed_recast(&plain, 8, 24, &wide, NULL));
}

static void test_forms_of_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"(8,64)", "(8,64):(1,8)"},
        {"8", "8:1"},
        {"(1,8)", "(1,8):(0,1)"},
        {" ( _8 , ( 2 , 4 ) ) : ( _1 , ( 8 , 16 ) ) ", "(8,(2,4)):(1,(8,16))"},
        {"4:-1", "4:-1"},
        {"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
         "Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)"},
        {"S<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o (8,64):(64,1)"},
        {"Sw<2,0,-3> o _32 o (8,8):(8,1)", "Sw<2,0,-3> o 32 o (8,8):(8,1)"},
        {"Sw<0,4,3> o smem_ptr[32b] o 8:1", "Sw<0,4,3> o smem_ptr[32b] o 8:1"},
        {"Sw<3,3,3> o 64:1", "Sw<3,3,3> o 64:1"},
        {"Sw<0,4,3> o smem_ptr[1b] o 8:1", "Sw<0,4,3> o smem_ptr[1b] o 8:1"},
        {"Sw<0,4,3> o smem_ptr[128b] o 8:1", "Sw<0,4,3> o smem_ptr[128b] o 8:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_BYTES], cut[6];
        struct swb_composed composed = composed_of(cases[i].text);
        size_t length = swb_composed_print(&composed, text, sizeof text);
        assert_string_equal(text, cases[i].printed);
        assert_int_equal(length, strlen(text));
        assert_int_equal(swb_composed_print(&composed, cut, sizeof cut), length);
        assert_memory_equal(cut, text, length < 5 ? length : 5);
    }
}

/* Cut to any length, a text ends in its buffer. */
static void test_printing_into_little_room(void **state)
{
    (void)state;
    static const char *const texts[] = {"Sw<3,4,3> o smem_ptr[16b] o (8,(64,2)):(64,(1,512))",
                                        "Sw<2,3,3> o 8 o 64:1", "(8,64):(64,1)"};
    for (unsigned i = 0; i < 3; i++) {
        struct swb_composed composed = composed_of(texts[i]);
        for (size_t room = 0; room <= strlen(texts[i]) + 1; room++) {
            char text[TEXT_BYTES];
            memset(text, '#', sizeof text);
            assert_int_equal(swb_composed_print(&composed, text, room), strlen(texts[i]));
            for (size_t at = room; at < sizeof text; at++)
                assert_int_equal(text[at], '#');
            if (room > 0) {
                assert_int_equal(strlen(text), room - 1);
                assert_memory_equal(text, texts[i], room - 1);
            }
        }
        assert_int_equal(swb_composed_print(&composed, NULL, 0), strlen(texts[i]));
    }
}

static void test_typos_are_pointed_at(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned column;
        const char *sentence_part;
    } cases[] = {
        {"", 1, "the text ends where a number should be"},
        {"(8,64):(64,x)", 12, "'x' stands where a number"},
        {"(8,64:(64,1)", 6, "',' or ')'"},
        {"(8,64):(64,1", 13, "the text ends where ',' or ')'"},
        {"(8,64):(64,1))", 14, "the end"},
        {"(8,64);(64,1)", 7, "the end"},
        {"(8,64):(64,1,2)", 8, "3 modes where the shape has 2"},
        {"(8,(2,32)):(64,1)", 16, "an integer where the shape has a tuple"},
        {"(8,64):(64,(1,2))", 12, "a tuple where the shape has an integer"},
        {"((8,2),64):(1,16)", 13, "an integer where the shape has a tuple"},
        {"(8,0):(1,8)", 4, "an extent is 0"},
        {"(8,-2):(1,8)", 4, "an extent is -2"},
        {"()", 2, "a number"},
        {"8:4294967296", 3, "larger than 2^30"},
        {"(65536,65536):(1,1)", 1, "more than 2^30 coordinates"},
        {"(2,2):(1073741823,1073741823)", 1, "indices of 2^30"},
        {"Sw<3,4> o 8:1", 7, "',' should be"},
        {"Sw<3,x,3> o 8:1", 6, "'x' stands where a number"},
        {"Sw<3,4,3 o 8:1", 10, "'>' should be"},
        {"Sw<3,-4,3> o 8:1", 4, "base bit must not be negative"},
        {"Sw<-1,4,3> o 8:1", 4, "number of bits must not be negative"},
        {"Sw<3,4,2> o 8:1", 4, "overlap"},
        {"Sw<0,-1,3> o 8:1", 4, "base bit must not be negative"},
        {"Sw<1,4,0> o 8:1", 4, "two addresses become one"},
        {"Sw<2,4,0> o 8:1", 4, "two addresses become one"},
        {"Sw<3,4,40> o 8:1", 4, "beyond bit 29"},
        {"Sw<3,4,3> 8:1", 11, "'o' should be"},
        {"Sw<3,4,3> o smem_ptr[16] o 8:1", 24, "'b' should be"},
        {"Sw<3,4,3> o smem_ptr[0b] o 8:1", 22, "0 bits"},
        {"Sw<3,4,3> o smem_ptr[129b] o 8:1", 22, "129 bits"},
        {"Sw<3,4,3> o smem_ptr 16b] o 8:1", 22, "'[' should be"},
        {"Sw<3,4,3> o smem_ptr[(8)b] o 8:1", 22, "'(' stands where a number"},
        {"Sx<3,4,3> o 8:1", 1, "a number"},
        {"((((((((((((((((1))))))))))))))))", 17, "deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_composed composed;
        struct swb_refusal refusal = {.sentence = ""};
        assert_false(swb_composed_parse(cases[i].text, &composed, &refusal));
        if (refusal.column != cases[i].column ||
            strstr(refusal.sentence, cases[i].sentence_part) == NULL)
            fail_msg("%s: column %u: %s", cases[i].text, refusal.column, refusal.sentence);
        assert_false(swb_composed_parse(cases[i].text, &composed, NULL));
    }
}

/* The deepest that there is, and tuples that are none. */
static void test_tuples(void **state)
{
    (void)state;
    struct swb_layout deepest =
        layout_of("(((((((((((((((2))))))))))))))):(((((((((((((((1)))))))))))))))");
    struct swb_tuple tuple = tuple_of("(((((((((((((((2)))))))))))))))");
    assert_true(swb_tuple_equal(&tuple, &deepest.shape));
    static const char *const bad[] = {"x", "(8,8)x", "(8,8", ""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(swb_tuple_parse(bad[i], &tuple, NULL));
        assert_true(swb_tuple_equal(&tuple, &deepest.shape));
    }
}

/* Composed, an extent of 1 moves nothing, and so goes neither up nor down. */
static void test_extents_of_1_go_nowhere(void **state)
{
    (void)state;
    struct swb_layout a = layout_of("(4,4):(-1,1)"), b = layout_of("(2,1):(1,-1)"), result;
    assert_true(swb_composition(&a, &b, &result, NULL));
    assert_int_equal(swb_layout_size(&result), 2);
    assert_int_equal(swb_layout_at(&result, 0), 0);
    assert_int_equal(swb_layout_at(&result, 1), -1);
}

/* `first`, and ones up to `count` integers. */
static void list_ones(char *text, const char *first, unsigned count)
{
    sprintf(text, "(%s", first);
    for (unsigned i = 1; i < count; i++)
        strcat(text, ",1");
    strcat(text, ")");
}

/* The most nodes that there are, 64 with the parentheses, go through everything. */
static void test_a_full_layout(void **state)
{
    (void)state;
    char text[TEXT_BYTES], order[TEXT_BYTES];
    list_ones(text, "2", SWB_TUPLE_NODES - 1);
    list_ones(order, "7", SWB_TUPLE_NODES - 1);
    struct swb_layout full = layout_of(text), again, result;
    struct swb_tuple numbers = tuple_of(order), coordinate;
    int64_t index;
    swb_layout_print(&full, text, sizeof text);
    again = layout_of(text);
    assert_true(swb_layout_equal(&again, &full));
    assert_true(swb_layout_make(&full.shape, &full.stride, &again, NULL));
    assert_true(swb_layout_make_ordered(&full.shape, &numbers, &again, NULL));
    assert_true(swb_layout_equal(&again, &full));
    assert_int_equal(swb_layout_cosize(&full), 2);
    swb_layout_coordinate(&full, 1, &coordinate);
    assert_true(swb_layout_at_coordinate(&full, &coordinate, &index, NULL));
    assert_int_equal(index, 1);
    assert_true(swb_upcast(&full, 2, &result, NULL));
    assert_int_equal(swb_layout_size(&result), 1);
    assert_true(swb_downcast(&full, 2, &result, NULL));
    assert_int_equal(swb_layout_size(&result), 4);
    struct swb_layout two = layout_of("2:1");
    assert_true(swb_composition(&two, &full, &result, NULL));
    assert_int_equal(swb_layout_at(&result, 1), 1);
    assert_true(swb_complement(&full, 4, &result, NULL));
    assert_layout(&result, "2:2");
    assert_true(swb_right_inverse(&full, &result, NULL));
    assert_layout(&result, "2:1");
    assert_true(swb_left_inverse(&full, &result, NULL));
    assert_layout(&result, "2:1");
}

static void test_results_that_do_not_fit(void **state)
{
    (void)state;
    char text[TEXT_BYTES], nested[TEXT_BYTES];
    struct swb_layout result, pair = layout_of("(1,1)"), a = layout_of("(2,2):(1,4)");
    struct swb_refusal refusal = {.column = 9};
    /* 62 integers, the first of which becomes two. */
    list_ones(text, "4", 62);
    struct swb_layout b = layout_of(text);
    assert_false(swb_composition(&a, &b, &result, &refusal));
    assert_non_null(strstr(refusal.sentence, "64"));
    assert_int_equal(refusal.column, 0);
    /* One mode of 64 nodes with another beside it. */
    list_ones(text, "1", 62);
    snprintf(nested, sizeof nested, "(%s)", text);
    b = layout_of(nested);
    assert_false(swb_blocked_product(&b, &pair, &result, &refusal));
    assert_non_null(strstr(refusal.sentence, "64"));
    assert_false(swb_blocked_product(&pair, &b, &result, &refusal));
    assert_non_null(strstr(refusal.sentence, "64"));
    /* 30 pairs. */
    list_ones(text, "1", 30);
    b = layout_of(text);
    assert_false(swb_blocked_product(&b, &b, &result, &refusal));
    assert_non_null(strstr(refusal.sentence, "64"));
}

static void test_what_does_not_fit_is_refused(void **state)
{
    (void)state;
    char text[TEXT_BYTES] = "(1";
    struct swb_layout layout;
    struct swb_refusal refusal;
    for (unsigned i = 2; i < SWB_TUPLE_NODES; i++)
        strcat(text, ",1");
    strcat(text, ")");
    assert_true(swb_layout_parse(text, &layout, NULL)); /* with its parentheses, just 64 nodes */
    struct swb_layout modes[2] = {layout, layout};
    assert_false(swb_layout_join(modes, 2, &layout, &refusal));
    assert_non_null(strstr(refusal.sentence, "64"));
    struct swb_layout tiler = layout_of("(2,2)");
    assert_false(swb_blocked_product(&modes[0], &tiler, &layout, &refusal));
    text[strlen(text) - 1] = '\0';
    strcat(text, ",1)");
    assert_false(swb_layout_parse(text, &layout, &refusal));
    assert_non_null(strstr(refusal.sentence, "64"));
}

/* ---- The named layouts, once more and independently ---- */

static const struct swb_layout_mode *mode_named(const char *name)
{
    size_t i = 0;
    while (strcmp(swb_layout_mode_at(i)->name, name) != 0)
        i++;
    return swb_layout_mode_at(i);
}

/* The canonical layouts of PTX and CuTe for two atoms each way, written out with T = 16 bytes
 * worth of elements, against layouts.c. */
static void check_canonical(const char *mode_name, enum swb_major major, enum swb_stack stack,
                            unsigned elem_bits)
{
    const struct swb_layout_mode *mode = mode_named(mode_name);
    unsigned t = 128 / elem_bits, chunks = 1u << mode->swizzle_bits, atom = 8 * chunks * t;
    bool k_major = major == SWB_K_MAJOR;
    unsigned rows = k_major ? 16 : 2 * chunks * t, cols = k_major ? 2 * chunks * t : 16;
    unsigned next_row = stack == SWB_STACK_COL ? atom : 2 * atom;
    unsigned next_col = stack == SWB_STACK_COL ? 2 * atom : atom;
    char text[TEXT_BYTES];
    if (k_major)
        snprintf(text, sizeof text,
                 "Sw<%u,4,3> o smem_ptr[%ub] o ((8,2),(%u,%u,2)):((%u,%u),(1,%u,%u))",
                 mode->swizzle_bits, elem_bits, t, chunks, chunks * t, next_row, t, next_col);
    else
        snprintf(text, sizeof text,
                 "Sw<%u,4,3> o smem_ptr[%ub] o ((%u,%u,2),(8,2)):((1,%u,%u),(%u,%u))",
                 mode->swizzle_bits, elem_bits, t, chunks, t, next_row, chunks * t, next_col);
    struct swb_composed canonical = composed_of(text);
    struct swb_tile tile = {mode, major, stack, rows, cols, elem_bits};
    assert_int_equal(swb_layout_size(&canonical.layout), rows * cols);
    for (unsigned col = 0; col < cols; col++) {
        for (unsigned row = 0; row < rows; row++)
            assert_int_equal(
                swb_composed_bit_address(&canonical, elem_bits, 0, row + rows * col, 0) / 8,
                swb_tile_byte_offset(&tile, row, col));
    }
}

static void test_named_layouts_are_the_canonical_ones(void **state)
{
    (void)state;
    static const char *const names[] = {"none", "32B", "64B", "128B"};
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned elem_bits = 4; elem_bits <= 32; elem_bits *= 2) {
            for (unsigned variant = 0; variant < 4; variant++)
                check_canonical(names[i], variant & 1 ? SWB_MN_MAJOR : SWB_K_MAJOR,
                                variant & 2 ? SWB_STACK_COL : SWB_STACK_ROW, elem_bits);
        }
    }
}

static void test_every_named_layout_has_a_form(void **state)
{
    (void)state;
    struct swb_composed composed;
    for (size_t i = 0; swb_layout_mode_at(i) != NULL; i++) {
        for (unsigned variant = 0; variant < 16; variant++) {
            struct swb_tile tile = {.mode = swb_layout_mode_at(i),
                                    .major = variant & 1 ? SWB_MN_MAJOR : SWB_K_MAJOR,
                                    .stack = variant & 2 ? SWB_STACK_COL : SWB_STACK_ROW,
                                    .rows = 256,
                                    .cols = 256,
                                    .elem_bits = 4u << variant / 4};
            assert_int_equal(swb_tile_composed(&tile, &composed, NULL), !tile.mode->flip_8_bytes);
            if (tile.mode->flip_8_bytes)
                continue;
            assert_int_equal(composed.pointer_bits, tile.mode->swizzle_bits ? tile.elem_bits : 0);
            for (unsigned at = 0; at < tile.rows * tile.cols; at += 7)
                assert_int_equal(swb_composed_bit_address(&composed, tile.elem_bits, 0, at, 0) / 8,
                                 swb_tile_byte_offset(&tile, at % tile.rows, at / tile.rows));
        }
    }
}

static void test_a_tile_that_is_none_has_no_form(void **state)
{
    (void)state;
    struct swb_composed composed;
    struct swb_refusal refusal = {.column = 9};
    struct swb_tile tile = {.mode = mode_named("128B"), .rows = 12, .cols = 64, .elem_bits = 16};
    assert_false(swb_tile_composed(&tile, &composed, &refusal));
    assert_int_equal(refusal.column, 0);
    assert_string_equal(refusal.sentence, swb_tile_refusal(&tile));
    tile.mode = mode_named("128B-atom32B-flip8B");
    tile.rows = 8;
    refusal.column = 9;
    assert_false(swb_tile_composed(&tile, &composed, &refusal));
    assert_int_equal(refusal.column, 0);
    assert_non_null(strstr(refusal.sentence, "no form"));
}

/* CuTe's evaluation of its canonical layouts, swizzle,major,elem_bits,part,row,col,element_offset:
 * layout(row,col) of Sw<B,4,3> o smem_ptr[16b](unset) o L. The pointer is unset, so CuTe swizzles
 * the index of the element as if it were an address in bytes. That is what swb_composed_at does;
 * where the hardware has the element, swb_composed_bit_address and layouts.c say, and
 * test_layouts.c checks against the hardware. */
static void test_equals_cute_smem_layouts(void **state)
{
    (void)state;
    char line[256];
    unsigned rows = 0, also_in_memory = 0;
    FILE *file = fopen("tests/golden/cute-smem-layouts.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char mode[16], major[4], part[16];
        unsigned elem_bits, row, col, offset;
        if (line[0] == '#' || strncmp(line, "swizzle,", 8) == 0)
            continue;
        assert_int_equal(sscanf(line, "%15[^,],%3[^,],%u,%15[^,],%u,%u,%u", mode, major, &elem_bits,
                                part, &row, &col, &offset),
                         7);
        unsigned atoms = strcmp(part, "atom") == 0 ? 1 : 2;
        unsigned line_elems = atoms * mode_named(mode)->span_bytes * 8 / elem_bits;
        bool k_major = strcmp(major, "K") == 0;
        struct swb_tile tile = {.mode = mode_named(mode),
                                .major = k_major ? SWB_K_MAJOR : SWB_MN_MAJOR,
                                .stack =
                                    strcmp(part, "stack_row") == 0 ? SWB_STACK_ROW : SWB_STACK_COL,
                                .rows = k_major ? 8 * atoms : line_elems,
                                .cols = k_major ? line_elems : 8 * atoms,
                                .elem_bits = elem_bits};
        struct swb_composed composed;
        assert_true(swb_tile_composed(&tile, &composed, NULL));
        assert_int_equal(swb_composed_at(&composed, row + tile.rows * col), offset);
        also_in_memory += swb_tile_byte_offset(&tile, row, col) == offset * elem_bits / 8;
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 9600);
    assert_int_equal(also_in_memory, 3328); /* all of "none", and where both swizzles agree */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_cute),
        cmocka_unit_test(test_documented_examples),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_recast),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_print_and_parse_again),
        cmocka_unit_test(test_coalesce_keeps_the_function),
        cmocka_unit_test(test_composition_is_one_after_the_other),
        cmocka_unit_test(test_complement_is_ordered_and_disjoint),
        cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_composed_with_its_inverse),
        cmocka_unit_test(test_composition_is_associative),
        cmocka_unit_test(test_tile_to_shape_repeats_the_block),
        cmocka_unit_test(test_zipped_forms),
        cmocka_unit_test(test_swizzled_layouts_are_one_to_one),
        cmocka_unit_test(test_recast_moves_nothing),
        cmocka_unit_test(test_division_visits_every_element_once),
        cmocka_unit_test(test_product_repeats_the_block),
        cmocka_unit_test(test_casts_undo_each_other),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_swizzle_is_its_own_inverse),
        cmocka_unit_test(test_swizzle_numbers),
        cmocka_unit_test(test_swizzle_reach),
        cmocka_unit_test(test_recasts_that_are_refused),
        cmocka_unit_test(test_pointer_or_index),
        cmocka_unit_test(test_narrow_elements),
        cmocka_unit_test(test_forms_of_text),
        cmocka_unit_test(test_printing_into_little_room),
        cmocka_unit_test(test_typos_are_pointed_at),
        cmocka_unit_test(test_tuples),
        cmocka_unit_test(test_extents_of_1_go_nowhere),
        cmocka_unit_test(test_a_full_layout),
        cmocka_unit_test(test_results_that_do_not_fit),
        cmocka_unit_test(test_what_does_not_fit_is_refused),
        cmocka_unit_test(test_named_layouts_are_the_canonical_ones),
        cmocka_unit_test(test_every_named_layout_has_a_form),
        cmocka_unit_test(test_a_tile_that_is_none_has_no_form),
        cmocka_unit_test(test_equals_cute_smem_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
