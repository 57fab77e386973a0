/* A GPU for the copy family: its lanes follow the kernel's table, its TMA moves boxes byte by byte,
 * and none of the code that says what should come out is asked; and it can be told to do one thing
 * wrong. Defines functions of harness/gpu.h, so that one file of a program includes it, behind
 * cmocka.h. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_COPY_H
#define SWIZZLEBENCH_TESTS_MADE_UP_COPY_H

#include <math.h>

#include "bench/copy_bench.h"
#include "bench/tma_bench.h"
#include "tests/made_up_gpu.h"

enum { SMEM_BYTES = 99 * 1024, LINE_BYTES = 1024 };

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT,
        LOST_MOVE,
        SHIFTED_MOVE,
        WRONG_STAGE,
        LAST_TILE_AGAIN,
        TILE_TOO_MANY,
        CLOSED_BARRIER,
        WRONG_SUM,
        LOST_STORE,
        EXTRA_SECTOR,
        MERGED_LOAD,
        MERGED_STORE,
        EXTRA_WAVEFRONT
    } fault;
    bool refuses_maps;
    uint32_t tile_ns, chip_tiles; /* what a tile takes on all SMs; how many the last CTA had */
    uint8_t smem[SMEM_BYTES];
} fake;

/* The kernel is its name. */
bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)error;
    const char *home = strncmp(entry, "plain", 5) == 0 ? "plain"
                       : strncmp(entry, "tma", 3) == 0 || strncmp(entry, "bulk", 4) == 0
                           ? "copy_tma"
                           : "copy";
    assert_string_equal(fatbin, home);
    kernel->entry = entry;
    return true;
}

#include "tests/made_up_map.h"

/* ---- Its kernels --------------------------------------------------------------------------- */

struct work {
    const struct copy_arguments *a;
    const struct tensor_map_request *map;
    const char *entry;
    unsigned lane_bytes, each; /* instructions of a thread */
    bool back, boxes, runs;
    uint64_t sectors, instructions, wavefronts;
};

static struct work work_of(const struct gpu_launch *launch)
{
    struct work w = {.a = launch->arguments[1], .entry = launch->kernel.entry};
    w.map = made_up_map(launch->arguments[0]);
    w.boxes = strncmp(w.entry, "tma", 3) == 0;
    w.runs = strncmp(w.entry, "bulk", 4) == 0;
    w.back = strncmp(w.entry, "back", 4) == 0 || strstr(w.entry, "store");
    if (!w.boxes && !w.runs) {
        const char *u = strstr(w.entry, "_u");
        assert_non_null(u);
        w.each = (unsigned)atoi(u + 2);
        const char *number = u - 1;
        while (number[-1] != '_')
            number--;
        w.lane_bytes = (unsigned)atoi(number);
    }
    return w;
}

static void move_byte(const struct work *w, uint8_t *global, uint32_t shared)
{
    assert_true(shared < SMEM_BYTES);
    if (w->back)
        *global = fake.smem[shared];
    else
        fake.smem[shared] = *global;
}

static void move_run(const struct work *w, uint8_t *global, uint32_t shared, unsigned bytes)
{
    for (unsigned byte = 0; byte < bytes; byte++)
        move_byte(w, global + byte, shared + byte);
}

static unsigned sectors_between(uintptr_t first, uintptr_t end)
{
    return (unsigned)((end - 1) / 32 - first / 32 + 1);
}

static void move_box(struct work *w, uint64_t x, uint64_t y, uint32_t shared)
{
    unsigned width = 2 * w->map->box[0];
    unsigned pitch = w->map->swizzle ? 16u << w->map->swizzle : width;
    assert_true(x + w->map->box[0] <= w->map->dims[0] && y + w->map->box[1] <= w->map->dims[1]);
    for (unsigned line = 0; line < w->map->box[1]; line++) {
        uint8_t *from = at(w->map->address) + (y + line) * w->map->strides[0] + 2 * x;
        w->sectors += sectors_between((uintptr_t)from, (uintptr_t)from + width);
        for (unsigned byte = 0; byte < width; byte++) {
            uint32_t to = shared + line * pitch + byte;
            move_byte(w, from + byte, made_up_swizzled(w->map, to));
        }
    }
}

/* Lines of the box one after the other, through all its dimensions. */
static void move_whole(struct work *w, const uint64_t start[4], uint32_t shared)
{
    const struct tensor_map_request *m = w->map;
    unsigned width = 2 * m->box[0], lines = m->box[1] * m->box[2] * m->box[3];
    assert_int_equal(m->rank, 4);
    for (unsigned line = 0; line < lines; line++) {
        uint64_t in[] = {line % m->box[1], line / m->box[1] % m->box[2],
                         line / m->box[1] / m->box[2]};
        uint8_t *from = at(m->address) + 2 * start[0];
        for (unsigned i = 0; i < 3; i++) {
            assert_true(start[i + 1] + in[i] < m->dims[i + 1]);
            from += (start[i + 1] + in[i]) * m->strides[i];
        }
        w->sectors += sectors_between((uintptr_t)from, (uintptr_t)from + width);
        for (unsigned byte = 0; byte < width; byte++) {
            uint32_t to = shared + line * width + byte;
            move_byte(w, from + byte, made_up_swizzled(m, to));
        }
    }
}

