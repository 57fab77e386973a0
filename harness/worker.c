/* How does the parent ask a worker, and what does it make of silence or death? */
#include "harness/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/inject.h"
#include "harness/stop.h"

/* A cold GPU of a many-GPU host takes tens of seconds to open; an ending one may have to write a
 * core file or tear a broken context down. */
static const double ready_limit_s = 180, ending_limit_s = 10;

void worker_init(struct worker *worker, const struct worker_job *job)
{
    *worker = (struct worker){.job = job, .socket = -1};
}

/* Waits for the end of the process, at most `seconds`, and not for an impatient user. */
static bool reap(pid_t pid, double seconds, int *status)
{
    double until = clock_seconds() + seconds;
    struct timespec pause = {.tv_nsec = 1000000};
    for (;;) {
        pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended == pid)
            return true;
        if (ended < 0 && errno != EINTR)
            return false;
        if (clock_seconds() >= until || stop_requests() > 1)
            return false;
        nanosleep(&pause, NULL);
    }
}

/* Ends the worker, by force where it does not end within `seconds`. Returns whether *status is its
 * own; a process that hangs inside the driver even SIGKILL may not reach, and is left behind. */
static bool put_away(struct worker *worker, double seconds, int *status)
{
    bool ended = reap(worker->pid, seconds, status);
    if (!ended) {
        int killed;
        kill(worker->pid, SIGKILL);
        reap(worker->pid, ending_limit_s, &killed);
    }
    close(worker->socket);
    worker->pid = 0;
    worker->socket = -1;
    return ended;
}

/* The worker's end of the line is closed: how did it die? */
static void lost(struct worker *worker, struct error *error)
{
    int status;
    if (!put_away(worker, ending_limit_s, &status))
        error_set(error, ERROR_FAILED, "the worker fell silent and did not end");
    else if (WIFSIGNALED(status))
        error_set(error, ERROR_FAILED, "the worker died: signal %d (%s)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    else
        error_set(error, ERROR_FAILED, "the worker ended by itself: exit status %d",
                  WEXITSTATUS(status));
}

static void kill_worker(struct worker *worker)
{
    int status;
    kill(worker->pid, SIGKILL);
    put_away(worker, ending_limit_s, &status);
}

/* A dying worker may leave nonsense; nothing of it may reach past its field. */
static void sanitize(struct row *row)
{
    if ((unsigned)row->status > ROW_FAILED)
        row->status = ROW_FAILED;
    if ((unsigned)row->verified > VERIFIED_NO)
        row->verified = VERIFIED_NOT_RUN;
    row->case_name[sizeof row->case_name - 1] = '\0';
    row->reason[sizeof row->reason - 1] = '\0';
    for (size_t i = 0; i < ROW_MAX_COLUMNS; i++)
        row->values[i][ROW_VALUE_BYTES - 1] = '\0';
}

enum receipt { RECEIPT_NOTHING, RECEIPT_REPLY, RECEIPT_END };

static enum receipt receive(struct worker *worker, int milliseconds, struct worker_reply *reply)
{
    struct pollfd line = {.fd = worker->socket, .events = POLLIN};
    if (poll(&line, 1, milliseconds) <= 0)
        return RECEIPT_NOTHING;
    ssize_t got = read(worker->socket, reply, sizeof *reply);
    return got == (ssize_t)sizeof *reply ? RECEIPT_REPLY : RECEIPT_END;
}

static void ask(struct worker *worker, const struct worker_request *request, double limit_s)
{
    worker->asked_s = clock_seconds();
    worker->limit_s = limit_s;
    /* A worker that is gone shows when the answer is waited for. */
    if (write(worker->socket, request, sizeof *request) != (ssize_t)sizeof *request)
        kill(worker->pid, SIGKILL);
}

static double left_s(const struct worker *worker)
{
    return worker->asked_s + worker->limit_s - clock_seconds();
}

/* Waits for the answer as long as the limit allows and the user does. */
static bool await(struct worker *worker, const char *doing, struct worker_reply *reply,
                  struct error *error)
{
    enum receipt receipt = RECEIPT_NOTHING;
    struct error reason = {.kind = ERROR_NONE};
    while (receipt == RECEIPT_NOTHING && left_s(worker) > 0 && !stop_requests())
        receipt = receive(worker, 100, reply);
    if (receipt == RECEIPT_REPLY && reply->kind == REPLY_READY)
        return true;
    if (receipt == RECEIPT_NOTHING) {
        kill_worker(worker);
        return error_set(error, ERROR_FAILED, "%s: no answer within %g s", doing, worker->limit_s);
    }
    lost(worker, &reason);
    if (receipt == RECEIPT_REPLY) {
        *error = reply->error;
        return false;
    }
    return error_set(error, ERROR_FAILED, "%s: %s", doing, reason.text);
}

static bool fork_worker(struct worker *worker, struct error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error, ERROR_MACHINE, "cannot make a socket pair: %s", strerror(errno));
    pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        worker_child(ends[1], worker->job, worker->started + 1, parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_set(error, ERROR_MACHINE, "cannot fork a worker: %s", strerror(errno));
    }
    worker->pid = pid;
    worker->socket = ends[0];
    worker->started++;
    worker->asked_s = clock_seconds();
    worker->limit_s = ready_limit_s;
    return true;
}

