/* How is a transpose verified, counted and timed on a GPU?
 *
 *   verify   transpose_verify.c: every byte of the output
 *   count    transpose_count.c: the same kernel under counters, less the same without a tile
 *   time     transpose_time.c: shared memory alone, by clocks
 *   rates    transpose_rate.c: whole matrices, and plain copies beside them
 */
#include "bench/transpose_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "bench/judge.h"
#include "bench/tma_map.h"
#include "harness/outside.h"

enum {
    LEAST_MAJOR = 8,
    HOPPER = 9,
    FILL_THREADS = 512,
    LEAST_SIDE_SHIFT = 6,
    MOST_CTAS = 32, /* of an SM */
    PLACES_BYTES = TRANSPOSE_PUT * TRANSPOSE_MAX_PIECES * TRANSPOSE_MAX_THREADS * 4,
    PATIENCE_CYCLES = 1 << 28, /* a seventh of a second */
    BARRIERS_BYTES = 16,
    STAGES = 2 /* of TMA */
};

/* ---- Sizes --------------------------------------------------------------------------------- */

/* Input and output together fill a third of L2, or many times of it. */
unsigned transpose_side_shift(const struct gpu_info *info, unsigned elem_bytes,
                              enum transpose_memory memory)
{
    uint64_t l2_bytes = (uint64_t)info->l2_bytes;
    uint64_t most = memory == TRANSPOSE_DRAM ? 8 * l2_bytes : outside_counted_share(l2_bytes / 6);
    unsigned shift = LEAST_SIDE_SHIFT;
    while ((uint64_t)elem_bytes << 2 * (shift + 1) <= most)
        shift++;
    return shift;
}

static size_t matrix_bytes(const struct gpu_info *info, unsigned elem_bytes,
                           enum transpose_memory memory)
{
    return (size_t)elem_bytes << 2 * transpose_side_shift(info, elem_bytes, memory);
}

