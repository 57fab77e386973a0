/* What does the hardware count for many accesses of one instruction in one launch? */
#include "bench/fuzz_launch.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/access_names.h"
#include "bench/fuzz_access.h"

enum { THREADS = 1024, KINDS = SWB_CP_ASYNC + 1 };

/* As kernels/fuzz.cu declares it. */
struct fuzz_arguments {
    gpu_address offsets, sources, masks, weights, source, out;
    uint32_t accesses, first, end, step;
};

/* SPECIAL is the sectors of cp.async, and for all others the turns lost to other traffic. */
enum metric { WAVEFRONTS, CONFLICTS, EXECUTED, SPECIAL, METRICS };

/* The counters of one kind of instruction. */
struct fuzz_counters {
    struct counter_set *set;
    const char *names[METRICS];
    size_t count; /* without SPECIAL where the chip has no such counter */
};

struct fuzz_bench {
    struct fuzz_arguments device;
    struct fuzz_counters counters[KINDS];
    const struct swb_instruction *instruction; /* of the batch that is loaded */
    char entry[64];
    struct gpu_kernel kernel;
};

/* ---- Opening and closing ------------------------------------------------------------------- */

static bool first_known(struct gpu *gpu, const char *const *names, const char **name,
                        struct error *error)
{
    for (size_t i = 0; i < 2 && names[i]; i++)
        if (counters_has_metric(gpu, names[i])) {
            *name = names[i];
            return true;
        }
    return error_set(error, ERROR_MACHINE, "this chip has no counter %s", names[0]);
}

static bool open_counters(struct gpu *gpu, enum swb_kind kind, struct fuzz_counters *c,
                          struct error *error)
{
    const struct access_names *names = access_names(kind);
    if (!first_known(gpu, names->wavefronts, &c->names[WAVEFRONTS], error) ||
        !first_known(gpu, names->conflicts, &c->names[CONFLICTS], error) ||
        !first_known(gpu, names->executed, &c->names[EXECUTED], error))
        return false;
    const char *special = kind == SWB_CP_ASYNC ? ACCESS_COPY_SECTORS : ACCESS_ARBITRATION;
    c->count = SPECIAL;
    if (counters_has_metric(gpu, special))
        c->names[c->count++] = special;
    return counter_set_open(gpu, c->names, c->count, &c->set, error);
}

static bool alloc_buffers(struct gpu *gpu, struct fuzz_bench *b, struct error *error)
{
    size_t threads = (size_t)gpu_info(gpu)->sm_count * THREADS;
    return gpu_alloc(gpu, FUZZ_BATCH * SWB_LANES * sizeof(uint16_t), &b->device.offsets, error) &&
           gpu_alloc(gpu, FUZZ_BATCH * SWB_LANES * sizeof(uint16_t), &b->device.sources, error) &&
           gpu_alloc(gpu, 2 * FUZZ_WINDOW_BYTES, &b->device.source, error) &&
           gpu_alloc(gpu, FUZZ_BATCH * sizeof(uint32_t), &b->device.masks, error) &&
           gpu_alloc(gpu, FUZZ_BATCH * sizeof(uint32_t), &b->device.weights, error) &&
           gpu_alloc(gpu, threads * sizeof(uint32_t), &b->device.out, error);
}

void fuzz_bench_close(struct gpu *gpu, struct fuzz_bench *b)
{
    if (!b)
        return;
    gpu_free(gpu, b->device.offsets);
    gpu_free(gpu, b->device.sources);
    gpu_free(gpu, b->device.source);
    gpu_free(gpu, b->device.masks);
    gpu_free(gpu, b->device.weights);
    gpu_free(gpu, b->device.out);
    for (size_t i = 0; i < KINDS; i++)
        counter_set_close(b->counters[i].set);
    free(b);
}

bool fuzz_bench_open(struct gpu *gpu, struct fuzz_bench **bench, struct error *error)
{
    const char *why_not = counters_why_not(gpu);
    if (why_not)
        return error_set(error, ERROR_MACHINE, "nothing to compare with: %s", why_not);
    struct fuzz_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the fuzz buffers");
    if (!alloc_buffers(gpu, b, error)) {
        fuzz_bench_close(gpu, b);
        return false;
    }
    *bench = b;
    return true;
}

/* ---- A batch ------------------------------------------------------------------------------- */

bool fuzz_bench_load(struct gpu *gpu, struct fuzz_bench *b, const struct fuzz_batch *batch,
                     struct error *error)
{
    struct fuzz_counters *counters = &b->counters[batch->instruction->kind];
    char stem[48];
    if (!counters->set && !open_counters(gpu, batch->instruction->kind, counters, error))
        return false;
    access_entry(batch->instruction, batch->bypass_l1, stem, sizeof stem);
    snprintf(b->entry, sizeof b->entry, "fuzz_%s", stem);
    b->instruction = batch->instruction;
    b->device.accesses = batch->count;
    return gpu_kernel_find(gpu, "fuzz", b->entry, &b->kernel, error) &&
           gpu_upload(gpu, b->device.offsets, batch->offsets,
                      batch->count * sizeof batch->offsets[0], error) &&
           (batch->instruction->kind != SWB_CP_ASYNC ||
            gpu_upload(gpu, b->device.sources, batch->sources,
                       batch->count * sizeof batch->sources[0], error)) &&
           gpu_upload(gpu, b->device.masks, batch->masks, batch->count * sizeof batch->masks[0],
                      error) &&
           gpu_upload(gpu, b->device.weights, batch->weights,
                      batch->count * sizeof batch->weights[0], error);
}

bool fuzz_bench_count(struct gpu *gpu, struct fuzz_bench *b, unsigned first, unsigned end,
                      struct fuzz_sums *sums, struct error *error)
{
    struct fuzz_arguments arguments = b->device;
    void *pointers[] = {&arguments};
    struct gpu_launch launch = {
        .kernel = b->kernel,
        .grid_x = (unsigned)gpu_info(gpu)->sm_count,
        .block_x = THREADS,
        .dynamic_smem_bytes = FUZZ_WINDOW_BYTES,
        .arguments = pointers,
    };
    double values[METRICS] = {0};
    arguments.first = first;
    arguments.end = end;
    if (!counters_collect(gpu, b->counters[b->instruction->kind].set, &launch, 1, values, error))
        return false;
    /* Turns lost to other traffic are none of the access's own; the kernel keeps them at 0. */
    bool copies = b->instruction->kind == SWB_CP_ASYNC;
    double lost = copies ? 0 : values[SPECIAL];
    sums->wavefronts = (uint64_t)(values[WAVEFRONTS] - lost);
    sums->conflicts = (uint64_t)(values[CONFLICTS] - lost);
    sums->executed = (uint64_t)values[EXECUTED];
    sums->sectors = copies ? (uint64_t)values[SPECIAL] : 0;
    return true;
}
