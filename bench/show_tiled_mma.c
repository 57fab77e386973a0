/* Who holds what when an mma is tiled over warps, and what do they read? `show tiled-mma` */
#include <stdio.h>
#include <string.h>

#include "bench/mma_picture.h"
#include "bench/mma_reads.h"
#include "bench/show.h"
#include "bench/tiled_mma.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench show tiled-mma ATOM [--atoms MxNxK] [--tile MxNxK] [--problem MxNxK]\n"
    "           [--layout-a LAYOUT] [--layout-b LAYOUT] [--stack col|row]\n"
    "           [--csv | --reads | --svg FILE]\n"
    "\n"
    "An atom of `show fragment --list`, repeated over warps and over values as CuTe's TiledMMA "
    "does:\n"
    "threads, the tile they cover, each thread's fragments, the repeats along M, N and K, which "
    "warps\n"
    "hold the same, and the thread map of C, A and B over one tile. T5:2-3 are values 2 and 3 of\n"
    "thread 5, counted over a thread's part of the tile.\n"
    "\n"
    "  --atoms MxNxK      the repeat over warps (AtomLayoutMNK; default 1x1x1), along M first;\n"
    "                     (2,2,1):(2,1,0) along N first\n"
    "  --tile MxNxK       the tile they cover (PermutationMNK): each an extent, a layout that "
    "says\n"
    "                     which row of the data is where, as in 32x(8,2,2):(1,16,8)x16, or _ for\n"
    "                     the atoms' own\n"
    "  --problem MxNxK    what is partitioned (default: one tile)\n"
    "  --layout-a LAYOUT  A, M x K, in shared memory, as in `swizzlebench predict --help`: how "
    "each\n"
    "                     warp reads it, with how many wavefronts, and what warps read twice\n"
    "  --layout-b LAYOUT  the same of B, N x K\n"
    "  --stack col|row    of both, as in `swizzlebench predict --help`\n"
    "  --csv              operand,thread,value,row,col; value counts over the whole partition,\n"
    "                     first mode fastest: (MMA, repeats of rows, repeats of columns)\n"
    "  --reads            the reads as CSV, which `predict` and `measure` take as --accesses\n"
    "  --svg FILE         the thread map as SVG\n"
    "  --help\n";

enum answer { ATOMS = 256, TILE, PROBLEM, LAYOUT_A, LAYOUT_B, STACK, SVG, CSV, READS };

static const struct option known[] = {
    {"atoms", required_argument, NULL, ATOMS},
    {"tile", required_argument, NULL, TILE},
    {"problem", required_argument, NULL, PROBLEM},
    {"layout-a", required_argument, NULL, LAYOUT_A},
    {"layout-b", required_argument, NULL, LAYOUT_B},
    {"stack", required_argument, NULL, STACK},
    {"svg", required_argument, NULL, SVG},
    {"csv", no_argument, NULL, CSV},
    {"reads", no_argument, NULL, READS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct tiled_options {
    struct mma_words words;
    const char *atom, *svg, *stack;
    const char *layouts[SWB_MMA_C]; /* of A and B */
    bool csv, reads, help;
};

static void take_option(int answer, struct tiled_options *options)
{
    const struct {
        enum answer option;
        const char **value;
    } values[] = {
        {ATOMS, &options->words.atoms},
        {TILE, &options->words.tile},
        {PROBLEM, &options->words.problem},
        {LAYOUT_A, &options->layouts[SWB_MMA_A]},
        {LAYOUT_B, &options->layouts[SWB_MMA_B]},
        {STACK, &options->stack},
        {SVG, &options->svg},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if ((int)values[i].option == answer)
            *values[i].value = optarg;
    }
    options->csv = options->csv || answer == CSV;
    options->reads = options->reads || answer == READS;
    options->help = options->help || answer == 'h';
}

static bool read_options(int argc, char **argv, struct tiled_options *options, struct error *error)
{
    optind = 0;
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;)
        take_option(answer, options);
    if (error->kind != ERROR_NONE)
        return false;
    if (options->help)
        return true;
    bool has_layout = options->layouts[SWB_MMA_A] || options->layouts[SWB_MMA_B];
    if (options->csv + options->reads + (options->svg != NULL) > 1)
        return error_set(error, ERROR_INPUT, "--csv, --reads and --svg are three forms: give one");
    if ((options->csv || options->svg) && has_layout)
        return error_set(
            error, ERROR_INPUT,
            "%s is who holds what; --layout-a and --layout-b go with the text and with "
            "--reads",
            options->csv ? "--csv" : "--svg");
    if ((options->reads || options->stack) && !has_layout)
        return error_set(error, ERROR_INPUT,
                         "%s is about a tile in shared memory: give --layout-a "
                         "or --layout-b",
                         options->reads ? "--reads" : "--stack");
    if (argc - optind != 1)
        return error_set(error, ERROR_INPUT,
                         "one atom is needed, as in SM80_16x8x16_F32F16F16F32_TN (`show fragment "
                         "--list` has all); %d are given",
                         argc - optind);
    options->atom = argv[optind];
    return true;
}

/* ---- CSV and SVG --------------------------------------------------------------------------- */

static void print_csv(const struct tiled_mma *tiled)
{
    mma_operand_csv_header();
    for (unsigned thread = 0; thread < swb_tiled_mma_threads(&tiled->mma); thread++) {
        for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++) {
            if (tiled->held[tiled_mma_order[i]])
                mma_operand_csv(&tiled->whole[tiled_mma_order[i]], thread);
        }
    }
}

