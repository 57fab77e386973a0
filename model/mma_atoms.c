/* Which mma atoms does CuTe name, and what do they multiply? */
#include "model/swizzlebench.h"

#include <stdio.h>
#include <string.h>

/* Named as CuTe's names of atoms have them, so that a row of the table spells its name. */
static const struct swb_mma_type F16 = {"f16", 16};
static const struct swb_mma_type BF16 = {"bf16", 16};
static const struct swb_mma_type TF32 = {"tf32", 32};
static const struct swb_mma_type F32 = {"f32", 32};
static const struct swb_mma_type F64 = {"f64", 64};
static const struct swb_mma_type C64 = {"c64", 128};   /* complex of two f64: four mma each */
static const struct swb_mma_type GC64 = {"gc64", 192}; /* Gauss's three sums of f64: three mma */
static const struct swb_mma_type E4M3 = {"e4m3", 8};
static const struct swb_mma_type E5M2 = {"e5m2", 8};
static const struct swb_mma_type S8 = {"s8", 8};
static const struct swb_mma_type U8 = {"u8", 8};
static const struct swb_mma_type S4 = {"s4", 4};
static const struct swb_mma_type U4 = {"u4", 4};
static const struct swb_mma_type U1 = {"b1", 1};
static const struct swb_mma_type S32 = {"s32", 32};

#define ATOM(capability, m, n, k, d, a, b, suffix)                                                 \
    {                                                                                              \
        .name = "SM" #capability "_" #m "x" #n "x" #k "_" #d #a #b #d "_TN" suffix,                \
        .sm = capability, .threads = SWB_LANES, .extents = {m, n, k}, .types = {                   \
            &a,                                                                                    \
            &b,                                                                                    \
            &d                                                                                     \
        }                                                                                          \
    }

