/* Does a run survive its worker, its parent, its user and its disk?
 *
 * The command runs whole in a process of its own, over a family and a GPU that are made up here,
 * so that a fault, a hang and a crash can be had without one.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/clock.h"
#include "harness/commands.h"
#include "harness/gpu.h"
#include "harness/result.h"

/* ---- A family and a GPU ------------------------------------------------------------------- */

enum { CASES = 12, CASES_FULL = 20, SKIPPED_CASE = 7, MOST_GPUS = 8 };

static unsigned number_in(const char *variable, unsigned otherwise)
{
    const char *text = getenv(variable);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return full ? CASES_FULL : CASES;
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    snprintf(row->case_name, sizeof row->case_name, "case, \"%zu\"", index);
    row_set_text(row, 0, index % 2 ? "odd" : "even");
    if (index == SKIPPED_CASE)
        row_end(row, ROW_SKIPPED, "no GPU can");
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *options, struct row *row, struct error *error)
{
    (void)state, (void)error;
    const int *number = (const int *)gpu;
    if (*number == (int)number_in("FAKE_FAULT_GPU", MOST_GPUS) && index == 3)
        return error_set(error, ERROR_FAILED, "GPU %d faulted", *number);
    while (*number == (int)number_in("FAKE_HANG_GPU", MOST_GPUS) && index == 4)
        pause();
    const char *kill_at =
        getenv("FAKE_KILL"); /* also when it comes to that case ahead of its turn */
    for (size_t i = 0; kill_at && i < options->case_count; i++)
        if (strtoul(kill_at, NULL, 10) == options->cases[i])
            raise(SIGKILL);
    row->verified = VERIFIED_YES;
    row_set_number(row, 1, 10 * (double)index, 0);
    for (size_t i = 0; options->counters && i < options->extra_metric_count; i++)
        row_set_number(row, options->extra_column + i, 0.5 + (double)i, 1);
    return true;
}

static const struct column columns[] = {{"parity", "-", "Odd."}, {"clocks_cycles", "clk", "Ten."}};

/* clang-format off */
#define ALIKE .columns = columns, .column_count = 2, \
    .case_count = case_count, .predict = predict, .measure = measure
static const struct family fake = {.name = "fake", .question = "What if?", ALIKE};
static const struct family other = {.name = "other", .question = "What else?", ALIKE};
static const struct family wanted = {
    .name = "wanted", .question = "What, if asked?", .on_request = true, ALIKE};
static const struct family eager = {
    .name = "eager", .question = "What next?", .on_request = true, .works_ahead = true, ALIKE};
/* clang-format on */
const struct family *const registry_families[] = {&fake, &other, &wanted, &eager, NULL};
const struct command *const registry_commands[] = {&command_run, &command_list, NULL};

bool gpu_count(int *count, struct error *error)
{
    *count = (int)number_in("FAKE_GPUS", 1);
    return !getenv("FAKE_NO_GPU") || error_set(error, ERROR_MACHINE, "no driver here");
}

bool gpu_open(int ordinal, struct gpu **gpu, struct error *error)
{
    static int cards[MOST_GPUS];          /* each holds its number */
    const char *log = getenv("FAKE_LOG"); /* a line for each worker */
    FILE *file = log ? fopen(log, "a") : NULL;
    if (file) {
        fputs("opened\n", file);
        fclose(file);
    }
    if (getenv("FAKE_NO_GPU") || ordinal >= (int)number_in("FAKE_GPUS", 1))
        return error_set(error, ERROR_MACHINE, "no GPU %d here", ordinal);
    if (ordinal == (int)number_in("FAKE_GONE_GPU", MOST_GPUS))
        return error_set(error, ERROR_FAILED, "GPU %d is gone", ordinal);
    cards[ordinal] = ordinal;
    *gpu = (struct gpu *)&cards[ordinal];
    return true;
}

void gpu_close(struct gpu *gpu)
{
    (void)gpu;
}

const struct gpu_info *gpu_info(const struct gpu *gpu)
{
    static struct gpu_info info = {
        .name = "NVIDIA Fake 1", .compute_major = 9, .sm_count = 132, .driver_version = 13020};
    const char *no_nvml = getenv("FAKE_NO_NVML");
    snprintf(info.no_nvml, sizeof info.no_nvml, "%s", no_nvml ? no_nvml : "");
    snprintf(info.driver, sizeof info.driver, "%s", no_nvml ? "" : "580.1");
    snprintf(info.uuid, sizeof info.uuid, "GPU-%d", 1 + *(const int *)gpu);
    return &info;
}

