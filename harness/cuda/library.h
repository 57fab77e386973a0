/* Which functions of libcuda, libcupti and libnvidia-ml does swizzlebench call, and how are they
 * found in a library that is opened when the program runs?
 *
 * Each library is one list of names. The list gives the table of pointers its fields and the
 * loader its symbols. cuda.h maps plain names to versioned ones (cuMemAlloc to cuMemAlloc_v2) with
 * macros; field, type and symbol all go through the same macro and therefore agree. */
#ifndef SWIZZLEBENCH_HARNESS_CUDA_LIBRARY_H
#define SWIZZLEBENCH_HARNESS_CUDA_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "harness/error.h"

#define DRIVER_FUNCTIONS(X)                                                                        \
    X(cuInit)                                                                                      \
    X(cuDriverGetVersion)                                                                          \
    X(cuGetErrorName)                                                                              \
    X(cuGetErrorString)                                                                            \
    X(cuDeviceGetCount)                                                                            \
    X(cuDeviceGet)                                                                                 \
    X(cuDeviceGetName)                                                                             \
    X(cuDeviceGetUuid)                                                                             \
    X(cuDeviceGetAttribute)                                                                        \
    X(cuDevicePrimaryCtxSetFlags)                                                                  \
    X(cuDevicePrimaryCtxRetain)                                                                    \
    X(cuDevicePrimaryCtxRelease)                                                                   \
    X(cuCtxSetCurrent)                                                                             \
    X(cuCtxSynchronize)                                                                            \
    X(cuMemAlloc)                                                                                  \
    X(cuMemFree)                                                                                   \
    X(cuMemcpyHtoD)                                                                                \
    X(cuMemcpyDtoH)                                                                                \
    X(cuMemsetD8)                                                                                  \
    X(cuModuleLoadData)                                                                            \
    X(cuModuleUnload)                                                                              \
    X(cuModuleGetFunction)                                                                         \
    X(cuFuncSetAttribute)                                                                          \
    X(cuTensorMapEncodeTiled)                                                                      \
    X(cuTensorMapEncodeIm2col)                                                                     \
    X(cuLaunchKernelEx)                                                                            \
    X(cuProfilerStart)                                                                             \
    X(cuProfilerStop)

#define CUPTI_FUNCTIONS(X)                                                                         \
    X(cuptiGetResultString)                                                                        \
    X(cuptiDeviceGetChipName)                                                                      \
    X(cuptiProfilerInitialize)                                                                     \
    X(cuptiProfilerDeInitialize)                                                                   \
    X(cuptiProfilerDeviceSupported)                                                                \
    X(cuptiProfilerGetCounterAvailability)                                                         \
    X(cuptiProfilerHostInitialize)                                                                 \
    X(cuptiProfilerHostDeinitialize)                                                               \
    X(cuptiProfilerHostConfigAddMetrics)                                                           \
    X(cuptiProfilerHostGetConfigImageSize)                                                         \
    X(cuptiProfilerHostGetConfigImage)                                                             \
    X(cuptiProfilerHostGetNumOfPasses)                                                             \
    X(cuptiProfilerHostEvaluateToGpuValues)                                                        \
    X(cuptiRangeProfilerEnable)                                                                    \
    X(cuptiRangeProfilerDisable)                                                                   \
    X(cuptiRangeProfilerSetConfig)                                                                 \
    X(cuptiRangeProfilerStart)                                                                     \
    X(cuptiRangeProfilerStop)                                                                      \
    X(cuptiRangeProfilerPushRange)                                                                 \
    X(cuptiRangeProfilerPopRange)                                                                  \
    X(cuptiRangeProfilerDecodeData)                                                                \
    X(cuptiRangeProfilerGetCounterDataSize)                                                        \
    X(cuptiRangeProfilerCounterDataImageInitialize)                                                \
    X(cuptiRangeProfilerGetCounterDataInfo)

/* As cudaProfiler.h declares them, which not every CUDA installation has. */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

/* The NVML functions that are needed, as NVIDIA's NVML reference and nvml.h declare them:
 * many CUDA installations have the library (it comes with the driver) but not the header. Their
 * binary interface does not change; changed functions get a new _vN name. Enumerations are int. */
typedef struct nvmlDevice_st *nvmlDevice_t;
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlSystemGetDriverVersion(char *version, unsigned length);
int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device);
int nvmlDeviceGetClockInfo(nvmlDevice_t device, int type, unsigned *clock_mhz);
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons);

#define NVML_FUNCTIONS(X)                                                                          \
    X(nvmlInit_v2)                                                                                 \
    X(nvmlShutdown)                                                                                \
    X(nvmlSystemGetDriverVersion)                                                                  \
    X(nvmlDeviceGetHandleByUUID)                                                                   \
    X(nvmlDeviceGetClockInfo)                                                                      \
    X(nvmlDeviceGetCurrentClocksThrottleReasons)

#define LIBRARY_FIELD(name) __typeof__(name) *name;
struct driver {
    DRIVER_FUNCTIONS(LIBRARY_FIELD)
};
struct cupti {
    CUPTI_FUNCTIONS(LIBRARY_FIELD)
};
struct nvml {
    NVML_FUNCTIONS(LIBRARY_FIELD)
};
#undef LIBRARY_FIELD

/* Open a library and fill its table. The handles are never closed: libcuda does not survive it,
 * and a worker process keeps the libraries until it ends.
 *
 * driver_open calls cuInit as well. ERROR_MACHINE: no driver, one older than CUDA 12.0, or no GPU
 * that it can use. */
bool driver_open(struct driver *driver, struct error *error);
/* Takes no libcupti that is newer than the driver. ERROR_MACHINE says where it looked and what to
 * install; a missing libnvperf_host.so has its own sentence. */
bool cupti_open(struct cupti *cupti, int driver_version, struct error *error);
/* Opens libnvidia-ml, or what $SWIZZLEBENCH_NVML names. ERROR_MACHINE where it or one of its
 * functions is missing, or it does not start. */
bool nvml_open(struct nvml *nvml, struct error *error);

/* Records "what was being done: CUDA_ERROR_NAME (what the driver calls it)" and returns false. */
bool driver_error(const struct driver *driver, CUresult code, struct error *error,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Puts the directory of the running program into path. */
bool program_directory(char *path, size_t bytes);

/* For library.c and find_cupti.c: fills a table from an open library. Returns the name of the
 * first symbol that it lacks, or NULL; the pointers that it has are filled in either case. */
struct symbol {
    const char *name;
    size_t offset;
};
#define LIBRARY_TEXT(name)          #name
#define LIBRARY_SYMBOL(table, name) {LIBRARY_TEXT(name), offsetof(struct table, name)},
const char *library_load(void *handle, const struct symbol *symbols, size_t count, void *table);

#endif
