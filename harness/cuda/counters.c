/* What did the hardware count while these kernels ran?
 *
 * A counter set is scheduled once, on the host: names -> config image (which counter in which
 * pass). A collection then is
 *
 *     empty counter data image -> SetConfig
 *         a pass: Start -> every launch, each in a range of its own -> Stop
 *     -> Decode -> evaluate
 *
 * We run all launches once a pass ourselves (user replay), so that one pass serves many launches:
 * Start and Stop cost an H200 about 20 ms, a launch between them 1 ms. CUPTI's kernel replay, which
 * puts back the memory that a launch wrote, takes 35 to 50 ms a launch there. The image is emptied
 * and the config set each time, so a collection never depends on the one before it and sets may
 * take turns.
 *
 * Where the counts come from another profiler (harness/outside.h) a set is a list of names, and
 * there is no CUPTI.
 */
#include "harness/cuda/profiler.h"
#include "harness/cuda/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Emptying an image takes time in proportion to its size, so few launches get a small one. */
enum { FEW_LAUNCHES = 4 };

struct counter_set {
    struct gpu *gpu;
    struct profiler *profiler; /* NULL where counts are replayed, as is all that follows metrics */
    char **metrics;
    size_t metric_count;
    CUpti_Profiler_Host_Object *host;
    uint8_t *config; /* config image */
    size_t config_bytes;
    size_t passes;
    uint8_t *data; /* counter data image with room for `ranges` launches */
    size_t data_bytes;
    size_t ranges;
};

const char *counters_why_not(struct gpu *gpu)
{
    struct error error;

    if (gpu->replay || profiler_ready(gpu, &error))
        return NULL;
    return gpu->profiler ? gpu->profiler->why_not : "starting CUPTI: out of memory";
}

static CUptiResult add_metrics(struct profiler *profiler, CUpti_Profiler_Host_Object *host,
                               const char *const *metrics, size_t count)
{
    CUpti_Profiler_Host_ConfigAddMetrics_Params added = {
        SIZED(CUpti_Profiler_Host_ConfigAddMetrics_Params),
        .pHostObject = host,
        .ppMetricNames = (const char **)metrics,
        .numMetrics = count,
    };

    return profiler->cupti.cuptiProfilerHostConfigAddMetrics(&added);
}

/* Asks the scheduler itself, which refuses a name without .sum or the like as well. */
bool counters_has_metric(struct gpu *gpu, const char *metric)
{
    struct error error;
    CUpti_Profiler_Host_Object *host;

    if (gpu->replay)
        return count_log_has(gpu->replay, metric);
    struct profiler *profiler = profiler_ready(gpu, &error);
    if (!profiler || !profiler_host_open(profiler, &host, &error))
        return false;
    bool has = add_metrics(profiler, host, &metric, 1) == CUPTI_SUCCESS;
    profiler_host_close(profiler, host);
    return has;
}

/* CUPTI refuses a list as a whole; finds out which name it was. */
static bool name_unknown_metric(struct counter_set *set, CUptiResult code, struct error *error)
{
    for (size_t i = 0; i < set->metric_count; i++)
        if (!counters_has_metric(set->gpu, set->metrics[i]))
            return error_set(error, ERROR_MACHINE, "%s has no metric %s", set->profiler->chip,
                             set->metrics[i]);
    return cupti_error(&set->profiler->cupti, code, error, "scheduling %zu metrics from %s on",
                       set->metric_count, set->metrics[0]);
}

static bool copy_names(struct counter_set *set, const char *const *metrics, size_t count)
{
    set->metrics = calloc(count ? count : 1, sizeof *set->metrics);
    for (size_t i = 0; set->metrics && i < count; i++) {
        set->metrics[i] = strdup(metrics[i]);
        if (!set->metrics[i])
            return false;
        set->metric_count++;
    }
    return set->metrics;
}

