/* What went wrong, in one line a person can act on, and whose turn it is. */
#ifndef SWIZZLEBENCH_HARNESS_ERROR_H
#define SWIZZLEBENCH_HARNESS_ERROR_H

#include <stdbool.h>

/* The values are the exit status that the kind leads to. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_FAILED = 1,  /* it was tried and went wrong: a fault, wrong bytes, a lost device */
    ERROR_INPUT = 2,   /* what the user typed or wrote in a file is wrong */
    ERROR_MACHINE = 3, /* this machine lacks what was asked for */
};

struct error {
    enum error_kind kind;
    char text[480];
};

/* Records kind and a formatted line in *error, as text_visible shows it, and returns false, so that
 * a function can end with `return error_set(error, ERROR_FAILED, "cannot open %s: %s", path,
 * strerror(errno));` */
bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
