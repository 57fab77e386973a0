/* How are readers and writers verified, counted and timed beside each other?
 *
 *   verify   contention_verify.c: what was read, what was written, and all of shared memory
 *   count    contention_count.c: the timed kernel under counters, less the same without its loops
 *   time     contention_time.c: each side alone, and both in the window in which both run
 */
#include "bench/contention_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge.h"
#include "bench/tma_map.h"

enum {
    HOPPER = 9,
    PATIENCE_CYCLES = 1 << 28, /* a seventh of a second */
};

/* ---- Opening and closing ------------------------------------------------------------------- */

void contention_bench_close(struct gpu *gpu, struct contention_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->lists,  b->image, b->source, b->out,
                                     b->memory, b->marks, b->stuck};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b->ahead);
    free(b);
}

static bool alloc_buffers(struct gpu *gpu, struct contention_bench *b, struct error *error)
{
    return gpu_alloc(gpu, (CONTENTION_OWN_PLACE + 1) * sizeof(struct contention_lists), &b->lists,
                     error) &&
           gpu_alloc(gpu, CONTENTION_IMAGE_BYTES, &b->image, error) &&
           gpu_alloc(gpu, CONTENTION_TENSOR_BYTES, &b->source, error) &&
           gpu_alloc(gpu, sizeof b->registers, &b->out, error) &&
           gpu_alloc(gpu, CONTENTION_IMAGE_BYTES, &b->memory, error) &&
           gpu_alloc(gpu, sizeof(contention_clocks), &b->marks, error) &&
           gpu_alloc(gpu, 8, &b->stuck, error) && gpu_fill(gpu, b->stuck, 0, 8, error);
}

bool contention_bench_open(struct gpu *gpu, const struct measure_options *options,
                           struct contention_bench **bench, struct error *error)
{
    struct contention_bench *b = aligned_alloc(_Alignof(struct contention_bench), sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the contention family");
    memset(b, 0, sizeof *b);
    b->options = options;
    *bench = b;
    if (alloc_buffers(gpu, b, error) && contention_upload_data(gpu, b, error) &&
        (!options->counters || contention_counting_open(gpu, b, error)))
        return true;
    contention_bench_close(gpu, b);
    *bench = NULL;
    return false;
}

/* ---- What the GPU must have ---------------------------------------------------------------- */

static bool has_actor(const struct gpu_info *info, const struct contention_actor *actor,
                      struct row *row)
{
    if (!actor)
        return true;
    if (!judge_capability(info, actor->name, actor->compute_capability, row))
        return false;
    return actor->means != CONTENTION_WGMMA || info->compute_major == HOPPER ||
           row_end(row, ROW_SKIPPED, "wgmma needs compute capability 9.0, this GPU has %d.%d",
                   info->compute_major, info->compute_minor);
}

bool contention_supported(const struct contention_case_run *r, struct row *row)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    if (!has_actor(info, r->c.reader, row) || !has_actor(info, r->c.writer, row))
        return false;
    return r->plan.smem_bytes <= (unsigned)info->smem_per_block_optin_bytes ||
           row_end(row, ROW_SKIPPED, "a CTA needs %u bytes of shared memory, this GPU has %d",
                   r->plan.smem_bytes, info->smem_per_block_optin_bytes);
}

/* ---- Launching ----------------------------------------------------------------------------- */

/* Slots of a group, of which each warp has one. */
static uint32_t groups_of(const struct access_plan *lanes)
{
    return lanes->slots ? (lanes->slots + GROUP_SLOTS - 1) / GROUP_SLOTS : 1;
}

