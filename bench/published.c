/* What did others publish, and what have we for it? */
#include "bench/published.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/table.h"
#include "harness/options.h"
#include "harness/slurp.h"

const char *const published_header[PUBLISHED_COLUMNS] = {
    "quantity", "unit", "published_gpu", "published", "gpu", "ours", "change", "case", "source"};

/* ---- Which of our rows a quantity is in ---------------------------------------------------- */

enum scale { AS_IT_IS, FLOP_PER_CLK_SM_TO_TFLOP_PER_S };

struct figure {
    const char *quantity, *unit;
    const char *family, *filter, *column; /* the largest of these rows is ours */
    enum scale scale;
};

static const struct figure figures[] = {
    {"shared-memory bandwidth", "B/clk/SM", "shared", "instruction=ld.shared.*,model_conflicts=0",
     "bytes_per_clk_sm", AS_IT_IS},
    {"ld.shared latency", "clk", "shared", "case=ld.shared.b32 ladder 1-way", "latency_cycles",
     AS_IT_IS},
    {"ldmatrix.x4 of 128 B/clk/SM", "%", "shared", "instruction=ldmatrix.x4,model_conflicts=0",
     "pct_of_peak", AS_IT_IS},
    {"ldmatrix.x4, 8-way", "wavefront", "shared", "case=ldmatrix.x4 ladder 8-way", "hw_wavefronts",
     AS_IT_IS},
    {"ldmatrix.x4, swizzled", "wavefront", "shared", "case=ldmatrix.x4 K/128B 64x64x16b block",
     "hw_wavefronts", AS_IT_IS},
    {"TMA load latency, L2 hit", "clk", "tma", "case=load bf16 8x1 none", "latency_cycles",
     AS_IT_IS},
    {"wgmma f16 N=256, random data", "TFLOP/s", "wgmma",
     "dtype=f16,n=256,wrong=", "flop_per_clk_sm", FLOP_PER_CLK_SM_TO_TFLOP_PER_S},
};

static const struct figure *find_figure(const char *quantity)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (strcmp(figures[i].quantity, quantity) == 0)
            return &figures[i];
    }
    return NULL;
}

/* ---- Ours ---------------------------------------------------------------------------------- */

static double number(const char *text)
{
    return text && *text ? strtod(text, NULL) : NAN;
}

static double value_of(const struct figure *figure, const struct result_file *file, size_t row)
{
    double value = number(result_value(file, row, figure->column));
    if (figure->scale == AS_IT_IS)
        return value;
    return value * number(result_key(file, "sm_count")) *
           number(result_value(file, row, "sm_clock_mhz")) / 1e6;
}

static const struct result_file *file_of(const struct compare_side *side, const char *family)
{
    for (size_t i = 0; registry_families[i]; i++) {
        if (strcmp(registry_families[i]->name, family) == 0)
            return side->names[i] ? &side->files[i] : NULL;
    }
    return NULL;
}

/* The largest value, nan where there is none, and the case that has it. */
static double ours(const struct figure *figure, const struct compare_side *side,
                   const struct filter *asked, const char **case_name)
{
    const struct result_file *file = figure ? file_of(side, figure->family) : NULL;
    struct filter filter;
    struct error error;
    double best = NAN;
    *case_name = "";
    if (!file || !filter_parse(figure->filter, &filter, &error))
        return NAN;
    for (size_t i = 0; i < file->row_count; i++) {
        if (strcmp(result_value(file, i, "status"), "ok") != 0 ||
            !filter_passes_file(&filter, file, i) || !filter_passes_file(asked, file, i))
            continue;
        double value = value_of(figure, file, i);
        if (isnan(value) || value <= best)
            continue;
        best = value;
        *case_name = result_value(file, i, "case");
    }
    return best;
}

/* ---- Theirs -------------------------------------------------------------------------------- */

enum { GPU, QUANTITY, VALUE, VALUE_MAX, UNIT, SOURCE, FIELDS };
static const char *const fields[FIELDS] = {"gpu",       "quantity", "value",
                                           "value_max", "unit",     "source"};

/* A pipe can be read once, and is left to who reads results. */
bool published_is(const char *path)
{
    char line[512];
    struct error unread;
    FILE *from = file_open(path, &unread);
    struct stat about;
    bool is = false, again = from && fstat(fileno(from), &about) == 0 && S_ISREG(about.st_mode);
    while (again && fgets(line, sizeof line, from)) {
        is = strncmp(line, "gpu,", strlen("gpu,")) == 0;
        if (strncmp(line, "# schema:", strlen("# schema:")) == 0 || (*line != '#' && *line != '\n'))
            break;
    }
    if (from)
        fclose(from);
    return is;
}

static bool read_value(const struct table *table, size_t field, double *value, struct error *error)
{
    return (option_number(fields[field], table->fields[field], 0, value, error) && *value > 0) ||
           table_bad_field(table, fields[field], table->fields[field], "a number above 0 is needed",
                           error);
}

