/* Does the driver take a tensor map, and which rules does it break? `swizzlebench tma check` */
#include <stdio.h>
#include <string.h>

#include "bench/table.h"
#include "bench/tma.h"
#include "bench/tma_row.h"
#include "bench/tma_words.h"
#include "harness/csv.h"
#include "harness/options.h"
#include "harness/text.h"

static const char help[] =
    "usage: swizzlebench tma check --dtype T --dims N,N... --box N,N... [options]\n"
    "       swizzlebench tma check --descriptors FILE [--csv]\n"
    "\n"
    "Whether cuTensorMapEncodeTiled takes a tensor map, by the rules that the driver was seen to\n"
    "follow, and each rule that is broken, with the nearest legal value. No GPU is needed.\n"
    "\n"
    "  --dtype T              u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32.ftz tf32 tf32.ftz\n"
    "                         b4x16 b4x16_p64 b6x16_p32, or the number in cuda.h\n"
    "  --dims N,N...          of the tensor, in elements; the first is contiguous\n"
    "  --strides N,N...       in bytes, from the second dimension on (default: packed)\n"
    "  --box N,N...           in elements\n"
    "  --element-strides N,N...  (default 1,1...)\n"
    "  --interleave I         none 16B 32B\n"
    "  --swizzle S            none 32B 64B 128B 128B-atom32B 128B-atom32B-flip8B 128B-atom64B\n"
    "  --l2-promotion P       none 64B 128B 256B\n"
    "  --fill F               zero nan: what elements outside the tensor become\n"
    "  --address BYTES        of the tensor; only its low bits matter (default 0)\n"
    "  --compute-capability C of the GPU (default 9.0, for which the rules are proven)\n"
    "  --descriptors FILE     many, as CSV: dtype,rank,addr_mod_64,dims,strides,box,\n"
    "                         element_strides,interleave,swizzle,l2_promotion,oob_fill, as\n"
    "                         numbers, lists with ; between; - reads from standard input\n"
    "  --csv                  legal (yes or no) and the broken rules, a line for each\n"
    "  --help\n";

struct tally {
    size_t legal, refused;
    bool csv;
};

static void print_csv(const struct swb_tma_broken *broken, unsigned count)
{
    char text[SWB_TMA_MAX_BROKEN * sizeof broken->sentence] = "";
    for (unsigned i = 0; i < count; i++) {
        text_append(text, sizeof text, "; ", broken[i].rule);
        text_append(text, sizeof text, ": ", broken[i].sentence);
    }
    printf("%s,", count == 0 ? "yes" : "no");
    csv_put(stdout, text);
    putchar('\n');
}

static void print_text(const struct swb_tma_map *map, const struct swb_tma_broken *broken,
                       unsigned count)
{
    struct swb_tma_box box = swb_tma_box_of(map, 0);
    if (count == 0 && swb_tma_box_refusal(&box)) {
        printf("legal: the driver takes it, but no kernel can use it: %s\n",
               swb_tma_box_refusal(&box));
        return;
    }
    if (count == 0) {
        printf("legal: %u line%s of %u bytes, %u bytes of shared memory\n", swb_tma_box_lines(&box),
               swb_tma_box_lines(&box) == 1 ? "" : "s", box.inner_bytes, swb_tma_box_bytes(&box));
        return;
    }
    printf("refused: %u rule%s broken\n", count, count == 1 ? " is" : "s are");
    for (unsigned i = 0; i < count; i++)
        printf("  %-20s %s\n", broken[i].rule, broken[i].sentence);
}

static unsigned check(const struct swb_tma_map *map, unsigned compute_capability,
                      struct tally *tally, struct swb_tma_broken *broken)
{
    unsigned count = swb_tma_check(map, compute_capability, broken, SWB_TMA_MAX_BROKEN);
    tally->legal += count == 0;
    tally->refused += count != 0;
    if (tally->csv)
        print_csv(broken, count);
    return count;
}

static bool check_file(const char *name, unsigned compute_capability, struct tally *tally,
                       struct error *error)
{
    struct table table;
    struct swb_tma_map map;
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    if (!table_open(name, tma_row_columns, TMA_ROW_COLUMNS, &table, error))
        return false;
    while (table_next(&table, error) && tma_row_read(&table, &map, error))
        check(&map, compute_capability, tally, broken);
    table_close(&table);
    if (error->kind == ERROR_NONE && !tally->csv)
        printf("%zu tensor maps: %zu legal, %zu refused; --csv says why\n",
               tally->legal + tally->refused, tally->legal, tally->refused);
    return error->kind == ERROR_NONE;
}

static bool check_one(const struct tma_words *words, unsigned compute_capability,
                      struct tally *tally, struct error *error)
{
    struct swb_tma_map map;
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    if (!tma_words_map(words, &map, error))
        return false;
    unsigned count = check(&map, compute_capability, tally, broken);
    if (!tally->csv)
        print_text(&map, broken, count);
    return true;
}

static int check_main(int argc, char **argv)
{
    struct tma_words words = {.csv = false};
    struct error error = {.kind = ERROR_NONE};
    struct tally tally = {.legal = 0};
    unsigned compute_capability;
    if (!tma_words_read(argc, argv, TMA_CHECK, &words, &error))
        return complain("tma check", &error);
    if (words.help) {
        fputs(help, stdout);
        return 0;
    }
    if (!tma_words_file_alone(&words, "descriptors", words.descriptors, &error))
        return complain("tma check", &error);
    if (!tma_words_capability(&words, &compute_capability, &error))
        return complain("tma check", &error);
    tally.csv = words.csv;
    if (words.csv)
        puts("legal,rule");
    bool answered = words.descriptors
                        ? check_file(words.descriptors, compute_capability, &tally, &error)
                        : check_one(&words, compute_capability, &tally, &error);
    return answered ? 0 : complain("tma check", &error);
}

const struct command tma_check = {
    .name = "check",
    .summary = "does the driver take this tensor map, and which rule broke",
    .run = check_main,
};
