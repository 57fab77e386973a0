/* Which cases does --filter choose?
 *
 * Comma-separated terms, all of which must hold: `column=glob`, `column!=glob` (as fnmatch takes
 * them, against what is predicted for the case), or a bare word, which the case's name must
 * contain. A comma that belongs to a term is written `\,`.
 */
#ifndef SWIZZLEBENCH_HARNESS_FILTER_H
#define SWIZZLEBENCH_HARNESS_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"
#include "harness/family.h"
#include "harness/result.h"

enum { FILTER_MAX_TERMS = 32 };

struct filter_term {
    char column[64]; /* "" for a bare word */
    char pattern[192];
    bool negated;
};

struct filter {
    struct filter_term terms[FILTER_MAX_TERMS];
    size_t count;
};

/* ERROR_INPUT for an empty or overlong term. NULL or "" is the filter that lets all pass. */
bool filter_parse(const char *text, struct filter *filter, struct error *error);

/* Every column that the filter names must be predicted in one of the families at least; otherwise
 * ERROR_INPUT names it and those that are. */
bool filter_check(const struct filter *filter, const struct family *const *families, size_t count,
                  struct error *error);

/* Whether a predicted row passes. A family without a column that is asked for has no such row. */
bool filter_passes(const struct filter *filter, const struct family *family, const struct row *row);

/* Whether a row of a file passes; here every column counts, measured ones too. */
bool filter_passes_file(const struct filter *filter, const struct result_file *file, size_t row);

#endif
