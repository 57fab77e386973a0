/* Does the bank model say what the hardware said? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/swizzlebench.h"

static struct swb_cost cost_of(const char *instruction, const struct swb_access *access)
{
    struct swb_cost cost;
    assert_non_null(swb_instruction_find(instruction));
    assert_true(swb_bank_cost(swb_instruction_find(instruction), access, &cost));
    assert_int_equal(cost.conflicts, cost.wavefronts - cost.ideal_wavefronts);
    return cost;
}

static struct swb_access strided(unsigned stride_bytes)
{
    struct swb_access access = {.active_mask = UINT32_MAX};
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        access.lane_byte_addresses[lane] = lane * stride_bytes;
    return access;
}

/* instruction,active_mask,lane_byte_addresses,hw_wavefronts,hw_bank_conflicts */
static void check_measured_row(char *line)
{
    char *rest = line, *end;
    struct swb_access access;
    const char *instruction = strsep(&rest, ",");
    access.active_mask = (uint32_t)strtoul(strsep(&rest, ","), NULL, 16);
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        access.lane_byte_addresses[lane] = (uint32_t)strtoul(rest, &end, 10);
        rest = end;
    }
    assert_true(*rest == ',');
    unsigned long wavefronts = strtoul(rest + 1, &rest, 10);
    unsigned long conflicts = strtoul(rest + 1, NULL, 10);

    struct swb_cost cost = cost_of(instruction, &access);
    assert_int_equal(cost.wavefronts, wavefronts);
    assert_int_equal(cost.conflicts, conflicts);
}

static unsigned check_measured_file(const char *path)
{
    char line[1024];
    unsigned rows = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || strncmp(line, "instruction,", 12) == 0)
            continue;
        check_measured_row(line);
        rows++;
    }
    fclose(file);
    return rows;
}

static void test_equals_the_hardware(void **state)
{
    (void)state;
    assert_int_equal(check_measured_file("tests/golden/h200-accesses.csv"), 5200);
    assert_int_equal(check_measured_file("tests/golden/h200-accesses-paired-lanes.csv"), 300);
}

/* The model in its plainest form: for each phase and bank, count the distinct words. */
static unsigned plain_wavefronts(const struct swb_instruction *instruction,
                                 const struct swb_access *access)
{
    unsigned phase_lanes = swb_bank_phase_lanes(instruction, access);
    unsigned words = instruction->lane_bytes < 4 ? 1 : instruction->lane_bytes / 4;
    unsigned total = 0;
    for (unsigned first = 0; first < SWB_LANES; first += phase_lanes) {
        unsigned worst = 0;
        for (unsigned bank = 0; bank < SWB_BANKS; bank++) {
            uint32_t seen[SWB_LANES];
            unsigned count = 0;
            for (unsigned lane = first; lane < first + phase_lanes; lane++) {
                bool read = instruction->matrices == 0 || lane < 8 * instruction->matrices;
                if (!read || !(access->active_mask >> lane & 1))
                    continue;
                for (unsigned word = 0; word < words; word++) {
                    uint32_t address = access->lane_byte_addresses[lane] / 4 + word;
                    unsigned known = 0;
                    while (known < count && seen[known] != address)
                        known++;
                    if (address % SWB_BANKS == bank && known == count)
                        seen[count++] = address;
                }
            }
            worst = count > worst ? count : worst;
        }
        total += worst;
    }
    return total;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Few rows, rows 64 apart, repeats and near repeats: what the fast count could get wrong. */
static void test_equals_the_plain_count(void **state)
{
    (void)state;
    uint64_t random = 2024;
    for (unsigned i = 0; i < 50000; i++) {
        const struct swb_instruction *instruction = swb_instruction_at(next_random(&random) % 25);
        if (instruction->kind == SWB_CP_ASYNC)
            continue;
        uint32_t range = 128u << next_random(&random) % 24;
        uint32_t keep = next_random(&random) % 2 ? UINT32_MAX : ~(uint32_t)(0x3f << 7);
        struct swb_access access = {.active_mask = (uint32_t)next_random(&random)};
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            uint32_t address = (uint32_t)next_random(&random) % range & keep;
            if (lane > 0 && next_random(&random) % 4 == 0)
                address = access.lane_byte_addresses[next_random(&random) % lane];
            access.lane_byte_addresses[lane] = address - address % instruction->lane_bytes;
        }
        assert_int_equal(cost_of(instruction->name, &access).wavefronts,
                         plain_wavefronts(instruction, &access));
    }
}

