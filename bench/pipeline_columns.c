/* Which columns does a measured pipeline have, and what is put into them? */
#include "bench/pipeline_columns.h"

#include <math.h>

#include "bench/judge.h"
#include "bench/pipeline_plan.h"

const struct column pipeline_columns[PIPELINE_COL_COUNT] = {
    [PIPELINE_COL_LAYOUT] = {"layout", "-",
                             "of B, and of A where both are K-major: none, 32B, 64B or 128B"},
    [PIPELINE_COL_K_BLOCK] = {"k_block", "element", "K of the tiles; A is 64 x k_block of bf16"},
    [PIPELINE_COL_N] = {"n", "element", "rows of B, N of m64nN"},
    [PIPELINE_COL_STAGES] = {"stages", "-",
                             "pairs of tiles that shared memory has room for: while wgmma reads "
                             "one, TMA writes others"},
    [PIPELINE_COL_A_LAYOUT] = {"a_layout", "-", "of A in shared memory"},
    [PIPELINE_COL_B_LAYOUT] = {"b_layout", "-", "of B"},
    [PIPELINE_COL_BOXES] = {"boxes", "-",
                            "many: of rank 2, one for each span of an operand's lines; one: of "
                            "rank 3 (span, lines, spans)"},
    [PIPELINE_COL_BOXES_PER_STAGE] = {"boxes_per_stage", "box",
                                      "of both operands, all at one barrier"},
    [PIPELINE_COL_PRODUCER_WARPS] = {"producer_warps", "warp",
                                     "that send boxes, a lane of each: one for each stage"},
    [PIPELINE_COL_CUTLASS_CHOICE] = {"cutlass_choice", "-",
                                     "yes where both layouts are those of CUTLASS's selector: the "
                                     "widest span that divides the operand's lines"},
    [PIPELINE_COL_BYTES] = {"bytes", "B/k-block", "of both tiles, loaded from L2"},
    [PIPELINE_COL_TMA_MODEL_CYCLES] = {"tma_model_cycles", "clk/k-block",
                                       "predicted for the TMA unit: model_cycles of tma.csv, "
                                       "over all boxes"},
    [PIPELINE_COL_WGMMA_MODEL_CYCLES] = {"wgmma_model_cycles", "clk/k-block",
                                         "predicted for wgmma: model_cycles of wgmma.csv, over "
                                         "all instructions"},
    [PIPELINE_COL_SMEM_MODEL_CYCLES] = {"smem_model_cycles", "clk/k-block",
                                        "of shared memory, if it takes TMA's writes and wgmma's "
                                        "reads one after the other, 128 bytes a clock"},
    [PIPELINE_COL_BOUND_CYCLES] = {"bound_cycles", "clk/k-block",
                                   "the larger of tma_model_cycles and wgmma_model_cycles"},
    [PIPELINE_COL_CYCLES_PER_K_BLOCK] = {"cycles_per_k_block", "clk/k-block",
                                         "median, one CTA alone on one SM, a typical one"},
    [PIPELINE_COL_CYCLES_OVER_BOUND] = {"cycles_over_bound", "-",
                                        "cycles_per_k_block over bound_cycles"},
    [PIPELINE_COL_FLOP_PER_CLK_SM] = {"flop_per_clk_sm", "FLOP/clk/SM",
                                      "multiplications and additions over cycles_per_k_block"},
    [PIPELINE_COL_PCT_OF_PEAK] = {"pct_of_peak", "%",
                                  "of the dense tensor core: N/2 clocks an instruction"},
    [PIPELINE_COL_BYTES_PER_CLK_SM] = {"bytes_per_clk_sm", "B/clk/SM",
                                       "bytes over cycles_per_k_block"},
    [PIPELINE_COL_MODEL_SECTORS] = {"model_sectors", "sector/k-block",
                                    "32-byte sectors that the boxes ask for, predicted"},
    [PIPELINE_COL_HW_SECTORS] = {"hw_sectors", "sector/k-block", "the same, counted"},
    [PIPELINE_COL_MODEL_WAVEFRONTS] = {"model_wavefronts", "wavefront/k-block",
                                       "of reading operands, predicted"},
    [PIPELINE_COL_HW_WAVEFRONTS] = {"hw_wavefronts", "wavefront/k-block",
                                    "of reading operands, counted"},
    [PIPELINE_COL_HW_CONFLICTS] = {"hw_conflicts", "conflict/k-block",
                                   "of reading operands, counted: bank conflicts, and what is "
                                   "lost to TMA's writes"},
    [PIPELINE_COL_HW_TMA_CYCLES_ACTIVE] = {"hw_tma_cycles_active", "clk/k-block",
                                           "in which the TMA unit was busy, counted"},
    [PIPELINE_COL_BOXES_EXPECTED] = {"boxes_expected", "box",
                                     "sent in the counted launch, from the source"},
    [PIPELINE_COL_BOXES_EXECUTED] = {"boxes_executed", "box", "the same, counted by the hardware"},
    [PIPELINE_COL_INST_EXPECTED] = {"inst_expected", "instruction",
                                    "of all warps in the counted launch, from the source: four of "
                                    "a wgmma"},
    [PIPELINE_COL_INST_EXECUTED] = {"inst_executed", "instruction",
                                    "the same, counted by the hardware"},
    [PIPELINE_COL_CYCLES_PER_K_BLOCK_MIN] = {"cycles_per_k_block_min", "clk/k-block",
                                             "its least sample"},
    [PIPELINE_COL_CYCLES_PER_K_BLOCK_MAX] = {"cycles_per_k_block_max", "clk/k-block",
                                             "its largest sample"},
    [PIPELINE_COL_SM_CLOCK_MHZ] = {"sm_clock_mhz", "MHz", "while it was timed"},
    [PIPELINE_COL_SM] = {"sm", "-", "number of the SM that the clocks are of, as in tma.csv"},
    [PIPELINE_COL_SAMPLES] = {"samples", "-", "of cycles_per_k_block"},
    [PIPELINE_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                        "of rounds in which the card throttled"},
};

