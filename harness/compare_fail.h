/* When is a comparison a failure? What --fail-if says. */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_FAIL_H
#define SWIZZLEBENCH_HARNESS_COMPARE_FAIL_H

#include "harness/compare.h"

#define COMPARE_FAIL_DEFAULT "slower>5%,counters,lost,failed"

struct compare_conditions {
    bool kinds[DIFFERENCE_KINDS]; /* fail on a difference of this kind */
    bool lost;                    /* on a case that is ok on the first side and refused, skipped or
                                   * failed on another; none where a side is the model's */
    bool failed;                  /* on a row of another side that failed */
    double slower, faster;        /* 0.05: time may be 1.05 times that of the first, or 1 / 1.05 */
};

/* Takes comma-separated words: slower>P%, faster>P%, counters, traffic, model, missing, new,
 * status, lost, failed; or never, alone. ERROR_INPUT for others, and for percents below
 * `threshold`, under which nothing counts as changed. What is asked for and cannot be compared,
 * DIFFERENCE_ALONE, meets the condition of its column. */
bool compare_conditions_parse(const char *text, double threshold,
                              struct compare_conditions *conditions, struct error *error);

/* Whether the pair meets one. A line on stderr for each says how often, and where first. */
bool compare_conditions_met(const struct compare_conditions *conditions,
                            const struct compare_pair *pair);

#endif
