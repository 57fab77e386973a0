/* Which layouts and ways to fill them are there for a tile, and which is the best? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/access_names.h"
#include "bench/advise.h"

static const char *const modes[] = {"128B", "64B", "32B", "none", "linear", "padded"};

/* ---- Candidates ---------------------------------------------------------------------------- */

/* The tile as `predict` is given it. */
static bool place(const struct advise_candidate *c, struct placed *placed, struct error *error)
{
    char bits[16], extents[32];
    const struct placed_words words = {.layout = c->layout,
                                       .elem_bits = bits,
                                       .tile = extents,
                                       .stack = c->tile.stack == SWB_STACK_ROW ? "row" : "col"};
    snprintf(bits, sizeof bits, "%u", c->tile.elem_bits);
    snprintf(extents, sizeof extents, "%ux%u", c->tile.rows, c->tile.cols);
    return placed_read(&words, placed, error);
}

static void add_writers(const struct advise_question *question, struct advise_candidate c,
                        const struct placed *placed, struct advice *advice)
{
    bool is_read = !c.refusal[0] && advise_plan_read(question, placed, &c);
    for (enum advise_writer writer = ADVISE_TMA; writer < ADVISE_WRITERS; writer++) {
        struct advise_candidate *made = &advice->candidates[advice->count];
        if (!question->writers[writer])
            continue;
        *made = c;
        made->writer = writer;
        made->order = advice->count++;
        if (!is_read || !advise_plan_write(question, placed, made))
            continue;
        made->bound_cycles =
            made->write.cycles > made->read.cycles ? made->write.cycles : made->read.cycles;
        advice->possible++;
    }
}

static void add_layout(const struct advise_question *question, const struct swb_tile *tile,
                       struct advice *advice)
{
    struct advise_candidate c = {.tile = *tile};
    struct placed placed = {.rows = 0};
    struct error error = {.kind = ERROR_NONE};
    const char *why = swb_tile_refusal(tile);
    access_layout_name(tile, c.layout, sizeof c.layout);
    if (why)
        snprintf(c.refusal, sizeof c.refusal, "%s: these have %u lines of %u bytes", why,
                 swb_tile_lines(tile), swb_tile_line_bytes(tile));
    else if (!place(&c, &placed, &error))
        snprintf(c.refusal, sizeof c.refusal, "%s", error.text);
    else
        c.smem_bytes = (unsigned)swb_tile_bytes(tile);
    add_writers(question, c, &placed, advice);
}

/* ---- Order --------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const struct advise_candidate *a = left, *b = right;
    const uint64_t keys[][2] = {
        {a->refusal[0] != '\0', b->refusal[0] != '\0'},
        {a->bound_cycles, b->bound_cycles},
        {a->write.cycles, b->write.cycles},
        {a->smem_bytes, b->smem_bytes},
        {a->write.instructions, b->write.instructions},
        {a->write.sectors, b->write.sectors},
        {a->order, b->order},
    };
    bool refused = a->refusal[0] && b->refusal[0];
    int order = 0;
    for (size_t i = refused ? sizeof keys / sizeof keys[0] - 1 : 0;
         order == 0 && i < sizeof keys / sizeof keys[0]; i++)
        order = compare_numbers(keys[i][0], keys[i][1]);
    return order;
}

bool advise_find(const struct advise_question *question, struct advice *advice, struct error *error)
{
    *advice = (struct advice){.question = question};
    bool k_major = question->major == SWB_K_MAJOR;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct swb_tile tile = {.stack = k_major ? SWB_STACK_COL : SWB_STACK_ROW,
                                .rows = question->rows,
                                .cols = question->cols,
                                .elem_bits = question->bits};
        char name[32];
        snprintf(name, sizeof name, "%s/%s", k_major ? "K" : "MN", modes[i]);
        tile.mode = swb_layout_find(name, &tile.major);
        add_layout(question, &tile, advice);
        tile.stack = k_major ? SWB_STACK_ROW : SWB_STACK_COL;
        if (!swb_tile_refusal(&tile) && access_stacks_both_ways(&tile))
            add_layout(question, &tile, advice);
    }
    qsort(advice->candidates, advice->count, sizeof advice->candidates[0], compare);
    return advice->possible > 0 ||
           error_set(error, ERROR_INPUT, "no layout does for it; first of all, %s: %s",
                     advice->candidates[0].layout, advice->candidates[0].refusal);
}

/* ---- Losses -------------------------------------------------------------------------------- */

static void add_loss(char *text, size_t bytes, uint64_t mine, uint64_t best, const char *what,
                     const char *why)
{
    char part[256];
    if (mine <= best)
        return;
    snprintf(part, sizeof part, "%s +%llu (%s)", what, (unsigned long long)(mine - best), why);
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s", used ? "; " : "", part);
}

static void way_text(uint64_t wavefronts, uint64_t ideal, char *text, size_t bytes)
{
    snprintf(text, bytes, "%.3g times the ideal wavefronts", (double)wavefronts / (double)ideal);
}

/* What makes the writer slow, or many. */
static void writer_reason(const struct advise_candidate *c, char *text, size_t bytes)
{
    const struct swb_tma_map *map = &c->write.boxes.first.map;
    if (c->writer == ADVISE_TMA)
        snprintf(text, bytes, "a clock or more a line, and lines have %u bytes",
                 map->box[0] * c->tile.elem_bits / 8);
    else if (c->write.wavefronts > c->write.ideal)
        way_text(c->write.wavefronts, c->write.ideal, text, bytes);
    else
        snprintf(text, bytes, "a clock for every 128 bytes");
}

void advise_loss(const struct advise_candidate *best, const struct advise_candidate *c, char *text,
                 size_t bytes)
{
    char why[128];
    *text = '\0';
    way_text(c->read.wavefronts, c->read.ideal, why, sizeof why);
    add_loss(text, bytes, c->read.cycles, best->read.cycles, "reads", why);
    writer_reason(c, why, sizeof why);
    add_loss(text, bytes, c->write.cycles, best->write.cycles, "writes", why);
    add_loss(text, bytes, c->smem_bytes, best->smem_bytes, "bytes", "of padding");
    if (c->writer == ADVISE_TMA)
        snprintf(why, sizeof why, "a box has %u lines of %u bytes", c->write.boxes.lines,
                 c->write.boxes.line_bytes);
    else
        snprintf(why, sizeof why, "a warp copies 512 bytes with each");
    add_loss(text, bytes, c->write.instructions, best->write.instructions, "copies", why);
    add_loss(text, bytes, c->write.sectors, best->write.sectors, "sectors",
             "one for every 16 bytes");
    if (!*text)
        snprintf(text, bytes, "nothing in these numbers");
}
