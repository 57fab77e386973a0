// How do threads wait for TMA, and for each other, at a barrier in shared memory (an mbarrier)?
#pragma once

#include <stdint.h>

static __device__ void barrier_init(uint32_t barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
}

// Arrives, and lets the barrier wait for so many bytes more.
static __device__ void barrier_expect(uint32_t barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

static __device__ bool barrier_try_wait(uint32_t barrier, uint32_t parity)
{
    uint32_t open;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(open)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return open;
}

// False, and *stuck set, when the barrier has not opened in time; a patience of 0 has no end.
static __device__ bool barrier_wait(uint32_t barrier, uint32_t parity, uint32_t patience_cycles,
                                    uint64_t *stuck)
{
    if (barrier_try_wait(barrier, parity))
        return true;
    int64_t began = clock64();
    while (!barrier_try_wait(barrier, parity))
        if (patience_cycles && clock64() - began > patience_cycles) {
            *stuck = 1;
            return false;
        }
    return true;
}

// What threads have written to shared memory before is there for TMA and wgmma after.
static __device__ void barrier_proxy_fence(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
