/* What does a folder of results hold that a report can show? */
#include "harness/report_folder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/slurp.h"
#include "harness/text.h"
#include "harness/utf8.h"

static void leave_out(struct report_folder *folder, const char *name, const char *why)
{
    text_append(folder->left_out, sizeof folder->left_out, "; ", name);
    text_append(folder->left_out, sizeof folder->left_out, ": ", why);
}

static bool ends(const char *name, const char *with)
{
    size_t length = strlen(name), end = strlen(with);
    return length > end && strcmp(name + length - end, with) == 0;
}

/* ---- Result files -------------------------------------------------------------------------- */

static void add_file(struct report_folder *folder, const struct family *family, const char *name,
                     const struct result_file *file)
{
    struct report_file *added = &folder->files[folder->file_count++];
    added->family = family;
    added->file = file;
    snprintf(added->name, sizeof added->name, "%s", name);
}

static bool is_family(const char *stem)
{
    for (size_t i = 0; registry_families[i]; i++) {
        if (strcmp(registry_families[i]->name, stem) == 0)
            return true;
    }
    return false;
}

/* claims.csv says what the report says anew. */
static bool is_made_from_others(const char *stem)
{
    return strcmp(stem, "claims") == 0;
}

/* Is the file one of results? Otherwise *why says what it is. */
static bool is_result(const struct result_file *file, const char **why)
{
    *why = "it has another schema than this program's";
    if (!result_is_current(file))
        return false;
    *why = "it ends before its header does";
    if (file->column_count == 0)
        return false;
    *why = "it has no column 'status'";
    return result_column(file, "status") >= 0;
}

/* A CSV file of no family: shown where it has the form of a result file, else said. */
static bool read_other(struct report_folder *folder, const char *path, const char *name,
                       struct error *error)
{
    char stem[64];
    const char *why = "too many files";
    struct error unread = {.kind = ERROR_NONE};
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - strlen(".csv")), name);
    if (is_family(stem) || is_made_from_others(stem))
        return true;
    if (folder->other_count == sizeof folder->others / sizeof folder->others[0]) {
        leave_out(folder, name, why);
        return true;
    }
    struct result_file *file = &folder->others[folder->other_count];
    bool read = result_read(path, file, &unread);
    if (read && is_result(file, &why)) {
        folder->other_count++;
        add_file(folder, NULL, stem, file);
        return true;
    }
    result_free(file);
    if (unread.kind == ERROR_FAILED)
        return error_set(error, ERROR_FAILED, "%s", unread.text);
    leave_out(folder, name, read ? why : "it is no result file");
    return true;
}

/* ---- Plots --------------------------------------------------------------------------------- */

bool report_plot_is_of(const struct report_plot *plot, const char *name)
{
    size_t length = strlen(name);
    return strncmp(plot->name, name, length) == 0 && plot->name[length] == '-';
}

/* What in a file is its picture: from <svg to </svg>, without the prologue before it. Returns why
 * it is none that the page can hold, or NULL. */
static const char *take_picture(char *text, size_t length)
{
    char *start = strstr(text, "<svg"), *stop = NULL;
    for (char *at = start; at && (at = strstr(at, "</svg>")); at++)
        stop = at;
    if (!stop || strlen(text) != length)
        return "it is no SVG picture, or not a whole one";
    stop += strlen("</svg>");
    *stop = '\0';
    memmove(text, start, (size_t)(stop - start) + 1);
    if (strcasestr(text, "<script"))
        return "it has a script";
    return utf8_is_clean(text) ? NULL : "it is not UTF-8, or has control characters";
}

static bool read_plot(struct report_folder *folder, const char *path, const char *name,
                      struct error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.";
    struct report_plot *plot = &folder->plots[folder->plot_count];
    size_t length = 0;
    const char *why = folder->plot_count == REPORT_MAX_PLOTS ? "too many plots" : NULL;
    if (name[strspn(name, plain)] != '\0')
        why = "its name has signs other than letters, digits and -_.";
    if (why) {
        leave_out(folder, name, why);
        return true;
    }
    bool read = file_slurp(path, &plot->text, &length, error);
    why = read ? take_picture(plot->text, length) : NULL;
    if (read && !why) {
        plot->name = strdup(name);
        folder->plot_count++;
        return plot->name || error_set(error, ERROR_FAILED, "no memory to read %s", path);
    }
    free(plot->text);
    plot->text = NULL;
    if (read)
        leave_out(folder, name, why);
    return read;
}

/* The families that this program has and the folder has not. */
static void check_families(struct report_folder *folder)
{
    char name[80];
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES && registry_families[i]; i++) {
        snprintf(name, sizeof name, "%s.csv", registry_families[i]->name);
        if (!folder->side->names[i])
            leave_out(folder, name, "not in the folder");
    }
}

/* A plot whose result file is not there is left out. */
static void check_plots(struct report_folder *folder)
{
    for (size_t i = 0; i < folder->plot_count; i++) {
        bool found = false;
        for (size_t f = 0; f < folder->file_count; f++)
            found = found || report_plot_is_of(&folder->plots[i], folder->files[f].name);
        if (!found)
            leave_out(folder, folder->plots[i].name, "no result file has that name before the -");
    }
}

/* ---- The folder ---------------------------------------------------------------------------- */

static bool read_entry(struct report_folder *folder, const char *name, struct error *error)
{
    char path[PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    if (name[0] == '.' || stat(path, &about) != 0)
        return true;
    if (S_ISDIR(about.st_mode)) {
        leave_out(folder, name, "a folder of its own");
        return true;
    }
    if (ends(name, ".csv"))
        return read_other(folder, path, name, error);
    return !ends(name, ".svg") || read_plot(folder, path, name, error);
}

static bool read_entries(struct report_folder *folder, struct error *error)
{
    struct dirent **entries;
    int count = scandir(folder->path, &entries, NULL, alphasort);
    bool read = count >= 0 || error_set(error, ERROR_FAILED, "cannot list %s", folder->path);
    for (int i = 0; i < count; i++) {
        read = read && read_entry(folder, entries[i]->d_name, error);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return read;
}

bool report_folder_read(const char *path, struct report_folder *folder, struct error *error)
{
    struct stat about;
    *folder = (struct report_folder){.path = path};
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
        return error_set(error, ERROR_INPUT, "%s: a file, and not a folder of result files", path);
    folder->side = calloc(1, sizeof *folder->side);
    if (!folder->side)
        return error_set(error, ERROR_FAILED, "no memory to read %s", path);
    if (!compare_side_read(path, 'A', folder->side, error) ||
        !compare_sides_check(folder->side, 1, error))
        return false;
    for (size_t i = 0; i < COMPARE_MAX_FAMILIES && registry_families[i]; i++) {
        if (folder->side->names[i])
            add_file(folder, registry_families[i], registry_families[i]->name,
                     &folder->side->files[i]);
    }
    if (!read_entries(folder, error))
        return false;
    check_families(folder);
    check_plots(folder);
    if (*folder->side->notes)
        text_append(folder->left_out, sizeof folder->left_out, "; ", folder->side->notes);
    return true;
}

void report_folder_free(struct report_folder *folder)
{
    if (folder->side)
        compare_side_free(folder->side);
    free(folder->side);
    for (size_t i = 0; i < folder->other_count; i++)
        result_free(&folder->others[i]);
    for (size_t i = 0; i < folder->plot_count; i++) {
        free(folder->plots[i].name);
        free(folder->plots[i].text);
    }
    *folder = (struct report_folder){.path = NULL};
}
