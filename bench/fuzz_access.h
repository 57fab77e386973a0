/* What random accesses are worth trying? Seeded: the same seed and number give the same access. */
#ifndef SWIZZLEBENCH_BENCH_FUZZ_ACCESS_H
#define SWIZZLEBENCH_BENCH_FUZZ_ACCESS_H

#include <stdint.h>

#include "model/swizzlebench.h"

enum { FUZZ_WINDOW_BYTES = 64 * 1024 }; /* addresses are below this */

/* A small generator with a state of its own (splitmix64). */
struct fuzz_random {
    uint64_t state;
};
struct fuzz_random fuzz_random_of(uint64_t seed, uint64_t stream);
uint64_t fuzz_random_next(struct fuzz_random *random);
uint32_t fuzz_random_below(struct fuzz_random *random, uint32_t limit);

/* An access of the instruction: scattered, strided, padded, swizzled, permuted, few words, one
 * bank, with equal pairs of lanes and near-misses of them, under any active mask (full for the
 * matrix instructions, which need all lanes). */
void fuzz_access(struct fuzz_random *random, const struct swb_instruction *instruction,
                 struct swb_access *access);

/* The same for both ends of a cp.async; global addresses are below FUZZ_WINDOW_BYTES, too. */
void fuzz_copy(struct fuzz_random *random, const struct swb_instruction *instruction,
               struct swb_copy *copy);

/* How often an access runs when many share a launch: a prime between 37 and 1021. A wrong
 * prediction is off by less than 37, so two of them cancel in the weighted sum only where they
 * are equal and opposite and drew the same prime. */
uint32_t fuzz_weight(struct fuzz_random *random);

#endif
