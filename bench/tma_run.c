/* How is a box verified, counted and timed on a GPU?
 *
 *   verify   tma_verify.c: shared memory (loads) or global memory (stores), byte for byte
 *   count    tma_count.c: the timed kernel under counters, less its control kernel
 *   time     tma_time.c: one SM with 1, 2, 4 and 8 boxes in flight, or each SM
 *            tma_rate.c: all SMs, for chosen cases
 */
#include "bench/tma_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "bench/one_sm.h"
#include "bench/tma_map.h"

enum {
    HOPPER = 9,
    CONSUMER_BLACKWELL = 12,  /* its assembler advises against multicast */
    FIRST_PADDED_TYPE = 14,   /* of the packed types, those with gaps in shared memory */
    PATIENCE_CYCLES = 1 << 28 /* a seventh of a second */
};

/* ---- Opening and closing ------------------------------------------------------------------- */

void tma_bench_close(struct gpu *gpu, struct tma_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->tensor, b->sink,  b->out,  b->clocks,
                                     b->spans,  b->waits, b->sums, b->stuck};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b->tensor_bytes);
    free(b->sink_bytes);
    free(b->sink_found);
    free(b->span_buffer);
    free(b->ahead);
    free(b);
}

/* The same pattern in the tensor and in the host's copy of it. */
static bool fill_tensor(struct gpu *gpu, struct tma_bench *b, struct error *error)
{
    uint32_t *words = (uint32_t *)(void *)b->tensor_bytes;
    for (uint32_t i = 0; i < TMA_TENSOR_BYTES / 4; i++)
        words[i] = mix(b->seed + i);
    return gpu_upload(gpu, b->tensor, words, TMA_TENSOR_BYTES, error) &&
           gpu_fill(gpu, b->sink, TMA_SINK_FILL, TMA_TENSOR_BYTES, error);
}

static bool alloc_buffers(struct gpu *gpu, struct tma_bench *b, struct error *error)
{
    enum { PLAIN_THREADS = 2048 };
    size_t sms = (size_t)gpu_info(gpu)->sm_count;
    b->span_ctas = (unsigned)sms * 4;
    const struct {
        gpu_address *at;
        size_t bytes;
    } buffers[] = {
        {&b->tensor, TMA_TENSOR_BYTES},
        {&b->sink, TMA_TENSOR_BYTES},
        {&b->out, sizeof b->dump},
        {&b->clocks, (size_t)b->span_ctas * 16},
        {&b->spans, (size_t)b->span_ctas * 16},
        {&b->waits, (size_t)b->span_ctas * 16},
        {&b->sums, sms * PLAIN_THREADS * 4},
        {&b->stuck, 8},
    };
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (!gpu_alloc(gpu, buffers[i].bytes, buffers[i].at, error))
            return false;
    b->tensor_bytes = malloc(TMA_TENSOR_BYTES);
    b->sink_bytes = malloc(TMA_TENSOR_BYTES);
    b->sink_found = malloc(TMA_TENSOR_BYTES);
    b->span_buffer = malloc((size_t)b->span_ctas * 16);
    return (b->tensor_bytes && b->sink_bytes && b->sink_found && b->span_buffer) ||
           error_set(error, ERROR_FAILED, "no memory for the buffers of the tma family");
}

bool tma_bench_open(struct gpu *gpu, const struct measure_options *options,
                    struct tma_bench **bench, struct error *error)
{
    struct tma_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the tma family");
    b->options = options;
    *bench = b;
    b->has_tma = gpu_info(gpu)->compute_major >= HOPPER;
    if (!b->has_tma)
        return true;
    if (getrandom(&b->seed, sizeof b->seed, 0) != (ssize_t)sizeof b->seed)
        b->seed = (uint32_t)(uintptr_t)b;
    unsigned smem = (unsigned)gpu_info(gpu)->smem_per_block_optin_bytes;
    b->room_bytes =
        smem - TMA_BARRIER_BYTES < TMA_DATA_BYTES ? smem - TMA_BARRIER_BYTES : TMA_DATA_BYTES;
    if (alloc_buffers(gpu, b, error) && fill_tensor(gpu, b, error) &&
        one_sm_find_typical(gpu, &b->sm, error) &&
        (!options->counters || tma_counting_open(gpu, b, error)))
        return true;
    tma_bench_close(gpu, b);
    *bench = NULL;
    return false;
}

/* ---- Launching ----------------------------------------------------------------------------- */

uint32_t tma_depth_bytes(const struct tma_case_run *r, unsigned depth)
{
    return r->c->smem_offset + depth * r->stage_bytes;
}

