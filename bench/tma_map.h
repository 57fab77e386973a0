/* A tensor map of the model, for the driver. */
#ifndef SWIZZLEBENCH_BENCH_TMA_MAP_H
#define SWIZZLEBENCH_BENCH_TMA_MAP_H

#include "harness/tensor_map.h"
#include "model/swizzlebench.h"

/* What is asked of the driver for the map, over a tensor `base` bytes behind where the map has it.
 */
struct tensor_map_request tma_map_request(const struct swb_tma_map *map, gpu_address base);

/* Encodes the map of `what` ("the tensor map"); that the driver refuses it is an error. */
bool tma_map_encode(struct gpu *gpu, const struct swb_tma_map *map, gpu_address base,
                    const char *what, struct tensor_map *encoded, struct error *error);

#endif
