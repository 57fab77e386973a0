/* Is the product the right one? All elements are integers, so that it is exact; and where a load
 * lacks its .trans, is it just that of the operands with their elements exchanged? */
#include "bench/mma_bench.h"

#include <stdio.h>
#include <string.h>

/* So that a loop that does not go round is seen. Largest sums stay exact in f32: 2 x 128 x 128
 * x 64.
 */
enum { VERIFIED_ITERATIONS = 2 };

/* Of the operands as they lie in memory, or as the threads find them. */
static void multiply(struct mma_case_run *r, bool as_found, int32_t (*product)[MMA_ROWS])
{
    static int numbers[MMA_READ][MMA_MAX_ELEMENTS];
    unsigned depth = r->plans[SWB_MMA_A]->cols;
    for (unsigned i = 0; i < MMA_READ; i++) {
        const struct mma_plan *plan = r->plans[i];
        for (unsigned element = 0; element < plan->rows * plan->cols; element++)
            numbers[i][element] = mma_number(r->bench, r->c->type, (enum swb_mma_operand)i,
                                             as_found ? plan->found[element] : element);
    }
    memset(product, 0, sizeof(int32_t[MMA_ROWS][MMA_ROWS]));
    for (unsigned k = 0; k < depth; k++)
        for (unsigned m = 0; m < MMA_ROWS; m++)
            for (unsigned n = 0; n < MMA_ROWS; n++)
                product[m][n] +=
                    numbers[SWB_MMA_A][m + MMA_ROWS * k] * numbers[SWB_MMA_B][n + MMA_ROWS * k];
}

static bool is_number(const struct mma_type *type, uint32_t word, int32_t number)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return type->exponent_bits ? value == (float)number : word == (uint32_t)number;
}

static void print_number(const struct mma_type *type, uint32_t word, char *text, size_t bytes)
{
    float value;
    memcpy(&value, &word, sizeof value);
    if (type->exponent_bits)
        snprintf(text, bytes, "%.9g", (double)value);
    else
        snprintf(text, bytes, "%d", (int32_t)word);
}

static void compare(struct mma_case_run *r, const char *suffix, const struct mma_operand *c,
                    struct mma_result *result)
{
    const struct mma_bench *b = r->bench;
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < MMA_THREADS; thread++) {
        for (unsigned value = 0; value < MMA_VALUES; value++) {
            struct mma_place place = mma_operand_place(c, thread, value);
            uint32_t word = b->out_words[thread][value];
            int32_t expected = VERIFIED_ITERATIONS * b->product[place.row][place.col];
            char text[32];
            wrong += !is_number(r->c->type, word,
                                VERIFIED_ITERATIONS * b->right_product[place.row][place.col]);
            if (is_number(r->c->type, word, expected))
                continue;
            print_number(r->c->type, word, text, sizeof text);
            r->row->verified = VERIFIED_NO;
            row_end(r->row, ROW_FAILED,
                    "wrong product: accumulator %u of thread %u, element (%u,%u), is %s, not %d "
                    "(%s)",
                    value, thread, place.row, place.col, text, expected, suffix);
        }
    }
    result->wrong_share = (double)wrong / (MMA_ROWS * MMA_ROWS);
}

static bool verify(struct mma_case_run *r, const char *suffix, const struct mma_operand *c,
                   struct mma_result *result)
{
    struct mma_bench *b = r->bench;
    struct gpu_launch launch;
    if (!mma_prepare(r, suffix, 1, &launch))
        return false;
    r->iterations = VERIFIED_ITERATIONS;
    if (!gpu_fill(r->gpu, b->out, 0xa5, sizeof b->out_words, r->error) ||
        !gpu_run(r->gpu, &launch, r->error) || !gpu_wait(r->gpu, r->error) ||
        !gpu_download(r->gpu, b->out_words, b->out, sizeof b->out_words, r->error))
        return false;
    compare(r, suffix, c, result);
    return true;
}

bool mma_verify(struct mma_case_run *r, struct mma_result *result)
{
    struct tiled_mma tiled;
    if (!mma_plan_tiled(r->c->type, &tiled, r->error))
        return false;
    multiply(r, mma_case_is_wrong(r->c), r->bench->product);
    multiply(r, false, r->bench->right_product);
    r->row->verified = VERIFIED_YES;
    return verify(r, "alone", &tiled.whole[SWB_MMA_C], result) &&
           (r->row->status != ROW_OK || verify(r, "loads", &tiled.whole[SWB_MMA_C], result));
}
