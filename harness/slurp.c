/* What stands in a file, as a whole? */
#include "harness/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the path is one of this process's own descriptors, as a shell's <(command) is. */
static bool is_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0)
            return path[length] && path[length + strspn(path + length, "0123456789")] == '\0';
    }
    return strcmp(path, "/dev/stdin") == 0;
}

/* Without O_NONBLOCK a pipe that nobody writes to would keep open() waiting; with it, a read would
 * not wait for a slow writer. */
FILE *file_open(const char *path, struct error *error)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool there = fd >= 0 && fstat(fd, &about) == 0;
    bool fit =
        there && (S_ISREG(about.st_mode) || (S_ISFIFO(about.st_mode) && is_descriptor(path)));
    FILE *from = fit && fcntl(fd, F_SETFL, O_RDONLY) == 0 ? fdopen(fd, "rb") : NULL;
    if (from)
        return from;
    if (there && !fit)
        error_set(error, ERROR_INPUT, "cannot read %s: it is %s, and a regular file is needed",
                  path, S_ISDIR(about.st_mode) ? "a folder" : "a device, a pipe or a socket");
    else
        error_set(error, ERROR_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return NULL;
}

bool file_slurp(const char *path, char **text, size_t *length, struct error *error)
{
    FILE *from = file_open(path, error);
    if (!from)
        return false;
    size_t room = 0, got = 1;
    for (*length = 0; got > 0; *length += got) {
        if (room - *length < 2) {
            room = room ? 2 * room : 1 << 16;
            char *larger = realloc(*text, room);
            if (!larger) {
                fclose(from);
                return error_set(error, ERROR_FAILED, "no memory to read %s", path);
            }
            *text = larger;
        }
        got = fread(*text + *length, 1, room - *length - 1, from);
    }
    (*text)[*length] = '\0';
    bool read_all = !ferror(from);
    int why = errno;
    fclose(from);
    return read_all || error_set(error, ERROR_INPUT, "cannot read %s: %s", path, strerror(why));
}
