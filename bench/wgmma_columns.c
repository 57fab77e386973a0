/* Which columns does a measured product have, and what is put into them? */
#include "bench/wgmma_columns.h"

#include <math.h>

#include "bench/judge.h"
#include "bench/wgmma_operands.h"

const struct column wgmma_columns[WGMMA_COL_COUNT] = {
    [WGMMA_COL_DTYPE] = {"dtype", "-", "type of both operands; sums are f32, of integers s32"},
    [WGMMA_COL_N] = {"n", "element", "N of m64nN"},
    [WGMMA_COL_A_SOURCE] = {"a_source", "-", "where A comes from: shared memory, or registers"},
    [WGMMA_COL_A_LAYOUT] = {"a_layout", "-", "of A in shared memory"},
    [WGMMA_COL_B_LAYOUT] = {"b_layout", "-", "of B"},
    [WGMMA_COL_MODEL_CYCLES] = {"model_cycles", "clk/instruction",
                                "predicted: the larger of tensor_cycles and model_wavefronts, and "
                                "at least 13 with A in registers"},
    [WGMMA_COL_CYCLES_PER_MMA] = {"cycles_per_mma", "clk/instruction",
                                  "median, two warpgroups on every SM"},
    [WGMMA_COL_FLOP_PER_CLK_SM] = {"flop_per_clk_sm", "FLOP/clk/SM",
                                   "multiplications and additions over cycles_per_mma"},
    [WGMMA_COL_PCT_OF_PEAK] = {"pct_of_peak", "%",
                               "of the dense tensor core: N/2 clocks an instruction"},
    [WGMMA_COL_HW_WAVEFRONTS] = {"hw_wavefronts", "wavefront/instruction",
                                 "of reading operands, counted"},
    [WGMMA_COL_HW_CONFLICTS] = {"hw_conflicts", "conflict/instruction",
                                "bank conflicts of reading operands, counted"},
    [WGMMA_COL_K] = {"k", "element", "K of an instruction: 32 bytes"},
    [WGMMA_COL_STACK] =
        {"stack", "-",
         "where atoms go on in memory: along a row of A and B (K) first, or along a "
         "column"},
    [WGMMA_COL_A_BASE_BYTES] = {"a_base_bytes", "B", "where A begins in shared memory"},
    [WGMMA_COL_A_LBO_BYTES] = {"a_lbo_bytes", "B",
                               "leading byte offset of A's descriptor; 0 where "
                               "nothing is found through it"},
    [WGMMA_COL_A_SBO_BYTES] = {"a_sbo_bytes", "B", "its stride byte offset"},
    [WGMMA_COL_B_BASE_BYTES] = {"b_base_bytes", "B", "where B begins in shared memory"},
    [WGMMA_COL_B_LBO_BYTES] = {"b_lbo_bytes", "B", "leading byte offset of B's descriptor"},
    [WGMMA_COL_B_SBO_BYTES] = {"b_sbo_bytes", "B", "its stride byte offset"},
    [WGMMA_COL_WRONG] =
        {"wrong", "-",
         "what is wrong with a descriptor on purpose: another mode than the data's, "
         "LBO and SBO swapped, a base offset of 0 within the swizzle's pattern, one "
         "of 1 at its start"},
    [WGMMA_COL_MODEL_WRONG_SHARE] = {"model_wrong_share", "-",
                                     "part of the outputs that are predicted to be wrong"},
    [WGMMA_COL_HW_WRONG_SHARE] = {"hw_wrong_share", "-", "part that was wrong"},
    [WGMMA_COL_TENSOR_CYCLES] = {"tensor_cycles", "clk/instruction",
                                 "of the dense tensor core alone"},
    [WGMMA_COL_MODEL_WAVEFRONTS] = {"model_wavefronts", "wavefront/instruction",
                                    "of reading operands, predicted: eight lines of 16 bytes each"},
    [WGMMA_COL_CYCLES_OVER_MODEL] = {"cycles_over_model", "-", "cycles_per_mma over model_cycles"},
    [WGMMA_COL_HW_BANK_READS] = {"hw_bank_reads", "access/instruction",
                                 "reads of 4 bytes from a bank, with those of what the case copies "
                                 "and writes more than the first one that was counted"},
    [WGMMA_COL_INST_EXPECTED] = {"inst_expected", "instruction",
                                 "of all warps in the counted launch, from the source: four of a "
                                 "wgmma"},
    [WGMMA_COL_INST_EXECUTED] = {"inst_executed", "instruction",
                                 "the same, counted by the hardware"},
    [WGMMA_COL_CYCLES_PER_MMA_MIN] = {"cycles_per_mma_min", "clk/instruction", "its least sample"},
    [WGMMA_COL_CYCLES_PER_MMA_MAX] = {"cycles_per_mma_max", "clk/instruction",
                                      "its largest sample"},
    [WGMMA_COL_SM_CLOCK_MHZ] = {"sm_clock_mhz", "MHz", "while it was timed"},
    [WGMMA_COL_SAMPLES] = {"samples", "-", "of cycles_per_mma"},
    [WGMMA_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                     "of rounds in which the card throttled"},
};

