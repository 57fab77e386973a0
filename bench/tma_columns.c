/* Which columns does a measured box have, and what is put into them? */
#include "bench/tma_columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/judge.h"
#include "bench/tma_global.h"
#include "harness/text.h"

/* A depth is deep enough when no other needs less than this part of its clocks. */
static const double saturated = 0.95;

enum { PREDICTED_CAPABILITY = 90 };

const struct column tma_columns[TMA_COL_COUNT] = {
    [TMA_COL_DIRECTION] = {"direction", "-",
                           "load, store, reduce-add, prefetch (into L2), bulk-load and bulk-store "
                           "(no tensor map), multicast (into a cluster), plain-load (no TMA)"},
    [TMA_COL_DTYPE] = {"dtype", "-", "type of an element"},
    [TMA_COL_RANK] = {"rank", "-", "dimensions of tensor and box"},
    [TMA_COL_BOX] = {"box", "element", "its sides, the contiguous one first"},
    [TMA_COL_INNER_BYTES] = {"inner_bytes", "B", "width of a line of the box"},
    [TMA_COL_ROWS] = {"rows", "-", "lines that arrive"},
    [TMA_COL_SWIZZLE] = {"swizzle", "-", "mode of the tensor map"},
    [TMA_COL_INTERLEAVE] = {"interleave", "-", "mode of the tensor map"},
    [TMA_COL_L2_PROMOTION] = {"l2_promotion", "-", "mode of the tensor map"},
    [TMA_COL_SMEM_BYTES] = {"smem_bytes", "B",
                            "shared memory that the box takes: under a swizzle each line takes its "
                            "whole span"},
    [TMA_COL_MODEL_SECTORS] =
        {"model_sectors", "sector/box",
         "32-byte sectors that it asks for: each line for itself, and each 128 "
         "bytes of shared memory; two at least where they go to several CTAs, "
         "and then for all CTAs together"},
    [TMA_COL_HW_SECTORS] = {"hw_sectors", "sector/box",
                            "the same, counted between SM and L2 (prefetches: in L2), less the "
                            "control kernel's"},
    [TMA_COL_LATENCY_CYCLES] = {"latency_cycles", "clk/box",
                                "one box alone, median: from before the instruction until the warp "
                                "sees its barrier open (loads), or its group is reported done "
                                "(stores), which does not wait for L2"},
    [TMA_COL_MODEL_CYCLES] =
        {"model_cycles", "clk/box",
         "clocks of the TMA unit for a box inside the tensor, the least from "
         "one to the next. Of each request (128 bytes of a line, and of shared "
         "memory), for loads one for its whole sectors and one for each half; "
         "for stores one a sector, one for its halves, and one a box"},
    [TMA_COL_CYCLES_PER_BOX] = {"cycles_per_box", "clk/box",
                                "pipelined on one SM, at the best of 1, 2, 4 and 8 boxes in "
                                "flight that shared memory has room for"},
    [TMA_COL_BYTES_PER_CLK_SM] =
        {"bytes_per_clk_sm", "B/clk/SM",
         "bytes over cycles_per_box, one SM alone, from or to L2: box_bytes, "
         "and of stores those inside the tensor"},
    [TMA_COL_RULE] = {"rule", "-",
                      "rules that the tensor map breaks: those of `tma check`, or im2col-...; or "
                      "start-..., which say where a box may begin"},
    [TMA_COL_CHIP] =
        {"chip", "-",
         "L2 or DRAM: the rate of the whole GPU was measured, from there; "
         "each-SM: clocks of one SM after the other, and their least, median and most"},
    [TMA_COL_CLUSTER_CTAS] = {"cluster_ctas", "-", "CTAs that get each box"},
    [TMA_COL_START] = {"start", "element", "where the box begins, where that is not 0"},
    [TMA_COL_ELEMENT_STRIDES] = {"element_strides", "-", "of the tensor map, where not all are 1"},
    [TMA_COL_OOB_FILL] = {"oob_fill", "-", "what elements outside the tensor become"},
    [TMA_COL_SMEM_OFFSET] = {"smem_offset", "B",
                             "where the box begins in shared memory, from a multiple of 1024"},
    [TMA_COL_BOX_BYTES] = {"box_bytes", "B", "bytes that arrive: what the barrier counts"},
    [TMA_COL_NEEDED_SECTORS] = {"needed_sectors", "sector/box",
                                "least sectors that hold as many bytes"},
    [TMA_COL_WASTE] = {"waste", "-", "model_sectors over needed_sectors"},
    [TMA_COL_READS_AS] = {"reads_as", "-",
                          "layout in which the tensor core can read the box; empty when none"},
    [TMA_COL_DRIVER_CODE] = {"driver_code", "-",
                             "what cuTensorMapEncodeTiled returned: 0 taken, 1 invalid value"},
    [TMA_COL_INST_EXPECTED] = {"inst_expected", "instruction",
                               "boxes sent in the counted launch, from the source"},
    [TMA_COL_INST_EXECUTED] = {"inst_executed", "instruction", "the same, counted by the hardware"},
    [TMA_COL_MODEL_REQUESTS] =
        {"model_requests", "request/box",
         "requests to L2, predicted, before any are merged: one for each 128 "
         "bytes of global memory in a line and in 128 bytes of shared memory; "
         "of loads into one CTA one for its whole sectors and one for each half"},
    [TMA_COL_HW_REQUESTS] = {"hw_requests", "request/box",
                             "requests of the SM that reached L2, and one or two more a launch"},
    [TMA_COL_HW_L2_SECTORS] = {"hw_l2_sectors", "sector/box", "sectors of these requests"},
    [TMA_COL_HW_BANK_READS] = {"hw_bank_reads", "access/box",
                               "reads of 4 bytes from a bank of shared memory"},
    [TMA_COL_HW_BANK_WRITES] = {"hw_bank_writes", "access/box", "writes of 4 bytes to a bank"},
    [TMA_COL_TMA_CYCLES_ACTIVE] = {"tma_cycles_active", "clk/box",
                                   "as the hardware counts them: 2 or 3 a box of any size, so that "
                                   "it is of instructions and not of bytes"},
    [TMA_COL_LATENCY_MIN_CYCLES] = {"latency_min_cycles", "clk/box",
                                    "its least sample; each-SM: of the quickest"},
    [TMA_COL_LATENCY_MAX_CYCLES] = {"latency_max_cycles", "clk/box",
                                    "its largest sample; each-SM: of the slowest"},
    [TMA_COL_CYCLES_PER_BOX_MIN] = {"cycles_per_box_min", "clk/box",
                                    "its least sample; each-SM: of the quickest"},
    [TMA_COL_CYCLES_PER_BOX_MAX] = {"cycles_per_box_max", "clk/box",
                                    "its largest sample; each-SM: of the slowest"},
    [TMA_COL_INFLIGHT_1_CYCLES] = {"inflight_1_cycles", "clk/box",
                                   "one box after the other, median: the latency, and what a warp "
                                   "does from one box to the next"},
    [TMA_COL_INFLIGHT_2_CYCLES] = {"inflight_2_cycles", "clk/box", "two boxes in flight, median"},
    [TMA_COL_INFLIGHT_4_CYCLES] = {"inflight_4_cycles", "clk/box", "four boxes in flight, median"},
    [TMA_COL_INFLIGHT_8_CYCLES] = {"inflight_8_cycles", "clk/box", "eight boxes in flight, median"},
    [TMA_COL_SATURATING_INFLIGHT] =
        {"saturating_inflight", "box",
         "fewest in flight that come within 5 % of cycles_per_box; empty "
         "where it is the most that shared memory has room for"},
    [TMA_COL_GBYTES_PER_S] = {"gbytes_per_s", "GB/s",
                              "bytes of the boxes, all SMs, median: from the first CTA's start to "
                              "the last one's end"},
    [TMA_COL_GBYTES_PER_S_MIN] = {"gbytes_per_s_min", "GB/s", "its least sample"},
    [TMA_COL_GBYTES_PER_S_MAX] = {"gbytes_per_s_max", "GB/s", "its largest sample"},
    [TMA_COL_SM] =
        {"sm", "-",
         "number of the SM that the clocks are of: the first whose rate from L2 is within "
         "3 % of the median of all; empty where no CTA comes there, where they are of each, and of "
         "clusters"},
    [TMA_COL_SM_CLOCK_MHZ] = {"sm_clock_mhz", "MHz", "while the pipelined boxes were measured"},
    [TMA_COL_SAMPLES] = {"samples", "-", "of cycles_per_box, or of the rate; each-SM: SMs"},
    [TMA_COL_THROTTLED_SAMPLES] = {"throttled_samples", "-",
                                   "of rounds in which the card throttled"},
};

