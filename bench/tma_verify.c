/* Did every byte of a box arrive where the model says, and no other? All of shared memory in use
 * after loads, the tensor's neighbourhood of the boxes after stores, against random data. */
#include "bench/tma_bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/judge.h"

enum {
    VERIFIED_BYTES = 32 * 1024, /* of shared memory: so many boxes, and at least one */
    STORED_BOXES = 2,
    MARGIN_BYTES = 4096, /* of global memory, before and behind the boxes */
};

/* As cuda.h numbers them. */
enum { U32 = 2, S32, U64, S64, F16, F32, F64, BF16, F32_FTZ, TF32, TF32_FTZ };

/* ---- What the pattern is ------------------------------------------------------------------- */

static void make_poison(struct tma_case_run *r, uint32_t bytes)
{
    const struct tma_arguments *a = &r->arguments;
    uint32_t *words = (uint32_t *)(void *)r->bench->poison;
    for (uint32_t i = 0; i < bytes / 4; i++)
        words[i] = (mix(a->seed + i) & a->keep) | a->set;
}

/* ---- Elements ------------------------------------------------------------------------------ */

static bool is_float(unsigned dtype)
{
    return dtype >= F16 && dtype <= TF32_FTZ;
}

static uint64_t nan_of(unsigned dtype)
{
    return dtype == F64                    ? UINT64_C(0x7fffffffffffffff)
           : dtype == F16 || dtype == BF16 ? 0x7fff
                                           : 0x7fffffff;
}

static bool is_nan(unsigned dtype, uint64_t bits)
{
    uint64_t exponent = dtype == F64    ? UINT64_C(0x7ff0000000000000)
                        : dtype == F16  ? 0x7c00
                        : dtype == BF16 ? 0x7f80
                                        : 0x7f800000;
    return (bits & exponent) == exponent && (bits & (nan_of(dtype) ^ exponent)) != 0;
}

/* Whether `found` is what a load may make of `expected`: any NaN for a NaN that it fills in or
 * converts, a zero for a denormal of f32.ftz, one of both neighbours for the tf32 types. tf32.ftz
 * keeps denormals: an H200 made 00328000 of 00328bd9. Whether a NaN stays one that has nothing in
 * the bits that tf32 keeps was not seen. */
static bool same_element(const struct tma_case *c, uint64_t expected, uint64_t found)
{
    static const uint64_t sign = 0x80000000, exponent = 0x7f800000, rounded_off = 0x1fff;
    unsigned dtype = c->map.dtype;
    bool converts = dtype >= F32_FTZ && dtype <= TF32_FTZ;
    bool is_tf32 = dtype == TF32 || dtype == TF32_FTZ;
    uint64_t down = expected & ~rounded_off;
    if (expected == found)
        return true;
    if (!tma_way_has_map(c->way) || !is_float(dtype) || !tma_way_loads(c->way))
        return false;
    if (is_nan(dtype, expected))
        return (converts || c->map.oob_fill) &&
               (is_nan(dtype, found) || (is_tf32 && found == down));
    if (dtype == F32_FTZ && (expected & exponent) == 0)
        return found == (expected & sign);
    return is_tf32 && (found == down || found == down + rounded_off + 1);
}

static uint64_t element_at(const uint8_t *from, unsigned bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, from, bytes);
    return bits;
}

static unsigned element_bytes(const struct tma_case *c)
{
    unsigned bits = tma_way_has_map(c->way) ? swb_tma_elem_bits(c->map.dtype) : 8;
    return bits < 8 ? 1 : bits / 8;
}

static float half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    float magnitude = exponent ? ldexpf((float)((bits & 0x3ff) | 0x400), exponent - 25)
                               : ldexpf((float)(bits & 0x3ff), -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* To nearest, ties to even, of finite values in the range of normal halfs and zeros. */
static uint16_t half_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    int exponent = (int)(bits >> 23 & 0xff) - 127 + 15;
    if (exponent <= 0) {
        long steps = lrintf(ldexpf(fabsf(value), 24));
        return (uint16_t)(sign | steps);
    }
    uint32_t mantissa = bits & 0x7fffff, half = (uint32_t)exponent << 10 | mantissa >> 13;
    uint32_t rest = mantissa & 0x1fff;
    half += rest > 0x1000 || (rest == 0x1000 && (half & 1));
    return (uint16_t)(sign | half);
}

static float brain_value(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static uint16_t brain_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1);
    return (uint16_t)(bits >> 16);
}

