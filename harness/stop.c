/* Has the user asked the run to stop? */
#include "harness/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t requests;

static void count_request(int signal_number)
{
    (void)signal_number;
    requests = requests + 1;
}

void stop_catch(void)
{
    /* No SA_RESTART: a wait must end early. */
    struct sigaction count = {.sa_handler = count_request};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &count, NULL);
    sigaction(SIGTERM, &count, NULL);
    sigaction(SIGHUP, &count, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

int stop_requests(void)
{
    return requests;
}
