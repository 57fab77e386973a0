// How is one shared-memory instruction run over a list of accesses, so that it can be verified,
// counted and timed?
//
// An access is 32 byte offsets from the start of dynamic shared memory, one a lane: a "slot". The
// host hands in the same array that it hands to the model. Four slots make a group; a warp keeps a
// group's four addresses in registers and runs each at four immediate offsets (copies), so that
// sixteen instructions in a row all have addresses of their own and ptxas can merge none of them.
// Then `step` is added to the addresses: 0 when it runs, which the compiler cannot know. A few such
// rounds make the body of the loop, as many as registers allow, so that a warp's wait at its end
// does not show.
//
// Shared memory holds SWEEP_COPIES images of SWEEP_COPY_BYTES; the host says what is in them. An
// Instruction is one of kernels/instructions.cuh.
#pragma once

#include <stdint.h>

#include "kernels/clock.cuh"

enum {
    SWEEP_SLOTS = 4,             // slots of a group
    SWEEP_COPIES = 4,            // copies of a slot in a round
    SWEEP_COPY_BYTES = 16 * 1024 // a multiple of every swizzle's repeat
};

// What every kernel of this file is given. The host packs the same struct: bench/access_run.c.
struct sweep_arguments {
    const uint32_t *offsets; // [groups * 4][32]: byte offset of each lane
    const uint32_t *sources; // [groups * 4][32]: cp.async alone, byte offset of each lane in source
    const uint4 *data;       // [groups * 4][32]: registers that a store takes
    const uint4 *image;      // what shared memory holds first
    const uint8_t *source;   // cp.async alone: what global memory holds
    uint32_t *out;           // sums or registers (loads), the bytes of shared memory (stores)
    uint64_t *clocks;        // [CTAs][2]: SM cycles and nanoseconds of the loop
    uint32_t image_bytes;    // 0: shared memory is left as it is
    uint32_t out_bytes;      // stores: how much of shared memory to copy out; 0: nothing
    uint32_t groups;         // of four slots; warp w takes groups w, w + warps, ...
    uint32_t warps;          // of a CTA
    uint32_t step;           // 0
    uint32_t chain_start;    // chains of loads: the slot whose addresses come first
    uint32_t active_mask;    // lanes that take part
};

extern __shared__ __align__(1024) uint8_t sweep_memory[];

static __device__ uint32_t sweep_base(void)
{
    return (uint32_t)__cvta_generic_to_shared(sweep_memory);
}

static __device__ void sweep_fill(const sweep_arguments &a)
{
    for (uint32_t i = threadIdx.x; i < a.image_bytes / 16; i += blockDim.x)
        reinterpret_cast<uint4 *>(sweep_memory)[i] = a.image[i];
    __syncthreads();
}

static __device__ void sweep_dump(const sweep_arguments &a)
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < a.out_bytes / 16; i += blockDim.x)
        reinterpret_cast<uint4 *>(a.out)[i] = reinterpret_cast<uint4 *>(sweep_memory)[i];
}

struct sweep_clock {
    int64_t cycles;
    uint64_t ns;
};

static __device__ sweep_clock sweep_start(void)
{
    __syncthreads();
    return {clock64(), clock_nanoseconds()};
}

static __device__ void sweep_stop(const sweep_arguments &a, sweep_clock start, uint32_t thread)
{
    __syncthreads();
    if (thread == 0) {
        a.clocks[2 * blockIdx.x] = (uint64_t)(clock64() - start.cycles);
        a.clocks[2 * blockIdx.x + 1] = clock_nanoseconds() - start.ns;
    }
}

// One group as a warp holds it.
struct sweep_group {
    uint32_t address[SWEEP_SLOTS];
    uint4 data[SWEEP_SLOTS];
    const uint8_t *source[SWEEP_SLOTS];
};

template <class Instruction>
static __device__ sweep_group sweep_take(const sweep_arguments &a, uint32_t group)
{
    sweep_group g = {};
#pragma unroll
    for (int s = 0; s < SWEEP_SLOTS; s++) {
        uint32_t at = (group * SWEEP_SLOTS + s) * 32 + threadIdx.x % 32;
        g.address[s] = sweep_base() + a.offsets[at];
        if (Instruction::takes_data)
            g.data[s] = a.data[at];
        if (Instruction::takes_source)
            g.source[s] = a.source + a.sources[at];
    }
    return g;
}

