/* Which boxes does the family tma move, and which way? */
#include "bench/tma_cases.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* As cuda.h numbers them. */
enum { U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32_FTZ, TF32, TF32_FTZ, B4, B4_P64, B6 };
enum { NO_SWIZZLE, SWIZZLE_32B, SWIZZLE_64B, SWIZZLE_128B, ATOM_32B, ATOM_32B_FLIP_8B, ATOM_64B };

static const struct way {
    const char *name;
    bool loads, stores, has_map;
} ways[TMA_WAYS] = {
    [TMA_LOAD] = {"load", .loads = true, .has_map = true},
    [TMA_STORE] = {"store", .stores = true, .has_map = true},
    [TMA_REDUCE] = {"reduce-add", .stores = true, .has_map = true},
    [TMA_PREFETCH] = {"prefetch", .has_map = true},
    [TMA_BULK_LOAD] = {"bulk-load", .loads = true},
    [TMA_BULK_STORE] = {"bulk-store", .stores = true},
    [TMA_MULTICAST] = {"multicast", .loads = true, .has_map = true},
    [TMA_IM2COL] = {"im2col", .loads = true, .has_map = true},
    [TMA_PLAIN_LOAD] = {"plain-load"},
};

const char *tma_way_name(enum tma_way way)
{
    return ways[way].name;
}

bool tma_way_loads(enum tma_way way)
{
    return ways[way].loads;
}

bool tma_way_stores(enum tma_way way)
{
    return ways[way].stores;
}

bool tma_way_has_map(enum tma_way way)
{
    return ways[way].has_map;
}

const char *tma_chip_name(enum tma_chip chip)
{
    static const char *const names[] = {"SM", "each-SM", "L2", "DRAM"};
    return names[chip];
}

bool tma_is_whole_chip(enum tma_chip chip)
{
    return chip == TMA_CHIP_L2 || chip == TMA_CHIP_DRAM;
}

/* ---- Tensors ------------------------------------------------------------------------------- */

/* How the lines of the tensor are shared out over dimensions 1, 2 ... of each rank; the last takes
 * what is left. */
static const unsigned shared_out[SWB_TMA_MAX_RANK + 1][SWB_TMA_MAX_RANK - 1] = {
    [2] = {1}, [3] = {64, 1}, [4] = {16, 16, 1}, [5] = {8, 8, 8, 1}};

static void lay_lines(struct swb_tma_map *map, uint64_t line_bytes, uint64_t lines)
{
    uint64_t stride = line_bytes;
    for (unsigned i = 1; i < map->rank; i++) {
        bool last = i + 1 == map->rank;
        map->dims[i] = last ? lines : shared_out[map->rank][i - 1];
        lines /= map->dims[i];
        map->strides[i - 1] = stride;
        stride *= map->dims[i];
    }
}

/* NC/8HWC8: the pixels of one slice of 16 (32) bytes after the other, then the next slice, then the
 * next image. Here a row has 64 pixels, a plane eight rows, a volume eight planes, and a pixel
 * eight slices; W of a rank of 3 is a row. */
static void lay_interleaved(struct swb_tma_map *map, uint64_t tensor_bytes)
{
    uint64_t stride = swb_tma_unit_bits(map) / 8;
    for (unsigned i = 0; i + 1 < map->rank; i++) {
        map->dims[i] = i == 0 ? 64 : 8;
        stride *= map->dims[i];
        map->strides[i] = stride;
    }
    map->dims[map->rank - 1] = tensor_bytes / stride;
}

/* NHWC, 64 channels, rows of 32 pixels, 16 of them an image (8 of 8 in volumes of 8). */
static void lay_images(struct swb_tma_map *map, uint64_t tensor_bytes)
{
    static const uint64_t extents[SWB_TMA_MAX_RANK + 1][SWB_TMA_MAX_RANK] = {
        [3] = {64, 32}, [4] = {64, 32, 16}, [5] = {64, 8, 8, 8}};
    uint64_t stride = swb_tma_elem_bits(map->dtype) / 8;
    for (unsigned i = 0; i + 1 < map->rank; i++) {
        map->dims[i] = extents[map->rank][i];
        stride *= map->dims[i];
        map->strides[i] = stride;
    }
    map->dims[map->rank - 1] = tensor_bytes / stride;
}

