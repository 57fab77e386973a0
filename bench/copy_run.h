/* How is a copy verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/copy.cu, copy_tma.cu and plain.cu. A bench is opened once for a
 * GPU and used for any number of cases. */
#ifndef SWIZZLEBENCH_BENCH_COPY_RUN_H
#define SWIZZLEBENCH_BENCH_COPY_RUN_H

#include "bench/chip_rate.h"
#include "bench/copy_cases.h"
#include "bench/metric_sets.h"

/* What came out, a tile where nothing else is said. What was not to be had is nan. */
struct copy_result {
    uint64_t inst_expected; /* of the counted launch */
    double inst_executed;
    double sectors, requests, wavefronts, l2_requests, l2_sectors;
    struct timing timing;  /* of one SM alone */
    struct chip_rate rate; /* of all of them */
    unsigned ctas_per_sm;
    double peak_gbytes_per_s;            /* of plain loads or stores, same source */
    double extra[METRIC_SETS_MAX_EXTRA]; /* --metrics, whole launch, without loop subtracted */
};

struct copy_bench;

bool copy_bench_open(struct gpu *gpu, const struct measure_options *options,
                     struct copy_bench **bench, struct error *error);
void copy_bench_close(struct gpu *gpu, struct copy_bench *bench);

/* Runs case number `index`. Marks *row failed (wrong bytes, wrong count, a barrier that did not
 * open) or skipped with the reason, sets row->verified and returns false with *error set for a
 * fault of the GPU alone. */
bool copy_bench_run(struct gpu *gpu, struct copy_bench *bench, size_t index,
                    struct copy_result *result, struct row *row, struct error *error);

#endif
