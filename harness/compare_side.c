/* What does one side of a comparison hold? */
#include "harness/compare_side.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/compare_columns.h"
#include "harness/text.h"
#include "harness/version.h"

static void note(struct compare_side *side, const char *name, const char *what)
{
    text_append(side->notes, sizeof side->notes, "; ", name);
    text_append(side->notes, sizeof side->notes, " ", what);
}

/* ---- What a file must be ------------------------------------------------------------------- */

static bool is_known(const struct family *family, const char *name)
{
    const struct result_form form = {.family = family};
    const char *known;
    for (size_t i = 0; (known = result_column_name(&form, i)); i++) {
        if (strcmp(known, name) == 0)
            return true;
    }
    return false;
}

/* The file's column that is `wanted` in another unit, or NULL. */
static const char *in_other_unit(const struct family *family, const struct result_file *file,
                                 const char *wanted)
{
    const char *unit = compare_unit_of(wanted);
    for (size_t i = 0; unit && i < file->column_count; i++) {
        const char *name = file->columns[i], *other = compare_unit_of(name);
        if (other && other - name == unit - wanted && !is_known(family, name) &&
            strncmp(name, wanted, (size_t)(unit - wanted)) == 0)
            return name;
    }
    return NULL;
}

/* Missing columns are said, and so are those that nobody knows. */
static bool check_columns(struct compare_side *side, const struct family *family,
                          const struct result_file *file, const char *path, struct error *error)
{
    char names[2048] = "", what[2112];
    for (size_t i = 0; i < RESULT_COMMON_COLUMNS; i++) {
        if (result_column(file, result_common_columns[i].name) < 0)
            return error_set(error, ERROR_INPUT, "%s: the header has no column '%s'", path,
                             result_common_columns[i].name);
    }
    for (size_t i = 0; i < family->column_count; i++) {
        const char *wanted = family->columns[i].name;
        if (result_column(file, wanted) >= 0)
            continue;
        const char *other = in_other_unit(family, file, wanted);
        if (other)
            return error_set(error, ERROR_INPUT,
                             "%s: its column '%s' is '%s' of this program in another unit", path,
                             other, wanted);
        text_append(names, sizeof names, ", ", wanted);
    }
    if (*names) {
        snprintf(what, sizeof what, "has no %s", names);
        note(side, family->name, what);
    }
    names[0] = '\0';
    for (size_t i = 0; i < file->column_count; i++) {
        if (!is_known(family, file->columns[i]))
            text_append(names, sizeof names, ", ", file->columns[i]);
    }
    if (*names) {
        snprintf(what, sizeof what, "has %s, not compared", names);
        note(side, family->name, what);
    }
    return true;
}

static bool check_file(struct compare_side *side, const struct family *family,
                       const struct result_file *file, const char *path, struct error *error)
{
    size_t twice[2];
    if (file->column_count == 0)
        return error_set(error, ERROR_INPUT, "%s: ends before its header does", path);
    if (!check_columns(side, family, file, path, error))
        return false;
    if (result_find_twice(file, twice))
        return error_set(error, ERROR_INPUT,
                         "%s: lines %zu and %zu are both of case '%s'; leave one of them", path,
                         file->lines[twice[0]], file->lines[twice[1]],
                         result_value(file, twice[0], "case"));
    if (file->cut)
        note(side, family->name, "has an unfinished last row, left out");
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static long find_family(const char *name)
{
    for (long i = 0; i < COMPARE_MAX_FAMILIES && registry_families[i]; i++) {
        if (strcmp(registry_families[i]->name, name) == 0)
            return i;
    }
    return -1;
}

static bool keep_file(struct compare_side *side, long family, struct result_file *file,
                      const char *path, struct error *error)
{
    side->files[family] = *file;
    *file = (struct result_file){.row_count = 0};
    side->names[family] = strdup(path);
    return side->names[family] || error_set(error, ERROR_FAILED, "no memory to read %s", path);
}

/* A single file says in its rows which family it is of. */
static bool read_one(struct compare_side *side, struct error *error)
{
    struct result_file file;
    const char *path = side->path;
    bool read = result_read(path, &file, error);
    const char *name = read && file.row_count > 0 ? result_value(&file, 0, "family") : "";
    long family = find_family(name);
    if (read && file.row_count == 0)
        read = error_set(error, ERROR_INPUT, "%s: there is no row in it", path);
    else if (read && family < 0)
        read = error_set(error, ERROR_INPUT, "%s: is of family '%s', which is none of this program",
                         path, name);
    else if (read)
        read = keep_file(side, family, &file, path, error);
    result_free(&file);
    return read;
}

/* A file of the folder: one of a family is read, another CSV file is said. */
static bool read_entry(struct compare_side *side, const char *name, struct error *error)
{
    char path[PATH_MAX], stem[NAME_MAX + 1];
    struct result_file file;
    const char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".csv") != 0)
        return true;
    snprintf(path, sizeof path, "%s/%s", side->path, name);
    snprintf(stem, sizeof stem, "%.*s", (int)(dot - name), name);
    long family = find_family(stem);
    if (family < 0) {
        text_append(side->left_out, sizeof side->left_out, "; ", name);
        text_append(side->left_out, sizeof side->left_out, " ", "is left out, of no family");
        return true;
    }
    bool read = result_read(path, &file, error) && keep_file(side, family, &file, path, error);
    result_free(&file);
    return read;
}

