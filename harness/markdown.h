/* The part of Markdown that reports and scripts/findings write, and how it becomes HTML.
 *
 * Blocks: headings, paragraphs, bullets of one line, tables, fenced code, and pictures that have a
 * line to themselves. Within a line: `code`, **bold**, *italic*, [links](#within-the-page), and a
 * backslash before what is to stay as it is. All else is text, HTML too.
 */
#ifndef SWIZZLEBENCH_HARNESS_MARKDOWN_H
#define SWIZZLEBENCH_HARNESS_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

/* The text with a backslash before all that Markdown or HTML would take for their own, for free();
 * a line end becomes a blank. The bars of table cells are left to grid_print. NULL: no memory. */
char *markdown_escape(const char *text);

/* Writes the picture that ![what](name) asks for. */
typedef void markdown_picture(FILE *to, const char *name, const char *what, const void *context);

/* Writes the Markdown as HTML, without the page around it. Headings of the second level get an id:
 * their text as text_slug has it. Errors stay in the stream. */
void markdown_to_html(const char *markdown, markdown_picture *picture, const void *context,
                      FILE *to);

/* Text for HTML, of `length` bytes. */
void html_put(FILE *to, const char *text, size_t length);

#endif
