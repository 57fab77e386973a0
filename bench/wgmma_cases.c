/* Which products does the family wgmma form, and from which layouts? */
#include "bench/wgmma_cases.h"

#include <stdio.h>

/* ---- Types --------------------------------------------------------------------------------- */

/* Sums of fp8 are kept to 14 bits on the way, so that its data is small. */
enum dtype { BF16, F16, TF32, E4M3, E5M2, S8, U8 };
static const struct wgmma_type types[WGMMA_TYPES] = {
    [BF16] = {"bf16", "F32BF16BF16", "", 16, 8, 7, -63, 63},
    [F16] = {"f16", "F32F16F16", "", 16, 5, 10, -63, 63},
    [TF32] = {"tf32", "F32TF32TF32", "_TN", 32, 8, 23, -63, 63},
    [E4M3] = {"e4m3", "F32E4M3E4M3", "_TN", 8, 4, 3, -3, 3},
    [E5M2] = {"e5m2", "F32E5M2E5M2", "_TN", 8, 5, 2, -3, 3},
    [S8] = {"s8", "S32S8S8", "_TN", 8, 0, 0, -128, 127},
    [U8] = {"u8", "S32U8U8", "_TN", 8, 0, 0, 0, 255},
};

const struct wgmma_type *wgmma_type_at(size_t index)
{
    return &types[index];
}

unsigned wgmma_k(const struct wgmma_type *type)
{
    return WGMMA_K_BYTES / WGMMA_STEPS * 8 / type->bits;
}

/* ---- The sweeps ---------------------------------------------------------------------------- */

static const char *const layout_names[] = {"K/none",  "K/32B",  "K/64B",  "K/128B",
                                           "MN/none", "MN/32B", "MN/64B", "MN/128B"};
enum { ALL_LAYOUTS = 8, K_MAJOR_LAYOUTS = 4, FLAWED_N = 128, FAITHFUL_LAYOUT = 3 };

struct extents {
    unsigned count, n[32];
};
static const struct extents dozen = {12, {8, 16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256}};
static const struct extents rest = {20, {40,  56,  72,  80,  88,  104, 112, 120, 136, 144,
                                         152, 168, 176, 184, 200, 208, 216, 232, 240, 248}};
static const struct extents integer_rest = {6, {80, 112, 144, 176, 208, 240}};
static const struct extents one_n = {1, {FLAWED_N}};

/* Layouts of A and of B, by number; nothing of A where it is in registers. */
enum pairing { ALL_PAIRS, SAME_LAYOUT, DIFFERENT_LAYOUTS, A_IN_REGISTERS, FLAWED_PAIRS };

struct sweep {
    enum dtype type;
    const struct extents *extents;
    enum pairing pairing;
    enum swb_stack stack;
};

/* clang-format off */
static const struct sweep sweeps[] = {
    {BF16, &dozen, ALL_PAIRS, SWB_STACK_COL},
    {BF16, &dozen, A_IN_REGISTERS, SWB_STACK_COL},
    {BF16, &dozen, SAME_LAYOUT, SWB_STACK_ROW},
    {BF16, &one_n, FLAWED_PAIRS, SWB_STACK_COL},
    {F16, &dozen, SAME_LAYOUT, SWB_STACK_COL},
    {F16, &dozen, A_IN_REGISTERS, SWB_STACK_COL},
    {TF32, &dozen, SAME_LAYOUT, SWB_STACK_COL},
    {TF32, &dozen, SAME_LAYOUT, SWB_STACK_ROW},
    {TF32, &dozen, A_IN_REGISTERS, SWB_STACK_COL},
    {E4M3, &dozen, SAME_LAYOUT, SWB_STACK_COL},
    {E4M3, &dozen, SAME_LAYOUT, SWB_STACK_ROW},
    {E4M3, &dozen, A_IN_REGISTERS, SWB_STACK_COL},
    {E5M2, &dozen, SAME_LAYOUT, SWB_STACK_COL},
    {E5M2, &dozen, A_IN_REGISTERS, SWB_STACK_COL},
    {S8, &dozen, SAME_LAYOUT, SWB_STACK_COL},
    {S8, &dozen, SAME_LAYOUT, SWB_STACK_ROW},
    {S8, &dozen, A_IN_REGISTERS, SWB_STACK_COL},
    {U8, &dozen, SAME_LAYOUT, SWB_STACK_COL},
    {U8, &dozen, A_IN_REGISTERS, SWB_STACK_COL},

    {BF16, &rest, ALL_PAIRS, SWB_STACK_COL}, /* the first of --full */
    {BF16, &rest, A_IN_REGISTERS, SWB_STACK_COL},
    {BF16, &rest, SAME_LAYOUT, SWB_STACK_ROW},
    {F16, &dozen, DIFFERENT_LAYOUTS, SWB_STACK_COL},
    {F16, &rest, SAME_LAYOUT, SWB_STACK_COL},
    {F16, &rest, A_IN_REGISTERS, SWB_STACK_COL},
    {TF32, &dozen, DIFFERENT_LAYOUTS, SWB_STACK_COL},
    {TF32, &rest, ALL_PAIRS, SWB_STACK_COL},
    {TF32, &rest, A_IN_REGISTERS, SWB_STACK_COL},
    {E4M3, &dozen, DIFFERENT_LAYOUTS, SWB_STACK_COL},
    {E4M3, &rest, ALL_PAIRS, SWB_STACK_COL},
    {E4M3, &rest, A_IN_REGISTERS, SWB_STACK_COL},
    {E5M2, &dozen, DIFFERENT_LAYOUTS, SWB_STACK_COL},
    {E5M2, &rest, ALL_PAIRS, SWB_STACK_COL},
    {E5M2, &rest, A_IN_REGISTERS, SWB_STACK_COL},
    {S8, &dozen, DIFFERENT_LAYOUTS, SWB_STACK_COL},
    {S8, &integer_rest, ALL_PAIRS, SWB_STACK_COL},
    {S8, &integer_rest, A_IN_REGISTERS, SWB_STACK_COL},
    {U8, &dozen, DIFFERENT_LAYOUTS, SWB_STACK_COL},
    {U8, &integer_rest, ALL_PAIRS, SWB_STACK_COL},
    {U8, &integer_rest, A_IN_REGISTERS, SWB_STACK_COL},
};
/* clang-format on */
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0], DEFAULT_SWEEPS = 19 };

