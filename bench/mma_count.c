/* What did the hardware count for the operand path, less the control kernel? */
#include "bench/mma_bench.h"

#include <string.h>

#include "bench/access_names.h"
#include "bench/judge.h"

enum { COUNTED_ITERATIONS = 3 }; /* one would not show a hoisted load */

/* Makes the case ready to be counted with others, unless it cannot be run. */
static bool prepare(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched)
{
    struct mma_case_run *r = run, *other = &r->bench->ahead.runs[place];
    static struct row row; /* nobody's */
    row = (struct row){.status = ROW_OK};
    *other = (struct mma_case_run){.gpu = r->gpu,
                                   .bench = r->bench,
                                   .c = mma_case_at(index),
                                   .slot = (unsigned)place,
                                   .row = &row,
                                   .error = r->error};
    if (!mma_make_ready(other))
        return false;
    *launched = row.status == ROW_OK;
    if (!*launched)
        return true;
    if (!mma_prepare(other, "loads", 1, launch))
        return false;
    other->iterations = COUNTED_ITERATIONS;
    return true;
}

bool mma_counting_open(struct gpu *gpu, struct mma_bench *b, struct error *error)
{
    const struct access_names *loads = access_names(SWB_LOAD);
    const char *const names[MMA_METRIC_EXTRA] = {
        [MMA_METRIC_WAVEFRONTS] = access_name_on(gpu, loads->wavefronts),
        [MMA_METRIC_CONFLICTS] = access_name_on(gpu, loads->conflicts),
        [MMA_METRIC_LDMATRIX] = access_name_on(gpu, access_names(SWB_LDMATRIX)->executed),
        [MMA_METRIC_LOADS] = access_name_on(gpu, loads->executed),
        [MMA_METRIC_TENSOR] = "smsp__inst_executed_pipe_tensor.sum",
    };
    b->ahead.counted.prepare = prepare;
    return metric_sets_open(gpu, names, MMA_METRIC_EXTRA, b->options, &b->metrics, error);
}

/* Once: what the kernels do beside loads and mma does not depend on the case. An H200 counts one
 * tensor instruction a warp of the control kernel, which has none, and exactly those of the others:
 * so these are not subtracted. */
static bool count_control(struct mma_case_run *r)
{
    struct mma_bench *b = r->bench;
    struct gpu_launch launch;
    if (!b->has_control)
        b->has_control = mma_prepare_control(r, &launch) &&
                         metric_sets_collect(r->gpu, &b->metrics, &launch, 1, b->control, r->error);
    b->control[MMA_METRIC_TENSOR] = 0;
    return b->has_control;
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

bool mma_count(struct mma_case_run *r, struct mma_result *result)
{
    double counts[MMA_METRICS], mmas = (double)MMA_MMAS * COUNTED_ITERATIONS;
    unsigned loads = r->plans[SWB_MMA_A]->loads + r->plans[SWB_MMA_B]->loads;
    result->loads_expected = (uint64_t)MMA_WARPS * loads * COUNTED_ITERATIONS;
    result->tensor_expected = (uint64_t)MMA_MMAS * COUNTED_ITERATIONS;
    if (!metric_sets_count(&r->bench->metrics))
        return true;
    if (!count_control(r))
        return false;
    const double *counted = count_ahead(&r->bench->ahead.counted, r->gpu, &r->bench->metrics,
                                        r->bench->options, r->index, r, r->error);
    if (!counted)
        return false;
    for (size_t i = 0; i < MMA_METRICS; i++)
        counts[i] = counted[i] - r->bench->control[i];
    result->loads_executed = executed_loads(r, counts);
    result->tensor_executed = counts[MMA_METRIC_TENSOR];
    result->wavefronts = counts[MMA_METRIC_WAVEFRONTS] / mmas;
    result->conflicts = counts[MMA_METRIC_CONFLICTS] / mmas;
    memcpy(result->extra, &counts[MMA_METRIC_EXTRA], sizeof result->extra);
    judge_executed("loads", result->loads_executed, result->loads_expected, r->row);
    judge_executed("tensor instructions", result->tensor_executed, result->tensor_expected, r->row);
    return true;
}
