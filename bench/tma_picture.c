/* What does shared memory look like with a box in it? */
#include "bench/tma_picture.h"

#include <stdio.h>

#include "bench/svg.h"

enum { SLOTS_A_LINE = 8, LINE_BYTES = SLOTS_A_LINE * SWB_TMA_CHUNK_BYTES, TEXT_LINES = 64 };

static size_t line_count(const struct tma_slots *slots)
{
    return (slots->count + SLOTS_A_LINE - 1) / SLOTS_A_LINE;
}

unsigned tma_picture_filled_bytes(const struct tma_picture *picture, size_t slot)
{
    const struct tma_slot *written = &picture->slots->slots[slot];
    return written->line == TMA_SLOT_EMPTY
               ? 0
               : swb_tma_filled_bytes(picture->map, picture->start, (unsigned)written->line,
                                      written->chunk * SWB_TMA_CHUNK_BYTES);
}

/* The label, and behind it a sign where the chunk lies outside the tensor, or partly. */
static void marked_label(const struct tma_picture *picture, size_t slot, char *text, size_t bytes)
{
    char label[TMA_SLOT_LABEL_BYTES];
    unsigned filled = tma_picture_filled_bytes(picture, slot);
    tma_slot_label(picture->slots, slot, label);
    snprintf(text, bytes, "%s%s", label,
             filled == 0                     ? ""
             : filled == SWB_TMA_CHUNK_BYTES ? "*"
                                             : "+");
}

void tma_picture_head(const struct tma_picture *picture)
{
    const struct swb_tma_box *box = picture->slots->box;
    struct swb_tma_reading reading = swb_tma_reading(box, swb_tma_elem_bits(picture->map->dtype));
    printf("%u lines of %u bytes, swizzle %s, from %u: %u bytes of shared memory\n",
           swb_tma_box_lines(box), box->inner_bytes, swb_tma_name(SWB_TMA_SWIZZLE, box->swizzle),
           box->smem_address, swb_tma_box_bytes(box));
    if (reading.readable)
        printf("the tensor core reads it as %s: %s\n", reading.name, reading.sentence);
    else
        printf("the tensor core cannot read it: %s\n", reading.sentence);
    if (box->swizzle > 3)
        puts("as documented; no GPU has shown yet that it is so");
    if ((int64_t)picture->start[0] * swb_tma_unit_bits(picture->map) % 128 != 0)
        puts("what starts here faults: in dimension 0 the start must be a multiple of 16 bytes");
    for (unsigned i = 0; i < picture->map->rank; i++)
        if (picture->start[i] < 0) {
            puts("a store that starts here faults: its start must not be negative");
            break;
        }
}

void tma_picture_text(const struct tma_picture *picture)
{
    const struct tma_slots *slots = picture->slots;
    size_t lines = line_count(slots);
    puts("\n address   row.chunk in each 16 bytes; * outside the tensor and filled, + partly");
    for (size_t line = 0; line < lines && line < TEXT_LINES; line++) {
        printf("%8zu  ", slots->first_address + line * LINE_BYTES);
        for (size_t i = line * SLOTS_A_LINE; i < (line + 1) * SLOTS_A_LINE && i < slots->count;
             i++) {
            char label[TMA_SLOT_LABEL_BYTES + 2];
            marked_label(picture, i, label, sizeof label);
            printf(" %8s", label);
        }
        putchar('\n');
    }
    if (lines > TEXT_LINES)
        printf("... and %zu lines more; --csv has all\n", lines - TEXT_LINES);
}

/* ---- SVG ---------------------------------------------------------------------------------- */

enum { CELL_WIDTH = 58, CELL_HEIGHT = 20, LEFT = 64, TOP = 58, MARGIN = 16 };

static void draw_line(struct svg *svg, const struct tma_picture *picture, size_t line)
{
    const struct tma_slots *slots = picture->slots;
    double y = TOP + (double)line * CELL_HEIGHT;
    svg_text(svg, LEFT - 6, y + 14, 10, SVG_RIGHT, "%zu", slots->first_address + line * LINE_BYTES);
    for (size_t i = line * SLOTS_A_LINE; i < (line + 1) * SLOTS_A_LINE && i < slots->count; i++) {
        char label[TMA_SLOT_LABEL_BYTES + 2];
        double x = LEFT + (double)(i % SLOTS_A_LINE) * CELL_WIDTH;
        bool is_empty = slots->slots[i].line == TMA_SLOT_EMPTY;
        marked_label(picture, i, label, sizeof label);
        svg_box(svg, x, y, CELL_WIDTH, CELL_HEIGHT,
                is_empty ? -1 : (int)(slots->slots[i].chunk % SLOTS_A_LINE));
        if (!is_empty)
            svg_text(svg, x + CELL_WIDTH / 2.0, y + 14, 10, SVG_MIDDLE, "%s", label);
    }
}

bool tma_picture_svg(const struct tma_picture *picture, const char *path, struct error *error)
{
    const struct swb_tma_box *box = picture->slots->box;
    size_t lines = line_count(picture->slots);
    struct svg svg;
    if (!svg_open(&svg, path, LEFT + SLOTS_A_LINE * CELL_WIDTH + MARGIN,
                  TOP + (double)lines * CELL_HEIGHT + MARGIN, error))
        return false;
    svg_text(&svg, MARGIN, 22, 14, SVG_LEFT, "%u lines of %u bytes, swizzle %s, from %u",
             swb_tma_box_lines(box), box->inner_bytes, swb_tma_name(SWB_TMA_SWIZZLE, box->swizzle),
             box->smem_address);
    svg_text(&svg, MARGIN, 40, 11, SVG_LEFT,
             "row.chunk in each 16 bytes of shared memory, shaded by the chunk; * outside the "
             "tensor, + partly");
    for (size_t line = 0; line < lines; line++)
        draw_line(&svg, picture, line);
    return svg_close(&svg, error);
}
