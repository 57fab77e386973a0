// targets: 75 80 86 89 90a 100a 103a 120a
// A kernel that writes where nothing is.
#define FAULT *reinterpret_cast<volatile uint32_t *>(16) = 1
#include "tests/gpu/kernels/fault.cuh"
