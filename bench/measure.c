/* What does the hardware say of these accesses? `swizzlebench measure`
 *
 * The accesses become the cases of a family of their own, which runs like any other: in a worker,
 * with a time limit, verified, counted and timed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/access_columns.h"
#include "bench/commands.h"
#include "bench/query.h"
#include "harness/options.h"
#include "harness/result.h"
#include "harness/run_options.h"
#include "harness/text.h"

/* ---- The family ---------------------------------------------------------------------------- */

static size_t case_count(const struct family *self, bool full)
{
    (void)full;
    const struct query *query = self->context;
    return query->count;
}

/* Returns NULL, or why the access cannot be run. */
static const char *make_plan(const struct query *query, size_t index, struct access_plan *plan)
{
    const struct query_access *access = &query->accesses[index];
    if (access->instruction->kind == SWB_CP_ASYNC && !access->has_globals)
        return "cp.async needs its global addresses: the column global_byte_addresses";
    return access_plan_access(plan, access->instruction, &access->copy);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    const struct query *query = self->context;
    struct access_plan plan;
    snprintf(row->case_name, sizeof row->case_name, "%s %zu %s",
             query->is_walk ? "position" : "row", index, query->accesses[index].instruction->name);
    const char *why = make_plan(query, index, &plan);
    if (why) {
        row_set_text(row, ACCESS_COL_INSTRUCTION, "%s", query->accesses[index].instruction->name);
        row_end(row, ROW_SKIPPED, "%s", why);
    } else {
        access_predict(&plan, row);
    }
}

struct measure_state {
    const struct query *query;
    struct access_bench *bench;
};

static bool open_measure(const struct family *self, struct gpu *gpu,
                         const struct measure_options *options, void **state, struct error *error)
{
    struct measure_state *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, ERROR_FAILED, "no memory to measure with");
    s->query = self->context;
    if (!access_bench_open(gpu, options, &s->bench, error)) {
        free(s);
        return false;
    }
    *state = s;
    return true;
}

static void close_measure(struct gpu *gpu, void *state)
{
    struct measure_state *s = state;
    access_bench_close(gpu, s->bench);
    free(s);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    struct measure_state *s = state;
    struct access_plan plan;
    struct access_result result;
    if (make_plan(s->query, index, &plan))
        return true; /* predict() has said why */
    if (!access_bench_run(gpu, s->bench, &plan, &result, row, error))
        return false;
    access_record(&plan, &result, options, row);
    return true;
}

/* ---- What is printed ----------------------------------------------------------------------- */

static const char *const printed[] = {
    "instruction",   "model_wavefronts", "ideal_wavefronts", "model_conflicts",
    "hw_wavefronts", "hw_conflicts",     "latency_cycles",   "throughput_cycles",
};
static const char *const printed_names[] = {
    "instruction",   "wavefronts",   "ideal_wavefronts", "conflicts",
    "hw_wavefronts", "hw_conflicts", "latency_cycles",   "throughput_cycles",
};
enum { PRINTED = sizeof printed / sizeof printed[0] };

static void print_csv(const struct result_file *file, bool is_walk)
{
    if (is_walk)
        fputs("position,", stdout);
    for (size_t i = 0; i < PRINTED; i++)
        printf("%s%c", printed_names[i], i + 1 < PRINTED ? ',' : '\n');
    for (size_t row = 0; row < file->row_count; row++) {
        if (is_walk)
            printf("%zu,", row);
        for (size_t i = 0; i < PRINTED; i++)
            printf("%s%c", result_value(file, row, printed[i]), i + 1 < PRINTED ? ',' : '\n');
    }
}

static void print_table(const struct result_file *file, const struct query *query)
{
    printf("%s on %s\n", query->title, result_key(file, "gpu"));
    printf("%8s  %-18s %9s %9s %6s %9s %9s %9s %11s  %s\n", query->is_walk ? "position" : "row", "",
           "model", "counter", "ideal", "conflicts", "latency", "one warp", "throughput", "");
    for (size_t row = 0; row < file->row_count; row++) {
        const char *reason = result_value(file, row, "reason");
        printf("%8zu  %-18s %9s %9s %6s %9s %9s %9s %11s  %s%s%s\n", row,
               result_value(file, row, "instruction"), result_value(file, row, "model_wavefronts"),
               result_value(file, row, "hw_wavefronts"),
               result_value(file, row, "ideal_wavefronts"), result_value(file, row, "hw_conflicts"),
               result_value(file, row, "latency_cycles"),
               result_value(file, row, "one_warp_cycles"),
               result_value(file, row, "throughput_cycles"), result_value(file, row, "status"),
               *reason ? ": " : "", reason);
    }
    puts("wavefronts an instruction by model and counter; clocks an instruction: alone, back to "
         "back in one warp, all SMs busy");
}

static bool print_results(const char *folder, const struct query *query, bool csv,
                          struct error *error)
{
    char path[4200];
    struct result_file file;
    snprintf(path, sizeof path, "%s/measure.csv", folder);
    bool read = result_read(path, &file, error);
    if (read && csv)
        print_csv(&file, query->is_walk);
    else if (read)
        print_table(&file, query);
    result_free(&file);
    return read;
}

/* ---- The command --------------------------------------------------------------------------- */

