/* What has to be ready before any counter can be read? CUPTI itself, opened once a GPU. */
#ifndef SWIZZLEBENCH_HARNESS_CUDA_PROFILER_H
#define SWIZZLEBENCH_HARNESS_CUDA_PROFILER_H

#include "harness/cuda/state.h"

struct profiler {
    char why_not[sizeof((struct error *)0)->text]; /* "" when counters can be had */
    struct cupti cupti;
    char chip[32];                      /* "GH100" */
    uint8_t *availability;              /* which counters this context may have, as CUPTI's blob */
    CUpti_RangeProfiler_Object *ranges; /* NULL: not enabled */
    const struct counter_set *current;  /* the set that `ranges` is configured for */
};

/* Every CUPTI structure starts with its own size in the header that we were built with. */
#define SIZED(type) .structSize = type##_STRUCT_SIZE

/* The profiler, made ready by the first call; NULL with *error set (ERROR_MACHINE) where counters
 * cannot be had. */
struct profiler *profiler_ready(struct gpu *gpu, struct error *error);

/* Enables the range profiler for one counter set, or ends that. */
bool profiler_enable(struct gpu *gpu, struct error *error);
void profiler_disable(struct gpu *gpu);

/* A host object: the half of CUPTI that schedules metrics into passes and evaluates them. */
bool profiler_host_open(struct profiler *profiler, CUpti_Profiler_Host_Object **host,
                        struct error *error);
void profiler_host_close(struct profiler *profiler, CUpti_Profiler_Host_Object *host);

/* Records "what was being done: CUPTI_ERROR_NAME", or for a code that the owner of the machine can
 * do something about a sentence that says so, and returns false. */
bool cupti_error(const struct cupti *cupti, CUptiResult code, struct error *error,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