static void lay_tensor(struct tma_case *c, uint64_t tensor_bytes)
{
    struct swb_tma_map *map = &c->map;
    unsigned elem_bits = swb_tma_elem_bits(map->dtype);
    uint64_t line_bytes =
        c->packed ? (uint64_t)map->box[0] * elem_bits / 8 : (uint64_t)TMA_LINE_BYTES;
    if (map->rank < 1 || map->rank > SWB_TMA_MAX_RANK || elem_bits == 0)
        return;
    if (map->interleave && map->rank >= 3) {
        lay_interleaved(map, tensor_bytes);
        return;
    }
    if (c->way == TMA_IM2COL) {
        lay_images(map, tensor_bytes);
        return;
    }
    if (map->rank == 1)
        line_bytes = tensor_bytes;
    /* The packed types of 16 elements with gaps want whole groups of 128. */
    map->dims[0] = line_bytes * 8 / elem_bits / 128 * 128;
    if (map->dims[0] == 0 || elem_bits >= 8)
        map->dims[0] = line_bytes * 8 / elem_bits;
    lay_lines(map, line_bytes, tensor_bytes / line_bytes);
}

struct tma_case tma_case_over(const struct tma_case *c, uint64_t tensor_bytes)
{
    struct tma_case other = *c;
    if (tma_way_has_map(c->way))
        lay_tensor(&other, tensor_bytes);
    return other;
}

/* ---- Walking ------------------------------------------------------------------------------- */

uint32_t tma_case_extent(const struct tma_case *c)
{
    if (c->way == TMA_IM2COL)
        return 1;
    return tma_way_has_map(c->way) ? c->map.box[c->map.rank - 1] : c->bulk_bytes;
}

uint32_t tma_case_positions(const struct tma_case *c)
{
    uint32_t extent = tma_case_extent(c);
    uint64_t room = tma_way_has_map(c->way) ? c->map.dims[c->map.rank - 1] : TMA_TENSOR_BYTES;
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++)
        if (c->start[i] != 0 && (c->way != TMA_IM2COL || i == 0 || i + 1 == c->map.rank))
            return 1;
    return extent && room >= extent ? (uint32_t)(room / extent) : 1;
}

/* ---- Names --------------------------------------------------------------------------------- */

static void add(char *name, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(char *name, size_t bytes, const char *format, ...)
{
    size_t used = strlen(name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name + used, bytes - used, format, arguments);
    va_end(arguments);
}

void tma_box_name(const struct tma_case *c, char *name, size_t bytes)
{
    *name = '\0';
    if (!tma_way_has_map(c->way)) {
        if (c->way != TMA_PLAIN_LOAD)
            add(name, bytes, "%u", c->bulk_bytes);
        return;
    }
    if (c->way == TMA_IM2COL) {
        add(name, bytes, "%ux%u", c->im2col.channels, c->im2col.pixels);
        return;
    }
    for (unsigned i = 0; i < c->map.rank && i < SWB_TMA_MAX_RANK; i++)
        add(name, bytes, "%s%u", i ? "x" : "", c->map.box[i]);
}

static void add_list(char *name, size_t bytes, const char *what, const int32_t *list, unsigned rank)
{
    add(name, bytes, " %s=", what);
    for (unsigned i = 0; i < rank && i < SWB_TMA_MAX_RANK; i++)
        add(name, bytes, "%s%" PRId32, i ? ";" : "", list[i]);
}

static bool is_all(const int32_t *list, unsigned count, int32_t value)
{
    for (unsigned i = 0; i < count && i < SWB_TMA_MAX_RANK; i++)
        if (list[i] != value)
            return false;
    return true;
}

static const char *word(enum swb_tma_word word, unsigned value)
{
    const char *name = swb_tma_name(word, value);
    return name ? name : "?";
}

static void add_window(char *name, size_t bytes, const struct tma_case *c)
{
    unsigned dims = c->map.rank - 2;
    int32_t tap[TMA_IM2COL_MAX_DIMS];
    for (unsigned i = 0; i < TMA_IM2COL_MAX_DIMS; i++)
        tap[i] = c->im2col.tap[i];
    add_list(name, bytes, "window", c->im2col.lower, dims);
    add_list(name, bytes, "to", c->im2col.upper, dims);
    add_list(name, bytes, "tap", tap, dims);
}

void tma_case_name(const struct tma_case *c, char *name, size_t bytes)
{
    const struct swb_tma_map *map = &c->map;
    char box[48];
    int32_t steps[SWB_TMA_MAX_RANK];
    tma_box_name(c, box, sizeof box);
    *name = '\0';
    add(name, bytes, "%s", tma_way_name(c->way));
    if (tma_way_has_map(c->way)) {
        for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++)
            steps[i] = (int32_t)map->element_strides[i];
        add(name, bytes, " %s %s %s", word(SWB_TMA_DTYPE, map->dtype), box,
            word(SWB_TMA_SWIZZLE, map->swizzle));
        if (map->interleave)
            add(name, bytes, " interleave=%s", word(SWB_TMA_INTERLEAVE, map->interleave));
        if (c->way == TMA_IM2COL)
            add_window(name, bytes, c);
        if (!is_all(steps, map->rank, 1))
            add_list(name, bytes, "steps", steps, map->rank);
        if (!is_all(c->start, map->rank, 0))
            add_list(name, bytes, "start", c->start, map->rank);
        if (map->oob_fill)
            add(name, bytes, " fill=%s", word(SWB_TMA_OOB_FILL, map->oob_fill));
        if (map->l2_promotion)
            add(name, bytes, " l2=%s", word(SWB_TMA_L2_PROMOTION, map->l2_promotion));
        if (map->rank > 1 && map->strides[0] % 16)
            add(name, bytes, " stride=%" PRIu64, map->strides[0]);
    } else if (*box) {
        add(name, bytes, " %s", box);
    }
    if (c->smem_offset)
        add(name, bytes, " smem=%u", c->smem_offset);
    if (c->cluster_ctas > 1)
        add(name, bytes, " cluster=%u", c->cluster_ctas);
    if (c->chip != TMA_ONE_SM)
        add(name, bytes, " chip=%s", tma_chip_name(c->chip));
}

