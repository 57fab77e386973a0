/* Where do the signs of a text end, is it UTF-8 that a page may hold, and what can stand in it for
 * what is none? */
#ifndef SWIZZLEBENCH_HARNESS_UTF8_H
#define SWIZZLEBENCH_HARNESS_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Code points, both ends among them. */
struct utf8_range {
    unsigned long first, last;
};

/* The bytes of the sign that the NUL-terminated text begins with. 0 where it begins with none that
 * is well-formed (Unicode, table 3-7), or with one that is hidden; the NUL is code 0. */
size_t utf8_shown(const char *text, const struct utf8_range *hidden, size_t count);

/* Well-formed UTF-8 (Unicode, table 3-7), without controls other than line ends and tabs. */
bool utf8_is_clean(const char *text);

/* The text with U+FFFD in the place of each byte that keeps it from being so, for free(). NULL: no
 * memory. */
char *utf8_clean(const char *text);

#endif