unsigned tma_deepest(const struct tma_case_run *r, unsigned most)
{
    unsigned depth = most;
    while (depth > 1 && tma_depth_bytes(r, depth) > r->bench->room_bytes)
        depth /= 2;
    return depth;
}

static void name_kernel(struct tma_case_run *r)
{
    static const char *const stems[TMA_WAYS] = {[TMA_LOAD] = "load",
                                                [TMA_STORE] = "store",
                                                [TMA_REDUCE] = "reduce",
                                                [TMA_PREFETCH] = "prefetch",
                                                [TMA_BULK_LOAD] = "bulk_load",
                                                [TMA_BULK_STORE] = "bulk_store",
                                                [TMA_MULTICAST] = "multicast",
                                                [TMA_IM2COL] = "im2col",
                                                [TMA_PLAIN_LOAD] = "plain_loads"};
    if (tma_way_has_map(r->c->way))
        snprintf(r->entry, sizeof r->entry, "%s_%ud", stems[r->c->way], r->c->map.rank % 10);
    else
        snprintf(r->entry, sizeof r->entry, "%s", stems[r->c->way]);
}

/* Stores of floats take values that add up without rounding to nothing or to infinity. */
static void choose_values(const struct tma_case *c, struct tma_arguments *a)
{
    enum { F16 = 6, F32 = 7, BF16 = 9 };
    bool adds = c->way == TMA_REDUCE, narrow = c->map.dtype == F16 || c->map.dtype == BF16;
    a->keep = !adds ? UINT32_MAX : narrow ? 0x8fff8fff : c->map.dtype == F32 ? 0x8fffffff : ~0u;
    a->set = !adds ? 0 : narrow ? 0x30003000 : c->map.dtype == F32 ? 0x30000000 : 0;
}

bool tma_prepare(struct tma_case_run *r, const char *entry, unsigned ctas, unsigned depth,
                 struct gpu_launch *launch)
{
    struct tma_bench *b = r->bench;
    const struct tma_case *c = r->c;
    uint32_t positions = tma_case_positions(c);
    *launch = (struct gpu_launch){
        .grid_x = ctas * c->cluster_ctas,
        .block_x = TMA_THREADS,
        .cluster_x = c->cluster_ctas,
        .dynamic_smem_bytes = TMA_BARRIER_BYTES + tma_depth_bytes(r, depth) + TMA_GUARD_BYTES,
        .arguments = r->pointers,
    };
    if (launch->dynamic_smem_bytes > TMA_BARRIER_BYTES + b->room_bytes)
        launch->dynamic_smem_bytes = TMA_BARRIER_BYTES + b->room_bytes;
    r->arguments = (struct tma_arguments){
        .global = tma_way_stores(c->way) ? b->sink : b->tensor,
        .out = b->out,
        .clocks = b->clocks,
        .spans = b->spans,
        .waits = b->waits,
        .stuck = b->stuck,
        .extent = tma_case_extent(c),
        .positions = positions,
        .stride = ctas % positions,
        .smem_offset = c->smem_offset,
        .stage_bytes = r->stage_bytes,
        .box_bytes = r->box_bytes,
        .depth = depth,
        .seed = ~b->seed,
        .patience_cycles = PATIENCE_CYCLES,
    };
    memcpy(r->arguments.start, c->start, sizeof c->start);
    memcpy(r->arguments.tap, c->im2col.tap, sizeof c->im2col.tap);
    choose_values(c, &r->arguments);
    r->boxes = depth;
    r->pointers[0] = &r->map;
    r->pointers[1] = &r->arguments;
    r->pointers[2] = &r->boxes;
    return gpu_kernel_find(r->gpu, "tma", entry, &launch->kernel, r->error);
}

bool tma_launch(struct tma_case_run *r, const struct gpu_launch *launch)
{
    return gpu_run(r->gpu, launch, r->error) && gpu_wait(r->gpu, r->error);
}

/* ---- What the driver says ------------------------------------------------------------------ */

bool tma_encode_at(struct gpu *gpu, const struct tma_case *c, gpu_address base,
                   struct tensor_map *map, int *code, struct error *error)
{
    struct tensor_map_request request = tma_map_request(&c->map, base);
    request.im2col = c->way == TMA_IM2COL;
    request.channels = c->im2col.channels;
    request.pixels = c->im2col.pixels;
    for (unsigned i = 0; i < TMA_IM2COL_MAX_DIMS; i++) {
        request.lower[i] = c->im2col.lower[i];
        request.upper[i] = c->im2col.upper[i];
    }
    return gpu_tensor_map(gpu, &request, map, code, error);
}