/* One more for every 128 bytes of shared memory in which a sector is cut. */
static void move_bulk(struct work *w, uint8_t *global, uint32_t shared, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += 16)
        w->sectors += i == 0 || (uintptr_t)(global + i) % 32 == 0 || (shared + i) % 128 == 0;
    move_run(w, global, shared, bytes);
}

/* A phase takes a wavefront for every word that its busiest bank has. cp.async is made up without
 * conflicts. */
static void add_wavefronts(struct work *w, const uint32_t *moves)
{
    unsigned lanes = 128 / w->lane_bytes;
    for (unsigned first = 0; first < 32; first += lanes) {
        unsigned words[32] = {0}, most = 0;
        for (unsigned i = 0; i < 32; i++) {
            uint32_t word = (moves[first + i * 4 / w->lane_bytes] & 0xffff) / 4;
            unsigned *bank = &words[(word + i % (w->lane_bytes / 4)) % 32];
            ++*bank;
            most = *bank > most ? *bank : most;
        }
        w->wavefronts += w->entry[0] == 'c' ? 1 : most;
    }
}

static void move_lanes(struct work *w, uint8_t *global, uint32_t stage, const uint32_t *moves)
{
    uint64_t seen[32];
    add_wavefronts(w, moves);
    for (unsigned lane = 0; lane < 32; lane++) {
        uint8_t *there = global + (moves[lane] >> 16) * 4;
        unsigned earlier = 0;
        seen[lane] = (uintptr_t)there / 32;
        while (seen[earlier] != seen[lane])
            earlier++;
        w->sectors += earlier == lane;
        move_run(w, there, stage + (moves[lane] & 0xffff), w->lane_bytes);
    }
}

static void move_tile(struct work *w, uint32_t tile, uint32_t stage, bool is_last)
{
    const struct copy_arguments *a = w->a;
    uint32_t across = 1u << a->across, count = a->instructions;
    uint8_t *global = at(a->global) + tile / across * a->row_bytes + tile % across * a->line_bytes;
    if (fake.fault == LOST_MOVE && is_last)
        count--;
    if (fake.fault == SHIFTED_MOVE && is_last)
        stage += 16;
    w->instructions += count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t move = a->moves[w->runs ? 2 * i : i], offset = (move >> 16) * 4;
        if (w->boxes && strstr(w->entry, "whole"))
            move_whole(w,
                       (uint64_t[4]){0, 0, tile % across * a->line_bytes / a->span_bytes,
                                     tile / across * a->lines / a->box_lines},
                       stage);
        else if (w->boxes)
            move_box(w, (tile % across * a->line_bytes + offset % LINE_BYTES) / 2,
                     (uint64_t)tile / across * a->lines + offset / LINE_BYTES,
                     stage + (move & 0xffff));
        else if (w->runs)
            move_bulk(w, global + offset, stage + (move & 0xffff), a->moves[2 * i + 1]);
        else
            move_lanes(w, global, stage, &a->moves[32 * i]);
    }
}

static void move_tiles(struct work *w, uint32_t tiles, uint64_t first)
{
    const struct copy_arguments *a = w->a;
    uint32_t count = tiles + (fake.fault == TILE_TOO_MANY);
    for (uint32_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count;
        uint32_t stage = (i + (fake.fault == WRONG_STAGE && is_last)) % a->stages;
        uint32_t tile = (uint32_t)first + i - (fake.fault == LAST_TILE_AGAIN && is_last);
        move_tile(w, tile & a->tile_mask, stage * a->stage_bytes, is_last);
    }
}

static void run_copy(const struct gpu_launch *launch)
{
    struct work w = work_of(launch);
    const struct copy_arguments *a = w.a;
    uint32_t tiles = *(uint32_t *)launch->arguments[2];
    uint64_t *cursor = (uint64_t *)(void *)at(a->cursor);
    assert_true(launch->dynamic_smem_bytes <= SMEM_BYTES);
    assert_true(COPY_BARRIER_BYTES + a->fill_bytes <= launch->dynamic_smem_bytes);
    assert_true(a->stages * a->stage_bytes <= a->fill_bytes);
    assert_int_equal(launch->block_x, a->stages * a->group_threads);
    assert_true(launch->block_x <= 1024);
    if (w.each)
        assert_int_equal(w.each * a->group_threads, a->instructions * 32);
    if (launch->grid_x > 1) { /* for its time alone */
        fake.chip_tiles = tiles;
        return;
    }
    for (uint32_t i = 0; i < a->fill_bytes / 4; i++) {
        uint32_t word = mix(a->seed + i);
        memcpy(fake.smem + 4 * i, &word, sizeof word);
    }
    move_tiles(&w, tiles, *cursor);
    *cursor += tiles;
    memcpy(at(a->out), fake.smem, a->out_bytes);
    if (fake.fault == FLIPPED_BIT)
        *(w.back ? at(a->global) : at(a->out)) ^= 1;
    if (fake.fault == CLOSED_BARRIER)
        *at(a->stuck) = 1;
}

