/* Does the transpose family verify, count and judge rightly?
 *
 * On a GPU that is made up here: its ldmatrix, its stmatrix and its TMA are those of the PTX
 * documentation, lane by lane, with none of the code that says what should come out; and it can be
 * told to do one thing wrong. */
#include "bench/families.h"
#include "bench/mix.h"
#include "bench/transpose_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_gpu.h"
#include "tests/made_up_transpose.h"

/* ---- Launches ------------------------------------------------------------------------------ */

static void stop_clocks(gpu_address clocks, unsigned ctas)
{
    for (unsigned i = 0; i < ctas; i++) {
        const uint64_t span[2] = {1000 + i, 2000 + 1000000};
        memcpy(at(clocks) + 16 * i, span, sizeof span);
    }
}

static void run_copy(const struct gpu_launch *launch)
{
    gpu_address *const *addresses = (gpu_address *const *)launch->arguments;
    uint64_t count = *(uint64_t *)launch->arguments[2];
    memcpy(at(*addresses[1]), at(*addresses[0]), 16 * count);
    if (fake.fault == FLIPPED_COPY)
        at(*addresses[1])[5] ^= 4;
    stop_clocks(*addresses[3], launch->grid_x);
}

static void run_fill(const struct gpu_launch *launch)
{
    uint32_t *words = (uint32_t *)(void *)at(*(gpu_address *)launch->arguments[0]);
    for (uint64_t i = 0; i < *(uint64_t *)launch->arguments[1]; i++)
        words[i] = mix((uint32_t)i + *(uint32_t *)launch->arguments[2]);
}

static void run_check(const struct gpu_launch *launch)
{
    const uint8_t *out = at(*(gpu_address *)launch->arguments[0]);
    uint32_t shift = *(uint32_t *)launch->arguments[1], size = *(uint32_t *)launch->arguments[2];
    uint32_t turned = *(uint32_t *)launch->arguments[3], seed = *(uint32_t *)launch->arguments[4];
    uint64_t *wrong = (uint64_t *)(void *)at(*(gpu_address *)launch->arguments[5]);
    uint64_t side = UINT64_C(1) << shift;
    for (uint64_t i = 0; i < side * side * size; i++) {
        uint64_t element = i / size, row = element / side, col = element % side;
        uint64_t from = (turned ? col * side + row : element) * size + i % size;
        if (out[i] == (uint8_t)(mix((uint32_t)(from / 4) + seed) >> 8 * (from % 4)))
            continue;
        wrong[0]++;
        wrong[1] = i < wrong[1] ? i : wrong[1];
    }
}

static void run_whole(const struct gpu_launch *launch)
{
    const struct transpose_arguments *a = launch->arguments[0];
    struct kernel k = kernel_of(launch->kernel.entry);
    uint32_t tiles = *(uint32_t *)launch->arguments[1], all = 1u << 2 * a->across_shift;
    assert_int_equal(tiles % all, 0);
    assert_true(launch->block_x * k.thread_bytes == a->line_bytes * a->tile_lines);
    for (uint32_t tile = 0; tile < all; tile++)
        if (fake.fault != LOST_TILE || tile != all / 2)
            run_tile(&k, launch, tile);
    if (fake.fault == FLIPPED_BIT || (fake.fault == FLIPPED_WHEN_TIMED && tiles > all))
        at(a->out)[a->pitch_bytes + 5] ^= 4;
    if (fake.fault == CLOSED_BARRIER && strcmp(k.in.way, "tma") == 0)
        at(a->stuck)[0] = 1;
    stop_clocks(a->clocks, launch->grid_x);
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    static const struct {
        const char *entry;
        void (*run)(const struct gpu_launch *);
    } kernels[] = {{"copy", run_copy}, {"fill", run_fill}, {"check", run_check}};
    (void)unused, (void)error;
    for (size_t i = 0; i < 3; i++)
        if (strcmp(launch->kernel.entry, kernels[i].entry) == 0) {
            kernels[i].run(launch);
            return true;
        }
    run_whole(launch);
    return true;
}

/* ---- Its counters and clocks --------------------------------------------------------------- */

struct counts {
    double instructions, wavefronts, ideal;
};

/* Wavefronts of one place a lane, of so many lanes and words of 4 bytes each. */
static unsigned wavefronts(const uint32_t *places, unsigned lanes, unsigned words)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
        uint32_t wanted[32];
        unsigned count = 0;
        for (unsigned i = 0; i < lanes * words; i++) {
            uint32_t word = places[i / words] / 4 + i % words;
            unsigned known = 0;
            while (known < count && wanted[known] != word)
                known++;
            if (word % 32 == bank && known == count)
                wanted[count++] = word;
        }
        most = count > most ? count : most;
    }
    return most;
}

