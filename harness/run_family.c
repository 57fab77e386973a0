/* How does one family become one file? */
#include "harness/run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/clock.h"
#include "harness/stop.h"

enum { TRIES = 3 };

/* A worker with its GPU and this family open. A GPU that faulted may need a moment, so that a
 * worker after the first is tried for more than once. */
static bool make_ready(struct run *run, const struct family *family, struct error *error)
{
    struct worker_greeting greeting;
    struct timespec pause = {.tv_sec = 1};
    for (int try = 1;; try++) {
        if ((run->worker.pid || worker_start(&run->worker, &greeting, error)) &&
            worker_open_family(&run->worker, family, error))
            return true;
        bool hopeless = error->kind != ERROR_FAILED && run->rows_written == 0;
        if (hopeless || stop_requests())
            return false;
        if (try == TRIES)
            return error_set(error, error->kind, "gave up after %d tries: %s", TRIES, error->text);
        nanosleep(&pause, NULL);
    }
}

/* A row did not reach the disk. What the user does about it is his, and nothing is lost. */
static bool not_written(const struct run *run, struct error *error)
{
    if (error->kind == ERROR_FAILED && !run->options->only)
        error_set(error, ERROR_FAILED, "%s; once there is room, --resume goes on", error->text);
    return false;
}

/* Waits for the row of the case that was asked for; meanwhile the user sees that the run lives. */
static bool await_row(struct run *run, struct run_family *family, const char *case_name,
                      struct row *row, struct result_writer *writer, enum worker_answer *answer,
                      struct error *reason, struct error *error)
{
    while ((*answer = worker_wait(&run->worker, 100, row, reason)) == WORKER_BUSY) {
        if (stop_requests())
            worker_hurry(&run->worker, stop_requests() > 1 ? 0 : 3);
        progress_show(&run->progress, family->form.family->name, case_name);
        if (!result_sync(writer, error))
            return not_written(run, error);
    }
    return true;
}

/* How many cases from number `at` of the plan on the worker may see. After a fault each is done
 * alone, until the one that faulted is surely behind. */
static size_t cases_to_ask_for(struct run_family *family, size_t at)
{
    bool ahead = family->form.family->works_ahead && at >= family->alone_until;
    return ahead ? family->planned->case_count - at : 1;
}

static void note(struct run_troubles *troubles, const struct run_family *family,
                 const char *case_name, const char *reason)
{
    if (troubles->count < RUN_TROUBLES_LISTED) {
        struct run_trouble *trouble = &troubles->first[troubles->count];
        trouble->family = family->form.family->name;
        snprintf(trouble->case_name, sizeof trouble->case_name, "%s", case_name);
        snprintf(trouble->reason, sizeof trouble->reason, "%.*s", ROW_REASON_BYTES - 1, reason);
    }
    troubles->count++;
}

/* Has a worker measure case number `at` of the plan. A worker that is lost ends the row and nothing
 * else; if it may have worked ahead, the fault need not be this case's, and another worker does the
 * case alone. Returns false where the user stopped the run before there was a row. */
static bool measure(struct run *run, struct run_family *family, size_t at, struct row *row,
                    struct result_writer *writer, struct error *error)
{
    char case_name[ROW_CASE_BYTES];
    memcpy(case_name, row->case_name, sizeof case_name);
    for (;;) {
        enum worker_answer answer;
        struct error reason = {.kind = ERROR_NONE};
        size_t count = cases_to_ask_for(family, at);
        if (!run->worker.pid && !make_ready(run, family->form.family, error))
            return false;
        worker_ask(&run->worker, &family->planned->cases[at], count);
        if (!await_row(run, family, case_name, row, writer, &answer, &reason, error))
            return false;
        if (answer == WORKER_ROW) {
            memcpy(row->case_name, case_name, sizeof case_name);
            return true;
        }
        if (stop_requests())
            return false;
        if (count == 1)
            return row_end(row, ROW_FAILED, "%s", reason.text), true;
        note(&run->lost, family, case_name, reason.text);
        family->alone_until = at + RUN_CASES_ALONE;
    }
}

/* The old files of the whole run go at once, when it begins to write: otherwise a --resume after
 * an interruption would take an old file of a later family for one of this run. */
static bool begin_writing(struct run *run, struct run_family *family, struct result_writer *writer,
                          struct error *error)
{
    for (size_t i = 0; !run->writing && !run->options->resume && i < run->plan.family_count; i++) {
        if (!result_set_aside(run->families[i].path, error))
            return false;
    }
    run->writing = true;
    return writer->fd >= 0 || result_create(writer, family->path, &family->form, &run->head, error);
}

static void tally(struct run *run, struct run_family *family, enum row_status status, bool kept)
{
    family->rows++;
    family->kept += kept;
    family->by_status[status]++;
    progress_row(&run->progress, status, kept);
}

/* Counts a row that an earlier run left, and returns whether there is one. */
static bool keep(struct run *run, struct run_family *family, const struct result_file *kept,
                 const char *case_name)
{
    long at = result_find_case(kept, case_name);
    if (at < 0)
        return false;
    enum row_status status = ROW_OK;
    const char *name = result_value(kept, (size_t)at, "status");
    while (status < ROW_FAILED && strcmp(name, row_status_name(status)) != 0)
        status++;
    tally(run, family, status, true);
    if (status == ROW_FAILED)
        note(&run->failed, family, case_name, result_value(kept, (size_t)at, "reason"));
    return true;
}

/* One case, from prediction to the row in the file. */
static bool run_case(struct run *run, struct run_family *family, size_t at,
                     const struct result_file *kept, struct result_writer *writer,
                     struct error *error)
{
    struct row row;
    row_predict(family->form.family, family->planned->cases[at], &row);
    if (keep(run, family, kept, row.case_name))
        return true;
    if (row.status == ROW_OK && !measure(run, family, at, &row, writer, error))
        return false;
    if (!begin_writing(run, family, writer, error) || !result_append(writer, &row, error))
        return not_written(run, error);
    run->rows_written++;
    tally(run, family, row.status, false);
    if (row.status == ROW_FAILED)
        note(&run->failed, family, row.case_name, row.reason);
    progress_show(&run->progress, family->form.family->name, row.case_name);
    return true;
}

static bool run_cases(struct run *run, struct run_family *family, const struct result_file *kept,
                      struct result_writer *writer, struct error *error)
{
    const struct plan_family *planned = family->planned;
    if (!make_ready(run, planned->family, error))
        return stop_requests() > 0;
    for (size_t i = 0; i < planned->case_count && !stop_requests(); i++) {
        struct error problem = {.kind = ERROR_NONE};
        if (run_case(run, family, i, kept, writer, &problem))
            continue;
        if (stop_requests() && problem.kind == ERROR_NONE)
            return true;
        *error = problem;
        return false;
    }
    return true;
}

bool run_one_family(struct run *run, struct run_family *family, struct error *error)
{
    struct result_writer writer = {.path = family->path, .form = &family->form, .fd = -1};
    struct result_file kept = {.row_count = 0};
    struct error closing = {.kind = ERROR_NONE};
    double started_s = clock_seconds();
    bool done = (!run->options->resume ||
                 result_resume(&writer, family->path, &family->form, &run->head, &kept, error)) &&
                run_cases(run, family, &kept, &writer, error);
    if (!result_close(&writer, &closing) && done) {
        *error = closing;
        done = not_written(run, error);
    }
    result_free(&kept);
    family->seconds = clock_seconds() - started_s;
    return done;
}
