/* What did the hardware count for wgmma, less what the kernel does beside it? */
#include "bench/wgmma_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 4, WARPS_OF_WARPGROUP = 4 };

static const char *const names[WGMMA_METRIC_EXTRA] = {
    [WGMMA_METRIC_EXECUTED] = "smsp__sass_inst_executed_op_shared_gmma.sum",
    [WGMMA_METRIC_WAVEFRONTS] = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
    [WGMMA_METRIC_CONFLICTS] = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum",
    [WGMMA_METRIC_BANK_READS] = "l1tex__data_bank_reads.sum",
};

/* Makes the case ready to be counted with others. */
static bool prepare(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched)
{
    struct wgmma_case_run *r = run, *other = &r->bench->ahead->runs[place];
    (void)launched;
    *other = (struct wgmma_case_run){
        .gpu = r->gpu, .bench = r->bench, .c = wgmma_case_at(index), .error = r->error};
    wgmma_plan_of(&other->c, &other->plan);
    return wgmma_prepare(other, 1, ITERATIONS, launch);
}

bool wgmma_counting_open(struct gpu *gpu, struct wgmma_bench *b, struct error *error)
{
    b->ahead = malloc(sizeof *b->ahead);
    if (!b->ahead)
        return error_set(error, ERROR_FAILED, "no memory to count wgmma");
    b->ahead->counted = (struct count_ahead){.prepare = prepare};
    return metric_sets_open(gpu, names, WGMMA_METRIC_EXTRA, b->options, &b->metrics, error);
}

/* Once: what the kernels do beside their loop has no wgmma in it, whatever the case. Only the reads
 * of banks are then not of the operands alone. */
static bool count_control(struct wgmma_case_run *r)
{
    struct wgmma_bench *b = r->bench;
    struct gpu_launch launch;
    if (b->has_control)
        return true;
    b->has_control = wgmma_prepare(r, 1, 0, &launch) &&
                     metric_sets_collect(r->gpu, &b->metrics, &launch, 1, b->control, r->error);
    return b->has_control;
}

bool wgmma_count(struct wgmma_case_run *r, struct wgmma_result *result)
{
    const unsigned multiplied = ITERATIONS * WGMMA_STEPS * WGMMA_WARPGROUPS;
    double counts[WGMMA_METRICS];
    result->inst_expected = (uint64_t)multiplied * WARPS_OF_WARPGROUP;
    if (!metric_sets_count(&r->bench->metrics))
        return true;
    if (!count_control(r))
        return false;
    const double *counted = count_ahead(&r->bench->ahead->counted, r->gpu, &r->bench->metrics,
                                        r->bench->options, r->index, r, r->error);
    if (!counted)
        return false;
    for (size_t i = 0; i < WGMMA_METRICS; i++)
        counts[i] = counted[i] - r->bench->control[i];
    result->inst_executed = counts[WGMMA_METRIC_EXECUTED];
    result->wavefronts = counts[WGMMA_METRIC_WAVEFRONTS] / multiplied;
    result->conflicts = counts[WGMMA_METRIC_CONFLICTS] / multiplied;
    result->bank_reads = counts[WGMMA_METRIC_BANK_READS] / multiplied;
    memcpy(result->extra, &counts[WGMMA_METRIC_EXTRA], sizeof result->extra);
    if (!isnan(result->inst_executed) && result->inst_executed != (double)result->inst_expected)
        row_end(r->row, ROW_FAILED,
                "wrong count: the warps executed %.0f wgmma where the source has %llu",
                result->inst_executed, (unsigned long long)result->inst_expected);
    return true;
}
