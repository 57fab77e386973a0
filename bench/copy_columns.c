/* Which columns does a measured copy have, and what is put into them? */
#include "bench/copy_columns.h"

#include <inttypes.h>
#include <math.h>

#include "bench/copy_plan.h"
#include "bench/judge.h"

const struct column copy_columns[COPY_COL_COUNT] = {
    [COPY_COL_PATH] =
        {"path", "-",
         "what moves the bytes: ld-st and back through registers, cp.async, bulk copies, boxes of "
         "TMA (the number: bytes of a lane), a span wide or the whole tile; back, store: from "
         "shared to "
         "global memory; "
         "plain-load, plain-store: what the others are compared with"},
    [COPY_COL_LAYOUT] = {"layout", "-",
                         "of the tile in shared memory; K/ and MN/: what is contiguous in the "
                         "tensor, and stays so"},
    [COPY_COL_TILE] = {"tile", "-", "lines x bytes of a line"},
    [COPY_COL_STACKING] = {"stacking", "-",
                           "the next atom in memory is the next along a column (col) or a row "
                           "(row); empty where there is one choice"},
    [COPY_COL_SOURCE] = {"source", "-", "L2 or DRAM: where the tensor lies, read or written"},
    [COPY_COL_INSTRUCTIONS] =
        {"instructions", "instruction/tile",
         "of a warp (a load and a store count as one), boxes, or bulk copies"},
    [COPY_COL_MODEL_SECTORS] = {"model_sectors", "sector/tile",
                                "32-byte sectors of global memory, predicted"},
    [COPY_COL_HW_SECTORS] = {"hw_sectors", "sector/tile", "the same, counted"},
    [COPY_COL_REQUESTS] = {"requests", "request/tile", "of the lanes' instructions to L1, counted"},
    [COPY_COL_BYTES_PER_CLK_SM] = {"bytes_per_clk_sm", "B/clk/SM", "one CTA alone on one SM"},
    [COPY_COL_GBYTES_PER_S] = {"gbytes_per_s", "GB/s", "of all SMs, median"},
    [COPY_COL_PCT_OF_PEAK] = {"pct_of_peak", "%", "gbytes_per_s over peak_gbytes_per_s"},
    [COPY_COL_ORDER] = {"order", "-",
                        "in which lanes go over the tile: along its lines in global memory, or "
                        "through shared memory"},
    [COPY_COL_STAGES] = {"stages", "-", "tiles of a CTA in flight"},
    [COPY_COL_PITCH_BYTES] = {"pitch_bytes", "B", "from line to line of the tensor"},
    [COPY_COL_BYTES] = {"bytes", "B/tile", "moved"},
    [COPY_COL_SMEM_BYTES] = {"smem_bytes", "B/stage", "of shared memory, padding included"},
    [COPY_COL_RUN_BYTES] = {"run_bytes", "B",
                            "the least that an instruction moves from one place of global memory"},
    [COPY_COL_MODEL_REQUESTS] = {"model_requests", "request/tile", "one an instruction of lanes"},
    [COPY_COL_MODEL_L2_REQUESTS] = {"model_l2_requests", "request/tile",
                                    "to L2, predicted, before any are merged: of TMA, bulk copies "
                                    "and cp.async past L1; where L1 "
                                    "may answer there is no model"},
    [COPY_COL_HW_L2_REQUESTS] = {"hw_l2_requests", "request/tile",
                                 "that reached L2, counted; those that L1 answers do not"},
    [COPY_COL_HW_L2_SECTORS] = {"hw_l2_sectors", "sector/tile", "of these, counted"},
    [COPY_COL_MODEL_WAVEFRONTS] = {"model_wavefronts", "wavefront/tile",
                                   "of the lanes' accesses to shared memory, predicted"},
    [COPY_COL_IDEAL_WAVEFRONTS] = {"ideal_wavefronts", "wavefront/tile",
                                   "what no layout goes below"},
    [COPY_COL_HW_WAVEFRONTS] = {"hw_wavefronts", "wavefront/tile",
                                "the same, counted without turns lost to what global memory sends"},
    [COPY_COL_INST_EXPECTED] = {"inst_expected", "instruction",
                                "in the counted launch, from the source"},
    [COPY_COL_INST_EXECUTED] = {"inst_executed", "instruction",
                                "the same, counted by the hardware"},
    [COPY_COL_CYCLES_PER_TILE] = {"cycles_per_tile", "clk/tile", "median, one CTA alone on one SM"},
    [COPY_COL_CYCLES_PER_TILE_MIN] = {"cycles_per_tile_min", "clk/tile", "its least sample"},
    [COPY_COL_CYCLES_PER_TILE_MAX] = {"cycles_per_tile_max", "clk/tile", "its largest sample"},
    [COPY_COL_CTAS_PER_SM] = {"ctas_per_sm", "CTA/SM",
                              "of gbytes_per_s, each with all stages in flight"},
    [COPY_COL_GBYTES_PER_S_MIN] = {"gbytes_per_s_min", "GB/s", "the least of five launches"},
    [COPY_COL_GBYTES_PER_S_MAX] = {"gbytes_per_s_max", "GB/s", "the largest"},
    [COPY_COL_PEAK_GBYTES_PER_S] =
        {"peak_gbytes_per_s", "GB/s",
         "of the best plain 16-byte loads or stores of the same run, same source"},
    [COPY_COL_SM_CLOCK_MHZ] =
        {"sm_clock_mhz", "MHz",
         "while one SM was timed; empty where that took too short a time to tell"},
    [COPY_COL_SM] =
        {"sm", "-",
         "number of the SM that the clocks are of, as in tma.csv; 0 on a GPU without bulk "
         "copies"},
    [COPY_COL_SAMPLES] = {"samples", "-", "of cycles_per_tile"},
    [COPY_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                    "of rounds in which the card throttled"},
};

