/* Are the words of `run` and the numbers of all commands read within their limits? Each line is a
 * word of `run`; the first two are read as numbers too. */
#include <math.h>
#include <string.h>

#include "bench/placed.h"
#include "harness/options.h"
#include "harness/run_options.h"
#include "harness/text.h"
#include "tests/fuzz/fuzz.h"

static void check_numbers(const char *text)
{
    uint64_t whole;
    double number;
    unsigned rows, cols;
    char slug[16];
    struct error error = {.kind = ERROR_NONE};
    if (fuzz_read_or_refused(option_whole("--fuzz", text, 3, 1000, &whole, &error), &error))
        FUZZ_CHECK(whole >= 3 && whole <= 1000);
    if (fuzz_read_or_refused(option_number("--fuzz", text, 0.5, &number, &error), &error))
        FUZZ_CHECK(isfinite(number) && number >= 0.5);
    if (fuzz_read_or_refused(placed_tile_extents(text, &rows, &cols, &error), &error))
        FUZZ_CHECK(rows >= 1 && rows <= SWB_TILE_MAX_EXTENT && cols >= 1 &&
                   cols <= SWB_TILE_MAX_EXTENT);
    text_slug(text, slug, sizeof slug);
    FUZZ_CHECK(strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(slug));
}

static void check_run(int argc, char **argv)
{
    struct run_options options;
    struct error error = {.kind = ERROR_NONE};
    optind = 0;
    if (fuzz_read_or_refused(run_options_read(&options, argc, argv, &error), &error)) {
        FUZZ_CHECK(options.job.device >= 0 && options.job.case_limit_s > 0);
        FUZZ_CHECK(options.family_count < (size_t)argc);
        FUZZ_CHECK(options.job.measure.extra_metric_count <= ROW_MAX_COLUMNS);
    }
    run_options_free(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_words lines = fuzz_words(data, bytes);
    char *argv[18] = {"run"};
    int argc = 1;
    for (size_t i = 0; i < 16; i++) {
        if (i < 2 && lines.at[i])
            check_numbers(lines.at[i]);
        if (lines.at[i])
            argv[argc++] = (char *)lines.at[i];
    }
    check_run(argc, argv);
    fuzz_words_free(&lines);
    return 0;
}
