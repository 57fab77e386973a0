/* How fast does the whole GPU move boxes, from L2 or from DRAM, and plain 16-byte loads beside
 * them? */
#include "bench/plain.h"
#include "bench/tma_bench.h"

#include <inttypes.h>

#include "harness/outside.h"

enum {
    PLAIN_CTAS = 4, /* a SM */
    MOST_CTAS = 4,  /* a SM, each with 8 boxes in flight */
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

static bool measure_rate(struct tma_case_run *r, const struct gpu_launch *launch, double bytes,
                         struct tma_result *result)
{
    return chip_rate_measure(r->gpu, launch, r->bench->spans, r->bench->span_buffer, bytes,
                             &result->rate, r->error);
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
    ctas = outside_ctas(ctas * (unsigned)gpu_info(r->gpu)->sm_count);

    r->c = &over;
    bool ready = tma_prepare(r, r->entry, ctas, depth, &launch);
    r->c = own;
    if (!ready)
        return false;
    uint64_t positions = field->bytes / ((uint64_t)r->box_bytes);
    r->arguments.global = field->base;
    r->arguments.positions = (uint32_t)positions;
    r->arguments.stride = ctas % r->arguments.positions;
    r->boxes = (uint32_t)(outside_share(moved_bytes) / ((uint64_t)ctas * r->box_bytes));
    return measure_rate(r, &launch, (double)r->boxes * ctas * r->box_bytes, result);
}

/* ---- Plain loads --------------------------------------------------------------------------- */

static bool rate_plain(struct tma_case_run *r, const struct field *field, struct tma_result *result)
{
    const struct tma_bench *b = r->bench;
    struct plain_memory memory = {.data = field->base,
                                  .bytes = field->bytes,
                                  .moved_bytes = moved_bytes,
                                  .image = b->tensor_bytes,
                                  .image_bytes = TMA_TENSOR_BYTES,
                                  .sums = b->sums,
                                  .spans = b->spans,
                                  .span_buffer = b->span_buffer};
    return plain_load_rate(r->gpu, &memory, PLAIN_CTAS, &result->rate, r->row, r->error);
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
