/* Are --filter and --fail-if read as what they say? The first line is the filter, the second the
 * conditions. */
#include <string.h>

#include "harness/compare_fail.h"
#include "harness/filter.h"
#include "tests/fuzz/fuzz.h"

/* ---- A family of three cases, and a file of theirs ----------------------------------------- */

static const struct column columns[] = {{"layout", "-", "a word"}, {"width", "bit", "a number"}};

static size_t case_count(const struct family *self, bool full)
{
    (void)self;
    return full ? 3 : 2;
}

static void predict(const struct family *self, size_t index, struct row *row)
{
    static const char *const layouts[] = {"K/128B", "linear", "Sw<3,4,3>, padded"};
    (void)self;
    snprintf(row->case_name, sizeof row->case_name, "ld.shared.b32 %s", layouts[index]);
    row_set_text(row, 0, "%s", layouts[index]);
    row_set_number(row, 1, 16 << index, 0);
}

static const struct family family = {.name = "fuzzed",
                                     .question = "-",
                                     .columns = columns,
                                     .column_count = 2,
                                     .case_count = case_count,
                                     .predict = predict};

static const char file_text[] = "# schema: 1\nfamily,case,status,reason,verified,layout,width\n"
                                "fuzzed,ld.shared.b32 K/128B,ok,,yes,K/128B,16\n"
                                "fuzzed,ld.shared.b32 linear,failed,why,no,linear,\n";

/* ---- What must hold ------------------------------------------------------------------------ */

/* One term and its opposite: a row passes the one or the other. */
static void check_opposite(const struct filter *filter, const struct row *row, bool passes)
{
    struct filter opposite = *filter;
    if (filter->count != 1 || filter->terms[0].column[0] == '\0')
        return;
    opposite.terms[0].negated = !filter->terms[0].negated;
    FUZZ_CHECK(filter_passes(&opposite, &family, row) != passes);
}

/* All terms hold where each does. */
static bool each_passes(const struct filter *filter, const struct row *row)
{
    bool passes = true;
    for (size_t i = 0; i < filter->count; i++) {
        const struct filter one = {.terms = {filter->terms[i]}, .count = 1};
        passes = passes && filter_passes(&one, &family, row);
    }
    return passes;
}

static void check_filter(const struct filter *filter, const struct result_file *file)
{
    static const struct family *const families[] = {&family};
    struct error error = {.kind = ERROR_NONE};
    struct row row;
    FUZZ_CHECK(filter->count <= FILTER_MAX_TERMS);
    for (size_t i = 0; i < file->row_count; i++)
        filter_passes_file(filter, file, i);
    if (!fuzz_read_or_refused(filter_check(filter, families, 1, &error), &error))
        return;
    for (size_t i = 0; i < case_count(&family, true); i++) {
        row_predict(&family, i, &row);
        bool passes = filter_passes(filter, &family, &row);
        FUZZ_CHECK(passes == each_passes(filter, &row));
        check_opposite(filter, &row, passes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct result_file file;
    struct fuzz_words lines = fuzz_words(data, bytes);
    struct filter filter;
    struct compare_conditions conditions;
    struct error error = {.kind = ERROR_NONE};
    if (file.row_count == 0)
        FUZZ_CHECK(result_read(fuzz_file(0, (const uint8_t *)file_text, strlen(file_text)), &file,
                               &error));
    if (fuzz_read_or_refused(filter_parse(lines.at[0], &filter, &error), &error))
        check_filter(&filter, &file);
    if (lines.at[1] &&
        fuzz_read_or_refused(compare_conditions_parse(lines.at[1], 0, &conditions, &error), &error))
        FUZZ_CHECK(conditions.slower >= 0 && conditions.faster >= 0);
    fuzz_words_free(&lines);
    return 0;
}