static const struct swb_mma_atom atoms[] = {
    ATOM(75, 16, 8, 8, F32, F16, F16, ""),         ATOM(75, 8, 8, 16, S32, S8, S8, ""),

    ATOM(80, 16, 8, 8, F16, F16, F16, ""),         ATOM(80, 16, 8, 16, F16, F16, F16, ""),
    ATOM(80, 16, 8, 8, F32, F16, F16, ""),         ATOM(80, 16, 8, 16, F32, F16, F16, ""),
    ATOM(80, 16, 8, 8, F32, BF16, BF16, ""),       ATOM(80, 16, 8, 16, F32, BF16, BF16, ""),
    ATOM(80, 16, 8, 4, F32, TF32, TF32, ""),       ATOM(80, 16, 8, 8, F32, TF32, TF32, ""),
    ATOM(80, 8, 8, 4, F64, F64, F64, ""),          ATOM(80, 8, 8, 4, C64, C64, C64, ""),
    ATOM(80, 8, 8, 4, GC64, C64, C64, ""),

    ATOM(80, 8, 8, 16, S32, S8, S8, ""),           ATOM(80, 8, 8, 16, S32, S8, U8, ""),
    ATOM(80, 8, 8, 16, S32, U8, S8, ""),           ATOM(80, 8, 8, 16, S32, U8, U8, ""),
    ATOM(80, 16, 8, 16, S32, S8, S8, ""),          ATOM(80, 16, 8, 16, S32, S8, U8, ""),
    ATOM(80, 16, 8, 16, S32, U8, S8, ""),          ATOM(80, 16, 8, 16, S32, U8, U8, ""),
    ATOM(80, 16, 8, 32, S32, S8, S8, ""),          ATOM(80, 16, 8, 32, S32, S8, U8, ""),
    ATOM(80, 16, 8, 32, S32, U8, S8, ""),          ATOM(80, 16, 8, 32, S32, U8, U8, ""),
    ATOM(80, 8, 8, 32, S32, S4, S4, ""),           ATOM(80, 8, 8, 32, S32, S4, U4, ""),
    ATOM(80, 8, 8, 32, S32, U4, S4, ""),           ATOM(80, 8, 8, 32, S32, U4, U4, ""),
    ATOM(80, 16, 8, 32, S32, S4, S4, ""),          ATOM(80, 16, 8, 32, S32, S4, U4, ""),
    ATOM(80, 16, 8, 32, S32, U4, S4, ""),          ATOM(80, 16, 8, 32, S32, U4, U4, ""),
    ATOM(80, 16, 8, 64, S32, S4, S4, ""),          ATOM(80, 16, 8, 64, S32, S4, U4, ""),
    ATOM(80, 16, 8, 64, S32, U4, S4, ""),          ATOM(80, 16, 8, 64, S32, U4, U4, ""),

    ATOM(80, 8, 8, 16, S32, S8, S8, "_SATURATE"),  ATOM(80, 8, 8, 16, S32, S8, U8, "_SATURATE"),
    ATOM(80, 8, 8, 16, S32, U8, S8, "_SATURATE"),  ATOM(80, 8, 8, 16, S32, U8, U8, "_SATURATE"),
    ATOM(80, 16, 8, 16, S32, S8, S8, "_SATURATE"), ATOM(80, 16, 8, 16, S32, S8, U8, "_SATURATE"),
    ATOM(80, 16, 8, 16, S32, U8, S8, "_SATURATE"), ATOM(80, 16, 8, 16, S32, U8, U8, "_SATURATE"),
    ATOM(80, 16, 8, 32, S32, S8, S8, "_SATURATE"), ATOM(80, 16, 8, 32, S32, S8, U8, "_SATURATE"),
    ATOM(80, 16, 8, 32, S32, U8, S8, "_SATURATE"), ATOM(80, 16, 8, 32, S32, U8, U8, "_SATURATE"),
    ATOM(80, 8, 8, 32, S32, S4, S4, "_SATURATE"),  ATOM(80, 8, 8, 32, S32, S4, U4, "_SATURATE"),
    ATOM(80, 8, 8, 32, S32, U4, S4, "_SATURATE"),  ATOM(80, 8, 8, 32, S32, U4, U4, "_SATURATE"),
    ATOM(80, 16, 8, 32, S32, S4, S4, "_SATURATE"), ATOM(80, 16, 8, 32, S32, S4, U4, "_SATURATE"),
    ATOM(80, 16, 8, 32, S32, U4, S4, "_SATURATE"), ATOM(80, 16, 8, 32, S32, U4, U4, "_SATURATE"),
    ATOM(80, 16, 8, 64, S32, S4, S4, "_SATURATE"), ATOM(80, 16, 8, 64, S32, S4, U4, "_SATURATE"),
    ATOM(80, 16, 8, 64, S32, U4, S4, "_SATURATE"), ATOM(80, 16, 8, 64, S32, U4, U4, "_SATURATE"),

    ATOM(80, 8, 8, 128, S32, U1, U1, "_ANDPOPC"),  ATOM(80, 16, 8, 128, S32, U1, U1, "_ANDPOPC"),
    ATOM(80, 16, 8, 256, S32, U1, U1, "_ANDPOPC"), ATOM(80, 8, 8, 128, S32, U1, U1, "_XORPOPC"),
    ATOM(80, 16, 8, 128, S32, U1, U1, "_XORPOPC"), ATOM(80, 16, 8, 256, S32, U1, U1, "_XORPOPC"),

    ATOM(89, 16, 8, 32, F32, E4M3, E4M3, ""),      ATOM(89, 16, 8, 32, F32, E4M3, E5M2, ""),
    ATOM(89, 16, 8, 32, F32, E5M2, E4M3, ""),      ATOM(89, 16, 8, 32, F32, E5M2, E5M2, ""),
    ATOM(89, 16, 8, 32, F16, E4M3, E4M3, ""),      ATOM(89, 16, 8, 32, F16, E4M3, E5M2, ""),
    ATOM(89, 16, 8, 32, F16, E5M2, E4M3, ""),      ATOM(89, 16, 8, 32, F16, E5M2, E5M2, ""),

    ATOM(90, 16, 8, 4, F64, F64, F64, ""),         ATOM(90, 16, 8, 8, F64, F64, F64, ""),
    ATOM(90, 16, 8, 16, F64, F64, F64, ""),        ATOM(90, 16, 8, 4, C64, C64, C64, ""),
    ATOM(90, 16, 8, 8, C64, C64, C64, ""),         ATOM(90, 16, 8, 16, C64, C64, C64, ""),
};

