/* Which columns does a measured access have, and what is put into them? shared.csv and measure.csv
 * have the same. */
#ifndef SWIZZLEBENCH_BENCH_ACCESS_COLUMNS_H
#define SWIZZLEBENCH_BENCH_ACCESS_COLUMNS_H

#include "bench/access_run.h"

enum {
    ACCESS_COL_INSTRUCTION,
    ACCESS_COL_CACHE,
    ACCESS_COL_LAYOUT,
    ACCESS_COL_MAJOR,
    ACCESS_COL_SWIZZLE,
    ACCESS_COL_ELEM_BITS,
    ACCESS_COL_TILE,
    ACCESS_COL_STACK,
    ACCESS_COL_ACCESS,
    ACCESS_COL_POSITIONS,
    ACCESS_COL_MODEL_WAVEFRONTS,
    ACCESS_COL_HW_WAVEFRONTS,
    ACCESS_COL_IDEAL_WAVEFRONTS,
    ACCESS_COL_WORST_WAVEFRONTS,
    ACCESS_COL_MODEL_CONFLICTS,
    ACCESS_COL_HW_CONFLICTS,
    ACCESS_COL_HW_TOTAL_WAVEFRONTS,
    ACCESS_COL_HW_OTHER_WAVEFRONTS,
    ACCESS_COL_HW_ARBITRATION_CONFLICTS,
    ACCESS_COL_INST_EXPECTED,
    ACCESS_COL_INST_EXECUTED,
    ACCESS_COL_LATENCY_CYCLES,
    ACCESS_COL_LATENCY_MIN_CYCLES,
    ACCESS_COL_LATENCY_MAX_CYCLES,
    ACCESS_COL_ONE_WARP_CYCLES,
    ACCESS_COL_ONE_WARP_CYCLES_PER_WAVEFRONT,
    ACCESS_COL_ONE_WARP_MIN_CYCLES_PER_WAVEFRONT,
    ACCESS_COL_ONE_WARP_MAX_CYCLES_PER_WAVEFRONT,
    ACCESS_COL_THROUGHPUT_CYCLES,
    ACCESS_COL_THROUGHPUT_MIN_CYCLES,
    ACCESS_COL_THROUGHPUT_MAX_CYCLES,
    ACCESS_COL_CYCLES_PER_WAVEFRONT,
    ACCESS_COL_BYTES_PER_CLK_SM,
    ACCESS_COL_PCT_OF_PEAK,
    ACCESS_COL_MODEL_SECTORS,
    ACCESS_COL_HW_SECTORS,
    ACCESS_COL_HW_L2_SECTORS,
    ACCESS_COL_HW_DRAM_SECTORS,
    ACCESS_COL_SM_CLOCK_MHZ,
    ACCESS_COL_SAMPLES,
    ACCESS_COL_THROTTLED_SAMPLES,
    ACCESS_COL_COUNT
};

extern const struct column access_columns[ACCESS_COL_COUNT];

/* What is known without a GPU: the instruction, positions, and what the model says of them. */
void access_predict(const struct access_plan *plan, struct row *row);

/* What was counted and timed; the row fails where model and counter differ. */
void access_record(const struct access_plan *plan, const struct access_result *result,
                   const struct measure_options *options, struct row *row);

#endif