/* Names -> config image and the number of passes. */
static bool schedule(struct counter_set *set, struct error *error)
{
    struct cupti *cupti = &set->profiler->cupti;

    if (!profiler_host_open(set->profiler, &set->host, error))
        return false;
    CUptiResult code =
        add_metrics(set->profiler, set->host, (const char *const *)set->metrics, set->metric_count);
    if (code != CUPTI_SUCCESS)
        return name_unknown_metric(set, code, error);

    CUpti_Profiler_Host_GetConfigImageSize_Params size = {
        SIZED(CUpti_Profiler_Host_GetConfigImageSize_Params),
        .pHostObject = set->host,
    };
    code = cupti->cuptiProfilerHostGetConfigImageSize(&size);
    set->config_bytes = size.configImageSize;
    set->config = calloc(1, size.configImageSize ? size.configImageSize : 1);
    if (!set->config)
        return error_set(error, ERROR_FAILED, "scheduling %s: out of memory", set->metrics[0]);

    CUpti_Profiler_Host_GetConfigImage_Params image = {
        SIZED(CUpti_Profiler_Host_GetConfigImage_Params),
        .pHostObject = set->host,
        .configImageSize = set->config_bytes,
        .pConfigImage = set->config,
    };
    CUpti_Profiler_Host_GetNumOfPasses_Params passes = {
        SIZED(CUpti_Profiler_Host_GetNumOfPasses_Params),
        .configImageSize = set->config_bytes,
        .pConfigImage = set->config,
    };
    if (code == CUPTI_SUCCESS)
        code = cupti->cuptiProfilerHostGetConfigImage(&image);
    if (code == CUPTI_SUCCESS)
        code = cupti->cuptiProfilerHostGetNumOfPasses(&passes);
    set->passes = passes.numOfPasses;
    return code == CUPTI_SUCCESS ||
           cupti_error(cupti, code, error, "scheduling %s", set->metrics[0]);
}

bool counter_set_open(struct gpu *gpu, const char *const *metrics, size_t metric_count,
                      struct counter_set **opened, struct error *error)
{
    struct profiler *profiler = gpu->replay ? NULL : profiler_ready(gpu, error);

    *opened = NULL;
    if (!profiler && !gpu->replay)
        return false;
    if (metric_count == 0)
        return error_set(error, ERROR_FAILED, "a counter set needs at least one metric");
    struct counter_set *set = calloc(1, sizeof *set);
    if (!set)
        return error_set(error, ERROR_FAILED, "opening a counter set: out of memory");
    set->gpu = gpu;
    set->profiler = profiler;
    if (!copy_names(set, metrics, metric_count)) {
        error_set(error, ERROR_FAILED, "opening a counter set: out of memory");
        goto out;
    }
    if (profiler && !schedule(set, error))
        goto out;
    *opened = set;
    return true;
out:
    counter_set_close(set);
    return false;
}

void counter_set_close(struct counter_set *set)
{
    if (!set)
        return;
    if (set->profiler) {
        if (set->profiler->current == set)
            profiler_disable(set->gpu);
        profiler_host_close(set->profiler, set->host);
    }
    for (size_t i = 0; i < set->metric_count; i++)
        free(set->metrics[i]);
    free(set->metrics);
    free(set->config);
    free(set->data);
    free(set);
}

size_t counter_set_passes(const struct counter_set *set)
{
    return set->passes;
}

/* Room for the counters of that many launches. */
static bool make_image(struct counter_set *set, size_t ranges, struct error *error)
{
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        SIZED(CUpti_RangeProfiler_GetCounterDataSize_Params),
        .pRangeProfilerObject = set->profiler->ranges,
        .pMetricNames = (const char **)set->metrics,
        .numMetrics = set->metric_count,
        .maxNumOfRanges = ranges,
        .maxNumRangeTreeNodes = (uint32_t)ranges,
    };
    CUptiResult code = set->profiler->cupti.cuptiRangeProfilerGetCounterDataSize(&size);
    if (code != CUPTI_SUCCESS)
        return cupti_error(&set->profiler->cupti, code, error,
                           "asking for the size of %zu launches' counters", ranges);
    free(set->data);
    set->data = calloc(1, size.counterDataSize);
    set->data_bytes = size.counterDataSize;
    set->ranges = set->data ? ranges : 0;
    return set->data ||
           error_set(error, ERROR_FAILED, "making room for %zu bytes of counters: out of memory",
                     size.counterDataSize);
}

/* CUPTI keeps the metrics and the size of the first image that an enabled range profiler was asked
 * for: values of another set then come back empty (seen on GH100, CUPTI 13.0). So a set that was
 * not the last to count, or needs more room, starts with a range profiler of its own. */
