/* Which pixels does an im2col box take? */
#include "bench/tma_im2col.h"

#include <stdio.h>

struct swb_tma_box tma_im2col_box(const struct swb_tma_map *map, const struct tma_im2col *im2col,
                                  uint32_t smem_address)
{
    return (struct swb_tma_box){.swizzle = map->swizzle,
                                .rank = 2,
                                .inner_bytes =
                                    im2col->channels * swb_tma_smem_elem_bits(map->dtype) / 8,
                                .extents = {im2col->pixels, 1, 1, 1},
                                .smem_address = smem_address};
}

void tma_im2col_pixel(const struct swb_tma_map *map, const struct tma_im2col *im2col,
                      const int32_t *start, unsigned pixel, int64_t *coordinates)
{
    unsigned images = map->rank - 1;
    for (unsigned i = 1; i <= images; i++)
        coordinates[i] = start[i];
    while (pixel-- > 0) {
        unsigned i = 1;
        for (; i < images; i++) {
            unsigned step = map->element_strides[i] > 1 ? map->element_strides[i] : 1;
            coordinates[i] += step;
            if (coordinates[i] < (int64_t)map->dims[i] + im2col->upper[i - 1])
                break;
            coordinates[i] = im2col->lower[i - 1];
        }
        if (i == images)
            coordinates[images]++;
    }
    for (unsigned i = 1; i < images; i++)
        coordinates[i] += im2col->tap[i - 1];
}

static unsigned breaks(struct swb_tma_broken *broken, unsigned most, const char *rule,
                       const char *what, long value, const char *limit)
{
    if (most > 0) {
        broken->rule = rule;
        snprintf(broken->sentence, sizeof broken->sentence, "%s is %ld: must be %s", what, value,
                 limit);
    }
    return 1;
}

unsigned tma_im2col_check(const struct swb_tma_map *map, const struct tma_im2col *im2col,
                          struct swb_tma_broken *broken, unsigned most)
{
    enum { MAX_CHANNELS = 256, MAX_PIXELS = 1024 };
    static const struct {
        int32_t limit;
        const char *words;
    } corners[SWB_TMA_MAX_RANK + 1] = {[3] = {1 << 15, "-32768 to 32767"},
                                       [4] = {1 << 7, "-128 to 127"},
                                       [5] = {1 << 4, "-16 to 15"}};
    unsigned line_bytes = im2col->channels * swb_tma_elem_bits(map->dtype) / 8;
    if (map->rank < 3 || map->rank > SWB_TMA_MAX_RANK)
        return breaks(broken, most, "im2col-rank", "rank", map->rank, "3 to 5");
    if (im2col->channels < 1 || im2col->channels > MAX_CHANNELS)
        return breaks(broken, most, "im2col-channels", "channels", im2col->channels, "1 to 256");
    if (im2col->pixels < 1 || im2col->pixels > MAX_PIXELS)
        return breaks(broken, most, "im2col-pixels", "pixels", im2col->pixels, "1 to 1024");
    if (map->swizzle && line_bytes > (unsigned)SWB_TMA_CHUNK_BYTES << map->swizzle)
        return breaks(broken, most, "im2col-channels-span", "bytes of the channels", line_bytes,
                      "at most the span of the swizzle");
    for (unsigned i = 0; i + 2 < map->rank; i++) {
        int32_t limit = corners[map->rank].limit, low = im2col->lower[i], high = im2col->upper[i];
        if (low < -limit || low >= limit || high < -limit || high >= limit)
            return breaks(broken, most, "im2col-corner", "a corner",
                          low < -limit || low >= limit ? low : high, corners[map->rank].words);
    }
    return 0;
}
