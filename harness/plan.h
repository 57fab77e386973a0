/* Which cases of which families does a command work on? */
#ifndef SWIZZLEBENCH_HARNESS_PLAN_H
#define SWIZZLEBENCH_HARNESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"
#include "harness/family.h"

struct plan_family {
    const struct family *family;
    size_t *cases; /* numbers of the chosen ones, in the family's order; never none */
    size_t case_count;
};

struct plan {
    struct plan_family *families;
    size_t family_count;
    size_t case_count; /* of all families */
};

/* Chooses families by name (no name: all that are not on request) and their cases by filter (see
 * filter.h; NULL: all of them). ERROR_INPUT for an unknown family, a bad filter, or one that
 * matches nothing. Free with plan_free, also after a failure. */
bool plan_make(struct plan *plan, char *const *names, size_t name_count, const char *filter,
               bool full, struct error *error);

/* All cases of one family, whether the registry has it or not. */
bool plan_make_one(struct plan *plan, const struct family *family, struct error *error);
void plan_free(struct plan *plan);

/* The family of that name, or NULL with *error set. */
const struct family *plan_find_family(const char *name, struct error *error);

#endif
