/* Are the words of `advise` read, and is its answer in order? A line of the input for each option;
 * with a first one it is that of --check, and a 1 there means the fields of a descriptor. */
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
    static const char *const none[16];
    struct fuzz_words lines = fuzz_words(data, bytes);
    const char *const *at = lines.at;
    bool is_check = at[0] != NULL, has_fields = is_check && at[0][0] == '1', agree;
    const char *const *check = is_check ? at : none;
    const struct advise_words words = {.check = is_check,
                                       .dtype = at[1],
                                       .tile = at[2],
                                       .major = at[3],
                                       .reader = at[4],
                                       .writer = at[5],
                                       .operand = at[6],
                                       .n = at[7],
                                       .writer_box = check[8],
                                       .writer_swizzle = check[9],
                                       .writer_layout = check[10],
                                       .stack = check[11],
                                       .base = check[12],
                                       .descriptor = has_fields ? NULL : check[13],
                                       .reader_layout = has_fields ? NULL : check[14],
                                       .sbo = has_fields ? check[13] : NULL,
                                       .lbo = has_fields ? check[14] : NULL,
                                       .mode = has_fields ? check[15] : NULL};
    struct advise_question question;
    struct error error = {.kind = ERROR_NONE};
    if (fuzz_read_or_refused(advise_question_read(&words, &question, &error), &error)) {
        if (is_check)
            fuzz_read_or_refused(advise_check(&question, &words, &agree, &error), &error);
        else
            find(&question);
    }
    fuzz_words_free(&lines);
    return 0;
}
