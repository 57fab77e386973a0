/* What did the hardware count for a transpose, less what the kernel does without a tile? */
#include "bench/transpose_bench.h"

#include <string.h>

#include "bench/access_names.h"
#include "bench/judge.h"

bool transpose_counting_open(struct gpu *gpu, struct transpose_bench *b, struct error *error)
{
    const struct access_names *loads = access_names(SWB_LOAD), *stores = access_names(SWB_STORE);
    const struct access_names *ldmatrix = access_names(SWB_LDMATRIX);
    const struct access_names *stmatrix = access_names(SWB_STMATRIX);
    const char *const names[TRANSPOSE_METRIC_EXTRA] = {
        [TRANSPOSE_METRIC_WAVEFRONTS_ST] = access_name_on(gpu, stores->own_wavefronts),
        [TRANSPOSE_METRIC_WAVEFRONTS_STSM] = access_name_on(gpu, stmatrix->own_wavefronts),
        [TRANSPOSE_METRIC_WAVEFRONTS_LD] = access_name_on(gpu, loads->own_wavefronts),
        [TRANSPOSE_METRIC_WAVEFRONTS_LDSM] = access_name_on(gpu, ldmatrix->own_wavefronts),
        [TRANSPOSE_METRIC_CONFLICTS_IN] = access_name_on(gpu, stores->conflicts),
        [TRANSPOSE_METRIC_CONFLICTS_OUT] = access_name_on(gpu, loads->conflicts),
        [TRANSPOSE_METRIC_ARBITRATION] = ACCESS_ARBITRATION,
        [TRANSPOSE_METRIC_STORES] = access_name_on(gpu, stores->executed),
        [TRANSPOSE_METRIC_STMATRIX] = access_name_on(gpu, stmatrix->executed),
        [TRANSPOSE_METRIC_BOXES] = "smsp__inst_executed_op_tma_ld.sum",
        [TRANSPOSE_METRIC_LOADS] = access_name_on(gpu, loads->executed),
        [TRANSPOSE_METRIC_LDMATRIX] = access_name_on(gpu, ldmatrix->executed),
    };
    return metric_sets_open(gpu, names, TRANSPOSE_METRIC_EXTRA, b->options, &b->metrics, error);
}

/* The metrics of an instruction. */
static const struct own_metrics {
    enum transpose_metric executed, wavefronts;
} own[] = {
    [SWB_LOAD] = {TRANSPOSE_METRIC_LOADS, TRANSPOSE_METRIC_WAVEFRONTS_LD},
    [SWB_STORE] = {TRANSPOSE_METRIC_STORES, TRANSPOSE_METRIC_WAVEFRONTS_ST},
    [SWB_LDMATRIX] = {TRANSPOSE_METRIC_LDMATRIX, TRANSPOSE_METRIC_WAVEFRONTS_LDSM},
    [SWB_STMATRIX] = {TRANSPOSE_METRIC_STMATRIX, TRANSPOSE_METRIC_WAVEFRONTS_STSM},
};

static void take(struct transpose_case_run *r, enum transpose_step step, const double *counts,
                 uint32_t tiles, struct transpose_counted *counted)
{
    const struct transpose_plan *plan = &r->bench->plan;
    const struct swb_instruction *instruction = plan->steps[step].instruction;
    bool stores = step != TRANSPOSE_READ;
    uint64_t of_a_tile = instruction ? transpose_instructions(plan, step) : plan->boxes;
    counted->expected = of_a_tile * tiles;
    if (!counts)
        return;
    counted->executed =
        counts[instruction ? own[instruction->kind].executed : TRANSPOSE_METRIC_BOXES];
    judge_executed(instruction ? instruction->name : "boxes", counted->executed, counted->expected,
                   r->row);
    if (!instruction)
        return;
    counted->wavefronts = counts[own[instruction->kind].wavefronts] / tiles;
    counted->conflicts =
        counts[stores ? TRANSPOSE_METRIC_CONFLICTS_IN : TRANSPOSE_METRIC_CONFLICTS_OUT] / tiles;
}

/* The control is the same kernel without a tile. */
static bool collect(struct transpose_case_run *r, uint32_t *tiles, double *counts)
{
    enum { CASE, CONTROL, LAUNCHES };
    double values[LAUNCHES * METRIC_SETS_MOST];
    struct gpu_launch launches[LAUNCHES];
    struct transpose_case_run control = *r;
    unsigned ctas = (unsigned)gpu_info(r->gpu)->sm_count;
    if (!transpose_prepare(r, "whole", TRANSPOSE_L2, ctas, &launches[CASE]) ||
        !transpose_prepare(&control, "whole", TRANSPOSE_L2, ctas, &launches[CONTROL]))
        return false;
    control.tiles = 0;
    *tiles = r->tiles;
    if (!metric_sets_collect(r->gpu, &r->bench->metrics, launches, LAUNCHES, values, r->error))
        return false;
    for (size_t i = 0; i < TRANSPOSE_METRICS; i++)
        counts[i] = values[i] - values[CONTROL * r->bench->metrics.metric_count + i];
    return true;
}

bool transpose_count(struct transpose_case_run *r, struct transpose_result *result)
{
    double counts[TRANSPOSE_METRICS];
    uint32_t tiles = transpose_tiles(r, TRANSPOSE_L2);
    bool is_counted = metric_sets_count(&r->bench->metrics);
    if (is_counted && !collect(r, &tiles, counts))
        return false;
    take(r, TRANSPOSE_WRITE, is_counted ? counts : NULL, tiles, &result->in);
    take(r, TRANSPOSE_READ, is_counted ? counts : NULL, tiles, &result->out);
    if (r->c->method->tma_out)
        take(r, TRANSPOSE_PUT, is_counted ? counts : NULL, tiles, &result->put);
    if (!is_counted)
        return true;
    result->arbitration = counts[TRANSPOSE_METRIC_ARBITRATION] / tiles;
    memcpy(result->extra, &counts[TRANSPOSE_METRIC_EXTRA], sizeof result->extra);
    return true;
}
