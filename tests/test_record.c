/* Do counts and times come into the right columns of a row, and does a row fail whose counter says
 * something else than the model or the source?
 *
 * Counts come from a GPU that is made up here and has every counter. */
#include "bench/access_bench.h"
#include "bench/access_columns.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- A GPU --------------------------------------------------------------------------------- */

/* What an instruction counts (extra.sum: a launch), by the counter's name; what it executes is in
 * the struct gpu. The control kernel counts 100 and the place in the set. */
static const struct {
    const char *metric;
    double count;
} counts[] = {
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 8},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 4},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 8.5},
    {"l1tex__data_bank_conflicts_type_arbitration.sum", 0.125},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", 10.5},
    {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum", 0.25},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", 24},
    {"lts__t_sectors_op_read.sum", 14},
    {"dram__sectors_read.sum", -0.5},
};

struct gpu {
    double executed; /* by the timed kernel */
    double launched; /* instructions in its source */
    size_t collections;
};

struct counter_set {
    const char *const *names;
    size_t count;
};

bool counters_has_metric(struct gpu *gpu, const char *metric)
{
    (void)gpu, (void)metric;
    return true;
}

bool counter_set_open(struct gpu *gpu, const char *const *names, size_t count,
                      struct counter_set **set, struct error *error)
{
    (void)gpu, (void)error;
    *set = malloc(sizeof **set);
    assert_non_null(*set);
    **set = (struct counter_set){names, count};
    return true;
}

void counter_set_close(struct counter_set *set)
{
    free(set);
}

static double counted(const struct gpu *gpu, const char *metric)
{
    if (strstr(metric, "inst_executed"))
        return gpu->executed;
    if (strcmp(metric, "extra.sum") == 0)
        return 77;
    for (size_t i = 0; i < LENGTH(counts); i++)
        if (strcmp(metric, counts[i].metric) == 0)
            return counts[i].count * gpu->launched;
    return 0;
}

bool counters_collect(struct gpu *gpu, struct counter_set *set, const struct gpu_launch *launches,
                      size_t launch_count, double *values, struct error *error)
{
    bool control = strstr(launches[0].kernel.entry, "_control") != NULL;
    (void)error;
    assert_int_equal(launch_count, 1);
    gpu->collections++;
    for (size_t i = 0; i < set->count; i++)
        values[i] = 100 + (double)i + (control ? 0 : counted(gpu, set->names[i]));
    return true;
}

bool gpu_kernel_find(struct gpu *gpu, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)gpu, (void)fatbin, (void)error;
    kernel->entry = entry;
    return true;
}

/* What else bench/access_*.c can ask of a GPU is not asked here. */
#define NEVER(function, ...)                                                                       \
    function(__VA_ARGS__)                                                                          \
    {                                                                                              \
        abort();                                                                                   \
    }

/* clang-format off */
#define X __attribute__((unused))
const struct gpu_info *NEVER(gpu_info, X const struct gpu *gpu)
bool NEVER(gpu_alloc, X struct gpu *gpu, X size_t bytes, X gpu_address *at, X struct error *error)
void NEVER(gpu_free, X struct gpu *gpu, X gpu_address address)
bool NEVER(gpu_upload, X struct gpu *gpu, X gpu_address to, X const void *from, X size_t bytes,
           X struct error *error)
bool NEVER(gpu_download, X struct gpu *gpu, X void *to, X gpu_address from, X size_t bytes,
           X struct error *error)
bool NEVER(gpu_fill, X struct gpu *gpu, X gpu_address to, X uint8_t value, X size_t bytes,
           X struct error *error)
bool NEVER(gpu_run, X struct gpu *gpu, X const struct gpu_launch *launch, X struct error *error)
bool NEVER(gpu_wait, X struct gpu *gpu, X struct error *error)
bool NEVER(gpu_time_cycles, X struct gpu *gpu, X const struct timed_kernel *timed,
           X struct timing *timing, X struct error *error)
    /* clang-format on */

    /* ---- Two plans, and what was measured of them ----------------------------------------------
     */

    /* One position, two lanes on each bank: 8 wavefronts, 4 conflicts. */
    static void plan_load(struct access_plan *plan)
{
    assert_null(access_plan_ladder(plan, swb_instruction_find("ld.shared.b128"), 2));
}

