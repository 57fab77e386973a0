/* Which columns does a measured access have, and what is put into them? */
#include "bench/access_columns.h"

#include <math.h>

const struct column access_columns[ACCESS_COL_COUNT] = {
    [ACCESS_COL_INSTRUCTION] = {"instruction", "-", "the instruction measured"},
    [ACCESS_COL_CACHE] = {"cache", "-",
                          "cp.async: ca goes through L1, cg past it; empty for the others"},
    [ACCESS_COL_LAYOUT] = {"layout", "-", "how the tile lies in shared memory"},
    [ACCESS_COL_MAJOR] = {"major", "-", "the contiguous dimension: K or MN"},
    [ACCESS_COL_SWIZZLE] = {"swizzle", "-", "the mode of the layout"},
    [ACCESS_COL_ELEM_BITS] = {"elem_bits", "bit", "width of an element"},
    [ACCESS_COL_TILE] = {"tile", "element", "rows (M or N) x columns (K) of the tile"},
    [ACCESS_COL_STACK] = {"stack", "-",
                          "the next atom in memory is the next along rows or columns"},
    [ACCESS_COL_ACCESS] = {"access", "-", "how the lanes share out the tile"},
    [ACCESS_COL_POSITIONS] = {"positions", "-",
                              "places of the instruction in the tile, all visited"},
    [ACCESS_COL_MODEL_WAVEFRONTS] = {"model_wavefronts", "wavefront/instruction",
                                     "predicted, mean over the positions"},
    [ACCESS_COL_HW_WAVEFRONTS] = {"hw_wavefronts", "wavefront/instruction",
                                  "the instruction's own counter, less the control kernel's"},
    [ACCESS_COL_IDEAL_WAVEFRONTS] =
        {"ideal_wavefronts", "wavefront/instruction",
         "phases with an active lane: what no layout goes below (cp.async past L1 can)"},
    [ACCESS_COL_WORST_WAVEFRONTS] = {"worst_wavefronts", "wavefront/instruction",
                                     "predicted, at the costliest position"},
    [ACCESS_COL_MODEL_CONFLICTS] = {"model_conflicts", "conflict/instruction",
                                    "predicted: wavefronts less the ideal"},
    [ACCESS_COL_HW_CONFLICTS] = {"hw_conflicts", "conflict/instruction",
                                 "the instruction's own counter, less the control kernel's"},
    [ACCESS_COL_HW_TOTAL_WAVEFRONTS] = {"hw_total_wavefronts", "wavefront/instruction",
                                        "all of shared memory, less the control kernel's"},
    [ACCESS_COL_HW_OTHER_WAVEFRONTS] = {"hw_other_wavefronts", "wavefront/instruction",
                                        "hw_total_wavefronts less hw_wavefronts: noise, when not "
                                        "0; empty for cp.async, whose writes past L1 are not in "
                                        "the total"},
    [ACCESS_COL_HW_ARBITRATION_CONFLICTS] = {"hw_arbitration_conflicts", "conflict/instruction",
                                             "turns at the banks lost to other traffic"},
    [ACCESS_COL_INST_EXPECTED] = {"inst_expected", "instruction",
                                  "warp instructions in the counted launch, from the source"},
    [ACCESS_COL_INST_EXECUTED] = {"inst_executed", "instruction",
                                  "the same, counted by the hardware"},
    [ACCESS_COL_LATENCY_CYCLES] =
        {"latency_cycles", "clk/instruction",
         "one warp, one at a time, median: a load until its value is the next "
         "address; a store until a one-word load behind it returns; cp.async "
         "until wait_all returns"},
    [ACCESS_COL_LATENCY_MIN_CYCLES] = {"latency_min_cycles", "clk/instruction", "its least sample"},
    [ACCESS_COL_LATENCY_MAX_CYCLES] = {"latency_max_cycles", "clk/instruction",
                                       "its largest sample"},
    [ACCESS_COL_ONE_WARP_CYCLES] = {"one_warp_cycles", "clk/instruction",
                                    "one warp alone, instructions back to back, median"},
    [ACCESS_COL_ONE_WARP_CYCLES_PER_WAVEFRONT] = {"one_warp_cycles_per_wavefront", "clk/wavefront",
                                                  "one_warp_cycles over the wavefronts"},
    [ACCESS_COL_ONE_WARP_MIN_CYCLES_PER_WAVEFRONT] = {"one_warp_min_cycles_per_wavefront",
                                                      "clk/wavefront", "its least sample"},
    [ACCESS_COL_ONE_WARP_MAX_CYCLES_PER_WAVEFRONT] = {"one_warp_max_cycles_per_wavefront",
                                                      "clk/wavefront", "its largest sample"},
    [ACCESS_COL_THROUGHPUT_CYCLES] = {"throughput_cycles", "clk/instruction",
                                      "32 warps a SM, all SMs busy, median"},
    [ACCESS_COL_THROUGHPUT_MIN_CYCLES] = {"throughput_min_cycles", "clk/instruction",
                                          "its least sample"},
    [ACCESS_COL_THROUGHPUT_MAX_CYCLES] = {"throughput_max_cycles", "clk/instruction",
                                          "its largest sample"},
    [ACCESS_COL_CYCLES_PER_WAVEFRONT] = {"cycles_per_wavefront", "clk/wavefront",
                                         "throughput_cycles over the wavefronts"},
    [ACCESS_COL_BYTES_PER_CLK_SM] = {"bytes_per_clk_sm", "B/clk/SM",
                                     "bytes of all lanes over throughput_cycles"},
    [ACCESS_COL_PCT_OF_PEAK] = {"pct_of_peak", "%", "of 128 B/clk/SM"},
    [ACCESS_COL_MODEL_SECTORS] = {"model_sectors", "sector/instruction",
                                  "cp.async: 32-byte sectors of global memory that it asks for"},
    [ACCESS_COL_HW_SECTORS] = {"hw_sectors", "sector/instruction", "the same, counted at L1"},
    [ACCESS_COL_HW_L2_SECTORS] = {"hw_l2_sectors", "sector/instruction", "cp.async: read from L2"},
    [ACCESS_COL_HW_DRAM_SECTORS] = {"hw_dram_sectors", "sector/instruction",
                                    "cp.async: read from DRAM"},
    [ACCESS_COL_SM_CLOCK_MHZ] = {"sm_clock_mhz", "MHz", "while the throughput was measured"},
    [ACCESS_COL_SAMPLES] = {"samples", "-", "of the throughput"},
    [ACCESS_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                      "of rounds in which the card throttled"},
};

