/* How many boxes of TMA does a tile take, and what of it does the tensor core see? Claims S14, S15
 * and S16. */
#include <math.h>

#include "bench/claims_rows.h"
#include "bench/tma_words.h"
#include "harness/text.h"
#include "model/swizzlebench.h"

enum {
    ELEM_BITS = 16,
    ELEM_BYTES = 2,
    ATOM_LINES = 8,
    BOX_MOST = 256,
    CAPABILITY = 90,
    SECTOR_BYTES = 32
};

static struct swb_tile tile_of(const char *layout, enum swb_stack stack, unsigned rows,
                               unsigned line_bytes)
{
    struct swb_tile tile = {
        .stack = stack, .rows = rows, .cols = line_bytes / ELEM_BYTES, .elem_bits = ELEM_BITS};
    tile.mode = swb_layout_find(layout, &tile.major);
    return tile;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* A box of a K-major tile: `lines` rows of `spans` pieces of a span each, which lie one behind the
 * other in shared memory as the stacking has them. Dimensions: the bytes of a span, then of a
 * column of atoms its rows and the next column; or of a row of atoms 8 rows, the next atom along
 * the row, the next row of atoms. */
static struct swb_tma_map map_of(const struct swb_tile *tile, enum swb_stack stack, unsigned lines,
                                 unsigned spans)
{
    const uint64_t pitch = 8192, span = tile->mode->span_bytes, far = BOX_MOST;
    struct swb_tma_map map = {.dtype = tma_words_number(SWB_TMA_DTYPE, "bf16"),
                              .rank = 4,
                              .dims = {span / ELEM_BYTES, far, far, far},
                              .box = {tile->mode->span_bytes / ELEM_BYTES},
                              .element_strides = {1, 1, 1, 1},
                              .swizzle = tile->mode->tma_number - 1};
    const uint64_t column[] = {pitch, span, pitch * far}, row[] = {pitch, span, pitch * ATOM_LINES};
    const unsigned of_column[] = {lines, spans, 1},
                   of_row[] = {ATOM_LINES, spans, lines / ATOM_LINES};
    for (unsigned i = 0; i < 3; i++) {
        map.strides[i] = stack == SWB_STACK_COL ? column[i] : row[i];
        map.box[i + 1] = stack == SWB_STACK_COL ? of_column[i] : of_row[i];
    }
    return map;
}

/* Row and column of the tile that line number `line` of such a box brings. */
static void line_of(const struct swb_tma_map *map, enum swb_stack stack, unsigned line,
                    unsigned *row, unsigned *span)
{
    unsigned i = line % map->box[1], j = line / map->box[1] % map->box[2],
             k = line / (map->box[1] * map->box[2]);
    *row = stack == SWB_STACK_COL ? i : k * ATOM_LINES + i;
    *span = j;
}

/* Does a box of so much of the tile, from its first element on, lie just as the tile has it? */
static bool is_placed(const struct swb_tile *tile, enum swb_stack stack, unsigned lines,
                      unsigned spans)
{
    const struct swb_tma_map map = map_of(tile, stack, lines, spans);
    if (swb_tma_check(&map, CAPABILITY, NULL, 0) > 0)
        return false;
    const struct swb_tma_box box = swb_tma_box_of(&map, 0);
    for (unsigned line = 0; line < lines * spans; line++) {
        unsigned row, span;
        line_of(&map, stack, line, &row, &span);
        for (unsigned byte = 0; byte < box.inner_bytes; byte += ELEM_BYTES)
            if (swb_tma_box_address(&box, line, byte) !=
                swb_tile_byte_offset(tile, row,
                                     (span * tile->mode->span_bytes + byte) / ELEM_BYTES))
                return false;
    }
    return true;
}

/* Boxes of one span's width that the tile takes, as high as one can be: in them rows follow each
 * other. A tensor map of rank 2 has no others. */
static unsigned narrow_boxes(const struct swb_tile *tile)
{
    unsigned highest = 0, spans = swb_tile_line_bytes(tile) / tile->mode->span_bytes;
    for (unsigned lines = ATOM_LINES; lines <= tile->rows; lines += ATOM_LINES)
        if (is_placed(tile, SWB_STACK_COL, lines, 1))
            highest = lines;
    return highest ? spans * ((tile->rows + highest - 1) / highest) : 0;
}

static bool one_box_holds(const struct swb_tile *tile)
{
    return is_placed(tile, tile->stack, tile->rows,
                     swb_tile_line_bytes(tile) / tile->mode->span_bytes);
}

/* A tile that copy.csv loads by TMA: boxes, sectors, clocks. NAN: that is not known. */
struct tile_load {
    const char *what;
    double boxes, sectors, cycles;
    bool wrong; /* the bytes were */
};

#define TILE_LOAD(path, tile, stacking)                                                            \
    "path=" path "," tile ",stacking=" stacking ",source=L2,stages=4"

static struct tile_load look_up(const struct compare_side *side, const char *what,
                                const char *filter, struct claim_answer *answer)
{
    struct tile_load load = {what, NAN, NAN, NAN, false};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "copy", filter);
    while (claim_rows_next(&rows)) {
        load.boxes = claim_number(&rows, "instructions");
        load.sectors = claim_number(&rows, "hw_sectors");
        load.cycles = claim_number(&rows, "cycles_per_tile");
        claim_rest_on_row(answer, &rows, rows.row);
    }
    load.wrong = rows.verified.no > 0;
    if (load.wrong)
        claim_rest_on_row(answer, &rows, rows.verified.no_row);
    return load;
}

