/* How is an access plan verified, counted and timed on a GPU?
 *
 *   verify   access_verify.c: registers (loads) or all of shared memory (stores), byte for byte
 *   count    access_count.c: the timed kernel under counters, less its control kernel
 *   time     access_time.c: the timed kernel alone
 */
#include "bench/access_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

/* A guess at clocks a cp.async, to choose how often it runs. */
enum { CP_ASYNC_CYCLES = 8 };

/* ---- Opening and closing ------------------------------------------------------------------- */

static bool alloc_buffers(struct gpu *gpu, struct access_bench *b, struct error *error)
{
    size_t ctas = (size_t)gpu_info(gpu)->sm_count;
    size_t sums = ctas * THREADS * 16, shown = sizeof b->registers;
    const struct {
        gpu_address *at;
        size_t bytes;
    } buffers[] = {
        {&b->device.offsets, sizeof b->offsets}, {&b->device.sources, sizeof b->sources},
        {&b->device.data, sizeof b->data},       {&b->device.image, IMAGE_BYTES},
        {&b->device.source, SOURCE_BYTES},       {&b->device.out, sums > shown ? sums : shown},
        {&b->device.clocks, ctas * 16},
    };
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (!gpu_alloc(gpu, buffers[i].bytes, buffers[i].at, error))
            return false;
    return true;
}

static bool find_smem_base(struct gpu *gpu, struct access_bench *b, struct error *error)
{
    struct gpu_launch launch = {.grid_x = 1, .block_x = 1, .dynamic_smem_bytes = IMAGE_BYTES};
    void *arguments[] = {&b->device.out};
    launch.arguments = arguments;
    return gpu_kernel_find(gpu, "ld_st_shared", "shared_base", &launch.kernel, error) &&
           gpu_run(gpu, &launch, error) && gpu_wait(gpu, error) &&
           gpu_download(gpu, &b->smem_base, b->device.out, sizeof b->smem_base, error);
}

void access_bench_close(struct gpu *gpu, struct access_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->device.offsets, b->device.sources, b->device.data,
                                     b->device.image,   b->device.source,  b->device.out,
                                     b->device.clocks};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    counter_set_close(b->plain.set);
    counter_set_close(b->copies.set);
    free(b);
}

bool access_bench_open(struct gpu *gpu, const struct measure_options *options,
                       struct access_bench **bench, struct error *error)
{
    if (options->extra_metric_count > ACCESS_MAX_EXTRA)
        return error_set(error, ERROR_INPUT, "--metrics: at most %d of them, not %zu",
                         ACCESS_MAX_EXTRA, options->extra_metric_count);
    struct access_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the buffers of the shared family");
    b->options = options;
    if (getrandom(&b->random, sizeof b->random, 0) != (ssize_t)sizeof b->random)
        b->random = (uint64_t)(uintptr_t)b;

    if (!alloc_buffers(gpu, b, error) || !find_smem_base(gpu, b, error) ||
        (options->counters && !access_counting_open(gpu, b, error))) {
        access_bench_close(gpu, b);
        return false;
    }
    *bench = b;
    return true;
}

/* ---- Launching ----------------------------------------------------------------------------- */

/* As the kernels' instructions declare it. */
static unsigned rounds_of(const struct swb_instruction *instruction, bool loads)
{
    if (instruction->kind == SWB_CP_ASYNC)
        return 1;
    return loads && access_registers(instruction) == 1 ? 8 : 4;
}

unsigned access_body(const struct run *r)
{
    return GROUP_SLOTS * COPIES * r->rounds;
}

unsigned access_groups(unsigned slots, unsigned warps)
{
    unsigned groups = (slots + GROUP_SLOTS - 1) / GROUP_SLOTS;
    return (groups + warps - 1) / warps * warps;
}

bool access_prepare(struct run *r, const char *suffix, unsigned ctas, unsigned warps,
                    struct gpu_launch *launch)
{
    snprintf(r->entry, sizeof r->entry, "%s_%s", r->prefix, suffix);
    *launch = (struct gpu_launch){
        .grid_x = ctas,
        .block_x = warps * SWB_LANES,
        .dynamic_smem_bytes = IMAGE_BYTES,
        .arguments = r->pointers,
    };
    r->arguments = r->bench->device;
    r->arguments.groups = access_groups(r->plan->slots, warps);
    r->arguments.warps = warps;
    r->arguments.image_bytes = IMAGE_BYTES;
    r->arguments.active_mask = r->plan->active_mask;
    r->iterations = ITERATIONS;
    r->pointers[0] = &r->arguments;
    r->pointers[1] = &r->iterations;
    return gpu_kernel_find(r->gpu, access_names(r->plan->instruction->kind)->fatbin, r->entry,
                           &launch->kernel, r->error);
}

bool access_launch(struct run *r, const struct gpu_launch *launch)
{
    return gpu_run(r->gpu, launch, r->error) && gpu_wait(r->gpu, r->error);
}

/* ---- All three ----------------------------------------------------------------------------- */

static void nothing_measured(struct access_result *result)
{
    *result = (struct access_result){0};
    result->inst_executed = result->wavefronts = result->conflicts = NAN;
    result->total_wavefronts = result->arbitration_conflicts = NAN;
    result->sectors = result->l2_sectors = result->dram_sectors = NAN;
    result->latency = result->one_warp = result->throughput = NO_TIMING;
    for (size_t i = 0; i < ACCESS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

/* What this GPU cannot run at all is a skipped row. */
static bool supported(struct run *r)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    if (!access_supported(r->plan->instruction, info, r->row))
        return false;
    if (info->smem_per_block_optin_bytes < IMAGE_BYTES)
        return row_end(r->row, ROW_SKIPPED,
                       "needs %d bytes of shared memory a block, this GPU has %d", IMAGE_BYTES,
                       info->smem_per_block_optin_bytes);
    return true;
}

bool access_bench_run(struct gpu *gpu, struct access_bench *bench, const struct access_plan *plan,
                      struct access_result *result, struct row *row, struct error *error)
{
    enum swb_kind kind = plan->instruction->kind;
    struct plan_cost cost = access_plan_cost(plan);
    struct run r = {.gpu = gpu, .bench = bench, .plan = plan, .row = row, .error = error};

    nothing_measured(result);
    r.loads = kind == SWB_LOAD || kind == SWB_LDMATRIX;
    r.rounds = rounds_of(plan->instruction, r.loads);
    r.cycles = kind == SWB_CP_ASYNC ? CP_ASYNC_CYCLES : (double)cost.wavefronts / plan->slots;
    access_entry(plan->instruction, plan->bypass_l1, r.prefix, sizeof r.prefix);
    if (!supported(&r))
        return true;
    if (!access_verify(&r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!access_count(&r, result))
        return false;
    return row->status != ROW_OK || access_time(&r, cost.worst_slot, result);
}
