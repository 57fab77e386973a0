/* What do runs of global memory cost, and how long are they? Claims S8 and S9. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims_rows.h"
#include "harness/text.h"
#include "model/swizzlebench.h"

/* ---- S8 ------------------------------------------------------------------------------------ */

/* The span of the row's layout: what one run should be. */
static double span_of(const struct claim_rows *rows)
{
    enum swb_major major;
    return swb_layout_find(claim_value(rows, "layout"), &major)->span_bytes;
}

/* Lines of an MN-major tile are columns; each mode has its atoms of them where the K-major one of
 * the same extents has its atoms of rows, the other way round. */
static bool is_same_lines(const struct swb_layout_mode *mode)
{
    struct swb_tile k = {.mode = mode, .rows = 64, .cols = 64, .elem_bits = 16}, mn = k;
    mn.major = SWB_MN_MAJOR;
    for (unsigned stack = 0; stack < 2; stack++) {
        k.stack = stack ? SWB_STACK_COL : SWB_STACK_ROW;
        mn.stack = stack ? SWB_STACK_ROW : SWB_STACK_COL;
        for (unsigned line = 0; line < swb_tile_lines(&k); line++)
            for (unsigned byte = 0; byte < swb_tile_line_bytes(&k); byte++)
                if (swb_tile_line_offset(&k, line, byte) != swb_tile_line_offset(&mn, line, byte))
                    return false;
    }
    return true;
}

/* The copies of lanes are of K-major tiles: are the MN-major ones the same to them? */
static bool all_same_lines(void)
{
    bool same = true;
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++) {
        enum swb_major major;
        same = same && is_same_lines(swb_layout_find(claim_layouts[i], &major));
    }
    return same;
}

CLAIM_RULE(s8)
{
    struct claim_range way = {.count = 0}, run = {.count = 0};
    struct claim_range sectors[CLAIM_LAYOUTS] = {{.count = 0}};
    unsigned layouts = 0;
    struct claim_rows rows;
    claim_rows_start(&rows, side, "copy",
                     "path=ld-st.4,order=shared," CLAIM_OF_THE_EIGHT("layout"));
    while (claim_rows_next(&rows)) {
        unsigned bit = claim_layout_bit(claim_value(&rows, "layout"));
        layouts |= bit;
        claim_range_add(&way, claim_ways(&rows), rows.row);
        claim_range_add(&run, claim_number(&rows, "run_bytes") / span_of(&rows), rows.row);
        for (unsigned i = 0; i < CLAIM_LAYOUTS; i++)
            if (bit == 1u << i)
                claim_range_add(&sectors[i],
                                32 * claim_number(&rows, "hw_sectors") /
                                    claim_number(&rows, "bytes"),
                                rows.row);
    }
    bool conflicts = way.count && way.most > 1, other_runs = run.count && run.least < 1;
    if (!conflicts &&
        (!claim_is_known(answer, &rows, &way, "hw_wavefronts", "4-byte copies in shared order") ||
         !claim_has_layouts(answer, &rows, layouts,
                            all_same_lines() ? CLAIM_K_LAYOUTS : CLAIM_ALL_LAYOUTS)))
        return;
    answer->verdict = conflicts ? CLAIM_REFUTED : other_runs ? CLAIM_DEPENDS : CLAIM_CONFIRMED;
    claim_say(answer, "%.4g times the ideal wavefronts at most in %zu rows", way.most, way.count);
    claim_say(answer, "runs of the layout's span%s", other_runs ? ", or less" : " in all of them");
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++)
        if (sectors[i].count)
            claim_say(answer, "%s: %.3g B of sectors a byte moved", claim_layouts[i],
                      sectors[i].most);
    if (all_same_lines())
        claim_say(answer, "MN-major tiles lie in the same lines as K-major ones");
    claim_rest_on_row(answer, &rows, conflicts ? way.most_row : run.least_row);
    claim_rest_on_count(answer, &rows);
}

/* ---- S9 ------------------------------------------------------------------------------------ */

enum { MAX_RUNS = 16, LINE_BYTES = 128 };

/* The best of the rows whose run is so long: median, least and most of its samples. */
struct run_rate {
    double run_bytes, rate, least, most;
    size_t row;
};

struct run_rates {
    struct run_rate runs[MAX_RUNS]; /* by length */
    size_t count;
};

static void add_rate(struct run_rates *rates, const struct run_rate *added)
{
    size_t i = 0;
    while (i < rates->count && rates->runs[i].run_bytes < added->run_bytes)
        i++;
    if (i < rates->count && rates->runs[i].run_bytes == added->run_bytes) {
        if (added->rate > rates->runs[i].rate)
            rates->runs[i] = *added;
        return;
    }
    if (rates->count == MAX_RUNS)
        return;
    memmove(&rates->runs[i + 1], &rates->runs[i], (rates->count - i) * sizeof rates->runs[0]);
    rates->runs[i] = *added;
    rates->count++;
}

