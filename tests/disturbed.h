/* Does a run that is disturbed lose more than the row in flight?
 *
 * The program runs once in peace. Later runs of the same cases are killed, or their disk is full;
 * what they leave is compared with it. Names a folder of its own and needs $SWIZZLEBENCH. */
#ifndef SWIZZLEBENCH_TESTS_DISTURBED_H
#define SWIZZLEBENCH_TESTS_DISTURBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/result.h"

enum { DISTURBED_FAMILIES = 4 };

struct undisturbed {
    const char *program;
    const char *const *words;    /* of `run`: families and options, without --out; NULL ends them */
    const char *const *families; /* whose files it writes; NULL ends them */
    const char *const *columns;  /* that must be the same in every run; NULL: all of them */
    struct result_file files[DISTURBED_FAMILIES];
    double seconds; /* that it took */
};

/* Runs in peace, in a fresh folder below /tmp that becomes the current one. The words, families and
 * columns are given. Returns false where the machine lacks what they ask for (exit status 3).
 * undisturbed_remove undoes it, also after that. */
bool undisturbed_run(struct undisturbed *run);
void undisturbed_remove(struct undisturbed *run);

/* For cmocka_run_group_tests: what the model predicts for two families, in *state; needs no GPU. */
int undisturbed_model(void **state);
int undisturbed_model_remove(void **state);

/* Starts the same run into `out`; what it says goes to the file "err". A limit of 0 bytes a file is
 * none. */
pid_t disturbed_start(const struct undisturbed *run, const char *out, bool resume,
                      size_t file_limit_bytes);

/* Waits for its end, at most `seconds`: returns whether it came, and *status as waitpid has it. */
bool disturbed_ends(pid_t pid, double seconds, int *status);

/* Whole rows in `out`, all families together, without judging them. */
size_t disturbed_rows(const struct undisturbed *run, const char *out);

/* Each file in `out` must begin with the rows of the undisturbed one, in order and none twice; at
 * most `lost` may be failed, since a worker died. Fails the test otherwise. Returns the number of
 * rows. */
enum disturbed_left {
    LEFT_ROWS,       /* the last one may be unfinished, and does not count */
    LEFT_WHOLE_ROWS, /* and no byte more */
    LEFT_ALL,        /* every row */
};
size_t disturbed_check(const struct undisturbed *run, const char *out, size_t lost,
                       enum disturbed_left left);

/* What the file "err" has, as far as there is room. */
void disturbed_said(char *text, size_t bytes);

/* Fails the test where it does not have the words. */
void disturbed_says(const char *words);

/* Numbers from a seed: $SWIZZLEBENCH_SEED or the time. It is printed. */
uint64_t disturbed_seed(void);
double disturbed_random(uint64_t *state); /* 0 to 1 */

/* Kills the program and its worker by turns, `kills` times or until `most_s` are over, each at a
 * random moment, resumes with --resume after the program, and checks after each. Returns the number
 * of kills. */
unsigned disturbed_kills(const struct undisturbed *run, unsigned kills, double most_s);

#endif
