/* A picture of shared memory with a box in it: lines of 128 bytes, 8 chunks each. */
#ifndef SWIZZLEBENCH_BENCH_TMA_PICTURE_H
#define SWIZZLEBENCH_BENCH_TMA_PICTURE_H

#include "bench/tma_slots.h"

struct tma_picture {
    const struct tma_slots *slots;
    const struct swb_tma_map *map; /* and where the box begins in the tensor: what is outside? */
    const int32_t *start;
};

/* Of the chunk in a slot, how many bytes lie outside the tensor. */
unsigned tma_picture_filled_bytes(const struct tma_picture *picture, size_t slot);

/* What the box is and how the tensor core reads it, in two lines. */
void tma_picture_head(const struct tma_picture *picture);

/* As text to stdout, 64 lines at most. */
void tma_picture_text(const struct tma_picture *picture);

/* As an SVG file. */
bool tma_picture_svg(const struct tma_picture *picture, const char *path, struct error *error);

#endif
