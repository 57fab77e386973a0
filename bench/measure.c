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

struct measure_list {
    const struct query *query;
    struct query_access *accesses;
    size_t count, room;
};

static bool keep_access(void *taker, const struct query_access *access, struct error *error)
{
    struct measure_list *list = taker;
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        struct query_access *larger = realloc(list->accesses, list->room * sizeof *larger);
        if (!larger)
            return error_set(error, ERROR_MACHINE, "no memory for %zu accesses", list->room);
        list->accesses = larger;
    }
    list->accesses[list->count++] = *access;
    return true;
}

static size_t case_count(const struct family *self, bool full)
{
    (void)full;
    const struct measure_list *list = self->context;
    return list->count;
}

/* Returns NULL, or why the access cannot be run. */
static const char *make_plan(const struct measure_list *list, size_t index,
                             struct access_plan *plan)
{
    const struct query_access *access = &list->accesses[index];
    if (access->instruction->kind == SWB_CP_ASYNC && !access->has_globals)
        return "cp.async needs its global addresses: the column global_byte_addresses";
    return access_plan_access(plan, access->instruction, &access->copy);
}

static const char *part_name(const struct query *query)
{
    return query->kind == QUERY_OF_LAYOUT ? "position" : "row";
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    const struct measure_list *list = self->context;
    const char *instruction = list->accesses[index].instruction->name;
    struct access_plan plan;
    snprintf(row->case_name, sizeof row->case_name, "%s %zu %s", part_name(list->query), index,
             instruction);
    const char *why = make_plan(list, index, &plan);
    if (why) {
        row_set_text(row, ACCESS_COL_INSTRUCTION, "%s", instruction);
        row_end(row, ROW_SKIPPED, "%s", why);
    } else {
        access_predict(&plan, row);
    }
}

struct measure_state {
    const struct measure_list *list;
    struct access_bench *bench;
};

static bool open_measure(const struct family *self, struct gpu *gpu,
                         const struct measure_options *options, void **state, struct error *error)
{
    struct measure_state *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, ERROR_FAILED, "no memory to measure with");
    s->list = self->context;
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
    if (make_plan(s->list, index, &plan))
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
    printf("%8s  %-18s %9s %9s %6s %9s %9s %9s %11s  %s\n", part_name(query), "", "model",
           "counter", "ideal", "conflicts", "latency", "one warp", "throughput", "");
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
        print_csv(&file, query->kind == QUERY_OF_LAYOUT);
    else if (read)
        print_table(&file, query);
    result_free(&file);
    return read;
}

/* ---- The command --------------------------------------------------------------------------- */

static const char usage[] =
    "usage: swizzlebench measure --accesses FILE [options]\n"
    "       swizzlebench measure --layout LAYOUT --elem-bits B --instruction I [options]\n"
    "       swizzlebench measure --lanes LAYOUT --instruction I [--mask HEX] [options]\n"
    "\n"
    "What predict takes, on the GPU: prediction and counter beside each other, latency and\n"
    "throughput. Each access is verified, counted and timed as a case of its own.\n"
    "\n";
static const char own_help[] =
    "  --device N        which GPU (0)\n"
    "  --no-counters     verify and time alone\n"
    "  --out DIR         keep the rows, in the columns of shared.csv, as DIR/measure.csv\n"
    "  --csv             a line for each position or row: what predict --csv gives, and\n"
    "                    hw_wavefronts,hw_conflicts,latency_cycles,throughput_cycles\n"
    "  --help\n"
    "\n"
    "Exit status: 0 fine, 1 model and counter differ or a byte is wrong, 2 wrong input, 3 no "
    "GPU.\n";

enum { OPTION_DEVICE = 256, OPTION_NO_COUNTERS, OPTION_OUT, OPTION_CSV };

static const struct option known[] = {
    QUERY_OPTIONS,
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

static void take_option(int answer, struct measure_words *words, struct run_options *run)
{
    query_take_option(answer, optarg, &words->query);
    words->device = answer == OPTION_DEVICE ? optarg : words->device;
    words->csv = words->csv || answer == OPTION_CSV;
    run->out = answer == OPTION_OUT ? optarg : run->out;
    run->help = run->help || answer == 'h';
    if (answer == OPTION_NO_COUNTERS)
        run->job.measure.counters = false;
}

static bool read_options(int argc, char **argv, struct measure_words *words,
                         struct run_options *run, struct error *error)
{
    uint64_t device = 0;
    text_command(argc, argv, run->command, sizeof run->command);
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;)
        take_option(answer, words, run);
    if (error->kind != ERROR_NONE)
        return false;
    if (run->help)
        return true;
    if (!option_no_words(argc, argv, error))
        return false;
    if (words->device && !option_whole("--device", words->device, 0, 1023, &device, error))
        return false;
    run->job.device = (int)device;
    return query_check(&words->query, error);
}

/* Runs the list's family into the folder and prints what came out. */
static int measure_list(const struct measure_list *list, const struct measure_words *words,
                        const struct run_options *options, struct error *error)
{
    const struct family family = {
        .name = "measure",
        .question = "what do these accesses cost?",
        .columns = access_columns,
        .column_count = ACCESS_COL_COUNT,
        .context = list,
        .case_count = case_count,
        .predict = predict,
        .open = open_measure,
        .close = close_measure,
        .measure = measure,
    };
    struct run_options run = *options;
    char folder[] = "/tmp/swizzlebench-XXXXXX", file[sizeof folder + 16];
    bool keep = run.out != NULL;
    if (!keep && !mkdtemp(folder)) {
        error_set(error, ERROR_FAILED, "cannot make a folder below /tmp");
        return complain("measure", error);
    }
    if (!keep)
        run.out = folder;
    run.only = &family;
    run.quiet = !isatty(STDERR_FILENO);
    int status = run_with_options(&run);
    if (status <= ERROR_FAILED && !print_results(run.out, list->query, words->csv, error))
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
    struct query query;
    struct measure_list list = {.query = &query};
    struct error error = {.kind = ERROR_NONE};
    int status;
    if (!read_options(argc, argv, &words, &run, &error))
        return complain("measure", &error);
    if (run.help) {
        printf("%s%s%s", usage, query_help, own_help);
        return 0;
    }
    if (!query_open(&words.query, "measure", &query, &error) ||
        !query_each(&query, keep_access, &list, &error)) {
        status = complain("measure", &error);
    } else {
        if (query.kind == QUERY_OF_LAYOUT)
            placed_print_notes("measure", &query.placed);
        status = measure_list(&list, &words, &run, &error);
    }
    free(list.accesses);
    return status;
}

const struct command command_measure = {
    .name = "measure",
    .summary = "the same inputs on the GPU: prediction, counter, latency, throughput",
    .run = measure_main,
};
