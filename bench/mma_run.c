/* How is an mma with its operands in shared memory verified, counted and timed on a GPU?
 *
 *   verify   mma_verify.c: the product, exactly, with the loads in the loop and without
 *   count    mma_count.c: the timed kernel under counters, less its control kernel
 *   time     mma_time.c: the timed kernel alone, on all SMs
 */
#include "bench/mma_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Of the second operand, and of a slot's image: a multiple of every swizzle's repeat. */
enum { ALIGNMENT_BYTES = 1024, SLOT_BYTES = MMA_OFFSETS_BYTES + MMA_IMAGE_BYTES };

/* ---- Opening and closing ------------------------------------------------------------------- */

void mma_bench_close(struct gpu *gpu, struct mma_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->inputs, b->out, b->clocks};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b);
}

static bool alloc_buffers(struct gpu *gpu, struct mma_bench *b, struct error *error)
{
    const struct {
        gpu_address *at;
        size_t bytes;
    } buffers[] = {
        {&b->inputs, (size_t)MMA_SLOTS * SLOT_BYTES},
        {&b->out, sizeof b->out_words},
        {&b->clocks, (size_t)gpu_info(gpu)->sm_count * 16},
    };
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (!gpu_alloc(gpu, buffers[i].bytes, buffers[i].at, error))
            return false;
    return true;
}

/* What it returns may be short: the generator goes on from whatever is there. */
static void draw_numbers(struct mma_bench *b)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        seed = (uint64_t)(uintptr_t)b;
    int8_t *numbers = &b->numbers[0][0];
    for (size_t i = 0; i < sizeof b->numbers; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        numbers[i] = (int8_t)(seed >> 56);
    }
}

bool mma_bench_open(struct gpu *gpu, const struct measure_options *options,
                    struct mma_bench **bench, struct error *error)
{
    struct mma_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the mma family");
    b->options = options;
    draw_numbers(b);
    if (!alloc_buffers(gpu, b, error) || (options->counters && !mma_counting_open(gpu, b, error))) {
        mma_bench_close(gpu, b);
        return false;
    }
    *bench = b;
    return true;
}

/* ---- Inputs -------------------------------------------------------------------------------- */

int mma_number(const struct mma_bench *b, const struct mma_type *type, enum swb_mma_operand which,
               unsigned element)
{
    return b->numbers[which][element] / (1 << type->less_bits);
}

uint32_t mma_encode(const struct mma_type *type, int number)
{
    unsigned magnitude = (unsigned)abs(number), mantissa = type->mantissa_bits, exponent = 0;
    if (type->exponent_bits == 0)
        return (uint32_t)number;
    if (magnitude == 0)
        return 0;
    while (magnitude >> (exponent + 1))
        exponent++;
    unsigned bias = (1u << (type->exponent_bits - 1)) - 1;
    unsigned fraction = (magnitude << mantissa >> exponent) & ((1u << mantissa) - 1);
    return (number < 0 ? 1u << (type->exponent_bits + mantissa) : 0) |
           (exponent + bias) << mantissa | fraction;
}

