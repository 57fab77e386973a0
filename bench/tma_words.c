/* Which tensor map and which box did the user type? */
#include "bench/tma_words.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/options.h"
#include "harness/text.h"

enum { ANY = TMA_CHECK | TMA_PLACE | TMA_SHOW, BOXES = TMA_PLACE | TMA_SHOW };

/* ---- The words of argv -------------------------------------------------------------------- */

#define WORD(name, member, commands)                                                               \
    {                                                                                              \
        name, offsetof(struct tma_words, member), commands, false                                  \
    }
#define FLAG(name, member)                                                                         \
    {                                                                                              \
        name, offsetof(struct tma_words, member), ANY, true                                        \
    }
static const struct option_word table[] = {
    WORD("descriptors", descriptors, TMA_CHECK),
    WORD("boxes", boxes, TMA_PLACE),
    WORD("svg", svg, TMA_SHOW),
    WORD("dtype", dtype, ANY),
    WORD("dims", dims, ANY),
    WORD("strides", strides, TMA_CHECK),
    WORD("box", box, ANY),
    WORD("element-strides", element_strides, ANY),
    WORD("interleave", interleave, ANY),
    WORD("swizzle", swizzle, ANY),
    WORD("l2-promotion", l2_promotion, TMA_CHECK),
    WORD("fill", fill, TMA_CHECK),
    WORD("address", address, TMA_CHECK),
    WORD("compute-capability", compute_capability, TMA_CHECK),
    WORD("smem-offset", smem_offset, BOXES),
    WORD("start", start, BOXES),
    FLAG("csv", csv),
    FLAG("help", help),
};

enum { TABLE_COUNT = sizeof table / sizeof table[0] };

bool tma_words_file_alone(const struct tma_words *words, const char *option, const char *file,
                          struct error *error)
{
    for (size_t i = 0; i < TABLE_COUNT && file; i++) {
        const char *value = NULL;
        bool of_all = table[i].is_flag || strcmp(table[i].name, "compute-capability") == 0;
        if (!of_all)
            value = *(const char *const *)((const char *)words + table[i].at);
        if (value && value != file)
            return error_set(error, ERROR_INPUT,
                             "--%s does not go with --%s, which gives all values", table[i].name,
                             option);
    }
    return true;
}

bool tma_words_read(int argc, char **argv, enum tma_command command, struct tma_words *words,
                    struct error *error)
{
    if (!option_read_words(argc, argv, table, TABLE_COUNT, command, words, error))
        return false;
    return words->help || option_no_words(argc, argv, error);
}

/* ---- Numbers and names -------------------------------------------------------------------- */

unsigned tma_numbers(const char *text, char separator, uint64_t largest, unsigned most,
                     uint64_t *numbers)
{
    for (unsigned count = 0; count < most; text++) {
        char *end;
        errno = 0;
        if (*text < '0' || *text > '9')
            return 0;
        numbers[count++] = strtoull(text, &end, 10);
        if (errno != 0 || numbers[count - 1] > largest)
            return 0;
        if (*end == '\0')
            return count;
        if (*end != separator)
            return 0;
        text = end;
    }
    return 0;
}

static bool read_number(const char *option, const char *text, uint64_t largest, uint64_t *number,
                        struct error *error)
{
    if (!text || tma_numbers(text, ',', largest, 1, number) == 1)
        return true;
    return error_set(error, ERROR_INPUT, "%s '%s': a whole number up to %llu is needed", option,
                     text, (unsigned long long)largest);
}

/* As many numbers as the tensor map has dimensions, less `less`. */
static bool read_list(const char *option, const char *text, uint64_t largest, unsigned rank,
                      unsigned less, uint64_t *numbers, struct error *error)
{
    enum { MOST = 8 };
    unsigned count = tma_numbers(text, ',', largest, MOST, numbers);
    if (count == 0)
        return error_set(error, ERROR_INPUT,
                         "%s '%s': whole numbers up to %llu with commas between are needed", option,
                         text, (unsigned long long)largest);
    if (count != rank - less)
        return error_set(error, ERROR_INPUT, "%s '%s' has %u numbers; %u are needed", option, text,
                         count, rank - less);
    return true;
}

