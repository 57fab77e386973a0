/* What did the hardware count for boxes sent through TMA, less the control kernel? */
#include "bench/tma_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTED_BOXES = 8, COUNTED_DEPTH = 4 };

static const char *const names[TMA_METRIC_EXTRA] = {
    [TMA_METRIC_EXECUTED_LD] = "smsp__inst_executed_op_tma_ld.sum",
    [TMA_METRIC_EXECUTED_ST] = "smsp__inst_executed_op_tma_st.sum",
    [TMA_METRIC_SECTORS_LD] = "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
    [TMA_METRIC_SECTORS_ST] = "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
    [TMA_METRIC_SECTORS_RED] = "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum",
    [TMA_METRIC_REQUESTS] = "lts__t_requests_srcunit_tex.sum",
    [TMA_METRIC_L2_SECTORS] = "lts__t_sectors_srcunit_tex.sum",
    [TMA_METRIC_BANK_READS] = "l1tex__data_bank_reads.sum",
    [TMA_METRIC_BANK_WRITES] = "l1tex__data_bank_writes.sum",
    [TMA_METRIC_ACTIVE] = "sm__pipe_tma_cycles_active.sum",
};

/* Makes the case ready to be counted with others, unless something speaks against launching it. */
static bool prepare(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched)
{
    struct tma_case_run *r = run, *other = &r->bench->ahead->runs[place];
    const struct tma_case *c = tma_case_at(index);
    static struct row row; /* nobody's */
    int code;
    row = (struct row){.status = ROW_OK};
    *other = (struct tma_case_run){
        .gpu = r->gpu, .bench = r->bench, .c = c, .row = &row, .error = r->error};
    *launched = c->way != TMA_PLAIN_LOAD && !tma_start_fault(c);
    if (!*launched)
        return true;
    if (!tma_make_ready(other, &code))
        return false;
    *launched = row.status == ROW_OK;
    if (!*launched)
        return true;
    if (!tma_prepare(other, other->entry, 1, tma_deepest(other, COUNTED_DEPTH), launch))
        return false;
    other->boxes = COUNTED_BOXES;
    return true;
}

bool tma_counting_open(struct gpu *gpu, struct tma_bench *b, struct error *error)
{
    b->ahead = aligned_alloc(_Alignof(struct tma_ahead), sizeof *b->ahead);
    if (!b->ahead)
        return error_set(error, ERROR_FAILED, "no memory to count boxes");
    b->ahead->counted = (struct count_ahead){.prepare = prepare};
    return metric_sets_open(gpu, names, TMA_METRIC_EXTRA, b->options, &b->metrics, error);
}

/* Once: what a CTA does beside sending boxes does not depend on the case. */
static bool count_control(struct tma_case_run *r)
{
    struct tma_bench *b = r->bench;
    struct gpu_launch launch;
    if (b->has_control)
        return true;
    if (!tma_prepare(r, "control", 1, 1, &launch))
        return false;
    launch.grid_x = 1;
    launch.cluster_x = 1;
    b->has_control = metric_sets_collect(r->gpu, &b->metrics, &launch, 1, b->control, r->error);
    return b->has_control;
}

static enum tma_metric sectors_of(enum tma_way way)
{
    return way == TMA_PREFETCH   ? TMA_METRIC_L2_SECTORS
           : way == TMA_REDUCE   ? TMA_METRIC_SECTORS_RED
           : tma_way_stores(way) ? TMA_METRIC_SECTORS_ST
                                 : TMA_METRIC_SECTORS_LD;
}

static double predicted_sectors(const struct tma_case *c, uint32_t boxes)
{
    uint32_t positions = tma_case_positions(c);
    uint64_t sectors = 0;
    for (uint32_t box = 0; box < boxes; box++)
        sectors += tma_traffic_of(c, box % positions).sectors;
    return (double)(sectors * c->cluster_ctas) / boxes;
}

static void take_counts(struct tma_case_run *r, const double counts[TMA_METRICS],
                        struct tma_result *result)
{
    enum tma_way way = r->c->way;
    double n = COUNTED_BOXES;
    result->inst_expected = COUNTED_BOXES;
    result->model_sectors = predicted_sectors(r->c, COUNTED_BOXES);
    if (way != TMA_PREFETCH)
        result->inst_executed =
            counts[tma_way_stores(way) ? TMA_METRIC_EXECUTED_ST : TMA_METRIC_EXECUTED_LD];
    result->sectors = counts[sectors_of(way)] / n;
    result->requests = counts[TMA_METRIC_REQUESTS] / n;
    result->l2_sectors = counts[TMA_METRIC_L2_SECTORS] / n;
    if (r->c->cluster_ctas == 1) { /* the control is one CTA */
        result->bank_reads = counts[TMA_METRIC_BANK_READS] / n;
        result->bank_writes = counts[TMA_METRIC_BANK_WRITES] / n;
    }
    result->tma_cycles_active = counts[TMA_METRIC_ACTIVE] / n;
    memcpy(result->extra, &counts[TMA_METRIC_EXTRA], sizeof result->extra);
}

bool tma_count(struct tma_case_run *r, struct tma_result *result)
{
    double counts[TMA_METRICS];
    if (!metric_sets_count(&r->bench->metrics))
        return true;
    if (!count_control(r))
        return false;
    const double *counted = count_ahead(&r->bench->ahead->counted, r->gpu, &r->bench->metrics,
                                        r->bench->options, r->index, r, r->error);
    if (!counted)
        return false;
    for (size_t i = 0; i < TMA_METRICS; i++)
        counts[i] = counted[i] - r->bench->control[i];
    take_counts(r, counts, result);
    if (!isnan(result->inst_executed) && result->inst_executed != (double)result->inst_expected)
        row_end(r->row, ROW_FAILED,
                "wrong count: the kernel sent %.0f boxes where its source has "
                "%llu",
                result->inst_executed, (unsigned long long)result->inst_expected);
    return true;
}
