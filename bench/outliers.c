/* Which GPU of a fleet is not like the others? `swizzlebench outliers` */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands.h"
#include "harness/fleet.h"
#include "harness/folder.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench outliers DIR DIR DIR... [options]\n"
    "\n"
    "A folder of results for each GPU of a fleet, three at least. Each is compared with the "
    "fleet's\n"
    "median: of times, rates and the SM clock the median of each case over all folders, of\n"
    "counters, predictions and status what most folders say. A row differs as in `swizzlebench\n"
    "compare`. A GPU is an outlier when a counter that the model predicts, a prediction or a "
    "status\n"
    "is another in any row, when a row or a value is missing that half of the folders have or "
    "there\n"
    "that they have not, and when a time or the SM clock is off by more than the limits.\n"
    "\n"
    "  --filter EXPR      only these rows, as in `swizzlebench run --help`, and by every column\n"
    "  --limit P%         how far the median of a time or rate over all its rows, and that of the\n"
    "                     SM clock, may be from the fleet's (1%)\n"
    "  --rows P%          how many rows of a time or rate may be slower or faster (5%)\n"
    "  --threshold P%     a row closer than this is not slower or faster (0.5%)\n"
    "  --absolute         times and rates in ns, by the SM clock of each row, and not in clocks\n"
    "  --median DIR       keep the fleet's median there, a folder of results that\n"
    "                     `swizzlebench compare` takes\n"
    "  --csv              the line of each GPU as CSV\n"
    "  --markdown         everything as Markdown\n"
    "  --help\n"
    "\n"
    "Exit status: 0 no outlier, 1 there are some, 2 wrong input.\n";

struct words {
    const char *filter, *limit, *rows, *threshold, *median;
    bool absolute, csv, markdown, help;
};

#define WORD(word, field, flag)                                                                    \
    {                                                                                              \
        .name = word, .at = offsetof(struct words, field), .commands = 1, .is_flag = flag          \
    }
static const struct option_word known[] = {
    WORD("filter", filter, false), WORD("limit", limit, false),
    WORD("rows", rows, false),     WORD("threshold", threshold, false),
    WORD("median", median, false), WORD("absolute", absolute, true),
    WORD("csv", csv, true),        WORD("markdown", markdown, true),
    WORD("help", help, true),
};

struct outliers_job {
    struct compare_settings settings;
    struct fleet_limits limits;
    enum grid_style style;
};

static bool read_job(const struct words *words, struct outliers_job *job, struct error *error)
{
    *job = (struct outliers_job){.settings = {.threshold = 0.005, .absolute = words->absolute},
                                 .limits = {.median = 0.01, .rows = 0.05}};
    if (words->csv && words->markdown)
        return error_set(error, ERROR_INPUT, "--csv or --markdown, one of them");
    job->style = words->csv ? GRID_CSV : words->markdown ? GRID_MARKDOWN : GRID_TEXT;
    return filter_parse(words->filter, &job->settings.filter, error) &&
           (!words->limit || option_percent("--limit", words->limit, &job->limits.median, error)) &&
           (!words->rows || option_percent("--rows", words->rows, &job->limits.rows, error)) &&
           (!words->threshold ||
            option_percent("--threshold", words->threshold, &job->settings.threshold, error));
}

static void remove_medians(const char *folder)
{
    char path[PATH_MAX + 64];
    for (size_t i = 0; registry_families[i]; i++) {
        snprintf(path, sizeof path, "%s/%s.csv", folder, registry_families[i]->name);
        unlink(path);
    }
    rmdir(folder);
}

static bool find_outliers(char *const *folders, size_t count, const char *median,
                          const struct outliers_job *job, size_t *outliers, struct error *error)
{
    struct fleet fleet;
    bool done = fleet_read(folders, count, median, &job->settings, &fleet, error);
    if (done) {
        fleet_judge(&fleet, &job->limits);
        *outliers = fleet.outliers;
        if (!fleet_print(&fleet, job->style))
            done = error_set(error, ERROR_FAILED, "no memory for the table");
    }
    fleet_free(&fleet);
    return done;
}

static bool outliers(int argc, char **argv, const struct words *words, size_t *found,
                     struct error *error)
{
    struct outliers_job job;
    const char *place = getenv("TMPDIR");
    char own[PATH_MAX];
    size_t count = (size_t)(argc - optind);
    if (!read_job(words, &job, error))
        return false;
    if (count < FLEET_LEAST)
        return error_set(error, ERROR_INPUT,
                         "%d folders at least are needed, one for each GPU; of two, `swizzlebench "
                         "compare` says how they differ",
                         FLEET_LEAST);
    if (words->median)
        return folder_make(words->median, error) &&
               find_outliers(argv + optind, count, words->median, &job, found, error);
    snprintf(own, sizeof own, "%s/swizzlebench-median-XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(own))
        return error_set(error, ERROR_FAILED, "cannot make the folder %s: %s", own,
                         strerror(errno));
    bool done = find_outliers(argv + optind, count, own, &job, found, error);
    remove_medians(own);
    return done;
}

static int outliers_main(int argc, char **argv)
{
    struct words words = {.help = false};
    struct error error = {.kind = ERROR_NONE};
    size_t found = 0;
    if (!option_read_words(argc, argv, known, sizeof known / sizeof known[0], 1, &words, &error))
        return complain("outliers", &error);
    if (words.help) {
        fputs(help, stdout);
        return 0;
    }
    if (!outliers(argc, argv, &words, &found, &error))
        return complain("outliers", &error);
    return found > 0 ? ERROR_FAILED : 0;
}

const struct command command_outliers = {
    .name = "outliers",
    .summary = "which GPU of a fleet is not like the others; exit status 1 when there is one",
    .run = outliers_main,
};
