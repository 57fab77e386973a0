/* Which columns does a measured mma have, and what is put into them? */
#ifndef SWIZZLEBENCH_BENCH_MMA_COLUMNS_H
#define SWIZZLEBENCH_BENCH_MMA_COLUMNS_H

#include "bench/mma_run.h"

enum {
    MMA_COL_ATOM,
    MMA_COL_A_LAYOUT,
    MMA_COL_B_LAYOUT,
    MMA_COL_LOAD,
    MMA_COL_MODEL_WAVEFRONTS,
    MMA_COL_HW_WAVEFRONTS,
    MMA_COL_CYCLES_PER_MMA,
    MMA_COL_FLOP_PER_CLK_SM,
    MMA_COL_PCT_OF_PEAK,
    MMA_COL_DTYPE,
    MMA_COL_WRONG,
    MMA_COL_A_MISPLACED_SHARE,
    MMA_COL_B_MISPLACED_SHARE,
    MMA_COL_PRODUCT_WRONG_SHARE,
    MMA_COL_IDEAL_WAVEFRONTS,
    MMA_COL_MODEL_CONFLICTS,
    MMA_COL_HW_CONFLICTS,
    MMA_COL_INST_EXPECTED,
    MMA_COL_INST_EXECUTED,
    MMA_COL_TENSOR_INST_EXPECTED,
    MMA_COL_TENSOR_INST_EXECUTED,
    MMA_COL_CYCLES_PER_MMA_MIN,
    MMA_COL_CYCLES_PER_MMA_MAX,
    MMA_COL_CYCLES_PER_MMA_WITHOUT_LOADS,
    MMA_COL_BOUND_CYCLES,
    MMA_COL_PCT_OF_WITHOUT_LOADS,
    MMA_COL_SM_CLOCK_MHZ,
    MMA_COL_SAMPLES,
    MMA_COL_THROTTLED_SAMPLES,
    MMA_COL_COUNT
};

extern const struct column mma_columns[MMA_COL_COUNT];

/* What is known without a GPU: the loads, their wavefronts, and what they misplace. */
void mma_predict(const struct mma_case *c, struct row *row);

/* What was counted and timed; the row fails where model and counter differ. */
void mma_record(const struct mma_case *c, unsigned compute_capability,
                const struct mma_result *result, const struct measure_options *options,
                struct row *row);

#endif
