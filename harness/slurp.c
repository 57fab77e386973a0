/* What stands in a file, as a whole? */
#include "harness/slurp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool file_slurp(const char *path, char **text, size_t *length, struct error *error)
{
    FILE *from = fopen(path, "rb");
    if (!from)
        return error_set(error, ERROR_INPUT, "cannot read %s: %s", path, strerror(errno));
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
