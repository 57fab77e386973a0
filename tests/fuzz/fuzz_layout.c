/* Is a layout in CuTe's notation read as what it says, and does the algebra keep it a function? */
#include <stdlib.h>
#include <string.h>

#include "model/swizzlebench.h"
#include "tests/fuzz/fuzz.h"

enum { PLACES = 64, TEXT_BYTES = 4096, MOST_WALKED = 1 << 16 };

/* Up to 64 coordinates: the first ones, or spread over all. */
static int64_t place(const struct swb_layout *layout, int64_t i)
{
    int64_t size = swb_layout_size(layout);
    return size <= PLACES ? i % size : i * (size / PLACES);
}

static void check_printed(const struct swb_composed *read)
{
    struct swb_composed again;
    char text[TEXT_BYTES], twice[TEXT_BYTES];
    FUZZ_CHECK(swb_composed_print(read, text, sizeof text) < sizeof text);
    FUZZ_CHECK(swb_composed_parse(text, &again, NULL));
    FUZZ_CHECK(swb_layout_equal(&read->layout, &again.layout));
    FUZZ_CHECK(read->pointer_bits == again.pointer_bits);
    FUZZ_CHECK(swb_composed_print(&again, twice, sizeof twice) < sizeof twice);
    FUZZ_CHECK(strcmp(text, twice) == 0);
    for (int64_t i = 0; i < PLACES; i++) {
        int64_t at = place(&read->layout, i);
        FUZZ_CHECK(swb_composed_at(read, at) == swb_composed_at(&again, at));
    }
}

static void check_coordinates(const struct swb_layout *layout)
{
    struct swb_tuple coordinate;
    int64_t index, cosize = swb_layout_cosize(layout);
    FUZZ_CHECK(swb_layout_size(layout) >= 1 && swb_layout_size(layout) <= SWB_LAYOUT_MAX_SIZE);
    for (int64_t i = 0; i < PLACES; i++) {
        int64_t at = place(layout, i);
        swb_layout_coordinate(layout, at, &coordinate);
        FUZZ_CHECK(swb_tuple_congruent(&coordinate, &layout->shape));
        FUZZ_CHECK(swb_layout_at_coordinate(layout, &coordinate, &index, NULL));
        FUZZ_CHECK(index == swb_layout_at(layout, at));
        FUZZ_CHECK(index < cosize);
    }
}

static bool has_stride_0(const struct swb_layout *layout)
{
    bool has = false;
    for (unsigned i = 0; i < layout->stride.count; i++)
        has = has || (!layout->stride.nodes[i].is_tuple && layout->stride.nodes[i].value == 0 &&
                      layout->shape.nodes[i].value > 1);
    return has;
}

static void check_inverses(const struct swb_layout *layout)
{
    struct swb_layout inverse;
    if (swb_right_inverse(layout, &inverse, NULL))
        for (int64_t i = 0; i < PLACES; i++) {
            int64_t at = place(&inverse, i);
            FUZZ_CHECK(swb_layout_at(layout, swb_layout_at(&inverse, at)) == at);
        }
    if (swb_left_inverse(layout, &inverse, NULL))
        for (int64_t i = 0; i < PLACES; i++) {
            int64_t at = place(layout, i);
            int64_t index = swb_layout_at(layout, at), back = swb_layout_at(&inverse, index);
            FUZZ_CHECK(swb_layout_at(layout, back) == index);
            FUZZ_CHECK(back == at || has_stride_0(layout));
        }
}

