/* Does the comparison with the driver find a driver that is different, and show it small? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tma_fuzz.h"
#include "tests/ask.h"

enum { HOPPER = 90, TRIES = 20000 };

/* A driver that follows the model. */
static bool same(void *context, const struct swb_tma_map *map, int *code, struct error *error)
{
    (void)context, (void)error;
    *code = swb_tma_check(map, HOPPER, NULL, 0) == 0 ? 0 : 1;
    return true;
}

/* One that takes a kilobyte less in a box. */
static bool less_room(void *context, const struct swb_tma_map *map, int *code, struct error *error)
{
    uint64_t bytes = swb_tma_elem_bits(map->dtype) / 8;
    for (unsigned i = 0; i < map->rank && i < SWB_TMA_MAX_RANK; i++)
        bytes *= map->element_strides[i] > 0 ? map->box[i] / map->element_strides[i] : 1;
    same(context, map, code, error);
    *code = *code != 0 || bytes > 227 * 1024;
    return true;
}

/* One that follows the documentation on element_strides[0]. */
static bool ignores_first_step(void *context, const struct swb_tma_map *map, int *code,
                               struct error *error)
{
    struct swb_tma_map ignoring = *map;
    ignoring.element_strides[0] = 1;
    return same(context, map->interleave == 0 ? &ignoring : map, code, error);
}

static bool breaks_down(void *context, const struct swb_tma_map *map, int *code,
                        struct error *error)
{
    unsigned *left = context;
    if ((*left)-- == 0)
        return error_set(error, ERROR_FAILED, "the driver is gone");
    return less_room(NULL, map, code, error);
}

static struct tma_fuzz fuzz_of(tma_encode *encode, void *context)
{
    return (struct tma_fuzz){.seed = 1,
                             .count = TRIES,
                             .compute_capability = HOPPER,
                             .encode = encode,
                             .context = context};
}

static struct tma_fuzz_result result;

static void test_a_driver_that_agrees(void **state)
{
    (void)state;
    struct error error = {.kind = ERROR_NONE};
    struct tma_fuzz fuzz = fuzz_of(same, NULL);
    assert_true(tma_fuzz(&fuzz, &result, &error));
    assert_int_equal(result.done, TRIES);
    assert_int_equal(result.mismatches, 0);
    assert_int_equal(result.kept, 0);
    assert_in_range(result.taken, TRIES / 3, TRIES * 3 / 4);
}

static void test_a_smaller_limit(void **state)
{
    (void)state;
    struct error error = {.kind = ERROR_NONE};
    struct tma_fuzz fuzz = fuzz_of(less_room, NULL);
    assert_true(tma_fuzz(&fuzz, &result, &error));
    assert_in_range(result.mismatches, 100, TRIES / 5);
    assert_in_range(result.kept, 1, TMA_FUZZ_KEPT);
    for (unsigned i = 0; i < result.kept; i++) {
        const struct tma_mismatch *mismatch = &result.smallest[i];
        assert_int_equal(mismatch->code, 1);
        assert_int_equal(mismatch->map.dims[0], 1);
        assert_int_equal(mismatch->map.interleave, 0);
    }
}

static void test_a_rule_that_the_driver_lacks(void **state)
{
    (void)state;
    struct error error = {.kind = ERROR_NONE};
    struct tma_fuzz fuzz = fuzz_of(ignores_first_step, NULL);
    assert_true(tma_fuzz(&fuzz, &result, &error));
    assert_true(result.mismatches > 0);
    bool found = false;
    for (unsigned i = 0; i < result.kept; i++) {
        const struct tma_mismatch *mismatch = &result.smallest[i];
        found = found || (mismatch->code == 0 && mismatch->map.rank == 1 &&
                          mismatch->map.element_strides[0] == 9 && mismatch->map.box[0] == 16 &&
                          strcmp(mismatch->broken.rule, "element-stride-most") == 0);
    }
    assert_true(found);
}

