/* How fast does the whole GPU move tiles, from or to L2 and DRAM, and what do plain loads or stores
 * of the same memory reach? */
#include "bench/copy_bench.h"

#include <math.h>

#include "bench/plain.h"
#include "harness/outside.h"

enum {
    SM_SMEM_BYTES = 220 * 1024,
    CTA_SMEM_BYTES = 1024, /* what the hardware keeps for itself */
    SM_THREADS = 1024,     /* that have 64 registers each */
    LEAST_TILES = 8,       /* of a CTA */
    TRIAL_SHARE = 16,      /* of a launch's tiles, to see how long they take */
    LEAST_SHARE = 8,       /* and of what is too slow: from DRAM that is still many times L2 */
    MOST_NS = 6000000,
};
static const uint64_t l2_moved_bytes = UINT64_C(2) << 30;

/* From DRAM all of the tensor, twice. */
static uint64_t moved_bytes(const struct copy_bench *b, enum copy_source source)
{
    return source == COPY_DRAM ? 2 * b->tensor_bytes : l2_moved_bytes;
}

/* ---- Plain loads and stores ---------------------------------------------------------------- */

/* The best of several numbers of CTAs; nothing where the row has failed. */
static bool measure_plain(struct copy_case_run *r, struct copy_peak *peak)
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
    struct copy_peak best = {.rate = {NAN, NAN, NAN}};
    for (size_t i = 0; i < sizeof ctas / sizeof ctas[0]; i++) {
        struct chip_rate rate = {.gbytes_per_s = 0};
        if (!(back ? plain_store_rate : plain_load_rate)(r->gpu, &memory, ctas[i], &rate, r->row,
                                                         r->error))
            return false;
        if (isnan(best.rate.gbytes_per_s) || rate.gbytes_per_s > best.rate.gbytes_per_s)
            best = (struct copy_peak){rate, ctas[i]};
    }
    if (r->row->status == ROW_OK)
        *peak = best;
    return true;
}

static struct copy_peak *peak_of(const struct copy_case_run *r)
{
    return &r->bench->peaks[r->c.source][r->c.way->back];
}

/* Once a run: in the row of the plain copy, or when another needs it before. */
bool copy_rate_plain(struct copy_case_run *r, struct copy_result *result)
{
    struct copy_peak *peak = peak_of(r);
    if (!peak->ctas_per_sm && !measure_plain(r, peak))
        return false;
    if (r->row->status != ROW_OK)
        return true;
    r->row->verified = VERIFIED_YES;
    result->rate = peak->rate;
    result->ctas_per_sm = peak->ctas_per_sm;
    result->peak_gbytes_per_s = peak->rate.gbytes_per_s;
    return true;
}

static bool find_peak(struct copy_case_run *r, struct copy_result *result)
{
    struct copy_result plain = {.peak_gbytes_per_s = NAN};
    struct row row = {.status = ROW_OK};
    struct copy_case_run run = {
        .gpu = r->gpu, .bench = r->bench, .c = r->c, .row = &row, .error = r->error};
    if (!copy_rate_plain(&run, &plain))
        return false;
    if (row.status != ROW_OK)
        row_end(r->row, row.status, "the plain copy to compare with: %s", row.reason);
    result->peak_gbytes_per_s = plain.peak_gbytes_per_s;
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

/* Fewer tiles where a launch would take too long. */
static bool fit_tiles(struct copy_case_run *r, const struct gpu_launch *launch)
{
    const struct copy_bench *b = r->bench;
    double trial_ns;
    uint32_t all = r->tiles;
    if (outside_untimed() || all < TRIAL_SHARE * LEAST_TILES)
        return true;
    r->tiles = all / TRIAL_SHARE;
    if (!chip_rate_time(r->gpu, launch, b->spans, b->span_buffer, &trial_ns, r->error))
        return false;
    double share = MOST_NS / (trial_ns * all / r->tiles);
    r->tiles = share >= 1                   ? all
               : share <= 1.0 / LEAST_SHARE ? all / LEAST_SHARE
                                            : (uint32_t)(all * share);
    return true;
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
    launch.grid_x = outside_ctas(result->ctas_per_sm * (unsigned)gpu_info(r->gpu)->sm_count);
    uint64_t cta_bytes = outside_share(moved_bytes(b, r->c.source)) / launch.grid_x;
    r->tiles = (uint32_t)(cta_bytes / r->plan.tile_bytes);
    if (r->tiles < LEAST_TILES)
        r->tiles = LEAST_TILES;
    if (!fit_tiles(r, &launch))
        return false;
    double bytes = (double)r->tiles * launch.grid_x * r->plan.tile_bytes;
    return chip_rate_measure(r->gpu, &launch, b->spans, b->span_buffer, bytes, &result->rate,
                             r->error) &&
           copy_check_barriers(r);
}
