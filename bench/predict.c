/* What will an access, or an instruction that walks a layout, cost? `swizzlebench predict` */
#include <stdio.h>

#include "bench/commands.h"
#include "bench/explain.h"
#include "bench/prediction.h"
#include "bench/query.h"
#include "bench/summary.h"
#include "harness/options.h"

static const char usage[] =
    "usage: swizzlebench predict --accesses FILE [--csv] [--explain] [--svg FILE]\n"
    "       swizzlebench predict --layout LAYOUT --elem-bits B --instruction I [options]\n"
    "       swizzlebench predict --lanes LAYOUT --instruction I [--mask HEX] [options]\n"
    "\n"
    "Wavefronts and bank conflicts, from the model alone; no GPU is needed.\n"
    "\n";
static const char own_help[] =
    "  --position N      explain this position or row, from 0, and not the worst\n"
    "  --explain         the 32 banks, phase by phase, with the words and lanes on each\n"
    "  --svg FILE        the same as a picture\n"
    "  --csv             a line for each position or row\n"
    "  --help\n";

enum answer { POSITION = 256, EXPLAIN, SVG, CSV };

static const struct option known[] = {
    QUERY_OPTIONS,
    {"position", required_argument, NULL, POSITION},
    {"explain", no_argument, NULL, EXPLAIN},
    {"svg", required_argument, NULL, SVG},
    {"csv", no_argument, NULL, CSV},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct predict_options {
    struct query_words words;
    const char *position, *svg;
    bool explain, csv, help;
};

static void take_option(int answer, struct predict_options *options)
{
    query_take_option(answer, optarg, &options->words);
    options->position = answer == POSITION ? optarg : options->position;
    options->svg = answer == SVG ? optarg : options->svg;
    options->explain = options->explain || answer == EXPLAIN;
    options->csv = options->csv || answer == CSV;
    options->help = options->help || answer == 'h';
}

static bool read_options(int argc, char **argv, struct predict_options *options,
                         struct error *error)
{
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;)
        take_option(answer, options);
    if (error->kind != ERROR_NONE)
        return false;
    if (options->help)
        return true;
    if (!option_no_words(argc, argv, error))
        return false;
    return query_check(&options->words, error);
}

static bool read_position(const char *text, struct predictions *predictions, struct error *error)
{
    uint64_t wanted;
    if (!text)
        return true;
    if (!option_whole("--position", text, 0, 1000000000, &wanted, error))
        return false;
    predictions->is_wanted = true;
    predictions->wanted = wanted;
    return true;
}

static bool check_explained(const struct predict_options *options,
                            const struct predictions *predictions, struct error *error)
{
    const struct prediction *row = &predictions->rows[predictions->chosen];
    if ((!options->explain && !options->svg) || row->instruction->kind != SWB_CP_ASYNC)
        return true;
    return error_set(error, ERROR_INPUT,
                     "row %zu is %s, which is not explained bank by bank: its writes are grouped "
                     "by the global lines that they come from; --position N takes another row",
                     predictions->chosen, row->instruction->name);
}

/* Draws the reasons of the chosen row. */
static bool draw_chosen(const char *path, const struct query *query,
                        const struct predictions *predictions, struct error *error)
{
    const struct swb_instruction *instruction = predictions->rows[predictions->chosen].instruction;
    char title[sizeof query->title + 80];
    if (query->kind == QUERY_OF_LANES)
        snprintf(title, sizeof title, "%s", query->title);
    else if (query->kind == QUERY_OF_FILE)
        snprintf(title, sizeof title, "%s, row %zu", instruction->name, predictions->chosen);
    else
        snprintf(title, sizeof title, "%s, position %zu", query->title, predictions->chosen);
    return explain_svg(path, title, instruction, &predictions->chosen_access, error);
}

/* Prints the reasons of the chosen row. */
static void explain_chosen(FILE *to, const struct query *query,
                           const struct predictions *predictions)
{
    char title[sizeof query->title];
    if (query->kind == QUERY_OF_LANES)
        snprintf(title, sizeof title, "%s", query->title);
    else
        snprintf(title, sizeof title, "%s %zu", query->kind == QUERY_OF_FILE ? "row" : "position",
                 predictions->chosen);
    explain_text(to, title, predictions->rows[predictions->chosen].instruction,
                 &predictions->chosen_access);
}

static const char *const parts_names[] = {
    [QUERY_OF_FILE] = "rows", [QUERY_OF_LAYOUT] = "positions", [QUERY_OF_LANES] = "accesses"};

static bool check_wanted(const struct query *query, const struct predictions *predictions,
                         struct error *error)
{
    if (!predictions->is_wanted || predictions->wanted < predictions->count)
        return true;
    return error_set(error, ERROR_INPUT, "--position %zu: there are %zu %s, from 0",
                     predictions->wanted, predictions->count, parts_names[query->kind]);
}

static bool add(void *predictions, const struct query_access *access, struct error *error)
{
    return predictions_add(predictions, access, error);
}

static void summarize(const struct query *query, const struct predictions *predictions,
                      bool explained)
{
    if (query->kind == QUERY_OF_FILE)
        summarize_accesses(predictions);
    else if (query->kind == QUERY_OF_LAYOUT)
        summarize_walk(&query->walk, predictions);
    else if (!explained)
        summarize_access(query->title, predictions);
}

static bool answer_query(const struct predict_options *options, struct predictions *predictions,
                         struct error *error)
{
    struct query query;
    if (!query_open(&options->words, "predict", &query, error) ||
        !query_each(&query, add, predictions, error) || !check_wanted(&query, predictions, error) ||
        !check_explained(options, predictions, error))
        return false;
    if (options->svg && !draw_chosen(options->svg, &query, predictions, error))
        return false;
    if (query.kind == QUERY_OF_LAYOUT)
        placed_print_notes("predict", &query.placed);
    if (options->csv)
        predictions_print_csv(stdout, predictions, query.kind == QUERY_OF_LAYOUT);
    else
        summarize(&query, predictions, options->explain);
    if (options->explain)
        explain_chosen(options->csv ? stderr : stdout, &query, predictions);
    return true;
}

static int predict_main(int argc, char **argv)
{
    struct predict_options options = {.csv = false};
    struct predictions predictions = {.count = 0};
    struct error error = {.kind = ERROR_NONE};
    if (!read_options(argc, argv, &options, &error))
        return complain("predict", &error);
    if (options.help) {
        printf("%s%s%s", usage, query_help, own_help);
        return 0;
    }
    bool answered = read_position(options.position, &predictions, &error) &&
                    answer_query(&options, &predictions, &error);
    predictions_free(&predictions);
    return answered ? 0 : complain("predict", &error);
}

const struct command command_predict = {
    .name = "predict",
    .summary = "wavefronts of given accesses, or of an instruction over a layout; no GPU",
    .run = predict_main,
};