/* ---- Predict ------------------------------------------------------------------------------- */

static void predict_layouts(const struct pipeline_case *c, struct row *row)
{
    char layout[ROW_VALUE_BYTES];
    row_set_text(row, PIPELINE_COL_LAYOUT, "%s", c->layouts[SWB_MMA_B].mode->name);
    wgmma_layout_name(&c->layouts[SWB_MMA_A], layout, sizeof layout);
    row_set_text(row, PIPELINE_COL_A_LAYOUT, "%s", layout);
    wgmma_layout_name(&c->layouts[SWB_MMA_B], layout, sizeof layout);
    row_set_text(row, PIPELINE_COL_B_LAYOUT, "%s", layout);
    row_set_text(row, PIPELINE_COL_CUTLASS_CHOICE, "%s",
                 pipeline_is_cutlass_choice(c) ? "yes" : "no");
}

void pipeline_predict(const struct pipeline_case *c, struct row *row)
{
    struct pipeline_plan plan;
    pipeline_plan_of(c, &plan);
    struct pipeline_prediction p = pipeline_predicted(c, &plan);
    pipeline_case_name(c, row->case_name, sizeof row->case_name);
    predict_layouts(c, row);
    row_set_text(row, PIPELINE_COL_K_BLOCK, "%u", c->k_block);
    row_set_text(row, PIPELINE_COL_N, "%u", c->n);
    row_set_text(row, PIPELINE_COL_STAGES, "%u", c->stages);
    row_set_text(row, PIPELINE_COL_BOXES, "%s", c->one_box ? "one" : "many");
    row_set_text(row, PIPELINE_COL_BOXES_PER_STAGE, "%u",
                 plan.operands[SWB_MMA_A].boxes + plan.operands[SWB_MMA_B].boxes);
    row_set_text(row, PIPELINE_COL_PRODUCER_WARPS, "%u", c->stages);
    row_set_text(row, PIPELINE_COL_BYTES, "%u", plan.stage_bytes);
    row_set_number(row, PIPELINE_COL_TMA_MODEL_CYCLES, (double)p.tma_cycles, 0);
    row_set_text(row, PIPELINE_COL_WGMMA_MODEL_CYCLES, "%u", p.wgmma_cycles);
    row_set_text(row, PIPELINE_COL_SMEM_MODEL_CYCLES, "%u", p.smem_cycles);
    row_set_number(row, PIPELINE_COL_BOUND_CYCLES, (double)p.bound_cycles, 0);
    row_set_number(row, PIPELINE_COL_MODEL_SECTORS, (double)p.sectors, 0);
    row_set_text(row, PIPELINE_COL_MODEL_WAVEFRONTS, "%u", p.wavefronts);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_times(const struct pipeline_case *c, const struct timing *t, double bound_cycles,
                         struct row *row)
{
    double tensor_cycles = (double)swb_wgmma_tensor_cycles(c->n) * c->k_block / PIPELINE_STEP_K;
    double flop = 2.0 * WGMMA_M * c->n * c->k_block;
    row_set_number(row, PIPELINE_COL_CYCLES_PER_K_BLOCK, t->median_cycles, 2);
    row_set_number(row, PIPELINE_COL_CYCLES_PER_K_BLOCK_MIN, t->min_cycles, 2);
    row_set_number(row, PIPELINE_COL_CYCLES_PER_K_BLOCK_MAX, t->max_cycles, 2);
    row_set_number(row, PIPELINE_COL_CYCLES_OVER_BOUND, t->median_cycles / bound_cycles, 4);
    row_set_number(row, PIPELINE_COL_FLOP_PER_CLK_SM, flop / t->median_cycles, 2);
    row_set_number(row, PIPELINE_COL_PCT_OF_PEAK, 100.0 * tensor_cycles / t->median_cycles, 3);
    row_set_number(row, PIPELINE_COL_BYTES_PER_CLK_SM, pipeline_stage_bytes(c) / t->median_cycles,
                   3);
    if (isnan(t->median_cycles))
        return;
    if (t->sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, PIPELINE_COL_SM_CLOCK_MHZ, t->sm_clock_mhz, 0);
    row_set_number(row, PIPELINE_COL_SM, t->sm, 0);
    row_set_number(row, PIPELINE_COL_SAMPLES, t->samples, 0);
    row_set_number(row, PIPELINE_COL_THROTTLED_SAMPLES, t->throttled_samples, 0);
}

void pipeline_record(const struct pipeline_case *c, const struct pipeline_result *r,
                     const struct measure_options *options, struct row *row)
{
    struct pipeline_plan plan;
    pipeline_plan_of(c, &plan);
    struct pipeline_prediction p = pipeline_predicted(c, &plan);
    if (r->inst_expected) {
        row_set_number(row, PIPELINE_COL_BOXES_EXPECTED, (double)r->boxes_expected, 0);
        row_set_number(row, PIPELINE_COL_INST_EXPECTED, (double)r->inst_expected, 0);
    }
    row_set_number(row, PIPELINE_COL_BOXES_EXECUTED, r->boxes_executed, 0);
    row_set_number(row, PIPELINE_COL_INST_EXECUTED, r->inst_executed, 0);
    row_set_number(row, PIPELINE_COL_HW_SECTORS, r->sectors, 4);
    row_set_number(row, PIPELINE_COL_HW_WAVEFRONTS, r->wavefronts, 4);
    row_set_number(row, PIPELINE_COL_HW_CONFLICTS, r->conflicts, 4);
    row_set_number(row, PIPELINE_COL_HW_TMA_CYCLES_ACTIVE, r->tma_cycles_active, 2);
    record_times(c, &r->timing, (double)p.bound_cycles, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, r->extra[i], 6);
    judge_counted("sectors", "a k-block", (double)p.sectors, r->sectors, row);
    judge_counted("wavefronts", "a k-block", p.wavefronts, r->wavefronts, row);
}