static void pack(struct contention_case_run *r, size_t place, struct contention_arguments *a)
{
    const struct contention_bench *b = r->bench;
    const struct contention_plan *p = &r->plan;
    gpu_address lists = b->lists + place * sizeof(struct contention_lists);
    *a = (struct contention_arguments){
        .reader = {.offsets = lists + offsetof(struct contention_lists, loads),
                   .image = b->image,
                   .out = b->out,
                   .image_bytes = p->image_bytes,
                   .groups = groups_of(&p->loads),
                   .warps = r->c.reader_warps,
                   .active_mask = UINT32_MAX},
        .writer = {.offsets = lists + offsetof(struct contention_lists, stores),
                   .sources = lists + offsetof(struct contention_lists, sources),
                   .data = lists + offsetof(struct contention_lists, data),
                   .source = b->source,
                   .out = b->memory,
                   .groups = groups_of(&p->stores),
                   .warps = r->c.writer_warps,
                   .active_mask = UINT32_MAX},
        .marks = b->marks,
        .stuck = b->stuck,
        .reader_iterations = r->c.reader ? 1 : 0,
        .writer_iterations = r->c.writer ? 1 : 0,
        .source_step = CONTENTION_SOURCE_STEP_BYTES,
        .source_mask = p->tensor_bytes - 1,
        .box_offset = p->box_offset_bytes,
        .box_bytes = p->box_bytes,
        .box_lines = p->box_lines,
        .box_mask = p->boxes - 1,
        .barrier_offset = p->barrier_offset,
        .patience_cycles = PATIENCE_CYCLES,
    };
    for (unsigned operand = 0; operand < WGMMA_OPERANDS; operand++)
        for (unsigned step = 0; p->wgmma_offset_bytes && step < CONTENTION_STEPS; step++)
            a->descriptors[operand][step] =
                swb_descriptor_encode(&p->operands.descriptors[operand][step]) +
                p->wgmma_offset_bytes / 16;
}

/* An idle side is one that could be there. */
static void name_kernel(const struct contention_case *c, char *entry, size_t bytes)
{
    snprintf(entry, bytes, "%s_%s", c->reader ? c->reader->entry : "x4",
             c->writer ? c->writer->entry : "st_16");
}

static const char *fatbin_of(const struct contention_case *c)
{
    if (c->reader && c->reader->means == CONTENTION_WGMMA)
        return "contention_wgmma";
    return c->writer && c->writer->means == CONTENTION_TMA ? "contention_tma" : "contention";
}

bool contention_prepare(struct contention_case_run *r, size_t place, struct contention_launch *l)
{
    static struct contention_lists lists;
    unsigned sms = (unsigned)gpu_info(r->gpu)->sm_count;
    pack(r, place, &l->arguments);
    name_kernel(&r->c, l->entry, sizeof l->entry);
    l->pointers[0] = &l->map;
    l->pointers[1] = &l->arguments;
    l->launch = (struct gpu_launch){.grid_x = r->c.ctas_per_sm ? r->c.ctas_per_sm * sms : 1,
                                    .block_x = (r->c.reader_warps + r->c.writer_warps) * SWB_LANES,
                                    .dynamic_smem_bytes = r->plan.smem_bytes,
                                    .carveout_pct = r->c.carveout_pct,
                                    .arguments = l->pointers};
    contention_make_lists(&r->plan, &lists);
    return gpu_upload(r->gpu, r->bench->lists + place * sizeof lists, &lists, sizeof lists,
                      r->error) &&
           (!r->plan.boxes || tma_map_encode(r->gpu, &r->plan.map, r->bench->source,
                                             "the tensor map", &l->map, r->error)) &&
           gpu_kernel_find(r->gpu, fatbin_of(&r->c), l->entry, &l->launch.kernel, r->error);
}

bool contention_check_barriers(struct contention_case_run *r)
{
    return judge_row_barriers(r->gpu, r->bench->stuck, "a box", r->row, r->error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static struct contention_side_result nothing_of_a_side(void)
{
    struct contention_clock none = {NAN, NAN, NAN};
    return (struct contention_side_result){0, NAN, NAN, NAN, NAN, NAN, none, none};
}

static void nothing_measured(struct contention_result *result)
{
    *result =
        (struct contention_result){.reader = nothing_of_a_side(), .writer = nothing_of_a_side()};
    result->arbitration = result->bank_reads = result->bank_writes = NAN;
    result->wavefronts_per_clk = result->overlap_pct = NAN;
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

bool contention_bench_run(struct gpu *gpu, struct contention_bench *bench, size_t index,
                          struct contention_result *result, struct row *row, struct error *error)
{
    struct contention_case_run *r = &bench->run;
    r->gpu = gpu;
    r->bench = bench;
    r->index = index;
    r->c = contention_case_at(index);
    r->row = row;
    r->error = error;
    nothing_measured(result);
    contention_plan_of(&r->c, &r->plan);
    if (!contention_supported(r, row))
        return true;
    if (!contention_verify(r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!contention_count(r, result))
        return false;
    /* A clock of one CTA among others would be that of its place in the queue. */
    return row->status != ROW_OK || r->c.ctas_per_sm || contention_time(r, result);
}
