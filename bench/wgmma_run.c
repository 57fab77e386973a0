/* How is a product verified, counted and timed on a GPU?
 *
 *   verify   wgmma_verify.c: every accumulator of every thread
 *   count    wgmma_count.c: the timed kernel under counters, less the same without its loop
 *   time     below: two warpgroups on every SM
 */
#include "bench/wgmma_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { HOPPER = 9, SAMPLE_CYCLES = 65536 };

/* ---- Opening and closing ------------------------------------------------------------------- */

void wgmma_bench_close(struct gpu *gpu, struct wgmma_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->images, b->fragments, b->out, b->clocks};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b->ahead);
    free(b);
}

static bool alloc_buffers(struct gpu *gpu, struct wgmma_bench *b, struct error *error)
{
    size_t fragment_bytes = WGMMA_STEPS * WGMMA_WARPGROUP * WGMMA_FRAGMENT_WORDS * 4;
    return gpu_alloc(gpu, (size_t)WGMMA_TYPES * WGMMA_IMAGE_BYTES, &b->images, error) &&
           gpu_alloc(gpu, WGMMA_TYPES * fragment_bytes, &b->fragments, error) &&
           gpu_alloc(gpu, sizeof b->found, &b->out, error) &&
           gpu_alloc(gpu, (size_t)gpu_info(gpu)->sm_count * 16, &b->clocks, error);
}

bool wgmma_bench_open(struct gpu *gpu, const struct measure_options *options,
                      struct wgmma_bench **bench, struct error *error)
{
    struct wgmma_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the wgmma family");
    b->options = options;
    *bench = b;
    b->has_wgmma = gpu_info(gpu)->compute_major == HOPPER;
    if (!b->has_wgmma || (alloc_buffers(gpu, b, error) && wgmma_upload_data(gpu, b, error) &&
                          (!options->counters || wgmma_counting_open(gpu, b, error))))
        return true;
    wgmma_bench_close(gpu, b);
    *bench = NULL;
    return false;
}

/* ---- Launching ----------------------------------------------------------------------------- */

/* "n64_ss_k_mn", "n64_rs_k". */
static void name_kernel(struct wgmma_case_run *r)
{
    const struct wgmma_case *c = &r->c;
    const char *majors[WGMMA_OPERANDS];
    for (unsigned i = 0; i < WGMMA_OPERANDS; i++)
        majors[i] = c->layouts[i].major == SWB_K_MAJOR ? "k" : "mn";
    if (c->a_in_shared)
        snprintf(r->entry, sizeof r->entry, "n%u_ss_%s_%s", c->n, majors[0], majors[1]);
    else
        snprintf(r->entry, sizeof r->entry, "n%u_rs_%s", c->n, majors[1]);
}

bool wgmma_prepare(struct wgmma_case_run *r, unsigned ctas, uint32_t iterations,
                   struct gpu_launch *launch)
{
    const struct wgmma_bench *b = r->bench;
    size_t fragment_bytes = WGMMA_STEPS * WGMMA_WARPGROUP * WGMMA_FRAGMENT_WORDS * 4;
    char fatbin[16];
    *launch = (struct gpu_launch){
        .grid_x = ctas,
        .block_x = WGMMA_THREADS,
        .dynamic_smem_bytes = r->plan.image_bytes + WGMMA_ALIGNMENT_BYTES,
        .arguments = r->pointers,
    };
    r->arguments = (struct wgmma_arguments){
        .image = b->images + (size_t)r->c.type * WGMMA_IMAGE_BYTES,
        .fragments = b->fragments + r->c.type * fragment_bytes,
        .out = b->out,
        .clocks = b->clocks,
        .image_bytes = r->plan.image_bytes,
    };
    for (unsigned step = 0; step < WGMMA_STEPS; step++) {
        if (r->c.a_in_shared)
            r->arguments.a[step] = swb_descriptor_encode(&r->plan.descriptors[SWB_MMA_A][step]);
        r->arguments.b[step] = swb_descriptor_encode(&r->plan.descriptors[SWB_MMA_B][step]);
    }
    r->iterations = iterations;
    r->pointers[0] = &r->arguments;
    r->pointers[1] = &r->iterations;
    name_kernel(r);
    snprintf(fatbin, sizeof fatbin, "wgmma_%s", wgmma_type_at(r->c.type)->name);
    return gpu_kernel_find(r->gpu, fatbin, r->entry, &launch->kernel, r->error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

bool wgmma_time(struct wgmma_case_run *r, struct wgmma_result *result)
{
    const unsigned per_iteration = WGMMA_WARPGROUPS * WGMMA_STEPS;
    struct timed_kernel timed = {.iterations = &r->iterations,
                                 .clocks = r->bench->clocks,
                                 .work_per_iteration = per_iteration};
    double cycles = wgmma_predicted(&r->c, &r->plan).cycles * per_iteration;
    if (!wgmma_prepare(r, (unsigned)gpu_info(r->gpu)->sm_count, 0, &timed.launch))
        return false;
    timed.n = (uint32_t)(SAMPLE_CYCLES / cycles);
    return gpu_time_cycles(r->gpu, &timed, &result->timing, r->error);
}

static void nothing_measured(struct wgmma_result *result)
{
    *result = (struct wgmma_result){.timing = NO_TIMING};
    result->wrong_share = result->inst_executed = NAN;
    result->wavefronts = result->conflicts = result->bank_reads = NAN;
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

bool wgmma_bench_run(struct gpu *gpu, struct wgmma_bench *bench, size_t index,
                     struct wgmma_result *result, struct row *row, struct error *error)
{
    struct wgmma_case_run r = {.gpu = gpu,
                               .bench = bench,
                               .index = index,
                               .c = wgmma_case_at(index),
                               .row = row,
                               .error = error};
    nothing_measured(result);
    if (!bench->has_wgmma) {
        row_end(row, ROW_SKIPPED, "wgmma needs compute capability 9.0, this GPU has %d.%d",
                gpu_info(gpu)->compute_major, gpu_info(gpu)->compute_minor);
        return true;
    }
    wgmma_plan_of(&r.c, &r.plan);
    if (!wgmma_verify(&r, result))
        return false;
    if (row->status != ROW_OK)
        return true;
    return wgmma_count(&r, result) && wgmma_time(&r, result);
}