static void say_load(struct claim_answer *answer, const struct tile_load *load)
{
    if (load->wrong)
        claim_say(answer, "but what copy.csv loaded %s was wrong", load->what);
    if (!(load->boxes > 0))
        return;
    claim_say(answer, "%s copy.csv takes %.0f", load->what, load->boxes);
    if (isfinite(load->sectors))
        claim_say_on(answer, ", %.4g sectors", load->sectors);
    if (isfinite(load->cycles))
        claim_say_on(answer, ", %.4g clk a tile", load->cycles);
}

/* Was the tile loaded, and in another number of boxes? */
static bool takes_others(const struct tile_load *load, unsigned boxes)
{
    return load->boxes > 0 && load->boxes != boxes;
}

/* Was the tile loaded, and not with just the sectors that so many bytes are? */
static bool has_other_sectors(const struct tile_load *load, unsigned bytes)
{
    return isfinite(load->sectors) && load->sectors != bytes / SECTOR_BYTES;
}

/* ---- S14 ----------------------------------------------------------------------------------- */

#define S14_LOAD(path) TILE_LOAD(path, "layout=K/128B,tile=64x256B", "col")

CLAIM_RULE(s14)
{
    const struct swb_tile tile =
        tile_of("K/128B", SWB_STACK_COL, claim->claimed[1], claim->claimed[2]);
    unsigned narrow = narrow_boxes(&tile);
    bool one = one_box_holds(&tile);
    struct tile_load boxes = look_up(side, "in boxes of rank 2", S14_LOAD("tma-load"), answer),
                     whole = look_up(side, "in one box", S14_LOAD("tma-load.whole"), answer);
    const struct claim_rows products =
        claim_walk(side, "pipeline", "boxes=one,layout=128B,k_block=128,a_layout=K/128B");
    claim_say(answer, "%u boxes of rank 2, which is no wider than the span of %u B", narrow,
              tile.mode->span_bytes);
    say_load(answer, &boxes);
    if (one)
        claim_say(answer, "one of rank 3 (%u elements, %u rows, %u) holds all of it",
                  tile.mode->span_bytes / ELEM_BYTES, tile.rows,
                  swb_tile_line_bytes(&tile) / tile.mode->span_bytes);
    say_load(answer, &whole);
    if (products.verified.no)
        claim_say(answer, "but %zu products of tiles filled by one such box were wrong",
                  products.verified.no);
    else if (products.verified.yes)
        claim_say(answer, "%zu products of tiles filled so were exact", products.verified.yes);
    if (products.verified.no)
        claim_rest_on_row(answer, &products, products.verified.no_row);
    else if (products.verified.yes)
        claim_rest_on_count(answer, &products);
    claim_rest_on(answer,
                  "swizzlebench advise --dtype bf16 --tile 64x128 --major K --reader wgmma");
    if (boxes.wrong || whole.wrong || products.verified.no)
        return;
    answer->verdict = narrow != claim->claimed[0] || takes_others(&boxes, claim->claimed[0])
                          ? CLAIM_REFUTED
                      : one ? CLAIM_DEPENDS
                            : CLAIM_CONFIRMED;
}

