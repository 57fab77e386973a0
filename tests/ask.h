/* What does a command of the program answer to a line of words? */
#ifndef SWIZZLEBENCH_TESTS_ASK_H
#define SWIZZLEBENCH_TESTS_ASK_H

#include "harness/family.h"

enum { ASK_OUTPUT_BYTES = 1 << 21 };

struct answer {
    int status;
    char out[ASK_OUTPUT_BYTES], err[ASK_OUTPUT_BYTES];
};

/* Runs a command line in a child process, its words separated by single spaces; '' is an empty
 * word, and ~ stands for a space in one. The answer is the caller's to take apart until the next
 * call. */
struct answer *ask(const struct command *command, const char *line);

/* Asks, and wants exit status 0 and nothing on stderr. */
struct answer *ask_well(const struct command *command, const char *line);

/* Asks, and wants exit status 2 and one line on stderr with `part` in it. */
void ask_bad(const struct command *command, const char *line, const char *part);

void assert_contains(const char *text, const char *part);

#endif
