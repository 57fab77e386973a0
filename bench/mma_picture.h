/* Pictures of who holds the elements of A, B and C. */
#ifndef SWIZZLEBENCH_BENCH_MMA_PICTURE_H
#define SWIZZLEBENCH_BENCH_MMA_PICTURE_H

#include "bench/mma_operand.h"

/* From element to thread and value. Where several threads have it: the first of them. */
struct mma_map {
    const struct mma_operand *operand;
    unsigned together; /* neighbours along a row that are neighbours in the values of one thread */
    struct mma_holder {
        uint32_t thread, value;
    } * holders; /* row + rows * column */
};

bool mma_map_open(const struct mma_operand *operand, struct mma_map *map, struct error *error);
void mma_map_close(struct mma_map *map);

/* To stdout: element -> thread:values, and thread and value -> element. Large ones in part. */
void mma_map_print_elements(const struct mma_map *map);
void mma_map_print_threads(const struct mma_map *map);

/* As an SVG file, C with A to its left and B above it, turned; operands may be missing: NULL. */
bool mma_picture_svg(const char *path, const char *title,
                     const struct mma_map *const maps[SWB_MMA_OPERANDS], struct error *error);

#endif
