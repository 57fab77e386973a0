/* Tensor maps of a GPU that a test makes up: a map is the request itself, and is refused where
 * fake.refuses_maps says so. Defines a function of harness/tensor_map.h, so that a test program may
 * include it once, behind its own `fake`. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_MAP_H
#define SWIZZLEBENCH_TESTS_MADE_UP_MAP_H

#include <string.h>

#include "harness/tensor_map.h"

bool gpu_tensor_map(struct gpu *unused, const struct tensor_map_request *request,
                    struct tensor_map *map, int *code, struct error *error)
{
    enum { KEPT = 1024 };
    static struct tensor_map_request kept[KEPT];
    static unsigned next;
    const struct tensor_map_request *place = &kept[next];
    (void)unused, (void)error;
    *code = fake.refuses_maps;
    kept[next] = *request;
    next = (next + 1) % KEPT;
    memcpy(map->bytes, &place, sizeof place);
    return true;
}

/* The request of a map, as a kernel is given it. */
static const struct tensor_map_request *made_up_map(const struct tensor_map *map)
{
    const struct tensor_map_request *request;
    memcpy(&request, map->bytes, sizeof request);
    return request;
}

/* Where the swizzle of the map puts the byte that would be at this address of shared memory. */
static uint32_t made_up_swizzled(const struct tensor_map_request *map, uint32_t address)
{
    static const uint32_t masks[] = {0, 0x10, 0x30, 0x70};
    return address ^ (address >> 3 & masks[map->swizzle]);
}

#endif
