/* Can files be written there? */
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
    snprintf(probe, sizeof probe, "%.*s/.swizzlebench-%d", (int)sizeof probe - 40, path,
             (int)getpid());
    int fd = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot(path, errno, error);
    close(fd);
    unlink(probe);
    return true;
}

bool folder_write(const char *folder, const char *name, const char *text, struct error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *to = fopen(path, "w");
    if (!to)
        return error_set(error, ERROR_FAILED, "cannot write %s: %s", path, strerror(errno));
    bool written = fputs(text, to) >= 0;
    int why = errno;
    if (fclose(to) != 0 && written) {
        written = false;
        why = errno;
    }
    if (!written)
        return error_set(error, ERROR_FAILED, "cannot write %s: %s", path, strerror(why));
    printf("%s: %zu bytes\n", path, strlen(text));
    return true;
}
