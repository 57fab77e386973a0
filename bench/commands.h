/* The commands that ask the model; bench/registry.c lists them. */
#ifndef SWIZZLEBENCH_BENCH_COMMANDS_H
#define SWIZZLEBENCH_BENCH_COMMANDS_H

#include "harness/family.h"

extern const struct command command_predict;
extern const struct command command_show;
extern const struct command command_tma;
extern const struct command command_fuzz;
extern const struct command command_measure;
extern const struct command command_compare;
extern const struct command command_outliers;
extern const struct command command_advise;
extern const struct command command_report;
extern const struct command command_claims;

#endif
