/* Does the pipeline family verify, count and judge rightly?
 *
 * On a GPU that is made up here: its TMA moves boxes element by element and its wgmma takes
 * descriptors apart, as the PTX documentation says, with none of the code that says what should
 * come out; and it can be told to do one thing wrong. */
#include "bench/families.h"
#include "bench/pipeline_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_descriptor.h"
#include "tests/made_up_gpu.h"

/* ---- The made-up GPU ----------------------------------------------------------------------- */

enum { SMEM_BYTES = 227 * 1024 };

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT,
        LOST_BOX,
        SHIFTED_BOX,
        EARLY_READ,
        LATE_READ,
        LOST_STEP,
        IGNORES_MODE,
        CLOSED_BARRIER,
        STUCK_WHEN_TIMED,
        EXTRA_SECTOR,
        MERGED_BOX,
        MERGED_STEP,
        EXTRA_WAVEFRONT
    } fault;
    bool refuses_maps;
    uint8_t smem[SMEM_BYTES];
} fake;

/* The kernel is its name: "n64_k16_mn". */
bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)error;
    assert_string_equal(fatbin, "pipeline");
    kernel->entry = entry;
    return true;
}

#include "tests/made_up_map.h"

/* ---- Its TMA ------------------------------------------------------------------------------- */

struct work {
    const struct pipeline_maps *maps;
    const struct pipeline_arguments *a;
    unsigned n, k_block;
    bool b_mn;
    float of[WGMMA_OPERANDS][128][256]; /* of a stage: [k][row] */
    float d[64][256];
    uint64_t sectors;
};

static struct work *work_of(const struct gpu_launch *launch)
{
    static struct work w;
    char major[4] = "";
    memset(&w, 0, sizeof w);
    w.maps = launch->arguments[0];
    w.a = launch->arguments[1];
    assert_int_equal(sscanf(launch->kernel.entry, "n%u_k%u_%3s", &w.n, &w.k_block, major), 3);
    w.b_mn = strcmp(major, "mn") == 0;
    return &w;
}

static uint64_t global_place(const struct tensor_map_request *map, const int32_t *start, unsigned y,
                             unsigned z)
{
    uint64_t at[3] = {(uint64_t)start[0], (uint64_t)start[1] + y, (uint64_t)start[2] + z};
    assert_true(at[0] + map->box[0] <= map->dims[0]);
    assert_true(at[1] < map->dims[1]);
    assert_true(map->rank == 2 ? at[2] == 0 : at[2] < map->dims[2]);
    return 2 * at[0] + at[1] * map->strides[0] + at[2] * map->strides[1];
}

/* Lines of at most 128 bytes: each is asked for by itself. */
static void move_box(struct work *w, const struct tensor_map_request *map, const int32_t *start,
                     uint32_t smem)
{
    unsigned width = 2 * map->box[0], depth = map->rank == 3 ? map->box[2] : 1;
    unsigned pitch = map->swizzle ? 16u << map->swizzle : width;
    for (unsigned z = 0; z < depth; z++)
        for (unsigned y = 0; y < map->box[1]; y++) {
            uint64_t from = global_place(map, start, y, z);
            w->sectors += (from + width - 1) / 32 - from / 32 + 1;
            for (unsigned byte = 0; byte < width; byte++) {
                uint32_t to = smem + (z * map->box[1] + y) * pitch + byte;
                fake.smem[made_up_swizzled(map, to)] = at(map->address)[from + byte];
            }
        }
}

static void load_stage(struct work *w, uint32_t k_block, bool is_last)
{
    const struct pipeline_arguments *a = w->a;
    uint32_t stage = k_block % a->stages * a->stage_bytes;
    int position = (int)(k_block % a->positions);
    for (unsigned operand = 0; operand < WGMMA_OPERANDS; operand++) {
        const struct pipeline_loads *loads = &a->loads[operand];
        const struct tensor_map_request *map = made_up_map(&w->maps->of[operand]);
        assert_int_equal(map->rank, a->rank);
        for (unsigned box = 0; box < loads->boxes; box++) {
            int32_t start[3];
            uint32_t to = stage + loads->smem_offset + box * loads->box_bytes;
            for (unsigned i = 0; i < 3; i++)
                start[i] = position * loads->per_k_block[i] + (int)box * loads->per_box[i];
            if (fake.fault == LOST_BOX && is_last && operand == 1 && box == loads->boxes - 1)
                continue;
            if (fake.fault == SHIFTED_BOX && is_last && operand == 1)
                to += 128;
            move_box(w, map, start, to);
        }
    }
}

