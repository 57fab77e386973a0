/* Where is the device code, and how does a kernel's name become something to launch? */
#include "harness/cuda/state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct module {
    struct module *next;
    char fatbin[KERNEL_NAME_BYTES];
    CUmodule handle;
};

/* The first bytes of a fatbin, as nvcc writes them. The driver believes `bytes` and would read past
 * the end of a file that was cut short. */
struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* after the header */
};
static const uint32_t fatbin_magic = 0xBA55ED50;

/* $SWIZZLEBENCH_KERNELS; else kernels/ beside the program; else where `make install` puts them. */
static bool fatbin_path(const char *fatbin, char path[PATH_MAX], struct error *error)
{
    static const char *const beside_program[] = {"kernels", "../lib/swizzlebench/kernels"};
    const char *chosen = getenv("SWIZZLEBENCH_KERNELS");
    char program[PATH_MAX];
    struct stat status;

    if (chosen) {
        snprintf(path, PATH_MAX, "%s/%s.fatbin", chosen, fatbin);
        if (stat(path, &status) == 0)
            return true;
        return error_set(error, ERROR_MACHINE,
                         "no kernel file %s (the directory is SWIZZLEBENCH_KERNELS): %s", path,
                         strerror(errno));
    }
    if (!program_directory(program, sizeof program))
        return error_set(error, ERROR_MACHINE,
                         "cannot tell where this program is (/proc/self/exe): set "
                         "SWIZZLEBENCH_KERNELS to the directory of its kernels");
    for (size_t i = 0; i < sizeof beside_program / sizeof *beside_program; i++) {
        int length =
            snprintf(path, PATH_MAX, "%s/%s/%s.fatbin", program, beside_program[i], fatbin);
        if (length < PATH_MAX && stat(path, &status) == 0)
            return true;
    }
    return error_set(error, ERROR_MACHINE, "no kernel file %s/%s/%s.fatbin: run `make kernels`",
                     program, beside_program[0], fatbin);
}

static bool is_whole(const unsigned char *image, size_t bytes)
{
    struct fatbin_header header;

    if (bytes < sizeof header)
        return false;
    memcpy(&header, image, sizeof header);
    return header.magic == fatbin_magic && header.header_bytes + header.bytes <= bytes;
}

/* The whole file; the caller frees it. */
static unsigned char *read_fatbin(const char *path, struct error *error)
{
    unsigned char *image = NULL;
    struct stat status;
    size_t bytes = 0;

    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        error_set(error, ERROR_MACHINE, "cannot read the kernel file %s: %s", path,
                  strerror(errno));
        goto out;
    }
    bytes = (size_t)status.st_size;
    image = malloc(bytes ? bytes : 1);
    if (!image || fread(image, 1, bytes, file) != bytes || !is_whole(image, bytes)) {
        error_set(error, ERROR_MACHINE,
                  "the kernel file %s is not a whole fatbin: run `make kernels` again", path);
        free(image);
        image = NULL;
    }
out:
    if (file)
        fclose(file);
    return image;
}

/* Whether the driver found nothing in the file that this GPU or this driver can run. */
static bool is_no_code(CUresult code)
{
    return code == CUDA_ERROR_NO_BINARY_FOR_GPU || code == CUDA_ERROR_INVALID_IMAGE ||
           code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || code == CUDA_ERROR_INVALID_PTX ||
           code == CUDA_ERROR_INVALID_SOURCE || code == CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
}

static bool load_image(struct gpu *gpu, struct module *module, struct error *error)
{
    char path[PATH_MAX];

    if (!fatbin_path(module->fatbin, path, error))
        return false;
    unsigned char *image = read_fatbin(path, error);
    if (!image)
        return false;
    CUresult code = gpu->driver.cuModuleLoadData(&module->handle, image);
    free(image);
    if (code == CUDA_SUCCESS)
        return true;

    driver_error(&gpu->driver, code, error, "loading %s", path);
    if (is_no_code(code))
        error_set(error, ERROR_MACHINE,
                  "%s has no code that compute capability %d.%d with this driver (CUDA %d.%d) can "
                  "run: run `make kernels` with a matching nvcc",
                  path, gpu->info.compute_major, gpu->info.compute_minor,
                  gpu->info.driver_version / 1000, gpu->info.driver_version % 1000 / 10);
    return false;
}

static struct module *find_module(struct gpu *gpu, const char *fatbin, struct error *error)
{
    for (struct module *module = gpu->modules; module; module = module->next)
        if (strcmp(module->fatbin, fatbin) == 0)
            return module;

    struct module *module = calloc(1, sizeof *module);
    if (!module) {
        error_set(error, ERROR_FAILED, "loading the kernels of %s: out of memory", fatbin);
        return NULL;
    }
    snprintf(module->fatbin, sizeof module->fatbin, "%s", fatbin);
    if (!load_image(gpu, module, error)) {
        free(module);
        return NULL;
    }
    module->next = gpu->modules;
    gpu->modules = module;
    return module;
}

bool gpu_kernel_find(struct gpu *gpu, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    CUfunction function;
    struct module *module = find_module(gpu, fatbin, error);
    if (!module)
        return false;

    CUresult code = gpu->driver.cuModuleGetFunction(&function, module->handle, entry);
    if (code == CUDA_ERROR_NOT_FOUND)
        return error_set(error, ERROR_MACHINE,
                         "%s.fatbin has no kernel %s for compute capability %d.%d: run "
                         "`make kernels`",
                         fatbin, entry, gpu->info.compute_major, gpu->info.compute_minor);
    if (code != CUDA_SUCCESS)
        return driver_error(&gpu->driver, code, error, "finding kernel %s in %s.fatbin", entry,
                            fatbin);
    *kernel = (struct gpu_kernel){.function = function, .entry = entry};
    return true;
}

void kernels_unload(struct gpu *gpu)
{
    while (gpu->modules) {
        struct module *module = gpu->modules;
        gpu->modules = module->next;
        gpu->driver.cuModuleUnload(module->handle);
        free(module);
    }
}
