// How do warps that read one stage of shared memory and warps that fill another run beside each
// other, so that the rate of each side is known while both run?
//
// A CTA has reader warps, then writer warps. Each side goes round its own loop, free of the other,
// in CONTENTION_SEGMENTS segments of equally many iterations, and each warp keeps the clock at the
// end of every segment: lane n that of mark n, so that nothing is written to memory before all is
// over. The host takes the window in which all warps run, and counts what each side did in it. A
// side without iterations stays idle: the same kernel measures either side alone.
//
// Readers and writers that go lane by lane are those of kernels/sweep.cuh: four slots at four
// copies. Copy n of the image begins at n * CONTENTION_PITCH: the stage that is read in its first
// half, the one that is written in its second. Sources of copies move on through a tensor in L2, by
// source_step.
#pragma once

#include "kernels/barrier.cuh"
#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

#include <type_traits>

enum {
    CONTENTION_PITCH = 4096,
    CONTENTION_SEGMENTS = 31,
    CONTENTION_STEPS = 8, // wgmma of an iteration
    CONTENTION_MOST_THREADS = 512,
};

// A CUtensorMap.
struct alignas(64) contention_map {
    uint8_t bytes[128];
};

// What every kernel is given. The host packs the same struct: bench/contention_bench.h.
struct contention_arguments {
    sweep_arguments reader; // out: sums or accumulators of CTA 0; image: all of shared memory
    sweep_arguments writer; // out: all of shared memory of the last CTA, afterwards
    uint32_t *marks;        // [warp of CTA 0][32]: low half of the SM's clock
    uint64_t *stuck;        // set by a barrier that did not open
    uint64_t a[CONTENTION_STEPS], b[CONTENTION_STEPS]; // descriptors of wgmma
    uint32_t reader_iterations, writer_iterations;     // of a segment
    uint32_t source_step, source_mask;                 // bytes from iteration to iteration
    uint32_t box_offset, box_bytes, box_lines;         // TMA: a box of each warp, and its place
    uint32_t box_mask;                                 // boxes of the tensor, less one
    uint32_t barrier_offset;                           // of a barrier of each warp
    uint32_t patience_cycles;
};

static_assert(sizeof(contention_arguments) == 360, "as bench/contention_bench.h packs it");

struct contention_marks {
    uint32_t lane, mine;

    __device__ __forceinline__ contention_marks(uint32_t thread) : lane(thread % 32), mine(0) {}

    __device__ __forceinline__ void set(uint32_t number)
    {
        uint32_t now = (uint32_t)clock();
        mine = lane == number ? now : mine;
    }

    __device__ __forceinline__ void tell(const contention_arguments &a, uint32_t thread) const
    {
        if (blockIdx.x == 0)
            a.marks[thread] = mine;
    }
};

// ---- Where both sides meet ---------------------------------------------------------------------

// Both come here from places of their own in the program; those of __syncthreads() must be one.
// Nobody arrives before it is known that nothing is pending.
static __device__ __forceinline__ void contention_meet(const contention_arguments &a, bool pending)
{
    uint32_t threads = (a.reader.warps + a.writer.warps) * 32;
    asm volatile("barrier.cta.sync 1, %0;" ::"r"(threads + (uint32_t)pending) : "memory");
}

// As sweep_arrive(), whose barrier also brings the 0.
static __device__ __forceinline__ sweep_loop contention_arrive(const contention_arguments &a,
                                                               const sweep_arguments &side,
                                                               uint32_t iterations,
                                                               const sweep_group &g)
{
    bool pending = sweep_pending(g);
    contention_meet(a, pending);
    return sweep_begin(side, iterations, (uint32_t)__any_sync(~0u, pending));
}

// Runs a segment's iterations, and marks its end, time after time.
template <class Body>
static __device__ __forceinline__ void contention_go(contention_marks &marks, uint32_t iterations,
                                                     Body body)
{
    marks.set(0);
#pragma unroll 1
    for (uint32_t segment = 1; segment <= CONTENTION_SEGMENTS; segment++) {
#pragma unroll 1
        for (uint32_t i = 0; i < iterations; i++)
            body();
        marks.set(segment);
    }
}

// ---- Readers -----------------------------------------------------------------------------------

template <class Instruction>
static __device__ __forceinline__ void contention_read(const contention_arguments &a, uint32_t warp)
{
    sweep_sum sum = {{0, 0, 0, 0}};
    sweep_group g = sweep_take<Instruction>(a.reader, warp % a.reader.groups);
    sweep_loop loop = contention_arrive(a, a.reader, a.reader_iterations, g);
    contention_marks marks(loop.thread);
    contention_go(marks, loop.iterations,
                  [&] { sweep_load_all<Instruction, CONTENTION_PITCH>(g, loop.step, sum); });
    contention_meet(a, false);
    marks.tell(a, loop.thread);
    if (blockIdx.x == 0)
        reinterpret_cast<uint4 *>(a.reader.out)[loop.thread] =
            make_uint4(sum.r[0], sum.r[1], sum.r[2], sum.r[3]);
}

// ---- Writers -----------------------------------------------------------------------------------

// A copy through registers: st.shared of what ld.global has brought.
struct global_store : plain_store<16> {
    enum { rounds = 1, takes_data = 0, takes_source = 1 };

    template <int OFFSET> static __device__ void fetch(const uint8_t *source, uint4 &d)
    {
        asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4+%5];"
                     : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
                     : "l"(source), "n"(OFFSET));
    }
};

