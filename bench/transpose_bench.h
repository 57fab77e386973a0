/* What do verifying, counting and timing a transpose share? Private to bench/transpose_*.c and
 * their tests. */
#ifndef SWIZZLEBENCH_BENCH_TRANSPOSE_BENCH_H
#define SWIZZLEBENCH_BENCH_TRANSPOSE_BENCH_H

#include "bench/transpose_plan.h"
#include "bench/transpose_run.h"
#include "harness/tensor_map.h"

enum {
    TRANSPOSE_WIDTHS = 3,            /* elements of 1, 2 and 4 bytes */
    TRANSPOSE_CTA_SMEM_BYTES = 1024, /* what the hardware keeps for itself */
};

/* As kernels/transpose.cuh declares it. */
struct transpose_arguments {
    gpu_address in, out, places, clocks, stuck;
    uint32_t pitch_bytes, line_bytes, tile_lines, across_shift;
    uint32_t boxes, box_elements, box_bytes, stage_bytes;
    uint32_t patience_cycles;
    uint32_t threads, group_bytes;
};

enum transpose_metric {
    TRANSPOSE_METRIC_WAVEFRONTS_ST,
    TRANSPOSE_METRIC_WAVEFRONTS_STSM,
    TRANSPOSE_METRIC_WAVEFRONTS_LD,
    TRANSPOSE_METRIC_WAVEFRONTS_LDSM,
    TRANSPOSE_METRIC_CONFLICTS_IN,
    TRANSPOSE_METRIC_CONFLICTS_OUT,
    TRANSPOSE_METRIC_ARBITRATION,
    TRANSPOSE_METRIC_STORES,
    TRANSPOSE_METRIC_STMATRIX,
    TRANSPOSE_METRIC_BOXES,
    TRANSPOSE_METRIC_LOADS,
    TRANSPOSE_METRIC_LDMATRIX,
    TRANSPOSE_METRIC_EXTRA,
    TRANSPOSE_METRICS = TRANSPOSE_METRIC_EXTRA + METRIC_SETS_MAX_EXTRA
};

struct transpose_bench {
    const struct measure_options *options;
    uint32_t seed; /* of the data */
    gpu_address in, out, places, clocks, stuck, wrong;
    struct metric_sets metrics;
    struct chip_rate copies[TRANSPOSE_WIDTHS][TRANSPOSE_MEMORIES];
    bool has_copies[TRANSPOSE_WIDTHS];
    struct transpose_plan plan;
    uint8_t *found; /* room for a matrix that stays in L2 */
    uint64_t *spans;
    unsigned span_ctas; /* room in clocks and spans */
};

/* One case on its way through. */
struct transpose_case_run {
    struct gpu *gpu;
    struct transpose_bench *bench;
    const struct transpose_case *c;
    struct transpose_arguments arguments;
    uint32_t tiles;
    struct tensor_map maps[2]; /* of the input, and of the output */
    void *pointers[3];
    struct row *row;
    struct error *error;
};

/* As powers of two: rows, and columns, of a matrix in DRAM, or in L2. */
unsigned transpose_side_shift(const struct gpu_info *info, unsigned elem_bytes,
                              enum transpose_memory memory);

/* Tiles of such a matrix. */
uint32_t transpose_tiles(const struct transpose_case_run *run, enum transpose_memory memory);

/* Of shared memory. */
unsigned transpose_cta_bytes(const struct transpose_case *c);

/* CTAs that an SM has room for, with as many threads at most. */
unsigned transpose_ctas(const struct transpose_case_run *run, unsigned threads);

/* Makes a launch of the case's kernel (ENTRY_whole, ENTRY_shared) over such a matrix ready; the
 * run's tiles may be changed before it goes out. */
bool transpose_prepare(struct transpose_case_run *run, const char *suffix,
                       enum transpose_memory memory, unsigned ctas, struct gpu_launch *launch);
bool transpose_launch(struct transpose_case_run *run, const struct gpu_launch *launch);

/* Fails the row when a kernel gave up waiting for a barrier since this was asked last. */
bool transpose_check_barriers(struct transpose_case_run *run);

/* Bytes that are neither of the input's matrix nor of a transpose of it. */
bool transpose_poison(struct transpose_case_run *run, enum transpose_memory memory);

/* Compares the output, in L2's size byte for byte on the host, in DRAM's by a kernel. */
bool transpose_compare(struct transpose_case_run *run, enum transpose_memory memory);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool transpose_verify(struct transpose_case_run *run);
bool transpose_counting_open(struct gpu *gpu, struct transpose_bench *bench, struct error *error);
bool transpose_count(struct transpose_case_run *run, struct transpose_result *result);
bool transpose_time(struct transpose_case_run *run, struct transpose_result *result);
bool transpose_rates(struct transpose_case_run *run, struct transpose_result *result);

#endif
