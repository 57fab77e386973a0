/* What happens to a kernel whose barrier waits for more bytes than the box has? It hangs, and the
 * time limit of the case ends it; the kernels of the family tma give up by themselves before. And
 * to one whose box begins where none may? It faults.
 *
 * The command runs whole in a process of its own, with a family that is broken on purpose. */
#include "bench/tma_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/commands.h"

/* ---- The family ---------------------------------------------------------------------------- */

static const struct broken_case {
    const char *name;
    uint32_t extra_bytes; /* that never come */
    bool waits_for_ever;
    int32_t start[2];
    const char *entry; /* NULL: load_2d */
} cases[] = {
    {.name = "healthy"},
    {"16 bytes too many", 16, false, {0, 0}, NULL},
    {"16 bytes too many, for ever", 16, true, {0, 0}, NULL},
    {"healthy again", 0, true, {0, 0}, NULL},
    {"a load from element 1", .start = {1, 0}, .entry = "load_2d"},
    {"a store from element -8", .start = {-8, 0}, .entry = "store_2d"},
    {"a store from line -1", .start = {0, -1}, .entry = "store_2d"},
    {"a load from element -8", .start = {-8, 0}, .entry = "load_2d"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const struct measure_options options = {.counters = false};
static const struct column columns[] = {{"nothing", "-", "Nothing."}};

static size_t case_count(const struct family *self, bool full)
{
    (void)self, (void)full;
    return CASES;
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    (void)self;
    snprintf(row->case_name, sizeof row->case_name, "%s", cases[index].name);
}

static bool open_bench(const struct family *self, struct gpu *gpu,
                       const struct measure_options *unused, void **state, struct error *error)
{
    struct tma_bench *bench;
    (void)self, (void)unused;
    if (!tma_bench_open(gpu, &options, &bench, error))
        return false;
    *state = bench;
    return true;
}

static void close_bench(struct gpu *gpu, void *state)
{
    tma_bench_close(gpu, state);
}

/* The first load of 64 x 64 elements in the table. */
static const struct tma_case *some_load(void)
{
    for (size_t i = 0; i < tma_case_count(false); i++) {
        const struct tma_case *c = tma_case_at(i);
        if (c->way == TMA_LOAD && c->map.box[0] == 64 && c->map.box[1] == 64)
            return c;
    }
    return NULL;
}

static bool measure(struct gpu *gpu, void *state, size_t index,
                    const struct measure_options *unused, struct row *row, struct error *error)
{
    enum { BYTES = 64 * 64 * 2 };
    struct tma_case_run r = {.gpu = gpu,
                             .bench = state,
                             .c = some_load(),
                             .stage_bytes = BYTES,
                             .box_bytes = BYTES + cases[index].extra_bytes,
                             .row = row,
                             .error = error};
    struct gpu_launch launch;
    int code;
    (void)unused;
    if (!r.bench->has_tma) {
        row_end(row, ROW_SKIPPED, "no TMA");
        return true;
    }
    if (!tma_encode_at(gpu, r.c, r.bench->tensor, &r.map, &code, error) ||
        !tma_prepare(&r, cases[index].entry ? cases[index].entry : "load_2d", 1, 2, &launch))
        return false;
    memcpy(r.arguments.start, cases[index].start, sizeof cases[index].start);
    if (cases[index].waits_for_ever)
        r.arguments.patience_cycles = 0;
    return tma_launch(&r, &launch) && tma_check_barriers(&r);
}

static const struct family broken = {
    .name = "broken",
    .question = "Does it hang?",
    .columns = columns,
    .column_count = 1,
    .case_count = case_count,
    .predict = predict,
    .open = open_bench,
    .close = close_bench,
    .measure = measure,
};
const struct family *const registry_families[] = {&broken, NULL};
const struct command *const registry_commands[] = {&command_run, NULL};

/* ---- The run ------------------------------------------------------------------------------- */

static int run(const char *folder)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        char *words[] = {"run", "--out", (char *)folder, "--no-counters", "--quiet", "--time-limit",
                         "5",   NULL};
        _exit(command_run.run(7, words));
    }
    int status;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void read_lines(const char *path, char lines[CASES][512])
{
    char line[512];
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "broken,", 7) == 0 && count < CASES)
            memcpy(lines[count++], line, sizeof line);
    fclose(file);
    assert_int_equal(count, CASES);
}

static void assert_has(const char *line, const char *part)
{
    if (!strstr(line, part))
        fail_msg("'%s' is not in: %s", part, line);
}

static void test_what_hangs_and_what_faults(void **state)
{
    (void)state;
    char folder[] = "/tmp/swizzlebench-hang-XXXXXX", path[64], lines[CASES][512];
    assert_non_null(mkdtemp(folder));
    int status = run(folder);
    if (status == 3)
        skip();
    assert_int_equal(status, 1);
    snprintf(path, sizeof path, "%s/broken.csv", folder);
    read_lines(path, lines);
    unlink(path);
    rmdir(folder);
    if (strstr(lines[0], "skipped"))
        skip();
    assert_has(lines[0], ",ok,");
    assert_has(lines[1], "waits for the 8208 bytes of a box did not open");
    assert_has(lines[2], "no answer within 5 s: the time limit of a case");
    assert_has(lines[3], ",ok,");
    /* The rules start-16B and start-store: what the family does not launch. */
    for (unsigned i = 4; i < 7; i++)
        assert_has(lines[i], "CUDA_ERROR_ILLEGAL_INSTRUCTION");
    assert_has(lines[7], ",ok,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_hangs_and_what_faults),
    };
    return cmocka_run_group_tests_name("tma broken on purpose", tests, NULL, NULL);
}
