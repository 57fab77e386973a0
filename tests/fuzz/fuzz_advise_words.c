/* Are the words of `advise` read, and is its answer in order? A line of the input for each option;
 * the first says whether it is that of --check. */
#include <stdlib.h>

#include "bench/advise.h"
#include "tests/fuzz/fuzz.h"

static void find(const struct advise_question *question)
{
    struct error error = {.kind = ERROR_NONE};
    struct advice *advice = malloc(sizeof *advice);
    FUZZ_CHECK(advice);
    if (fuzz_read_or_refused(advise_find(question, advice, &error), &error)) {
        FUZZ_CHECK(advice->possible >= 1 && advice->possible <= advice->count);
        FUZZ_CHECK(advice->count <= ADVISE_MAX_CANDIDATES);
        for (size_t i = 0; i < advice->count; i++) {
            const struct advise_candidate *c = &advice->candidates[i];
            FUZZ_CHECK((i < advice->possible) == (c->refusal[0] == '\0'));
            if (i >= advice->possible)
                continue;
            FUZZ_CHECK(c->read.wavefronts >= c->read.ideal);
            FUZZ_CHECK(i == 0 || c->bound_cycles >= advice->candidates[i - 1].bound_cycles);
        }
    }
    free(advice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_words lines = fuzz_words(data, bytes);
    const char *const *at = lines.at;
    bool is_check = at[0] != NULL, agree;
    struct advise_words words = {.check = is_check,
                                 .dtype = at[1],
                                 .tile = at[2],
                                 .major = at[3],
                                 .reader = at[4],
                                 .writer = at[5],
                                 .operand = at[6],
                                 .n = at[7]};
    struct advise_question question;
    struct error error = {.kind = ERROR_NONE};
    if (is_check) {
        words.writer_box = at[8];
        words.writer_swizzle = at[9];
        words.writer_layout = at[10];
        words.stack = at[11];
        words.base = at[12];
        words.descriptor = at[13];
        words.reader_layout = at[14];
        words.mode = at[0][0] == '1' ? at[15] : NULL;
        words.sbo = at[0][0] == '1' ? at[13] : NULL;
        words.lbo = at[0][0] == '1' ? at[14] : NULL;
        words.descriptor = at[0][0] == '1' ? NULL : words.descriptor;
        words.reader_layout = at[0][0] == '1' ? NULL : words.reader_layout;
    }
    if (fuzz_read_or_refused(advise_question_read(&words, &question, &error), &error)) {
        if (is_check)
            fuzz_read_or_refused(advise_check(&question, &words, &agree, &error), &error);
        else
            find(&question);
    }
    fuzz_words_free(&lines);
    return 0;
}
