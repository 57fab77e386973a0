/* What random tensor maps are worth trying? Legal ones with values at the borders of the rules, of
 * which half get one to three values that may lie beyond. */
#include <string.h>

#include "bench/tma_fuzz.h"

static uint32_t below(struct fuzz_random *random, uint32_t limit)
{
    return fuzz_random_below(random, limit);
}

static bool one_in(struct fuzz_random *random, uint32_t chances)
{
    return below(random, chances) == 0;
}

#define PICK(random, list) (list)[below((random), sizeof(list) / sizeof(list)[0])]

/* Every magnitude is as likely as any other. */
static uint64_t any_size(struct fuzz_random *random, unsigned most_bits)
{
    return fuzz_random_next(random) >> (64 - most_bits + below(random, most_bits));
}

/* ---- Legal values ------------------------------------------------------------------------- */

#define POWER(n) ((uint64_t)1 << (n))

static uint64_t legal_dim(struct fuzz_random *random)
{
    static const uint64_t borders[] = {
        1, 2, 3, 128, 256, POWER(31), POWER(20), POWER(32) - 1, POWER(32)};
    return one_in(random, 2) ? PICK(random, borders) : 1 + any_size(random, 32);
}

static uint64_t legal_stride(struct fuzz_random *random)
{
    static const uint64_t borders[] = {32, 64, 4096, POWER(32), POWER(39), POWER(40) - 32};
    return one_in(random, 2) ? PICK(random, borders) : 32 * (1 + any_size(random, 34));
}

static uint32_t legal_extent(struct fuzz_random *random)
{
    static const uint32_t borders[] = {1, 2, 3, 4, 8, 16, 32, 57, 64, 128, 255, 256};
    return one_in(random, 2) ? PICK(random, borders) : 1 + below(random, 256);
}

static unsigned elem_bits(const struct swb_tma_map *map)
{
    unsigned bits = swb_tma_smem_elem_bits(map->dtype);
    return bits > 0 ? bits : 8;
}

/* Elements of the widest line under the map's swizzle. */
static uint32_t widest(const struct swb_tma_map *map)
{
    static const uint32_t spans[] = {2048, 32, 64, 128, 128, 128, 128};
    uint32_t bytes = map->interleave == 0 && map->swizzle < 7 ? spans[map->swizzle] : 2048;
    uint32_t elements = bytes * 8 / elem_bits(map);
    return elements < 256 ? elements : 256;
}

static uint32_t legal_width(struct fuzz_random *random, const struct swb_tma_map *map)
{
    uint32_t chunk = 128 / elem_bits(map), chunks = widest(map) / chunk;
    return one_in(random, 2) ? widest(map) : chunk * (1 + below(random, chunks));
}

static uint32_t some_step(struct fuzz_random *random)
{
    return one_in(random, 4) ? 1 + below(random, 8) : 1;
}

static uint64_t counted_bits(const struct swb_tma_map *map)
{
    uint64_t bits = elem_bits(map);
    for (unsigned i = 0; i < map->rank && i < SWB_TMA_MAX_RANK; i++)
        bits *= map->box[i] / map->element_strides[i];
    return bits;
}

/* Halves extents until the box is small enough. */
static void fit_box(struct fuzz_random *random, struct swb_tma_map *map)
{
    while (map->rank > 1 && counted_bits(map) > (uint64_t)8 * SWB_TMA_MAX_BOX_BYTES) {
        uint32_t *extent = &map->box[1 + below(random, map->rank - 1)];
        *extent = (*extent + 1) / 2;
    }
}

/* Chooses one extent so that the box has about the most bytes that the driver takes. */
static void fill_box(struct fuzz_random *random, struct swb_tma_map *map)
{
    if (map->rank < 2 || map->rank > SWB_TMA_MAX_RANK)
        return;
    unsigned i = 1 + below(random, map->rank - 1);
    map->box[i] = map->element_strides[i];
    uint64_t bits = counted_bits(map);
    uint64_t fit = bits > 0 ? (uint64_t)8 * SWB_TMA_MAX_BOX_BYTES / bits : 0;
    uint64_t extent = fit * map->element_strides[i] + below(random, 2 * map->element_strides[i]);
    map->box[i] = extent < 1 ? 1 : extent > 256 ? 256 : (uint32_t)extent;
}

