/* What `swizzlebench tma` can do: each is a small command of its own. */
#ifndef SWIZZLEBENCH_BENCH_TMA_H
#define SWIZZLEBENCH_BENCH_TMA_H

#include "harness/family.h"

/* argv[0] is the command's name behind "tma". */
extern const struct command tma_check, tma_place;

#endif
