/* What will an access, or an instruction that walks a layout, cost? `swizzlebench predict` */
#include <stdlib.h>
#include <string.h>

#include "bench/access_file.h"
#include "bench/commands.h"
#include "bench/explain.h"
#include "bench/lanes.h"
#include "bench/placed.h"
#include "bench/prediction.h"
#include "bench/summary.h"
#include "bench/walk.h"
#include "harness/options.h"
#include "harness/text.h"

static const char help[] =
    "usage: swizzlebench predict --accesses FILE [--csv] [--explain] [--svg FILE]\n"
    "       swizzlebench predict --layout LAYOUT --elem-bits B --instruction I [options]\n"
    "       swizzlebench predict --lanes LAYOUT --instruction I [--mask HEX] [options]\n"
    "\n"
    "Wavefronts and bank conflicts, from the model alone; no GPU is needed.\n"
    "\n"
    "  --accesses FILE   CSV with the columns instruction, active_mask (hex), and\n"
    "                    lane_byte_addresses (32 numbers with spaces between); - reads from\n"
    "                    standard input\n"
    "  --layout LAYOUT   (8,64):(64,1); Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1), a swizzle on\n"
    "                    byte addresses; Sw<3,3,3> o (8,64):(64,1), one on element numbers; or\n"
    "                    linear, padded, K/none, K/32B, K/64B, K/128B, MN/none, MN/32B ...\n"
    "  --elem-bits B     width of an element; 4 and 6 are possible\n"
    "  --instruction I   ld.shared.b32 .b64 .b128, st.shared..., ldmatrix.x1 .x2 .x4 (.trans),\n"
    "                    stmatrix...\n"
    "  --tile RxC        rows and columns; the layout, or its atom, is repeated to fill it\n"
    "  --stack col|row   the next repetition in memory is the next down a column (default), or\n"
    "                    along a row\n"
    "  --access A        rows (default): consecutive lanes along the contiguous dimension;\n"
    "                    columns: consecutive lanes across it. Loads and stores\n"
    "  --tv LAYOUT       who takes what instead: (thread,value) -> number of the element, counted\n"
    "                    down the columns\n"
    "  --base BYTES      where the tile starts in shared memory (default 0)\n"
    "  --position N      explain this position or row, from 0, and not the worst\n"
    "  --lanes LAYOUT    one access: lane -> byte address, as in 32:128, (16,2):(8,0),\n"
    "                    Sw<3,4,3> o 32:128; lanes behind its size are off\n"
    "  --mask HEX        the lanes of it that are active (default ffffffff)\n"
    "  --explain         the 32 banks, phase by phase, with the words and lanes on each\n"
    "  --svg FILE        the same as a picture\n"
    "  --csv             a line for each position or row\n"
    "  --help\n";

enum answer {
    LAYOUT = 256,
    ELEM_BITS,
    TILE,
    STACK,
    BASE,
    LANES,
    MASK,
    ACCESSES,
    INSTRUCTION,
    ACCESS,
    TV,
    POSITION,
    EXPLAIN,
    SVG,
    CSV
};

