/* How many passes through the 32 banks does one instruction of one warp take?
 *
 * The lanes of an instruction are served in phases of at most 128 bytes. Within a phase every bank
 * gives one 4-byte word a wavefront, to all lanes that want it; so a phase takes as many
 * wavefronts as there are distinct words wanted from the busiest bank. An aligned 8- or 16-byte
 * access wants its words together, so it is enough to count whole accesses over 16 or 8 bank
 * groups.
 */
#include "model/swizzlebench.h"

enum { ROW_SET_BITS = 64 };

/* The lanes that take part: active, and read by the instruction at all. */
static uint32_t lanes_taking_part(const struct swb_instruction *instruction, uint32_t active_mask)
{
    unsigned matrices = instruction->matrices;
    return matrices == 0 || matrices == 4 ? active_mask : active_mask & ((1u << 8 * matrices) - 1);
}

/* Does every pair of lanes (n, n ^ distance) want one address, or lack a lane? */
static bool all_pairs_agree(const struct swb_access *access, unsigned distance)
{
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        unsigned partner = lane ^ distance;
        bool both_active = access->active_mask >> lane & access->active_mask >> partner & 1;
        if (both_active &&
            access->lane_byte_addresses[lane] != access->lane_byte_addresses[partner])
            return false;
    }
    return true;
}

unsigned swb_bank_pair_distance(const struct swb_instruction *instruction,
                                const struct swb_access *access)
{
    if (instruction->kind != SWB_LOAD || instruction->lane_bytes < 8)
        return 0;
    return all_pairs_agree(access, 1) ? 1 : all_pairs_agree(access, 2) ? 2 : 0;
}

unsigned swb_bank_phase_lanes(const struct swb_instruction *instruction,
                              const struct swb_access *access)
{
    if (instruction->lane_bytes <= SWB_BANK_BYTES)
        return SWB_LANES;
    unsigned lanes = SWB_WAVEFRONT_BYTES / instruction->lane_bytes;
    return swb_bank_pair_distance(instruction, access) != 0 ? 2 * lanes : lanes;
}

/* Is the access of `lane` one that no earlier lane of the phase made? */
static bool is_first_of_its_kind(const uint32_t *addresses, unsigned granule_shift, unsigned first,
                                 unsigned lane, uint32_t active)
{
    for (unsigned other = first; other < lane; other++) {
        if ((active >> other & 1) && (addresses[other] ^ addresses[lane]) >> granule_shift == 0)
            return false;
    }
    return true;
}

/* The rows wanted from one bank group. A row is what the banks hold side by side, 128 bytes. */
struct wanted {
    uint64_t rows; /* bits of the row numbers modulo 64 */
    uint64_t count;
};

/* Wavefronts of the phase of lanes [first, first + count); `groups` starts empty.
 *
 * A lane whose bit is already set wants what was wanted before, or a row that shares its bit. The
 * latter takes rows 64 or more apart, and only where there are such is a closer look due. */
static unsigned phase_wavefronts(const uint32_t *addresses, unsigned granule_shift, unsigned first,
                                 unsigned count, uint32_t active, struct wanted *groups)
{
    uint32_t group_mask = (SWB_WAVEFRONT_BYTES >> granule_shift) - 1;
    uint32_t bit_taken = 0, all_rows = 0, common_rows = UINT32_MAX;
    uint64_t wavefronts = 0;

    for (unsigned lane = first; lane < first + count; lane++) {
        uint32_t row = addresses[lane] / SWB_WAVEFRONT_BYTES;
        uint32_t is_active = active >> lane & 1;
        struct wanted *group = &groups[addresses[lane] >> granule_shift & group_mask];
        uint64_t bit = (uint64_t)is_active << row % ROW_SET_BITS;
        uint32_t is_new = (group->rows & bit) != bit;
        group->rows |= bit;
        group->count += is_new;
        bit_taken |= (is_active ^ is_new) << lane;
        wavefronts = group->count > wavefronts ? group->count : wavefronts;
        all_rows |= row;
        common_rows &= row;
    }
    if (bit_taken == 0 || (all_rows ^ common_rows) < ROW_SET_BITS)
        return (unsigned)wavefronts;

    for (unsigned lane = first; lane < first + count; lane++) {
        struct wanted *group = &groups[addresses[lane] >> granule_shift & group_mask];
        if ((bit_taken >> lane & 1) &&
            is_first_of_its_kind(addresses, granule_shift, first, lane, active) &&
            ++group->count > wavefronts)
            wavefronts = group->count;
    }
    return (unsigned)wavefronts;
}

static unsigned granule_shift_of(unsigned lane_bytes)
{
    return lane_bytes == 16 ? 4 : lane_bytes == 8 ? 3 : 2;
}

bool swb_bank_cost(const struct swb_instruction *instruction, const struct swb_access *access,
                   struct swb_cost *cost)
{
    if (instruction->kind == SWB_CP_ASYNC)
        return false;

    uint32_t active = lanes_taking_part(instruction, access->active_mask);
    unsigned phase_lanes = swb_bank_phase_lanes(instruction, access);
    unsigned granule_shift = granule_shift_of(instruction->lane_bytes);
    uint32_t phase_mask = phase_lanes == SWB_LANES ? UINT32_MAX : (1u << phase_lanes) - 1;
    struct wanted groups[SWB_BANKS] = {{0}}, *next = groups;

    *cost = (struct swb_cost){0};
    for (unsigned first = 0; first < SWB_LANES; first += phase_lanes) {
        if ((active & phase_mask << first) == 0)
            continue;
        cost->wavefronts += phase_wavefronts(access->lane_byte_addresses, granule_shift, first,
                                             phase_lanes, active, next);
        cost->ideal_wavefronts++;
        next += SWB_WAVEFRONT_BYTES >> granule_shift;
    }
    cost->conflicts = cost->wavefronts - cost->ideal_wavefronts;
    return true;
}
