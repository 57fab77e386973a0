// targets: 75 80 86 89 90a 100a 103a 120a
// A kernel that gets one bit wrong: of what lane 5 read at the first position.
#define FAULT                                                                                      \
    if (threadIdx.x == 5)                                                                          \
    a.out[4 * 5] ^= 4
#include "tests/gpu/kernels/fault.cuh"