/* A name of the model's, or its number. */
static bool read_name(const char *option, const char *text, enum swb_tma_word word, unsigned *value,
                      struct error *error)
{
    enum { MOST = 24 };
    const char *names[MOST];
    char hint[320];
    uint64_t number;
    size_t count = 0;
    for (; count < MOST && swb_tma_name(word, (unsigned)count); count++) {
        names[count] = swb_tma_name(word, (unsigned)count);
        if (text && strcasecmp(text, names[count]) == 0) {
            *value = (unsigned)count;
            return true;
        }
    }
    if (!text || tma_numbers(text, ',', UINT32_MAX, 1, &number) == 1) {
        *value = text ? (unsigned)number : 0;
        return true;
    }
    text_suggest(text, names, count, hint, sizeof hint);
    return error_set(error, ERROR_INPUT, "unknown %s '%s'; %s", option, text, hint);
}

unsigned tma_words_number(enum swb_tma_word word, const char *name)
{
    unsigned number = 0;
    while (strcmp(swb_tma_name(word, number), name) != 0)
        number++;
    return number;
}

bool tma_words_capability(const struct tma_words *words, unsigned *compute_capability,
                          struct error *error)
{
    const char *text = words->compute_capability ? words->compute_capability : "9.0";
    uint64_t parts[2];
    if (tma_numbers(text, '.', 99, 2, parts) != 2 || parts[1] > 9)
        return error_set(error, ERROR_INPUT, "--compute-capability '%s': 9.0 or 10.0, for example",
                         text);
    *compute_capability = (unsigned)(10 * parts[0] + parts[1]);
    return true;
}

/* ---- The tensor map ----------------------------------------------------------------------- */

enum { LIST_ROOM = 8 };

static unsigned kept(unsigned rank)
{
    return rank < SWB_TMA_MAX_RANK ? rank : SWB_TMA_MAX_RANK;
}

static bool read_box(const struct tma_words *words, struct swb_tma_map *map, struct error *error)
{
    uint64_t box[LIST_ROOM], steps[LIST_ROOM] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (!words->dtype || !words->box)
        return error_set(error, ERROR_INPUT, "%s is needed; see --help",
                         words->dtype ? "--box" : "--dtype");
    map->rank =
        tma_numbers(words->dims ? words->dims : words->box, ',', UINT64_MAX, LIST_ROOM, box);
    if (words->dims && map->rank == 0)
        return read_list("--dims", words->dims, UINT64_MAX, 0, 0, box, error);
    if (!read_list("--box", words->box, UINT32_MAX, map->rank, 0, box, error) ||
        (words->element_strides && !read_list("--element-strides", words->element_strides,
                                              UINT32_MAX, map->rank, 0, steps, error)))
        return false;
    for (unsigned i = 0; i < kept(map->rank); i++) {
        map->box[i] = (uint32_t)box[i];
        map->element_strides[i] = (uint32_t)steps[i];
    }
    return read_name("--dtype", words->dtype, SWB_TMA_DTYPE, &map->dtype, error) &&
           read_name("--interleave", words->interleave, SWB_TMA_INTERLEAVE, &map->interleave,
                     error) &&
           read_name("--swizzle", words->swizzle, SWB_TMA_SWIZZLE, &map->swizzle, error);
}

/* strides[0] is a line, and each further one holds all of the dimension before. */
static bool pack(struct swb_tma_map *map, struct error *error)
{
    unsigned elem_bits = swb_tma_elem_bits(map->dtype);
    uint64_t bytes = map->dims[0] / 8 * elem_bits + (map->dims[0] % 8 * elem_bits + 7) / 8;
    bool fits = elem_bits == 0 || map->dims[0] / 8 <= UINT64_MAX / elem_bits - 1;
    for (unsigned i = 1; i < kept(map->rank); i++) {
        map->strides[i - 1] = bytes;
        fits = fits && (map->dims[i] == 0 || bytes <= UINT64_MAX / map->dims[i]);
        bytes *= map->dims[i];
    }
    return fits || error_set(error, ERROR_INPUT,
                             "the strides of a packed tensor with these --dims need more than 64 "
                             "bits; give --strides or smaller --dims");
}

