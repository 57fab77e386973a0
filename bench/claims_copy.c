/* What do runs of global memory cost, and how long are they? Claims S8 and S9. */
#include <math.h>
#include <string.h>

#include "bench/claims_rows.h"
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

enum { SECTOR_BYTES = 32, LINE_BYTES = 128 };

/* What the rows of one layout say of their runs. */
struct layout_runs {
    struct claim_range run_bytes;
    struct claim_range sector_bytes; /* of sectors, for a byte moved */
    struct claim_range requests;     /* to L2, for a run of the layout's span */
    size_t rows, others;             /* those whose runs are not of the span */
    size_t other_row;
};

/* Are the runs of the span, by what is predicted and, where it is counted, by that? Each run is a
 * sector at least. L2 is asked for a line at most, and no more than once a run: of runs of a line
 * that is exact, shorter ones may be fewer requests, for L1 answers for the rest of a line. */
static void add_runs(struct layout_runs *runs, const struct claim_rows *rows)
{
    double span = span_of(rows), run_bytes = claim_number(rows, "run_bytes"),
           bytes = claim_number(rows, "bytes"),
           sector_bytes = SECTOR_BYTES * claim_number(rows, "hw_sectors") / bytes,
           wanted_bytes = fmax(1, SECTOR_BYTES / span),
           requests = claim_requests(rows, "hw_l2_requests") * span / bytes;
    claim_range_add(&runs->run_bytes, run_bytes, rows->row);
    claim_range_add(&runs->sector_bytes, sector_bytes, rows->row);
    claim_range_add(&runs->requests, requests, rows->row);
    runs->rows++;
    bool contradicted = sector_bytes < wanted_bytes || sector_bytes > wanted_bytes ||
                        requests < span / LINE_BYTES || requests > 1;
    if (run_bytes == span && !contradicted)
        return;
    runs->others++;
    runs->other_row = rows->row;
}

/* "1 B of sectors a byte moved", or "1 to 2 B ..."; nothing where none is known. */
static void say_range(struct claim_answer *answer, const char *separator,
                      const struct claim_range *range, const char *what)
{
    if (!range->count)
        return;
    claim_say_on(answer, "%s%.4g", separator, range->least);
    if (range->most > range->least)
        claim_say_on(answer, " to %.4g", range->most);
    claim_say_on(answer, " %s", what);
}

/* Says what the runs are. Refuted: no row of some layout has runs of its span. */
static enum claim_verdict judge_runs(struct claim_answer *answer, const struct claim_rows *rows,
                                     const struct layout_runs runs[CLAIM_LAYOUTS])
{
    enum claim_verdict verdict = CLAIM_CONFIRMED;
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++) {
        const struct layout_runs *of = &runs[i];
        if (!of->rows)
            continue;
        claim_say(answer, "%s: runs of", claim_layouts[i]);
        say_range(answer, " ", &of->run_bytes, "B");
        say_range(answer, ", ", &of->sector_bytes, "B of sectors a byte moved");
        say_range(answer, ", ", &of->requests, "requests to L2 a span");
        if (of->others) {
            claim_say_on(answer, ": not those of its span in %zu of %zu rows", of->others,
                         of->rows);
            claim_rest_on_row(answer, rows, of->other_row);
            if (verdict != CLAIM_REFUTED)
                verdict = of->others == of->rows ? CLAIM_REFUTED : CLAIM_DEPENDS;
        }
    }
    if (verdict == CLAIM_CONFIRMED)
        claim_say(answer, "runs of the layout's span in all of them");
    return verdict;
}

/* Sectors of all rows, for whether they are known. */
static struct claim_range all_sectors(const struct layout_runs runs[CLAIM_LAYOUTS])
{
    struct claim_range all = {.count = 0};
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++) {
        all.count += runs[i].sector_bytes.count;
        all.unknown += runs[i].sector_bytes.unknown;
    }
    return all;
}

CLAIM_RULE(s8)
{
    static const char what[] = "4-byte copies in shared order";
    struct claim_range way = {.count = 0};
    struct layout_runs runs[CLAIM_LAYOUTS] = {{.rows = 0}};
    unsigned layouts = 0;
    struct claim_rows rows;
    claim_rows_start(&rows, side, "copy",
                     "path=ld-st.4,order=shared," CLAIM_OF_THE_EIGHT("layout"));
    while (claim_rows_next(&rows)) {
        unsigned bit = claim_layout_bit(claim_value(&rows, "layout"));
        layouts |= bit;
        claim_range_add(&way, claim_ways(&rows), rows.row);
        for (unsigned i = 0; i < CLAIM_LAYOUTS; i++)
            if (bit == 1u << i)
                add_runs(&runs[i], &rows);
    }
    bool conflicts = way.count && way.most > 1, same = all_same_lines();
    struct claim_range sectors = all_sectors(runs);
    if (!conflicts &&
        (!claim_is_known(answer, &rows, &way, "hw_wavefronts", what) ||
         !claim_is_known(answer, &rows, &sectors, "hw_sectors", what) ||
         !claim_has_layouts(answer, &rows, layouts, same ? CLAIM_K_LAYOUTS : CLAIM_ALL_LAYOUTS)))
        return;
    claim_say(answer, "%.4g times the ideal wavefronts at most in %zu rows", way.most, way.count);
    answer->verdict = judge_runs(answer, &rows, runs);
    if (conflicts)
        answer->verdict = CLAIM_REFUTED;
    if (same)
        claim_say(answer, "MN-major tiles lie in the same lines as K-major ones");
    claim_rest_on_row(answer, &rows, way.most_row);
    claim_rest_on_count(answer, &rows);
}

