/* A tensor map of the model, for the driver. */
#include "bench/tma_map.h"

#include <string.h>

struct tensor_map_request tma_map_request(const struct swb_tma_map *map, gpu_address base)
{
    struct tensor_map_request request = {
        .dtype = map->dtype,
        .rank = map->rank,
        .address = base + map->address,
        .interleave = map->interleave,
        .swizzle = map->swizzle,
        .l2_promotion = map->l2_promotion,
        .oob_fill = map->oob_fill,
    };
    for (unsigned i = 0; i < TENSOR_MAP_ENTRIES; i++)
        request.dims[i] = request.box[i] = request.element_strides[i] = 1;
    memcpy(request.dims, map->dims, sizeof map->dims);
    memcpy(request.strides, map->strides, sizeof map->strides);
    memcpy(request.box, map->box, sizeof map->box);
    memcpy(request.element_strides, map->element_strides, sizeof map->element_strides);
    return request;
}

bool tma_map_encode(struct gpu *gpu, const struct swb_tma_map *map, gpu_address base,
                    const char *what, struct tensor_map *encoded, struct error *error)
{
    struct tensor_map_request request = tma_map_request(map, base);
    int code;
    return gpu_tensor_map(gpu, &request, encoded, &code, error) &&
           (code == 0 ||
            error_set(error, ERROR_FAILED, "the driver refuses %s, with code %d", what, code));
}
