/* What stands in a file, as a whole? */
#ifndef SWIZZLEBENCH_HARNESS_SLURP_H
#define SWIZZLEBENCH_HARNESS_SLURP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/error.h"

/* Opens a regular file to read, or a pipe that came as a descriptor (/dev/fd/N, /proc/self/fd/N,
 * /dev/stdin), which has a writer; the caller closes it. NULL and ERROR_INPUT for what cannot be
 * opened, and for a folder, a device or another pipe, which has no end or makes the reader wait. */
FILE *file_open(const char *path, struct error *error);

/* Reads the file into *text, which must be NULL before and is for free() behind, also after a
 * failure; *length excludes the NUL that is put behind. ERROR_INPUT for what cannot be read. */
bool file_slurp(const char *path, char **text, size_t *length, struct error *error);

#endif
