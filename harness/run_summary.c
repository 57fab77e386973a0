/* How did the run go? */
#include "harness/run.h"

#include <stdio.h>

#include "harness/stop.h"
#include "harness/text.h"

static void show_table(const struct run *run)
{
    fprintf(run->summary, "%-12s %7s %7s %7s %7s %7s %8s  %s\n", "family", "rows", "ok", "refused",
            "skipped", "failed", "seconds", "file");
    for (size_t i = 0; i < run->plan.family_count; i++) {
        const struct run_family *family = &run->families[i];
        if (family->rows == 0)
            continue;
        fprintf(run->summary, "%-12s %7zu %7zu %7zu %7zu %7zu %8.1f  %s", family->form.family->name,
                family->rows, family->by_status[ROW_OK], family->by_status[ROW_REFUSED],
                family->by_status[ROW_SKIPPED], family->by_status[ROW_FAILED], family->seconds,
                family->path);
        if (family->kept > 0)
            fprintf(run->summary, " (%zu rows kept from before)", family->kept);
        fputc('\n', run->summary);
    }
    if (run->options->job.backend == BACKEND_MODEL)
        fprintf(run->summary, "backend: model - these are predictions; nothing was measured\n");
}

/* `one` and `several` say what befell so many cases. */
static void show_troubles(const struct run *run, const struct run_troubles *troubles,
                          const char *one, const char *several)
{
    if (troubles->count == 0)
        return;
    fprintf(run->summary, "%zu %s%s\n", troubles->count, troubles->count == 1 ? one : several,
            troubles->count > RUN_TROUBLES_LISTED ? "; the first:" : ":");
    for (size_t i = 0; i < troubles->count && i < RUN_TROUBLES_LISTED; i++) {
        fprintf(run->summary, "  %s  ", troubles->first[i].family);
        text_put(troubles->first[i].case_name, run->summary);
        fputs(": ", run->summary);
        text_put(troubles->first[i].reason, run->summary);
        fputc('\n', run->summary);
    }
}

static void show_how_to_go_on(const struct run *run)
{
    size_t rows = 0;
    for (size_t i = 0; i < run->plan.family_count; i++)
        rows += run->families[i].rows;
    if (rows == 0 || rows == run->plan.case_count)
        return;
    fprintf(run->summary, "%s: %zu of %zu rows are in %s; go on with: %s%s\n",
            stop_requests() ? "interrupted" : "ended early", rows, run->plan.case_count, run->out,
            run->options->command, run->options->resume ? "" : " --resume");
}

void run_summary(struct run *run)
{
    if (!run->options->quiet)
        show_table(run);
    show_troubles(run, &run->failed, "row failed", "rows failed");
    show_troubles(run, &run->lost,
                  "worker was lost at a case or one behind it; others measured them one by one",
                  "workers were lost at a case or one behind it; others measured them one by one");
    show_how_to_go_on(run);
}