bool worker_start(struct worker *worker, struct worker_greeting *greeting, struct error *error)
{
    struct worker_reply reply;
    if (!inject_check(error) || !fork_worker(worker, error) ||
        !await(worker, "opening the GPU", &reply, error))
        return false;
    *greeting = reply.greeting;
    return true;
}

bool worker_open_family(struct worker *worker, const struct family *family, struct error *error)
{
    struct worker_reply reply;
    struct worker_request request = {.kind = REQUEST_OPEN_FAMILY, .family = family};
    char doing[96];
    snprintf(doing, sizeof doing, "making the family '%s' ready", family->name);
    ask(worker, &request, ready_limit_s);
    return await(worker, doing, &reply, error);
}

void worker_ask(struct worker *worker, const size_t *cases, size_t count)
{
    struct worker_request request = {.kind = REQUEST_MEASURE, .cases = cases, .case_count = count};
    ask(worker, &request, worker->job->case_limit_s);
}

enum worker_answer worker_wait(struct worker *worker, int milliseconds, struct row *row,
                               struct error *error)
{
    struct worker_reply reply;
    double left_ms = left_s(worker) * 1e3;
    enum receipt receipt = receive(worker,
                                   left_ms < 0              ? 0
                                   : left_ms < milliseconds ? (int)left_ms + 1
                                                            : milliseconds,
                                   &reply);
    if (receipt == RECEIPT_NOTHING && left_s(worker) > 0)
        return WORKER_BUSY;
    if (receipt == RECEIPT_REPLY && reply.kind == REPLY_ROW) {
        *row = reply.row;
        sanitize(row);
        return WORKER_ROW;
    }
    if (receipt == RECEIPT_NOTHING) {
        kill_worker(worker);
        error_set(error, ERROR_FAILED, "no answer within %g s: the time limit of a case",
                  worker->limit_s);
        return WORKER_LOST;
    }
    lost(worker, error);
    if (receipt == RECEIPT_REPLY)
        *error = reply.error;
    return WORKER_LOST;
}

void worker_hurry(struct worker *worker, double seconds)
{
    double limit_s = clock_seconds() + seconds - worker->asked_s;
    if (limit_s < worker->limit_s)
        worker->limit_s = limit_s;
}

void worker_end(struct worker *worker)
{
    int status;
    if (worker->pid == 0)
        return;
    shutdown(worker->socket, SHUT_WR);
    put_away(worker, ending_limit_s, &status);
}