static bool draw(const struct tiled_mma *tiled, const char *path, struct error *error)
{
    struct mma_map maps[SWB_MMA_OPERANDS] = {{.holders = NULL}};
    const struct mma_map *held[SWB_MMA_OPERANDS] = {NULL};
    char title[160];
    bool drawn = true;
    for (unsigned i = 0; drawn && i < SWB_MMA_OPERANDS; i++) {
        if (!tiled->held[i])
            continue;
        drawn = mma_map_open(&tiled->tile[i], &maps[i], error);
        held[i] = &maps[i];
    }
    snprintf(title, sizeof title, "%s, %ux%ux%u atoms over %ux%ux%u", tiled->mma.atom.name,
             swb_tiled_mma_atoms(&tiled->mma, SWB_MMA_M),
             swb_tiled_mma_atoms(&tiled->mma, SWB_MMA_N),
             swb_tiled_mma_atoms(&tiled->mma, SWB_MMA_K), tiled->covered[SWB_MMA_M],
             tiled->covered[SWB_MMA_N], tiled->covered[SWB_MMA_K]);
    drawn = drawn && mma_picture_svg(path, title, held, error);
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++)
        mma_map_close(&maps[i]);
    return drawn;
}

/* ---- Reads --------------------------------------------------------------------------------- */

/* Of A or B, where it was asked for: the tile in shared memory, and how it is read. */
struct read_operand {
    struct placed placed;
    struct mma_reads reads;
};

/* A layout of the operand's own extents, or one that is repeated to fill them. */
static bool read_layout(const struct tiled_options *options, const struct mma_operand *whole,
                        struct placed *placed, struct error *error)
{
    char tile[32], elem_bits[16];
    enum swb_major major;
    struct placed_words words = {.layout = options->layouts[whole->which], .elem_bits = elem_bits};
    snprintf(elem_bits, sizeof elem_bits, "%u", whole->bits);
    snprintf(tile, sizeof tile, "%ux%u", whole->rows, whole->cols);
    if (!swb_layout_find(words.layout, &major)) {
        if (!placed_read(&words, placed, error))
            return false;
        if (placed->rows == whole->rows && placed->cols == whole->cols)
            return true;
    }
    words.tile = tile;
    words.stack = options->stack;
    return placed_read(&words, placed, error);
}

static bool plan_read(const struct tiled_options *options, const struct tiled_mma *tiled,
                      enum swb_mma_operand which, struct read_operand *operand, struct error *error)
{
    char sentence[PLACED_NAME_BYTES + 128];
    struct error inner = {.kind = ERROR_NONE};
    if (!tiled->held[which])
        return error_set(error, ERROR_INPUT, "--layout-%c: %s", "ab"[which],
                         tiled -> refusals[which].sentence);
    if (!read_layout(options, &tiled->whole[which], &operand->placed, &inner) ||
        !mma_reads_plan(&tiled->tile[which], &operand->placed, &operand->reads, &inner))
        return error_set(error, inner.kind, "--layout-%c: %s", "ab"[which], inner.text);
    placed_print_notes("show tiled-mma", &operand->placed);
    if (placed_collision(&operand->placed, sentence, sizeof sentence))
        fprintf(stderr, "swizzlebench show tiled-mma: warning: %s\n", sentence);
    return true;
}

/* Asks for everything before anything is printed. */
static bool show_text_or_reads(const struct tiled_options *options, const struct tiled_mma *tiled,
                               struct error *error)
{
    struct read_operand operands[SWB_MMA_C];
    for (enum swb_mma_operand which = SWB_MMA_A; which < SWB_MMA_C; which++) {
        if (options->layouts[which] && !plan_read(options, tiled, which, &operands[which], error))
            return false;
    }
    if (options->reads)
        mma_reads_csv_header();
    else if (!tiled_mma_print(tiled, error))
        return false;
    for (enum swb_mma_operand which = SWB_MMA_A; which < SWB_MMA_C; which++) {
        if (options->layouts[which] && options->reads)
            mma_reads_csv(&operands[which].reads);
        else if (options->layouts[which])
            mma_reads_print(&operands[which].reads);
    }
    return true;
}

static bool show(const struct tiled_options *options, struct error *error)
{
    struct tiled_mma tiled;
    if (!tiled_mma_open(options->atom, &options->words, &tiled, error))
        return false;
    if (options->svg)
        return draw(&tiled, options->svg, error);
    if (!options->csv)
        return show_text_or_reads(options, &tiled, error);
    print_csv(&tiled);
    return true;
}

static int show_tiled_mma_main(int argc, char **argv)
{
    struct tiled_options options = {.csv = false};
    struct error error = {.kind = ERROR_NONE};
    if (!read_options(argc, argv, &options, &error))
        return complain("show tiled-mma", &error);
    if (options.help) {
        fputs(help, stdout);
        return 0;
    }
    return show(&options, &error) ? 0 : complain("show tiled-mma", &error);
}

const struct command show_tiled_mma = {
    .name = "tiled-mma",
    .summary = "which thread holds and reads what when an mma is tiled over warps",
    .run = show_tiled_mma_main,
};
