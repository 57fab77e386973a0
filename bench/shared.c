/* What does an access to shared memory cost, for each instruction, layout, element width and way
 * of sharing out a tile? */
#include "bench/access_run.h"
#include "bench/families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns ------------------------------------------------------------------------------- */

enum {
    COL_INSTRUCTION,
    COL_CACHE,
    COL_LAYOUT,
    COL_MAJOR,
    COL_SWIZZLE,
    COL_ELEM_BITS,
    COL_TILE,
    COL_STACK,
    COL_ACCESS,
    COL_POSITIONS,
    COL_MODEL_WAVEFRONTS,
    COL_HW_WAVEFRONTS,
    COL_IDEAL_WAVEFRONTS,
    COL_WORST_WAVEFRONTS,
    COL_MODEL_CONFLICTS,
    COL_HW_CONFLICTS,
    COL_HW_TOTAL_WAVEFRONTS,
    COL_HW_OTHER_WAVEFRONTS,
    COL_HW_ARBITRATION_CONFLICTS,
    COL_INST_EXPECTED,
    COL_INST_EXECUTED,
    COL_LATENCY_CYCLES,
    COL_LATENCY_MIN_CYCLES,
    COL_LATENCY_MAX_CYCLES,
    COL_ONE_WARP_CYCLES,
    COL_ONE_WARP_CYCLES_PER_WAVEFRONT,
    COL_ONE_WARP_MIN_CYCLES_PER_WAVEFRONT,
    COL_ONE_WARP_MAX_CYCLES_PER_WAVEFRONT,
    COL_THROUGHPUT_CYCLES,
    COL_THROUGHPUT_MIN_CYCLES,
    COL_THROUGHPUT_MAX_CYCLES,
    COL_CYCLES_PER_WAVEFRONT,
    COL_BYTES_PER_CLK_SM,
    COL_PCT_OF_PEAK,
    COL_MODEL_SECTORS,
    COL_HW_SECTORS,
    COL_HW_L2_SECTORS,
    COL_HW_DRAM_SECTORS,
    COL_SM_CLOCK_MHZ,
    COL_SAMPLES,
    COL_THROTTLED_SAMPLES,
    COLUMNS
};

