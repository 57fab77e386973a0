/* Which access of a batch is the one on which model and hardware differ, and what is the simplest
 * that still does? */
#include "bench/fuzz_search.h"

#include <stdio.h>

#include "bench/fuzz_access.h"

void fuzz_set(struct fuzz_batch *batch, unsigned i, const struct swb_copy *access, uint32_t weight)
{
    batch->masks[i] = access->to.active_mask;
    batch->weights[i] = weight;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        batch->offsets[i][lane] = (uint16_t)access->to.lane_byte_addresses[lane];
        batch->sources[i][lane] = (uint16_t)access->global_byte_addresses[lane];
    }
}

struct swb_copy fuzz_get(const struct fuzz_batch *batch, unsigned i)
{
    struct swb_copy access = {.to.active_mask = batch->masks[i], .bypass_l1 = batch->bypass_l1};
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        access.to.lane_byte_addresses[lane] = batch->offsets[i][lane];
        access.global_byte_addresses[lane] = batch->sources[i][lane];
    }
    return access;
}

/* What the model says of one access, once. */
static struct fuzz_sums model_of(const struct swb_instruction *instruction,
                                 const struct swb_copy *access)
{
    struct swb_copy_cost copied;
    struct swb_cost cost;
    uint64_t executed = access->to.active_mask != 0;
    if (swb_copy_cost(instruction, access, &copied))
        return (struct fuzz_sums){copied.wavefronts, copied.conflicts, executed, copied.sectors};
    swb_bank_cost(instruction, &access->to, &cost);
    return (struct fuzz_sums){cost.wavefronts, cost.conflicts, executed, 0};
}

static struct fuzz_sums model_sums(const struct fuzz_batch *batch, unsigned first, unsigned end)
{
    struct fuzz_sums sums = {0};
    for (unsigned i = first; i < end; i++) {
        struct swb_copy access = fuzz_get(batch, i);
        struct fuzz_sums one = model_of(batch->instruction, &access);
        sums.wavefronts += batch->weights[i] * one.wavefronts;
        sums.conflicts += batch->weights[i] * one.conflicts;
        sums.executed += batch->weights[i] * one.executed;
        sums.sectors += batch->weights[i] * one.sectors;
    }
    return sums;
}

static bool agree(struct fuzz_sums a, struct fuzz_sums b)
{
    return a.wavefronts == b.wavefronts && a.conflicts == b.conflicts && a.executed == b.executed &&
           a.sectors == b.sectors;
}

/* Whether model and hardware agree on [first, end) of the loaded batch. */
static bool compare(struct fuzz_search *s, const struct fuzz_batch *batch, unsigned first,
                    unsigned end, bool *same, struct error *error)
{
    struct fuzz_sums counted;
    if (!fuzz_bench_count(s->gpu, s->bench, first, end, &counted, error))
        return false;
    *same = agree(counted, model_sums(batch, first, end));
    return true;
}

/* The first access from `first` on that differs; batch->count where none does. */
static bool bisect(struct fuzz_search *s, unsigned first, unsigned *found, struct error *error)
{
    unsigned low = first, high = s->batch.count;
    bool same;
    if (!compare(s, &s->batch, low, high, &same, error))
        return false;
    if (same) {
        *found = s->batch.count;
        return true;
    }
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (!compare(s, &s->batch, low, middle, &same, error))
            return false;
        if (same)
            low = middle;
        else
            high = middle;
    }
    *found = low;
    return true;
}

/* Keeps a simpler access when it still differs. */
static bool try_simpler(struct fuzz_search *s, const struct swb_copy *simpler,
                        struct swb_copy *access, struct error *error)
{
    bool same;
    fuzz_set(&s->single, 0, simpler, s->single.weights[0]);
    if (!fuzz_bench_load(s->gpu, s->bench, &s->single, error) ||
        !compare(s, &s->single, 0, 1, &same, error))
        return false;
    if (!same)
        *access = *simpler;
    return true;
}

