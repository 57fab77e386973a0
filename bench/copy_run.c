/* How is a copy verified, counted and timed on a GPU?
 *
 *   verify   copy_verify.c: shared memory, or the tensor that was written, byte for byte
 *   count    copy_count.c: the timed kernel under counters, less the same without its loop
 *   time     below: one CTA on one SM; copy_rate.c: the whole GPU, beside plain loads or stores
 */
#include "bench/copy_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge.h"
#include "bench/one_sm.h"
#include "bench/plain.h"
#include "bench/tma_map.h"

enum {
    SAMPLE_CYCLES = 65536,
    STRETCH = 8,            /* where samples scatter, as those of DRAM do */
    LEAST_CYCLES = 150,     /* guesses for a tile: with others in flight, */
    INSTRUCTION_CYCLES = 4, /* for each instruction, */
    LATENCY_CYCLES = 800,   /* and alone */
    LEAST_TILES = 16,
    PATIENCE_CYCLES = 1 << 28, /* a seventh of a second */
    L2_TIMES = 64,             /* as large as L2 is a tensor in DRAM */
};

/* ---- Opening and closing ------------------------------------------------------------------- */

void copy_bench_close(struct gpu *gpu, struct copy_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->tensor, b->sink, b->out,   b->clocks,
                                     b->spans,  b->sums, b->stuck, b->cursor};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b->span_buffer);
    free(b->tensor_image);
    free(b->found);
    free(b->ahead);
    free(b);
}

/* As much as L2 cannot help with, where there is room for it. */
static bool alloc_tensors(struct gpu *gpu, struct copy_bench *b, struct error *error)
{
    struct error no_memory = {.kind = ERROR_NONE};
    b->tensor_bytes = COPY_TENSOR_BYTES;
    while (b->tensor_bytes < (uint64_t)L2_TIMES * (uint64_t)gpu_info(gpu)->l2_bytes)
        b->tensor_bytes *= 2;
    if (gpu_alloc(gpu, b->tensor_bytes, &b->tensor, &no_memory) &&
        gpu_alloc(gpu, b->tensor_bytes, &b->sink, &no_memory))
        return true;
    if (b->tensor)
        gpu_free(gpu, b->tensor);
    b->tensor = 0;
    b->why_no_dram = no_memory;
    b->tensor_bytes = COPY_TENSOR_BYTES;
    return gpu_alloc(gpu, b->tensor_bytes, &b->tensor, error) &&
           gpu_alloc(gpu, b->tensor_bytes, &b->sink, error);
}

static bool alloc_buffers(struct gpu *gpu, struct copy_bench *b, struct error *error)
{
    size_t ctas = (size_t)gpu_info(gpu)->sm_count * COPY_MOST_CTAS;
    b->span_buffer = malloc(ctas * 16);
    b->tensor_image = malloc(COPY_TENSOR_BYTES);
    b->found = malloc(COPY_TENSOR_BYTES);
    if (!b->span_buffer || !b->tensor_image || !b->found)
        return error_set(error, ERROR_FAILED, "no memory for the data of the copy family");
    return alloc_tensors(gpu, b, error) && gpu_alloc(gpu, COPY_DATA_BYTES, &b->out, error) &&
           gpu_alloc(gpu, ctas * 16, &b->clocks, error) &&
           gpu_alloc(gpu, ctas * 16, &b->spans, error) &&
           gpu_alloc(gpu, ctas * PLAIN_THREADS * 4, &b->sums, error) &&
           gpu_alloc(gpu, 8, &b->stuck, error) && gpu_fill(gpu, b->stuck, 0, 8, error) &&
           gpu_alloc(gpu, 8, &b->cursor, error) && gpu_fill(gpu, b->cursor, 0, 8, error);
}