const char *counters_why_not(struct gpu *gpu)
{
    (void)gpu;
    return getenv("FAKE_NO_COUNTERS");
}

bool counters_has_metric(struct gpu *gpu, const char *metric)
{
    (void)gpu;
    return strncmp(metric, "good__", 6) == 0;
}

/* ---- Running the command ------------------------------------------------------------------ */

enum { MAX_WORDS = 16 };

/* Starts `command`, words apart by blanks, with its output in the files out and err.
 * `environment` is NAME=VALUE, several apart by semicolons, or "". */
static pid_t start(const char *command, const char *environment)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char *text = strdup(command), *words[MAX_WORDS + 1];
    int count = 0;
    for (char *word = strtok(text, " "); word && count < MAX_WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    char *rest = strdup(environment);
    for (char *variable; (variable = strsep(&rest, ";"));) {
        if (*variable)
            putenv(variable);
    }
    if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr))
        _exit(99);
    setvbuf(stderr, NULL, _IONBF, 0);
    const struct command *asked = strcmp(words[0], "run") == 0 ? &command_run : &command_list;
    int status = asked->run(count, words);
    free(text);
    fflush(stdout);
    _exit(status);
}

static int finish(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) != pid)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int run(const char *command, const char *environment)
{
    return finish(start(command, environment));
}

