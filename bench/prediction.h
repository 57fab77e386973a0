/* What does the model say of a list of accesses? Gathered from a file or from a walk, and printed
 * as CSV or as a summary. */
#ifndef SWIZZLEBENCH_BENCH_PREDICTION_H
#define SWIZZLEBENCH_BENCH_PREDICTION_H

#include <stdio.h>

#include "bench/query.h"

struct prediction {
    const struct swb_instruction *instruction;
    struct swb_cost cost;
    bool known; /* false for cp.async without its global addresses */
};

struct predictions {
    struct prediction *rows;
    size_t count, room;
    unsigned long long wavefronts, ideal_wavefronts, conflicts; /* sums over the known rows */
    size_t unknown;

    /* The row to look at more closely: number `wanted`, or the one furthest above its ideal. */
    bool is_wanted;
    size_t wanted, chosen;
    struct swb_access chosen_access;
};

/* Appends what the model says of an access. */
bool predictions_add(struct predictions *predictions, const struct query_access *access,
                     struct error *error);
void predictions_free(struct predictions *predictions);

/* One line a row: [position,]instruction,wavefronts,ideal_wavefronts,conflicts; the numbers are
 * empty where the model says nothing. */
void predictions_print_csv(FILE *to, const struct predictions *predictions, bool positions);

/* One line for each instruction, in the order of its first row: rows, wavefronts, conflicts. */
void predictions_print_by_instruction(FILE *to, const struct predictions *predictions);

#endif
