/* What does a person read about a fleet, on one page? */
#include <stdio.h>
#include <string.h>

#include "harness/fleet.h"

/* ---- Heads ---------------------------------------------------------------------------------- */

/* "580.159.04 in 3; 570.86 in 1 (fleet/n3-0)": each value, and where few say it who they are. */
static void print_head(const struct fleet *fleet, enum head_key key, enum grid_style style)
{
    enum { NAMED = 4 };
    const char *separator = "";
    for (size_t i = 0; i < fleet->count; i++) {
        const char *value = fleet->gpus[i].heads[key];
        size_t same = 0, before = 0;
        for (size_t j = 0; j < fleet->count; j++) {
            bool equal = strcmp(fleet->gpus[j].heads[key], value) == 0;
            same += equal;
            before += equal && j < i;
        }
        if (before > 0)
            continue;
        fputs(separator, stdout);
        grid_put_words(*value ? value : "-", style, stdout);
        if (same < fleet->count)
            printf(" in %zu", same);
        if (2 * same < fleet->count && same <= NAMED) {
            const char *mark = " (";
            for (size_t j = 0; j < fleet->count; j++) {
                if (strcmp(fleet->gpus[j].heads[key], value) != 0)
                    continue;
                fputs(mark, stdout);
                grid_put_words(fleet->gpus[j].path, style, stdout);
                mark = ", ";
            }
            putchar(')');
        }
        separator = "; ";
    }
    putchar('\n');
}

static void print_key(const char *key, enum grid_style style)
{
    if (style == GRID_MARKDOWN)
        printf("- %s: ", key);
    else
        printf("%-19s ", key);
}

static void print_twin(const struct fleet_gpu *one, const struct fleet_gpu *twin,
                       enum grid_style style)
{
    print_key("the same GPU", style);
    grid_put_words(one->path, style, stdout);
    fputs(" and ", stdout);
    grid_put_words(twin->path, style, stdout);
    fputs(" are both of ", stdout);
    grid_put_words(one->heads[HEAD_GPU_UUID], style, stdout);
    putchar('\n');
}

/* Two folders of one GPU are two runs of it, and another GPU has none. */
static void print_twins(const struct fleet *fleet, enum grid_style style)
{
    for (size_t i = 0; i < fleet->count; i++) {
        const char *uuid = fleet->gpus[i].heads[HEAD_GPU_UUID];
        for (size_t j = i + 1; compare_is_gpu(uuid) && j < fleet->count; j++) {
            if (strcmp(uuid, fleet->gpus[j].heads[HEAD_GPU_UUID]) == 0) {
                print_twin(&fleet->gpus[i], &fleet->gpus[j], style);
                break;
            }
        }
    }
}

static void print_heads(const struct fleet *fleet, enum grid_style style)
{
    static const enum head_key keys[] = {HEAD_BACKEND,  HEAD_GPU,     HEAD_COMPUTE_CAPABILITY,
                                         HEAD_SM_COUNT, HEAD_DRIVER,  HEAD_CUDA,
                                         HEAD_VERSION,  HEAD_COUNTERS};
    size_t rows = fleet->compared / fleet->count;
    printf("%s%zu folders, %zu row%s of the median, %zu outlier%s\n\n",
           style == GRID_MARKDOWN ? "# " : "", fleet->count, rows, rows == 1 ? "" : "s",
           fleet->outliers, fleet->outliers == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        print_key(result_head_names[keys[i]], style);
        print_head(fleet, keys[i], style);
    }
    print_twins(fleet, style);
    putchar('\n');
}

/* ---- A line for each GPU -------------------------------------------------------------------- */

static void put_change(struct grid *grid, double ratio)
{
    if (ratio > 0)
        grid_cell(grid, "%+.2f %%", 100 * (ratio - 1));
    else
        grid_cell(grid, "%s", "");
}

/* A number, or nothing where there is none. */
static void put_known(struct grid *grid, bool is_known, double number)
{
    if (is_known)
        grid_cell(grid, "%.6g", number);
    else
        grid_cell(grid, "%s", "");
}

