/* What may a tool that runs swizzlebench from outside ask of it? */
#include "harness/outside.h"

#include <stdlib.h>

static const char *asked(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

bool outside_untimed(void)
{
    return asked("SWIZZLEBENCH_UNTIMED");
}

uint64_t outside_share(uint64_t bytes)
{
    enum { SHARE = 16384 };
    return outside_untimed() ? bytes / SHARE : bytes;
}

unsigned outside_ctas(unsigned ctas)
{
    enum { CTAS = 2 };
    return outside_untimed() && ctas > CTAS ? CTAS : ctas;
}

uint32_t outside_iterations(uint32_t iterations)
{
    return outside_untimed() ? 1 : iterations;
}

uint64_t outside_counted_share(uint64_t bytes)
{
    return outside_replay() ? bytes : outside_share(bytes);
}

const char *outside_record(void)
{
    return asked("SWIZZLEBENCH_RECORD_COUNTS");
}

const char *outside_replay(void)
{
    return asked("SWIZZLEBENCH_REPLAY_COUNTS");
}

bool outside_reproducible(void)
{
    return outside_untimed() || outside_record() || outside_replay();
}