static const char *load(const char *path)
{
    static char text[1 << 16];
    FILE *from = fopen(path, "rb");
    size_t length = from ? fread(text, 1, sizeof text - 1, from) : 0;
    text[length] = '\0';
    if (from)
        fclose(from);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void assert_says(const char *words)
{
    const char *text = load("err");
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

static struct result_file read_result(const char *path)
{
    struct result_file file;
    struct error error;
    if (!result_read(path, &file, &error))
        fail_msg("%s", error.text);
    assert_false(file.cut);
    return file;
}

/* Rows of the file that are `failed` with a reason that begins so; all others must be as a good
 * run leaves them. */
static size_t count_failed(const char *path, size_t rows, const char *reason)
{
    struct result_file file = read_result(path);
    size_t failed = 0;
    assert_int_equal(file.row_count, rows);
    for (size_t i = 0; i < rows; i++) {
        const char *status = result_value(&file, i, "status");
        assert_string_equal(result_value(&file, i, "parity"), i % 2 ? "odd" : "even");
        if (strcmp(status, "failed") == 0) {
            failed++;
            assert_int_equal(strncmp(result_value(&file, i, "reason"), reason, strlen(reason)), 0);
            assert_string_equal(result_value(&file, i, "verified"), "-");
            assert_string_equal(result_value(&file, i, "clocks_cycles"), "");
        } else if (i == SKIPPED_CASE) {
            assert_string_equal(status, "skipped");
        } else {
            assert_string_equal(status, "ok");
            assert_string_equal(result_value(&file, i, "verified"), "yes");
        }
    }
    result_free(&file);
    return failed;
}

/* Waits until the file has that many lines. */
static void await_lines(const char *path, size_t lines)
{
    double until = clock_seconds() + 20;
    while (count_lines(load(path)) < lines && clock_seconds() < until)
        usleep(5000);
    assert_true(count_lines(load(path)) >= lines);
}

enum { HEAD_LINES = HEAD_KEYS + 1 };

/* ---- Tests -------------------------------------------------------------------------------- */

static void a_run_writes_all_rows(void **state)
{
    (void)state;
    assert_int_equal(run("run", ""), 0);
    assert_int_equal(count_failed("results/nvidia-fake-1/fake.csv", CASES, ""), 0);
    assert_int_equal(count_failed("results/nvidia-fake-1/other.csv", CASES, ""), 0);
    struct result_file file = read_result("results/nvidia-fake-1/fake.csv");
    assert_string_equal(result_key(&file, "backend"), "cuda");
    assert_string_equal(result_key(&file, "gpu"), "NVIDIA Fake 1");
    assert_string_equal(result_key(&file, "compute_capability"), "9.0");
    assert_string_equal(result_key(&file, "cuda"), "13.2");
    assert_string_equal(result_key(&file, "command"), "swizzlebench run");
    assert_string_equal(result_key(&file, "counters"), "yes");
    result_free(&file);
    assert_string_equal(load("out"), "");
}

static void a_family_on_request_runs_only_where_it_is_named(void **state)
{
    (void)state;
    assert_int_equal(run("run --out unnamed", ""), 0);
    assert_int_equal(count_failed("unnamed/other.csv", CASES, ""), 0);
    assert_int_equal(access("unnamed/wanted.csv", F_OK), -1);
    assert_int_equal(run("run wanted --out named", ""), 0);
    assert_int_equal(count_failed("named/wanted.csv", CASES, ""), 0);
    assert_int_equal(access("named/fake.csv", F_OK), -1);
    assert_int_equal(run("run --out filtered --filter parity=odd", ""), 0);
    assert_int_equal(access("filtered/wanted.csv", F_OK), -1);
}

static void the_model_needs_no_gpu(void **state)
{
    (void)state;
    assert_int_equal(run("run --backend model --full fake", "FAKE_NO_GPU=1"), 0);
    struct result_file file = read_result("results/model/fake.csv");
    assert_int_equal(file.row_count, CASES_FULL);
    assert_string_equal(result_key(&file, "backend"), "model");
    for (size_t i = 0; i < file.row_count; i++)
        assert_string_equal(result_value(&file, i, "verified"), "-");
    result_free(&file);
    assert_says("backend: model");
}

static void a_lost_worker_costs_one_row(void **state)
{
    (void)state;
    static const struct {
        const char *environment, *reason;
        size_t failed; /* the worker after the first counts its cases anew */
    } faults[] = {
        {"SWIZZLEBENCH_INJECT=crash:4", "the worker died: signal 11 (Segmentation fault)", 2},
        {"SWIZZLEBENCH_INJECT=hang:6", "no answer within 0.3 s: the time limit of a case", 1},
        {"SWIZZLEBENCH_INJECT=exit:5", "the worker ended by itself: exit status 7", 2},
        {"SWIZZLEBENCH_INJECT=fault:3", "illegal address", 3},
        {"FAKE_KILL=9", "the worker died: signal 9 (Killed)", 1},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        assert_int_equal(run("run fake --out d --time-limit 0.3", faults[i].environment), 1);
        assert_int_equal(count_failed("d/fake.csv", CASES, faults[i].reason), faults[i].failed);
        assert_says(faults[i].reason);
    }
    assert_int_equal(run("run fake --out m --backend model", "SWIZZLEBENCH_INJECT=crash:6"), 1);
}

/* A typo would make a test of faults one that passes without any. */
static void a_fault_that_there_is_not_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = {"foo:1",  "crash:",   "crash",    "hang:-1",
                                       "hang:0", "fault:1x", "fault: 1", "exit:4294967299"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char environment[64], said[128];
        snprintf(environment, sizeof environment, "SWIZZLEBENCH_INJECT=%s", none[i]);
        snprintf(said, sizeof said, "run: %s: not KIND:N with N from 1 on", environment);
        assert_int_equal(run("run fake --out typo", environment), 2);
        assert_says(said);
        assert_int_equal(count_lines(load("err")), 1);
        assert_int_equal(run("run fake --out typo --device all", environment), 2);
        assert_int_equal(access("typo/fake.csv", F_OK), -1);
    }
    assert_int_equal(run("run fake --out typo", "SWIZZLEBENCH_INJECT="), 0);
}

/* Of a worker that works ahead any case behind the one in hand may be the culprit. */
static void work_ahead_costs_no_other_row(void **state)
{
    (void)state;
    assert_int_equal(run("run eager --out e --full", "FAKE_KILL=9;FAKE_LOG=workers"), 1);
    assert_int_equal(count_failed("e/eager.csv", CASES_FULL, "the worker died: signal 9"), 1);
    struct result_file file = read_result("e/eager.csv");
    assert_string_equal(result_value(&file, 9, "status"), "failed");
    result_free(&file);
    /* One died ahead of its turn; the second did one case at a time, to the culprit; the third too,
     * since all are that near to it. */
    assert_string_equal(load("workers"), "opened\nopened\nopened\n");
    assert_says("1 row failed:\n  eager  case, \"9\": the worker died: signal 9 (Killed)\n"
                "1 worker was lost at a case or one behind it; others measured them one by one:\n"
                "  eager  case, \"0\": the worker died: signal 9 (Killed)\n");
    assert_int_equal(run("run eager --out e2", ""), 0);
    assert_int_equal(count_failed("e2/eager.csv", CASES, ""), 0);
}

/* What does not happen again leaves no failed row, but is told. */
static void a_fault_that_does_not_come_again_is_told(void **state)
{
    (void)state;
    char fault[64], told[160];
    enum { LAST_BUT_ONE = CASES_FULL - 2 }; /* and the worker's own number: it is not asked for 7 */
    snprintf(fault, sizeof fault, "SWIZZLEBENCH_INJECT=fault:%d", LAST_BUT_ONE);
    snprintf(told, sizeof told,
             "1 worker was lost at a case or one behind it; others measured them one by one:\n"
             "  eager  case, \"%d\": illegal address",
             LAST_BUT_ONE);
    assert_int_equal(run("run eager --out e3 --full --quiet", fault), 0);
    assert_int_equal(count_failed("e3/eager.csv", CASES_FULL, ""), 0);
    assert_says(told);
}

static void a_gpu_that_stays_away_ends_the_run(void **state)
{
    (void)state;
    assert_int_equal(run("run fake --out away", "SWIZZLEBENCH_INJECT=noopen:1"), 1);
    assert_int_equal(access("away/fake.csv", F_OK), -1);
    double started = clock_seconds();
    assert_int_equal(run("run fake --out away", "FAKE_KILL=4;SWIZZLEBENCH_INJECT=noopen:2"), 1);
    assert_true(clock_seconds() - started > 1.9); /* two pauses */
    assert_says("gave up after 3 tries: cannot open the GPU");
    assert_says("5 of 12 rows are in away; go on with: swizzlebench run fake --out away --resume");
    assert_int_equal(count_failed("away/fake.csv", 5, "the worker died: signal 9 (Killed)"), 1);
    assert_int_equal(run("run fake --out away --resume", ""), 1);
    assert_int_equal(count_failed("away/fake.csv", CASES, "the worker died"), 1);
}

static void a_killed_run_resumes(void **state)
{
    (void)state;
    assert_int_equal(run("run fake --out whole", ""), 0);
    pid_t pid = start("run fake --out cut", "SWIZZLEBENCH_INJECT=hang:5");
    await_lines("cut/fake.csv", HEAD_LINES + 4);
    kill(pid, SIGKILL);
    assert_int_equal(finish(pid), 1000 + SIGKILL);
    /* The worker hangs for ever; as this process inherits it, its end is seen here. */
    assert_true(waitpid(-1, NULL, 0) > 0);
    int fd = open("cut/fake.csv", O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "fake,\"case", 10), 10);
    close(fd);
    assert_int_equal(run("run fake --out cut --resume", ""), 0);
    assert_says("(4 rows kept from before)");
    char *resumed = strdup(strstr(load("cut/fake.csv"), "\nfamily,"));
    assert_string_equal(resumed, strstr(load("whole/fake.csv"), "\nfamily,"));
    free(resumed);
    assert_int_equal(run("run fake --out cut --resume", ""), 0);
    assert_int_equal(count_failed("cut/fake.csv", CASES, ""), 0);
}