static const struct option known[] = {
    {"accesses", required_argument, NULL, ACCESSES},
    {"layout", required_argument, NULL, LAYOUT},
    {"elem-bits", required_argument, NULL, ELEM_BITS},
    {"instruction", required_argument, NULL, INSTRUCTION},
    {"tile", required_argument, NULL, TILE},
    {"stack", required_argument, NULL, STACK},
    {"access", required_argument, NULL, ACCESS},
    {"tv", required_argument, NULL, TV},
    {"base", required_argument, NULL, BASE},
    {"lanes", required_argument, NULL, LANES},
    {"mask", required_argument, NULL, MASK},
    {"position", required_argument, NULL, POSITION},
    {"explain", no_argument, NULL, EXPLAIN},
    {"svg", required_argument, NULL, SVG},
    {"csv", no_argument, NULL, CSV},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct predict_options {
    struct placed_words words;
    const char *accesses, *lanes, *mask, *instruction, *access, *tv, *position, *svg;
    bool explain, csv, help;
};

static void take_option(int answer, struct predict_options *options)
{
    const struct {
        enum answer option;
        const char **value;
    } values[] = {
        {LAYOUT, &options->words.layout},
        {ELEM_BITS, &options->words.elem_bits},
        {TILE, &options->words.tile},
        {STACK, &options->words.stack},
        {BASE, &options->words.base},
        {LANES, &options->lanes},
        {MASK, &options->mask},
        {ACCESSES, &options->accesses},
        {ACCESS, &options->access},
        {INSTRUCTION, &options->instruction},
        {TV, &options->tv},
        {POSITION, &options->position},
        {SVG, &options->svg},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if ((int)values[i].option == answer)
            *values[i].value = optarg;
    }
    options->explain = options->explain || answer == EXPLAIN;
    options->csv = options->csv || answer == CSV;
    options->help = options->help || answer == 'h';
}

/* Is there one question, with the options that belong to it? */
static bool check_question(const struct predict_options *options, struct error *error)
{
    const struct placed_words *words = &options->words;
    bool of_layout = options->access || options->tv || words->elem_bits || words->tile ||
                     words->stack || words->base;
    if (!!options->accesses + !!words->layout + !!options->lanes != 1)
        return error_set(error, ERROR_INPUT,
                         "give one of --accesses FILE, --layout LAYOUT and --lanes LAYOUT");
    if (!options->accesses && !options->instruction)
        return error_set(error, ERROR_INPUT, "%s needs --instruction",
                         options->lanes ? "--lanes" : "--layout");
    if (options->accesses && (of_layout || options->instruction))
        return error_set(error, ERROR_INPUT,
                         "--accesses gives instructions and addresses; the options of a layout do "
                         "not go with it");
    if (options->lanes && of_layout)
        return error_set(error, ERROR_INPUT,
                         "--lanes gives addresses; the options of a layout do not go with it");
    if (options->mask && !options->lanes)
        return error_set(error, ERROR_INPUT, "--mask goes with --lanes");
    return true;
}

static bool read_options(int argc, char **argv, struct predict_options *options,
                         struct error *error)
{
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (answer == '?' || answer == ':')
            return option_error(answer, argv, known, error);
        take_option(answer, options);
    }
    if (options->help)
        return true;
    if (optind < argc)
        return error_set(error, ERROR_INPUT, "'%s' belongs to no option; see --help", argv[optind]);
    return check_question(options, error);
}

static bool read_position(const char *text, struct predictions *predictions, struct error *error)
{
    unsigned wanted;
    if (!text)
        return true;
    if (!option_whole("--position", text, 0, 1000000000, &wanted, error))
        return false;
    predictions->is_wanted = true;
    predictions->wanted = wanted;
    return true;
}

/* Prints the reasons of the chosen row, called `part`, and draws them, called `whole`, where that
 * was asked for. */
static bool explain_chosen(const struct predict_options *options,
                           const struct predictions *predictions, const char *part,
                           const char *whole, struct error *error)
{
    const struct prediction *row = &predictions->rows[predictions->chosen];
    if (!options->explain && !options->svg)
        return true;
    if (!row->known)
        return error_set(error, ERROR_INPUT, "%s is not predicted, so there is nothing to explain",
                         row->instruction->name);
    if (options->explain)
        explain_text(options->csv ? stderr : stdout, part, row->instruction,
                     &predictions->chosen_access);
    return !options->svg ||
           explain_svg(options->svg, whole, row->instruction, &predictions->chosen_access, error);
}

static bool check_wanted(const struct predictions *predictions, const char *what,
                         struct error *error)
{
    if (!predictions->is_wanted || predictions->wanted < predictions->count)
        return true;
    return error_set(error, ERROR_INPUT, "--position %zu: there are %zu %s, from 0",
                     predictions->wanted, predictions->count, what);
}

/* ---- Accesses from a file ----------------------------------------------------------------- */

static bool read_accesses(const char *name, struct predictions *predictions, struct error *error)
{
    struct access_file file;
    struct access_row row = {.instruction = NULL};
    if (!access_file_open(name, &file, error))
        return false;
    while (access_file_next(&file, &row, error)) {
        if (!predictions_add(predictions, row.instruction, &row.access, error))
            break;
    }
    access_file_close(&file);
    if (error->kind == ERROR_NONE && predictions->count == 0)
        return error_set(error, ERROR_INPUT, "%s has no accesses", name);
    return error->kind == ERROR_NONE;
}

static bool predict_accesses(const struct predict_options *options, struct predictions *predictions,
                             struct error *error)
{
    char part[64], whole[128];
    if (!read_accesses(options->accesses, predictions, error) ||
        !check_wanted(predictions, "rows", error))
        return false;
    if (options->csv)
        predictions_print_csv(stdout, predictions, false);
    else
        summarize_accesses(predictions);
    snprintf(part, sizeof part, "row %zu", predictions->chosen);
    snprintf(whole, sizeof whole, "%s, %s",
             predictions->rows[predictions->chosen].instruction->name, part);
    return explain_chosen(options, predictions, part, whole, error);
}

/* ---- An instruction over a layout --------------------------------------------------------- */