// Those of the others are there, or are fetched by the instruction itself.
template <class Instruction, int COPY>
static __device__ __forceinline__ void contention_fetch(sweep_group &g, uint32_t moved)
{
    if constexpr (std::is_same<Instruction, global_store>::value) {
#pragma unroll
        for (int s = 0; s < SWEEP_SLOTS; s++)
            Instruction::template fetch<COPY * CONTENTION_PITCH>(g.source[s] + moved, g.data[s]);
    }
}

template <class Instruction, int COPY>
static __device__ __forceinline__ void contention_store(sweep_group &g, uint32_t moved)
{
    contention_fetch<Instruction, COPY>(g, moved);
    sweep_store_copy<Instruction, COPY * CONTENTION_PITCH>(g, moved);
}

// Warps begin at other places of the tensor, so that none finds in L1 what another has fetched.
template <class Instruction>
static __device__ __forceinline__ void contention_write(const contention_arguments &a,
                                                        uint32_t warp)
{
    warp -= a.reader.warps;
    sweep_group g = sweep_take<Instruction>(a.writer, warp % a.writer.groups);
    sweep_loop loop = contention_arrive(a, a.writer, a.writer_iterations, g);
    uint32_t moved = warp * a.source_step & a.source_mask;
    uint32_t step = a.source_step * a.writer.warps, mask = a.source_mask;
    contention_marks marks(loop.thread);
    contention_go(marks, loop.iterations, [&] {
#pragma unroll
        for (int round = 0; round < Instruction::rounds; round++) {
            contention_store<Instruction, 0>(g, moved);
            contention_store<Instruction, 1>(g, moved);
            contention_store<Instruction, 2>(g, moved);
            contention_store<Instruction, 3>(g, moved);
            sweep_step(g, loop.step);
        }
        moved = moved + step & mask;
    });
    Instruction::drain();
    contention_meet(a, false);
    marks.tell(a, loop.thread);
}

// Each warp keeps a box of its own on the way: see kernels/tma.cuh.
static __device__ __forceinline__ void contention_send(const contention_map &map,
                                                       const contention_arguments &a, uint32_t warp)
{
    warp -= a.reader.warps;
    uint32_t to = sweep_base() + a.box_offset + warp * a.box_bytes;
    uint32_t barrier = sweep_base() + a.barrier_offset + 8 * warp;
    uint32_t box = warp, parity = 0;
    bool opens = true;
    if (threadIdx.x % 32 == 0) {
        barrier_init(barrier, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    barrier_proxy_fence();
    sweep_loop loop = contention_arrive(a, a.writer, a.writer_iterations, sweep_group{});
    contention_marks marks(loop.thread);
    contention_go(marks, loop.iterations, [&] {
        if (opens && threadIdx.x % 32 == 0) {
            barrier_expect(barrier, a.box_bytes);
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
                         "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                         "l"(&map), "r"(0), "r"(box * a.box_lines), "r"(barrier)
                         : "memory");
        }
        __syncwarp();
        opens = opens && barrier_wait(barrier, parity, a.patience_cycles, a.stuck);
        parity ^= 1;
        box = box + a.writer.warps & a.box_mask;
    });
    contention_meet(a, false);
    marks.tell(a, loop.thread);
}

// ---- Entry points: what reads, then what writes ------------------------------------------------

// Shared memory is there for all, threads and asynchronous readers alike, when all have arrived.
static __device__ __forceinline__ void contention_open(const contention_arguments &a)
{
    sweep_fill(a.reader);
#if __CUDA_ARCH__ >= 900
    barrier_proxy_fence();
#endif
}

static __device__ __forceinline__ void contention_close(const contention_arguments &a)
{
    if (blockIdx.x == gridDim.x - 1)
        sweep_dump(a.writer);
}

#define CONTENTION_ENTRY(name, most_threads, read, write)                                          \
    extern "C" __global__ void __launch_bounds__(most_threads, 1)                                  \
        name(const __grid_constant__ contention_map map,                                           \
             const __grid_constant__ contention_arguments a)                                       \
    {                                                                                              \
        contention_open(a);                                                                        \
        uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0);                                     \
        if (warp < a.reader.warps)                                                                 \
            read;                                                                                  \
        else                                                                                       \
            write;                                                                                 \
        contention_close(a);                                                                       \
    }

// A kernel for each writer that goes lane by lane.
#define CONTENTION_ENTRIES(reads, most_threads, read)                                              \
    CONTENTION_ENTRY(reads##_st_4, most_threads, read, contention_write<plain_store<4>>(a, warp))  \
    CONTENTION_ENTRY(reads##_st_16, most_threads, read,                                            \
                     contention_write<plain_store<16>>(a, warp))                                   \
    CONTENTION_ENTRY(reads##_ld_st_16, most_threads, read,                                         \
                     contention_write<global_store>(a, warp))                                      \
    CONTENTION_ENTRY(reads##_ca_4, most_threads, read, contention_write<copy_4_ca>(a, warp))       \
    CONTENTION_ENTRY(reads##_ca_8, most_threads, read, contention_write<copy_8_ca>(a, warp))       \
    CONTENTION_ENTRY(reads##_ca_16, most_threads, read, contention_write<copy_16_ca>(a, warp))     \
    CONTENTION_ENTRY(reads##_cg_16, most_threads, read, contention_write<copy_16_cg>(a, warp))

#define CONTENTION_TMA_ENTRY(reads, most_threads, read)                                            \
    CONTENTION_ENTRY(reads##_tma, most_threads, read, contention_send(map, a, warp))