/* Of a tile. Matrices and chunks take 16 bytes a lane, and eight lanes at a time. */
static struct counts count_side(const struct side *side, const uint32_t *places, unsigned threads)
{
    struct counts counts = {0, 0, 0};
    bool wide = side->instruction_pieces == 1;
    unsigned lanes = wide ? 8 : 32;
    for (unsigned i = 0; i < side->instruction_pieces * threads; i += lanes) {
        counts.wavefronts += wavefronts(places + i, lanes, wide ? 4 : 1);
        counts.ideal++;
    }
    counts.instructions = side->instruction_pieces * threads / 32;
    return counts;
}

/* Of the turned tile that TMA sends: lanes of 16 bytes go eight at a time, of 8 bytes sixteen. */
static struct counts count_put(const struct kernel *k, const uint32_t *store, unsigned threads,
                               unsigned line_bytes)
{
    struct counts counts = {0, 0, 0};
    unsigned width = k->thread_bytes / k->out.pieces, words = width < 4 ? 1 : width / 4;
    unsigned lanes = 32 / words;
    for (unsigned i = 0; i < k->out.pieces * threads && k->tma_out; i += lanes) {
        uint32_t places[32];
        for (unsigned j = 0; j < lanes; j++)
            places[j] = (store[i + j] >> 16) * line_bytes + (store[i + j] & 0xffff);
        counts.wavefronts += wavefronts(places, lanes, words);
        counts.ideal++;
    }
    counts.instructions = k->tma_out ? k->out.pieces * threads / 32 : 0;
    return counts;
}

/* Seven of everything are the control's. */
static double counted(const char *name, const struct kernel *k, const struct counts *in,
                      const struct counts *out, double boxes)
{
    bool is_in = strstr(name, "_st") || strstr(name, "stsm");
    bool is_stsm = strcmp(k->in.way, "stmatrix") == 0;
    bool is_ldsm = strncmp(k->out.way, "ldmatrix", 8) == 0;
    if (strstr(name, "arbitration"))
        return 3;
    if (strstr(name, "tma"))
        return boxes - (fake.fault == LOST_BOX);
    if (strstr(name, "conflicts"))
        return is_in ? in->wavefronts - in->ideal : out->wavefronts - out->ideal;
    if (is_in ? is_stsm != (strstr(name, "stsm") != NULL)
              : is_ldsm != (strstr(name, "ldsm") != NULL))
        return 0;
    if (strstr(name, "wavefronts"))
        return is_in ? in->wavefronts + (fake.fault == EXTRA_STORE_WAVEFRONT)
                     : out->wavefronts + (fake.fault == EXTRA_LOAD_WAVEFRONT);
    if (strstr(name, "executed"))
        return is_in ? in->instructions - (fake.fault == MERGED_STORE)
                     : out->instructions - (fake.fault == MERGED_LOAD);
    return 11;
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    const struct transpose_arguments *a = launch->arguments[0];
    struct kernel k = kernel_of(launch->kernel.entry);
    unsigned threads = launch->block_x;
    uint32_t tiles = *(uint32_t *)launch->arguments[1];
    const uint32_t *write = (const uint32_t *)(const void *)at(a->places) + k.in.pieces * threads;
    const uint32_t *read = write + k.in.instruction_pieces * threads;
    struct counts in = count_side(&k.in, write, threads), out = count_side(&k.out, read, threads);
    if (k.tma_out)
        in = count_put(&k, read + k.out.instruction_pieces * threads, threads, a->line_bytes);
    for (size_t i = 0; i < set->count; i++)
        values[i] = 7 + tiles * counted(set->names[i], &k, &in, &out, a->boxes);
}

/* A clock a wavefront. */
bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    const struct transpose_arguments *a = timed->launch.arguments[0];
    struct kernel k = kernel_of(timed->launch.kernel.entry);
    unsigned threads = a->threads, groups = (unsigned)timed->work_per_iteration;
    (void)unused, (void)error;
    assert_ptr_equal(timed->iterations, timed->launch.arguments[1]);
    assert_non_null(strstr(timed->launch.kernel.entry, "_shared"));
    assert_true(timed->n >= 8);
    assert_int_equal(timed->launch.grid_x, 2);
    assert_int_equal(timed->launch.block_x, groups * threads);
    assert_in_range(timed->launch.block_x, 513, 1024);
    assert_in_range(groups, 1, 15);
    assert_true(a->group_bytes % 1024 == 0 && a->group_bytes >= a->line_bytes * a->tile_lines);
    assert_in_range(timed->launch.dynamic_smem_bytes, groups * a->group_bytes, SMEM_BYTES);
    const uint32_t *write = (const uint32_t *)(const void *)at(a->places) + k.in.pieces * threads;
    const uint32_t *read = write + k.in.instruction_pieces * threads;
    double cycles =
        count_side(&k.in, write, threads).wavefronts + count_side(&k.out, read, threads).wavefronts;
    *timing = (struct timing){cycles - 0.125, cycles, cycles + 0.125, 5, 0, 1980, NAN};
    return true;
}

