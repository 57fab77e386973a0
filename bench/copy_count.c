/* What did the hardware count for a copy, less what the kernel does beside its loop? */
#include "bench/copy_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge.h"

enum { TILES = 64 };

static const char *const names[COPY_METRIC_EXTRA] = {
    [COPY_METRIC_GLOBAL_LD] = "smsp__sass_inst_executed_op_global_ld.sum",
    [COPY_METRIC_GLOBAL_ST] = "smsp__sass_inst_executed_op_global_st.sum",
    [COPY_METRIC_SHARED_LD] = "smsp__sass_inst_executed_op_shared_ld.sum",
    [COPY_METRIC_SHARED_ST] = "smsp__sass_inst_executed_op_shared_st.sum",
    [COPY_METRIC_LDGSTS] = "smsp__sass_inst_executed_op_ldgsts.sum",
    [COPY_METRIC_TMA_LD] = "smsp__inst_executed_op_tma_ld.sum",
    [COPY_METRIC_TMA_ST] = "smsp__inst_executed_op_tma_st.sum",
    [COPY_METRIC_SECTORS_LD] = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    [COPY_METRIC_SECTORS_ST] = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    [COPY_METRIC_SECTORS_LDGSTS] = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
    [COPY_METRIC_SECTORS_TMA_LD] = "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
    [COPY_METRIC_SECTORS_TMA_ST] = "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
    [COPY_METRIC_REQUESTS_LD] = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    [COPY_METRIC_REQUESTS_ST] = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    [COPY_METRIC_REQUESTS_LDGSTS] = "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum",
    [COPY_METRIC_WAVEFRONTS_LD] = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    [COPY_METRIC_WAVEFRONTS_ST] = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    [COPY_METRIC_WAVEFRONTS_LDGSTS] =
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
    [COPY_METRIC_L2_REQUESTS] = "lts__t_requests_srcunit_tex.sum",
    [COPY_METRIC_L2_SECTORS] = "lts__t_sectors_srcunit_tex.sum",
};

/* The counters of a kind of way, in and back. NONE: it has none. */
enum { NONE = COPY_METRICS };
static const struct own {
    enum copy_metric executed, executed_too, sectors;
    unsigned requests, wavefronts;
} own[][2] = {
    [COPY_REGISTERS] = {{COPY_METRIC_GLOBAL_LD, COPY_METRIC_SHARED_ST, COPY_METRIC_SECTORS_LD,
                         COPY_METRIC_REQUESTS_LD, COPY_METRIC_WAVEFRONTS_ST},
                        {COPY_METRIC_GLOBAL_ST, COPY_METRIC_SHARED_LD, COPY_METRIC_SECTORS_ST,
                         COPY_METRIC_REQUESTS_ST, COPY_METRIC_WAVEFRONTS_LD}},
    [COPY_ASYNC] = {{COPY_METRIC_LDGSTS, COPY_METRIC_LDGSTS, COPY_METRIC_SECTORS_LDGSTS,
                     COPY_METRIC_REQUESTS_LDGSTS, COPY_METRIC_WAVEFRONTS_LDGSTS}},
    [COPY_BULK] = {{COPY_METRIC_TMA_LD, COPY_METRIC_TMA_LD, COPY_METRIC_SECTORS_TMA_LD, NONE, NONE},
                   {COPY_METRIC_TMA_ST, COPY_METRIC_TMA_ST, COPY_METRIC_SECTORS_TMA_ST, NONE,
                    NONE}},
    [COPY_TMA] = {{COPY_METRIC_TMA_LD, COPY_METRIC_TMA_LD, COPY_METRIC_SECTORS_TMA_LD, NONE, NONE},
                  {COPY_METRIC_TMA_ST, COPY_METRIC_TMA_ST, COPY_METRIC_SECTORS_TMA_ST, NONE, NONE}},
};

/* Makes the case ready to be counted with others. */
static bool prepare(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched)
{
    struct copy_case_run *r = run, *other = &r->bench->ahead->runs[place];
    struct row unused = {.status = ROW_OK};
    other->gpu = r->gpu;
    other->bench = r->bench;
    other->index = index;
    other->c = copy_case_at(index);
    other->error = r->error;
    *launched = other->c.way->kind != COPY_PLAIN &&
                copy_supported(r->bench, gpu_info(r->gpu), &other->c, &unused);
    if (!*launched)
        return true;
    copy_plan_of(&other->c, &other->plan);
    return copy_prepare(other, 1, TILES, launch);
}

bool copy_counting_open(struct gpu *gpu, struct copy_bench *b, struct error *error)
{
    b->ahead = aligned_alloc(_Alignof(struct copy_ahead), sizeof *b->ahead);
    if (!b->ahead)
        return error_set(error, ERROR_FAILED, "no memory to count copies");
    memset(b->ahead, 0, sizeof *b->ahead);
    b->ahead->counted = (struct count_ahead){.prepare = prepare};
    return metric_sets_open(gpu, names, COPY_METRIC_EXTRA, b->options, &b->metrics, error);
}

/* Once: what the kernels of lanes do beside their loop does not depend on the case, and those of
 * TMA have nothing in the counters of theirs. */
static bool count_control(struct copy_case_run *r)
{
    struct copy_bench *b = r->bench;
    struct gpu_launch launch;
    if (b->has_control)
        return true;
    b->has_control = copy_prepare(r, 1, 0, &launch) &&
                     gpu_kernel_find(r->gpu, "copy", "ld_st_16_u1", &launch.kernel, r->error) &&
                     metric_sets_collect(r->gpu, &b->metrics, &launch, 1, b->control, r->error);
    return b->has_control;
}

bool copy_count(struct copy_case_run *r, struct copy_result *result)
{
    const struct own *o = &own[r->c.way->kind][r->c.way->back];
    double counts[COPY_METRICS + 1] = {[NONE] = NAN};
    result->inst_expected = (uint64_t)TILES * r->plan.instructions;
    if (!metric_sets_count(&r->bench->metrics))
        return true;
    if (!count_control(r))
        return false;
    const double *counted = count_ahead(&r->bench->ahead->counted, r->gpu, &r->bench->metrics,
                                        r->bench->options, r->index, r, r->error);
    if (!counted)
        return false;
    for (size_t i = 0; i < COPY_METRICS; i++)
        counts[i] = counted[i] - r->bench->control[i];
    result->inst_executed = counts[o->executed];
    result->sectors = counts[o->sectors] / TILES;
    result->requests = counts[o->requests] / TILES;
    result->wavefronts = counts[o->wavefronts] / TILES;
    result->l2_requests = counts[COPY_METRIC_L2_REQUESTS] / TILES;
    result->l2_sectors = counts[COPY_METRIC_L2_SECTORS] / TILES;
    memcpy(result->extra, &counts[COPY_METRIC_EXTRA], sizeof result->extra);
    judge_executed(r->c.way->name, counts[o->executed], result->inst_expected, r->row);
    judge_executed(r->c.way->name, counts[o->executed_too], result->inst_expected, r->row);
    return true;
}