bool tma_words_map(const struct tma_words *words, struct swb_tma_map *map, struct error *error)
{
    uint64_t numbers[LIST_ROOM];
    *map = (struct swb_tma_map){.rank = 0};
    if (!words->dims)
        return error_set(error, ERROR_INPUT, "--dims is needed; see --help");
    if (!read_box(words, map, error) ||
        !read_list("--dims", words->dims, UINT64_MAX, map->rank, 0, numbers, error))
        return false;
    memcpy(map->dims, numbers, sizeof map->dims);
    if (!words->strides && !pack(map, error))
        return false;
    if (words->strides) {
        if (!read_list("--strides", words->strides, UINT64_MAX, map->rank, 1, numbers, error))
            return false;
        memcpy(map->strides, numbers, sizeof map->strides);
    }
    return read_number("--address", words->address, UINT64_MAX, &map->address, error) &&
           read_name("--l2-promotion", words->l2_promotion, SWB_TMA_L2_PROMOTION,
                     &map->l2_promotion, error) &&
           read_name("--fill", words->fill, SWB_TMA_OOB_FILL, &map->oob_fill, error);
}

/* ---- The box ------------------------------------------------------------------------------ */

static bool read_start(const char *text, unsigned rank, int32_t *start, struct error *error)
{
    const char *at = text;
    for (unsigned i = 0; at && i < rank; i++) {
        char *end;
        errno = 0;
        long number = strtol(at, &end, 10);
        if (end == at || errno != 0 || number < INT32_MIN || number > INT32_MAX ||
            *end != (i + 1 < rank ? ',' : '\0'))
            return error_set(error, ERROR_INPUT,
                             "--start '%s': %u whole numbers of 32 bits with commas between are "
                             "needed",
                             text, rank);
        start[i] = (int32_t)number;
        at = end + 1;
    }
    return true;
}

/* Strides and, without --dims, dimensions that no rule is against, so that what is left to refuse
 * is the box. */
static void put_in_a_tensor(struct swb_tma_map *map, bool has_dims)
{
    enum { LEGAL_STRIDE_BYTES = 4096 };
    for (unsigned i = 0; i < kept(map->rank); i++) {
        if (!has_dims)
            map->dims[i] = map->box[i] > 0 ? map->box[i] : 1;
        if (i > 0)
            map->strides[i - 1] = LEGAL_STRIDE_BYTES;
    }
}

bool tma_words_box(const struct tma_words *words, struct swb_tma_map *map, struct swb_tma_box *box,
                   int32_t start[SWB_TMA_MAX_RANK], struct error *error)
{
    enum { KNOWS_EVERY_SWIZZLE = 100 };
    uint64_t numbers[LIST_ROOM] = {0}, smem_offset = 0;
    struct swb_tma_broken broken;
    *map = (struct swb_tma_map){.rank = 0};
    if (!read_box(words, map, error) ||
        (words->dims &&
         !read_list("--dims", words->dims, UINT64_MAX, map->rank, 0, numbers, error)))
        return false;
    memcpy(map->dims, numbers, sizeof map->dims);
    put_in_a_tensor(map, words->dims != NULL);
    if (swb_tma_check(map, KNOWS_EVERY_SWIZZLE, &broken, 1) > 0)
        return error_set(error, ERROR_INPUT, "the driver refuses this box: %s", broken.sentence);
    if (!read_number("--smem-offset", words->smem_offset, UINT32_MAX, &smem_offset, error) ||
        !read_start(words->start, map->rank, start, error))
        return false;
    if (smem_offset % SWB_TMA_SMEM_ALIGNMENT_BYTES != 0)
        return error_set(error, ERROR_INPUT,
                         "--smem-offset %" PRIu64
                         ": must be a multiple of %d; the nearest is %" PRIu64,
                         smem_offset, SWB_TMA_SMEM_ALIGNMENT_BYTES,
                         (smem_offset + SWB_TMA_SMEM_ALIGNMENT_BYTES / 2) /
                             SWB_TMA_SMEM_ALIGNMENT_BYTES * SWB_TMA_SMEM_ALIGNMENT_BYTES);
    *box = swb_tma_box_of(map, (uint32_t)smem_offset);
    const char *refusal = swb_tma_box_refusal(box);
    return !refusal || error_set(error, ERROR_INPUT, "%s", refusal);
}