static uint64_t sum_of(unsigned dtype, uint64_t a, uint64_t b)
{
    float x, y;
    switch (dtype) {
    case F16:
        return half_of(half_value((uint16_t)a) + half_value((uint16_t)b));
    case BF16:
        return brain_of(brain_value((uint16_t)a) + brain_value((uint16_t)b));
    case F32:
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x += y;
        a = 0;
        memcpy(&a, &x, sizeof x);
        return a;
    default:
        return a + b;
    }
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* Calls `on_chunk` for every piece of a chunk of the box that lies inside the tensor. */
typedef void on_chunk(struct tma_case_run *r, uint32_t smem, uint64_t offset, unsigned bytes);

static unsigned chunk_bytes(const struct tma_case *c)
{
    enum { ATOM_32B_FLIP_8B = 5 };
    return c->map.swizzle == ATOM_32B_FLIP_8B ? 8 : SWB_TMA_CHUNK_BYTES;
}

static struct tma_place stage_place(struct tma_case_run *r, unsigned stage)
{
    uint32_t positions = tma_case_positions(r->c);
    struct tma_place place = tma_place_of(r->c, stage % positions);
    place.box.smem_address += stage * r->stage_bytes;
    return place;
}

static void each_chunk(struct tma_case_run *r, unsigned stage, on_chunk *take)
{
    struct tma_place place = stage_place(r, stage);
    struct tma_piece piece;
    unsigned runs = tma_runs(r->c, &place), chunk = chunk_bytes(r->c);
    for (unsigned i = 0; i < swb_tma_box_lines(&place.box) * runs; i++) {
        unsigned line = i / runs;
        if (!tma_piece_of(r->c, &place, line, i % runs, &piece))
            continue;
        for (unsigned done = 0; done < piece.bytes;) {
            unsigned byte = piece.byte + done, in_chunk = byte % chunk, bytes = chunk - in_chunk;
            if (bytes > piece.bytes - done)
                bytes = piece.bytes - done;
            take(r, swb_tma_box_address(&place.box, line, byte - in_chunk) + in_chunk,
                 piece.offset + done, bytes);
            done += bytes;
        }
    }
}

/* Zeros or NaNs over the whole box: what lies outside the tensor stays so. */
static void fill_box(struct tma_case_run *r, unsigned stage)
{
    struct tma_place place = stage_place(r, stage);
    unsigned lines = swb_tma_box_lines(&place.box), chunk = chunk_bytes(r->c);
    unsigned element = element_bytes(r->c);
    uint64_t value = tma_way_has_map(r->c->way) && r->c->map.oob_fill && is_float(r->c->map.dtype)
                         ? nan_of(r->c->map.dtype)
                         : 0;
    for (unsigned line = 0; line < lines; line++)
        for (unsigned byte = 0; byte < place.box.inner_bytes; byte += chunk)
            for (unsigned i = 0; i < chunk; i += element)
                memcpy(&r->bench->image[swb_tma_box_address(&place.box, line, byte) + i], &value,
                       element);
}

static bool wrong(struct tma_case_run *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool wrong(struct tma_case_run *r, const char *format, ...)
{
    char reason[ROW_REASON_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    r->row->verified = VERIFIED_NO;
    row_end(r->row, ROW_FAILED, "%s", reason);
    return true;
}

bool tma_check_barriers(struct tma_case_run *r)
{
    bool opened;
    if (!judge_barriers(r->gpu, r->bench->stuck, &opened, r->error))
        return false;
    if (!opened)
        wrong(r, "a barrier that waits for the %u bytes of a box did not open", r->box_bytes);
    return true;
}

/* ---- Loads --------------------------------------------------------------------------------- */

static void load_chunk(struct tma_case_run *r, uint32_t smem, uint64_t offset, unsigned bytes)
{
    memcpy(&r->bench->image[smem], &r->bench->tensor_bytes[offset], bytes);
}

/* Where in the tensor are the bytes that were found? They are there once, if at all. */
static void name_source(struct tma_case_run *r, const uint8_t *found, char *text, size_t size)
{
    const struct tma_bench *b = r->bench;
    uint64_t wanted, zero = 0;
    memcpy(&wanted, found, sizeof wanted);
    snprintf(text, size, "neither of the tensor nor what was there");
    if (memcmp(found, &b->poison[found - b->dump[0]], sizeof wanted) == 0)
        snprintf(text, size, "what was there before");
    if (memcmp(&wanted, &zero, sizeof wanted) == 0)
        snprintf(text, size, "zeros");
    for (size_t at = 0; at + sizeof wanted <= TMA_TENSOR_BYTES; at += 2)
        if (memcmp(&b->tensor_bytes[at], &wanted, sizeof wanted) == 0) {
            snprintf(text, size, "bytes %zu on of the tensor", at);
            return;
        }
}

static bool compare_image(struct tma_case_run *r, uint32_t bytes)
{
    struct tma_bench *b = r->bench;
    unsigned element = element_bytes(r->c);
    for (unsigned cta = 0; cta < r->c->cluster_ctas; cta++) {
        const uint8_t *dump = (const uint8_t *)b->dump + (size_t)cta * bytes;
        if (memcmp(dump, b->image, bytes) == 0)
            continue;
        for (uint32_t at = 0; at < bytes; at += element) {
            uint64_t expected = element_at(&b->image[at], element);
            uint64_t found = element_at(&dump[at], element);
            if (same_element(r->c, expected, found))
                continue;
            char source[64] = "";
            if (cta == 0)
                name_source(r, &dump[at / 8 * 8], source, sizeof source);
            return wrong(r,
                         "wrong bytes: byte %u of shared memory in CTA %u begins %llx, not %llx: "
                         "%s",
                         at, cta, (unsigned long long)found, (unsigned long long)expected, source);
        }
    }
    return true;
}

static bool verify_loads(struct tma_case_run *r)
{
    struct tma_bench *b = r->bench;
    struct gpu_launch launch;
    unsigned depth = tma_deepest(r, 8);
    while (depth > 1 && depth * r->stage_bytes > VERIFIED_BYTES)
        depth /= 2;
    if (!tma_prepare(r, r->entry, 1, depth, &launch))
        return false;
    uint32_t bytes = launch.dynamic_smem_bytes - TMA_BARRIER_BYTES;
    r->arguments.fill_bytes = r->arguments.out_bytes = bytes;
    make_poison(r, bytes);
    memcpy(b->image, b->poison, bytes);
    for (unsigned stage = 0; stage < depth && tma_way_loads(r->c->way); stage++) {
        fill_box(r, stage);
        each_chunk(r, stage, load_chunk);
    }
    return tma_launch(r, &launch) &&
           gpu_download(r->gpu, b->dump, b->out, (size_t)bytes * r->c->cluster_ctas, r->error) &&
           tma_check_barriers(r) && (r->row->status != ROW_OK || compare_image(r, bytes));
}

/* ---- Stores -------------------------------------------------------------------------------- */

static void store_chunk(struct tma_case_run *r, uint32_t smem, uint64_t offset, unsigned bytes)
{
    uint8_t *to = &r->bench->sink_bytes[offset];
    const uint8_t *from = &r->bench->poison[smem];
    if (r->c->way != TMA_REDUCE) {
        memcpy(to, from, bytes);
        return;
    }
    unsigned element = element_bytes(r->c);
    for (unsigned i = 0; i + element <= bytes; i += element) {
        uint64_t sum =
            sum_of(r->c->map.dtype, element_at(to + i, element), element_at(from + i, element));
        memcpy(to + i, &sum, element);
    }
}

/* The part of the sink from before the first byte of any box to behind the last. */
struct window {
    uint64_t begin, end;
};

static struct window window_of(struct tma_case_run *r, unsigned boxes)
{
    struct tma_piece piece;
    struct window w = {TMA_TENSOR_BYTES, 0};
    for (unsigned stage = 0; stage < boxes; stage++) {
        struct tma_place place = stage_place(r, stage);
        unsigned runs = tma_runs(r->c, &place);
        for (unsigned i = 0; i < swb_tma_box_lines(&place.box) * runs; i++) {
            if (!tma_piece_of(r->c, &place, i / runs, i % runs, &piece))
                continue;
            uint64_t end = piece.offset + piece.bytes;
            w.begin = piece.offset < w.begin ? piece.offset : w.begin;
            w.end = end > w.end ? end : w.end;
        }
    }
    if (w.begin > w.end) /* all boxes lie outside */
        w.begin = w.end;
    w.begin = w.begin > MARGIN_BYTES ? (w.begin - MARGIN_BYTES) / 16 * 16 : 0;
    w.end = w.end + MARGIN_BYTES < TMA_TENSOR_BYTES ? w.end + MARGIN_BYTES : TMA_TENSOR_BYTES;
    return w;
}

static bool verify_stores(struct tma_case_run *r)
{
    struct tma_bench *b = r->bench;
    struct gpu_launch launch;
    unsigned boxes = tma_deepest(r, tma_case_positions(r->c) < STORED_BOXES ? 1 : STORED_BOXES);
    if (!tma_prepare(r, r->entry, 1, boxes, &launch))
        return false;
    r->arguments.fill_bytes = launch.dynamic_smem_bytes - TMA_BARRIER_BYTES;
    make_poison(r, r->arguments.fill_bytes);
    struct window w = window_of(r, boxes);
    size_t bytes = (size_t)(w.end - w.begin);
    memset(&b->sink_bytes[w.begin], TMA_SINK_FILL, bytes);
    for (unsigned stage = 0; stage < boxes; stage++)
        each_chunk(r, stage, store_chunk);
    if (!gpu_fill(r->gpu, b->sink + w.begin, TMA_SINK_FILL, bytes, r->error) ||
        !tma_launch(r, &launch) ||
        !gpu_download(r->gpu, b->sink_found, b->sink + w.begin, bytes, r->error))
        return false;
    if (memcmp(b->sink_found, &b->sink_bytes[w.begin], bytes) == 0)
        return true;
    size_t at = 0;
    while (b->sink_found[at] == b->sink_bytes[w.begin + at])
        at++;
    return wrong(r, "wrong bytes: byte %llu of the tensor is %02x, not %02x",
                 (unsigned long long)(w.begin + at), b->sink_found[at],
                 b->sink_bytes[w.begin + at]);
}

bool tma_verify(struct tma_case_run *r)
{
    r->row->verified = VERIFIED_YES;
    return tma_way_stores(r->c->way) ? verify_stores(r) : verify_loads(r);
}
