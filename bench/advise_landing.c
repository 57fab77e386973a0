/* Where does a writer that is already there put the tile, and in which layout is it then? */
#include "bench/advise_landing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/access_names.h"
#include "bench/tma_words.h"

enum { HOPPER = 90, MOST_OF_BOX = 256, LEGAL_STRIDE_BYTES = 4096, LEGAL_EXTENT = 65536 };

void advise_disagree(unsigned *wrong, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("disagree: ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    ++*wrong;
}

const char *advise_layout_text(const struct swb_tile *tile, char text[ADVISE_LAYOUT_BYTES])
{
    char layout[32];
    access_layout_name(tile, layout, sizeof layout);
    snprintf(text, ADVISE_LAYOUT_BYTES, "%s%s", layout, access_stack_text(tile));
    return text;
}

/* ---- Words --------------------------------------------------------------------------------- */

/* Down the lines first, unless --stack says otherwise. */
static enum swb_stack down_first(enum swb_major major)
{
    return major == SWB_K_MAJOR ? SWB_STACK_COL : SWB_STACK_ROW;
}

static bool read_stack(const struct advise_question *question, const char *word,
                       enum swb_stack *stack, struct error *error)
{
    static const char *const names[] = {[SWB_STACK_ROW] = "row", [SWB_STACK_COL] = "col"};
    size_t chosen = down_first(question->major);
    if (word && !advise_choose("--stack", word, names, 2, &chosen, error))
        return false;
    *stack = (enum swb_stack)chosen;
    return true;
}

bool advise_read_layout(const char *option, const char *name,
                        const struct advise_question *question, const char *stack,
                        struct swb_tile *tile, struct error *error)
{
    *tile = (struct swb_tile){
        .rows = question->rows, .cols = question->cols, .elem_bits = question->bits};
    tile->mode = swb_layout_find(name, &tile->major);
    if (!tile->mode)
        return error_set(error, ERROR_INPUT,
                         "unknown %s '%s'; K/128B, MN/none or linear, for example", option, name);
    if (!read_stack(question, stack, &tile->stack, error))
        return false;
    if (tile->major != question->major)
        return error_set(error, ERROR_INPUT, "%s %s is %s-major, and --major says %s", option, name,
                         tile->major == SWB_K_MAJOR ? "K" : "MN",
                         question->major == SWB_K_MAJOR ? "K" : "MN");
    return !swb_tile_refusal(tile) ||
           error_set(error, ERROR_INPUT, "%s %s: %s, and this tile has %u lines of %u bytes",
                     option, name, swb_tile_refusal(tile), swb_tile_lines(tile),
                     swb_tile_line_bytes(tile));
}

static bool read_map(const struct advise_question *question, const struct advise_words *words,
                     struct swb_tma_map *map, struct error *error)
{
    static const char *const swizzles[] = {"none", "32B", "64B", "128B"};
    uint64_t box[3] = {0, 0, 1};
    size_t swizzle = 0;
    unsigned rank = tma_numbers(words->writer_box, ',', UINT32_MAX, 3, box);
    if (rank < 2)
        return error_set(error, ERROR_INPUT,
                         "--writer-box '%s': two or three whole numbers with commas between are "
                         "needed, the contiguous dimension first",
                         words->writer_box);
    if (words->writer_swizzle &&
        !advise_choose("--writer-swizzle", words->writer_swizzle, swizzles, 4, &swizzle, error))
        return false;
    *map = (struct swb_tma_map){
        .dtype = question->tma_dtype, .rank = rank, .swizzle = (unsigned)swizzle};
    for (unsigned i = 0; i < rank; i++) {
        map->dims[i] = LEGAL_EXTENT;
        map->box[i] = (uint32_t)box[i];
        map->element_strides[i] = 1;
        if (i > 0)
            map->strides[i - 1] = LEGAL_STRIDE_BYTES;
    }
    return true;
}

/* ---- Places -------------------------------------------------------------------------------- */

uint32_t advise_landing_address(const struct advise_landing *landing, unsigned line, unsigned byte)
{
    const struct swb_tma_box *first = &landing->box;
    if (!landing->by_tma)
        return landing->base_bytes + swb_tile_line_offset(&landing->tile, line, byte);
    unsigned height = first->extents[0], planes = first->rank > 2 ? first->extents[1] : 1;
    unsigned across = byte / (first->inner_bytes * planes), below = line / height;
    unsigned plane = byte / first->inner_bytes % planes;
    struct swb_tma_box box = *first;
    box.smem_address +=
        swb_tma_box_bytes(first) *
        (landing->down_first ? across * landing->down + below : below * landing->along + across);
    return swb_tma_box_address(&box, plane * height + line % height, byte % first->inner_bytes);
}

unsigned advise_landing_byte(const struct advise_landing *landing, unsigned byte)
{
    return byte / landing->width_bytes * landing->span_bytes + byte % landing->width_bytes;
}

/* Whether the boxes, from 0 on, put each 16 bytes where the tile does. */
static bool lands_as(const struct advise_landing *landing)
{
    struct advise_landing from_0 = *landing;
    from_0.base_bytes = from_0.box.smem_address = 0;
    if (swb_tile_refusal(&landing->tile))
        return false;
    for (unsigned line = 0; line < landing->lines; line++)
        for (unsigned byte = 0; byte < landing->line_bytes; byte += SWB_TMA_CHUNK_BYTES)
            if (advise_landing_address(&from_0, line, byte) !=
                swb_tile_line_offset(&landing->tile, line, advise_landing_byte(landing, byte)))
                return false;
    return true;
}

/* The layout of the box's swizzle; or, without one, of lines back to back. */
static void find_layout(const struct advise_question *question, struct advise_landing *landing)
{
    const struct swb_layout_mode *mode;
    bool k_major = question->major == SWB_K_MAJOR;
    for (size_t i = 0; (mode = swb_layout_mode_at(i)); i++) {
        bool of_swizzle = mode->tma_number == landing->box.swizzle + 1;
        if (!of_swizzle && (landing->box.swizzle || mode->span_bytes || mode->pad_bytes))
            continue;
        unsigned width = landing->box.inner_bytes;
        bool narrow = width < mode->span_bytes;
        landing->width_bytes = width;
        landing->span_bytes = narrow ? mode->span_bytes : width;
        unsigned elems = advise_landing_byte(landing, landing->line_bytes) * 8 / question->bits;
        for (unsigned stack = SWB_STACK_ROW; stack <= SWB_STACK_COL; stack++) {
            landing->tile = (struct swb_tile){.mode = mode,
                                              .major = question->major,
                                              .stack = (enum swb_stack)stack,
                                              .rows = k_major ? landing->lines : elems,
                                              .cols = k_major ? elems : landing->lines,
                                              .elem_bits = question->bits};
            if (!lands_as(landing))
                continue;
            advise_layout_text(&landing->tile, landing->layout);
            return;
        }
    }
    landing->tile.mode = NULL;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* The nearest number up to `most` that goes into `whole` evenly, the larger where two are as near.
 */
static unsigned nearest_part(unsigned whole, unsigned number, unsigned most)
{
    for (unsigned off = 0; off < whole + number; off++) {
        if (number + off <= most && whole % (number + off) == 0)
            return number + off;
        if (off < number && number - off <= most && whole % (number - off) == 0)
            return number - off;
    }
    return 1;
}

/* How many boxes there are; false, where they do not fill the tile evenly. */
static bool share_out(const struct advise_question *question, const struct swb_tma_map *map,
                      struct advise_landing *landing, unsigned *wrong)
{
    unsigned before = *wrong, chunk = SWB_TMA_CHUNK_BYTES;
    unsigned box_bytes = map->box[0] * question->bits / 8, tall = map->box[1];
    unsigned wide = box_bytes * (map->rank > 2 ? map->box[2] : 1);
    unsigned span_bytes = map->swizzle ? 16u << map->swizzle : landing->line_bytes;
    if (landing->line_bytes % wide)
        advise_disagree(
            wrong,
            "box[0] is %u, so that a box takes %u bytes of a line, which does not divide the %u "
            "bytes that the lines of the tile have; %u would be right",
            map->box[0], wide, landing->line_bytes,
            nearest_part(landing->line_bytes / chunk, box_bytes / chunk, span_bytes / chunk) *
                chunk * 8 / question->bits);
    if (landing->lines % tall)
        advise_disagree(wrong,
                        "box[1] is %u, which does not divide the %u lines of the tile; %u would be "
                        "right",
                        tall, landing->lines, nearest_part(landing->lines, tall, MOST_OF_BOX));
    if (*wrong > before)
        return false;
    landing->along = landing->line_bytes / wide;
    landing->down = landing->lines / tall;
    return true;
}

static bool can_be_sent(const struct swb_tma_map *map, uint32_t base_bytes,
                        struct advise_landing *landing, unsigned *wrong)
{
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    unsigned before = *wrong;
    unsigned count = swb_tma_check(map, HOPPER, broken, SWB_TMA_MAX_BROKEN);
    for (unsigned i = 0; i < count; i++)
        advise_disagree(wrong, "the driver refuses the tensor map, rule %s: %s", broken[i].rule,
                        broken[i].sentence);
    landing->box = swb_tma_box_of(map, base_bytes);
    if (count == 0 && swb_tma_box_refusal(&landing->box))
        advise_disagree(wrong, "the box at --base %u: %s", base_bytes,
                        swb_tma_box_refusal(&landing->box));
    return *wrong == before;
}

static void describe_boxes(const struct swb_tma_map *map, struct advise_landing *landing)
{
    char third[16] = "";
    unsigned boxes = landing->along * landing->down;
    if (map->rank > 2)
        snprintf(third, sizeof third, "x%u", map->box[2]);
    snprintf(landing->writer, sizeof landing->writer, "%u box%s of %ux%u%s under swizzle %s %s",
             boxes, boxes == 1 ? "" : "es", map->box[0], map->box[1], third,
             swb_tma_name(SWB_TMA_SWIZZLE, map->swizzle), boxes == 1 ? "lands" : "land");
}

static bool read_boxes(const struct advise_question *question, const struct advise_words *words,
                       struct advise_landing *landing, unsigned *wrong, struct error *error)
{
    struct swb_tma_map map;
    enum swb_stack stack;
    if (!read_map(question, words, &map, error) ||
        !read_stack(question, words->stack, &stack, error))
        return false;
    landing->by_tma = true;
    landing->down_first = stack == down_first(question->major);
    if (!can_be_sent(&map, landing->base_bytes, landing, wrong) ||
        !share_out(question, &map, landing, wrong))
        return true;
    describe_boxes(&map, landing);
    struct swb_tma_box second = landing->box;
    second.smem_address += swb_tma_box_bytes(&second);
    if (landing->along * landing->down > 1 && swb_tma_box_refusal(&second))
        advise_disagree(wrong, "the second box, behind the first: %s",
                        swb_tma_box_refusal(&second));
    else
        find_layout(question, landing);
    return true;
}

/* ---- Both ---------------------------------------------------------------------------------- */

static bool check_writer(const struct advise_words *words, struct error *error)
{
    bool is_tma = words->writer_box != NULL;
    if (!!words->writer_box == !!words->writer_layout)
        return error_set(error, ERROR_INPUT,
                         "--check needs the writer: --writer-box (and --writer-swizzle) of TMA, or "
                         "--writer-layout of cp.async and st");
    if (words->writer && (strcmp(words->writer, "tma") == 0) != is_tma)
        return error_set(error, ERROR_INPUT, "--writer %s goes with --writer-%s", words->writer,
                         is_tma ? "layout" : "box");
    return is_tma || !words->writer_swizzle ||
           error_set(error, ERROR_INPUT, "--writer-swizzle goes with --writer-box");
}

bool advise_landing_read(const struct advise_question *question, const struct advise_words *words,
                         uint32_t base_bytes, struct advise_landing *landing, unsigned *wrong,
                         struct error *error)
{
    bool k_major = question->major == SWB_K_MAJOR;
    *landing = (struct advise_landing){.lines = k_major ? question->rows : question->cols,
                                       .line_bytes = (k_major ? question->cols : question->rows) *
                                                     question->bits / 8,
                                       .base_bytes = base_bytes};
    if (!check_writer(words, error))
        return false;
    if (words->writer_box)
        return read_boxes(question, words, landing, wrong, error);
    if (!advise_read_layout("--writer-layout", words->writer_layout, question, words->stack,
                            &landing->tile, error))
        return false;
    landing->width_bytes = landing->span_bytes = landing->line_bytes;
    snprintf(landing->writer, sizeof landing->writer, "the writer stores the tile");
    advise_layout_text(&landing->tile, landing->layout);
    return true;
}
