/* Do a writer and a reader that are already there agree on where the tile lies? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/advise_landing.h"
#include "harness/options.h"

enum { MODE_AT = 62, CHUNK_BYTES = 16, K_BYTES = 32, LARGEST_BYTES = 262128, LARGEST_OFFSET = 7 };

/* By their number in the descriptor. */
static const char *const modes[] = {"none", "128B", "64B", "32B"};

/* ---- The descriptor's words ---------------------------------------------------------------- */

static bool read_whole(const char *option, const char *word, uint64_t most, uint64_t *value,
                       struct error *error)
{
    *value = 0;
    return !word || option_whole(option, word, 0, most, value, error);
}

static bool read_bits(const char *word, struct swb_descriptor *d, unsigned *wrong,
                      struct error *error)
{
    char *end;
    uint64_t bits = strtoull(word, &end, 0);
    if (end == word || *end != '\0' || *word == '-')
        return error_set(error, ERROR_INPUT, "--descriptor '%s': 64 bits as 0x... are needed",
                         word);
    *d = swb_descriptor_decode(bits);
    uint64_t stray = bits ^ swb_descriptor_encode(d);
    if (stray)
        advise_disagree(wrong,
                        "the descriptor has bits 0x%016" PRIx64
                        ", which are in no field of wgmma's "
                        "format; 0 would be right",
                        stray);
    return true;
}

static bool read_fields(const struct advise_words *words, struct swb_descriptor *d,
                        struct error *error)
{
    uint64_t lbo, sbo, base_offset;
    size_t mode = (size_t)(words->mode[0] - '0');
    char name[16];
    if ((mode >= 4 || words->mode[1] != '\0') &&
        !advise_choose("--mode", words->mode, modes, 4, &mode, error))
        return false;
    if (!read_whole("--lbo", words->lbo, LARGEST_BYTES, &lbo, error) ||
        !read_whole("--sbo", words->sbo, LARGEST_BYTES, &sbo, error) ||
        !read_whole("--base-offset", words->base_offset, LARGEST_OFFSET, &base_offset, error))
        return false;
    enum swb_major any;
    snprintf(name, sizeof name, "K/%s", modes[mode]);
    *d = (struct swb_descriptor){.leading_bytes = (uint32_t)lbo,
                                 .stride_bytes = (uint32_t)sbo,
                                 .base_offset = (unsigned)base_offset,
                                 .mode = swb_layout_find(name, &any)};
    return !swb_descriptor_refusal(d) ||
           error_set(error, ERROR_INPUT, "--lbo, --sbo: %s", swb_descriptor_refusal(d));
}

static bool read_descriptor(const struct advise_words *words, struct swb_descriptor *d,
                            unsigned *wrong, struct error *error)
{
    bool has_fields = words->mode || words->lbo || words->sbo || words->base_offset;
    if (words->descriptor && has_fields)
        return error_set(error, ERROR_INPUT,
                         "--descriptor has all fields; --mode, --lbo, --sbo and --base-offset do "
                         "not go with it");
    if (!words->descriptor && !words->mode)
        return error_set(error, ERROR_INPUT,
                         "--reader wgmma needs --descriptor, or --mode with --sbo and --lbo");
    return words->descriptor ? read_bits(words->descriptor, d, wrong, error)
                             : read_fields(words, d, error);
}

/* ---- What one wgmma reads ------------------------------------------------------------------ */

struct part {
    const struct advise_question *question;
    const struct advise_landing *landing;
    unsigned row, col; /* of the tile, where the instruction begins */
};

struct place {
    unsigned row, col; /* of the tile */
    uint32_t lies, read;
};

static uint32_t lies_at(const struct part *part, unsigned row, unsigned col)
{
    bool k_major = part->question->major == SWB_K_MAJOR;
    return advise_landing_address(part->landing, k_major ? row : col,
                                  (k_major ? col : row) * part->question->bits / 8);
}

/* Whether all elements are read where they lie; else the first that is not. */
static bool reads_all(const struct part *part, const struct swb_descriptor *d, struct place *first)
{
    const struct advise_question *question = part->question;
    unsigned k = K_BYTES * 8 / question->bits;
    for (unsigned col = 0; col < k; col++) {
        for (unsigned row = 0; row < advise_wgmma_rows(question); row++) {
            struct place place = {
                part->row + row, part->col + col, lies_at(part, part->row + row, part->col + col),
                swb_descriptor_address(d, question->major, question->bits, row, col)};
            *first = place;
            if (place.lies != place.read)
                return false;
        }
    }
    return true;
}

/* The right descriptor for the part, by the layout in which the writer leaves the tile. */
static bool describe(const struct part *part, struct swb_descriptor *d)
{
    const struct advise_landing *landing = part->landing;
    const struct swb_tile *tile = &landing->tile;
    bool k_major = tile->major == SWB_K_MAJOR;
    unsigned bits = tile->elem_bits, col = part->col, row = part->row;
    if (k_major)
        col = advise_landing_byte(landing, col * bits / 8) * 8 / bits;
    else
        row = advise_landing_byte(landing, row * bits / 8) * 8 / bits;
    if (!swb_tile_descriptor(tile, landing->by_tma ? 0 : landing->base_bytes, col, d, NULL))
        return false;
    d->start_bytes +=
        swb_tile_byte_offset(tile, row, 0) + (landing->by_tma ? landing->base_bytes : 0);
    return true;
}