/* ---- Predict ------------------------------------------------------------------------------- */

static void predict_tile(const struct copy_case *c, const struct copy_plan *plan, struct row *row)
{
    struct copy_prediction p = copy_predicted(c, plan);
    char layout[ROW_VALUE_BYTES];
    copy_layout_name(c, layout, sizeof layout);
    row_set_text(row, COPY_COL_LAYOUT, "%s", layout);
    row_set_text(row, COPY_COL_TILE, "%ux%uB", swb_tile_lines(&c->tile),
                 swb_tile_line_bytes(&c->tile));
    if (c->stacks)
        row_set_text(row, COPY_COL_STACKING, "%s", c->tile.stack == SWB_STACK_COL ? "col" : "row");
    row_set_text(row, COPY_COL_INSTRUCTIONS, "%" PRIu32, plan->instructions);
    row_set_text(row, COPY_COL_MODEL_SECTORS, "%" PRIu64, p.sectors);
    if (p.l2_requests)
        row_set_text(row, COPY_COL_MODEL_L2_REQUESTS, "%" PRIu64, p.l2_requests);
    row_set_text(row, COPY_COL_STAGES, "%u", c->stages);
    row_set_text(row, COPY_COL_PITCH_BYTES, "%" PRIu32, plan->pitch_bytes);
    row_set_text(row, COPY_COL_BYTES, "%" PRIu32, plan->tile_bytes);
    row_set_text(row, COPY_COL_SMEM_BYTES, "%" PRIu32, plan->stage_bytes);
    row_set_text(row, COPY_COL_RUN_BYTES, "%u", p.run_bytes);
    if (!c->way->lane_bytes)
        return;
    row_set_text(row, COPY_COL_ORDER, "%s", c->order == COPY_ALONG_SHARED ? "shared" : "global");
    row_set_text(row, COPY_COL_MODEL_REQUESTS, "%u", p.requests);
    row_set_text(row, COPY_COL_MODEL_WAVEFRONTS, "%u", p.wavefronts);
    row_set_text(row, COPY_COL_IDEAL_WAVEFRONTS, "%u", p.ideal_wavefronts);
}

void copy_predict(const struct copy_case *c, struct row *row)
{
    struct copy_plan plan;
    copy_case_name(c, row->case_name, sizeof row->case_name);
    row_set_text(row, COPY_COL_PATH, "%s", c->way->name);
    row_set_text(row, COPY_COL_SOURCE, "%s", copy_source_name(c->source));
    copy_plan_of(c, &plan);
    if (c->way->kind != COPY_PLAIN)
        predict_tile(c, &plan, row);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_times(const struct copy_plan *plan, const struct timing *t, struct row *row)
{
    if (isnan(t->median_cycles))
        return;
    row_set_number(row, COPY_COL_CYCLES_PER_TILE, t->median_cycles, 2);
    row_set_number(row, COPY_COL_CYCLES_PER_TILE_MIN, t->min_cycles, 2);
    row_set_number(row, COPY_COL_CYCLES_PER_TILE_MAX, t->max_cycles, 2);
    row_set_number(row, COPY_COL_BYTES_PER_CLK_SM, plan->tile_bytes / t->median_cycles, 3);
    if (t->sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, COPY_COL_SM_CLOCK_MHZ, t->sm_clock_mhz, 0);
    row_set_number(row, COPY_COL_SM, t->sm, 0);
    row_set_number(row, COPY_COL_SAMPLES, t->samples, 0);
    row_set_number(row, COPY_COL_THROTTLED_SAMPLES, t->throttled_samples, 0);
}

static void record_rate(const struct copy_result *r, struct row *row)
{
    row_set_number(row, COPY_COL_GBYTES_PER_S, r->rate.gbytes_per_s, 1);
    row_set_number(row, COPY_COL_GBYTES_PER_S_MIN, r->rate.min_gbytes_per_s, 1);
    row_set_number(row, COPY_COL_GBYTES_PER_S_MAX, r->rate.max_gbytes_per_s, 1);
    row_set_number(row, COPY_COL_PEAK_GBYTES_PER_S, r->peak_gbytes_per_s, 1);
    row_set_number(row, COPY_COL_PCT_OF_PEAK, 100.0 * r->rate.gbytes_per_s / r->peak_gbytes_per_s,
                   2);
    if (r->ctas_per_sm)
        row_set_text(row, COPY_COL_CTAS_PER_SM, "%u", r->ctas_per_sm);
}

void copy_record(const struct copy_case *c, const struct copy_result *r,
                 const struct measure_options *options, struct row *row)
{
    struct copy_plan plan;
    copy_plan_of(c, &plan);
    struct copy_prediction p = copy_predicted(c, &plan);
    if (r->inst_expected)
        row_set_number(row, COPY_COL_INST_EXPECTED, (double)r->inst_expected, 0);
    row_set_number(row, COPY_COL_INST_EXECUTED, r->inst_executed, 0);
    row_set_number(row, COPY_COL_HW_SECTORS, r->sectors, 4);
    row_set_number(row, COPY_COL_REQUESTS, r->requests, 4);
    row_set_number(row, COPY_COL_HW_L2_REQUESTS, r->l2_requests, 4);
    row_set_number(row, COPY_COL_HW_L2_SECTORS, r->l2_sectors, 4);
    row_set_number(row, COPY_COL_HW_WAVEFRONTS, r->wavefronts, 4);
    record_times(&plan, &r->timing, row);
    record_rate(r, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, r->extra[i], 6);
    judge_counted("sectors", "a tile", (double)p.sectors, r->sectors, row);
    judge_counted("wavefronts", "a tile", p.wavefronts, r->wavefronts, row);
}
