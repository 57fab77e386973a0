/* Which columns does a measured transpose have, and what is put into them? */
#include "bench/transpose_columns.h"

#include <math.h>

#include "bench/transpose_plan.h"

const struct column transpose_columns[TRANSPOSE_COL_COUNT] = {
    [TRANSPOSE_COL_METHOD] = {"method", "-",
                              "how a tile gets into shared memory and out of it turned; copy: not "
                              "at all, the matrix is copied as it is"},
    [TRANSPOSE_COL_LAYOUT] =
        {"layout", "-", "of the tile in shared memory; of the turned tile, under stmatrix.trans"},
    [TRANSPOSE_COL_TILE] = {"tile", "-", "rows x columns, in elements"},
    [TRANSPOSE_COL_ELEM_BITS] = {"elem_bits", "bit", "width of an element"},
    [TRANSPOSE_COL_INSTRUCTION_IN] = {"instruction_in", "-", "that writes into shared memory"},
    [TRANSPOSE_COL_INSTRUCTION_OUT] = {"instruction_out", "-", "that reads from shared memory"},
    [TRANSPOSE_COL_LOAD_BYTES] =
        {"load_bytes", "B", "that a lane loads from global memory at once; empty: TMA does it"},
    [TRANSPOSE_COL_STORE_BYTES] =
        {"store_bytes", "B", "that a lane stores to global memory at once; empty: TMA does it"},
    [TRANSPOSE_COL_SMEM_BYTES] = {"smem_bytes", "B",
                                  "of a tile, with the padding; TMA has two each way"},
    [TRANSPOSE_COL_MODEL_WAVEFRONTS_IN] =
        {"model_wavefronts_in", "wavefront/tile",
         "predicted, of the way in: rows of the tile, but columns under stmatrix.trans"},
    [TRANSPOSE_COL_HW_WAVEFRONTS_IN] =
        {"hw_wavefronts_in", "wavefront/tile",
         "what the counters of the instruction say, less the control's"},
    [TRANSPOSE_COL_IDEAL_WAVEFRONTS_IN] = {"ideal_wavefronts_in", "wavefront/tile",
                                           "what no layout goes below, with these instructions"},
    [TRANSPOSE_COL_MODEL_CONFLICTS_IN] = {"model_conflicts_in", "conflict/tile",
                                          "predicted: wavefronts less the ideal"},
    [TRANSPOSE_COL_HW_CONFLICTS_IN] =
        {"hw_conflicts_in", "conflict/tile",
         "counted, with turns lost to global memory's traffic: not judged"},
    [TRANSPOSE_COL_INST_EXPECTED_IN] = {"inst_expected_in", "instruction",
                                        "in the counted launch, from the source; boxes, of TMA"},
    [TRANSPOSE_COL_INST_EXECUTED_IN] = {"inst_executed_in", "instruction",
                                        "the same, counted by the hardware"},
    [TRANSPOSE_COL_MODEL_WAVEFRONTS_OUT] = {"model_wavefronts_out", "wavefront/tile",
                                            "predicted, of the way out: columns of the tile, but "
                                            "rows of the turned one under stmatrix.trans"},
    [TRANSPOSE_COL_HW_WAVEFRONTS_OUT] =
        {"hw_wavefronts_out", "wavefront/tile",
         "what the counters of the instruction say, less the control's"},
    [TRANSPOSE_COL_IDEAL_WAVEFRONTS_OUT] = {"ideal_wavefronts_out", "wavefront/tile",
                                            "what no layout goes below, with these instructions"},
    [TRANSPOSE_COL_MODEL_CONFLICTS_OUT] = {"model_conflicts_out", "conflict/tile",
                                           "predicted: wavefronts less the ideal"},
    [TRANSPOSE_COL_HW_CONFLICTS_OUT] = {"hw_conflicts_out", "conflict/tile",
                                        "counted, with turns lost to other traffic: not judged"},
    [TRANSPOSE_COL_INST_EXPECTED_OUT] = {"inst_expected_out", "instruction",
                                         "in the counted launch, from the source"},
    [TRANSPOSE_COL_INST_EXECUTED_OUT] = {"inst_executed_out", "instruction",
                                         "the same, counted by the hardware"},
    [TRANSPOSE_COL_INSTRUCTION_PUT] =
        {"instruction_put", "-", "that lays out the turned tile in shared memory, for TMA to send"},
    [TRANSPOSE_COL_MODEL_WAVEFRONTS_PUT] =
        {"model_wavefronts_put", "wavefront/tile",
         "predicted, of laying out the turned tile for TMA to send; empty where it goes from "
         "registers to global memory"},
    [TRANSPOSE_COL_HW_WAVEFRONTS_PUT] =
        {"hw_wavefronts_put", "wavefront/tile",
         "what the counters of the instruction say, less the control's"},
    [TRANSPOSE_COL_IDEAL_WAVEFRONTS_PUT] = {"ideal_wavefronts_put", "wavefront/tile",
                                            "what no layout goes below, with these instructions"},
    [TRANSPOSE_COL_MODEL_CONFLICTS_PUT] = {"model_conflicts_put", "conflict/tile",
                                           "predicted: wavefronts less the ideal"},
    [TRANSPOSE_COL_HW_CONFLICTS_PUT] = {"hw_conflicts_put", "conflict/tile",
                                        "counted, with turns lost to other traffic: not judged"},
    [TRANSPOSE_COL_INST_EXPECTED_PUT] = {"inst_expected_put", "instruction",
                                         "in the counted launch, from the source"},
    [TRANSPOSE_COL_INST_EXECUTED_PUT] = {"inst_executed_put", "instruction",
                                         "the same, counted by the hardware"},
    [TRANSPOSE_COL_HW_ARBITRATION_CONFLICTS] = {"hw_arbitration_conflicts", "conflict/tile",
                                                "turns at the banks lost to other traffic"},
    [TRANSPOSE_COL_CYCLES] = {"cycles", "clk/tile",
                              "of an SM, of shared memory alone: written, read, with two barriers, "
                              "in one CTA of up to 1024 threads, median; empty for TMA"},
    [TRANSPOSE_COL_CYCLES_MIN] = {"cycles_min", "clk/tile", "its least sample"},
    [TRANSPOSE_COL_CYCLES_MAX] = {"cycles_max", "clk/tile", "its largest sample"},
    [TRANSPOSE_COL_BYTES_PER_CLK_SM] = {"bytes_per_clk_sm", "B/clk/SM",
                                        "written to shared memory and read from it, over cycles"},
    [TRANSPOSE_COL_GBYTES_PER_S] =
        {"gbytes_per_s", "GB/s",
         "read and written by the whole GPU, from DRAM to DRAM, median of launches"},
    [TRANSPOSE_COL_GBYTES_PER_S_MIN] = {"gbytes_per_s_min", "GB/s", "its least sample"},
    [TRANSPOSE_COL_GBYTES_PER_S_MAX] = {"gbytes_per_s_max", "GB/s", "its largest sample"},
    [TRANSPOSE_COL_PCT_OF_COPY] =
        {"pct_of_copy", "%", "of what the plain copy of as many bytes reaches in the same run"},
    [TRANSPOSE_COL_L2_GBYTES_PER_S] = {"l2_gbytes_per_s", "GB/s",
                                       "the same with matrices that stay in L2"},
    [TRANSPOSE_COL_L2_GBYTES_PER_S_MIN] = {"l2_gbytes_per_s_min", "GB/s", "its least sample"},
    [TRANSPOSE_COL_L2_GBYTES_PER_S_MAX] = {"l2_gbytes_per_s_max", "GB/s", "its largest sample"},
    [TRANSPOSE_COL_L2_PCT_OF_COPY] = {"l2_pct_of_copy", "%",
                                      "of what the plain copy reaches there"},
    [TRANSPOSE_COL_SM_CLOCK_MHZ] = {"sm_clock_mhz", "MHz", "while cycles was measured"},
    [TRANSPOSE_COL_SAMPLES] = {"samples", "-", "of cycles"},
    [TRANSPOSE_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                         "of rounds in which the card throttled"},
};

