/* Which mma are measured, with A and B in which layouts? */
#ifndef SWIZZLEBENCH_BENCH_MMA_CASES_H
#define SWIZZLEBENCH_BENCH_MMA_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/swizzlebench.h"

/* The shape of kernels/mma.cuh: a CTA's warps, as CuTe's atoms, over a problem of M x N and four
 * mma deep. */
enum {
    MMA_WARPS = 8,
    MMA_STEPS = 4,
    MMA_ROWS = 128,                               /* M and N */
    MMA_MMAS = MMA_WARPS * MMA_STEPS * 4 * 4,     /* of a CTA over the problem */
    MMA_MAX_ELEMENTS = MMA_ROWS * MMA_STEPS * 32, /* of A, or of B */
    MMA_READ = 2                                  /* operands that are read: A and B */
};
#define MMA_ATOMS "2x4x1"

struct mma_type {
    const char *name; /* "bf16": of cases and kernels */
    const char *atom; /* CuTe's name */
    const char *fatbin;
    unsigned exponent_bits, mantissa_bits; /* how a number is written; 0: as an integer */
    unsigned less_bits;                    /* of its integers than of an int8_t */
    bool full_only;                        /* but for equal layouts of A and B */
};

struct mma_case {
    const struct mma_type *type;
    const char *layouts[MMA_READ];
    bool without_trans[MMA_READ]; /* on purpose: the load lacks its .trans */
};

size_t mma_case_count(bool full);
const struct mma_case *mma_case_at(size_t index);

/* "bf16 A=MN/128B B=K/128B A-without-trans" */
void mma_case_name(const struct mma_case *c, char *name, size_t bytes);

/* Whether a load lacks its .trans. */
bool mma_case_is_wrong(const struct mma_case *c);

struct swb_mma_atom mma_type_atom(const struct mma_type *type);

/* Dense floating-point (or integer) operations a clock that the tensor cores of an SM are said to
 * do, by NVIDIA's white papers on A100 and H100; 0 where none is known. */
unsigned mma_peak_flop_per_clk_sm(const struct mma_type *type, unsigned compute_capability);

/* Returns NULL where a GPU of this compute capability has the instruction, else why not. */
const char *mma_type_refusal(const struct mma_type *type, unsigned compute_capability);

#endif
