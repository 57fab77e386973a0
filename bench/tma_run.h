/* How is a box verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/tma.cu. A bench is opened once for a GPU and used for any number
 * of cases. */
#ifndef SWIZZLEBENCH_BENCH_TMA_RUN_H
#define SWIZZLEBENCH_BENCH_TMA_RUN_H

#include "bench/chip_rate.h"
#include "bench/metric_sets.h"
#include "bench/tma_cases.h"
#include "harness/family.h"
#include "harness/gpu.h"

enum { TMA_DEPTHS = 4 }; /* 1, 2, 4 and 8 boxes in flight */

/* What came out, a box. What was not to be had (no such counter, no room for so many boxes in
 * shared memory) is nan. */
struct tma_result {
    int driver_code; /* -1: not asked */
    uint64_t inst_expected;
    double inst_executed;
    double model_sectors; /* of the boxes in the counted launch, not of box 0 alone */
    double sectors, requests, l2_sectors, bank_reads, bank_writes, tma_cycles_active;
    struct timing latency, depth[TMA_DEPTHS];
    struct chip_rate rate;               /* of all SMs */
    double extra[METRIC_SETS_MAX_EXTRA]; /* --metrics, whole launch, control subtracted */
};

struct tma_bench;

/* On a GPU without TMA a bench opens as well, and every case is skipped. */
bool tma_bench_open(struct gpu *gpu, const struct measure_options *options,
                    struct tma_bench **bench, struct error *error);
void tma_bench_close(struct gpu *gpu, struct tma_bench *bench);

/* Runs case number `index`. Marks *row refused (by the driver, as the rules say), failed (wrong
 * bytes, wrong count, driver and rules disagree, a barrier that did not open) or skipped with the
 * reason, sets row->verified and returns false with *error set for a fault of the GPU alone. */
bool tma_bench_run(struct gpu *gpu, struct tma_bench *bench, size_t index,
                   struct tma_result *result, struct row *row, struct error *error);

/* Puts the rules that the tensor map breaks into the row's column: tma_columns.c. */
void tma_record_rules(const struct tma_case *c, unsigned compute_capability, struct row *row);

#endif