static const struct swb_instruction *find_instruction(const char *name, struct error *error)
{
    enum { MOST = 48 };
    const struct swb_instruction *instruction = swb_instruction_find(name);
    const char *names[MOST], *nearest;
    size_t count = 0;
    if (instruction && instruction->kind != SWB_CP_ASYNC)
        return instruction;
    if (instruction) {
        error_set(error, ERROR_INPUT,
                  "%s is not predicted: its writes are grouped by the global lines that they come "
                  "from, and a layout says nothing of those",
                  name);
        return NULL;
    }
    for (; count < MOST && swb_instruction_at(count); count++)
        names[count] = swb_instruction_at(count)->name;
    nearest = text_nearest(name, names, count);
    error_set(error, ERROR_INPUT, "unknown --instruction '%s'; %s%s%s", name,
              nearest ? "did you mean '" : "see --help", nearest ? nearest : "",
              nearest ? "'?" : "");
    return NULL;
}

/* Two elements in one place: a store would lose one of them, a load only reads it twice. */
static bool check_collision(const struct placed *placed, const struct swb_instruction *instruction,
                            struct error *error)
{
    char sentence[PLACED_NAME_BYTES + 128];
    if (!placed_collision(placed, sentence, sizeof sentence))
        return true;
    if (instruction->kind != SWB_LOAD && instruction->kind != SWB_LDMATRIX)
        return error_set(error, ERROR_INPUT, "%s: %s would lose one", sentence, instruction->name);
    fprintf(stderr, "swizzlebench predict: warning: %s\n", sentence);
    return true;
}

static bool predict_layout(const struct predict_options *options, struct predictions *predictions,
                           struct error *error)
{
    struct placed placed;
    struct walk walk;
    struct swb_access access;
    char part[64], whole[PLACED_NAME_BYTES + 128];
    const struct swb_instruction *instruction = find_instruction(options->instruction, error);
    if (!instruction || !placed_read(&options->words, &placed, error) ||
        !check_collision(&placed, instruction, error) ||
        !walk_plan(&placed, instruction, options->access, options->tv, &walk, error))
        return false;
    for (unsigned position = 0; position < walk.positions; position++) {
        if (!walk_access(&walk, position, &access, error) ||
            !predictions_add(predictions, instruction, &access, error))
            return false;
    }
    if (!check_wanted(predictions, "positions", error))
        return false;
    placed_print_notes("predict", &placed);
    if (options->csv)
        predictions_print_csv(stdout, predictions, true);
    else
        summarize_walk(&walk, predictions);
    snprintf(part, sizeof part, "position %zu", predictions->chosen);
    snprintf(whole, sizeof whole, "%s over %s, %s", instruction->name, placed.name, part);
    return explain_chosen(options, predictions, part, whole, error);
}

/* ---- One access --------------------------------------------------------------------------- */

static bool predict_lanes(const struct predict_options *options, struct predictions *predictions,
                          struct error *error)
{
    struct swb_access access;
    char title[PLACED_NAME_BYTES];
    const struct swb_instruction *instruction = find_instruction(options->instruction, error);
    if (!instruction || !lanes_read(options->lanes, options->mask, instruction, &access, error) ||
        !predictions_add(predictions, instruction, &access, error) ||
        !check_wanted(predictions, "accesses", error))
        return false;
    snprintf(title, sizeof title, "%s of %s", instruction->name, options->lanes);
    if (options->csv)
        predictions_print_csv(stdout, predictions, false);
    else if (!options->explain)
        summarize_access(title, predictions);
    return explain_chosen(options, predictions, title, title, error);
}

static bool answer_question(const struct predict_options *options, struct predictions *predictions,
                            struct error *error)
{
    if (options->accesses)
        return predict_accesses(options, predictions, error);
    if (options->lanes)
        return predict_lanes(options, predictions, error);
    return predict_layout(options, predictions, error);
}

static int predict_main(int argc, char **argv)
{
    struct predict_options options = {.csv = false};
    struct predictions predictions = {.count = 0};
    struct error error = {.kind = ERROR_NONE};
    if (!read_options(argc, argv, &options, &error))
        return complain("predict", &error);
    if (options.help) {
        fputs(help, stdout);
        return 0;
    }
    bool answered = read_position(options.position, &predictions, &error) &&
                    answer_question(&options, &predictions, &error);
    predictions_free(&predictions);
    return answered ? 0 : complain("predict", &error);
}

const struct command command_predict = {
    .name = "predict",
    .summary = "wavefronts of given accesses, or of an instruction over a layout; no GPU",
    .run = predict_main,
};
