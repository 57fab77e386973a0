/* What did each counted launch of a process count, in order? */
#include "harness/count_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128, LINE_BYTES = 512 };
static const char header[] = "launch,kernel,metric,value\n";

struct line {
    size_t launch;
    char kernel[NAME_BYTES], metric[NAME_BYTES];
    double value;
};

struct count_log {
    char *path;
    FILE *file; /* to be written: NULL where it is gone through */
    struct line *lines;
    size_t line_count, next, launches;
};

static struct count_log *make(const char *path, struct error *error)
{
    struct count_log *log = calloc(1, sizeof *log);
    if (log)
        log->path = strdup(path);
    if (log && log->path)
        return log;
    free(log);
    error_set(error, ERROR_FAILED, "no memory for the counts of %s", path);
    return NULL;
}

void count_log_close(struct count_log *log)
{
    if (!log)
        return;
    if (log->file)
        fclose(log->file);
    free(log->lines);
    free(log->path);
    free(log);
}

/* ---- Writing ------------------------------------------------------------------------------- */

static bool cannot(const char *what, const char *path, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s: cannot be %s: %s", path, what, strerror(errno));
}

bool count_log_create(const char *path, struct count_log **created, struct error *error)
{
    struct count_log *log = *created = make(path, error);
    if (!log)
        return false;
    log->file = fopen(path, "w");
    if (log->file && fputs(header, log->file) >= 0 && fflush(log->file) == 0)
        return true;
    cannot("written", path, error);
    count_log_close(log);
    *created = NULL;
    return false;
}

bool count_log_write(struct count_log *log, const char *kernel, char *const *metrics,
                     size_t metric_count, const double *values, struct error *error)
{
    for (size_t i = 0; i < metric_count; i++)
        fprintf(log->file, "%zu,%s,%s,%.17g\n", log->launches, kernel, metrics[i], values[i]);
    log->launches++;
    return (fflush(log->file) == 0 && !ferror(log->file)) || cannot("written", log->path, error);
}

/* ---- Going through ------------------------------------------------------------------------- */

/* "3,ldmatrix_x4_sweep,smsp__inst_executed.sum,12288" */
static bool read_line(const char *text, struct line *line)
{
    int end = 0;
    return sscanf(text, "%zu,%127[^,],%127[^,],%lf%n", &line->launch, line->kernel, line->metric,
                  &line->value, &end) == 4 &&
           (strcmp(text + end, "\n") == 0 || text[end] == '\0');
}

static bool read_lines(struct count_log *log, FILE *file, struct error *error)
{
    char text[LINE_BYTES];
    size_t room = 0;
    if (!fgets(text, sizeof text, file) || strcmp(text, header) != 0)
        return error_set(error, ERROR_INPUT, "%s: line 1 must be %.*s", log->path,
                         (int)strlen(header) - 1, header);
    while (fgets(text, sizeof text, file)) {
        if (log->line_count == room) {
            room = room ? 2 * room : 256;
            struct line *more = realloc(log->lines, room * sizeof *more);
            if (!more)
                return error_set(error, ERROR_FAILED, "no memory for the counts of %s", log->path);
            log->lines = more;
        }
        if (!read_line(text, &log->lines[log->line_count]))
            return error_set(error, ERROR_INPUT,
                             "%s: line %zu is not a launch, a kernel, a metric and its value",
                             log->path, log->line_count + 2);
        log->line_count++;
    }
    return !ferror(file) || cannot("read", log->path, error);
}

bool count_log_open(const char *path, struct count_log **opened, struct error *error)
{
    *opened = NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return cannot("read", path, error);
    struct count_log *log = make(path, error);
    if (log && read_lines(log, file, error))
        *opened = log;
    else
        count_log_close(log);
    fclose(file);
    return *opened;
}

bool count_log_has(const struct count_log *log, const char *metric)
{
    for (size_t i = 0; i < log->line_count; i++)
        if (strcmp(log->lines[i].metric, metric) == 0)
            return true;
    return false;
}

bool count_log_take(struct count_log *log, const char *kernel, char *const *metrics,
                    size_t metric_count, double *values, struct error *error)
{
    for (size_t i = 0; i < metric_count; i++, log->next++) {
        const struct line *line = &log->lines[log->next];
        if (log->next == log->line_count)
            return error_set(error, ERROR_INPUT, "%s: ends before launch %zu, %s", log->path,
                             log->launches, kernel);
        if (line->launch != log->launches || strcmp(line->kernel, kernel) != 0 ||
            strcmp(line->metric, metrics[i]) != 0)
            return error_set(error, ERROR_INPUT,
                             "%s: line %zu has launch %zu, %s, %s; this is launch %zu, %s, %s",
                             log->path, log->next + 2, line->launch, line->kernel, line->metric,
                             log->launches, kernel, metrics[i]);
        values[i] = line->value;
    }
    log->launches++;
    return true;
}
