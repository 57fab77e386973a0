/* Does a disk that fills up cost more than the row in flight, does one line say which file and what
 * to do, and does --resume end with the same rows once there is room?
 *
 * The program itself runs, over what the model predicts: under a limit on the size of its files,
 * and on a real file system that is too small, a tmpfs that this process mounts where it may. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/disturbed.h"

enum { FULL_DISKS = 8 };

static int status_of(pid_t pid)
{
    int status;
    assert_true(disturbed_ends(pid, 120, &status));
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* What the program says: which file, what happened, what to do; and where some rows are written,
 * the command that goes on. */
static void check_words(const char *out, const char *what, size_t rows)
{
    char words_of_it[128];
    snprintf(words_of_it, sizeof words_of_it, "swizzlebench run: cannot write %s/", out);
    disturbed_says(words_of_it);
    snprintf(words_of_it, sizeof words_of_it,
             ".csv: %s; the rows before are kept; once there is room, --resume goes on\n", what);
    disturbed_says(words_of_it);
    if (rows > 0)
        disturbed_says("; go on with: swizzlebench run --quiet --out ");
}

static size_t size_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (size_t)found.st_size : 0;
}

/* Any size that does not hold all, from less than the head to all but a byte of it ("again" is as
 * long as "whole", and stands in the head). What the program says goes to a file, too, and must
 * fit. */
static void a_limit_on_the_size_of_files(void **state)
{
    const struct undisturbed *run = *state;
    uint64_t random = disturbed_seed();
    size_t least = 600, whole = size_of("whole/shared.csv");
    for (int i = 0; i < FULL_DISKS; i++) {
        double share = i == 0 ? 0 : i == 1 ? 1 : disturbed_random(&random);
        size_t limit = least + (size_t)(share * (double)(whole - 1 - least));
        assert_int_equal(status_of(disturbed_start(run, "again", false, limit)), 1);
        check_words("again", "File too large", disturbed_check(run, "again", 0, LEFT_WHOLE_ROWS));
        assert_int_equal(status_of(disturbed_start(run, "again", true, 0)), 0);
        disturbed_check(run, "again", 0, LEFT_ALL);
        assert_int_equal(system("rm -rf again"), 0);
    }
}

static bool put(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    bool done = to && fputs(text, to) >= 0;
    return to && fclose(to) == 0 && done;
}

/* Gives this process mounts of its own: root may, and any user in a namespace of his own, where the
 * system allows those. */
static bool unshare_mounts(void)
{
    char user[64], group[64];
    snprintf(user, sizeof user, "0 %d 1", (int)getuid());
    snprintf(group, sizeof group, "0 %d 1", (int)getgid());
    return unshare(CLONE_NEWNS) == 0 ||
           (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && put("/proc/self/uid_map", user) &&
            put("/proc/self/setgroups", "deny") && put("/proc/self/gid_map", group));
}

static bool may_mount(void)
{
    return unshare_mounts() && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mkdir("disk", 0777) == 0 && mount("none", "disk", "tmpfs", 0, "size=4m") == 0;
}

static void resize(unsigned long kib)
{
    char options[32];
    snprintf(options, sizeof options, "size=%luk", kib);
    assert_int_equal(mount("none", "disk", "tmpfs", MS_REMOUNT, options), 0);
}

static void a_file_system_that_is_full(void **state)
{
    const struct undisturbed *run = *state;
    if (!may_mount()) {
        print_message("[  SKIPPED ] why: no tmpfs can be mounted here: %s\n", strerror(errno));
        skip();
    }
    uint64_t random = disturbed_seed();
    unsigned long whole_kib =
        (unsigned long)(size_of("whole/shared.csv") + size_of("whole/pipeline.csv")) / 1024;
    for (int i = 0; i < FULL_DISKS; i++) {
        unsigned long kib =
            4 + (unsigned long)(disturbed_random(&random) * (double)(whole_kib - 8));
        resize(kib);
        assert_int_equal(status_of(disturbed_start(run, "disk/cut", false, 0)), 1);
        check_words("disk/cut", "No space left on device",
                    disturbed_check(run, "disk/cut", 0, LEFT_WHOLE_ROWS));
        /* Still no room: nothing is lost by trying. */
        size_t rows = disturbed_rows(run, "disk/cut");
        assert_int_equal(status_of(disturbed_start(run, "disk/cut", true, 0)), 1);
        assert_int_equal(disturbed_check(run, "disk/cut", 0, LEFT_WHOLE_ROWS), rows);
        resize(4096);
        assert_int_equal(status_of(disturbed_start(run, "disk/cut", true, 0)), 0);
        disturbed_check(run, "disk/cut", 0, LEFT_ALL);
        assert_int_equal(system("rm -rf disk/cut"), 0);
    }
    assert_int_equal(umount("disk"), 0);
}

static int tear_down(void **state)
{
    umount2("disk", MNT_DETACH); /* where a test failed */
    return undisturbed_model_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_on_the_size_of_files),
        cmocka_unit_test(a_file_system_that_is_full),
    };
    return cmocka_run_group_tests(tests, undisturbed_model, tear_down);
}