/* All threads' words in the first one's sum. */
static void plain_loads(void **arguments, unsigned threads)
{
    const uint32_t *data = (const uint32_t *)(void *)at(*(gpu_address *)arguments[0]);
    uint64_t count = *(uint64_t *)arguments[1];
    uint32_t *sums = (uint32_t *)(void *)at(*(gpu_address *)arguments[2]);
    uint64_t moved = (uint64_t) * (uint32_t *)arguments[4] * threads * 8;
    uint32_t all = 0, part = 0;
    for (uint64_t i = 0; i < 4 * count; i++) {
        all += data[i];
        part += i < moved % count * 4 ? data[i] : 0;
    }
    memset(sums, 0, 4 * (size_t)threads);
    sums[0] = all * (uint32_t)(moved / count) + part + (fake.fault == WRONG_SUM);
}

static void plain_stores(void **arguments)
{
    uint32_t *data = (uint32_t *)(void *)at(*(gpu_address *)arguments[0]);
    uint64_t count = *(uint64_t *)arguments[1];
    uint32_t seed = *(uint32_t *)arguments[2];
    for (uint64_t i = 0; i < 4 * count; i++)
        data[i] = seed + (uint32_t)(i % 4);
    if (fake.fault == LOST_STORE)
        data[7]++;
}

/* CTA number i runs from 1000 + i to 2000 + i, and longer for its tiles. */
static void tell_spans(gpu_address address, unsigned ctas, uint64_t tiles_ns)
{
    uint64_t *spans = (uint64_t *)(void *)at(address);
    for (unsigned i = 0; i < ctas; i++) {
        spans[2 * i] = 1000 + i;
        spans[2 * i + 1] = 2000 + i + tiles_ns;
    }
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    (void)unused, (void)error;
    bool plain = strncmp(launch->kernel.entry, "plain", 5) == 0;
    if (!plain)
        run_copy(launch);
    else if (strcmp(launch->kernel.entry, "plain_loads") == 0)
        plain_loads(launch->arguments, launch->grid_x * launch->block_x);
    else
        plain_stores(launch->arguments);
    tell_spans(plain ? *(gpu_address *)launch->arguments[3]
                     : ((const struct copy_arguments *)launch->arguments[1])->spans,
               launch->grid_x, plain ? 0 : (uint64_t)fake.chip_tiles * fake.tile_ns);
    return true;
}

/* ---- Its counters and clocks --------------------------------------------------------------- */

/* Ten of everything are the control's. */
static double count_of(const char *name, const struct work *w, bool runs)
{
    bool async = strncmp(w->entry, "ca", 2) == 0 || strncmp(w->entry, "cg", 2) == 0;
    bool tma = w->boxes || w->runs;
    const char *op = async ? "ldgsts" : !tma ? NULL : w->back ? "tma_st" : "tma_ld";
    double base = strstr(name, "tma") ? 0 : 10; /* the control has no TMA */
    if (op ? !strstr(name, op) : strstr(name, "tma") || strstr(name, "ldgsts"))
        return base;
    bool shared = strstr(name, "shared") != NULL, load = strstr(name, "_ld.") != NULL;
    if (!op && load != (shared == w->back))
        return base;
    if (strstr(name, "sectors"))
        return base + (double)w->sectors + (fake.fault == EXTRA_SECTOR && runs);
    if (strstr(name, "wavefronts"))
        return base + (double)w->wavefronts + (fake.fault == EXTRA_WAVEFRONT && runs);
    bool merged = shared ? fake.fault == MERGED_STORE : fake.fault == MERGED_LOAD;
    return base + (double)w->instructions - (merged && runs);
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    struct work w = work_of(launch);
    uint32_t tiles = *(uint32_t *)launch->arguments[2];
    assert_int_equal(launch->grid_x, 1);
    move_tiles(&w, tiles, 5);
    for (size_t i = 0; i < set->count; i++)
        values[i] = count_of(set->names[i], &w, tiles > 0);
}

bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    struct work w = work_of(&timed->launch);
    (void)unused, (void)error;
    assert_ptr_equal(timed->one_sm, &w.a->choice);
    assert_ptr_equal(timed->iterations, timed->launch.arguments[2]);
    assert_int_equal(timed->n % w.a->stages, 0);
    assert_in_range(timed->n, w.a->stages, 1000);
    *timing = (struct timing){511, 512, 514, 5, 0, 1980, timed->one_sm ? timed->one_sm->sm : NAN};
    return true;
}

#endif
