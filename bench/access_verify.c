/* Did the right bytes arrive? Every register that a load filled, or all of shared memory after a
 * store, against random data; and the sums that the timed kernel itself returns. */
#include "bench/access_bench.h"

#include <string.h>

#include "harness/outside.h"

static uint64_t next_random(struct access_bench *b)
{
    uint64_t z = b->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fill_random(struct access_bench *b, void *bytes, size_t count)
{
    uint8_t *out = bytes;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = next_random(b);
        memcpy(out + i, &word, count - i < 8 ? count - i : 8);
    }
}

/* The bytes that the program sees, copy by copy: random, or what cp.async reads. */
static void make_tiles(struct run *r)
{
    struct access_bench *b = r->bench;
    const struct access_plan *plan = r->plan;

    fill_random(b, b->tile, sizeof b->tile);
    fill_random(b, b->source, sizeof b->source);
    if (plan->instruction->kind == SWB_CP_ASYNC) {
        for (unsigned copy = 0; copy < COPIES; copy++)
            for (unsigned slot = 0; slot < plan->slots; slot++)
                for (unsigned lane = 0; lane < SWB_LANES; lane++)
                    memcpy(&b->tile[copy][plan->tile_bytes_at[slot][lane]],
                           &b->source[copy * COPY_BYTES + plan->sources[slot][lane]],
                           plan->instruction->lane_bytes);
    } else if (!r->loads) {
        /* A store's registers are the same for each copy. */
        for (unsigned copy = 1; copy < COPIES; copy++)
            memcpy(b->tile[copy], b->tile[0], sizeof b->tile[0]);
    }
}

/* Shared memory before the kernel runs: poison, and for loads the tiles in their places. */
static void make_image(struct run *r)
{
    struct access_bench *b = r->bench;
    fill_random(b, b->image, sizeof b->image);
    if (!r->loads)
        return;
    for (unsigned copy = 0; copy < COPIES; copy++)
        for (unsigned byte = 0; byte < r->plan->tile_bytes; byte++)
            b->image[copy * COPY_BYTES + r->plan->place[byte]] = b->tile[copy][byte];
}

static uint32_t tile_register(const struct run *r, unsigned slot, unsigned copy, unsigned lane,
                              unsigned reg)
{
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4 && byte < r->plan->instruction->lane_bytes; byte++) {
        unsigned piece_lane, piece_byte;
        access_register_byte(r->plan->instruction, lane, reg, byte, &piece_lane, &piece_byte);
        unsigned at = r->plan->tile_bytes_at[slot][piece_lane] + piece_byte;
        value |= (uint32_t)r->bench->tile[copy][at] << 8 * byte;
    }
    return value;
}

/* Lane addresses, sources and registers, the slots repeated to fill the list. */
static void make_lists(struct run *r)
{
    struct access_bench *b = r->bench;
    const struct access_plan *plan = r->plan;
    for (unsigned i = 0; i < PLAN_MAX_SLOTS; i++) {
        unsigned slot = i % plan->slots;
        memcpy(b->offsets[i], plan->offsets[slot], sizeof b->offsets[i]);
        memcpy(b->sources[i], plan->sources[slot], sizeof b->sources[i]);
        for (unsigned lane = 0; lane < SWB_LANES && plan->instruction->kind != SWB_CP_ASYNC; lane++)
            for (unsigned reg = 0; reg < access_registers(plan->instruction); reg++)
                b->data[i][lane][reg] = tile_register(r, slot, 0, lane, reg);
    }
}

static bool upload(struct run *r)
{
    struct access_bench *b = r->bench;
    const struct sweep_arguments *d = &b->device;
    return gpu_upload(r->gpu, d->offsets, b->offsets, sizeof b->offsets, r->error) &&
           gpu_upload(r->gpu, d->sources, b->sources, sizeof b->sources, r->error) &&
           gpu_upload(r->gpu, d->data, b->data, sizeof b->data, r->error) &&
           gpu_upload(r->gpu, d->image, b->image, IMAGE_BYTES, r->error) &&
           gpu_upload(r->gpu, d->source, b->source, SOURCE_BYTES, r->error);
}

static bool wrong(struct run *r, const char *format, unsigned slot, unsigned copy, unsigned lane,
                  unsigned reg, uint32_t found, uint32_t expected)
{
    r->row->verified = VERIFIED_NO;
    row_end(r->row, ROW_FAILED, format, slot, copy, lane, reg, (unsigned)found, (unsigned)expected);
    return true;
}

/* Every register of every slot and copy, from a kernel that shows them. */
static bool verify_registers(struct run *r)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;
    size_t bytes = (size_t)access_groups(r->plan->slots, 1) * GROUP_SLOTS * sizeof b->registers[0];

    if (!access_prepare(r, "show", 1, WARPS, &launch))
        return false;
    r->arguments.groups = access_groups(r->plan->slots, 1);
    if (!gpu_fill(r->gpu, b->device.out, 0xa5, bytes, r->error) || !access_launch(r, &launch) ||
        !gpu_download(r->gpu, b->registers, b->device.out, bytes, r->error))
        return false;
    for (unsigned slot = 0; slot < r->plan->slots; slot++)
        for (unsigned copy = 0; copy < COPIES; copy++)
            for (unsigned lane = 0; lane < SWB_LANES; lane++)
                for (unsigned reg = 0; reg < access_registers(r->plan->instruction); reg++) {
                    uint32_t expected = tile_register(r, slot, copy, lane, reg);
                    uint32_t found = b->registers[slot][copy][lane][reg];
                    if (r->plan->active_mask >> lane & 1 && found != expected)
                        return wrong(r,
                                     "wrong bytes: position %u copy %u lane %u register %u holds "
                                     "%08x, not %08x",
                                     slot, copy, lane, reg, found, expected);
                }
    return true;
}

