/* Is the model right? Random accesses by the million, model against hardware: `swizzlebench fuzz`
 *
 * A case is up to a million accesses of one instruction, counted in launches of 128 Ki. Where a
 * launch's weighted sum differs from the model's, it is halved until one access is left, which is
 * then made as simple as it can be and written to fuzz-mismatches.csv. Or it is up to a million
 * tensor maps, each put to the driver. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/commands.h"
#include "bench/fuzz_access.h"
#include "bench/fuzz_search.h"
#include "bench/tma_fuzz.h"
#include "bench/access_names.h"
#include "harness/options.h"
#include "harness/run_options.h"
#include "harness/text.h"

enum {
    CASE_ACCESSES = 1024 * 1024,
    MOST_FORMS = 32,
    MOST_MISMATCHES = 8, /* of a case; then it is given up */
    TENSOR_BYTES = 4096,
};

/* ---- The family that a command line makes -------------------------------------------------- */

/* What a case is about: an instruction (cp.async in two forms, through L1 and past it), or tensor
 * maps where there is none. */
struct fuzz_form {
    const struct swb_instruction *instruction;
    bool bypass_l1;
};

struct fuzz_job {
    struct fuzz_form forms[MOST_FORMS];
    size_t form_count;
    uint64_t seed, count; /* accesses of all instructions together */
    const char *out;      /* folder of the mismatches; NULL: results/<gpu> */
};

enum { COL_WHAT, COL_INSTRUCTION, COL_SEED, COL_COUNT, COL_MISMATCHES, COL_SECONDS, COLUMNS };

static const struct column columns[COLUMNS] = {
    [COL_WHAT] = {"what", "-",
                  "what was compared: accesses, cp.async with both its ends, descriptors"},
    [COL_INSTRUCTION] = {"instruction", "-", "the instruction; empty for descriptors"},
    [COL_SEED] = {"seed", "-", "of the whole run"},
    [COL_COUNT] = {"count", "-", "compared in this row"},
    [COL_MISMATCHES] = {"mismatches", "-",
                        "on which model and counter (descriptors: driver) differ"},
    [COL_SECONDS] = {"seconds", "s", "that this row took"},
};

/* Accesses of one form: the count, shared out evenly and rounded up. */
static uint64_t accesses_each(const struct fuzz_job *job)
{
    return (job->count + job->form_count - 1) / job->form_count;
}

static size_t cases_each(const struct fuzz_job *job)
{
    return (size_t)((accesses_each(job) + CASE_ACCESSES - 1) / CASE_ACCESSES);
}

static size_t case_count(const struct family *self, bool full)
{
    (void)full;
    const struct fuzz_job *job = self->context;
    return job->form_count * cases_each(job);
}

struct fuzz_case {
    struct fuzz_form form;
    size_t chunk;
    unsigned count;
};

static struct fuzz_case case_at(const struct fuzz_job *job, size_t index)
{
    struct fuzz_case c = {job->forms[index / cases_each(job)], index % cases_each(job), 0};
    uint64_t left = accesses_each(job) - (uint64_t)c.chunk * CASE_ACCESSES;
    c.count = left < CASE_ACCESSES ? (unsigned)left : CASE_ACCESSES;
    return c;
}

static bool is_copy(struct fuzz_form form)
{
    return form.instruction && form.instruction->kind == SWB_CP_ASYNC;
}

static const char *what_of(struct fuzz_form form)
{
    return !form.instruction ? "descriptors" : is_copy(form) ? "cp.async" : "accesses";
}

static void name_form(struct fuzz_form form, char *name, size_t bytes)
{
    const char *cache = !is_copy(form) ? "" : form.bypass_l1 ? ".cg" : ".ca";
    snprintf(name, bytes, "%s%s", form.instruction ? form.instruction->name : what_of(form), cache);
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    const struct fuzz_job *job = self->context;
    struct fuzz_case c = case_at(job, index);
    char name[48];
    name_form(c.form, name, sizeof name);
    snprintf(row->case_name, sizeof row->case_name, "%s seed %llu part %zu", name,
             (unsigned long long)job->seed, c.chunk);
    row_set_text(row, COL_WHAT, "%s", what_of(c.form));
    row_set_text(row, COL_INSTRUCTION, "%s", c.form.instruction ? name : "");
    row_set_text(row, COL_SEED, "%llu", (unsigned long long)job->seed);
    row_set_text(row, COL_COUNT, "%u", c.count);
}