static bool take_turn(struct counter_set *set, size_t launches, struct error *error)
{
    struct profiler *profiler = set->profiler;
    size_t ranges = launches <= FEW_LAUNCHES ? FEW_LAUNCHES : COUNTERS_MAX_LAUNCHES;

    if (profiler->current == set && launches <= set->ranges)
        return true;
    if (profiler->current || !profiler->ranges) {
        profiler_disable(set->gpu);
        if (!profiler_enable(set->gpu, error))
            return false;
    }
    profiler->current = set;
    return make_image(set, ranges, error);
}

static bool configure(struct counter_set *set, struct error *error)
{
    struct cupti *cupti = &set->profiler->cupti;
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params emptied = {
        SIZED(CUpti_RangeProfiler_CounterDataImage_Initialize_Params),
        .pRangeProfilerObject = set->profiler->ranges,
        .counterDataSize = set->data_bytes,
        .pCounterData = set->data,
    };
    CUpti_RangeProfiler_SetConfig_Params config = {
        SIZED(CUpti_RangeProfiler_SetConfig_Params),
        .pRangeProfilerObject = set->profiler->ranges,
        .configSize = set->config_bytes,
        .pConfig = set->config,
        .counterDataImageSize = set->data_bytes,
        .pCounterDataImage = set->data,
        .range = CUPTI_UserRange,
        .replayMode = CUPTI_UserReplay,
        .maxRangesPerPass = set->ranges,
        .numNestingLevels = 1,
        .minNestingLevel = 1,
        .passIndex = 0,
        .targetNestingLevel = 1,
    };
    CUptiResult code = cupti->cuptiRangeProfilerCounterDataImageInitialize(&emptied);

    if (code != CUPTI_SUCCESS)
        return cupti_error(cupti, code, error, "emptying the counter data image of %s",
                           set->metrics[0]);
    code = cupti->cuptiRangeProfilerSetConfig(&config);
    return code == CUPTI_SUCCESS ||
           cupti_error(cupti, code, error, "setting the counters to %s", set->metrics[0]);
}

/* A launch in a range with its number as the name. */
static bool run_range(struct gpu *gpu, const struct gpu_launch *launch, size_t number,
                      struct error *error)
{
    const struct cupti *cupti = &gpu->profiler->cupti;
    char name[24];
    CUpti_RangeProfiler_PushRange_Params pushed = {
        SIZED(CUpti_RangeProfiler_PushRange_Params),
        .pRangeProfilerObject = gpu->profiler->ranges,
        .pRangeName = name,
    };
    CUpti_RangeProfiler_PopRange_Params popped = {
        SIZED(CUpti_RangeProfiler_PopRange_Params),
        .pRangeProfilerObject = gpu->profiler->ranges,
    };

    snprintf(name, sizeof name, "%zu", number);
    CUptiResult code = cupti->cuptiRangeProfilerPushRange(&pushed);
    if (code != CUPTI_SUCCESS)
        return cupti_error(cupti, code, error, "beginning range %s", name);
    bool ran = gpu_run(gpu, launch, error);
    code = cupti->cuptiRangeProfilerPopRange(&popped);
    return ran &&
           (code == CUPTI_SUCCESS || cupti_error(cupti, code, error, "ending range %s", name));
}

static bool run_launches(struct gpu *gpu, const struct gpu_launch *launches, size_t count,
                         struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!run_range(gpu, &launches[i], i, error))
            return false;
    return gpu_wait(gpu, error);
}

/* One Start and Stop. Stop comes even after a launch that failed, or the next Start would be
 * refused. *submitted: whether every pass has run. */
static bool run_session(struct counter_set *set, const struct gpu_launch *launches, size_t count,
                        bool *submitted, struct error *error)
{
    struct cupti *cupti = &set->profiler->cupti;
    CUpti_RangeProfiler_Start_Params started = {
        SIZED(CUpti_RangeProfiler_Start_Params),
        .pRangeProfilerObject = set->profiler->ranges,
    };
    CUpti_RangeProfiler_Stop_Params stopped = {
        SIZED(CUpti_RangeProfiler_Stop_Params),
        .pRangeProfilerObject = set->profiler->ranges,
    };
    CUptiResult code = cupti->cuptiRangeProfilerStart(&started);
    if (code != CUPTI_SUCCESS)
        return cupti_error(cupti, code, error, "starting to count %s", set->metrics[0]);

    bool ran = run_launches(set->gpu, launches, count, error);
    code = cupti->cuptiRangeProfilerStop(&stopped);
    if (!ran)
        return false;
    if (code != CUPTI_SUCCESS)
        return cupti_error(cupti, code, error, "stopping to count %s", set->metrics[0]);
    *submitted = stopped.isAllPassSubmitted;
    return true;
}

