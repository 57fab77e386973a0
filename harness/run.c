/* How is the whole of a run done: `swizzlebench run`? */
#include "harness/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/commands.h"
#include "harness/folder.h"
#include "harness/options.h"
#include "harness/outside.h"
#include "harness/stop.h"
#include "harness/text.h"
#include "harness/version.h"

/* What the head of every file says about the machine. */
static void describe_gpu(const struct worker_greeting *greeting, bool counters,
                         struct result_head *head)
{
    const struct gpu_info *gpu = &greeting->gpu;
    result_head_set(head, HEAD_BACKEND, "cuda");
    result_head_set(head, HEAD_GPU, "%s", gpu->name);
    result_head_set(head, HEAD_GPU_UUID, "%s", gpu->uuid);
    result_head_set(head, HEAD_COMPUTE_CAPABILITY, "%d.%d", gpu->compute_major, gpu->compute_minor);
    result_head_set(head, HEAD_SM_COUNT, "%d", gpu->sm_count);
    result_head_set(head, HEAD_DRIVER, "%s", gpu->driver[0] ? gpu->driver : "unknown: no NVML");
    result_head_set(head, HEAD_CUDA, "%d.%d", gpu->driver_version / 1000,
                    gpu->driver_version % 1000 / 10);
    if (!counters)
        result_head_set(head, HEAD_COUNTERS, "no: --no-counters");
    else if (greeting->no_counters[0])
        result_head_set(head, HEAD_COUNTERS, "no: %s", greeting->no_counters);
    else if (outside_replay())
        result_head_set(head, HEAD_COUNTERS, "from %s", outside_replay());
    else
        result_head_set(head, HEAD_COUNTERS, "yes");
}

static void describe_model(struct result_head *head)
{
    for (enum head_key key = HEAD_GPU; key <= HEAD_CUDA; key++)
        result_head_set(head, key, "-");
    result_head_set(head, HEAD_BACKEND, "model");
    result_head_set(head, HEAD_COUNTERS, "no: predictions alone");
}

static void describe_run(struct run *run, const struct worker_greeting *greeting)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (run->options->job.backend == BACKEND_MODEL)
        describe_model(&run->head);
    else
        describe_gpu(greeting, run->options->job.measure.counters, &run->head);
    result_head_set(&run->head, HEAD_SCHEMA, SWIZZLEBENCH_SCHEMA);
    result_head_set(&run->head, HEAD_VERSION, SWIZZLEBENCH_VERSION);
    result_head_set(&run->head, HEAD_COMMAND, "%s", run->options->command);
    result_head_set(&run->head, HEAD_DATE, "%s", date);
}

/* The metrics become columns behind the family's own; they must fit, and have other names. */
static bool check_metrics(const struct run *run, const struct family *family, struct error *error)
{
    const struct measure_options *measure = &run->options->job.measure;
    if (family->column_count + measure->extra_metric_count > ROW_MAX_COLUMNS)
        return error_set(error, ERROR_INPUT,
                         "--metrics: %zu are too many for %s, which has room "
                         "for %zu",
                         measure->extra_metric_count, family->name,
                         ROW_MAX_COLUMNS - family->column_count);
    struct result_form form = {.family = family};
    const char *column;
    for (size_t m = 0; m < measure->extra_metric_count; m++) {
        for (size_t i = 0; (column = result_column_name(&form, i)); i++) {
            if (strcmp(column, measure->extra_metrics[m]) == 0)
                return error_set(error, ERROR_INPUT, "--metrics: %s already has a column '%s'",
                                 family->name, column);
        }
    }
    return true;
}

static bool plan_families(struct run *run, struct error *error)
{
    const struct run_options *options = run->options;
    bool planned = options->only ? plan_make_one(&run->plan, options->only, error)
                                 : plan_make(&run->plan, options->families, options->family_count,
                                             options->filter, options->full, error);
    if (!planned)
        return false;
    run->families = calloc(run->plan.family_count, sizeof *run->families);
    if (!run->families)
        return error_set(error, ERROR_FAILED, "no memory for the families");
    for (size_t i = 0; i < run->plan.family_count; i++) {
        struct run_family *family = &run->families[i];
        family->planned = &run->plan.families[i];
        family->form = (struct result_form){
            .family = family->planned->family,
            .metrics = options->job.measure.extra_metrics,
            .metric_count = options->job.measure.extra_metric_count,
        };
        if (!check_metrics(run, family->form.family, error))
            return false;
    }
    return true;
}

bool run_needs_gpu(const struct run *run, struct error *error)
{
    if (error->kind == ERROR_MACHINE && !run->options->only && !run->one_of_several)
        error_set(error, ERROR_MACHINE, "%s (without a GPU, --backend model predicts)",
                  error->text);
    return false;
}