/* ---- Predict ------------------------------------------------------------------------------- */

static void set_word(struct row *row, unsigned column, enum swb_tma_word word, unsigned value)
{
    const char *name = swb_tma_name(word, value);
    if (name)
        row_set_text(row, column, "%s", name);
    else
        row_set_text(row, column, "%u", value);
}

static void set_list(struct row *row, unsigned column, const int32_t *list, unsigned rank,
                     int32_t usual)
{
    char text[ROW_VALUE_BYTES] = "", number[16];
    bool differs = false;
    for (unsigned i = 0; i < rank; i++) {
        snprintf(number, sizeof number, "%" PRId32, list[i]);
        text_append(text, sizeof text, ";", number);
        differs |= list[i] != usual;
    }
    if (differs)
        row_set_text(row, column, "%s", text);
}

static void predict_map(const struct tma_case *c, struct row *row)
{
    const struct swb_tma_map *map = &c->map;
    int32_t steps[SWB_TMA_MAX_RANK];
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++)
        steps[i] = (int32_t)map->element_strides[i];
    set_word(row, TMA_COL_DTYPE, SWB_TMA_DTYPE, map->dtype);
    row_set_text(row, TMA_COL_RANK, "%u", map->rank);
    set_word(row, TMA_COL_SWIZZLE, SWB_TMA_SWIZZLE, map->swizzle);
    set_word(row, TMA_COL_INTERLEAVE, SWB_TMA_INTERLEAVE, map->interleave);
    set_word(row, TMA_COL_L2_PROMOTION, SWB_TMA_L2_PROMOTION, map->l2_promotion);
    set_word(row, TMA_COL_OOB_FILL, SWB_TMA_OOB_FILL, map->oob_fill);
    set_list(row, TMA_COL_START, c->start, map->rank, 0);
    set_list(row, TMA_COL_ELEMENT_STRIDES, steps, map->rank, 1);
    tma_record_rules(c, PREDICTED_CAPABILITY, row);
}