// Everything that a loop over groups needs, in registers before the clock starts.
struct sweep_loop {
    uint32_t iterations, step, thread, group, groups, warps;
};

// False; but only the host knows, so that nobody goes on before all of a first group is there.
static __device__ bool sweep_pending(const sweep_group &g)
{
    uint32_t all = UINT32_MAX, mixed = 0;
#pragma unroll
    for (int s = 0; s < SWEEP_SLOTS; s++) {
        all &= g.address[s];
        mixed ^= g.data[s].x ^ g.data[s].y ^ g.data[s].z ^ g.data[s].w;
        mixed ^= (uint32_t)(uintptr_t)g.source[s];
    }
    return (all == UINT32_MAX) & (mixed != 1);
}

// Sums with a 0 that the compiler cannot know, so that nothing is fetched again behind the barrier
// that gave it: one S2R, to find out threadIdx once more, is a wavefront in shared memory's total
// and costs a neighbour's load one lost turn at the banks.
static __device__ sweep_loop sweep_begin(const sweep_arguments &a, uint32_t iterations,
                                         uint32_t zero)
{
    uint32_t thread = threadIdx.x + zero;
    return {iterations + zero, a.step + zero, thread, thread / 32, a.groups + zero, a.warps + zero};
}

// A barrier that opens when every warp has its first group, so that no load from global memory
// comes back while shared memory is being measured.
static __device__ sweep_loop sweep_arrive(const sweep_arguments &a, uint32_t iterations,
                                          const sweep_group &g)
{
    return sweep_begin(a, iterations, (uint32_t)__syncthreads_or(sweep_pending(g)));
}

static __device__ bool sweep_lane_active(const sweep_arguments &a)
{
    return a.active_mask >> (threadIdx.x % 32) & 1;
}

static __device__ void sweep_step(sweep_group &g, uint32_t step)
{
#pragma unroll
    for (int s = 0; s < SWEEP_SLOTS; s++)
        g.address[s] += step;
}

// ---- Loads -------------------------------------------------------------------------------------

struct sweep_sum {
    uint32_t r[4];
};

// OFFSET: of the copy, in bytes.
template <class Instruction, int OFFSET>
static __device__ __forceinline__ void sweep_load_copy(const sweep_group &g, sweep_sum &sum)
{
    static_assert(OFFSET % 16 == 0, "a copy begins at a multiple of 16 bytes");
#pragma unroll
    for (int s = 0; s < SWEEP_SLOTS; s++) {
        uint32_t r[4] = {0, 0, 0, 0};
        Instruction::template load<OFFSET>(g.address[s], r);
#pragma unroll
        for (int j = 0; j < Instruction::registers; j++)
            sum.r[j] += r[j];
    }
}

// An iteration: every slot at each of the copies, which are so many bytes apart.
template <class Instruction, int PITCH>
static __device__ __forceinline__ void sweep_load_all(sweep_group &g, uint32_t step, sweep_sum &sum)
{
#pragma unroll
    for (int round = 0; round < Instruction::rounds; round++) {
        sweep_load_copy<Instruction, 0>(g, sum);
        sweep_load_copy<Instruction, PITCH>(g, sum);
        sweep_load_copy<Instruction, 2 * PITCH>(g, sum);
        sweep_load_copy<Instruction, 3 * PITCH>(g, sum);
        sweep_step(g, step);
    }
}

