/* What do verifying, counting and timing a copy share? Private to bench/copy_*.c and their tests.
 */
#ifndef SWIZZLEBENCH_BENCH_COPY_BENCH_H
#define SWIZZLEBENCH_BENCH_COPY_BENCH_H

#include "bench/copy_plan.h"
#include "bench/copy_run.h"
#include "bench/count_ahead.h"
#include "harness/tensor_map.h"

enum {
    COPY_TENSOR_BYTES = 16 << 20, /* stays in L2 */
    COPY_BARRIER_BYTES = 2048,    /* barriers, and what the next multiple of 1024 costs */
    COPY_GUARD_BYTES = 2048,      /* behind the stages, where nothing may land */
    COPY_DATA_BYTES = COPY_MOST_STAGES * 18 * 1024 + COPY_GUARD_BYTES,
    COPY_MOST_CTAS = 4, /* a SM */
    COPY_SEED = 0x5eed,
};

/* As kernels/copy.cuh declares it. */
struct copy_arguments {
    gpu_address global, out, clocks, spans, stuck, cursor;
    uint64_t row_bytes;
    uint32_t across, line_bytes, lines, tile_mask, stages, stage_bytes, tile_bytes, instructions,
        group_threads, fill_bytes, out_bytes, seed, patience_cycles;
    uint32_t span_bytes, box_lines, reserved;
    struct one_sm choice;
    uint32_t moves[COPY_MOST_MOVES];
};
_Static_assert(sizeof(struct copy_arguments) == 16520, "as kernels/copy.cuh declares it");

enum copy_metric {
    COPY_METRIC_GLOBAL_LD,
    COPY_METRIC_GLOBAL_ST,
    COPY_METRIC_SHARED_LD,
    COPY_METRIC_SHARED_ST,
    COPY_METRIC_LDGSTS,
    COPY_METRIC_TMA_LD,
    COPY_METRIC_TMA_ST,
    COPY_METRIC_SECTORS_LD,
    COPY_METRIC_SECTORS_ST,
    COPY_METRIC_SECTORS_LDGSTS,
    COPY_METRIC_SECTORS_TMA_LD,
    COPY_METRIC_SECTORS_TMA_ST,
    COPY_METRIC_REQUESTS_LD,
    COPY_METRIC_REQUESTS_ST,
    COPY_METRIC_REQUESTS_LDGSTS,
    COPY_METRIC_WAVEFRONTS_LD,
    COPY_METRIC_WAVEFRONTS_ST,
    COPY_METRIC_WAVEFRONTS_LDGSTS,
    COPY_METRIC_L2_REQUESTS,
    COPY_METRIC_L2_SECTORS,
    COPY_METRIC_EXTRA,
    COPY_METRICS = COPY_METRIC_EXTRA + METRIC_SETS_MAX_EXTRA
};

/* One case on its way through. */
struct copy_case_run {
    struct gpu *gpu;
    struct copy_bench *bench;
    size_t index;
    struct copy_case c;
    struct copy_plan plan;
    struct tensor_map map;
    char entry[24];
    struct copy_arguments arguments;
    uint32_t tiles;
    void *pointers[3];
    struct row *row;
    struct error *error;
};

/* Cases that were counted in one go, with the one that was asked for. */
struct copy_ahead {
    struct count_ahead counted;
    struct copy_case_run runs[COUNTERS_MAX_LAUNCHES];
};

/* The best plain copy, verified; 0 CTAs: not launched yet. Its rate is nan where it was not timed.
 */
struct copy_peak {
    struct chip_rate rate;
    unsigned ctas_per_sm;
};

struct copy_bench {
    const struct measure_options *options;
    gpu_address tensor, sink, out, clocks, spans, sums, stuck, cursor;
    uint32_t sm;           /* that clocks are of */
    uint64_t tensor_bytes; /* of tensor and sink each: many times as large as L2 where there is */
    struct error why_no_dram; /* room, else COPY_TENSOR_BYTES, and this is why */
    struct metric_sets metrics;
    double control[COPY_METRICS];
    bool has_control;
    struct copy_peak peaks[2][2]; /* of plain copies, by source and way back */
    struct copy_ahead *ahead;
    struct copy_case_run run;
    uint64_t *span_buffer;
    uint8_t *tensor_image, *found; /* COPY_TENSOR_BYTES each */
    uint8_t smem_image[COPY_DATA_BYTES], smem_found[COPY_DATA_BYTES];
};

/* Makes a launch of `ctas` CTAs ready; arguments and tiles may be changed before it goes out. */
bool copy_prepare(struct copy_case_run *run, unsigned ctas, uint32_t tiles,
                  struct gpu_launch *launch);

/* Fails the row when a kernel gave up waiting for a barrier since this was asked last. */
bool copy_check_barriers(struct copy_case_run *run);

/* What memory begins as: the tensor's and shared memory's words. */
uint32_t copy_word(uint32_t seed, uint32_t index);

/* Whether the GPU has what the case needs; else the row is skipped. */
bool copy_supported(const struct copy_bench *bench, const struct gpu_info *info,
                    const struct copy_case *c, struct row *row);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool copy_upload_data(struct gpu *gpu, struct copy_bench *bench, struct error *error);
bool copy_verify(struct copy_case_run *run);
bool copy_counting_open(struct gpu *gpu, struct copy_bench *bench, struct error *error);
bool copy_count(struct copy_case_run *run, struct copy_result *result);
bool copy_rate(struct copy_case_run *run, struct copy_result *result);
bool copy_rate_plain(struct copy_case_run *run, struct copy_result *result);

#endif
