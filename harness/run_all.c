/* How does a run use every GPU of a machine at once?
 *
 * Each GPU has a process that does the whole run on it, with a worker of its own, as if it were the
 * only one. This process counts the GPUs, starts those processes, and shows what they say: lines of
 * text as they come, progress together, a summary each when all have ended. What one GPU loses the
 * others do not notice; a Ctrl-C reaches all (harness/stop.h), and all end with this process.
 */
#include "harness/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/options.h"
#include "harness/stop.h"

/* The process of one GPU, as this process sees it. */
struct runner {
    pid_t pid;     /* 0: ended, or never started */
    int text;      /* from its standard error */
    int states;    /* socket that its progress comes through */
    FILE *summary; /* a file in memory that both have */
    char line[4096];
    size_t length; /* of the line that has not ended yet */
    int status;    /* its exit status, once it has ended */
};

struct runners {
    struct run *run; /* what is planned, the same for each */
    int count;
    struct runner *all;
    struct progress_state *states; /* one each */
    struct pollfd *lines;          /* two each */
    struct progress progress;
};

static bool count_gpus(struct run *run, int *count, struct error *error)
{
    struct worker_job job = run->options->job;
    struct worker_greeting greeting;
    struct worker worker;
    job.device = DEVICE_NONE;
    worker_init(&worker, &job);
    if (!worker_start(&worker, &greeting, error))
        return run_needs_gpu(run, error);
    worker_end(&worker);
    *count = greeting.gpu_count;
    if (*count > 0)
        return true;
    error_set(error, ERROR_MACHINE, "the NVIDIA driver sees no GPU on this machine");
    return run_needs_gpu(run, error);
}

/* ---- In the process of one GPU ------------------------------------------------------------- */

static _Noreturn void run_on(const struct run *run, int device, int listener, FILE *summary)
{
    struct run_options options = *run->options;
    struct run own = *run;
    char label[64];
    snprintf(label, sizeof label, "%s --device %d", options.label, device);
    options.label = label;
    options.job.device = device;
    own.options = &options;
    own.one_of_several = true;
    own.progress.listener = listener;
    own.summary = summary;
    int status = run_planned(&own);
    fflush(NULL);
    _exit(status);
}

static _Noreturn void become_runner(const struct run *run, int device, const int text[2],
                                    const int states[2], FILE *summary, pid_t parent)
{
    stop_leave_to_parent();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(text[1], STDERR_FILENO) < 0)
        _exit(ERROR_FAILED);
    close(text[0]);
    close(text[1]);
    close(states[0]);
    run_on(run, device, states[1], summary);
}

/* ---- Starting them ------------------------------------------------------------------------- */

static FILE *open_summary(void)
{
    int fd = memfd_create("summary", MFD_CLOEXEC);
    return fd < 0 ? NULL : fdopen(fd, "w+");
}

static bool start_runner(struct runners *runners, int device, struct error *error)
{
    struct runner *runner = &runners->all[device];
    int text[2] = {-1, -1}, states[2] = {-1, -1};
    pid_t parent = getpid();
    runner->summary = open_summary();
    bool ready = runner->summary && pipe2(text, O_CLOEXEC) == 0 &&
                 socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, states) == 0;
    fflush(NULL);
    pid_t pid = ready ? fork() : -1;
    if (pid == 0)
        become_runner(runners->run, device, text, states, runner->summary, parent);
    int why = errno;
    runner->text = text[0];
    runner->states = states[0];
    close(text[1]);
    close(states[1]);
    if (pid < 0)
        return error_set(error, ERROR_MACHINE, "cannot start the run of GPU %d: %s", device,
                         strerror(why));
    runner->pid = pid;
    fcntl(runner->text, F_SETFL, O_NONBLOCK);
    return true;
}

static bool make_runners(struct runners *runners, struct error *error)
{
    size_t count = (size_t)runners->count;
    runners->all = calloc(count, sizeof *runners->all);
    runners->states = calloc(count, sizeof *runners->states);
    runners->lines = calloc(2 * count, sizeof *runners->lines);
    if (!runners->all || !runners->states || !runners->lines)
        return error_set(error, ERROR_FAILED, "no memory for the runs of %zu GPUs", count);
    for (size_t i = 0; i < count; i++) {
        struct progress_state *state = &runners->states[i];
        runners->all[i] = (struct runner){.text = -1, .states = -1, .status = ERROR_FAILED};
        state->total = runners->run->plan.case_count;
        snprintf(state->run, sizeof state->run, "GPU %zu", i);
        snprintf(state->family, sizeof state->family, "opening");
    }
    return true;
}

/* ---- Listening to them --------------------------------------------------------------------- */