/* ---- Its wgmma ----------------------------------------------------------------------------- */

static float element(const struct work *w, unsigned operand, unsigned step, uint32_t stage,
                     unsigned row, unsigned k)
{
    bool mn_major = operand == SWB_MMA_B && w->b_mn;
    struct made_up_descriptor d =
        made_up_descriptor_of(w->a->descriptors[operand][step] + (stage >> 4));
    if (fake.fault == IGNORES_MODE)
        d.mode = 0;
    uint32_t address = mn_major ? made_up_descriptor_find(&d, true, k, 2 * row)
                                : made_up_descriptor_find(&d, false, row, 2 * k);
    assert_true(address + 2 <= SMEM_BYTES);
    uint32_t bits = (uint32_t)(fake.smem[address] | fake.smem[address + 1] << 8) << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void multiply_stage(struct work *w, uint32_t k_block, bool is_last)
{
    uint32_t stage = k_block % w->a->stages * w->a->stage_bytes;
    unsigned k_end = w->k_block - (fake.fault == LOST_STEP && is_last ? 16 : 0);
    for (unsigned operand = 0; operand < WGMMA_OPERANDS; operand++)
        for (unsigned k = 0; k < k_end; k++)
            for (unsigned row = 0; row < (operand == SWB_MMA_A ? 64 : w->n); row++)
                w->of[operand][k][row] = element(w, operand, k / 16, stage, row, k % 16);
    for (unsigned k = 0; k < k_end; k++)
        for (unsigned row = 0; row < 64; row++)
            for (unsigned col = 0; col < w->n; col++)
                w->d[row][col] += w->of[SWB_MMA_A][k][row] * w->of[SWB_MMA_B][k][col];
}

/* Accumulator i of thread 32w + 4g + t is of row 16w + g + 8 (i / 2 % 2), column 8 (i / 4) + 2t +
 * i % 2. */
static void tell(const struct work *w)
{
    float *out = (float *)(void *)at(w->a->out);
    for (unsigned thread = 0; thread < 128; thread++)
        for (unsigned i = 0; i < w->n / 2; i++) {
            unsigned row = 16 * (thread / 32) + thread % 32 / 4 + i / 2 % 2 * 8;
            out[i * 128 + thread] = w->d[row][i / 4 * 8 + thread % 4 * 2 + i % 2];
        }
    if (fake.fault == FLIPPED_BIT)
        at(w->a->out)[4 * (w->n / 2 * 128 - 1)] ^= 1;
}

/* A read that is too early finds what the stage held before, one that is too late what comes next.
 */
static void run_k_block(struct work *w, uint32_t i, uint32_t k_blocks)
{
    bool is_last = i + 1 == k_blocks;
    if (fake.fault == EARLY_READ && is_last)
        multiply_stage(w, i, is_last);
    load_stage(w, i, is_last);
    if (fake.fault == LATE_READ && is_last)
        load_stage(w, i + w->a->stages, is_last);
    if (fake.fault != EARLY_READ || !is_last)
        multiply_stage(w, i, is_last);
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    struct work *w = work_of(launch);
    uint32_t k_blocks = *(uint32_t *)launch->arguments[2];
    (void)unused, (void)error;
    assert_int_equal(launch->block_x, 128 + 32 * w->a->stages);
    assert_true(launch->dynamic_smem_bytes <= SMEM_BYTES);
    assert_true(PIPELINE_BARRIER_BYTES + w->a->fill_bytes <= launch->dynamic_smem_bytes);
    assert_true(w->a->stages * w->a->stage_bytes <= w->a->fill_bytes);
    memset(fake.smem, 0xff, sizeof fake.smem);
    for (uint32_t i = 0; i < k_blocks; i++)
        run_k_block(w, i, k_blocks);
    tell(w);
    if (fake.fault == CLOSED_BARRIER)
        *at(w->a->stuck) = 1;
    return true;
}

/* ---- Its counters and clocks --------------------------------------------------------------- */

/* Ten of everything are the control's. */
static double count_of(const char *name, const struct work *w, uint32_t k_blocks)
{
    bool runs = k_blocks > 0;
    unsigned steps = k_blocks * w->k_block / 16;
    if (strstr(name, "op_tma_ld") && strstr(name, "inst"))
        return 10 + k_blocks * (w->a->loads[0].boxes + w->a->loads[1].boxes) -
               (fake.fault == MERGED_BOX && runs);
    if (strstr(name, "gmma") && strstr(name, "inst"))
        return 10 + 4.0 * (steps - (fake.fault == MERGED_STEP && runs));
    if (strstr(name, "sectors"))
        return 10 + (double)w->sectors + (fake.fault == EXTRA_SECTOR && runs);
    if (strstr(name, "wavefronts"))
        return 10 + steps * (16 + w->n / 4.0) + (fake.fault == EXTRA_WAVEFRONT && runs);
    return 10 + 3.0 * k_blocks;
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    struct work *w = work_of(launch);
    uint32_t k_blocks = *(uint32_t *)launch->arguments[2];
    for (uint32_t i = 0; i < k_blocks; i++)
        load_stage(w, i, false);
    for (size_t i = 0; i < set->count; i++)
        values[i] = count_of(set->names[i], w, k_blocks);
}

bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    const struct work *w = work_of(&timed->launch);
    (void)unused, (void)error;
    assert_ptr_equal(timed->one_sm, &w->a->choice);
    assert_ptr_equal(timed->iterations, timed->launch.arguments[2]);
    assert_in_range(timed->n, w->a->stages + 1, 1000);
    assert_true(timed->work_per_iteration == 1);
    if (fake.fault == STUCK_WHEN_TIMED)
        *at(w->a->stuck) = 1;
    *timing = (struct timing){511, 512, 514, 5, 0, 1980, timed->one_sm ? timed->one_sm->sm : NAN};
    return true;
}

