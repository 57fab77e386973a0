/* Which columns does a measured box have, and what is put into them? */
#ifndef SWIZZLEBENCH_BENCH_TMA_COLUMNS_H
#define SWIZZLEBENCH_BENCH_TMA_COLUMNS_H

#include "bench/tma_run.h"

enum {
    TMA_COL_DIRECTION,
    TMA_COL_DTYPE,
    TMA_COL_RANK,
    TMA_COL_BOX,
    TMA_COL_INNER_BYTES,
    TMA_COL_ROWS,
    TMA_COL_SWIZZLE,
    TMA_COL_INTERLEAVE,
    TMA_COL_L2_PROMOTION,
    TMA_COL_SMEM_BYTES,
    TMA_COL_MODEL_SECTORS,
    TMA_COL_HW_SECTORS,
    TMA_COL_LATENCY_CYCLES,
    TMA_COL_MODEL_CYCLES,
    TMA_COL_CYCLES_PER_BOX,
    TMA_COL_BYTES_PER_CLK_SM,
    TMA_COL_RULE,
    TMA_COL_CHIP,
    TMA_COL_CLUSTER_CTAS,
    TMA_COL_START,
    TMA_COL_ELEMENT_STRIDES,
    TMA_COL_OOB_FILL,
    TMA_COL_SMEM_OFFSET,
    TMA_COL_BOX_BYTES,
    TMA_COL_NEEDED_SECTORS,
    TMA_COL_WASTE,
    TMA_COL_READS_AS,
    TMA_COL_DRIVER_CODE,
    TMA_COL_INST_EXPECTED,
    TMA_COL_INST_EXECUTED,
    TMA_COL_MODEL_REQUESTS,
    TMA_COL_HW_REQUESTS,
    TMA_COL_HW_L2_SECTORS,
    TMA_COL_HW_BANK_READS,
    TMA_COL_HW_BANK_WRITES,
    TMA_COL_TMA_CYCLES_ACTIVE,
    TMA_COL_LATENCY_MIN_CYCLES,
    TMA_COL_LATENCY_MAX_CYCLES,
    TMA_COL_CYCLES_PER_BOX_MIN,
    TMA_COL_CYCLES_PER_BOX_MAX,
    TMA_COL_INFLIGHT_1_CYCLES,
    TMA_COL_INFLIGHT_2_CYCLES,
    TMA_COL_INFLIGHT_4_CYCLES,
    TMA_COL_INFLIGHT_8_CYCLES,
    TMA_COL_SATURATING_INFLIGHT,
    TMA_COL_GBYTES_PER_S,
    TMA_COL_GBYTES_PER_S_MIN,
    TMA_COL_GBYTES_PER_S_MAX,
    TMA_COL_SM,
    TMA_COL_SM_CLOCK_MHZ,
    TMA_COL_SAMPLES,
    TMA_COL_THROTTLED_SAMPLES,
    TMA_COL_COUNT
};

extern const struct column tma_columns[TMA_COL_COUNT];

/* What is known without a GPU: the box, its sectors, and the rules of compute capability 9.0 that
 * it breaks. */
void tma_predict(const struct tma_case *c, struct row *row);

/* Refuses what breaks a rule of compute capability 9.0, with the first of them. */
void tma_refuse(const struct tma_case *c, struct row *row);

/* What was counted and timed; the row fails where model and counter differ. */
void tma_record(const struct tma_case *c, const struct tma_result *result,
                const struct measure_options *options, struct row *row);

#endif
