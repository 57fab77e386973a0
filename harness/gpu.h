/* One GPU, as a benchmark family sees it: memory, kernels by name, counters, clocks.
 *
 * Nothing here includes a CUDA header. harness/cuda/ implements it over libcuda, libcupti and
 * libnvidia-ml, which it opens when the program runs; where the program was built without CUDA
 * headers harness/no_cuda.c implements it by saying what is missing. Only a worker process may
 * call these; the parent never touches CUDA.
 */
#ifndef SWIZZLEBENCH_HARNESS_GPU_H
#define SWIZZLEBENCH_HARNESS_GPU_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/error.h"

struct gpu;
typedef uint64_t gpu_address;

struct gpu_info {
    char name[96]; /* "NVIDIA H200" */
    char uuid[48]; /* "GPU-xxxxxxxx-..." */
    int compute_major, compute_minor;
    int sm_count;
    int smem_per_block_optin_bytes;
    int l2_bytes;
    int clock_khz;      /* the highest SM clock */
    int driver_version; /* cuDriverGetVersion: 13000 for 13.0 */
    char driver[32];    /* "580.159.04" from NVML, "" when NVML is absent */
    char no_nvml[160];  /* why it is, or cannot tell of this GPU; "" when it can */
};

/* ERROR_MACHINE when there is no driver, no such device, or no CUDA in this build. */
bool gpu_count(int *count, struct error *error);
bool gpu_open(int ordinal, struct gpu **gpu, struct error *error);
void gpu_close(struct gpu *gpu);
const struct gpu_info *gpu_info(const struct gpu *gpu);

/* Memory. Plain device allocations; copies are synchronous. */
bool gpu_alloc(struct gpu *gpu, size_t bytes, gpu_address *address, struct error *error);
void gpu_free(struct gpu *gpu, gpu_address address);
bool gpu_upload(struct gpu *gpu, gpu_address to, const void *from, size_t bytes,
                struct error *error);
bool gpu_download(struct gpu *gpu, void *to, gpu_address from, size_t bytes, struct error *error);
bool gpu_fill(struct gpu *gpu, gpu_address to, uint8_t value, size_t bytes, struct error *error);

/* Kernels: entry point `entry` of build/kernels/<fatbin>.fatbin (or of $SWIZZLEBENCH_KERNELS/).
 * Modules are loaded once and kept. The directory is found from the program's own place: kernels/
 * beside it, or ../lib/swizzlebench/kernels when it is installed. */
struct gpu_kernel {
    void *function; /* a CUfunction */
    const char *entry;
};
bool gpu_kernel_find(struct gpu *gpu, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error);

struct gpu_launch {
    struct gpu_kernel kernel;
    unsigned grid_x, block_x;    /* CTAs, threads a CTA */
    unsigned cluster_x;          /* CTAs a cluster; 0 or 1: none */
    unsigned dynamic_smem_bytes; /* above 48 KiB the limit is raised for the kernel */
    unsigned carveout_pct;       /* of L1 that shared memory is to have; 0: what is best for it */
    void **arguments;            /* as cuLaunchKernel takes them */
};
bool gpu_run(struct gpu *gpu, const struct gpu_launch *launch, struct error *error); /* async */
bool gpu_wait(struct gpu *gpu, struct error *error);

/* Counters: CUPTI's range profiler, with user ranges and user replay; each launch is one range.
 * A counter set is a list of metric names ("l1tex__data_bank_reads.sum") made ready once and used
 * for many launches. counters_why_not says in one line why counters cannot be had and what the
 * owner of the machine can do about it, or returns NULL when they can. */
struct counter_set;
const char *counters_why_not(struct gpu *gpu);
/* Whether this chip has the metric (with its .sum or the like). */
bool counters_has_metric(struct gpu *gpu, const char *metric);
bool counter_set_open(struct gpu *gpu, const char *const *metrics, size_t metric_count,
                      struct counter_set **set, struct error *error);
void counter_set_close(struct counter_set *set);
size_t counter_set_passes(const struct counter_set *set);
/* Runs all launches under the set, once a pass; values come back as
 * values[launch * metric_count + metric]. launch_count is at most COUNTERS_MAX_LAUNCHES. */
enum { COUNTERS_MAX_LAUNCHES = 64 };
bool counters_collect(struct gpu *gpu, struct counter_set *set, const struct gpu_launch *launches,
                      size_t launch_count, double *values, struct error *error);

/* Clocks of the card, from NVML. Zero and "" where NVML is absent. */
struct gpu_clocks {
    bool unknown; /* whether something slows the card: nobody can tell */
    unsigned sm_mhz, memory_mhz;
    uint64_t throttle_reasons; /* NVML's bit mask */
    bool throttled;            /* a reason that slows the SM: thermal, power brake, power cap */
    char reasons[96];          /* in words, "" when none */
};
void gpu_clocks(struct gpu *gpu, struct gpu_clocks *clocks);

/* Which CTA of a launch works: the first to claim the work on SM number `sm`. One of the kernel's
 * arguments, as kernels/one_sm.cuh declares it; gpu_time_cycles() fills in the rest. */
struct one_sm {
    gpu_address claimed; /* 0: all of them work */
    uint32_t ticket, sm;
};
_Static_assert(sizeof(struct one_sm) == 16 && offsetof(struct one_sm, sm) == 12,
               "as kernels/one_sm.cuh declares it");

/* Timing by the SM's own clock: t(2n) - t(n).
 *
 * The kernel runs its body `*iterations` times between two reads of clock64 and each CTA writes
 * {cycles, nanoseconds} (two uint64_t, the second from %globaltimer) to clocks[cta]. A sample is
 * one launch with n and one with 2n; its value is the median over the CTAs of the difference,
 * divided by n * work_per_iteration. Samples repeat until the spread of the middle half is under
 * 0.05 % or max_samples is reached. Where that of the first min_samples is above 0.3 % and there is
 * a stretch, they are taken anew, with t((1 + stretch) n) - t(n), up to 9. All samples that were
 * taken while the card was throttled are taken again, once. Never runs under CUPTI. */
struct timed_kernel {
    struct gpu_launch launch;
    uint32_t *iterations; /* the variable that launch.arguments points at */
    gpu_address clocks;   /* launch.grid_x entries; with one_sm two */
    bool first_cta_alone; /* the others write no clocks, and count for nothing */

    /* NULL, or where the arguments have it, and launch.grid_x is the number of SMs: the CTA that
     * works writes clocks[0]; in clocks[1] it claims the work, with the ticket and its SM's number.
     * Where no CTA comes to that SM, one alone works, wherever it is. */
    struct one_sm *one_sm;
    uint32_t n;
    uint32_t stretch;                  /* 0: never */
    double work_per_iteration;         /* instructions of one CTA in one iteration, for example */
    unsigned min_samples, max_samples; /* 0: 5 and 25 */
};
struct timing {
    double min_cycles, median_cycles, max_cycles; /* a unit of work */
    unsigned samples;
    double throttled_samples; /* NAN where NVML is absent */
    double sm_clock_mhz; /* median over the samples, cycles over nanoseconds; 0 when too short */
    double sm;           /* that was chosen by one_sm; NAN: none was, or no CTA came there */
};
#define NO_TIMING /* of what was not timed */                                                      \
    ((struct timing){.min_cycles = NAN, .median_cycles = NAN, .max_cycles = NAN, .sm = NAN})
bool gpu_time_cycles(struct gpu *gpu, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error);

#endif
