// How is a large matrix transposed, tile by tile, so that it can be verified, counted and timed?
//
// A CTA takes a tile at a time; each of its threads moves 16 bytes in and 16 bytes out (8, of
// single bytes):
//
//   load    from global memory into registers, for the next two tiles while this one is at work
//   write   into shared memory
//   read    out of it, so that what was below each other is beside each other
//   store   to global memory
//
// In pieces, each at a place that the host gives; the model gets the same array.
#pragma once

#include "kernels/instructions.cuh"
#include "kernels/sweep.cuh"

// What every kernel of this kind is given. The host packs the same struct: bench/transpose_bench.h.
struct transpose_arguments {
    const uint8_t *in;
    uint8_t *out;
    const uint32_t *places; // [pieces of load, write, read, store][threads]
    uint64_t *clocks;       // [CTAs][2]: begin and end, or cycles and nanoseconds
    uint64_t *stuck;        // set when a barrier did not open
    uint32_t pitch_bytes;   // of a line of both matrices, which are square
    uint32_t line_bytes;    // of a tile
    uint32_t tile_lines;
    uint32_t across_shift; // as a power of two, tiles side by side in a matrix
    uint32_t boxes, box_elements, box_bytes, stage_bytes; // of TMA
    uint32_t patience_cycles;
    uint32_t threads, group_bytes; // of a tile, where a CTA has several at work
};

// ---- Pieces ------------------------------------------------------------------------------------

// Which of the threads of a tile.
struct transpose_thread {
    uint32_t number, of;
};

// The places of a thread's pieces, and where those of the next step begin.
template <int PIECES>
static __device__ const uint32_t *transpose_take(const uint32_t *places, transpose_thread thread,
                                                 uint32_t (&at)[PIECES])
{
#pragma unroll
    for (int i = 0; i < PIECES; i++)
        at[i] = places[i * thread.of + thread.number];
    return places + PIECES * thread.of;
}

template <int WIDTH, int COUNT> struct global_pieces {
    enum { count = COUNT, each = WIDTH > 4 ? WIDTH / 4 : 1, registers = COUNT * each };
    uint32_t at[COUNT];

    __device__ const uint32_t *take(const uint32_t *places, transpose_thread thread,
                                    uint32_t pitch_bytes)
    {
        places = transpose_take(places, thread, at);
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            at[i] = (at[i] >> 16) * pitch_bytes + (at[i] & 0xffff);
        return places;
    }

    __device__ void load(const uint8_t *tile, uint32_t (&r)[registers]) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const uint8_t *from = tile + at[i];
            if constexpr (WIDTH == 1)
                r[i] = __ldcg(from);
            if constexpr (WIDTH == 2)
                r[i] = __ldcg(reinterpret_cast<const uint16_t *>(from));
            if constexpr (WIDTH == 4)
                r[i] = __ldcg(reinterpret_cast<const uint32_t *>(from));
            if constexpr (WIDTH == 8)
                *reinterpret_cast<uint2 *>(&r[2 * i]) =
                    __ldcg(reinterpret_cast<const uint2 *>(from));
            if constexpr (WIDTH == 16)
                *reinterpret_cast<uint4 *>(&r[4 * i]) =
                    __ldcg(reinterpret_cast<const uint4 *>(from));
        }
    }

    __device__ void store(uint8_t *tile, const uint32_t (&r)[registers]) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint8_t *to = tile + at[i];
            if constexpr (WIDTH == 1)
                *to = (uint8_t)r[i];
            if constexpr (WIDTH == 2)
                *reinterpret_cast<uint16_t *>(to) = (uint16_t)r[i];
            if constexpr (WIDTH == 4)
                *reinterpret_cast<uint32_t *>(to) = r[i];
            if constexpr (WIDTH == 8)
                *reinterpret_cast<uint2 *>(to) = make_uint2(r[2 * i], r[2 * i + 1]);
            if constexpr (WIDTH == 16)
                *reinterpret_cast<uint4 *>(to) =
                    make_uint4(r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]);
        }
    }
};

