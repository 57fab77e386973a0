/* Which GPU of a fleet is not like the others? */
#include "harness/fleet.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/compare_print.h"
#include "harness/stats.h"
#include "harness/text.h"

/* ---- A folder beside the median, in one family -------------------------------------------------
 */

static bool keep_clocks(const struct compare_pair *pair, struct fleet_gpu *gpu)
{
    const struct result_file *other = pair->other;
    size_t room = gpu->clock_count + (other ? other->row_count : 0);
    double *clocks = realloc(gpu->clocks, (room + 1) * 2 * sizeof *clocks);
    if (!clocks)
        return false;
    gpu->clocks = clocks;
    for (size_t i = 0; other && pair->first && i < other->row_count; i++) {
        long twin = result_find_case(pair->first, result_value(other, i, "case"));
        double mhz = strtod(result_value(other, i, "sm_clock_mhz"), NULL);
        double fleet =
            twin < 0 ? 0 : strtod(result_value(pair->first, (size_t)twin, "sm_clock_mhz"), NULL);
        if (!(mhz > 0) || !(fleet > 0))
            continue;
        clocks[2 * gpu->clock_count] = mhz;
        clocks[2 * gpu->clock_count++ + 1] = mhz / fleet;
    }
    return true;
}

static void keep_name(const struct compare_pair *pair, size_t column, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s %s", pair->family->name, pair->columns[column].column->name);
}

/* What the medians of times and rates are off, and how many of their rows. */
static void keep_medians(const struct compare_pair *pair, struct fleet_gpu *gpu)
{
    size_t off[ROW_MAX_COLUMNS] = {0};
    for (size_t i = 0; i < pair->difference_count; i++) {
        const struct difference *d = &pair->differences[i];
        off[d->column < 0 ? 0 : d->column] +=
            d->kind == DIFFERENCE_SLOWER || d->kind == DIFFERENCE_FASTER;
    }
    for (size_t i = 0; i < pair->column_count; i++) {
        const struct column_summary *s = &pair->summaries[i];
        if (s->count == 0)
            continue;
        double median = stats_quantile(s->ratios, s->count, 0.5);
        double time = pair->columns[i].kind == COMPARE_TIME ? median : 1 / median;
        double share = (double)off[i] / (double)s->count;
        if (!*gpu->furthest_of || fabs(log(time)) > fabs(log(gpu->furthest))) {
            gpu->furthest = time;
            keep_name(pair, i, gpu->furthest_of, sizeof gpu->furthest_of);
        }
        if (!*gpu->share_of || share > gpu->share) {
            gpu->share = share;
            keep_name(pair, i, gpu->share_of, sizeof gpu->share_of);
        }
    }
}

static void keep_details(const struct compare_pair *pair, struct fleet_gpu *gpu)
{
    struct compare_worst worst[COMPARE_MOST_WORST];
    size_t count = pair->other ? compare_worst_of(pair, worst) : 0;
    for (size_t i = 0; i < count; i++) {
        if (worst[i].difference->kind == DIFFERENCE_TRAFFIC)
            continue;
        grid_cell(&gpu->details, "%s", pair->family->name);
        compare_worst_add(&gpu->details, pair, &worst[i]);
    }
}

/* Differences of this kind are by row. */
static void keep_alone(const struct compare_pair *pair, struct fleet_gpu *gpu)
{
    long lacking = -1, surplus = -1;
    for (size_t i = 0; i < pair->difference_count; i++) {
        const struct difference *d = &pair->differences[i];
        if (d->kind != DIFFERENCE_ALONE)
            continue;
        const char *name = pair->columns[d->column].column->name;
        bool in_fleet = *result_value(pair->first, (size_t)d->first, name);
        size_t *rows = in_fleet ? &gpu->lacking : &gpu->surplus;
        long *last = in_fleet ? &lacking : &surplus;
        *rows += d->first != *last;
        *last = d->first;
    }
}

