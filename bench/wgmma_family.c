/* What does wgmma make of operands in shared memory: is the product right in every layout that a
 * descriptor can name, what does an instruction cost, and what does it read if the descriptor is
 * wrong? */
#include "bench/families.h"
#include "bench/wgmma_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return wgmma_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    const struct wgmma_case c = wgmma_case_at(index);
    wgmma_predict(&c, row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct wgmma_bench *bench;
    if (!wgmma_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    wgmma_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct wgmma_case c = wgmma_case_at(index);
    struct wgmma_result result;
    if (!wgmma_bench_run(gpu, state, index, &result, row, error))
        return false;
    wgmma_record(&c, &result, options, row);
    return true;
}

const struct family family_wgmma = {
    .name = "wgmma",
    .question = "what does a wgmma cost in each layout of its operands, and what bounds it?",
    .columns = wgmma_columns,
    .column_count = WGMMA_COL_COUNT,
    .works_ahead = true,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