static const struct column columns[COLUMNS] = {
    [COL_INSTRUCTION] = {"instruction", "-", "the instruction measured"},
    [COL_CACHE] = {"cache", "-", "cp.async: ca goes through L1, cg past it; empty for the others"},
    [COL_LAYOUT] = {"layout", "-", "how the tile lies in shared memory"},
    [COL_MAJOR] = {"major", "-", "the contiguous dimension: K or MN"},
    [COL_SWIZZLE] = {"swizzle", "-", "the mode of the layout"},
    [COL_ELEM_BITS] = {"elem_bits", "bit", "width of an element"},
    [COL_TILE] = {"tile", "element", "rows (M or N) x columns (K) of the tile"},
    [COL_STACK] = {"stack", "-", "the next atom in memory is the next along rows or columns"},
    [COL_ACCESS] = {"access", "-", "how the lanes share out the tile"},
    [COL_POSITIONS] = {"positions", "-", "places of the instruction in the tile, all visited"},
    [COL_MODEL_WAVEFRONTS] = {"model_wavefronts", "wavefront/instruction",
                              "predicted, mean over the positions"},
    [COL_HW_WAVEFRONTS] = {"hw_wavefronts", "wavefront/instruction",
                           "the instruction's own counter, less the control kernel's"},
    [COL_IDEAL_WAVEFRONTS] = {"ideal_wavefronts", "wavefront/instruction",
                              "phases with an active lane: what no layout goes below"},
    [COL_WORST_WAVEFRONTS] = {"worst_wavefronts", "wavefront/instruction",
                              "predicted, at the costliest position"},
    [COL_MODEL_CONFLICTS] = {"model_conflicts", "conflict/instruction",
                             "predicted: wavefronts less the ideal"},
    [COL_HW_CONFLICTS] = {"hw_conflicts", "conflict/instruction",
                          "the instruction's own counter, less the control kernel's"},
    [COL_HW_TOTAL_WAVEFRONTS] = {"hw_total_wavefronts", "wavefront/instruction",
                                 "all of shared memory, less the control kernel's"},
    [COL_HW_OTHER_WAVEFRONTS] = {"hw_other_wavefronts", "wavefront/instruction",
                                 "hw_total_wavefronts less hw_wavefronts: noise, when not 0"},
    [COL_HW_ARBITRATION_CONFLICTS] = {"hw_arbitration_conflicts", "conflict/instruction",
                                      "turns at the banks lost to other traffic"},
    [COL_INST_EXPECTED] = {"inst_expected", "instruction",
                           "warp instructions in the counted launch, from the source"},
    [COL_INST_EXECUTED] = {"inst_executed", "instruction", "the same, counted by the hardware"},
    [COL_LATENCY_CYCLES] = {"latency_cycles", "clk/instruction",
                            "one warp, one at a time, median: a load until its value is the next "
                            "address; a store until a one-word load behind it returns; cp.async "
                            "until wait_all returns"},
    [COL_LATENCY_MIN_CYCLES] = {"latency_min_cycles", "clk/instruction", "its least sample"},
    [COL_LATENCY_MAX_CYCLES] = {"latency_max_cycles", "clk/instruction", "its largest sample"},
    [COL_ONE_WARP_CYCLES] = {"one_warp_cycles", "clk/instruction",
                             "one warp alone, instructions back to back, median"},
    [COL_ONE_WARP_CYCLES_PER_WAVEFRONT] = {"one_warp_cycles_per_wavefront", "clk/wavefront",
                                           "one_warp_cycles over the wavefronts"},
    [COL_ONE_WARP_MIN_CYCLES_PER_WAVEFRONT] = {"one_warp_min_cycles_per_wavefront", "clk/wavefront",
                                               "its least sample"},
    [COL_ONE_WARP_MAX_CYCLES_PER_WAVEFRONT] = {"one_warp_max_cycles_per_wavefront", "clk/wavefront",
                                               "its largest sample"},
    [COL_THROUGHPUT_CYCLES] = {"throughput_cycles", "clk/instruction",
                               "32 warps a SM, all SMs busy, median"},
    [COL_THROUGHPUT_MIN_CYCLES] = {"throughput_min_cycles", "clk/instruction", "its least sample"},
    [COL_THROUGHPUT_MAX_CYCLES] = {"throughput_max_cycles", "clk/instruction",
                                   "its largest sample"},
    [COL_CYCLES_PER_WAVEFRONT] = {"cycles_per_wavefront", "clk/wavefront",
                                  "throughput_cycles over the wavefronts"},
    [COL_BYTES_PER_CLK_SM] = {"bytes_per_clk_sm", "B/clk/SM",
                              "bytes of all lanes over throughput_cycles"},
    [COL_PCT_OF_PEAK] = {"pct_of_peak", "%", "of 128 B/clk/SM"},
    [COL_MODEL_SECTORS] = {"model_sectors", "sector/instruction",
                           "cp.async: 32-byte sectors of global memory that it asks for"},
    [COL_HW_SECTORS] = {"hw_sectors", "sector/instruction", "the same, counted at L1"},
    [COL_HW_L2_SECTORS] = {"hw_l2_sectors", "sector/instruction", "cp.async: read from L2"},
    [COL_HW_DRAM_SECTORS] = {"hw_dram_sectors", "sector/instruction", "cp.async: read from DRAM"},
    [COL_SM_CLOCK_MHZ] = {"sm_clock_mhz", "MHz", "while the throughput was measured"},
    [COL_SAMPLES] = {"samples", "-", "of the throughput"},
    [COL_THROTTLED_SAMPLES] = {"throttled_samples", "-", "taken again because the card throttled"},
};

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

/* Whether the order of the atoms makes a difference. */
static bool stacks_both_ways(const struct swb_tile *tile)
{
    const struct swb_layout_mode *mode = tile->mode;
    return !is_plain(mode) && swb_tile_line_bytes(tile) > mode->span_bytes &&
           swb_tile_lines(tile) > mode->atom_lines;
}

