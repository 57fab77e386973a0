/* Which columns does a measured copy have, and what is put into them? */
#ifndef SWIZZLEBENCH_BENCH_COPY_COLUMNS_H
#define SWIZZLEBENCH_BENCH_COPY_COLUMNS_H

#include "bench/copy_run.h"

enum {
    COPY_COL_PATH,
    COPY_COL_LAYOUT,
    COPY_COL_TILE,
    COPY_COL_STACKING,
    COPY_COL_SOURCE,
    COPY_COL_INSTRUCTIONS,
    COPY_COL_MODEL_SECTORS,
    COPY_COL_HW_SECTORS,
    COPY_COL_REQUESTS,
    COPY_COL_BYTES_PER_CLK_SM,
    COPY_COL_GBYTES_PER_S,
    COPY_COL_PCT_OF_PEAK,
    COPY_COL_ORDER,
    COPY_COL_STAGES,
    COPY_COL_PITCH_BYTES,
    COPY_COL_BYTES,
    COPY_COL_SMEM_BYTES,
    COPY_COL_RUN_BYTES,
    COPY_COL_MODEL_REQUESTS,
    COPY_COL_MODEL_L2_REQUESTS,
    COPY_COL_HW_L2_REQUESTS,
    COPY_COL_HW_L2_SECTORS,
    COPY_COL_MODEL_WAVEFRONTS,
    COPY_COL_IDEAL_WAVEFRONTS,
    COPY_COL_HW_WAVEFRONTS,
    COPY_COL_INST_EXPECTED,
    COPY_COL_INST_EXECUTED,
    COPY_COL_CYCLES_PER_TILE,
    COPY_COL_CYCLES_PER_TILE_MIN,
    COPY_COL_CYCLES_PER_TILE_MAX,
    COPY_COL_CTAS_PER_SM,
    COPY_COL_GBYTES_PER_S_MIN,
    COPY_COL_GBYTES_PER_S_MAX,
    COPY_COL_PEAK_GBYTES_PER_S,
    COPY_COL_SM_CLOCK_MHZ,
    COPY_COL_SM,
    COPY_COL_SAMPLES,
    COPY_COL_THROTTLED_SAMPLES,
    COPY_COL_COUNT
};

extern const struct column copy_columns[COPY_COL_COUNT];

/* What is known without a GPU. */
void copy_predict(const struct copy_case *c, struct row *row);

/* What was counted and timed; the row fails where model and counter differ. */
void copy_record(const struct copy_case *c, const struct copy_result *result,
                 const struct measure_options *options, struct row *row);

#endif