/* The instruction that begins where the descriptor does. */
static bool find_part(uint32_t start_bytes, struct part *part)
{
    const struct advise_question *question = part->question;
    struct swb_descriptor d;
    for (part->row = 0; part->row < question->rows; part->row += advise_wgmma_rows(question))
        for (part->col = 0; part->col < question->cols; part->col += K_BYTES * 8 / question->bits)
            if (describe(part, &d) && d.start_bytes == start_bytes)
                return true;
    part->row = part->col = 0;
    return false;
}

/* ---- Field by field ------------------------------------------------------------------------ */

/* What lies so many bytes on. */
static const char *lbo_meaning(const struct swb_tile *tile)
{
    if (tile->major == SWB_K_MAJOR)
        return "16 bytes of K";
    return tile->mode->swizzle_bits ? "span of M or N" : "8 of K";
}

static const char *sbo_meaning(const struct swb_tile *tile)
{
    if (tile->major == SWB_K_MAJOR)
        return "8 rows";
    return tile->mode->swizzle_bits ? "8 of K" : "16 bytes of M or N";
}

/* Whether this field of the user's makes the right descriptor wrong. */
static bool spoils(const struct part *part, struct swb_descriptor changed)
{
    struct place any;
    return !reads_all(part, &changed, &any);
}

static void compare_offset(const struct advise_landing *landing, const char *field, uint32_t has,
                           uint32_t right, const char *what, unsigned *wrong)
{
    advise_disagree(wrong,
                    "the descriptor's %s is %u, but in %s it is %u bytes to the next %s: %s %u "
                    "would be right",
                    field, has, landing->layout, right, what, field, right);
}

static void compare_base_offset(const struct part *part, const struct swb_descriptor *has,
                                const struct swb_descriptor *right, unsigned *wrong)
{
    const struct advise_landing *landing = part->landing;
    unsigned repeat = swb_tile_repeat_bytes(&landing->tile);
    if (landing->by_tma)
        advise_disagree(wrong,
                        "the descriptor's base offset is %u, but TMA counts the pattern from "
                        "multiples of %u, wherever the box begins: base offset 0 would be right",
                        has->base_offset, repeat);
    else
        advise_disagree(wrong,
                        "the descriptor's base offset is %u, but the tile begins at byte %u, %u "
                        "behind a multiple of the %u after which %s repeats: base offset %u would "
                        "be right",
                        has->base_offset, landing->base_bytes, landing->base_bytes % repeat, repeat,
                        landing->tile.mode->name, right->base_offset);
}

static void compare_fields(const struct part *part, const struct swb_descriptor *has,
                           const struct swb_descriptor *right, unsigned *wrong)
{
    const struct advise_landing *landing = part->landing;
    struct swb_descriptor mode = *right, lbo = *right, sbo = *right, base_offset = *right;
    mode.mode = has->mode;
    lbo.leading_bytes = has->leading_bytes;
    sbo.stride_bytes = has->stride_bytes;
    base_offset.base_offset = has->base_offset;
    if (spoils(part, mode))
        advise_disagree(wrong,
                        "%s as %s, but the descriptor's mode is %u (%s): mode %u (%s) would be "
                        "right",
                        landing->writer, landing->layout,
                        (unsigned)(swb_descriptor_encode(has) >> MODE_AT), has->mode->name,
                        (unsigned)(swb_descriptor_encode(right) >> MODE_AT), right->mode->name);
    if (spoils(part, sbo))
        compare_offset(landing, "SBO", has->stride_bytes, right->stride_bytes,
                       sbo_meaning(&landing->tile), wrong);
    if (spoils(part, lbo))
        compare_offset(landing, "LBO", has->leading_bytes, right->leading_bytes,
                       lbo_meaning(&landing->tile), wrong);
    if (spoils(part, base_offset))
        compare_base_offset(part, has, right, wrong);
}

/* No descriptor reads it: the writer is to change. */
static void blame_writer(const struct part *part, unsigned *wrong)
{
    const struct advise_landing *landing = part->landing;
    struct swb_tma_reading reading = swb_tma_reading(&landing->box, part->question->bits);
    if (landing->by_tma && !reading.readable)
        advise_disagree(wrong, "%s where no descriptor reads it: %s", landing->writer,
                        reading.sentence);
    else
        advise_disagree(wrong,
                        "%s %s from byte %u on, which no descriptor describes; atoms of 8 lines, "
                        "stacked evenly from a multiple of 128 on, would be right",
                        landing->writer, landing->tile.mode ? landing->layout : "the tile",
                        landing->base_bytes);
}

