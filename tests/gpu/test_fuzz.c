/* Does the fuzz find the one access in 128 Ki on which model and hardware differ, and agree where
 * they do not? The difference is made by changing an address behind the hardware's back. */
#include "bench/fuzz_access.h"
#include "bench/fuzz_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fuzz_search *open_search(const char *instruction)
{
    struct error error = {0};
    struct fuzz_search *s = calloc(1, sizeof *s);
    struct fuzz_random random = fuzz_random_of(7, 7);
    if (!gpu_open(0, &s->gpu, &error)) {
        print_message("%s\n", error.text);
        skip();
    }
    s->path = "/dev/null";
    s->batch.instruction = swb_instruction_find(instruction);
    s->batch.count = FUZZ_BATCH;
    for (unsigned i = 0; i < FUZZ_BATCH; i++) {
        struct swb_copy access = {.bypass_l1 = false};
        if (s->batch.instruction->kind == SWB_CP_ASYNC)
            fuzz_copy(&random, s->batch.instruction, &access);
        else
            fuzz_access(&random, s->batch.instruction, &access.to);
        fuzz_set(&s->batch, i, &access, fuzz_weight(&random));
    }
    if (!fuzz_bench_open(s->gpu, &s->bench, &error))
        fail_msg("%s", error.text);
    return s;
}

static void close_search(struct fuzz_search *s)
{
    fuzz_bench_close(s->gpu, s->bench);
    gpu_close(s->gpu);
    free(s);
}

/* All lanes on one bank for the model, which the hardware is not told. */
static void assert_found(const char *instruction, unsigned changed)
{
    struct fuzz_search *s = open_search(instruction);
    struct error error = {0};
    struct row row = {.status = ROW_OK};
    unsigned found = 0;
    bool same;

    assert_true(fuzz_agrees(s, &same, &error));
    assert_true(same);

    struct swb_copy access = fuzz_get(&s->batch, changed);
    access.to.active_mask = UINT32_MAX;
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        access.to.lane_byte_addresses[lane] = lane * 128;
    fuzz_set(&s->batch, changed, &access, s->batch.weights[changed]);
    assert_true(fuzz_find(s, 3, &found, &row, &error));
    assert_int_equal(found, 1);
    assert_int_equal(row.status, ROW_FAILED);
    close_search(s);
}

static void test_a_load(void **state)
{
    (void)state;
    assert_found("ld.shared.b64", 77777);
}

static void test_a_store(void **state)
{
    (void)state;
    assert_found("st.shared.b32", 0);
}

static void test_a_matrix(void **state)
{
    (void)state;
    assert_found("ldmatrix.x4", FUZZ_BATCH - 1);
}

static void test_a_copy(void **state)
{
    (void)state;
    assert_found("cp.async.8", 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_load),
        cmocka_unit_test(test_a_store),
        cmocka_unit_test(test_a_matrix),
        cmocka_unit_test(test_a_copy),
    };
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
