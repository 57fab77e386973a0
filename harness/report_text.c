/* What does a folder of results say, as Markdown? */
#include "harness/report.h"

#include <stdlib.h>
#include <string.h>

#include "harness/markdown.h"
#include "harness/utf8.h"
#include "harness/version.h"

bool report_put(FILE *to, const char *text)
{
    char *escaped = markdown_escape(text);
    bool put = escaped && fputs(escaped, to) >= 0;
    free(escaped);
    return put;
}

/* As the rest of the page has it, and not as a terminal would see it. */
void report_cell(struct grid *grid, const char *text)
{
    char *clean = utf8_clean(text);
    char *escaped = clean ? markdown_escape(clean) : NULL;
    grid_cell(grid, "%s", escaped ? escaped : "");
    grid->failed = grid->failed || !escaped;
    free(escaped);
    free(clean);
}

static const char *key_or(const struct result_file *file, const char *key, const char *otherwise)
{
    const char *value = result_key(file, key);
    return value ? value : otherwise;
}

/* ---- The machine and the method ------------------------------------------------------------ */

static bool put_title(const struct report_folder *folder, FILE *to)
{
    char gpu[512], backend[512];
    compare_side_value(folder->side, "gpu", gpu, sizeof gpu);
    compare_side_value(folder->side, "backend", backend, sizeof backend);
    fputs("# swizzlebench: ", to);
    bool put = report_put(to, *gpu ? gpu : "no GPU named");
    fputs("\n\nWhat does this way of moving a tile through shared memory cost? What an exact model "
          "predicts, what the\nhardware counter says and how many clocks it took, in one row.\n",
          to);
    if (strstr(backend, "model"))
        fputs("\n**Backend: model.** Rows of that backend are what the model predicts; nothing was "
              "measured for them.\n",
              to);
    return put;
}

static bool put_contents(const struct report_folder *folder, FILE *to)
{
    static const char *const header[] = {"file",    "rows",   "ok",           "refused",
                                         "skipped", "failed", "verified yes", "verified no"};
    struct grid grid;
    fputs("\n", to);
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < folder->file_count; i++) {
        const struct report_file *file = &folder->files[i];
        struct report_counts counts = report_count(file->file);
        grid_cell(&grid, "[%s](#%s)", file->name, file->name);
        grid_cell(&grid, "%zu", file->file->row_count);
        for (int s = ROW_OK; s <= ROW_FAILED; s++)
            grid_cell(&grid, "%zu", counts.status[s]);
        grid_cell(&grid, "%zu", counts.verified);
        grid_cell(&grid, "%zu", counts.wrong);
    }
    bool printed = grid_print(&grid, GRID_MARKDOWN, to);
    grid_free(&grid);
    fputs("\nFurther down: [the claims](#claims), [what is left out](#left-out), "
          "[how to do it again](#how-to-do-it-again).\n",
          to);
    return printed;
}

static bool put_machine(const struct report_folder *folder, FILE *to)
{
    static const char *const keys[] = {"backend",  "gpu",    "gpu_uuid", "compute_capability",
                                       "sm_count", "driver", "cuda",     "version",
                                       "counters", "date"};
    static const char *const header[] = {"key", "value"};
    struct grid grid;
    char value[512];
    fputs("\n## Machine\n\nAs the heads of the result files have it; several values are of several "
          "files.\n\n",
          to);
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        compare_side_value(folder->side, keys[i], value, sizeof value);
        grid_cell(&grid, "%s", keys[i]);
        report_cell(&grid, *value ? value : "not said");
    }
    bool printed = grid_print(&grid, GRID_MARKDOWN, to);
    grid_free(&grid);
    return printed;
}

static void put_method(FILE *to)
{
    fputs("\n## Method\n\n"
          "- **Predicted**: the byte offsets of 32 lanes, a tensor map or a descriptor go to the "
          "model and to the kernel, the same array to both.\n"
          "- **Verified**: the kernel runs on unpredictable data, and every byte that comes out "
          "must be the expected one (`verified`).\n"
          "- **Counted**: under the hardware's counters; the instructions executed must be those "
          "of the source, and a control kernel's counts are subtracted.\n"
          "- **Timed**: never while counting; clocks are the SM's own, of a long run less a short "
          "one, and the median of several samples stands in the row, with the least and the "
          "largest beside it.\n"
          "- **Status**: `ok`; `refused`, where driver or hardware does not take the geometry; "
          "`skipped`, where this GPU or this permission cannot; `failed`, where bytes or counts "
          "were wrong, or model and counter disagree. All but `ok` give a reason, and are listed "
          "here.\n",
          to);
}

