/* What do the values of a tensor map's enumerations mean? In the order of cuda.h. */
#include "model/swizzlebench.h"

#include "model/tma.h"

static const struct swb_tma_type types[] = {
    {"u8", .elem_bits = 8},
    {"u16", .elem_bits = 16},
    {"u32", .elem_bits = 32},
    {"s32", .elem_bits = 32},
    {"u64", .elem_bits = 64},
    {"s64", .elem_bits = 64},
    {"f16", .elem_bits = 16, .is_float = true},
    {"f32", .elem_bits = 32, .is_float = true},
    {"f64", .elem_bits = 64, .is_float = true},
    {"bf16", .elem_bits = 16, .is_float = true},
    {"f32.ftz", .elem_bits = 32, .is_float = true},
    {"tf32", .elem_bits = 32, .is_float = true},
    {"tf32.ftz", .elem_bits = 32, .is_float = true},
    {"b4x16", .elem_bits = 4, .is_packed = true},
    {"b4x16_p64", .elem_bits = 4, .is_packed = true, .is_padded = true},
    {"b6x16_p32", .elem_bits = 6, .is_packed = true, .is_padded = true},
};

static const char *const interleaves[] = {"none", "16B", "32B"};
static const char *const swizzles[] = {
    "none", "32B", "64B", "128B", "128B-atom32B", "128B-atom32B-flip8B", "128B-atom64B"};
static const char *const l2_promotions[] = {"none", "64B", "128B", "256B"};
static const char *const oob_fills[] = {"zero", "nan"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    const char *const *names;
    size_t count;
} words[] = {
    [SWB_TMA_INTERLEAVE] = {interleaves, COUNT(interleaves)},
    [SWB_TMA_SWIZZLE] = {swizzles, COUNT(swizzles)},
    [SWB_TMA_L2_PROMOTION] = {l2_promotions, COUNT(l2_promotions)},
    [SWB_TMA_OOB_FILL] = {oob_fills, COUNT(oob_fills)},
};

const struct swb_tma_type *swb_tma_type(unsigned dtype)
{
    return dtype < COUNT(types) ? &types[dtype] : NULL;
}

const char *swb_tma_name(enum swb_tma_word word, unsigned value)
{
    const struct swb_tma_type *type = swb_tma_type(value);
    if (word == SWB_TMA_DTYPE)
        return type ? type->name : NULL;
    return value < words[word].count ? words[word].names[value] : NULL;
}

unsigned swb_tma_elem_bits(unsigned dtype)
{
    const struct swb_tma_type *type = swb_tma_type(dtype);
    return type ? type->elem_bits : 0;
}

unsigned swb_tma_smem_elem_bits(unsigned dtype)
{
    const struct swb_tma_type *type = swb_tma_type(dtype);
    return type && type->is_padded ? 8 : swb_tma_elem_bits(dtype);
}
