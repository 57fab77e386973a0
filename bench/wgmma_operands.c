/* Where do the operands of a case lie, how are they described, and what is their product? */
#include "bench/wgmma_operands.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT_BYTES = 1024, /* after which every swizzle repeats */
    LINE_BYTES = 128,       /* which base offsets count */
    CHUNK_BYTES = 16,
    REGISTER_PLACES = 1 << 20, /* of A in registers, behind all of shared memory */
};

static unsigned rows_of(const struct wgmma_case *c, enum swb_mma_operand operand)
{
    return operand == SWB_MMA_A ? WGMMA_M : c->n;
}

static bool is_in_shared(const struct wgmma_case *c, enum swb_mma_operand operand)
{
    return operand == SWB_MMA_B || c->a_in_shared;
}

static unsigned all_k(const struct wgmma_case *c)
{
    return WGMMA_STEPS * wgmma_k(wgmma_type_at(c->type));
}

/* ---- The plan ------------------------------------------------------------------------------ */

static uint32_t round_up(uint32_t n, uint32_t step)
{
    return (n + step - 1) / step * step;
}

static struct swb_tile tile_of(const struct wgmma_case *c, enum swb_mma_operand operand)
{
    const struct wgmma_layout *layout = &c->layouts[operand];
    unsigned bits = wgmma_type_at(c->type)->bits, rows = rows_of(c, operand);
    if (layout->major == SWB_MN_MAJOR)
        rows = round_up(rows, layout->mode->span_bytes * 8 / bits);
    return (struct swb_tile){.mode = layout->mode,
                             .major = layout->major,
                             .stack = c->stack,
                             .rows = rows,
                             .cols = all_k(c),
                             .elem_bits = bits};
}

static void add_flaw(const struct wgmma_case *c, struct swb_descriptor *d)
{
    uint32_t leading_bytes = d->leading_bytes;
    switch (c->flaw) {
    case WGMMA_FLAWLESS:
        break;
    case WGMMA_OTHER_MODE:
        d->mode = c->described;
        break;
    case WGMMA_SWAPPED_OFFSETS:
        d->leading_bytes = d->stride_bytes;
        d->stride_bytes = leading_bytes;
        break;
    case WGMMA_NO_BASE_OFFSET:
        d->base_offset = 0;
        break;
    case WGMMA_STRAY_BASE_OFFSET:
        d->base_offset = 1;
        break;
    }
}

/* End of what the step reads, where its descriptor may lead out of the tile. */
static uint32_t reading_end(const struct wgmma_case *c, enum swb_mma_operand operand,
                            const struct swb_descriptor *d)
{
    const struct wgmma_type *type = wgmma_type_at(c->type);
    uint32_t end = 0;
    for (unsigned row = 0; row < rows_of(c, operand); row++)
        for (unsigned col = 0; col < wgmma_k(type); col++) {
            uint32_t at =
                swb_descriptor_address(d, c->layouts[operand].major, type->bits, row, col);
            end = at >= end ? at + 1 : end;
        }
    return round_up(end, CHUNK_BYTES);
}

static void place(const struct wgmma_case *c, enum swb_mma_operand operand, struct wgmma_plan *plan)
{
    struct swb_tile *tile = &plan->tiles[operand];
    uint32_t *base = &plan->base_bytes[operand];
    bool is_subject = operand == c->subject;
    *tile = tile_of(c, operand);
    *base = round_up(plan->image_bytes, ALIGNMENT_BYTES) +
            (is_subject ? c->base_lines * LINE_BYTES : 0);
    plan->image_bytes = *base + (uint32_t)swb_tile_bytes(tile);
    for (unsigned step = 0; step < WGMMA_STEPS; step++) {
        struct swb_descriptor *d = &plan->descriptors[operand][step];
        bool described =
            swb_tile_descriptor(tile, *base, step * wgmma_k(wgmma_type_at(c->type)), d, NULL);
        assert(described);
        (void)described;
        if (is_subject)
            add_flaw(c, d);
    }
}

void wgmma_plan_of(const struct wgmma_case *c, struct wgmma_plan *plan)
{
    *plan = (struct wgmma_plan){.image_bytes = 0};
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
        if (is_in_shared(c, operand))
            place(c, operand, plan);
    for (unsigned step = 0; c->flaw != WGMMA_FLAWLESS && step < WGMMA_STEPS; step++) {
        uint32_t end = reading_end(c, c->subject, &plan->descriptors[c->subject][step]);
        plan->image_bytes = end > plan->image_bytes ? end : plan->image_bytes;
    }
}

