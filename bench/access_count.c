/* What did the hardware count for the timed kernel, less its control? */
#include "bench/access_bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Opening ------------------------------------------------------------------------------- */

/* The place of a name in the set, added when it is new; -1 when the chip has none of `names`. */
static int place_of(struct gpu *gpu, struct counting *c, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && names[i]; i++) {
        for (size_t n = 0; n < c->name_count; n++)
            if (strcmp(c->names[n], names[i]) == 0)
                return (int)n;
        if (!counters_has_metric(gpu, names[i]))
            continue;
        c->names[c->name_count] = names[i];
        return (int)c->name_count++;
    }
    return -1;
}

static void place_metrics(struct gpu *gpu, enum swb_kind kind, struct counting *c,
                          const struct measure_options *options)
{
    static const char *const total[] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"};
    static const char *const arbitration[] = {ACCESS_ARBITRATION};
    static const char *const sectors[] = {ACCESS_COPY_SECTORS};
    static const char *const l2[] = {"lts__t_sectors_op_read.sum"};
    static const char *const dram[] = {"dram__sectors_read.sum", "dram__sectors_op_read.sum"};
    const struct access_names *names = access_names(kind);
    int *place = c->place[kind];

    for (size_t i = 0; i < METRICS; i++)
        place[i] = -1;
    place[METRIC_WAVEFRONTS] = place_of(gpu, c, names->wavefronts, 2);
    place[METRIC_CONFLICTS] = place_of(gpu, c, names->conflicts, 2);
    place[METRIC_EXECUTED] = place_of(gpu, c, names->executed, 2);
    place[METRIC_TOTAL] = place_of(gpu, c, total, 1);
    place[METRIC_ARBITRATION] = place_of(gpu, c, arbitration, 1);
    if (kind == SWB_CP_ASYNC) {
        place[METRIC_SECTORS] = place_of(gpu, c, sectors, 1);
        place[METRIC_L2_SECTORS] = place_of(gpu, c, l2, 1);
        place[METRIC_DRAM_SECTORS] = place_of(gpu, c, dram, 2);
    }
    for (size_t i = 0; i < options->extra_metric_count && i < ACCESS_MAX_EXTRA; i++)
        place[METRIC_EXTRA + i] = place_of(gpu, c, &options->extra_metrics[i], 1);
}

bool access_counting_open(struct gpu *gpu, struct access_bench *b, struct error *error)
{
    for (enum swb_kind kind = SWB_LOAD; kind <= SWB_STMATRIX; kind++)
        place_metrics(gpu, kind, &b->plain, b->options);
    place_metrics(gpu, SWB_CP_ASYNC, &b->copies, b->options);
    return (!b->plain.name_count ||
            counter_set_open(gpu, b->plain.names, b->plain.name_count, &b->plain.set, error)) &&
           (!b->copies.name_count ||
            counter_set_open(gpu, b->copies.names, b->copies.name_count, &b->copies.set, error));
}

/* ---- Counting ------------------------------------------------------------------------------ */

static bool collect(struct run *r, const struct counting *c, const struct gpu_launch *launch,
                    struct count *count)
{
    double values[MAX_NAMES];
    if (!counters_collect(r->gpu, c->set, launch, 1, values, r->error))
        return false;
    for (size_t i = 0; i < METRICS; i++) {
        int place = c->place[r->plan->instruction->kind][i];
        count->of[i] = place < 0 ? NAN : values[place];
    }
    return true;
}

/* cp.async needs nothing in shared memory beforehand, and its sectors are counted: no image then.
 */
static bool prepare_counted(struct run *r, const char *suffix, struct gpu_launch *launch)
{
    if (!access_prepare(r, suffix, 1, WARPS, launch))
        return false;
    if (r->plan->instruction->kind == SWB_CP_ASYNC)
        r->arguments.image_bytes = 0;
    return true;
}

static bool count_control(struct run *r, const struct counting *c, struct count *count)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;
    for (size_t i = 0; i < b->control_count; i++)
        if (strcmp(b->controls[i].entry, r->prefix) == 0) {
            *count = b->controls[i].count;
            return true;
        }
    if (!prepare_counted(r, "control", &launch) || !collect(r, c, &launch, count))
        return false;
    if (b->control_count < sizeof b->controls / sizeof b->controls[0]) {
        struct control *kept = &b->controls[b->control_count++];
        snprintf(kept->entry, sizeof kept->entry, "%s", r->prefix);
        kept->count = *count;
    }
    return true;
}

bool access_count(struct run *r, struct access_result *result)
{
    bool copies = r->plan->instruction->kind == SWB_CP_ASYNC;
    const struct counting *c = copies ? &r->bench->copies : &r->bench->plain;
    struct gpu_launch launch;
    struct count control, whole;

    result->inst_expected =
        (uint64_t)access_groups(r->plan->slots, WARPS) * access_body(r) * ITERATIONS;
    if (!c->set)
        return true;
    if (!count_control(r, c, &control) || !prepare_counted(r, "sweep", &launch) ||
        !collect(r, c, &launch, &whole))
        return false;
    for (size_t i = 0; i < METRICS; i++)
        whole.of[i] -= control.of[i];

    double n = (double)result->inst_expected;
    result->inst_executed = whole.of[METRIC_EXECUTED];
    result->wavefronts = whole.of[METRIC_WAVEFRONTS] / n;
    result->conflicts = whole.of[METRIC_CONFLICTS] / n;
    result->total_wavefronts = whole.of[METRIC_TOTAL] / n;
    result->arbitration_conflicts = whole.of[METRIC_ARBITRATION] / n;
    result->sectors = whole.of[METRIC_SECTORS] / n;
    result->l2_sectors = whole.of[METRIC_L2_SECTORS] / n;
    result->dram_sectors = whole.of[METRIC_DRAM_SECTORS] / n;
    memcpy(result->extra, &whole.of[METRIC_EXTRA], sizeof result->extra);
    if (result->inst_executed != n && !isnan(result->inst_executed))
        row_end(r->row, ROW_FAILED,
                "wrong count: the kernel executed %.0f %s where its source has %.0f: merged or "
                "dropped by the compiler",
                result->inst_executed, r->plan->instruction->name, n);
    return true;
}
