/* Did the readers read what lay there, did the writers write what they should, and is the rest of
 * shared memory as it was, when both have run beside each other? */
#include "bench/contention_bench.h"

#include <stdlib.h>
#include <string.h>

#include "bench/mix.h"
#include "harness/outside.h"

/* Numbers of the first word of each. */
enum { LANES_SEED = 0x1000000, SOURCE_SEED = 0x2000000, STORE_SEED = 0x3000000 };
enum {
    POISON = 0xa5,
    LANES_BYTES = CONTENTION_COPIES * CONTENTION_PITCH,
    ELEM_BYTES = CONTENTION_ELEM_BITS / 8,
};

/* ---- The data ------------------------------------------------------------------------------ */

static uint8_t byte_of(uint32_t seed, uint32_t byte)
{
    return (uint8_t)(mix(seed + byte / 4) >> 8 * (byte % 4));
}

/* What global memory holds for copies: no word of it comes twice, so that what has arrived tells
 * from where. */
static uint8_t source_byte(uint32_t byte)
{
    return byte_of(SOURCE_SEED, byte);
}

/* Shared memory before: any bytes where lanes go, then whole numbers of bf16, that wgmma reads. */
static void make_image(uint8_t *image)
{
    const struct wgmma_type *type = wgmma_type_at(0);
    for (uint32_t i = 0; i < LANES_BYTES; i++)
        image[i] = byte_of(LANES_SEED, i);
    for (uint32_t i = LANES_BYTES; i < CONTENTION_IMAGE_BYTES; i += ELEM_BYTES) {
        uint32_t element = wgmma_element(type, wgmma_number(type, (i - LANES_BYTES) / ELEM_BYTES));
        image[i] = (uint8_t)element;
        image[i + 1] = (uint8_t)(element >> 8);
    }
}

bool contention_upload_data(struct gpu *gpu, struct contention_bench *b, struct error *error)
{
    uint8_t *tensor = malloc(CONTENTION_TENSOR_BYTES);
    if (!tensor)
        return error_set(error, ERROR_FAILED, "no memory for the data of the contention family");
    for (uint32_t i = 0; i < CONTENTION_TENSOR_BYTES; i++)
        tensor[i] = source_byte(i);
    make_image(b->image_bytes);
    bool done = gpu_upload(gpu, b->source, tensor, CONTENTION_TENSOR_BYTES, error) &&
                gpu_upload(gpu, b->image, b->image_bytes, CONTENTION_IMAGE_BYTES, error);
    free(tensor);
    return done;
}

/* Byte `byte` of what a lane writes out of registers, the same to all copies. */
static uint8_t stored_byte(const struct contention_plan *plan, unsigned slot, unsigned lane,
                           unsigned byte)
{
    return byte_of(STORE_SEED, plan->stores.tile_bytes_at[slot][lane] + byte);
}

static void make_stores(const struct contention_plan *plan, struct contention_lists *lists)
{
    const struct access_plan *stores = &plan->stores;
    for (unsigned i = 0; i < CONTENTION_SLOTS; i++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            unsigned slot = i % stores->slots;
            lists->stores[i][lane] = stores->offsets[slot][lane] + contention_stage_offset();
            lists->sources[i][lane] = stores->sources[slot][lane];
            for (unsigned byte = 0; byte < stores->instruction->lane_bytes; byte++)
                lists->data[i][lane][byte / 4] |= (uint32_t)stored_byte(plan, slot, lane, byte)
                                                  << 8 * (byte % 4);
        }
}

void contention_make_lists(const struct contention_plan *plan, struct contention_lists *lists)
{
    memset(lists, 0, sizeof *lists);
    for (unsigned i = 0; plan->loads.slots && i < CONTENTION_SLOTS; i++)
        memcpy(lists->loads[i], plan->loads.offsets[i % plan->loads.slots], sizeof lists->loads[i]);
    if (plan->stores.slots)
        make_stores(plan, lists);
}

/* ---- What must lie in shared memory -------------------------------------------------------- */

/* Byte `byte` of what a lane copies from where its warp is at iteration `iteration`. */
static uint8_t copied_byte(const struct contention_plan *p, unsigned slot, unsigned lane,
                           unsigned byte, unsigned copy, unsigned warp, unsigned iteration)
{
    uint32_t moved = (warp + iteration * p->writer.warps) * CONTENTION_SOURCE_STEP_BYTES;
    return source_byte((moved & (p->tensor_bytes - 1)) + p->stores.sources[slot][lane] +
                       copy * CONTENTION_PITCH + byte);
}