static bool keep_pair(const struct compare_pair *pair, struct fleet_gpu *gpu)
{
    gpu->rows += pair->matched;
    gpu->failed += pair->failed;
    for (size_t i = 0; i < DIFFERENCE_KINDS; i++)
        gpu->differing[i] += pair->rows[i];
    keep_alone(pair, gpu);
    keep_medians(pair, gpu);
    keep_details(pair, gpu);
    return keep_clocks(pair, gpu);
}

static bool compare_one(const struct compare_side *median, const struct compare_side *side,
                        size_t family, const struct compare_settings *settings, struct fleet *fleet,
                        struct fleet_gpu *gpu, struct error *error)
{
    struct compare_pair pair;
    bool made = compare_pair_make(median, side, family, settings, &pair, error);
    if (made && !keep_pair(&pair, gpu))
        made = error_set(error, ERROR_FAILED, "no memory to compare %s", gpu->path);
    fleet->compared += made ? pair.first_rows : 0;
    compare_pair_free(&pair);
    for (size_t i = 0; i < HEAD_KEYS; i++) {
        if (!*gpu->heads[i])
            compare_side_value(side, result_head_names[i], gpu->heads[i], sizeof gpu->heads[i]);
    }
    return made;
}

/* ---- All folders ---------------------------------------------------------------------------- */

static bool compare_family(const struct compare_side *sides, size_t family, const char *folder,
                           const struct compare_settings *settings, struct fleet *fleet,
                           struct error *error)
{
    struct compare_side median;
    char path[PATH_MAX];
    bool any = false;
    for (size_t i = 0; i < fleet->count; i++)
        any = any || sides[i].names[family];
    if (!any)
        return true;
    snprintf(path, sizeof path, "%s/%s.csv", folder, registry_families[family]->name);
    if (!fleet_median_write(sides, fleet->count, family, path, error))
        return false;
    bool compared = compare_side_read_family(folder, family, &median, error) &&
                    compare_sides_check(&median, 1, error);
    for (size_t i = 0; compared && i < fleet->count; i++)
        compared = compare_one(&median, &sides[i], family, settings, fleet, &fleet->gpus[i], error);
    compare_side_free(&median);
    return compared;
}

static bool read_family(size_t family, const char *folder, const struct compare_settings *settings,
                        struct fleet *fleet, struct error *error)
{
    struct compare_side *sides = calloc(fleet->count, sizeof *sides);
    bool read = sides || error_set(error, ERROR_FAILED, "no memory for %zu folders", fleet->count);
    for (size_t i = 0; read && i < fleet->count; i++)
        read = compare_side_read_family(fleet->gpus[i].path, family, &sides[i], error);
    read = read && compare_sides_check(sides, fleet->count, error) &&
           compare_family(sides, family, folder, settings, fleet, error);
    for (size_t i = 0; sides && i < fleet->count; i++)
        compare_side_free(&sides[i]);
    free(sides);
    return read;
}

static void finish_clock(struct fleet_gpu *gpu)
{
    double *half = malloc((gpu->clock_count + 1) * sizeof *half);
    double *medians[] = {&gpu->clock_mhz, &gpu->clock_ratio};
    for (size_t which = 0; half && which < 2; which++) {
        for (size_t i = 0; i < gpu->clock_count; i++)
            half[i] = gpu->clocks[2 * i + which];
        *medians[which] = stats_median(half, gpu->clock_count);
    }
    free(half);
}

static bool is_folder(const char *path, struct error *error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return error_set(error, ERROR_INPUT, "cannot read %s: %s", path, strerror(errno));
    return S_ISDIR(about.st_mode) ||
           error_set(error, ERROR_INPUT,
                     "%s is no folder; a folder of results for each GPU is "
                     "needed",
                     path);
}

