/* Is every accumulator of every thread as it must be?
 *
 * Of a flawless case that is the product of the matrices as the layouts have laid them; of a flawed
 * one, of the elements to which its descriptors lead. */
#include "bench/wgmma_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITERATIONS = 2, /* so that the sum goes on from one round to the next */
    POISON = 0xff,  /* of the outputs: a NaN, or -1 */
};

static bool no_fragment(const struct wgmma_case *c, struct error *error)
{
    return error_set(error, ERROR_FAILED, "the model knows no fragments of wgmma for %s, N = %u",
                     wgmma_type_at(c->type)->name, c->n);
}

/* ---- The data ------------------------------------------------------------------------------ */

static uint32_t *image_of(const struct wgmma_type *type)
{
    unsigned in_word = 32 / type->bits;
    uint32_t *words = calloc(WGMMA_IMAGE_BYTES / 4, sizeof *words);
    for (uint32_t i = 0; words && i < WGMMA_IMAGE_BYTES / 4; i++)
        for (unsigned part = 0; part < in_word; part++)
            words[i] |= wgmma_element(type, wgmma_number(type, i * in_word + part))
                        << part * type->bits;
    return words;
}

/* Registers of A, [step][thread][word], as the model's fragment has them. */
static bool fill_fragments(unsigned type_number,
                           uint32_t words[WGMMA_STEPS][WGMMA_WARPGROUP][WGMMA_FRAGMENT_WORDS],
                           struct error *error)
{
    const struct wgmma_case c = {.type = type_number, .n = WGMMA_MAX_N, .a_in_shared = false};
    const struct wgmma_type *type = wgmma_type_at(type_number);
    unsigned in_word = 32 / type->bits;
    struct swb_mma_atom atom;
    struct swb_layout tv;
    if (!wgmma_case_atom(&c, &atom) || !swb_mma_fragment(&atom, SWB_MMA_A, &tv, NULL))
        return no_fragment(&c, error);
    memset(words, 0, WGMMA_STEPS * sizeof *words);
    for (unsigned thread = 0; thread < WGMMA_WARPGROUP; thread++)
        for (unsigned value = 0; value < in_word * WGMMA_FRAGMENT_WORDS; value++) {
            unsigned place = (unsigned)swb_layout_at(&tv, thread + WGMMA_WARPGROUP * value);
            unsigned row = place % WGMMA_M, col = place / WGMMA_M;
            for (unsigned step = 0; step < WGMMA_STEPS; step++) {
                uint32_t from = wgmma_register_place(row, step * wgmma_k(type) + col);
                words[step][thread][value / in_word] |=
                    wgmma_element(type, wgmma_number(type, from)) << value % in_word * type->bits;
            }
        }
    return true;
}

bool wgmma_upload_data(struct gpu *gpu, struct wgmma_bench *b, struct error *error)
{
    static uint32_t words[WGMMA_STEPS][WGMMA_WARPGROUP][WGMMA_FRAGMENT_WORDS];
    for (unsigned type = 0; type < WGMMA_TYPES; type++) {
        uint32_t *image = image_of(wgmma_type_at(type));
        bool done = image && gpu_upload(gpu, b->images + (size_t)type * WGMMA_IMAGE_BYTES, image,
                                        WGMMA_IMAGE_BYTES, error);
        if (!image)
            error_set(error, ERROR_FAILED, "no memory for the data of the wgmma family");
        free(image);
        if (!done || !fill_fragments(type, words, error) ||
            !gpu_upload(gpu, b->fragments + type * sizeof words, words, sizeof words, error))
            return false;
    }
    return true;
}

/* ---- The product --------------------------------------------------------------------------- */

static bool find_places(const struct wgmma_case *c, struct wgmma_places *places,
                        struct error *error)
{
    struct swb_mma_atom atom;
    if (places->n == c->n)
        return true;
    return (wgmma_case_atom(c, &atom) && wgmma_places_of(&atom, places)) || no_fragment(c, error);
}

static double number_in(const struct wgmma_type *type, uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return type->exponent_bits ? (double)f : (double)(int32_t)word;
}

/* Holds what was found against both products. */
static void compare(struct wgmma_case_run *r, struct wgmma_result *result)
{
    struct wgmma_bench *b = r->bench;
    const struct wgmma_type *type = wgmma_type_at(r->c.type);
    unsigned registers = r->c.n / 2, wrong = 0;
    for (unsigned value = 0; value < registers; value++)
        for (unsigned thread = 0; thread < WGMMA_THREADS; thread++) {
            unsigned place = b->places.at[value][thread % WGMMA_WARPGROUP];
            double found = number_in(type, b->found[value * WGMMA_THREADS + thread]);
            double truth = ITERATIONS * (double)b->truth.d[place];
            double expected = ITERATIONS * (double)b->expected.d[place];
            wrong += found != truth;
            if (found != expected)
                row_end(r->row, ROW_FAILED, "wrong product: D(%u,%u) is %g in thread %u, not %g%s",
                        place / r->c.n, place % r->c.n, found, thread, expected,
                        r->c.flaw ? " as the descriptors say" : "");
        }
    result->wrong_share = (double)wrong / (registers * WGMMA_THREADS);
}

bool wgmma_verify(struct wgmma_case_run *r, struct wgmma_result *result)
{
    struct wgmma_bench *b = r->bench;
    size_t found_bytes = (size_t)r->c.n / 2 * WGMMA_THREADS * sizeof b->found[0];
    struct gpu_launch launch;
    wgmma_true_product(&r->c, &r->plan, &b->truth);
    if (r->c.flaw)
        wgmma_described_product(&r->c, &r->plan, &b->expected);
    else
        b->expected = b->truth;
    if (!find_places(&r->c, &b->places, r->error) || !wgmma_prepare(r, 1, ITERATIONS, &launch) ||
        !gpu_fill(r->gpu, b->out, POISON, found_bytes, r->error) ||
        !gpu_run(r->gpu, &launch, r->error) || !gpu_wait(r->gpu, r->error) ||
        !gpu_download(r->gpu, b->found, b->out, found_bytes, r->error))
        return false;
    compare(r, result);
    r->row->verified = r->row->status == ROW_OK ? VERIFIED_YES : VERIFIED_NO;
    return true;
}