static struct wgmma_layout layout_at(unsigned number)
{
    struct wgmma_layout layout;
    layout.mode = swb_layout_find(layout_names[number], &layout.major);
    return layout;
}

static unsigned layout_count(const struct sweep *sweep)
{
    return types[sweep->type].bits == 16 ? ALL_LAYOUTS : K_MAJOR_LAYOUTS;
}

/* ---- Flawed cases: what is done to the descriptor of one operand ---------------------------- */

static const struct {
    enum wgmma_flaw flaw;
    unsigned base_lines;
    unsigned described; /* WGMMA_OTHER_MODE: number of the mode among the layouts */
} flaws[] = {
    {WGMMA_OTHER_MODE, 0, 0},        {WGMMA_OTHER_MODE, 0, 1},      {WGMMA_OTHER_MODE, 0, 2},
    {WGMMA_OTHER_MODE, 0, 3},        {WGMMA_SWAPPED_OFFSETS, 0, 0}, {WGMMA_FLAWLESS, 1, 0},
    {WGMMA_NO_BASE_OFFSET, 1, 0},    {WGMMA_FLAWLESS, 3, 0},        {WGMMA_NO_BASE_OFFSET, 3, 0},
    {WGMMA_STRAY_BASE_OFFSET, 0, 0},
};
enum { FLAWS = sizeof flaws / sizeof flaws[0] };

/* Combination number `i` of operand, layout and flaw; false where these do not go together. */
static bool flawed_case(unsigned i, struct wgmma_case *c)
{
    unsigned flaw = i % FLAWS, layout = i / FLAWS % ALL_LAYOUTS;
    c->subject = i / FLAWS / ALL_LAYOUTS ? SWB_MMA_B : SWB_MMA_A;
    c->layouts[SWB_MMA_A] = c->layouts[SWB_MMA_B] = layout_at(FAITHFUL_LAYOUT);
    c->layouts[c->subject] = layout_at(layout);
    c->flaw = flaws[flaw].flaw;
    c->base_lines = flaws[flaw].base_lines;
    c->described = layout_at(flaws[flaw].described).mode;
    const struct swb_layout_mode *mode = c->layouts[c->subject].mode;
    if (c->flaw == WGMMA_OTHER_MODE)
        return mode != c->described;
    return c->flaw == WGMMA_SWAPPED_OFFSETS || mode->swizzle_bits != 0;
}

/* The flawed case number *i; or, with `c` NULL, how many there are. */
static unsigned find_flawed(unsigned number, struct wgmma_case *c)
{
    unsigned found = 0;
    for (unsigned i = 0; i < WGMMA_OPERANDS * ALL_LAYOUTS * FLAWS; i++) {
        struct wgmma_case next = c ? *c : (struct wgmma_case){.n = FLAWED_N};
        if (!flawed_case(i, &next))
            continue;
        if (c && found == number) {
            *c = next;
            break;
        }
        found++;
    }
    return found;
}

