/* Does the driver take the tensor maps that the model says it takes? Random ones, near the borders
 * of every rule; each is made from the seed and its number, so that a range can be tried again. */
#ifndef SWIZZLEBENCH_BENCH_TMA_FUZZ_H
#define SWIZZLEBENCH_BENCH_TMA_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/fuzz_access.h"
#include "harness/error.h"
#include "harness/gpu.h"
#include "model/swizzlebench.h"

/* Asks whether a tensor map is taken: *code is 0, or the code of the refusal. False with *error
 * when no answer could be had. */
typedef bool tma_encode(void *context, const struct swb_tma_map *map, int *code,
                        struct error *error);

/* The driver. `base` is an address that tensors begin at, a multiple of 128; a tensor map's own
 * address is added to it. */
struct tma_driver {
    struct gpu *gpu;
    gpu_address base;
};
tma_encode tma_driver_encode; /* its context is a struct tma_driver */

struct tma_fuzz {
    uint64_t seed, first, count; /* tensor maps number first to first + count - 1 */
    unsigned compute_capability; /* whose rules: 90 for 9.0 */
    tma_encode *encode;
    void *context;
    void (*progress)(void *context, uint64_t done); /* every few thousand; may be NULL */
    void *progress_context;
};

/* A tensor map on which the two differ, as small as it could be made. */
struct tma_mismatch {
    struct swb_tma_map map;
    int code;                     /* what the driver said to it */
    struct swb_tma_broken broken; /* what the model has against it, where the driver has nothing */
};

enum { TMA_FUZZ_KEPT = 16 };

struct tma_fuzz_result {
    uint64_t done, taken, mismatches; /* taken: by the driver */
    unsigned kept;                    /* different ones, of the first mismatches */
    struct tma_mismatch smallest[TMA_FUZZ_KEPT];
};

/* False with *error when `encode` could not answer; *result then holds what was found before. */
bool tma_fuzz(const struct tma_fuzz *fuzz, struct tma_fuzz_result *result, struct error *error);

/* Rows of a file for `tma check --descriptors`, with the driver's result behind, and for each a
 * comment that says what the model thinks. */
void tma_fuzz_print(FILE *to, const struct tma_fuzz_result *result);

/* The tensor map that a random generator makes; entries past the rank are legal. */
void tma_fuzz_map(struct fuzz_random *random, struct swb_tma_map *map);

/* Makes `map`, on which model and `encode` differ, as small as they still do. */
bool tma_fuzz_shrink(const struct tma_fuzz *fuzz, struct swb_tma_map *map, int *code,
                     struct error *error);

#endif
