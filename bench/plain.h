/* How fast do all SMs read or write memory with plain 16-byte instructions, kernels/plain.cu? */
#ifndef SWIZZLEBENCH_BENCH_PLAIN_H
#define SWIZZLEBENCH_BENCH_PLAIN_H

#include "bench/chip_rate.h"
#include "harness/family.h"

enum { PLAIN_THREADS = 512 }; /* a CTA */

struct plain_memory {
    gpu_address data;
    uint64_t bytes;       /* of data: the image over and over; stores overwrite it */
    uint64_t moved_bytes; /* of a launch, going round as often as needed */
    const uint8_t *image;
    uint32_t image_bytes;
    gpu_address sums; /* a word a thread */
    gpu_address spans;
    uint64_t *span_buffer;
};

/* Sets row->verified, and fails the row where not every byte was read, or written. False for a
 * fault of the GPU. */
bool plain_load_rate(struct gpu *gpu, const struct plain_memory *memory, unsigned ctas_per_sm,
                     struct chip_rate *rate, struct row *row, struct error *error);
bool plain_store_rate(struct gpu *gpu, const struct plain_memory *memory, unsigned ctas_per_sm,
                      struct chip_rate *rate, struct row *row, struct error *error);

#endif