void tma_record_rules(const struct tma_case *c, unsigned capability, struct row *row)
{
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    unsigned count = tma_broken_rules(c, capability, broken, SWB_TMA_MAX_BROKEN);
    char rules[ROW_VALUE_BYTES] = "";
    for (unsigned i = 0; i < count; i++)
        text_append(rules, sizeof rules, " ", broken[i].rule);
    row_set_text(row, TMA_COL_RULE, "%s", rules);
}

static void predict_box(const struct tma_case *c, struct row *row)
{
    struct tma_place place = tma_place_of(c, 0);
    struct tma_traffic traffic = tma_traffic_of(c, 0);
    uint64_t sectors = traffic.sectors * c->cluster_ctas;
    uint64_t needed = (traffic.bytes + TMA_SECTOR_BYTES - 1) / TMA_SECTOR_BYTES * c->cluster_ctas;
    row_set_text(row, TMA_COL_INNER_BYTES, "%u", place.box.inner_bytes);
    row_set_text(row, TMA_COL_ROWS, "%u", swb_tma_box_lines(&place.box));
    row_set_text(row, TMA_COL_SMEM_OFFSET, "%u", c->smem_offset);
    row_set_text(row, TMA_COL_BOX_BYTES, "%" PRIu32, tma_moved_bytes(c));
    row_set_text(row, TMA_COL_CLUSTER_CTAS, "%u", c->cluster_ctas);
    if (c->way != TMA_PREFETCH)
        row_set_text(row, TMA_COL_SMEM_BYTES, "%" PRIu32, swb_tma_box_bytes(&place.box));
    row_set_text(row, TMA_COL_MODEL_SECTORS, "%" PRIu64, sectors);
    row_set_text(row, TMA_COL_MODEL_REQUESTS, "%" PRIu64, traffic.requests);
    row_set_text(row, TMA_COL_NEEDED_SECTORS, "%" PRIu64, needed);
    bool inside = traffic.bytes == tma_moved_bytes(c);
    if (inside && (c->way == TMA_LOAD || c->way == TMA_STORE || c->way == TMA_IM2COL))
        row_set_text(row, TMA_COL_MODEL_CYCLES, "%" PRIu64, traffic.cycles);
    if (needed)
        row_set_number(row, TMA_COL_WASTE, (double)sectors / (double)needed, 4);
    if (tma_way_has_map(c->way) && !swb_tma_box_refusal(&place.box)) {
        struct swb_tma_reading reading =
            swb_tma_reading(&place.box, swb_tma_smem_elem_bits(c->map.dtype));
        row_set_text(row, TMA_COL_READS_AS, "%s", reading.readable ? reading.name : "");
    }
}

