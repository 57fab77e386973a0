/* At what clock does the card run, and is something holding it back? */
#include "harness/cuda/state.h"

#include <stdio.h>
#include <string.h>

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 }; /* nvmlClockType_t */

/* nvmlClocksThrottleReason* of nvml.h. "idle" and the like lower the clock on purpose; the others
 * mean that the card cannot keep the clock that it was asked for. */
static const struct {
    uint64_t bit;
    bool slows;
    const char *words;
} reasons[] = {
    {.bit = 0x001, .slows = false, .words = "idle"},
    {.bit = 0x002, .slows = false, .words = "clocks set by the user"},
    {.bit = 0x004, .slows = true, .words = "power cap"},
    {.bit = 0x008, .slows = true, .words = "hardware slowdown"},
    {.bit = 0x010, .slows = false, .words = "sync boost"},
    {.bit = 0x020, .slows = true, .words = "thermal limit"},
    {.bit = 0x040, .slows = true, .words = "hardware thermal limit"},
    {.bit = 0x080, .slows = true, .words = "power brake"},
    {.bit = 0x100, .slows = false, .words = "display clocks"},
};
enum { REASON_COUNT = sizeof reasons / sizeof *reasons };

/* By UUID: NVML counts every card of the machine, CUDA those that CUDA_VISIBLE_DEVICES shows. */
void nvml_attach(struct gpu *gpu)
{
    struct gpu_info *info = &gpu->info;
    struct error error;

    if (!nvml_open(&gpu->nvml, &error)) {
        snprintf(info->no_nvml, sizeof info->no_nvml, "%.*s", (int)sizeof info->no_nvml - 1,
                 error.text);
        return;
    }
    if (gpu->nvml.nvmlSystemGetDriverVersion(info->driver, sizeof info->driver) != 0)
        info->driver[0] = '\0';
    int code = gpu->nvml.nvmlDeviceGetHandleByUUID(info->uuid, &gpu->nvml_device);
    gpu->has_nvml = code == 0;
    if (gpu->has_nvml)
        return;
    snprintf(info->no_nvml, sizeof info->no_nvml, "NVML does not know %s (NVML error %d)",
             info->uuid, code);
    gpu->nvml.nvmlShutdown();
}

void nvml_detach(struct gpu *gpu)
{
    if (gpu->has_nvml)
        gpu->nvml.nvmlShutdown();
    gpu->has_nvml = false;
}

static bool is_slowed(uint64_t mask)
{
    for (size_t i = 0; i < REASON_COUNT; i++)
        if (reasons[i].slows && (mask & reasons[i].bit))
            return true;
    return false;
}

void gpu_clocks(struct gpu *gpu, struct gpu_clocks *clocks)
{
    size_t used = 0;
    unsigned long long mask = 0;

    *clocks = (struct gpu_clocks){.unknown = true};
    if (!gpu->has_nvml)
        return;
    if (gpu->nvml.nvmlDeviceGetClockInfo(gpu->nvml_device, NVML_CLOCK_SM, &clocks->sm_mhz) != 0)
        clocks->sm_mhz = 0;
    if (gpu->nvml.nvmlDeviceGetClockInfo(gpu->nvml_device, NVML_CLOCK_MEM, &clocks->memory_mhz) !=
        0)
        clocks->memory_mhz = 0;
    clocks->unknown =
        gpu->nvml.nvmlDeviceGetCurrentClocksThrottleReasons(gpu->nvml_device, &mask) != 0;
    clocks->throttle_reasons = clocks->unknown ? 0 : mask;
    clocks->throttled = is_slowed(clocks->throttle_reasons);
    for (size_t i = 0; i < REASON_COUNT && used < sizeof clocks->reasons; i++)
        if (clocks->throttle_reasons & reasons[i].bit)
            used += (size_t)snprintf(clocks->reasons + used, sizeof clocks->reasons - used, "%s%s",
                                     used ? ", " : "", reasons[i].words);
}
