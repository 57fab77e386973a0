/* How are the verdicts on the claims shown: to people, as a table, as claims.csv? */
#include <stdlib.h>
#include <string.h>

#include "bench/claims.h"
#include "harness/csv.h"
#include "harness/folder.h"
#include "harness/report.h"
#include "harness/text.h"
#include "harness/version.h"

static const char *const verdicts[CLAIM_VERDICTS] = {[CLAIM_OPEN] = "open",
                                                     [CLAIM_CONFIRMED] = "confirmed",
                                                     [CLAIM_REFUTED] = "refuted",
                                                     [CLAIM_DEPENDS] = "depends"};

const char *claim_verdict_name(enum claim_verdict verdict)
{
    return verdicts[verdict];
}

/* The columns of claims.csv that are its own. */
static const char *const header[] = {"id", "claim", "verdict", "condition", "evidence"};
enum { COLUMNS = sizeof header / sizeof header[0] };

static void row_of(size_t i, const struct claim_answer *answer, const char *row[COLUMNS])
{
    row[0] = claims[i].id;
    row[1] = claims[i].text;
    row[2] = claim_verdict_name(answer->verdict);
    row[3] = answer->condition;
    row[4] = answer->evidence;
}

bool claims_table(const struct claim_answer answers[CLAIMS], enum grid_style style, FILE *to)
{
    struct grid grid;
    grid_start(&grid, header, COLUMNS);
    for (size_t i = 0; i < CLAIMS; i++) {
        const char *row[COLUMNS];
        row_of(i, &answers[i], row);
        for (size_t c = 0; c < COLUMNS; c++) {
            if (style == GRID_MARKDOWN)
                report_cell(&grid, row[c]);
            else
                grid_cell(&grid, "%s", row[c]);
        }
    }
    bool printed = grid_print(&grid, style, to);
    grid_free(&grid);
    return printed;
}

/* ---- For a person -------------------------------------------------------------------------- */

enum { WIDTH = 100, INDENT = 16 };

/* Words in lines of WIDTH, from the column on that has been printed up to; later lines indented. */
static void print_wrapped(const char *text, size_t column, FILE *to)
{
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > INDENT && column + 1 + word > WIDTH) {
            fprintf(to, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            fputc(' ', to);
            column++;
        }
        fwrite(text, 1, word, to);
        column += word;
        text += word;
        text += *text == ' ';
    }
    fputc('\n', to);
}

static void print_part(const char *name, const char *text, FILE *to)
{
    if (!*text)
        return;
    char shown[4 * sizeof((struct claim_answer *)0)->condition]; /* it may name a file's case */
    text_visible(text, shown, sizeof shown);
    fprintf(to, "%*s%-10s", INDENT - 10, "", name);
    print_wrapped(shown, INDENT, to);
}

void claims_print(const struct compare_side *side, const struct claim_answer answers[CLAIMS],
                  FILE *to)
{
    char gpu[512] = "";
    size_t counts[CLAIM_VERDICTS] = {0};
    if (side)
        compare_side_value(side, "gpu", gpu, sizeof gpu);
    for (size_t i = 0; i < CLAIMS; i++) {
        counts[answers[i].verdict]++;
        fprintf(to, "%-4s %-11s", claims[i].id, claim_verdict_name(answers[i].verdict));
        print_wrapped(claims[i].text, INDENT, to);
        print_part(answers[i].verdict == CLAIM_OPEN ? "lacks" : "found", answers[i].condition, to);
        print_part(answers[i].verdict == CLAIM_OPEN ? "do" : "by", answers[i].evidence, to);
    }
    fputc('\n', to);
    text_put(*gpu ? gpu : "no GPU", to);
    fputs(": ", to);
    for (int v = CLAIM_CONFIRMED; v < CLAIM_VERDICTS; v++)
        fprintf(to, "%zu %s, ", counts[v], verdicts[v]);
    fprintf(to, "%zu %s\n", counts[CLAIM_OPEN], verdicts[CLAIM_OPEN]);
}

/* ---- claims.csv ---------------------------------------------------------------------------- */

static void put_head(const struct compare_side *side, const char *command, FILE *to)
{
    for (size_t i = 0; i < HEAD_KEYS; i++) {
        char value[512];
        compare_side_value(side, result_head_names[i], value, sizeof value);
        fprintf(to, "# %s: %s\n", result_head_names[i],
                i == HEAD_SCHEMA    ? SWIZZLEBENCH_SCHEMA
                : i == HEAD_VERSION ? SWIZZLEBENCH_VERSION
                : i == HEAD_COMMAND ? command
                                    : value);
    }
}

static void put_fields(const char *const *fields, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', to);
        csv_put(to, fields[i]);
    }
}

static void put_row(size_t i, const struct claim_answer *answer, FILE *to)
{
    bool open = answer->verdict == CLAIM_OPEN;
    const char *own[COLUMNS];
    const char *const common[RESULT_COMMON_COLUMNS] = {
        "claims", claims[i].id, row_status_name(open ? ROW_SKIPPED : ROW_OK),
        open ? answer->condition : "", row_verified_name(VERIFIED_NOT_RUN)};
    row_of(i, answer, own);
    put_fields(common, RESULT_COMMON_COLUMNS, to);
    fputc(',', to);
    put_fields(own, COLUMNS, to);
    fputc('\n', to);
}

bool claims_write(const struct compare_side *side, const struct claim_answer answers[CLAIMS],
                  const char *folder, const char *command, struct error *error)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return error_set(error, ERROR_FAILED, "no memory for the claims");
    put_head(side, command, to);
    for (size_t i = 0; i < RESULT_COMMON_COLUMNS; i++)
        fprintf(to, "%s,", result_common_columns[i].name);
    put_fields(header, COLUMNS, to);
    fputc('\n', to);
    for (size_t i = 0; i < CLAIMS; i++)
        put_row(i, &answers[i], to);
    bool made = !ferror(to);
    made = fclose(to) == 0 && made;
    bool written = (made || error_set(error, ERROR_FAILED, "no memory for the claims")) &&
                   folder_make(folder, error) && folder_write(folder, "claims.csv", text, error);
    free(text);
    return written;
}
