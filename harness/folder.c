/* Can files be written there, and are they whole or as before? */
#include "harness/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot(const char *path, int why, struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "cannot write to the folder '%s': %s; name another with --out", path,
                     strerror(why));
}

/* A file in the folder that is this process's alone, and for a moment. */
static void name_aside(const char *folder, char *path, size_t bytes)
{
    snprintf(path, bytes, "%.*s/.swizzlebench-%d", (int)bytes - 40, folder, (int)getpid());
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
    name_aside(path, probe, sizeof probe);
    int fd = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot(path, errno, error);
    close(fd);
    unlink(probe);
    return true;
}

/* errno says why not. */
static bool put_text(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    if (!to)
        return false;
    bool put =
        fputs(text, to) >= 0 && fflush(to) == 0 && (fsync(fileno(to)) == 0 || errno == EINVAL);
    int why = errno;
    bool closed = fclose(to) == 0;
    if (!put)
        errno = why;
    return put && closed;
}

/* What is there is a file, and no link or device: another may take its place. */
static bool may_be_replaced(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 || S_ISREG(about.st_mode);
}

static bool replace(const char *folder, const char *path, const char *text)
{
    char aside[PATH_MAX];
    name_aside(folder, aside, sizeof aside);
    if (put_text(aside, text) && rename(aside, path) == 0)
        return true;
    int why = errno;
    unlink(aside);
    errno = why;
    return false;
}

bool folder_write(const char *folder, const char *name, const char *text, struct error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(may_be_replaced(path) ? replace(folder, path, text) : put_text(path, text)))
        return error_set(error, ERROR_FAILED, "cannot write %s: %s", path, strerror(errno));
    printf("%s: %zu bytes\n", path, strlen(text));
    return true;
}
