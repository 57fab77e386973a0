/* How a made-up GPU transposes a tile: its ldmatrix, its stmatrix and its TMA are those of the PTX
 * documentation, lane by lane. Part of one test program, as tests/made_up_gpu.h, which comes before
 * it. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_TRANSPOSE_H
#define SWIZZLEBENCH_TESTS_MADE_UP_TRANSPOSE_H

#include <stdio.h>

#include "bench/transpose_bench.h"

enum { SMEM_BYTES = 100 * 1024, THREADS = 1024 };

/* ---- The made-up GPU ----------------------------------------------------------------------- */

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT,
        FLIPPED_WHEN_TIMED,
        FLIPPED_COPY, /* in the matrix in DRAM alone */
        LOST_TILE,
        IGNORES_TRANS,
        IGNORES_SWIZZLE,
        EXTRA_STORE_WAVEFRONT,
        EXTRA_LOAD_WAVEFRONT,
        MERGED_STORE,
        MERGED_LOAD,
        LOST_BOX,
        CLOSED_BARRIER
    } fault;
    bool refuses_maps;
    uint8_t smem[SMEM_BYTES];
} fake;

bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    static char entries[64][48]; /* of kernels that are found more than once, too */
    static size_t count;
    (void)unused, (void)error;
    bool is_new = strncmp(entry, "tma", 3) == 0 || strncmp(entry, "stmatrix", 8) == 0;
    assert_string_equal(fatbin, is_new ? "transpose_sm90" : "transpose");
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i], entry) == 0) {
            kernel->entry = entries[i];
            return true;
        }
    assert_true(count < 64);
    snprintf(entries[count], sizeof entries[count], "%s", entry);
    kernel->entry = entries[count++];
    return true;
}

/* A tensor map is what was asked for. */
struct map {
    gpu_address base;
    uint64_t pitch;
    uint32_t elem_bytes, box[2], swizzle;
};

bool gpu_tensor_map(struct gpu *unused, const struct tensor_map_request *request,
                    struct tensor_map *map, int *code, struct error *error)
{
    (void)unused, (void)error;
    struct map m = {request->address,
                    request->strides[0],
                    1u << request->dtype,
                    {request->box[0], request->box[1]},
                    request->swizzle};
    assert_int_equal(request->rank, 2);
    assert_int_equal(request->dims[0] * m.elem_bytes, m.pitch);
    assert_int_equal(request->dims[0], request->dims[1]);
    assert_true(m.swizzle == 0 || m.box[0] * m.elem_bytes == 16u << m.swizzle);
    memcpy(map->bytes, &m, sizeof m);
    *code = fake.refuses_maps;
    return true;
}

/* ---- Its kernels, by their names ----------------------------------------------------------- */

struct side {
    char way[64];
    unsigned pieces, instruction_pieces; /* of global and of shared memory */
};

struct kernel {
    struct side in, out;
    unsigned elem_bytes, thread_bytes;
    bool tma_out;
};

static unsigned pieces_of(const char *way)
{
    return strcmp(way, "elements") == 0 || strcmp(way, "words") == 0 ? 4
           : strcmp(way, "tma") == 0                                 ? 0
                                                                     : 1;
}