/* ---- One case ------------------------------------------------------------------------------ */

struct fuzz_state {
    const struct fuzz_job *job;
    struct fuzz_search search;        /* its bench is made when the first accesses are compared */
    gpu_address tensor;               /* where the tensor maps' tensors begin */
    char out[3072], mismatches[4096]; /* the folder, and the path of fuzz-mismatches.csv in it */
};

static bool open_fuzz(const struct family *self, struct gpu *gpu,
                      const struct measure_options *options, void **state, struct error *error)
{
    (void)options;
    struct fuzz_state *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, ERROR_FAILED, "no memory for a batch of accesses");
    s->job = self->context;
    if (!gpu_alloc(gpu, TENSOR_BYTES, &s->tensor, error)) {
        free(s);
        return false;
    }
    char slug[96];
    text_slug(gpu_info(gpu)->name, slug, sizeof slug);
    snprintf(s->out, sizeof s->out, "%s%s", s->job->out ? "" : "results/",
             s->job->out ? s->job->out : slug);
    snprintf(s->mismatches, sizeof s->mismatches, "%s/fuzz-mismatches.csv", s->out);
    s->search.gpu = gpu;
    s->search.path = s->mismatches;
    *state = s;
    return true;
}

static void close_fuzz(struct gpu *gpu, void *state)
{
    struct fuzz_state *s = state;
    fuzz_bench_close(gpu, s->search.bench);
    gpu_free(gpu, s->tensor);
    free(s);
}

static void make_batch(struct fuzz_batch *batch, struct fuzz_form form, unsigned count,
                       struct fuzz_random *random)
{
    struct swb_copy access = {.bypass_l1 = form.bypass_l1};
    batch->instruction = form.instruction;
    batch->bypass_l1 = form.bypass_l1;
    batch->count = count;
    for (unsigned i = 0; i < count; i++) {
        if (form.instruction->kind == SWB_CP_ASYNC)
            fuzz_copy(random, form.instruction, &access);
        else
            fuzz_access(random, form.instruction, &access.to);
        fuzz_set(batch, i, &access, fuzz_weight(random));
    }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool fuzz_accesses(struct fuzz_search *search, const struct fuzz_case *c,
                          struct fuzz_random *random, uint64_t *mismatches, struct row *row,
                          struct error *error)
{
    unsigned found = 0;
    if (!search->bench && !fuzz_bench_open(search->gpu, &search->bench, error))
        return false;
    for (unsigned done = 0; done < c->count && found < MOST_MISMATCHES; done += FUZZ_BATCH) {
        unsigned count = c->count - done < FUZZ_BATCH ? c->count - done : FUZZ_BATCH;
        bool same;
        make_batch(&search->batch, c->form, count, random);
        if (!fuzz_agrees(search, &same, error) ||
            (!same && !fuzz_find(search, MOST_MISMATCHES, &found, row, error)))
            return false;
    }
    *mismatches = found;
    return true;
}

static bool write_descriptors(const struct fuzz_state *s, const struct tma_fuzz_result *result,
                              struct row *row)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/fuzz-descriptors.csv", s->out);
    FILE *file = fopen(path, "w");
    if (file) {
        tma_fuzz_print(file, result);
        fclose(file);
    }
    row_end(row, ROW_FAILED, "model and driver differ on %llu; the smallest are in %s",
            (unsigned long long)result->mismatches, path);
    return true;
}