void access_predict(const struct access_plan *plan, struct row *row)
{
    struct plan_cost cost = access_plan_cost(plan);
    double positions = plan->slots;
    bool copies = plan->instruction->kind == SWB_CP_ASYNC;
    row_set_text(row, ACCESS_COL_INSTRUCTION, "%s", plan->instruction->name);
    row_set_text(row, ACCESS_COL_CACHE, "%s", !copies ? "" : plan->bypass_l1 ? "cg" : "ca");
    row_set_text(row, ACCESS_COL_POSITIONS, "%u", plan->slots);
    row_set_number(row, ACCESS_COL_MODEL_WAVEFRONTS, cost.wavefronts / positions, 6);
    row_set_number(row, ACCESS_COL_IDEAL_WAVEFRONTS, cost.ideal_wavefronts / positions, 6);
    row_set_number(row, ACCESS_COL_MODEL_CONFLICTS, cost.conflicts / positions, 6);
    row_set_number(row, ACCESS_COL_WORST_WAVEFRONTS, cost.worst_wavefronts, 6);
    if (copies)
        row_set_number(row, ACCESS_COL_MODEL_SECTORS, cost.sectors / positions, 6);
}

static void record_counts(const struct access_plan *plan, const struct access_result *r,
                          struct row *row)
{
    row_set_number(row, ACCESS_COL_INST_EXPECTED, (double)r->inst_expected, 0);
    row_set_number(row, ACCESS_COL_INST_EXECUTED, r->inst_executed, 0);
    row_set_number(row, ACCESS_COL_HW_WAVEFRONTS, r->wavefronts, 6);
    row_set_number(row, ACCESS_COL_HW_CONFLICTS, r->conflicts, 6);
    row_set_number(row, ACCESS_COL_HW_TOTAL_WAVEFRONTS, r->total_wavefronts, 6);
    if (plan->instruction->kind != SWB_CP_ASYNC)
        row_set_number(row, ACCESS_COL_HW_OTHER_WAVEFRONTS, r->total_wavefronts - r->wavefronts, 6);
    row_set_number(row, ACCESS_COL_HW_ARBITRATION_CONFLICTS, r->arbitration_conflicts, 6);
    row_set_number(row, ACCESS_COL_HW_SECTORS, r->sectors, 6);
    row_set_number(row, ACCESS_COL_HW_L2_SECTORS, r->l2_sectors, 6);
    row_set_number(row, ACCESS_COL_HW_DRAM_SECTORS, r->dram_sectors, 6);
}

