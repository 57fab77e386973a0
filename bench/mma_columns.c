/* Which columns does a measured mma have, and what is put into them? */
#include "bench/mma_columns.h"

#include <math.h>

#include "bench/judge.h"
#include "bench/mma_plan.h"

const struct column mma_columns[MMA_COL_COUNT] = {
    [MMA_COL_ATOM] = {"atom", "-", "CuTe's name of the instruction, a warp's mma.sync"},
    [MMA_COL_A_LAYOUT] = {"a_layout", "-", "of A's 128 rows (M) in shared memory"},
    [MMA_COL_B_LAYOUT] = {"b_layout", "-", "of B's 128 rows (N) in shared memory"},
    [MMA_COL_LOAD] = {"load", "-", "instructions that read A and B"},
    [MMA_COL_MODEL_WAVEFRONTS] = {"model_wavefronts", "wavefront/mma",
                                  "predicted, of the loads of both operands: a warp's 24 "
                                  "fragments serve 64 mma"},
    [MMA_COL_HW_WAVEFRONTS] = {"hw_wavefronts", "wavefront/mma",
                               "the counter of loads from shared memory, less the control "
                               "kernel's"},
    [MMA_COL_CYCLES_PER_MMA] = {"cycles_per_mma", "clk/mma",
                                "of the SM, 8 warps on each, all SMs busy, with the loads in the "
                                "loop, median"},
    [MMA_COL_FLOP_PER_CLK_SM] = {"flop_per_clk_sm", "FLOP/clk/SM",
                                 "2 M N K over cycles_per_mma; of integers, their operations"},
    [MMA_COL_PCT_OF_PEAK] = {"pct_of_peak", "%",
                             "of the tensor core's dense rate for the type, as NVIDIA's white "
                             "papers on A100 and H100 have it; empty on other GPUs"},
    [MMA_COL_DTYPE] = {"dtype", "-", "of the elements of A and B"},
    [MMA_COL_WRONG] = {"wrong", "-",
                       "on purpose: whose loads lack the .trans that the layout needs"},
    [MMA_COL_A_MISPLACED_SHARE] = {"a_misplaced_share", "-",
                                   "elements of A in whose place threads get another one, over "
                                   "all, by the addresses"},
    [MMA_COL_B_MISPLACED_SHARE] = {"b_misplaced_share", "-", "the same of B"},
    [MMA_COL_PRODUCT_WRONG_SHARE] = {"product_wrong_share", "-",
                                     "elements of the product that are not those of A x B, over "
                                     "all, as measured; 0 where nothing is wrong on purpose"},
    [MMA_COL_IDEAL_WAVEFRONTS] = {"ideal_wavefronts", "wavefront/mma",
                                  "what no layout goes below, with these loads"},
    [MMA_COL_MODEL_CONFLICTS] = {"model_conflicts", "conflict/mma",
                                 "predicted: wavefronts less the ideal"},
    [MMA_COL_HW_CONFLICTS] = {"hw_conflicts", "conflict/mma", "counted, less the control kernel's"},
    [MMA_COL_INST_EXPECTED] = {"inst_expected", "instruction",
                               "loads of the warps in the counted launch, from the source"},
    [MMA_COL_INST_EXECUTED] = {"inst_executed", "instruction", "the same, counted by the hardware"},
    [MMA_COL_TENSOR_INST_EXPECTED] = {"tensor_inst_expected", "instruction",
                                      "on the tensor pipe in the counted launch: one an mma"},
    [MMA_COL_TENSOR_INST_EXECUTED] = {"tensor_inst_executed", "instruction",
                                      "the same, counted by the hardware"},
    [MMA_COL_CYCLES_PER_MMA_MIN] = {"cycles_per_mma_min", "clk/mma", "its least sample"},
    [MMA_COL_CYCLES_PER_MMA_MAX] = {"cycles_per_mma_max", "clk/mma", "its largest sample"},
    [MMA_COL_CYCLES_PER_MMA_WITHOUT_LOADS] = {"cycles_per_mma_without_loads", "clk/mma",
                                              "the same loop with all fragments in registers, "
                                              "median; measured once for each kernel"},
    [MMA_COL_BOUND_CYCLES] = {"bound_cycles", "clk/mma",
                              "the larger of model_wavefronts, at a clock each, and "
                              "cycles_per_mma_without_loads"},
    [MMA_COL_PCT_OF_WITHOUT_LOADS] = {"pct_of_without_loads", "%",
                                      "rate with the loads in the loop, of that without"},
    [MMA_COL_SM_CLOCK_MHZ] =
        {"sm_clock_mhz", "MHz",
         "while the loop with loads was measured; empty where that took too short a time to tell"},
    [MMA_COL_SAMPLES] = {"samples", "-", "of cycles_per_mma"},
    [MMA_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                   "of rounds in which the card throttled"},
};

/* ---- Predict ------------------------------------------------------------------------------- */

static struct swb_cost cost_of(const struct mma_case *c)
{
    struct swb_cost a = mma_plan_of(c, SWB_MMA_A)->cost, b = mma_plan_of(c, SWB_MMA_B)->cost;
    return (struct swb_cost){a.wavefronts + b.wavefronts, a.ideal_wavefronts + b.ideal_wavefronts,
                             a.conflicts + b.conflicts};
}

static double misplaced_share(const struct mma_plan *plan)
{
    return (double)plan->misplaced / (plan->rows * plan->cols);
}