static void check_algebra(const struct swb_layout *layout)
{
    static const char *const tilers[] = {"2:1", "4:2", "(2,2):(1,8)", "8:1", "3:1"};
    struct swb_layout result, tiler;
    int64_t first, second;
    if (swb_coalesce(layout, &result, NULL)) {
        FUZZ_CHECK(swb_layout_size(&result) == swb_layout_size(layout));
        for (int64_t i = 0; i < PLACES; i++) {
            int64_t at = place(layout, i);
            FUZZ_CHECK(swb_layout_at(&result, at) == swb_layout_at(layout, at));
        }
    }
    for (size_t t = 0; t < sizeof tilers / sizeof tilers[0]; t++) {
        FUZZ_CHECK(swb_layout_parse(tilers[t], &tiler, NULL));
        if (swb_composition(layout, &tiler, &result, NULL))
            for (int64_t i = 0; i < swb_layout_size(&tiler); i++)
                FUZZ_CHECK(swb_layout_at(&result, i) ==
                           swb_layout_at(layout, swb_layout_at(&tiler, i)));
        if (swb_logical_divide(layout, &tiler, &result, NULL))
            FUZZ_CHECK(swb_layout_size(&result) >= swb_layout_size(layout));
        if (swb_logical_product(layout, &tiler, &result, NULL))
            FUZZ_CHECK(swb_layout_size(&result) ==
                       swb_layout_size(layout) * swb_layout_size(&tiler));
    }
    swb_complement(layout, 4096, &result, NULL);
    if (swb_layout_size(layout) <= MOST_WALKED && swb_layout_collision(layout, &first, &second)) {
        FUZZ_CHECK(first < second && second < swb_layout_size(layout));
        FUZZ_CHECK(swb_layout_at(layout, first) == swb_layout_at(layout, second));
    }
    check_inverses(layout);
}

/* CuTe narrows each mode with stride 1 or -1; the memory is the same where there is one. */
static bool has_one_adjacent(const struct swb_layout *layout)
{
    unsigned adjacent = 0;
    for (unsigned i = 0; i < layout->stride.count; i++)
        adjacent += !layout->stride.nodes[i].is_tuple && llabs(layout->stride.nodes[i].value) == 1;
    return adjacent == 1;
}

/* The same memory in narrower elements, and in the old ones again. */
static void check_recast(const struct swb_composed *read)
{
    static const unsigned widths[] = {1, 4, 8, 16, 32, 64};
    struct swb_composed narrow, back;
    unsigned own = read->pointer_bits ? read->pointer_bits : 16;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        if (widths[i] > own || !has_one_adjacent(&read->layout) ||
            !swb_composed_recast(read, own, widths[i], &narrow, NULL))
            continue;
        FUZZ_CHECK(swb_layout_size(&narrow.layout) ==
                   swb_layout_size(&read->layout) * (own / widths[i]));
        if (swb_composed_recast(&narrow, widths[i], own, &back, NULL))
            FUZZ_CHECK(swb_layout_size(&back.layout) == swb_layout_size(&read->layout));
    }
    for (int64_t i = 0; i < PLACES; i++)
        swb_composed_bit_address(read, own, 0, place(&read->layout, i), 0);
}

static void check_refusal(const char *text, const struct swb_refusal *refusal)
{
    FUZZ_CHECK(refusal->column >= 1 && refusal->column <= strlen(text) + 1);
    FUZZ_CHECK(refusal->sentence[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct swb_refusal refusal = {.column = 0};
    struct swb_composed composed;
    struct swb_layout layout;
    struct swb_tuple tuple, again;
    enum swb_major major;
    char *text = fuzz_text(data, bytes), printed[TEXT_BYTES];
    const struct swb_layout_mode *mode = swb_layout_find(text, &major);

    FUZZ_CHECK(!mode || !swb_composed_parse(text, &composed, NULL)); /* a name is no notation */
    if (swb_composed_parse(text, &composed, &refusal)) {
        check_printed(&composed);
        check_recast(&composed);
    } else {
        check_refusal(text, &refusal);
    }
    if (swb_layout_parse(text, &layout, &refusal)) {
        FUZZ_CHECK(swb_composed_parse(text, &composed, NULL));
        check_coordinates(&layout);
        check_algebra(&layout);
    } else {
        check_refusal(text, &refusal);
    }
    if (swb_tuple_parse(text, &tuple, &refusal)) {
        FUZZ_CHECK(swb_tuple_print(&tuple, printed, sizeof printed) < sizeof printed);
        FUZZ_CHECK(swb_tuple_parse(printed, &again, NULL) && swb_tuple_equal(&tuple, &again));
    } else {
        check_refusal(text, &refusal);
    }
    free(text);
    return 0;
}
