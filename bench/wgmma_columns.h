/* Which columns does a measured product have, and what is put into them? */
#ifndef SWIZZLEBENCH_BENCH_WGMMA_COLUMNS_H
#define SWIZZLEBENCH_BENCH_WGMMA_COLUMNS_H

#include "bench/wgmma_run.h"

enum {
    WGMMA_COL_DTYPE,
    WGMMA_COL_N,
    WGMMA_COL_A_SOURCE,
    WGMMA_COL_A_LAYOUT,
    WGMMA_COL_B_LAYOUT,
    WGMMA_COL_MODEL_CYCLES,
    WGMMA_COL_CYCLES_PER_MMA,
    WGMMA_COL_FLOP_PER_CLK_SM,
    WGMMA_COL_PCT_OF_PEAK,
    WGMMA_COL_HW_WAVEFRONTS,
    WGMMA_COL_HW_CONFLICTS,
    WGMMA_COL_K,
    WGMMA_COL_STACK,
    WGMMA_COL_A_BASE_BYTES,
    WGMMA_COL_A_LBO_BYTES,
    WGMMA_COL_A_SBO_BYTES,
    WGMMA_COL_B_BASE_BYTES,
    WGMMA_COL_B_LBO_BYTES,
    WGMMA_COL_B_SBO_BYTES,
    WGMMA_COL_WRONG,
    WGMMA_COL_MODEL_WRONG_SHARE,
    WGMMA_COL_HW_WRONG_SHARE,
    WGMMA_COL_TENSOR_CYCLES,
    WGMMA_COL_MODEL_WAVEFRONTS,
    WGMMA_COL_CYCLES_OVER_MODEL,
    WGMMA_COL_HW_BANK_READS,
    WGMMA_COL_INST_EXPECTED,
    WGMMA_COL_INST_EXECUTED,
    WGMMA_COL_CYCLES_PER_MMA_MIN,
    WGMMA_COL_CYCLES_PER_MMA_MAX,
    WGMMA_COL_SM_CLOCK_MHZ,
    WGMMA_COL_SAMPLES,
    WGMMA_COL_THROTTLED_SAMPLES,
    WGMMA_COL_COUNT
};

extern const struct column wgmma_columns[WGMMA_COL_COUNT];

/* What is known without a GPU. */
void wgmma_predict(const struct wgmma_case *c, struct row *row);

/* What was counted and timed; the row fails where model and counter differ. */
void wgmma_record(const struct wgmma_case *c, const struct wgmma_result *result,
                  const struct measure_options *options, struct row *row);

#endif
