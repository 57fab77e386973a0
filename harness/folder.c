/* Can files be written there, and are they whole or as before? */
#include "harness/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot(const char *path, int why, struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "cannot write to the folder '%s': %s; name another with --out", path,
                     strerror(why));
}

/* An empty file in the folder that is this process's alone, and for a moment: its path, and what it
 * is written through. -1: errno says why not. */
static int open_aside(const char *folder, char *path, size_t bytes)
{
    snprintf(path, bytes, "%.*s/.swizzlebench-XXXXXX", (int)bytes - 40, folder);
    return mkostemp(path, O_CLOEXEC);
}

bool folder_make(const char *path, struct error *error)
{
    char part[PATH_MAX], probe[PATH_MAX];
    if (*path == '\0' || strlen(path) + 64 >= sizeof part)
        return cannot(path, *path ? ENAMETOOLONG : ENOENT, error);
    strcpy(part, path);
    for (char *at = part + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(part, 0777); /* one that cannot be made shows in the next */
        *at = '/';
    }
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
        return cannot(path, errno, error);
    /* access() is no answer: it says yes to root whatever the file system says. */
    int fd = open_aside(path, probe, sizeof probe);
    if (fd < 0)
        return cannot(path, errno, error);
    close(fd);
    unlink(probe);
    return true;
}

/* Writes all of it, and closes the file. errno says why not, as it did where there is no file, -1.
 */
static bool put_text(int fd, const char *text)
{
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (!to)
        return false;
    bool put = fputs(text, to) >= 0 && fflush(to) == 0 && (fsync(fd) == 0 || errno == EINVAL);
    int why = errno;
    bool closed = fclose(to) == 0;
    if (!put)
        errno = why;
    return put && closed;
}

/* The rights that a file gets which is made here, and replaces none. */
static mode_t new_rights(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Whose the file before was, and who might read it, holds for the one in its place, as far as this
 * user can give it away. What its group might do, no other group may that was not among all. */
static void take_over(int fd, const struct stat *before)
{
    mode_t rights = before->st_mode & 0777;
    fchmod(fd, rights);
    if (fchown(fd, before->st_uid, before->st_gid) != 0 &&
        fchown(fd, (uid_t)-1, before->st_gid) != 0)
        fchmod(fd, (rights & 0707) | (rights & 0007) << 3);
}

/* `before` is the file there, or NULL. */
static bool replace(const char *folder, const char *path, const struct stat *before,
                    const char *text)
{
    char aside[PATH_MAX];
    int fd = open_aside(folder, aside, sizeof aside);
    if (fd < 0)
        return false;
    if (before)
        take_over(fd, before);
    else
        fchmod(fd, new_rights());
    if (put_text(fd, text) && rename(aside, path) == 0)
        return true;
    int why = errno;
    unlink(aside);
    errno = why;
    return false;
}

/* Another file may take its place, but not one's that may not be written to: only opening it tells,
 * since rename() does not ask. */
static bool may_be_written(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && close(fd) == 0;
}

static bool write_text(const char *folder, const char *path, const char *text)
{
    struct stat there;
    if (lstat(path, &there) != 0)
        return replace(folder, path, NULL, text);
    if (S_ISREG(there.st_mode))
        return may_be_written(path) && replace(folder, path, &there, text);
    /* A link or a device stays what it is. */
    return put_text(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), text);
}

bool folder_write(const char *folder, const char *name, const char *text, struct error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!write_text(folder, path, text))
        return error_set(error, ERROR_FAILED, "cannot write %s: %s", path, strerror(errno));
    printf("%s: %zu bytes\n", path, strlen(text));
    return true;
}