/* Fewer lanes, then smaller addresses. */
static bool simplify(struct fuzz_search *s, struct swb_copy *access, struct error *error)
{
    s->single.instruction = s->batch.instruction;
    s->single.bypass_l1 = s->batch.bypass_l1;
    s->single.count = 1;
    s->single.weights[0] = fuzz_weight(&(struct fuzz_random){0});
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        struct swb_copy simpler = *access;
        simpler.to.active_mask &= ~(1u << lane);
        if (!s->batch.instruction->matrices && simpler.to.active_mask &&
            !try_simpler(s, &simpler, access, error))
            return false;
    }
    for (unsigned lane = 0; lane < 2 * SWB_LANES; lane++) {
        struct swb_copy simpler = *access;
        if (lane < SWB_LANES)
            simpler.to.lane_byte_addresses[lane] = 0;
        else
            simpler.global_byte_addresses[lane - SWB_LANES] = 0;
        if (!try_simpler(s, &simpler, access, error))
            return false;
    }
    return true;
}

/* Writes the access where `predict --accesses` and `measure --accesses` read it. */
static void write_mismatch(const struct fuzz_search *s, const struct swb_copy *access,
                           struct fuzz_sums counted)
{
    FILE *file = fopen(s->path, "a");
    if (!file)
        return;
    if (ftell(file) == 0)
        fputs("instruction,cache,active_mask,lane_byte_addresses,global_byte_addresses,"
              "hw_wavefronts,hw_bank_conflicts,hw_sectors\n",
              file);
    bool copies = s->batch.instruction->kind == SWB_CP_ASYNC;
    fprintf(file, "%s,%s,%08x,", s->batch.instruction->name,
            !copies             ? ""
            : access->bypass_l1 ? "cg"
                                : "ca",
            access->to.active_mask);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        fprintf(file, lane ? " %u" : "%u", access->to.lane_byte_addresses[lane]);
    fputc(',', file);
    for (unsigned lane = 0; lane < SWB_LANES && copies; lane++)
        fprintf(file, lane ? " %llu" : "%llu",
                (unsigned long long)access->global_byte_addresses[lane]);
    fprintf(file, ",%llu,%llu,%llu\n", (unsigned long long)counted.wavefronts,
            (unsigned long long)counted.conflicts, (unsigned long long)counted.sectors);
    fclose(file);
}

/* Takes the access apart and puts what it says into the row. */
static bool report_mismatch(struct fuzz_search *s, unsigned i, struct row *row, struct error *error)
{
    struct swb_copy access = fuzz_get(&s->batch, i);
    struct fuzz_sums counted;
    if (!simplify(s, &access, error))
        return false;
    fuzz_set(&s->single, 0, &access, s->single.weights[0]);
    if (!fuzz_bench_load(s->gpu, s->bench, &s->single, error) ||
        !fuzz_bench_count(s->gpu, s->bench, 0, 1, &counted, error))
        return false;
    struct fuzz_sums model = model_of(s->batch.instruction, &access);
    counted.wavefronts /= s->single.weights[0];
    counted.conflicts /= s->single.weights[0];
    counted.sectors /= s->single.weights[0];
    write_mismatch(s, &access, counted);
    row_end(row, ROW_FAILED,
            "model and counter differ: %llu wavefronts, %llu conflicts, %llu sectors predicted; "
            "%llu, %llu, %llu counted; see fuzz-mismatches.csv",
            (unsigned long long)model.wavefronts, (unsigned long long)model.conflicts,
            (unsigned long long)model.sectors, (unsigned long long)counted.wavefronts,
            (unsigned long long)counted.conflicts, (unsigned long long)counted.sectors);
    return fuzz_bench_load(s->gpu, s->bench, &s->batch, error);
}

bool fuzz_agrees(struct fuzz_search *s, bool *same, struct error *error)
{
    return fuzz_bench_load(s->gpu, s->bench, &s->batch, error) &&
           compare(s, &s->batch, 0, s->batch.count, same, error);
}

bool fuzz_find(struct fuzz_search *s, unsigned most, unsigned *found, struct row *row,
               struct error *error)
{
    unsigned first = 0, at;
    while (*found < most && first < s->batch.count) {
        if (!bisect(s, first, &at, error))
            return false;
        if (at == s->batch.count)
            return true;
        ++*found;
        if (!report_mismatch(s, at, row, error))
            return false;
        first = at + 1;
    }
    return true;
}
