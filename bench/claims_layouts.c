/* What do the layouts themselves say, and the boxes that TMA puts into shared memory? Claims S4,
 * S5, S12 and S13. */
#include <stdlib.h>
#include <string.h>

#include "bench/claims_rows.h"
#include "bench/tma_words.h"
#include "model/swizzlebench.h"

enum { ELEM_BITS = 16, ELEM_BYTES = 2, CHUNK_BYTES = 16, ATOM_LINES = 8, BOX_MOST = 256 };

/* A sentence about rows whose bytes are not where the model has them, which settles nothing. */
static bool contradicts(const struct compare_side *side, const char *filter,
                        struct claim_answer *answer)
{
    const struct claim_rows rows = claim_walk(side, "tma", filter);
    if (rows.verified.no) {
        claim_say(answer, "%zu of %zu boxes did not lie where the model has their bytes",
                  rows.verified.no, rows.verified.yes + rows.verified.no);
        claim_rest_on_row(answer, &rows, rows.verified.no_row);
    } else if (rows.verified.yes) {
        claim_say(answer, "all %zu boxes measured lie so, byte for byte", rows.verified.yes);
        claim_rest_on_count(answer, &rows);
    }
    return rows.verified.no > 0;
}

/* ---- S4 ------------------------------------------------------------------------------------ */

/* Does each 16 bytes of a line stay together, in its order and aligned? */
static bool keeps_chunks(const struct swb_layout_mode *mode, enum swb_major major)
{
    const struct swb_tile tile = {
        .mode = mode, .major = major, .rows = 64, .cols = 64, .elem_bits = ELEM_BITS};
    for (unsigned line = 0; line < swb_tile_lines(&tile); line++) {
        for (unsigned byte = 0; byte < swb_tile_line_bytes(&tile); byte++) {
            uint32_t chunk = swb_tile_line_offset(&tile, line, byte - byte % CHUNK_BYTES);
            if (chunk % CHUNK_BYTES != 0 ||
                swb_tile_line_offset(&tile, line, byte) != chunk + byte % CHUNK_BYTES)
                return false;
        }
    }
    return true;
}

CLAIM_RULE(s4)
{
    unsigned kept = 0;
    struct claim_names others = {.count = 0};
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++) {
        enum swb_major major;
        const struct swb_layout_mode *mode = swb_layout_find(claim_layouts[i], &major);
        kept += keeps_chunks(mode, major);
    }
    for (size_t i = 0; swb_layout_mode_at(i); i++) {
        const struct swb_layout_mode *mode = swb_layout_mode_at(i);
        if (mode->swizzle_bits && !keeps_chunks(mode, SWB_K_MAJOR))
            claim_names_add(&others, mode->name);
    }
    claim_say(answer, "%u of %d canonical layouts keep them", kept, CLAIM_LAYOUTS);
    bool wrong = contradicts(side, "direction=load,swizzle=*B,swizzle!=*atom*", answer);
    const struct claim_verified stores =
        claim_walk(side, "shared", "instruction=st*," CLAIM_OF_THE_EIGHT("layout")).verified;
    if (stores.yes + stores.no)
        claim_say(answer, "%zu of %zu rows of stores verified", stores.yes, stores.yes + stores.no);
    if (others.count) {
        claim_say(answer, "of the other swizzles these do not: ");
        claim_say_names(answer, &others, ", ");
    }
    wrong = wrong || stores.no || kept < CLAIM_LAYOUTS;
    answer->verdict = wrong ? CLAIM_REFUTED : CLAIM_CONFIRMED;
    claim_rest_on(answer, "swizzlebench show layout K/128B --elem-bits 16 --tile 8x64 --csv");
}

/* ---- S5 ------------------------------------------------------------------------------------ */

static const char *const wide_chunks[] = {"128B-atom32B", "128B-atom64B"};
enum { WIDE_CHUNKS = sizeof wide_chunks / sizeof wide_chunks[0] };

