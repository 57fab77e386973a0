// Kernels of which one does wrong: ld_shared_b32_show ends with FAULT, which the file that includes
// this one says. Those of ld.shared.b64 are healthy.
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

SWEEP_ENTRY(ld_shared_b32_show, sweep_show<plain_load<4>>(a); FAULT)
SWEEP_ENTRY(ld_shared_b32_sweep, sweep_loads<plain_load<4>>(a, iterations))
SWEEP_ENTRY(ld_shared_b32_chain, sweep_load_chain<plain_load<4>>(a, iterations))
SWEEP_ENTRY(ld_shared_b32_control, sweep_control<plain_load<4>>(a, iterations))
SWEEP_LOAD_KERNELS(ld_shared_b64, plain_load<8>)

extern "C" __global__ void shared_base(uint32_t *out)
{
    *out = sweep_base();
}
