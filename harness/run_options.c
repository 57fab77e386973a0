/* What did the user ask `swizzlebench run` for? */
#include "harness/run_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/options.h"
#include "harness/text.h"

const char run_help[] =
    "usage: swizzlebench run [FAMILY...] [options]\n"
    "\n"
    "Predicts, verifies, counts and times the cases of each family (when none is named: of all\n"
    "but those that `swizzlebench list` calls on request) and writes one row a case to\n"
    "DIR/FAMILY.csv.\n"
    "\n"
    "  --filter EXPR       only cases for which every comma-separated term holds: column=glob,\n"
    "                      column!=glob (predicted columns, see list FAMILY --csv), or a word\n"
    "                      that is part of the case's name; a comma within a term is '\\,'\n"
    "  --full              the whole space instead of the default sweep\n"
    "  --device N|all      which GPU (0); all: every GPU of this machine side by side, each in a\n"
    "                      folder of its own, DIR/<gpu>-N (results/<gpu>-N)\n"
    "  --backend gpu|model model: the predictions alone; needs no GPU\n"
    "  --out DIR           where to write (results/<gpu>, or results/model)\n"
    "  --resume            continue the files that are there: every whole row is kept, failed "
    "ones\n"
    "                      too, and its case not run again; an unfinished last row is cut off.\n"
    "                      Without it the old file becomes FAMILY.csv.previous\n"
    "  --no-counters       verify and time, but read no hardware counters\n"
    "  --metrics A,B,...   further CUPTI metrics, each a column of its own\n"
    "  --time-limit S      seconds that a case may take before it is given up (20)\n"
    "  --quiet             no progress and no summary\n"
    "  --help\n"
    "\n"
    "Ctrl-C finishes the case in flight and keeps all rows; a second one does not wait.\n"
    "Exit status: 0 fine, 1 a row failed, 2 wrong input, 3 this machine lacks what is needed,\n"
    "130 interrupted.\n";

enum {
    OPTION_FILTER = 256,
    OPTION_FULL,
    OPTION_DEVICE,
    OPTION_BACKEND,
    OPTION_OUT,
    OPTION_RESUME,
    OPTION_NO_COUNTERS,
    OPTION_METRICS,
    OPTION_TIME_LIMIT,
    OPTION_QUIET,
};

static const struct option known[] = {
    {"filter", required_argument, NULL, OPTION_FILTER},
    {"full", no_argument, NULL, OPTION_FULL},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"backend", required_argument, NULL, OPTION_BACKEND},
    {"out", required_argument, NULL, OPTION_OUT},
    {"resume", no_argument, NULL, OPTION_RESUME},
    {"no-counters", no_argument, NULL, OPTION_NO_COUNTERS},
    {"metrics", required_argument, NULL, OPTION_METRICS},
    {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_device(const char *text, struct run_options *options, struct error *error)
{
    char *end;
    options->all_devices = strcmp(text, "all") == 0;
    if (options->all_devices)
        return true;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < 0 || number > 1023)
        return error_set(error, ERROR_INPUT,
                         "--device '%s': the number of a GPU is needed, from 0, or all", text);
    options->job.device = (int)number;
    return true;
}

static bool read_backend(const char *text, enum backend *backend, struct error *error)
{
    *backend = strcmp(text, "model") == 0 ? BACKEND_MODEL : BACKEND_GPU;
    if (*backend == BACKEND_MODEL || strcmp(text, "gpu") == 0)
        return true;
    return error_set(error, ERROR_INPUT, "--backend '%s': gpu or model", text);
}

static bool read_metrics(const char *text, struct run_options *options, struct error *error)
{
    size_t *count = &options->job.measure.extra_metric_count;
    char *rest;
    free(options->metric_text);
    options->metric_text = rest = strdup(text);
    if (!rest)
        return error_set(error, ERROR_FAILED, "no memory for --metrics");
    *count = 0;
    for (char *name; (name = strsep(&rest, ","));) {
        if (*name == '\0' || *count == ROW_MAX_COLUMNS)
            return error_set(error, ERROR_INPUT, "--metrics '%s': %s", text,
                             *name ? "too many" : "an empty name");
        for (size_t i = 0; i < *count; i++) {
            if (strcmp(options->metrics[i], name) == 0)
                return error_set(error, ERROR_INPUT, "--metrics: '%s' is named twice", name);
        }
        options->metrics[(*count)++] = name;
    }
    options->job.measure.extra_metrics = options->metrics;
    return true;
}

static bool read_option(int option, struct run_options *options, struct error *error)
{
    switch (option) {
    case OPTION_FILTER:
        options->filter = optarg;
        return *optarg || error_set(error, ERROR_INPUT, "--filter: the expression is empty");
    case OPTION_FULL:
        options->full = true;
        return true;
    case OPTION_DEVICE:
        return read_device(optarg, options, error);
    case OPTION_BACKEND:
        return read_backend(optarg, &options->job.backend, error);
    case OPTION_OUT:
        options->out = optarg;
        return true;
    case OPTION_RESUME:
        options->resume = true;
        return true;
    case OPTION_NO_COUNTERS:
        options->job.measure.counters = false;
        return true;
    case OPTION_METRICS:
        return read_metrics(optarg, options, error);
    case OPTION_TIME_LIMIT:
        return option_number("--time-limit", optarg, 0.001, &options->job.case_limit_s, error);
    case OPTION_QUIET:
        options->quiet = true;
        return true;
    default:
        options->help = true;
        return true;
    }
}

/* What does not go together, each word right by itself. */
static bool check_together(const struct run_options *options, struct error *error)
{
    bool model = options->job.backend == BACKEND_MODEL;
    if (options->all_devices && model)
        return error_set(error, ERROR_INPUT,
                         "--device all needs GPUs, and --backend model predicts the same for each: "
                         "leave one of them out");
    if (options->job.measure.extra_metric_count > 0 && (model || !options->job.measure.counters))
        return error_set(error, ERROR_INPUT, "--metrics needs the counters of a GPU: leave %s out",
                         model ? "--backend model" : "--no-counters");
    return true;
}

bool run_options_read(struct run_options *options, int argc, char **argv, struct error *error)
{
    *options = (struct run_options){
        .label = "run",
        .job = {.backend = BACKEND_GPU, .case_limit_s = 20, .measure = {.counters = true}}};
    text_command(argc, argv, options->command, sizeof options->command);
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (!read_option(answer, options, error))
            return false;
    }
    if (error->kind != ERROR_NONE)
        return false;
    options->families = argv + optind;
    options->family_count = (size_t)(argc - optind);
    return options->help || check_together(options, error);
}

void run_options_free(struct run_options *options)
{
    free(options->metric_text);
}
