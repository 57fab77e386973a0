/* How fast does the whole GPU move tiles, from or to L2 and DRAM, and what do plain loads or stores
 * of the same memory reach? */
#include "bench/copy_bench.h"

#include <stdlib.h>

#include "bench/plain.h"
#include "harness/outside.h"

enum {
    SM_SMEM_BYTES = 220 * 1024,
    CTA_SMEM_BYTES = 1024, /* what the hardware keeps for itself */
    SM_THREADS = 1024,     /* that have 64 registers each */
    LEAST_TILES = 8,       /* of a CTA */
};
static const uint64_t l2_moved_bytes = UINT64_C(2) << 30;

/* From DRAM all of the tensor, twice. */
static uint64_t moved_bytes(const struct copy_bench *b, enum copy_source source)
{
    return source == COPY_DRAM ? 2 * b->tensor_bytes : l2_moved_bytes;
}

/* ---- Plain loads and stores ---------------------------------------------------------------- */

/* The best of several numbers of CTAs. */
bool copy_rate_plain(struct copy_case_run *r, struct copy_result *result)
{
    static const unsigned ctas[] = {2, 3, 4};
    struct copy_bench *b = r->bench;
    bool back = r->c.way->back;
    struct plain_memory memory = {.data = back ? b->sink : b->tensor,
                                  .bytes = r->c.source == COPY_DRAM ? b->tensor_bytes
                                                                    : COPY_TENSOR_BYTES,
                                  .moved_bytes = moved_bytes(b, r->c.source),
                                  .image = b->tensor_image,
                                  .image_bytes = COPY_TENSOR_BYTES,
                                  .sums = b->sums,
                                  .spans = b->spans,
                                  .span_buffer = b->span_buffer};
    double *peak = &b->peaks[r->c.source][back];
    for (size_t i = 0; i < sizeof ctas / sizeof ctas[0]; i++) {
        struct chip_rate rate = {.gbytes_per_s = 0};
        if (!(back ? plain_store_rate : plain_load_rate)(r->gpu, &memory, ctas[i], &rate, r->row,
                                                         r->error))
            return false;
        if (i == 0 || rate.gbytes_per_s > result->rate.gbytes_per_s) {
            result->rate = rate;
            result->ctas_per_sm = ctas[i];
        }
    }
    *peak = result->peak_gbytes_per_s = result->rate.gbytes_per_s;
    return true;
}

/* Measured when a row needs it first, so that every run has its own. */
static bool find_peak(struct copy_case_run *r, struct copy_result *result)
{
    struct copy_bench *b = r->bench;
    struct copy_result plain;
    struct row row = {.status = ROW_OK};
    struct copy_case_run run = {
        .gpu = r->gpu, .bench = b, .c = r->c, .row = &row, .error = r->error};
    if (b->peaks[r->c.source][r->c.way->back] == 0 && !copy_rate_plain(&run, &plain))
        return false;
    if (row.status != ROW_OK)
        row_end(r->row, row.status, "the plain copy to compare with: %s", row.reason);
    result->peak_gbytes_per_s = b->peaks[r->c.source][r->c.way->back];
    return true;
}

/* ---- Tiles --------------------------------------------------------------------------------- */

static unsigned ctas_per_sm(const struct gpu_launch *launch)
{
    unsigned by_smem = SM_SMEM_BYTES / (launch->dynamic_smem_bytes + CTA_SMEM_BYTES);
    unsigned by_threads = SM_THREADS / launch->block_x;
    unsigned ctas = by_smem < by_threads ? by_smem : by_threads;
    return ctas < 1 ? 1 : ctas > COPY_MOST_CTAS ? COPY_MOST_CTAS : ctas;
}

bool copy_rate(struct copy_case_run *r, struct copy_result *result)
{
    struct copy_bench *b = r->bench;
    struct gpu_launch launch;
    if (!find_peak(r, result) || !copy_prepare(r, 1, 0, &launch))
        return false;
    uint32_t data_bytes = r->c.stages * r->plan.stage_bytes;
    r->arguments.fill_bytes = data_bytes;
    launch.dynamic_smem_bytes = COPY_BARRIER_BYTES + data_bytes;
    result->ctas_per_sm = ctas_per_sm(&launch);
    launch.grid_x = result->ctas_per_sm * (unsigned)gpu_info(r->gpu)->sm_count;
    uint64_t cta_bytes = outside_share(moved_bytes(b, r->c.source)) / launch.grid_x;
    r->tiles = (uint32_t)(cta_bytes / r->plan.tile_bytes);
    if (r->tiles < LEAST_TILES)
        r->tiles = LEAST_TILES;
    double bytes = (double)r->tiles * launch.grid_x * r->plan.tile_bytes;
    return chip_rate_measure(r->gpu, &launch, b->spans, b->span_buffer, bytes, &result->rate,
                             r->error) &&
           copy_check_barriers(r);
}