/* Asks the driver and the rules; where they agree on no, the row is refused. */
static bool encode(struct tma_case_run *r, int *code)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    unsigned capability = (unsigned)(10 * info->compute_major + info->compute_minor);
    gpu_address base = tma_way_stores(r->c->way) ? r->bench->sink : r->bench->tensor;
    struct swb_tma_broken broken = {.rule = NULL};
    if (!tma_way_has_map(r->c->way))
        return true;
    if (!tma_encode_at(r->gpu, r->c, base, &r->map, code, r->error))
        return false;
    unsigned count = tma_broken_rules(r->c, capability, &broken, 1);
    tma_record_rules(r->c, capability, r->row);
    if (*code && count)
        row_end(r->row, ROW_REFUSED, "%s: %s", broken.rule, broken.sentence);
    else if (*code)
        row_end(r->row, ROW_FAILED, "the driver refuses what the rules allow, with code %d", *code);
    else if (count)
        row_end(r->row, ROW_FAILED, "the driver takes what a rule forbids: %s: %s", broken.rule,
                broken.sentence);
    return true;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void nothing_measured(struct tma_result *result)
{
    *result = (struct tma_result){.driver_code = -1};
    result->inst_executed = result->model_sectors = result->sectors = NAN;
    result->requests = result->l2_sectors = result->bank_reads = result->bank_writes = NAN;
    result->tma_cycles_active = NAN;
    result->rate = (struct chip_rate){NAN, NAN, NAN};
    result->latency = NO_TIMING;
    for (size_t i = 0; i < TMA_DEPTHS; i++)
        result->depth[i] = result->latency;
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

/* What this GPU cannot run at all is a skipped row. */
static bool supported(struct tma_case_run *r)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    if (!r->bench->has_tma)
        return row_end(r->row, ROW_SKIPPED, "TMA needs compute capability 9.0, this GPU has %d.%d",
                       info->compute_major, info->compute_minor);
    if (r->c->way == TMA_MULTICAST && info->compute_major >= CONSUMER_BLACKWELL)
        return row_end(r->row, ROW_SKIPPED, "no kernel for multicast on compute capability %d.%d",
                       info->compute_major, info->compute_minor);
    return true;
}

/* A box that the driver takes may still be one that no kernel can use. */
static bool has_room(struct tma_case_run *r)
{
    struct tma_place place = tma_place_of(r->c, 0);
    bool tiled = tma_way_has_map(r->c->way) && r->c->way != TMA_IM2COL;
    const char *refusal = tiled ? swb_tma_box_refusal(&place.box) : NULL;
    uint32_t smem_bytes = swb_tma_box_bytes(&place.box);
    if (refusal)
        return row_end(r->row, ROW_SKIPPED, "the driver takes it, but no kernel can use it: %s",
                       refusal);
    if (tma_way_has_map(r->c->way) && r->c->map.dtype >= FIRST_PADDED_TYPE)
        return row_end(r->row, ROW_SKIPPED, "the gaps of padded types are not verified here");
    /* Stages begin with the swizzle's pattern; without one they are aligned as TMA wants it. */
    uint32_t alignment = place.box.swizzle ? 1024 : SWB_TMA_SMEM_ALIGNMENT_BYTES;
    r->stage_bytes = (smem_bytes + alignment - 1) / alignment * alignment;
    r->box_bytes = tma_moved_bytes(r->c);
    if (tma_depth_bytes(r, 1) > r->bench->room_bytes)
        return row_end(r->row, ROW_SKIPPED,
                       "the box needs %u bytes of shared memory, this GPU has %u",
                       tma_depth_bytes(r, 1), r->bench->room_bytes);
    return true;
}

bool tma_make_ready(struct tma_case_run *r, int *code)
{
    *code = -1;
    if (!supported(r) || r->c->way == TMA_PLAIN_LOAD)
        return true;
    if (!encode(r, code))
        return false;
    if (r->row->status == ROW_OK && has_room(r))
        name_kernel(r);
    return true;
}

bool tma_bench_run(struct gpu *gpu, struct tma_bench *bench, size_t index,
                   struct tma_result *result, struct row *row, struct error *error)
{
    const struct tma_case *c = tma_case_at(index);
    struct tma_case_run r = {
        .gpu = gpu, .bench = bench, .index = index, .c = c, .row = row, .error = error};
    nothing_measured(result);
    if (!tma_make_ready(&r, &result->driver_code))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (c->way == TMA_PLAIN_LOAD)
        return tma_rate(&r, result);
    if (!tma_verify(&r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!tma_count(&r, result))
        return false;
    if (row->status != ROW_OK)
        return true;
    return tma_time(&r, result) && (!tma_is_whole_chip(c->chip) || tma_rate(&r, result)) &&
           tma_check_barriers(&r);
}
