/* What did the hardware count for a pipeline, less what the kernel does beside its loop? */
#include "bench/pipeline_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K_BLOCKS = 64, WARPS_OF_WARPGROUP = 4 };

static const char *const names[PIPELINE_METRIC_EXTRA] = {
    [PIPELINE_METRIC_BOXES] = "smsp__inst_executed_op_tma_ld.sum",
    [PIPELINE_METRIC_EXECUTED] = "smsp__sass_inst_executed_op_shared_gmma.sum",
    [PIPELINE_METRIC_SECTORS] = "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
    [PIPELINE_METRIC_WAVEFRONTS] = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
    [PIPELINE_METRIC_CONFLICTS] = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum",
    [PIPELINE_METRIC_TMA_ACTIVE] = "sm__pipe_tma_cycles_active.sum",
};

/* Makes the case ready to be counted with others. */
static bool prepare(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched)
{
    struct pipeline_case_run *r = run, *other = &r->bench->ahead->runs[place];
    (void)launched;
    *other = (struct pipeline_case_run){.gpu = r->gpu,
                                        .bench = r->bench,
                                        .index = index,
                                        .c = pipeline_case_at(index),
                                        .error = r->error};
    pipeline_plan_of(&other->c, &other->plan);
    return pipeline_prepare(other, K_BLOCKS, launch);
}

bool pipeline_counting_open(struct gpu *gpu, struct pipeline_bench *b, struct error *error)
{
    b->ahead = aligned_alloc(_Alignof(struct pipeline_ahead), sizeof *b->ahead);
    if (!b->ahead)
        return error_set(error, ERROR_FAILED, "no memory to count pipelines");
    b->ahead->counted = (struct count_ahead){.prepare = prepare};
    return metric_sets_open(gpu, names, PIPELINE_METRIC_EXTRA, b->options, &b->metrics, error);
}

/* Once: what the kernels do beside their loop does not depend on the case. */
static bool count_control(struct pipeline_case_run *r)
{
    struct pipeline_bench *b = r->bench;
    struct gpu_launch launch;
    if (b->has_control)
        return true;
    b->has_control = pipeline_prepare(r, 0, &launch) &&
                     metric_sets_collect(r->gpu, &b->metrics, &launch, 1, b->control, r->error);
    return b->has_control;
}

static void judge(struct pipeline_case_run *r, const struct pipeline_result *result)
{
    if (!isnan(result->boxes_executed) && result->boxes_executed != (double)result->boxes_expected)
        row_end(r->row, ROW_FAILED,
                "wrong count: the kernel sent %.0f boxes where its source has %llu",
                result->boxes_executed, (unsigned long long)result->boxes_expected);
    if (!isnan(result->inst_executed) && result->inst_executed != (double)result->inst_expected)
        row_end(r->row, ROW_FAILED,
                "wrong count: the warps executed %.0f wgmma where the source has %llu",
                result->inst_executed, (unsigned long long)result->inst_expected);
}

bool pipeline_count(struct pipeline_case_run *r, struct pipeline_result *result)
{
    const struct pipeline_operand *o = r->plan.operands;
    double counts[PIPELINE_METRICS];
    result->boxes_expected = (uint64_t)K_BLOCKS * (o[SWB_MMA_A].boxes + o[SWB_MMA_B].boxes);
    result->inst_expected = (uint64_t)K_BLOCKS * r->plan.steps * WARPS_OF_WARPGROUP;
    if (!metric_sets_count(&r->bench->metrics))
        return true;
    if (!count_control(r))
        return false;
    const double *counted = count_ahead(&r->bench->ahead->counted, r->gpu, &r->bench->metrics,
                                        r->bench->options, r->index, r, r->error);
    if (!counted)
        return false;
    for (size_t i = 0; i < PIPELINE_METRICS; i++)
        counts[i] = counted[i] - r->bench->control[i];
    result->boxes_executed = counts[PIPELINE_METRIC_BOXES];
    result->inst_executed = counts[PIPELINE_METRIC_EXECUTED];
    result->sectors = counts[PIPELINE_METRIC_SECTORS] / K_BLOCKS;
    result->wavefronts = counts[PIPELINE_METRIC_WAVEFRONTS] / K_BLOCKS;
    result->conflicts = counts[PIPELINE_METRIC_CONFLICTS] / K_BLOCKS;
    result->tma_cycles_active = counts[PIPELINE_METRIC_TMA_ACTIVE] / K_BLOCKS;
    memcpy(result->extra, &counts[PIPELINE_METRIC_EXTRA], sizeof result->extra);
    judge(r, result);
    return true;
}
