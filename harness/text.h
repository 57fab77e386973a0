/* Small work on words: the nearest known one, a list in a line, a name fit for a folder. */
#ifndef SWIZZLEBENCH_HARNESS_TEXT_H
#define SWIZZLEBENCH_HARNESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* "NVIDIA H200" -> "nvidia-h200": lower case, every run of other signs one hyphen. */
void text_slug(const char *name, char *slug, size_t bytes);

/* The known word that `word` was probably meant to be, or NULL. */
const char *text_nearest(const char *word, const char *const *known, size_t count);

/* Appends `part` to the NUL-terminated `text`, with `separator` between when text is not empty;
 * what does not fit is left off. */
void text_append(char *text, size_t bytes, const char *separator, const char *part);

/* "did you mean 'shared'? " (or nothing) and then "known: shared, tma": the end of a line about an
 * unknown word. */
void text_suggest(const char *word, const char *const *known, size_t count, char *text,
                  size_t bytes);

/* Copies the text so that a terminal shows it and obeys nothing of it: a line end becomes a blank,
 * and each byte of a control character, of one that turns the direction of writing, or of no UTF-8
 * becomes \x1b or the like. What does not fit is left off. */
void text_visible(const char *text, char *shown, size_t bytes);

/* Writes the whole text in the same way. */
void text_put(const char *text, FILE *to);

/* Whether all of the text is one finite number, and which. */
bool text_number(const char *text, double *value);

/* The words of argv as one line for a shell, behind "swizzlebench". */
void text_command(int argc, char *const *argv, char *text, size_t bytes);

#endif
