// targets: 75 80 86 89 90a 100a 103a 120a
// What do plain loads and stores of 1 to 16 bytes a lane cost?
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

SWEEP_LOAD_KERNELS(ld_shared_b8, plain_load<1>)
SWEEP_LOAD_KERNELS(ld_shared_b16, plain_load<2>)
SWEEP_LOAD_KERNELS(ld_shared_b32, plain_load<4>)
SWEEP_LOAD_KERNELS(ld_shared_b64, plain_load<8>)
SWEEP_LOAD_KERNELS(ld_shared_b128, plain_load<16>)
SWEEP_STORE_KERNELS(st_shared_b8, plain_store<1>)
SWEEP_STORE_KERNELS(st_shared_b16, plain_store<2>)
SWEEP_STORE_KERNELS(st_shared_b32, plain_store<4>)
SWEEP_STORE_KERNELS(st_shared_b64, plain_store<8>)
SWEEP_STORE_KERNELS(st_shared_b128, plain_store<16>)

// Where dynamic shared memory starts in the shared window: the host needs it to lay addresses into
// an image.
extern "C" __global__ void shared_base(uint32_t *out)
{
    *out = sweep_base();
}
