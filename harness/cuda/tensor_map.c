/* What does the driver say to a tensor map? */
#include "harness/tensor_map.h"

#include <string.h>

#include "harness/cuda/state.h"

static CUresult encode_tiled(struct gpu *gpu, const struct tensor_map_request *request,
                             CUtensorMap *map)
{
    return gpu->driver.cuTensorMapEncodeTiled(
        map, (CUtensorMapDataType)request->dtype, request->rank,
        (void *)(uintptr_t)request->address, (const cuuint64_t *)request->dims,
        (const cuuint64_t *)request->strides, request->box, request->element_strides,
        (CUtensorMapInterleave)request->interleave, (CUtensorMapSwizzle)request->swizzle,
        (CUtensorMapL2promotion)request->l2_promotion, (CUtensorMapFloatOOBfill)request->oob_fill);
}

static CUresult encode_im2col(struct gpu *gpu, const struct tensor_map_request *request,
                              CUtensorMap *map)
{
    return gpu->driver.cuTensorMapEncodeIm2col(
        map, (CUtensorMapDataType)request->dtype, request->rank,
        (void *)(uintptr_t)request->address, (const cuuint64_t *)request->dims,
        (const cuuint64_t *)request->strides, request->lower, request->upper, request->channels,
        request->pixels, request->element_strides, (CUtensorMapInterleave)request->interleave,
        (CUtensorMapSwizzle)request->swizzle, (CUtensorMapL2promotion)request->l2_promotion,
        (CUtensorMapFloatOOBfill)request->oob_fill);
}

bool gpu_tensor_map(struct gpu *gpu, const struct tensor_map_request *request,
                    struct tensor_map *map, int *code, struct error *error)
{
    _Static_assert(sizeof(CUtensorMap) == sizeof map->bytes, "a CUtensorMap has 128 bytes");
    CUtensorMap encoded;

    if (request->rank > TENSOR_MAP_ENTRIES)
        return error_set(error, ERROR_INPUT, "a tensor map of rank %u is not tried: at most %d",
                         request->rank, TENSOR_MAP_ENTRIES);
    CUresult answer = request->im2col ? encode_im2col(gpu, request, &encoded)
                                      : encode_tiled(gpu, request, &encoded);
    *code = (int)answer;
    if (answer == CUDA_SUCCESS)
        memcpy(map->bytes, &encoded, sizeof map->bytes);
    return answer == CUDA_SUCCESS || answer == CUDA_ERROR_INVALID_VALUE ||
           answer == CUDA_ERROR_NOT_SUPPORTED ||
           driver_error(&gpu->driver, answer, error, "encoding a tensor map");
}