static const char *make_plan(const struct shared_case *c, struct access_plan *plan)
{
    const struct swb_instruction *instruction = swb_instruction_find(c->instruction->name);
    if (!c->layout)
        return access_plan_ladder(plan, instruction, c->ways);
    struct swb_tile tile = tile_of(c);
    return access_plan_tile(plan, instruction, &tile, c->shape);
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
    bool full_only = c.layout->full_only || c.tile->full_only;

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
        if (full && stacks_both_ways(&tile))
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
        if (!full)
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

static size_t case_count(bool full)
{
    return full ? all_cases()->count : all_cases()->default_count;
}

/* ---- Predict ------------------------------------------------------------------------------- */

static void name_case(const struct shared_case *c, struct row *row)
{
    const char *cache = c->instruction->bypass_l1 ? ".cg" : "";
    if (!c->layout) {
        snprintf(row->case_name, sizeof row->case_name, "%s ladder %u-way", c->instruction->name,
                 c->ways);
        return;
    }
    struct swb_tile tile = tile_of(c);
    snprintf(row->case_name, sizeof row->case_name, "%s%s %s %ux%ux%ub %s%s", c->instruction->name,
             cache, c->layout->name, tile.rows, tile.cols, tile.elem_bits,
             access_shape_name(c->shape),
             !stacks_both_ways(&tile)    ? ""
             : c->stack == SWB_STACK_ROW ? " stack=row"
                                         : " stack=col");
}

static void describe(const struct shared_case *c, struct row *row)
{
    const struct swb_instruction *instruction = swb_instruction_find(c->instruction->name);
    name_case(c, row);
    row_set_text(row, COL_INSTRUCTION, "%s", instruction->name);
    row_set_text(row, COL_ACCESS, "%s", access_shape_name(c->shape));
    if (instruction->kind == SWB_CP_ASYNC)
        row_set_text(row, COL_CACHE, "%s", c->instruction->bypass_l1 ? "cg" : "ca");
    if (!c->layout) {
        row_set_text(row, COL_LAYOUT, "%u-way", c->ways);
        row_set_text(row, COL_SWIZZLE, "ladder");
        return;
    }
    struct swb_tile tile = tile_of(c);
    row_set_text(row, COL_LAYOUT, "%s", c->layout->name);
    row_set_text(row, COL_MAJOR, "%s", tile.major == SWB_K_MAJOR ? "K" : "MN");
    row_set_text(row, COL_SWIZZLE, "%s", tile.mode->name);
    row_set_text(row, COL_ELEM_BITS, "%u", tile.elem_bits);
    row_set_text(row, COL_TILE, "%ux%u", tile.rows, tile.cols);
    if (stacks_both_ways(&tile))
        row_set_text(row, COL_STACK, "%s", c->stack == SWB_STACK_ROW ? "row" : "col");
}

static void predict_plan(const struct access_plan *plan, struct row *row)
{
    struct plan_cost cost;
    double positions = plan->slots;
    row_set_text(row, COL_POSITIONS, "%u", plan->slots);
    if (access_plan_cost(plan, &cost)) {
        row_set_number(row, COL_MODEL_WAVEFRONTS, cost.wavefronts / positions, 6);
        row_set_number(row, COL_IDEAL_WAVEFRONTS, cost.ideal_wavefronts / positions, 6);
        row_set_number(row, COL_MODEL_CONFLICTS, cost.conflicts / positions, 6);
        row_set_number(row, COL_WORST_WAVEFRONTS, cost.worst_wavefronts, 6);
    }
    if (plan->instruction->kind == SWB_CP_ASYNC)
        row_set_number(row, COL_MODEL_SECTORS, access_plan_sectors(plan) / positions, 6);
}

static void predict(size_t index, struct row *row)
{
    const struct shared_case *c = &all_cases()->cases[index];
    struct access_plan plan;
    describe(c, row);
    const char *why = make_plan(c, &plan);
    if (why)
        row_end(row, ROW_SKIPPED, "%s", why);
    else
        predict_plan(&plan, row);
}

/* ---- Measure ------------------------------------------------------------------------------- */

static bool open_bench(struct gpu *gpu, const struct measure_options *options, void **state,
                       struct error *error)
{
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

static void record_counts(const struct access_result *r, struct row *row)
{
    row_set_number(row, COL_INST_EXPECTED, (double)r->inst_expected, 0);
    row_set_number(row, COL_INST_EXECUTED, r->inst_executed, 0);
    row_set_number(row, COL_HW_WAVEFRONTS, r->wavefronts, 6);
    row_set_number(row, COL_HW_CONFLICTS, r->conflicts, 6);
    row_set_number(row, COL_HW_TOTAL_WAVEFRONTS, r->total_wavefronts, 6);
    row_set_number(row, COL_HW_OTHER_WAVEFRONTS, r->total_wavefronts - r->wavefronts, 6);
    row_set_number(row, COL_HW_ARBITRATION_CONFLICTS, r->arbitration_conflicts, 6);
    row_set_number(row, COL_HW_SECTORS, r->sectors, 6);
    row_set_number(row, COL_HW_L2_SECTORS, r->l2_sectors, 6);
    row_set_number(row, COL_HW_DRAM_SECTORS, r->dram_sectors, 6);
}

static void record_times(const struct access_plan *plan, double wavefronts,
                         const struct access_result *r, struct row *row)
{
    double bytes_per_clk = swb_instruction_bytes(plan->instruction) / r->throughput.median_cycles;
    row_set_number(row, COL_LATENCY_CYCLES, r->latency.median_cycles, 3);
    row_set_number(row, COL_LATENCY_MIN_CYCLES, r->latency.min_cycles, 3);
    row_set_number(row, COL_LATENCY_MAX_CYCLES, r->latency.max_cycles, 3);
    row_set_number(row, COL_ONE_WARP_CYCLES, r->one_warp.median_cycles, 4);
    row_set_number(row, COL_ONE_WARP_CYCLES_PER_WAVEFRONT, r->one_warp.median_cycles / wavefronts,
                   4);
    row_set_number(row, COL_ONE_WARP_MIN_CYCLES_PER_WAVEFRONT, r->one_warp.min_cycles / wavefronts,
                   4);
    row_set_number(row, COL_ONE_WARP_MAX_CYCLES_PER_WAVEFRONT, r->one_warp.max_cycles / wavefronts,
                   4);
    row_set_number(row, COL_THROUGHPUT_CYCLES, r->throughput.median_cycles, 4);
    row_set_number(row, COL_THROUGHPUT_MIN_CYCLES, r->throughput.min_cycles, 4);
    row_set_number(row, COL_THROUGHPUT_MAX_CYCLES, r->throughput.max_cycles, 4);
    row_set_number(row, COL_CYCLES_PER_WAVEFRONT, r->throughput.median_cycles / wavefronts, 4);
    row_set_number(row, COL_BYTES_PER_CLK_SM, bytes_per_clk, 3);
    row_set_number(row, COL_PCT_OF_PEAK, 100 * bytes_per_clk / SWB_WAVEFRONT_BYTES, 3);
    row_set_number(row, COL_SM_CLOCK_MHZ, r->throughput.sm_clock_mhz, 0);
    row_set_number(row, COL_SAMPLES, r->throughput.samples, 0);
    row_set_number(row, COL_THROTTLED_SAMPLES, r->throughput.throttled_samples, 0);
}

/* A model that differs from its counter is a failed row. */
static void judge(const struct access_plan *plan, const struct plan_cost *cost,
                  const struct access_result *r, struct row *row)
{
    double model = (double)cost->wavefronts / plan->slots;
    double conflicts = (double)cost->conflicts / plan->slots;
    if (!isnan(r->wavefronts) && r->wavefronts != model)
        row_end(row, ROW_FAILED, "model and counter disagree: %g wavefronts predicted, %g counted",
                model, r->wavefronts);
    if (!isnan(r->conflicts) && r->conflicts != conflicts)
        row_end(row, ROW_FAILED, "model and counter disagree: %g conflicts predicted, %g counted",
                conflicts, r->conflicts);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    const struct shared_case *c = &all_cases()->cases[index];
    struct access_plan plan;
    struct access_result result;
    struct plan_cost cost;

    if (make_plan(c, &plan))
        return true; /* predict() has said why */
    if (!access_bench_run(gpu, state, &plan, c->instruction->bypass_l1, &result, row, error))
        return false;
    bool known = access_plan_cost(&plan, &cost);
    record_counts(&result, row);
    record_times(&plan, known ? (double)cost.wavefronts / plan.slots : result.wavefronts, &result,
                 row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, result.extra[i], 6);
    if (known)
        judge(&plan, &cost, &result, row);
    return true;
}

const struct family family_shared = {
    .name = "shared",
    .question = "what do loads, stores, ldmatrix, stmatrix and cp.async cost in each layout?",
    .columns = columns,
    .column_count = COLUMNS,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
