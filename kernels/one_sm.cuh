// How does a launch put its work on a chosen SM?
//
// Where a CTA goes is the hardware's choice, and SMs are not alike: docs/tma.md. So the launch has
// a CTA for every SM; that on the chosen SM claims the work, and the others stay until it has, so
// that none gets two of them, and go.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/clock.cuh"

// The host packs the same struct: harness/gpu.h.
struct one_sm {
    uint32_t *claimed; // [2]: the ticket of the last launch whose work was claimed, and the SM that
                       // did; null: no SM is chosen
    uint32_t ticket;   // of this launch: larger than any before
    uint32_t sm;
};

static_assert(sizeof(one_sm) == 16 && offsetof(one_sm, sm) == 12, "as harness/gpu.h packs it");

static __device__ uint32_t one_sm_here(void)
{
    uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

static __device__ bool one_sm_is_claimed(const one_sm &choice)
{
    return *(volatile uint32_t *)choice.claimed == choice.ticket;
}

static __device__ bool one_sm_claim(const one_sm &choice)
{
    bool first = atomicMax(choice.claimed, choice.ticket) < choice.ticket;
    if (first)
        choice.claimed[1] = one_sm_here();
    return first;
}

// Whether this CTA has the work; all its threads ask.
static __device__ bool one_sm_works(const one_sm &choice)
{
    enum { PATIENCE_NS = 100000, NAP_NS = 100 };
    bool works = false;
    if (!choice.claimed)
        return true;
    if (threadIdx.x == 0 && one_sm_here() == choice.sm)
        works = one_sm_claim(choice);
    else if (threadIdx.x == 0)
        for (uint64_t began = clock_nanoseconds();
             !one_sm_is_claimed(choice) && clock_nanoseconds() - began < PATIENCE_NS;)
            __nanosleep(NAP_NS);
    return __syncthreads_or(works);
}

// The number of this CTA among those that work, and how many do.
static __device__ uint32_t one_sm_cta(const one_sm &choice)
{
    return choice.claimed ? 0 : blockIdx.x;
}

static __device__ uint32_t one_sm_ctas(const one_sm &choice)
{
    return choice.claimed ? 1 : gridDim.x;
}
