/* Has the user asked the run to stop? */
#include "harness/stop.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

static volatile sig_atomic_t of_this_process;
static volatile sig_atomic_t *requests = &of_this_process;

static void count_request(int signal_number)
{
    (void)signal_number;
    *requests = *requests + 1;
}

/* The count in memory that a fork does not copy; where there is none, forks stop each by itself. */
static void share_count(void)
{
    void *shared =
        mmap(NULL, sizeof *requests, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED)
        requests = shared;
}

void stop_catch(void)
{
    /* No SA_RESTART: a wait must end early. */
    struct sigaction count = {.sa_handler = count_request};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (requests == &of_this_process)
        share_count();
    sigaction(SIGINT, &count, NULL);
    sigaction(SIGTERM, &count, NULL);
    sigaction(SIGHUP, &count, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

void stop_leave_to_parent(void)
{
    if (requests == &of_this_process)
        return;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

int stop_requests(void)
{
    return *requests;
}
