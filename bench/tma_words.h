/* A tensor map and a box as a user types them: which numbers are they? */
#ifndef SWIZZLEBENCH_BENCH_TMA_WORDS_H
#define SWIZZLEBENCH_BENCH_TMA_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/error.h"
#include "model/swizzlebench.h"

/* As typed; NULL where an option was not given. */
struct tma_words {
    const char *descriptors, *boxes, *svg;
    const char *dtype, *dims, *strides, *box, *element_strides, *interleave, *swizzle,
        *l2_promotion, *fill, *address, *smem_offset, *start, *compute_capability;
    bool csv, help;
};

/* Which command reads them: the others' options are unknown to it. */
enum tma_command { TMA_CHECK = 1, TMA_PLACE = 2, TMA_SHOW = 4 };

/* Reads argv. ERROR_INPUT: unknown options, missing values, words that belong to none. */
bool tma_words_read(int argc, char **argv, enum tma_command command, struct tma_words *words,
                    struct error *error);

/* ERROR_INPUT where `file` (--descriptors or --boxes) was given, and with it an option whose value
 * the file gives. */
bool tma_words_file_alone(const struct tma_words *words, const char *option, const char *file,
                          struct error *error);

/* The tensor map; its rank is the number of --dims, 1 to 8, of which the first five are kept.
 * Without --strides it is packed. ERROR_INPUT: what is missing, no number, no name, too large for
 * 64 bits. */
bool tma_words_map(const struct tma_words *words, struct swb_tma_map *map, struct error *error);

/* The box: --dims may be missing, and then the tensor holds the box and no more. ERROR_INPUT also
 * where the driver refuses the box, or it does not fit shared memory. `start` is where the box
 * begins in the tensor. */
bool tma_words_box(const struct tma_words *words, struct swb_tma_map *map, struct swb_tma_box *box,
                   int32_t start[SWB_TMA_MAX_RANK], struct error *error);

/* Number of a value that the model has a name for: 10 for "bf16". */
unsigned tma_words_number(enum swb_tma_word word, const char *name);

/* --compute-capability 9.0 -> 90, the default. */
bool tma_words_capability(const struct tma_words *words, unsigned *compute_capability,
                          struct error *error);

/* "64;8;1" -> 64, 8, 1 with `separator` between. Returns how many, up to `most`, or 0 when the
 * text is no such list, has more, or a number above `largest`. */
unsigned tma_numbers(const char *text, char separator, uint64_t largest, unsigned most,
                     uint64_t *numbers);

#endif
