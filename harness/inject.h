/* Faults on purpose, for tests: SWIZZLEBENCH_INJECT=KIND:N.
 *
 *   crash:N   a worker dies of SIGSEGV at its Nth case
 *   hang:N    it never answers
 *   exit:N    it exits with status 7
 *   fault:N   it reports a fault of the GPU
 *   noopen:N  the Nth worker of the run, and every later one, cannot open the GPU
 *
 * N counts from 1. */
#ifndef SWIZZLEBENCH_HARNESS_INJECT_H
#define SWIZZLEBENCH_HARNESS_INJECT_H

#include <stdbool.h>

#include "harness/error.h"

/* Called before a worker is started: ERROR_INPUT where the variable is set to anything else. Empty,
 * it counts as not set. */
bool inject_check(struct error *error);

/* Called by a worker before it opens the GPU, and before each case; counts from 1. */
bool inject_at_open(unsigned worker_number, struct error *error);
bool inject_at_case(unsigned case_number, struct error *error);

#endif
