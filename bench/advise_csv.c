/* Advice as CSV: a line for each candidate, the best one first. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/access_names.h"
#include "bench/advise.h"
#include "bench/tma_global.h"
#include "harness/csv.h"

enum { VALUE_BYTES = 512 };

struct line {
    const struct advice *advice;
    const struct advise_candidate *c;
};

/* ---- Values that are no member ------------------------------------------------------------- */

static void put_rank(const struct line *l, char *text)
{
    snprintf(text, VALUE_BYTES, "%zu", (size_t)(l->c - l->advice->candidates) + 1);
}

static void put_stack(const struct line *l, char *text)
{
    if (access_stacks_both_ways(&l->c->tile))
        snprintf(text, VALUE_BYTES, "%s", l->c->tile.stack == SWB_STACK_ROW ? "row" : "col");
}

static void put_writer(const struct line *l, char *text)
{
    snprintf(text, VALUE_BYTES, "%s", advise_writer_name(l->c->writer));
}

static void put_status(const struct line *l, char *text)
{
    snprintf(text, VALUE_BYTES, "%s", l->c->refusal[0] ? "refused" : "ok");
}

static void put_box(const struct line *l, char *text)
{
    if (l->c->writer == ADVISE_TMA)
        tma_box_name(&l->c->write.boxes.first, text, VALUE_BYTES);
}

static void put_swizzle(const struct line *l, char *text)
{
    if (l->c->writer == ADVISE_TMA)
        snprintf(text, VALUE_BYTES, "%s",
                 swb_tma_name(SWB_TMA_SWIZZLE, l->c->write.boxes.first.map.swizzle));
}

/* The layout that a descriptor can name; "" where none can. */
static void put_reads_as(const struct line *l, char *text)
{
    struct swb_tma_box box = swb_tma_box_of(&l->c->write.boxes.first.map, 0);
    if (l->c->writer == ADVISE_TMA && swb_tma_reading(&box, l->c->tile.elem_bits).readable)
        snprintf(text, VALUE_BYTES, "%s", l->c->layout);
}

static void put_reader_instruction(const struct line *l, char *text)
{
    const struct advise_question *question = l->advice->question;
    if (l->c->read.instruction)
        snprintf(text, VALUE_BYTES, "%s", l->c->read.instruction->name);
    else
        snprintf(text, VALUE_BYTES, "wgmma m64n%uk%u", question->n,
                 wgmma_k(wgmma_type_at(question->wgmma_type)));
}

static void put_bounded_by(const struct line *l, char *text)
{
    uint64_t reads = l->c->read.cycles, writes = l->c->write.cycles;
    snprintf(text, VALUE_BYTES, "%s",
             reads > writes   ? "reader"
             : reads < writes ? "writer"
                              : "both");
}

static void put_loses(const struct line *l, char *text)
{
    if (l->c != l->advice->candidates)
        advise_loss(l->advice->candidates, l->c, text, VALUE_BYTES);
}

/* ---- The descriptor of the first 32 bytes of K --------------------------------------------- */

static bool describe(const struct line *l, struct swb_descriptor *d)
{
    return l->advice->question->reader == ADVISE_WGMMA &&
           swb_tile_descriptor(&l->c->tile, 0, 0, d, NULL);
}

static void put_mode(const struct line *l, char *text)
{
    struct swb_descriptor d;
    if (describe(l, &d))
        snprintf(text, VALUE_BYTES, "%u", (unsigned)(swb_descriptor_encode(&d) >> 62));
}

static void put_descriptor(const struct line *l, char *text)
{
    struct swb_descriptor d;
    if (describe(l, &d))
        snprintf(text, VALUE_BYTES, "0x%016" PRIx64, swb_descriptor_encode(&d));
}

/* Where each 32 bytes of K begin. */
static void put_starts(const struct line *l, char *text)
{
    unsigned k = wgmma_k(wgmma_type_at(l->advice->question->wgmma_type));
    struct swb_descriptor d;
    size_t used = 0;
    for (unsigned col = 0; describe(l, &d) && col < l->c->tile.cols && used < VALUE_BYTES; col += k)
        if (swb_tile_descriptor(&l->c->tile, 0, col, &d, NULL))
            used += (size_t)snprintf(text + used, VALUE_BYTES - used, "%s%u", used ? ";" : "",
                                     d.start_bytes);
}

/* ---- Columns ------------------------------------------------------------------------------- */

#define MEMBER(name, kind, member)                                                                 \
    {                                                                                              \
        name, kind, offsetof(struct advise_candidate, member), NULL                                \
    }
#define FIELD(name, member)                                                                        \
    {                                                                                              \
        name, DESCRIBED, offsetof(struct swb_descriptor, member), NULL                             \
    }
#define VALUE(name, put)                                                                           \
    {                                                                                              \
        name, FUNCTION, 0, put                                                                     \
    }

