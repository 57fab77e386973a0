/* Does a run that is disturbed lose more than the row in flight? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/clock.h"
#include "tests/disturbed.h"

enum { MAX_WORDS = 32 };

static const char killed[] = "the worker died: signal 9 (Killed)";

/* ---- A run in peace ------------------------------------------------------------------------ */

static void path_of(const struct undisturbed *run, size_t family, const char *out,
                    char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s.csv", out, run->families[family]);
}

bool undisturbed_run(struct undisturbed *run)
{
    static char folder[] = "/tmp/swizzlebench-test-XXXXXX", program[PATH_MAX];
    const char *given = getenv("SWIZZLEBENCH");
    char path[PATH_MAX];
    struct error error;
    int status;
    assert_non_null(realpath(given ? given : "build/swizzlebench", program));
    run->program = program;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    /* A worker that outlives the program must be seen here. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    double began = clock_seconds();
    assert_true(disturbed_ends(disturbed_start(run, "whole", false, 0), 600, &status));
    run->seconds = clock_seconds() - began;
    if (WIFEXITED(status) && WEXITSTATUS(status) == ERROR_MACHINE)
        return false;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        disturbed_says("exit status 0");
    for (size_t i = 0; run->families[i]; i++) {
        assert_true(i < DISTURBED_FAMILIES);
        path_of(run, i, "whole", path);
        if (!result_read(path, &run->files[i], &error))
            fail_msg("%s", error.text);
        assert_true(run->files[i].row_count > 0);
    }
    return true;
}

void undisturbed_remove(struct undisturbed *run)
{
    char folder[PATH_MAX], command[PATH_MAX + 16];
    for (size_t i = 0; run->families[i]; i++)
        result_free(&run->files[i]);
    if (getcwd(folder, sizeof folder) && strncmp(folder, "/tmp/swizzlebench-test-", 23) == 0) {
        snprintf(command, sizeof command, "rm -rf '%s'", folder);
        assert_int_equal(chdir("/"), 0);
        assert_int_equal(system(command), 0);
    }
}

int undisturbed_model(void **state)
{
    static const char *const words[] = {"pipeline", "shared", "--backend", "model", NULL};
    static const char *const families[] = {"pipeline", "shared", NULL};
    static struct undisturbed run = {.words = words, .families = families};
    *state = &run;
    return undisturbed_run(&run) ? 0 : -1;
}

int undisturbed_model_remove(void **state)
{
    undisturbed_remove(*state);
    return 0;
}

/* ---- The same run again -------------------------------------------------------------------- */

pid_t disturbed_start(const struct undisturbed *run, const char *out, bool resume,
                      size_t file_limit_bytes)
{
    const char *words[MAX_WORDS] = {run->program, "run", "--quiet", "--out", out};
    size_t count = 5;
    for (size_t i = 0; run->words[i] && count < MAX_WORDS - 2; i++)
        words[count++] = run->words[i];
    if (resume)
        words[count] = "--resume";
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    struct rlimit limit = {file_limit_bytes, file_limit_bytes};
    if (!freopen("err", "w", stderr) ||
        (file_limit_bytes > 0 && setrlimit(RLIMIT_FSIZE, &limit) != 0))
        _exit(99);
    execv(run->program, (char *const *)words);
    _exit(99);
}

bool disturbed_ends(pid_t pid, double seconds, int *status)
{
    double until = clock_seconds() + seconds;
    struct timespec pause = {.tv_nsec = 200000};
    while (waitpid(pid, status, WNOHANG) != pid) {
        if (clock_seconds() >= until)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

void disturbed_said(char *text, size_t bytes)
{
    FILE *from = fopen("err", "r");
    assert_non_null(from);
    text[fread(text, 1, bytes - 1, from)] = '\0';
    fclose(from);
}

void disturbed_says(const char *words)
{
    char text[1 << 14];
    disturbed_said(text, sizeof text);
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

/* ---- What it left -------------------------------------------------------------------------- */

static struct result_file read_or_none(const struct undisturbed *run, size_t family,
                                       const char *out)
{
    char path[PATH_MAX];
    struct result_file file = {.row_count = 0};
    struct error error;
    path_of(run, family, out, path);
    if (access(path, F_OK) == 0 && !result_read(path, &file, &error))
        fail_msg("%s", error.text);
    return file;
}

size_t disturbed_rows(const struct undisturbed *run, const char *out)
{
    size_t rows = 0;
    for (size_t i = 0; run->families[i]; i++) {
        struct result_file file = read_or_none(run, i, out);
        rows += file.row_count;
        result_free(&file);
    }
    return rows;
}

static bool is_compared(const struct undisturbed *run, const char *column)
{
    for (size_t i = 0; run->columns && run->columns[i]; i++)
        if (strcmp(run->columns[i], column) == 0)
            return true;
    return !run->columns;
}

/* Is a row as it must be, or (true in *lost) that of a case whose worker was killed? */
static void check_row(const struct undisturbed *run, size_t family, const struct result_file *file,
                      size_t row, bool *lost)
{
    const struct result_file *good = &run->files[family];
    assert_string_equal(result_value(file, row, "case"), result_value(good, row, "case"));
    *lost = strcmp(result_value(file, row, "reason"), killed) == 0;
    for (size_t i = 0; i < good->column_count; i++) {
        const char *column = good->columns[i], *here = result_value(file, row, column),
                   *there = result_value(good, row, column);
        if (is_compared(run, column) && !*lost && strcmp(here, there) != 0)
            fail_msg("%s, row %zu (%s), %s: '%s', and '%s' in peace", run->families[family],
                     row + 1, result_value(good, row, "case"), column, here, there);
    }
}

static size_t check_file(const struct undisturbed *run, size_t family, const char *out,
                         size_t *lost, enum disturbed_left left)
{
    struct result_file file = read_or_none(run, family, out);
    const struct result_file *good = &run->files[family];
    size_t rows = file.row_count, twice[2];
    assert_true(rows <= good->row_count);
    if (left == LEFT_ALL)
        assert_int_equal(rows, good->row_count);
    if (left != LEFT_ROWS && file.text && *file.text)
        assert_false(file.cut);
    assert_false(rows > 0 && result_find_twice(&file, twice));
    assert_true(rows == 0 || file.column_count == good->column_count);
    for (size_t i = 0; i < rows; i++) {
        bool this_one;
        check_row(run, family, &file, i, &this_one);
        *lost += this_one;
    }
    result_free(&file);
    return rows;
}

size_t disturbed_check(const struct undisturbed *run, const char *out, size_t lost,
                       enum disturbed_left left)
{
    size_t rows = 0, found_lost = 0;
    for (size_t i = 0; run->families[i]; i++)
        rows += check_file(run, i, out, &found_lost, left);
    if (found_lost > lost)
        fail_msg("%zu rows are lost, and a worker was killed %zu times", found_lost, lost);
    return rows;
}

/* ---- Kills --------------------------------------------------------------------------------- */

uint64_t disturbed_seed(void)
{
    const char *given = getenv("SWIZZLEBENCH_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("[  SEED    ] SWIZZLEBENCH_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

/* splitmix64 */
double disturbed_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static pid_t worker_of(pid_t program)
{
    char path[64];
    int worker = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)program, (int)program);
    FILE *from = fopen(path, "r");
    if (from && fscanf(from, "%d", &worker) != 1)
        worker = 0;
    if (from)
        fclose(from);
    return worker;
}

/* The workers of a killed program die with it. */
static void await_orphans(void)
{
    double until = clock_seconds() + 30;
    struct timespec pause = {.tv_nsec = 200000};
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) >= 0) {
        if (clock_seconds() > until)
            fail_msg("a worker outlives the program by 30 s");
        if (ended == 0)
            nanosleep(&pause, NULL);
    }
}

/* What is under way. */
struct sequence {
    pid_t pid; /* 0: none */
    bool resume;
    size_t rows, lost;            /* in the files at least; workers killed */
    unsigned programs, workers;   /* killed, over all sequences */
    unsigned resumed;             /* programs killed that had resumed */
    unsigned completed, failures; /* sequences that were; runs that ended early by themselves */
};

static void take_end(const struct undisturbed *run, struct sequence *s, int status)
{
    s->pid = 0;
    assert_true(WIFEXITED(status));
    assert_in_range(WEXITSTATUS(status), 0, s->lost > 0 ? 1 : 0);
    size_t all = 0, rows = disturbed_check(run, "cut", s->lost, LEFT_ROWS);
    for (size_t i = 0; run->families[i]; i++)
        all += run->files[i].row_count;
    if (rows < all) { /* its worker was killed before it was ready */
        disturbed_says(killed);
        s->failures++;
        return;
    }
    disturbed_check(run, "cut", s->lost, LEFT_ALL);
    assert_int_equal(system("rm -rf cut"), 0);
    s->completed++;
    s->rows = s->lost = 0;
    s->resume = false;
}

static void kill_worker(struct sequence *s)
{
    pid_t worker = worker_of(s->pid);
    if (worker > 0 && kill(worker, SIGKILL) == 0) {
        s->workers++;
        s->lost++;
    }
}

static void kill_program(const struct undisturbed *run, struct sequence *s)
{
    int status;
    size_t before = disturbed_rows(run, "cut");
    kill(s->pid, SIGKILL);
    waitpid(s->pid, &status, 0);
    s->pid = 0;
    s->programs++;
    s->resumed += s->rows > 0;
    await_orphans();
    size_t rows = disturbed_check(run, "cut", s->lost, LEFT_ROWS);
    if (rows < before || rows < s->rows)
        fail_msg("%zu rows after kill -9 of the program, %zu before", rows,
                 before > s->rows ? before : s->rows);
    s->rows = rows;
}

unsigned disturbed_kills(const struct undisturbed *run, unsigned kills, double most_s)
{
    uint64_t random = disturbed_seed();
    double until = clock_seconds() + most_s;
    struct sequence s = {.pid = 0};
    int status;
    for (bool enough = false; !enough || s.pid || s.resume;) {
        enough = s.programs + s.workers >= kills || clock_seconds() > until;
        if (!s.pid)
            s.pid = disturbed_start(run, "cut", s.resume, 0);
        s.resume = true;
        double wait_s = enough ? 600 : disturbed_random(&random) * run->seconds / 2;
        if (disturbed_ends(s.pid, wait_s, &status))
            take_end(run, &s, status);
        else if (s.programs > s.workers)
            kill_worker(&s);
        else
            kill_program(run, &s);
    }
    print_message("killed the program %u times (%u in a run that had resumed) and its worker %u "
                  "times (%u before it was ready); %u runs ended with all their rows\n",
                  s.programs, s.resumed, s.workers, s.failures, s.completed);
    return s.programs + s.workers;
}
