/* Are the options of `predict` and `measure` read, and does an instruction stay within the tile? A
 * line of the input for each option. */
#include "bench/query.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_POSITIONS = 64 };

static bool take(void *taken, const struct query_access *access, struct error *error)
{
    struct swb_cost cost;
    uint32_t lanes = (uint32_t)(((uint64_t)1 << swb_instruction_lanes(access->instruction)) - 1);
    (void)error;
    FUZZ_CHECK((access->copy.to.active_mask & ~lanes) == 0);
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        uint32_t address = access->copy.to.lane_byte_addresses[lane];
        if (!(access->copy.to.active_mask >> lane & 1))
            continue;
        FUZZ_CHECK(address % access->instruction->lane_bytes == 0);
        FUZZ_CHECK(address <= PLACED_SMEM_BYTES - access->instruction->lane_bytes);
    }
    FUZZ_CHECK(swb_bank_cost(access->instruction, &access->copy.to, &cost));
    FUZZ_CHECK(cost.wavefronts >= cost.ideal_wavefronts);
    return ++*(unsigned *)taken < MOST_POSITIONS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_words lines = fuzz_words(data, bytes);
    const char *const *at = lines.at;
    const struct query_words words = {.placed = {.layout = at[0],
                                                 .elem_bits = at[1],
                                                 .tile = at[2],
                                                 .stack = at[3],
                                                 .base = at[4]},
                                      .instruction = at[5],
                                      .access = at[6],
                                      .tv = at[7],
                                      .lanes = at[8],
                                      .mask = at[9]};
    struct query query;
    struct error error = {.kind = ERROR_NONE};
    unsigned taken = 0;
    if (fuzz_read_or_refused(query_check(&words, &error), &error) &&
        fuzz_read_or_refused(query_open(&words, "fuzz", &query, &error), &error) &&
        !query_each(&query, take, &taken, &error) && taken < MOST_POSITIONS)
        fuzz_read_or_refused(query.kind == QUERY_OF_LANES && taken == 1, &error);
    fuzz_words_free(&lines);
    return 0;
}
