/* The memory of a GPU that is made up by a test: the host's own. Part of that test's program, in
 * the place of harness/cuda/; so these are definitions, and one file of a program includes them. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_MEMORY_H
#define SWIZZLEBENCH_TESTS_MADE_UP_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "harness/gpu.h"

static uint8_t *at(gpu_address address)
{
    return (uint8_t *)(uintptr_t)address;
}

bool gpu_alloc(struct gpu *unused, size_t bytes, gpu_address *address, struct error *error)
{
    (void)unused;
    if (bytes > 1u << 30)
        return error_set(error, ERROR_FAILED, "no room for %zu bytes", bytes);
    *address = (uintptr_t)aligned_alloc(128, (bytes + 127) / 128 * 128);
    memset(at(*address), 0, bytes);
    return true;
}

void gpu_free(struct gpu *unused, gpu_address address)
{
    (void)unused;
    free(at(address));
}

bool gpu_upload(struct gpu *unused, gpu_address to, const void *from, size_t bytes,
                struct error *error)
{
    (void)unused, (void)error;
    memcpy(at(to), from, bytes);
    return true;
}

bool gpu_download(struct gpu *unused, void *to, gpu_address from, size_t bytes, struct error *error)
{
    (void)unused, (void)error;
    memcpy(to, at(from), bytes);
    return true;
}

bool gpu_fill(struct gpu *unused, gpu_address to, uint8_t value, size_t bytes, struct error *error)
{
    (void)unused, (void)error;
    memset(at(to), value, bytes);
    return true;
}

bool gpu_wait(struct gpu *unused, struct error *error)
{
    (void)unused, (void)error;
    return true;
}

#endif
