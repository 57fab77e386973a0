/* How is an access plan verified, counted and timed on a GPU?
 *
 * The kernels are those of kernels/sweep.cuh. A bench is opened once for a GPU and used for any
 * number of plans. */
#ifndef SWIZZLEBENCH_BENCH_ACCESS_RUN_H
#define SWIZZLEBENCH_BENCH_ACCESS_RUN_H

#include "bench/access_plan.h"
#include "harness/family.h"
#include "harness/gpu.h"

struct access_bench;

bool access_bench_open(struct gpu *gpu, const struct measure_options *options,
                       struct access_bench **bench, struct error *error);
void access_bench_close(struct gpu *gpu, struct access_bench *bench);

/* What came out, an instruction: sums over the launch divided by the instructions in it. A value
 * that was not to be had (no counter of that name on this chip, no counters at all, no latency
 * because no chain of addresses exists) is nan. */
struct access_result {
    uint64_t inst_expected;
    double inst_executed;
    double wavefronts, conflicts;             /* of this instruction's own counters */
    double total_wavefronts;                  /* of all shared memory */
    double arbitration_conflicts;             /* lost against other traffic */
    double sectors, l2_sectors, dram_sectors; /* cp.async alone */
    struct timing latency;    /* one warp, each instruction waits for the one before */
    struct timing one_warp;   /* one warp, back to back */
    struct timing throughput; /* 32 warps a SM, all SMs */
    double extra[8];          /* --metrics, whole launch, control subtracted */
};
enum { ACCESS_MAX_EXTRA = 8 };

/* Runs the plan. Marks *row failed (wrong bytes, wrong count,
 * no such kernel) or skipped with the reason, sets row->verified, and returns false with *error
 * set for a fault of the GPU alone. The caller judges wavefronts against the model. */
bool access_bench_run(struct gpu *gpu, struct access_bench *bench, const struct access_plan *plan,
                      struct access_result *result, struct row *row, struct error *error);

#endif