static bool read_folder(struct compare_side *side, DIR *folder, struct error *error)
{
    size_t files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!read_entry(side, entry->d_name, error))
            return false;
    }
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES; i++)
        files += side->names[i] != NULL;
    return files > 0 ||
           error_set(error, ERROR_INPUT,
                     "%s: there is no result file of a family, such as %s.csv, in this folder",
                     side->path, registry_families[0] ? registry_families[0]->name : "FAMILY");
}

bool compare_side_read(const char *path, char letter, struct compare_side *side,
                       struct error *error)
{
    *side = (struct compare_side){.path = path, .letter = letter};
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOTDIR
                   ? read_one(side, error)
                   : error_set(error, ERROR_INPUT, "cannot read %s: %s", path, strerror(errno));
    bool read = read_folder(side, folder, error);
    closedir(folder);
    return read;
}

bool compare_side_read_family(const char *folder, size_t family, struct compare_side *side,
                              struct error *error)
{
    char path[PATH_MAX];
    struct result_file file;
    *side = (struct compare_side){.path = folder, .letter = '-'};
    snprintf(path, sizeof path, "%s/%s.csv", folder, registry_families[family]->name);
    if (access(path, F_OK) != 0)
        return true;
    bool read = result_read(path, &file, error) &&
                (file.row_count == 0 || keep_file(side, (long)family, &file, path, error));
    result_free(&file);
    return read;
}

void compare_side_free(struct compare_side *side)
{
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES; i++) {
        result_free(&side->files[i]);
        free(side->names[i]);
    }
    *side = (struct compare_side){.letter = side->letter};
}

/* ---- One form on all sides ----------------------------------------------------------------- */

static bool same_schema(const struct compare_side *sides, size_t count, struct error *error)
{
    const char *schema = NULL, *path = NULL;
    for (size_t i = 0; i < count * COMPARE_MAX_FAMILIES; i++) {
        const struct compare_side *side = &sides[i / COMPARE_MAX_FAMILIES];
        const char *name = side->names[i % COMPARE_MAX_FAMILIES];
        if (!name)
            continue;
        const char *its = result_key(&side->files[i % COMPARE_MAX_FAMILIES], "schema");
        its = its ? its : "";
        if (schema && strcmp(schema, its) != 0)
            return error_set(error, ERROR_INPUT,
                             "%s has schema '%s' and %s has '%s': they cannot be compared", path,
                             schema, name, its);
        schema = its;
        path = name;
    }
    return !schema || strcmp(schema, SWIZZLEBENCH_SCHEMA) == 0 ||
           error_set(error, ERROR_INPUT, "%s has schema '%s', and this program reads '%s'", path,
                     schema, SWIZZLEBENCH_SCHEMA);
}

bool compare_sides_check(struct compare_side *sides, size_t count, struct error *error)
{
    if (!same_schema(sides, count, error))
        return false;
    for (size_t i = 0; i < count * COMPARE_MAX_FAMILIES; i++) {
        struct compare_side *side = &sides[i / COMPARE_MAX_FAMILIES];
        size_t family = i % COMPARE_MAX_FAMILIES;
        if (side->names[family] && !check_file(side, registry_families[family],
                                               &side->files[family], side->names[family], error))
            return false;
    }
    return true;
}

/* ---- What the heads say --------------------------------------------------------------------- */

void compare_side_value(const struct compare_side *side, const char *key, char *text, size_t bytes)
{
    const char *least = NULL, *most = NULL;
    bool is_date = strcmp(key, "date") == 0;
    text[0] = '\0';
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES; i++) {
        const char *value = side->names[i] ? result_key(&side->files[i], key) : NULL;
        if (!value)
            continue;
        least = !least || strcmp(value, least) < 0 ? value : least;
        most = !most || strcmp(value, most) > 0 ? value : most;
        if (!is_date && !strstr(text, value))
            text_append(text, bytes, "; ", value);
    }
    if (is_date && least)
        snprintf(text, bytes, "%s%s%s", least, strcmp(least, most) ? " to " : "",
                 strcmp(least, most) ? most : "");
}
