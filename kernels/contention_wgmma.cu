// targets: 90a
// What do wgmma and whatever fills another stage cost each other?
#include "kernels/contention.cuh"
#include "kernels/wgmma_accumulators.cuh"

enum { WARPGROUP = 128, MOST_THREADS = 384 };

// One warpgroup; products as in kernels/wgmma.cuh: an iteration is all pairs of descriptors.
template <class Multiply, class Registers>
static __device__ __forceinline__ void contention_multiply(const contention_arguments &a,
                                                           Multiply multiply, Registers registers)
{
    wgmma_declare(registers);
    uint64_t base = sweep_base() >> 4, from_a[CONTENTION_STEPS], from_b[CONTENTION_STEPS];
#pragma unroll
    for (int step = 0; step < CONTENTION_STEPS; step++) {
        from_a[step] = a.a[step] + base;
        from_b[step] = a.b[step] + base;
    }
    sweep_loop loop = contention_arrive(a, a.reader, a.reader_iterations, sweep_group{});
    contention_marks marks(loop.thread);
    contention_go(marks, loop.iterations, [&] {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < CONTENTION_STEPS; step++)
            multiply(from_a[step], from_b[step]);
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
    });
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    contention_meet(a, false);
    marks.tell(a, loop.thread);
    if (blockIdx.x == 0)
        wgmma_tell(a.reader.out + loop.thread, WARPGROUP, registers);
}

// bf16, both operands K-major.
template <int N> struct multiplication;

#define MULTIPLICATION(cols)                                                                       \
    template <> struct multiplication<cols> {                                                      \
        __device__ __forceinline__ void operator()(uint64_t of_a, uint64_t of_b) const             \
        {                                                                                          \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #cols                                 \
                         "k16.f32.bf16.bf16 {" WGMMA_D##cols                                       \
                         "}, %0, %1, accumulate, 1, 1, 0, 0;" ::"l"(of_a),                         \
                         "l"(of_b)                                                                 \
                         : "memory");                                                              \
        }                                                                                          \
    };

#define READ(cols) contention_multiply(a, multiplication<cols>(), wgmma_registers<cols>())

#define WGMMA_ENTRIES(cols)                                                                        \
    MULTIPLICATION(cols)                                                                           \
    CONTENTION_ENTRIES(n##cols, MOST_THREADS, READ(cols))                                          \
    CONTENTION_TMA_ENTRY(n##cols, MOST_THREADS, READ(cols))

WGMMA_ENTRIES(64)
WGMMA_ENTRIES(128)
WGMMA_ENTRIES(256)