// Runs `iterations` bodies a group; out[thread][4] gets the sums of the registers.
template <class Instruction>
static __device__ void sweep_loads(const sweep_arguments &a, uint32_t iterations)
{
    sweep_fill(a);
    sweep_sum sum = {{0, 0, 0, 0}};
    bool active = sweep_lane_active(a);
    sweep_group g = sweep_take<Instruction>(a, threadIdx.x / 32);
    sweep_loop loop = sweep_arrive(a, iterations, g);
    sweep_clock start = sweep_start();
    while (active) {
#pragma unroll 1
        for (uint32_t i = 0; i < loop.iterations; i++)
            sweep_load_all<Instruction, SWEEP_COPY_BYTES>(g, loop.step, sum);
        loop.group += loop.warps;
        if (loop.group >= loop.groups)
            break;
        g = sweep_take<Instruction>(a, loop.group);
    }
    sweep_stop(a, start, loop.thread);
    uint4 *out = reinterpret_cast<uint4 *>(a.out);
    out[blockIdx.x * blockDim.x + loop.thread] = make_uint4(sum.r[0], sum.r[1], sum.r[2], sum.r[3]);
}

template <class Instruction, int COPY>
static __device__ void sweep_show_copy(const sweep_arguments &a, uint32_t slot, uint32_t address)
{
    uint32_t r[4] = {0, 0, 0, 0};
    Instruction::template load<COPY * SWEEP_COPY_BYTES>(address, r);
    uint4 *out = reinterpret_cast<uint4 *>(a.out);
    out[(slot * SWEEP_COPIES + COPY) * 32 + threadIdx.x % 32] = make_uint4(r[0], r[1], r[2], r[3]);
}

// Runs each slot at each copy once; out[slot][copy][lane][4] gets the registers themselves.
template <class Instruction> static __device__ void sweep_show(const sweep_arguments &a)
{
    sweep_fill(a);
    if (!sweep_lane_active(a))
        return;
    for (uint32_t slot = threadIdx.x / 32; slot < a.groups * SWEEP_SLOTS; slot += blockDim.x / 32) {
        uint32_t address = sweep_base() + a.offsets[slot * 32 + threadIdx.x % 32];
        sweep_show_copy<Instruction, 0>(a, slot, address);
        sweep_show_copy<Instruction, 1>(a, slot, address);
        sweep_show_copy<Instruction, 2>(a, slot, address);
        sweep_show_copy<Instruction, 3>(a, slot, address);
    }
}

// Latency: each load's address is what the one before it read. The host lays the addresses into
// the image; a warp goes round all slots of the list. out[lane][2] gets the last address first.
template <class Instruction>
static __device__ void sweep_load_chain(const sweep_arguments &a, uint32_t iterations)
{
    sweep_fill(a);
    uint32_t address = sweep_base() + a.offsets[a.chain_start * 32 + threadIdx.x % 32];
    uint32_t rest = 0; // keeps ptxas from narrowing a wide load to the register that is used
    sweep_clock start = sweep_start();
    if (sweep_lane_active(a)) {
#pragma unroll 4
        for (uint32_t i = 0; i < iterations; i++) {
            uint32_t r[4];
            Instruction::template load<0>(address, r);
            address = r[0];
#pragma unroll
            for (int j = 1; j < Instruction::registers; j++)
                rest += r[j];
        }
    }
    sweep_stop(a, start, threadIdx.x);
    a.out[2 * threadIdx.x] = address - sweep_base();
    a.out[2 * threadIdx.x + 1] = rest;
}

// ---- Stores ------------------------------------------------------------------------------------

// From so many bytes behind the sources of the group.
template <class Instruction, int OFFSET>
static __device__ __forceinline__ void sweep_store_copy(const sweep_group &g, uint32_t moved)
{
#pragma unroll
    for (int s = 0; s < SWEEP_SLOTS; s++)
        Instruction::template store<OFFSET>(g.address[s], g.data[s], g.source[s] + moved);
}

// Runs `iterations` bodies a group; out gets the first out_bytes of shared memory.
template <class Instruction>
static __device__ void sweep_stores(const sweep_arguments &a, uint32_t iterations)
{
    sweep_fill(a);
    bool active = sweep_lane_active(a);
    sweep_group g = sweep_take<Instruction>(a, threadIdx.x / 32);
    sweep_loop loop = sweep_arrive(a, iterations, g);
    sweep_clock start = sweep_start();
    while (active) {
#pragma unroll 1
        for (uint32_t i = 0; i < loop.iterations; i++) {
#pragma unroll
            for (int round = 0; round < Instruction::rounds; round++) {
                sweep_store_copy<Instruction, 0>(g, 0);
                sweep_store_copy<Instruction, SWEEP_COPY_BYTES>(g, 0);
                sweep_store_copy<Instruction, 2 * SWEEP_COPY_BYTES>(g, 0);
                sweep_store_copy<Instruction, 3 * SWEEP_COPY_BYTES>(g, 0);
                sweep_step(g, loop.step);
            }
        }
        loop.group += loop.warps;
        if (loop.group >= loop.groups)
            break;
        g = sweep_take<Instruction>(a, loop.group);
    }
    Instruction::drain();
    sweep_stop(a, start, loop.thread);
    sweep_dump(a);
}

