/* What does a swizzle do to an address, and where does a swizzled layout put an element? */
#include "model/refuse.h"
#include "model/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SWIZZLE_MAX_BITS = 30 };

bool swb_swizzle_check(const struct swb_swizzle *swizzle, struct swb_refusal *refusal)
{
    int bits = swizzle->bits, base = swizzle->base, shift = swizzle->shift;
    if (bits < 0 || base < 0)
        return swb_refuse(refusal, 0, "Sw<%d,%d,%d>: %s must not be negative", bits, base, shift,
                          bits < 0 ? "the number of bits" : "the base bit");
    if (base > SWIZZLE_MAX_BITS || bits > SWIZZLE_MAX_BITS || abs(shift) > SWIZZLE_MAX_BITS ||
        bits + base + abs(shift) > SWIZZLE_MAX_BITS)
        return swb_refuse(refusal, 0,
                          "Sw<%d,%d,%d>: the swizzle reaches beyond bit %d of an address", bits,
                          base, shift, SWIZZLE_MAX_BITS - 1);
    if (shift == 0 && bits > 0)
        return swb_refuse(refusal, 0,
                          "Sw<%d,%d,%d>: with a shift of 0 bits are XORed with themselves and "
                          "become 0, so that two addresses become one",
                          bits, base, shift);
    if (abs(shift) < bits)
        return swb_refuse(refusal, 0,
                          "Sw<%d,%d,%d>: the shift must be at least the number of bits, or the "
                          "bits that are read and those that are changed overlap",
                          bits, base, shift);
    return true;
}

int64_t swb_swizzle_apply(const struct swb_swizzle *swizzle, int64_t index)
{
    int64_t mask = ((int64_t)1 << swizzle->bits) - 1;
    if (swizzle->shift >= 0)
        return index ^ (index >> swizzle->shift & mask << swizzle->base);
    return index ^ (index & mask << swizzle->base) << -swizzle->shift;
}

int64_t swb_swizzle_repeat(const struct swb_swizzle *swizzle)
{
    if (swizzle->bits == 0)
        return 1;
    return (int64_t)1 << (swizzle->bits + swizzle->base + abs(swizzle->shift));
}

static bool is_power_of_two(unsigned n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* The bits below which n elements of one kind are one of the other. */
static int log2_of(unsigned n)
{
    int log = 0;
    while (n >>= 1)
        log++;
    return log;
}

bool swb_swizzle_recast(const struct swb_swizzle *swizzle, unsigned old_bits, unsigned new_bits,
                        struct swb_swizzle *result, struct swb_refusal *refusal)
{
    struct swb_swizzle cast = *swizzle;
    if (swizzle->bits == 0) {
        *result = cast;
        return true;
    }
    unsigned wide = old_bits > new_bits ? old_bits : new_bits;
    unsigned narrow = old_bits > new_bits ? new_bits : old_bits;
    if (narrow == 0 || wide % narrow != 0 || !is_power_of_two(wide / narrow))
        return swb_refuse(refusal, 0,
                          "a swizzle can be seen in elements of %u bits instead of %u only where "
                          "one is a power of two times the other",
                          new_bits, old_bits);
    cast.base += new_bits > old_bits ? -log2_of(wide / narrow) : log2_of(wide / narrow);
    if (cast.base < 0) {
        cast.bits = cast.bits + cast.base > 0 ? cast.bits + cast.base : 0;
        cast.base = 0;
    }
    if (!swb_swizzle_check(&cast, refusal))
        return false;
    *result = cast;
    return true;
}

size_t swb_composed_print(const struct swb_composed *composed, char *text, size_t bytes)
{
    struct text printed = {.start = text, .bytes = bytes};
    const struct swb_swizzle *swizzle = &composed->swizzle;
    if (swizzle->bits != 0 || composed->pointer_bits != 0 || composed->offset != 0)
        swb_text_add(&printed, "Sw<%d,%d,%d> o ", swizzle->bits, swizzle->base, swizzle->shift);
    if (composed->pointer_bits != 0)
        swb_text_add(&printed, "smem_ptr[%ub] o ", composed->pointer_bits);
    else if (composed->offset != 0)
        swb_text_add(&printed, "%" PRId64 " o ", composed->offset);
    size_t room = printed.length < bytes ? bytes - printed.length : 0;
    return printed.length +
           swb_layout_print(&composed->layout, room ? text + printed.length : NULL, room);
}

int64_t swb_composed_at(const struct swb_composed *composed, int64_t i)
{
    return swb_swizzle_apply(&composed->swizzle,
                             composed->offset + swb_layout_at(&composed->layout, i));
}

int64_t swb_composed_bit_address(const struct swb_composed *composed, unsigned elem_bits,
                                 uint32_t base_bytes, int64_t i, unsigned bit)
{
    int64_t base_bits = (int64_t)base_bytes * 8 + bit;
    if (composed->pointer_bits == 0)
        return base_bits + swb_composed_at(composed, i) * elem_bits;
    int64_t bits = base_bits + swb_layout_at(&composed->layout, i) * elem_bits;
    return swb_swizzle_apply(&composed->swizzle, bits / 8) * 8 + bits % 8;
}

bool swb_composed_recast(const struct swb_composed *composed, unsigned old_bits, unsigned new_bits,
                         struct swb_composed *result, struct swb_refusal *refusal)
{
    struct swb_composed cast = *composed;
    if (!swb_recast(&composed->layout, old_bits, new_bits, &cast.layout, refusal))
        return false;
    if (composed->pointer_bits != 0) {
        if (composed->pointer_bits != old_bits)
            return swb_refuse(refusal, 0, "the pointer's elements have %u bits, not %u",
                              composed->pointer_bits, old_bits);
        cast.pointer_bits = new_bits;
    } else if (!swb_swizzle_recast(&composed->swizzle, old_bits, new_bits, &cast.swizzle,
                                   refusal)) {
        return false;
    }
    if (composed->offset * old_bits % new_bits != 0)
        return swb_refuse(refusal, 0,
                          "the offset %" PRId64 " is no whole number of %u-bit elements",
                          composed->offset, new_bits);
    cast.offset = composed->offset * old_bits / new_bits;
    *result = cast;
    return true;
}