static void failed_rows_are_kept_by_resume(void **state)
{
    (void)state;
    assert_int_equal(run("run fake --out kept --filter case=*1*", "FAKE_KILL=10"), 1);
    assert_int_equal(run("run fake --out kept --resume", ""), 1);
    struct result_file file = read_result("kept/fake.csv");
    long row = result_find_case(&file, "case, \"10\"");
    assert_true(row >= 0);
    assert_int_equal(file.row_count, CASES);
    assert_string_equal(result_value(&file, (size_t)row, "status"), "failed");
    result_free(&file);

    /* What stands in a file does not reach the terminal as it is. */
    int fd = open("kept/fake.csv", O_WRONLY);
    const char *text = load("kept/fake.csv"), *reason = strstr(text, "the worker died");
    assert_true(fd >= 0 && reason);
    assert_int_equal(pwrite(fd, "\033", 1, reason - text), 1);
    close(fd);
    assert_int_equal(run("run fake --out kept --resume", ""), 1);
    assert_says("\\x1bhe worker died");
    assert_null(strchr(load("err"), '\033'));
}

/* Rows of another GPU, or under other columns, are not continued, and nothing is written. */
static void a_file_of_another_run_is_not_resumed(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
    } changes[] = {
        {"GPU-1", "GPU-2", "its gpu_uuid is 'GPU-2' and this run's is 'GPU-1'"},
        {",parity,", ",purity,", "its column 6 is 'purity' and this run's is 'parity'"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_int_equal(run("run fake --out strange --filter parity=odd", ""), 0);
        char *text = strdup(load("strange/fake.csv")), *at = strstr(text, changes[i].old);
        assert_non_null(at);
        memcpy(at, changes[i].new, strlen(changes[i].new));
        FILE *file = fopen("strange/fake.csv", "wb");
        assert_non_null(file);
        assert_true(fputs(text, file) >= 0);
        fclose(file);
        assert_int_equal(run("run fake --out strange --resume", ""), 2);
        assert_says(changes[i].says);
        assert_string_equal(load("strange/fake.csv"), text);
        free(text);
    }
}

