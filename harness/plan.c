/* Which cases of which families does a command work on? */
#include "harness/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/filter.h"
#include "harness/text.h"

enum { MAX_FAMILIES = 64 };

const struct family *plan_find_family(const char *name, struct error *error)
{
    const char *names[MAX_FAMILIES];
    char hint[320];
    size_t count = 0;
    for (; count < MAX_FAMILIES && registry_families[count]; count++) {
        names[count] = registry_families[count]->name;
        if (strcmp(name, names[count]) == 0)
            return registry_families[count];
    }
    text_suggest(name, names, count, hint, sizeof hint);
    error_set(error, ERROR_INPUT, "unknown family '%s'; %s", name, hint);
    return NULL;
}

/* Each family once, in the order of the names; without names those that need not be named. */
static bool choose_families(char *const *names, size_t name_count, const struct family **chosen,
                            size_t *count, struct error *error)
{
    *count = 0;
    for (size_t i = 0; name_count == 0 && registry_families[i] && i < MAX_FAMILIES; i++)
        if (!registry_families[i]->on_request)
            chosen[(*count)++] = registry_families[i];
    for (size_t i = 0; i < name_count; i++) {
        const struct family *family = plan_find_family(names[i], error);
        if (!family)
            return false;
        bool again = false;
        for (size_t j = 0; j < *count; j++)
            again = again || chosen[j] == family;
        if (!again && *count < MAX_FAMILIES)
            chosen[(*count)++] = family;
    }
    return true;
}

static bool choose_cases(struct plan_family *planned, const struct family *family,
                         const struct filter *filter, bool full, struct error *error)
{
    struct row row;
    size_t all = family->case_count(family, full);
    *planned = (struct plan_family){.family = family};
    planned->cases = malloc((all + 1) * sizeof *planned->cases);
    if (!planned->cases)
        return error_set(error, ERROR_FAILED, "no memory for the %zu cases of %s", all,
                         family->name);
    for (size_t i = 0; i < all; i++) {
        if (filter->count > 0)
            row_predict(family, i, &row);
        if (filter->count == 0 || filter_passes(filter, family, &row))
            planned->cases[planned->case_count++] = i;
    }
    return true;
}

static bool matches_nothing(const struct family *const *chosen, size_t count, const char *filter,
                            bool full, struct error *error)
{
    char families[160] = "", commands[320] = "", command[96];
    size_t cases = 0;
    for (size_t i = 0; i < count; i++) {
        text_append(families, sizeof families, ", ", chosen[i]->name);
        snprintf(command, sizeof command, "`swizzlebench list %s%s`", chosen[i]->name,
                 full ? " --full" : "");
        text_append(commands, sizeof commands, ", ", command);
        cases += chosen[i]->case_count(chosen[i], full);
    }
    return error_set(
        error, ERROR_INPUT, "--filter '%s' matches none of the %zu cases of %s; see %s%s",
        filter ? filter : "", cases, families, commands, full ? "" : ", and --full has more");
}

bool plan_make(struct plan *plan, char *const *names, size_t name_count, const char *filter_text,
               bool full, struct error *error)
{
    const struct family *chosen[MAX_FAMILIES];
    struct filter filter;
    size_t count;
    *plan = (struct plan){.family_count = 0};
    if (!choose_families(names, name_count, chosen, &count, error) ||
        !filter_parse(filter_text, &filter, error) ||
        (count > 0 && !filter_check(&filter, chosen, count, error)))
        return false;
    plan->families = calloc(count + 1, sizeof *plan->families);
    if (!plan->families)
        return error_set(error, ERROR_FAILED, "no memory for a plan");
    for (size_t i = 0; i < count; i++) {
        struct plan_family *planned = &plan->families[plan->family_count];
        if (!choose_cases(planned, chosen[i], &filter, full, error))
            return false;
        if (planned->case_count > 0)
            plan->family_count++;
        else
            free(planned->cases);
        plan->case_count += planned->case_count;
    }
    return plan->case_count > 0 || matches_nothing(chosen, count, filter_text, full, error);
}

bool plan_make_one(struct plan *plan, const struct family *family, struct error *error)
{
    const struct filter none = {.count = 0};
    *plan = (struct plan){.families = calloc(1, sizeof *plan->families), .family_count = 1};
    if (!plan->families)
        return error_set(error, ERROR_FAILED, "no memory for a plan");
    bool chosen = choose_cases(&plan->families[0], family, &none, false, error);
    plan->case_count = plan->families[0].case_count;
    return chosen;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->family_count; i++)
        free(plan->families[i].cases);
    free(plan->families);
    *plan = (struct plan){.family_count = 0};
}
