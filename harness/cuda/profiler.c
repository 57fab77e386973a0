/* Can counters be read here, and if not, why and what can the owner of the machine do?
 *
 * The range profiler stays enabled from one collection to the next, for enabling costs far more
 * than a collection; it is enabled anew when another counter set takes its turn. Between Stop and
 * the next Start nothing is collected and launches are not replayed or serialised, so timed
 * launches, which never happen between Start and Stop, run as they would without CUPTI.
 */
#include "harness/cuda/profiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Codes of cupti_result.h, as numbers because older versions of it lack the later names. */
enum {
    DISABLED = 23,
    HARDWARE_BUSY = 26,
    VIRTUAL_GPU = 33,
    NO_PRIVILEGE = 35,
    OTHER_SUBSCRIBER = 39,
    HYPERVISOR_FORBIDS = 40,
    CONFIDENTIAL_COMPUTING = 41,
    MINING_CARD = 42,
    MIG = 43,
    SLI = 44,
    WSL = 45,
    UNKNOWN_CHIP = 46,
};

static const struct {
    int code;
    const char *sentence;
} remedies[] = {
    {DISABLED, "another profiler is in control of CUPTI; end it"},
    {HARDWARE_BUSY, "another program is reading this GPU's counters; end it (for DCGM: "
                    "`dcgmi profmon --pause`)"},
    {VIRTUAL_GPU, "this is a virtual GPU, and its kind cannot count; use a whole GPU"},
    {NO_PRIVILEGE,
     "the driver keeps counters for administrators; run as root or with CAP_SYS_ADMIN, start the "
     "container with --cap-add=SYS_ADMIN, or load the nvidia module with "
     "NVreg_RestrictProfilingToAdminUsers=0"},
    {OTHER_SUBSCRIBER,
     "another profiler or debugger is attached to this process; run without nsys, ncu or cuda-gdb"},
    {HYPERVISOR_FORBIDS,
     "this is a virtual GPU whose hypervisor forbids counting; its administrator can enable "
     "profiling for the vGPU"},
    {CONFIDENTIAL_COMPUTING,
     "confidential computing is on, which forbids counting; switch it off or use another GPU"},
    {MINING_CARD, "this is a mining card, which cannot count"},
    {MIG, "this is a slice of a GPU (MIG), which cannot count; use a GPU with MIG off"},
    {SLI, "SLI is on, which forbids counting; switch it off"},
    {WSL,
     "counters are not available under this WSL; update it and the Windows driver, or use Linux"},
    {UNKNOWN_CHIP,
     "this CUPTI is older than the GPU; install that of a newer CUDA, as far as the driver allows"},
};

bool cupti_error(const struct cupti *cupti, CUptiResult code, struct error *error,
                 const char *format, ...)
{
    const char *name = NULL;
    char doing[200];
    va_list arguments;

    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (remedies[i].code == (int)code)
            return error_set(error, ERROR_MACHINE, "%s (CUPTI error %d)", remedies[i].sentence,
                             (int)code);

    va_start(arguments, format);
    vsnprintf(doing, sizeof doing, format, arguments);
    va_end(arguments);
    if (cupti->cuptiGetResultString(code, &name) != CUPTI_SUCCESS || !name)
        name = "CUPTI error";
    return error_set(error, ERROR_FAILED, "%s: %s (%d)", doing, name, (int)code);
}

