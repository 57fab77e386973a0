/* Advice as a page of text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/advise_landing.h"
#include "harness/text.h"

enum { WRITERS_BYTES = 32 };

/* ---- The writer ---------------------------------------------------------------------------- */

static void print_list(const char *option, const uint64_t *numbers, unsigned count)
{
    printf(" --%s ", option);
    for (unsigned i = 0; i < count; i++)
        printf("%s%" PRIu64, i ? "," : "", numbers[i]);
}

/* As `tma check` takes it. */
static void print_map(const struct swb_tma_map *map)
{
    const uint64_t box[] = {map->box[0], map->box[1], map->box[2]};
    printf("                 swizzlebench tma check --dtype %s",
           swb_tma_name(SWB_TMA_DTYPE, map->dtype));
    print_list("dims", map->dims, map->rank);
    if (map->rank > 2)
        print_list("strides", map->strides, map->rank - 1);
    print_list("box", box, map->rank);
    printf(" --swizzle %s\n", swb_tma_name(SWB_TMA_SWIZZLE, map->swizzle));
}

static void print_boxes(const struct advise_candidate *c)
{
    const struct advise_boxes *boxes = &c->write.boxes;
    const struct swb_tma_map *map = &boxes->first.map;
    struct swb_tma_box box = swb_tma_box_of(map, 0);
    struct swb_tma_reading reading = swb_tma_reading(&box, c->tile.elem_bits);
    char name[ADVISE_LAYOUT_BYTES];
    tma_box_name(&boxes->first, name, sizeof name);
    printf("  writer         %u box%s of %s (lines of %u bytes): %" PRIu64 " sectors, %" PRIu64
           " clk\n",
           c->write.instructions, c->write.instructions == 1 ? "" : "es", name, box.inner_bytes,
           c->write.sectors, c->write.cycles);
    print_map(map);
    printf("                 the tensor here has lines of %" PRIu64
           " bytes: give --dims of yours\n",
           map->strides[0]);
    if (reading.readable && c->tile.major == SWB_MN_MAJOR && c->tile.elem_bits != 16)
        printf("                 lands as %s, which wgmma reads of 16 bits alone\n", c->layout);
    else if (reading.readable)
        printf("                 lands as %s, which a descriptor can name\n", c->layout);
    else
        printf("                 lands as %s; for a descriptor %s\n", c->layout, reading.sentence);
}

static void print_writer(const struct advise_candidate *c)
{
    const struct advise_write *write = &c->write;
    if (c->writer == ADVISE_TMA) {
        print_boxes(c);
        return;
    }
    printf("  writer         %u %s%s of a warp, 16 bytes a lane along the lines: %" PRIu64
           " wavefronts, ideal %" PRIu64 "; %" PRIu64 " sectors\n",
           write->instructions, write->copies->name, c->writer == ADVISE_CP_ASYNC ? ".cg" : "",
           write->wavefronts, write->ideal, write->sectors);
}

/* ---- The reader ---------------------------------------------------------------------------- */

static void print_descriptors(const struct advise_question *question,
                              const struct advise_candidate *c)
{
    unsigned k = wgmma_k(wgmma_type_at(question->wgmma_type)), rows = advise_wgmma_rows(question);
    printf("  descriptors         K   start     LBO     SBO  base  mode      of a tile at 0\n");
    for (unsigned col = 0; col < c->tile.cols; col += k) {
        struct swb_descriptor d;
        if (!swb_tile_descriptor(&c->tile, 0, col, &d, NULL))
            return;
        uint64_t bits = swb_descriptor_encode(&d);
        printf("                 %6u  %6u  %6u  %6u  %4u  %u %-6s  0x%016" PRIx64 "\n", col,
               d.start_bytes, d.leading_bytes, d.stride_bytes, d.base_offset,
               (unsigned)(bits >> 62), d.mode->name, bits);
    }
    if (c->tile.rows > rows)
        printf("                 the next %u rows begin %u bytes on\n", rows,
               swb_tile_byte_offset(&c->tile, rows, 0));
}

static void print_reader(const struct advise_question *question, const struct advise_candidate *c)
{
    const struct advise_read *read = &c->read;
    if (!read->instruction) {
        printf("  reader         %u wgmma m64n%uk%u: %" PRIu64 " wavefronts each, %" PRIu64
               " clk each\n",
               read->instructions, question->n, wgmma_k(wgmma_type_at(question->wgmma_type)),
               read->wavefronts / read->instructions, read->cycles / read->instructions);
        print_descriptors(question, c);
        return;
    }
    printf("  reader         %u %s of a warp: %" PRIu64 " wavefronts, ideal %" PRIu64 "\n",
           read->instructions, read->instruction->name, read->wavefronts, read->ideal);
    if (read->why_not[0])
        printf("                 %s\n", read->why_not);
}

/* ---- All ----------------------------------------------------------------------------------- */

static void print_question(const struct advise_question *question)
{
    bool of_a = question->operand == SWB_MMA_A;
    printf("%s, %u x %u (%s of %s), %s-major, %u bytes, for %s\n\n", question->type->name,
           question->rows, question->cols, of_a ? "M x K" : "N x K", of_a ? "A" : "B",
           question->major == SWB_K_MAJOR ? "K" : "MN",
           question->rows * question->cols * question->bits / 8,
           advise_reader_name(question->reader));
}

