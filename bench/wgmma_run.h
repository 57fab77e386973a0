/* How is a product verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/wgmma_*.cu. A bench is opened once for a GPU and used for any
 * number of cases. */
#ifndef SWIZZLEBENCH_BENCH_WGMMA_RUN_H
#define SWIZZLEBENCH_BENCH_WGMMA_RUN_H

#include "bench/metric_sets.h"
#include "bench/wgmma_cases.h"

/* What came out, an instruction. What was not to be had is nan. */
struct wgmma_result {
    double wrong_share; /* of the outputs, that are not the true product's */
    uint64_t inst_expected;
    double inst_executed;
    double wavefronts, conflicts, bank_reads;
    struct timing timing;
    double extra[METRIC_SETS_MAX_EXTRA]; /* --metrics, whole launch, without loop subtracted */
};

struct wgmma_bench;

/* On a GPU without wgmma a bench opens as well, and every case is skipped. */
bool wgmma_bench_open(struct gpu *gpu, const struct measure_options *options,
                      struct wgmma_bench **bench, struct error *error);
void wgmma_bench_close(struct gpu *gpu, struct wgmma_bench *bench);

/* Runs case number `index`. Marks *row failed (wrong product, wrong count) or skipped with the
 * reason, sets row->verified and returns false with *error set for a fault of the GPU alone. */
bool wgmma_bench_run(struct gpu *gpu, struct wgmma_bench *bench, size_t index,
                     struct wgmma_result *result, struct row *row, struct error *error);

#endif
