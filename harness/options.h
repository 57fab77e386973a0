/* How does a command say what is wrong with its words? In one line, and with the exit status that
 * goes with it. */
#ifndef SWIZZLEBENCH_HARNESS_OPTIONS_H
#define SWIZZLEBENCH_HARNESS_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "harness/error.h"

/* Prints "swizzlebench COMMAND: text" to stderr and returns the exit status. */
int complain(const char *command, const struct error *error);

/* Call with what getopt_long answered ('?' or ':', the short options beginning with ':', opterr 0):
 * records which option is unknown, takes no value or lacks one. Returns false. */
bool option_error(int answer, char *const *argv, const struct option *known, struct error *error);

/* "12.5" or "3" -> the number. Returns false with ERROR_INPUT when it is none, or below
 * `least`. */
bool option_number(const char *option, const char *text, double least, double *value,
                   struct error *error);

#endif
