/* What does a folder of results say, on one page? `swizzlebench report` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/claims.h"
#include "bench/commands.h"
#include "harness/folder.h"
#include "harness/options.h"
#include "harness/report.h"
#include "harness/slurp.h"

static const char help[] =
    "usage: swizzlebench report DIR [options]\n"
    "\n"
    "Writes report.md and report.html for a folder of result files: the machine and the method; "
    "for\n"
    "each file the question, the plots, the findings, between what the numbers lie, and the rows\n"
    "that were refused, skipped or failed; the claims, as `swizzlebench claims DIR` has them; what "
    "is\n"
    "left out; how to do it again. The page needs no other file and no network; the Markdown shows "
    "the plots "
    "that\n"
    "stand beside it. `make report DIR=...` draws plots and computes findings first.\n"
    "\n"
    "  --out DIR         where to write, and then the plots too (DIR)\n"
    "  --findings FILE   what scripts/findings printed for the folder\n"
    "  --help\n"
    "\n"
    "Exit status: 0 fine, 1 it could not be written, 2 wrong input.\n";

enum { OUT = 256, FINDINGS };

static const struct option known[] = {
    {"out", required_argument, NULL, OUT},
    {"findings", required_argument, NULL, FINDINGS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct report_job {
    const char *path, *out, *findings_path;
    char *findings; /* what it holds; NULL without one */
    bool help;
};

static bool read_options(int argc, char **argv, struct report_job *job, struct error *error)
{
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (answer == OUT)
            job->out = optarg;
        else if (answer == FINDINGS)
            job->findings_path = optarg;
        else
            job->help = true;
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (job->help)
        return true;
    if (argc - optind != 1)
        return error_set(error, ERROR_INPUT,
                         "one folder of results is needed, such as "
                         "results/nvidia-h200; see --help");
    job->path = argv[optind];
    return true;
}

static bool read_findings(struct report_job *job, struct error *error)
{
    size_t length;
    if (!job->findings_path)
        return true;
    if (!file_slurp(job->findings_path, &job->findings, &length, error))
        return false;
    return report_is_findings(job->findings) ||
           error_set(error, ERROR_INPUT, "%s: is not what scripts/findings prints",
                     job->findings_path);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* The report as text in memory: one that cannot be made leaves the old one as it is. */
struct report_texts {
    char *claims, *markdown, *html;
};

/* The verdicts on the claims, as a table in Markdown. */
static bool make_claims(const struct report_folder *folder, char **table)
{
    struct claim_answer answers[CLAIMS];
    size_t bytes;
    FILE *to = open_memstream(table, &bytes);
    claims_judge(folder->side, answers);
    bool made = to && claims_table(answers, GRID_MARKDOWN, to);
    return to && fclose(to) == 0 && made;
}

static bool make_texts(const struct report_folder *folder, const char *findings,
                       struct report_texts *texts, struct error *error)
{
    size_t bytes;
    bool made = make_claims(folder, &texts->claims);
    FILE *to = made ? open_memstream(&texts->markdown, &bytes) : NULL;
    made = to && report_markdown(folder, findings, texts->claims, to);
    made = to && fclose(to) == 0 && made;
    to = made ? open_memstream(&texts->html, &bytes) : NULL;
    if (to) {
        report_html(folder, texts->markdown, to);
        made = !ferror(to);
        made = fclose(to) == 0 && made;
    }
    return (made && texts->html) || error_set(error, ERROR_FAILED, "no memory for the report");
}

static bool is_same_folder(const char *a, const char *b)
{
    struct stat first, other;
    return stat(a, &first) == 0 && stat(b, &other) == 0 && first.st_dev == other.st_dev &&
           first.st_ino == other.st_ino;
}

static bool write_all(const struct report_job *job, const struct report_folder *folder,
                      const struct report_texts *texts, struct error *error)
{
    const char *out = job->out ? job->out : job->path;
    if (!folder_make(out, error) || !folder_write(out, "report.md", texts->markdown, error) ||
        !folder_write(out, "report.html", texts->html, error))
        return false;
    if (is_same_folder(out, job->path))
        return true;
    for (size_t i = 0; i < folder->plot_count; i++) {
        if (!folder_write(out, folder->plots[i].name, folder->plots[i].text, error))
            return false;
    }
    return true;
}

static bool report(struct report_job *job, struct error *error)
{
    struct report_folder folder;
    struct report_texts texts = {.claims = NULL};
    bool written = report_folder_read(job->path, &folder, error) && read_findings(job, error) &&
                   make_texts(&folder, job->findings, &texts, error) &&
                   write_all(job, &folder, &texts, error);
    free(texts.claims);
    free(texts.markdown);
    free(texts.html);
    free(job->findings);
    report_folder_free(&folder);
    return written;
}

static int report_main(int argc, char **argv)
{
    struct report_job job = {.out = NULL};
    struct error error = {.kind = ERROR_NONE};
    if (!read_options(argc, argv, &job, &error))
        return complain("report", &error);
    if (job.help)
        return fputs(help, stdout) < 0;
    return report(&job, &error) ? 0 : complain("report", &error);
}

const struct command command_report = {
    .name = "report",
    .summary = "one page on a folder of results: tables, plots, every row that failed",
    .run = report_main,
};
