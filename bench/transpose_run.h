/* How is a transpose verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/transpose.cu and transpose_sm90.cu. A bench is opened once for a
 * GPU and used for any number of cases. */
#ifndef SWIZZLEBENCH_BENCH_TRANSPOSE_RUN_H
#define SWIZZLEBENCH_BENCH_TRANSPOSE_RUN_H

#include "bench/chip_rate.h"
#include "bench/metric_sets.h"
#include "bench/transpose_cases.h"

/* Of the way in, out, or of the turned tile that TMA sends; a tile where nothing else is said. */
struct transpose_counted {
    uint64_t expected; /* instructions of the counted launch; boxes of TMA */
    double executed, wavefronts, conflicts;
};

enum transpose_memory { TRANSPOSE_DRAM, TRANSPOSE_L2, TRANSPOSE_MEMORIES };

/* What came out. What was not to be had is nan. */
struct transpose_result {
    struct transpose_counted in, out, put;
    double arbitration;
    struct timing cycles;                       /* of an SM, a tile */
    struct chip_rate rates[TRANSPOSE_MEMORIES]; /* read and written */
    double copy[TRANSPOSE_MEMORIES];            /* of the plain copy, in the same run */
    double extra[METRIC_SETS_MAX_EXTRA];        /* --metrics, whole launch, control subtracted */
};

struct transpose_bench;

bool transpose_bench_open(struct gpu *gpu, const struct measure_options *options,
                          struct transpose_bench **bench, struct error *error);
void transpose_bench_close(struct gpu *gpu, struct transpose_bench *bench);

/* Runs the case. Marks *row failed (wrong bytes, wrong count) or skipped with the reason, sets
 * row->verified and returns false with *error set for a fault of the GPU alone. */
bool transpose_bench_run(struct gpu *gpu, struct transpose_bench *bench,
                         const struct transpose_case *c, struct transpose_result *result,
                         struct row *row, struct error *error);

#endif
