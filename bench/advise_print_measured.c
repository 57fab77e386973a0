/* What was measured of the advice, as text. */
#include <stdio.h>
#include <string.h>

#include "bench/advise_landing.h"

/* ---- Of the best one ----------------------------------------------------------------------- */

static void print_figure(const char *what, const struct advise_figure *figure)
{
    if (!figure->found) {
        printf("  %-13s  none: %s\n", what, figure->source);
        return;
    }
    printf("  %-13s  %s clk %s", what, figure->each_cycles, figure->each);
    if (figure->tile_cycles > 0)
        printf(", %.2f the tile", figure->tile_cycles);
    if (figure->latency_cycles[0])
        printf("; latency %s clk", figure->latency_cycles);
    if (figure->bytes_per_clk_sm[0])
        printf("; %s B/clk", figure->bytes_per_clk_sm);
    printf("\n                 %s\n", figure->source);
}

static void print_source(const struct advise_best *best)
{
    printf("                 %s", best->source);
    if (strchr(best->by_stages, ','))
        printf(", by stages %s", best->by_stages);
    putchar('\n');
}

static const char *plural(unsigned stages)
{
    return stages == 1 ? "" : "s";
}

/* What one SM gets alone is another question than what all get together, and other stages may be
 * best for it. */
static void print_copy(const char *what, const struct advise_copy *copy)
{
    const struct advise_best *all_sms = &copy->all_sms, *one_cta = &copy->one_cta;
    if (!all_sms->found)
        printf("  %-13s  none: %s\n", what, all_sms->source);
    else
        printf("  %-13s  all SMs: %s %% of the plain copy, with %u stage%s x %s CTA%s an SM\n",
               what, all_sms->value, all_sms->stages, plural(all_sms->stages), all_sms->ctas_per_sm,
               strcmp(all_sms->ctas_per_sm, "1") == 0 ? "" : "s");
    if (all_sms->found)
        print_source(all_sms);
    if (!one_cta->found) {
        if (all_sms->found)
            printf("                 one CTA alone: none: %s\n", one_cta->source);
        return;
    }
    printf("                 one CTA alone: %s clk the tile, %s B/clk/SM, with %u stage%s\n",
           one_cta->value, one_cta->bytes_per_clk_sm, one_cta->stages, plural(one_cta->stages));
    print_source(one_cta);
}

static bool is_found(const struct advise_copy *copy)
{
    return copy->all_sms.found || copy->one_cta.found;
}

static bool is_in_one_box(const struct advise_candidate *c)
{
    return is_found(&c->one_box[COPY_L2]) || is_found(&c->one_box[COPY_DRAM]);
}

void advise_print_measured(const struct advice *advice)
{
    const struct advise_candidate *c = &advice->candidates[0];
    printf("\nmeasured on %s (%s)\n", advice->gpu, advice->folder);
    print_figure("writer", &c->written);
    print_figure("reader", &c->was_read);
    print_copy("copy from L2", &c->copied[COPY_L2]);
    print_copy("from DRAM", &c->copied[COPY_DRAM]);
    if (!is_in_one_box(c))
        return;
    print_copy("one box, L2", &c->one_box[COPY_L2]);
    print_copy("one box, DRAM", &c->one_box[COPY_DRAM]);
}

/* ---- Of the others ------------------------------------------------------------------------- */

static void print_best_of(const struct advise_copy *copy)
{
    if (copy->all_sms.found)
        printf("  %6.6s %6u", copy->all_sms.value, copy->all_sms.stages);
    else
        printf("  %6s %6s", "-", "-");
    if (copy->one_cta.found)
        printf("  %8.8s %6u", copy->one_cta.value, copy->one_cta.stages);
    else
        printf("  %8s %6s", "-", "-");
}

static const char in_one_box[] =
    "\nof these, the clocks from L2 of one CTA alone in so many boxes; then the same tile in one\n"
    "box of rank 4: per cent of the plain copy with all SMs, clocks of one CTA alone, each with\n"
    "the stages that are best for it (copy.csv, tma-load and tma-load.whole)\n";

void advise_print_in_one_box(const struct advice *advice)
{
    char name[ADVISE_LAYOUT_BYTES];
    bool any = false;
    for (size_t i = 1; i < advice->possible; i++) {
        const struct advise_candidate *c = &advice->candidates[i];
        if (!is_in_one_box(c))
            continue;
        if (!any)
            printf("%s%-18s  %6s %8s  %6s %6s  %8s %6s  %6s %6s  %8s %6s\n", in_one_box, "layout",
                   "boxes", "L2 clk", "L2 %", "stages", "L2 clk", "stages", "DRAM %", "stages",
                   "DRAM clk", "stages");
        any = true;
        printf("%-18s  %6u %8.8s", advise_layout_text(&c->tile, name), c->write.instructions,
               c->copied[COPY_L2].one_cta.found ? c->copied[COPY_L2].one_cta.value : "-");
        print_best_of(&c->one_box[COPY_L2]);
        print_best_of(&c->one_box[COPY_DRAM]);
        putchar('\n');
    }
}
