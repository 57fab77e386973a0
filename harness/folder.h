/* Can files be written there, and are they whole or as before? */
#ifndef SWIZZLEBENCH_HARNESS_FOLDER_H
#define SWIZZLEBENCH_HARNESS_FOLDER_H

#include <stdbool.h>

#include "harness/error.h"

/* Makes the folder and those above it, and tries to write in it. ERROR_INPUT when that fails. */
bool folder_make(const char *path, struct error *error);

/* Writes the file NAME in the folder, and says so on stdout. One that was there is as before until
 * the new one is whole, and where that fails (ERROR_FAILED: a full disk, one that may not be
 * written to). The new one has its rights, and its owner and group where this user may give them.
 * What is a link or a device is written to as it is. */
bool folder_write(const char *folder, const char *name, const char *text, struct error *error);

#endif
