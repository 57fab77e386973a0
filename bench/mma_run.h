/* How is an mma with its operands in shared memory verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/mma.cu and mma_fp8.cu. A bench is opened once for a GPU and used
 * for any number of cases. */
#ifndef SWIZZLEBENCH_BENCH_MMA_RUN_H
#define SWIZZLEBENCH_BENCH_MMA_RUN_H

#include "bench/metric_sets.h"
#include "bench/mma_cases.h"

/* What came out, an mma where nothing else is said. What was not to be had is nan. */
struct mma_result {
    uint64_t loads_expected, tensor_expected; /* of the counted launch */
    double loads_executed, tensor_executed;
    double wavefronts, conflicts;
    double wrong_share; /* elements of the product that are not those of A x B, over all */
    struct timing with_loads, without_loads;
    double extra[METRIC_SETS_MAX_EXTRA]; /* --metrics, whole launch, control subtracted */
};

struct mma_bench;

bool mma_bench_open(struct gpu *gpu, const struct measure_options *options,
                    struct mma_bench **bench, struct error *error);
void mma_bench_close(struct gpu *gpu, struct mma_bench *bench);

/* Runs case number `index`. Marks *row failed (wrong product, wrong count) or skipped with the
 * reason, sets row->verified and returns false with *error set for a fault of the GPU alone. */
bool mma_bench_run(struct gpu *gpu, struct mma_bench *bench, size_t index,
                   struct mma_result *result, struct row *row, struct error *error);

#endif
