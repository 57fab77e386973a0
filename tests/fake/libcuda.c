/* What would a driver with one GPU, or $FAKE_CUDA_GPUS of them, answer? A stand-in for
 * libcuda.so.1, so that opening a GPU, loading kernels and every error on the way can be tested
 * without one. Memory is the host's; a launch does nothing. $FAKE_CUDA names the one thing that
 * goes wrong. Or the Nth wait of a process ends in a fault ($FAKE_CUDA_FAULT_AT) or never
 * ($FAKE_CUDA_HANG_AT), or there is no kernel $FAKE_CUDA_LACKS. No CUDA header is needed: handles
 * are pointers, devices and results int. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    NO_DEVICE = 100,
    INVALID_CONTEXT = 201,
    NO_BINARY_FOR_GPU = 209,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
};

static int is_wrong(const char *what)
{
    const char *wrong = getenv("FAKE_CUDA");
    return wrong && strcmp(wrong, what) == 0;
}

int cuInit(unsigned flags)
{
    return flags ? INVALID_VALUE : is_wrong("no device") ? NO_DEVICE : SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    *version = 12040;
    return SUCCESS;
}

int cuGetErrorName(int code, const char **name)
{
    *name = code == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE";
    return SUCCESS;
}

int cuGetErrorString(int code, const char **text)
{
    *text = code == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "a fake error";
    return SUCCESS;
}

int cuDeviceGetCount(int *count)
{
    const char *gpus = getenv("FAKE_CUDA_GPUS");
    *count = gpus ? atoi(gpus) : 1;
    return SUCCESS;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return SUCCESS;
}

int cuDeviceGetName(char *name, int length, int device)
{
    (void)device;
    strncpy(name, "Fake GPU", (size_t)length);
    return SUCCESS;
}

int cuDeviceGetUuid_v2(unsigned char uuid[16], int device)
{
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)(i * 0x11 + device);
    return SUCCESS;
}

/* Every attribute is its own number, but the shared memory that a CTA can have. */
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    enum { MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97 };
    *value = attribute == MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 232448 : attribute;
    return SUCCESS;
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    (void)device, (void)flags;
    return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    static int fake;

    (void)device;
    *context = &fake;
    return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return SUCCESS;
}

int cuCtxSetCurrent(void *context)
{
    return context ? SUCCESS : INVALID_VALUE;
}

int cuCtxSynchronize(void)
{
    static unsigned long waits;
    const char *fault_at = getenv("FAKE_CUDA_FAULT_AT"), *hang_at = getenv("FAKE_CUDA_HANG_AT");
    waits++;
    while (hang_at && waits == strtoul(hang_at, NULL, 10))
        pause();
    if (fault_at && waits >= strtoul(fault_at, NULL, 10))
        return ILLEGAL_ADDRESS;
    return is_wrong("fault") ? ILLEGAL_ADDRESS : SUCCESS;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    *address = (uintptr_t)calloc(1, bytes);
    return SUCCESS;
}

int cuMemFree_v2(uint64_t address)
{
    free((void *)(uintptr_t)address);
    return SUCCESS;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    if (is_wrong("fault"))
        return ILLEGAL_ADDRESS;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes)
{
    memset((void *)(uintptr_t)to, value, bytes);
    return SUCCESS;
}

int cuModuleLoadData(void **module, const void *image)
{
    if (is_wrong("no code"))
        return NO_BINARY_FOR_GPU;
    *module = (void *)(uintptr_t)image;
    return SUCCESS;
}

int cuModuleUnload(void *module)
{
    return module ? SUCCESS : INVALID_VALUE;
}

int cuModuleGetFunction(void **function, void *module, const char *entry)
{
    const char *lacks = getenv("FAKE_CUDA_LACKS");
    *function = module;
    return strcmp(entry, lacks ? lacks : "missing") == 0 ? NOT_FOUND : SUCCESS;
}

/* A carve-out is percent, or -1 for the driver's own choice. */
int cuFuncSetAttribute(void *function, int attribute, int value)
{
    enum { CARVEOUT = 9 };
    (void)function;
    if (attribute == CARVEOUT)
        return value < -1 || value > 100 ? INVALID_VALUE : SUCCESS;
    return value > 200000 ? INVALID_VALUE : SUCCESS;
}

/* Takes every rank that there is; the real one has more to say. */
int cuTensorMapEncodeTiled(void *map, int dtype, unsigned rank, void *address, const uint64_t *dims,
                           const uint64_t *strides, const uint32_t *box,
                           const uint32_t *element_strides, int interleave, int swizzle,
                           int l2_promotion, int oob_fill)
{
    (void)dtype, (void)address, (void)dims, (void)strides, (void)box, (void)element_strides;
    (void)interleave, (void)swizzle, (void)l2_promotion, (void)oob_fill;
    if (is_wrong("no context"))
        return INVALID_CONTEXT;
    memset(map, 0x5a, 128);
    return rank < 1 || rank > 5 ? INVALID_VALUE : SUCCESS;
}

int cuTensorMapEncodeIm2col(void *map, int dtype, unsigned rank, void *address,
                            const uint64_t *dims, const uint64_t *strides, const int *lower,
                            const int *upper, uint32_t channels, uint32_t pixels,
                            const uint32_t *element_strides, int interleave, int swizzle,
                            int l2_promotion, int oob_fill)
{
    (void)dtype, (void)address, (void)dims, (void)strides, (void)lower, (void)upper;
    (void)element_strides, (void)interleave, (void)swizzle, (void)l2_promotion, (void)oob_fill;
    memset(map, 0x5a, 128);
    return rank < 3 || rank > 5 || channels > 256 || pixels > 1024 ? INVALID_VALUE : SUCCESS;
}

/* A profiler outside sees the launches between these two: fake_seen_launches of them. */
static int is_watching;
int fake_seen_launches;

int cuProfilerStart(void)
{
    is_watching = 1;
    return SUCCESS;
}

int cuProfilerStop(void)
{
    is_watching = 0;
    return SUCCESS;
}

#ifndef FAKE_CUDA_IS_OLD
int cuLaunchKernelEx(const void *config, void *function, void **arguments, void **extra)
{
    (void)arguments, (void)extra;
    fake_seen_launches += is_watching;
    return config && function ? SUCCESS : INVALID_VALUE;
}
#endif