/* Whether the model knows the box: the tensor map breaks no rule of any GPU. */
static bool is_a_box(const struct tma_case *c)
{
    return tma_broken_rules(c, PREDICTED_CAPABILITY, NULL, 0) == 0 ||
           tma_broken_rules(c, 10 * PREDICTED_CAPABILITY, NULL, 0) == 0;
}

void tma_predict(const struct tma_case *c, struct row *row)
{
    char box[ROW_VALUE_BYTES];
    tma_case_name(c, row->case_name, sizeof row->case_name);
    tma_box_name(c, box, sizeof box);
    row_set_text(row, TMA_COL_DIRECTION, "%s", tma_way_name(c->way));
    row_set_text(row, TMA_COL_BOX, "%s", box);
    row_set_text(row, TMA_COL_CHIP, "%s", c->chip == TMA_ONE_SM ? "" : tma_chip_name(c->chip));
    if (c->way == TMA_PLAIN_LOAD)
        return;
    if (tma_way_has_map(c->way))
        predict_map(c, row);
    if (is_a_box(c))
        predict_box(c, row);
    const struct tma_start_rule *fault = tma_start_fault(c);
    if (fault) {
        row_set_text(row, TMA_COL_RULE, "%s", fault->name);
        row_end(row, ROW_REFUSED, "%s: %s", fault->name, fault->sentence);
    }
}

void tma_refuse(const struct tma_case *c, struct row *row)
{
    struct swb_tma_broken broken;
    if (tma_broken_rules(c, PREDICTED_CAPABILITY, &broken, 1) > 0)
        row_end(row, ROW_REFUSED, "%s: %s", broken.rule, broken.sentence);
}

/* ---- Record -------------------------------------------------------------------------------- */

static void record_counts(const struct tma_result *r, struct row *row)
{
    if (r->inst_expected)
        row_set_number(row, TMA_COL_INST_EXPECTED, (double)r->inst_expected, 0);
    row_set_number(row, TMA_COL_INST_EXECUTED, r->inst_executed, 0);
    row_set_number(row, TMA_COL_HW_SECTORS, r->sectors, 4);
    row_set_number(row, TMA_COL_HW_REQUESTS, r->requests, 4);
    row_set_number(row, TMA_COL_HW_L2_SECTORS, r->l2_sectors, 4);
    row_set_number(row, TMA_COL_HW_BANK_READS, r->bank_reads, 4);
    row_set_number(row, TMA_COL_HW_BANK_WRITES, r->bank_writes, 4);
    row_set_number(row, TMA_COL_TMA_CYCLES_ACTIVE, r->tma_cycles_active, 2);
}

