/* Can files be written there? */
#ifndef SWIZZLEBENCH_HARNESS_FOLDER_H
#define SWIZZLEBENCH_HARNESS_FOLDER_H

#include <stdbool.h>

#include "harness/error.h"

/* Makes the folder and those above it, and tries to write in it. ERROR_INPUT when that fails. */
bool folder_make(const char *path, struct error *error);

/* Writes the file NAME in the folder, and says so on stdout. */
bool folder_write(const char *folder, const char *name, const char *text, struct error *error);

#endif
