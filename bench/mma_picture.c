/* Pictures of who holds the elements of A, B and C. */
#include "bench/mma_picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/svg.h"

enum { MOST_TOGETHER = 32, TEXT_LINES = 64, TEXT_CELLS = 32, LABEL_BYTES = 32 };

/* ---- The map ------------------------------------------------------------------------------- */

static const struct mma_holder *holder_at(const struct mma_map *map, unsigned row, unsigned col)
{
    return &map->holders[row + (size_t)map->operand->rows * col];
}

static bool all_together(const struct mma_map *map, unsigned together)
{
    const struct mma_operand *operand = map->operand;
    if (operand->cols % together != 0 || operand->values % together != 0)
        return false;
    for (unsigned row = 0; row < operand->rows; row++) {
        for (unsigned col = 0; col < operand->cols; col++) {
            const struct mma_holder *first = holder_at(map, row, col - col % together);
            const struct mma_holder *holder = holder_at(map, row, col);
            if (holder->thread != first->thread || holder->value != first->value + col % together)
                return false;
        }
    }
    return true;
}

bool mma_map_open(const struct mma_operand *operand, struct mma_map *map, struct error *error)
{
    size_t elements = (size_t)operand->rows * operand->cols;
    *map = (struct mma_map){.operand = operand, .together = MOST_TOGETHER};
    map->holders = calloc(elements, sizeof *map->holders);
    if (!map->holders)
        return error_set(error, ERROR_MACHINE, "no memory for a map of %zu elements", elements);
    for (unsigned thread = operand->threads; thread-- > 0;) { /* the first thread comes last */
        for (unsigned value = 0; value < operand->values; value++) {
            struct mma_place place = mma_operand_place(operand, thread, value);
            map->holders[place.row + (size_t)operand->rows * place.col] =
                (struct mma_holder){thread, value};
        }
    }
    while (!all_together(map, map->together))
        map->together /= 2;
    return true;
}

void mma_map_close(struct mma_map *map)
{
    free(map->holders);
    map->holders = NULL;
}

/* "T5:0-1" */
static void label(const struct mma_map *map, unsigned row, unsigned col, char text[LABEL_BYTES])
{
    const struct mma_holder *holder = holder_at(map, row, col);
    if (map->together > 1)
        snprintf(text, LABEL_BYTES, "T%u:%u-%u", holder->thread, holder->value,
                 holder->value + map->together - 1);
    else
        snprintf(text, LABEL_BYTES, "T%u:%u", holder->thread, holder->value);
}

/* ---- Text ---------------------------------------------------------------------------------- */

static unsigned at_most(unsigned count, unsigned most)
{
    return count < most ? count : most;
}

static void print_left_out(unsigned lines, unsigned cells)
{
    if (lines > TEXT_LINES || cells > TEXT_CELLS)
        printf("... of %u lines of %u cells; --csv has all\n", lines, cells);
}

/* Characters of the widest label and a space. */
static int label_width(const struct mma_map *map)
{
    char text[LABEL_BYTES];
    unsigned last = map->operand->values - 1;
    return snprintf(text, sizeof text, map->together > 1 ? " T%u:%u-%u" : " T%u:%u",
                    map->operand->threads - 1, last, last);
}

void mma_map_print_elements(const struct mma_map *map)
{
    const struct mma_operand *operand = map->operand;
    unsigned cells = operand->cols / map->together;
    int width = label_width(map);
    printf("%c %-5s", mma_operand_col_mode(operand->which), "");
    for (unsigned cell = 0; cell < at_most(cells, TEXT_CELLS); cell++)
        printf("%*u", width, cell * map->together);
    putchar('\n');
    for (unsigned row = 0; row < at_most(operand->rows, TEXT_LINES); row++) {
        printf("%c %4u ", mma_operand_row_mode(operand->which), row);
        for (unsigned cell = 0; cell < at_most(cells, TEXT_CELLS); cell++) {
            char text[LABEL_BYTES];
            label(map, row, cell * map->together, text);
            printf("%*s", width, text);
        }
        putchar('\n');
    }
    print_left_out(operand->rows, cells);
}

void mma_map_print_threads(const struct mma_map *map)
{
    const struct mma_operand *operand = map->operand;
    unsigned cells = operand->values / map->together;
    char text[LABEL_BYTES];
    int width = snprintf(text, sizeof text, " %u,%u", operand->rows - 1, operand->cols - 1);
    width = width < 6 ? 6 : width;
    fputs("value ", stdout);
    for (unsigned cell = 0; cell < at_most(cells, TEXT_CELLS); cell++) {
        unsigned first = cell * map->together;
        snprintf(text, sizeof text, map->together > 1 ? "%u-%u" : "%u", first,
                 first + map->together - 1);
        printf(" %*s", width, text);
    }
    putchar('\n');
    for (unsigned thread = 0; thread < at_most(operand->threads, TEXT_LINES); thread++) {
        printf("T%-5u", thread);
        for (unsigned cell = 0; cell < at_most(cells, TEXT_CELLS); cell++) {
            struct mma_place place = mma_operand_place(operand, thread, cell * map->together);
            snprintf(text, sizeof text, "%u,%u", place.row, place.col);
            printf(" %*s", width, text);
        }
        putchar('\n');
    }
    print_left_out(operand->threads, cells);
}

