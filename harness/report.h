/* How does a folder of results become one page that a person can read, as Markdown and as HTML?
 *
 * The Markdown comes first, the page is made from it: so the two say the same. */
#ifndef SWIZZLEBENCH_HARNESS_REPORT_H
#define SWIZZLEBENCH_HARNESS_REPORT_H

#include <stdio.h>

#include "harness/grid.h"
#include "harness/report_folder.h"

/* Writes the report as Markdown: the machine, the method, each file's question, plots, findings,
 * numbers and the rows that were not measured, the claims, what is left out, how to do it again.
 * `findings` is what scripts/findings printed, or NULL; `claims` is a table of them. What is no
 * UTF-8 in any of these is U+FFFD. Returns false where memory was lacking. */
bool report_markdown(const struct report_folder *folder, const char *findings, const char *claims,
                     FILE *to);

/* Writes that Markdown as a page that needs no other file: style and plots are inside. */
void report_html(const struct report_folder *folder, const char *markdown, FILE *to);

/* ---- Its parts ----------------------------------------------------------------------------- */

struct report_counts {
    size_t status[ROW_FAILED + 1]; /* rows, by enum row_status */
    size_t verified, wrong;        /* "yes" and "no" */
};
struct report_counts report_count(const struct result_file *file);

/* A table of every column that holds numbers: least, median and most of the rows that are ok; and
 * the columns that hold none. */
bool report_numbers(const struct report_file *file, FILE *to);

/* A table of the rows that are not ok, each with its reason; of rows skipped for one and the same
 * reason the first ones, and how many more. */
bool report_rows(const struct report_file *file, FILE *to);

/* The blocks of the findings that are of this file. Returns false where there are none. */
bool report_findings(const char *findings, const char *name, FILE *to);

/* Is it what scripts/findings prints? */
bool report_is_findings(const char *text);

/* Text as Markdown, nothing of which is taken for a mark: in a line, and in a cell. */
bool report_put(FILE *to, const char *text);
void report_cell(struct grid *grid, const char *text);

/* An SVG picture in which all ids begin with "pNUMBER-", so that a page can hold several, and
 * without its <title>s: gnuplot's say "gnuplot_plot_1" when pointed at. */
void report_svg(FILE *to, const char *svg, size_t number);

extern const char *const report_style[]; /* CSS, line by line; NULL-terminated */

#endif
