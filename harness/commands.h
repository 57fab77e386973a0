/* Which subcommands does the harness itself bring? bench/registry.c lists them. */
#ifndef SWIZZLEBENCH_HARNESS_COMMANDS_H
#define SWIZZLEBENCH_HARNESS_COMMANDS_H

#include "harness/family.h"

extern const struct command command_run;
extern const struct command command_list;

#endif
