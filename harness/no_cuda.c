/* What does a program that was built without CUDA headers say when it is asked to measure? That it
 * was, and how to change it. It still predicts, checks, compares and reports. */
#include "harness/gpu.h"
#include "harness/tensor_map.h"

static bool no_cuda(struct error *error)
{
    return error_set(
        error, ERROR_MACHINE,
        "this build has no CUDA headers: run `scripts/setup cuda`, or install CUDA 12.6 or "
        "later and set CUDA_HOME, then build again with `make host`");
}

bool gpu_count(int *count, struct error *error)
{
    *count = 0;
    return no_cuda(error);
}

bool gpu_open(int ordinal, struct gpu **gpu, struct error *error)
{
    (void)ordinal;
    *gpu = 0;
    return no_cuda(error);
}

/* No gpu is ever opened, so nothing below can be reached with one. */

void gpu_close(struct gpu *gpu)
{
    (void)gpu;
}

const struct gpu_info *gpu_info(const struct gpu *gpu)
{
    static const struct gpu_info none;

    (void)gpu;
    return &none;
}

bool gpu_alloc(struct gpu *gpu, size_t bytes, gpu_address *address, struct error *error)
{
    (void)gpu, (void)bytes;
    *address = 0;
    return no_cuda(error);
}

void gpu_free(struct gpu *gpu, gpu_address address)
{
    (void)gpu, (void)address;
}

bool gpu_upload(struct gpu *gpu, gpu_address to, const void *from, size_t bytes,
                struct error *error)
{
    (void)gpu, (void)to, (void)from, (void)bytes;
    return no_cuda(error);
}

bool gpu_download(struct gpu *gpu, void *to, gpu_address from, size_t bytes, struct error *error)
{
    (void)gpu, (void)to, (void)from, (void)bytes;
    return no_cuda(error);
}

bool gpu_fill(struct gpu *gpu, gpu_address to, uint8_t value, size_t bytes, struct error *error)
{
    (void)gpu, (void)to, (void)value, (void)bytes;
    return no_cuda(error);
}

bool gpu_kernel_find(struct gpu *gpu, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)gpu, (void)fatbin, (void)entry;
    *kernel = (struct gpu_kernel){.function = 0};
    return no_cuda(error);
}

bool gpu_run(struct gpu *gpu, const struct gpu_launch *launch, struct error *error)
{
    (void)gpu, (void)launch;
    return no_cuda(error);
}

bool gpu_wait(struct gpu *gpu, struct error *error)
{
    (void)gpu;
    return no_cuda(error);
}

const char *counters_why_not(struct gpu *gpu)
{
    (void)gpu;
    return "this build has no CUDA headers";
}

bool counters_has_metric(struct gpu *gpu, const char *metric)
{
    (void)gpu, (void)metric;
    return false;
}

bool counter_set_open(struct gpu *gpu, const char *const *metrics, size_t metric_count,
                      struct counter_set **set, struct error *error)
{
    (void)gpu, (void)metrics, (void)metric_count;
    *set = 0;
    return no_cuda(error);
}

void counter_set_close(struct counter_set *set)
{
    (void)set;
}

size_t counter_set_passes(const struct counter_set *set)
{
    (void)set;
    return 0;
}

bool counters_collect(struct gpu *gpu, struct counter_set *set, const struct gpu_launch *launches,
                      size_t launch_count, double *values, struct error *error)
{
    (void)gpu, (void)set, (void)launches, (void)launch_count, (void)values;
    return no_cuda(error);
}

void gpu_clocks(struct gpu *gpu, struct gpu_clocks *clocks)
{
    (void)gpu;
    *clocks = (struct gpu_clocks){.sm_mhz = 0};
}

bool gpu_tensor_map(struct gpu *gpu, const struct tensor_map_request *request,
                    struct tensor_map *map, int *code, struct error *error)
{
    (void)gpu, (void)request, (void)map;
    *code = 0;
    return no_cuda(error);
}
