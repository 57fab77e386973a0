/* How fast does the whole GPU move boxes, from L2 or from DRAM, and plain 16-byte loads beside
 * them?
 *
 * A rate is bytes over the time from the first CTA's start to the last one's end, by %globaltimer,
 * which all SMs share. */
#include "bench/tma_bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "harness/stats.h"

enum {
    SAMPLES = 5,
    PLAIN_THREADS = 512,
    PLAIN_CTAS = 4, /* a SM */
    PLAIN_UNROLL = 8,
    MOST_CTAS = 4, /* a SM, each with 8 boxes in flight */
    SM_SMEM_BYTES = 220 * 1024,
    CTA_SMEM_BYTES = 1024, /* what the hardware keeps for itself */
};
static const uint64_t dram_bytes = UINT64_C(4) << 30, moved_bytes = UINT64_C(16) << 30;

/* Memory to read or write, filled with the tensor's bytes over and over. */
struct field {
    gpu_address base;
    uint64_t bytes;
    bool owned;
};

static void close_field(struct gpu *gpu, struct field *field)
{
    if (field->owned)
        gpu_free(gpu, field->base);
}

/* A launch of another kernel than a box's. */
static bool fill_field(struct tma_case_run *r, struct field *field)
{
    uint64_t words = field->bytes / 4;
    uint32_t seed = r->bench->seed, period = TMA_TENSOR_BYTES / 4;
    void *pointers[] = {&field->base, &words, &seed, &period};
    struct gpu_launch launch = {.grid_x = (unsigned)gpu_info(r->gpu)->sm_count * PLAIN_CTAS,
                                .block_x = PLAIN_THREADS,
                                .arguments = pointers};
    return gpu_kernel_find(r->gpu, "tma", "fill_global", &launch.kernel, r->error) &&
           tma_launch(r, &launch);
}

/* What there is too little memory for is a skipped row. */
static bool open_field(struct tma_case_run *r, struct field *field)
{
    struct error no_memory = {.kind = ERROR_NONE};
    bool stores = tma_way_stores(r->c->way);
    *field = (struct field){.base = stores ? r->bench->sink : r->bench->tensor,
                            .bytes = TMA_TENSOR_BYTES};
    if (r->c->chip != TMA_CHIP_DRAM)
        return true;
    if (!gpu_alloc(r->gpu, dram_bytes, &field->base, &no_memory)) {
        row_end(r->row, ROW_SKIPPED, "%s", no_memory.text);
        return true;
    }
    field->bytes = dram_bytes;
    field->owned = true;
    return fill_field(r, field);
}

/* ---- A rate -------------------------------------------------------------------------------- */

/* Gigabytes a second of one launch that has ended. */
static bool rate_of(struct tma_case_run *r, unsigned ctas, double bytes, double *rate)
{
    uint64_t *spans = r->bench->span_buffer, first = UINT64_MAX, last = 0;
    if (!gpu_download(r->gpu, spans, r->bench->spans, (size_t)ctas * 16, r->error))
        return false;
    for (unsigned i = 0; i < ctas; i++) {
        first = spans[2 * i] < first ? spans[2 * i] : first;
        last = spans[2 * i + 1] > last ? spans[2 * i + 1] : last;
    }
    *rate = last > first ? bytes / (double)(last - first) : NAN;
    return true;
}

