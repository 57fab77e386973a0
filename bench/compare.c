/* Which rows differ between two or more runs, GPUs or drivers, and did something get worse?
 * `swizzlebench compare` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands.h"
#include "bench/published.h"
#include "harness/compare_fail.h"
#include "harness/compare_print.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench compare A B [C...] [options]\n"
    "\n"
    "Result folders, or single result files, side by side; A is what the others are compared "
    "with.\n"
    "Rows are matched by case. Counters and the model's numbers are compared exactly; a time or a\n"
    "rate has changed where its median differs by more than the threshold and the samples of the\n"
    "two sides, from the least to the largest, do not overlap. A CSV file of published figures\n"
    "(gpu, quantity, value, value_max, unit, source), such as results/published.csv, may stand in\n"
    "any place.\n"
    "\n"
    "  --filter EXPR      only these rows, as in `swizzlebench run --help`, and by every column\n"
    "  --threshold P%     medians closer than this are the same (0.5%)\n"
    "  --absolute         times and rates in ns, by the SM clock of each row, and not in clocks\n"
    "  --csv              the rows that differ, all of them, as CSV\n"
    "  --all              with --csv: also the times and rates that did not change\n"
    "  --markdown         summary and all rows as Markdown\n"
    "  --fail-if C,...    exit with 1 on any of: slower>P%, faster>P% (by time; 100 to 105 clk is\n"
    "                     5% slower), counters (that the model predicts), traffic (other "
    "counters),\n"
    "                     model, missing (in the other), new, status, lost (ok on the first side,\n"
    "                     refused, skipped or failed on another), failed; or never. A value that\n"
    "                     is asked for and is on one side alone, as counters are behind\n"
    "                     --no-counters, meets its condition too.\n"
    "                     (" COMPARE_FAIL_DEFAULT ")\n"
    "  --help\n"
    "\n"
    "Exit status: 0 fine, 1 --fail-if is met (stderr says where), 2 wrong input, or no case that\n"
    "both sides have.\n";

enum { FILTER = 256, THRESHOLD, ABSOLUTE, CSV, ALL, MARKDOWN, FAIL_IF };

static const struct option known[] = {
    {"filter", required_argument, NULL, FILTER},
    {"threshold", required_argument, NULL, THRESHOLD},
    {"absolute", no_argument, NULL, ABSOLUTE},
    {"csv", no_argument, NULL, CSV},
    {"all", no_argument, NULL, ALL},
    {"markdown", no_argument, NULL, MARKDOWN},
    {"fail-if", required_argument, NULL, FAIL_IF},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct compare_job {
    struct compare_side *sides; /* of results */
    size_t side_count;
    const char *published[COMPARE_MAX_SIDES];
    size_t published_count;
    struct compare_settings settings;
    struct compare_conditions conditions;
    const char *fail_if;
    enum grid_style style;
    bool help;
};

/* ---- Words --------------------------------------------------------------------------------- */

static bool read_option(int answer, struct compare_job *job, struct error *error)
{
    switch (answer) {
    case FILTER:
        return filter_parse(optarg, &job->settings.filter, error);
    case THRESHOLD:
        return option_percent("--threshold", optarg, &job->settings.threshold, error);
    case ABSOLUTE:
        return job->settings.absolute = true;
    case ALL:
        return job->settings.all = true;
    case CSV:
    case MARKDOWN:
        if (job->style != GRID_TEXT)
            return error_set(error, ERROR_INPUT, "--csv or --markdown, one of them");
        job->style = answer == CSV ? GRID_CSV : GRID_MARKDOWN;
        return true;
    case FAIL_IF:
        job->fail_if = optarg;
        return true;
    default:
        return job->help = true;
    }
}

