/* What does a family predict for a case that is known by its name? */
#ifndef SWIZZLEBENCH_TESTS_CASES_H
#define SWIZZLEBENCH_TESTS_CASES_H

#include "harness/family.h"

/* Number of a column of the family by name; the test fails where there is none. */
size_t case_column(const struct family *family, const char *name);

/* Wants the value in a column of the case, of all those of --full. */
void assert_case(const struct family *family, const char *case_name, const char *column,
                 const char *value);

/* No two cases of --full have the same name. */
void assert_unique_cases(const struct family *family);

#endif
