/* Which mma are measured, with A and B in which layouts? */
#include "bench/mma_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const struct mma_type types[] = {
    {.name = "bf16",
     .atom = "SM80_16x8x16_F32BF16BF16F32_TN",
     .fatbin = "mma",
     .exponent_bits = 8,
     .mantissa_bits = 7},
    {.name = "f16",
     .atom = "SM80_16x8x16_F32F16F16F32_TN",
     .fatbin = "mma",
     .exponent_bits = 5,
     .mantissa_bits = 10,
     .full_only = true},
    {.name = "tf32",
     .atom = "SM80_16x8x8_F32TF32TF32F32_TN",
     .fatbin = "mma",
     .exponent_bits = 8,
     .mantissa_bits = 23,
     .full_only = true},
    {.name = "s8", .atom = "SM80_16x8x32_S32S8S8S32_TN", .fatbin = "mma", .full_only = true},
    {.name = "e4m3",
     .atom = "SM89_16x8x32_F32E4M3E4M3F32_TN",
     .fatbin = "mma_fp8",
     .exponent_bits = 4,
     .mantissa_bits = 3,
     .less_bits = 4,
     .full_only = true},
};

static const char *const layouts[] = {"linear", "padded",  "K/none", "K/32B",  "K/64B",
                                      "K/128B", "MN/none", "MN/32B", "MN/64B", "MN/128B"};

static bool is_mn_major(const char *layout)
{
    enum swb_major major;
    return swb_layout_find(layout, &major) && major == SWB_MN_MAJOR;
}

static unsigned bits_of(const struct mma_type *type)
{
    struct swb_mma_atom atom = mma_type_atom(type);
    return atom.types[SWB_MMA_A]->bits;
}

/* ---- The list: equal layouts, all pairs, loads without their .trans; default cases first ------
 */

enum { MOST_CASES = 1024 };
struct case_list {
    struct mma_case cases[MOST_CASES];
    size_t count, default_count;
};

static void add(struct case_list *list, struct mma_case c)
{
    if (list->count == MOST_CASES)
        abort();
    list->cases[list->count++] = c;
}

/* What no kernel here loads is a row for each layout, not for each pair. */
static bool is_a_case(const struct mma_type *type, const char *a, const char *b)
{
    return a == b || bits_of(type) != 8 || (!is_mn_major(a) && !is_mn_major(b));
}

static void add_pairs(struct case_list *list, const struct mma_type *type, bool full)
{
    for (size_t a = 0; a < LENGTH(layouts); a++)
        for (size_t b = 0; b < LENGTH(layouts); b++)
            if ((type->full_only && a != b) == full && is_a_case(type, layouts[a], layouts[b]))
                add(list, (struct mma_case){.type = type, .layouts = {layouts[a], layouts[b]}});
}

/* Elements of 16 bits alone have a .trans. */
static void add_without_trans(struct case_list *list, const struct mma_type *type, bool full)
{
    if (type->full_only != full || bits_of(type) != 16)
        return;
    for (size_t l = 0; l < LENGTH(layouts); l++) {
        if (!is_mn_major(layouts[l]))
            continue;
        const char *turned = layouts[l], *plain = "K/128B";
        add(list, (struct mma_case){type, {turned, plain}, {true, false}});
        add(list, (struct mma_case){type, {plain, turned}, {false, true}});
        add(list, (struct mma_case){type, {turned, turned}, {true, true}});
    }
}

static void add_cases(struct case_list *list, bool full)
{
    for (size_t t = 0; t < LENGTH(types); t++) {
        add_pairs(list, &types[t], full);
        add_without_trans(list, &types[t], full);
    }
}

/* Made from the constant tables when first asked for, and only read from then on. */
static const struct case_list *all_cases(void)
{
    static struct case_list list;
    if (!list.count) {
        add_cases(&list, false);
        list.default_count = list.count;
        add_cases(&list, true);
    }
    return &list;
}

size_t mma_case_count(bool full)
{
    return full ? all_cases()->count : all_cases()->default_count;
}

const struct mma_case *mma_case_at(size_t index)
{
    return &all_cases()->cases[index];
}

/* ---- What is known of a case ----------------------------------------------------------------- */

bool mma_case_is_wrong(const struct mma_case *c)
{
    return c->without_trans[SWB_MMA_A] || c->without_trans[SWB_MMA_B];
}

void mma_case_name(const struct mma_case *c, char *name, size_t bytes)
{
    const bool *without = c->without_trans;
    snprintf(name, bytes, "%s A=%s B=%s%s%s", c->type->name, c->layouts[SWB_MMA_A],
             c->layouts[SWB_MMA_B], without[SWB_MMA_A] ? " A-without-trans" : "",
             without[SWB_MMA_B] ? " B-without-trans" : "");
}

struct swb_mma_atom mma_type_atom(const struct mma_type *type)
{
    struct swb_mma_atom atom;
    if (!swb_mma_atom_find(type->atom, &atom))
        abort();
    return atom;
}

unsigned mma_peak_flop_per_clk_sm(const struct mma_type *type, unsigned compute_capability)
{
    static const struct {
        unsigned capability, of_16_bits;
    } peaks[] = {{80, 2048}, {90, 4096}};
    for (size_t i = 0; i < LENGTH(peaks); i++)
        if (peaks[i].capability == compute_capability)
            return peaks[i].of_16_bits * 16 / bits_of(type);
    return 0;
}

const char *mma_type_refusal(const struct mma_type *type, unsigned compute_capability)
{
    if (compute_capability < 80)
        return "the mma.sync of this family need compute capability 8.0";
    if (strcmp(type->name, "e4m3") != 0 || compute_capability == 89 || compute_capability >= 120)
        return NULL;
    return compute_capability < 89
               ? "mma.sync of 8-bit floats needs compute capability 8.9"
               : "these tensor cores take no 8-bit floats from registers: the assembler makes two "
                 "mma.sync of f16 of each";
}