static bool read_options(int argc, char **argv, struct compare_job *job, struct error *error)
{
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (!read_option(answer, job, error))
            return false;
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (job->help)
        return true;
    if (job->settings.all && job->style != GRID_CSV)
        return error_set(error, ERROR_INPUT, "--all goes with --csv alone");
    if (argc - optind < 2)
        return error_set(error, ERROR_INPUT, "two folders or files are needed; see --help");
    if (argc - optind > COMPARE_MAX_SIDES)
        return error_set(error, ERROR_INPUT, "at most %d folders or files", COMPARE_MAX_SIDES);
    return compare_conditions_parse(job->fail_if ? job->fail_if : COMPARE_FAIL_DEFAULT,
                                    job->fail_if ? job->settings.threshold : 0, &job->conditions,
                                    error);
}

/* ---- Sides --------------------------------------------------------------------------------- */

static bool read_sides(int argc, char **argv, struct compare_job *job, struct error *error)
{
    for (int i = optind; i < argc; i++) {
        if (published_is(argv[i])) {
            job->published[job->published_count++] = argv[i];
            continue;
        }
        char letter = (char)('A' + (i - optind));
        if (!compare_side_read(argv[i], letter, &job->sides[job->side_count++], error))
            return false;
    }
    if (job->side_count == 0)
        return error_set(error, ERROR_INPUT,
                         "%s and %s are both published figures; measured "
                         "results are needed beside them",
                         argv[optind], argv[optind + 1]);
    if (job->side_count > 1 && job->published_count > 0 && job->style == GRID_CSV)
        return error_set(error, ERROR_INPUT,
                         "--csv is one table: either results with results, or with %s",
                         job->published[0]);
    if (job->side_count == 1 && job->fail_if)
        return error_set(error, ERROR_INPUT,
                         "--fail-if compares measured results, and there is "
                         "one side of them");
    return compare_sides_check(job->sides, job->side_count, error);
}

static bool has_column(const struct compare_job *job, const char *name)
{
    for (size_t i = 0; i < job->side_count * COMPARE_MAX_FAMILIES; i++) {
        const struct compare_side *side = &job->sides[i / COMPARE_MAX_FAMILIES];
        if (result_column(&side->files[i % COMPARE_MAX_FAMILIES], name) >= 0)
            return true;
    }
    return false;
}

static bool passes_any(const struct compare_job *job)
{
    for (size_t i = 0; i < job->side_count * COMPARE_MAX_FAMILIES; i++) {
        const struct result_file *file =
            &job->sides[i / COMPARE_MAX_FAMILIES].files[i % COMPARE_MAX_FAMILIES];
        for (size_t row = 0; row < file->row_count; row++) {
            if (filter_passes_file(&job->settings.filter, file, row))
                return true;
        }
    }
    return false;
}

static bool check_filter(const struct compare_job *job, struct error *error)
{
    const struct filter *filter = &job->settings.filter;
    for (size_t t = 0; t < filter->count; t++) {
        const char *name = filter->terms[t].column;
        if (*name && !has_column(job, name))
            return error_set(error, ERROR_INPUT, "--filter: no column '%s' in any of the files",
                             name);
    }
    return filter->count == 0 || passes_any(job) ||
           error_set(error, ERROR_INPUT, "--filter matches no row of any file");
}

