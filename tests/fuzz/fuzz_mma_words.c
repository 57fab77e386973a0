/* Are an atom's name, --atoms, --tile and --problem read, and is every element of an operand held?
 * A line of the input for each. */
#include <string.h>

#include "bench/mma_operand.h"
#include "bench/mma_words.h"
#include "tests/fuzz/fuzz.h"

enum { PLACES = 64 };

static void check_operand(const struct swb_tiled_mma *tiled, const unsigned *problem,
                          enum swb_mma_operand which)
{
    struct mma_operand operand;
    struct swb_refusal refusal = {.column = 0};
    if (!mma_operand_of_tiled(tiled, which, problem, &operand, &refusal)) {
        FUZZ_CHECK(refusal.sentence[0]);
        return;
    }
    FUZZ_CHECK(operand.threads == swb_tiled_mma_threads(tiled));
    FUZZ_CHECK((uint64_t)operand.threads * operand.values >= (uint64_t)operand.rows * operand.cols);
    for (unsigned i = 0; i < PLACES; i++) {
        struct mma_place place =
            mma_operand_place(&operand, i * 7 % operand.threads, i * 13 % operand.values);
        FUZZ_CHECK(place.row < operand.rows && place.col < operand.cols);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_words lines = fuzz_words(data, bytes);
    const struct mma_words words = {
        .atoms = lines.at[1], .tile = lines.at[2], .problem = lines.at[3]};
    struct swb_mma_atom atom;
    struct swb_tiled_mma tiled;
    struct error error = {.kind = ERROR_NONE};
    unsigned problem[SWB_MMA_MODES];
    const char *name = lines.at[0] ? lines.at[0] : "";
    if (swb_mma_atom_find(name, &atom)) {
        FUZZ_CHECK(strcmp(atom.name, name) == 0);
        if (fuzz_read_or_refused(mma_words_tiled(&words, &atom, &tiled, problem, &error), &error)) {
            FUZZ_CHECK(swb_tiled_mma_threads(&tiled) <= SWB_MMA_MAX_THREADS);
            for (enum swb_mma_operand i = SWB_MMA_A; i < SWB_MMA_OPERANDS; i++)
                check_operand(&tiled, problem, i);
        }
    }
    fuzz_words_free(&lines);
    return 0;
}