static uint32_t image_offset(const struct mma_case_run *r, enum swb_mma_operand which)
{
    uint32_t a_bytes = r->plans[SWB_MMA_A]->tile_bytes;
    return which == SWB_MMA_A ? 0
                              : (a_bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
}

static uint32_t image_bytes(const struct mma_case_run *r)
{
    return (image_offset(r, SWB_MMA_B) + r->plans[SWB_MMA_B]->tile_bytes + 15) / 16 * 16;
}

static void lay_operand(struct mma_case_run *r, enum swb_mma_operand which, uint32_t *offsets)
{
    const struct mma_plan *plan = r->plans[which];
    struct mma_bench *b = r->bench;
    uint32_t base = image_offset(r, which);
    for (unsigned element = 0; element < plan->rows * plan->cols; element++) {
        uint32_t word = mma_encode(r->c->type, mma_number(b, r->c->type, which, element));
        memcpy(&b->image[base + plan->place[element]], &word, plan->bits / 8);
    }
    for (unsigned warp = 0; warp < MMA_WARPS; warp++) {
        uint32_t *first = &offsets[(size_t)warp * SWB_LANES *
                                   (r->plans[SWB_MMA_A]->loads + r->plans[SWB_MMA_B]->loads)];
        for (unsigned load = 0; load < plan->loads; load++)
            for (unsigned lane = 0; lane < SWB_LANES; lane++)
                first[load * SWB_LANES + lane] = base + plan->offsets[warp][load][lane];
    }
}

/* B's loads stand behind those of A. */
static bool upload_inputs(struct mma_case_run *r)
{
    struct mma_bench *b = r->bench;
    unsigned loads = r->plans[SWB_MMA_A]->loads + r->plans[SWB_MMA_B]->loads;
    gpu_address slot = b->inputs + (gpu_address)r->slot * SLOT_BYTES;
    memset(b->image, 0xa5, sizeof b->image);
    lay_operand(r, SWB_MMA_A, b->offsets);
    lay_operand(r, SWB_MMA_B, b->offsets + (size_t)r->plans[SWB_MMA_A]->loads * SWB_LANES);
    return gpu_upload(r->gpu, slot, b->offsets, (size_t)MMA_WARPS * loads * SWB_LANES * 4,
                      r->error) &&
           gpu_upload(r->gpu, slot + MMA_OFFSETS_BYTES, b->image, image_bytes(r), r->error);
}

/* ---- Launching ----------------------------------------------------------------------------- */

static void name_kernel(struct mma_case_run *r)
{
    snprintf(r->entry, sizeof r->entry, "%s_%s_%s", r->c->type->name,
             r->plans[SWB_MMA_A]->instruction->name, r->plans[SWB_MMA_B]->instruction->name);
    for (char *at = r->entry; *at; at++)
        *at = *at == '.' ? '_' : *at;
}

bool mma_make_ready(struct mma_case_run *r)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    r->capability = (unsigned)(10 * info->compute_major + info->compute_minor);
    for (unsigned i = 0; i < MMA_READ; i++) {
        r->plans[i] = mma_plan_of(r->c, (enum swb_mma_operand)i);
        if (r->plans[i]->why_not)
            return row_end(r->row, ROW_SKIPPED, "%s", r->plans[i]->why_not), true;
    }
    const char *refusal = mma_type_refusal(r->c->type, r->capability);
    if (refusal) {
        row_end(r->row, ROW_SKIPPED, "%s; this GPU has %d.%d", refusal, info->compute_major,
                info->compute_minor);
        return true;
    }
    name_kernel(r);
    return upload_inputs(r);
}

static bool prepare(struct mma_case_run *r, const char *fatbin, unsigned ctas,
                    struct gpu_launch *launch)
{
    gpu_address slot = r->bench->inputs + (gpu_address)r->slot * SLOT_BYTES;
    *launch = (struct gpu_launch){
        .grid_x = ctas,
        .block_x = MMA_THREADS,
        .dynamic_smem_bytes = image_bytes(r),
        .arguments = r->pointers,
    };
    r->arguments = (struct mma_arguments){
        .offsets = slot,
        .image = slot + MMA_OFFSETS_BYTES,
        .out = r->bench->out,
        .clocks = r->bench->clocks,
        .image_bytes = image_bytes(r),
    };
    r->iterations = 1;
    r->pointers[0] = &r->arguments;
    r->pointers[1] = &r->iterations;
    return gpu_kernel_find(r->gpu, fatbin, r->launched, &launch->kernel, r->error);
}

bool mma_prepare(struct mma_case_run *r, const char *suffix, unsigned ctas,
                 struct gpu_launch *launch)
{
    snprintf(r->launched, sizeof r->launched, "%s_%s", r->entry, suffix);
    return prepare(r, r->c->type->fatbin, ctas, launch);
}

bool mma_prepare_control(struct mma_case_run *r, struct gpu_launch *launch)
{
    snprintf(r->launched, sizeof r->launched, "control");
    return prepare(r, "mma", 1, launch);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void nothing_measured(struct mma_result *result)
{
    *result = (struct mma_result){.loads_expected = 0};
    result->loads_executed = result->tensor_executed = NAN;
    result->wavefronts = result->conflicts = result->wrong_share = NAN;
    result->with_loads = result->without_loads = NO_TIMING;
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

bool mma_bench_run(struct gpu *gpu, struct mma_bench *bench, size_t index,
                   struct mma_result *result, struct row *row, struct error *error)
{
    struct mma_case_run r = {.gpu = gpu,
                             .bench = bench,
                             .index = index,
                             .c = mma_case_at(index),
                             .slot = MMA_CASE_SLOT,
                             .row = row,
                             .error = error};
    nothing_measured(result);
    if (!mma_make_ready(&r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!mma_verify(&r, result))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!mma_count(&r, result))
        return false;
    return row->status != ROW_OK || mma_time(&r, result);
}