/* ---- S15 ----------------------------------------------------------------------------------- */

/* A box of tma.csv: 32-byte sectors of a request, and clocks of as many boxes as the tile takes. */
static void say_boxes(const struct compare_side *side, const char *name, unsigned boxes,
                      struct claim_range *sectors, struct claim_answer *answer)
{
    char filter[96];
    struct claim_rows rows;
    snprintf(filter, sizeof filter, "case=%s", name);
    claim_rows_start(&rows, side, "tma", filter);
    while (claim_rows_next(&rows)) {
        double requests = claim_requests(&rows, "hw_requests"),
               of_box = claim_number(&rows, "hw_sectors"),
               cycles = claim_number(&rows, "cycles_per_box");
        claim_range_add(sectors, of_box / requests, rows.row);
        claim_say(answer, "%u x %s", boxes, name);
        if (isfinite(of_box))
            claim_say_on(answer, ", %.0f sectors", boxes * of_box);
        if (isfinite(cycles))
            claim_say_on(answer, ", %.0f clk with 8 in flight", boxes * cycles);
        claim_rest_on_row(answer, &rows, rows.row);
    }
    claim_say_left_out(answer, &rows);
}

#define S15_LOAD(path, stacking) TILE_LOAD(path, "layout=K/32B,tile=64x64B", stacking)

CLAIM_RULE(s15)
{
    unsigned rows = claim->claimed[3], line_bytes = claim->claimed[4], bytes = rows * line_bytes;
    const struct swb_tile along_rows = tile_of("K/32B", SWB_STACK_ROW, rows, line_bytes),
                          along_columns = tile_of("K/32B", SWB_STACK_COL, rows, line_bytes);
    unsigned of_rows = narrow_boxes(&along_rows), of_columns = narrow_boxes(&along_columns);
    bool one = one_box_holds(&along_rows) && one_box_holds(&along_columns);
    struct claim_range sectors = {.count = 0};
    claim_say(answer, "%u boxes of rank 2 along rows, %u along columns", of_rows, of_columns);
    if (one)
        claim_say(answer, "one box of rank 4 (rank 3) holds all of either, by tma check and place");
    say_boxes(side, "load bf16 16x8 32B", of_rows, &sectors, answer);
    say_boxes(side, "load bf16 16x64 32B", of_columns, &sectors, answer);
    const struct tile_load loads[] = {
        look_up(side, "in boxes of rank 2 along rows", S15_LOAD("tma-load", "row"), answer),
        look_up(side, "in boxes of rank 2 along columns", S15_LOAD("tma-load", "col"), answer),
        look_up(side, "in one box along rows", S15_LOAD("tma-load.whole", "row"), answer),
        look_up(side, "in one box along columns", S15_LOAD("tma-load.whole", "col"), answer)};
    bool wrong = false;
    for (unsigned i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        say_load(answer, &loads[i]);
        wrong = wrong || loads[i].wrong;
    }
    bool counted = sectors.count == 2 && sectors.unknown == 0;
    if (counted)
        claim_say(answer, "%.4g B a request at least, %.4g at most", SECTOR_BYTES * sectors.least,
                  SECTOR_BYTES * sectors.most);
    bool holds = of_rows == claim->claimed[0] && of_columns == claim->claimed[1] &&
                 !takes_others(&loads[0], claim->claimed[0]) &&
                 !takes_others(&loads[1], claim->claimed[1]) &&
                 !has_other_sectors(&loads[0], bytes) && !has_other_sectors(&loads[1], bytes) &&
                 (!counted || (SECTOR_BYTES * sectors.least == claim->claimed[2] &&
                               SECTOR_BYTES * sectors.most == claim->claimed[2]));
    claim_rest_on(answer, "swizzlebench advise --dtype bf16 --tile 64x32 --major K --reader wgmma");
    if (wrong)
        return;
    if (!counted && holds) {
        claim_say(answer, "the requests are to be counted: run tma on a GPU");
        claim_rest_on(answer, "swizzlebench run tma --full");
        return;
    }
    answer->verdict = !holds ? CLAIM_REFUTED : one ? CLAIM_DEPENDS : CLAIM_CONFIRMED;
}

