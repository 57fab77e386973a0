/* What the fuzz targets share: their input as a text, as words or as a file, and what must hold.
 *
 * A target is LLVMFuzzerTestOneInput() in tests/fuzz/fuzz_NAME.c: it takes any bytes, hands them to
 * one parser, and asks of what was read that it is whole: printed and read again it is the same,
 * within its limits, in agreement with the model. */
#ifndef SWIZZLEBENCH_TESTS_FUZZ_H
#define SWIZZLEBENCH_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Says what does not hold and aborts, which libFuzzer takes for a finding. */
#define FUZZ_CHECK(holds) ((holds) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #holds))
_Noreturn void fuzz_broken(const char *file, int line, const char *what);

/* A refusal must be ERROR_INPUT, in one line; `read` is whether there was none. Returns it. */
bool fuzz_read_or_refused(bool read, const struct error *error);

/* The bytes up to the first NUL, in memory of just their size; for free(). */
char *fuzz_text(const uint8_t *data, size_t bytes);

/* The lines of the input as words, NULL for an empty or missing one. */
struct fuzz_words {
    char *text;
    const char *at[16];
};
struct fuzz_words fuzz_words(const uint8_t *data, size_t bytes);
void fuzz_words_free(struct fuzz_words *words);

/* Puts the bytes into the file `number` (0 or 1), which lies in memory. Returns its path. */
const char *fuzz_file(unsigned number, const uint8_t *data, size_t bytes);

/* A stream into memory that is thrown away, and what was printed to it: NUL-terminated, valid until
 * the next call. */
FILE *fuzz_print(void);
const char *fuzz_printed(FILE *to);

#endif