static bool is_copied(const struct contention_plan *p, unsigned slot, unsigned lane, unsigned copy,
                      unsigned warp, unsigned iteration, const uint8_t *found)
{
    for (unsigned byte = 0; byte < p->stores.instruction->lane_bytes; byte++)
        if (found[byte] != copied_byte(p, slot, lane, byte, copy, warp, iteration))
            return false;
    return true;
}

/* The first iteration of a warp whose bytes may lie there in the end. A lane's stores to an address
 * are in the program's order, so that the last one stays. Nothing orders cp.async of even one warp:
 * any may come last, but none of the first half after all of the second. */
static unsigned first_to_stay(const struct contention_plan *p)
{
    return p->stores.instruction->kind == SWB_CP_ASYNC ? CONTENTION_SEGMENTS / 2
                                                       : CONTENTION_SEGMENTS - 1;
}

/* What a lane's copies leave: several warps copy to the same bytes, and any of them may come last,
 * for each piece of a lane another one. */
static void expect_copy(const struct contention_case_run *r, unsigned slot, unsigned lane,
                        unsigned copy, const uint8_t *found, uint8_t *expected)
{
    const struct contention_plan *p = &r->plan;
    unsigned groups = r->own.arguments.writer.groups, first = slot / GROUP_SLOTS % groups;
    for (unsigned warp = first; warp < p->writer.warps; warp += groups)
        for (unsigned i = first_to_stay(p); i < CONTENTION_SEGMENTS; i++)
            if (is_copied(p, slot, lane, copy, warp, i, found)) {
                memcpy(expected, found, p->stores.instruction->lane_bytes);
                return;
            }
    for (unsigned byte = 0; byte < p->stores.instruction->lane_bytes; byte++)
        expected[byte] = copied_byte(p, slot, lane, byte, copy, first, CONTENTION_SEGMENTS - 1);
}

static void expect_store(const struct contention_plan *p, unsigned slot, unsigned lane,
                         uint8_t *expected)
{
    for (unsigned byte = 0; byte < p->stores.instruction->lane_bytes; byte++)
        expected[byte] = stored_byte(p, slot, lane, byte);
}

static void expect_lanes(const struct contention_case_run *r, const uint8_t *found,
                         uint8_t *expected)
{
    const struct contention_plan *p = &r->plan;
    for (unsigned slot = 0; slot < p->stores.slots; slot++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            for (unsigned copy = 0; copy < CONTENTION_COPIES; copy++) {
                uint32_t at = copy * CONTENTION_PITCH + contention_stage_offset() +
                              p->stores.offsets[slot][lane];
                if (p->copies)
                    expect_copy(r, slot, lane, copy, found + at, expected + at);
                else
                    expect_store(p, slot, lane, expected + at);
            }
}

/* The last box of each warp, which waits for one before it sends the next. */
static void expect_boxes(const struct contention_plan *p, uint8_t *memory)
{
    unsigned width = p->map.box[0] * ELEM_BYTES;
    for (unsigned warp = 0; warp < p->writer.warps; warp++) {
        struct swb_tma_box box = swb_tma_box_of(&p->map, p->box_offset_bytes + warp * p->box_bytes);
        uint32_t number = (warp + (CONTENTION_SEGMENTS - 1) * p->writer.warps) & (p->boxes - 1);
        for (unsigned line = 0; line < p->box_lines; line++)
            for (unsigned byte = 0; byte < width; byte++)
                memory[swb_tma_box_address(&box, line, byte)] =
                    source_byte(number * p->box_bytes + line * width + byte);
    }
}

static bool memory_is_right(struct contention_case_run *r)
{
    struct contention_bench *b = r->bench;
    memcpy(b->expected, b->image_bytes, sizeof b->expected);
    if (r->c.writer && r->c.writer->means == CONTENTION_TMA)
        expect_boxes(&r->plan, b->expected);
    else if (r->c.writer)
        expect_lanes(r, b->found, b->expected);
    for (uint32_t i = 0; i < r->plan.image_bytes; i++)
        if (b->found[i] != b->expected[i])
            return row_end(r->row, ROW_FAILED,
                           "wrong bytes: byte %u of shared memory is %02x afterwards, not %02x", i,
                           b->found[i], b->expected[i]);
    return true;
}

/* ---- What must have been read -------------------------------------------------------------- */

/* Register `reg` of a lane that loads slot `slot` from copy `copy`. */
static uint32_t loaded(const struct contention_bench *b, const struct access_plan *loads,
                       unsigned slot, unsigned copy, unsigned lane, unsigned reg)
{
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; byte++) {
        unsigned piece_lane, piece_byte;
        access_register_byte(loads->instruction, lane, reg, byte, &piece_lane, &piece_byte);
        uint32_t at = copy * CONTENTION_PITCH + loads->offsets[slot][piece_lane] + piece_byte;
        value |= (uint32_t)b->image_bytes[at] << 8 * byte;
    }
    return value;
}

