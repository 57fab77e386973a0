/* What does TMA make of a box: does the driver take it, where do its bytes land, and what does it
 * cost, for every geometry and every way of moving it? */
#include "bench/families.h"
#include "bench/tma_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return tma_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    tma_predict(tma_case_at(index), row);
}

static void refuse(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    tma_refuse(tma_case_at(index), row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct tma_bench *bench;
    if (!tma_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    tma_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    struct tma_result result;
    if (!tma_bench_run(gpu, state, index, &result, row, error))
        return false;
    tma_record(tma_case_at(index), &result, options, row);
    return true;
}

static const char *const disturbed[] = {"hw_requests", NULL};

const struct family family_tma = {
    .name = "tma",
    .question = "which boxes does TMA take, where do their bytes land, and what do they cost?",
    .columns = tma_columns,
    .column_count = TMA_COL_COUNT,
    .disturbed = disturbed,
    .works_ahead = true,
    .case_count = case_count,
    .predict = predict,
    .refuse = refuse,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
