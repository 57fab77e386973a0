/* Which claims about tensor-core layouts hold, on the GPU that a folder of results is from? Private
 * to bench/claims*.c, bench/report.c and their tests. */
#ifndef SWIZZLEBENCH_BENCH_CLAIMS_H
#define SWIZZLEBENCH_BENCH_CLAIMS_H

#include <stdio.h>

#include "harness/compare_side.h"
#include "harness/grid.h"

enum claim_verdict {
    CLAIM_OPEN, /* these results do not tell; the condition says what is lacking */
    CLAIM_CONFIRMED,
    CLAIM_REFUTED,
    CLAIM_DEPENDS, /* on what the condition says */
    CLAIM_VERDICTS
};
const char *claim_verdict_name(enum claim_verdict verdict);

struct claim_answer {
    enum claim_verdict verdict;
    /* Sentences with the numbers found; and "shared.csv:CASE", a row, or a command of this program
     * that shows it. What does not fit leaves " ..." at the end. */
    char condition[4096], evidence[4096];
};

struct claim {
    const char *id, *text;

    /* The answer comes in open and empty. Where `side` is NULL there are no results. A rule is a
     * function of the rows, of the model and of what is claimed. */
    void (*judge)(const struct claim *claim, const struct compare_side *side,
                  struct claim_answer *answer);

    /* The numbers of a claim about indices (which they are is said in the table), and layouts of A,
     * B and C. */
    unsigned claimed[8];
    const char *claimed_layouts[3];
};

enum { CLAIMS = 24 };
extern const struct claim claims[CLAIMS];

void claims_judge(const struct compare_side *side, struct claim_answer answers[CLAIMS]);

/* The columns id, claim, verdict, condition, evidence, as CSV or Markdown. False: no memory. */
bool claims_table(const struct claim_answer answers[CLAIMS], enum grid_style style, FILE *to);

/* For a person at a terminal. */
void claims_print(const struct compare_side *side, const struct claim_answer answers[CLAIMS],
                  FILE *to);

/* Writes FOLDER/claims.csv: a result file, in which an open claim is a row that was skipped. */
bool claims_write(const struct compare_side *side, const struct claim_answer answers[CLAIMS],
                  const char *folder, const char *command, struct error *error);

/* ---- Rules, by what they are about --------------------------------------------------------- */

#define CLAIM_RULE(name)                                                                           \
    void claim_##name(__attribute__((unused)) const struct claim *claim,                           \
                      __attribute__((unused)) const struct compare_side *side,                     \
                      struct claim_answer *answer)

CLAIM_RULE(s1);
CLAIM_RULE(s2);
CLAIM_RULE(s3);
CLAIM_RULE(s4);
CLAIM_RULE(s5);
CLAIM_RULE(s6);
CLAIM_RULE(s7);
CLAIM_RULE(s8);
CLAIM_RULE(s9);
CLAIM_RULE(s10);
CLAIM_RULE(s11);
CLAIM_RULE(s12);
CLAIM_RULE(s13);
CLAIM_RULE(s14);
CLAIM_RULE(s15);
CLAIM_RULE(s16);
CLAIM_RULE(s17);
CLAIM_RULE(s18);
CLAIM_RULE(t1);
CLAIM_RULE(t2);
CLAIM_RULE(t3);
CLAIM_RULE(t4);
CLAIM_RULE(t5);
CLAIM_RULE(t6);

#endif