static void test_printed_rows(void **state)
{
    (void)state;
    char *text;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    result = (struct tma_fuzz_result){
        .kept = 2,
        .smallest = {{.map = {.rank = 1, .dims = {1}, .box = {16}, .element_strides = {9}},
                      .broken = {"element-stride-most", "too far"}},
                     {.map = {.dtype = 9, .rank = 2}, .code = 801}}};
    tma_fuzz_print(to, &result);
    fclose(to);
    assert_string_equal(
        text,
        "dtype,elem_bytes,rank,addr_mod_64,dims,strides,box,element_strides,interleave,swizzle,"
        "l2_promotion,oob_fill,result\n"
        "# the driver takes it, the model has: element-stride-most: too far\n"
        "0,1,1,0,1;0;0;0;0,0;0;0;0,16;0;0;0;0,9;0;0;0;0,0,0,0,0,0\n"
        "# the driver refuses it with code 801, the model takes it\n"
        "9,2,2,0,0;0;0;0;0,0;0;0;0,0;0;0;0;0,0;0;0;0;0,0,0,0,0,801\n");
    free(text);
}

static void test_a_driver_that_is_gone(void **state)
{
    (void)state;
    for (unsigned left = 0; left < 3000; left += 97) {
        struct error error = {.kind = ERROR_NONE};
        unsigned calls = left;
        struct tma_fuzz fuzz = fuzz_of(breaks_down, &calls);
        assert_false(tma_fuzz(&fuzz, &result, &error));
        assert_int_equal(error.kind, ERROR_FAILED);
        assert_true(result.done <= left);
    }
}

static void count_up(void *context, uint64_t done)
{
    *(uint64_t *)context = done;
}

static void test_part_of_a_run(void **state)
{
    (void)state;
    struct error error = {.kind = ERROR_NONE};
    struct tma_fuzz whole = fuzz_of(less_room, NULL), half = whole;
    uint64_t done = 0, mismatches, taken;
    whole.progress = count_up;
    whole.progress_context = &done;
    assert_true(tma_fuzz(&whole, &result, &error));
    mismatches = result.mismatches;
    taken = result.taken;
    assert_in_range(done, TRIES / 2, TRIES);
    half.count = TRIES / 2;
    assert_true(tma_fuzz(&half, &result, &error));
    mismatches -= result.mismatches;
    taken -= result.taken;
    half.first = TRIES / 2;
    assert_true(tma_fuzz(&half, &result, &error));
    assert_int_equal(result.mismatches, mismatches);
    assert_int_equal(result.taken, taken);
}

/* Every rule is met alone, on both sides. */
static void test_reaches_every_rule(void **state)
{
    (void)state;
    enum { MAPS = 200000, NAMES = 64 };
    static const char *const rules[] = {"type",
                                        "type-packed",
                                        "interleave",
                                        "swizzle",
                                        "swizzle-atom",
                                        "l2-promotion",
                                        "fill",
                                        "fill-nan",
                                        "rank-least",
                                        "rank-most",
                                        "rank-interleaved",
                                        "address-16B",
                                        "address-32B",
                                        "dim-least",
                                        "dim-most",
                                        "stride-16B",
                                        "stride-32B",
                                        "stride-most",
                                        "box-width-least",
                                        "box-width-16B",
                                        "box-width-span",
                                        "box-least",
                                        "box-most",
                                        "element-stride-least",
                                        "element-stride-most",
                                        "box-bytes"};
    unsigned alone[sizeof rules / sizeof rules[0]] = {0};
    for (unsigned i = 0; i < MAPS; i++) {
        struct fuzz_random random = fuzz_random_of(7, i);
        struct swb_tma_map map;
        struct swb_tma_broken broken;
        tma_fuzz_map(&random, &map);
        if (swb_tma_check(&map, HOPPER, &broken, 1) != 1)
            continue;
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++)
            alone[rule] += strcmp(broken.rule, rules[rule]) == 0;
    }
    for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
        if (alone[rule] < 20)
            fail_msg("%s is broken alone %u times", rules[rule], alone[rule]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_driver_that_agrees),         cmocka_unit_test(test_a_smaller_limit),
        cmocka_unit_test(test_a_rule_that_the_driver_lacks), cmocka_unit_test(test_printed_rows),
        cmocka_unit_test(test_a_driver_that_is_gone),        cmocka_unit_test(test_part_of_a_run),
        cmocka_unit_test(test_reaches_every_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
