/* How are launches shown to a profiler outside of the process? Between cuProfilerStart and
 * cuProfilerStop, which is where `ncu --profile-from-start off` looks, and alone there. */
#include "harness/cuda/replay.h"

static bool show(struct gpu *gpu, const struct gpu_launch *launches, size_t launch_count,
                 struct error *error)
{
    CUresult code = gpu->driver.cuProfilerStart();
    if (code != CUDA_SUCCESS)
        return driver_error(&gpu->driver, code, error, "starting the profiler outside");
    bool ran = true;
    for (size_t i = 0; ran && i < launch_count; i++)
        ran = gpu_run(gpu, &launches[i], error) && gpu_wait(gpu, error);
    code = gpu->driver.cuProfilerStop();
    return ran && (code == CUDA_SUCCESS ||
                   driver_error(&gpu->driver, code, error, "stopping the profiler outside"));
}

bool replay_collect(struct gpu *gpu, char *const *metrics, size_t metric_count,
                    const struct gpu_launch *launches, size_t launch_count, double *values,
                    struct error *error)
{
    if (!show(gpu, launches, launch_count, error))
        return false;
    for (size_t i = 0; i < launch_count; i++)
        if (!count_log_take(gpu->replay, launches[i].kernel.entry, metrics, metric_count,
                            values + i * metric_count, error))
            return false;
    return true;
}
