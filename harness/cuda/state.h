/* What does an open GPU consist of? Shared by the files of harness/cuda/ and seen by nobody else.
 */
#ifndef SWIZZLEBENCH_HARNESS_CUDA_STATE_H
#define SWIZZLEBENCH_HARNESS_CUDA_STATE_H

#include "harness/cuda/library.h"
#include "harness/count_log.h"
#include "harness/gpu.h"

enum { KERNEL_NAME_BYTES = 96 };

struct module;   /* kernels.c: a fatbin that is loaded */
struct profiler; /* profiler.h */

struct gpu {
    struct driver driver;
    int ordinal;
    CUdevice device;
    CUcontext context;
    struct gpu_info info;
    struct module *modules;
    char running[KERNEL_NAME_BYTES]; /* the last kernel launched: a fault shows up later */
    bool has_nvml;
    struct nvml nvml;
    nvmlDevice_t nvml_device;
    struct profiler *profiler;         /* NULL until counters are asked for */
    struct count_log *record, *replay; /* of harness/outside.h, or NULL */
};

/* kernels.c */
void kernels_unload(struct gpu *gpu);

/* nvml.c: after gpu->info.uuid is known. Fills info.driver and info.no_nvml. */
void nvml_attach(struct gpu *gpu);
void nvml_detach(struct gpu *gpu);

/* profiler.c */
void profiler_close(struct gpu *gpu);

#endif
