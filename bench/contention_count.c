/* What did the hardware count while both sides ran, less what the kernel does beside its loops? */
#include "bench/contention_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/access_names.h"
#include "harness/outside.h"

/* ---- Counters ------------------------------------------------------------------------------ */

/* Instructions with counters of their own. */
enum kind { LDSM, GMMA, STORE, LDGSTS, TMA, ALL };
enum what {
    EXECUTED,
    PAST_L1, /* of these */
    WAVEFRONTS,
    CONFLICTS,
    SASS_WAVEFRONTS,
    SASS_CONFLICTS,
    ARBITRATION,
    BANK_READS,
    BANK_WRITES
};

#define WAVEFRONTS_OF      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
#define CONFLICTS_OF       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"
#define SASS_WAVEFRONTS_OF "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
#define SASS_CONFLICTS_OF  "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_"

static const struct {
    enum kind kind;
    enum what what;
    const char *name;
} metrics[] = {
    {LDSM, EXECUTED, "smsp__sass_inst_executed_op_ldsm.sum"},
    {LDSM, WAVEFRONTS, WAVEFRONTS_OF "ld.sum"},
    {LDSM, CONFLICTS, CONFLICTS_OF "ld.sum"},
    {LDSM, SASS_WAVEFRONTS, SASS_WAVEFRONTS_OF "ldsm.sum"},
    {LDSM, SASS_CONFLICTS, SASS_CONFLICTS_OF "ldsm.sum"},
    {GMMA, EXECUTED, "smsp__sass_inst_executed_op_shared_gmma.sum"},
    {GMMA, WAVEFRONTS, WAVEFRONTS_OF "gmma.sum"},
    {GMMA, CONFLICTS, CONFLICTS_OF "gmma.sum"},
    {STORE, EXECUTED, "smsp__sass_inst_executed_op_shared_st.sum"},
    {STORE, WAVEFRONTS, WAVEFRONTS_OF "st.sum"},
    {STORE, CONFLICTS, CONFLICTS_OF "st.sum"},
    {STORE, SASS_WAVEFRONTS, SASS_WAVEFRONTS_OF "st.sum"},
    {LDGSTS, EXECUTED, "smsp__sass_inst_executed_op_ldgsts.sum"},
    {LDGSTS, PAST_L1, "sm__sass_inst_executed_op_ldgsts_cache_bypass.sum"},
    {LDGSTS, CONFLICTS, CONFLICTS_OF "ldgsts.sum"},
    {LDGSTS, SASS_WAVEFRONTS, SASS_WAVEFRONTS_OF "ldgsts.sum"},
    {LDGSTS, SASS_CONFLICTS, SASS_CONFLICTS_OF "ldgsts.sum"},
    {TMA, EXECUTED, "smsp__inst_executed_op_tma_ld.sum"},
    {ALL, ARBITRATION, ACCESS_ARBITRATION},
    {ALL, BANK_READS, "l1tex__data_bank_reads.sum"},
    {ALL, BANK_WRITES, "l1tex__data_bank_writes.sum"},
};
enum { OWN = sizeof metrics / sizeof metrics[0] };

static double count_of(const double *counts, enum kind kind, enum what what)
{
    for (size_t i = 0; i < OWN; i++)
        if (metrics[i].kind == kind && metrics[i].what == what)
            return counts[i];
    return NAN;
}

static enum kind kind_of(const struct contention_actor *actor)
{
    if (actor->means != CONTENTION_LANES)
        return actor->means == CONTENTION_TMA ? TMA : GMMA;
    static const enum kind kinds[] = {
        [SWB_LDMATRIX] = LDSM, [SWB_STORE] = STORE, [SWB_CP_ASYNC] = LDGSTS};
    return kinds[swb_instruction_find(actor->instruction)->kind];
}

/* ---- Launches ------------------------------------------------------------------------------ */

/* Shared memory is left as it is: nothing but the loops is to be counted. */
static void leave_memory(struct contention_launch *l)
{
    l->arguments.reader.image_bytes = 0;
    l->arguments.writer.out_bytes = 0;
}

/* Makes the case ready to be counted with others. */
static bool prepare(void *run, size_t index, size_t place, struct gpu_launch *launch,
                    bool *launched)
{
    struct contention_case_run *r = run, *other = &r->bench->ahead->scratch;
    struct contention_launch *l = &r->bench->ahead->launches[place];
    static struct row row;
    row = (struct row){.status = ROW_OK};
    other->gpu = r->gpu;
    other->bench = r->bench;
    other->index = index;
    other->c = contention_case_at(index);
    other->row = &row;
    other->error = r->error;
    contention_plan_of(&other->c, &other->plan);
    *launched = contention_supported(other, &row);
    if (!*launched)
        return true;
    if (!contention_prepare(other, place, l) ||
        (!outside_reproducible() && !contention_balance(other, l)))
        return false;
    leave_memory(l);
    *launch = l->launch;
    return true;
}

bool contention_counting_open(struct gpu *gpu, struct contention_bench *b, struct error *error)
{
    const char *names[OWN];
    for (size_t i = 0; i < OWN; i++)
        names[i] = metrics[i].name;
    b->ahead = aligned_alloc(_Alignof(struct contention_ahead), sizeof *b->ahead);
    if (!b->ahead)
        return error_set(error, ERROR_FAILED, "no memory to count the contention family");
    memset(b->ahead, 0, sizeof *b->ahead);
    b->ahead->counted.prepare = prepare;
    return metric_sets_open(gpu, names, OWN, b->options, &b->metrics, error);
}

