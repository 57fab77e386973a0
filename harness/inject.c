/* Faults on purpose, for tests. */
#include "harness/inject.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char variable[] = "SWIZZLEBENCH_INJECT";

static const char *const kinds[] = {"crash", "hang", "exit", "fault", "noopen"};

/* The N that is asked for of this kind; 0: none. */
static unsigned number_of(const char *kind)
{
    const char *spec = getenv(variable);
    size_t length = strlen(kind);
    if (!spec || strncmp(spec, kind, length) != 0 || spec[length] != ':')
        return 0;
    const char *number = spec + length + 1;
    size_t digits = strspn(number, "0123456789");
    return digits < 10 && number[digits] == '\0' ? (unsigned)strtoul(number, NULL, 10) : 0;
}

bool inject_check(struct error *error)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (number_of(kinds[i]) > 0)
            return true;
    }
    const char *spec = getenv(variable);
    return !spec || *spec == '\0' ||
           error_set(error, ERROR_INPUT,
                     "%s=%s: not KIND:N with N from 1 on and crash, hang, exit, fault or noopen "
                     "for KIND; without a fault on purpose leave it unset or empty",
                     variable, spec);
}

bool inject_at_open(unsigned worker_number, struct error *error)
{
    unsigned from = number_of("noopen");
    if (from > 0 && worker_number >= from)
        return error_set(error, ERROR_FAILED, "cannot open the GPU: injected by the test");
    return true;
}

bool inject_at_case(unsigned case_number, struct error *error)
{
    if (number_of("crash") == case_number) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer would make an exit of it */
        raise(SIGSEGV);
    }
    while (number_of("hang") == case_number)
        pause();
    if (number_of("exit") == case_number)
        _exit(7);
    if (number_of("fault") == case_number)
        return error_set(error, ERROR_FAILED, "illegal address: injected by the test");
    return true;
}
