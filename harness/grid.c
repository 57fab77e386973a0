/* How is a small table printed as text, as CSV and as Markdown? */
#include "harness/grid.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/csv.h"
#include "harness/markdown.h"
#include "harness/text.h"

static bool has_room(struct grid *grid)
{
    if (grid->count < grid->room)
        return true;
    size_t room = grid->room ? 2 * grid->room : 256;
    char **larger = realloc(grid->cells, room * sizeof *larger);
    if (!larger)
        return false;
    grid->cells = larger;
    grid->room = room;
    return true;
}

void grid_cell(struct grid *grid, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (!has_room(grid) || vasprintf(&text, format, arguments) < 0)
        grid->failed = true;
    else
        grid->cells[grid->count++] = text;
    va_end(arguments);
}

void grid_start(struct grid *grid, const char *const *header, size_t columns)
{
    *grid = (struct grid){.columns = columns};
    for (size_t i = 0; i < columns; i++)
        grid_cell(grid, "%s", header[i]);
}

size_t grid_rows(const struct grid *grid)
{
    size_t rows = grid->count / grid->columns;
    return rows > 0 ? rows - 1 : 0;
}

static const char *cell(const struct grid *grid, size_t row, size_t column)
{
    return grid->cells[row * grid->columns + column];
}

/* "16 lanes of 8 bytes make a phase" begins with a digit and is no number. */
static bool is_sentence(const char *text)
{
    size_t blanks = 0;
    for (; *text; text++)
        blanks += *text == ' ';
    return blanks > 2;
}

/* A column of numbers, all cells behind the header: empty, or of a digit behind signs. */
static bool is_numeric(const struct grid *grid, size_t column)
{
    for (size_t row = 1; row <= grid_rows(grid); row++) {
        const char *text = cell(grid, row, column);
        if (*text && (is_sentence(text) || !isdigit((unsigned char)text[strspn(text, "+-")])))
            return false;
    }
    return true;
}

static size_t width_of(const struct grid *grid, size_t column)
{
    size_t width = 0;
    for (size_t row = 0; row <= grid_rows(grid); row++) {
        size_t length = strlen(cell(grid, row, column));
        width = length > width ? length : width;
    }
    return width;
}

/* Spaces are put before the next cell that holds something, so that no line ends with one. */
static void print_text(const struct grid *grid, FILE *to)
{
    size_t widths[GRID_MAX_COLUMNS] = {0};
    bool numeric[GRID_MAX_COLUMNS] = {false};
    for (size_t c = 0; c < grid->columns; c++) {
        widths[c] = width_of(grid, c);
        numeric[c] = is_numeric(grid, c);
    }
    for (size_t row = 0; row <= grid_rows(grid); row++) {
        size_t owed = 2;
        for (size_t c = 0; c < grid->columns; c++) {
            const char *text = cell(grid, row, c);
            size_t length = strlen(text), rest = widths[c] - length;
            if (length > 0)
                fprintf(to, "%*s%s", (int)(owed + (numeric[c] ? rest : 0)), "", text);
            owed = length == 0 ? owed + widths[c] + 2 : 2 + (numeric[c] ? 0 : rest);
        }
        fputc('\n', to);
    }
}

/* What is a bar or a tag to a reader of Markdown gets a backslash, unless whoever filled the cell
 * gave it one: a cell may hold Markdown of its own. A second backslash before it takes the first
 * one's meaning away. */
static void put_markdown_cell(const char *text, FILE *to)
{
    bool escaped = false;
    fputs(" ", to);
    for (; *text; text++) {
        if ((*text == '|' || *text == '<') && !escaped)
            fputc('\\', to);
        fputc(*text, to);
        escaped = *text == '\\' && !escaped;
    }
    fputs(" |", to);
}

static void print_markdown(const struct grid *grid, FILE *to)
{
    for (size_t row = 0; row <= grid_rows(grid); row++) {
        fputc('|', to);
        for (size_t c = 0; c < grid->columns; c++)
            put_markdown_cell(cell(grid, row, c), to);
        fputc('\n', to);
        if (row > 0)
            continue;
        fputc('|', to);
        for (size_t c = 0; c < grid->columns; c++)
            fputs(is_numeric(grid, c) ? " --: |" : " --- |", to);
        fputc('\n', to);
    }
}

static void print_csv(const struct grid *grid, FILE *to)
{
    for (size_t row = 0; row <= grid_rows(grid); row++) {
        for (size_t c = 0; c < grid->columns; c++) {
            if (c > 0)
                fputc(',', to);
            csv_put(to, cell(grid, row, c));
        }
        fputc('\n', to);
    }
}

/* The cells as a reader may see them, see text_visible. */
static struct grid visible(const struct grid *grid)
{
    struct grid shown = {.columns = grid->columns, .failed = grid->failed};
    for (size_t i = 0; i < grid->count && !shown.failed; i++) {
        size_t bytes = 4 * strlen(grid->cells[i]) + 1;
        char *text = malloc(bytes);
        shown.failed = !text;
        if (text) {
            text_visible(grid->cells[i], text, bytes);
            grid_cell(&shown, "%s", text);
        }
        free(text);
    }
    return shown;
}

bool grid_print(const struct grid *grid, enum grid_style style, FILE *to)
{
    if (style == GRID_CSV) {
        if (!grid->failed)
            print_csv(grid, to);
        return !grid->failed;
    }
    struct grid shown = visible(grid);
    bool printed = !shown.failed;
    if (printed && style == GRID_MARKDOWN)
        print_markdown(&shown, to);
    else if (printed)
        print_text(&shown, to);
    grid_free(&shown);
    return printed;
}

void grid_free(struct grid *grid)
{
    for (size_t i = 0; i < grid->count; i++)
        free(grid->cells[i]);
    free(grid->cells);
    *grid = (struct grid){.columns = 0};
}

void grid_put_words(const char *words, enum grid_style style, FILE *to)
{
    char *escaped = style == GRID_MARKDOWN ? markdown_escape(words) : NULL;
    text_put(escaped ? escaped : words, to);
    free(escaped);
}
