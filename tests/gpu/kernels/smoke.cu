// targets: 75 80 86 89 90a 100a 103a 120a
// Kernels whose counts and faults are known beforehand, for tests/gpu/test_cuda.c.
#include <stdint.h>

extern __shared__ __align__(1024) uint32_t words[];

static __device__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

// Each warp runs 8 loads an iteration, whose lanes are stride words apart. The address grows by 0,
// which the compiler cannot know: without that it takes the loads out of the loop.
extern "C" __global__ void smoke_loads(uint32_t iterations, uint32_t stride, uint64_t *clocks,
                                       uint32_t *out)
{
    uint32_t address = shared_address(words) + threadIdx.x % 32 * stride * 4, sum = 0, r[8];
    uint64_t start_ns, stop_ns;

    __syncthreads();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start_ns));
    int64_t start = clock64();
    for (uint32_t i = 0; i < iterations; i++) {
        asm volatile("ld.shared.b32 %0, [%8];\n\tld.shared.b32 %1, [%8+4096];\n\t"
                     "ld.shared.b32 %2, [%8+8192];\n\tld.shared.b32 %3, [%8+12288];\n\t"
                     "ld.shared.b32 %4, [%8+16384];\n\tld.shared.b32 %5, [%8+20480];\n\t"
                     "ld.shared.b32 %6, [%8+24576];\n\tld.shared.b32 %7, [%8+28672];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]),
                       "=r"(r[6]), "=r"(r[7])
                     : "r"(address)
                     : "memory");
        sum += r[0] + r[1] + r[2] + r[3] + r[4] + r[5] + r[6] + r[7];
        address += iterations >> 31;
    }
    __syncthreads();
    int64_t stop = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(stop_ns));
    if (threadIdx.x == 0) {
        clocks[2 * blockIdx.x] = stop - start;
        clocks[2 * blockIdx.x + 1] = stop_ns - start_ns;
    }
    if (sum == 0x12345678)
        out[0] = sum;
}

extern "C" __global__ void smoke_nothing(void) {}

// out[0] = bytes of dynamic shared memory, out[1] = CTAs of the cluster.
extern "C" __global__ void smoke_shape(uint32_t *out)
{
    uint32_t bytes, ctas = 1;

    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
#if __CUDA_ARCH__ >= 900
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(ctas));
#endif
    words[bytes / 4 - 1] = bytes;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = words[bytes / 4 - 1];
        out[1] = ctas;
    }
}

extern "C" __global__ void smoke_fault(uint32_t *out)
{
    *(volatile uint32_t *)((uint64_t)out & 1) = 1;
}