static void ctrl_c_keeps_the_rows(void **state)
{
    (void)state;
    pid_t pid = start("run --out stopped", "SWIZZLEBENCH_INJECT=hang:5");
    await_lines("stopped/fake.csv", HEAD_LINES + 4);
    kill(pid, SIGINT);
    usleep(300000);
    kill(pid, SIGINT);
    double stopping = clock_seconds();
    assert_int_equal(finish(pid), 130);
    assert_true(clock_seconds() - stopping < 2);
    assert_int_equal(count_failed("stopped/fake.csv", 4, ""), 0);
    assert_int_equal(access("stopped/other.csv", F_OK), -1);
    assert_says("go on with: swizzlebench run --out stopped --resume");
}

static void old_files_are_not_lost(void **state)
{
    (void)state;
    assert_int_equal(run("run --out old", ""), 0);
    pid_t pid = start("run --out old", "SWIZZLEBENCH_INJECT=hang:1");
    usleep(300000);
    kill(pid, SIGINT);
    assert_int_equal(finish(pid), 130);
    assert_int_equal(count_failed("old/fake.csv", CASES, ""), 0); /* nothing was written yet */
    pid = start("run --out old", "SWIZZLEBENCH_INJECT=hang:5");
    await_lines("old/fake.csv.previous", HEAD_LINES);
    await_lines("old/fake.csv", HEAD_LINES + 4);
    kill(pid, SIGTERM);
    assert_int_equal(finish(pid), 130);
    assert_int_equal(count_failed("old/fake.csv", 4, ""), 0);
    assert_int_equal(access("old/other.csv", F_OK), -1); /* --resume must not take it */
    assert_int_equal(count_failed("old/fake.csv.previous", CASES, ""), 0);
    assert_int_equal(count_failed("old/other.csv.previous", CASES, ""), 0);
}

static void a_full_disk_ends_the_run(void **state)
{
    (void)state;
    assert_int_equal(mkdir("full", 0777), 0);
    assert_int_equal(symlink("/dev/full", "full/fake.csv"), 0);
    assert_int_equal(run("run fake --out full", ""), 1);
    assert_says("cannot write full/fake.csv: No space left on device");
}

static void wrong_input_is_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *command, *says;
    } wrong[] = {
        {"run fakee", "unknown family 'fakee'; did you mean 'fake'? known: fake, other, wanted"},
        {"run nothing", "unknown family 'nothing'; known: fake, other, wanted"},
        {"run fake --filter case=zzz", "--filter 'case=zzz' matches none of the 12 cases of fake"},
        {"run fake --filter colour=red", "no column 'colour' in fake"},
        {"run fake --filter parity=odd,", "nothing behind the last comma"},
        {"run fake --out a-file/below", "cannot write to the folder 'a-file/below'"},
        {"run fake --out /proc", "cannot write to the folder '/proc'"},
        {"run fake --out /proc/nowhere", "cannot write to the folder '/proc/nowhere'"},
        {"run --device all --backend model", "--device all needs GPUs, and --backend model"},
        {"run --device all --filter zzz", "--filter 'zzz' matches none"},
        {"run --device all --out a-file", "cannot write to the folder 'a-file'"},
        {"run --device one", "--device 'one': the number of a GPU is needed, from 0, or all"},
        {"run --backend vulkan", "--backend 'vulkan': gpu or model"},
        {"run --time-limit 0", "--time-limit '0'"},
        {"run --time-limit soon", "--time-limit 'soon'"},
        {"run --metrics good__a.sum,bad.sum", "has no metric 'bad.sum'"},
        {"run --metrics a,a", "'a' is named twice"},
        {"run --metrics parity", "already has a column 'parity'"},
        {"run --metrics good__a.sum --no-counters", "--metrics needs the counters of a GPU"},
        {"run --metrics good__a.sum --backend model", "--metrics needs the counters of a GPU"},
        {"run --resumee", "option '--resumee'; did you mean '--resume'?"},
        {"run --out", "option '--out' needs a value"},
        {"run --full=3", "option '--full=3' takes no value"},
        {"run -x", "unknown option '-x'"},
        {"list fakee", "unknown family 'fakee'; did you mean 'fake'?"},
        {"list fake other", "one family at a time"},
        {"list fake --filter zzz", "matches none"},
    };
    FILE *file = fopen("a-file", "w");
    assert_non_null(file);
    fclose(file);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(run(wrong[i].command, ""), 2);
        assert_says(wrong[i].says);
        assert_int_equal(count_lines(load("err")), 1);
        assert_string_equal(load("out"), "");
    }
}

