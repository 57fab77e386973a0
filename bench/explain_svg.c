/* What does the reason for an access's wavefronts look like? */
#include "bench/explain.h"

#include <string.h>

#include "bench/svg.h"

enum { CELL_WIDTH = 34, CELL_HEIGHT = 18, LEFT = 20, TOP = 64, PHASE_HEAD = 40, PHASE_GAP = 14 };
enum { CELL_CHARS = 6 };

/* The lanes, or how many they are where that takes too much room. */
static const char *cell_text(uint32_t lanes, char *text, size_t bytes)
{
    lanes_text(lanes, text, bytes);
    if (strlen(text) > CELL_CHARS)
        snprintf(text, bytes, "%d of 32", __builtin_popcount(lanes));
    return text;
}

static double draw_phase(struct svg *svg, unsigned phase, const struct phase_words *words, double y)
{
    char lanes[LANES_TEXT_BYTES];
    svg_text(svg, LEFT, y + 14, 12, SVG_LEFT, "phase %u, lanes %u-%u: %u wavefront%s", phase,
             words->first_lane, words->last_lane, words->wavefronts,
             words->wavefronts == 1 ? "" : "s");
    for (unsigned bank = 0; bank < SWB_BANKS; bank++) {
        const struct bank_words *wanted = &words->banks[bank];
        double x = LEFT + bank * CELL_WIDTH, top = y + PHASE_HEAD;
        svg_text(svg, x + CELL_WIDTH / 2.0, top - 6, 9, SVG_MIDDLE, "%u", bank);
        for (unsigned word = 0; word < wanted->count; word++) {
            svg_box(svg, x, top + word * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT,
                    (int)(wanted->byte_addresses[word] / SWB_WAVEFRONT_BYTES % 8));
            svg_text(svg, x + CELL_WIDTH / 2.0, top + word * CELL_HEIGHT + 12.5, 9, SVG_MIDDLE,
                     "%s", cell_text(wanted->lanes[word], lanes, sizeof lanes));
        }
        if (wanted->count == 0)
            svg_box(svg, x, top, CELL_WIDTH, CELL_HEIGHT, -1);
    }
    return y + PHASE_HEAD + CELL_HEIGHT * (words->wavefronts ? words->wavefronts : 1) + PHASE_GAP;
}

bool explain_svg(const char *path, const char *title, const struct swb_instruction *instruction,
                 const struct swb_access *access, struct error *error)
{
    struct swb_cost cost = {0};
    struct phase_words words;
    struct svg svg;
    char sentence[320], text[160];
    unsigned phases = explain_phases(instruction, access);
    swb_bank_cost(instruction, access, &cost);
    explain_grouping(instruction, access, sentence, sizeof sentence);
    double width = 2 * LEFT + SWB_BANKS * CELL_WIDTH;
    double height = TOP + phases * (PHASE_HEAD + PHASE_GAP) +
                    CELL_HEIGHT * (double)(cost.wavefronts + phases - cost.ideal_wavefronts);
    if (!svg_open(&svg, path, width, height, error))
        return false;
    svg_text(&svg, LEFT, 22, 14, SVG_LEFT, "%s: %s", title, cost_text(&cost, text, sizeof text));
    svg_text(&svg, LEFT, 40, 11, SVG_LEFT, "%s", sentence);
    svg_text(&svg, LEFT, 56, 10, SVG_LEFT,
             "Columns are banks; a box is a word that is wanted, with its lanes, coloured by its "
             "128-byte row modulo 8. The tallest column is the number of wavefronts.");
    double y = TOP;
    for (unsigned phase = 0; phase < phases; phase++) {
        explain_phase(instruction, access, phase, &words);
        y = draw_phase(&svg, phase, &words, y);
    }
    return svg_close(&svg, error);
}
