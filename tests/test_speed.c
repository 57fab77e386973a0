/* Is the model fast enough? Prints what one core does; fails only at a third of what is promised,
 * since a test machine may be busy. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/commands.h"
#include "model/swizzlebench.h"

enum { ACCESSES = 20000, ROUNDS = 25, FILE_ROWS = 200000 };

static const double memory_per_second = 10e6, file_per_second = 1e6, slack = 3;

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
static const bool counts = false;
#else
static const bool counts = true;
#endif

static struct access {
    const struct swb_instruction *instruction;
    struct swb_access access;
} accesses[ACCESSES];

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Every instruction but cp.async in turn; lanes at random in 64 KiB, at a stride, or in pairs. */
static int make_accesses(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (unsigned i = 0, kind = 0; i < ACCESSES; kind++) {
        const struct swb_instruction *instruction = swb_instruction_at(kind % 25);
        if (instruction->kind == SWB_CP_ASYNC)
            continue;
        struct access *made = &accesses[i++];
        unsigned pattern = next_random(&random) % 4, stride = next_random(&random) % 33 * 16;
        made->instruction = instruction;
        made->access.active_mask = UINT32_MAX;
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            made->access.lane_byte_addresses[lane] =
                pattern == 0   ? lane * stride
                : pattern == 1 ? lane / 2 * stride
                               : (uint32_t)next_random(&random) % 4096 * 16;
    }
    return 0;
}

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static void judge(const char *what, double per_second, double promised)
{
    printf("[  SPEED   ] %s: %.1f million a second on one core (promised: %.0f)%s\n", what,
           per_second / 1e6, promised / 1e6, counts ? "" : "; not judged in a build like this");
    if (counts)
        assert_true(per_second > promised / slack);
}

static void test_from_memory(void **state)
{
    (void)state;
    struct timespec begin, end;
    struct swb_cost cost;
    unsigned long long wavefronts = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < ACCESSES; i++) {
            swb_bank_cost(accesses[i].instruction, &accesses[i].access, &cost);
            wavefronts += cost.wavefronts;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    assert_true(wavefronts > (unsigned long long)ACCESSES * ROUNDS);
    judge("accesses from memory", (double)ACCESSES * ROUNDS / seconds_between(begin, end),
          memory_per_second);
}

static void write_accesses(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("instruction,active_mask,lane_byte_addresses\n", file);
    for (unsigned i = 0; i < FILE_ROWS; i++) {
        const struct access *row = &accesses[i % ACCESSES];
        fprintf(file, "%s,%08x,", row->instruction->name, row->access.active_mask);
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            fprintf(file, lane ? " %u" : "%u", row->access.lane_byte_addresses[lane]);
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

/* In a process of its own, so that its CPU time can be told. */
static double predict_seconds(char *path)
{
    char *argv[] = {"predict", "--accesses", path, "--csv", NULL};
    struct rusage before, after;
    int status;
    fflush(NULL);
    getrusage(RUSAGE_CHILDREN, &before);
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        status = command_predict.run(4, argv);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
           1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) +
           1e-6 * (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec);
}

static void test_from_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/swizzlebench-speed-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    write_accesses(path);
    double seconds = predict_seconds(path);
    unlink(path);
    judge("rows of `predict --accesses FILE --csv`", FILE_ROWS / seconds, file_per_second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_memory),
        cmocka_unit_test(test_from_a_file),
    };
    return cmocka_run_group_tests(tests, make_accesses, NULL);
}
