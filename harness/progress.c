/* How far is the run? */
#include "harness/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/clock.h"

static const double bar_every_s = 0.1, line_every_s = 10;

void progress_start(struct progress *progress, size_t total, int listener, bool quiet)
{
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    *progress = (struct progress){.quiet = quiet, .listener = listener, .state.total = total};
    progress->terminal = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    progress->colour = progress->terminal && !(no_color && *no_color);
    progress->state.started_s = progress->shown_s = clock_seconds();
}

void progress_row(struct progress *progress, enum row_status status, bool kept)
{
    progress->state.by_status[status]++;
    progress->state.kept += kept;
}

static size_t done(const struct progress_state *state)
{
    size_t rows = 0;
    for (size_t i = 0; i < ROW_STATUSES; i++)
        rows += state->by_status[i];
    return rows;
}

/* "rows/s, time left", from the rows of this run alone. */
static void describe_rate(const struct progress_state *state, char *text, size_t bytes)
{
    double seconds = clock_seconds() - state->started_s;
    double rate = (double)(done(state) - state->kept) / (seconds > 1e-3 ? seconds : 1e-3);
    if (rate <= 0) {
        snprintf(text, bytes, "-");
        return;
    }
    double left = (double)(state->total - done(state)) / rate;
    snprintf(text, bytes, "%.*f rows/s, %d:%02d left", rate < 10 ? 1 : 0, rate, (int)left / 60,
             (int)left % 60);
}

/* "ok 410", and what else there is. */
static void describe_counts(const struct progress_state *state, char *text, size_t bytes)
{
    size_t length = (size_t)snprintf(text, bytes, "ok %zu", state->by_status[ROW_OK]);
    for (size_t i = ROW_OK + 1; i < ROW_STATUSES && length < bytes; i++) {
        if (state->by_status[i] > 0)
            length += (size_t)snprintf(text + length, bytes - length, ", %s %zu",
                                       row_status_name((enum row_status)i), state->by_status[i]);
    }
}

static void show_bar(const struct progress *progress, const struct progress_state *state, int width)
{
    enum { BAR = 20 };
    char rate[64], counts[128], line[512];
    size_t rows = done(state);
    int filled = state->total ? (int)(BAR * rows / state->total) : BAR;
    describe_rate(state, rate, sizeof rate);
    describe_counts(state, counts, sizeof counts);
    snprintf(line, sizeof line, "%s%s[%.*s%.*s] %zu/%zu  %s  %s  %s %s", state->run,
             *state->run ? " " : "", filled, "####################", BAR - filled,
             "....................", rows, state->total, rate, counts, state->family,
             state->case_name);
    const char *red = progress->colour && state->by_status[ROW_FAILED] ? "\033[31m" : "";
    fprintf(stderr, "\r%s%.*s%s\033[K", red, width, line, *red ? "\033[0m" : "");
}

/* One below the other, as many as the terminal has lines for; the cursor goes back to the first. */
static void show_bars(struct progress *progress, const struct progress_state *states, size_t count)
{
    struct winsize size = {.ws_col = 0};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    size_t most = size.ws_row > 1 ? size.ws_row - 1u : 23;
    progress->bars_shown = count < most ? count : most;
    for (size_t i = 0; i < progress->bars_shown; i++) {
        if (i > 0)
            fputc('\n', stderr);
        show_bar(progress, &states[i], size.ws_col > 1 ? size.ws_col - 1 : 79);
    }
    if (progress->bars_shown > 1)
        fprintf(stderr, "\r\033[%zuA", progress->bars_shown - 1);
}

static void show_line(const struct progress_state *state)
{
    char rate[64], counts[128];
    describe_rate(state, rate, sizeof rate);
    describe_counts(state, counts, sizeof counts);
    fprintf(stderr, "%s%s%s: %zu of %zu rows, %s (%s)\n", state->run, *state->run ? ": " : "",
            state->family, done(state), state->total, rate, counts);
}

static bool is_time(struct progress *progress)
{
    double now = clock_seconds();
    bool often = progress->terminal || progress->listener >= 0;
    if (progress->quiet || now - progress->shown_s < (often ? bar_every_s : line_every_s))
        return false;
    progress->shown_s = now;
    return true;
}

static void tell_listener(const struct progress *progress)
{
    /* One that is slow or gone misses a state, and holds nothing up. */
    send(progress->listener, &progress->state, sizeof progress->state, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void progress_show(struct progress *progress, const char *family, const char *case_name)
{
    struct progress_state *state = &progress->state;
    if (!is_time(progress))
        return;
    snprintf(state->family, sizeof state->family, "%s", family);
    snprintf(state->case_name, sizeof state->case_name, "%s", case_name);
    if (progress->listener >= 0)
        tell_listener(progress);
    else if (progress->terminal)
        show_bars(progress, state, 1);
    else
        show_line(state);
}

void progress_show_several(struct progress *progress, const struct progress_state *states,
                           size_t count)
{
    if (!is_time(progress))
        return;
    if (progress->terminal)
        show_bars(progress, states, count);
    for (size_t i = 0; i < count && !progress->terminal; i++)
        show_line(&states[i]);
}

void progress_clear(struct progress *progress)
{
    if (progress->bars_shown > 0)
        fputs("\r\033[J", stderr);
    progress->bars_shown = 0;
    if (progress->listener >= 0 && !progress->quiet)
        tell_listener(progress);
}
