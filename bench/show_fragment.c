/* Who holds what of A, B and C in an mma atom? `swizzlebench show fragment` */
#include <stdio.h>

#include "bench/mma_picture.h"
#include "bench/mma_words.h"
#include "bench/show.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench show fragment ATOM [--svg FILE | --csv]\n"
    "       swizzlebench show fragment --list [--csv]\n"
    "\n"
    "ATOM is CuTe's name of an mma.sync of sm_75 to sm_90, SM80_16x8x16_F32BF16BF16F32_TN, or of "
    "a\n"
    "wgmma, SM90_64x64x16_F32F16F16_RS. A is M x K, B is N x K, C is M x N; their rows go down, "
    "their\n"
    "columns across. T5:2-3 are values 2 and 3 of thread 5. What wgmma reads from shared memory "
    "is\n"
    "held by no thread.\n"
    "\n"
    "  --csv       operand,thread,value,row,col; of --list every atom's name, shape and types\n"
    "  --svg FILE  the picture as SVG\n"
    "  --list      the atoms\n"
    "  --help\n";

enum answer { SVG = 256, CSV, LIST };

static const struct option known[] = {
    {"svg", required_argument, NULL, SVG},
    {"csv", no_argument, NULL, CSV},
    {"list", no_argument, NULL, LIST},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct fragment_options {
    const char *atom, *svg;
    bool csv, list, help;
};

static bool read_options(int argc, char **argv, struct fragment_options *options,
                         struct error *error)
{
    optind = 0;
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (answer == SVG)
            options->svg = optarg;
        options->csv = options->csv || answer == CSV;
        options->list = options->list || answer == LIST;
        options->help = options->help || answer == 'h';
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (options->help)
        return true;
    if (options->csv && options->svg)
        return error_set(error, ERROR_INPUT, "--csv and --svg are two forms: give one");
    if (options->list && options->svg)
        return error_set(error, ERROR_INPUT, "--list has no picture: leave --svg out");
    if (options->list)
        return option_no_words(argc, argv, error);
    if (argc - optind != 1)
        return error_set(error, ERROR_INPUT,
                         "one atom is needed, as in SM80_16x8x16_F32F16F16F32_TN (--list has all); "
                         "%d are given",
                         argc - optind);
    options->atom = argv[optind];
    return true;
}

/* ---- The list ------------------------------------------------------------------------------ */

static void list_csv(void)
{
    struct swb_mma_atom atom;
    puts("atom,sm,threads,m,n,k,a,b,c");
    for (size_t i = 0; swb_mma_atom_at(i, &atom); i++)
        printf("%s,%u,%u,%u,%u,%u,%s,%s,%s\n", atom.name, atom.sm, atom.threads,
               atom.extents[SWB_MMA_M], atom.extents[SWB_MMA_N], atom.extents[SWB_MMA_K],
               atom.types[SWB_MMA_A]->name, atom.types[SWB_MMA_B]->name,
               atom.types[SWB_MMA_C]->name);
}

static void list_text(void)
{
    struct swb_mma_atom atom;
    printf("%-42s %5s %14s  %-5s %-5s %s\n", "atom", "sm", "shape M x N x K", "A", "B", "C");
    for (size_t i = 0; swb_mma_atom_at(i, &atom); i++) {
        char shape[32];
        snprintf(shape, sizeof shape, "%ux%ux%u", atom.extents[SWB_MMA_M], atom.extents[SWB_MMA_N],
                 atom.extents[SWB_MMA_K]);
        if (!atom.is_wgmma || atom.extents[SWB_MMA_N] == 256)
            printf("%-42s %5u %14s  %-5s %-5s %s\n", atom.name, atom.sm, shape,
                   atom.types[SWB_MMA_A]->name, atom.types[SWB_MMA_B]->name,
                   atom.types[SWB_MMA_C]->name);
    }
    puts("wgmma, SM90_64x..., is here with N = 256 alone: N is 8 to 256 in steps of 8, with s8 and "
         "u8\n8, 16, 24, 32 and on in steps of 16. --csv has all.");
}

/* ---- An atom ------------------------------------------------------------------------------- */

/* Which operands threads hold, and what is said of the others. */
struct fragments {
    struct mma_operand operands[SWB_MMA_OPERANDS];
    struct swb_refusal refusals[SWB_MMA_OPERANDS];
    bool held[SWB_MMA_OPERANDS];
};

static void print_csv(const struct fragments *fragments)
{
    mma_operand_csv_header();
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++) {
        for (unsigned thread = 0; fragments->held[i] && thread < fragments->operands[i].threads;
             thread++)
            mma_operand_csv(&fragments->operands[i], thread);
    }
}