static void no_gpu_is_one_line(void **state)
{
    (void)state;
    assert_int_equal(run("run", "FAKE_NO_GPU=1"), 3);
    assert_says("no GPU 0 here (without a GPU, --backend model predicts)");
    assert_int_equal(count_lines(load("err")), 1);
    assert_int_equal(run("run --device 1", ""), 3);
}

/* ---- Several GPUs -------------------------------------------------------------------------- */

static void every_gpu_has_the_rows_of_one_alone(void **state)
{
    (void)state;
    assert_int_equal(run("run --out alone", ""), 0);
    char *alone = strdup(strstr(load("alone/fake.csv"), "\nfamily,"));
    assert_int_equal(run("run --device all", "FAKE_GPUS=3"), 0);
    for (int gpu = 0; gpu < 3; gpu++) {
        char path[64], uuid[8];
        snprintf(path, sizeof path, "results/nvidia-fake-1-%d/fake.csv", gpu);
        snprintf(uuid, sizeof uuid, "GPU-%d", gpu + 1);
        assert_string_equal(strstr(load(path), "\nfamily,"), alone);
        struct result_file file = read_result(path);
        assert_string_equal(result_key(&file, "gpu_uuid"), uuid);
        assert_string_equal(result_key(&file, "command"), "swizzlebench run --device all");
        result_free(&file);
    }
    free(alone);
    /* One summary each, in the order of the GPUs. */
    const char *text = load("err"), *first = strstr(text, "GPU 0\nfamily ");
    assert_non_null(first);
    const char *second = strstr(first, "results/nvidia-fake-1-0/other.csv\nGPU 1\nfamily ");
    assert_non_null(second);
    assert_non_null(strstr(second, "results/nvidia-fake-1-1/other.csv\nGPU 2\nfamily "));
    assert_string_equal(load("out"), "");
    assert_int_equal(run("run --device all --quiet --out o", "FAKE_GPUS=2"), 0);
    assert_string_equal(load("err"), "");
    assert_int_equal(count_failed("o/nvidia-fake-1-1/other.csv", CASES, ""), 0);
}

static void a_lost_gpu_costs_its_own_rows(void **state)
{
    (void)state;
    /* A fault: one row. */
    assert_int_equal(run("run fake --device all --out f", "FAKE_GPUS=2;FAKE_FAULT_GPU=1"), 1);
    assert_int_equal(count_failed("f/nvidia-fake-1-0/fake.csv", CASES, ""), 0);
    assert_int_equal(count_failed("f/nvidia-fake-1-1/fake.csv", CASES, "GPU 1 faulted"), 1);
    assert_says("1 row failed:\n  fake  case, \"3\": GPU 1 faulted");
    /* A GPU that was never there: all of them, and no file. */
    assert_int_equal(run("run fake --device all --out g", "FAKE_GPUS=2;FAKE_GONE_GPU=0"), 1);
    assert_says("swizzlebench run --device 0: GPU 0 is gone\n");
    assert_says("GPU 0: no rows, see above\nGPU 1\n");
    assert_int_equal(count_failed("g/nvidia-fake-1-1/fake.csv", CASES, ""), 0);
    assert_int_equal(access("g/nvidia-fake-1-0", F_OK), -1);
    /* With it again, --resume does what is missing. */
    assert_int_equal(run("run fake --device all --out g --resume", "FAKE_GPUS=2"), 0);
    assert_int_equal(count_failed("g/nvidia-fake-1-0/fake.csv", CASES, ""), 0);
    assert_says("nvidia-fake-1-1/fake.csv (12 rows kept from before)");
    /* The worst status is that of the run. */
    assert_int_equal(run("run fake --device all --out g --resume", "FAKE_GPUS=2;FAKE_NO_GPU=1"), 3);
    assert_says("no driver here (without a GPU, --backend model predicts)");
    assert_int_equal(count_lines(load("err")), 1);
    assert_int_equal(run("run fake --device all --out z", "FAKE_GPUS=0"), 3);
    assert_says("sees no GPU on this machine (without a GPU");
}

