/* Which bytes of global memory does a box have, and how many sectors are they? */
#include "bench/tma_global.h"

struct tma_place tma_place_of(const struct tma_case *c, uint32_t position)
{
    struct tma_place place = {.offset = 0};
    if (!tma_way_has_map(c->way)) {
        place.box = (struct swb_tma_box){
            .rank = 1, .inner_bytes = c->bulk_bytes, .smem_address = c->smem_offset};
        place.offset = (uint64_t)position * tma_case_extent(c);
        return place;
    }
    place.box = swb_tma_box_of(&c->map, c->smem_offset);
    if (c->way == TMA_IM2COL)
        place.box = tma_im2col_box(&c->map, &c->im2col, c->smem_offset);
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++)
        place.start[i] = c->start[i];
    place.start[c->map.rank - 1] += (int32_t)(position * tma_case_extent(c));
    return place;
}

unsigned tma_broken_rules(const struct tma_case *c, unsigned compute_capability,
                          struct swb_tma_broken *broken, unsigned most)
{
    if (!tma_way_has_map(c->way))
        return 0;
    return c->way == TMA_IM2COL ? tma_im2col_check(&c->map, &c->im2col, broken, most)
                                : swb_tma_check(&c->map, compute_capability, broken, most);
}

uint32_t tma_moved_bytes(const struct tma_case *c)
{
    struct tma_place place = tma_place_of(c, 0);
    return place.box.inner_bytes * swb_tma_box_lines(&place.box);
}

/* Byte offset of coordinate 0 of dimension 0 on the line; false when the line lies outside. */
static bool line_offset(const struct tma_case *c, const struct tma_place *place, unsigned line,
                        uint64_t *offset)
{
    const struct swb_tma_map *map = &c->map;
    int64_t coordinates[SWB_TMA_MAX_RANK];
    if (c->way == TMA_IM2COL) {
        tma_im2col_pixel(map, &c->im2col, place->start, line, coordinates);
    } else {
        for (unsigned i = 1; i < map->rank; i++) {
            unsigned extent = place->box.extents[i - 1];
            coordinates[i] = place->start[i] + (int64_t)(line % extent) * swb_tma_step(map, i);
            line /= extent;
        }
    }
    *offset = 0;
    for (unsigned i = 1; i < map->rank; i++) {
        if (coordinates[i] < 0 || (uint64_t)coordinates[i] >= map->dims[i])
            return false;
        *offset += (uint64_t)coordinates[i] * map->strides[i - 1];
    }
    return true;
}

/* A step along dimension 0, where it leaves gaps in global memory; else the line is one run. */
static unsigned run_bytes(const struct tma_case *c, const struct tma_place *place)
{
    bool gaps = tma_way_has_map(c->way) && swb_tma_step(&c->map, 0) > 1;
    return gaps ? swb_tma_unit_bits(&c->map) / 8 : place->box.inner_bytes;
}

unsigned tma_runs(const struct tma_case *c, const struct tma_place *place)
{
    return place->box.inner_bytes / run_bytes(c, place);
}

/* Where run number `run` begins along dimension 0, in bytes. */
static int64_t first_byte(const struct tma_case *c, const struct tma_place *place, unsigned run)
{
    int64_t coordinate = place->start[0] + (int64_t)run * swb_tma_step(&c->map, 0);
    return coordinate * swb_tma_unit_bits(&c->map) / 8;
}

bool tma_piece_of(const struct tma_case *c, const struct tma_place *place, unsigned line,
                  unsigned run, struct tma_piece *piece)
{
    uint64_t base;
    if (!tma_way_has_map(c->way)) {
        *piece = (struct tma_piece){0, c->bulk_bytes, place->offset};
        return true;
    }
    if (!line_offset(c, place, line, &base))
        return false;
    unsigned bytes = run_bytes(c, place);
    int64_t begin = first_byte(c, place, run), end = begin + bytes;
    int64_t width = (int64_t)(c->map.dims[0] * swb_tma_unit_bits(&c->map) / 8);
    int64_t first = begin > 0 ? begin : 0, last = width < end ? width : end;
    if (first >= last)
        return false;
    *piece = (struct tma_piece){run * bytes + (unsigned)(first - begin), (unsigned)(last - first),
                                base + (uint64_t)first};
    return true;
}

