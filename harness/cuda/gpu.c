/* How is a GPU opened, described, filled with data and made to run a kernel, through the driver
 * API? */
#include "harness/cuda/state.h"
#include "harness/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAIN_SMEM_BYTES = 48 * 1024, /* what a kernel may have without asking */
    PORTABLE_CLUSTER_CTAS = 8,
};

bool gpu_count(int *count, struct error *error)
{
    struct driver driver;

    if (!driver_open(&driver, error))
        return false;
    CUresult code = driver.cuDeviceGetCount(count);
    return code == CUDA_SUCCESS || driver_error(&driver, code, error, "counting the GPUs");
}

static int attribute(const struct gpu *gpu, CUdevice_attribute which)
{
    int value = 0;

    gpu->driver.cuDeviceGetAttribute(&value, which, gpu->device);
    return value;
}

static void print_uuid(const CUuuid *uuid, char text[48])
{
    const unsigned char *b = (const unsigned char *)uuid->bytes;

    snprintf(text, 48, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

static bool describe(struct gpu *gpu, struct error *error)
{
    struct gpu_info *info = &gpu->info;
    CUuuid uuid;
    CUresult code = gpu->driver.cuDeviceGetName(info->name, (int)sizeof info->name, gpu->device);

    if (code == CUDA_SUCCESS)
        code = gpu->driver.cuDeviceGetUuid(&uuid, gpu->device);
    if (code == CUDA_SUCCESS)
        code = gpu->driver.cuDriverGetVersion(&info->driver_version);
    if (code != CUDA_SUCCESS)
        return driver_error(&gpu->driver, code, error, "asking GPU %d for its name", gpu->ordinal);

    print_uuid(&uuid, info->uuid);
    info->compute_major = attribute(gpu, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    info->compute_minor = attribute(gpu, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    info->sm_count = attribute(gpu, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->smem_per_block_optin_bytes =
        attribute(gpu, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    info->l2_bytes = attribute(gpu, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info->clock_khz = attribute(gpu, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    return true;
}

static bool find_device(struct gpu *gpu, struct error *error)
{
    int count = 0;
    CUresult code = gpu->driver.cuDeviceGetCount(&count);

    if (code != CUDA_SUCCESS)
        return driver_error(&gpu->driver, code, error, "counting the GPUs");
    if (gpu->ordinal < 0 || gpu->ordinal >= count)
        return error_set(error, ERROR_MACHINE,
                         "there is no GPU %d here: the driver shows %d, "
                         "numbered from 0",
                         gpu->ordinal, count);
    code = gpu->driver.cuDeviceGet(&gpu->device, gpu->ordinal);
    return code == CUDA_SUCCESS ||
           driver_error(&gpu->driver, code, error, "opening GPU %d", gpu->ordinal);
}

/* The primary context: its functions have had the same form since CUDA 11, whereas cuCtxCreate has
 * changed with most versions. Waiting spins, so that a short launch is not rounded up to the
 * scheduler's time slice; where someone has already made the context the flag is refused, which
 * costs time and nothing else. */
static bool make_context(struct gpu *gpu, struct error *error)
{
    gpu->driver.cuDevicePrimaryCtxSetFlags(gpu->device, CU_CTX_SCHED_SPIN);

    CUresult code = gpu->driver.cuDevicePrimaryCtxRetain(&gpu->context, gpu->device);
    if (code == CUDA_SUCCESS)
        code = gpu->driver.cuCtxSetCurrent(gpu->context);
    return code == CUDA_SUCCESS ||
           driver_error(&gpu->driver, code, error, "making a context on GPU %d (%s)", gpu->ordinal,
                        gpu->info.name);
}

/* What a tool outside asked for. */
static bool open_logs(struct gpu *gpu, struct error *error)
{
    const char *record = outside_record(), *replay = outside_replay();

    return (!record || count_log_create(record, &gpu->record, error)) &&
           (!replay || count_log_open(replay, &gpu->replay, error));
}

bool gpu_open(int ordinal, struct gpu **opened, struct error *error)
{
    struct gpu *gpu = calloc(1, sizeof *gpu);

    *opened = NULL;
    if (!gpu)
        return error_set(error, ERROR_FAILED, "opening GPU %d: out of memory", ordinal);
    gpu->ordinal = ordinal;
    if (!driver_open(&gpu->driver, error)) {
        free(gpu);
        return false;
    }
    if (!find_device(gpu, error) || !describe(gpu, error) || !make_context(gpu, error) ||
        !open_logs(gpu, error)) {
        gpu_close(gpu);
        return false;
    }
    nvml_attach(gpu);
    *opened = gpu;
    return true;
}

void gpu_close(struct gpu *gpu)
{
    if (!gpu)
        return;
    profiler_close(gpu);
    kernels_unload(gpu);
    nvml_detach(gpu);
    if (gpu->context)
        gpu->driver.cuDevicePrimaryCtxRelease(gpu->device);
    count_log_close(gpu->record);
    count_log_close(gpu->replay);
    free(gpu);
}

const struct gpu_info *gpu_info(const struct gpu *gpu)
{
    return &gpu->info;
}

bool gpu_alloc(struct gpu *gpu, size_t bytes, gpu_address *address, struct error *error)
{
    CUdeviceptr pointer = 0;
    CUresult code = gpu->driver.cuMemAlloc(&pointer, bytes);

    *address = pointer;
    return code == CUDA_SUCCESS ||
           driver_error(&gpu->driver, code, error, "allocating %zu bytes on GPU %d", bytes,
                        gpu->ordinal);
}

void gpu_free(struct gpu *gpu, gpu_address address)
{
    if (address)
        gpu->driver.cuMemFree(address);
}

/* A fault of a kernel is told by the next call that waits, so say which kernel ran last. */
static bool copy_error(struct gpu *gpu, CUresult code, const char *doing, size_t bytes,
                       struct error *error)
{
    return driver_error(&gpu->driver, code, error, "%s, %zu bytes%s%s", doing, bytes,
                        *gpu->running ? ", after running " : "", gpu->running);
}

bool gpu_upload(struct gpu *gpu, gpu_address to, const void *from, size_t bytes,
                struct error *error)
{
    CUresult code = gpu->driver.cuMemcpyHtoD(to, from, bytes);

    return code == CUDA_SUCCESS || copy_error(gpu, code, "copying to the GPU", bytes, error);
}

bool gpu_download(struct gpu *gpu, void *to, gpu_address from, size_t bytes, struct error *error)
{
    CUresult code = gpu->driver.cuMemcpyDtoH(to, from, bytes);

    return code == CUDA_SUCCESS || copy_error(gpu, code, "copying from the GPU", bytes, error);
}

bool gpu_fill(struct gpu *gpu, gpu_address to, uint8_t value, size_t bytes, struct error *error)
{
    CUresult code = gpu->driver.cuMemsetD8(to, value, bytes);

    return code == CUDA_SUCCESS || copy_error(gpu, code, "filling memory of the GPU", bytes, error);
}

/* Of L1, in percent: what the launch says, else all where it needs much, else the driver's choice.
 */
static int carveout(const struct gpu_launch *launch)
{
    if (launch->carveout_pct)
        return (int)launch->carveout_pct;
    return launch->dynamic_smem_bytes > PLAIN_SMEM_BYTES ? CU_SHAREDMEM_CARVEOUT_MAX_SHARED
                                                         : CU_SHAREDMEM_CARVEOUT_DEFAULT;
}

/* Lets the kernel have the shared memory and the cluster that the launch wants. A kernel keeps its
 * carve-out from launch to launch, so that each says its own. */
static CUresult allow(struct gpu *gpu, const struct gpu_launch *launch)
{
    CUfunction function = launch->kernel.function;
    CUresult code = CUDA_SUCCESS;

    if (launch->dynamic_smem_bytes > PLAIN_SMEM_BYTES)
        code = gpu->driver.cuFuncSetAttribute(function,
                                              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                              (int)launch->dynamic_smem_bytes);
    if (code == CUDA_SUCCESS)
        code = gpu->driver.cuFuncSetAttribute(
            function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carveout(launch));
    if (code == CUDA_SUCCESS && launch->cluster_x > PORTABLE_CLUSTER_CTAS)
        code = gpu->driver.cuFuncSetAttribute(
            function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return code;
}

static bool launch_error(struct gpu *gpu, CUresult code, const char *doing,
                         const struct gpu_launch *launch, struct error *error)
{
    return driver_error(&gpu->driver, code, error,
                        "%s %s (%u CTAs of %u threads, %u bytes of shared memory, clusters of %u)",
                        doing, launch->kernel.entry, launch->grid_x, launch->block_x,
                        launch->dynamic_smem_bytes, launch->cluster_x ? launch->cluster_x : 1);
}

bool gpu_run(struct gpu *gpu, const struct gpu_launch *launch, struct error *error)
{
    CUresult code = allow(gpu, launch);
    if (code != CUDA_SUCCESS)
        return launch_error(gpu, code, "preparing the launch of", launch, error);

    CUlaunchAttribute cluster = {
        .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        .value.clusterDim = {.x = launch->cluster_x, .y = 1, .z = 1},
    };
    CUlaunchConfig config = {
        .gridDimX = launch->grid_x,
        .gridDimY = 1,
        .gridDimZ = 1,
        .blockDimX = launch->block_x,
        .blockDimY = 1,
        .blockDimZ = 1,
        .sharedMemBytes = launch->dynamic_smem_bytes,
        .attrs = &cluster,
        .numAttrs = launch->cluster_x > 1,
    };
    snprintf(gpu->running, sizeof gpu->running, "%s", launch->kernel.entry);
    code = gpu->driver.cuLaunchKernelEx(&config, launch->kernel.function, launch->arguments, NULL);
    return code == CUDA_SUCCESS || launch_error(gpu, code, "launching", launch, error);
}

bool gpu_wait(struct gpu *gpu, struct error *error)
{
    CUresult code = gpu->driver.cuCtxSynchronize();

    return code == CUDA_SUCCESS || driver_error(&gpu->driver, code, error, "running %s",
                                                *gpu->running ? gpu->running : "nothing yet");
}