enum { ATOM_COUNT = sizeof atoms / sizeof atoms[0] };

/* ---- wgmma: a row for each set of types, an atom for each N and source of A ---------------- */

enum { WGMMA_M = 64, WGMMA_MAX_N = 256, WGMMA_THREADS = 128 };

struct wgmma_form {
    const char *types_name, *suffix; /* of the name */
    const struct swb_mma_type *types[SWB_MMA_OPERANDS];
    unsigned k;
    unsigned n_step_from_32; /* of N, which goes in steps of 8 up to 32 */
};

#define WGMMA(depth, d, a, b, tail, step)                                                          \
    {                                                                                              \
        .types_name = #d #a #b, .suffix = tail, .types = {&a, &b, &d}, .k = depth,                 \
        .n_step_from_32 = step                                                                     \
    }

static const struct wgmma_form forms[] = {
    WGMMA(16, F16, F16, F16, "", 8),
    WGMMA(16, F32, F16, F16, "", 8),
    WGMMA(16, F32, BF16, BF16, "", 8),
    WGMMA(8, F32, TF32, TF32, "_TN", 8),
    WGMMA(32, F16, E4M3, E4M3, "_TN", 8),
    WGMMA(32, F16, E4M3, E5M2, "_TN", 8),
    WGMMA(32, F16, E5M2, E4M3, "_TN", 8),
    WGMMA(32, F16, E5M2, E5M2, "_TN", 8),
    WGMMA(32, F32, E4M3, E4M3, "_TN", 8),
    WGMMA(32, F32, E4M3, E5M2, "_TN", 8),
    WGMMA(32, F32, E5M2, E4M3, "_TN", 8),
    WGMMA(32, F32, E5M2, E5M2, "_TN", 8),
    WGMMA(32, S32, S8, S8, "_TN", 16),
    WGMMA(32, S32, S8, U8, "_TN", 16),
    WGMMA(32, S32, U8, S8, "_TN", 16),
    WGMMA(32, S32, U8, U8, "_TN", 16),
    WGMMA(32, S32, S8, S8, "_TN_SATURATE", 16),
    WGMMA(32, S32, S8, U8, "_TN_SATURATE", 16),
    WGMMA(32, S32, U8, S8, "_TN_SATURATE", 16),
    WGMMA(32, S32, U8, U8, "_TN_SATURATE", 16),
};

enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

static unsigned next_n(const struct wgmma_form *form, unsigned n)
{
    return n + (n < 32 ? 8 : form->n_step_from_32);
}

static struct swb_mma_atom wgmma_atom(const struct wgmma_form *form, unsigned n, bool a_in_shared)
{
    struct swb_mma_atom atom = {.sm = 90,
                                .threads = WGMMA_THREADS,
                                .extents = {WGMMA_M, n, form->k},
                                .is_wgmma = true,
                                .a_in_shared = a_in_shared};
    memcpy(atom.types, form->types, sizeof atom.types);
    snprintf(atom.name, sizeof atom.name, "SM90_%dx%ux%u_%s_%s%s", WGMMA_M, n, form->k,
             form->types_name, a_in_shared ? "SS" : "RS", form->suffix);
    return atom;
}

/* ---- Both ---------------------------------------------------------------------------------- */

bool swb_mma_atom_at(size_t index, struct swb_mma_atom *atom)
{
    if (index < ATOM_COUNT) {
        *atom = atoms[index];
        return true;
    }
    size_t left = index - ATOM_COUNT;
    for (size_t form = 0; form < FORM_COUNT; form++) {
        for (unsigned n = 8; n <= WGMMA_MAX_N; n = next_n(&forms[form], n)) {
            if (left < 2) {
                *atom = wgmma_atom(&forms[form], n, left == 0);
                return true;
            }
            left -= 2;
        }
    }
    return false;
}

bool swb_mma_atom_find(const char *name, struct swb_mma_atom *atom)
{
    struct swb_mma_atom next;
    for (size_t i = 0; swb_mma_atom_at(i, &next); i++) {
        if (strcmp(next.name, name) == 0) {
            *atom = next;
            return true;
        }
    }
    return false;
}