static void record_times(const struct tma_case *c, const struct tma_result *r, struct row *row)
{
    static const unsigned columns[TMA_DEPTHS] = {
        TMA_COL_INFLIGHT_1_CYCLES, TMA_COL_INFLIGHT_2_CYCLES, TMA_COL_INFLIGHT_4_CYCLES,
        TMA_COL_INFLIGHT_8_CYCLES};
    const struct timing *best = NULL;
    for (unsigned i = 0; i < TMA_DEPTHS; i++) {
        const struct timing *t = &r->depth[i];
        if (isnan(t->median_cycles))
            continue;
        if (c->way != TMA_PREFETCH)
            row_set_number(row, columns[i], t->median_cycles, 2);
        if (!best || t->median_cycles < best->median_cycles)
            best = t;
    }
    if (!best)
        return;
    row_set_number(row, TMA_COL_LATENCY_CYCLES, r->latency.median_cycles, 2);
    row_set_number(row, TMA_COL_LATENCY_MIN_CYCLES, r->latency.min_cycles, 2);
    row_set_number(row, TMA_COL_LATENCY_MAX_CYCLES, r->latency.max_cycles, 2);
    unsigned enough = 0, deepest = TMA_DEPTHS - 1;
    while (best->median_cycles < saturated * r->depth[enough].median_cycles)
        enough++;
    if (c->way != TMA_PREFETCH && (enough == deepest || !isnan(r->depth[enough + 1].median_cycles)))
        row_set_number(row, TMA_COL_SATURATING_INFLIGHT, 1u << enough, 0);
    row_set_number(row, TMA_COL_CYCLES_PER_BOX, best->median_cycles, 2);
    row_set_number(row, TMA_COL_CYCLES_PER_BOX_MIN, best->min_cycles, 2);
    row_set_number(row, TMA_COL_CYCLES_PER_BOX_MAX, best->max_cycles, 2);
    double bytes = tma_way_stores(c->way) ? (double)tma_traffic_of(c, 0).bytes : tma_moved_bytes(c);
    row_set_number(row, TMA_COL_BYTES_PER_CLK_SM, bytes / best->median_cycles, 3);
    if (best->sm_clock_mhz > 0) /* else all samples were too short to tell */
        row_set_number(row, TMA_COL_SM_CLOCK_MHZ, best->sm_clock_mhz, 0);
    row_set_number(row, TMA_COL_SM, best->sm, 0);
    row_set_number(row, TMA_COL_SAMPLES, best->samples, 0);
    row_set_number(row, TMA_COL_THROTTLED_SAMPLES, best->throttled_samples, 0);
}

static void record_rate(const struct tma_result *r, struct row *row)
{
    row_set_number(row, TMA_COL_GBYTES_PER_S, r->rate.gbytes_per_s, 1);
    row_set_number(row, TMA_COL_GBYTES_PER_S_MIN, r->rate.min_gbytes_per_s, 1);
    row_set_number(row, TMA_COL_GBYTES_PER_S_MAX, r->rate.max_gbytes_per_s, 1);
}

void tma_record(const struct tma_case *c, const struct tma_result *result,
                const struct measure_options *options, struct row *row)
{
    if (result->driver_code >= 0)
        row_set_number(row, TMA_COL_DRIVER_CODE, result->driver_code, 0);
    record_counts(result, row);
    record_times(c, result, row);
    record_rate(result, row);
    for (size_t i = 0; i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, result->extra[i], 6);
    if (row->status == ROW_OK)
        judge_counted("sectors", "a box", result->model_sectors, result->sectors, row);
}
