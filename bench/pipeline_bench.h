/* What do verifying, counting and timing a pipeline share? Private to bench/pipeline_*.c and their
 * tests. */
#ifndef SWIZZLEBENCH_BENCH_PIPELINE_BENCH_H
#define SWIZZLEBENCH_BENCH_PIPELINE_BENCH_H

#include "bench/count_ahead.h"
#include "bench/pipeline_plan.h"
#include "bench/pipeline_run.h"
#include "bench/wgmma_places.h"
#include "harness/tensor_map.h"

enum { PIPELINE_WARP = 32 };

/* As kernels/pipeline.cu declares them. */
struct pipeline_maps {
    struct tensor_map of[WGMMA_OPERANDS];
};
struct pipeline_loads {
    uint32_t boxes, box_bytes, smem_offset;
    int32_t per_box[PIPELINE_MOST_RANK], per_k_block[PIPELINE_MOST_RANK];
};
struct pipeline_arguments {
    gpu_address out, clocks, stuck;
    uint64_t descriptors[WGMMA_OPERANDS][PIPELINE_MOST_STEPS];
    struct pipeline_loads loads[WGMMA_OPERANDS];
    uint32_t rank, stages, stage_bytes, positions, fill_bytes, patience_cycles;
    struct one_sm choice;
};
_Static_assert(sizeof(struct pipeline_arguments) == 264, "as kernels/pipeline.cu declares it");

enum pipeline_metric {
    PIPELINE_METRIC_BOXES,
    PIPELINE_METRIC_EXECUTED,
    PIPELINE_METRIC_SECTORS,
    PIPELINE_METRIC_WAVEFRONTS,
    PIPELINE_METRIC_CONFLICTS,
    PIPELINE_METRIC_TMA_ACTIVE,
    PIPELINE_METRIC_EXTRA,
    PIPELINE_METRICS = PIPELINE_METRIC_EXTRA + METRIC_SETS_MAX_EXTRA
};

/* One case on its way through. */
struct pipeline_case_run {
    struct gpu *gpu;
    struct pipeline_bench *bench;
    size_t index;
    struct pipeline_case c;
    struct pipeline_plan plan;
    struct pipeline_maps maps;
    char entry[16];
    struct pipeline_arguments arguments;
    uint32_t k_blocks;
    void *pointers[3];
    struct row *row;
    struct error *error;
};

/* Cases that were counted in one go, with the one that was asked for. */
struct pipeline_ahead {
    struct count_ahead counted;
    struct pipeline_case_run runs[COUNTERS_MAX_LAUNCHES];
};

struct pipeline_bench {
    const struct measure_options *options;
    bool has_wgmma;
    gpu_address tensors[WGMMA_OPERANDS], out, clocks, stuck;
    uint32_t sm; /* that clocks are of */
    struct metric_sets metrics;
    double control[PIPELINE_METRICS];
    bool has_control;
    struct pipeline_ahead *ahead;
    struct wgmma_places places;
    float expected[WGMMA_M * WGMMA_MAX_N], found[WGMMA_MAX_REGISTERS * WGMMA_WARPGROUP];
};

/* Makes a launch of one CTA ready; the run's k_blocks may be changed before it goes out. */
bool pipeline_prepare(struct pipeline_case_run *run, uint32_t k_blocks, struct gpu_launch *launch);

/* Both tensors, into the bench's buffers. */
bool pipeline_upload_data(struct gpu *gpu, struct pipeline_bench *bench, struct error *error);

/* Fails the row when a kernel gave up waiting for a barrier since this was asked last. */
bool pipeline_check_barriers(struct pipeline_case_run *run);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool pipeline_verify(struct pipeline_case_run *run);
bool pipeline_counting_open(struct gpu *gpu, struct pipeline_bench *bench, struct error *error);
bool pipeline_count(struct pipeline_case_run *run, struct pipeline_result *result);
bool pipeline_time(struct pipeline_case_run *run, struct pipeline_result *result);

#endif
