/* How does a row reach the disk, so that a crash costs no more than the row in flight? */
#include "harness/result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/csv.h"

/* Keys that must agree before rows of two runs may stand in one file. */
static const enum head_key fixed_keys[] = {HEAD_SCHEMA, HEAD_BACKEND, HEAD_GPU, HEAD_GPU_UUID,
                                           HEAD_VERSION};

static bool is_regular(const char *path)
{
    struct stat stat_of;
    return stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode);
}

/* Says that this process writes the file, to other runs. The lock goes with the process (a fork
 * does not inherit it); a file system without locks does without. */
static bool lock_file(int fd, const char *path, struct error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES))
        return error_set(error, ERROR_INPUT, "%s: another run is writing it; give another --out",
                         path);
    return true;
}

/* So that the file's name, too, outlives a loss of power. */
static void sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

bool result_set_aside(const char *path, struct error *error)
{
    char previous[PATH_MAX];
    if (!is_regular(path))
        return true;
    if (snprintf(previous, sizeof previous, "%s.previous", path) >= (int)sizeof previous)
        return error_set(error, ERROR_INPUT, "%s: the path is too long", path);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, ERROR_INPUT, "cannot write %s: %s", path, strerror(errno));
    bool free_to_move = lock_file(fd, path, error);
    close(fd);
    if (!free_to_move)
        return false;
    if (rename(path, previous) != 0)
        return error_set(error, ERROR_FAILED, "cannot rename %s to %s: %s", path, previous,
                         strerror(errno));
    return true;
}

/* Appends `bytes` of text, or takes back what went of them. One write(2) is enough but where the
 * disk fills up; the next one says why. */
static bool append_text(struct result_writer *writer, const char *text, size_t bytes,
                        struct error *error)
{
    size_t written = 0;
    ssize_t step = 0;
    while (written < bytes && (step = write(writer->fd, text + written, bytes - written)) > 0)
        written += (size_t)step;
    if (written == bytes) {
        writer->bytes += (int64_t)written;
        writer->unsynced = true;
        return true;
    }
    int why = step < 0 ? errno : ENOSPC;
    if (written > 0 && ftruncate(writer->fd, writer->bytes) != 0)
        return error_set(error, ERROR_FAILED, "cannot write %s: %s; its last row is unfinished",
                         writer->path, strerror(why));
    return error_set(error, ERROR_FAILED, "cannot write %s: %s; the rows before are kept",
                     writer->path, strerror(why));
}

static void put_header(FILE *to, const struct result_form *form)
{
    const char *name;
    for (size_t i = 0; (name = result_column_name(form, i)); i++) {
        if (i > 0)
            fputc(',', to);
        csv_put(to, name);
    }
    fputc('\n', to);
}

static void put_head(FILE *to, const struct result_head *head)
{
    for (size_t i = 0; i < HEAD_KEYS; i++)
        fprintf(to, "# %s: %s\n", result_head_names[i], head->values[i]);
}

static void put_row(FILE *to, const struct result_form *form, const struct row *row)
{
    for (size_t i = 0; result_column_name(form, i); i++) {
        if (i > 0)
            fputc(',', to);
        csv_put(to, result_row_value(form, row, i));
    }
    fputc('\n', to);
}

/* Writes a row, or without one the head and the header, by way of memory. */
static bool append(struct result_writer *writer, const struct result_head *head,
                   const struct row *row, struct error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return error_set(error, ERROR_FAILED, "no memory for a row of %s", writer->path);
    if (row) {
        put_row(to, writer->form, row);
    } else {
        put_head(to, head);
        put_header(to, writer->form);
    }
    bool done = fclose(to) == 0
                    ? append_text(writer, text, bytes, error)
                    : error_set(error, ERROR_FAILED, "no memory for a row of %s", writer->path);
    free(text);
    return done;
}

bool result_create(struct result_writer *writer, const char *path, const struct result_form *form,
                   const struct result_head *head, struct error *error)
{
    *writer = (struct result_writer){.path = path, .form = form, .fd = -1};
    writer->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (writer->fd < 0)
        return error_set(error, ERROR_INPUT, "cannot write %s: %s", path, strerror(errno));
    if (!lock_file(writer->fd, path, error) || !append(writer, head, NULL, error)) {
        close(writer->fd);
        writer->fd = -1;
        return false;
    }
    sync_folder_of(path);
    writer->synced_s = clock_seconds();
    return true;
}

