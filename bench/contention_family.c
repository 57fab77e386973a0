/* What do readers of one stage of shared memory and what fills the other cost each other, and what
 * do the counters of bank conflicts make of it? */
#include "bench/families.h"
#include "bench/contention_columns.h"

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return contention_case_count(full);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    const struct contention_case c = contention_case_at(index);
    contention_predict(&c, row);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct contention_bench *bench;
    if (!contention_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    contention_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct contention_case c = contention_case_at(index);
    struct contention_result result;
    if (!contention_bench_run(gpu, state, index, &result, row, error))
        return false;
    contention_record(&c, &result, options, row);
    return true;
}

/* Those of the instruction alone, sass, are not. */
static const char *const disturbed[] = {"reader_hw_wavefronts", "reader_hw_conflicts",
                                        "writer_hw_wavefronts", "writer_hw_conflicts", NULL};

const struct family family_contention = {
    .name = "contention",
    .question = "what do readers of one stage and writers of another cost each other?",
    .columns = contention_columns,
    .column_count = CONTENTION_COL_COUNT,
    .disturbed = disturbed,
    .works_ahead = true,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
