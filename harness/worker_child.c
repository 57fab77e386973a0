/* What does a worker do? It opens the GPU, then a family, then measures what it is asked for. */
#include "harness/worker.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "harness/inject.h"

struct child {
    int socket;
    const struct worker_job *job;
    struct measure_options options;
    struct gpu *gpu; /* NULL under BACKEND_MODEL */
    const struct family *family;
    void *state; /* the family's */
    unsigned cases;
};

static void reply(const struct child *child, const struct worker_reply *reply)
{
    if (write(child->socket, reply, sizeof *reply) != (ssize_t)sizeof *reply)
        _exit(0); /* the parent is gone */
}

/* A fault of the GPU leaves its context unusable, so nothing is closed here. */
static _Noreturn void give_up(const struct child *child, const struct error *error)
{
    struct worker_reply answer = {.kind = REPLY_ERROR, .error = *error};
    reply(child, &answer);
    _exit(0);
}

static void open_gpu(struct child *child, unsigned worker_number, struct worker_greeting *greeting)
{
    struct error error = {.kind = ERROR_NONE};
    if (child->job->device == DEVICE_NONE) {
        if (!gpu_count(&greeting->gpu_count, &error))
            give_up(child, &error);
        return;
    }
    if (!inject_at_open(worker_number, &error))
        give_up(child, &error);
    if (child->job->backend == BACKEND_MODEL)
        return;
    if (!gpu_open(child->job->device, &child->gpu, &error))
        give_up(child, &error);
    greeting->gpu = *gpu_info(child->gpu);
    if (!child->options.counters)
        return;
    const char *why_not = counters_why_not(child->gpu);
    if (why_not) {
        snprintf(greeting->no_counters, sizeof greeting->no_counters, "%s", why_not);
        child->options.counters = false;
        return;
    }
    for (size_t i = 0; i < child->options.extra_metric_count; i++) {
        const char *metric = child->options.extra_metrics[i];
        if (!counters_has_metric(child->gpu, metric)) {
            snprintf(greeting->unknown_metric, sizeof greeting->unknown_metric, "%s", metric);
            return;
        }
    }
}

static void close_family(struct child *child)
{
    if (child->gpu && child->family && child->family->close)
        child->family->close(child->gpu, child->state);
    child->family = NULL;
    child->state = NULL;
}

static void open_family(struct child *child, const struct family *family)
{
    struct error error = {.kind = ERROR_NONE};
    close_family(child);
    child->options.extra_column = family->column_count;
    if (child->gpu && family->open &&
        !family->open(family, child->gpu, &child->options, &child->state, &error))
        give_up(child, &error);
    child->family = family;
}

static void measure(struct child *child, const struct worker_request *request, struct row *row)
{
    struct error error = {.kind = ERROR_NONE};
    size_t index = request->cases[0];
    child->options.cases = request->cases;
    child->options.case_count = request->case_count;
    if (!inject_at_case(++child->cases, &error))
        give_up(child, &error);
    row_predict(child->family, index, row);
    if (!child->gpu && child->family->refuse)
        child->family->refuse(child->family, index, row);
    if (child->gpu &&
        !child->family->measure(child->gpu, child->state, index, &child->options, row, &error))
        give_up(child, &error);
}

/* The parent alone decides what a Ctrl-C means; and a worker without a parent has no reader. */
static void settle(pid_t parent)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

void worker_child(int socket, const struct worker_job *job, unsigned worker_number, pid_t parent)
{
    struct child child = {.socket = socket, .job = job, .options = job->measure};
    struct worker_reply ready = {.kind = REPLY_READY};
    settle(parent);
    open_gpu(&child, worker_number, &ready.greeting);
    reply(&child, &ready);

    struct worker_request request;
    while (read(socket, &request, sizeof request) == (ssize_t)sizeof request) {
        struct worker_reply answer = {.kind = REPLY_READY};
        if (request.kind == REQUEST_OPEN_FAMILY) {
            open_family(&child, request.family);
        } else {
            answer.kind = REPLY_ROW;
            measure(&child, &request, &answer.row);
        }
        reply(&child, &answer);
    }
    close_family(&child);
    if (child.gpu)
        gpu_close(child.gpu);
    _exit(0);
}
