/* What time is it, for limits and rates? */
#ifndef SWIZZLEBENCH_HARNESS_CLOCK_H
#define SWIZZLEBENCH_HARNESS_CLOCK_H

#include <time.h>

/* Seconds since some moment, never set back. */
static inline double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
