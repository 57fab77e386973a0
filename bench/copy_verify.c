/* Has every byte of the tiles arrived, and nothing besides, when each stage was used several times?
 *
 * Loads: the stages and what lies around them, against the tiles that each held last. Stores: the
 * tensor, against what the stages hold, as far as the tiles go and a row of tiles further. */
#include "bench/copy_bench.h"
#include "bench/tma_bench.h"

#include <string.h>

enum {
    ROUNDS = 3, /* of all stages, and one tile more */
    TENSOR_SEED = 0x7e5,
    POISON = 0xa5, /* of a tensor that is written */
};

/* ---- The data ------------------------------------------------------------------------------ */

/* As kernels/mix.cuh has it. */
uint32_t copy_word(uint32_t seed, uint32_t index)
{
    return mix(seed + index);
}

static void fill_words(uint8_t *memory, uint32_t seed, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 4; i++) {
        uint32_t word = copy_word(seed, i);
        memcpy(memory + 4 * i, &word, sizeof word);
    }
}

/* The tensor in DRAM is that in L2 over and over. */
bool copy_upload_data(struct gpu *gpu, struct copy_bench *b, struct error *error)
{
    fill_words(b->tensor_image, TENSOR_SEED, COPY_TENSOR_BYTES);
    for (uint64_t at = 0; at < b->tensor_bytes; at += COPY_TENSOR_BYTES)
        if (!gpu_upload(gpu, b->tensor + at, b->tensor_image, COPY_TENSOR_BYTES, error))
            return false;
    return true;
}

/* ---- What must come out -------------------------------------------------------------------- */

/* By the layout alone: what the instructions move is not asked. */
static void move_tile(const struct copy_case_run *r, uint32_t tile, uint8_t *global, uint8_t *stage)
{
    const struct swb_tile *t = &r->c.tile;
    uint8_t *at = global + copy_tile_offset(&r->c, tile);
    for (unsigned line = 0; line < swb_tile_lines(t); line++)
        for (unsigned byte = 0; byte < swb_tile_line_bytes(t); byte++) {
            uint8_t *there = at + line * r->plan.pitch_bytes + byte;
            uint8_t *here = stage + swb_tile_line_offset(t, line, byte);
            if (r->c.way->back)
                *there = *here;
            else
                *here = *there;
        }
}

static void move_tiles(const struct copy_case_run *r, uint32_t tiles, uint8_t *global,
                       uint8_t *shared)
{
    for (uint32_t i = 0; i < tiles; i++)
        move_tile(r, i, global, shared + i % r->c.stages * r->plan.stage_bytes);
}

static void compare(struct copy_case_run *r, const uint8_t *found, const uint8_t *expected,
                    uint32_t bytes)
{
    r->row->verified = VERIFIED_YES;
    for (uint32_t i = 0; i < bytes; i++)
        if (found[i] != expected[i]) {
            r->row->verified = VERIFIED_NO;
            row_end(r->row, ROW_FAILED,
                    "wrong bytes after %u tiles: %02x at byte %u of %s memory, not %02x", r->tiles,
                    found[i], i, r->c.way->back ? "global" : "shared", expected[i]);
            return;
        }
}

/* ---- Both directions ----------------------------------------------------------------------- */

static bool launch(struct copy_case_run *r, const struct gpu_launch *launch)
{
    return gpu_fill(r->gpu, r->bench->cursor, 0, 8, r->error) &&
           gpu_run(r->gpu, launch, r->error) && gpu_wait(r->gpu, r->error) &&
           copy_check_barriers(r);
}

static bool verify_loads(struct copy_case_run *r, const struct gpu_launch *out)
{
    struct copy_bench *b = r->bench;
    r->arguments.out_bytes = COPY_DATA_BYTES;
    if (!gpu_fill(r->gpu, b->out, POISON, COPY_DATA_BYTES, r->error) || !launch(r, out) ||
        !gpu_download(r->gpu, b->smem_found, b->out, COPY_DATA_BYTES, r->error))
        return false;
    move_tiles(r, r->tiles, b->tensor_image, b->smem_image);
    compare(r, b->smem_found, b->smem_image, COPY_DATA_BYTES);
    return true;
}

static bool verify_stores(struct copy_case_run *r, const struct gpu_launch *out)
{
    struct copy_bench *b = r->bench;
    uint32_t rows = (r->tiles - 1) / copy_tiles_across(&r->c) + 2;
    uint32_t bytes = rows * swb_tile_lines(&r->c.tile) * r->plan.pitch_bytes;
    if (!gpu_fill(r->gpu, b->sink, POISON, bytes, r->error) || !launch(r, out) ||
        !gpu_download(r->gpu, b->found, b->sink, bytes, r->error))
        return false;
    memset(b->found + bytes, POISON, bytes);
    move_tiles(r, r->tiles, b->found + bytes, b->smem_image);
    compare(r, b->found, b->found + bytes, bytes);
    return true;
}

bool copy_verify(struct copy_case_run *r)
{
    struct gpu_launch out;
    if (!copy_prepare(r, 1, ROUNDS * r->c.stages + 1, &out))
        return false;
    fill_words(r->bench->smem_image, COPY_SEED, COPY_DATA_BYTES);
    return r->c.way->back ? verify_stores(r, &out) : verify_loads(r, &out);
}
