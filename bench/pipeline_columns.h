/* Which columns does a measured pipeline have, and what is put into them? */
#ifndef SWIZZLEBENCH_BENCH_PIPELINE_COLUMNS_H
#define SWIZZLEBENCH_BENCH_PIPELINE_COLUMNS_H

#include "bench/pipeline_run.h"

enum {
    PIPELINE_COL_LAYOUT,
    PIPELINE_COL_K_BLOCK,
    PIPELINE_COL_N,
    PIPELINE_COL_STAGES,
    PIPELINE_COL_A_LAYOUT,
    PIPELINE_COL_B_LAYOUT,
    PIPELINE_COL_BOXES,
    PIPELINE_COL_BOXES_PER_STAGE,
    PIPELINE_COL_PRODUCER_WARPS,
    PIPELINE_COL_CUTLASS_CHOICE,
    PIPELINE_COL_BYTES,
    PIPELINE_COL_TMA_MODEL_CYCLES,
    PIPELINE_COL_WGMMA_MODEL_CYCLES,
    PIPELINE_COL_SMEM_MODEL_CYCLES,
    PIPELINE_COL_BOUND_CYCLES,
    PIPELINE_COL_CYCLES_PER_K_BLOCK,
    PIPELINE_COL_CYCLES_OVER_BOUND,
    PIPELINE_COL_FLOP_PER_CLK_SM,
    PIPELINE_COL_PCT_OF_PEAK,
    PIPELINE_COL_BYTES_PER_CLK_SM,
    PIPELINE_COL_MODEL_SECTORS,
    PIPELINE_COL_HW_SECTORS,
    PIPELINE_COL_MODEL_WAVEFRONTS,
    PIPELINE_COL_HW_WAVEFRONTS,
    PIPELINE_COL_HW_CONFLICTS,
    PIPELINE_COL_HW_TMA_CYCLES_ACTIVE,
    PIPELINE_COL_BOXES_EXPECTED,
    PIPELINE_COL_BOXES_EXECUTED,
    PIPELINE_COL_INST_EXPECTED,
    PIPELINE_COL_INST_EXECUTED,
    PIPELINE_COL_CYCLES_PER_K_BLOCK_MIN,
    PIPELINE_COL_CYCLES_PER_K_BLOCK_MAX,
    PIPELINE_COL_SM_CLOCK_MHZ,
    PIPELINE_COL_SM,
    PIPELINE_COL_SAMPLES,
    PIPELINE_COL_THROTTLED_SAMPLES,
    PIPELINE_COL_COUNT
};

extern const struct column pipeline_columns[PIPELINE_COL_COUNT];

/* What is known without a GPU. */
void pipeline_predict(const struct pipeline_case *c, struct row *row);

/* What was counted and timed; the row fails where model and counter differ. */
void pipeline_record(const struct pipeline_case *c, const struct pipeline_result *result,
                     const struct measure_options *options, struct row *row);

#endif