// Instruction is one of kernels/instructions.cuh.
template <class Instruction, int COUNT> struct shared_pieces {
    enum { count = COUNT, each = Instruction::registers, registers = COUNT * each };
    uint32_t at[COUNT];

    // In the tile that begins at `base`.
    __device__ const uint32_t *take(const uint32_t *places, transpose_thread thread, uint32_t base)
    {
        places = transpose_take(places, thread, at);
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            at[i] += base;
        return places;
    }

    __device__ void write(const uint32_t (&r)[registers]) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint4 d = {r[i * each], 0, 0, 0};
            if constexpr (each == 4)
                d = make_uint4(r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]);
            Instruction::template store<0>(at[i], d, nullptr);
        }
    }

    // Behind `offset`, where a stage begins.
    __device__ void read(uint32_t offset, uint32_t (&r)[registers]) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint32_t d[4];
            Instruction::template load<0>(at[i] + offset, d);
#pragma unroll
            for (int j = 0; j < each; j++)
                r[i * each + j] = d[j];
        }
    }
};

// ---- Turning in registers ----------------------------------------------------------------------

struct turn_nothing {
    template <int N> static __device__ void turn(uint32_t (&)[N]) {}
};

// Pairs of words, of two elements each.
struct turn_2x2 {
    static __device__ void turn(uint32_t (&r)[4])
    {
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
            uint32_t a = r[i], b = r[i + 1];
            r[i] = __byte_perm(a, b, 0x5410);
            r[i + 1] = __byte_perm(a, b, 0x7632);
        }
    }
};

// Four words of four bytes.
struct turn_4x4 {
    static __device__ void turn(uint32_t (&r)[4])
    {
        uint32_t a = __byte_perm(r[0], r[1], 0x5140), b = __byte_perm(r[2], r[3], 0x5140);
        uint32_t c = __byte_perm(r[0], r[1], 0x7362), d = __byte_perm(r[2], r[3], 0x7362);
        r[0] = __byte_perm(a, b, 0x5410);
        r[1] = __byte_perm(a, b, 0x7632);
        r[2] = __byte_perm(c, d, 0x5410);
        r[3] = __byte_perm(c, d, 0x7632);
    }
};

// Bytes of two columns that ldmatrix.trans, which turns pairs of bytes, leaves beside each other.
struct turn_pairs {
    static __device__ void turn(uint32_t (&r)[4])
    {
        uint32_t a = r[0], b = r[1], c = r[2], d = r[3];
        r[0] = __byte_perm(a, b, 0x6420);
        r[1] = __byte_perm(c, d, 0x6420);
        r[2] = __byte_perm(a, b, 0x7531);
        r[3] = __byte_perm(c, d, 0x7531);
    }
};

// Bytes of two rows, so that those of a column are beside each other, as stmatrix.trans keeps
// pairs.
struct turn_rows {
    static __device__ void turn(uint32_t (&r)[4])
    {
        uint32_t a = r[0], b = r[1], c = r[2], d = r[3];
        r[0] = __byte_perm(a, c, 0x5140);
        r[1] = __byte_perm(a, c, 0x7362);
        r[2] = __byte_perm(b, d, 0x5140);
        r[3] = __byte_perm(b, d, 0x7362);
    }
};

// ---- Tiles -------------------------------------------------------------------------------------

struct transpose_walk {
    uint32_t row, col; // of the tile, in tiles

    __device__ transpose_walk(const transpose_arguments &a, uint32_t number)
    {
        uint32_t in_row = 1u << a.across_shift;
        row = number >> a.across_shift & (in_row - 1);
        col = number & (in_row - 1);
    }
};

static __device__ const uint8_t *transpose_from(const transpose_arguments &a, uint32_t number)
{
    transpose_walk at(a, number);
    return a.in + (size_t)at.row * a.tile_lines * a.pitch_bytes + at.col * a.line_bytes;
}

static __device__ uint8_t *transpose_to(const transpose_arguments &a, uint32_t number)
{
    transpose_walk at(a, number);
    return a.out + (size_t)at.col * a.tile_lines * a.pitch_bytes + at.row * a.line_bytes;
}

static __device__ void transpose_stop(const transpose_arguments &a, uint64_t began)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        a.clocks[2 * blockIdx.x] = began;
        a.clocks[2 * blockIdx.x + 1] = clock_nanoseconds();
    }
}

