/* What does a family predict for a case that is known by its name? */
#ifndef SWIZZLEBENCH_TESTS_CASES_H
#define SWIZZLEBENCH_TESTS_CASES_H

#include "harness/family.h"
#include "harness/gpu.h"

/* Number of a column of the family by name; the test fails where there is none. */
size_t case_column(const struct family *family, const char *name);

/* Number of the case by name, of all those of --full; the test fails where there is none. */
size_t case_index(const struct family *family, const char *case_name);

/* Wants the value in a column of the case, of all those of --full. */
void assert_case(const struct family *family, const char *case_name, const char *column,
                 const char *value);

/* No two cases of --full have the same name. */
void assert_unique_cases(const struct family *family);

/* The case is the first that --full adds: so that none of the default sweep slips into it where the
 * number of default sweeps was forgotten. */
void assert_first_of_full(const struct family *family, const char *case_name);

/* A family at work on a GPU that the test makes up. */
struct working_family {
    const struct family *family;
    struct gpu *gpu;
    struct measure_options options;
    void *state;
};
void working_open(struct working_family *working);
void working_close(struct working_family *working);

/* Predicts the case, and measures it unless it is not to be launched. */
void working_measure(const struct working_family *working, size_t index, struct row *row);
const char *working_value(const struct working_family *working, const struct row *row,
                          const char *column);

/* Measures the case and wants the row to end so, with these words in the reason. */
void assert_ends(const struct working_family *working, size_t index, enum row_status status,
                 const char *reason);

/* Opens the family without counters, measures the case and wants every column of counts empty: hw_*
 * with a unit, *_executed. */
void assert_uncounted(struct working_family *working, size_t index);

/* Opens the family. Control and cases are counted in a session each; the cases that come next go
 * with the first of them, as many as a session takes, and with none in sight each is counted alone.
 * *sessions is what the GPU counts. */
void assert_counts_ahead(struct working_family *working, const unsigned *sessions);

#endif
