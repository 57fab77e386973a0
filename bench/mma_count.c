/* What did the hardware count for the operand path, less the control kernel?
 *
 * CUPTI's price is that of a session, hardly that of a launch. So a session counts the case that is
 * asked for together with those that come next. */
#include "bench/mma_bench.h"

#include <math.h>
#include <string.h>

#include "bench/access_names.h"

enum { COUNTED_ITERATIONS = 3 }; /* one would not show a hoisted load */

/* ---- Opening ------------------------------------------------------------------------------- */

static void add_metric(struct mma_counting *c, enum mma_metric metric, const char *name)
{
    c->names[c->count] = name;
    c->metrics[c->count++] = metric;
}

/* The first of two names that the chip has. */
static void add_first(struct gpu *gpu, struct mma_counting *c, enum mma_metric metric,
                      const char *const names[2])
{
    for (size_t i = 0; i < 2 && names[i]; i++)
        if (counters_has_metric(gpu, names[i])) {
            add_metric(c, metric, names[i]);
            return;
        }
}

bool mma_counting_open(struct gpu *gpu, struct mma_bench *b, struct error *error)
{
    static const char *const tensor[2] = {"smsp__inst_executed_pipe_tensor.sum"};
    const struct access_names *loads = access_names(SWB_LOAD);
    struct mma_counting *c = &b->counting;
    add_first(gpu, c, MMA_METRIC_WAVEFRONTS, loads->wavefronts);
    add_first(gpu, c, MMA_METRIC_CONFLICTS, loads->conflicts);
    add_first(gpu, c, MMA_METRIC_LDMATRIX, access_names(SWB_LDMATRIX)->executed);
    add_first(gpu, c, MMA_METRIC_LOADS, loads->executed);
    add_first(gpu, c, MMA_METRIC_TENSOR, tensor);
    for (size_t i = 0; i < b->options->extra_metric_count; i++)
        add_metric(c, (enum mma_metric)(MMA_METRIC_EXTRA + i), b->options->extra_metrics[i]);
    return !c->count || counter_set_open(gpu, c->names, c->count, &c->set, error);
}

/* ---- Counting ------------------------------------------------------------------------------ */

static bool collect(struct mma_case_run *r, const struct gpu_launch *launches, size_t count,
                    double (*counts)[MMA_METRICS])
{
    const struct mma_counting *c = &r->bench->counting;
    double values[COUNTERS_MAX_LAUNCHES * MMA_METRICS];
    if (!counters_collect(r->gpu, c->set, launches, count, values, r->error))
        return false;
    for (size_t launch = 0; launch < count; launch++) {
        for (size_t i = 0; i < MMA_METRICS; i++)
            counts[launch][i] = NAN;
        for (size_t i = 0; i < c->count; i++)
            counts[launch][c->metrics[i]] = values[launch * c->count + i];
    }
    return true;
}

/* Once: what the kernels do beside loads and mma does not depend on the case. An H200 counts one
 * tensor instruction a warp of the control kernel, which has none, and exactly those of the others:
 * so these are not subtracted. */
static bool count_control(struct mma_case_run *r)
{
    struct mma_bench *b = r->bench;
    struct gpu_launch launch;
    if (!b->has_control)
        b->has_control = mma_prepare_control(r, &launch) && collect(r, &launch, 1, &b->control);
    b->control[MMA_METRIC_TENSOR] = 0;
    return b->has_control;
}

/* Adds the case to those that are counted next. Where it cannot be run, it is left out. */
static bool enlist(struct mma_case_run *r, const struct mma_case *c)
{
    struct mma_ahead *ahead = &r->bench->ahead;
    struct mma_case_run *other = &ahead->runs[ahead->count];
    static struct row row; /* nobody's */
    row = (struct row){.status = ROW_OK};
    *other = (struct mma_case_run){.gpu = r->gpu,
                                   .bench = r->bench,
                                   .c = c,
                                   .slot = (unsigned)ahead->count,
                                   .row = &row,
                                   .error = r->error};
    if (!mma_make_ready(other))
        return false;
    if (row.status != ROW_OK)
        return true;
    if (!mma_prepare(other, "loads", 1, &ahead->launches[ahead->count]))
        return false;
    other->iterations = COUNTED_ITERATIONS;
    ahead->count++;
    return true;
}

/* The case's place among those counted, which may be anew. */
static bool counted_at(struct mma_case_run *r, size_t *at)
{
    struct mma_ahead *ahead = &r->bench->ahead;
    const struct measure_options *options = r->bench->options;
    for (*at = 0; *at < ahead->count; ++*at)
        if (ahead->runs[*at].c == r->c)
            return true;
    *at = ahead->count = 0;
    if (!enlist(r, r->c))
        return false;
    for (size_t i = 1; i < options->case_count && ahead->count < COUNTERS_MAX_LAUNCHES; i++)
        if (!enlist(r, mma_case_at(options->cases[i])))
            return false;
    if (collect(r, ahead->launches, ahead->count, ahead->counts))
        return true;
    ahead->count = 0;
    return false;
}

/* Loads of both kinds; of the one alone that the kernel has, as the hardware may count an ldmatrix
 * among the plain loads too. */
static double executed_loads(const struct mma_case_run *r, const double *counts)
{
    double executed = 0;
    bool has_ldmatrix = false, has_loads = false;
    for (unsigned i = 0; i < MMA_READ; i++) {
        has_ldmatrix |= r->plans[i]->instruction->matrices > 0;
        has_loads |= r->plans[i]->instruction->matrices == 0;
    }
    executed += has_ldmatrix ? counts[MMA_METRIC_LDMATRIX] : 0;
    executed += has_loads ? counts[MMA_METRIC_LOADS] : 0;
    return executed;
}

static void judge(const char *what, uint64_t expected, double executed, struct row *row)
{
    if (!isnan(executed) && executed != (double)expected)
        row_end(row, ROW_FAILED,
                "wrong count: the kernel executed %.0f %s where its source has %llu", executed,
                what, (unsigned long long)expected);
}

bool mma_count(struct mma_case_run *r, struct mma_result *result)
{
    double counts[MMA_METRICS], mmas = (double)MMA_MMAS * COUNTED_ITERATIONS;
    unsigned loads = r->plans[SWB_MMA_A]->loads + r->plans[SWB_MMA_B]->loads;
    size_t at;
    result->loads_expected = (uint64_t)MMA_WARPS * loads * COUNTED_ITERATIONS;
    result->tensor_expected = (uint64_t)MMA_MMAS * COUNTED_ITERATIONS;
    if (!r->bench->counting.set)
        return true;
    if (!count_control(r) || !counted_at(r, &at))
        return false;
    for (size_t i = 0; i < MMA_METRICS; i++)
        counts[i] = r->bench->ahead.counts[at][i] - r->bench->control[i];
    result->loads_executed = executed_loads(r, counts);
    result->tensor_executed = counts[MMA_METRIC_TENSOR];
    result->wavefronts = counts[MMA_METRIC_WAVEFRONTS] / mmas;
    result->conflicts = counts[MMA_METRIC_CONFLICTS] / mmas;
    memcpy(result->extra, &counts[MMA_METRIC_EXTRA], sizeof result->extra);
    judge("loads", result->loads_expected, result->loads_executed, r->row);
    judge("tensor instructions", result->tensor_expected, result->tensor_executed, r->row);
    return true;
}
