/* What stands within a line of Markdown, as HTML. */
#ifndef SWIZZLEBENCH_HARNESS_MARKDOWN_INLINE_H
#define SWIZZLEBENCH_HARNESS_MARKDOWN_INLINE_H

#include <stddef.h>
#include <stdio.h>

void markdown_inline(FILE *to, const char *text, size_t length);

#endif
