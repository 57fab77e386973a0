/* What does the driver say to a tensor map? The values are those of cuTensorMapEncodeTiled or
 * cuTensorMapEncodeIm2col and are handed on as they are, legal or not. No kernel runs. */
#ifndef SWIZZLEBENCH_HARNESS_TENSOR_MAP_H
#define SWIZZLEBENCH_HARNESS_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/error.h"
#include "harness/gpu.h"

/* Entries of the arrays that are handed on, whatever the rank. */
enum { TENSOR_MAP_ENTRIES = 8 };

struct tensor_map_request {
    unsigned dtype, rank;
    gpu_address address;
    uint64_t dims[TENSOR_MAP_ENTRIES];    /* elements */
    uint64_t strides[TENSOR_MAP_ENTRIES]; /* bytes */
    uint32_t box[TENSOR_MAP_ENTRIES], element_strides[TENSOR_MAP_ENTRIES];
    unsigned interleave, swizzle, l2_promotion, oob_fill;

    bool im2col;                                              /* then there is no box, but */
    int lower[TENSOR_MAP_ENTRIES], upper[TENSOR_MAP_ENTRIES]; /* corners of the window, from W on */
    uint32_t channels, pixels;
};

/* A CUtensorMap, for a kernel's __grid_constant__ argument. */
struct tensor_map {
    _Alignas(64) unsigned char bytes[128];
};

/* *code is the CUresult: 0 taken, and then *map is filled; 1 (CUDA_ERROR_INVALID_VALUE) or 801
 * (CUDA_ERROR_NOT_SUPPORTED) refused. False with *error for every other one, which says nothing
 * about the tensor map, and for a rank beyond TENSOR_MAP_ENTRIES, which the driver is not asked. */
bool gpu_tensor_map(struct gpu *gpu, const struct tensor_map_request *request,
                    struct tensor_map *map, int *code, struct error *error);

#endif