// Latency of a store: a one-word load of the first active lane's word goes out behind it, and the
// next store's data is what that load returned. What is asynchronous is waited for instead.
template <class Instruction>
static __device__ void sweep_store_chain(const sweep_arguments &a, uint32_t iterations)
{
    sweep_fill(a);
    sweep_clock start = sweep_start();
    uint32_t word = 0;
    if (sweep_lane_active(a)) {
        for (uint32_t group = threadIdx.x / 32; group < a.groups; group += blockDim.x / 32) {
            sweep_group g = sweep_take<Instruction>(a, group);
            uint32_t first[SWEEP_SLOTS];
#pragma unroll
            for (int s = 0; s < SWEEP_SLOTS; s++)
                first[s] = __shfl_sync(a.active_mask, g.address[s], __ffs(a.active_mask) - 1);
#pragma unroll 1
            for (uint32_t i = 0; i < iterations; i++) {
#pragma unroll
                for (int s = 0; s < SWEEP_SLOTS; s++) {
                    g.data[s].x = word;
                    Instruction::template store<0>(g.address[s], g.data[s], g.source[s]);
                    if (Instruction::takes_source)
                        Instruction::drain();
                    else
                        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(first[s]));
                }
            }
        }
    }
    sweep_stop(a, start, threadIdx.x);
    a.out[threadIdx.x] = word;
}

// ---- Nothing -----------------------------------------------------------------------------------
//
// The control: everything that the kernels above do but the instruction itself. Its counts are
// subtracted from theirs.
template <class Instruction>
static __device__ void sweep_control(const sweep_arguments &a, uint32_t iterations)
{
    sweep_fill(a);
    sweep_group g = sweep_take<Instruction>(a, threadIdx.x / 32);
    sweep_loop loop = sweep_arrive(a, iterations, g);
    sweep_clock start = sweep_start();
    sweep_stop(a, start, loop.thread);
    a.out[blockIdx.x * blockDim.x + loop.thread] =
        loop.iterations + loop.step + loop.group + loop.groups + loop.warps;
}

// ---- Entry points ------------------------------------------------------------------------------
//
// One line a kernel: NAME_show, NAME_sweep, NAME_chain and NAME_control of a load, and the same
// without _show of a store.
#define SWEEP_ENTRY(entry, body)                                                                   \
    extern "C" __global__ void __launch_bounds__(1024, 1)                                          \
        entry(const __grid_constant__ sweep_arguments a, uint32_t iterations)                      \
    {                                                                                              \
        body;                                                                                      \
    }

#define SWEEP_LOAD_KERNELS(name, ...)                                                              \
    SWEEP_ENTRY(name##_show, sweep_show<__VA_ARGS__>(a))                                           \
    SWEEP_ENTRY(name##_sweep, sweep_loads<__VA_ARGS__>(a, iterations))                             \
    SWEEP_ENTRY(name##_chain, sweep_load_chain<__VA_ARGS__>(a, iterations))                        \
    SWEEP_ENTRY(name##_control, sweep_control<__VA_ARGS__>(a, iterations))

#define SWEEP_STORE_KERNELS(name, ...)                                                             \
    SWEEP_ENTRY(name##_sweep, sweep_stores<__VA_ARGS__>(a, iterations))                            \
    SWEEP_ENTRY(name##_chain, sweep_store_chain<__VA_ARGS__>(a, iterations))                       \
    SWEEP_ENTRY(name##_control, sweep_control<__VA_ARGS__>(a, iterations))