static void record_times(const struct access_plan *plan, double wavefronts,
                         const struct access_result *r, struct row *row)
{
    if (isnan(r->throughput.median_cycles))
        return;
    double bytes_per_clk = swb_instruction_bytes(plan->instruction) / r->throughput.median_cycles;
    row_set_number(row, ACCESS_COL_LATENCY_CYCLES, r->latency.median_cycles, 3);
    row_set_number(row, ACCESS_COL_LATENCY_MIN_CYCLES, r->latency.min_cycles, 3);
    row_set_number(row, ACCESS_COL_LATENCY_MAX_CYCLES, r->latency.max_cycles, 3);
    row_set_number(row, ACCESS_COL_ONE_WARP_CYCLES, r->one_warp.median_cycles, 4);
    row_set_number(row, ACCESS_COL_ONE_WARP_CYCLES_PER_WAVEFRONT,
                   r->one_warp.median_cycles / wavefronts, 4);
    row_set_number(row, ACCESS_COL_ONE_WARP_MIN_CYCLES_PER_WAVEFRONT,
                   r->one_warp.min_cycles / wavefronts, 4);
    row_set_number(row, ACCESS_COL_ONE_WARP_MAX_CYCLES_PER_WAVEFRONT,
                   r->one_warp.max_cycles / wavefronts, 4);
    row_set_number(row, ACCESS_COL_THROUGHPUT_CYCLES, r->throughput.median_cycles, 4);
    row_set_number(row, ACCESS_COL_THROUGHPUT_MIN_CYCLES, r->throughput.min_cycles, 4);
    row_set_number(row, ACCESS_COL_THROUGHPUT_MAX_CYCLES, r->throughput.max_cycles, 4);
    row_set_number(row, ACCESS_COL_CYCLES_PER_WAVEFRONT, r->throughput.median_cycles / wavefronts,
                   4);
    row_set_number(row, ACCESS_COL_BYTES_PER_CLK_SM, bytes_per_clk, 3);
    row_set_number(row, ACCESS_COL_PCT_OF_PEAK, 100 * bytes_per_clk / SWB_WAVEFRONT_BYTES, 3);
    if (r->throughput.sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, ACCESS_COL_SM_CLOCK_MHZ, r->throughput.sm_clock_mhz, 0);
    row_set_number(row, ACCESS_COL_SAMPLES, r->throughput.samples, 0);
    row_set_number(row, ACCESS_COL_THROTTLED_SAMPLES, r->throughput.throttled_samples, 0);
}

/* A model that differs from its counter is a failed row. */
static void judge(const char *what, double model, double counted, struct row *row)
{
    if (!isnan(counted) && counted != model)
        row_end(row, ROW_FAILED, "model and counter disagree: %g %s predicted, %g counted", model,
                what, counted);
}

void access_record(const struct access_plan *plan, const struct access_result *result,
                   const struct measure_options *options, struct row *row)
{
    struct plan_cost cost = access_plan_cost(plan);
    double positions = plan->slots;
    record_counts(plan, result, row);
    record_times(plan, cost.wavefronts / positions, result, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, result->extra[i], 6);
    judge("wavefronts", cost.wavefronts / positions, result->wavefronts, row);
    judge("conflicts", cost.conflicts / positions, result->conflicts, row);
    judge("sectors", cost.sectors / positions, result->sectors, row);
}
