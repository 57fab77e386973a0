/* Does the rule for cp.async say what the hardware said? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/access_file.h"
#include "model/swizzlebench.h"

static struct swb_copy_cost cost_of(const char *name, const struct swb_copy *copy)
{
    struct swb_copy_cost cost;
    assert_true(swb_copy_cost(swb_instruction_find(name), copy, &cost));
    return cost;
}

/* Rows of `run` bytes, `to_pitch` apart in shared memory and 1024 apart in global memory. */
static struct swb_copy rows_of(unsigned lane_bytes, unsigned run, unsigned to_pitch, bool bypass_l1)
{
    struct swb_copy copy = {.to.active_mask = UINT32_MAX, .bypass_l1 = bypass_l1};
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        unsigned byte = lane * lane_bytes;
        copy.to.lane_byte_addresses[lane] = byte / run * to_pitch + byte % run;
        copy.global_byte_addresses[lane] = byte / run * 1024 + byte % run;
    }
    return copy;
}

static void assert_cost(struct swb_copy_cost cost, unsigned wavefronts, unsigned ideal,
                        unsigned conflicts, unsigned sectors)
{
    assert_int_equal(cost.wavefronts, wavefronts);
    assert_int_equal(cost.ideal_wavefronts, ideal);
    assert_int_equal(cost.conflicts, conflicts);
    assert_int_equal(cost.sectors, sectors);
}

/* The columns behind the six that access_file reads: hw_wavefronts, hw_bank_conflicts, hw_sectors.
 */
static void read_measured(const char *line, unsigned long *values)
{
    for (int comma = 0; comma < 5; comma++)
        line = strchr(line, ',') + 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        values[i] = strtoul(line, &end, 10);
        line = end + 1;
    }
}

static void test_equals_the_hardware(void **state)
{
    (void)state;
    struct access_file file;
    struct access_row row = {.instruction = NULL};
    struct error error;
    unsigned rows = 0;
    assert_true(access_file_open("tests/golden/h200-cp-async.csv", &file, &error));
    for (const char *line = file.at; access_file_next(&file, &row, &error); line = file.at) {
        struct swb_copy copy = {row.access, {0}, row.bypass_l1};
        unsigned long measured[3];
        memcpy(copy.global_byte_addresses, row.global_byte_addresses,
               sizeof copy.global_byte_addresses);
        assert_true(row.has_globals);
        read_measured(line, measured);
        struct swb_copy_cost cost = cost_of(row.instruction->name, &copy);
        assert_int_equal(cost.wavefronts, measured[0]);
        assert_int_equal(cost.conflicts, measured[1]);
        assert_int_equal(cost.sectors, measured[2]);
        rows++;
    }
    assert_int_equal(error.kind, ERROR_NONE);
    access_file_close(&file);
    assert_int_equal(rows, 2400);
}

static void test_tiles(void **state)
{
    (void)state;
    struct swb_copy packed = rows_of(16, 128, 128, false), padded = rows_of(16, 128, 144, true);
    assert_cost(cost_of("cp.async.16", &packed), 4, 4, 0, 16);
    packed.bypass_l1 = true;
    assert_cost(cost_of("cp.async.16", &packed), 4, 4, 0, 16);
    /* A row moved by one chunk: past L1 each sector is asked for twice. */
    assert_cost(cost_of("cp.async.16", &padded), 10, 4, 0, 24);
    /* Rows of 32 bytes come from one place of four lines. */
    struct swb_copy narrow = rows_of(4, 32, 32, false);
    assert_cost(cost_of("cp.async.4", &narrow), 4, 1, 3, 4);
}

/* Equal addresses collide at either end, unlike in a load or a store. */
static void test_equal_addresses(void **state)
{
    (void)state;
    struct swb_copy copy = rows_of(4, 128, 128, false);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        copy.global_byte_addresses[lane] = 512;
    assert_cost(cost_of("cp.async.4", &copy), 32, 1, 31, 1);
    copy = rows_of(8, 128, 128, false);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        copy.to.lane_byte_addresses[lane] = 64;
    assert_cost(cost_of("cp.async.8", &copy), 32, 2, 30, 8);
    /* Past L1 only the first writer of a chunk counts. */
    copy = rows_of(16, 128, 128, true);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        copy.to.lane_byte_addresses[lane] = 64;
    assert_cost(cost_of("cp.async.16", &copy), 1, 4, 0, 1);
}

static void test_masks(void **state)
{
    (void)state;
    struct swb_copy copy = rows_of(16, 128, 128, false);
    copy.to.active_mask = 0;
    assert_cost(cost_of("cp.async.16", &copy), 0, 0, 0, 0);
    copy.to.active_mask = 0x80000001;
    assert_cost(cost_of("cp.async.16", &copy), 2, 2, 0, 2);
}

static void test_refusals(void **state)
{
    (void)state;
    struct swb_copy copy = rows_of(4, 128, 128, true);
    struct swb_copy_cost cost;
    assert_false(swb_copy_cost(swb_instruction_find("cp.async.4"), &copy, &cost));
    assert_false(swb_copy_cost(swb_instruction_find("ld.shared.b32"), &copy, &cost));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_hardware),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_equal_addresses),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("cp.async", tests, NULL, NULL);
}
