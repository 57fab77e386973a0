/* An NVML for tests. $FAKE_NVML names the one thing that goes wrong, or how the card is held back:
 * nvmlClocksThrottleReasons as a number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9 };

static int is_wrong(const char *what)
{
    const char *wrong = getenv("FAKE_NVML");
    return wrong && strcmp(wrong, what) == 0;
}

int nvmlInit_v2(void)
{
    return is_wrong("no driver") ? DRIVER_NOT_LOADED : SUCCESS;
}

int nvmlShutdown(void)
{
    return SUCCESS;
}

int nvmlSystemGetDriverVersion(char *version, unsigned length)
{
    snprintf(version, length, "580.1");
    return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = (void *)uuid;
    return is_wrong("no card") ? NOT_FOUND : SUCCESS;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *clock_mhz)
{
    (void)device;
    *clock_mhz = type == 1 ? 1980 : 3201;
    return SUCCESS;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    const char *held_back = getenv("FAKE_NVML");
    (void)device;
    *reasons = held_back ? strtoull(held_back, NULL, 0) : 0;
    return is_wrong("no reasons") ? NOT_SUPPORTED : SUCCESS;
}