/* Of a struct advise_copy: the best with all SMs, and the best of one CTA alone. */
#define COPIED(name, copy)                                                                         \
    MEMBER("measured_" name "_pct_of_peak", TEXT, copy.all_sms.value),                             \
        MEMBER("measured_" name "_stages", COUNT, copy.all_sms.stages),                            \
        MEMBER("measured_" name "_ctas_per_sm", TEXT, copy.all_sms.ctas_per_sm),                   \
        MEMBER("measured_" name "_row", TEXT, copy.all_sms.source),                                \
        MEMBER("measured_" name "_one_cta_cycles", TEXT, copy.one_cta.value),                      \
        MEMBER("measured_" name "_one_cta_stages", COUNT, copy.one_cta.stages),                    \
        MEMBER("measured_" name "_one_cta_row", TEXT, copy.one_cta.source)

static const struct csv_column {
    const char *name;
    enum { TEXT, UNSIGNED, COUNT, UINT64, CYCLES, DESCRIBED, FUNCTION } kind;
    size_t at;
    void (*put)(const struct line *l, char *text);
} columns[] = {
    MEMBER("layout", TEXT, layout),
    VALUE("stack", put_stack),
    VALUE("writer", put_writer),
    VALUE("status", put_status),
    MEMBER("reason", TEXT, refusal),
    VALUE("rank", put_rank),
    MEMBER("bound_cycles", UINT64, bound_cycles),
    VALUE("bounded_by", put_bounded_by),
    MEMBER("writer_cycles", UINT64, write.cycles),
    MEMBER("reader_cycles", UINT64, read.cycles),
    MEMBER("smem_bytes", UNSIGNED, smem_bytes),
    VALUE("box", put_box),
    VALUE("swizzle", put_swizzle),
    VALUE("reads_as", put_reads_as),
    MEMBER("copies", UNSIGNED, write.instructions),
    MEMBER("sectors", UINT64, write.sectors),
    MEMBER("writer_wavefronts", UINT64, write.wavefronts),
    MEMBER("writer_ideal_wavefronts", UINT64, write.ideal),
    VALUE("reader_instruction", put_reader_instruction),
    MEMBER("reads", UNSIGNED, read.instructions),
    MEMBER("reader_wavefronts", UINT64, read.wavefronts),
    MEMBER("reader_ideal_wavefronts", UINT64, read.ideal),
    VALUE("start_bytes", put_starts),
    FIELD("lbo_bytes", leading_bytes),
    FIELD("sbo_bytes", stride_bytes),
    FIELD("base_offset", base_offset),
    VALUE("mode", put_mode),
    VALUE("descriptor", put_descriptor),
    VALUE("loses", put_loses),
    MEMBER("measured_writer_cycles", CYCLES, written.tile_cycles),
    MEMBER("measured_writer_latency_cycles", TEXT, written.latency_cycles),
    MEMBER("measured_writer_bytes_per_clk_sm", TEXT, written.bytes_per_clk_sm),
    MEMBER("measured_writer_row", TEXT, written.source),
    MEMBER("measured_reader_cycles", CYCLES, was_read.tile_cycles),
    MEMBER("measured_reader_row", TEXT, was_read.source),
    COPIED("copy_l2", copied[COPY_L2]),
    COPIED("copy_dram", copied[COPY_DRAM]),
    COPIED("one_box_l2", one_box[COPY_L2]),
    COPIED("one_box_dram", one_box[COPY_DRAM]),
};

/* What is refused has the first of them, up to the reason. */
enum { COLUMNS = sizeof columns / sizeof columns[0], COLUMNS_OF_REFUSED = 5 };

static void put_value(const struct csv_column *column, const struct line *l)
{
    const char *member = (const char *)l->c + column->at;
    char text[VALUE_BYTES] = "";
    struct swb_descriptor d;
    switch (column->kind) {
    case TEXT:
        snprintf(text, sizeof text, "%s", member);
        break;
    case UNSIGNED:
        snprintf(text, sizeof text, "%u", *(const unsigned *)(const void *)member);
        break;
    case COUNT: /* of what may not be there */
        if (*(const unsigned *)(const void *)member > 0)
            snprintf(text, sizeof text, "%u", *(const unsigned *)(const void *)member);
        break;
    case UINT64:
        snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)(const void *)member);
        break;
    case CYCLES:
        if (*(const double *)(const void *)member > 0)
            snprintf(text, sizeof text, "%.2f", *(const double *)(const void *)member);
        break;
    case DESCRIBED:
        if (describe(l, &d))
            snprintf(text, sizeof text, "%u",
                     *(const unsigned *)(const void *)((const char *)&d + column->at));
        break;
    case FUNCTION:
        column->put(l, text);
        break;
    }
    csv_put(stdout, text);
}

void advise_print_csv(const struct advice *advice)
{
    for (size_t i = 0; i < COLUMNS; i++)
        printf("%s%s", i ? "," : "", columns[i].name);
    putchar('\n');
    for (size_t row = 0; row < advice->count; row++) {
        const struct line line = {advice, &advice->candidates[row]};
        for (size_t i = 0; i < COLUMNS; i++) {
            if (i > 0)
                putchar(',');
            if (i < COLUMNS_OF_REFUSED || !line.c->refusal[0])
                put_value(&columns[i], &line);
        }
        putchar('\n');
    }
}