static bool fuzz_descriptors(struct gpu *gpu, struct fuzz_state *s, const struct fuzz_case *c,
                             uint64_t *mismatches, struct row *row, struct error *error)
{
    const struct gpu_info *info = gpu_info(gpu);
    struct tma_driver driver = {gpu, s->tensor};
    struct tma_fuzz_result result;
    struct tma_fuzz fuzz = {
        .seed = s->job->seed,
        .first = (uint64_t)c->chunk * CASE_ACCESSES,
        .count = c->count,
        .compute_capability = (unsigned)(10 * info->compute_major + info->compute_minor),
        .encode = tma_driver_encode,
        .context = &driver,
    };
    if (info->compute_major < 9) {
        row_end(row, ROW_SKIPPED, "this GPU has no TMA");
        return true;
    }
    if (!tma_fuzz(&fuzz, &result, error))
        return false;
    *mismatches = result.mismatches;
    return result.mismatches == 0 || write_descriptors(s, &result, row);
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    (void)options;
    struct fuzz_state *s = state;
    struct fuzz_case c = case_at(s->job, index);
    struct fuzz_random random = fuzz_random_of(s->job->seed, index);
    double start = seconds_now();
    uint64_t mismatches = 0;

    if (c.form.instruction && !access_supported(c.form.instruction, gpu_info(gpu), row))
        return true;
    bool ran = c.form.instruction ? fuzz_accesses(&s->search, &c, &random, &mismatches, row, error)
                                  : fuzz_descriptors(gpu, s, &c, &mismatches, row, error);
    row_set_text(row, COL_MISMATCHES, "%llu", (unsigned long long)mismatches);
    row_set_number(row, COL_SECONDS, seconds_now() - start, 3);
    return ran;
}

/* ---- The command --------------------------------------------------------------------------- */

static const char help[] =
    "usage: swizzlebench fuzz [WHAT...] [options]\n"
    "\n"
    "The model against the hardware on random input, a row for each million in DIR/fuzz.csv. "
    "WHAT:\n"
    "\n"
    "  accesses   loads, stores, ldmatrix and stmatrix against the counters (the default):\n"
    "             scattered, strided, padded, swizzled, permuted, few words, pairs of lanes and\n"
    "             near-misses, under random masks\n"
    "  cp.async   the same for cp.async, whose rule needs the global addresses as well\n"
    "  tma        tensor maps near the borders of every rule against the driver\n"
    "\n"
    "An access that differs is made as simple as it can be and written to\n"
    "DIR/fuzz-mismatches.csv, which predict and measure read; a tensor map to\n"
    "DIR/fuzz-descriptors.csv, which tma check reads.\n"
    "\n"
    "  --count N            how many, of all instructions together (10000000)\n"
    "  --seed S             the same seed gives the same accesses (1)\n"
    "  --instruction I,...  these alone\n"
    "  --device N           which GPU (0)\n"
    "  --out DIR            where to write (results/<gpu>)\n"
    "  --resume             continue the file that is there\n"
    "  --quiet              no progress and no summary\n"
    "  --help\n"
    "\n"
    "Exit status: 0 no difference, 1 some, 2 wrong input, 3 no GPU or no counters.\n";

enum {
    OPTION_COUNT = 256,
    OPTION_SEED,
    OPTION_INSTRUCTION,
    OPTION_DEVICE,
    OPTION_OUT,
    OPTION_RESUME,
    OPTION_QUIET
};

static const struct option known[] = {
    {"count", required_argument, NULL, OPTION_COUNT},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"instruction", required_argument, NULL, OPTION_INSTRUCTION},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"out", required_argument, NULL, OPTION_OUT},
    {"resume", no_argument, NULL, OPTION_RESUME},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool has_instruction(const struct fuzz_job *job, const struct swb_instruction *instruction)
{
    for (size_t i = 0; i < job->form_count; i++) {
        if (job->forms[i].instruction == instruction)
            return true;
    }
    return false;
}

/* Both forms of cp.async.16; one form of every other. What is there already stays alone. */
static bool add_instruction(const struct swb_instruction *instruction, struct fuzz_job *job)
{
    bool both = instruction->kind == SWB_CP_ASYNC && instruction->lane_bytes == 16;
    if (has_instruction(job, instruction))
        return true;
    if (job->form_count + both >= MOST_FORMS)
        return false;
    job->forms[job->form_count++] = (struct fuzz_form){instruction, false};
    if (both)
        job->forms[job->form_count++] = (struct fuzz_form){instruction, true};
    return true;
}

