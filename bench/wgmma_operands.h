/* Where do the operands of a case lie, how are they described, and what is their product? */
#ifndef SWIZZLEBENCH_BENCH_WGMMA_OPERANDS_H
#define SWIZZLEBENCH_BENCH_WGMMA_OPERANDS_H

#include "bench/wgmma_cases.h"

enum {
    WGMMA_FRAGMENT_WORDS = 4, /* registers of A, a thread and step */
    WGMMA_WARPGROUP = 128,
    WGMMA_MAX_K = WGMMA_K_BYTES,    /* of the narrowest type */
    WGMMA_IMAGE_BYTES = 128 * 1024, /* of shared memory, the most that a case takes */
};

/* Both operands in shared memory: A first, each from a multiple of 1024 bytes on (or base_lines
 * behind one). N is rounded up to whole atoms. */
struct wgmma_plan {
    struct swb_tile tiles[WGMMA_OPERANDS];
    uint32_t base_bytes[WGMMA_OPERANDS];
    struct swb_descriptor descriptors[WGMMA_OPERANDS][WGMMA_STEPS]; /* flawed where the case is */
    uint32_t image_bytes; /* up to behind all that lies or is read there */
};
void wgmma_plan_of(const struct wgmma_case *c, struct wgmma_plan *plan);

/* The mean over the steps, predicted. */
struct wgmma_prediction {
    double wavefronts, cycles; /* an instruction */
};
struct wgmma_prediction wgmma_predicted(const struct wgmma_case *c, const struct wgmma_plan *plan);

/* Shared memory is filled with elements of the type, and A and B are what the layouts find there:
 * so a descriptor that finds something else finds whole numbers too. The numbers are the same in
 * every run, so that the share of wrong outputs is the predicted one. wgmma_element is a number as
 * it is stored. */
int wgmma_number(const struct wgmma_type *type, uint32_t place); /* number of the element */
uint32_t wgmma_element(const struct wgmma_type *type, int number);

/* A in registers: A(row, col) is the number at this place. */
uint32_t wgmma_register_place(unsigned row, unsigned col);

/* D = A * B' of all steps, row after row of c->n. The true product goes by the layouts, the other
 * by the descriptors, as the hardware would read. Sums are exact. */
struct wgmma_product {
    float d[WGMMA_M * WGMMA_MAX_N];
};
void wgmma_true_product(const struct wgmma_case *c, const struct wgmma_plan *plan,
                        struct wgmma_product *product);
void wgmma_described_product(const struct wgmma_case *c, const struct wgmma_plan *plan,
                             struct wgmma_product *product);

/* Part of the outputs in which the two differ. */
double wgmma_differing_share(const struct wgmma_case *c, const struct wgmma_product *one,
                             const struct wgmma_product *other);

#endif