/* A session a pass; the last one is CUPTI's to name, and decode() proves it. */
static bool run_passes(struct counter_set *set, const struct gpu_launch *launches, size_t count,
                       struct error *error)
{
    bool submitted = false;

    for (size_t pass = 0; pass < set->passes && !submitted; pass++)
        if (!run_session(set, launches, count, &submitted, error))
            return false;
    return true;
}

/* Fetches what was counted into the image, and makes sure that it is all there. */
static bool decode(struct counter_set *set, size_t launch_count, struct error *error)
{
    struct cupti *cupti = &set->profiler->cupti;
    CUpti_RangeProfiler_DecodeData_Params decoded = {
        SIZED(CUpti_RangeProfiler_DecodeData_Params),
        .pRangeProfilerObject = set->profiler->ranges,
    };
    CUpti_RangeProfiler_GetCounterDataInfo_Params info = {
        SIZED(CUpti_RangeProfiler_GetCounterDataInfo_Params),
        .pCounterDataImage = set->data,
        .counterDataImageSize = set->data_bytes,
    };
    CUptiResult code = cupti->cuptiRangeProfilerDecodeData(&decoded);

    if (code == CUPTI_SUCCESS)
        code = cupti->cuptiRangeProfilerGetCounterDataInfo(&info);
    if (code != CUPTI_SUCCESS)
        return cupti_error(cupti, code, error, "decoding the counters of %s", set->metrics[0]);
    if (decoded.numOfRangeDropped != 0 || info.numTotalRanges != launch_count)
        return error_set(
            error, ERROR_FAILED, "counting %s: %zu launches gave %zu ranges, with %zu dropped",
            set->metrics[0], launch_count, info.numTotalRanges, decoded.numOfRangeDropped);
    return true;
}

static bool evaluate(struct counter_set *set, size_t launch, double *values, struct error *error)
{
    CUpti_Profiler_Host_EvaluateToGpuValues_Params evaluated = {
        SIZED(CUpti_Profiler_Host_EvaluateToGpuValues_Params),
        .pHostObject = set->host,
        .pCounterDataImage = set->data,
        .counterDataImageSize = set->data_bytes,
        .rangeIndex = launch,
        .ppMetricNames = (const char **)set->metrics,
        .numMetrics = set->metric_count,
        .pMetricValues = values,
    };
    CUptiResult code = set->profiler->cupti.cuptiProfilerHostEvaluateToGpuValues(&evaluated);

    if (code != CUPTI_SUCCESS)
        return cupti_error(&set->profiler->cupti, code, error,
                           "evaluating the counters of launch %zu", launch);
    for (size_t i = 0; i < set->metric_count; i++)
        if (!isfinite(values[i]))
            return error_set(error, ERROR_FAILED, "counting %s: launch %zu has no value",
                             set->metrics[i], launch);
    return true;
}

static bool record(const struct counter_set *set, const struct gpu_launch *launch,
                   const double *values, struct error *error)
{
    return !set->gpu->record || count_log_write(set->gpu->record, launch->kernel.entry,
                                                set->metrics, set->metric_count, values, error);
}

bool counters_collect(struct gpu *gpu, struct counter_set *set, const struct gpu_launch *launches,
                      size_t launch_count, double *values, struct error *error)
{
    if (launch_count == 0 || launch_count > COUNTERS_MAX_LAUNCHES || set->gpu != gpu)
        return error_set(error, ERROR_FAILED,
                         "counting %zu launches at once: 1 to %d can be, on the set's own GPU",
                         launch_count, COUNTERS_MAX_LAUNCHES);
    if (gpu->replay)
        return replay_collect(gpu, set->metrics, set->metric_count, launches, launch_count, values,
                              error);
    if (!take_turn(set, launch_count, error) || !configure(set, error) ||
        !run_passes(set, launches, launch_count, error) || !decode(set, launch_count, error))
        return false;
    for (size_t i = 0; i < launch_count; i++)
        if (!evaluate(set, i, values + i * set->metric_count, error) ||
            !record(set, &launches[i], values + i * set->metric_count, error))
            return false;
    return true;
}
