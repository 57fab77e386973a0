/* What does the layout of its operands in shared memory cost an mma.sync? */
#include "bench/families.h"
#include "bench/mma_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return mma_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    mma_predict(mma_case_at(index), row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct mma_bench *bench;
    if (!mma_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    mma_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct gpu_info *info = gpu_info(gpu);
    struct mma_result result;
    if (!mma_bench_run(gpu, state, index, &result, row, error))
        return false;
    mma_record(mma_case_at(index), (unsigned)(10 * info->compute_major + info->compute_minor),
               &result, options, row);
    return true;
}

const struct family family_mma = {
    .name = "mma",
    .question = "what do the layouts of A and B cost an mma.sync that loads them?",
    .columns = mma_columns,
    .column_count = MMA_COL_COUNT,
    .works_ahead = true,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
