// targets: 75 80 86 89 90a 100a 103a 120a
// Kernels with a fault for each tool of compute-sanitizer, so that scripts/sanitize can tell a
// clean kernel from a tool that sees nothing: b32 reads far outside of its memory (memcheck), in
// b64 warps read what another one writes, with no barrier between them (racecheck), in b128 half a
// warp goes to a barrier (synccheck).
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

static __device__ void planted_address(const sweep_arguments &a)
{
    const uint64_t far = UINT64_C(1) << 40;
    if (threadIdx.x == 0)
        a.out[0] = *reinterpret_cast<volatile uint32_t *>((uint64_t)a.out + far);
}

static __device__ void planted_race(const sweep_arguments &a)
{
    volatile uint32_t *word = reinterpret_cast<volatile uint32_t *>(sweep_memory);
    if (threadIdx.x == 0)
        *word = a.groups;
    else if (threadIdx.x % 32 == 0)
        a.out[threadIdx.x] = *word;
}

static __device__ void planted_barrier(const sweep_arguments &a)
{
    if (threadIdx.x % 32 < 16)
        __syncthreads();
    a.out[threadIdx.x] = a.groups;
}

#define PLANTED(name, bytes, fault)                                                                \
    SWEEP_ENTRY(name##_show, sweep_show<plain_load<bytes>>(a))                                     \
    SWEEP_ENTRY(name##_sweep, fault(a))

PLANTED(ld_shared_b32, 4, planted_address)
PLANTED(ld_shared_b64, 8, planted_race)
PLANTED(ld_shared_b128, 16, planted_barrier)

extern "C" __global__ void shared_base(uint32_t *out)
{
    *out = sweep_base();
}