/* CUPTI's verdict on the device comes as flags, of which the first that objects is the reason. */
static bool check_supported(struct gpu *gpu, const struct cupti *cupti, struct error *error)
{
    CUpti_Profiler_DeviceSupported_Params asked = {
        SIZED(CUpti_Profiler_DeviceSupported_Params),
        .cuDevice = gpu->device,
        .api = CUPTI_PROFILER_RANGE_PROFILING,
    };
    CUptiResult code = cupti->cuptiProfilerDeviceSupported(&asked);
    if (code != CUPTI_SUCCESS)
        return cupti_error(cupti, code, error, "asking CUPTI whether %s has counters",
                           gpu->info.name);
    if (asked.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return true;

    const struct {
        CUpti_Profiler_Support_Level level;
        int code;
    } flags[] = {
        {asked.vGpu, HYPERVISOR_FORBIDS},
        {asked.confidentialCompute, CONFIDENTIAL_COMPUTING},
        {asked.cmp, MINING_CARD},
        {asked.sli, SLI},
        {asked.wsl, WSL},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].level != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
            return cupti_error(cupti, (CUptiResult)flags[i].code, error, "checking the GPU");
    return error_set(error, ERROR_MACHINE,
                     "this CUPTI cannot count on %s (compute capability %d.%d); install the CUPTI "
                     "of a CUDA version that supports it",
                     gpu->info.name, gpu->info.compute_major, gpu->info.compute_minor);
}

static bool read_chip_name(struct gpu *gpu, struct profiler *profiler, struct error *error)
{
    CUpti_Device_GetChipName_Params asked = {
        SIZED(CUpti_Device_GetChipName_Params),
        .deviceIndex = (size_t)gpu->ordinal,
    };
    CUptiResult code = profiler->cupti.cuptiDeviceGetChipName(&asked);
    if (code != CUPTI_SUCCESS)
        return cupti_error(&profiler->cupti, code, error, "asking CUPTI for the chip of %s",
                           gpu->info.name);
    snprintf(profiler->chip, sizeof profiler->chip, "%s", asked.pChipName);
    return true;
}

/* Asked twice, for the size and for the image. Missing permission shows here first. */
static bool read_availability(struct gpu *gpu, struct profiler *profiler, struct error *error)
{
    CUpti_Profiler_GetCounterAvailability_Params asked = {
        SIZED(CUpti_Profiler_GetCounterAvailability_Params),
        .ctx = gpu->context,
    };
    CUptiResult code = profiler->cupti.cuptiProfilerGetCounterAvailability(&asked);
    if (code == CUPTI_SUCCESS) {
        profiler->availability = calloc(1, asked.counterAvailabilityImageSize);
        if (!profiler->availability)
            return error_set(error, ERROR_FAILED,
                             "reading which counters there are: out of memory");
        asked.pCounterAvailabilityImage = profiler->availability;
        code = profiler->cupti.cuptiProfilerGetCounterAvailability(&asked);
    }
    return code == CUPTI_SUCCESS ||
           cupti_error(&profiler->cupti, code, error, "asking CUPTI which counters %s has",
                       gpu->info.name);
}

bool profiler_host_open(struct profiler *profiler, CUpti_Profiler_Host_Object **host,
                        struct error *error)
{
    CUpti_Profiler_Host_Initialize_Params made = {
        SIZED(CUpti_Profiler_Host_Initialize_Params),
        .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER,
        .pChipName = profiler->chip,
        .pCounterAvailabilityImage = profiler->availability,
    };
    CUptiResult code = profiler->cupti.cuptiProfilerHostInitialize(&made);

    *host = made.pHostObject;
    return code == CUPTI_SUCCESS ||
           cupti_error(&profiler->cupti, code, error, "reading CUPTI's metrics for the chip %s",
                       profiler->chip);
}

void profiler_host_close(struct profiler *profiler, CUpti_Profiler_Host_Object *host)
{
    CUpti_Profiler_Host_Deinitialize_Params ended = {
        SIZED(CUpti_Profiler_Host_Deinitialize_Params),
        .pHostObject = host,
    };

    if (host)
        profiler->cupti.cuptiProfilerHostDeinitialize(&ended);
}

/* Metrics of a chip that CUPTI does not know would fail in every set, so ask once, here. */
static bool check_host(struct profiler *profiler, struct error *error)
{
    CUpti_Profiler_Host_Object *host;

    if (!profiler_host_open(profiler, &host, error))
        return false;
    profiler_host_close(profiler, host);
    return true;
}

bool profiler_enable(struct gpu *gpu, struct error *error)
{
    struct profiler *profiler = gpu->profiler;
    CUpti_RangeProfiler_Enable_Params enabled = {
        SIZED(CUpti_RangeProfiler_Enable_Params),
        .ctx = gpu->context,
    };
    CUptiResult code = profiler->cupti.cuptiRangeProfilerEnable(&enabled);
    if (code != CUPTI_SUCCESS)
        return cupti_error(&profiler->cupti, code, error, "enabling the range profiler on %s",
                           gpu->info.name);
    profiler->ranges = enabled.pRangeProfilerObject;
    return true;
}

void profiler_disable(struct gpu *gpu)
{
    CUpti_RangeProfiler_Disable_Params disabled = {
        SIZED(CUpti_RangeProfiler_Disable_Params),
        .pRangeProfilerObject = gpu->profiler->ranges,
    };

    if (gpu->profiler->ranges)
        gpu->profiler->cupti.cuptiRangeProfilerDisable(&disabled);
    gpu->profiler->ranges = NULL;
    gpu->profiler->current = NULL;
}

static bool prepare(struct gpu *gpu, struct profiler *profiler, struct error *error)
{
    CUpti_Profiler_Initialize_Params initialized = {SIZED(CUpti_Profiler_Initialize_Params)};

    if (!cupti_open(&profiler->cupti, gpu->info.driver_version, error))
        return false;
    CUptiResult code = profiler->cupti.cuptiProfilerInitialize(&initialized);
    if (code != CUPTI_SUCCESS)
        return cupti_error(&profiler->cupti, code, error,
                           "starting CUPTI under driver %s (CUDA %d.%d)",
                           gpu->info.driver[0] ? gpu->info.driver : "unknown",
                           gpu->info.driver_version / 1000, gpu->info.driver_version % 1000 / 10);
    return check_supported(gpu, &profiler->cupti, error) && read_chip_name(gpu, profiler, error) &&
           read_availability(gpu, profiler, error) && check_host(profiler, error) &&
           profiler_enable(gpu, error);
}

struct profiler *profiler_ready(struct gpu *gpu, struct error *error)
{
    struct error reason = {.kind = ERROR_NONE};

    if (!gpu->profiler) {
        gpu->profiler = calloc(1, sizeof *gpu->profiler);
        if (!gpu->profiler) {
            error_set(error, ERROR_FAILED, "starting CUPTI: out of memory");
            return NULL;
        }
        if (!prepare(gpu, gpu->profiler, &reason))
            snprintf(gpu->profiler->why_not, sizeof gpu->profiler->why_not, "%s", reason.text);
    }
    if (*gpu->profiler->why_not) {
        error_set(error, ERROR_MACHINE, "%s", gpu->profiler->why_not);
        return NULL;
    }
    return gpu->profiler;
}

void profiler_close(struct gpu *gpu)
{
    struct profiler *profiler = gpu->profiler;
    CUpti_Profiler_DeInitialize_Params ended = {SIZED(CUpti_Profiler_DeInitialize_Params)};

    if (!profiler)
        return;
    if (profiler->ranges) {
        profiler_disable(gpu);
        profiler->cupti.cuptiProfilerDeInitialize(&ended);
    }
    free(profiler->availability);
    free(profiler);
    gpu->profiler = NULL;
}
