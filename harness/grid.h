/* A small table of texts, printed as aligned text, as CSV or as Markdown. */
#ifndef SWIZZLEBENCH_HARNESS_GRID_H
#define SWIZZLEBENCH_HARNESS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum grid_style { GRID_TEXT, GRID_CSV, GRID_MARKDOWN };

enum { GRID_MAX_COLUMNS = 24 };

struct grid {
    size_t columns;
    char **cells; /* row by row, the header first */
    size_t count, room;
    bool failed; /* there was no memory for a cell */
};

/* An empty grid with a header of `columns` cells. */
void grid_start(struct grid *grid, const char *const *header, size_t columns);

/* The next cell; a row is full after as many as the header has. */
void grid_cell(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Rows behind the header that are full. */
size_t grid_rows(const struct grid *grid);

/* Prints the grid. Columns of numbers are aligned to the right. But for CSV, which is for programs,
 * what a terminal would obey is shown as text_visible does. Returns false, having printed
 * nothing, where there was no memory for a cell. */
bool grid_print(const struct grid *grid, enum grid_style style, FILE *to);
void grid_free(struct grid *grid);

/* Writes words that come from outside beside a grid of this style, so that neither a terminal nor a
 * page obeys them. */
void grid_put_words(const char *words, enum grid_style style, FILE *to);

#endif