/* ---- The list ------------------------------------------------------------------------------ */

struct case_list {
    struct tma_case *cases;
    size_t count, default_count, capacity;
};

static void add_case(struct case_list *list, struct tma_case c)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 4096;
        list->cases = realloc(list->cases, list->capacity * sizeof *list->cases);
        if (!list->cases)
            abort();
    }
    list->cases[list->count++] = c;
}

/* What a row of a table leaves at 0 is 1 where 0 would mean nothing; the tensor is laid out. */
static void add_row(struct case_list *list, struct tma_case c)
{
    uint64_t odd_stride = c.map.strides[0];
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++) {
        c.map.box[i] = c.map.box[i] ? c.map.box[i] : 1;
        c.map.element_strides[i] = c.map.element_strides[i] ? c.map.element_strides[i] : 1;
        c.map.dims[i] = 1;
    }
    c.cluster_ctas = c.cluster_ctas ? c.cluster_ctas : 1;
    c = tma_case_over(&c, TMA_TENSOR_BYTES);
    if (odd_stride)
        c.map.strides[0] = odd_stride;
    add_case(list, c);
}

/* -- Every width and height of a bf16 box -- */

static const struct swizzle_case {
    unsigned swizzle, widest_bytes;
} swizzles[] = {{NO_SWIZZLE, 512}, {SWIZZLE_32B, 32}, {SWIZZLE_64B, 64}, {SWIZZLE_128B, 128}};

static const unsigned default_heights[] = {1, 2, 3, 4, 7, 8, 16, 24, 32, 64, 100, 128, 256};

static bool is_default(unsigned height)
{
    for (size_t i = 0; i < LENGTH(default_heights); i++)
        if (default_heights[i] == height)
            return true;
    return false;
}

static void add_geometry(struct case_list *list, bool default_ones)
{
    static const enum tma_way both[] = {TMA_LOAD, TMA_STORE};
    for (size_t w = 0; w < LENGTH(both); w++)
        for (size_t s = 0; s < LENGTH(swizzles); s++)
            for (unsigned width = 16; width <= swizzles[s].widest_bytes; width += 16)
                for (unsigned height = 1; height <= 256; height++)
                    if (is_default(height) == default_ones)
                        add_row(list, (struct tma_case){.way = both[w],
                                                        .map = {.dtype = BF16,
                                                                .rank = 2,
                                                                .box = {width / 2, height},
                                                                .swizzle = swizzles[s].swizzle}});
}

/* -- Everything else, one row a case -- */