static pid_t child_of(pid_t parent)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    return (pid_t)strtol(load(path), NULL, 10);
}

/* Ctrl-C reaches every process of the terminal, `kill` only one: both are one request. */
static void ctrl_c_stops_all_gpus(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        char out[8], command[64], path[64];
        snprintf(out, sizeof out, "c%d", all);
        snprintf(command, sizeof command, "run fake --device all --out %s --time-limit 2", out);
        pid_t pid = start(command, "FAKE_GPUS=2;FAKE_HANG_GPU=1");
        snprintf(path, sizeof path, "%s/nvidia-fake-1-1/fake.csv", out);
        await_lines(path, HEAD_LINES + 4);
        if (all)
            for (pid_t at = pid; at > 0; at = child_of(at))
                kill(at, SIGINT);
        else
            kill(pid, SIGTERM);
        /* The case in flight has its time. */
        double stopping = clock_seconds();
        assert_int_equal(finish(pid), 130);
        assert_true(clock_seconds() - stopping > 1);
        assert_int_equal(count_failed(path, 4, ""), 0);
        assert_says("interrupted: 4 of 12 rows are in c");
        assert_int_equal(run(command, "FAKE_GPUS=2"), 0);
    }
}

static void all_runs_end_with_the_program(void **state)
{
    (void)state;
    pid_t pid = start("run fake --device all --out k", "FAKE_GPUS=2;FAKE_HANG_GPU=1");
    await_lines("k/nvidia-fake-1-1/fake.csv", HEAD_LINES + 4);
    kill(pid, SIGKILL);
    assert_int_equal(finish(pid), 1000 + SIGKILL);
    while (waitpid(-1, NULL, 0) > 0) /* this process inherits what is left */
        ;
    assert_int_equal(run("run fake --device all --out k --resume", "FAKE_GPUS=2"), 0);
    assert_int_equal(count_failed("k/nvidia-fake-1-1/fake.csv", CASES, ""), 0);
    assert_says("(4 rows kept from before)");
}

static void a_killed_process_of_one_gpu_is_told(void **state)
{
    (void)state;
    pid_t pid = start("run fake --device all --out r", "FAKE_GPUS=1;FAKE_HANG_GPU=0");
    await_lines("r/nvidia-fake-1-0/fake.csv", HEAD_LINES + 4);
    kill(child_of(pid), SIGKILL);
    assert_int_equal(finish(pid), 1);
    assert_says("run --device 0: the process of this GPU's run died: signal 9 (Killed)");
    assert_int_equal(count_failed("r/nvidia-fake-1-0/fake.csv", 4, ""), 0);
}