/* ---- A file -------------------------------------------------------------------------------- */

static void put_plots(const struct report_folder *folder, const char *name, FILE *to)
{
    bool any = false;
    for (size_t i = 0; i < folder->plot_count; i++) {
        const struct report_plot *plot = &folder->plots[i];
        if (!report_plot_is_of(plot, name))
            continue;
        fprintf(to, "\n![%.*s](%s)\n", (int)strcspn(plot->name, "."), plot->name, plot->name);
        any = true;
    }
    if (!any)
        fprintf(to, "\nNo plot: there is no %s-*.svg beside %s.csv.\n", name, name);
}

static void put_findings(const char *findings, const char *name, FILE *to)
{
    fputs("\n### Findings\n", to);
    if (!findings)
        fputs("\nNone: the report was made without --findings.\n", to);
    else if (!report_findings(findings, name, to))
        fprintf(to, "\nNone: scripts/findings says nothing about %s.csv.\n", name);
}

static bool put_file(const struct report_folder *folder, const struct report_file *file,
                     const char *findings, FILE *to)
{
    fprintf(to, "\n## %s\n\n", file->name);
    if (file->family)
        fprintf(to, "**%s**\n\n", file->family->question);
    fprintf(to, "%s.csv, %zu rows, ", file->name, file->file->row_count);
    bool put = report_put(to, key_or(file->file, "date", "of no date"));
    fputs(", counters: ", to);
    put = put && report_put(to, key_or(file->file, "counters", "not said"));
    fputs(file->file->cut ? ", its last row unfinished and left out.\n" : ".\n", to);
    put_plots(folder, file->name, to);
    put_findings(findings, file->name, to);
    fputs("\n### Numbers\n\nOf the rows that are ok.\n\n", to);
    put = put && report_numbers(file, to);
    fputs("\n### Rows that are not ok\n\n", to);
    return put && report_rows(file, to);
}

/* ---- The end ------------------------------------------------------------------------------- */

static bool put_left_out(const struct report_folder *folder, FILE *to)
{
    fputs("\n## Left out\n\n", to);
    bool put = report_put(to, *folder->left_out ? folder->left_out : "Nothing");
    fputs(".\n\nPictures other than SVG and files other than CSV are not looked at.\n", to);
    return put;
}

static void put_again(const struct report_folder *folder, FILE *to)
{
    fputs("\n## How to do it again\n\nThe files were written by these commands, of the version "
          "named above:\n\n```\n",
          to);
    for (size_t i = 0; i < folder->file_count; i++) {
        const struct result_file *file = folder->files[i].file;
        fprintf(to, "%-12s %s\n", folder->files[i].name, key_or(file, "command", "not said"));
    }
    fputs("```\n\nOn a fresh clone `make bench-full` measures all of it and `make bench` the "
          "default sweep. `swizzlebench compare` says whether\nanother run differs, and `make "
          "report` writes this page again.\n\nWritten by swizzlebench " SWIZZLEBENCH_VERSION ".\n",
          to);
}

static bool put_all(const struct report_folder *folder, const char *findings, const char *claims,
                    FILE *to)
{
    bool put = put_title(folder, to) && put_contents(folder, to) && put_machine(folder, to);
    put_method(to);
    for (size_t i = 0; put && i < folder->file_count; i++)
        put = put_file(folder, &folder->files[i], findings, to);
    fprintf(to,
            "\n## Claims\n\nWhat two texts say about these layouts, and what the files above "
            "make of it.\n\n%s",
            claims);
    put = put && put_left_out(folder, to);
    put_again(folder, to);
    return put;
}

bool report_markdown(const struct report_folder *folder, const char *findings, const char *claims,
                     FILE *to)
{
    char *text = NULL, *clean = NULL;
    size_t bytes;
    FILE *all = open_memstream(&text, &bytes);
    bool put = all && put_all(folder, findings, claims, all);
    put = all && fclose(all) == 0 && put;
    if (put)
        clean = utf8_clean(text);
    put = clean && fputs(clean, to) >= 0;
    free(clean);
    free(text);
    return put;
}