static bool measure_rate(struct tma_case_run *r, const struct gpu_launch *launch, double bytes,
                         struct tma_result *result)
{
    double rates[SAMPLES];
    for (unsigned i = 0; i < SAMPLES + 1; i++) /* the first is a warm-up */
        if (!tma_launch(r, launch) || !rate_of(r, launch->grid_x, bytes, &rates[i > 0 ? i - 1 : 0]))
            return false;
    struct stats stats = stats_of(rates, SAMPLES);
    result->rate_gbytes_per_s = stats.median;
    result->rate_min_gbytes_per_s = stats.min;
    result->rate_max_gbytes_per_s = stats.max;
    return true;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

static bool rate_boxes(struct tma_case_run *r, const struct field *field, struct tma_result *result)
{
    struct tma_case over = tma_case_over(r->c, field->bytes);
    const struct tma_case *own = r->c;
    struct gpu_launch launch;
    int code;
    if (tma_way_has_map(over.way) &&
        (!tma_encode_at(r->gpu, &over, field->base, &r->map, &code, r->error) || code))
        return code ? row_end(r->row, ROW_FAILED,
                              "the driver refuses the box over %" PRIu64 " bytes, with code %d",
                              field->bytes, code),
               true : false;
    unsigned depth = tma_deepest(r, 8);
    unsigned cta_bytes =
        TMA_BARRIER_BYTES + tma_depth_bytes(r, depth) + TMA_GUARD_BYTES + CTA_SMEM_BYTES;
    unsigned ctas = SM_SMEM_BYTES / cta_bytes;
    ctas = ctas < 1 ? 1 : ctas > MOST_CTAS ? MOST_CTAS : ctas;
    ctas *= (unsigned)gpu_info(r->gpu)->sm_count;

    r->c = &over;
    bool ready = tma_prepare(r, r->entry, ctas, depth, &launch);
    r->c = own;
    if (!ready)
        return false;
    uint64_t positions = field->bytes / ((uint64_t)r->box_bytes);
    r->arguments.global = field->base;
    r->arguments.positions = (uint32_t)positions;
    r->arguments.stride = ctas % r->arguments.positions;
    r->boxes = (uint32_t)(moved_bytes / ((uint64_t)ctas * r->box_bytes));
    return measure_rate(r, &launch, (double)r->boxes * ctas * r->box_bytes, result);
}

/* ---- Plain loads --------------------------------------------------------------------------- */

/* Sum of the words of the first `bytes` bytes of the tensor, gone round as often as needed. */
static uint32_t tensor_sum(const struct tma_bench *b, uint64_t bytes)
{
    const uint32_t *words = (const uint32_t *)(const void *)b->tensor_bytes;
    uint64_t whole = bytes / TMA_TENSOR_BYTES, rest = bytes % TMA_TENSOR_BYTES / 4;
    uint32_t all = 0, part = 0;
    for (uint32_t i = 0; i < TMA_TENSOR_BYTES / 4; i++) {
        all += words[i];
        part += i < rest ? words[i] : 0;
    }
    return all * (uint32_t)whole + part;
}

static bool check_sums(struct tma_case_run *r, unsigned threads, uint64_t bytes)
{
    uint32_t *sums = malloc((size_t)threads * sizeof *sums), sum = 0;
    if (!sums)
        return error_set(r->error, ERROR_FAILED, "no memory for the sums of plain loads");
    bool done =
        gpu_download(r->gpu, sums, r->bench->sums, (size_t)threads * sizeof *sums, r->error);
    for (unsigned i = 0; done && i < threads; i++)
        sum += sums[i];
    free(sums);
    if (!done)
        return false;
    uint32_t expected = tensor_sum(r->bench, bytes);
    r->row->verified = sum == expected ? VERIFIED_YES : VERIFIED_NO;
    if (sum != expected)
        row_end(r->row, ROW_FAILED, "wrong bytes: plain loads add up to %08x, not %08x", sum,
                expected);
    return true;
}

static bool rate_plain(struct tma_case_run *r, const struct field *field, struct tma_result *result)
{
    unsigned ctas = (unsigned)gpu_info(r->gpu)->sm_count * PLAIN_CTAS;
    unsigned threads = ctas * PLAIN_THREADS;
    uint64_t count = field->bytes / 16, step = (uint64_t)threads * PLAIN_UNROLL * 16;
    uint32_t loops = (uint32_t)(moved_bytes / step);
    gpu_address base = field->base;
    void *pointers[] = {&base, &count, &r->bench->sums, &r->bench->spans, &loops};
    struct gpu_launch launch = {.grid_x = ctas, .block_x = PLAIN_THREADS, .arguments = pointers};
    return gpu_kernel_find(r->gpu, "tma", "plain_loads", &launch.kernel, r->error) &&
           measure_rate(r, &launch, (double)(loops * step), result) &&
           check_sums(r, threads, loops * step);
}

bool tma_rate(struct tma_case_run *r, struct tma_result *result)
{
    struct field field;
    bool done = open_field(r, &field);
    if (done && r->row->status == ROW_OK)
        done = r->c->way == TMA_PLAIN_LOAD ? rate_plain(r, &field, result)
                                           : rate_boxes(r, &field, result);
    close_field(r->gpu, &field);
    return done;
}