/* ---- S9 ------------------------------------------------------------------------------------ */

enum { MAX_RUNS = 128 };

/* The best of the rows whose run is so long: median, least and most of its samples. */
struct run_rate {
    double run_bytes, rate, least, most;
    size_t row;
};

struct run_rates {
    struct run_rate runs[MAX_RUNS]; /* by length */
    size_t count, left_off;         /* rows of lengths for which there was no room */
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
    if (rates->count == MAX_RUNS) {
        rates->left_off++;
        return;
    }
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
    {"16-byte loads of 64x128B from L2", OF_COPIES("ld-st.16", "L2")},
    {"16-byte loads of 64x128B from DRAM", OF_COPIES("ld-st.16", "DRAM")},
    {"cp.async of 64x128B from L2", OF_COPIES("cp.async.cg.16", "L2")},
    {"cp.async of 64x128B from DRAM", OF_COPIES("cp.async.cg.16", "DRAM")},
};
enum { SERIES = sizeof series / sizeof series[0] };

/* NULL: it was not measured. */
static const struct run_rate *line_of(const struct run_rates *rates)
{
    for (size_t i = 0; i < rates->count; i++)
        if (rates->runs[i].run_bytes == LINE_BYTES)
            return &rates->runs[i];
    return NULL;
}

/* Does a longer run ever read slower by more than the spread of both, up to a line? And is a line
 * faster than what is shorter, and as fast as what is longer, to within 2 %? */
struct run_findings {
    bool rises, line_is_best;
};

static struct run_findings look_at(const struct run_rates *rates, const struct run_rate *line)
{
    static const double as_fast = 1.02;
    struct run_findings found = {true, true};
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
    claim_say(answer, "%s, GB/s: ", what);
    for (size_t i = 0; i < rates->count; i++)
        claim_say_on(answer, "%s%.0f B %.0f", i ? ", " : "", rates->runs[i].run_bytes,
                     rates->runs[i].rate);
    if (rates->left_off)
        claim_say_on(answer, " and %zu rows more", rates->left_off);
}

static void collect_rates(const struct run_series *one, struct claim_rows *rows,
                          struct run_rates *rates, struct claim_range *request_bytes)
{
    while (claim_rows_next(rows)) {
        const struct run_rate rate = {claim_number(rows, one->run_column),
                                      claim_number(rows, "gbytes_per_s"),
                                      claim_number(rows, "gbytes_per_s_min"),
                                      claim_number(rows, "gbytes_per_s_max"), rows->row};
        double requests = claim_requests(rows, one->requests_column);
        if (!(rate.run_bytes > 0 && rate.rate > 0 && rate.least > 0 && rate.most > 0))
            continue;
        add_rate(rates, &rate);
        claim_range_add(request_bytes, claim_number(rows, one->bytes_column) / requests, rows->row);
    }
}

CLAIM_RULE(s9)
{
    unsigned measured = 0, rising = 0, best = 0;
    size_t left_off = 0;
    struct claim_range request_bytes = {.count = 0};
    struct claim_rows rows;
    for (unsigned i = 0; i < SERIES; i++) {
        struct run_rates rates = {.count = 0};
        claim_rows_start(&rows, side, series[i].family, series[i].filter);
        collect_rates(&series[i], &rows, &rates, &request_bytes);
        claim_say_left_out(answer, &rows);
        const struct run_rate *line = line_of(&rates);
        if (rates.count < 2 || !line)
            continue;
        left_off += rates.left_off;
        struct run_findings found = look_at(&rates, line);
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
        claim_rows_start(&rows, side, "tma", "chip=?*,chip!=each-SM");
        claim_lacks(answer, &rows, "rates of the whole GPU, of 128 B and of other runs");
        return;
    }
    bool of_lines = request_bytes.count && request_bytes.most <= LINE_BYTES;
    if (request_bytes.count)
        claim_say(answer, "a request to L2 brings %.4g B at most, however long the run",
                  request_bytes.most);
    if (request_bytes.unknown) {
        claim_say(answer,
                  "that it is because of the cache line takes counters: requests to L2 are not "
                  "known of %zu of %zu rows",
                  request_bytes.unknown, request_bytes.count + request_bytes.unknown);
        claim_rest_on(answer, "swizzlebench run tma copy --full");
    }
    bool holds = rising == measured && best == measured;
    answer->verdict = left_off                         ? CLAIM_OPEN
                      : rising == 0                    ? CLAIM_REFUTED
                      : holds && request_bytes.unknown ? CLAIM_OPEN
                      : holds && of_lines              ? CLAIM_CONFIRMED
                                                       : CLAIM_DEPENDS;
}
