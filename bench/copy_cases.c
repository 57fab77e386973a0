/* Which tiles does the family copy move, which way, and into which layouts? */
#include "bench/copy_cases.h"

#include <stdio.h>
#include <string.h>

/* ---- What there is to combine -------------------------------------------------------------- */

/* clang-format off */
static const struct copy_way ways[] = {
    {"plain-load", "plain_loads", COPY_PLAIN, 16, false, false, 80, false},
    {"plain-store", "plain_stores", COPY_PLAIN, 16, false, true, 80, false},
    {"ld-st.4", "ld_st_4", COPY_REGISTERS, 4, false, false, 80, false},
    {"ld-st.8", "ld_st_8", COPY_REGISTERS, 8, false, false, 80, false},
    {"ld-st.16", "ld_st_16", COPY_REGISTERS, 16, false, false, 80, false},
    {"cp.async.ca.4", "ca_4", COPY_ASYNC, 4, false, false, 80, false},
    {"cp.async.ca.8", "ca_8", COPY_ASYNC, 8, false, false, 80, false},
    {"cp.async.ca.16", "ca_16", COPY_ASYNC, 16, false, false, 80, false},
    {"cp.async.cg.16", "cg_16", COPY_ASYNC, 16, true, false, 80, false},
    {"bulk-load", "bulk_load", COPY_BULK, 0, false, false, 90, false},
    {"tma-load", "tma_load", COPY_TMA, 0, false, false, 90, false},
    {"tma-load.whole", "tma_load_whole", COPY_TMA, 0, false, false, 90, true},
    {"back.4", "back_4", COPY_REGISTERS, 4, false, true, 80, false},
    {"back.8", "back_8", COPY_REGISTERS, 8, false, true, 80, false},
    {"back.16", "back_16", COPY_REGISTERS, 16, false, true, 80, false},
    {"bulk-store", "bulk_store", COPY_BULK, 0, false, true, 90, false},
    {"tma-store", "tma_store", COPY_TMA, 0, false, true, 90, false},
    {"tma-store.whole", "tma_store_whole", COPY_TMA, 0, false, true, 90, true},
};
/* clang-format on */
enum { WAYS = sizeof ways / sizeof ways[0] };

const struct copy_way *copy_way_find(const char *name)
{
    for (const struct copy_way *way = ways; way < ways + WAYS; way++)
        if (strcmp(way->name, name) == 0)
            return way;
    return NULL;
}

/* Lines and bytes of a line. */
static const struct {
    unsigned lines, line_bytes;
} tiles[] = {{64, 64}, {64, 128}, {8, 64}, {16, 64}, {128, 128}, {64, 256}};
enum { TILES = sizeof tiles / sizeof tiles[0] };

enum layout_set { ROWS = 1, K_MAJOR = 2, MN_MAJOR = 4, EVERY = 7 };
static const struct {
    const char *name;
    enum layout_set set;
} layouts[] = {
    {"linear", ROWS},     {"padded", ROWS},      {"K/none", K_MAJOR},   {"K/32B", K_MAJOR},
    {"K/64B", K_MAJOR},   {"K/128B", K_MAJOR},   {"MN/none", MN_MAJOR}, {"MN/32B", MN_MAJOR},
    {"MN/64B", MN_MAJOR}, {"MN/128B", MN_MAJOR},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

enum way_set { PLAIN = 1, LANES = 2, BULK = 4, TENSOR = 8, LOADS = 16, STORES = 32 };
enum tile_set { USUAL = 1 << 0 | 1 << 1, OTHERS = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 };

struct sweep {
    unsigned ways, tiles, layouts; /* sets */
    unsigned orders, sources;      /* the first so many */
    unsigned first_source;
    unsigned least_stages, most_stages;
    bool packed;
};

/* clang-format off */
static const struct sweep sweeps[] = {
    {LANES | TENSOR | LOADS, USUAL, ROWS | K_MAJOR, 2, 2, 0, 4, 4, false},
    {BULK | LOADS | STORES, USUAL, ROWS, 1, 2, 0, 4, 4, false},
    {BULK | LOADS | STORES, USUAL, ROWS, 1, 2, 0, 4, 4, true},
    {LANES | TENSOR | STORES, USUAL, ROWS | K_MAJOR, 1, 1, 0, 4, 4, false},
    {PLAIN | LOADS | STORES, USUAL, ROWS, 1, 2, 0, 1, 1, true},

    {LANES | TENSOR | LOADS, OTHERS, ROWS | K_MAJOR, 2, 2, 0, 4, 4, false}, /* --full from here */
    {LANES | TENSOR | STORES, OTHERS, ROWS | K_MAJOR, 1, 1, 0, 4, 4, false},
    {LANES | TENSOR | STORES, USUAL | OTHERS, ROWS | K_MAJOR, 1, 1, 1, 4, 4, false},
    {LANES | TENSOR | LOADS | STORES, USUAL | OTHERS, MN_MAJOR, 1, 2, 0, 4, 4, false},
    {LANES | TENSOR | LOADS | STORES, USUAL | OTHERS, EVERY, 1, 2, 0, 1, 3, false},
    {BULK | LOADS | STORES, OTHERS, ROWS, 1, 2, 0, 4, 4, false},
    {BULK | LOADS | STORES, OTHERS, ROWS, 1, 2, 0, 4, 4, true},
    {BULK | LOADS | STORES, USUAL | OTHERS, ROWS, 1, 2, 0, 1, 3, false},
    {BULK | LOADS | STORES, USUAL | OTHERS, K_MAJOR | MN_MAJOR, 1, 2, 0, 1, 4, false},
};
/* clang-format on */
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0], DEFAULT_SWEEPS = 5 };