static void put_exact(struct grid *grid, const struct fleet_gpu *gpu)
{
    static const enum difference_kind kinds[] = {
        DIFFERENCE_COUNTER, DIFFERENCE_MODEL, DIFFERENCE_STATUS, DIFFERENCE_MISSING,
        DIFFERENCE_NEW,     DIFFERENCE_ALONE, DIFFERENCE_SLOWER, DIFFERENCE_FASTER};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        grid_cell(grid, "%zu", gpu->differing[kinds[i]]);
}

static bool print_gpus(const struct fleet *fleet, enum grid_style style)
{
    static const char *const header[] = {"results",         "rows", "counter",  "model",  "status",
                                         "missing",         "new",  "alone",    "slower", "faster",
                                         "furthest median", "of",   "SM clock", "outlier"};
    struct grid grid;
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < fleet->count; i++) {
        const struct fleet_gpu *gpu = &fleet->gpus[i];
        grid_cell(&grid, "%s", gpu->path);
        grid_cell(&grid, "%zu", gpu->rows);
        put_exact(&grid, gpu);
        put_change(&grid, gpu->furthest);
        grid_cell(&grid, "%s", gpu->furthest_of);
        put_change(&grid, gpu->clock_ratio);
        grid_cell(&grid, "%s", *gpu->why ? "yes" : "");
    }
    bool printed = grid_print(&grid, style, stdout);
    grid_free(&grid);
    return printed;
}

static bool print_csv(const struct fleet *fleet)
{
    static const char *const header[] = {"results",  "gpu",          "gpu_uuid",       "rows",
                                         "counter",  "model",        "status",         "missing",
                                         "new",      "alone",        "slower",         "faster",
                                         "failed",   "time_ratio",   "time_ratio_of",  "share",
                                         "share_of", "sm_clock_mhz", "sm_clock_ratio", "outlier",
                                         "why"};
    struct grid grid;
    grid_start(&grid, header, sizeof header / sizeof header[0]);
    for (size_t i = 0; i < fleet->count; i++) {
        const struct fleet_gpu *gpu = &fleet->gpus[i];
        bool timed = *gpu->furthest_of, clocked = gpu->clock_ratio > 0;
        grid_cell(&grid, "%s", gpu->path);
        grid_cell(&grid, "%s", gpu->heads[HEAD_GPU]);
        grid_cell(&grid, "%s", gpu->heads[HEAD_GPU_UUID]);
        grid_cell(&grid, "%zu", gpu->rows);
        put_exact(&grid, gpu);
        grid_cell(&grid, "%zu", gpu->failed);
        put_known(&grid, timed, gpu->furthest);
        grid_cell(&grid, "%s", gpu->furthest_of);
        put_known(&grid, timed, gpu->share);
        grid_cell(&grid, "%s", gpu->share_of);
        put_known(&grid, clocked, gpu->clock_mhz);
        put_known(&grid, clocked, gpu->clock_ratio);
        grid_cell(&grid, "%s", *gpu->why ? "yes" : "no");
        grid_cell(&grid, "%s", gpu->why);
    }
    bool printed = grid_print(&grid, GRID_CSV, stdout);
    grid_free(&grid);
    return printed;
}

/* ---- Outliers ------------------------------------------------------------------------------- */

static bool print_outliers(const struct fleet *fleet, enum grid_style style)
{
    bool printed = true;
    for (size_t i = 0; printed && i < fleet->outliers; i++) {
        const struct fleet_gpu *gpu = &fleet->gpus[i];
        printf("\n%s", style == GRID_MARKDOWN ? "## " : "");
        grid_put_words(gpu->path, style, stdout);
        printf(": %s\n", gpu->why);
        if (compare_is_gpu(gpu->heads[HEAD_GPU_UUID])) {
            fputs(style == GRID_MARKDOWN ? "\n" : "", stdout);
            grid_put_words(gpu->heads[HEAD_GPU_UUID], style, stdout);
            putchar('\n');
        }
        if (grid_rows(&gpu->details) == 0)
            continue;
        putchar('\n');
        printed = grid_print(&gpu->details, style, stdout);
    }
    return printed;
}

bool fleet_print(const struct fleet *fleet, enum grid_style style)
{
    if (style == GRID_CSV)
        return print_csv(fleet);
    print_heads(fleet, style);
    return print_gpus(fleet, style) && print_outliers(fleet, style);
}
