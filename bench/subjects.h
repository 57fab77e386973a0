/* A command that has commands of its own, as `swizzlebench show layout`: which one is meant? */
#ifndef SWIZZLEBENCH_BENCH_SUBJECTS_H
#define SWIZZLEBENCH_BENCH_SUBJECTS_H

#include <stddef.h>

#include "harness/family.h"

struct subjects {
    const char *command;
    const struct command *const *list;
    size_t count;
    int name_width;                    /* in the help */
    const char *help_head, *help_tail; /* before and behind the list, a line end not included */
    const char *noun;                  /* "unknown NOUN 'x'; ..." */
    const char *missing;               /* where none is given: "show what?" */
};

/* Runs the one that the first word names, with the words from that on. Returns its exit status, or
 * that of the help, or of a complaint. */
int subjects_run(const struct subjects *subjects, int argc, char **argv);

#endif
