/* What does a tile cost when TMA writes it and wgmma reads it, by layout: which is best for a tile
 * of given extents, and is it the one that CUTLASS takes? */
#include "bench/families.h"
#include "bench/pipeline_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return pipeline_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    const struct pipeline_case c = pipeline_case_at(index);
    pipeline_predict(&c, row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct pipeline_bench *bench;
    if (!pipeline_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    pipeline_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct pipeline_case c = pipeline_case_at(index);
    struct pipeline_result result;
    if (!pipeline_bench_run(gpu, state, index, &result, row, error))
        return false;
    pipeline_record(&c, &result, options, row);
    return true;
}

const struct family family_pipeline = {
    .name = "pipeline",
    .question = "what does a tile cost when TMA writes it and wgmma reads it, by layout?",
    .columns = pipeline_columns,
    .column_count = PIPELINE_COL_COUNT,
    .works_ahead = true,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