/* ---- Counting through ---------------------------------------------------------------------- */

static unsigned pair_count(const struct sweep *sweep)
{
    unsigned layouts = layout_count(sweep);
    switch (sweep->pairing) {
    case ALL_PAIRS:
        return layouts * layouts;
    case DIFFERENT_LAYOUTS:
        return layouts * (layouts - 1);
    case FLAWED_PAIRS:
        return find_flawed(0, NULL);
    default:
        return layouts;
    }
}

static void choose_pair(const struct sweep *sweep, unsigned pair, struct wgmma_case *c)
{
    unsigned layouts = layout_count(sweep), a = pair, b = pair;
    if (sweep->pairing == FLAWED_PAIRS) {
        find_flawed(pair, c);
        return;
    }
    if (sweep->pairing == ALL_PAIRS) {
        a = pair / layouts;
        b = pair % layouts;
    } else if (sweep->pairing == DIFFERENT_LAYOUTS) {
        a = pair / (layouts - 1);
        b = (a + 1 + pair % (layouts - 1)) % layouts;
    }
    c->layouts[SWB_MMA_A] = layout_at(a);
    c->layouts[SWB_MMA_B] = layout_at(b);
}

size_t wgmma_case_count(bool full)
{
    size_t count = 0;
    for (size_t i = 0; i < (full ? SWEEPS : DEFAULT_SWEEPS); i++)
        count += sweeps[i].extents->count * pair_count(&sweeps[i]);
    return count;
}

struct wgmma_case wgmma_case_at(size_t index)
{
    const struct sweep *sweep = sweeps;
    unsigned pairs;
    while (index >= sweep->extents->count * (pairs = pair_count(sweep)))
        index -= sweep++->extents->count * pairs;
    struct wgmma_case c = {.type = sweep->type,
                           .n = sweep->extents->n[index / pairs],
                           .a_in_shared = sweep->pairing != A_IN_REGISTERS,
                           .stack = sweep->stack};
    choose_pair(sweep, (unsigned)(index % pairs), &c);
    return c;
}

bool wgmma_case_atom(const struct wgmma_case *c, struct swb_mma_atom *atom)
{
    const struct wgmma_type *type = &types[c->type];
    char name[SWB_MMA_NAME_BYTES];
    snprintf(name, sizeof name, "SM90_64x%ux%u_%s_%s%s", c->n, wgmma_k(type), type->atom,
             c->a_in_shared ? "SS" : "RS", type->atom_suffix);
    return swb_mma_atom_find(name, atom);
}

/* ---- Names --------------------------------------------------------------------------------- */

void wgmma_layout_name(const struct wgmma_layout *layout, char *name, size_t bytes)
{
    snprintf(name, bytes, "%s/%s", layout->major == SWB_K_MAJOR ? "K" : "MN", layout->mode->name);
}

void wgmma_flaw_name(const struct wgmma_case *c, char *name, size_t bytes)
{
    const char *operand = c->subject == SWB_MMA_A ? "A" : "B";
    *name = '\0';
    switch (c->flaw) {
    case WGMMA_FLAWLESS:
        break;
    case WGMMA_OTHER_MODE:
        snprintf(name, bytes, "%s-as-%s", operand, c->described->name);
        break;
    case WGMMA_SWAPPED_OFFSETS:
        snprintf(name, bytes, "%s-swapped-offsets", operand);
        break;
    case WGMMA_NO_BASE_OFFSET:
        snprintf(name, bytes, "%s-no-base-offset", operand);
        break;
    case WGMMA_STRAY_BASE_OFFSET:
        snprintf(name, bytes, "%s-stray-base-offset", operand);
        break;
    }
}

void wgmma_case_name(const struct wgmma_case *c, char *name, size_t bytes)
{
    char a[16] = "registers", b[16], base[24] = "", flaw[32];
    if (c->a_in_shared)
        wgmma_layout_name(&c->layouts[SWB_MMA_A], a, sizeof a);
    wgmma_layout_name(&c->layouts[SWB_MMA_B], b, sizeof b);
    wgmma_flaw_name(c, flaw, sizeof flaw);
    if (c->base_lines)
        snprintf(base, sizeof base, " %s-at-%u", c->subject == SWB_MMA_A ? "A" : "B",
                 128 * c->base_lines);
    snprintf(name, bytes, "%s n%u A=%s B=%s %s%s%s%s", types[c->type].name, c->n, a, b,
             c->stack == SWB_STACK_ROW ? "row" : "col", base, *flaw ? " wrong=" : "", flaw);
}
