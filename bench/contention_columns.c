/* Which columns do two sides at once have, and what is put into them? */
#include "bench/contention_columns.h"

#include <math.h>

#include "bench/contention_plan.h"
#include "bench/judge.h"

/* clang-format off */
#define SIDE(first, side, who)                                                                     \
    [first + CONTENTION_SIDE_BYTES] = {side "_bytes", "B/instruction",                             \
        "that an instruction of the " who " moves: of a warp, of a warpgroup for wgmma, or a box"},\
    [first + CONTENTION_SIDE_MODEL_WAVEFRONTS] = {side "_model_wavefronts",                        \
        "wavefront/instruction", "of the " who ", predicted; of a box 128 bytes each"},            \
    [first + CONTENTION_SIDE_HW_WAVEFRONTS] = {side "_hw_wavefronts", "wavefront/instruction",     \
        "counted by the hardware for that kind of access; empty where it has no such counter"},    \
    [first + CONTENTION_SIDE_SASS_WAVEFRONTS] = {side "_sass_wavefronts", "wavefront/instruction", \
        "counted for the instruction itself"},                                                     \
    [first + CONTENTION_SIDE_MODEL_CONFLICTS] = {side "_model_conflicts", "conflict/instruction",  \
        "predicted: wavefronts less the ideal"},                                                   \
    [first + CONTENTION_SIDE_HW_CONFLICTS] = {side "_hw_conflicts", "conflict/instruction",        \
        "counted by the hardware for that kind of access: turns lost to others among them"},       \
    [first + CONTENTION_SIDE_SASS_CONFLICTS] = {side "_sass_conflicts", "conflict/instruction",    \
        "counted for the instruction itself; empty where it has no such counter"},                 \
    [first + CONTENTION_SIDE_INST_EXPECTED] = {side "_inst_expected", "instruction",               \
        "of all warps of the " who " in the counted launch, from the source: four of a wgmma"},    \
    [first + CONTENTION_SIDE_INST_EXECUTED] = {side "_inst_executed", "instruction",               \
        "the same, counted by the hardware"},                                                      \
    [first + CONTENTION_SIDE_MODEL_CYCLES] = {side "_model_cycles", "clk/instruction",             \
        "predicted for the " who " alone: wavefronts, or model_cycles of wgmma.csv or tma.csv; "   \
        "cp.async and TMA may wait for L2 beside"},                                                \
    [first + CONTENTION_SIDE_CYCLES_ALONE] = {side "_cycles_alone", "clk/instruction",             \
        "median, all warps of the " who " together, the other side idle"},                         \
    [first + CONTENTION_SIDE_CYCLES_TOGETHER] = {side "_cycles_together", "clk/instruction",       \
        "median, in the window in which both sides run"},                                          \
    [first + CONTENTION_SIDE_SLOWDOWN] = {side "_slowdown", "-",                                   \
        "clocks together over clocks alone"},                                                      \
    [first + CONTENTION_SIDE_BYTES_PER_CLK_ALONE] = {side "_bytes_per_clk_alone", "B/clk/SM",      \
        "bytes over clocks alone"},                                                                \
    [first + CONTENTION_SIDE_BYTES_PER_CLK_TOGETHER] = {side "_bytes_per_clk_together", "B/clk/SM",\
        "bytes over clocks together"},                                                             \
    [first + CONTENTION_SIDE_CYCLES_ALONE_MIN] = {side "_cycles_alone_min", "clk/instruction",     \
        "its least sample"},                                                                       \
    [first + CONTENTION_SIDE_CYCLES_ALONE_MAX] = {side "_cycles_alone_max", "clk/instruction",     \
        "its largest sample"},                                                                     \
    [first + CONTENTION_SIDE_CYCLES_TOGETHER_MIN] = {side "_cycles_together_min",                  \
        "clk/instruction", "its least sample"},                                                    \
    [first + CONTENTION_SIDE_CYCLES_TOGETHER_MAX] = {side "_cycles_together_max",                  \
        "clk/instruction", "its largest sample"}

