// targets: 75 80 86 89 90a 100a 103a 120a
// A kernel that never ends: step is 0, which the compiler cannot know.
#define FAULT                                                                                      \
    while (a.step == 0)                                                                            \
    asm volatile("" ::: "memory")
#include "tests/gpu/kernels/fault.cuh"
