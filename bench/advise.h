/* Which layout, box and path for a tile? What the parts of `swizzlebench advise` share. Private to
 * bench/advise*.c and their tests. */
#ifndef SWIZZLEBENCH_BENCH_ADVISE_H
#define SWIZZLEBENCH_BENCH_ADVISE_H

#include "bench/copy_cases.h"
#include "bench/placed.h"
#include "bench/tma_cases.h"
#include "bench/wgmma_cases.h"
#include "harness/error.h"
#include "harness/family.h"
#include "harness/result.h"

/* Who fills the tile, and who reads it. */
enum advise_writer { ADVISE_TMA, ADVISE_CP_ASYNC, ADVISE_ST, ADVISE_WRITERS };
enum advise_reader { ADVISE_WGMMA, ADVISE_MMA, ADVISE_LDMATRIX, ADVISE_READERS };
const char *advise_writer_name(enum advise_writer writer);
const char *advise_reader_name(enum advise_reader reader);

/* ---- The question -------------------------------------------------------------------------- */

/* An operand's type, by its names elsewhere. */
struct advise_type {
    const char *name; /* as wgmma_type has it */
    const char *tma;  /* of the tensor map */
    const char *mma;  /* atom of mma.sync */
};

/* As typed; NULL where an option was not given. */
struct advise_words {
    const char *dtype, *tile, *major, *reader, *writer, *operand, *n, *gpu;
    bool csv, help, check;

    /* of --check */
    const char *writer_box, *writer_swizzle, *writer_layout, *reader_layout, *stack, *base,
        *descriptor, *lbo, *sbo, *mode, *base_offset;
};

struct advise_question {
    const struct advise_type *type;
    unsigned wgmma_type; /* number of wgmma_type_at() */
    unsigned tma_dtype, bits;
    unsigned rows, cols; /* of the tile: M (or N) and K */
    enum swb_major major;
    enum advise_reader reader;
    bool writers[ADVISE_WRITERS]; /* that are asked about */
    enum swb_mma_operand operand; /* A or B */
    unsigned n;                   /* of the wgmma */
};

/* Reads the words that both modes have. ERROR_INPUT with one line: what is wrong, and what would be
 * right. */
bool advise_words_read(int argc, char **argv, struct advise_words *words, struct error *error);
bool advise_question_read(const struct advise_words *words, struct advise_question *question,
                          struct error *error);

/* ERROR_INPUT names the nearest known word. */
bool advise_choose(const char *option, const char *word, const char *const *known, size_t count,
                   size_t *chosen, struct error *error);

/* Rows of the operand that one wgmma reads: 64 of A, N of B. */
unsigned advise_wgmma_rows(const struct advise_question *question);

/* ---- The answer ---------------------------------------------------------------------------- */

/* The boxes that fill a tile: `along` of them side by side along its lines, `down` below. */
struct advise_boxes {
    struct tma_case first;
    unsigned along, down;
    unsigned line_bytes, lines; /* of the tile, in a box */
};

/* How a tile is filled: instructions of TMA, or of a warp. */
struct advise_write {
    unsigned instructions;
    uint64_t sectors;                     /* 32 bytes of global memory each */
    uint64_t wavefronts, ideal;           /* TMA: 0 */
    uint64_t cycles;                      /* no fewer; of cp.async about so many */
    struct advise_boxes boxes;            /* TMA */
    const struct swb_instruction *copies; /* the others */
};

/* How the whole of it is read once: instructions of a warp, or of a warpgroup. */
struct advise_read {
    const struct swb_instruction *instruction; /* NULL: wgmma */
    unsigned instructions;
    uint64_t wavefronts, ideal; /* wgmma: with those of the other operand */
    uint64_t cycles;            /* no fewer */
    char why_not[256];          /* it is no ldmatrix; "" where it is */
};

/* A row of a result file that is that very thing; or, where the clocks are of an instruction in
 * shared memory alone, the same instruction over fewer or more lines. */
struct advise_figure {
    char source[320]; /* which row of which file; or why there is none */
    bool found;
    const char *each;   /* "a box": of what each_cycles are */
    double tile_cycles; /* of the whole tile; 0 where the row is not about tiles */
    char each_cycles[24], latency_cycles[24], bytes_per_clk_sm[24]; /* as they stand there */
};

/* The best of the rows of copy.csv that differ in their stages alone. */
struct advise_best {
    char source[ROW_CASE_BYTES + 128]; /* which row, and which column; or why there is none */
    bool found;
    unsigned stages;
    char value[24], ctas_per_sm[24], bytes_per_clk_sm[24]; /* as they stand there */
    char by_stages[128];                                   /* "1: 94.97, 2: 97.88" */
};

/* A copy of the whole tile from global memory: two questions, with two best numbers of stages. */
struct advise_copy {
    struct advise_best all_sms; /* pct_of_peak */
    struct advise_best one_cta; /* cycles_per_tile */
};

struct advise_candidate {
    struct swb_tile tile;
    char layout[32];
    enum advise_writer writer;
    size_t order;      /* as made */
    char refusal[480]; /* "": possible, and the rest holds */
    unsigned smem_bytes;
    struct advise_write write;
    struct advise_read read;
    uint64_t bound_cycles; /* the larger of both: the one hides behind the other */
    struct advise_figure written, was_read;
    struct advise_copy copied[2];  /* by enum copy_source */
    struct advise_copy one_box[2]; /* the same, where TMA takes several boxes: in one of rank 4 */
};

enum { ADVISE_MAX_CANDIDATES = 6 * 2 * ADVISE_WRITERS };

struct advice {
    const struct advise_question *question;
    struct advise_candidate candidates[ADVISE_MAX_CANDIDATES]; /* possible ones first, best first */
    size_t count, possible;
    char gpu[96], folder[256]; /* where the figures are from; "": none was asked for */
};

/* Ranked by bound_cycles, then the writer's cycles, bytes of shared memory, copies, sectors.
 * ERROR_INPUT where nothing does. */
bool advise_find(const struct advise_question *question, struct advice *advice,
                 struct error *error);

/* What `c` loses against the best one, and why; "nothing in these numbers". */
void advise_loss(const struct advise_candidate *best, const struct advise_candidate *c, char *text,
                 size_t bytes);

/* Adds what the files of a folder say of each candidate. ERROR_INPUT where there are no results. */
bool advise_measured(const char *folder, struct advice *advice, struct error *error);

void advise_print(const struct advice *advice);
void advise_print_csv(const struct advice *advice);

/* Parts of the page: what was measured of the best one, and what others get in one box. */
void advise_print_measured(const struct advice *advice);
void advise_print_in_one_box(const struct advice *advice);

/* ---- Parts --------------------------------------------------------------------------------- */

/* The rest of the candidate is there. False, with the refusal in it, where it cannot be done. */
bool advise_plan_write(const struct advise_question *question, const struct placed *placed,
                       struct advise_candidate *c);
bool advise_plan_read(const struct advise_question *question, const struct placed *placed,
                      struct advise_candidate *c);

/* What copy.csv says of copying the tile so, and as one box. NULL: there is no such file. */
void advise_find_copies(const struct result_file *file, struct advise_candidate *c);

/* Box number `number`, along the lines first: where it begins, and where it goes. */
struct tma_case advise_box_at(const struct advise_candidate *c, unsigned number);

/* ---- Checking what there is ---------------------------------------------------------------- */

/* To stdout. Returns the exit status: 0 they agree, 1 they do not. ERROR_INPUT: bad words. */
bool advise_check(const struct advise_question *question, const struct advise_words *words,
                  bool *agree, struct error *error);

#endif
