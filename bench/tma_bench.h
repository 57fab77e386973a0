/* What do verifying, counting and timing a box share? Private to bench/tma_*.c and their tests. */
#ifndef SWIZZLEBENCH_BENCH_TMA_BENCH_H
#define SWIZZLEBENCH_BENCH_TMA_BENCH_H

#include "bench/count_ahead.h"
#include "bench/mix.h"
#include "bench/tma_global.h"
#include "bench/tma_run.h"
#include "harness/tensor_map.h"

/* The shape of kernels/tma.cuh. */
enum {
    TMA_THREADS = 256,        /* a warp a stage */
    TMA_BARRIER_BYTES = 2048, /* barriers, and what the next multiple of 1024 costs */
    TMA_DATA_BYTES = 227 * 1024 - TMA_BARRIER_BYTES, /* the most that any GPU has room for */
    TMA_GUARD_BYTES = 512,                           /* behind the boxes, where nothing may land */
    TMA_MAX_CLUSTER_CTAS = 4,
    TMA_SINK_FILL = 0x3f, /* every byte of it makes a harmless float */
};

/* As kernels/tma.cuh declares it. */
struct tma_arguments {
    gpu_address global, out, clocks, spans, waits, stuck;
    int32_t start[SWB_TMA_MAX_RANK];
    uint32_t extent, positions, stride, smem_offset, stage_bytes, box_bytes, depth, fill_bytes,
        out_bytes, seed, keep, set, patience_cycles;
    uint16_t tap[4];
    struct one_sm choice;
};
_Static_assert(sizeof(struct tma_arguments) == 144, "as kernels/tma.cuh declares it");

enum tma_metric {
    TMA_METRIC_EXECUTED_LD,
    TMA_METRIC_EXECUTED_ST,
    TMA_METRIC_SECTORS_LD,
    TMA_METRIC_SECTORS_ST,
    TMA_METRIC_SECTORS_RED,
    TMA_METRIC_REQUESTS,
    TMA_METRIC_L2_SECTORS,
    TMA_METRIC_BANK_READS,
    TMA_METRIC_BANK_WRITES,
    TMA_METRIC_ACTIVE,
    TMA_METRIC_EXTRA,
    TMA_METRICS = TMA_METRIC_EXTRA + METRIC_SETS_MAX_EXTRA
};

/* One case on its way through. */
struct tma_case_run {
    struct gpu *gpu;
    struct tma_bench *bench;
    size_t index;
    const struct tma_case *c;
    struct tensor_map map;
    uint32_t stage_bytes, box_bytes;
    char entry[24];
    struct tma_arguments arguments;
    uint32_t boxes;
    void *pointers[3];
    struct row *row;
    struct error *error;
};

/* Cases that were counted in one go, with the one that was asked for. */
struct tma_ahead {
    struct count_ahead counted;
    struct tma_case_run runs[COUNTERS_MAX_LAUNCHES];
};

struct tma_bench {
    const struct measure_options *options;
    bool has_tma;
    uint32_t seed;       /* of all patterns */
    unsigned room_bytes; /* for data in shared memory */
    uint32_t sm;         /* that clocks are of */
    gpu_address tensor, sink, out, clocks, spans, waits, sums, stuck;
    struct metric_sets metrics;
    double control[TMA_METRICS];
    bool has_control;
    struct tma_ahead *ahead;

    uint8_t *tensor_bytes; /* what the tensor holds, TMA_TENSOR_BYTES */
    uint8_t *sink_bytes, *sink_found;
    uint8_t poison[TMA_DATA_BYTES]; /* what shared memory holds first */
    uint8_t image[TMA_DATA_BYTES], dump[TMA_MAX_CLUSTER_CTAS][TMA_DATA_BYTES];
    uint64_t *span_buffer;
    unsigned span_ctas; /* room in clocks, spans */
};

/* Makes the case ready to be launched: *code is the driver's answer to its tensor map, or -1. The
 * row is no longer ROW_OK where it cannot be. */
bool tma_make_ready(struct tma_case_run *run, int *code);

/* The case's tensor map over memory at `base`. *code is the driver's answer. */
bool tma_encode_at(struct gpu *gpu, const struct tma_case *c, gpu_address base,
                   struct tensor_map *map, int *code, struct error *error);

/* Shared memory for `depth` boxes, without the barriers. */
uint32_t tma_depth_bytes(const struct tma_case_run *run, unsigned depth);

/* The deepest of 1, 2, 4 and 8, up to `most`, for which there is room. */
unsigned tma_deepest(const struct tma_case_run *run, unsigned most);

/* Makes a launch of `ctas` CTAs (clusters, for multicast) with `depth` boxes in flight ready; the
 * run's arguments and boxes may be changed before it goes out. */
bool tma_prepare(struct tma_case_run *run, const char *entry, unsigned ctas, unsigned depth,
                 struct gpu_launch *launch);
bool tma_launch(struct tma_case_run *run, const struct gpu_launch *launch); /* and waits */

/* Fails the row when a kernel gave up waiting for a barrier since this was asked last. */
bool tma_check_barriers(struct tma_case_run *run);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool tma_verify(struct tma_case_run *run);
bool tma_counting_open(struct gpu *gpu, struct tma_bench *bench, struct error *error);
bool tma_count(struct tma_case_run *run, struct tma_result *result);
bool tma_time(struct tma_case_run *run, struct tma_result *result);
bool tma_rate(struct tma_case_run *run, struct tma_result *result);

#endif
