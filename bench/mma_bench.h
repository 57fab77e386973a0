/* What do verifying, counting and timing an mma share? Private to bench/mma_*.c and their tests. */
#ifndef SWIZZLEBENCH_BENCH_MMA_BENCH_H
#define SWIZZLEBENCH_BENCH_MMA_BENCH_H

#include "bench/count_ahead.h"
#include "bench/mma_plan.h"
#include "bench/mma_run.h"

enum {
    MMA_THREADS = MMA_WARPS * SWB_LANES,
    MMA_VALUES = MMA_ROWS * MMA_ROWS / MMA_THREADS, /* accumulators of a thread */
    MMA_OFFSETS_BYTES = MMA_WARPS * 96 * SWB_LANES * 4,
    MMA_IMAGE_BYTES = MMA_READ * MMA_MAX_TILE_BYTES,
    MMA_SLOTS = COUNTERS_MAX_LAUNCHES + 1, /* inputs that lie on the GPU at once */
    MMA_CASE_SLOT = COUNTERS_MAX_LAUNCHES, /* those of the case that is being measured */
};

/* As kernels/mma.cuh declares it. */
struct mma_arguments {
    gpu_address offsets, image, out, clocks;
    uint32_t image_bytes, step;
};

enum mma_metric {
    MMA_METRIC_WAVEFRONTS,
    MMA_METRIC_CONFLICTS,
    MMA_METRIC_LDMATRIX,
    MMA_METRIC_LOADS,
    MMA_METRIC_TENSOR,
    MMA_METRIC_EXTRA,
    MMA_METRICS = MMA_METRIC_EXTRA + METRIC_SETS_MAX_EXTRA
};

/* One case on its way through. */
struct mma_case_run {
    struct gpu *gpu;
    struct mma_bench *bench;
    size_t index;
    const struct mma_case *c;
    const struct mma_plan *plans[MMA_READ];
    unsigned slot, capability;
    char entry[64]; /* without its end: "bf16_ldmatrix_x4_ldmatrix_x4_trans" */
    char launched[72];
    struct mma_arguments arguments;
    uint32_t iterations;
    void *pointers[2];
    struct row *row;
    struct error *error;
};

/* Cases that were counted in one go, with the one that was asked for. */
struct mma_ahead {
    struct count_ahead counted;
    struct mma_case_run runs[COUNTERS_MAX_LAUNCHES];
};

/* Without loads in the loop the layouts make no difference. */
struct mma_alone {
    char entry[64];
    struct timing timing;
};

struct mma_bench {
    const struct measure_options *options;
    gpu_address inputs, out, clocks; /* inputs: MMA_SLOTS of them */
    struct metric_sets metrics;
    double control[MMA_METRICS];
    bool has_control;
    struct mma_ahead ahead;
    struct mma_alone alone[32];
    size_t alone_count;

    int8_t numbers[MMA_READ][MMA_MAX_ELEMENTS]; /* random; a type takes as many bits as it can */

    /* Inputs on their way to the GPU, and results on their way back. */
    uint32_t offsets[MMA_OFFSETS_BYTES / 4];
    uint8_t image[MMA_IMAGE_BYTES];
    uint32_t out_words[MMA_THREADS][MMA_VALUES];
    int32_t product[MMA_ROWS][MMA_ROWS], right_product[MMA_ROWS][MMA_ROWS];
};

/* Takes the case's plans and lays its inputs into a slot on the GPU. The row is no longer ROW_OK
 * where it cannot be run. */
bool mma_make_ready(struct mma_case_run *run);

/* Makes a launch of kernel ENTRY_<suffix>, or of `entry` alone, ready; the run's iterations may be
 * changed before it goes out. */
bool mma_prepare(struct mma_case_run *run, const char *suffix, unsigned ctas,
                 struct gpu_launch *launch);
bool mma_prepare_control(struct mma_case_run *run, struct gpu_launch *launch);

/* An integer of the operand as its type has it, in the low bits. */
uint32_t mma_encode(const struct mma_type *type, int number);

/* Element number `element` of A or B, an integer that the type can hold. */
int mma_number(const struct mma_bench *bench, const struct mma_type *type,
               enum swb_mma_operand which, unsigned element);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool mma_verify(struct mma_case_run *run, struct mma_result *result);
bool mma_counting_open(struct gpu *gpu, struct mma_bench *bench, struct error *error);
bool mma_count(struct mma_case_run *run, struct mma_result *result);
bool mma_time(struct mma_case_run *run, struct mma_result *result);

#endif
