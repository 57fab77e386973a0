/* Do memory, kernels, counters and clocks do on a real GPU what harness/gpu.h says? Counts and
 * shapes are known beforehand, and the tests print what each step costs.
 *
 * $SWIZZLEBENCH_KERNELS is the folder with the fatbin of tests/gpu/kernels/smoke.cu. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/gpu.h"

enum { WARPS = 16, ITERATIONS = 100, LOADS = 8, SMEM_BYTES = 40 * 1024, REPEATS = 20 };

static const char *const load_metrics[] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "smsp__inst_executed_op_shared_ld.sum",
};
static const char *const total_metrics[] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
};
static const char *const three_passes[] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "smsp__sass_inst_executed_op_shared_ld.sum",
};

/* Shared by the tests: a GPU and the loads kernel with its arguments. */
struct fixture {
    struct gpu *gpu;
    struct gpu_kernel loads, nothing;
    gpu_address clocks, out;
    uint32_t iterations, stride;
    void *arguments[4];
};

static double now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void check(bool ok, const struct error *error)
{
    if (!ok)
        fail_msg("%s", error->text);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct error error;
    double start = now_ms();

    *state = f;
    if (!gpu_open(0, &f->gpu, &error)) {
        print_message("%s\n", error.text);
        return 0; /* the tests skip themselves */
    }
    const struct gpu_info *info = gpu_info(f->gpu);
    print_message("%s %s, compute %d.%d, %d SMs, %d KiB shared, %d MiB L2, %d MHz, driver %s "
                  "(CUDA %d), opened in %.0f ms\n",
                  info->name, info->uuid, info->compute_major, info->compute_minor, info->sm_count,
                  info->smem_per_block_optin_bytes >> 10, info->l2_bytes >> 20,
                  info->clock_khz / 1000, info->driver, info->driver_version, now_ms() - start);
    check(gpu_kernel_find(f->gpu, "smoke", "smoke_loads", &f->loads, &error), &error);
    check(gpu_kernel_find(f->gpu, "smoke", "smoke_nothing", &f->nothing, &error), &error);
    check(gpu_alloc(f->gpu, 16 * (size_t)info->sm_count, &f->clocks, &error), &error);
    check(gpu_alloc(f->gpu, 64, &f->out, &error), &error);
    f->iterations = ITERATIONS;
    f->stride = 1;
    f->arguments[0] = &f->iterations;
    f->arguments[1] = &f->stride;
    f->arguments[2] = &f->clocks;
    f->arguments[3] = &f->out;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    gpu_close(f->gpu);
    free(f);
    return 0;
}

static struct fixture *ready(void **state)
{
    struct fixture *f = *state;

    if (!f->gpu)
        skip();
    return f;
}

static struct fixture *ready_to_count(void **state)
{
    struct fixture *f = ready(state);
    const char *why_not = counters_why_not(f->gpu);

    if (why_not) {
        print_message("no counters: %s\n", why_not);
        skip();
    }
    return f;
}

static struct gpu_launch loads_launch(struct fixture *f, unsigned grid)
{
    return (struct gpu_launch){.kernel = f->loads,
                               .grid_x = grid,
                               .block_x = 32 * WARPS,
                               .dynamic_smem_bytes = SMEM_BYTES,
                               .arguments = f->arguments};
}

static void test_refusals(void **state)
{
    struct fixture *f = ready(state);
    struct gpu_kernel kernel;
    struct gpu *none;
    struct error error;
    int count = 0;

    check(gpu_count(&count, &error), &error);
    assert_true(count >= 1);
    assert_false(gpu_open(count, &none, &error));
    print_message("%s\n", error.text);
    assert_int_equal(error.kind, ERROR_MACHINE);
    assert_false(gpu_kernel_find(f->gpu, "no_such", "entry", &kernel, &error));
    print_message("%s\n", error.text);
    assert_int_equal(error.kind, ERROR_MACHINE);
    assert_false(gpu_kernel_find(f->gpu, "smoke", "no_such", &kernel, &error));
    print_message("%s\n", error.text);
    assert_int_equal(error.kind, ERROR_MACHINE);

    struct gpu_launch too_much = loads_launch(f, 1);
    too_much.dynamic_smem_bytes = 1 << 20;
    assert_false(gpu_run(f->gpu, &too_much, &error));
    print_message("%s\n", error.text);
    check(gpu_wait(f->gpu, &error), &error);
}

