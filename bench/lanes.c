/* One access in short: which byte address does each lane give, as a layout of lanes? */
#include "bench/lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/placed.h"

static bool read_mask(const char *text, uint32_t *mask, struct error *error)
{
    size_t length = strlen(text);
    if (length < 1 || length > 8 || strspn(text, "0123456789abcdefABCDEF") != length)
        return error_set(error, ERROR_INPUT, "--mask '%s': 1 to 8 hex digits are needed", text);
    *mask = (uint32_t)strtoul(text, NULL, 16);
    return true;
}

static bool check_address(const struct swb_instruction *instruction, unsigned lane, int64_t address,
                          struct error *error)
{
    if (address % instruction->lane_bytes != 0)
        return error_set(error, ERROR_INPUT,
                         "--lanes, lane %u: byte address %" PRId64
                         " is no multiple of %u; %s would fault",
                         lane, address, instruction->lane_bytes, instruction->name);
    if (address < 0 || address > PLACED_SMEM_BYTES - (int64_t)instruction->lane_bytes)
        return error_set(error, ERROR_INPUT,
                         "--lanes, lane %u: byte address %" PRId64
                         " lies outside the %d KiB of shared memory",
                         lane, address, PLACED_SMEM_BYTES / 1024);
    return true;
}

static bool read_layout(const char *text, const struct swb_instruction *instruction,
                        struct swb_composed *composed, struct error *error)
{
    struct swb_refusal refusal;
    if (!swb_composed_parse(text, composed, &refusal))
        return error_set(error, ERROR_INPUT, "--lanes '%s', column %u: %s", text, refusal.column,
                         refusal.sentence);
    if (composed->pointer_bits != 0 && composed->pointer_bits != 8)
        return error_set(error, ERROR_INPUT,
                         "--lanes '%s': lanes give byte addresses; leave smem_ptr out", text);
    if (swb_layout_size(&composed->layout) > swb_instruction_lanes(instruction))
        return error_set(error, ERROR_INPUT,
                         "--lanes '%s' has %" PRId64 " lanes; %u give an address to %s", text,
                         swb_layout_size(&composed->layout), swb_instruction_lanes(instruction),
                         instruction->name);
    return true;
}

bool lanes_read(const char *layout, const char *mask, const struct swb_instruction *instruction,
                struct swb_access *access, struct error *error)
{
    struct swb_composed composed;
    uint32_t active = UINT32_MAX;
    if ((mask && !read_mask(mask, &active, error)) ||
        !read_layout(layout, instruction, &composed, error))
        return false;
    memset(access, 0, sizeof *access);
    for (unsigned lane = 0; lane < swb_layout_size(&composed.layout); lane++) {
        int64_t address = swb_composed_at(&composed, lane);
        if (!(active >> lane & 1))
            continue;
        if (!check_address(instruction, lane, address, error))
            return false;
        access->active_mask |= 1u << lane;
        access->lane_byte_addresses[lane] = (uint32_t)address;
    }
    return true;
}
