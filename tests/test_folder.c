/* Does a file that takes another's place have its rights and its owner, and is one left alone that
 * may not be written to? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/folder.h"

enum { NOBODY = 65534 };

static char folder[] = "/tmp/swizzlebench-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, mode_t rights)
{
    FILE *to = fopen(in_folder(name), "w");
    assert_non_null(to);
    assert_true(fputs("before", to) >= 0);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(chmod(in_folder(name), rights), 0);
}

static void assert_holds(const char *name, const char *text)
{
    char found[64] = "";
    FILE *from = fopen(in_folder(name), "r");
    assert_non_null(from);
    found[fread(found, 1, sizeof found - 1, from)] = '\0';
    fclose(from);
    assert_string_equal(found, text);
}

static struct stat about(const char *name)
{
    struct stat found;
    assert_int_equal(lstat(in_folder(name), &found), 0);
    return found;
}

static void write_well(const char *name)
{
    struct error error = {0};
    if (!folder_write(folder, name, "after", &error))
        fail_msg("%s", error.text);
    assert_holds(name, "after");
}

/* Files in the folder, those with a dot before their names too. */
static int count_files(void)
{
    char command[PATH_MAX];
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    FILE *from = popen(command, "r");
    int count = -1;
    assert_non_null(from);
    assert_int_equal(fscanf(from, "%d", &count), 1);
    pclose(from);
    return count;
}

static void a_new_file_has_the_rights_of_any(void **state)
{
    (void)state;
    static const mode_t masks[] = {022, 027, 077, 002};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        mode_t was = umask(masks[i]);
        write_well("new");
        assert_int_equal(umask(was), masks[i]);
        assert_int_equal(about("new").st_mode & 07777, 0666 & ~masks[i]);
        assert_int_equal(unlink(in_folder("new")), 0);
    }
}

static void the_rights_of_the_one_before_stay(void **state)
{
    (void)state;
    static const mode_t rights[] = {0640, 0600, 0664, 0666, 0755};
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++) {
        put("kept", rights[i]);
        write_well("kept");
        assert_int_equal(about("kept").st_mode & 07777, rights[i]);
    }
    assert_int_equal(unlink(in_folder("kept")), 0);
}

/* Only root may say who that is. */
static void as_root(void)
{
    if (geteuid() != 0) {
        print_message("[  SKIPPED ] why: only root can give files away\n");
        skip();
    }
}

static void its_owner_stays(void **state)
{
    (void)state;
    as_root();
    put("owned", 0660);
    assert_int_equal(chown(in_folder("owned"), 12, 34), 0);
    write_well("owned");
    assert_int_equal(about("owned").st_uid, 12);
    assert_int_equal(about("owned").st_gid, 34);
    assert_int_equal(about("owned").st_mode & 07777, 0660);
    assert_int_equal(unlink(in_folder("owned")), 0);
}

/* A user who may write to the file, but not give one away: the group of his own gets what all have,
 * not what that of the file had. */
static void no_other_group_gets_its_rights(void **state)
{
    (void)state;
    as_root();
    put("shared", 0676);
    assert_int_equal(chown(in_folder("shared"), 12, 34), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(setegid(NOBODY), 0);
    assert_int_equal(seteuid(NOBODY), 0);
    struct error error;
    bool written = folder_write(folder, "shared", "after", &error);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(setegid(0), 0);
    assert_true(written);
    assert_int_equal(about("shared").st_uid, NOBODY);
    assert_int_equal(about("shared").st_gid, NOBODY);
    assert_int_equal(about("shared").st_mode & 07777, 0666);
    assert_int_equal(unlink(in_folder("shared")), 0);
}

static void one_that_may_not_be_written_to_stays(void **state)
{
    (void)state;
    put("read-only", 0444);
    assert_int_equal(chmod(folder, 0777), 0);
    bool root = geteuid() == 0; /* who may write to anything */
    if (root)
        assert_int_equal(seteuid(NOBODY), 0);
    struct error error;
    bool written = folder_write(folder, "read-only", "after", &error);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_false(written);
    assert_int_equal(error.kind, ERROR_FAILED);
    char said[PATH_MAX + 64];
    snprintf(said, sizeof said, "cannot write %s: Permission denied", in_folder("read-only"));
    assert_string_equal(error.text, said);
    assert_holds("read-only", "before");
    assert_int_equal(about("read-only").st_mode & 07777, 0444);
    assert_int_equal(count_files(), 1);
    assert_int_equal(unlink(in_folder("read-only")), 0);
}

/* A link is written through, and stays one. */
static void a_link_stays_a_link(void **state)
{
    (void)state;
    put("target", 0644);
    assert_int_equal(symlink("target", in_folder("link")), 0);
    write_well("link");
    assert_true(S_ISLNK(about("link").st_mode));
    assert_holds("target", "after");
    assert_int_equal(count_files(), 2);
    assert_int_equal(unlink(in_folder("link")), 0);
    assert_int_equal(unlink(in_folder("target")), 0);
}

/* Neither the one that is written aside nor the one that is tried may have a name which somebody on
 * this machine or another can have taken, as those with the number of the process are. */
static void nobody_elses_file_is_touched(void **state)
{
    (void)state;
    char name[64];
    snprintf(name, sizeof name, ".swizzlebench-%d", (int)getpid());
    put("victim", 0644);
    assert_int_equal(symlink("victim", in_folder(name)), 0);
    struct error error;
    assert_true(folder_make(folder, &error));
    assert_true(S_ISLNK(about(name).st_mode));
    write_well("mine");
    assert_holds("victim", "before");
    assert_true(S_ISLNK(about(name).st_mode));
    assert_int_equal(count_files(), 3);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_has_the_rights_of_any),
        cmocka_unit_test(the_rights_of_the_one_before_stay),
        cmocka_unit_test(its_owner_stays),
        cmocka_unit_test(no_other_group_gets_its_rights),
        cmocka_unit_test(one_that_may_not_be_written_to_stays),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(nobody_elses_file_is_touched),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
