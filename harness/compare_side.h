/* What does one side of a comparison hold: a folder of result files, or one file? */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_SIDE_H
#define SWIZZLEBENCH_HARNESS_COMPARE_SIDE_H

#include "harness/result.h"

enum { COMPARE_MAX_FAMILIES = 64, COMPARE_MAX_SIDES = 8 };

struct compare_side {
    const char *path;
    char letter;                                    /* A, B, ... in the order of the words */
    struct result_file files[COMPARE_MAX_FAMILIES]; /* in the order of the registry */
    char *names[COMPARE_MAX_FAMILIES];              /* of these files; NULL where there is none */
    char left_out[4096]; /* "FILE is left out, of no family; ...": other CSV files of the folder */
    char notes[8192];    /* unfinished rows, and columns that are left out; "" where none */
};

/* Reads the file, or all of the folder's that the registry has a family for. ERROR_INPUT for what
 * is no result file. Free with compare_side_free, also after a failure. */
bool compare_side_read(const char *path, char letter, struct compare_side *side,
                       struct error *error);

/* Reads the folder's file of the registry's family number `family` alone. Where there is none, or
 * one that was cut before its rows, the side holds nothing. */
bool compare_side_read_family(const char *folder, size_t family, struct compare_side *side,
                              struct error *error);
void compare_side_free(struct compare_side *side);

/* All files must have this program's schema and be fit to be compared (compare_check.h).
 * ERROR_INPUT says which is not. */
bool compare_sides_check(struct compare_side *sides, size_t count, struct error *error);

/* What the files of a side say in their heads: each value once, and of dates the first and the
 * last.
 * "" where none says anything. */
void compare_side_value(const struct compare_side *side, const char *key, char *text, size_t bytes);

/* Whether a head's gpu_uuid, or NULL, names a GPU: the model's backend has none, and says "-". */
bool compare_is_gpu(const char *uuid);

#endif