/* ---- SVG ----------------------------------------------------------------------------------- */

enum {
    CELL_WIDTH = 76,
    CELL_HEIGHT = 18,
    NARROW_CELL_WIDTH = 58,
    LEFT = 48,
    TOP = 64,
    GAP = 40,
    MARGIN = 16,
    LEAST_WIDTH = 640
};

/* One operand: where its picture begins, and how large a cell is. Turned, its rows go across. */
struct panel {
    const struct mma_map *map;
    double x, y, cell_width;
    bool turned;
};

static double panel_width(const struct panel *panel)
{
    const struct mma_operand *operand = panel->map->operand;
    return panel->cell_width *
           (panel->turned ? operand->rows : operand->cols / panel->map->together);
}

static double panel_height(const struct panel *panel)
{
    const struct mma_operand *operand = panel->map->operand;
    return (double)CELL_HEIGHT *
           (panel->turned ? operand->cols / panel->map->together : operand->rows);
}

/* Threads by number, warps where there are several. */
static int colour(const struct mma_operand *operand, unsigned thread)
{
    return (int)(operand->threads > SWB_LANES ? thread / SWB_LANES : thread) % 8;
}

static void draw_cell(struct svg *svg, const struct panel *panel, unsigned row, unsigned col)
{
    char text[LABEL_BYTES];
    unsigned cell = col / panel->map->together;
    double x = panel->x + (panel->turned ? row : cell) * panel->cell_width;
    double y = panel->y + (double)(panel->turned ? cell : row) * CELL_HEIGHT;
    label(panel->map, row, col, text);
    svg_box(svg, x, y, panel->cell_width, CELL_HEIGHT,
            colour(panel->map->operand, holder_at(panel->map, row, col)->thread));
    svg_text(svg, x + panel->cell_width / 2, y + 13, 9, SVG_MIDDLE, "%s", text);
}

/* Numbers of the rows and columns along the two sides. */
static void draw_numbers(struct svg *svg, const struct panel *panel)
{
    const struct mma_operand *operand = panel->map->operand;
    char row_mode = mma_operand_row_mode(operand->which);
    char col_mode = mma_operand_col_mode(operand->which);
    for (unsigned row = 0; row < operand->rows; row++) {
        if (panel->turned)
            svg_text(svg, panel->x + (row + 0.5) * panel->cell_width, panel->y - 5, 9, SVG_MIDDLE,
                     "%c %u", row_mode, row);
        else
            svg_text(svg, panel->x - 4, panel->y + row * (double)CELL_HEIGHT + 13, 9, SVG_RIGHT,
                     "%c %u", row_mode, row);
    }
    for (unsigned col = 0; col < operand->cols; col += panel->map->together) {
        unsigned cell = col / panel->map->together;
        if (panel->turned)
            svg_text(svg, panel->x - 4, panel->y + cell * (double)CELL_HEIGHT + 13, 9, SVG_RIGHT,
                     "%c %u", col_mode, col);
        else
            svg_text(svg, panel->x + (cell + 0.5) * panel->cell_width, panel->y - 5, 9, SVG_MIDDLE,
                     "%c %u", col_mode, col);
    }
}

static void draw_panel(struct svg *svg, const struct panel *panel)
{
    const struct mma_operand *operand = panel->map->operand;
    svg_text(svg, panel->x - 4, panel->y - 18, 13, SVG_RIGHT, "%c",
             mma_operand_letter(operand->which));
    draw_numbers(svg, panel);
    for (unsigned row = 0; row < operand->rows; row++) {
        for (unsigned col = 0; col < operand->cols; col += panel->map->together)
            draw_cell(svg, panel, row, col);
    }
}

bool mma_picture_svg(const char *path, const char *title,
                     const struct mma_map *const maps[SWB_MMA_OPERANDS], struct error *error)
{
    struct panel a = {maps[SWB_MMA_A], LEFT, TOP, CELL_WIDTH, false};
    struct panel b = {maps[SWB_MMA_B], LEFT, TOP, NARROW_CELL_WIDTH, true};
    struct panel c = {maps[SWB_MMA_C], LEFT, TOP, 2 * NARROW_CELL_WIDTH, false};
    double height, width;
    struct svg svg;
    if (c.map->together == 1)
        c.cell_width = NARROW_CELL_WIDTH;
    if (a.map)
        b.x = c.x = LEFT + panel_width(&a) + GAP + LEFT;
    if (b.map)
        a.y = c.y = TOP + panel_height(&b) + GAP;
    width = c.x + panel_width(&c) + MARGIN;
    height = c.y + panel_height(&c) + MARGIN;
    if (!svg_open(&svg, path, width < LEAST_WIDTH ? LEAST_WIDTH : width, height, error))
        return false;
    svg_text(&svg, MARGIN, 20, 14, SVG_LEFT, "%s", title);
    svg_text(&svg, MARGIN, 36, 11, SVG_LEFT, "thread:values in each cell, coloured by %s",
             c.map->operand->threads > SWB_LANES
                 ? "warp; where several threads hold an element, the first"
                 : "thread");
    if (a.map)
        draw_panel(&svg, &a);
    if (b.map)
        draw_panel(&svg, &b);
    draw_panel(&svg, &c);
    return svg_close(&svg, error);
}
