// What are unpredictable data made of, the same on the host?
#pragma once

#include <stdint.h>

static __device__ uint32_t tma_mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