bool copy_bench_open(struct gpu *gpu, const struct measure_options *options,
                     struct copy_bench **bench, struct error *error)
{
    struct copy_bench *b = aligned_alloc(_Alignof(struct copy_bench), sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the copy family");
    memset(b, 0, sizeof *b);
    b->options = options;
    *bench = b;
    if (alloc_buffers(gpu, b, error) && copy_upload_data(gpu, b, error) &&
        one_sm_find_typical(gpu, &b->sm, error) &&
        (!options->counters || copy_counting_open(gpu, b, error)))
        return true;
    copy_bench_close(gpu, b);
    *bench = NULL;
    return false;
}

bool copy_supported(const struct copy_bench *b, const struct gpu_info *info,
                    const struct copy_case *c, struct row *row)
{
    if (!judge_capability(info, c->way->name, c->way->compute_capability, row))
        return false;
    if (c->source == COPY_DRAM && b->why_no_dram.kind != ERROR_NONE)
        return row_end(row, ROW_SKIPPED, "%s", b->why_no_dram.text);
    return true;
}

/* ---- Launching ----------------------------------------------------------------------------- */

static uint64_t memory_bytes(const struct copy_case_run *r)
{
    return r->c.source == COPY_DRAM ? r->bench->tensor_bytes : COPY_TENSOR_BYTES;
}

/* Over all of the tensor. */
static bool encode(struct copy_case_run *r)
{
    struct swb_tma_map map = r->plan.map;
    map.dims[map.rank - 1] = memory_bytes(r) / map.strides[map.rank - 2];
    return tma_map_encode(r->gpu, &map, r->arguments.global, "the tensor map", &r->map, r->error);
}

static void pack_moves(struct copy_case_run *r)
{
    const struct copy_plan *p = &r->plan;
    unsigned each = r->c.way->kind == COPY_BULK ? 2 : 1;
    for (uint32_t i = 0; i < p->instructions * p->lanes; i++) {
        r->arguments.moves[each * i] = p->moves[i].global / 4 << 16 | p->moves[i].shared;
        if (each == 2)
            r->arguments.moves[each * i + 1] = p->moves[i].bytes;
    }
}

static void name_kernel(struct copy_case_run *r)
{
    if (r->c.way->lane_bytes)
        snprintf(r->entry, sizeof r->entry, "%s_u%u", r->c.way->entry,
                 r->plan.instructions / r->plan.warps % 100);
    else
        snprintf(r->entry, sizeof r->entry, "%s", r->c.way->entry);
}

bool copy_prepare(struct copy_case_run *r, unsigned ctas, uint32_t tiles, struct gpu_launch *launch)
{
    const struct copy_bench *b = r->bench;
    const struct copy_plan *p = &r->plan;
    uint64_t all = memory_bytes(r) / p->tile_bytes;
    r->arguments = (struct copy_arguments){
        .global = r->c.way->back ? b->sink : b->tensor,
        .out = b->out,
        .clocks = b->clocks,
        .spans = b->spans,
        .stuck = b->stuck,
        .cursor = b->cursor,
        .row_bytes = (uint64_t)swb_tile_lines(&r->c.tile) * p->pitch_bytes,
        .across = (uint32_t)__builtin_ctz(copy_tiles_across(&r->c)),
        .line_bytes = swb_tile_line_bytes(&r->c.tile),
        .lines = swb_tile_lines(&r->c.tile),
        .tile_mask = (uint32_t)all - 1,
        .stages = r->c.stages,
        .stage_bytes = p->stage_bytes,
        .tile_bytes = p->tile_bytes,
        .instructions = p->instructions,
        .group_threads = p->warps * SWB_LANES,
        .fill_bytes = COPY_DATA_BYTES,
        .seed = COPY_SEED,
        .span_bytes = r->c.tile.mode->span_bytes,
        .box_lines = p->map.box[1],
        .patience_cycles = PATIENCE_CYCLES,
    };
    pack_moves(r);
    name_kernel(r);
    *launch = (struct gpu_launch){.grid_x = ctas,
                                  .block_x = r->c.stages * r->arguments.group_threads,
                                  .dynamic_smem_bytes = COPY_BARRIER_BYTES + COPY_DATA_BYTES,
                                  .arguments = r->pointers};
    r->tiles = tiles;
    r->pointers[0] = &r->map;
    r->pointers[1] = &r->arguments;
    r->pointers[2] = &r->tiles;
    const char *fatbin = r->c.way->lane_bytes ? "copy" : "copy_tma";
    return (r->c.way->kind != COPY_TMA || encode(r)) &&
           gpu_kernel_find(r->gpu, fatbin, r->entry, &launch->kernel, r->error);
}

bool copy_check_barriers(struct copy_case_run *r)
{
    return judge_row_barriers(r->gpu, r->bench->stuck, "a stage", r->row, r->error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* A multiple of the stages. */
static uint32_t tiles_of(const struct copy_case_run *r)
{
    uint32_t cycles = LATENCY_CYCLES / r->c.stages + INSTRUCTION_CYCLES * r->plan.instructions;
    uint32_t tiles = SAMPLE_CYCLES / (cycles > LEAST_CYCLES ? cycles : LEAST_CYCLES);
    tiles = tiles > LEAST_TILES ? tiles : LEAST_TILES;
    return tiles / r->c.stages * r->c.stages;
}

static bool time_one_sm(struct copy_case_run *r, struct copy_result *result)
{
    struct timed_kernel timed = {
        .iterations = &r->tiles, .clocks = r->bench->clocks, .work_per_iteration = 1};
    if (!copy_prepare(r, 1, 0, &timed.launch))
        return false;
    one_sm_put(r->gpu, &timed, &r->arguments.choice, r->bench->sm);
    timed.n = tiles_of(r);
    timed.stretch = STRETCH;
    return gpu_time_cycles(r->gpu, &timed, &result->timing, r->error) && copy_check_barriers(r);
}

static void nothing_measured(struct copy_result *result)
{
    *result = (struct copy_result){.timing = NO_TIMING, .rate = {NAN, NAN, NAN}};
    result->inst_executed = result->sectors = result->requests = result->wavefronts = NAN;
    result->l2_requests = result->l2_sectors = result->peak_gbytes_per_s = NAN;
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

static bool run_tiles(struct copy_case_run *r, struct copy_result *result)
{
    if (!copy_verify(r))
        return false;
    if (r->row->status != ROW_OK)
        return true;
    if (!copy_count(r, result))
        return false;
    /* The whole GPU first: then what is to be in L2 is there. */
    return r->row->status != ROW_OK || (copy_rate(r, result) && time_one_sm(r, result));
}

bool copy_bench_run(struct gpu *gpu, struct copy_bench *bench, size_t index,
                    struct copy_result *result, struct row *row, struct error *error)
{
    struct copy_case_run *r = &bench->run;
    r->gpu = gpu;
    r->bench = bench;
    r->index = index;
    r->c = copy_case_at(index);
    r->row = row;
    r->error = error;
    nothing_measured(result);
    if (!copy_supported(bench, gpu_info(gpu), &r->c, row))
        return true;
    copy_plan_of(&r->c, &r->plan);
    return r->c.way->kind == COPY_PLAIN ? copy_rate_plain(r, result) : run_tiles(r, result);
}
