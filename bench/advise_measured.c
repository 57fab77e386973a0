/* What was measured of a candidate on a GPU: the row of a result file that is that very thing, or
 * repeats in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/access_names.h"
#include "bench/advise.h"
#include "bench/mma_cases.h"
#include "harness/result.h"
#include "harness/version.h"

enum source { SHARED, TMA, MMA, WGMMA, COPY, SOURCES };

static const char *const names[SOURCES] = {"shared.csv", "tma.csv", "mma.csv", "wgmma.csv",
                                           "copy.csv"};

struct results {
    const char *folder;
    struct result_file files[SOURCES];
    bool is_there[SOURCES];
};

/* ---- Files --------------------------------------------------------------------------------- */

/* A file that is not there is no error, one that cannot be read is. */
static bool open_file(struct results *results, enum source source, struct error *error)
{
    char path[320];
    struct stat status;
    struct result_file *file = &results->files[source];
    snprintf(path, sizeof path, "%s/%s", results->folder, names[source]);
    if (stat(path, &status) != 0 && errno == ENOENT)
        return true;
    if (!result_read(path, file, error))
        return false;
    const char *schema = result_key(file, "schema");
    if (!result_is_current(file))
        return error_set(error, ERROR_INPUT,
                         "--gpu %s: %s has schema '%s', this program reads '%s'", results->folder,
                         names[source], schema ? schema : "", SWIZZLEBENCH_SCHEMA);
    const char *backend = result_key(file, "backend");
    results->is_there[source] = true;
    return (backend && strcmp(backend, "cuda") == 0) ||
           error_set(error, ERROR_INPUT, "--gpu %s: %s was not measured, its backend is %s",
                     results->folder, names[source], backend ? backend : "not named");
}

static bool is_one_gpu(const struct results *results, enum source first, enum source other,
                       struct error *error)
{
    const char *gpu = result_key(&results->files[first], "gpu");
    const char *another = result_key(&results->files[other], "gpu");
    return strcmp(gpu ? gpu : "", another ? another : "") == 0 ||
           error_set(error, ERROR_INPUT,
                     "--gpu %s: %s is of %s, and %s of %s: one GPU is asked for", results->folder,
                     names[first], gpu ? gpu : "no GPU named", names[other],
                     another ? another : "no GPU named");
}