static size_t largest_bytes(const struct gpu_info *info, enum transpose_memory memory)
{
    size_t most = 0;
    for (unsigned elem_bytes = 1; elem_bytes <= 4; elem_bytes *= 2) {
        size_t bytes = matrix_bytes(info, elem_bytes, memory);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static unsigned tiles_across_shift(const struct transpose_case_run *r, enum transpose_memory memory)
{
    unsigned shift = transpose_side_shift(gpu_info(r->gpu), r->c->elem_bits / 8, memory);
    for (unsigned tile = r->c->tile; tile > 1; tile /= 2)
        shift--;
    return shift;
}

uint32_t transpose_tiles(const struct transpose_case_run *r, enum transpose_memory memory)
{
    return UINT32_C(1) << 2 * tiles_across_shift(r, memory);
}

/* ---- Opening and closing ------------------------------------------------------------------- */

void transpose_bench_close(struct gpu *gpu, struct transpose_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->in, b->out, b->places, b->clocks, b->stuck, b->wrong};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    metric_sets_close(&b->metrics);
    free(b->found);
    free(b->spans);
    free(b);
}

static bool alloc_buffers(struct gpu *gpu, struct transpose_bench *b, struct error *error)
{
    const struct gpu_info *info = gpu_info(gpu);
    size_t matrix = largest_bytes(info, TRANSPOSE_DRAM);
    b->span_ctas = (unsigned)info->sm_count * MOST_CTAS;
    b->found = malloc(largest_bytes(info, TRANSPOSE_L2));
    b->spans = malloc((size_t)b->span_ctas * 16);
    if (!b->found || !b->spans)
        return error_set(error, ERROR_FAILED, "no memory for the transpose family");
    return gpu_alloc(gpu, matrix, &b->in, error) && gpu_alloc(gpu, matrix, &b->out, error) &&
           gpu_alloc(gpu, PLACES_BYTES, &b->places, error) &&
           gpu_alloc(gpu, (size_t)b->span_ctas * 16, &b->clocks, error) &&
           gpu_alloc(gpu, 8, &b->stuck, error) && gpu_fill(gpu, b->stuck, 0, 8, error) &&
           gpu_alloc(gpu, 16, &b->wrong, error);
}

static bool fill_input(struct gpu *gpu, struct transpose_bench *b, struct error *error)
{
    uint64_t words = largest_bytes(gpu_info(gpu), TRANSPOSE_DRAM) / 4;
    void *pointers[] = {&b->in, &words, &b->seed};
    struct gpu_launch launch = {
        .grid_x = b->span_ctas, .block_x = FILL_THREADS, .arguments = pointers};
    return gpu_kernel_find(gpu, "transpose", "fill", &launch.kernel, error) &&
           gpu_run(gpu, &launch, error) && gpu_wait(gpu, error);
}

bool transpose_bench_open(struct gpu *gpu, const struct measure_options *options,
                          struct transpose_bench **bench, struct error *error)
{
    struct transpose_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the transpose family");
    b->options = options;
    *bench = b;
    if (getrandom(&b->seed, sizeof b->seed, 0) != (ssize_t)sizeof b->seed)
        b->seed = (uint32_t)(uintptr_t)b;
    if (gpu_info(gpu)->compute_major < LEAST_MAJOR ||
        (alloc_buffers(gpu, b, error) && fill_input(gpu, b, error) &&
         (!options->counters || transpose_counting_open(gpu, b, error))))
        return true;
    transpose_bench_close(gpu, b);
    *bench = NULL;
    return false;
}

/* ---- Launching ----------------------------------------------------------------------------- */

static bool uses_tma(const struct transpose_case *c)
{
    return c->method->in == TRANSPOSE_IN_TMA && !c->method->is_copy;
}

unsigned transpose_cta_bytes(const struct transpose_case *c)
{
    unsigned bytes = (transpose_smem_bytes(c) + 15) / 16 * 16;
    unsigned stages = c->method->tma_out ? 2 * STAGES : STAGES;
    return uses_tma(c) ? stages * bytes + BARRIERS_BYTES : bytes;
}

unsigned transpose_ctas(const struct transpose_case_run *r, unsigned threads)
{
    unsigned room =
        (unsigned)gpu_info(r->gpu)->smem_per_block_optin_bytes + TRANSPOSE_CTA_SMEM_BYTES;
    unsigned ctas = threads / r->bench->plan.threads;
    unsigned fit = room / (transpose_cta_bytes(r->c) + TRANSPOSE_CTA_SMEM_BYTES);
    ctas = ctas < fit ? ctas : fit;
    return ctas < 1 ? 1 : ctas < MOST_CTAS ? ctas : MOST_CTAS;
}

/* "16-bit ldmatrix.trans" by the halves of the way: "chunks_ldmatrix_16_whole". */
static bool find_kernel(struct transpose_case_run *r, const char *suffix, struct gpu_kernel *kernel)
{
    static const char *const ins[] = {"elements", "words", "chunks", "stmatrix", "tma"};
    static const char *const outs[] = {"elements", "words", "ldmatrix", "ldmatrix_8x16b", "chunks"};
    const struct transpose_method *m = r->c->method;
    const char *fatbin = m->in < TRANSPOSE_IN_STMATRIX ? "transpose" : "transpose_sm90";
    char entry[64];
    snprintf(entry, sizeof entry, "%s_%s_%u%s_%s", ins[m->in], outs[m->out], r->c->elem_bits,
             m->tma_out ? "_tma" : "", suffix);
    return gpu_kernel_find(r->gpu, fatbin, entry, kernel, r->error);
}

static bool encode(struct transpose_case_run *r, unsigned side_shift, gpu_address matrix,
                   unsigned box, unsigned swizzle, struct tensor_map *map)
{
    enum { UINT8, UINT16, UINT32 }; /* CUtensorMapDataType */
    uint32_t elem_bytes = r->c->elem_bits / 8, side = 1u << side_shift;
    const struct swb_tma_map of_matrix = {
        .dtype = elem_bytes == 1   ? UINT8
                 : elem_bytes == 2 ? UINT16
                                   : UINT32,
        .rank = 2,
        .dims = {side, side},
        .strides = {(uint64_t)side * elem_bytes},
        .box = {box, r->c->tile},
        .element_strides = {1, 1},
        .swizzle = swizzle,
    };
    return tma_map_encode(r->gpu, &of_matrix, matrix, "the tensor map", map, r->error);
}

/* Boxes of the input are as wide as its swizzle's span; those of the output are whole tiles. */
static bool encode_both(struct transpose_case_run *r, unsigned side_shift)
{
    const struct transpose_bench *b = r->bench;
    return encode(r, side_shift, b->in, r->c->tile / b->plan.boxes,
                  r->c->layout->mode.tma_number - 1, &r->maps[0]) &&
           encode(r, side_shift, b->out, r->c->tile, 0, &r->maps[1]);
}

bool transpose_prepare(struct transpose_case_run *r, const char *suffix,
                       enum transpose_memory memory, unsigned ctas, struct gpu_launch *launch)
{
    const struct transpose_bench *b = r->bench;
    unsigned elem_bytes = r->c->elem_bits / 8;
    unsigned side_shift = transpose_side_shift(gpu_info(r->gpu), elem_bytes, memory);
    *launch = (struct gpu_launch){
        .grid_x = ctas,
        .block_x = b->plan.threads,
        .dynamic_smem_bytes = transpose_cta_bytes(r->c),
        .arguments = r->pointers,
    };
    r->arguments = (struct transpose_arguments){
        .in = b->in,
        .out = b->out,
        .places = b->places,
        .clocks = b->clocks,
        .stuck = b->stuck,
        .pitch_bytes = elem_bytes << side_shift,
        .line_bytes = transpose_line_bytes(r->c),
        .tile_lines = r->c->tile,
        .across_shift = tiles_across_shift(r, memory),
        .boxes = b->plan.boxes,
        .box_bytes = b->plan.box_bytes,
        .stage_bytes = transpose_tile_bytes(r->c),
        .patience_cycles = PATIENCE_CYCLES,
        .threads = b->plan.threads,
    };
    r->tiles = transpose_tiles(r, memory);
    r->pointers[0] = &r->arguments;
    r->pointers[1] = &r->tiles;
    r->pointers[2] = r->maps;
    if (uses_tma(r->c)) {
        r->arguments.box_elements = r->c->tile / b->plan.boxes;
        if (!encode_both(r, side_shift))
            return false;
    }
    return find_kernel(r, suffix, &launch->kernel);
}

bool transpose_launch(struct transpose_case_run *r, const struct gpu_launch *launch)
{
    return gpu_run(r->gpu, launch, r->error) && gpu_wait(r->gpu, r->error);
}

bool transpose_check_barriers(struct transpose_case_run *r)
{
    return judge_row_barriers(r->gpu, r->bench->stuck, "a stage", r->row, r->error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static bool upload_places(struct transpose_case_run *r)
{
    const struct transpose_plan *plan = &r->bench->plan;
    size_t bytes = (size_t)plan->threads * 4;
    gpu_address to = r->bench->places;
    for (unsigned step = 0; step < TRANSPOSE_PUT; step++)
        for (unsigned piece = 0; piece < plan->steps[step].count; piece++, to += bytes)
            if (!gpu_upload(r->gpu, to, plan->steps[step].at[piece], bytes, r->error))
                return false;
    return true;
}

static void nothing_measured(struct transpose_result *result)
{
    *result = (struct transpose_result){.cycles = NO_TIMING};
    result->in = result->out = result->put = (struct transpose_counted){0, NAN, NAN, NAN};
    result->arbitration = NAN;
    for (size_t i = 0; i < TRANSPOSE_MEMORIES; i++) {
        result->rates[i] = (struct chip_rate){NAN, NAN, NAN};
        result->copy[i] = NAN;
    }
    for (size_t i = 0; i < METRIC_SETS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

static bool supported(struct transpose_case_run *r)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    bool is_new = !r->c->method->is_copy && r->c->method->in >= TRANSPOSE_IN_STMATRIX;
    int needed = is_new ? HOPPER : LEAST_MAJOR;
    return info->compute_major >= needed ||
           row_end(r->row, ROW_SKIPPED,
                   "the kernel needs compute capability %d.0, this GPU has %d.%d", needed,
                   info->compute_major, info->compute_minor);
}

bool transpose_bench_run(struct gpu *gpu, struct transpose_bench *bench,
                         const struct transpose_case *c, struct transpose_result *result,
                         struct row *row, struct error *error)
{
    struct transpose_case_run r = {.gpu = gpu, .bench = bench, .c = c, .row = row, .error = error};
    nothing_measured(result);
    if (!supported(&r))
        return true;
    if (!c->method->is_copy) {
        transpose_plan_of(c, &bench->plan);
        if (!upload_places(&r))
            return false;
    }
    if (!transpose_verify(&r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!c->method->is_copy && (!transpose_count(&r, result) || !transpose_time(&r, result)))
        return false;
    return row->status != ROW_OK || (transpose_rates(&r, result) && transpose_check_barriers(&r));
}