/* ---- Predict ------------------------------------------------------------------------------- */

static void predict_operand(const struct wgmma_case *c, const struct wgmma_plan *plan,
                            enum swb_mma_operand operand, struct row *row)
{
    static const struct {
        unsigned layout, base, lbo, sbo;
    } columns[WGMMA_OPERANDS] = {
        [SWB_MMA_A] = {WGMMA_COL_A_LAYOUT, WGMMA_COL_A_BASE_BYTES, WGMMA_COL_A_LBO_BYTES,
                       WGMMA_COL_A_SBO_BYTES},
        [SWB_MMA_B] = {WGMMA_COL_B_LAYOUT, WGMMA_COL_B_BASE_BYTES, WGMMA_COL_B_LBO_BYTES,
                       WGMMA_COL_B_SBO_BYTES},
    };
    const struct swb_descriptor *d = &plan->descriptors[operand][0];
    char layout[ROW_VALUE_BYTES];
    wgmma_layout_name(&c->layouts[operand], layout, sizeof layout);
    row_set_text(row, columns[operand].layout, "%s", layout);
    row_set_text(row, columns[operand].base, "%u", plan->base_bytes[operand]);
    row_set_text(row, columns[operand].lbo, "%u", d->leading_bytes);
    row_set_text(row, columns[operand].sbo, "%u", d->stride_bytes);
}

static void predict_flaw(const struct wgmma_case *c, const struct wgmma_plan *plan, struct row *row)
{
    struct wgmma_product truth, described;
    char flaw[ROW_VALUE_BYTES];
    wgmma_flaw_name(c, flaw, sizeof flaw);
    row_set_text(row, WGMMA_COL_WRONG, "%s", flaw);
    if (c->flaw == WGMMA_FLAWLESS) {
        row_set_text(row, WGMMA_COL_MODEL_WRONG_SHARE, "0");
        return;
    }
    wgmma_true_product(c, plan, &truth);
    wgmma_described_product(c, plan, &described);
    row_set_number(row, WGMMA_COL_MODEL_WRONG_SHARE, wgmma_differing_share(c, &truth, &described),
                   6);
}