static void print_best(const struct advice *advice)
{
    const struct advise_candidate *c = &advice->candidates[0];
    bool by_reader = c->read.cycles > c->write.cycles, by_both = c->read.cycles == c->write.cycles;
    char name[ADVISE_LAYOUT_BYTES];
    printf("%s, written by %s\n", advise_layout_text(&c->tile, name),
           advise_writer_name(c->writer));
    if (by_both)
        printf("  bound          bounded by both, writer and reader: %" PRIu64 " clk each\n",
               c->bound_cycles);
    else
        printf("  bound          bounded by the %s: %" PRIu64 " clk; the %s takes %" PRIu64 "\n",
               by_reader ? "reader" : "writer", c->bound_cycles, by_reader ? "writer" : "reader",
               by_reader ? c->write.cycles : c->read.cycles);
    printf("  shared memory  %u bytes, from a multiple of %u on\n", c->smem_bytes,
           swb_tile_repeat_bytes(&c->tile) > SWB_TMA_SMEM_ALIGNMENT_BYTES
               ? swb_tile_repeat_bytes(&c->tile)
               : SWB_TMA_SMEM_ALIGNMENT_BYTES);
    print_writer(c);
    print_reader(advice->question, c);
    if (advice->folder[0])
        advise_print_measured(advice);
}

/* A line of the table but for the writer, which may be another with the same numbers. */
struct other {
    char layout[ADVISE_LAYOUT_BYTES], numbers[160], loss[512];
};

static void measured_text(const struct advise_figure *figure, char *text, size_t bytes)
{
    size_t used = strlen(text);
    if (figure->tile_cycles > 0)
        snprintf(text + used, bytes - used, "  %7.1f", figure->tile_cycles);
    else
        snprintf(text + used, bytes - used, "  %7s", "-");
}

static void copied_text(const struct advise_best *best, char *text, size_t bytes)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "  %6.6s", best->found ? best->value : "-");
}

static void fill_other(const struct advice *advice, const struct advise_candidate *c,
                       struct other *other)
{
    size_t room = sizeof other->numbers;
    advise_layout_text(&c->tile, other->layout);
    snprintf(other->numbers, room, "%6" PRIu64 "  %6" PRIu64 "  %6" PRIu64, c->bound_cycles,
             c->write.cycles, c->read.cycles);
    if (advice->folder[0]) {
        measured_text(&c->written, other->numbers, room);
        measured_text(&c->was_read, other->numbers, room);
        copied_text(&c->copied[COPY_L2].all_sms, other->numbers, room);
        copied_text(&c->copied[COPY_DRAM].all_sms, other->numbers, room);
    }
    size_t used = strlen(other->numbers);
    snprintf(other->numbers + used, room - used, "  %6u  %6u  %7" PRIu64, c->smem_bytes,
             c->write.instructions, c->write.sectors);
    advise_loss(&advice->candidates[0], c, other->loss, sizeof other->loss);
}

static bool same_other(const struct other *a, const struct other *b)
{
    return strcmp(a->layout, b->layout) == 0 && strcmp(a->numbers, b->numbers) == 0 &&
           strcmp(a->loss, b->loss) == 0;
}

static void add_writer(const struct advise_candidate *c, char *writers, size_t bytes)
{
    text_append(writers, bytes, ", ", advise_writer_name(c->writer));
}

static const char ranking[] =
    "the others, ranked by the bound (the larger of the clocks of writing and of reading, as one\n"
    "hides behind the other), then writing, bytes, copies, sectors; clocks are no fewer than "
    "these,\n"
    "and of cp.async up to some three times as many\n";

static void print_others(const struct advice *advice)
{
    if (advice->possible > 1)
        printf("\n%s%-18s %-12s  %6s  %6s  %6s%s  %6s  %6s  %7s  loses\n", ranking, "layout",
               "writer", "bound", "writes", "reads",
               advice->folder[0] ? "  HW: wr.  HW: rd.    L2 %  DRAM %" : "", "bytes", "copies",
               "sectors");
    for (size_t i = 1; i < advice->possible;) {
        struct other other, next;
        char writers[WRITERS_BYTES] = "";
        fill_other(advice, &advice->candidates[i], &other);
        next = other;
        while (same_other(&other, &next)) {
            add_writer(&advice->candidates[i], writers, sizeof writers);
            if (++i == advice->possible)
                break;
            fill_other(advice, &advice->candidates[i], &next);
        }
        printf("%-18s %-12s  %s  %s\n", other.layout, writers, other.numbers, other.loss);
    }
}

/* What several writers have in common is said once. */
static void print_refused(const struct advice *advice)
{
    const struct advise_candidate *all = advice->candidates;
    char name[ADVISE_LAYOUT_BYTES];
    if (advice->possible < advice->count)
        puts("\nnot possible");
    for (size_t i = advice->possible; i < advice->count;) {
        const struct advise_candidate *first = &all[i];
        char writers[WRITERS_BYTES] = "";
        for (;
             i < advice->count && all[i].tile.mode == first->tile.mode &&
             all[i].tile.stack == first->tile.stack && strcmp(all[i].refusal, first->refusal) == 0;
             i++)
            add_writer(&all[i], writers, sizeof writers);
        printf("%-18s %s: %s\n", advise_layout_text(&first->tile, name), writers, first->refusal);
    }
}

void advise_print(const struct advice *advice)
{
    print_question(advice->question);
    print_best(advice);
    print_others(advice);
    advise_print_in_one_box(advice);
    print_refused(advice);
}