struct wgmma_prediction wgmma_predicted(const struct wgmma_case *c, const struct wgmma_plan *plan)
{
    struct wgmma_prediction mean = {.cycles = 0};
    for (unsigned step = 0; step < WGMMA_STEPS; step++) {
        unsigned wavefronts = 0;
        for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
            if (is_in_shared(c, operand))
                wavefronts += swb_descriptor_wavefronts(
                    &plan->descriptors[operand][step], c->layouts[operand].major,
                    wgmma_type_at(c->type)->bits, rows_of(c, operand));
        mean.wavefronts += (double)wavefronts / WGMMA_STEPS;
        mean.cycles += (double)swb_wgmma_cycles(c->n, c->a_in_shared, wavefronts) / WGMMA_STEPS;
    }
    return mean;
}

/* ---- The data ------------------------------------------------------------------------------ */

int wgmma_number(const struct wgmma_type *type, uint32_t place)
{
    uint32_t x = place * 0x9e3779b9u + 0x7f4a7c15u;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    x ^= x >> 16;
    return type->least + (int)((uint64_t)x * (unsigned)(type->most - type->least + 1) >> 32);
}

uint32_t wgmma_element(const struct wgmma_type *type, int number)
{
    if (type->exponent_bits == 0)
        return (uint32_t)number & 0xff;
    uint32_t size = (uint32_t)abs(number), exponent = 0;
    uint32_t sign = (uint32_t)(number < 0) << (type->exponent_bits + type->mantissa_bits);
    if (size == 0)
        return 0;
    while (size >> exponent > 1)
        exponent++;
    uint32_t fraction = (size - (1u << exponent)) << (type->mantissa_bits - exponent);
    uint32_t bias = (1u << (type->exponent_bits - 1)) - 1;
    return sign | (exponent + bias) << type->mantissa_bits | fraction;
}

uint32_t wgmma_register_place(unsigned row, unsigned col)
{
    return REGISTER_PLACES + row * WGMMA_MAX_K + col;
}

/* ---- Products ------------------------------------------------------------------------------ */

/* An operand as it is read: column after column. */
struct matrix {
    float at[WGMMA_MAX_K][WGMMA_MAX_N];
};

static uint32_t address_of(const struct wgmma_case *c, const struct wgmma_plan *plan,
                           enum swb_mma_operand operand, bool as_described, unsigned row,
                           unsigned col)
{
    const struct swb_tile *tile = &plan->tiles[operand];
    unsigned k = wgmma_k(wgmma_type_at(c->type));
    if (!as_described)
        return plan->base_bytes[operand] + swb_tile_byte_offset(tile, row, col);
    return swb_descriptor_address(&plan->descriptors[operand][col / k], tile->major,
                                  tile->elem_bits, row, col % k);
}

static void read_operand(const struct wgmma_case *c, const struct wgmma_plan *plan,
                         enum swb_mma_operand operand, bool as_described, struct matrix *matrix)
{
    const struct wgmma_type *type = wgmma_type_at(c->type);
    for (unsigned row = 0; row < rows_of(c, operand); row++)
        for (unsigned col = 0; col < all_k(c); col++) {
            uint32_t place =
                is_in_shared(c, operand)
                    ? address_of(c, plan, operand, as_described, row, col) * 8 / type->bits
                    : wgmma_register_place(row, col);
            matrix->at[col][row] = (float)wgmma_number(type, place);
        }
}

/* Eight outputs at a time, which the compiler turns into vectors. */
static void multiply(const struct matrix *a, const struct matrix *b, unsigned n, unsigned k,
                     float *d)
{
    enum { TOGETHER = 8 };
    for (unsigned m = 0; m < WGMMA_M; m++)
        for (unsigned first = 0; first < n; first += TOGETHER) {
            float sums[TOGETHER] = {0};
            for (unsigned col = 0; col < k; col++)
                for (unsigned i = 0; i < TOGETHER; i++)
                    sums[i] += a->at[col][m] * b->at[col][first + i];
            memcpy(d + m * n + first, sums, sizeof sums);
        }
}

static void form_product(const struct wgmma_case *c, const struct wgmma_plan *plan,
                         bool as_described, struct wgmma_product *product)
{
    struct matrix operands[WGMMA_OPERANDS];
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
        read_operand(c, plan, operand, as_described, &operands[operand]);
    multiply(&operands[SWB_MMA_A], &operands[SWB_MMA_B], c->n, all_k(c), product->d);
}

void wgmma_true_product(const struct wgmma_case *c, const struct wgmma_plan *plan,
                        struct wgmma_product *product)
{
    form_product(c, plan, false, product);
}

void wgmma_described_product(const struct wgmma_case *c, const struct wgmma_plan *plan,
                             struct wgmma_product *product)
{
    form_product(c, plan, true, product);
}

double wgmma_differing_share(const struct wgmma_case *c, const struct wgmma_product *one,
                             const struct wgmma_product *other)
{
    unsigned outputs = WGMMA_M * c->n, differing = 0;
    for (unsigned i = 0; i < outputs; i++)
        differing += one->d[i] != other->d[i];
    return (double)differing / outputs;
}