/* Each GPU a line of its own, until the summaries. */
static void several_gpus_share_a_terminal(void **state)
{
    (void)state;
    static char text[1 << 16];
    size_t length = 0;
    int terminal;
    struct winsize size = {.ws_row = 24, .ws_col = 60};
    pid_t pid = forkpty(&terminal, NULL, NULL, &size);
    if (pid == 0) {
        char *words[] = {"run", "fake", "--device", "all", "--out", "t", "--time-limit", "1", NULL};
        setenv("TERM", "xterm", 1);
        setenv("FAKE_GPUS", "2", 1);
        setenv("FAKE_HANG_GPU", "1", 1);
        _exit(command_run.run(8, words));
    }
    if (pid < 0) {
        print_message("no pseudo terminal to be had here: %s\n", strerror(errno));
        skip();
    }
    for (ssize_t got; (got = read(terminal, text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    assert_int_equal(finish(pid), 1);
    close(terminal);
    if (!strstr(text, "\rGPU 0 [####################] 12/12  ") ||
        !strstr(text, "\r\n\rGPU 1 [######..............] 4/12  ") ||
        !strstr(text, "\033[K\r\033[1A"))
        fail_msg("%s", text);
    const char *end = strstr(text, "\r\033[JGPU 0\r\nfamily ");
    assert_non_null(end);
    assert_null(strstr(end, "[#"));
    /* No line is longer than the terminal is wide. */
    assert_true(strstr(text, "case, \"4\"") > end);
}

static void metrics_are_columns_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(run("run fake --out metrics --metrics good__a.sum,good__b.sum", ""), 0);
    struct result_file file = read_result("metrics/fake.csv");
    assert_string_equal(file.columns[7], "good__a.sum");
    assert_string_equal(result_value(&file, 3, "good__a.sum"), "0.5");
    assert_string_equal(result_value(&file, 3, "good__b.sum"), "1.5");
    result_free(&file);
}

static void counters_denied_are_said_once_and_in_the_head(void **state)
{
    (void)state;
    assert_int_equal(run("run fake --quiet --out denied", "FAKE_NO_COUNTERS=ask root"), 0);
    assert_string_equal(load("err"),
                        "swizzlebench run: no hardware counters, times alone: ask root\n");
    struct result_file file = read_result("denied/fake.csv");
    assert_string_equal(result_key(&file, "counters"), "no: ask root");
    result_free(&file);
    assert_int_equal(run("run fake --resume --out denied", ""), 2);
    assert_says("its counters is 'no: ask root' and this run's is 'yes'");
}

static void a_missing_nvml_is_said_once_and_in_the_head(void **state)
{
    (void)state;
    assert_int_equal(run("run fake --quiet --out nvml", "FAKE_NO_NVML=no such library"), 0);
    assert_string_equal(load("err"), "swizzlebench run: whether the card is throttled is unknown, "
                                     "throttled_samples is empty: no such library\n");
    struct result_file file = read_result("nvml/fake.csv");
    assert_string_equal(result_key(&file, "driver"), "unknown: no NVML");
    result_free(&file);
    assert_int_equal(run("run fake --quiet --out nvml", ""), 0);
    file = read_result("nvml/fake.csv");
    assert_string_equal(result_key(&file, "driver"), "580.1");
    result_free(&file);
}

static void lists_go_to_standard_output(void **state)
{
    (void)state;
    assert_int_equal(run("list --csv", ""), 0);
    assert_string_equal(load("out"), "family,cases_default,cases_full,question,on_request\n"
                                     "fake,12,20,What if?,no\nother,12,20,What else?,no\n"
                                     "wanted,12,20,\"What, if asked?\",yes\n"
                                     "eager,12,20,What next?,yes\n");
    assert_int_equal(run("list", ""), 0);
    assert_non_null(strstr(load("out"), "What else?\n"));
    assert_non_null(strstr(load("out"), "What, if asked? (on request)\n"));
    assert_int_equal(run("list fake", ""), 0);
    assert_int_equal(count_lines(load("out")), CASES);
    assert_int_equal(run("list fake --full --csv --filter parity=odd", ""), 0);
    assert_int_equal(count_lines(load("out")), 1 + CASES_FULL / 2);
    assert_string_equal(load("err"), "");
    assert_int_equal(run("run --help", ""), 0);
    assert_true(count_lines(load("out")) > 10);
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/swizzlebench-test-XXXXXX";
    *state = folder;
    unsetenv("SWIZZLEBENCH_INJECT");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_writes_all_rows),
        cmocka_unit_test(a_family_on_request_runs_only_where_it_is_named),
        cmocka_unit_test(the_model_needs_no_gpu),
        cmocka_unit_test(a_lost_worker_costs_one_row),
        cmocka_unit_test(a_fault_that_there_is_not_is_refused),
        cmocka_unit_test(work_ahead_costs_no_other_row),
        cmocka_unit_test(a_fault_that_does_not_come_again_is_told),
        cmocka_unit_test(a_gpu_that_stays_away_ends_the_run),
        cmocka_unit_test(a_killed_run_resumes),
        cmocka_unit_test(failed_rows_are_kept_by_resume),
        cmocka_unit_test(a_file_of_another_run_is_not_resumed),
        cmocka_unit_test(ctrl_c_keeps_the_rows),
        cmocka_unit_test(old_files_are_not_lost),
        cmocka_unit_test(a_full_disk_ends_the_run),
        cmocka_unit_test(wrong_input_is_one_line),
        cmocka_unit_test(no_gpu_is_one_line),
        cmocka_unit_test(every_gpu_has_the_rows_of_one_alone),
        cmocka_unit_test(a_lost_gpu_costs_its_own_rows),
        cmocka_unit_test(ctrl_c_stops_all_gpus),
        cmocka_unit_test(all_runs_end_with_the_program),
        cmocka_unit_test(a_killed_process_of_one_gpu_is_told),
        cmocka_unit_test(several_gpus_share_a_terminal),
        cmocka_unit_test(metrics_are_columns_of_their_own),
        cmocka_unit_test(counters_denied_are_said_once_and_in_the_head),
        cmocka_unit_test(a_missing_nvml_is_said_once_and_in_the_head),
        cmocka_unit_test(lists_go_to_standard_output),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
