/* How are readers and writers verified, counted and timed beside each other?
 *
 * The kernels are those of kernels/contention.cuh. A bench is opened once for a GPU and used for
 * any number of cases. */
#ifndef SWIZZLEBENCH_BENCH_CONTENTION_RUN_H
#define SWIZZLEBENCH_BENCH_CONTENTION_RUN_H

#include "bench/contention_cases.h"
#include "bench/metric_sets.h"

/* Clocks an instruction of all warps of the side together: of wgmma an instruction of the
 * warpgroup, of TMA a box. */
struct contention_clock {
    double min_cycles, median_cycles, max_cycles;
};

/* What came out of a side, an instruction. What was not to be had is nan. */
struct contention_side_result {
    uint64_t inst_expected; /* of all warps, in the counted launch */
    double inst_executed;
    double wavefronts, conflicts;           /* by the hardware's counters */
    double sass_wavefronts, sass_conflicts; /* by those of the instruction */
    struct contention_clock alone, together;
};

struct contention_result {
    struct contention_side_result reader, writer;
    double arbitration;             /* lost turns, for each predicted wavefront of both sides */
    double bank_reads, bank_writes; /* the same, in wavefronts of 32 banks */
    double wavefronts_per_clk;      /* predicted, of both sides, at the rates together */
    double overlap_pct;             /* part of a launch in which both sides ran */
    unsigned samples;
    double throttled_samples;            /* NAN where NVML is absent */
    double extra[METRIC_SETS_MAX_EXTRA]; /* --metrics, whole launch, without loop subtracted */
};

struct contention_bench;

bool contention_bench_open(struct gpu *gpu, const struct measure_options *options,
                           struct contention_bench **bench, struct error *error);
void contention_bench_close(struct gpu *gpu, struct contention_bench *bench);

/* Runs case number `index`. Marks *row failed (wrong bytes, wrong count, a barrier that did not
 * open) or skipped with the reason, sets row->verified and returns false with *error set for a
 * fault of the GPU alone. */
bool contention_bench_run(struct gpu *gpu, struct contention_bench *bench, size_t index,
                          struct contention_result *result, struct row *row, struct error *error);

#endif