/* Sixteen positions of 10 or 11 wavefronts. */
static void plan_copy(struct access_plan *plan)
{
    struct swb_tile tile = {.rows = 64, .cols = 64, .elem_bits = 16};
    tile.mode = swb_layout_find("padded", &tile.major);
    assert_null(access_plan_tile(plan, swb_instruction_find("cp.async.16"), &tile, ACCESS_ROWS));
    plan->bypass_l1 = true;
}

/* No two values alike, so that none can stand in another's column. */
static const struct access_result measured = {
    .inst_expected = 6144,
    .inst_executed = 6143,
    .total_wavefronts = 8.75,
    .arbitration_conflicts = 0.125,
    .l2_sectors = 14.5,
    .dram_sectors = -0.25,
    .latency = {36, 37, 39, 6, 8, 1111},
    .one_warp = {16.8, 17.2, 18.4, 7, 9, 1222},
    .throughput = {8.48, 8.5, 8.52, 5, 2, 1974},
    .extra = {77},
};

/* The row of a plan of which this was measured. */
static struct row recorded(void (*make)(struct access_plan *), const struct access_result *result)
{
    const struct measure_options options = {.extra_metric_count = 1,
                                            .extra_column = ACCESS_COL_COUNT};
    struct row row = {.status = ROW_OK};
    struct access_plan plan;
    make(&plan);
    access_predict(&plan, &row);
    access_record(&plan, result, &options, &row);
    return row;
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void test_every_value_is_in_its_column(void **state)
{
    (void)state;
    static const struct {
        const char *column, *load, *copy;
    } values[] = {
        {"instruction", "ld.shared.b128", "cp.async.16"},
        {"cache", "", "cg"},
        {"layout", "", ""}, /* these are the family's */
        {"major", "", ""},
        {"swizzle", "", ""},
        {"elem_bits", "", ""},
        {"tile", "", ""},
        {"stack", "", ""},
        {"access", "", ""},
        {"positions", "1", "16"},
        {"model_wavefronts", "8", "10.5"},
        {"hw_wavefronts", "8", "10.5"},
        {"ideal_wavefronts", "4", "4"},
        {"worst_wavefronts", "8", "11"},
        {"model_conflicts", "4", "0"},
        {"hw_conflicts", "4", "0"},
        {"hw_total_wavefronts", "8.75", "8.75"},
        {"hw_other_wavefronts", "0.75", ""},
        {"hw_arbitration_conflicts", "0.125", "0.125"},
        {"inst_expected", "6144", "6144"},
        {"inst_executed", "6143", "6143"},
        {"latency_cycles", "37", "37"},
        {"latency_min_cycles", "36", "36"},
        {"latency_max_cycles", "39", "39"},
        {"one_warp_cycles", "17.2", "17.2"},
        {"one_warp_cycles_per_wavefront", "2.15", "1.6381"}, /* over 8, over 10.5 */
        {"one_warp_min_cycles_per_wavefront", "2.1", "1.6"},
        {"one_warp_max_cycles_per_wavefront", "2.3", "1.7524"},
        {"throughput_cycles", "8.5", "8.5"},
        {"throughput_min_cycles", "8.48", "8.48"},
        {"throughput_max_cycles", "8.52", "8.52"},
        {"cycles_per_wavefront", "1.0625", "0.8095"},
        {"bytes_per_clk_sm", "60.235", "60.235"}, /* 32 x 16 bytes over 8.5 */
        {"pct_of_peak", "47.059", "47.059"},      /* of 128 */
        {"model_sectors", "", "24"},
        {"hw_sectors", "", "24"},
        {"hw_l2_sectors", "", "14.5"},
        {"hw_dram_sectors", "", "-0.25"},
        {"sm_clock_mhz", "1974", "1974"},
        {"samples", "5", "5"},
        {"throttled_samples", "2", "2"},
    };
    struct access_result load = measured, copy = measured;
    load.wavefronts = 8;
    load.conflicts = 4;
    load.sectors = load.l2_sectors = load.dram_sectors = NAN;
    copy.wavefronts = 10.5;
    copy.sectors = 24;
    const struct row loaded = recorded(plan_load, &load), copied = recorded(plan_copy, &copy);
    assert_int_equal(LENGTH(values), ACCESS_COL_COUNT);
    for (size_t i = 0; i < LENGTH(values); i++) {
        assert_string_equal(access_columns[i].name, values[i].column);
        assert_string_equal(loaded.values[i], values[i].load);
        assert_string_equal(copied.values[i], values[i].copy);
    }
    assert_string_equal(loaded.values[ACCESS_COL_COUNT], "77"); /* of --metrics */
    assert_int_equal(loaded.status, ROW_OK);
    assert_int_equal(copied.status, ROW_OK);
}

static void test_a_counter_that_disagrees_fails_the_row(void **state)
{
    (void)state;
    static const struct {
        void (*plan)(struct access_plan *plan);
        double wavefronts, conflicts, sectors;
        const char *reason;
    } cases[] = {
        {plan_load, 8, 4, NAN, ""},
        {plan_load, NAN, NAN, NAN, ""}, /* without counters */
        {plan_load, 9, 4, NAN, "8 wavefronts predicted, 9 counted"},
        {plan_load, 7, 4, NAN, "8 wavefronts predicted, 7 counted"},
        {plan_load, 8, 5, NAN, "4 conflicts predicted, 5 counted"},
        {plan_load, 8, 3.5, NAN, "4 conflicts predicted, 3.5 counted"},
        {plan_copy, 10.5, 0, 24, ""},
        {plan_copy, 10.25, 0, 24, "10.5 wavefronts predicted, 10.25 counted"},
        {plan_copy, 10.5, 0.5, 24, "0 conflicts predicted, 0.5 counted"},
        {plan_copy, 10.5, 0, 24.5, "24 sectors predicted, 24.5 counted"},
        {plan_copy, 10.5, 0, 20, "24 sectors predicted, 20 counted"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct access_result result = measured;
        result.wavefronts = cases[i].wavefronts;
        result.conflicts = cases[i].conflicts;
        result.sectors = cases[i].sectors;
        const struct row row = recorded(cases[i].plan, &result);
        assert_int_equal(row.status, cases[i].reason[0] ? ROW_FAILED : ROW_OK);
        const char *colon = strstr(row.reason, ": ");
        assert_string_equal(colon ? colon + 2 : row.reason, cases[i].reason);
    }
}

/* The costliest of positions that differ, told by counting each alone. */
static void test_the_costliest_position(void **state)
{
    (void)state;
    struct access_plan plan, alone;
    unsigned worst_slot = 0, worst = 0, least = UINT32_MAX, sum = 0;
    plan_copy(&plan);
    alone = plan;
    alone.slots = 1;
    for (unsigned slot = 0; slot < plan.slots; slot++) {
        memcpy(alone.offsets[0], plan.offsets[slot], sizeof plan.offsets[slot]);
        memcpy(alone.sources[0], plan.sources[slot], sizeof plan.sources[slot]);
        unsigned wavefronts = access_plan_cost(&alone).wavefronts;
        worst_slot = wavefronts > worst ? slot : worst_slot;
        worst = wavefronts > worst ? wavefronts : worst;
        least = wavefronts < least ? wavefronts : least;
        sum += wavefronts;
    }
    struct plan_cost cost = access_plan_cost(&plan);
    assert_int_equal(least, 10);
    assert_int_equal(worst, 11);
    assert_int_equal(cost.wavefronts, sum);
    assert_int_equal(cost.worst_wavefronts, worst);
    assert_int_equal(cost.worst_slot, worst_slot);
}

/* Counts the plan on the GPU, with one metric more than usual. */
static void count(struct gpu *gpu, void (*make)(struct access_plan *), unsigned rounds,
                  size_t times, struct access_result *result, struct row *row)
{
    static const char *const extra[] = {"extra.sum"};
    const struct measure_options options = {.counters = true,
                                            .extra_metrics = extra,
                                            .extra_metric_count = 1,
                                            .extra_column = ACCESS_COL_COUNT};
    struct error error = {.kind = ERROR_NONE};
    struct access_bench *bench = calloc(1, sizeof *bench);
    struct access_plan plan;
    struct run run = {.gpu = gpu, .bench = bench, .plan = &plan, .rounds = rounds, .row = row};
    assert_non_null(bench);
    make(&plan);
    bench->options = &options;
    run.error = &error;
    access_entry(plan.instruction, plan.bypass_l1, run.prefix, sizeof run.prefix);
    assert_true(access_counting_open(gpu, bench, &error));
    for (size_t i = 0; i < times; i++)
        assert_true(access_count(&run, result));
    counter_set_close(bench->plain.set);
    counter_set_close(bench->copies.set);
    free(bench);
}

static void test_the_control_is_subtracted(void **state)
{
    (void)state;
    struct gpu loads = {.executed = 6144, .launched = 6144};
    struct gpu copies = {.executed = 1536, .launched = 1536};
    struct access_result r = {0};
    struct row row = {.status = ROW_OK};

    count(&loads, plan_load, 4, 2, &r, &row);
    assert_int_equal(row.status, ROW_OK);
    assert_int_equal(loads.collections, 3); /* the control once */
    assert_int_equal(r.inst_expected, 6144);
    assert_true(r.inst_executed == 6144 && r.wavefronts == 8 && r.conflicts == 4);
    assert_true(r.total_wavefronts == 8.5 && r.arbitration_conflicts == 0.125);
    assert_true(isnan(r.sectors) && isnan(r.l2_sectors) && isnan(r.dram_sectors));
    assert_true(r.extra[0] == 77);

    count(&copies, plan_copy, 1, 1, &r, &row);
    assert_int_equal(row.status, ROW_OK);
    assert_int_equal(r.inst_expected, 1536);
    assert_true(r.inst_executed == 1536 && r.wavefronts == 10.5 && r.conflicts == 0.25);
    assert_true(r.sectors == 24 && r.l2_sectors == 14 && r.dram_sectors == -0.5);
    assert_true(r.extra[0] == 77);
}

static void test_a_wrong_count_of_instructions_fails_the_row(void **state)
{
    (void)state;
    static const struct {
        double executed;
        enum row_status status;
        const char *reason;
    } cases[] = {
        {6144, ROW_OK, ""},
        {NAN, ROW_OK, ""}, /* no such counter */
        {6143, ROW_FAILED, "executed 6143 ld.shared.b128 where its source has 6144: merged or"},
        {6145, ROW_FAILED, "executed 6145 ld.shared.b128 where its source has 6144: merged or"},
        {0, ROW_FAILED, "executed 0 ld.shared.b128 where its source has 6144: merged or"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct gpu gpu = {.executed = cases[i].executed, .launched = 6144};
        struct access_result result = {0};
        struct row row = {.status = ROW_OK};
        count(&gpu, plan_load, 4, 1, &result, &row);
        assert_int_equal(row.status, cases[i].status);
        assert_non_null(strstr(row.reason, cases[i].reason));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_is_in_its_column),
        cmocka_unit_test(test_a_counter_that_disagrees_fails_the_row),
        cmocka_unit_test(test_the_costliest_position),
        cmocka_unit_test(test_the_control_is_subtracted),
        cmocka_unit_test(test_a_wrong_count_of_instructions_fails_the_row),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
