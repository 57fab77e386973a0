/* What does an access to shared memory cost, for each instruction, layout, element width and way
 * of sharing out a tile? */
#include "bench/access_columns.h"
#include "bench/access_names.h"
#include "bench/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cases --------------------------------------------------------------------------------- */

struct instruction_case {
    const char *name;
    bool bypass_l1, full_only;
};

static const struct instruction_case instructions[] = {
    {.name = "ld.shared.b32"},     {.name = "ld.shared.b64"},
    {.name = "ld.shared.b128"},    {.name = "st.shared.b32"},
    {.name = "st.shared.b64"},     {.name = "st.shared.b128"},
    {.name = "ldmatrix.x1"},       {.name = "ldmatrix.x2"},
    {.name = "ldmatrix.x4"},       {.name = "ldmatrix.x1.trans"},
    {.name = "ldmatrix.x2.trans"}, {.name = "ldmatrix.x4.trans"},
    {.name = "stmatrix.x1"},       {.name = "stmatrix.x2"},
    {.name = "stmatrix.x4"},       {.name = "stmatrix.x1.trans"},
    {.name = "stmatrix.x2.trans"}, {.name = "stmatrix.x4.trans"},
    {.name = "cp.async.4"},        {.name = "cp.async.8"},
    {.name = "cp.async.16"},       {.name = "cp.async.16", .bypass_l1 = true},
};

static const struct layout_case {
    const char *name;
    bool full_only;
} layouts[] = {
    {.name = "linear"},
    {.name = "padded"},
    {.name = "K/none"},
    {.name = "K/32B"},
    {.name = "K/64B"},
    {.name = "K/128B"},
    {.name = "MN/none"},
    {.name = "MN/32B"},
    {.name = "MN/64B"},
    {.name = "MN/128B"},
    {.name = "K/128B-atom32B"},
    {.name = "K/128B-atom32B-flip8B"},
    {.name = "K/128B-atom64B"},
    {.name = "MN/128B-atom32B"},
    {.name = "MN/128B-atom32B-flip8B"},
    {.name = "MN/128B-atom64B"},
    {.name = "K/4B-atom"},
    {.name = "MN/4B-atom", .full_only = true},
};

/* Tiles by line and lines, 8 KiB by default: a line is what lies along the contiguous dimension. */
static const struct tile_case {
    unsigned elem_bits, line_elements, lines;
    enum { ALL_LAYOUTS, PLAIN_LAYOUTS, ATOM_LAYOUTS } layouts; /* plain: linear and padded */
    bool full_only;
} tiles[] = {
    {.elem_bits = 8, .line_elements = 128, .lines = 64},
    {.elem_bits = 16, .line_elements = 64, .lines = 64},
    {.elem_bits = 32, .line_elements = 64, .lines = 32},
    {.elem_bits = 16, .line_elements = 16, .lines = 64, .layouts = PLAIN_LAYOUTS},
    {.elem_bits = 16, .line_elements = 32, .lines = 64, .layouts = PLAIN_LAYOUTS},
    {.elem_bits = 16, .line_elements = 128, .lines = 32, .layouts = PLAIN_LAYOUTS},
    {.elem_bits = 8, .line_elements = 256, .lines = 64, .full_only = true},
    {.elem_bits = 16, .line_elements = 128, .lines = 64, .full_only = true},
    {.elem_bits = 32, .line_elements = 64, .lines = 64, .full_only = true},
    {.elem_bits = 16, .line_elements = 16, .lines = 128, .full_only = true},
    {.elem_bits = 16, .line_elements = 32, .lines = 64, .layouts = ATOM_LAYOUTS, .full_only = true},
    {.elem_bits = 8, .line_elements = 32, .lines = 128, .full_only = true},
    {.elem_bits = 32, .line_elements = 16, .lines = 128, .full_only = true},
};

static const struct shape_case {
    enum access_shape shape;
    bool of_cp_async; /* a copy is filled in rows; nobody copies down the lines */
} shapes[] = {
    {ACCESS_SUBTILE, false}, {ACCESS_BLOCK, false},    {ACCESS_ROWS, true},
    {ACCESS_COLUMNS, false}, {ACCESS_FRAGMENT, false},
};

static const unsigned ladder_ways[] = {1, 2, 4, 8, 16, 32};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

struct shared_case {
    const struct instruction_case *instruction;
    const struct layout_case *layout; /* NULL: a ladder */
    const struct tile_case *tile;
    enum swb_stack stack;
    enum access_shape shape;
    unsigned ways;
};

static struct swb_tile tile_of(const struct shared_case *c)
{
    struct swb_tile tile = {.stack = c->stack, .elem_bits = c->tile->elem_bits};
    tile.mode = swb_layout_find(c->layout->name, &tile.major);
    bool k_major = tile.major == SWB_K_MAJOR;
    tile.rows = k_major ? c->tile->lines : c->tile->line_elements;
    tile.cols = k_major ? c->tile->line_elements : c->tile->lines;
    return tile;
}

/* The next atom in memory is the next along the lines, as when a box of the layout is filled. */
static enum swb_stack usual_stack(const struct shared_case *c)
{
    return tile_of(c).major == SWB_K_MAJOR ? SWB_STACK_ROW : SWB_STACK_COL;
}

static bool is_plain(const struct swb_layout_mode *mode)
{
    return mode->span_bytes == 0;
}

static const char *make_plan(const struct shared_case *c, struct access_plan *plan)
{
    const struct swb_instruction *instruction = swb_instruction_find(c->instruction->name);
    if (!c->layout)
        return access_plan_ladder(plan, instruction, c->ways);
    struct swb_tile tile = tile_of(c);
    const char *why = access_plan_tile(plan, instruction, &tile, c->shape);
    plan->bypass_l1 = c->instruction->bypass_l1;
    return why;
}

