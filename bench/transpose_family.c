/* What does it cost to transpose through shared memory? */
#include "bench/families.h"
#include "bench/transpose_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return transpose_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    transpose_predict(transpose_case_at(index), row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct transpose_bench *bench;
    if (!transpose_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    transpose_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct transpose_case *c = transpose_case_at(index);
    struct transpose_result result;
    if (!transpose_bench_run(gpu, state, c, &result, row, error))
        return false;
    transpose_record(c, &result, options, row);
    return true;
}

static const char *const disturbed[] = {"hw_conflicts_in", "hw_conflicts_out", "hw_conflicts_put",
                                        NULL};

const struct family family_transpose = {
    .name = "transpose",
    .question = "which layout turns rows into columns without conflicts, and how near to a copy?",
    .columns = transpose_columns,
    .column_count = TRANSPOSE_COL_COUNT,
    .disturbed = disturbed,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