/* Shows what is there of the runner's text, a whole line at a time. */
static void take_text(struct runners *runners, struct runner *runner)
{
    for (;;) {
        ssize_t got =
            read(runner->text, runner->line + runner->length, sizeof runner->line - runner->length);
        if (got <= 0)
            return;
        runner->length += (size_t)got;
        char *end = memrchr(runner->line, '\n', runner->length);
        size_t whole = end ? (size_t)(end + 1 - runner->line) : 0;
        if (!end && runner->length == sizeof runner->line)
            whole = runner->length;
        if (whole == 0)
            continue;
        progress_clear(&runners->progress);
        fwrite(runner->line, 1, whole, stderr);
        runner->length -= whole;
        memmove(runner->line, runner->line + whole, runner->length);
    }
}

static void take_states(struct runner *runner, struct progress_state *state)
{
    struct progress_state told;
    while (recv(runner->states, &told, sizeof told, MSG_DONTWAIT) == (ssize_t)sizeof told)
        *state = told;
}

static void note_end(struct runners *runners, int device, int status)
{
    struct runner *runner = &runners->all[device];
    struct progress_state *state = &runners->states[device];
    runner->pid = 0;
    take_text(runners, runner);
    take_states(runner, state);
    snprintf(state->family, sizeof state->family, "ended");
    state->case_name[0] = '\0';
    if (WIFEXITED(status)) {
        runner->status = WEXITSTATUS(status);
        return;
    }
    runner->status = ERROR_FAILED;
    progress_clear(&runners->progress);
    fprintf(stderr,
            "swizzlebench %s --device %d: the process of this GPU's run died: signal %d (%s); its "
            "rows are kept, and --resume goes on\n",
            runners->run->options->label, device, WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* Takes what has come, and returns how many still run. */
static int listen_to_all(struct runners *runners)
{
    int running = 0, status;
    for (int i = 0; i < runners->count; i++) {
        struct runner *runner = &runners->all[i];
        if (!runner->pid)
            continue;
        take_text(runners, runner);
        take_states(runner, &runners->states[i]);
        if (waitpid(runner->pid, &status, WNOHANG) == runner->pid)
            note_end(runners, i, status);
        else
            running++;
    }
    return running;
}

/* Until something comes, or it is time to look who has ended. */
static void wait_for_news(const struct runners *runners)
{
    nfds_t count = 0;
    for (int i = 0; i < runners->count; i++) {
        if (!runners->all[i].pid)
            continue;
        runners->lines[count++] = (struct pollfd){.fd = runners->all[i].text, .events = POLLIN};
        runners->lines[count++] = (struct pollfd){.fd = runners->all[i].states, .events = POLLIN};
    }
    poll(runners->lines, count, 50);
}

static void listen_to_the_end(struct runners *runners)
{
    while (listen_to_all(runners) > 0) {
        wait_for_news(runners);
        progress_show_several(&runners->progress, runners->states, (size_t)runners->count);
    }
    progress_clear(&runners->progress);
}

/* ---- The end ------------------------------------------------------------------------------- */

/* The summary below the GPU's name; returns its exit status. */
static int show_summary(const struct runners *runners, int device)
{
    const struct runner *runner = &runners->all[device];
    char text[4096];
    size_t length = 0, whole = 0;
    if (runner->summary)
        rewind(runner->summary);
    while (runner->summary && (length = fread(text, 1, sizeof text, runner->summary)) > 0) {
        if (whole == 0)
            fprintf(stderr, "GPU %d\n", device);
        fwrite(text, 1, length, stderr);
        whole += length;
    }
    if (whole == 0 && !runners->run->options->quiet)
        fprintf(stderr, "GPU %d: no rows, see above\n", device);
    return runner->status;
}

static void free_runners(struct runners *runners)
{
    for (int i = 0; runners->all && i < runners->count; i++) {
        struct runner *runner = &runners->all[i];
        if (runner->text >= 0)
            close(runner->text);
        if (runner->states >= 0)
            close(runner->states);
        if (runner->summary)
            fclose(runner->summary);
    }
    free(runners->all);
    free(runners->states);
    free(runners->lines);
}

/* A GPU whose process cannot be started is one that is lost. */
static int run_side_by_side(struct runners *runners)
{
    int worst = 0;
    for (int i = 0; i < runners->count; i++) {
        struct error error = {.kind = ERROR_NONE};
        if (!start_runner(runners, i, &error))
            runners->all[i].status = complain(runners->run->options->label, &error);
    }
    progress_start(&runners->progress, 0, -1, runners->run->options->quiet);
    listen_to_the_end(runners);
    for (int i = 0; i < runners->count; i++) {
        int status = show_summary(runners, i);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int run_on_all(struct run *run)
{
    struct error error = {.kind = ERROR_NONE};
    struct runners runners = {.run = run};
    int status = EXIT_INTERRUPTED;
    if (count_gpus(run, &runners.count, &error) && make_runners(&runners, &error))
        status = run_side_by_side(&runners);
    else if (!stop_requests())
        status = complain(run->options->label, &error);
    free_runners(&runners);
    return status;
}