/* "chunks_ldmatrix_8x16b_16_whole" */
static struct kernel kernel_of(const char *entry)
{
    struct kernel k;
    char text[64], *last;
    snprintf(text, sizeof text, "%s", entry);
    last = strrchr(text, '_');
    assert_true(strcmp(last, "_whole") == 0 || strcmp(last, "_shared") == 0);
    *last = 0;
    last = strrchr(text, '_');
    k.tma_out = strcmp(last, "_tma") == 0;
    if (k.tma_out) {
        *last = 0;
        last = strrchr(text, '_');
    }
    k.elem_bytes = (unsigned)atoi(last + 1) / 8;
    *last = 0;
    char *out = strchr(text, '_');
    *out++ = 0;
    snprintf(k.in.way, sizeof k.in.way, "%s", text);
    snprintf(k.out.way, sizeof k.out.way, "%s", out);
    k.in.pieces = k.in.instruction_pieces = pieces_of(k.in.way);
    k.out.pieces = k.out.instruction_pieces = pieces_of(k.out.way);
    if (strcmp(k.in.way, "stmatrix") == 0)
        k.in.pieces = 2 / k.elem_bytes;
    if (strcmp(k.out.way, "ldmatrix") == 0)
        k.out.pieces = 2 / k.elem_bytes;
    if (strcmp(k.out.way, "ldmatrix_8x16b") == 0)
        k.out.pieces = 4;
    k.thread_bytes = strcmp(k.out.way, "elements") == 0 ? 4 * k.elem_bytes : 16;
    return k;
}

/* What a thread has in registers, byte by byte, and 32 bits each of a warp's. */
static uint8_t registers[THREADS][16];

static uint16_t *half(unsigned warp, unsigned lane, unsigned reg, unsigned which)
{
    return (uint16_t *)(void *)&registers[32 * warp + lane][4 * reg + 2 * which];
}

/* Plain accesses: of a thread's bytes, as many at each place. */
static void move_plain(const struct kernel *k, const uint32_t *places, unsigned pieces,
                       unsigned threads, bool writes)
{
    unsigned width = k->thread_bytes / pieces;
    for (unsigned p = 0; p < pieces; p++)
        for (unsigned t = 0; t < threads; t++) {
            uint8_t *there = &fake.smem[places[p * threads + t]], *here = &registers[t][p * width];
            assert_int_equal(places[p * threads + t] % width, 0);
            memcpy(writes ? there : here, writes ? here : there, width);
        }
}

/* Of matrix m, lane 4g + t has elements 2t and 2t + 1 of row g; with .trans, of column g. Lane 8m +
 * r gives the place of row r. */
static void move_matrices(const uint32_t *places, unsigned threads, bool writes)
{
    for (unsigned i = 0; i < threads * 8; i++) {
        unsigned warp = i / 256, lane = i / 8 % 32, m = i / 2 % 4, which = i % 2;
        unsigned row = lane / 4, col = 2 * (lane % 4) + which;
        if (fake.fault != IGNORES_TRANS) {
            unsigned turned = row;
            row = col;
            col = turned;
        }
        uint32_t at = places[32 * warp + 8 * m + row];
        assert_int_equal(at % 16, 0);
        uint16_t *here = half(warp, lane, m, which);
        memcpy(writes ? (void *)&fake.smem[at + 2 * col] : here,
               writes ? (void *)here : &fake.smem[at + 2 * col], 2);
    }
}

/* The swizzle exchanges 16-byte chunks by the number of the 128-byte line. */
static void load_boxes(const struct transpose_arguments *a, const struct map *map, unsigned row,
                       unsigned col)
{
    unsigned inner = map->box[0] * map->elem_bytes;
    assert_int_equal(inner * map->box[1], a->box_bytes);
    for (unsigned i = 0; i < a->boxes * a->box_bytes; i++) {
        unsigned box = i / a->box_bytes, line = i % a->box_bytes / inner, byte = i % inner;
        uint32_t place = box * a->box_bytes + line * inner + byte;
        uint32_t turn = fake.fault == IGNORES_SWIZZLE ? 0 : place / 128 % (1u << map->swizzle);
        fake.smem[place ^ turn * 16] =
            at(map->base)[(row * a->tile_lines + line) * map->pitch +
                          (col * a->boxes + box) * a->box_elements * map->elem_bytes + byte];
    }
}

