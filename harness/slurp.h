/* What stands in a file, as a whole? */
#ifndef SWIZZLEBENCH_HARNESS_SLURP_H
#define SWIZZLEBENCH_HARNESS_SLURP_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"

/* Reads the file into *text, which must be NULL before and is for free() behind, also after a
 * failure; *length excludes the NUL that is put behind. ERROR_INPUT for what cannot be read. */
bool file_slurp(const char *path, char **text, size_t *length, struct error *error);

#endif
