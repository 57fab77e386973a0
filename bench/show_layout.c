/* Where does a layout put each element? `swizzlebench show layout` */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/placed.h"
#include "bench/show.h"
#include "bench/svg.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench show layout LAYOUT --elem-bits B [--tile RxC] [--stack col|row]\n"
    "                                [--base BYTES] [--svg FILE | --csv]\n"
    "\n"
    "LAYOUT is in CuTe's notation or a name, as in `swizzlebench predict --help`. A name without\n"
    "--tile shows one swizzle atom.\n"
    "\n"
    "The picture has a line for each run of neighbours in memory (a row of a K-major tile, a\n"
    "column of an MN-major one), cut into chunks of up to 16 bytes that stay whole.\n"
    "\n"
    "  --csv       row,col,byte_offset of every element, from the tile's base; elements of less\n"
    "              than a byte: the byte that they begin in\n"
    "  --svg FILE  the picture as SVG\n"
    "  --help\n";

enum answer { ELEM_BITS = 256, TILE, STACK, BASE, SVG, CSV };

static const struct option known[] = {
    {"elem-bits", required_argument, NULL, ELEM_BITS},
    {"tile", required_argument, NULL, TILE},
    {"stack", required_argument, NULL, STACK},
    {"base", required_argument, NULL, BASE},
    {"svg", required_argument, NULL, SVG},
    {"csv", no_argument, NULL, CSV},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

struct show_options {
    struct placed_words words;
    const char *svg;
    bool csv, help;
};

static bool read_options(int argc, char **argv, struct show_options *options, struct error *error)
{
    optind = 0;
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (answer == ELEM_BITS)
            options->words.elem_bits = optarg;
        if (answer == TILE)
            options->words.tile = optarg;
        if (answer == STACK)
            options->words.stack = optarg;
        if (answer == BASE)
            options->words.base = optarg;
        if (answer == SVG)
            options->svg = optarg;
        options->csv = options->csv || answer == CSV;
        options->help = options->help || answer == 'h';
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (options->help)
        return true;
    if (argc - optind != 1)
        return error_set(error, ERROR_INPUT, "one layout is needed; %d are given", argc - optind);
    options->words.layout = argv[optind];
    return true;
}

static void print_csv(const struct placed *placed)
{
    puts("row,col,byte_offset");
    for (unsigned row = 0; row < placed->rows; row++) {
        for (unsigned col = 0; col < placed->cols; col++)
            printf("%u,%u,%" PRId64 "\n", row, col,
                   placed_bit_address(placed, row, col, 0) / 8 - placed->base_bytes);
    }
}

/* ---- The grid: lines of chunks ------------------------------------------------------------ */

enum { MOST_CHUNK_BYTES = 16, TEXT_LINES = 64, TEXT_CHUNKS = 32 };

struct grid {
    const struct placed *placed;
    unsigned chunk_bytes; /* 0: elements lie across bytes, and no chunk is whole */
    unsigned chunks;      /* of a line */
};

static bool is_whole(const struct placed *placed, unsigned line, unsigned byte, unsigned bytes)
{
    int64_t first = placed_byte_address(placed, line, byte);
    if (first < 0 || first % bytes != 0)
        return false;
    for (unsigned i = 1; i < bytes; i++) {
        if (placed_byte_address(placed, line, byte + i) != first + i)
            return false;
    }
    return true;
}

static bool all_whole(const struct placed *placed, unsigned bytes)
{
    if (placed->line_bytes == 0 || placed->line_bytes % bytes != 0)
        return false;
    for (unsigned line = 0; line < placed->lines; line++) {
        for (unsigned byte = 0; byte < placed->line_bytes; byte += bytes) {
            if (!is_whole(placed, line, byte, bytes))
                return false;
        }
    }
    return true;
}

static struct grid grid_of(const struct placed *placed)
{
    struct grid grid = {.placed = placed, .chunk_bytes = MOST_CHUNK_BYTES};
    while (grid.chunk_bytes > 0 && !all_whole(placed, grid.chunk_bytes))
        grid.chunk_bytes /= 2;
    grid.chunks = grid.chunk_bytes ? placed->line_bytes / grid.chunk_bytes : 0;
    return grid;
}

static unsigned chunk_address(const struct grid *grid, unsigned line, unsigned chunk)
{
    return (unsigned)placed_byte_address(grid->placed, line, chunk * grid->chunk_bytes);
}

static unsigned bank_of(unsigned address)
{
    return address / SWB_BANK_BYTES % SWB_BANKS;
}

/* The first of a line's elements in a chunk. */
static unsigned first_element(const struct grid *grid, unsigned chunk)
{
    return chunk * grid->chunk_bytes * 8 / grid->placed->elem_bits;
}

static void print_head(const struct placed *placed)
{
    struct swb_composed composed = placed->composed;
    struct swb_tuple by_mode;
    char text[PLACED_NAME_BYTES];
    printf("%s: %u x %u elements of %u bits in %u bytes", placed->name, placed->rows, placed->cols,
           placed->elem_bits, placed->smem_bytes);
    if (placed->base_bytes > 0)
        printf(" from byte %u", placed->base_bytes);
    putchar('\n');
    if (placed->tile.mode || !swb_tuple_parse("(1,1)", &by_mode, NULL) ||
        !swb_coalesce_by(&composed.layout, &by_mode, &composed.layout, NULL))
        return;
    swb_composed_print(&composed, text, sizeof text);
    if (strcmp(text, placed->name) != 0)
        printf("= %s\n", text);
}

static void print_grid(const struct grid *grid)
{
    const struct placed *placed = grid->placed;
    unsigned lines = placed->lines < TEXT_LINES ? placed->lines : TEXT_LINES;
    unsigned chunks = grid->chunks < TEXT_CHUNKS ? grid->chunks : TEXT_CHUNKS;
    printf("each line is a %s; each cell %u byte%s: offset/bank\n\n%6s",
           placed->lines_are_rows ? "row" : "column", grid->chunk_bytes,
           grid->chunk_bytes == 1 ? "" : "s", placed->lines_are_rows ? "col" : "row");
    for (unsigned chunk = 0; chunk < chunks; chunk++)
        printf(" %8u", first_element(grid, chunk));
    for (unsigned line = 0; line < lines; line++) {
        printf("\n%s %2u", placed->lines_are_rows ? "row" : "col", line);
        for (unsigned chunk = 0; chunk < chunks; chunk++) {
            unsigned address = chunk_address(grid, line, chunk);
            printf(" %5u/%-2u", address - placed->base_bytes, bank_of(address));
        }
    }
    putchar('\n');
    if (lines < placed->lines || chunks < grid->chunks)
        printf("... of %u lines of %u cells; --csv has all\n", placed->lines, grid->chunks);
}

/* Elements that share bytes, or that the layout scatters bit by bit. */
static void print_elements(const struct placed *placed)
{
    unsigned rows = placed->rows < TEXT_LINES ? placed->rows : TEXT_LINES;
    unsigned cols = placed->cols < TEXT_CHUNKS ? placed->cols : TEXT_CHUNKS;
    printf("each cell an element: byte offset.bit\n");
    for (unsigned row = 0; row < rows; row++) {
        printf("row %2u", row);
        for (unsigned col = 0; col < cols; col++) {
            int64_t bits = placed_bit_address(placed, row, col, 0);
            printf(" %6" PRId64 ".%u", bits / 8 - placed->base_bytes, (unsigned)(bits % 8));
        }
        putchar('\n');
    }
    if (rows < placed->rows || cols < placed->cols)
        printf("... of %u rows and %u columns; --csv has all\n", placed->rows, placed->cols);
}

/* ---- SVG ---------------------------------------------------------------------------------- */

enum { CELL_WIDTH = 58, CELL_HEIGHT = 20, LEFT = 64, TOP = 70, MARGIN = 16 };

static bool draw(const struct grid *grid, const char *path, struct error *error)
{
    const struct placed *placed = grid->placed;
    const char *line_name = placed->lines_are_rows ? "row" : "col";
    struct svg svg;
    if (grid->chunk_bytes == 0)
        return error_set(error, ERROR_INPUT, "--svg: no byte of a line of %s stays whole",
                         placed->name);
    double width = LEFT + (double)grid->chunks * CELL_WIDTH + MARGIN;
    if (!svg_open(&svg, path, width < 640 ? 640 : width,
                  TOP + (double)placed->lines * CELL_HEIGHT + MARGIN, error))
        return false;
    svg_text(&svg, MARGIN, 22, 14, SVG_LEFT, "%s", placed->name);
    svg_text(&svg, MARGIN, 40, 11, SVG_LEFT,
             "Cells are chunks of %u bytes with their byte offset, coloured by the 16-byte bank "
             "group that holds them.",
             grid->chunk_bytes);
    for (unsigned chunk = 0; chunk < grid->chunks; chunk++)
        svg_text(&svg, LEFT + (chunk + 0.5) * CELL_WIDTH, TOP - 6, 10, SVG_MIDDLE, "%s %u",
                 placed->lines_are_rows ? "col" : "row", first_element(grid, chunk));
    for (unsigned line = 0; line < placed->lines; line++) {
        double y = TOP + (double)line * CELL_HEIGHT;
        svg_text(&svg, LEFT - 6, y + 14, 10, SVG_RIGHT, "%s %u", line_name, line);
        for (unsigned chunk = 0; chunk < grid->chunks; chunk++) {
            unsigned address = chunk_address(grid, line, chunk);
            double x = LEFT + (double)chunk * CELL_WIDTH;
            svg_box(&svg, x, y, CELL_WIDTH, CELL_HEIGHT, (int)(bank_of(address) / 4));
            svg_text(&svg, x + CELL_WIDTH / 2.0, y + 14, 10, SVG_MIDDLE, "%u",
                     address - placed->base_bytes);
        }
    }
    return svg_close(&svg, error);
}

static int show_layout_main(int argc, char **argv)
{
    struct show_options options = {.csv = false};
    struct error error = {.kind = ERROR_NONE};
    struct placed placed;
    char sentence[PLACED_NAME_BYTES + 128];
    if (!read_options(argc, argv, &options, &error))
        return complain("show layout", &error);
    if (options.help) {
        fputs(help, stdout);
        return 0;
    }
    if (!placed_read(&options.words, &placed, &error))
        return complain("show layout", &error);
    placed_print_notes("show layout", &placed);
    if (placed_collision(&placed, sentence, sizeof sentence))
        fprintf(stderr, "swizzlebench show layout: warning: %s\n", sentence);
    if (options.csv) {
        print_csv(&placed);
        return 0;
    }
    struct grid grid = grid_of(&placed);
    if (options.svg)
        return draw(&grid, options.svg, &error) ? 0 : complain("show layout", &error);
    print_head(&placed);
    if (grid.chunk_bytes > 0)
        print_grid(&grid);
    else
        print_elements(&placed);
    return 0;
}

const struct command show_layout = {
    .name = "layout",
    .summary = "where each element of a tile lies in shared memory",
    .run = show_layout_main,
};