/* ---- Running ------------------------------------------------------------------------------- */

static struct working_family working = {
    .family = &family_transpose, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static const char *value(const struct row *row, const char *name)
{
    return working_value(&working, row, name);
}

static int healthy(void **state)
{
    (void)state;
    made_up_hopper(SMEM_BYTES);
    made_up_info.l2_bytes = 24 * 1024;
    fake.fault = NO_FAULT;
    fake.refuses_maps = false;
    working.options.counters = true;
    return 0;
}

/* Every case of the full sweep: all bytes right, counted as predicted, and timed. */
static void test_all_cases(void **unused)
{
    (void)unused;
    static struct row row;
    working_open(&working);
    for (size_t i = 0; i < transpose_case_count(true); i++) {
        working_measure(&working, i, &row);
        if (row.status != ROW_OK)
            fail_msg("%s: %s", row.case_name, row.reason);
        assert_int_equal(row.verified, VERIFIED_YES);
        assert_true(*value(&row, "gbytes_per_s") && *value(&row, "l2_pct_of_copy"));
        if (transpose_case_at(i)->method->is_copy)
            continue;
        bool is_tma = strcmp(value(&row, "instruction_in"), "TMA") == 0;
        if (!is_tma)
            assert_string_equal(value(&row, "model_wavefronts_in"),
                                value(&row, "hw_wavefronts_in"));
        assert_string_equal(value(&row, "model_wavefronts_out"), value(&row, "hw_wavefronts_out"));
        assert_string_equal(value(&row, "model_conflicts_out"), value(&row, "hw_conflicts_out"));
        assert_string_equal(value(&row, "inst_expected_in"), value(&row, "inst_executed_in"));
        assert_string_equal(value(&row, "inst_expected_out"), value(&row, "inst_executed_out"));
        assert_int_equal(*value(&row, "cycles") == 0, is_tma);
        assert_string_equal(value(&row, "model_wavefronts_put"), value(&row, "hw_wavefronts_put"));
        assert_string_equal(value(&row, "inst_expected_put"), value(&row, "inst_executed_put"));
    }
    working_close(&working);
}

static void test_columns(void **unused)
{
    (void)unused;
    static struct row row;
    working_open(&working);
    working_measure(&working, case_index(&family_transpose, "32-bit 32x32 elements padded16"),
                    &row);
    assert_string_equal(value(&row, "inst_executed_in"), "128"); /* 4 tiles, 8 warps, 4 pieces */
    assert_string_equal(value(&row, "cycles"), "160");
    assert_string_equal(value(&row, "cycles_min"), "159.875");
    assert_string_equal(value(&row, "bytes_per_clk_sm"), "51.2");
    assert_string_equal(value(&row, "hw_arbitration_conflicts"), "3");
    assert_string_equal(value(&row, "pct_of_copy"), "100");
    assert_string_equal(value(&row, "gbytes_per_s"), "2145.3");
    working_measure(&working, case_index(&family_transpose, "16-bit 64x64 tma-words K/64B"), &row);
    assert_string_equal(value(&row, "inst_executed_in"), "2");
    working_close(&working);
}

/* A run has one copy of each width: the row that comes later has what others were held against. */
static void test_one_copy(void **unused)
{
    (void)unused;
    static struct row row, copy;
    working_open(&working);
    working_measure(&working, case_index(&family_transpose, "16-bit 64x64 words K/64B"), &row);
    fake.fault = FLIPPED_COPY; /* seen if it were measured again */
    working_measure(&working, case_index(&family_transpose, "16-bit copy"), &copy);
    assert_int_equal(copy.status, ROW_OK);
    assert_int_equal(copy.verified, VERIFIED_YES);
    assert_string_equal(value(&copy, "pct_of_copy"), "100");
    working_close(&working);

    working_open(&working);
    working_measure(&working, case_index(&family_transpose, "16-bit 64x64 words K/64B"), &row);
    assert_int_equal(row.status, ROW_FAILED);
    assert_non_null(strstr(row.reason, "the plain copy to compare with: wrong bytes: 1 in "));
    working_measure(&working, case_index(&family_transpose, "16-bit copy"), &copy);
    assert_int_equal(copy.status, ROW_FAILED);
    assert_int_equal(copy.verified, VERIFIED_NO);
    working_close(&working);
}

static void test_without_counters(void **unused)
{
    (void)unused;
    static struct row row;
    working.options.counters = false;
    working_open(&working);
    working_measure(&working, case_index(&family_transpose, "16-bit 64x64 words K/64B"), &row);
    assert_int_equal(row.status, ROW_OK);
    assert_string_equal(value(&row, "hw_wavefronts_in"), "");
    assert_string_equal(value(&row, "inst_executed_out"), "");
    working_close(&working);
}

static void assert_caught(const char *name, int fault, const char *reason)
{
    working_open(&working);
    fake.fault = fault;
    assert_ends(&working, case_index(&family_transpose, name), ROW_FAILED, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *words = "8-bit 32x32 words 4B-xor", *tma = "16-bit 64x64 tma-ldmatrix.trans K/64B";
    const char *matrices = "16-bit 64x64 ldmatrix.trans K/128B";
    const char *sent = "32-bit 32x32 tma-elements-tma K/64B";
    const char *stored = "16-bit 32x32 stmatrix.trans padded16";
    assert_caught(words, FLIPPED_BIT,
                  "wrong bytes: 1 in the output in L2, the first is number 0 of element 69");
    assert_caught(words, FLIPPED_WHEN_TIMED, "wrong bytes: 1 in the output in DRAM");
    assert_caught(words, LOST_TILE, "wrong bytes: ");
    assert_caught(matrices, IGNORES_TRANS, "wrong bytes: ");
    assert_caught(stored, IGNORES_TRANS, "wrong bytes: ");
    assert_caught(tma, IGNORES_SWIZZLE, "wrong bytes: ");
    assert_caught(words, EXTRA_STORE_WAVEFRONT,
                  "8 wavefronts a tile predicted on the way in, 9 counted");
    assert_caught(matrices, EXTRA_LOAD_WAVEFRONT,
                  "256 wavefronts a tile predicted on the way out, 257 counted");
    assert_caught(stored, MERGED_STORE, "stmatrix.x4.trans where its source has");
    assert_caught(matrices, MERGED_LOAD, "ldmatrix.x4.trans where its source has");
    assert_caught(sent, FLIPPED_BIT, "wrong bytes: 1 in the output in L2");
    assert_caught(sent, EXTRA_STORE_WAVEFRONT,
                  "32 wavefronts a tile predicted on the way to TMA, 33 counted");
    assert_caught(sent, MERGED_STORE, "st.shared.b32 where its source has");
    assert_caught(tma, LOST_BOX, "boxes where its source has");
    assert_caught(tma, CLOSED_BARRIER, "a barrier of a stage did not open");
}

static void test_refused_maps(void **unused)
{
    (void)unused;
    static struct row row;
    struct error error = {.kind = ERROR_NONE};
    size_t index = case_index(&family_transpose, "8-bit 64x64 tma-words K/64B");
    fake.refuses_maps = true;
    working_open(&working);
    row_predict(&family_transpose, index, &row);
    assert_false(family_transpose.measure(working.gpu, working.state, index, &working.options, &row,
                                          &error));
    assert_string_equal(error.text, "the driver refuses the tensor map, with code 1");
    working_close(&working);
}

static void test_older_gpus(void **unused)
{
    (void)unused;
    made_up_info.compute_major = 8;
    working_open(&working);
    const char *reason = "the kernel needs compute capability 9.0, this GPU has 8.0";
    assert_ends(&working, case_index(&family_transpose, "16-bit 64x64 stmatrix.trans linear"),
                ROW_SKIPPED, reason);
    assert_ends(&working, case_index(&family_transpose, "16-bit 64x64 tma-words linear"),
                ROW_SKIPPED, reason);
    assert_ends(&working, case_index(&family_transpose, "16-bit 64x64 words linear"), ROW_OK, "");
    working_close(&working);
    made_up_info.compute_major = 7;
    working_open(&working);
    assert_ends(&working, case_index(&family_transpose, "16-bit copy"), ROW_SKIPPED,
                "the kernel needs compute capability 8.0, this GPU has 7.0");
    working_close(&working);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_all_cases, healthy),
        cmocka_unit_test_setup(test_columns, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_one_copy, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_refused_maps, healthy),
        cmocka_unit_test_setup(test_older_gpus, healthy),
    };
    return cmocka_run_group_tests_name("transpose on a made-up GPU", tests, NULL, NULL);
}