/* Blocks of words are turned; and the bytes of two columns, parted. */
static void turn(const struct kernel *k, unsigned threads)
{
    unsigned side = 4 / k->elem_bytes, size = k->elem_bytes;
    bool words = strcmp(k->out.way, "words") == 0;
    bool pairs = strcmp(k->out.way, "ldmatrix") == 0 && size == 1;
    for (unsigned t = 0; t < threads && (words || pairs); t++) {
        uint8_t old[16];
        memcpy(old, registers[t], 16);
        for (unsigned i = 0; i < 16 && pairs; i++)
            registers[t][i] = old[i % 8 * 2 + i / 8];
        for (unsigned i = 0; i < 16 / size && words; i++) {
            unsigned block = i / (side * side), row = i / side % side, col = i % side;
            memcpy(&registers[t][i * size], &old[(block * side * side + col * side + row) * size],
                   size);
        }
    }
}

/* Bytes of two rows are laid beside each other. */
static void pack(unsigned threads)
{
    for (unsigned t = 0; t < threads; t++) {
        uint8_t old[16];
        memcpy(old, registers[t], 16);
        for (unsigned i = 0; i < 16; i++)
            registers[t][i] = old[i / 2 + i % 2 * 8];
    }
}

/* The turned tile is laid out line by line, and sent as one box. */
static void send_turned(const struct transpose_arguments *a, const struct map *map, unsigned row,
                        unsigned col, const uint8_t *turned)
{
    assert_int_equal(map->swizzle, 0);
    assert_int_equal(map->box[0], a->tile_lines);
    assert_int_equal(map->box[1], a->tile_lines);
    for (unsigned line = 0; line < a->tile_lines; line++)
        memcpy(at(map->base) + (col * a->tile_lines + line) * map->pitch + row * a->line_bytes,
               turned + line * a->line_bytes, a->line_bytes);
}

static void run_tile(const struct kernel *k, const struct gpu_launch *launch, uint32_t number)
{
    const struct transpose_arguments *a = launch->arguments[0];
    unsigned threads = launch->block_x, mask = (1u << a->across_shift) - 1;
    unsigned row = number >> a->across_shift, col = number & mask;
    const uint32_t *load = (const uint32_t *)(const void *)at(a->places);
    const uint32_t *write = load + k->in.pieces * threads;
    const uint32_t *read = write + k->in.instruction_pieces * threads;
    const uint32_t *store = read + k->out.instruction_pieces * threads;
    uint8_t *from = at(a->in) + (size_t)row * a->tile_lines * a->pitch_bytes + col * a->line_bytes;
    uint8_t *to = at(a->out) + (size_t)col * a->tile_lines * a->pitch_bytes + row * a->line_bytes;
    for (unsigned i = 0; i < k->in.pieces * threads; i++) {
        unsigned width = k->thread_bytes / k->in.pieces;
        memcpy(&registers[i % threads][i / threads * width],
               from + (load[i] >> 16) * a->pitch_bytes + (load[i] & 0xffff), width);
    }
    if (k->in.pieces == 2)
        pack(threads);
    if (strcmp(k->in.way, "tma") == 0)
        load_boxes(a, launch->arguments[2], row, col);
    else if (strcmp(k->in.way, "stmatrix") == 0)
        move_matrices(write, threads, true);
    else
        move_plain(k, write, k->in.instruction_pieces, threads, true);
    if (strncmp(k->out.way, "ldmatrix", 8) == 0)
        move_matrices(read, threads, false);
    else
        move_plain(k, read, k->out.instruction_pieces, threads, false);
    turn(k, threads);
    static uint8_t turned[64 * 256];
    for (unsigned i = 0; i < k->out.pieces * threads; i++) {
        unsigned width = k->thread_bytes / k->out.pieces;
        size_t pitch = k->tma_out ? a->line_bytes : a->pitch_bytes;
        memcpy((k->tma_out ? turned : to) + (store[i] >> 16) * pitch + (store[i] & 0xffff),
               &registers[i % threads][i / threads * width], width);
    }
    if (k->tma_out)
        send_turned(
            a,
            (const struct map *)(const void *)((const struct tensor_map *)launch->arguments[2])[1]
                .bytes,
            row, col, turned);
}

#endif
