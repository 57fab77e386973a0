/* Where may libcupti be? The CUDA toolkit, NVIDIA's Python wheels and distributions all put it
 * somewhere else, and few of those places are known to the loader. */
#include "harness/cuda/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CUPTI_SYMBOL(name) LIBRARY_SYMBOL(cupti, name)
static const struct symbol cupti_symbols[] = {CUPTI_FUNCTIONS(CUPTI_SYMBOL)};

/* Tried in this order. The range profiler came with CUDA 12.6. */
static const struct {
    const char *name;
    int driver_version; /* the oldest driver that it works with */
} sonames[] = {
    {"libcupti.so.13", 13000},
    {"libcupti.so.12", 12000},
    {"libcupti.so", 0},
};

/* glob patterns of directories. The first part may be an environment variable; $NVCC is the
 * directory of the nvcc on PATH and $PROGRAM that of this program, whose .deps is beside build/.
 * "" is the loader's own search. */
static const char *const places[] = {
    "",
    "$CUDA_HOME/lib64",
    "$CUDA_HOME/extras/CUPTI/lib64",
    "$CUDA_HOME/targets/*/lib",
    "$CUDA_PATH/lib64",
    "$CUDA_PATH/extras/CUPTI/lib64",
    "$CUDA_PATH/targets/*/lib",
    "$NVCC/../lib64",
    "$NVCC/../extras/CUPTI/lib64",
    "$NVCC/../targets/*/lib",
    "$NVCC/../lib",
    "/usr/local/cuda*/lib64",
    "/usr/local/cuda*/extras/CUPTI/lib64",
    "/usr/local/cuda*/targets/*/lib",
    "/opt/cuda*/lib64",
    "/opt/cuda*/extras/CUPTI/lib64",
    "$PROGRAM/.deps/nvidia/*/lib",
    "$PROGRAM/.deps/*/nvidia/*/lib",
    "$PROGRAM/.deps/lib/python3*/site-packages/nvidia/*/lib",
    "$PROGRAM/.deps/*/lib/python3*/site-packages/nvidia/*/lib",
    "$PROGRAM/../.deps/nvidia/*/lib",
    "$PROGRAM/../.deps/*/nvidia/*/lib",
    "$PROGRAM/../.deps/lib/python3*/site-packages/nvidia/*/lib",
    "$PROGRAM/../.deps/*/lib/python3*/site-packages/nvidia/*/lib",
    "$VIRTUAL_ENV/lib/python3*/site-packages/nvidia/*/lib",
    "$CONDA_PREFIX/lib",
    "$HOME/.local/lib/python3*/site-packages/nvidia/*/lib",
    "/usr/local/lib/python3*/*-packages/nvidia/*/lib",
    "/usr/lib/python3*/*-packages/nvidia/*/lib",
    "/opt/*/lib/python3*/site-packages/nvidia/*/lib",
    "/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib",
};

/* Puts the directory of the nvcc on PATH, links followed, into path. */
static bool nvcc_directory(char path[PATH_MAX])
{
    const char *list = getenv("PATH");
    char candidate[PATH_MAX];

    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ":");
        int printed = snprintf(candidate, sizeof candidate, "%.*s/nvcc", (int)length, at);
        if (printed < PATH_MAX && access(candidate, X_OK) == 0 && realpath(candidate, path)) {
            *strrchr(path, '/') = '\0';
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

/* The value of a place's first part "$NAME", or NULL where the machine has none. */
static const char *base_value(const char *name, size_t length, char buffer[PATH_MAX])
{
    char variable[32];

    snprintf(variable, sizeof variable, "%.*s", (int)length, name);
    if (strcmp(variable, "NVCC") == 0)
        return nvcc_directory(buffer) ? buffer : NULL;
    if (strcmp(variable, "PROGRAM") == 0)
        return program_directory(buffer, PATH_MAX) ? buffer : NULL;
    return getenv(variable);
}

/* Opens the first library `soname` that a place has, or returns NULL. */
static void *open_in_place(const char *place, const char *soname)
{
    char buffer[PATH_MAX], pattern[PATH_MAX];
    const char *base = "", *under = place;
    void *handle = NULL;
    glob_t found;

    if (!*place)
        return dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (*place == '$') {
        size_t length = strcspn(place + 1, "/");
        base = base_value(place + 1, length, buffer);
        under = place + 1 + length;
    }
    if (!base || snprintf(pattern, sizeof pattern, "%s%s/%s", base, under, soname) >= PATH_MAX)
        return NULL;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !handle; i++)
            handle = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
        globfree(&found);
    }
    return handle;
}

static void *open_anywhere(int driver_version)
{
    for (size_t n = 0; n < sizeof sonames / sizeof *sonames; n++) {
        if (sonames[n].driver_version > driver_version)
            continue;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            void *handle = open_in_place(places[i], sonames[n].name);
            if (handle)
                return handle;
        }
    }
    return NULL;
}

/* libcupti asks the loader for libnvperf_host.so by name alone and does not look beside itself, so
 * it has to be in memory before libcupti wants it. */
static bool open_nvperf(const char *cupti_path, struct error *error)
{
    const char *slash = strrchr(cupti_path, '/');
    int directory = slash ? (int)(slash - cupti_path) : 0;
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%.*s/libnvperf_host.so", directory, cupti_path);
    if ((slash && dlopen(path, RTLD_NOW | RTLD_LOCAL)) ||
        dlopen("libnvperf_host.so", RTLD_NOW | RTLD_LOCAL))
        return true;
    return error_set(error, ERROR_MACHINE,
                     "libcupti needs libnvperf_host.so, which is not beside %s: reinstall CUPTI "
                     "(`pip install nvidia-cuda-cupti`, or your distribution's cuda-cupti package)",
                     cupti_path);
}

bool cupti_open(struct cupti *cupti, int driver_version, struct error *error)
{
    const char *override = getenv("SWIZZLEBENCH_CUPTI");
    void *handle =
        override ? dlopen(override, RTLD_NOW | RTLD_LOCAL) : open_anywhere(driver_version);
    if (!handle && override)
        return error_set(error, ERROR_MACHINE, "cannot open SWIZZLEBENCH_CUPTI: %s", dlerror());
    if (!handle)
        return error_set(
            error, ERROR_MACHINE,
            "no libcupti.so.%d here (looked in the library path, CUDA_HOME, beside "
            "nvcc, /usr/local/cuda*, .deps and Python's packages): run `scripts/setup cuda`, "
            "or `pip install nvidia-cuda-cupti`, or install the package cuda-cupti, "
            "or set SWIZZLEBENCH_CUPTI to its path",
            driver_version >= 13000 ? 13 : 12);

    const char *missing =
        library_load(handle, cupti_symbols, sizeof cupti_symbols / sizeof *cupti_symbols, cupti);
    Dl_info info = {.dli_fname = "libcupti"};
    if (cupti->cuptiGetResultString) {
        void *address;
        memcpy(&address, &cupti->cuptiGetResultString, sizeof address);
        dladdr(address, &info);
    }
    if (missing)
        return error_set(error, ERROR_MACHINE,
                         "%s has no %s: counters need the CUPTI of CUDA 12.6 or later",
                         info.dli_fname, missing);
    return open_nvperf(info.dli_fname, error);
}