bool result_append(struct result_writer *writer, const struct row *row, struct error *error)
{
    return append(writer, NULL, row, error) && result_sync(writer, error);
}

static bool sync_now(struct result_writer *writer, struct error *error)
{
    /* EINVAL and EROFS: not the kind of file that can be brought to a disk. */
    if (writer->unsynced && fsync(writer->fd) != 0 && errno != EINVAL && errno != EROFS)
        return error_set(error, ERROR_FAILED, "cannot bring %s to the disk: %s", writer->path,
                         strerror(errno));
    writer->unsynced = false;
    writer->synced_s = clock_seconds();
    return true;
}

bool result_sync(struct result_writer *writer, struct error *error)
{
    if (writer->fd < 0 || clock_seconds() - writer->synced_s < 1)
        return true;
    return sync_now(writer, error);
}

bool result_close(struct result_writer *writer, struct error *error)
{
    if (writer->fd < 0)
        return true;
    bool synced = sync_now(writer, error);
    int closed = close(writer->fd);
    writer->fd = -1;
    if (synced && closed != 0)
        return error_set(error, ERROR_FAILED, "cannot close %s: %s", writer->path, strerror(errno));
    return synced;
}

static bool differs(const char *path, const char *what, const char *there, const char *here,
                    struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "%s: cannot be resumed: its %s is '%s' and this run's is '%s'; give another "
                     "--out, or leave --resume out",
                     path, what, there ? there : "(none)", here ? here : "(none)");
}

/* "yes" and "no: whatever the reason" are what counts of the counters. */
static bool same_counters(const char *a, const char *b)
{
    return a && strncmp(a, b, 2) == 0;
}

static bool check_same(const struct result_file *kept, const char *path,
                       const struct result_form *form, const struct result_head *head,
                       struct error *error)
{
    for (size_t i = 0; i < sizeof fixed_keys / sizeof fixed_keys[0]; i++) {
        const char *name = result_head_names[fixed_keys[i]];
        const char *there = result_key(kept, name), *here = head->values[fixed_keys[i]];
        if (!there || strcmp(there, here) != 0)
            return differs(path, name, there, here, error);
    }
    const char *counters = result_key(kept, "counters");
    if (!same_counters(counters, head->values[HEAD_COUNTERS]))
        return differs(path, "counters", counters, head->values[HEAD_COUNTERS], error);
    char what[48];
    for (size_t i = 0;; i++) {
        const char *there = i < kept->column_count ? kept->columns[i] : NULL;
        const char *here = result_column_name(form, i);
        snprintf(what, sizeof what, "column %zu", i + 1);
        if (!there && !here)
            return true;
        if (!there || !here || strcmp(there, here) != 0)
            return differs(path, what, there, here, error);
    }
}

static bool check_once(const struct result_file *kept, const char *path, struct error *error)
{
    size_t rows[2];
    return !result_find_twice(kept, rows) ||
           error_set(error, ERROR_INPUT,
                     "%s: cannot be resumed: its rows %zu and %zu are both of case '%s'", path,
                     rows[0] + 1, rows[1] + 1, result_value(kept, rows[0], "case"));
}

bool result_resume(struct result_writer *writer, const char *path, const struct result_form *form,
                   const struct result_head *head, struct result_file *kept, struct error *error)
{
    *writer = (struct result_writer){.path = path, .form = form, .fd = -1};
    *kept = (struct result_file){.row_count = 0};
    if (access(path, F_OK) != 0)
        return true;
    if (!is_regular(path))
        return error_set(error, ERROR_INPUT, "%s: cannot be resumed: it is not a regular file",
                         path);
    if (!result_read(path, kept, error))
        return false;
    if (kept->column_count == 0)
        return true;
    if (!check_same(kept, path, form, head, error) || !check_once(kept, path, error))
        return false;
    writer->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (writer->fd < 0)
        return error_set(error, ERROR_INPUT, "cannot write %s: %s", path, strerror(errno));
    writer->bytes = kept->whole_bytes;
    if (!lock_file(writer->fd, path, error))
        return false;
    if (ftruncate(writer->fd, writer->bytes) != 0)
        return error_set(error, ERROR_FAILED, "cannot cut the unfinished row off %s: %s", path,
                         strerror(errno));
    return true;
}