static void predict_loads(const struct mma_case *c, struct row *row)
{
    const struct mma_plan *a = mma_plan_of(c, SWB_MMA_A), *b = mma_plan_of(c, SWB_MMA_B);
    struct swb_cost cost = cost_of(c);
    const char *one = a->instruction->name, *other = b->instruction->name;
    if (a->instruction == b->instruction)
        row_set_text(row, MMA_COL_LOAD, "%s", one);
    else
        row_set_text(row, MMA_COL_LOAD, "%s, %s", one, other);
    row_set_number(row, MMA_COL_MODEL_WAVEFRONTS, (double)cost.wavefronts / MMA_MMAS, 6);
    row_set_number(row, MMA_COL_IDEAL_WAVEFRONTS, (double)cost.ideal_wavefronts / MMA_MMAS, 6);
    row_set_number(row, MMA_COL_MODEL_CONFLICTS, (double)cost.conflicts / MMA_MMAS, 6);
    row_set_number(row, MMA_COL_A_MISPLACED_SHARE, misplaced_share(a), 6);
    row_set_number(row, MMA_COL_B_MISPLACED_SHARE, misplaced_share(b), 6);
}

void mma_predict(const struct mma_case *c, struct row *row)
{
    const bool *without = c->without_trans;
    mma_case_name(c, row->case_name, sizeof row->case_name);
    row_set_text(row, MMA_COL_ATOM, "%s", c->type->atom);
    row_set_text(row, MMA_COL_DTYPE, "%s", c->type->name);
    row_set_text(row, MMA_COL_A_LAYOUT, "%s", c->layouts[SWB_MMA_A]);
    row_set_text(row, MMA_COL_B_LAYOUT, "%s", c->layouts[SWB_MMA_B]);
    if (mma_case_is_wrong(c))
        row_set_text(row, MMA_COL_WRONG, "%s without .trans",
                     !without[SWB_MMA_B]   ? "A"
                     : !without[SWB_MMA_A] ? "B"
                                           : "A and B");
    for (unsigned i = 0; i < MMA_READ; i++) {
        const struct mma_plan *plan = mma_plan_of(c, (enum swb_mma_operand)i);
        if (plan->why_not) {
            row_end(row, ROW_SKIPPED, "%s", plan->why_not);
            return;
        }
    }
    predict_loads(c, row);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_counts(const struct mma_result *r, struct row *row)
{
    row_set_number(row, MMA_COL_HW_WAVEFRONTS, r->wavefronts, 6);
    row_set_number(row, MMA_COL_HW_CONFLICTS, r->conflicts, 6);
    row_set_number(row, MMA_COL_PRODUCT_WRONG_SHARE, r->wrong_share, 6);
    row_set_number(row, MMA_COL_INST_EXECUTED, r->loads_executed, 0);
    row_set_number(row, MMA_COL_TENSOR_INST_EXECUTED, r->tensor_executed, 0);
    if (r->loads_expected) {
        row_set_number(row, MMA_COL_INST_EXPECTED, (double)r->loads_expected, 0);
        row_set_number(row, MMA_COL_TENSOR_INST_EXPECTED, (double)r->tensor_expected, 0);
    }
}

static void record_times(const struct mma_case *c, unsigned capability, const struct mma_result *r,
                         struct row *row)
{
    struct swb_mma_atom atom = mma_type_atom(c->type);
    double flop = 2.0 * atom.extents[SWB_MMA_M] * atom.extents[SWB_MMA_N] * atom.extents[SWB_MMA_K];
    double cycles = r->with_loads.median_cycles, alone = r->without_loads.median_cycles;
    double wavefronts = (double)cost_of(c).wavefronts / MMA_MMAS;
    unsigned peak = mma_peak_flop_per_clk_sm(c->type, capability);
    if (isnan(cycles))
        return;
    row_set_number(row, MMA_COL_CYCLES_PER_MMA, cycles, 4);
    row_set_number(row, MMA_COL_CYCLES_PER_MMA_MIN, r->with_loads.min_cycles, 4);
    row_set_number(row, MMA_COL_CYCLES_PER_MMA_MAX, r->with_loads.max_cycles, 4);
    row_set_number(row, MMA_COL_CYCLES_PER_MMA_WITHOUT_LOADS, alone, 4);
    row_set_number(row, MMA_COL_BOUND_CYCLES, wavefronts > alone ? wavefronts : alone, 4);
    row_set_number(row, MMA_COL_PCT_OF_WITHOUT_LOADS, 100 * alone / cycles, 3);
    row_set_number(row, MMA_COL_FLOP_PER_CLK_SM, flop / cycles, 2);
    if (peak)
        row_set_number(row, MMA_COL_PCT_OF_PEAK, 100 * flop / cycles / peak, 3);
    if (r->with_loads.sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, MMA_COL_SM_CLOCK_MHZ, r->with_loads.sm_clock_mhz, 0);
    row_set_number(row, MMA_COL_SAMPLES, r->with_loads.samples, 0);
    row_set_number(row, MMA_COL_THROTTLED_SAMPLES, r->with_loads.throttled_samples, 0);
}

void mma_record(const struct mma_case *c, unsigned compute_capability,
                const struct mma_result *result, const struct measure_options *options,
                struct row *row)
{
    if (row->status == ROW_SKIPPED)
        return;
    struct swb_cost cost = cost_of(c);
    record_counts(result, row);
    record_times(c, compute_capability, result, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, result->extra[i], 6);
    judge_counted("wavefronts", "an mma", (double)cost.wavefronts / MMA_MMAS, result->wavefronts,
                  row);
    judge_counted("conflicts", "an mma", (double)cost.conflicts / MMA_MMAS, result->conflicts, row);
}
