/* Faults on purpose, for tests. */
#include "harness/inject.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wanted(const char *kind, unsigned *at)
{
    const char *spec = getenv("SWIZZLEBENCH_INJECT");
    char found[16];
    return spec && sscanf(spec, "%15[a-z]:%u", found, at) == 2 && strcmp(found, kind) == 0;
}

bool inject_at_open(unsigned worker_number, struct error *error)
{
    unsigned at;
    if (wanted("noopen", &at) && worker_number >= at)
        return error_set(error, ERROR_FAILED, "cannot open the GPU: injected by the test");
    return true;
}

bool inject_at_case(unsigned case_number, struct error *error)
{
    unsigned at;
    if (wanted("crash", &at) && case_number == at) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer would make an exit of it */
        raise(SIGSEGV);
    }
    while (wanted("hang", &at) && case_number == at)
        pause();
    if (wanted("exit", &at) && case_number == at)
        _exit(7);
    if (wanted("fault", &at) && case_number == at)
        return error_set(error, ERROR_FAILED, "illegal address: injected by the test");
    return true;
}
