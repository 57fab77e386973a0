// targets: 75 80 86 89 90a 100a 103a 120a
// A broken kernel: what the compiler makes of ld_shared_b32_sweep when nothing keeps it from taking
// the loads out of the loop. The sums are right; the instructions are too few.
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

extern "C" __global__ void __launch_bounds__(1024, 1)
    ld_shared_b32_sweep(const __grid_constant__ sweep_arguments a, uint32_t iterations)
{
    sweep_fill(a);
    sweep_sum sum = {{0, 0, 0, 0}};
    sweep_clock start = sweep_start();
    for (uint32_t group = threadIdx.x / 32; group < a.groups; group += blockDim.x / 32) {
        sweep_group g = sweep_take<plain_load<4>>(a, group);
        sweep_load_copy<plain_load<4>, 0>(g, sum);
        sweep_load_copy<plain_load<4>, SWEEP_COPY_BYTES>(g, sum);
        sweep_load_copy<plain_load<4>, 2 * SWEEP_COPY_BYTES>(g, sum);
        sweep_load_copy<plain_load<4>, 3 * SWEEP_COPY_BYTES>(g, sum);
    }
    sweep_stop(a, start, threadIdx.x);
    uint4 *out = reinterpret_cast<uint4 *>(a.out);
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        make_uint4(sum.r[0] * iterations * plain_load<4>::rounds, 0, 0, 0);
}

SWEEP_ENTRY(ld_shared_b32_show, sweep_show<plain_load<4>>(a))
SWEEP_ENTRY(ld_shared_b32_chain, sweep_load_chain<plain_load<4>>(a, iterations))
SWEEP_ENTRY(ld_shared_b32_control, sweep_control<plain_load<4>>(a, iterations))

extern "C" __global__ void shared_base(uint32_t *out)
{
    *out = sweep_base();
}