// Tiles 0 to tiles - 1; behind the last one of the matrix comes its first. The next two are on
// their way while one is at work.
template <class Load, class Pack, class Write, class Read, class Turn, class Store>
static __device__ void transpose_whole(const transpose_arguments &a, uint32_t tiles)
{
    Load load;
    Write write;
    Read read;
    Store store;
    uint32_t even[Load::registers], odd[Load::registers], tile = blockIdx.x;
    uint64_t began = clock_nanoseconds();
    transpose_thread thread = {threadIdx.x, blockDim.x};
    const uint32_t *places = load.take(a.places, thread, a.pitch_bytes);
    places = read.take(write.take(places, thread, sweep_base()), thread, sweep_base());
    store.take(places, thread, a.pitch_bytes);
    if (tile < tiles)
        load.load(transpose_from(a, tile), even);
    if (tile + gridDim.x < tiles)
        load.load(transpose_from(a, tile + gridDim.x), odd);
    auto work = [&](uint32_t(&in)[Load::registers]) {
        uint32_t out[Store::registers];
        Pack::turn(in);
        write.write(in);
        if (tile + 2 * gridDim.x < tiles)
            load.load(transpose_from(a, tile + 2 * gridDim.x), in);
        __syncthreads();
        read.read(0, out);
        Turn::turn(out);
        __syncthreads();
        store.store(transpose_to(a, tile), out);
        tile += gridDim.x;
    };
#pragma unroll 1
    while (tile < tiles) {
        work(even);
        if (tile < tiles)
            work(odd);
    }
    transpose_stop(a, began);
}

static __device__ void transpose_group_sync(uint32_t group, uint32_t threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "r"(threads) : "memory");
}

// Shared memory alone: what is read is what is written next. One CTA has a group of threads for
// each of several tiles, so that its clock sees the last of them end.
template <class Load, class Pack, class Write, class Read, class Turn, class Store>
static __device__ void transpose_shared(const transpose_arguments &a, uint32_t tiles)
{
    Load load;
    Write write;
    Read read;
    uint32_t data[Load::registers], threads = a.threads, group = threadIdx.x / threads;
    uint32_t base = sweep_base() + group * a.group_bytes;
    transpose_thread thread = {threadIdx.x % threads, threads};
    const uint32_t *places = load.take(a.places, thread, a.pitch_bytes);
    read.take(write.take(places, thread, base), thread, base);
    load.load(a.in, data);
    sweep_clock start = sweep_start();
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles; tile++) {
        Pack::turn(data);
        write.write(data);
        transpose_group_sync(group, threads);
        read.read(0, data);
        Turn::turn(data);
        transpose_group_sync(group, threads);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        a.clocks[2 * blockIdx.x] = (uint64_t)(clock64() - start.cycles);
        a.clocks[2 * blockIdx.x + 1] = clock_nanoseconds() - start.ns;
    }
    uint32_t all = 0;
#pragma unroll
    for (int i = 0; i < Load::registers; i++)
        all += data[i];
    reinterpret_cast<uint32_t *>(a.out)[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// At most so many threads, and room for 1024 of them on an SM.
#define TRANSPOSE_ENTRY(entry, threads, body)                                                      \
    extern "C" __global__ void __launch_bounds__(threads, 1024 / (threads))                        \
        entry(const __grid_constant__ transpose_arguments a, uint32_t tiles)                       \
    {                                                                                              \
        body;                                                                                      \
    }

#define TRANSPOSE_KERNELS(name, threads, ...)                                                      \
    TRANSPOSE_ENTRY(name##_whole, threads, (transpose_whole<__VA_ARGS__>(a, tiles)))               \
    TRANSPOSE_ENTRY(name##_shared, 1024, (transpose_shared<__VA_ARGS__>(a, tiles)))

// What comes out of shared memory, by the method: how it is read, turned and stored.
#define TRANSPOSE_READ_ELEMENTS(bytes)                                                             \
    shared_pieces<plain_load<bytes>, 4>, turn_nothing, global_pieces<bytes, 4>
#define TRANSPOSE_READ_WORDS(turn) shared_pieces<plain_load<4>, 4>, turn, global_pieces<4, 4>
#define TRANSPOSE_READ_MATRICES(turn, width)                                                       \
    shared_pieces<matrix_load_x4_trans, 1>, turn, global_pieces<width, 16 / width>
#define TRANSPOSE_READ_CHUNKS shared_pieces<plain_load<16>, 1>, turn_nothing, global_pieces<16, 1>