/* What the header says of the hardware, and how many lanes are served together. */
static void test_numbers_of_the_hardware(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        unsigned phase_lanes;
    } cases[] = {{"ld.shared.b8", 32},  {"st.shared.b16", 32}, {"ld.shared.b32", 32},
                 {"ld.shared.b64", 16}, {"st.shared.b64", 16}, {"ld.shared.b128", 8},
                 {"st.shared.b128", 8}, {"ldmatrix.x1", 8},    {"stmatrix.x4.trans", 8}};
    assert_int_equal(SWB_LANES, 32);
    assert_int_equal(SWB_BANKS, 32);
    assert_int_equal(SWB_BANK_BYTES, 4);
    assert_int_equal(SWB_WAVEFRONT_BYTES, 128);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_access access = strided(16);
        const struct swb_instruction *instruction = swb_instruction_find(cases[i].instruction);
        assert_int_equal(swb_bank_phase_lanes(instruction, &access), cases[i].phase_lanes);
        assert_int_equal(swb_bank_pair_distance(instruction, &access), 0);
    }
    /* All lanes want one word: pairs agree, but only wide loads gain by it. */
    struct swb_access one = strided(0);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("ld.shared.b32"), &one), 0);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("st.shared.b64"), &one), 0);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("ldmatrix.x4"), &one), 0);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("ld.shared.b64"), &one), 1);
    assert_int_equal(swb_bank_phase_lanes(swb_instruction_find("ld.shared.b64"), &one), 32);
    assert_int_equal(swb_bank_phase_lanes(swb_instruction_find("ld.shared.b128"), &one), 16);
}

static void test_width_sets_the_ideal(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        unsigned stride_bytes, ideal;
    } cases[] = {{"ld.shared.b8", 1, 1},    {"ld.shared.b16", 2, 1},   {"ld.shared.b32", 4, 1},
                 {"ld.shared.b64", 8, 2},   {"ld.shared.b128", 16, 4}, {"st.shared.b8", 1, 1},
                 {"st.shared.b128", 16, 4}, {"ldmatrix.x1", 16, 1},    {"ldmatrix.x2.trans", 16, 2},
                 {"stmatrix.x4", 16, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct swb_access access = strided(cases[i].stride_bytes);
        struct swb_cost cost = cost_of(cases[i].instruction, &access);
        assert_int_equal(cost.ideal_wavefronts, cases[i].ideal);
        assert_int_equal(cost.conflicts, 0);
    }
}

static void test_a_ladder_of_strides(void **state)
{
    (void)state;
    for (unsigned ways = 1; ways <= 32; ways *= 2) {
        struct swb_access access = strided(4 * ways);
        assert_int_equal(cost_of("ld.shared.b32", &access).wavefronts, ways);
        assert_int_equal(cost_of("st.shared.b32", &access).conflicts, ways - 1);
    }
    struct swb_access access = strided(128);
    assert_int_equal(cost_of("ld.shared.b64", &access).wavefronts, 32);
    assert_int_equal(cost_of("ldmatrix.x4", &access).wavefronts, 32);
    assert_int_equal(cost_of("ldmatrix.x1", &access).wavefronts, 8);
}

static void test_pairs_merge_phases_of_loads(void **state)
{
    (void)state;
    struct swb_access access = strided(0);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        access.lane_byte_addresses[lane] = lane / 2 * 16;
    assert_int_equal(cost_of("ld.shared.b128", &access).wavefronts, 2);
    assert_int_equal(cost_of("st.shared.b128", &access).wavefronts, 4);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("ld.shared.b128"), &access), 1);

    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        access.lane_byte_addresses[lane] = (lane / 4 * 2 + lane % 2) * 8;
    assert_int_equal(cost_of("ld.shared.b64", &access).wavefronts, 1);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("ld.shared.b64"), &access), 2);

    access.lane_byte_addresses[31] += 8; /* one pair that differs is enough */
    assert_int_equal(cost_of("ld.shared.b64", &access).wavefronts, 2);
    assert_int_equal(swb_bank_pair_distance(swb_instruction_find("ld.shared.b64"), &access), 0);

    access.active_mask = UINT32_MAX >> 1; /* a lane that is off differs from nobody */
    assert_int_equal(cost_of("ld.shared.b64", &access).wavefronts, 1);
}

/* All pairs (n, n^distance) agree and no two others; then one of them does not, by turns. */
static void test_one_pair_that_differs_is_enough(void **state)
{
    (void)state;
    for (unsigned distance = 1; distance <= 2; distance++) {
        struct swb_access paired = {.active_mask = UINT32_MAX};
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            paired.lane_byte_addresses[lane] = (lane & ~distance) * 16;
        assert_int_equal(cost_of("ld.shared.b128", &paired).ideal_wavefronts, 2);
        assert_int_equal(cost_of("ld.shared.b64", &paired).ideal_wavefronts, 1);
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            struct swb_access broken = paired;
            broken.lane_byte_addresses[lane] = 16384;
            assert_int_equal(cost_of("ld.shared.b128", &broken).ideal_wavefronts, 4);
            assert_int_equal(cost_of("ld.shared.b64", &broken).ideal_wavefronts, 2);
            broken.active_mask = ~(1u << lane);
            assert_int_equal(cost_of("ld.shared.b128", &broken).ideal_wavefronts, 2);
            broken.active_mask = ~(1u << (lane ^ distance));
            assert_int_equal(cost_of("ld.shared.b64", &broken).ideal_wavefronts, 1);
        }
    }
}

