/* Is a text UTF-8 that a page may hold, and what can stand in it for what is none? */
#ifndef SWIZZLEBENCH_HARNESS_UTF8_H
#define SWIZZLEBENCH_HARNESS_UTF8_H

#include <stdbool.h>

/* Well-formed UTF-8 (Unicode, table 3-7), without controls other than line ends and tabs. */
bool utf8_is_clean(const char *text);

/* The text with U+FFFD in the place of each byte that keeps it from being so, for free(). NULL: no
 * memory. */
char *utf8_clean(const char *text);

#endif
