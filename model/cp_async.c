/* How many passes through the banks do the writes of one cp.async take?
 *
 * Its data comes from lines of 128 bytes, out of L1 (.ca) or past it (.cg), and what a pass can
 * move depends on where it lies at both ends. Both rules were read off the counters of a GH100:
 * they are stated in docs/method.md and proven by `swizzlebench fuzz cp.async`.
 */
#include "model/swizzlebench.h"

#include <string.h>

enum {
    LINE_BYTES = 128,
    SECTOR_BYTES = 32,
    CHUNK_BYTES = 16,
    CHUNKS_OF_LINE = LINE_BYTES / CHUNK_BYTES,
    SECTORS_OF_LINE = LINE_BYTES / SECTOR_BYTES,
};

/* What one lane copies, in whole chunks or words. */
struct move {
    uint64_t to, from;
};

/* ---- Through L1 ---------------------------------------------------------------------------- */

/* Two lanes collide when they read at one place of a line, whichever line it is, or write at one
 * place of the banks; equal addresses collide as well. */
static bool collide(struct move a, struct move b)
{
    return (a.to - b.to) % LINE_BYTES == 0 || (a.from - b.from) % LINE_BYTES == 0;
}

/* A phase takes as many wavefronts as lanes collide with one of them, itself among them. */
static unsigned phase_wavefronts(const struct move *moves, uint32_t lanes)
{
    unsigned most = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned collisions = 0;
        for (uint32_t others = lanes; others; others &= others - 1)
            collisions += collide(moves[__builtin_ctz(rest)], moves[__builtin_ctz(others)]);
        most = collisions > most ? collisions : most;
    }
    return most;
}

static unsigned distinct_sectors(const struct move *moves, uint32_t lanes)
{
    unsigned sectors = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t earlier = lanes & ((1u << lane) - 1);
        bool seen = false;
        for (; earlier && !seen; earlier &= earlier - 1)
            seen = moves[__builtin_ctz(earlier)].from / SECTOR_BYTES ==
                   moves[lane].from / SECTOR_BYTES;
        sectors += !seen;
    }
    return sectors;
}

static uint32_t lanes_of_phase(unsigned lane_bytes, unsigned phase)
{
    unsigned lanes = SWB_WAVEFRONT_BYTES / lane_bytes;
    return lanes == SWB_LANES ? UINT32_MAX : ((1u << lanes) - 1) << phase * lanes;
}

static unsigned phases_with_lanes(unsigned lane_bytes, uint32_t active)
{
    unsigned phases = 0;
    for (unsigned phase = 0; phase < lane_bytes / SWB_BANK_BYTES; phase++)
        phases += (active & lanes_of_phase(lane_bytes, phase)) != 0;
    return phases;
}

static void cost_through_l1(const struct move *moves, uint32_t active, unsigned lane_bytes,
                            struct swb_copy_cost *cost)
{
    for (unsigned phase = 0; phase < lane_bytes / SWB_BANK_BYTES; phase++)
        cost->wavefronts += phase_wavefronts(moves, active & lanes_of_phase(lane_bytes, phase));
    cost->conflicts = cost->wavefronts - cost->ideal_wavefronts;
    cost->sectors = distinct_sectors(moves, active);
}

/* ---- Past L1 ------------------------------------------------------------------------------- */

/* The lanes whose chunk no lower lane writes. */
static uint32_t first_writers(const struct move *moves, uint32_t active)
{
    uint32_t first = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool written = false;
        for (uint32_t earlier = first; earlier && !written; earlier &= earlier - 1)
            written = moves[__builtin_ctz(earlier)].to == moves[lane].to;
        first |= written ? 0 : 1u << lane;
    }
    return first;
}

/* One or two chunks that travel from one sector to another together. */
struct piece {
    uint64_t to_sector, from_sector;
    unsigned round;
    unsigned halves; /* bit 2 t + f: half f of the source goes to half t of the destination */
};

enum { STRAIGHT = 1u << 0 | 1u << 3, SWAPPED = 1u << 1 | 1u << 2 };

static bool same_use(struct move a, struct move b)
{
    return a.from == b.from && a.to / CHUNKS_OF_LINE == b.to / CHUNKS_OF_LINE &&
           a.to % 2 == b.to % 2;
}

/* From the last lane down: how often the chunk has gone to such a half of that line before. */
static unsigned round_of(const struct move *moves, uint32_t lanes, unsigned lane)
{
    unsigned round = 0;
    for (uint32_t later = lanes & ~(UINT32_MAX >> (31 - lane)); later; later &= later - 1)
        round += same_use(moves[__builtin_ctz(later)], moves[lane]);
    return round;
}