/* One way of reading, from one place. */
struct run_series {
    const char *what, *family, *filter, *run_column, *bytes_column, *requests_column;
};

#define OF_BOXES(chip)                                                                             \
    "tma", "direction=load,chip=" chip ",l2_promotion=none", "inner_bytes", "box_bytes",           \
        "hw_requests"
#define OF_COPIES(path, source)                                                                    \
    "copy", "path=" path ",order=shared,source=" source ",tile=64x128B,stages=4", "run_bytes",     \
        "bytes", "hw_l2_requests"

static const struct run_series series[] = {
    {"TMA from L2", OF_BOXES("L2")},
    {"TMA from DRAM", OF_BOXES("DRAM")},
    {"16-byte loads from L2", OF_COPIES("ld-st.16", "L2")},
    {"16-byte loads from DRAM", OF_COPIES("ld-st.16", "DRAM")},
    {"cp.async from L2", OF_COPIES("cp.async.cg.16", "L2")},
    {"cp.async from DRAM", OF_COPIES("cp.async.cg.16", "DRAM")},
};
enum { SERIES = sizeof series / sizeof series[0] };

/* Does a longer run ever read slower by more than the spread of both, up to a line? And is a line
 * faster than what is shorter, and as fast as what is longer, to within 2 %? */
struct run_findings {
    bool rises, line_is_best;
};

static struct run_findings look_at(const struct run_rates *rates)
{
    static const double as_fast = 1.02;
    struct run_findings found = {true, true};
    const struct run_rate *line = NULL;
    for (size_t i = 0; i < rates->count; i++)
        if (rates->runs[i].run_bytes == LINE_BYTES)
            line = &rates->runs[i];
    if (!line)
        return (struct run_findings){false, false};
    for (size_t i = 0; i < rates->count; i++) {
        const struct run_rate *run = &rates->runs[i];
        if (i > 0 && run <= line && run->most < run[-1].least)
            found.rises = false;
        if ((run < line && run->most >= line->least) ||
            (run > line && run->rate > as_fast * line->rate))
            found.line_is_best = false;
    }
    return found;
}

static void say_rates(struct claim_answer *answer, const char *what, const struct run_rates *rates)
{
    char text[256] = "";
    for (size_t i = 0; i < rates->count; i++) {
        char part[48];
        snprintf(part, sizeof part, "%.0f B %.0f", rates->runs[i].run_bytes, rates->runs[i].rate);
        text_append(text, sizeof text, ", ", part);
    }
    claim_say(answer, "%s, GB/s: %s", what, text);
}

static void collect_rates(const struct run_series *one, struct claim_rows *rows,
                          struct run_rates *rates, struct claim_range *request_bytes)
{
    while (claim_rows_next(rows)) {
        const struct run_rate rate = {claim_number(rows, one->run_column),
                                      claim_number(rows, "gbytes_per_s"),
                                      claim_number(rows, "gbytes_per_s_min"),
                                      claim_number(rows, "gbytes_per_s_max"), rows->row};
        /* Counts are of several boxes, so that a stray request is a fraction of one. */
        double requests = floor(claim_number(rows, one->requests_column));
        if (!(rate.run_bytes > 0 && rate.least > 0))
            continue;
        add_rate(rates, &rate);
        if (requests > 0)
            claim_range_add(request_bytes, claim_number(rows, one->bytes_column) / requests,
                            rows->row);
    }
}

CLAIM_RULE(s9)
{
    unsigned measured = 0, rising = 0, best = 0;
    struct claim_range request_bytes = {.count = 0};
    struct claim_rows rows;
    for (unsigned i = 0; i < SERIES; i++) {
        struct run_rates rates = {.count = 0};
        claim_rows_start(&rows, side, series[i].family, series[i].filter);
        collect_rates(&series[i], &rows, &rates, &request_bytes);
        if (rates.count < 2)
            continue;
        struct run_findings found = look_at(&rates);
        measured++;
        rising += found.rises;
        best += found.line_is_best;
        say_rates(answer, series[i].what, &rates);
        if (!found.rises)
            claim_say(answer, "where a longer run is slower");
        else if (!found.line_is_best)
            claim_say(
                answer,
                "where 128 B is not faster than what is shorter, or slower than what is longer");
        claim_rest_on_row(answer, &rows, rates.runs[0].row);
        claim_rest_on_row(answer, &rows, rates.runs[rates.count - 1].row);
    }
    if (!measured) {
        claim_rows_start(&rows, side, "tma", "chip=?*");
        claim_lacks(answer, &rows, "rates of the whole GPU");
        return;
    }
    bool of_lines = request_bytes.count && request_bytes.most <= LINE_BYTES;
    if (request_bytes.count)
        claim_say(answer, "a request to L2 brings %.4g B at most, however long the run",
                  request_bytes.most);
    answer->verdict = rising == measured && best == measured && of_lines ? CLAIM_CONFIRMED
                      : rising == 0                                      ? CLAIM_REFUTED
                                                                         : CLAIM_DEPENDS;
}
