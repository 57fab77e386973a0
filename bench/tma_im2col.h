/* Which pixels does an im2col box take?
 *
 * The tensor is C, W, (H, (D,)) N, channels first. A box is a number of pixels, one after the other
 * within a window of the image: along W from its lower corner to its upper, then the next H, D, N.
 * Each is moved by the offsets of a filter tap before it is loaded; what then lies outside the
 * tensor is filled. Source: PTX ISA, im2col mode; read back on an H200. */
#ifndef SWIZZLEBENCH_BENCH_TMA_IM2COL_H
#define SWIZZLEBENCH_BENCH_TMA_IM2COL_H

#include "model/swizzlebench.h"

enum { TMA_IM2COL_MAX_DIMS = 3 }; /* W, H and D */

struct tma_im2col {
    uint32_t channels, pixels; /* of a box */
    int32_t lower[TMA_IM2COL_MAX_DIMS], upper[TMA_IM2COL_MAX_DIMS];
    uint16_t tap[TMA_IM2COL_MAX_DIMS]; /* offsets of the instruction */
};

/* A line of the box is a pixel. */
struct swb_tma_box tma_im2col_box(const struct swb_tma_map *map, const struct tma_im2col *im2col,
                                  uint32_t smem_address);

/* Coordinates 1 to rank - 1 of pixel number `pixel` of the box that begins at `start`. */
void tma_im2col_pixel(const struct swb_tma_map *map, const struct tma_im2col *im2col,
                      const int32_t *start, unsigned pixel, int64_t *coordinates);

/* 0, or 1 for a box that breaks a rule of cuTensorMapEncodeIm2col, as documented, which is
 * described unless `most` is 0. */
unsigned tma_im2col_check(const struct swb_tma_map *map, const struct tma_im2col *im2col,
                          struct swb_tma_broken *broken, unsigned most);

#endif