static const char help[] =
    "usage: swizzlebench measure --accesses FILE [options]\n"
    "       swizzlebench measure --layout LAYOUT --elem-bits B --instruction I [options]\n"
    "\n"
    "What predict takes, on the GPU: prediction and counter beside each other, latency and\n"
    "throughput. Each access is verified, counted and timed as a case of its own.\n"
    "\n"
    "  --accesses, --layout, --elem-bits, --instruction, --tile, --stack, --access, --tv, --base\n"
    "                  as in `swizzlebench predict --help`\n"
    "  --device N      which GPU (0)\n"
    "  --no-counters   verify and time alone\n"
    "  --out DIR       keep the rows, in the columns of shared.csv, as DIR/measure.csv\n"
    "  --csv           a line for each position or row: what predict --csv gives, and\n"
    "                  hw_wavefronts,hw_conflicts,latency_cycles,throughput_cycles\n"
    "  --help\n"
    "\n"
    "Exit status: 0 fine, 1 model and counter differ or a byte is wrong, 2 wrong input, 3 no "
    "GPU.\n";

enum {
    OPTION_ACCESSES = 256,
    OPTION_LAYOUT,
    OPTION_ELEM_BITS,
    OPTION_INSTRUCTION,
    OPTION_TILE,
    OPTION_STACK,
    OPTION_ACCESS,
    OPTION_TV,
    OPTION_BASE,
    OPTION_DEVICE,
    OPTION_NO_COUNTERS,
    OPTION_OUT,
    OPTION_CSV,
};

static const struct option known[] = {
    {"accesses", required_argument, NULL, OPTION_ACCESSES},
    {"layout", required_argument, NULL, OPTION_LAYOUT},
    {"elem-bits", required_argument, NULL, OPTION_ELEM_BITS},
    {"instruction", required_argument, NULL, OPTION_INSTRUCTION},
    {"tile", required_argument, NULL, OPTION_TILE},
    {"stack", required_argument, NULL, OPTION_STACK},
    {"access", required_argument, NULL, OPTION_ACCESS},
    {"tv", required_argument, NULL, OPTION_TV},
    {"base", required_argument, NULL, OPTION_BASE},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"no-counters", no_argument, NULL, OPTION_NO_COUNTERS},
    {"out", required_argument, NULL, OPTION_OUT},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct measure_words {
    struct query_words query;
    const char *device;
    bool csv;
};

static void take_option(int option, struct measure_words *words, struct run_options *run)
{
    const struct {
        int option;
        const char **value;
    } values[] = {
        {OPTION_ACCESSES, &words->query.accesses},
        {OPTION_LAYOUT, &words->query.placed.layout},
        {OPTION_ELEM_BITS, &words->query.placed.elem_bits},
        {OPTION_INSTRUCTION, &words->query.instruction},
        {OPTION_TILE, &words->query.placed.tile},
        {OPTION_STACK, &words->query.placed.stack},
        {OPTION_ACCESS, &words->query.access},
        {OPTION_TV, &words->query.tv},
        {OPTION_BASE, &words->query.placed.base},
        {OPTION_DEVICE, &words->device},
        {OPTION_OUT, &run->out},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i].option == option)
            *values[i].value = optarg;
    words->csv = words->csv || option == OPTION_CSV;
    run->help = run->help || option == 'h';
    if (option == OPTION_NO_COUNTERS)
        run->job.measure.counters = false;
}

static bool read_options(int argc, char **argv, struct measure_words *words,
                         struct run_options *run, struct error *error)
{
    unsigned device = 0;
    text_command(argc, argv, run->command, sizeof run->command);
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (answer == '?' || answer == ':')
            return option_error(answer, argv, known, error);
        take_option(answer, words, run);
    }
    if (run->help)
        return true;
    if (optind < argc)
        return error_set(error, ERROR_INPUT, "'%s' belongs to no option; see --help", argv[optind]);
    if (words->device && !option_whole("--device", words->device, 0, 1023, &device, error))
        return false;
    run->job.device = (int)device;
    return query_check(&words->query, error);
}

/* Runs the query's family into the folder and prints what came out. */
static int measure_query(const struct query *query, const struct measure_words *words,
                         struct run_options *run, struct error *error)
{
    const struct family family = {
        .name = "measure",
        .question = "what do these accesses cost?",
        .columns = access_columns,
        .column_count = ACCESS_COL_COUNT,
        .context = query,
        .case_count = case_count,
        .predict = predict,
        .open = open_measure,
        .close = close_measure,
        .measure = measure,
    };
    char folder[] = "/tmp/swizzlebench-XXXXXX", file[sizeof folder + 16];
    bool keep = run->out != NULL;
    if (!keep && !mkdtemp(folder)) {
        error_set(error, ERROR_FAILED, "cannot make a folder below /tmp");
        return complain("measure", error);
    }
    if (!keep)
        run->out = folder;
    run->only = &family;
    run->quiet = !isatty(STDERR_FILENO);
    int status = run_with_options(run);
    if (status <= ERROR_FAILED && !print_results(run->out, query, words->csv, error))
        status = complain("measure", error);
    if (!keep) {
        snprintf(file, sizeof file, "%s/measure.csv", folder);
        unlink(file);
        rmdir(folder);
    }
    return status;
}

static int measure_main(int argc, char **argv)
{
    struct measure_words words = {.csv = false};
    struct run_options run = {
        .label = "measure",
        .job = {.backend = BACKEND_GPU, .case_limit_s = 20, .measure = {.counters = true}},
    };
    struct query query = {.count = 0};
    struct error error = {.kind = ERROR_NONE};
    int status;
    if (!read_options(argc, argv, &words, &run, &error))
        return complain("measure", &error);
    if (run.help) {
        fputs(help, stdout);
        return 0;
    }
    if (!query_make(&words.query, &query, &error))
        status = complain("measure", &error);
    else
        status = measure_query(&query, &words, &run, &error);
    query_free(&query);
    return status;
}

const struct command command_measure = {
    .name = "measure",
    .summary = "the same inputs on the GPU: prediction, counter, latency, throughput",
    .run = measure_main,
};