/* ---- Combining ----------------------------------------------------------------------------- */

static bool has_way(unsigned set, const struct copy_way *way)
{
    static const enum way_set kinds[] = {[COPY_REGISTERS] = LANES,
                                         [COPY_ASYNC] = LANES,
                                         [COPY_BULK] = BULK,
                                         [COPY_TMA] = TENSOR,
                                         [COPY_PLAIN] = PLAIN};
    return set & kinds[way->kind] && set & (way->back ? STORES : LOADS);
}

static struct swb_tile tile_of(unsigned tile, unsigned layout)
{
    struct swb_tile t = {.elem_bits = COPY_ELEM_BITS, .stack = SWB_STACK_COL};
    unsigned elements = tiles[tile].line_bytes * 8 / COPY_ELEM_BITS;
    t.mode = swb_layout_find(layouts[layout].name, &t.major);
    t.rows = t.major == SWB_K_MAJOR ? tiles[tile].lines : elements;
    t.cols = t.major == SWB_K_MAJOR ? elements : tiles[tile].lines;
    return t;
}

static bool has_stacks(const struct swb_tile *t)
{
    return t->mode->span_bytes && swb_tile_lines(t) > t->mode->atom_lines &&
           swb_tile_line_bytes(t) > t->mode->span_bytes;
}

static bool goes(const struct copy_way *way, const struct swb_tile *t)
{
    if (way->kind == COPY_TMA && t->mode->pad_bytes)
        return false; /* a box begins at a multiple of 128 bytes */
    if (way->whole && (!t->mode->span_bytes || swb_tile_line_bytes(t) == t->mode->span_bytes))
        return false; /* a box of rank 2 takes it whole */
    return !swb_tile_refusal(t);
}

/* Combinations of a sweep with one way, tile and layout. The orders are one where shared memory
 * has the lines as they are. */
struct block {
    unsigned stacks, orders, sources, stages;
};

static unsigned size_of(const struct block *b)
{
    return b->stacks * b->orders * b->sources * b->stages;
}

static struct block block_of(const struct sweep *s, const struct copy_way *way, unsigned tile,
                             unsigned layout)
{
    struct block none = {0, 0, 0, 0};
    if (!has_way(s->ways, way) || !(s->tiles >> tile & 1) || !(s->layouts & layouts[layout].set))
        return none;
    if (way->kind == COPY_PLAIN)
        return tile || layout ? none : (struct block){1, 1, s->sources, 1};
    struct swb_tile t = tile_of(tile, layout);
    if (!goes(way, &t))
        return none;
    return (struct block){has_stacks(&t) ? 2 : 1,
                          t.mode->span_bytes && way->lane_bytes ? s->orders : 1, s->sources,
                          s->most_stages - s->least_stages + 1};
}

static struct copy_case case_of(const struct sweep *s, const struct copy_way *way, unsigned tile,
                                unsigned layout, const struct block *b, unsigned i)
{
    struct copy_case c = {.way = way, .tile = tile_of(tile, layout), .packed = s->packed};
    c.stages = s->least_stages + i % b->stages;
    i /= b->stages;
    c.source = s->first_source + i % b->sources;
    i /= b->sources;
    c.order = i % b->orders;
    c.tile.stack = i / b->orders ? SWB_STACK_ROW : SWB_STACK_COL;
    c.stacks = b->stacks > 1;
    return c;
}

/* Case number `index`; or, with `c` NULL, how many there are. */
static size_t find_case(size_t index, bool full, struct copy_case *c)
{
    size_t before = 0;
    for (const struct sweep *s = sweeps; s < sweeps + (full ? SWEEPS : DEFAULT_SWEEPS); s++)
        for (const struct copy_way *way = ways; way < ways + WAYS; way++)
            for (unsigned i = 0; i < TILES * LAYOUTS; i++) {
                struct block b = block_of(s, way, i / LAYOUTS, i % LAYOUTS);
                unsigned size = size_of(&b);
                if (c && index < before + size) {
                    *c = case_of(s, way, i / LAYOUTS, i % LAYOUTS, &b, (unsigned)(index - before));
                    return index;
                }
                before += size;
            }
    return before;
}

size_t copy_case_count(bool full)
{
    return find_case(0, full, NULL);
}

struct copy_case copy_case_at(size_t index)
{
    struct copy_case c = {.way = NULL};
    find_case(index, true, &c);
    return c;
}

/* ---- Names --------------------------------------------------------------------------------- */

const char *copy_source_name(enum copy_source source)
{
    return source == COPY_L2 ? "L2" : "DRAM";
}

void copy_layout_name(const struct copy_case *c, char *name, size_t bytes)
{
    const char *major = c->tile.mode->span_bytes == 0  ? ""
                        : c->tile.major == SWB_K_MAJOR ? "K/"
                                                       : "MN/";
    snprintf(name, bytes, "%s%s", major, c->tile.mode->name);
}

void copy_case_name(const struct copy_case *c, char *name, size_t bytes)
{
    char layout[16];
    copy_layout_name(c, layout, sizeof layout);
    if (c->way->kind == COPY_PLAIN) {
        snprintf(name, bytes, "%s %s", c->way->name, copy_source_name(c->source));
        return;
    }
    snprintf(name, bytes, "%s %ux%uB %s%s%s%s %s stages=%u", c->way->name, swb_tile_lines(&c->tile),
             swb_tile_line_bytes(&c->tile), layout,
             !c->stacks                       ? ""
             : c->tile.stack == SWB_STACK_COL ? " stack=col"
                                              : " stack=row",
             c->order == COPY_ALONG_SHARED ? " order=shared" : "", c->packed ? " packed" : "",
             copy_source_name(c->source), c->stages);
}
