/* What does the hardware count for many accesses of one instruction in one launch? */
#ifndef SWIZZLEBENCH_BENCH_FUZZ_LAUNCH_H
#define SWIZZLEBENCH_BENCH_FUZZ_LAUNCH_H

#include "harness/gpu.h"
#include "model/swizzlebench.h"

enum { FUZZ_BATCH = 128 * 1024 };

/* Accesses of one instruction, each with its weight: how often it runs. */
struct fuzz_batch {
    const struct swb_instruction *instruction;
    bool bypass_l1; /* cp.async alone: .cg */
    unsigned count; /* at most FUZZ_BATCH */
    uint32_t masks[FUZZ_BATCH], weights[FUZZ_BATCH];
    uint16_t offsets[FUZZ_BATCH][SWB_LANES]; /* shared-memory byte addresses */
    uint16_t sources[FUZZ_BATCH][SWB_LANES]; /* cp.async alone: global ones */
};

/* Sums over a range of a batch, weighted. */
struct fuzz_sums {
    uint64_t wavefronts, conflicts, executed;
    uint64_t sectors; /* cp.async alone */
};

struct fuzz_bench;

/* ERROR_MACHINE where counters cannot be had: there is nothing to compare then. */
bool fuzz_bench_open(struct gpu *gpu, struct fuzz_bench **bench, struct error *error);
void fuzz_bench_close(struct gpu *gpu, struct fuzz_bench *bench);

/* Sends a batch to the GPU. */
bool fuzz_bench_load(struct gpu *gpu, struct fuzz_bench *bench, const struct fuzz_batch *batch,
                     struct error *error);

/* Counts accesses [first, end) of the batch that was loaded last. */
bool fuzz_bench_count(struct gpu *gpu, struct fuzz_bench *bench, unsigned first, unsigned end,
                      struct fuzz_sums *sums, struct error *error);

#endif
