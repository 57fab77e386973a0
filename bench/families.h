/* The families and commands that bench/registry.c lists. */
#ifndef SWIZZLEBENCH_BENCH_FAMILIES_H
#define SWIZZLEBENCH_BENCH_FAMILIES_H

#include "harness/family.h"

extern const struct family family_shared;
extern const struct family family_tma;
extern const struct family family_mma;
extern const struct family family_wgmma;
extern const struct family family_pipeline;
extern const struct family family_copy;
extern const struct family family_transpose;
extern const struct family family_contention;

#endif