/* Starts the first worker, which tells what the GPU is and whether it counts. */
static bool meet_gpu(struct run *run, struct error *error)
{
    struct worker_greeting greeting;
    if (!worker_start(&run->worker, &greeting, error))
        return run_needs_gpu(run, error);
    if (greeting.unknown_metric[0])
        return error_set(error, ERROR_INPUT,
                         "--metrics: this %s has no metric '%s'; `ncu --query-metrics` lists them, "
                         "and they take .sum and the like",
                         greeting.gpu.name, greeting.unknown_metric);
    if (greeting.no_counters[0])
        fprintf(stderr, "swizzlebench %s: no hardware counters, times alone: %s\n",
                run->options->label, greeting.no_counters);
    if (greeting.gpu.no_nvml[0])
        fprintf(stderr,
                "swizzlebench %s: whether the card is throttled is unknown, throttled_samples is "
                "empty: %s\n",
                run->options->label, greeting.gpu.no_nvml);
    describe_run(run, &greeting);
    return true;
}

/* results/<gpu>, or what --out says; of several GPUs <gpu>-<its number> below results or --out,
 * since two of them may have one name. */
static bool choose_folder(struct run *run, struct error *error)
{
    const struct run_options *options = run->options;
    char slug[96] = "model";
    if (options->job.backend == BACKEND_GPU)
        text_slug(run->head.values[HEAD_GPU], slug, sizeof slug);
    if (run->one_of_several)
        snprintf(run->out, sizeof run->out, "%s/%s-%d", options->out ? options->out : "results",
                 slug, options->job.device);
    else if (options->out)
        snprintf(run->out, sizeof run->out, "%s", options->out);
    else
        snprintf(run->out, sizeof run->out, "results/%s", slug);
    if (!folder_make(run->out, error))
        return false;
    for (size_t i = 0; i < run->plan.family_count; i++) {
        struct run_family *family = &run->families[i];
        snprintf(family->path, sizeof family->path, "%.*s/%s.csv", PATH_MAX - 80, run->out,
                 family->form.family->name);
    }
    return true;
}

/* What the user typed is judged before the machine is. */
static bool plan_run(struct run *run, struct error *error)
{
    return plan_families(run, error) &&
           (!run->options->out || folder_make(run->options->out, error));
}

static bool run_families(struct run *run, struct error *error)
{
    if (!meet_gpu(run, error) || !choose_folder(run, error))
        return false;
    progress_start(&run->progress, run->plan.case_count, run->progress.listener,
                   run->options->quiet);
    if (run->one_of_several)
        snprintf(run->progress.state.run, sizeof run->progress.state.run, "GPU %d",
                 run->options->job.device);
    for (size_t i = 0; i < run->plan.family_count && !stop_requests(); i++) {
        if (!run_one_family(run, &run->families[i], error))
            return false;
    }
    return true;
}

static int run_status(const struct run *run, bool done, const struct error *error)
{
    if (stop_requests())
        return EXIT_INTERRUPTED;
    if (!done)
        return error->kind;
    return run->failed.count > 0 ? ERROR_FAILED : 0;
}

int run_planned(struct run *run)
{
    struct error error = {.kind = ERROR_NONE};
    worker_init(&run->worker, &run->options->job);
    bool done = run_families(run, &error);
    worker_end(&run->worker);
    progress_clear(&run->progress);
    if (!done && !stop_requests())
        complain(run->options->label, &error);
    bool started = run->progress.state.total > 0;
    if (started && (done || run->rows_written > 0 || stop_requests()))
        run_summary(run);
    return run_status(run, done, &error);
}

int run_with_options(const struct run_options *options)
{
    struct error error = {.kind = ERROR_NONE};
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return ERROR_FAILED;
    run->options = options;
    run->progress.listener = -1;
    run->summary = stderr;
    stop_catch();
    int status = !plan_run(run, &error) ? complain(options->label, &error)
                 : options->all_devices ? run_on_all(run)
                                        : run_planned(run);
    plan_free(&run->plan);
    free(run->families);
    free(run);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct run_options options;
    struct error error = {.kind = ERROR_NONE};
    int status = 0;
    if (!run_options_read(&options, argc, argv, &error))
        status = complain("run", &error);
    else if (options.help)
        fputs(run_help, stdout);
    else
        status = run_with_options(&options);
    run_options_free(&options);
    return status;
}

const struct command command_run = {
    .name = "run",
    .summary = "measure: predict, verify, count and time the cases of the families",
    .run = run_main,
};