/* The kernel that is timed, as often round its loop as it is when counted. */
static bool prepare_sweep(struct run *r, unsigned warps, struct gpu_launch *launch)
{
    if (!access_prepare(r, "sweep", 1, warps, launch))
        return false;
    r->iterations = outside_iterations(r->iterations);
    return true;
}

/* The sums that the timed kernel itself returns. */
static bool verify_sums(struct run *r, unsigned warps)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;

    if (!prepare_sweep(r, warps, &launch) ||
        !gpu_fill(r->gpu, b->device.out, 0xa5, sizeof b->sums, r->error) ||
        !access_launch(r, &launch) ||
        !gpu_download(r->gpu, b->sums, b->device.out, sizeof b->sums, r->error))
        return false;
    for (unsigned thread = 0; thread < warps * SWB_LANES; thread++)
        for (unsigned reg = 0; reg < access_registers(r->plan->instruction); reg++) {
            uint32_t expected = 0;
            unsigned lane = thread % SWB_LANES, first = thread / SWB_LANES * GROUP_SLOTS;
            if (!(r->plan->active_mask >> lane & 1))
                continue;
            for (unsigned i = first; i < r->arguments.groups * GROUP_SLOTS;
                 i += warps * GROUP_SLOTS)
                for (unsigned s = i; s < i + GROUP_SLOTS; s++)
                    for (unsigned copy = 0; copy < COPIES; copy++)
                        expected += r->iterations * r->rounds *
                                    tile_register(r, s % r->plan->slots, copy, lane, reg);
            if (b->sums[thread][reg] != expected)
                return wrong(r,
                             "wrong sum of the timed kernel: first position %u, %u copies, lane "
                             "%u register %u: %08x, not %08x",
                             first, COPIES, lane, reg, b->sums[thread][reg], expected);
        }
    return true;
}

/* Puts what a lane writes into the image. Where another lane has written other bytes, which of the
 * two stays is the hardware's choice. */
static void expect_piece(struct run *r, unsigned slot, unsigned lane, unsigned copy)
{
    struct access_bench *b = r->bench;
    for (unsigned i = 0; i < r->plan->instruction->lane_bytes; i++) {
        unsigned byte = r->plan->tile_bytes_at[slot][lane] + i;
        unsigned at = copy * COPY_BYTES + r->plan->place[byte];
        b->either[at] |= b->written[at] && b->image[at] != b->tile[copy][byte];
        b->written[at] = true;
        b->image[at] = b->tile[copy][byte];
    }
}

static void expect_memory(struct run *r)
{
    memset(r->bench->written, 0, sizeof r->bench->written);
    memset(r->bench->either, 0, sizeof r->bench->either);
    for (unsigned slot = 0; slot < r->plan->slots; slot++)
        for (unsigned lane = 0; lane < access_address_lanes(r->plan->instruction); lane++)
            for (unsigned copy = 0; copy < COPIES; copy++)
                if (r->plan->active_mask >> lane & 1)
                    expect_piece(r, slot, lane, copy);
}

/* All of shared memory after the timed kernel: what was written, and that nothing else was. */
static bool verify_memory(struct run *r, unsigned warps)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;

    if (!prepare_sweep(r, warps, &launch))
        return false;
    r->arguments.out_bytes = IMAGE_BYTES;
    if (!gpu_fill(r->gpu, b->device.out, 0xa5, IMAGE_BYTES, r->error) ||
        !access_launch(r, &launch) ||
        !gpu_download(r->gpu, b->dump, b->device.out, IMAGE_BYTES, r->error))
        return false;
    for (unsigned i = 0; i < IMAGE_BYTES; i++)
        if (b->dump[i] != b->image[i] && !b->either[i]) {
            r->row->verified = VERIFIED_NO;
            row_end(r->row, ROW_FAILED,
                    "wrong bytes: byte %u of copy %u in shared memory is %02x, not %02x",
                    i % COPY_BYTES, i / COPY_BYTES, b->dump[i], b->image[i]);
            return true;
        }
    return true;
}

/* As it is timed: by warps with a group or so each, and by one that goes from group to group. */
static bool both_ways(struct run *r, bool (*verify)(struct run *r, unsigned warps))
{
    return (r->row->status != ROW_OK || verify(r, WARPS)) &&
           (r->row->status != ROW_OK || verify(r, 1));
}

bool access_verify(struct run *r)
{
    make_tiles(r);
    make_image(r);
    make_lists(r);
    if (!upload(r))
        return false;
    r->row->verified = VERIFIED_YES;
    if (r->loads)
        return verify_registers(r) && both_ways(r, verify_sums);
    expect_memory(r);
    return both_ways(r, verify_memory);
}