static bool open_files(struct results *results, struct error *error)
{
    enum source first = SOURCES;
    for (enum source source = SHARED; source < SOURCES; source++) {
        if (!open_file(results, source, error))
            return false;
        if (!results->is_there[source])
            continue;
        first = first < SOURCES ? first : source;
        if (!is_one_gpu(results, first, source, error))
            return false;
    }
    return first < SOURCES ||
           error_set(error, ERROR_INPUT,
                     "--gpu %s: there is none of shared.csv, tma.csv, mma.csv, wgmma.csv "
                     "and copy.csv",
                     results->folder);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Finds a row; false, with the reason, where it says nothing. */
static bool find(const struct results *results, enum source source, const char *case_name,
                 const char *cycles_column, struct advise_figure *figure)
{
    const struct result_file *file = &results->files[source];
    if (!results->is_there[source]) {
        snprintf(figure->source, sizeof figure->source, "there is no %s", names[source]);
        return false;
    }
    long row = result_find_case(file, case_name);
    if (row < 0) {
        snprintf(figure->source, sizeof figure->source, "%s has no row `%s`", names[source],
                 case_name);
        return false;
    }
    if (result_column(file, cycles_column) < 0) {
        snprintf(figure->source, sizeof figure->source, "%s has no column %s", names[source],
                 cycles_column);
        return false;
    }
    const char *status = result_value(file, (size_t)row, "status");
    const char *cycles = result_value(file, (size_t)row, cycles_column);
    if (strcmp(status, "ok") != 0 || !*cycles) {
        snprintf(figure->source, sizeof figure->source, "%s, `%s`: %s, %.160s", names[source],
                 case_name, status, result_value(file, (size_t)row, "reason"));
        return false;
    }
    figure->found = true;
    snprintf(figure->source, sizeof figure->source, "%s, `%s`, %s", names[source], case_name,
             cycles_column);
    snprintf(figure->each_cycles, sizeof figure->each_cycles, "%s", cycles);
    snprintf(figure->latency_cycles, sizeof figure->latency_cycles, "%s",
             result_value(file, (size_t)row, "latency_cycles"));
    snprintf(figure->bytes_per_clk_sm, sizeof figure->bytes_per_clk_sm, "%s",
             result_value(file, (size_t)row, "bytes_per_clk_sm"));
    return true;
}

/* ---- An instruction over a tile ------------------------------------------------------------ */

/* An instruction at all its positions in a candidate's tile. */
struct walked {
    const struct swb_instruction *instruction;
    enum access_shape shape;
    unsigned positions;
    uint64_t wavefronts; /* of all positions, by the model */
};

static void name_access(const struct walked *walked, const struct swb_tile *tile,
                        char name[ROW_CASE_BYTES])
{
    access_case_name(walked->instruction, walked->instruction->kind == SWB_CP_ASYNC, tile,
                     walked->shape, name, ROW_CASE_BYTES);
}

/* Whether the model has as many wavefronts an instruction over that tile. */
static bool has_same_wavefronts(const struct walked *walked, const struct swb_tile *tile)
{
    struct access_plan plan;
    if (access_plan_tile(&plan, walked->instruction, tile, walked->shape))
        return false;
    plan.bypass_l1 = walked->instruction->kind == SWB_CP_ASYNC;
    return plan.slots > 0 && (uint64_t)access_plan_cost(&plan).wavefronts * walked->positions ==
                                 walked->wavefronts * plan.slots;
}

/* The same layout, line bytes and element bits, with so many lines. */
static bool find_with_lines(const struct results *results, const struct walked *walked,
                            struct swb_tile tile, unsigned lines, struct advise_figure *figure)
{
    char name[ROW_CASE_BYTES];
    struct advise_figure like = {.found = false};
    *(tile.major == SWB_K_MAJOR ? &tile.rows : &tile.cols) = lines;
    name_access(walked, &tile, name);
    if (!find(results, SHARED, name, "throughput_cycles", &like) ||
        !has_same_wavefronts(walked, &tile))
        return false;
    *figure = like;
    snprintf(figure->source, sizeof figure->source,
             "shared.csv, `%s`, throughput_cycles: of %ux%u, same wavefronts an instruction", name,
             tile.rows, tile.cols);
    return true;
}

/* The pattern of a layout repeats with the lines: the nearest number of fewer lines that go into
 * these, then of more that these go into. */
static void find_repeated(const struct results *results, const struct walked *walked,
                          const struct swb_tile *tile, struct advise_figure *figure)
{
    unsigned lines = swb_tile_lines(tile);
    for (unsigned times = 2; times <= lines; times++)
        if (lines % times == 0 && find_with_lines(results, walked, *tile, lines / times, figure))
            return;
    for (unsigned more = 2 * lines; more <= PLAN_MAX_LINES; more += lines)
        if (find_with_lines(results, walked, *tile, more, figure))
            return;
}

/* Without atoms there are lines alone, which shared.csv has as rows. */
static struct swb_tile with_lines_as_rows(const struct swb_tile *tile)
{
    struct swb_tile same = *tile;
    if (tile->mode->span_bytes == 0 && tile->major == SWB_MN_MAJOR) {
        same.major = SWB_K_MAJOR;
        same.rows = tile->cols;
        same.cols = tile->rows;
    }
    return same;
}

/* Clocks of cp.async are not those of its wavefronts alone: fewer lines are less to fetch. */
static void find_access(const struct results *results, const struct walked *walked,
                        const struct swb_tile *tile, struct advise_figure *figure)
{
    char name[ROW_CASE_BYTES];
    struct swb_tile same = with_lines_as_rows(tile);
    name_access(walked, tile, name);
    if (find(results, SHARED, name, "throughput_cycles", figure) ||
        result_find_case(&results->files[SHARED], name) >= 0)
        return;
    bool found = same.major != tile->major &&
                 find_with_lines(results, walked, same, swb_tile_lines(&same), figure);
    if (!found && walked->instruction->kind != SWB_CP_ASYNC)
        find_repeated(results, walked, &same, figure);
}

/* ---- Candidates ---------------------------------------------------------------------------- */

/* Boxes of rank 3 were measured in tensors of other strides. */
static void find_written(const struct results *results, struct advise_candidate *c)
{
    char name[ROW_CASE_BYTES];
    if (c->writer != ADVISE_TMA) {
        const struct walked walked = {c->write.copies, ACCESS_ROWS, c->write.instructions,
                                      c->write.wavefronts};
        find_access(results, &walked, &c->tile, &c->written);
    } else if (c->write.boxes.first.map.rank > 2) {
        snprintf(c->written.source, sizeof c->written.source,
                 "tma.csv has no box of rank 3 in a tensor of these strides");
    } else {
        tma_case_name(&c->write.boxes.first, name, sizeof name);
        find(results, TMA, name, "cycles_per_box", &c->written);
    }
    c->written.each = c->writer == ADVISE_TMA ? "a box" : "an instruction";
    c->written.tile_cycles = c->write.instructions * strtod(c->written.each_cycles, NULL);
}

/* Both operands in this layout: which one of the other does not matter to the clocks. */
static void find_wgmma(const struct advise_question *question, const struct results *results,
                       struct advise_candidate *c)
{
    char name[ROW_CASE_BYTES];
    const struct wgmma_layout layout = {c->tile.major, c->tile.mode};
    const struct wgmma_case same = {.type = question->wgmma_type,
                                    .n = question->n,
                                    .a_in_shared = true,
                                    .layouts = {layout, layout},
                                    .stack = c->tile.stack};
    wgmma_case_name(&same, name, sizeof name);
    find(results, WGMMA, name, "cycles_per_mma", &c->was_read);
}

/* Loads and mma together: a figure of an mma, and none of a tile. The atoms of that family go along
 * the lines first. */
static void find_mma(const struct advise_question *question, const struct results *results,
                     struct advise_candidate *c)
{
    char name[ROW_CASE_BYTES];
    const struct mma_type type = {.name = question->type->name};
    const struct mma_case same = {.type = &type, .layouts = {c->layout, c->layout}};
    bool along = (c->tile.major == SWB_K_MAJOR) == (c->tile.stack == SWB_STACK_ROW);
    mma_case_name(&same, name, sizeof name);
    if (access_stacks_both_ways(&c->tile) && !along)
        snprintf(c->was_read.source, sizeof c->was_read.source,
                 "mma.csv stacks the atoms the other way");
    else
        find(results, MMA, name, "cycles_per_mma", &c->was_read);
}

static void find_read(const struct advise_question *question, const struct results *results,
                      struct advise_candidate *c)
{
    const struct walked walked = {c->read.instruction, ACCESS_BLOCK, c->read.instructions,
                                  c->read.wavefronts};
    if (question->reader == ADVISE_WGMMA)
        find_wgmma(question, results, c);
    else if (question->reader == ADVISE_MMA)
        find_mma(question, results, c);
    else
        find_access(results, &walked, &c->tile, &c->was_read);
    c->was_read.each = question->reader == ADVISE_MMA ? "an mma, with its loads" : "an instruction";
    if (question->reader != ADVISE_MMA)
        c->was_read.tile_cycles = c->read.instructions * strtod(c->was_read.each_cycles, NULL);
}

bool advise_measured(const char *folder, struct advice *advice, struct error *error)
{
    struct results *results = calloc(1, sizeof *results);
    bool done =
        results || error_set(error, ERROR_MACHINE, "no memory for the results in %s", folder);
    if (results)
        results->folder = folder;
    done = done && open_files(results, error);
    for (size_t i = 0; done && i < advice->possible; i++) {
        find_written(results, &advice->candidates[i]);
        find_read(advice->question, results, &advice->candidates[i]);
        advise_find_copies(results->is_there[COPY] ? &results->files[COPY] : NULL,
                           &advice->candidates[i]);
    }
    for (enum source source = SHARED; done && source < SOURCES; source++)
        if (results->is_there[source])
            snprintf(advice->gpu, sizeof advice->gpu, "%s",
                     result_key(&results->files[source], "gpu"));
    if (done)
        snprintf(advice->folder, sizeof advice->folder, "%s", folder);
    for (enum source source = SHARED; results && source < SOURCES; source++)
        result_free(&results->files[source]);
    free(results);
    return done;
}