static void test_memory(void **state)
{
    struct fixture *f = ready(state);
    enum { BYTES = 1 << 20 };
    uint8_t *sent = malloc(BYTES), *back = calloc(1, BYTES);
    gpu_address there;
    struct error error;

    for (unsigned i = 0; i < BYTES; i++)
        sent[i] = (uint8_t)(i * 2654435761u >> 24);
    check(gpu_alloc(f->gpu, BYTES, &there, &error), &error);
    check(gpu_upload(f->gpu, there, sent, BYTES, &error), &error);
    check(gpu_fill(f->gpu, there + 100, 0xA5, 3, &error), &error);
    check(gpu_download(f->gpu, back, there, BYTES, &error), &error);
    memset(sent + 100, 0xA5, 3);
    assert_memory_equal(sent, back, BYTES);
    gpu_free(f->gpu, there);
    free(sent);
    free(back);
}

static void test_shared_memory_and_clusters(void **state)
{
    struct fixture *f = ready(state);
    const struct gpu_info *info = gpu_info(f->gpu);
    struct gpu_launch launch = {.grid_x = 16, .block_x = 32, .arguments = f->arguments + 3};
    uint32_t shape[2];
    struct error error;

    check(gpu_kernel_find(f->gpu, "smoke", "smoke_shape", &launch.kernel, &error), &error);
    for (unsigned cluster = 1; cluster <= (info->compute_major >= 9 ? 16u : 1u); cluster *= 2) {
        launch.cluster_x = cluster;
        launch.dynamic_smem_bytes = (unsigned)info->smem_per_block_optin_bytes;
        check(gpu_run(f->gpu, &launch, &error), &error);
        check(gpu_download(f->gpu, shape, f->out, sizeof shape, &error), &error);
        assert_int_equal(shape[0], info->smem_per_block_optin_bytes);
        assert_int_equal(shape[1], cluster);
    }
}

static void test_clocks(void **state)
{
    struct fixture *f = ready(state);
    struct gpu_clocks clocks;
    double start = now_ms();

    gpu_clocks(f->gpu, &clocks);
    print_message("SM %u MHz, memory %u MHz, reasons 0x%llx (%s), throttled %d; asked in %.3f ms\n",
                  clocks.sm_mhz, clocks.memory_mhz, (unsigned long long)clocks.throttle_reasons,
                  clocks.reasons, clocks.throttled, now_ms() - start);
}

/* Clocks of a warp's load, saturated. */
static double time_loads(struct fixture *f, uint32_t n)
{
    unsigned sms = (unsigned)gpu_info(f->gpu)->sm_count;
    struct timed_kernel timed = {
        .launch = loads_launch(f, sms),
        .iterations = &f->iterations,
        .clocks = f->clocks,
        .n = n,
        .work_per_iteration = WARPS * LOADS,
    };
    struct timing timing;
    struct error error;
    double start = now_ms();

    check(gpu_time_cycles(f->gpu, &timed, &timing, &error), &error);
    print_message("n %u: %.5f %.5f %.5f cycles, %u samples, %g throttled, %.1f MHz, in %.2f ms\n",
                  n, timing.min_cycles, timing.median_cycles, timing.max_cycles, timing.samples,
                  timing.throttled_samples, timing.sm_clock_mhz, now_ms() - start);
    f->iterations = ITERATIONS;
    return timing.median_cycles;
}

static void test_timing(void **state)
{
    struct fixture *f = ready(state);

    time_loads(f, 100);
    double shorter = time_loads(f, 500), longer = time_loads(f, 2000);
    assert_true(shorter >= 0.99);
    assert_true(fabs(shorter / longer - 1) < 0.01);
    f->stride = 32;
    assert_true(fabs(time_loads(f, 500) - 32) < 0.5);
    f->stride = 1;
}

static void test_metrics_are_known(void **state)
{
    struct fixture *f = ready_to_count(state);
    const char *const unknown[] = {load_metrics[0], "l1tex__no_such_counter.sum"};
    struct counter_set *set;
    struct error error;

    assert_true(counters_has_metric(f->gpu, load_metrics[0]));
    assert_false(counters_has_metric(f->gpu, unknown[1]));
    assert_false(counters_has_metric(f->gpu, "l1tex__data_bank_reads"));
    assert_false(counter_set_open(f->gpu, unknown, 2, &set, &error));
    print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, unknown[1]));
}

/* Opens a set and collects it REPEATS times over the loads and the empty kernel; values of the
 * first collection come back in values[2 * metric_count], and all others must equal them. */