/* ---- S16 ----------------------------------------------------------------------------------- */

enum field { START = 1, LEADING = 2, STRIDE = 4, BASE = 8, MODE = 16 };

static unsigned difference(const struct swb_descriptor *a, const struct swb_descriptor *b)
{
    return (a->start_bytes != b->start_bytes ? START : 0) |
           (a->leading_bytes != b->leading_bytes ? LEADING : 0) |
           (a->stride_bytes != b->stride_bytes ? STRIDE : 0) |
           (a->base_offset != b->base_offset ? BASE : 0) | (a->mode != b->mode ? MODE : 0);
}

static void name_fields(unsigned fields, char *text, size_t bytes)
{
    static const char *const names[] = {"start address", "leading byte offset",
                                        "stride byte offset", "base offset", "mode"};
    *text = '\0';
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fields & 1u << i)
            text_append(text, bytes, ", ", names[i]);
}

CLAIM_RULE(s16)
{
    struct swb_descriptor halves[2][2]; /* by stacking, by half */
    struct swb_refusal refusal;
    unsigned between_halves = 0;
    char fields[2][96];
    for (unsigned stack = 0; stack < 2; stack++) {
        const struct swb_tile tile = tile_of("K/32B", (enum swb_stack)stack, 64, 64);
        for (unsigned half = 0; half < 2; half++)
            if (!swb_tile_descriptor(&tile, 0, half * tile.cols / 2, &halves[stack][half],
                                     &refusal))
                return;
        between_halves |= difference(&halves[stack][0], &halves[stack][1]);
    }
    unsigned between_stackings = difference(&halves[0][0], &halves[1][0]);
    name_fields(between_halves, fields[0], sizeof fields[0]);
    name_fields(between_stackings, fields[1], sizeof fields[1]);
    claim_say(answer, "the halves of a tile differ in: %s (%u and %u B along columns)", fields[0],
              halves[SWB_STACK_COL][0].start_bytes, halves[SWB_STACK_COL][1].start_bytes);
    claim_say(answer, "what the two stackings differ in is: %s (%u B along columns, %u along rows)",
              fields[1], halves[SWB_STACK_COL][0].stride_bytes,
              halves[SWB_STACK_ROW][0].stride_bytes);
    answer->verdict = between_halves == STRIDE ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    static const struct {
        const char *family, *filter, *what;
    } measured[] = {
        {"wgmma", "wrong=,stack=*,b_layout=K/32B", "products from K/32B, both stackings"},
        {"pipeline", "layout=32B,k_block=32,a_layout=K/32B", "of both halves of a tile"}};
    for (unsigned i = 0; i < 2; i++) {
        const struct claim_rows rows = claim_walk(side, measured[i].family, measured[i].filter);
        if (rows.verified.no) {
            answer->verdict = CLAIM_OPEN;
            claim_say(answer, "but %zu %s were wrong", rows.verified.no, measured[i].what);
            claim_rest_on_row(answer, &rows, rows.verified.no_row);
        } else if (rows.verified.yes) {
            claim_say(answer, "all %zu %s are exact", rows.verified.yes, measured[i].what);
            claim_rest_on_count(answer, &rows);
        }
    }
    claim_rest_on(answer,
                  "swizzlebench advise --dtype bf16 --tile 64x32 --major K --reader wgmma --csv");
}