bool fleet_read(char *const *folders, size_t count, const char *median_folder,
                const struct compare_settings *settings, struct fleet *fleet, struct error *error)
{
    static const char *const header[] = {"family",  "difference", "column", "rows",
                                         "largest", "fleet",      "this",   "case"};
    struct compare_settings measured = *settings;
    measured.measured = true; /* the model's folder among those of GPUs is not like them */
    *fleet = (struct fleet){.gpus = calloc(count, sizeof *fleet->gpus)};
    if (!fleet->gpus)
        return error_set(error, ERROR_FAILED, "no memory for %zu folders", count);
    for (; fleet->count < count; fleet->count++) {
        struct fleet_gpu *gpu = &fleet->gpus[fleet->count];
        gpu->path = folders[fleet->count];
        grid_start(&gpu->details, header, sizeof header / sizeof header[0]);
        if (!is_folder(gpu->path, error))
            return false;
    }
    for (size_t f = 0; registry_families[f]; f++) {
        if (!read_family(f, median_folder, &measured, fleet, error))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        finish_clock(&fleet->gpus[i]);
    return fleet->compared > 0 ||
           error_set(error, ERROR_INPUT, "%s",
                     settings->filter.count > 0
                         ? "--filter matches no row that half of the folders have"
                         : "no case is in half of the folders: there is nothing to compare");
}

void fleet_free(struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->count; i++) {
        grid_free(&fleet->gpus[i].details);
        free(fleet->gpus[i].clocks);
    }
    free(fleet->gpus);
    *fleet = (struct fleet){.gpus = NULL};
}

/* ---- Judging -------------------------------------------------------------------------------- */

static bool is_off(double ratio, double limit)
{
    return ratio > 0 && (ratio > 1 + limit || ratio < 1 / (1 + limit));
}

static void say(struct fleet_gpu *gpu, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(struct fleet_gpu *gpu, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_append(gpu->why, sizeof gpu->why, "; ", text);
}

static void judge(struct fleet_gpu *gpu, const struct fleet_limits *limits)
{
    const struct {
        size_t rows;
        const char *what;
    } exact[] = {
        {gpu->differing[DIFFERENCE_COUNTER], "another counter"},
        {gpu->differing[DIFFERENCE_MODEL], "another prediction"},
        {gpu->differing[DIFFERENCE_STATUS], "another status"},
        {gpu->differing[DIFFERENCE_MISSING], "missing"},
        {gpu->differing[DIFFERENCE_NEW], "in no other half"},
        {gpu->lacking, "values that the others have missing"},
        {gpu->surplus, "values that the others do not have"},
    };
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        if (exact[i].rows > 0)
            say(gpu, "%s in %zu row%s", exact[i].what, exact[i].rows,
                exact[i].rows == 1 ? "" : "s");
    }
    if (is_off(gpu->furthest, limits->median))
        say(gpu, "%s %+.2f %%", gpu->furthest_of, 100 * (gpu->furthest - 1));
    if (gpu->share > limits->rows)
        say(gpu, "%s other in %.1f %% of the rows", gpu->share_of, 100 * gpu->share);
    if (is_off(gpu->clock_ratio, limits->median))
        say(gpu, "SM clock %+.2f %%", 100 * (gpu->clock_ratio - 1));
}

static int outliers_first(const void *left, const void *right)
{
    const struct fleet_gpu *a = left, *b = right;
    double far_a = a->furthest > 0 ? fabs(log(a->furthest)) : 0;
    double far_b = b->furthest > 0 ? fabs(log(b->furthest)) : 0;
    if (!*a->why != !*b->why)
        return *a->why ? -1 : 1;
    if (far_a != far_b)
        return far_a < far_b ? 1 : -1;
    return strcmp(a->path, b->path);
}

void fleet_judge(struct fleet *fleet, const struct fleet_limits *limits)
{
    fleet->outliers = 0;
    for (size_t i = 0; i < fleet->count; i++) {
        fleet->gpus[i].why[0] = '\0';
        judge(&fleet->gpus[i], limits);
        fleet->outliers += *fleet->gpus[i].why != '\0';
    }
    qsort(fleet->gpus, fleet->count, sizeof *fleet->gpus, outliers_first);
}
