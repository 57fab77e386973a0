/* What is there to say about predictions in a few lines? */
#include "bench/summary.h"

#include "bench/explain.h"

enum { SENTENCE_BYTES = 320 };

/* ", 2-way: lanes 0,1 want 2 words from bank 0" and the end of the line. */
static void print_chosen(const struct predictions *predictions)
{
    const struct prediction *row = &predictions->rows[predictions->chosen];
    char sentence[SENTENCE_BYTES];
    explain_collision(row->instruction, &predictions->chosen_access, sentence, sizeof sentence);
    if (row->cost.conflicts == 0)
        puts(", no conflicts");
    else
        printf(", %.3g-way: %s\n", (double)row->cost.wavefronts / row->cost.ideal_wavefronts,
               sentence);
}

/* What is not predicted is in no sum, and a sum over nothing is no result. */
static void print_sums(const struct predictions *predictions)
{
    char conflicts[64];
    printf("%zu access%s", predictions->count, predictions->count == 1 ? "" : "es");
    if (predictions->unknown == predictions->count) {
        puts(", none predicted");
        return;
    }
    if (predictions->unknown > 0)
        printf(", %zu of them not predicted", predictions->unknown);
    printf(": %llu wavefront%s, ideal %llu, %s\n", predictions->wavefronts,
           predictions->wavefronts == 1 ? "" : "s", predictions->ideal_wavefronts,
           predictions->conflicts == 0 && predictions->wavefronts > predictions->ideal_wavefronts
               ? "none of them counted as a conflict"
               : conflicts_text(predictions->conflicts, conflicts, sizeof conflicts));
}

/* The counters know no conflicts of cp.async past L1, however many wavefronts it takes. */
static void print_chosen_copy(const struct swb_cost *cost)
{
    char text[160];
    if (cost->conflicts == 0 && cost->wavefronts > cost->ideal_wavefronts)
        printf(": %u wavefronts, ideal %u (past L1 none are counted as conflicts)\n",
               cost->wavefronts, cost->ideal_wavefronts);
    else
        printf(": %s\n", cost_text(cost, text, sizeof text));
}

void summarize_accesses(const struct predictions *predictions)
{
    const struct prediction *row = &predictions->rows[predictions->chosen];
    print_sums(predictions);
    predictions_print_by_instruction(stdout, predictions);
    if (!row->known ||
        (row->cost.wavefronts <= row->cost.ideal_wavefronts && !predictions->is_wanted))
        return;
    printf("%s row %zu, %s", predictions->is_wanted ? "chosen" : "worst", predictions->chosen,
           row->instruction->name);
    if (row->instruction->kind == SWB_CP_ASYNC)
        print_chosen_copy(&row->cost);
    else
        print_chosen(predictions);
}

struct range {
    unsigned least, most;
};

static void widen(struct range *range, unsigned value)
{
    range->least = value < range->least ? value : range->least;
    range->most = value > range->most ? value : range->most;
}

static const char *range_text(const struct range *range, char *text, size_t bytes)
{
    snprintf(text, bytes, range->most > range->least ? "%u to %u" : "%u", range->least,
             range->most);
    return text;
}

static void print_positions(const struct walk *walk, const struct predictions *predictions)
{
    struct range wavefronts = {.least = UINT32_MAX}, ideal = {.least = UINT32_MAX};
    double way = 1;
    char texts[2][32], conflicts[64], verdict[64] = "no conflicts";
    for (size_t i = 0; i < predictions->count; i++) {
        const struct swb_cost *cost = &predictions->rows[i].cost;
        widen(&wavefronts, cost->wavefronts);
        widen(&ideal, cost->ideal_wavefronts);
        if (cost->wavefronts > way * cost->ideal_wavefronts)
            way = (double)cost->wavefronts / cost->ideal_wavefronts;
    }
    if (way > 1)
        snprintf(verdict, sizeof verdict, "%s%.3g-way",
                 wavefronts.most > wavefronts.least ? "up to " : "", way);
    printf("%s over %s: %s wavefront%s, ideal %s, %s\n", walk->instruction->name,
           walk->placed->name, range_text(&wavefronts, texts[0], sizeof texts[0]),
           wavefronts.most == 1 ? "" : "s", range_text(&ideal, texts[1], sizeof texts[1]), verdict);
    printf("%zu position%s, %llu wavefront%s in all, ideal %llu, %s\n", predictions->count,
           predictions->count == 1 ? "" : "s", predictions->wavefronts,
           predictions->wavefronts == 1 ? "" : "s", predictions->ideal_wavefronts,
           conflicts_text(predictions->conflicts, conflicts, sizeof conflicts));
}

void summarize_walk(const struct walk *walk, const struct predictions *predictions)
{
    unsigned row, col;
    print_positions(walk, predictions);
    if (predictions->conflicts == 0 && !predictions->is_wanted)
        return;
    walk_start(walk, (unsigned)predictions->chosen, &row, &col);
    printf("%s position %zu, from row %u, column %u", predictions->is_wanted ? "chosen" : "worst",
           predictions->chosen, row, col);
    print_chosen(predictions);
}

void summarize_access(const char *title, const struct predictions *predictions)
{
    const struct prediction *row = &predictions->rows[0];
    char sentence[SENTENCE_BYTES], text[160];
    printf("%s: %s\n", title, cost_text(&row->cost, text, sizeof text));
    explain_grouping(row->instruction, &predictions->chosen_access, sentence, sizeof sentence);
    puts(sentence);
    explain_collision(row->instruction, &predictions->chosen_access, sentence, sizeof sentence);
    if (row->cost.conflicts > 0)
        puts(sentence);
}
