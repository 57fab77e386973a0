/* Which access of a batch is the one on which model and hardware differ, and what is the simplest
 * that still does? Private to bench/fuzz*.c. */
#ifndef SWIZZLEBENCH_BENCH_FUZZ_SEARCH_H
#define SWIZZLEBENCH_BENCH_FUZZ_SEARCH_H

#include "bench/fuzz_launch.h"
#include "harness/family.h"

struct fuzz_search {
    struct gpu *gpu;
    struct fuzz_bench *bench;
    const char *path;         /* where the accesses that differ are written */
    struct fuzz_batch batch;  /* the one at work */
    struct fuzz_batch single; /* one access of it, to be simplified */
};

/* Puts access i of a batch in, or takes it out. */
void fuzz_set(struct fuzz_batch *batch, unsigned i, const struct swb_copy *access, uint32_t weight);
struct swb_copy fuzz_get(const struct fuzz_batch *batch, unsigned i);

/* Sends the batch to the GPU, and says whether model and hardware agree on all of it. */
bool fuzz_agrees(struct fuzz_search *search, bool *same, struct error *error);

/* Finds, simplifies and writes every access of the batch that differs, until *found, which counts
 * on, is `most`; the row fails with the first. */
bool fuzz_find(struct fuzz_search *search, unsigned most, unsigned *found, struct row *row,
               struct error *error);

#endif