void wgmma_predict(const struct wgmma_case *c, struct row *row)
{
    const struct wgmma_type *type = wgmma_type_at(c->type);
    struct wgmma_plan plan;
    wgmma_plan_of(c, &plan);
    struct wgmma_prediction predicted = wgmma_predicted(c, &plan);
    wgmma_case_name(c, row->case_name, sizeof row->case_name);
    row_set_text(row, WGMMA_COL_DTYPE, "%s", type->name);
    row_set_text(row, WGMMA_COL_N, "%u", c->n);
    row_set_text(row, WGMMA_COL_K, "%u", wgmma_k(type));
    row_set_text(row, WGMMA_COL_A_SOURCE, "%s", c->a_in_shared ? "shared" : "registers");
    row_set_text(row, WGMMA_COL_STACK, "%s", c->stack == SWB_STACK_ROW ? "row" : "col");
    if (c->a_in_shared)
        predict_operand(c, &plan, SWB_MMA_A, row);
    predict_operand(c, &plan, SWB_MMA_B, row);
    predict_flaw(c, &plan, row);
    row_set_text(row, WGMMA_COL_TENSOR_CYCLES, "%u", swb_wgmma_tensor_cycles(c->n));
    row_set_number(row, WGMMA_COL_MODEL_WAVEFRONTS, predicted.wavefronts, 3);
    row_set_number(row, WGMMA_COL_MODEL_CYCLES, predicted.cycles, 3);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_times(const struct wgmma_case *c, const struct timing *t, double model_cycles,
                         struct row *row)
{
    const struct wgmma_type *type = wgmma_type_at(c->type);
    double flop = 2.0 * WGMMA_M * c->n * wgmma_k(type);
    row_set_number(row, WGMMA_COL_CYCLES_PER_MMA, t->median_cycles, 3);
    row_set_number(row, WGMMA_COL_CYCLES_PER_MMA_MIN, t->min_cycles, 3);
    row_set_number(row, WGMMA_COL_CYCLES_PER_MMA_MAX, t->max_cycles, 3);
    row_set_number(row, WGMMA_COL_CYCLES_OVER_MODEL, t->median_cycles / model_cycles, 5);
    row_set_number(row, WGMMA_COL_FLOP_PER_CLK_SM, flop / t->median_cycles, 2);
    row_set_number(row, WGMMA_COL_PCT_OF_PEAK,
                   100.0 * swb_wgmma_tensor_cycles(c->n) / t->median_cycles, 3);
    if (isnan(t->median_cycles))
        return;
    if (t->sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, WGMMA_COL_SM_CLOCK_MHZ, t->sm_clock_mhz, 0);
    row_set_number(row, WGMMA_COL_SAMPLES, t->samples, 0);
    row_set_number(row, WGMMA_COL_THROTTLED_SAMPLES, t->throttled_samples, 0);
}

static void judge(const struct wgmma_result *r, double model_wavefronts, struct row *row)
{
    judge_counted("wavefronts", "an instruction", model_wavefronts, r->wavefronts, row);
    if (!isnan(r->conflicts) && r->conflicts != 0)
        row_end(row, ROW_FAILED,
                "model and counter disagree: no bank conflicts predicted, %.6g an instruction "
                "counted",
                r->conflicts);
}

void wgmma_record(const struct wgmma_case *c, const struct wgmma_result *result,
                  const struct measure_options *options, struct row *row)
{
    struct wgmma_plan plan;
    wgmma_plan_of(c, &plan);
    struct wgmma_prediction predicted = wgmma_predicted(c, &plan);
    row_set_number(row, WGMMA_COL_HW_WRONG_SHARE, result->wrong_share, 6);
    if (result->inst_expected)
        row_set_number(row, WGMMA_COL_INST_EXPECTED, (double)result->inst_expected, 0);
    row_set_number(row, WGMMA_COL_INST_EXECUTED, result->inst_executed, 0);
    row_set_number(row, WGMMA_COL_HW_WAVEFRONTS, result->wavefronts, 4);
    row_set_number(row, WGMMA_COL_HW_CONFLICTS, result->conflicts, 4);
    row_set_number(row, WGMMA_COL_HW_BANK_READS, result->bank_reads, 4);
    record_times(c, &result->timing, predicted.cycles, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, result->extra[i], 6);
    if (row->status == ROW_OK)
        judge(result, predicted.wavefronts, row);
}
