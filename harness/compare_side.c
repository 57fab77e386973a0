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

#include "harness/compare_check.h"
#include "harness/text.h"
#include "harness/version.h"

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
        read = error_set(error, ERROR_INPUT, "%s: %s", path,
                         *file.text ? "there is no row in it" : "is empty");
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

/* The schema of a file, or NULL and what is wrong with its head. */
static const char *schema_of(const struct result_file *file, const char *path, struct error *error)
{
    const char *schema = result_key(file, "schema");
    if (!*file->text)
        error_set(error, ERROR_INPUT, "%s: is empty", path);
    else if (file->column_count == 0 || !schema)
        error_set(error, ERROR_INPUT, "%s: ends before its header does", path);
    else
        return schema;
    return NULL;
}

static bool same_schema(const struct compare_side *sides, size_t count, struct error *error)
{
    const char *schema = NULL, *path = NULL;
    for (size_t i = 0; i < count * COMPARE_MAX_FAMILIES; i++) {
        const struct compare_side *side = &sides[i / COMPARE_MAX_FAMILIES];
        const char *name = side->names[i % COMPARE_MAX_FAMILIES];
        if (!name)
            continue;
        const char *its = schema_of(&side->files[i % COMPARE_MAX_FAMILIES], name, error);
        if (!its)
            return false;
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
        if (side->names[family] &&
            !compare_check_file(side, registry_families[family], &side->files[family],
                                side->names[family], error))
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

bool compare_is_gpu(const char *uuid)
{
    return uuid && *uuid && strcmp(uuid, "-") != 0;
}
