/* How is a pipeline verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/pipeline.cu. A bench is opened once for a GPU and used for any
 * number of cases. */
#ifndef SWIZZLEBENCH_BENCH_PIPELINE_RUN_H
#define SWIZZLEBENCH_BENCH_PIPELINE_RUN_H

#include "bench/metric_sets.h"
#include "bench/pipeline_cases.h"

/* What came out, a k-block where nothing else is said. What was not to be had is nan. */
struct pipeline_result {
    uint64_t boxes_expected, inst_expected; /* of the counted launch */
    double boxes_executed, inst_executed;
    double sectors, wavefronts, conflicts, tma_cycles_active;
    struct timing timing;
    double extra[METRIC_SETS_MAX_EXTRA]; /* --metrics, whole launch, without loop subtracted */
};

struct pipeline_bench;

/* On a GPU without wgmma a bench opens as well, and every case is skipped. */
bool pipeline_bench_open(struct gpu *gpu, const struct measure_options *options,
                         struct pipeline_bench **bench, struct error *error);
void pipeline_bench_close(struct gpu *gpu, struct pipeline_bench *bench);

/* Runs case number `index`. Marks *row failed (wrong product, wrong count, a barrier that did not
 * open) or skipped with the reason, sets row->verified and returns false with *error set for a
 * fault of the GPU alone. */
bool pipeline_bench_run(struct gpu *gpu, struct pipeline_bench *bench, size_t index,
                        struct pipeline_result *result, struct row *row, struct error *error);

#endif