static void count_loads(struct fixture *f, const char *const *metrics, size_t metric_count,
                        double *values)
{
    struct gpu_launch launches[2] = {loads_launch(f, 1), loads_launch(f, 1)};
    struct counter_set *set;
    struct error error;
    double again[16], start = now_ms();

    launches[1].kernel = f->nothing;
    launches[1].arguments = NULL;
    check(counter_set_open(f->gpu, metrics, metric_count, &set, &error), &error);
    double opened = now_ms();
    check(counters_collect(f->gpu, set, launches, 2, values, &error), &error);
    double first = now_ms();
    for (int i = 0; i < REPEATS; i++) {
        check(counters_collect(f->gpu, set, launches, 2, again, &error), &error);
        assert_memory_equal(again, values, 2 * metric_count * sizeof *again);
    }
    print_message("%zu passes: opened in %.2f ms, first collection %.2f ms, later ones %.2f ms\n",
                  counter_set_passes(set), opened - start, first - opened,
                  (now_ms() - first) / REPEATS);
    for (size_t i = 0; i < metric_count; i++)
        print_message("  %-62s %10.0f, control %g\n", metrics[i], values[i],
                      values[metric_count + i]);
    counter_set_close(set);
}

static void test_counts(void **state)
{
    struct fixture *f = ready_to_count(state);
    const double loads = WARPS * ITERATIONS * LOADS;
    double values[8];

    count_loads(f, load_metrics, 3, values);
    assert_float_equal(values[0] - values[3], loads, 0);
    assert_float_equal(values[1], 0, 0);
    assert_float_equal(values[2], loads, 0);
    assert_float_equal(values[5], 0, 0);

    f->stride = 32;
    count_loads(f, load_metrics, 3, values);
    f->stride = 1;
    assert_float_equal(values[0] - values[3], 32 * loads, 0);
    assert_float_equal(values[1] - values[4], 31 * loads, 0);

    count_loads(f, total_metrics, 2, values);
    count_loads(f, three_passes, 4, values);
    assert_float_equal(values[3], loads, 0);
}

static void test_sets_take_turns(void **state)
{
    struct fixture *f = ready_to_count(state);
    struct gpu_launch launches[COUNTERS_MAX_LAUNCHES];
    struct counter_set *loads, *total;
    double values[COUNTERS_MAX_LAUNCHES * 3];
    struct error error;

    for (size_t i = 0; i < COUNTERS_MAX_LAUNCHES; i++)
        launches[i] = loads_launch(f, 1);
    check(counter_set_open(f->gpu, load_metrics, 3, &loads, &error), &error);
    check(counter_set_open(f->gpu, total_metrics, 2, &total, &error), &error);
    for (size_t count = 1; count <= COUNTERS_MAX_LAUNCHES; count *= 2) {
        double start = now_ms();
        check(counters_collect(f->gpu, loads, launches, count, values, &error), &error);
        double first = now_ms();
        for (size_t i = 0; i < count; i++)
            assert_float_equal(values[3 * i + 2], WARPS * ITERATIONS * LOADS, 0);
        check(counters_collect(f->gpu, total, launches, 1, values, &error), &error);
        print_message("%zu launches in %.2f ms, then the other set in %.2f ms\n", count,
                      first - start, now_ms() - first);
    }
    counter_set_close(loads);
    counter_set_close(total);
}

/* An enabled profiler must not slow what is timed. */
static void test_timing_after_counting(void **state)
{
    struct fixture *f = ready_to_count(state);
    double before = time_loads(f, 500), after;
    struct counter_set *set;
    struct gpu_launch launch = loads_launch(f, 1);
    double values[3];
    struct error error;

    check(counter_set_open(f->gpu, load_metrics, 3, &set, &error), &error);
    check(counters_collect(f->gpu, set, &launch, 1, values, &error), &error);
    after = time_loads(f, 500);
    counter_set_close(set);
    assert_true(fabs(after / before - 1) < 0.001);
}

/* The last test: the context does not survive it. */
static void test_fault(void **state)
{
    struct fixture *f = ready(state);
    struct gpu_launch launch = {.grid_x = 1, .block_x = 32, .arguments = f->arguments + 3};
    uint32_t word;
    struct error error;

    check(gpu_kernel_find(f->gpu, "smoke", "smoke_fault", &launch.kernel, &error), &error);
    check(gpu_run(f->gpu, &launch, &error), &error);
    assert_false(gpu_wait(f->gpu, &error));
    print_message("%s\n", error.text);
    assert_int_equal(error.kind, ERROR_FAILED);
    assert_non_null(strstr(error.text, "smoke_fault"));
    assert_false(gpu_download(f->gpu, &word, f->out, sizeof word, &error));
    print_message("%s\n", error.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_shared_memory_and_clusters),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_timing),
        cmocka_unit_test(test_metrics_are_known),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_sets_take_turns),
        cmocka_unit_test(test_timing_after_counting),
        cmocka_unit_test(test_fault),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
