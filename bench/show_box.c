/* Where does each chunk of a TMA box land? `swizzlebench show box` */
#include <stdio.h>

#include "bench/show.h"
#include "bench/tma_picture.h"
#include "bench/tma_words.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench show box --dtype T --box N,N... [options] [--svg FILE | --csv]\n"
    "\n"
    "Shared memory after a TMA load of a box: lines of 128 bytes, and in each 16 bytes the\n"
    "row.chunk of the box that is there; a row counts 128 for each plane.\n"
    "\n"
    "  --dtype T, --box N,N..., --element-strides, --interleave, --swizzle, --smem-offset,\n"
    "  --dims, --start  as in `swizzlebench tma place --help`\n"
    "  --csv            line,chunk,byte_offset,filled_bytes of every chunk in the order of "
    "memory;\n"
    "                   a line counts the outer dimensions, the offset is from --smem-offset\n"
    "  --svg FILE       the picture as SVG\n"
    "  --help\n";

static void print_csv(const struct tma_picture *picture)
{
    const struct tma_slots *slots = picture->slots;
    puts("line,chunk,byte_offset,filled_bytes");
    for (size_t i = 0; i < slots->count; i++) {
        const struct tma_slot *slot = &slots->slots[i];
        if (slot->line != TMA_SLOT_EMPTY)
            printf("%d,%u,%zu,%u\n", (int)slot->line, slot->chunk,
                   slots->first_address + i * SWB_TMA_CHUNK_BYTES - slots->box->smem_address,
                   tma_picture_filled_bytes(picture, i));
    }
}

static bool show(const struct tma_words *words, struct error *error)
{
    struct swb_tma_map map;
    struct swb_tma_box box;
    struct tma_slots slots;
    int32_t start[SWB_TMA_MAX_RANK] = {0};
    bool shown = true;
    if (!tma_words_box(words, &map, &box, start, error) || !tma_slots_open(&box, &slots, error))
        return false;
    struct tma_picture picture = {&slots, &map, start};
    if (words->csv) {
        print_csv(&picture);
    } else if (words->svg) {
        shown = tma_picture_svg(&picture, words->svg, error);
    } else {
        tma_picture_head(&picture);
        tma_picture_text(&picture);
    }
    tma_slots_close(&slots);
    return shown;
}

static int show_box_main(int argc, char **argv)
{
    struct tma_words words = {.csv = false};
    struct error error = {.kind = ERROR_NONE};
    if (!tma_words_read(argc, argv, TMA_SHOW, &words, &error))
        return complain("show box", &error);
    if (words.help) {
        fputs(help, stdout);
        return 0;
    }
    return show(&words, &error) ? 0 : complain("show box", &error);
}

const struct command show_box = {
    .name = "box",
    .summary = "where each chunk of a TMA box lies in shared memory",
    .run = show_box_main,
};
