/* Which path fills a tile in shared memory from global memory, or empties it, in which layout, and
 * how fast is that beside a plain copy? */
#include "bench/families.h"
#include "bench/copy_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return copy_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    const struct copy_case c = copy_case_at(index);
    copy_predict(&c, row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct copy_bench *bench;
    if (!copy_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    copy_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct copy_case c = copy_case_at(index);
    struct copy_result result;
    if (!copy_bench_run(gpu, state, index, &result, row, error))
        return false;
    copy_record(&c, &result, options, row);
    return true;
}

static const char *const disturbed[] = {"hw_l2_requests", NULL};

const struct family family_copy = {
    .name = "copy",
    .question = "which path fills a tile in shared memory, in which layout, and how fast?",
    .columns = copy_columns,
    .column_count = COPY_COL_COUNT,
    .disturbed = disturbed,
    .works_ahead = true,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