const struct column contention_columns[CONTENTION_COL_COUNT] = {
    [CONTENTION_COL_REPORT] = {"report", "-",
        "which public report the row settles: docs/contention.md; empty for the others"},
    [CONTENTION_COL_READER] = {"reader", "-", "what reads stage 0; empty: idle"},
    [CONTENTION_COL_WRITER] = {"writer", "-", "what fills stage 1; empty: idle"},
    [CONTENTION_COL_MODE] = {"mode", "-", "of cp.async: ca goes through L1, cg past it"},
    [CONTENTION_COL_READER_LAYOUT] = {"reader_layout", "-",
        "of the tile that is read, or of both operands; Sw<3,3,4>/128: on the numbers of elements, "
        "lines of 128"},
    [CONTENTION_COL_WRITER_LAYOUT] = {"writer_layout", "-", "of what is written; a box's swizzle"},
    [CONTENTION_COL_READER_WARPS] = {"reader_warps", "warp", "of a CTA"},
    [CONTENTION_COL_WRITER_WARPS] = {"writer_warps", "warp",
        "of a CTA; of TMA each has a box on the way"},
    [CONTENTION_COL_SOURCE_BYTES] = {"source_bytes", "B",
        "of global memory, in L2, that the writers read round and round; empty: none"},
    [CONTENTION_COL_SMEM_BYTES] = {"smem_bytes", "B", "dynamic shared memory of a CTA"},
    [CONTENTION_COL_CARVEOUT_PCT] = {"carveout_pct", "%",
        "of L1 that shared memory was asked to have; empty: not asked"},
    [CONTENTION_COL_CTAS] = {"ctas", "-", "in the grid: a number, or CTAs a SM"},
    [CONTENTION_COL_PREDICTED] = {"predicted", "conflict/instruction",
        "bank conflicts of the readers, or of the writers where nothing reads"},
    [CONTENTION_COL_COUNTED_SASS] = {"counted_sass", "conflict/instruction",
        "the same, counted for the instruction itself: where there is no such counter, its "
        "wavefronts less the ideal"},
    [CONTENTION_COL_COUNTED_HW] = {"counted_hw", "conflict/instruction",
        "the same, counted by the hardware for that kind of access"},
    [CONTENTION_COL_ARBITRATION] = {"arbitration", "conflict/wavefront",
        "turns at the banks lost to other traffic, counted, for each predicted wavefront of both "
        "sides"},
    [CONTENTION_COL_VERDICT] = {"verdict", "-",
        "as predicted: both counters say what was predicted; arbitration: the hardware's alone "
        "says more, and arbitration is not 0; other turns: it says more, and arbitration is 0; "
        "other conflicts: the instruction's own says other than predicted"},
    [CONTENTION_COL_MODEL_CYCLES] = {"model_cycles", "clk/instruction",
        "a reader's instruction beside as many of the writer's as take as long alone, if shared "
        "memory serves one wavefront a clock"},
    [CONTENTION_COL_MODEL_SLOWDOWN] = {"model_slowdown", "-",
        "model_cycles over reader_model_cycles: what both sides would lose if they lost alike"},
    [CONTENTION_COL_WAVEFRONTS_PER_CLK] = {"wavefronts_per_clk", "wavefront/clk/SM",
        "predicted wavefronts of both sides, at their rates together: more than 1 if the banks "
        "serve both at once"},
    SIDE(CONTENTION_COL_OF_READER, "reader", "readers"),
    SIDE(CONTENTION_COL_OF_WRITER, "writer", "writers"),
    [CONTENTION_COL_BANK_READS] = {"hw_bank_reads", "-",
        "words read from the data banks, L1's among them, counted: over 32 for each predicted "
        "wavefront of both sides"},
    [CONTENTION_COL_BANK_WRITES] = {"hw_bank_writes", "-", "words written, the same way"},
    [CONTENTION_COL_OVERLAP_PCT] = {"overlap_pct", "%",
        "of a timed launch in which all warps of both sides ran: the window"},
    [CONTENTION_COL_SAMPLES] = {"samples", "-", "of every clock"},
    [CONTENTION_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
        "of rounds in which the card throttled"},
};
/* clang-format on */

/* ---- Predict ------------------------------------------------------------------------------- */