/* ---- The list of cases: a walk over the tables, default cases first ------------------------- */

struct case_list {
    struct shared_case *cases;
    size_t count, default_count, capacity;
};

static void add_case(struct case_list *list, struct shared_case c)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->cases = realloc(list->cases, list->capacity * sizeof *list->cases);
        if (!list->cases)
            abort();
    }
    list->cases[list->count++] = c;
}

static void add_tiled(struct case_list *list, struct shared_case c, bool full)
{
    struct swb_tile tile = tile_of(&c);
    const struct swb_instruction *instruction = swb_instruction_find(c.instruction->name);
    bool full_only = c.instruction->full_only || c.layout->full_only || c.tile->full_only;

    if (c.tile->layouts != ALL_LAYOUTS && (c.tile->layouts == PLAIN_LAYOUTS) != is_plain(tile.mode))
        return;
    for (size_t s = 0; s < LENGTH(shapes); s++) {
        if (instruction->kind == SWB_CP_ASYNC && !shapes[s].of_cp_async)
            continue;
        c.shape = shapes[s].shape;
        c.stack = usual_stack(&c);
        if (access_plan_refusal(instruction, &tile, c.shape))
            continue;
        if (full_only == full)
            add_case(list, c);
        c.stack = c.stack == SWB_STACK_ROW ? SWB_STACK_COL : SWB_STACK_ROW;
        if (full && access_stacks_both_ways(&tile))
            add_case(list, c);
    }
}

static void add_ladder(struct case_list *list, struct shared_case c)
{
    const struct swb_instruction *instruction = swb_instruction_find(c.instruction->name);
    c.shape = ACCESS_LADDER;
    if (instruction->kind == SWB_CP_ASYNC)
        return;
    for (size_t w = 0; w < LENGTH(ladder_ways); w++) {
        c.ways = ladder_ways[w];
        if (!instruction->matrices || c.ways <= 8)
            add_case(list, c);
    }
}

static void add_cases(struct case_list *list, bool full)
{
    for (size_t i = 0; i < LENGTH(instructions); i++) {
        struct shared_case c = {.instruction = &instructions[i]};
        if (c.instruction->full_only == full)
            add_ladder(list, c);
        for (size_t t = 0; t < LENGTH(tiles); t++)
            for (size_t l = 0; l < LENGTH(layouts); l++) {
                c.tile = &tiles[t];
                c.layout = &layouts[l];
                add_tiled(list, c, full);
            }
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

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return full ? all_cases()->count : all_cases()->default_count;
}

/* ---- Predict ------------------------------------------------------------------------------- */

static void name_case(const struct shared_case *c, struct row *row)
{
    if (!c->layout) {
        snprintf(row->case_name, sizeof row->case_name, "%s ladder %u-way", c->instruction->name,
                 c->ways);
        return;
    }
    struct swb_tile tile = tile_of(c);
    access_case_name(swb_instruction_find(c->instruction->name), c->instruction->bypass_l1, &tile,
                     c->shape, row->case_name, sizeof row->case_name);
}

static void describe(const struct shared_case *c, struct row *row)
{
    name_case(c, row);
    row_set_text(row, ACCESS_COL_ACCESS, "%s", access_shape_name(c->shape));
    if (!c->layout) {
        row_set_text(row, ACCESS_COL_LAYOUT, "%u-way", c->ways);
        row_set_text(row, ACCESS_COL_SWIZZLE, "ladder");
        return;
    }
    struct swb_tile tile = tile_of(c);
    row_set_text(row, ACCESS_COL_LAYOUT, "%s", c->layout->name);
    row_set_text(row, ACCESS_COL_MAJOR, "%s", tile.major == SWB_K_MAJOR ? "K" : "MN");
    row_set_text(row, ACCESS_COL_SWIZZLE, "%s", tile.mode->name);
    row_set_text(row, ACCESS_COL_ELEM_BITS, "%u", tile.elem_bits);
    row_set_text(row, ACCESS_COL_TILE, "%ux%u", tile.rows, tile.cols);
    if (access_stacks_both_ways(&tile))
        row_set_text(row, ACCESS_COL_STACK, "%s", c->stack == SWB_STACK_ROW ? "row" : "col");
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    const struct shared_case *c = &all_cases()->cases[index];
    struct access_plan plan;
    describe(c, row);
    const char *why = make_plan(c, &plan);
    if (why) {
        row_set_text(row, ACCESS_COL_INSTRUCTION, "%s", c->instruction->name);
        row_end(row, ROW_SKIPPED, "%s", why);
    } else {
        access_predict(&plan, row);
    }
}

/* ---- Measure ------------------------------------------------------------------------------- */

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *options, void **state, struct error *error)
{
    (void)self;
    struct access_bench *bench;
    if (!access_bench_open(gpu, options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    access_bench_close(gpu, state);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct shared_case *c = &all_cases()->cases[index];
    struct access_plan plan;
    struct access_result result;

    if (make_plan(c, &plan))
        return true; /* predict() has said why */
    if (!access_bench_run(gpu, state, &plan, &result, row, error))
        return false;
    access_record(&plan, &result, options, row);
    return true;
}

const struct family family_shared = {
    .name = "shared",
    .question = "what do loads, stores, ldmatrix, stmatrix and cp.async cost in each layout?",
    .columns = access_columns,
    .column_count = ACCESS_COL_COUNT,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