static void check_wgmma(const struct advise_question *question, const struct advise_words *words,
                        const struct advise_landing *landing, const struct swb_descriptor *has,
                        unsigned *wrong)
{
    struct part part = {question, landing, 0, 0};
    struct swb_descriptor right;
    struct place first;
    bool found = landing->tile.mode && find_part(has->start_bytes, &part);
    if (!landing->tile.mode || !describe(&part, &right) || !reads_all(&part, &right, &first)) {
        blame_writer(&part, wrong);
        return;
    }
    if (!found)
        advise_disagree(wrong,
                        "the descriptor starts at byte %u, where no wgmma's part of the tile from "
                        "--base %s on begins; the first is at %u",
                        has->start_bytes, words->base, right.start_bytes);
    compare_fields(&part, has, &right, wrong);
    if (*wrong == 0 && !reads_all(&part, has, &first))
        advise_disagree(wrong,
                        "%s as %s: element (%u,%u) lies at byte %u, and the descriptor reads it at "
                        "%u",
                        landing->writer, landing->layout, first.row, first.col, first.lies,
                        first.read);
    if (*wrong > 0)
        return;
    printf("agree: %s as %s, and the descriptor reads rows %u to %u, K %u to %u where they "
           "lie\n",
           landing->writer, landing->layout, part.row, part.row + advise_wgmma_rows(question) - 1,
           part.col, part.col + K_BYTES * 8 / question->bits - 1);
    if (landing->base_bytes % swb_tile_repeat_bytes(&landing->tile))
        printf("note: byte %u is no multiple of %u; %s\n", landing->base_bytes,
               swb_tile_repeat_bytes(&landing->tile),
               landing->by_tma ? "TMA and a base offset of 0 count the pattern from multiples of "
                                 "it, loads that count from the tile's base would not find it"
                               : "hence the base offset");
}

/* ---- A reader that computes addresses ------------------------------------------------------ */

static void check_addresses(const struct advise_landing *landing, const struct swb_tile *taken,
                            unsigned *wrong)
{
    char name[ADVISE_LAYOUT_BYTES], remedy[64];
    const char *lies = landing->tile.mode ? landing->layout : "no layout with a name";
    advise_layout_text(taken, name);
    bool same = strcmp(lies, name) == 0;
    snprintf(remedy, sizeof remedy, "a --base that is a multiple of %u",
             swb_tile_repeat_bytes(taken));
    for (unsigned line = 0; line < landing->lines; line++) {
        for (unsigned byte = 0; byte < landing->line_bytes; byte += CHUNK_BYTES) {
            uint32_t at = advise_landing_address(landing, line, byte);
            uint32_t read = landing->base_bytes + swb_tile_line_offset(taken, line, byte);
            if (at == read)
                continue;
            advise_disagree(wrong,
                            "%s as %s, and the reader takes it for %s: byte %u of line %u lies at "
                            "%u and is read at %u; %s would be right",
                            landing->writer, lies, name, byte, line, at, read,
                            same ? remedy : lies);
            return;
        }
    }
    printf("agree: %s as %s, and the reader takes it for that\n", landing->writer, lies);
}

static bool check_reader_words(const struct advise_question *question,
                               const struct advise_words *words, struct error *error)
{
    bool of_wgmma =
        words->descriptor || words->mode || words->lbo || words->sbo || words->base_offset;
    bool is_wgmma = question->reader == ADVISE_WGMMA;
    if (is_wgmma ? words->reader_layout != NULL : of_wgmma)
        return error_set(error, ERROR_INPUT, "--reader %s goes with %s",
                         advise_reader_name(question->reader),
                         is_wgmma ? "a descriptor, not with --reader-layout"
                                  : "--reader-layout, not with a descriptor");
    return is_wgmma || words->reader_layout ||
           error_set(error, ERROR_INPUT, "--reader %s needs --reader-layout",
                     advise_reader_name(question->reader));
}

bool advise_check(const struct advise_question *question, const struct advise_words *words,
                  bool *agree, struct error *error)
{
    struct advise_landing landing;
    struct swb_descriptor has = {.mode = NULL};
    struct swb_tile taken;
    bool is_wgmma = question->reader == ADVISE_WGMMA;
    unsigned wrong = 0;
    uint64_t base;
    if (!check_reader_words(question, words, error) ||
        !read_whole("--base", words->base, PLACED_SMEM_BYTES - 1, &base, error))
        return false;
    if (is_wgmma ? !read_descriptor(words, &has, &wrong, error)
                 : !advise_read_layout("--reader-layout", words->reader_layout, question,
                                       words->stack, &taken, error))
        return false;
    if (!words->base)
        base = has.start_bytes;
    else if (!words->descriptor)
        has.start_bytes = (uint32_t)base;
    unsigned before = wrong;
    if (!advise_landing_read(question, words, (uint32_t)base, &landing, &wrong, error))
        return false;
    if (wrong == before && is_wgmma)
        check_wgmma(question, words, &landing, &has, &wrong);
    else if (wrong == before)
        check_addresses(&landing, &taken, &wrong);
    *agree = wrong == 0;
    return true;
}
