/* What do verifying, counting and timing a product share? Private to bench/wgmma_*.c and their
 * tests. */
#ifndef SWIZZLEBENCH_BENCH_WGMMA_BENCH_H
#define SWIZZLEBENCH_BENCH_WGMMA_BENCH_H

#include "bench/count_ahead.h"
#include "bench/wgmma_operands.h"
#include "bench/wgmma_places.h"
#include "bench/wgmma_run.h"

/* The shape of kernels/wgmma.cuh. */
enum {
    WGMMA_WARPGROUPS = 2, /* of a CTA: while one waits the other multiplies */
    WGMMA_THREADS = WGMMA_WARPGROUPS * WGMMA_WARPGROUP,
    WGMMA_ALIGNMENT_BYTES = 1024,
};

/* As kernels/wgmma.cuh declares it. */
struct wgmma_arguments {
    gpu_address image, fragments, out, clocks;
    uint64_t a[WGMMA_STEPS], b[WGMMA_STEPS];
    uint32_t image_bytes;
};

enum wgmma_metric {
    WGMMA_METRIC_EXECUTED,
    WGMMA_METRIC_WAVEFRONTS,
    WGMMA_METRIC_CONFLICTS,
    WGMMA_METRIC_BANK_READS,
    WGMMA_METRIC_EXTRA,
    WGMMA_METRICS = WGMMA_METRIC_EXTRA + METRIC_SETS_MAX_EXTRA
};

/* One case on its way through. */
struct wgmma_case_run {
    struct gpu *gpu;
    struct wgmma_bench *bench;
    size_t index;
    struct wgmma_case c;
    struct wgmma_plan plan;
    char entry[24];
    struct wgmma_arguments arguments;
    uint32_t iterations;
    void *pointers[2];
    struct row *row;
    struct error *error;
};

/* Cases that were counted in one go, with the one that was asked for. */
struct wgmma_ahead {
    struct count_ahead counted;
    struct wgmma_case_run runs[COUNTERS_MAX_LAUNCHES];
};

struct wgmma_bench {
    const struct measure_options *options;
    bool has_wgmma;
    gpu_address images, fragments, out, clocks; /* the first two: one a type, behind each other */
    struct metric_sets metrics;
    double control[WGMMA_METRICS];
    bool has_control;
    struct wgmma_ahead *ahead;
    struct wgmma_places places;
    struct wgmma_product truth, expected;
    uint32_t found[WGMMA_MAX_REGISTERS * WGMMA_THREADS];
};

/* Makes a launch of `ctas` CTAs ready; the run's iterations may be changed before it goes out. */
bool wgmma_prepare(struct wgmma_case_run *run, unsigned ctas, uint32_t iterations,
                   struct gpu_launch *launch);

/* The data of all types, into the bench's buffers. */
bool wgmma_upload_data(struct gpu *gpu, struct wgmma_bench *bench, struct error *error);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool wgmma_verify(struct wgmma_case_run *run, struct wgmma_result *result);
bool wgmma_counting_open(struct gpu *gpu, struct wgmma_bench *bench, struct error *error);
bool wgmma_count(struct wgmma_case_run *run, struct wgmma_result *result);
bool wgmma_time(struct wgmma_case_run *run, struct wgmma_result *result);

#endif
