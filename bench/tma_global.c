/* Which bytes of global memory does a box have, and how many sectors are they? */
#include "bench/tma_global.h"

enum { GROUP_BYTES = 128 }; /* of shared memory, that a load fills at a time */

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
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++)
        place.start[i] = c->start[i];
    place.start[c->map.rank - 1] += (int32_t)(position * tma_case_extent(c));
    return place;
}

static unsigned slice_bytes_of(const struct tma_case *c)
{
    return 16 * c->map.interleave;
}

uint32_t tma_moved_bytes(const struct tma_case *c)
{
    struct tma_place place = tma_place_of(c, 0);
    unsigned line_bytes = place.box.inner_bytes;
    if (tma_way_has_map(c->way) && c->map.interleave) {
        unsigned slice = slice_bytes_of(c);
        line_bytes = (line_bytes + slice - 1) / slice * slice;
    }
    return line_bytes * swb_tma_box_lines(&place.box);
}

/* Byte offset of element 0 of dimension 0 on the line; false when the line lies outside. */
static bool line_offset(const struct tma_case *c, const struct tma_place *place, unsigned line,
                        uint64_t *offset)
{
    const struct swb_tma_map *map = &c->map;
    *offset = 0;
    for (unsigned i = 1; i < map->rank; i++) {
        unsigned extent = place->box.extents[i - 1];
        unsigned step = map->element_strides[i] > 1 ? map->element_strides[i] : 1;
        int64_t coordinate = place->start[i] + (int64_t)(line % extent) * step;
        if (coordinate < 0 || (uint64_t)coordinate >= map->dims[i])
            return false;
        *offset += (uint64_t)coordinate * map->strides[i - 1];
        line /= extent;
    }
    return true;
}

/* From slice to slice of an interleaved tensor: all pixels of an image. */
static uint64_t slice_stride(const struct swb_tma_map *map)
{
    return map->strides[map->rank - 3] * map->dims[map->rank - 2];
}

unsigned tma_pieces(const struct tma_case *c, const struct tma_place *place, unsigned line,
                    struct tma_piece *pieces)
{
    uint64_t base;
    if (!tma_way_has_map(c->way)) {
        pieces[0] = (struct tma_piece){0, c->bulk_bytes, place->offset};
        return 1;
    }
    if (!line_offset(c, place, line, &base))
        return 0;
    unsigned elem_bits = swb_tma_elem_bits(c->map.dtype), count = 0;
    int64_t begin = (int64_t)place->start[0] * elem_bits / 8; /* of the line, in dimension 0 */
    int64_t end = begin + place->box.inner_bytes;
    int64_t first = begin > 0 ? begin : 0, last = (int64_t)(c->map.dims[0] * elem_bits / 8);
    last = last < end ? last : end;
    if (!c->map.interleave) {
        if (first < last)
            pieces[count++] = (struct tma_piece){(unsigned)(first - begin),
                                                 (unsigned)(last - first), base + (uint64_t)first};
        return count;
    }
    int64_t slice = slice_bytes_of(c);
    for (int64_t at = first; at < last && count < TMA_MAX_PIECES;) {
        int64_t stop = (at / slice + 1) * slice < last ? (at / slice + 1) * slice : last;
        pieces[count++] = (struct tma_piece){(unsigned)(at - begin), (unsigned)(stop - at),
                                             base + (uint64_t)(at / slice) * slice_stride(&c->map) +
                                                 (uint64_t)(at % slice)};
        at = stop;
    }
    return count;
}

static uint64_t piece_sectors(const struct tma_piece *pieces, unsigned count)
{
    uint64_t sectors = 0;
    for (unsigned i = 0; i < count; i++)
        sectors += (pieces[i].offset + pieces[i].bytes - 1) / TMA_SECTOR_BYTES -
                   pieces[i].offset / TMA_SECTOR_BYTES + 1;
    return sectors;
}

/* A load fetches its chunks in the order of shared memory, 128 bytes of that at a time, and asks
 * each time for each sector of each line anew. Chunks outside the tensor are asked for as well: on
 * a line that it has at the address where they would lie, on any other as if that began a sector.
 */
static uint64_t loaded_sectors(const struct tma_case *c, const struct tma_place *place,
                               unsigned line)
{
    uint64_t begin = 0, sectors = 0, last_sector = 0;
    uint32_t last_group = 0;
    /* Left of dimension 0 this wraps, as offsets in sectors may. */
    if (line_offset(c, place, line, &begin))
        begin += (uint64_t)((int64_t)place->start[0] * swb_tma_elem_bits(c->map.dtype) / 8);
    for (unsigned byte = 0; byte < place->box.inner_bytes; byte += SWB_TMA_CHUNK_BYTES) {
        uint64_t sector = (begin + byte) / TMA_SECTOR_BYTES;
        uint32_t group = swb_tma_box_address(&place->box, line, byte) / GROUP_BYTES;
        sectors += byte == 0 || sector != last_sector || group != last_group;
        last_sector = sector;
        last_group = group;
    }
    return sectors;
}

/* Interleaved loads have not been counted yet: theirs are predicted as those of stores are. */
static bool follows_shared_memory(const struct tma_case *c)
{
    return tma_way_loads(c->way) && tma_way_has_map(c->way) && c->map.interleave == 0;
}

uint64_t tma_sectors(const struct tma_case *c, uint32_t position, uint64_t *bytes)
{
    struct tma_place place = tma_place_of(c, position);
    struct tma_piece pieces[TMA_MAX_PIECES];
    unsigned lines = swb_tma_box_lines(&place.box);
    uint64_t sectors = 0;
    *bytes = 0;
    for (unsigned line = 0; line < lines; line++) {
        unsigned count = tma_pieces(c, &place, line, pieces);
        sectors += follows_shared_memory(c) ? loaded_sectors(c, &place, line)
                                            : piece_sectors(pieces, count);
        for (unsigned i = 0; i < count; i++)
            *bytes += pieces[i].bytes;
    }
    return sectors;
}

bool tma_start_faults(const struct tma_case *c)
{
    int64_t bits = (int64_t)c->start[0] * swb_tma_elem_bits(c->map.dtype);
    return tma_way_loads(c->way) && tma_way_has_map(c->way) &&
           bits % (8 * SWB_TMA_CHUNK_BYTES) != 0;
}