/* The least compute capability whose encode call takes the swizzle, by the rules; 0: none. */
static unsigned taken_from(const char *swizzle)
{
    static const unsigned capabilities[] = {90, 100};
    struct swb_tma_map map = {.dtype = tma_words_number(SWB_TMA_DTYPE, "bf16"),
                              .rank = 2,
                              .dims = {256, 256},
                              .strides = {512},
                              .box = {64, 64},
                              .element_strides = {1, 1},
                              .swizzle = tma_words_number(SWB_TMA_SWIZZLE, swizzle)};
    for (unsigned i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
        if (swb_tma_check(&map, capabilities[i], NULL, 0) == 0)
            return capabilities[i];
    return 0;
}

/* The rows of one mode: were boxes of it loaded, or refused? */
static void look_at(const struct compare_side *side, const char *swizzle, bool *loaded,
                    bool *refused, struct claim_answer *answer)
{
    static const char *const statuses[] = {"ok", "refused"};
    for (unsigned i = 0; i < 2; i++) {
        char filter[96];
        struct claim_rows rows;
        snprintf(filter, sizeof filter, "direction=load,swizzle=%s,status=%s", swizzle,
                 statuses[i]);
        claim_rows_start(&rows, side, "tma", filter);
        while (claim_rows_next(&rows)) {
            if (rows.count == 1)
                claim_rest_on_row(answer, &rows, rows.row);
            *(i == 0 ? loaded : refused) = true;
        }
    }
}

/* Of the GPU, 90 for 9.0; 0 where the files do not say. */
static double capability_of(const struct compare_side *side)
{
    char text[512] = "";
    if (side)
        compare_side_value(side, "compute_capability", text, sizeof text);
    return 10 * strtod(text, NULL);
}

CLAIM_RULE(s5)
{
    bool loaded[WIDE_CHUNKS] = {false}, refused[WIDE_CHUNKS] = {false};
    bool all_loaded = true, ruled_out = false;
    double capability = capability_of(side);
    for (unsigned i = 0; i < WIDE_CHUNKS; i++) {
        unsigned from = taken_from(wide_chunks[i]);
        look_at(side, wide_chunks[i], &loaded[i], &refused[i], answer);
        if (from)
            claim_say(answer, "%s: as documented, from compute capability %u.%u on", wide_chunks[i],
                      from / 10, from % 10);
        else
            claim_say(answer, "%s: as documented, on no GPU", wide_chunks[i]);
        if (loaded[i] || refused[i])
            claim_say(answer, "this GPU %s it", loaded[i] ? "loads" : "refuses");
        all_loaded = all_loaded && loaded[i];
        ruled_out = ruled_out || (!loaded[i] && (from == 0 || (refused[i] && capability >= from)));
    }
    answer->verdict = all_loaded ? CLAIM_CONFIRMED : ruled_out ? CLAIM_REFUTED : CLAIM_DEPENDS;
    claim_rest_on(answer, "swizzlebench tma check --dtype bf16 --dims 256,256 --box 64,64 "
                          "--swizzle 128B-atom32B --compute-capability 10.0");
}

/* ---- S12 ----------------------------------------------------------------------------------- */

/* Does a box of TMA put every element where the layout has it? Its lines are rows of the tile. */
static bool lies_as(const struct swb_tma_box *box, const char *layout)
{
    enum swb_major major;
    struct swb_tile tile = {.mode = swb_layout_find(layout, &major),
                            .rows = box->extents[0],
                            .cols = box->inner_bytes / ELEM_BYTES,
                            .elem_bits = ELEM_BITS};
    for (unsigned row = 0; row < tile.rows; row++)
        for (unsigned col = 0; col < tile.cols; col++)
            if (swb_tma_box_address(box, row, col * ELEM_BYTES) !=
                swb_tile_byte_offset(&tile, row, col))
                return false;
    return true;
}

CLAIM_RULE(s12)
{
    const unsigned lines = claim->claimed[0], line_bytes = claim->claimed[1];
    const struct swb_tma_box box = {.rank = 2, .inner_bytes = line_bytes, .extents = {lines}},
                             narrow = {.rank = 2, .inner_bytes = 16, .extents = {8}};
    bool linear = lies_as(&box, "linear"), bricks = lies_as(&box, "K/none");
    claim_say(answer, "a box of %ux%u B without swizzle %s linear and %s \"none\" of the mma",
              lines, line_bytes, linear ? "is" : "is not", bricks ? "is" : "is not");
    if (lies_as(&narrow, "linear") && lies_as(&narrow, "K/none"))
        claim_say(answer, "one of 8x16 B is both");
    bool wrong = contradicts(
        side, "direction=load,dtype=bf16,swizzle=none,interleave=none,box=32x*", answer);
    struct claim_range way = {.count = 0};
    struct claim_rows rows;
    claim_rows_start(&rows, side, "shared",
                     "instruction=ldmatrix*,layout=linear,elem_bits=16,tile=*x32");
    while (claim_rows_next(&rows))
        claim_range_add(&way, claim_ways(&rows), rows.row);
    if (way.count) {
        claim_say(answer, "ldmatrix reads linear lines of 64 B %.4g-way", way.most);
        claim_rest_on_row(answer, &rows, way.most_row);
    }
    claim_say_left_out(answer, &rows);
    answer->verdict = linear && !bricks && !wrong ? CLAIM_CONFIRMED : CLAIM_REFUTED;
    claim_rest_on(answer, "swizzlebench tma place --dtype bf16 --box 32,8 --swizzle none");
}

/* ---- S13 ----------------------------------------------------------------------------------- */

/* The descriptor that leads to the first elements of the box's second span and of its ninth line:
 * no other could describe all of it. */
static struct swb_descriptor only_descriptor(const struct swb_tma_box *box,
                                             const struct swb_layout_mode *mode,
                                             enum swb_major major)
{
    unsigned lines = swb_tma_box_lines(box);
    uint32_t across =
        box->inner_bytes > mode->span_bytes ? swb_tma_box_address(box, 0, mode->span_bytes) : 0;
    uint32_t down = lines > ATOM_LINES ? swb_tma_box_address(box, ATOM_LINES, 0) : 0;
    bool exchanged = major == SWB_MN_MAJOR && mode->swizzle_bits == 0;
    return (struct swb_descriptor){.leading_bytes = exchanged ? down : across,
                                   .stride_bytes = exchanged ? across : down,
                                   .mode = mode};
}

static bool describes(const struct swb_descriptor *descriptor, enum swb_major major,
                      const struct swb_tma_box *box)
{
    if (swb_descriptor_refusal(descriptor))
        return false;
    for (unsigned line = 0; line < swb_tma_box_lines(box); line++) {
        for (unsigned byte = 0; byte < box->inner_bytes; byte += CHUNK_BYTES) {
            unsigned element = byte / ELEM_BYTES;
            bool rows_are_lines = major == SWB_K_MAJOR;
            if (swb_descriptor_address(
                    descriptor, major, ELEM_BITS, rows_are_lines ? line : element,
                    rows_are_lines ? element : line) != swb_tma_box_address(box, line, byte))
                return false;
        }
    }
    return true;
}

/* Is there a descriptor, of any mode and either major, that describes the box? */
static bool is_mma_layout(const struct swb_tma_box *box)
{
    for (unsigned i = 0; i < CLAIM_LAYOUTS; i++) {
        enum swb_major major;
        const struct swb_layout_mode *mode = swb_layout_find(claim_layouts[i], &major);
        const struct swb_descriptor descriptor = only_descriptor(box, mode, major);
        if (describes(&descriptor, major, box))
            return true;
    }
    return false;
}

/* Is it one at every height that is a multiple of 8, or at any of them? */
static void try_heights(struct swb_tma_box *box, bool *every, bool *any)
{
    *every = true;
    *any = false;
    for (unsigned lines = ATOM_LINES; lines <= BOX_MOST; lines += ATOM_LINES) {
        box->extents[0] = lines;
        bool is = !swb_tma_box_refusal(box) && is_mma_layout(box);
        *every = *every && is;
        *any = *any || is;
    }
}

CLAIM_RULE(s13)
{
    bool one_atom = true, narrower = false, wider = false;
    for (unsigned swizzle = 0; swizzle < 4; swizzle++) {
        const char *name = swb_tma_name(SWB_TMA_SWIZZLE, swizzle);
        enum swb_major major;
        char layout[32];
        snprintf(layout, sizeof layout, "K/%s", name);
        unsigned span = swb_layout_find(layout, &major)->span_bytes, widths = 0;
        claim_say(answer, "swizzle %s, an atom of %u B: boxes ", name, span);
        for (unsigned width = CHUNK_BYTES; width <= BOX_MOST * ELEM_BYTES; width += CHUNK_BYTES) {
            struct swb_tma_box box = {.swizzle = swizzle, .rank = 2, .inner_bytes = width};
            bool every, any;
            try_heights(&box, &every, &any);
            one_atom = one_atom && (every || width != span);
            narrower = narrower || (any && width < span);
            wider = wider || (any && width > span);
            if (every)
                claim_say_on(answer, "%s%u", widths++ ? ", " : "", width);
        }
        claim_say_on(answer, " B wide");
    }
    claim_say(answer, "at all heights of 8 to %u that are a multiple of 8", BOX_MOST);
    if (narrower)
        claim_say(answer, "a narrower box fills part of each line of the atoms, of which an "
                          "instruction reads 32 B of K");
    if (!wider)
        claim_say(answer, "a wider one never: under a swizzle there is none, without one its lines "
                          "follow each other");
    bool wrong = contradicts(side, "direction=load,rank=2,dtype=bf16", answer);
    answer->verdict = wrong               ? CLAIM_OPEN
                      : !one_atom         ? CLAIM_REFUTED
                      : narrower || wider ? CLAIM_DEPENDS
                                          : CLAIM_CONFIRMED;
    claim_rest_on(answer, "swizzlebench tma place --dtype bf16 --box 32,64 --swizzle 128B");
}