/* The columns of each way through the banks. */
static const struct way {
    const char *name;
    enum transpose_step step;
    size_t instruction, model, hw, ideal, model_conflicts, hw_conflicts, expected, executed;
} ways[] = {
#define WAY(name, step, suffix)                                                                    \
    {                                                                                              \
        name, step, TRANSPOSE_COL_INSTRUCTION_##suffix, TRANSPOSE_COL_MODEL_WAVEFRONTS_##suffix,   \
            TRANSPOSE_COL_HW_WAVEFRONTS_##suffix, TRANSPOSE_COL_IDEAL_WAVEFRONTS_##suffix,         \
            TRANSPOSE_COL_MODEL_CONFLICTS_##suffix, TRANSPOSE_COL_HW_CONFLICTS_##suffix,           \
            TRANSPOSE_COL_INST_EXPECTED_##suffix, TRANSPOSE_COL_INST_EXECUTED_##suffix             \
    }
    WAY("in", TRANSPOSE_WRITE, IN),
    WAY("out", TRANSPOSE_READ, OUT),
    WAY("to TMA", TRANSPOSE_PUT, PUT),
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- Predict ------------------------------------------------------------------------------- */

static void predict_way(const struct transpose_plan *plan, const struct way *way, struct row *row)
{
    const struct transpose_pieces *pieces = &plan->steps[way->step];
    if (!pieces->instruction)
        return;
    row_set_text(row, way->instruction, "%s", pieces->instruction->name);
    row_set_number(row, way->model, pieces->cost.wavefronts, 0);
    row_set_number(row, way->ideal, pieces->cost.ideal_wavefronts, 0);
    row_set_number(row, way->model_conflicts, pieces->cost.conflicts, 0);
}

static void predict_global(const struct transpose_case *c, const struct transpose_plan *plan,
                           struct row *row)
{
    const struct transpose_pieces *steps = plan->steps;
    if (c->method->in == TRANSPOSE_IN_TMA)
        row_set_text(row, TRANSPOSE_COL_INSTRUCTION_IN, "TMA");
    else
        row_set_number(row, TRANSPOSE_COL_LOAD_BYTES,
                       (double)plan->thread_bytes / steps[TRANSPOSE_LOAD].count, 0);
    if (!c->method->tma_out)
        row_set_number(row, TRANSPOSE_COL_STORE_BYTES,
                       (double)plan->thread_bytes / steps[TRANSPOSE_STORE].count, 0);
}

void transpose_predict(const struct transpose_case *c, struct row *row)
{
    struct transpose_plan plan;
    transpose_case_name(c, row->case_name, sizeof row->case_name);
    row_set_text(row, TRANSPOSE_COL_METHOD, "%s", c->method->name);
    row_set_number(row, TRANSPOSE_COL_ELEM_BITS, c->elem_bits, 0);
    if (c->method->is_copy) {
        row_set_number(row, TRANSPOSE_COL_LOAD_BYTES, 16, 0);
        row_set_number(row, TRANSPOSE_COL_STORE_BYTES, 16, 0);
        return;
    }
    transpose_plan_of(c, &plan);
    row_set_text(row, TRANSPOSE_COL_LAYOUT, "%s", c->layout->name);
    row_set_text(row, TRANSPOSE_COL_TILE, "%ux%u", c->tile, c->tile);
    row_set_number(row, TRANSPOSE_COL_SMEM_BYTES, transpose_smem_bytes(c), 0);
    predict_global(c, &plan, row);
    for (size_t i = 0; i < WAYS; i++)
        predict_way(&plan, &ways[i], row);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_way(const struct transpose_plan *plan, const struct way *way,
                       const struct transpose_counted *counted, struct row *row)
{
    unsigned model = plan->steps[way->step].cost.wavefronts;
    if (counted->expected)
        row_set_number(row, way->expected, (double)counted->expected, 0);
    row_set_number(row, way->executed, counted->executed, 0);
    row_set_number(row, way->hw, counted->wavefronts, 6);
    row_set_number(row, way->hw_conflicts, counted->conflicts, 6);
    if (!isnan(counted->wavefronts) && counted->wavefronts != model)
        row_end(row, ROW_FAILED,
                "model and counter disagree: %u wavefronts a tile predicted on the way %s, %g "
                "counted",
                model, way->name, counted->wavefronts);
}

static void record_cycles(const struct transpose_case *c, const struct timing *cycles,
                          struct row *row)
{
    if (isnan(cycles->median_cycles))
        return;
    row_set_number(row, TRANSPOSE_COL_CYCLES, cycles->median_cycles, 3);
    row_set_number(row, TRANSPOSE_COL_CYCLES_MIN, cycles->min_cycles, 3);
    row_set_number(row, TRANSPOSE_COL_CYCLES_MAX, cycles->max_cycles, 3);
    row_set_number(row, TRANSPOSE_COL_BYTES_PER_CLK_SM,
                   2.0 * transpose_tile_bytes(c) / cycles->median_cycles, 3);
    if (cycles->sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, TRANSPOSE_COL_SM_CLOCK_MHZ, cycles->sm_clock_mhz, 0);
    row_set_number(row, TRANSPOSE_COL_SAMPLES, cycles->samples, 0);
    row_set_number(row, TRANSPOSE_COL_THROTTLED_SAMPLES, cycles->throttled_samples, 0);
}

static void record_rates(const struct transpose_result *result, struct row *row)
{
    static const size_t first[] = {[TRANSPOSE_DRAM] = TRANSPOSE_COL_GBYTES_PER_S,
                                   [TRANSPOSE_L2] = TRANSPOSE_COL_L2_GBYTES_PER_S};
    for (size_t i = 0; i < TRANSPOSE_MEMORIES; i++) {
        const struct chip_rate *rate = &result->rates[i];
        row_set_number(row, first[i], rate->gbytes_per_s, 1);
        row_set_number(row, first[i] + 1, rate->min_gbytes_per_s, 1);
        row_set_number(row, first[i] + 2, rate->max_gbytes_per_s, 1);
        row_set_number(row, first[i] + 3, 100 * rate->gbytes_per_s / result->copy[i], 2);
    }
}

void transpose_record(const struct transpose_case *c, const struct transpose_result *result,
                      const struct measure_options *options, struct row *row)
{
    struct transpose_plan plan;
    if (row->status == ROW_SKIPPED)
        return;
    if (!c->method->is_copy) {
        transpose_plan_of(c, &plan);
        record_way(&plan, &ways[0], &result->in, row);
        record_way(&plan, &ways[1], &result->out, row);
        record_way(&plan, &ways[2], &result->put, row);
        row_set_number(row, TRANSPOSE_COL_HW_ARBITRATION_CONFLICTS, result->arbitration, 6);
        record_cycles(c, &result->cycles, row);
    }
    record_rates(result, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, result->extra[i], 6);
}