static void print_operand(const struct mma_map *map)
{
    const struct mma_operand *operand = map->operand;
    char layout[128];
    swb_layout_print(&operand->tv, layout, sizeof layout);
    printf("\n%c, %u x %u (%c x %c): %u values of %u bits a thread\n"
           "(thread, value) -> %c + %u %c: %s\n\n",
           mma_operand_letter(operand->which), operand->rows, operand->cols,
           mma_operand_row_mode(operand->which), mma_operand_col_mode(operand->which),
           operand->values, operand->bits, mma_operand_row_mode(operand->which), operand->rows,
           mma_operand_col_mode(operand->which), layout);
    mma_map_print_elements(map);
    printf("\nthe same the other way: %c,%c of each value%s\n",
           mma_operand_row_mode(operand->which), mma_operand_col_mode(operand->which),
           map->together > 1 ? ", or of the first of those together" : "");
    mma_map_print_threads(map);
}

static void print_atom(const struct swb_mma_atom *atom, const struct fragments *fragments,
                       const struct mma_map *const maps[SWB_MMA_OPERANDS])
{
    char kind[64];
    printf("%s: %s, %u threads\nC %s += A %s x B %s, M x N x K = %ux%ux%u\n", atom->name,
           mma_words_kind(atom, kind, sizeof kind), atom->threads, atom->types[SWB_MMA_C]->name,
           atom->types[SWB_MMA_A]->name, atom->types[SWB_MMA_B]->name, atom->extents[SWB_MMA_M],
           atom->extents[SWB_MMA_N], atom->extents[SWB_MMA_K]);
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++) {
        if (maps[i])
            print_operand(maps[i]);
        else
            printf("\n%s\n", fragments->refusals[i].sentence);
    }
}

static bool show(const struct fragment_options *options, struct error *error)
{
    struct swb_mma_atom atom;
    struct fragments fragments;
    struct mma_map maps[SWB_MMA_OPERANDS] = {{.holders = NULL}};
    const struct mma_map *held[SWB_MMA_OPERANDS] = {NULL};
    bool shown = true;
    if (!mma_words_atom(options->atom, &atom, error))
        return false;
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++)
        fragments.held[i] =
            mma_operand_of_atom(&atom, i, &fragments.operands[i], &fragments.refusals[i]);
    if (options->csv) {
        print_csv(&fragments);
        return true;
    }
    for (unsigned i = 0; shown && i < SWB_MMA_OPERANDS; i++) {
        if (!fragments.held[i])
            continue;
        shown = mma_map_open(&fragments.operands[i], &maps[i], error);
        held[i] = &maps[i];
    }
    if (shown && options->svg)
        shown = mma_picture_svg(options->svg, atom.name, held, error);
    else if (shown)
        print_atom(&atom, &fragments, held);
    for (unsigned i = 0; i < SWB_MMA_OPERANDS; i++)
        mma_map_close(&maps[i]);
    return shown;
}

static int show_fragment_main(int argc, char **argv)
{
    struct fragment_options options = {.csv = false};
    struct error error = {.kind = ERROR_NONE};
    if (!read_options(argc, argv, &options, &error))
        return complain("show fragment", &error);
    if (options.help)
        fputs(help, stdout);
    else if (options.list && options.csv)
        list_csv();
    else if (options.list)
        list_text();
    else if (!show(&options, &error))
        return complain("show fragment", &error);
    return 0;
}

const struct command show_fragment = {
    .name = "fragment",
    .summary = "which thread of an mma holds which elements",
    .run = show_fragment_main,
};