/* A figure without these cannot be looked up. */
static bool check_words(const struct table *table, struct error *error)
{
    static const int needed[] = {GPU, QUANTITY, UNIT, SOURCE};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!*table->fields[needed[i]])
            return table_bad_field(table, fields[needed[i]], "", "it must not be empty", error);
    }
    return true;
}

static void put_published(struct grid *grid, const struct table *table)
{
    bool is_range = *table->fields[VALUE_MAX] != '\0';
    grid_cell(grid, "%s", table->fields[QUANTITY]);
    grid_cell(grid, "%s", table->fields[UNIT]);
    grid_cell(grid, "%s", table->fields[GPU]);
    grid_cell(grid, "%s%s%s", table->fields[VALUE], is_range ? " to " : "",
              table->fields[VALUE_MAX]);
}

/* How far ours is from what is published, or from the nearer end of a range. */
static void put_ours(struct grid *grid, double least, double most, double value)
{
    double nearest = value < least ? least : value > most ? most : value;
    if (isnan(value)) {
        grid_cell(grid, "no figure of ours");
        grid_cell(grid, "%s", "");
        return;
    }
    grid_cell(grid, "%.6g", value);
    if (nearest > 0)
        grid_cell(grid, "%+.1f %%", 100 * (value / nearest - 1));
    else
        grid_cell(grid, "%s", "");
}

static const char *gpu_of(const struct compare_side *side)
{
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES; i++) {
        const char *gpu = side->names[i] ? result_key(&side->files[i], "gpu") : NULL;
        if (gpu)
            return gpu;
    }
    return "";
}

static bool add_figure(struct grid *grid, const struct table *table,
                       const struct compare_side *sides, size_t count, const struct filter *filter,
                       struct error *error)
{
    const struct figure *figure = find_figure(table->fields[QUANTITY]);
    double least, most;
    if (!check_words(table, error) || !read_value(table, VALUE, &least, error))
        return false;
    most = least;
    if (*table->fields[VALUE_MAX] && !read_value(table, VALUE_MAX, &most, error))
        return false;
    if (most < least)
        return table_bad_field(table, fields[VALUE_MAX], table->fields[VALUE_MAX],
                               "it is the most, and below value", error);
    if (figure && strcmp(figure->unit, table->fields[UNIT]) != 0)
        return error_set(error, ERROR_INPUT,
                         "%s, line %zu: the unit of '%s' is '%s'; ours is in '%s'", table->name,
                         table->line, figure->quantity, table->fields[UNIT], figure->unit);
    for (size_t i = 0; i < count; i++) {
        const char *case_name;
        double value = ours(figure, &sides[i], filter, &case_name);
        put_published(grid, table);
        grid_cell(grid, "%c: %s", sides[i].letter, gpu_of(&sides[i]));
        put_ours(grid, least, most, value);
        grid_cell(grid, "%s", case_name);
        grid_cell(grid, "%s", table->fields[SOURCE]);
    }
    return true;
}

/* ---- A file -------------------------------------------------------------------------------- */

enum { MOST_FIGURES = 256 };

/* Figures that were read so far, to find one that is there twice. */
struct seen {
    const char *gpu, *quantity, *source;
    size_t line;
};

static bool check_once(const struct table *table, struct seen *seen, size_t count,
                       struct error *error)
{
    const char *const *f = table->fields;
    if (count == MOST_FIGURES)
        return error_set(error, ERROR_INPUT, "%s: more than %d figures", table->name, MOST_FIGURES);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(seen[i].gpu, f[GPU]) == 0 && strcmp(seen[i].quantity, f[QUANTITY]) == 0 &&
            strcmp(seen[i].source, f[SOURCE]) == 0)
            return error_set(error, ERROR_INPUT, "%s: lines %zu and %zu are both '%s' of %s",
                             table->name, seen[i].line, table->line, f[QUANTITY], f[GPU]);
    }
    seen[count] = (struct seen){f[GPU], f[QUANTITY], f[SOURCE], table->line};
    return true;
}

bool published_add(struct grid *grid, const char *path, const struct compare_side *sides,
                   size_t count, const struct filter *filter, struct error *error)
{
    struct table table;
    struct seen seen[MOST_FIGURES];
    size_t figures_read = 0;
    error->kind = ERROR_NONE;
    if (!table_open(path, fields, FIELDS, &table, error))
        return false;
    while (table_next(&table, error) && check_once(&table, seen, figures_read, error) &&
           add_figure(grid, &table, sides, count, filter, error))
        figures_read++;
    table_close(&table);
    if (error->kind == ERROR_NONE && figures_read == 0)
        error_set(error, ERROR_INPUT, "%s: there is no figure in it", path);
    return error->kind == ERROR_NONE;
}