static void predict_side(const struct contention_cost *cost, size_t first, struct row *row)
{
    row_set_text(row, first + CONTENTION_SIDE_BYTES, "%u", cost->bytes);
    row_set_number(row, first + CONTENTION_SIDE_MODEL_WAVEFRONTS, cost->wavefronts, 4);
    row_set_number(row, first + CONTENTION_SIDE_MODEL_CONFLICTS, cost->conflicts, 4);
    row_set_number(row, first + CONTENTION_SIDE_MODEL_CYCLES, cost->cycles, 4);
}

/* The side that the verdict is about. */
static bool is_about_writer(const struct contention_case *c)
{
    return !c->reader;
}

void contention_predict(const struct contention_case *c, struct row *row)
{
    struct contention_plan plan;
    contention_plan_of(c, &plan);
    contention_case_name(c, row->case_name, sizeof row->case_name);
    row_set_text(row, CONTENTION_COL_REPORT, "%s", contention_report_name(c->report));
    if (c->reader) {
        row_set_text(row, CONTENTION_COL_READER, "%s", c->reader->name);
        predict_side(&plan.reader.cost, CONTENTION_COL_OF_READER, row);
    }
    if (c->writer) {
        row_set_text(row, CONTENTION_COL_WRITER, "%s", c->writer->name);
        predict_side(&plan.writer.cost, CONTENTION_COL_OF_WRITER, row);
    }
    if (plan.stores.instruction && plan.stores.instruction->kind == SWB_CP_ASYNC)
        row_set_text(row, CONTENTION_COL_MODE, "%s", c->writer->bypass_l1 ? "cg" : "ca");
    row_set_text(row, CONTENTION_COL_READER_LAYOUT, "%s", c->reader_layout);
    row_set_text(row, CONTENTION_COL_WRITER_LAYOUT, "%s", c->writer_layout);
    row_set_text(row, CONTENTION_COL_READER_WARPS, "%u", c->reader_warps);
    row_set_text(row, CONTENTION_COL_WRITER_WARPS, "%u", c->writer_warps);
    if (plan.source_bytes)
        row_set_text(row, CONTENTION_COL_SOURCE_BYTES, "%u", plan.source_bytes);
    row_set_text(row, CONTENTION_COL_SMEM_BYTES, "%u", plan.smem_bytes);
    if (c->carveout_pct)
        row_set_text(row, CONTENTION_COL_CARVEOUT_PCT, "%u", c->carveout_pct);
    row_set_text(row, CONTENTION_COL_CTAS, c->ctas_per_sm ? "%u/SM" : "1", c->ctas_per_sm);
    row_set_number(row, CONTENTION_COL_PREDICTED,
                   (is_about_writer(c) ? &plan.writer : &plan.reader)->cost.conflicts, 4);
    if (!c->reader || !c->writer)
        return;
    row_set_number(row, CONTENTION_COL_MODEL_CYCLES, plan.model_cycles, 4);
    row_set_number(row, CONTENTION_COL_MODEL_SLOWDOWN, plan.model_slowdown, 4);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_side(const struct contention_side_result *r, const struct contention_cost *cost,
                        size_t first, struct row *row)
{
    const struct {
        enum contention_side_column column;
        double value;
        int digits;
    } values[] = {
        {CONTENTION_SIDE_HW_WAVEFRONTS, r->wavefronts, 4},
        {CONTENTION_SIDE_SASS_WAVEFRONTS, r->sass_wavefronts, 4},
        {CONTENTION_SIDE_HW_CONFLICTS, r->conflicts, 4},
        {CONTENTION_SIDE_SASS_CONFLICTS, r->sass_conflicts, 4},
        {CONTENTION_SIDE_INST_EXECUTED, r->inst_executed, 0},
        {CONTENTION_SIDE_CYCLES_ALONE, r->alone.median_cycles, 4},
        {CONTENTION_SIDE_CYCLES_TOGETHER, r->together.median_cycles, 4},
        {CONTENTION_SIDE_SLOWDOWN, r->together.median_cycles / r->alone.median_cycles, 4},
        {CONTENTION_SIDE_BYTES_PER_CLK_ALONE, cost->bytes / r->alone.median_cycles, 3},
        {CONTENTION_SIDE_BYTES_PER_CLK_TOGETHER, cost->bytes / r->together.median_cycles, 3},
        {CONTENTION_SIDE_CYCLES_ALONE_MIN, r->alone.min_cycles, 4},
        {CONTENTION_SIDE_CYCLES_ALONE_MAX, r->alone.max_cycles, 4},
        {CONTENTION_SIDE_CYCLES_TOGETHER_MIN, r->together.min_cycles, 4},
        {CONTENTION_SIDE_CYCLES_TOGETHER_MAX, r->together.max_cycles, 4},
    };
    if (r->inst_expected)
        row_set_number(row, first + CONTENTION_SIDE_INST_EXPECTED, (double)r->inst_expected, 0);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        row_set_number(row, first + values[i].column, values[i].value, values[i].digits);
}

static bool are_near(double a, double b)
{
    return fabs(a - b) < 0.00005; /* the last digit that is written */
}

/* Whether it is more than 0 as it is written: with six digits. */
static bool is_some_arbitration(double arbitration)
{
    return arbitration >= 0.0000005;
}

/* What the hardware says beyond the instruction's own counter are turns that others had. */
static const char *verdict_of(double predicted, double own, double hw, double arbitration)
{
    if (!isnan(own) && !are_near(own, predicted))
        return "other conflicts";
    if (isnan(own) && isnan(hw))
        return "";
    if (isnan(hw) || are_near(hw, predicted))
        return "as predicted";
    if (isnan(own))
        return "";
    return is_some_arbitration(arbitration) ? "arbitration" : "other turns";
}

/* By the instruction's own counter; a chip that has none, and wgmma, have that of the kind. */
static double own_wavefronts(const struct contention_side_result *r)
{
    return isnan(r->sass_wavefronts) ? r->wavefronts : r->sass_wavefronts;
}

/* Past L1 wavefronts are more than the conflicts that are counted. */
static double own_conflicts(const struct contention_side_result *r,
                            const struct contention_cost *cost)
{
    return isnan(r->sass_conflicts) ? own_wavefronts(r) - cost->ideal_wavefronts
                                    : r->sass_conflicts;
}

static void judge_side(const char *of, const struct contention_side_result *r,
                       const struct contention_cost *cost, struct row *row)
{
    double counted = own_wavefronts(r);
    if (!are_near(counted, cost->wavefronts))
        judge_counted("wavefronts", of, cost->wavefronts, counted, row);
}

void contention_record(const struct contention_case *c, const struct contention_result *r,
                       const struct measure_options *options, struct row *row)
{
    struct contention_plan plan;
    contention_plan_of(c, &plan);
    const struct contention_side_result *subject = is_about_writer(c) ? &r->writer : &r->reader;
    const struct contention_cost *cost = is_about_writer(c) ? &plan.writer.cost : &plan.reader.cost;
    double own = own_conflicts(subject, cost);
    record_side(&r->reader, &plan.reader.cost, CONTENTION_COL_OF_READER, row);
    record_side(&r->writer, &plan.writer.cost, CONTENTION_COL_OF_WRITER, row);
    row_set_number(row, CONTENTION_COL_COUNTED_SASS, own, 4);
    row_set_number(row, CONTENTION_COL_COUNTED_HW, subject->conflicts, 4);
    row_set_number(row, CONTENTION_COL_ARBITRATION, r->arbitration, 6);
    row_set_text(row, CONTENTION_COL_VERDICT, "%s",
                 verdict_of(cost->conflicts, own, subject->conflicts, r->arbitration));
    row_set_number(row, CONTENTION_COL_WAVEFRONTS_PER_CLK, r->wavefronts_per_clk, 4);
    row_set_number(row, CONTENTION_COL_BANK_READS, r->bank_reads, 4);
    row_set_number(row, CONTENTION_COL_BANK_WRITES, r->bank_writes, 4);
    row_set_number(row, CONTENTION_COL_OVERLAP_PCT, r->overlap_pct, 1);
    if (r->samples) {
        row_set_number(row, CONTENTION_COL_SAMPLES, r->samples, 0);
        row_set_number(row, CONTENTION_COL_THROTTLED_SAMPLES, r->throttled_samples, 0);
    }
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, r->extra[i], 6);
    if (row->status != ROW_OK)
        return;
    if (c->reader)
        judge_side("an instruction of the readers", &r->reader, &plan.reader.cost, row);
    if (c->writer)
        judge_side("an instruction of the writers", &r->writer, &plan.writer.cost, row);
}
