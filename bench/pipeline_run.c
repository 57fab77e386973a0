/* How is a pipeline verified, counted and timed on a GPU?
 *
 *   verify   pipeline_verify.c: every accumulator of every thread
 *   count    pipeline_count.c: the timed kernel under counters, less the same without its loop
 *   time     below: one CTA on one SM
 */
#include "bench/pipeline_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge.h"
#include "bench/one_sm.h"
#include "bench/tma_map.h"

enum {
    HOPPER = 9,
    SAMPLE_CYCLES = 65536,
    LEAST_CYCLES = 150,       /* a guess, of a k-block that waits for nothing but L2 */
    PATIENCE_CYCLES = 1 << 28 /* a seventh of a second */
};

/* ---- Opening and closing ------------------------------------------------------------------- */

void pipeline_bench_close(struct gpu *gpu, struct pipeline_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->tensors[0], b->tensors[1], b->out, b->clocks, b->stuck};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b->ahead);
    free(b);
}

static bool alloc_buffers(struct gpu *gpu, struct pipeline_bench *b, struct error *error)
{
    enum { ROW_BYTES = PIPELINE_K * PIPELINE_ELEM_BITS / 8 };
    return gpu_alloc(gpu, (size_t)WGMMA_M * ROW_BYTES, &b->tensors[SWB_MMA_A], error) &&
           gpu_alloc(gpu, (size_t)WGMMA_MAX_N * ROW_BYTES, &b->tensors[SWB_MMA_B], error) &&
           gpu_alloc(gpu, sizeof b->found, &b->out, error) &&
           gpu_alloc(gpu, 32, &b->clocks, error) && gpu_alloc(gpu, 8, &b->stuck, error) &&
           gpu_fill(gpu, b->stuck, 0, 8, error);
}

bool pipeline_bench_open(struct gpu *gpu, const struct measure_options *options,
                         struct pipeline_bench **bench, struct error *error)
{
    struct pipeline_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the pipeline family");
    b->options = options;
    *bench = b;
    b->has_wgmma = gpu_info(gpu)->compute_major == HOPPER;
    if (!b->has_wgmma || (alloc_buffers(gpu, b, error) && pipeline_upload_data(gpu, b, error) &&
                          one_sm_find_typical(gpu, &b->sm, error) &&
                          (!options->counters || pipeline_counting_open(gpu, b, error))))
        return true;
    pipeline_bench_close(gpu, b);
    *bench = NULL;
    return false;
}

/* ---- Launching ----------------------------------------------------------------------------- */

static void pack_operand(struct pipeline_case_run *r, enum swb_mma_operand operand)
{
    const struct pipeline_operand *o = &r->plan.operands[operand];
    struct pipeline_loads *loads = &r->arguments.loads[operand];
    *loads = (struct pipeline_loads){
        .boxes = o->boxes, .box_bytes = o->box_bytes, .smem_offset = o->offset_bytes};
    memcpy(loads->per_box, o->per_box, sizeof o->per_box);
    memcpy(loads->per_k_block, o->per_k_block, sizeof o->per_k_block);
    for (unsigned step = 0; step < r->plan.steps; step++)
        r->arguments.descriptors[operand][step] = swb_descriptor_encode(&o->descriptors[step]);
}

bool pipeline_prepare(struct pipeline_case_run *r, uint32_t k_blocks, struct gpu_launch *launch)
{
    const struct pipeline_bench *b = r->bench;
    const struct pipeline_case *c = &r->c;
    *launch = (struct gpu_launch){
        .grid_x = 1,
        .block_x = WGMMA_WARPGROUP + c->stages * PIPELINE_WARP,
        .dynamic_smem_bytes = PIPELINE_BARRIER_BYTES + PIPELINE_DATA_BYTES,
        .arguments = r->pointers,
    };
    r->arguments = (struct pipeline_arguments){
        .out = b->out,
        .clocks = b->clocks,
        .stuck = b->stuck,
        .rank = r->plan.operands[SWB_MMA_A].map.rank,
        .stages = c->stages,
        .stage_bytes = r->plan.stage_bytes,
        .positions = r->plan.positions,
        .fill_bytes = PIPELINE_DATA_BYTES,
        .patience_cycles = PATIENCE_CYCLES,
    };
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++) {
        pack_operand(r, operand);
        if (!tma_map_encode(r->gpu, &r->plan.operands[operand].map, b->tensors[operand],
                            operand == SWB_MMA_A ? "the tensor map of A" : "the tensor map of B",
                            &r->maps.of[operand], r->error))
            return false;
    }
    r->k_blocks = k_blocks;
    r->pointers[0] = &r->maps;
    r->pointers[1] = &r->arguments;
    r->pointers[2] = &r->k_blocks;
    snprintf(r->entry, sizeof r->entry, "n%u_k%u_%s", c->n % 1000, c->k_block % 1000,
             c->layouts[SWB_MMA_B].major == SWB_K_MAJOR ? "k" : "mn");
    return gpu_kernel_find(r->gpu, "pipeline", r->entry, &launch->kernel, r->error);
}

bool pipeline_check_barriers(struct pipeline_case_run *r)
{
    return judge_row_barriers(r->gpu, r->bench->stuck, "a stage", r->row, r->error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

bool pipeline_time(struct pipeline_case_run *r, struct pipeline_result *result)
{
    struct timed_kernel timed = {
        .iterations = &r->k_blocks, .clocks = r->bench->clocks, .work_per_iteration = 1};
    uint64_t cycles = pipeline_predicted(&r->c, &r->plan).bound_cycles;
    if (!pipeline_prepare(r, 0, &timed.launch))
        return false;
    one_sm_put(r->gpu, &timed, &r->arguments.choice, r->bench->sm);
    timed.n = SAMPLE_CYCLES / (uint32_t)(cycles > LEAST_CYCLES ? cycles : LEAST_CYCLES);
    return gpu_time_cycles(r->gpu, &timed, &result->timing, r->error) && pipeline_check_barriers(r);
}

static void nothing_measured(struct pipeline_result *result)
{
    *result = (struct pipeline_result){.timing = NO_TIMING};
    result->boxes_executed = result->inst_executed = result->sectors = NAN;
    result->wavefronts = result->conflicts = result->tma_cycles_active = NAN;
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

bool pipeline_bench_run(struct gpu *gpu, struct pipeline_bench *bench, size_t index,
                        struct pipeline_result *result, struct row *row, struct error *error)
{
    struct pipeline_case_run r = {.gpu = gpu,
                                  .bench = bench,
                                  .index = index,
                                  .c = pipeline_case_at(index),
                                  .row = row,
                                  .error = error};
    nothing_measured(result);
    if (!bench->has_wgmma) {
        row_end(row, ROW_SKIPPED, "wgmma needs compute capability 9.0, this GPU has %d.%d",
                gpu_info(gpu)->compute_major, gpu_info(gpu)->compute_minor);
        return true;
    }
    pipeline_plan_of(&r.c, &r.plan);
    if (!pipeline_verify(&r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!pipeline_count(&r, result))
        return false;
    return row->status != ROW_OK || pipeline_time(&r, result);
}