/* ---- Running ------------------------------------------------------------------------------- */

static struct working_family working = {
    .family = &family_pipeline, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static size_t find_case(const char *name)
{
    char other[ROW_CASE_BYTES];
    for (size_t i = 0; i < pipeline_case_count(true); i++) {
        struct pipeline_case c = pipeline_case_at(i);
        pipeline_case_name(&c, other, sizeof other);
        if (strcmp(name, other) == 0)
            return i;
    }
    fail_msg("no case %s", name);
    return 0;
}

static const char *value(const struct row *row, const char *name)
{
    return working_value(&working, row, name);
}

static int healthy(void **state)
{
    (void)state;
    made_up_hopper(SMEM_BYTES);
    fake.fault = NO_FAULT;
    fake.refuses_maps = false;
    return 0;
}

static void assert_measured(const struct row *row)
{
    if (row->status != ROW_OK)
        fail_msg("%s: %s", row->case_name, row->reason);
    assert_int_equal(row->verified, VERIFIED_YES);
    assert_string_equal(value(row, "model_sectors"), value(row, "hw_sectors"));
    assert_string_equal(value(row, "model_wavefronts"), value(row, "hw_wavefronts"));
    assert_string_equal(value(row, "boxes_expected"), value(row, "boxes_executed"));
    assert_string_equal(value(row, "inst_expected"), value(row, "inst_executed"));
}

/* Of the larger k-blocks as many as a test has time for. */
static void test_cases(void **unused)
{
    (void)unused;
    enum { EVERY = 7, SMALL = 64 * 1024 };
    working_open(&working);
    static struct row row;
    for (size_t i = 0; i < pipeline_case_count(true); i++) {
        struct pipeline_case c = pipeline_case_at(i);
        if (c.stages * pipeline_stage_bytes(&c) > SMALL && i % EVERY)
            continue;
        working_measure(&working, i, &row);
        assert_measured(&row);
    }
    working_close(&working);
}

static void test_columns(void **unused)
{
    (void)unused;
    working_open(&working);
    static struct row row;
    working_measure(&working, find_case("k64 n128 A=K/64B B=K/64B stages=4 boxes=many"), &row);
    assert_string_equal(value(&row, "cycles_per_k_block"), "512");
    assert_string_equal(value(&row, "sm"), "5");
    assert_string_equal(value(&row, "cycles_per_k_block_min"), "511");
    assert_string_equal(value(&row, "cycles_per_k_block_max"), "514");
    assert_string_equal(value(&row, "cycles_over_bound"), "1.3333");
    assert_string_equal(value(&row, "flop_per_clk_sm"), "2048");
    assert_string_equal(value(&row, "pct_of_peak"), "50");
    assert_string_equal(value(&row, "bytes_per_clk_sm"), "48");
    assert_string_equal(value(&row, "hw_sectors"), "768");
    assert_string_equal(value(&row, "hw_wavefronts"), "192");
    assert_string_equal(value(&row, "hw_conflicts"), "3");
    assert_string_equal(value(&row, "hw_tma_cycles_active"), "3");
    assert_string_equal(value(&row, "boxes_executed"), "256");
    assert_string_equal(value(&row, "inst_executed"), "1024");
    assert_string_equal(value(&row, "samples"), "5");
    assert_string_equal(value(&row, "sm_clock_mhz"), "1980");
    working_close(&working);
}

static void test_counting_ahead(void **unused)
{
    (void)unused;
    assert_counts_ahead(&working, &made_up_sessions);
}

static void assert_caught(const char *name, int fault, const char *reason)
{
    working_open(&working);
    fake.fault = fault;
    assert_ends(&working, find_case(name), ROW_FAILED, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *plain = "k32 n64 A=K/64B B=K/64B stages=4 boxes=many",
               *bricks = "k32 n64 A=K/none B=K/none stages=4 boxes=one",
               *turned = "k32 n64 A=K/64B B=MN/32B stages=4 boxes=one",
               *two = "k32 n64 A=K/32B B=K/32B stages=2 boxes=many";
    assert_caught(plain, FLIPPED_BIT, "wrong product after 13 k-blocks: D(63,63) is");
    assert_caught(plain, LOST_BOX, "wrong product");
    assert_caught(bricks, LOST_BOX, "wrong product");
    assert_caught(plain, SHIFTED_BOX, "wrong product");
    assert_caught(turned, SHIFTED_BOX, "wrong product");
    assert_caught(plain, EARLY_READ, "wrong product");
    assert_caught(plain, LATE_READ, "wrong product");
    assert_caught(two, EARLY_READ, "wrong product after 7 k-blocks");
    assert_caught(bricks, LOST_STEP, "wrong product");
    assert_caught(turned, IGNORES_MODE, "wrong product");
    assert_caught(plain, CLOSED_BARRIER, "a barrier of a stage did not open");
    assert_caught(plain, STUCK_WHEN_TIMED, "a barrier of a stage did not open");
    assert_caught(plain, EXTRA_SECTOR, "256 sectors a k-block predicted, 256.016 counted");
    assert_caught(plain, MERGED_BOX, "the kernel sent 127 boxes where its source has 128");
    assert_caught(plain, MERGED_STEP, "the warps executed 508 wgmma where the source has 512");
    assert_caught(plain, EXTRA_WAVEFRONT, "64 wavefronts a k-block predicted, 64.0156 counted");
}

static void test_refused_map(void **unused)
{
    (void)unused;
    static struct row row;
    struct error error = {.kind = ERROR_NONE};
    working_open(&working);
    fake.refuses_maps = true;
    row_predict(&family_pipeline, 0, &row);
    assert_false(
        family_pipeline.measure(working.gpu, working.state, 0, &working.options, &row, &error));
    assert_string_equal(error.text, "the driver refuses the tensor map of A, with code 1");
    working_close(&working);
}

static void test_other_architectures(void **unused)
{
    (void)unused;
    static struct row row;
    static const struct {
        int major;
        const char *reason;
    } others[] = {
        {8, "wgmma needs compute capability 9.0, this GPU has 8.0"},
        {10, "wgmma needs compute capability 9.0, this GPU has 10.0"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        made_up_info.compute_major = others[i].major;
        working_open(&working);
        working_measure(&working, 0, &row);
        working_close(&working);
        assert_int_equal(row.status, ROW_SKIPPED);
        assert_string_equal(row.reason, others[i].reason);
    }
}

static void test_without_counters(void **unused)
{
    (void)unused;
    assert_uncounted(&working, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_cases, healthy),
        cmocka_unit_test_setup(test_columns, healthy),
        cmocka_unit_test_setup(test_counting_ahead, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_refused_map, healthy),
        cmocka_unit_test_setup(test_other_architectures, healthy),
    };
    return cmocka_run_group_tests_name("pipeline on a made-up GPU", tests, NULL, NULL);
}
