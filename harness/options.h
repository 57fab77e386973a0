/* How does a command say what is wrong with its words? In one line, and with the exit status that
 * goes with it. */
#ifndef SWIZZLEBENCH_HARNESS_OPTIONS_H
#define SWIZZLEBENCH_HARNESS_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/error.h"

/* Prints "swizzlebench COMMAND: text" to stderr and returns the exit status. */
int complain(const char *command, const struct error *error);

/* The next option among the words, as getopt_long has it, its value in optarg: -1 where there is no
 * further one, and with ERROR_INPUT where one is unknown, takes no value or lacks one. `error` must
 * be empty, and the short option is h alone. */
int option_next(int argc, char **argv, const struct option *known, struct error *error);

/* An option of a table: its value goes into a struct of texts, or, of a flag, that it was given. */
struct option_word {
    const char *name;
    size_t at;         /* offsetof() of a const char *, or of the bool of a flag */
    unsigned commands; /* that know it, a bit each */
    bool is_flag;
};

/* Reads the options that `command` knows, 48 at most, into `words`; -h is --help, where the table
 * has it. ERROR_INPUT as of option_next(). */
bool option_read_words(int argc, char **argv, const struct option_word *table, size_t count,
                       unsigned command, void *words, struct error *error);

/* Behind the last option there must be no word. ERROR_INPUT names the first. */
bool option_no_words(int argc, char *const *argv, struct error *error);

/* Call with what getopt_long answered ('?' or ':', the short options beginning with ':', opterr 0):
 * records which option is unknown, takes no value or lacks one. Returns false. */
bool option_error(int answer, char *const *argv, const struct option *known, struct error *error);

/* A whole number from least to most. ERROR_INPUT says so. */
bool option_whole(const char *option, const char *text, uint64_t least, uint64_t most,
                  uint64_t *value, struct error *error);

/* "12.5" or "3" -> the number. Returns false with ERROR_INPUT when it is none, or below
 * `least`. */
bool option_number(const char *option, const char *text, double least, double *value,
                   struct error *error);

/* "5%" or "5" -> 0.05. Returns false with ERROR_INPUT when it is no number, or below 0. */
bool option_percent(const char *option, const char *text, double *value, struct error *error);

#endif
