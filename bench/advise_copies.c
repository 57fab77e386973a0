/* What does the whole copy of a candidate's tile cost, from L2 and from DRAM? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/access_names.h"
#include "bench/advise.h"
#include "harness/text.h"

/* The paths of copy.csv that may be a writer's: of TMA it depends on the boxes. */
enum { MOST_WAYS = 2, BOXES = 0, ONE_BOX = 1 };
static const char *const ways[ADVISE_WRITERS][MOST_WAYS] = {
    [ADVISE_TMA] = {[BOXES] = "tma-load", [ONE_BOX] = "tma-load.whole"},
    [ADVISE_CP_ASYNC] = {"cp.async.cg.16"},
    [ADVISE_ST] = {"ld-st.16"},
};

/* The number of a column whose best is looked for. */
struct measure {
    const char *column;
    bool least; /* is best; else the most */
};
static const struct measure of_all_sms = {"pct_of_peak", false};
static const struct measure of_one_cta = {"cycles_per_tile", true};

/* ---- Rows ---------------------------------------------------------------------------------- */

/* The case of that family that moves the same bytes to the same places, whatever their type is. */
static struct copy_case same_copy(const struct advise_candidate *c, const char *way,
                                  enum copy_source source)
{
    return (struct copy_case){.way = copy_way_find(way),
                              .tile = c->tile,
                              .order = COPY_ALONG_GLOBAL,
                              .source = source,
                              .stacks = access_stacks_both_ways(&c->tile)};
}

static bool is_measured(const char *text)
{
    double value;
    return text_number(text, &value) && value > 0;
}

/* False, with the reason in `best`, where the row says nothing of these boxes or instructions. */
static bool is_of_use(const struct result_file *file, size_t row, const char *column,
                      unsigned instructions, struct advise_best *best)
{
    const char *name = result_value(file, row, "case"), *status = result_value(file, row, "status");
    const char *there = result_value(file, row, "instructions");
    if (strcmp(status, "ok") != 0)
        snprintf(best->source, sizeof best->source, "copy.csv, `%s`: %s, %.100s", name, status,
                 result_value(file, row, "reason"));
    else if (strtoul(there, NULL, 10) != instructions)
        snprintf(best->source, sizeof best->source,
                 "copy.csv, `%s`: in %s instructions, and these are %u", name, there, instructions);
    else if (!is_measured(result_value(file, row, column)))
        snprintf(best->source, sizeof best->source, "copy.csv, `%s`: no %s", name, column);
    else
        return true;
    return false;
}

static void take(const struct result_file *file, size_t row, const char *column, unsigned stages,
                 struct advise_best *best)
{
    best->found = true;
    best->stages = stages;
    snprintf(best->source, sizeof best->source, "copy.csv, `%s`, %s",
             result_value(file, row, "case"), column);
    snprintf(best->value, sizeof best->value, "%s", result_value(file, row, column));
    snprintf(best->ctas_per_sm, sizeof best->ctas_per_sm, "%s",
             result_value(file, row, "ctas_per_sm"));
    snprintf(best->bytes_per_clk_sm, sizeof best->bytes_per_clk_sm, "%s",
             result_value(file, row, "bytes_per_clk_sm"));
}

/* Of equal ones, that with the fewest stages. */
static bool find_best(const struct result_file *file, struct copy_case same,
                      const struct measure *measure, unsigned instructions,
                      struct advise_best *best)
{
    char name[ROW_CASE_BYTES], part[64];
    same.stages = 1;
    copy_case_name(&same, name, sizeof name);
    *best = (struct advise_best){.found = false};
    snprintf(best->source, sizeof best->source, "copy.csv has no row `%s`, nor one of more stages",
             name);
    for (same.stages = 1; same.stages <= COPY_MOST_STAGES; same.stages++) {
        copy_case_name(&same, name, sizeof name);
        long row = result_find_case(file, name);
        if (row < 0)
            continue;
        struct advise_best why;
        bool use = is_of_use(file, (size_t)row, measure->column, instructions, &why);
        if (!use && !best->found)
            snprintf(best->source, sizeof best->source, "%s", why.source);
        if (!use)
            continue;
        const char *value = result_value(file, (size_t)row, measure->column);
        double ahead = strtod(value, NULL) - strtod(best->value, NULL);
        if (!best->found || (measure->least ? ahead < 0 : ahead > 0))
            take(file, (size_t)row, measure->column, same.stages, best);
        snprintf(part, sizeof part, "%u: %s", same.stages, value);
        text_append(best->by_stages, sizeof best->by_stages, ", ", part);
    }
    return best->found;
}

static bool find_copy(const struct result_file *file, const struct copy_case *same,
                      unsigned instructions, struct advise_copy *copy)
{
    bool all_sms = find_best(file, *same, &of_all_sms, instructions, &copy->all_sms);
    return find_best(file, *same, &of_one_cta, instructions, &copy->one_cta) || all_sms;
}

/* ---- Candidates ---------------------------------------------------------------------------- */

/* Where none of the ways has it, the reason is the first one's. */
static void find_own(const struct result_file *file, const struct advise_candidate *c,
                     enum copy_source source, struct advise_copy *copy)
{
    const char *const *way = ways[c->writer];
    struct advise_copy other;
    struct copy_case same = same_copy(c, way[0], source);
    bool found = find_copy(file, &same, c->write.instructions, copy);
    for (size_t i = 1; !found && i < MOST_WAYS && way[i]; i++) {
        same = same_copy(c, way[i], source);
        found = find_copy(file, &same, c->write.instructions, &other);
        if (found)
            *copy = other;
    }
}

void advise_find_copies(const struct result_file *file, struct advise_candidate *c)
{
    static const char none[] = "there is no copy.csv";
    for (enum copy_source source = COPY_L2; source <= COPY_DRAM; source++) {
        struct advise_copy *copy = &c->copied[source];
        if (!file) {
            memcpy(copy->all_sms.source, none, sizeof none);
            memcpy(copy->one_cta.source, none, sizeof none);
            continue;
        }
        find_own(file, c, source, copy);
        if (c->writer != ADVISE_TMA || c->write.instructions == 1)
            continue;
        struct copy_case whole = same_copy(c, ways[ADVISE_TMA][ONE_BOX], source);
        find_copy(file, &whole, 1, &c->one_box[source]);
    }
}
