/* How are the driver and NVML opened when the program runs, and what is said when they cannot be?
 */
#include "harness/cuda/library.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER_SYMBOL(name) LIBRARY_SYMBOL(driver, name)
static const struct symbol driver_symbols[] = {DRIVER_FUNCTIONS(DRIVER_SYMBOL)};

#define NVML_SYMBOL(name) LIBRARY_SYMBOL(nvml, name)
static const struct symbol nvml_symbols[] = {NVML_FUNCTIONS(NVML_SYMBOL)};

const char *library_load(void *handle, const struct symbol *symbols, size_t count, void *table)
{
    const char *missing = NULL;

    for (size_t i = 0; i < count; i++) {
        /* dlsym gives an object pointer; POSIX promises that its bits are the function's. */
        void *found = dlsym(handle, symbols[i].name);
        memcpy((char *)table + symbols[i].offset, &found, sizeof found);
        if (!found && !missing)
            missing = symbols[i].name;
    }
    return missing;
}

static bool driver_too_old(const struct driver *driver, const char *missing, struct error *error)
{
    int version = 0;

    if (driver->cuDriverGetVersion)
        driver->cuDriverGetVersion(&version);
    return error_set(error, ERROR_MACHINE,
                     "the NVIDIA driver is too old: its libcuda.so.1 (CUDA %d.%d) has no %s; "
                     "install a driver for CUDA 12.0 or later",
                     version / 1000, version % 1000 / 10, missing);
}

bool driver_open(struct driver *driver, struct error *error)
{
    void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error_set(error, ERROR_MACHINE, "no NVIDIA driver here: %s", dlerror());

    const char *missing = library_load(handle, driver_symbols,
                                       sizeof driver_symbols / sizeof *driver_symbols, driver);
    if (missing)
        return driver_too_old(driver, missing, error);

    CUresult code = driver->cuInit(0);
    if (code == CUDA_ERROR_NO_DEVICE)
        return error_set(error, ERROR_MACHINE, "the NVIDIA driver sees no GPU on this machine");
    if (code != CUDA_SUCCESS) {
        driver_error(driver, code, error, "starting the NVIDIA driver (cuInit)");
        error->kind = ERROR_MACHINE;
        return false;
    }
    return true;
}

bool nvml_open(struct nvml *nvml, struct error *error)
{
    const char *override = getenv("SWIZZLEBENCH_NVML");
    void *handle = dlopen(override ? override : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error_set(error, ERROR_MACHINE, "%s%s",
                         override ? "cannot open SWIZZLEBENCH_NVML: " : "", dlerror());

    const char *missing =
        library_load(handle, nvml_symbols, sizeof nvml_symbols / sizeof *nvml_symbols, nvml);
    if (missing)
        return error_set(error, ERROR_MACHINE, "libnvidia-ml.so.1 has no %s", missing);

    int code = nvml->nvmlInit_v2();
    return code == 0 ||
           error_set(error, ERROR_MACHINE, "NVML does not start (NVML error %d)", code);
}

bool driver_error(const struct driver *driver, CUresult code, struct error *error,
                  const char *format, ...)
{
    char doing[240];
    const char *name = NULL, *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(doing, sizeof doing, format, arguments);
    va_end(arguments);

    if (driver->cuGetErrorName(code, &name) != CUDA_SUCCESS || !name)
        return error_set(error, ERROR_FAILED, "%s: CUDA error %d", doing, (int)code);
    if (driver->cuGetErrorString(code, &text) != CUDA_SUCCESS || !text)
        text = "no description";
    return error_set(error, ERROR_FAILED, "%s: %s (%s)", doing, name, text);
}

bool program_directory(char *path, size_t bytes)
{
    ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';

    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}
