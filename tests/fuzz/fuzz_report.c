/* Does a report of any result file, with any findings and any plot, become Markdown and a page in
 * which nothing of theirs is taken for a mark? Lines %% stand between the three. */
#include <stdlib.h>
#include <string.h>

#include "bench/claims.h"
#include "harness/report.h"
#include "tests/fuzz/fuzz.h"

static const char *const files[] = {"mma.csv", "claims.csv", "mma-plot.svg"};
enum { RESULT, JUDGED, PLOT, FILES };
static char folder[] = "/dev/shm/fuzz-report-XXXXXX";

static const char *path_of(const char *file)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

static void remove_folder(void)
{
    for (size_t i = 0; i < FILES; i++)
        remove(path_of(files[i]));
    remove(folder);
}

/* In memory, and of this process alone. */
static void make_folder(void)
{
    static bool made;
    if (made)
        return;
    FUZZ_CHECK(mkdtemp(folder) && atexit(remove_folder) == 0);
    made = true;
}

static void put_file(const char *name, const uint8_t *data, size_t bytes)
{
    FILE *to = fopen(path_of(name), "wb");
    FUZZ_CHECK(to && fwrite(data, 1, bytes, to) == bytes && fclose(to) == 0);
}

/* Takes the part up to the next line %%, and moves behind it. */
static size_t take_part(const uint8_t **data, size_t *bytes)
{
    const uint8_t *stop = *bytes ? memmem(*data, *bytes, "\n%%\n", 4) : NULL;
    size_t length = stop ? (size_t)(stop - *data) + 1 : *bytes, skip = stop ? length + 3 : *bytes;
    *data += skip;
    *bytes -= skip;
    return length;
}

/* Outside of pictures the page has these marks alone. */
static void check_page(const char *page)
{
    static const char *const marks[] = {
        "p>",  "ul>", "li>", "div ", "div>",  "table>", "thead>", "tbody>",
        "tr>", "td>", "td ", "th>",  "th ",   "pre>",   "code>",  "strong>",
        "em>", "b>",  "i>",  "a ",   "a>",    "h1>",    "h2>",    "h2 ",
        "h3>", "h4>", "h5>", "h6>",  "main>", "body>",  "html>"};
    const char *at = strstr(page, "<main>");
    FUZZ_CHECK(at);
    while ((at = strchr(at, '<'))) {
        bool known = false;
        at += at[1] == '/' ? 2 : 1;
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
            known = known || strncmp(at, marks[i], strlen(marks[i])) == 0;
        FUZZ_CHECK(known);
    }
}

/* The table of claims, judged by these results or by none. */
static char *claims_by(const struct compare_side *side)
{
    struct claim_answer answers[CLAIMS];
    FILE *to = fuzz_print();
    claims_judge(side, answers);
    FUZZ_CHECK(claims_table(answers, GRID_MARKDOWN, to));
    char *table = strdup(fuzz_printed(to));
    FUZZ_CHECK(table);
    return table;
}

static void report(const char *findings, bool has_plot, bool is_judged)
{
    static char *by_none;
    struct report_folder read;
    struct error error = {.kind = ERROR_NONE};
    if (fuzz_read_or_refused(report_folder_read(folder, &read, &error), &error)) {
        by_none = by_none ? by_none : claims_by(NULL);
        char *table = is_judged ? claims_by(read.side) : NULL;
        FILE *to = fuzz_print();
        FUZZ_CHECK(report_markdown(&read, findings, table ? table : by_none, to));
        char *markdown = strdup(fuzz_printed(to));
        FUZZ_CHECK(markdown);
        to = fuzz_print();
        report_html(&read, markdown, to);
        const char *page = fuzz_printed(to);
        if (!has_plot)
            check_page(page);
        free(markdown);
        free(table);
    }
    report_folder_free(&read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const uint8_t *result = data;
    bool is_judged = bytes % 16 == 0; /* takes a hundred times as long as all else */
    make_folder();
    size_t length = take_part(&data, &bytes);
    put_file(files[RESULT], result, length);
    put_file(files[JUDGED], result, length);
    const uint8_t *text = data;
    length = take_part(&data, &bytes);
    char *findings = fuzz_text(text, length);
    put_file(files[PLOT], data, bytes);
    report(report_is_findings(findings) ? findings : NULL, bytes > 0, is_judged);
    free(findings);
    return 0;
}