static bool read_instructions(char *list, struct fuzz_job *job, struct error *error)
{
    for (char *name; (name = strsep(&list, ","));) {
        const struct swb_instruction *instruction = swb_instruction_find(name);
        if (!instruction)
            return error_set(error, ERROR_INPUT,
                             "--instruction '%s': no such instruction; ld.shared.b32, "
                             "ldmatrix.x4, cp.async.16 and the like",
                             name);
        if (!add_instruction(instruction, job))
            return error_set(error, ERROR_INPUT, "--instruction: at most %d", MOST_FORMS);
    }
    return true;
}

static bool read_what(const char *what, struct fuzz_job *job, struct error *error)
{
    bool copies = strcmp(what, "cp.async") == 0;
    const struct swb_instruction *instruction;
    if (strcmp(what, "tma") == 0 && job->form_count < MOST_FORMS) {
        if (!has_instruction(job, NULL))
            job->forms[job->form_count++] = (struct fuzz_form){NULL, false};
        return true;
    }
    if (!copies && strcmp(what, "accesses") != 0)
        return error_set(error, ERROR_INPUT, "fuzz '%s'? accesses, cp.async or tma", what);
    for (size_t i = 0; (instruction = swb_instruction_at(i)); i++)
        if ((instruction->kind == SWB_CP_ASYNC) == copies)
            add_instruction(instruction, job);
    return true;
}

static bool read_option(int option, struct fuzz_job *job, struct run_options *run,
                        struct error *error)
{
    uint64_t device = 0;
    switch (option) {
    case OPTION_COUNT:
        return option_whole("--count", optarg, 1, UINT64_C(1000000000000), &job->count, error);
    case OPTION_SEED:
        return option_whole("--seed", optarg, 0, UINT64_MAX, &job->seed, error);
    case OPTION_INSTRUCTION:
        return read_instructions(optarg, job, error);
    case OPTION_DEVICE:
        if (!option_whole("--device", optarg, 0, 1023, &device, error))
            return false;
        run->job.device = (int)device;
        return true;
    case OPTION_OUT:
        run->out = job->out = optarg;
        return true;
    case OPTION_RESUME:
        run->resume = true;
        return true;
    case OPTION_QUIET:
        run->quiet = true;
        return true;
    default:
        run->help = true;
        return true;
    }
}

static bool read_options(int argc, char **argv, struct fuzz_job *job, struct run_options *run,
                         struct error *error)
{
    text_command(argc, argv, run->command, sizeof run->command);
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (!read_option(answer, job, run, error))
            return false;
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (optind < argc && job->form_count > 0)
        return error_set(error, ERROR_INPUT,
                         "--instruction says what to compare; '%s' beside it is too much",
                         argv[optind]);
    for (; optind < argc; optind++)
        if (!read_what(argv[optind], job, error))
            return false;
    return job->form_count > 0 || read_what("accesses", job, error);
}

static int fuzz_main(int argc, char **argv)
{
    struct fuzz_job job = {.seed = 1, .count = 10000000};
    const struct family family = {
        .name = "fuzz",
        .question = "does the model agree with the hardware on random accesses?",
        .columns = columns,
        .column_count = COLUMNS,
        .context = &job,
        .case_count = case_count,
        .predict = predict,
        .open = open_fuzz,
        .close = close_fuzz,
        .measure = measure,
    };
    struct run_options run = {
        .label = "fuzz",
        .only = &family,
        .job = {.backend = BACKEND_GPU, .case_limit_s = 120, .measure = {.counters = true}},
    };
    struct error error = {.kind = ERROR_NONE};
    if (!read_options(argc, argv, &job, &run, &error))
        return complain("fuzz", &error);
    if (run.help) {
        fputs(help, stdout);
        return 0;
    }
    return run_with_options(&run);
}

const struct command command_fuzz = {
    .name = "fuzz",
    .summary = "model against hardware on random input, by the million",
    .run = fuzz_main,
};