/* ---- Sectors ------------------------------------------------------------------------------- */

static uint64_t piece_sectors(const struct tma_piece *piece)
{
    return (piece->offset + piece->bytes - 1) / TMA_SECTOR_BYTES -
           piece->offset / TMA_SECTOR_BYTES + 1;
}

/* TMA goes along the lines and through shared memory 128 bytes at a time, and makes a request of
 * each 128 bytes of global memory that it meets there. A request has the sectors that it needs;
 * one whose answer goes to several CTAs has two at least. Loads ask for chunks outside the tensor
 * as well: on a line that it has at the address where they would lie, on any other as if that
 * began a sector. */
static uint64_t line_sectors(const struct tma_case *c, const struct tma_place *place, unsigned line)
{
    enum { GROUP_BYTES = 128 };
    unsigned least = c->way == TMA_MULTICAST ? 2 : 1, asked = least;
    unsigned bytes = run_bytes(c, place), chunks = place->box.inner_bytes / SWB_TMA_CHUNK_BYTES;
    uint64_t base = 0, sectors = 0, sector = 0, request = 0;
    uint32_t group = 0;
    bool any = false;
    bool on_line = line_offset(c, place, line, &base);
    for (unsigned i = 0; i < chunks; i++) {
        unsigned byte = i * SWB_TMA_CHUNK_BYTES, run = byte / bytes;
        struct tma_piece piece;
        if (tma_way_stores(c->way) && (!tma_piece_of(c, place, line, run, &piece) ||
                                       byte < piece.byte || byte >= piece.byte + piece.bytes))
            continue;
        /* Left of dimension 0 this wraps, as offsets in sectors may. */
        uint64_t at =
            on_line ? base + (uint64_t)first_byte(c, place, run) + byte % bytes : byte % bytes;
        uint32_t smem = swb_tma_box_address(&place->box, line, byte);
        bool anew = !any || smem / GROUP_BYTES != group || at / GROUP_BYTES != request;
        if (anew) {
            sectors += asked < least ? least - asked : 0;
            asked = 0;
        }
        if (anew || at / TMA_SECTOR_BYTES != sector) {
            asked++;
            sectors++;
        }
        any = true;
        sector = at / TMA_SECTOR_BYTES;
        request = at / GROUP_BYTES;
        group = smem / GROUP_BYTES;
    }
    return sectors + (asked < least ? least - asked : 0);
}

uint64_t tma_sectors(const struct tma_case *c, uint32_t position, uint64_t *bytes)
{
    struct tma_place place = tma_place_of(c, position);
    struct tma_piece piece;
    unsigned lines = swb_tma_box_lines(&place.box), runs = tma_runs(c, &place);
    uint64_t sectors = 0;
    *bytes = 0;
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned run = 0; run < runs; run++)
            *bytes += tma_piece_of(c, &place, line, run, &piece) ? piece.bytes : 0;
        sectors += tma_way_has_map(c->way) ? line_sectors(c, &place, line) : piece_sectors(&piece);
    }
    return sectors;
}

const struct tma_start_rule *tma_start_fault(const struct tma_case *c)
{
    static const struct tma_start_rule
        aligned = {"start-16B", "the instruction faults where a box begins in dimension 0 at no "
                                "multiple of 16 bytes"},
        store = {"start-store", "the instruction faults where a store begins before coordinate 0"};
    int64_t bits = (int64_t)c->start[0] * swb_tma_unit_bits(&c->map);
    if (!tma_way_has_map(c->way))
        return NULL;
    if (bits % (8 * SWB_TMA_CHUNK_BYTES) != 0)
        return &aligned;
    for (unsigned i = 0; i < c->map.rank && tma_way_stores(c->way); i++)
        if (c->start[i] < 0)
            return &store;
    return NULL;
}
