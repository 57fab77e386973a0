/* Is every accumulator of every thread as it must be, when boxes have been loaded into each stage
 * several times?
 *
 * Shared memory begins as NaNs, and no two k-blocks of the tensors are the same: bytes that come
 * too late, too early or to another place show. */
#include "bench/pipeline_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 3,    /* of all stages, and one k-block more; sums stay exact in f32 */
    POISON = 0xff, /* of the outputs: NaNs */
};

/* ---- The data ------------------------------------------------------------------------------ */

bool pipeline_upload_data(struct gpu *gpu, struct pipeline_bench *b, struct error *error)
{
    static const unsigned rows[WGMMA_OPERANDS] = {WGMMA_M, WGMMA_MAX_N};
    uint16_t *elements = malloc((size_t)WGMMA_MAX_N * PIPELINE_K * sizeof *elements);
    if (!elements)
        return error_set(error, ERROR_FAILED, "no memory for the data of the pipeline family");
    bool done = true;
    for (unsigned operand = SWB_MMA_A; done && operand <= SWB_MMA_B; operand++) {
        uint32_t count = rows[operand] * PIPELINE_K;
        for (uint32_t i = 0; i < count; i++)
            elements[i] = (uint16_t)wgmma_element(wgmma_type_at(0), pipeline_number(operand, i));
        done = gpu_upload(gpu, b->tensors[operand], elements, count * sizeof *elements, error);
    }
    free(elements);
    return done;
}

/* ---- The product --------------------------------------------------------------------------- */

/* Adds `weight` times column k of A times column k of B. */
static void add_outer_product(const struct pipeline_case *c, unsigned k, unsigned weight, float *d)
{
    float b[WGMMA_MAX_N] = {0};
    for (unsigned col = 0; col < c->n; col++)
        b[col] = (float)pipeline_number(SWB_MMA_B, pipeline_place(c, SWB_MMA_B, col, k));
    for (unsigned row = 0; row < WGMMA_M; row++) {
        int number = pipeline_number(SWB_MMA_A, pipeline_place(c, SWB_MMA_A, row, k));
        float a = (float)(number * (int)weight);
        for (unsigned col = 0; col < c->n; col++)
            d[row * c->n + col] += a * b[col];
    }
}

/* Of so many k-blocks from position 0 on, round and round. */
static void form_product(const struct pipeline_case *c, uint32_t k_blocks, float *d)
{
    unsigned all = k_blocks * c->k_block;
    memset(d, 0, sizeof *d * WGMMA_M * c->n);
    for (unsigned k = 0; k < PIPELINE_K && k < all; k++)
        add_outer_product(c, k, (all - k + PIPELINE_K - 1) / PIPELINE_K, d);
}

static bool find_places(unsigned n, struct wgmma_places *places, struct error *error)
{
    struct swb_mma_atom atom;
    char name[SWB_MMA_NAME_BYTES];
    if (places->n == n)
        return true;
    snprintf(name, sizeof name, "SM90_64x%ux16_F32BF16BF16_SS", n);
    return (swb_mma_atom_find(name, &atom) && wgmma_places_of(&atom, places)) ||
           error_set(error, ERROR_FAILED, "the model knows no fragments of %s", name);
}

static void compare(struct pipeline_case_run *r)
{
    const struct pipeline_bench *b = r->bench;
    for (unsigned value = 0; value < r->c.n / 2; value++)
        for (unsigned thread = 0; thread < WGMMA_WARPGROUP; thread++) {
            unsigned place = b->places.at[value][thread];
            double found = b->found[value * WGMMA_WARPGROUP + thread];
            double expected = b->expected[place];
            if (found != expected)
                row_end(r->row, ROW_FAILED,
                        "wrong product after %u k-blocks: D(%u,%u) is %g in thread %u, not %g",
                        r->k_blocks, place / r->c.n, place % r->c.n, found, thread, expected);
        }
}

bool pipeline_verify(struct pipeline_case_run *r)
{
    struct pipeline_bench *b = r->bench;
    size_t found_bytes = (size_t)r->c.n / 2 * WGMMA_WARPGROUP * sizeof b->found[0];
    uint32_t k_blocks = ROUNDS * r->c.stages + 1;
    struct gpu_launch launch;
    if (!find_places(r->c.n, &b->places, r->error) || !pipeline_prepare(r, k_blocks, &launch) ||
        !gpu_fill(r->gpu, b->out, POISON, found_bytes, r->error) ||
        !gpu_run(r->gpu, &launch, r->error) || !gpu_wait(r->gpu, r->error) ||
        !gpu_download(r->gpu, b->found, b->out, found_bytes, r->error) ||
        !pipeline_check_barriers(r))
        return false;
    form_product(&r->c, k_blocks, b->expected);
    compare(r);
    r->row->verified = r->row->status == ROW_OK ? VERIFIED_YES : VERIFIED_NO;
    return true;
}