#define PROMOTED(wide, high, of_swizzle)                                                           \
    {                                                                                              \
        TMA_LOAD, TMA_CHIP_DRAM,                                                                   \
            {BF16, 2, .box = {wide, high}, .swizzle = of_swizzle, .l2_promotion = 3},              \
            .packed = true                                                                         \
    }
#define WINDOW(...) __VA_ARGS__
#define IM2COL(of_rank, of_channels, of_pixels, of_swizzle, window, ...)                           \
    {                                                                                              \
        TMA_IM2COL, .map = {BF16, of_rank, .swizzle = of_swizzle},                                 \
                    .im2col = {of_channels, of_pixels, window}, __VA_ARGS__                        \
    }

static const struct tma_case others[] = {
    /* element types */
    {TMA_LOAD, .map = {U8, 2, .box = {128, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {U16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {U32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {S32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {U64, 2, .box = {16, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {S64, 2, .box = {16, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {F16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {F32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {F64, 2, .box = {16, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {F32_FTZ, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {TF32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {TF32_FTZ, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {U8, 2, .box = {128, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {U16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {U32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {U64, 2, .box = {16, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {F16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {F32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {F64, 2, .box = {16, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {U8, 2, .box = {256, 64}}},
    {TMA_LOAD, .map = {U32, 2, .box = {256, 32}}},
    {TMA_LOAD, .map = {U64, 2, .box = {256, 16}}},
    {TMA_STORE, .map = {U64, 2, .box = {256, 16}}},

    /* the same bytes in other shapes: 512, then 8192 */
    {TMA_LOAD, .map = {BF16, 1, .box = {256}}},
    {TMA_LOAD, .map = {BF16, 3, .box = {32, 4, 2}}},
    {TMA_LOAD, .map = {BF16, 4, .box = {32, 2, 2, 2}}},
    {TMA_LOAD, .map = {BF16, 5, .box = {16, 2, 2, 2, 2}}},
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 8, 8}}},
    {TMA_LOAD, .map = {BF16, 4, .box = {64, 4, 4, 4}}},
    {TMA_LOAD, .map = {BF16, 5, .box = {64, 4, 4, 2, 2}}},
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 8, 8}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 4, .box = {64, 4, 4, 4}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 5, .box = {64, 4, 4, 2, 2}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 3, .box = {8, 64, 8}}},
    {TMA_STORE, .map = {BF16, 1, .box = {256}}},
    {TMA_STORE, .map = {BF16, 3, .box = {64, 8, 8}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {BF16, 4, .box = {64, 4, 4, 4}, .swizzle = SWIZZLE_128B}},
    {TMA_STORE, .map = {BF16, 5, .box = {64, 4, 4, 2, 2}, .swizzle = SWIZZLE_128B}},

    /* interleaved tensors: slices of 16 bytes, of 32, and whatever swizzle the driver takes */
    {TMA_LOAD, .map = {BF16, 3, .box = {8, 1, 4}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 8, 2}, .interleave = 1}},
    {TMA_LOAD, .map = {U8, 3, .box = {16, 16, 2}, .interleave = 1}},
    {TMA_LOAD, .map = {F32, 3, .box = {16, 4, 2}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .interleave = 1}, .start = {4, 3, 5}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .interleave = 1}, .start = {-5, 0, -1}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .interleave = 1}, .start = {56, 8, 2}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .element_strides = {1, 1, 2}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .element_strides = {2, 1, 1}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .interleave = 1, .swizzle = SWIZZLE_32B}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 8, 4}, .interleave = 1, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 4, .box = {16, 4, 8, 2}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 5, .box = {16, 4, 2, 8, 2}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 16, 4}, .interleave = 2}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 16, 4}, .interleave = 2, .swizzle = SWIZZLE_32B}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 16, 4}, .interleave = 2, .swizzle = SWIZZLE_64B}},
    {TMA_LOAD, .map = {BF16, 3, .box = {16, 16, 4}, .interleave = 2, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 4, .box = {32, 4, 16, 2}, .interleave = 2, .swizzle = SWIZZLE_32B}},
    {TMA_STORE, .map = {BF16, 3, .box = {8, 8, 4}, .interleave = 1}},
    {TMA_STORE, .map = {BF16, 4, .box = {16, 4, 8, 2}, .interleave = 1}},
    {TMA_STORE, .map = {BF16, 3, .box = {16, 16, 4}, .interleave = 2, .swizzle = SWIZZLE_32B}},

    /* pixels of images, as a convolution with 3 x 3 taps and padding takes them, and without */
    IM2COL(4, 64, 64, SWIZZLE_128B, WINDOW({-1, -1}, {-1, -1}, {0, 0}), .start = {0, -1, -1}),
    IM2COL(4, 64, 64, SWIZZLE_128B, WINDOW({-1, -1}, {-1, -1}, {1, 1}), .start = {0, -1, -1}),
    IM2COL(4, 64, 64, SWIZZLE_128B, WINDOW({-1, -1}, {-1, -1}, {2, 2}), .start = {0, -1, -1}),
    IM2COL(4, 64, 64, SWIZZLE_128B, WINDOW({0, 0}, {-2, -2}, {1, 2}), .start = {0, 3, 2}),
    IM2COL(4, 64, 128, SWIZZLE_128B, WINDOW({0, 0}, {0, 0}, {0, 0}), .start = {0}),
    IM2COL(4, 64, 600, NO_SWIZZLE, WINDOW({0, 0}, {0, 0}, {0, 0}), .start = {0}),
    IM2COL(4, 32, 64, SWIZZLE_64B, WINDOW({-1, -1}, {-1, -1}, {1, 1}), .start = {0, -1, -1}),
    IM2COL(4, 16, 64, SWIZZLE_32B, WINDOW({-1, -1}, {-1, -1}, {1, 1}), .start = {16, -1, -1}),
    IM2COL(4, 32, 64, SWIZZLE_128B, WINDOW({-1, -1}, {-1, -1}, {1, 0}), .start = {0, -1, -1}),
    IM2COL(4, 8, 64, NO_SWIZZLE, WINDOW({-1, -1}, {-1, -1}, {0, 2}), .start = {0, -1, -1}),
    IM2COL(4, 24, 64, NO_SWIZZLE, WINDOW({-1, -1}, {-1, -1}, {1, 1}), .start = {0, -1, -1}),
    IM2COL(4, 128, 32, NO_SWIZZLE, WINDOW({0, 0}, {0, 0}, {0, 0}), .start = {0}),
    {TMA_IM2COL, .map = {BF16, 4, .element_strides = {1, 2, 2}, .swizzle = SWIZZLE_128B},
     .start = {0, -1, -1}, .im2col = {64, 64, WINDOW({-1, -1}, {-1, -1}, {1, 1})}},
    {TMA_IM2COL, .map = {U8, 4, .swizzle = SWIZZLE_64B}, .start = {0, -1, -1},
     .im2col = {64, 64, WINDOW({-1, -1}, {-1, -1}, {1, 1})}},
    {TMA_IM2COL, .map = {F32, 4, .swizzle = SWIZZLE_128B}, .start = {0, -1, -1},
     .im2col = {32, 64, WINDOW({-1, -1}, {-1, -1}, {1, 1})}},
    IM2COL(3, 64, 64, SWIZZLE_128B, WINDOW({-1}, {-1}, {2}), .start = {0, -1}),
    IM2COL(3, 64, 64, SWIZZLE_128B, WINDOW({0}, {0}, {0}), .start = {0}),
    IM2COL(5, 64, 64, SWIZZLE_128B, WINDOW({-1, -1, -1}, {-1, -1, -1}, {0, 1, 2}),
           .start = {0, -1, -1, -1}),
    IM2COL(5, 64, 64, SWIZZLE_128B, WINDOW({0, 0, 0}, {0, 0, 0}, {0, 0, 0}), .start = {0}),
    IM2COL(4, 257, 8, NO_SWIZZLE, WINDOW({0, 0}, {0, 0}, {0, 0}), .start = {0}),
    IM2COL(4, 16, 1025, NO_SWIZZLE, WINDOW({0, 0}, {0, 0}, {0, 0}), .start = {0}),
    IM2COL(4, 128, 32, SWIZZLE_128B, WINDOW({0, 0}, {0, 0}, {0, 0}), .start = {0}),
    IM2COL(4, 64, 32, SWIZZLE_128B, WINDOW({-129, 0}, {0, 0}, {0, 0}), .start = {0}),

    /* element strides */
    {TMA_LOAD,
     .map = {BF16, 2, .box = {64, 64}, .element_strides = {1, 2}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD,
     .map = {BF16, 2, .box = {64, 63}, .element_strides = {1, 2}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD,
     .map = {BF16, 2, .box = {64, 64}, .element_strides = {2, 1}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 8, 8}, .element_strides = {1, 2, 2}}},
    {TMA_STORE,
     .map = {BF16, 2, .box = {64, 64}, .element_strides = {1, 2}, .swizzle = SWIZZLE_128B}},

    /* L2 promotion */
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B, .l2_promotion = 1}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B, .l2_promotion = 2}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B, .l2_promotion = 3}},
    {TMA_LOAD, .map = {BF16, 2, .box = {8, 64}, .l2_promotion = 1}},
    {TMA_LOAD, .map = {BF16, 2, .box = {8, 64}, .l2_promotion = 2}},
    {TMA_LOAD, .map = {BF16, 2, .box = {8, 64}, .l2_promotion = 3}},

    /* partly, and wholly, outside the tensor, and filled; or off the sectors */
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {1, 0}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {8, 3}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {-8, 0}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {0, -20}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {1000, 8150}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {997, 0}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {-3, -1}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {2000, 0}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B, .oob_fill = 1},
     .start = {1000, 8150}},
    {TMA_LOAD, .map = {F16, 2, .box = {64, 64}, .oob_fill = 1}, .start = {-8, -20}},
    {TMA_LOAD, .map = {F32, 2, .box = {32, 64}, .oob_fill = 1}, .start = {-8, -20}},
    {TMA_LOAD, .map = {F64, 2, .box = {16, 64}, .oob_fill = 1}, .start = {-8, -20}},
    {TMA_LOAD, .map = {U8, 2, .box = {128, 64}}, .start = {-16, -20}},
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 8, 8}}, .start = {-8, 60, 124}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B, .oob_fill = 1}},
    {TMA_STORE, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {-8, -20}},
    {TMA_STORE, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {1000, 8150}},
    {TMA_STORE, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {1, 0}},
    {TMA_STORE, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {-3, 0}},
    {TMA_REDUCE, .map = {U32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}, .start = {-8, 0}},
    {TMA_REDUCE, .map = {U32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}, .start = {504, 8150}},
    {TMA_PREFETCH, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {-8, -20}},
    {TMA_PREFETCH, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .start = {4, 0}},

    /* where shared memory does not begin with the swizzle's pattern */
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .smem_offset = 128},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .smem_offset = 640},
    {TMA_LOAD, .map = {BF16, 2, .box = {32, 64}, .swizzle = SWIZZLE_64B}, .smem_offset = 384},
    {TMA_LOAD, .map = {BF16, 2, .box = {16, 64}, .swizzle = SWIZZLE_32B}, .smem_offset = 128},
    {TMA_LOAD, .map = {BF16, 2, .box = {40, 64}}, .smem_offset = 896},
    {TMA_STORE, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .smem_offset = 640},

    /* reductions */
    {TMA_REDUCE, .map = {U32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_REDUCE, .map = {S32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_REDUCE, .map = {U64, 2, .box = {16, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_REDUCE, .map = {F16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_REDUCE, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_REDUCE, .map = {F32, 2, .box = {32, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_REDUCE, .map = {BF16, 2, .box = {8, 64}}},
    {TMA_REDUCE, .map = {BF16, 2, .box = {256, 16}}},
    {TMA_REDUCE, .map = {U32, 1, .box = {256}}},
    {TMA_REDUCE, .map = {U32, 3, .box = {32, 8, 8}}},
    {TMA_REDUCE, .map = {U32, 4, .box = {32, 4, 4, 4}}},
    {TMA_REDUCE, .map = {U32, 5, .box = {32, 4, 4, 2, 2}}},

    /* prefetches into L2 */
    {TMA_PREFETCH, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_PREFETCH, .map = {BF16, 2, .box = {8, 64}}},
    {TMA_PREFETCH, .map = {BF16, 2, .box = {256, 64}}},
    {TMA_PREFETCH, .map = {BF16, 1, .box = {256}}},
    {TMA_PREFETCH, .map = {BF16, 3, .box = {64, 8, 8}}},
    {TMA_PREFETCH, .map = {BF16, 4, .box = {64, 4, 4, 4}}},
    {TMA_PREFETCH, .map = {BF16, 5, .box = {64, 4, 4, 2, 2}}},

    /* copies without a tensor map */
    {TMA_BULK_LOAD, .bulk_bytes = 16},
    {TMA_BULK_LOAD, .bulk_bytes = 32},
    {TMA_BULK_LOAD, .bulk_bytes = 48},
    {TMA_BULK_LOAD, .bulk_bytes = 128},
    {TMA_BULK_LOAD, .bulk_bytes = 512},
    {TMA_BULK_LOAD, .bulk_bytes = 1024},
    {TMA_BULK_LOAD, .bulk_bytes = 2048},
    {TMA_BULK_LOAD, .bulk_bytes = 8192},
    {TMA_BULK_LOAD, .bulk_bytes = 16384},
    {TMA_BULK_LOAD, .bulk_bytes = 65536},
    {TMA_BULK_STORE, .bulk_bytes = 16},
    {TMA_BULK_STORE, .bulk_bytes = 32},
    {TMA_BULK_STORE, .bulk_bytes = 48},
    {TMA_BULK_STORE, .bulk_bytes = 128},
    {TMA_BULK_STORE, .bulk_bytes = 512},
    {TMA_BULK_STORE, .bulk_bytes = 1024},
    {TMA_BULK_STORE, .bulk_bytes = 2048},
    {TMA_BULK_STORE, .bulk_bytes = 8192},
    {TMA_BULK_STORE, .bulk_bytes = 16384},
    {TMA_BULK_STORE, .bulk_bytes = 65536},

    /* clusters */
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 8}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 256}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {8, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {16, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {24, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {32, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {40, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {48, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {56, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {72, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {8, 64}, .swizzle = SWIZZLE_32B}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {24, 64}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {32, 64}}, .start = {8, 0}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {16, 64}}, .start = {16, 0}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {256, 64}}, .cluster_ctas = 2},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 8}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 4},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 4},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {64, 256}, .swizzle = SWIZZLE_128B}, .cluster_ctas = 4},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {8, 64}}, .cluster_ctas = 4},
    {TMA_MULTICAST, .map = {BF16, 2, .box = {256, 64}}, .cluster_ctas = 4},

    /* what the driver should refuse */
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = ATOM_32B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = ATOM_32B_FLIP_8B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .swizzle = ATOM_64B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {24, 64}, .swizzle = SWIZZLE_32B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {40, 64}, .swizzle = SWIZZLE_64B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {72, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {256, 64}, .swizzle = SWIZZLE_128B}},
    {TMA_LOAD, .map = {BF16, 2, .box = {12, 64}}},
    {TMA_LOAD, .map = {BF16, 2, .box = {4, 64}}},
    {TMA_LOAD, .map = {BF16, 2, .box = {264, 64}}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 257}}},
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 64, 29}}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .element_strides = {1, 9}}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .interleave = 1}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .strides = {2056}}},
    {TMA_LOAD, .map = {U16, 2, .box = {64, 64}, .oob_fill = 1}},
    {TMA_LOAD, .map = {BF16, 2, .box = {64, 64}, .l2_promotion = 4}},
    {TMA_LOAD, .map = {B4, 2, .box = {128, 64}}},
    {TMA_LOAD, .map = {B4_P64, 2, .box = {128, 64}}},
    {TMA_LOAD, .map = {B6, 2, .box = {128, 64}}},
    {TMA_STORE, .map = {BF16, 2, .box = {64, 64}, .swizzle = ATOM_32B}},
    /* the largest box, and one that the driver takes though no kernel has room for it */
    {TMA_LOAD, .map = {BF16, 3, .box = {64, 64, 28}}},
    {TMA_LOAD, .map = {BF16, 3, .box = {8, 256, 8}, .swizzle = SWIZZLE_128B}},

    /* the SMs, one after the other */
    {TMA_LOAD, TMA_EACH_SM, {BF16, 2, .box = {8, 64}}, .packed = false},
    {TMA_LOAD, TMA_EACH_SM, {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .packed = false},
    {TMA_LOAD, TMA_EACH_SM, {BF16, 2, .box = {256, 32}}, .packed = false},
    {TMA_BULK_LOAD, TMA_EACH_SM, .bulk_bytes = 16384},
    {TMA_STORE, TMA_EACH_SM, {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .packed = false},
    {TMA_BULK_STORE, TMA_EACH_SM, .bulk_bytes = 16384},

    /* the whole GPU */
    {.way = TMA_PLAIN_LOAD, .chip = TMA_CHIP_L2},
    {TMA_LOAD, TMA_CHIP_L2, {BF16, 2, .box = {8, 256}}, .packed = true},
    {TMA_LOAD, TMA_CHIP_L2, {BF16, 2, .box = {16, 256}, .swizzle = SWIZZLE_32B}, .packed = true},
    {TMA_LOAD, TMA_CHIP_L2, {BF16, 2, .box = {32, 128}, .swizzle = SWIZZLE_64B}, .packed = true},
    {TMA_LOAD, TMA_CHIP_L2, {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .packed = true},
    {TMA_LOAD, TMA_CHIP_L2, {BF16, 2, .box = {64, 128}, .swizzle = SWIZZLE_128B}, .packed = true},
    {TMA_LOAD, TMA_CHIP_L2, {BF16, 2, .box = {256, 32}}, .packed = true},
    {TMA_LOAD, TMA_CHIP_L2, {U64, 2, .box = {256, 8}}, .packed = true},
    {TMA_BULK_LOAD, TMA_CHIP_L2, .bulk_bytes = 8192},
    {TMA_BULK_LOAD, TMA_CHIP_L2, .bulk_bytes = 16384},
    {TMA_STORE, TMA_CHIP_L2, {BF16, 2, .box = {8, 256}}, .packed = true},
    {TMA_STORE, TMA_CHIP_L2, {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .packed = true},
    {TMA_STORE, TMA_CHIP_L2, {BF16, 2, .box = {256, 32}}, .packed = true},
    {TMA_BULK_STORE, TMA_CHIP_L2, .bulk_bytes = 8192},
    {.way = TMA_PLAIN_LOAD, .chip = TMA_CHIP_DRAM},
    {TMA_LOAD, TMA_CHIP_DRAM, {BF16, 2, .box = {8, 256}}, .packed = true},
    {TMA_LOAD, TMA_CHIP_DRAM, {BF16, 2, .box = {16, 256}, .swizzle = SWIZZLE_32B}, .packed = true},
    {TMA_LOAD, TMA_CHIP_DRAM, {BF16, 2, .box = {32, 128}, .swizzle = SWIZZLE_64B}, .packed = true},
    PROMOTED(8, 256, NO_SWIZZLE),
    PROMOTED(16, 256, SWIZZLE_32B),
    PROMOTED(32, 128, SWIZZLE_64B),
    {TMA_LOAD, TMA_CHIP_DRAM, {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .packed = true},
    PROMOTED(64, 64, SWIZZLE_128B),
    {TMA_LOAD, TMA_CHIP_DRAM, {BF16, 2, .box = {64, 128}, .swizzle = SWIZZLE_128B}, .packed = true},
    {TMA_LOAD, TMA_CHIP_DRAM, {BF16, 2, .box = {256, 32}}, .packed = true},
    {TMA_LOAD, TMA_CHIP_DRAM, {U64, 2, .box = {256, 8}}, .packed = true},
    {TMA_BULK_LOAD, TMA_CHIP_DRAM, .bulk_bytes = 8192},
    {TMA_BULK_LOAD, TMA_CHIP_DRAM, .bulk_bytes = 16384},
    {TMA_STORE, TMA_CHIP_DRAM, {BF16, 2, .box = {8, 256}}, .packed = true},
    {TMA_STORE, TMA_CHIP_DRAM, {BF16, 2, .box = {64, 64}, .swizzle = SWIZZLE_128B}, .packed = true},
    {TMA_STORE, TMA_CHIP_DRAM, {BF16, 2, .box = {256, 32}}, .packed = true},
    {TMA_BULK_STORE, TMA_CHIP_DRAM, .bulk_bytes = 8192},
};

/* Made from the constant tables when first asked for, and only read from then on. */
static const struct case_list *all_cases(void)
{
    static struct case_list list;
    if (!list.count) {
        add_geometry(&list, true);
        for (size_t i = 0; i < LENGTH(others); i++)
            add_row(&list, others[i]);
        list.default_count = list.count;
        add_geometry(&list, false);
    }
    return &list;
}

size_t tma_case_count(bool full)
{
    return full ? all_cases()->count : all_cases()->default_count;
}

const struct tma_case *tma_case_at(size_t index)
{
    return &all_cases()->cases[index];
}