static bool check_common(const struct compare_job *job, struct error *error)
{
    for (size_t i = 1; i < job->side_count; i++) {
        if (!compare_have_common(&job->sides[0], &job->sides[i], &job->settings.filter, error))
            return false;
    }
    return true;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

/* What the pairs add up to. */
struct totals {
    struct grid rows;
    struct compare_total side; /* of the other side in hand */
    size_t compared, differences;
    bool met;
};

static bool compare_family(const struct compare_job *job, const struct compare_side *other,
                           size_t family, struct totals *totals, struct error *error)
{
    const struct compare_side *first = &job->sides[0];
    struct compare_pair pair;
    if (!first->names[family] && !other->names[family])
        return true;
    bool made = compare_pair_make(first, other, family, &job->settings, &pair, error);
    bool any = made && pair.first_rows + pair.other_rows > 0;
    if (any) { /* the heads come no sooner than there is something to say */
        bool text = job->style != GRID_CSV;
        if (text && totals->compared == 0)
            made = compare_print_heads(job->sides, job->side_count, job->style);
        if (made && text && !compare_print_summary(&pair, job->style))
            made = error_set(error, ERROR_FAILED, "no memory for a summary");
        compare_rows_add(&totals->rows, &pair, job->style);
        compare_total_add(&totals->side, &pair);
        totals->compared += pair.first_rows + pair.other_rows;
        totals->differences += pair.first && pair.other ? pair.difference_count : 0;
        if (compare_conditions_met(&job->conditions, &pair))
            totals->met = true;
    }
    compare_pair_free(&pair);
    return made;
}

static bool print_rows(const struct compare_job *job, const struct totals *totals,
                       struct error *error)
{
    size_t shown = grid_rows(&totals->rows);
    if (job->style != GRID_CSV) {
        printf("\n%s%zu difference%s", job->style == GRID_MARKDOWN ? "## " : "",
               totals->differences, totals->differences == 1 ? "" : "s");
        if (shown < totals->differences)
            printf(", of each kind the largest (all: --csv or --markdown)");
        putchar('\n');
        if (shown == 0)
            return true;
        putchar('\n');
    }
    return grid_print(&totals->rows, job->style, stdout) ||
           error_set(error, ERROR_FAILED, "no memory for the rows");
}

static bool compare_all(const struct compare_job *job, bool *met, struct error *error)
{
    struct totals totals = {.met = false};
    bool compared = true;
    compare_rows_start(&totals.rows, job->style);
    for (size_t i = 1; i < job->side_count; i++) {
        totals.side = (struct compare_total){0};
        for (size_t f = 0; compared && registry_families[f]; f++)
            compared = compare_family(job, &job->sides[i], f, &totals, error);
        if (compared && job->style != GRID_CSV && totals.side.families > 1)
            compare_print_total(&job->sides[0], &job->sides[i], &totals.side, job->style);
    }
    compared = compared && print_rows(job, &totals, error);
    grid_free(&totals.rows);
    *met = totals.met;
    return compared;
}

static bool print_published(const struct compare_job *job, struct error *error)
{
    struct grid grid;
    bool added = true;
    grid_start(&grid, published_header, PUBLISHED_COLUMNS);
    for (size_t i = 0; added && i < job->published_count; i++)
        added = published_add(&grid, job->published[i], job->sides, job->side_count,
                              &job->settings.filter, error);
    if (added && job->side_count > 1)
        putchar('\n');
    if (added && !grid_print(&grid, job->style, stdout))
        added = error_set(error, ERROR_FAILED, "no memory for the figures");
    grid_free(&grid);
    return added;
}

static bool compare(int argc, char **argv, struct compare_job *job, bool *met, struct error *error)
{
    job->sides = calloc(COMPARE_MAX_SIDES, sizeof *job->sides);
    if (!job->sides)
        return error_set(error, ERROR_FAILED, "no memory to compare");
    return read_sides(argc, argv, job, error) && check_filter(job, error) &&
           check_common(job, error) && (job->side_count < 2 || compare_all(job, met, error)) &&
           (job->published_count == 0 || print_published(job, error));
}

static int compare_main(int argc, char **argv)
{
    struct compare_job job = {.settings = {.threshold = 0.005}};
    struct error error = {.kind = ERROR_NONE};
    bool met = false;
    if (!read_options(argc, argv, &job, &error))
        return complain("compare", &error);
    if (job.help) {
        fputs(help, stdout);
        return 0;
    }
    bool compared = compare(argc, argv, &job, &met, &error);
    for (size_t i = 0; i < job.side_count; i++)
        compare_side_free(&job.sides[i]);
    free(job.sides);
    if (!compared)
        return complain("compare", &error);
    return met ? ERROR_FAILED : 0;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "runs or GPUs side by side; exit status 1 when something got worse",
    .run = compare_main,
};
