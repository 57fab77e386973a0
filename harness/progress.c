/* How far is the run? */
#include "harness/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/clock.h"

static const double bar_every_s = 0.1, line_every_s = 10;

void progress_start(struct progress *progress, size_t total, bool quiet)
{
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    *progress = (struct progress){.total = total, .quiet = quiet};
    progress->terminal = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    progress->colour = progress->terminal && !(no_color && *no_color);
    progress->started_s = progress->shown_s = clock_seconds();
}

void progress_row(struct progress *progress, enum row_status status, bool kept)
{
    progress->by_status[status]++;
    progress->kept += kept;
}

static size_t done(const struct progress *progress)
{
    size_t rows = 0;
    for (size_t i = 0; i < ROW_STATUSES; i++)
        rows += progress->by_status[i];
    return rows;
}

/* "rows/s, time left", from the rows of this run alone. */
static void describe_rate(const struct progress *progress, char *text, size_t bytes)
{
    double seconds = clock_seconds() - progress->started_s;
    double rate = (double)(done(progress) - progress->kept) / (seconds > 1e-3 ? seconds : 1e-3);
    if (rate <= 0) {
        snprintf(text, bytes, "-");
        return;
    }
    double left = (double)(progress->total - done(progress)) / rate;
    snprintf(text, bytes, "%.*f rows/s, %d:%02d left", rate < 10 ? 1 : 0, rate, (int)left / 60,
             (int)left % 60);
}

/* "ok 410", and what else there is. */
static void describe_counts(const struct progress *progress, char *text, size_t bytes)
{
    size_t length = (size_t)snprintf(text, bytes, "ok %zu", progress->by_status[ROW_OK]);
    for (size_t i = ROW_OK + 1; i < ROW_STATUSES && length < bytes; i++) {
        if (progress->by_status[i] > 0)
            length += (size_t)snprintf(text + length, bytes - length, ", %s %zu",
                                       row_status_name((enum row_status)i), progress->by_status[i]);
    }
}

static void show_bar(struct progress *progress, const char *family, const char *case_name)
{
    enum { BAR = 20 };
    char rate[64], counts[128], line[512];
    struct winsize size = {.ws_col = 0};
    size_t rows = done(progress);
    int filled = progress->total ? (int)(BAR * rows / progress->total) : BAR;
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    int width = size.ws_col > 1 ? size.ws_col - 1 : 79;
    describe_rate(progress, rate, sizeof rate);
    describe_counts(progress, counts, sizeof counts);
    snprintf(line, sizeof line, "[%.*s%.*s] %zu/%zu  %s  %s  %s %s", filled, "####################",
             BAR - filled, "....................", rows, progress->total, rate, counts, family,
             case_name);
    const char *red = progress->colour && progress->by_status[ROW_FAILED] ? "\033[31m" : "";
    fprintf(stderr, "\r%s%.*s%s\033[K", red, width, line, *red ? "\033[0m" : "");
    progress->bar_shown = true;
}

void progress_show(struct progress *progress, const char *family, const char *case_name)
{
    double now = clock_seconds();
    double every = progress->terminal ? bar_every_s : line_every_s;
    if (progress->quiet || now - progress->shown_s < every)
        return;
    progress->shown_s = now;
    if (progress->terminal) {
        show_bar(progress, family, case_name);
        return;
    }
    char rate[64], counts[128];
    describe_rate(progress, rate, sizeof rate);
    describe_counts(progress, counts, sizeof counts);
    fprintf(stderr, "%s: %zu of %zu rows, %s (%s)\n", family, done(progress), progress->total, rate,
            counts);
}

void progress_clear(struct progress *progress)
{
    if (progress->bar_shown)
        fputs("\r\033[K", stderr);
    progress->bar_shown = false;
}
