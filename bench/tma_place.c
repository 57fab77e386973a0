/* Where do the bytes of a TMA box land, and can the tensor core read them? `swizzlebench tma place`
 */
#include <stdio.h>

#include "bench/table.h"
#include "bench/tma.h"
#include "bench/tma_picture.h"
#include "bench/tma_row.h"
#include "bench/tma_words.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench tma place --dtype T --box N,N... [options]\n"
    "       swizzlebench tma place --boxes FILE [--csv]\n"
    "\n"
    "Where each 16-byte chunk of a box lands in shared memory, and whether the tensor core can\n"
    "read it there. No GPU is needed.\n"
    "\n"
    "  --dtype T, --box N,N..., --element-strides, --interleave, --swizzle\n"
    "                       as in `swizzlebench tma check --help`\n"
    "  --smem-offset BYTES  where the box begins in shared memory, a multiple of 128 (default 0)\n"
    "  --dims N,N...        of the tensor, and\n"
    "  --start N,N...       where the box begins in it, to see what lies outside and is filled\n"
    "  --boxes FILE         many, as CSV: rank,swizzle,inner_bytes,rows,planes,smem_offset, the\n"
    "                       swizzle as the number in cuda.h; - reads from standard input\n"
    "  --csv                chunks: for each 16-byte slot from smem_offset rounded down to 1024 "
    "on,\n"
    "                       the row.chunk of the box that is there, or -; a row counts 128 for\n"
    "                       each plane\n"
    "  --help\n";

static bool print_csv(const struct swb_tma_box *box, struct error *error)
{
    struct tma_slots slots;
    char label[TMA_SLOT_LABEL_BYTES];
    if (!tma_slots_open(box, &slots, error))
        return false;
    for (size_t i = 0; i < slots.count; i++) {
        tma_slot_label(&slots, i, label);
        printf("%s%s", i > 0 ? " " : "", label);
    }
    putchar('\n');
    tma_slots_close(&slots);
    return true;
}

/* ---- Boxes from a file -------------------------------------------------------------------- */

static bool place_file(const char *name, bool csv, struct error *error)
{
    struct table table;
    struct swb_tma_box box;
    size_t count = 0, readable = 0;
    if (!table_open(name, tma_box_columns, TMA_BOX_COLUMNS, &table, error))
        return false;
    while (table_next(&table, error) && tma_box_row_read(&table, &box, error)) {
        count++;
        readable += swb_tma_reading(&box, 16).readable;
        if (csv && !print_csv(&box, error))
            break;
    }
    table_close(&table);
    if (error->kind == ERROR_NONE && !csv)
        printf("%zu boxes; as 16-bit operands the tensor core can read %zu; --csv says where their "
               "chunks are\n",
               count, readable);
    return error->kind == ERROR_NONE;
}

/* ---- One box ------------------------------------------------------------------------------ */

static bool place_one(const struct tma_words *words, struct error *error)
{
    struct swb_tma_map map;
    struct swb_tma_box box;
    struct tma_slots slots;
    int32_t start[SWB_TMA_MAX_RANK] = {0};
    if (!tma_words_box(words, &map, &box, start, error))
        return false;
    if (words->csv) {
        puts("chunks");
        return print_csv(&box, error);
    }
    if (!tma_slots_open(&box, &slots, error))
        return false;
    struct tma_picture picture = {&slots, &map, start};
    tma_picture_head(&picture);
    tma_picture_text(&picture);
    tma_slots_close(&slots);
    return true;
}

static int place_main(int argc, char **argv)
{
    struct tma_words words = {.csv = false};
    struct error error = {.kind = ERROR_NONE};
    if (!tma_words_read(argc, argv, TMA_PLACE, &words, &error))
        return complain("tma place", &error);
    if (words.help) {
        fputs(help, stdout);
        return 0;
    }
    if (!tma_words_file_alone(&words, "boxes", words.boxes, &error))
        return complain("tma place", &error);
    if (words.boxes && words.csv)
        puts("chunks");
    bool answered =
        words.boxes ? place_file(words.boxes, words.csv, &error) : place_one(&words, &error);
    return answered ? 0 : complain("tma place", &error);
}

const struct command tma_place = {
    .name = "place",
    .summary = "where the bytes of a box land, and whether the tensor core can read them",
    .run = place_main,
};