static unsigned gather_pieces(const struct move *moves, uint32_t lanes, struct piece *pieces)
{
    unsigned count = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), i = 0;
        struct move move = moves[lane];
        struct piece piece = {move.to / 2, move.from / 2, round_of(moves, lanes, lane),
                              1u << (move.to % 2 * 2 + move.from % 2)};
        while (i < count &&
               (pieces[i].to_sector != piece.to_sector ||
                pieces[i].from_sector != piece.from_sector || pieces[i].round != piece.round))
            i++;
        if (i == count)
            pieces[count++] = piece;
        else
            pieces[i].halves |= piece.halves;
    }
    return count;
}

/* Pieces go in one wavefront when they join the same two lines in the same round, are both an even
 * or both an odd number of sectors apart, and move the same halves. */
static bool go_together(struct piece a, struct piece b)
{
    return a.to_sector / SECTORS_OF_LINE == b.to_sector / SECTORS_OF_LINE &&
           a.from_sector / SECTORS_OF_LINE == b.from_sector / SECTORS_OF_LINE &&
           a.round == b.round && a.halves == b.halves &&
           (a.to_sector ^ a.from_sector ^ b.to_sector ^ b.from_sector) % 2 == 0;
}

static unsigned count_wavefronts(struct piece *pieces, unsigned count)
{
    unsigned wavefronts = 0;
    for (unsigned i = 0; i < count; i++) {
        bool joins = false;
        for (unsigned j = 0; j < i && !joins; j++)
            joins = go_together(pieces[i], pieces[j]);
        wavefronts += !joins;
    }
    return wavefronts;
}

/* Two halves travel together straight or swapped; one chunk that goes to both halves goes twice. */
static unsigned split_pieces(struct piece *pieces, unsigned count)
{
    unsigned all = count;
    for (unsigned i = 0; i < count; i++) {
        unsigned halves = pieces[i].halves, lowest = halves & -halves;
        if (halves == lowest || halves == STRAIGHT || halves == SWAPPED)
            continue;
        pieces[all] = pieces[i];
        pieces[all++].halves = halves ^ lowest;
        pieces[i].halves = lowest;
    }
    return all;
}

/* A sector is asked for once for each sector that it goes to, and twice where one of its chunks
 * goes to both halves of that. */
static unsigned sectors_past_l1(const struct move *moves, uint32_t lanes)
{
    unsigned sectors = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        struct move move = moves[__builtin_ctz(rest)];
        bool again = false;
        for (uint32_t earlier = lanes & ((rest & -rest) - 1); earlier && !again;
             earlier &= earlier - 1) {
            struct move other = moves[__builtin_ctz(earlier)];
            again = other.to / 2 == move.to / 2 && other.from / 2 == move.from / 2 &&
                    other.from != move.from;
        }
        sectors += !again;
    }
    return sectors;
}

static void cost_past_l1(const struct move *moves, uint32_t active, struct swb_copy_cost *cost)
{
    struct piece pieces[SWB_LANES] = {0};
    uint32_t lanes = first_writers(moves, active);
    unsigned count = split_pieces(pieces, gather_pieces(moves, lanes, pieces));
    cost->wavefronts = count_wavefronts(pieces, count);
    cost->sectors = sectors_past_l1(moves, lanes);
}

/* ---- Both ---------------------------------------------------------------------------------- */

bool swb_copy_cost(const struct swb_instruction *instruction, const struct swb_copy *copy,
                   struct swb_copy_cost *cost)
{
    struct move moves[SWB_LANES];
    unsigned bytes = instruction->lane_bytes, unit = copy->bypass_l1 ? CHUNK_BYTES : 1;

    if (instruction->kind != SWB_CP_ASYNC || (copy->bypass_l1 && bytes != CHUNK_BYTES))
        return false;
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        moves[lane] = (struct move){copy->to.lane_byte_addresses[lane] / unit,
                                    copy->global_byte_addresses[lane] / unit};
    memset(cost, 0, sizeof *cost);
    cost->ideal_wavefronts = phases_with_lanes(bytes, copy->to.active_mask);
    if (copy->bypass_l1)
        cost_past_l1(moves, copy->to.active_mask, cost);
    else
        cost_through_l1(moves, copy->to.active_mask, bytes, cost);
    return true;
}