static void test_no_lane_costs_nothing(void **state)
{
    (void)state;
    struct swb_access access = strided(128);
    access.active_mask = 0;
    struct swb_cost cost = cost_of("ld.shared.b32", &access);
    assert_int_equal(cost.wavefronts, 0);
    assert_int_equal(cost.ideal_wavefronts, 0);
    access.active_mask = 0xffffff00; /* ldmatrix.x1 reads lanes 0 to 7 alone */
    assert_int_equal(cost_of("ldmatrix.x1", &access).wavefronts, 0);
}

static void test_cp_async_is_not_predicted(void **state)
{
    (void)state;
    struct swb_access access = strided(16);
    struct swb_cost cost = {7, 7, 7};
    assert_false(swb_bank_cost(swb_instruction_find("cp.async.16"), &access, &cost));
    assert_int_equal(cost.wavefronts, 7);
}

/* Every field of every instruction, once more from its name. */
static void test_instructions_by_name(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        [SWB_LOAD] = "ld.shared.b",    [SWB_STORE] = "st.shared.b",  [SWB_LDMATRIX] = "ldmatrix.x",
        [SWB_STMATRIX] = "stmatrix.x", [SWB_CP_ASYNC] = "cp.async.",
    };
    static const char *const names[] = {
        "ld.shared.b8",      "ld.shared.b16",     "ld.shared.b32",     "ld.shared.b64",
        "ld.shared.b128",    "st.shared.b8",      "st.shared.b16",     "st.shared.b32",
        "st.shared.b64",     "st.shared.b128",    "ldmatrix.x1",       "ldmatrix.x2",
        "ldmatrix.x4",       "ldmatrix.x1.trans", "ldmatrix.x2.trans", "ldmatrix.x4.trans",
        "stmatrix.x1",       "stmatrix.x2",       "stmatrix.x4",       "stmatrix.x1.trans",
        "stmatrix.x2.trans", "stmatrix.x4.trans", "cp.async.4",        "cp.async.8",
        "cp.async.16",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct swb_instruction *instruction = swb_instruction_find(names[i]);
        assert_non_null(instruction);
        assert_string_equal(instruction->name, names[i]);
        const char *stem = kinds[instruction->kind];
        bool is_matrix = instruction->kind == SWB_LDMATRIX || instruction->kind == SWB_STMATRIX;
        assert_memory_equal(instruction->name, stem, strlen(stem));
        unsigned number = (unsigned)atoi(instruction->name + strlen(stem));
        assert_int_equal(instruction->transposed, strstr(instruction->name, ".trans") != NULL);
        assert_int_equal(instruction->matrices, is_matrix ? number : 0);
        assert_int_equal(instruction->lane_bytes, is_matrix                           ? 16
                                                  : instruction->kind == SWB_CP_ASYNC ? number
                                                                                      : number / 8);
        assert_int_equal(swb_instruction_lanes(instruction), is_matrix ? 8 * number : 32);
    }
    for (size_t i = 0; swb_instruction_at(i) != NULL; i++)
        assert_ptr_equal(swb_instruction_find(swb_instruction_at(i)->name), swb_instruction_at(i));
    assert_null(swb_instruction_find("ld.shared.b256"));
    assert_int_equal(swb_instruction_bytes(swb_instruction_find("ld.shared.b128")), 512);
    assert_int_equal(swb_instruction_bytes(swb_instruction_find("stmatrix.x2.trans")), 256);
    assert_int_equal(swb_instruction_bytes(swb_instruction_find("cp.async.4")), 128);
    assert_int_equal(swb_instruction_bytes(swb_instruction_find("cp.async.8")), 256);
    assert_int_equal(swb_instruction_bytes(swb_instruction_find("st.shared.b16")), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_hardware),
        cmocka_unit_test(test_equals_the_plain_count),
        cmocka_unit_test(test_numbers_of_the_hardware),
        cmocka_unit_test(test_width_sets_the_ideal),
        cmocka_unit_test(test_a_ladder_of_strides),
        cmocka_unit_test(test_pairs_merge_phases_of_loads),
        cmocka_unit_test(test_one_pair_that_differs_is_enough),
        cmocka_unit_test(test_no_lane_costs_nothing),
        cmocka_unit_test(test_cp_async_is_not_predicted),
        cmocka_unit_test(test_instructions_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
