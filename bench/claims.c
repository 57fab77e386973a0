/* Which claims about tensor-core layouts hold? `swizzlebench claims` */
#include "bench/claims.h"

#include <stdlib.h>

#include "bench/commands.h"
#include "harness/options.h"
#include "harness/text.h"

static const char help[] =
    "usage: swizzlebench claims [DIR] [options]\n"
    "\n"
    "The claims of two texts about these layouts, and what the result files in DIR make of\n"
    "each: confirmed, refuted, depends (the condition says on what), or open (it says what is\n"
    "lacking), with the rows or the command that show it. Without DIR, or with predictions in it,\n"
    "those claims alone are settled that are about indices. DIR can be a single file too.\n"
    "\n"
    "  --csv        id,claim,verdict,condition,evidence\n"
    "  --markdown   the same as a table in Markdown\n"
    "  --out DIR    write DIR/claims.csv instead, with the head of the files it is made from\n"
    "  --help\n"
    "\n"
    "Exit status: 0 whatever the verdicts are, 1 it could not be written, 2 wrong input.\n";

void claims_judge(const struct compare_side *side, struct claim_answer answers[CLAIMS])
{
    for (size_t i = 0; i < CLAIMS; i++) {
        answers[i] = (struct claim_answer){.verdict = CLAIM_OPEN};
        claims[i].judge(&claims[i], side, &answers[i]);
    }
}

enum { OUT = 256, CSV, MARKDOWN };

static const struct option known[] = {
    {"out", required_argument, NULL, OUT},
    {"csv", no_argument, NULL, CSV},
    {"markdown", no_argument, NULL, MARKDOWN},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct claims_job {
    const char *path, *out; /* NULL: none */
    enum grid_style style;
    bool help;
};

static bool read_options(int argc, char **argv, struct claims_job *job, struct error *error)
{
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (answer == OUT)
            job->out = optarg;
        else if (answer == 'h')
            job->help = true;
        else if (job->style != GRID_TEXT)
            return error_set(error, ERROR_INPUT, "--csv and --markdown: give one of them");
        else
            job->style = answer == CSV ? GRID_CSV : GRID_MARKDOWN;
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (job->help)
        return true;
    if (argc - optind > 1)
        return error_set(error, ERROR_INPUT, "'%s': one folder of results is enough",
                         argv[optind + 1]);
    job->path = argv[optind];
    if (job->out && job->style != GRID_TEXT)
        return error_set(error, ERROR_INPUT, "--out writes CSV: leave --csv and --markdown out");
    if (job->out && !job->path)
        return error_set(error, ERROR_INPUT,
                         "--out needs a folder of results, such as results/nvidia-h200");
    return true;
}

static bool show(const struct claims_job *job, const struct compare_side *side,
                 const struct claim_answer *answers, const char *command, struct error *error)
{
    if (job->out)
        return claims_write(side, answers, job->out, command, error);
    if (job->style == GRID_TEXT) {
        claims_print(side, answers, stdout);
        return true;
    }
    return claims_table(answers, job->style, stdout) ||
           error_set(error, ERROR_FAILED, "no memory for the claims");
}

static bool answer(const struct claims_job *job, const char *command, struct error *error)
{
    struct claim_answer answers[CLAIMS];
    struct compare_side *side = NULL;
    bool read = true;
    if (job->path) {
        side = calloc(1, sizeof *side);
        if (!side)
            return error_set(error, ERROR_FAILED, "no memory to read %s", job->path);
        read =
            compare_side_read(job->path, 'A', side, error) && compare_sides_check(side, 1, error);
    }
    if (read) {
        claims_judge(side, answers);
        read = show(job, side, answers, command, error);
    }
    if (side)
        compare_side_free(side);
    free(side);
    return read;
}

static int claims_main(int argc, char **argv)
{
    struct claims_job job = {.style = GRID_TEXT};
    struct error error = {.kind = ERROR_NONE};
    char command[512];
    text_command(argc, argv, command, sizeof command);
    if (!read_options(argc, argv, &job, &error))
        return complain("claims", &error);
    if (job.help)
        return fputs(help, stdout) < 0;
    return answer(&job, command, &error) ? 0 : complain("claims", &error);
}

const struct command command_claims = {
    .name = "claims",
    .summary = "what two texts say about these layouts: confirmed, refuted, or on what it depends",
    .run = claims_main,
};