/* The kernel's counts without its loops, in a launch of the same extents. */
static const double *control_of(struct contention_case_run *r)
{
    struct contention_bench *b = r->bench;
    struct contention_launch *l = &r->own;
    struct contention_control *c = b->controls;
    const struct gpu_launch *g = &l->launch;
    for (; c < b->controls + b->control_count; c++)
        if (strcmp(c->entry, l->entry) == 0 && c->grid_x == g->grid_x && c->block_x == g->block_x &&
            c->smem_bytes == g->dynamic_smem_bytes && c->carveout_pct == g->carveout_pct)
            return c->counts;
    if (b->control_count == sizeof b->controls / sizeof b->controls[0])
        c = &b->controls[b->control_count = 0]; /* from the first on again */
    struct contention_arguments kept = l->arguments;
    leave_memory(l);
    l->arguments.reader_iterations = l->arguments.writer_iterations = 0;
    bool counted = metric_sets_collect(r->gpu, &b->metrics, g, 1, c->counts, r->error);
    l->arguments = kept;
    if (!counted)
        return NULL;
    memcpy(c->entry, l->entry, sizeof c->entry);
    c->grid_x = g->grid_x;
    c->block_x = g->block_x;
    c->smem_bytes = g->dynamic_smem_bytes;
    c->carveout_pct = g->carveout_pct;
    b->control_count++;
    return c->counts;
}

/* ---- Results ------------------------------------------------------------------------------- */

/* Instructions of a side in the whole launch: of the warps of a warpgroup together. */
static double instructions(const struct contention_side *side, uint32_t iterations,
                           const struct gpu_launch *launch)
{
    return (double)side->bodies * side->body * iterations * CONTENTION_SEGMENTS * launch->grid_x;
}

static void take_side(const struct contention_actor *actor, const struct contention_side *side,
                      double n, const double *counts, struct contention_side_result *result)
{
    enum kind kind = kind_of(actor);
    result->inst_expected = (uint64_t)n * side->warps / side->bodies;
    result->inst_executed = count_of(counts, kind, EXECUTED);
    result->wavefronts = count_of(counts, kind, WAVEFRONTS) / n;
    result->conflicts = count_of(counts, kind, CONFLICTS) / n;
    result->sass_wavefronts = count_of(counts, kind, SASS_WAVEFRONTS) / n;
    result->sass_conflicts = count_of(counts, kind, SASS_CONFLICTS) / n;
}

static void judge(struct contention_case_run *r, const char *who,
                  const struct contention_side_result *side)
{
    if (!isnan(side->inst_executed) && side->inst_executed != (double)side->inst_expected)
        row_end(r->row, ROW_FAILED,
                "wrong count: the %s executed %.0f instructions where the source has %llu", who,
                side->inst_executed, (unsigned long long)side->inst_expected);
}

/* .ca and .cg leave the same bytes, and take as many wavefronts. */
static void judge_cache(struct contention_case_run *r, const struct contention_side_result *writer,
                        const double *counts)
{
    double past_l1 = kind_of(r->c.writer) == LDGSTS ? count_of(counts, LDGSTS, PAST_L1) : NAN;
    unsigned long long executed = writer->inst_expected;
    if (!isnan(past_l1) && past_l1 != (r->c.writer->bypass_l1 ? (double)executed : 0))
        row_end(r->row, ROW_FAILED,
                "wrong count: %.0f of the %llu instructions of the writers went past L1 where the "
                "source has %s",
                past_l1, executed, r->c.writer->bypass_l1 ? "all" : "none");
}

bool contention_count(struct contention_case_run *r, struct contention_result *result)
{
    const struct contention_bench *b = r->bench;
    double counts[METRIC_SETS_MOST], wavefronts = 0;
    if (!metric_sets_count(&b->metrics))
        return true;
    const double *control = control_of(r);
    if (!control)
        return false;
    const double *counted =
        count_ahead(&b->ahead->counted, r->gpu, &b->metrics, b->options, r->index, r, r->error);
    if (!counted)
        return false;
    for (size_t i = 0; i < b->metrics.metric_count; i++)
        counts[i] = counted[i] - control[i];
    size_t place = (size_t)(counted - b->ahead->counted.counts) / b->metrics.metric_count;
    const struct contention_launch *l = &b->ahead->launches[place];
    if (r->c.reader) {
        double n = instructions(&r->plan.reader, l->arguments.reader_iterations, &l->launch);
        take_side(r->c.reader, &r->plan.reader, n, counts, &result->reader);
        judge(r, "readers", &result->reader);
        wavefronts += n * r->plan.reader.cost.wavefronts;
    }
    if (r->c.writer) {
        double n = instructions(&r->plan.writer, l->arguments.writer_iterations, &l->launch);
        take_side(r->c.writer, &r->plan.writer, n, counts, &result->writer);
        judge(r, "writers", &result->writer);
        judge_cache(r, &result->writer, counts);
        wavefronts += n * r->plan.writer.cost.wavefronts;
    }
    result->arbitration = count_of(counts, ALL, ARBITRATION) / wavefronts;
    result->bank_reads = count_of(counts, ALL, BANK_READS) / SWB_BANKS / wavefronts;
    result->bank_writes = count_of(counts, ALL, BANK_WRITES) / SWB_BANKS / wavefronts;
    memcpy(result->extra, &counts[OWN], sizeof result->extra);
    return true;
}