/* A warp's sum over its group of slots, each loaded `times` times from each copy. */
static uint32_t expected_sum(const struct contention_case_run *r, unsigned thread, unsigned reg,
                             unsigned times)
{
    const struct access_plan *loads = &r->plan.loads;
    unsigned first = thread / SWB_LANES % r->own.arguments.reader.groups * GROUP_SLOTS;
    uint32_t sum = 0;
    for (unsigned s = first; s < first + GROUP_SLOTS; s++)
        for (unsigned copy = 0; copy < CONTENTION_COPIES; copy++)
            sum += times * loaded(r->bench, loads, s % loads->slots, copy, thread % SWB_LANES, reg);
    return sum;
}

static bool sums_are_right(struct contention_case_run *r)
{
    enum { SUMS = 4 };
    unsigned times = CONTENTION_SEGMENTS * r->plan.reader.body / (GROUP_SLOTS * CONTENTION_COPIES);
    for (unsigned thread = 0; thread < r->c.reader_warps * SWB_LANES; thread++)
        for (unsigned reg = 0; reg < SUMS; reg++) {
            uint32_t found = r->bench->registers[thread * SUMS + reg];
            uint32_t expected = expected_sum(r, thread, reg, times);
            if (found != expected)
                return row_end(r->row, ROW_FAILED,
                               "wrong sum of what was read: thread %u register %u holds %08x, not "
                               "%08x",
                               thread, reg, (unsigned)found, (unsigned)expected);
        }
    return true;
}

static bool find_places(struct contention_case_run *r)
{
    struct swb_mma_atom atom;
    struct wgmma_places *places = &r->bench->places;
    if (places->n == r->c.reader->n)
        return true;
    return (wgmma_case_atom(&r->plan.multiplied, &atom) && wgmma_places_of(&atom, places)) ||
           error_set(r->error, ERROR_FAILED, "the model knows no fragments of %s",
                     r->c.reader->name);
}

static bool product_is_right(struct contention_case_run *r)
{
    struct contention_bench *b = r->bench;
    unsigned n = r->c.reader->n;
    wgmma_true_product(&r->plan.multiplied, &r->plan.operands, &b->product);
    for (unsigned value = 0; value < n / 2; value++)
        for (unsigned thread = 0; thread < WGMMA_WARPGROUP; thread++) {
            unsigned place = b->places.at[value][thread];
            float found, expected = CONTENTION_SEGMENTS * b->product.d[place];
            memcpy(&found, &b->registers[value * WGMMA_WARPGROUP + thread], sizeof found);
            if (found != expected)
                return row_end(r->row, ROW_FAILED,
                               "wrong product: D(%u,%u) is %g in thread %u, not %g", place / n,
                               place % n, (double)found, thread, (double)expected);
        }
    return true;
}

static bool readers_are_right(struct contention_case_run *r)
{
    if (!r->c.reader)
        return true;
    return r->c.reader->means == CONTENTION_WGMMA ? product_is_right(r) : sums_are_right(r);
}

/* ---- All of it ----------------------------------------------------------------------------- */

bool contention_verify(struct contention_case_run *r)
{
    struct contention_bench *b = r->bench;
    bool multiplies = r->c.reader && r->c.reader->means == CONTENTION_WGMMA;
    if (!contention_prepare(r, CONTENTION_OWN_PLACE, &r->own) || (multiplies && !find_places(r)))
        return false;
    struct gpu_launch launch = r->own.launch;
    launch.grid_x = outside_ctas(launch.grid_x);
    r->own.arguments.writer.out_bytes = r->plan.image_bytes;
    if (!gpu_fill(r->gpu, b->out, POISON, sizeof b->registers, r->error) ||
        !gpu_fill(r->gpu, b->memory, POISON, CONTENTION_IMAGE_BYTES, r->error) ||
        !gpu_run(r->gpu, &launch, r->error) || !gpu_wait(r->gpu, r->error) ||
        !gpu_download(r->gpu, b->registers, b->out, sizeof b->registers, r->error) ||
        !gpu_download(r->gpu, b->found, b->memory, r->plan.image_bytes, r->error) ||
        !contention_check_barriers(r))
        return false;
    r->own.arguments.writer.out_bytes = 0;
    r->row->verified = r->row->status == ROW_OK && readers_are_right(r) && memory_is_right(r)
                           ? VERIFIED_YES
                           : VERIFIED_NO;
    return true;
}
