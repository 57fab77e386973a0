/* What is there to say about predictions in a few lines? */
#ifndef SWIZZLEBENCH_BENCH_SUMMARY_H
#define SWIZZLEBENCH_BENCH_SUMMARY_H

#include "bench/prediction.h"
#include "bench/walk.h"

/* Of a file of accesses: the sums, by instruction, and the worst row. */
void summarize_accesses(const struct predictions *predictions);

/* Of a walk: wavefronts, ideal and N-way of its positions, and which lanes collide at the worst of
 * them, or at the one asked for. */
void summarize_walk(const struct walk *walk, const struct predictions *predictions);

/* Of one access, called `title`: the same, and which lanes are served together. */
void summarize_access(const char *title, const struct predictions *predictions);

#endif