static void legal_map(struct fuzz_random *random, struct swb_tma_map *map)
{
    *map = (struct swb_tma_map){
        .dtype = below(random, 13),
        .rank = 1 + below(random, SWB_TMA_MAX_RANK),
        .address = 32 * below(random, 4),
        .swizzle = below(random, 4),
        .l2_promotion = below(random, 4),
    };
    if (map->rank >= 3 && one_in(random, 3))
        map->interleave = 1 + below(random, 2);
    if (map->dtype >= 6 && one_in(random, 3))
        map->oob_fill = 1;
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++) {
        map->dims[i] = legal_dim(random);
        map->box[i] = i == 0 ? legal_width(random, map) : legal_extent(random);
        map->element_strides[i] = some_step(random);
    }
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK - 1; i++)
        map->strides[i] = legal_stride(random);
    if (one_in(random, 4))
        fill_box(random, map);
    else
        fit_box(random, map);
}

/* ---- Values that may be illegal ----------------------------------------------------------- */

static unsigned some_dim(struct fuzz_random *random, const struct swb_tma_map *map)
{
    unsigned dims = map->rank < SWB_TMA_MAX_RANK ? map->rank : SWB_TMA_MAX_RANK;
    return dims > 0 ? below(random, dims) : 0;
}

static void change_dtype(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->dtype = below(random, 18);
}

static void change_rank(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->rank = below(random, 8);
}

static void change_interleave(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->interleave = below(random, 4);
}

static void change_swizzle(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->swizzle = below(random, 9);
}

static void change_l2_promotion(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->l2_promotion = below(random, 6);
}

static void change_oob_fill(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->oob_fill = below(random, 3);
}

static void change_address(struct fuzz_random *random, struct swb_tma_map *map)
{
    map->address = one_in(random, 2) ? 16 * below(random, 8) : below(random, 128);
}

static void change_dim(struct fuzz_random *random, struct swb_tma_map *map)
{
    static const uint64_t borders[] = {0, 1, POWER(32), POWER(32) + 1, POWER(33), UINT64_MAX};
    map->dims[some_dim(random, map)] =
        one_in(random, 2) ? PICK(random, borders) : any_size(random, 64);
}

static void change_stride(struct fuzz_random *random, struct swb_tma_map *map)
{
    static const uint64_t borders[] = {0,
                                       1,
                                       8,
                                       16,
                                       24,
                                       48,
                                       POWER(32) + 16,
                                       POWER(40) - 16,
                                       POWER(40) - 1,
                                       POWER(40),
                                       POWER(40) + 32,
                                       POWER(63),
                                       UINT64_MAX - 31};
    unsigned dim = some_dim(random, map);
    map->strides[dim > 0 ? dim - 1 : 0] =
        one_in(random, 2) ? PICK(random, borders) : 8 * any_size(random, 40);
}

static void change_width(struct fuzz_random *random, struct swb_tma_map *map)
{
    uint32_t edges[] = {0,
                        widest(map) - 1,
                        widest(map) + 1,
                        widest(map) + 128 / elem_bits(map),
                        128,
                        255,
                        256,
                        257,
                        272,
                        512};
    map->box[0] = one_in(random, 2) ? PICK(random, edges) : below(random, 300);
}

static void change_extent(struct fuzz_random *random, struct swb_tma_map *map)
{
    static const uint32_t borders[] = {0, 1, 256, 257, 512, 65536, UINT32_MAX};
    unsigned dim = some_dim(random, map);
    map->box[dim] = one_in(random, 2) ? PICK(random, borders) : below(random, 300);
}

static void change_step(struct fuzz_random *random, struct swb_tma_map *map)
{
    static const uint32_t borders[] = {0, 1, 2, 7, 8, 9, 16, 256, UINT32_MAX};
    map->element_strides[some_dim(random, map)] = PICK(random, borders);
}

/* Large boxes, whose bytes may not even fit 32 bits. */
static void change_box(struct fuzz_random *random, struct swb_tma_map *map)
{
    for (unsigned i = 1; i < SWB_TMA_MAX_RANK; i++)
        map->box[i] = legal_extent(random);
}

/* Steps wider than the box: the driver counts no element along such a dimension. */
static void change_all_steps(struct fuzz_random *random, struct swb_tma_map *map)
{
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++)
        map->element_strides[i] = 1 + below(random, 8);
    map->box[some_dim(random, map)] = 1 + below(random, 16);
}

static void (*const changes[])(struct fuzz_random *, struct swb_tma_map *) = {
    change_dtype,    change_rank,    change_interleave, change_swizzle,   change_l2_promotion,
    change_oob_fill, change_address, change_dim,        change_stride,    change_width,
    change_extent,   change_step,    change_box,        change_all_steps,
};

void tma_fuzz_map(struct fuzz_random *random, struct swb_tma_map *map)
{
    legal_map(random, map);
    unsigned count = one_in(random, 2) ? 0 : 1 + below(random, 3);
    for (unsigned i = 0; i < count; i++)
        PICK(random, changes)(random, map);
}
