/* How many passes through the 32 banks does one instruction of one warp take?
 *
 * The lanes of an instruction are served in phases of at most 128 bytes. Within a phase every bank
 * gives one 4-byte word a wavefront, to all lanes that want it; so a phase takes as many
 * wavefronts as there are distinct words wanted from the busiest bank. An aligned 8- or 16-byte
 * access wants its words together, so it is enough to count whole accesses over 16 or 8 bank
 * groups.
 */
#include "model/swizzlebench.h"

/* Does every pair of lanes (n, n ^ distance) want one address, or lack a lane? */
static bool all_pairs_agree(const struct swb_access *access, unsigned distance)
{
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        unsigned partner = lane + distance;
        if ((lane & distance) == 0 &&
            (access->active_mask >> lane & access->active_mask >> partner & 1) &&
            access->lane_byte_addresses[lane] != access->lane_byte_addresses[partner])
            return false;
    }
    return true;
}

unsigned swb_bank_pair_distance(const struct swb_instruction *instruction,
                                const struct swb_access *access)
{
    if (instruction->kind != SWB_LOAD || instruction->lane_bytes <= SWB_BANK_BYTES)
        return 0;
    return all_pairs_agree(access, 1) ? 1 : all_pairs_agree(access, 2) ? 2 : 0;
}

/* What one bank group gives in a wavefront, as a power of two: 4, 8 or 16 bytes. */
static unsigned granule_shift(const struct swb_instruction *instruction)
{
    return instruction->lane_bytes == 16 ? 4 : instruction->lane_bytes == 8 ? 3 : 2;
}

unsigned swb_bank_phase_lanes(const struct swb_instruction *instruction,
                              const struct swb_access *access)
{
    unsigned lanes = SWB_WAVEFRONT_BYTES >> granule_shift(instruction);
    return swb_bank_pair_distance(instruction, access) != 0 ? 2 * lanes : lanes;
}

/* Is the access of `lane` one that no earlier lane of the phase made? */
static bool is_first_of_its_kind(const uint32_t *addresses, unsigned shift, unsigned first,
                                 unsigned lane, uint32_t active)
{
    for (unsigned other = lane; other-- > first;) {
        if ((active >> other & 1) && (addresses[other] ^ addresses[lane]) >> shift == 0)
            return false;
    }
    return true;
}

/* What is wanted from one bank group. A row is what the banks hold side by side, 128 bytes. */
struct wanted {
    uint64_t rows; /* bits of the row numbers modulo 64 */
    uint64_t count;
};

/* Wavefronts of the phase of lanes [first, first + count); `groups` starts empty.
 *
 * A lane whose bit is already set wants what was wanted before, or a row that shares its bit: that
 * takes a closer look. The bits save that look where rows differ, and change no result. */
static unsigned phase_wavefronts(const uint32_t *addresses, unsigned shift, unsigned first,
                                 unsigned count, uint32_t active, struct wanted *groups)
{
    uint32_t group_mask = (SWB_WAVEFRONT_BYTES >> shift) - 1, bit_taken = 0;
    uint64_t wavefronts = 0;

    for (unsigned lane = first; lane < first + count; lane++) {
        uint32_t is_active = active >> lane & 1;
        uint64_t bit = (uint64_t)is_active << addresses[lane] / SWB_WAVEFRONT_BYTES % 64;
        struct wanted *group = &groups[addresses[lane] >> shift & group_mask];
        uint32_t is_new = (group->rows & bit) != bit;
        group->rows |= bit;
        group->count += is_new;
        bit_taken |= (is_active ^ is_new) << lane;
        wavefronts = group->count > wavefronts ? group->count : wavefronts;
    }
    while (bit_taken != 0) {
        unsigned lane = (unsigned)__builtin_ctz(bit_taken);
        struct wanted *group = &groups[addresses[lane] >> shift & group_mask];
        bit_taken ^= 1u << lane;
        group->count += is_first_of_its_kind(addresses, shift, first, lane, active);
        wavefronts = group->count > wavefronts ? group->count : wavefronts;
    }
    return (unsigned)wavefronts;
}

bool swb_bank_cost(const struct swb_instruction *instruction, const struct swb_access *access,
                   struct swb_cost *cost)
{
    if (instruction->kind == SWB_CP_ASYNC)
        return false;

    unsigned lanes = swb_instruction_lanes(instruction);
    unsigned phase_lanes = swb_bank_phase_lanes(instruction, access);
    unsigned shift = granule_shift(instruction);
    struct wanted groups[SWB_BANKS] = {{.count = 0}}, *next = groups;
    *cost = (struct swb_cost){0};
    for (unsigned first = 0; first < lanes; first += phase_lanes) {
        unsigned wavefronts = phase_wavefronts(access->lane_byte_addresses, shift, first,
                                               phase_lanes, access->active_mask, next);
        cost->wavefronts += wavefronts;
        cost->ideal_wavefronts += wavefronts != 0;
        next += SWB_WAVEFRONT_BYTES >> shift;
    }
    cost->conflicts = cost->wavefronts - cost->ideal_wavefronts;
    return true;
}
