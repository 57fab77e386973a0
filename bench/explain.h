/* Why does an access take the wavefronts that it takes? */
#ifndef SWIZZLEBENCH_BENCH_EXPLAIN_H
#define SWIZZLEBENCH_BENCH_EXPLAIN_H

#include <stdio.h>

#include "harness/error.h"
#include "model/swizzlebench.h"

enum { LANES_TEXT_BYTES = 128 };

/* What one phase wants of each bank: the words, and the lanes that want each. */
struct phase_words {
    unsigned first_lane, last_lane;
    bool active;         /* a lane of it is */
    unsigned wavefronts; /* the most words wanted of one bank */
    struct bank_words {
        unsigned count;
        uint32_t byte_addresses[SWB_LANES]; /* of the words */
        uint32_t lanes[SWB_LANES];          /* as masks */
    } banks[SWB_BANKS];
};

/* Phases of an instruction, and the words of phase number `phase`. */
unsigned explain_phases(const struct swb_instruction *instruction, const struct swb_access *access);
void explain_phase(const struct swb_instruction *instruction, const struct swb_access *access,
                   unsigned phase, struct phase_words *words);

/* One sentence: which lanes form a phase, and why. */
void explain_grouping(const struct swb_instruction *instruction, const struct swb_access *access,
                      char *sentence, size_t bytes);

/* One sentence: the lanes that want the most words from one bank; "" where there is no conflict. */
void explain_collision(const struct swb_instruction *instruction, const struct swb_access *access,
                       char *sentence, size_t bytes);

/* The whole of it as text, and as a picture. `title` says what is explained. */
void explain_text(FILE *to, const char *title, const struct swb_instruction *instruction,
                  const struct swb_access *access);
bool explain_svg(const char *path, const char *title, const struct swb_instruction *instruction,
                 const struct swb_access *access, struct error *error);

/* "4 wavefronts, ideal 4, no conflicts"; "8 wavefronts, ideal 4, 2-way, 4 conflicts". */
const char *cost_text(const struct swb_cost *cost, char *text, size_t bytes);

/* "no conflicts", "1 conflict", "12 conflicts". */
const char *conflicts_text(unsigned long long conflicts, char *text, size_t bytes);

/* "0-3,5" for the lanes of a mask. */
const char *lanes_text(uint32_t lanes, char *text, size_t bytes);

#endif
