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

/* ---- Requests ------------------------------------------------------------------------------ */

/* TMA goes along the lines and through shared memory 128 bytes at a time, and makes a request of
 * each 128 bytes of global memory that it meets there. */
enum { REQUEST_BYTES = 128 };

struct request {
    uint64_t global, sector; /* which 128 and which 32 bytes */
    uint32_t smem;           /* which 128 bytes */
    unsigned sectors, chunks;
    unsigned halves; /* sectors of which it has 16 bytes alone */
};

/* Clocks, found on an H200. To load, all whole sectors of a request take one, and each half one
 * more. To store, each sector takes one, and halves one more together. */
static unsigned request_cycles(enum tma_way way, const struct request *r)
{
    return tma_way_stores(way) ? r->sectors + (r->halves > 0)
                               : (r->sectors > r->halves) + r->halves;
}

/* What L2 is asked, found on an H200: a load into one CTA asks for each half by itself. */
static unsigned l2_requests(enum tma_way way, const struct request *r)
{
    bool halves_apart = way == TMA_LOAD || way == TMA_IM2COL || way == TMA_BULK_LOAD;
    return halves_apart ? (r->sectors > r->halves) + r->halves : 1;
}

static void end_sector(struct request *r)
{
    r->halves += r->chunks == 1;
    r->chunks = 0;
}

/* One whose answer goes to several CTAs has two sectors at least. */
static void end_request(enum tma_way way, struct request *r, struct tma_traffic *traffic)
{
    end_sector(r);
    traffic->sectors += way == TMA_MULTICAST && r->sectors == 1 ? 2 : r->sectors;
    traffic->cycles += request_cycles(way, r);
    traffic->requests += l2_requests(way, r);
    *r = (struct request){.sectors = 0};
}

static void add_chunk(enum tma_way way, struct request *r, uint64_t global, uint32_t smem,
                      struct tma_traffic *traffic)
{
    if (r->sectors && (global / REQUEST_BYTES != r->global || smem / REQUEST_BYTES != r->smem))
        end_request(way, r, traffic);
    if (!r->sectors || global / TMA_SECTOR_BYTES != r->sector) {
        end_sector(r);
        r->sectors++;
    }
    r->chunks++;
    r->global = global / REQUEST_BYTES;
    r->smem = smem / REQUEST_BYTES;
    r->sector = global / TMA_SECTOR_BYTES;
}

/* Stores leave out the chunks outside the tensor. Loads ask for them as well: on a line that it has
 * at the address where they would lie, on any other as if that began a sector. */
static void add_line(const struct tma_case *c, const struct tma_place *place, unsigned line,
                     struct tma_traffic *traffic)
{
    unsigned bytes = run_bytes(c, place);
    uint64_t base = 0;
    struct request request = {.sectors = 0};
    bool on_line = line_offset(c, place, line, &base);
    for (unsigned byte = 0; byte < place->box.inner_bytes; byte += SWB_TMA_CHUNK_BYTES) {
        unsigned run = byte / bytes;
        struct tma_piece piece;
        if (tma_way_stores(c->way) && (!tma_piece_of(c, place, line, run, &piece) ||
                                       byte < piece.byte || byte >= piece.byte + piece.bytes))
            continue;
        /* Left of dimension 0 this wraps, as offsets in sectors may. */
        uint64_t global =
            on_line ? base + (uint64_t)first_byte(c, place, run) + byte % bytes : byte % bytes;
        add_chunk(c->way, &request, global, swb_tma_box_address(&place->box, line, byte), traffic);
    }
    if (request.sectors)
        end_request(c->way, &request, traffic);
}

struct tma_traffic tma_chunk_traffic(bool loads, const struct tma_chunk *chunks, size_t count)
{
    enum tma_way way = loads ? TMA_BULK_LOAD : TMA_BULK_STORE;
    struct request request = {.sectors = 0};
    struct tma_traffic traffic = {.sectors = 0};
    for (size_t i = 0; i < count; i++)
        add_chunk(way, &request, chunks[i].global, chunks[i].smem, &traffic);
    if (request.sectors)
        end_request(way, &request, &traffic);
    return traffic;
}

/* Bytes without a tensor map: one run. */
static void add_bulk(const struct tma_case *c, const struct tma_place *place,
                     struct tma_traffic *traffic)
{
    struct request request = {.sectors = 0};
    for (unsigned byte = 0; byte < c->bulk_bytes; byte += SWB_TMA_CHUNK_BYTES)
        add_chunk(c->way, &request, place->offset + byte, c->smem_offset + byte, traffic);
    end_request(c->way, &request, traffic);
}

struct tma_traffic tma_traffic_of(const struct tma_case *c, uint32_t position)
{
    struct tma_place place = tma_place_of(c, position);
    struct tma_traffic traffic = {.cycles = tma_way_stores(c->way)};
    struct tma_piece piece;
    unsigned lines = swb_tma_box_lines(&place.box), runs = tma_runs(c, &place);
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned run = 0; run < runs; run++)
            traffic.bytes += tma_piece_of(c, &place, line, run, &piece) ? piece.bytes : 0;
        if (tma_way_has_map(c->way))
            add_line(c, &place, line, &traffic);
    }
    if (!tma_way_has_map(c->way))
        add_bulk(c, &place, &traffic);
    return traffic;
}

const struct tma_start_rule *tma_start_fault(const struct tma_case *c)
{
    static const struct tma_start_rule
        aligned = {"start-16B",
                   "the instruction faults (CUDA_ERROR_ILLEGAL_INSTRUCTION) where a box "
                   "begins in dimension 0 at no multiple of 16 bytes"},
        store = {"start-store",
                 "the instruction faults (CUDA_ERROR_ILLEGAL_INSTRUCTION) where a store "
                 "begins before coordinate 0"};
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
