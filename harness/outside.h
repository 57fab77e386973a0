/* What may a tool that runs swizzlebench from outside, such as ncu or compute-sanitizer, ask of it?
 *
 * By environment, as scripts/cross-check and scripts/sanitize do:
 *
 *   SWIZZLEBENCH_UNTIMED=1            verify and count, but launch what would be timed once, as
 *                                     short as it can be, and measure nothing: the columns of times
 *                                     stay empty
 *   SWIZZLEBENCH_RECORD_COUNTS=FILE   write what each counted launch counted (harness/count_log.h)
 *   SWIZZLEBENCH_REPLAY_COUNTS=FILE   leave CUPTI alone: launch what would be counted between
 *                                     cuProfilerStart and cuProfilerStop, and take its counts from
 *                                     FILE, which must have the same launches in the same order
 */
#ifndef SWIZZLEBENCH_HARNESS_OUTSIDE_H
#define SWIZZLEBENCH_HARNESS_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

bool outside_untimed(void);
/* Whether launches must be the same in every run, and not follow what was measured before. */
bool outside_reproducible(void);

/* What a launch on the whole GPU is to move, and on how many CTAs: all of it, or so little, where
 * nothing is measured, that a tool that makes every instruction slow comes to its end. */
uint64_t outside_share(uint64_t bytes);
unsigned outside_ctas(unsigned ctas);
/* How often such a launch is to go round its loop. */
uint32_t outside_iterations(uint32_t iterations);

/* The same of a launch that may be counted, which has to be as it was when the counts were made. */
uint64_t outside_counted_share(uint64_t bytes);

/* The file, or NULL. */
const char *outside_record(void);
const char *outside_replay(void);

#endif
