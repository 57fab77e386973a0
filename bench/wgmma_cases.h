/* Which products does the family wgmma form, and from which layouts? */
#ifndef SWIZZLEBENCH_BENCH_WGMMA_CASES_H
#define SWIZZLEBENCH_BENCH_WGMMA_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/swizzlebench.h"

enum {
    WGMMA_M = 64,
    WGMMA_MAX_N = 256,
    WGMMA_STEPS = 8,     /* instructions along K, with descriptors of their own */
    WGMMA_K_BYTES = 256, /* of K that they read together */
    WGMMA_TYPES = 7,
    WGMMA_OPERANDS = 2, /* SWB_MMA_A and SWB_MMA_B */
};

/* Type of both operands; sums are f32, or s32 of integers. */
struct wgmma_type {
    const char *name;               /* "bf16"; the kernels are in wgmma_bf16.fatbin */
    const char *atom, *atom_suffix; /* as they stand in the names of atoms */
    unsigned bits;
    unsigned exponent_bits, mantissa_bits; /* 0: an integer */
    int least, most;                       /* of the data: whole numbers, their sums exact */
};
const struct wgmma_type *wgmma_type_at(size_t index);
unsigned wgmma_k(const struct wgmma_type *type); /* of one instruction */

/* What is wrong with the descriptor of an operand, on purpose. */
enum wgmma_flaw {
    WGMMA_FLAWLESS,
    WGMMA_OTHER_MODE,       /* than the data lies in */
    WGMMA_SWAPPED_OFFSETS,  /* LBO and SBO */
    WGMMA_NO_BASE_OFFSET,   /* 0, though the tile begins within the swizzle's pattern */
    WGMMA_STRAY_BASE_OFFSET /* 1, though it does not */
};

struct wgmma_layout {
    enum swb_major major;
    const struct swb_layout_mode *mode;
};

struct wgmma_case {
    unsigned type; /* number of wgmma_type_at */
    unsigned n;
    bool a_in_shared; /* else in registers */
    struct wgmma_layout layouts[WGMMA_OPERANDS];
    enum swb_stack stack;

    enum swb_mma_operand subject; /* what the rest is about */
    unsigned base_lines; /* it begins so many lines of 128 bytes behind a multiple of 1024 */
    enum wgmma_flaw flaw;
    const struct swb_layout_mode *described; /* WGMMA_OTHER_MODE: as what */
};

size_t wgmma_case_count(bool full);
struct wgmma_case wgmma_case_at(size_t index);

/* False where there is no such instruction: an N that is no multiple of 8, for one. */
bool wgmma_case_atom(const struct wgmma_case *c, struct swb_mma_atom *atom);

void wgmma_case_name(const struct wgmma_case *c, char *name, size_t bytes);
void wgmma_layout_name(const struct wgmma_layout *layout, char *name, size_t bytes); /* "K/128B" */
void wgmma_flaw_name(const struct wgmma_case *c, char *name, size_t bytes); /* "" where flawless */

#endif
