/* What random accesses are worth trying? */
#include "bench/fuzz_access.h"

/* ---- Random numbers ------------------------------------------------------------------------ */

uint64_t fuzz_random_next(struct fuzz_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

struct fuzz_random fuzz_random_of(uint64_t seed, uint64_t stream)
{
    struct fuzz_random first = {seed};
    struct fuzz_random second = {fuzz_random_next(&first) ^ stream * 0xd6e8feb86659fd93u};
    return (struct fuzz_random){fuzz_random_next(&second)};
}

uint32_t fuzz_random_below(struct fuzz_random *random, uint32_t limit)
{
    return (uint32_t)((fuzz_random_next(random) >> 32) * limit >> 32);
}

static bool one_in(struct fuzz_random *random, uint32_t chances)
{
    return fuzz_random_below(random, chances) == 0;
}

/* ---- Weights ------------------------------------------------------------------------------- */

static const uint16_t primes[] = {
    37,  41,  43,  47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,   101,  103,  107,  109,
    113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191,  193,  197,  199,  211,
    223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283,  293,  307,  311,  313,
    317, 331, 337, 347, 349, 353, 359, 367, 373, 379, 383, 389, 397, 401,  409,  419,  421,  431,
    433, 439, 443, 449, 457, 461, 463, 467, 479, 487, 491, 499, 503, 509,  521,  523,  541,  547,
    557, 563, 569, 571, 577, 587, 593, 599, 601, 607, 613, 617, 619, 631,  641,  643,  647,  653,
    659, 661, 673, 677, 683, 691, 701, 709, 719, 727, 733, 739, 743, 751,  757,  761,  769,  773,
    787, 797, 809, 811, 821, 823, 827, 829, 839, 853, 857, 859, 863, 877,  881,  883,  887,  907,
    911, 919, 929, 937, 941, 947, 953, 967, 971, 977, 983, 991, 997, 1009, 1013, 1019, 1021,
};

uint32_t fuzz_weight(struct fuzz_random *random)
{
    return primes[fuzz_random_below(random, sizeof primes / sizeof primes[0])];
}

/* ---- Addresses: each fills 32, in units of the lane's bytes, reduced to the window later ----- */

typedef void pattern(struct fuzz_random *random, uint32_t unit_count, uint32_t *units);

static void scattered(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t window = unit_count >> fuzz_random_below(random, 8);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        units[lane] = fuzz_random_below(random, window);
}

static void strided(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t stride = fuzz_random_below(random, one_in(random, 2) ? 40 : 600);
    uint32_t base = fuzz_random_below(random, unit_count);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        units[lane] = base + lane * stride;
}

/* Rows of some lanes each, a padded pitch apart. */
static void padded(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t width = 1u << fuzz_random_below(random, 6);
    uint32_t pitch = width + fuzz_random_below(random, 70);
    uint32_t base = fuzz_random_below(random, unit_count);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        units[lane] = base + lane / width * pitch + lane % width;
}

/* Rows down a power-of-two pitch, the column bits XORed with the row's. */
static void swizzled(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t width_bits = fuzz_random_below(random, 6), pitch_bits = fuzz_random_below(random, 6);
    uint32_t bits = fuzz_random_below(random, 6), shift = fuzz_random_below(random, 4);
    uint32_t base = fuzz_random_below(random, unit_count) & ~1023u;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        uint32_t row = lane >> width_bits, column = lane & ((1u << width_bits) - 1);
        uint32_t at = (row << (width_bits + pitch_bits)) + column;
        units[lane] = base + (at ^ (row & ((1u << bits) - 1)) << shift);
    }
}

/* A run of neighbours, dealt out to the lanes in any order. */
static void permuted(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t base = fuzz_random_below(random, unit_count);
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        unsigned other = fuzz_random_below(random, lane + 1);
        units[lane] = base + lane;
        uint32_t dealt = units[other];
        units[other] = units[lane];
        units[lane] = dealt;
    }
}

static void few(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t kinds = 1 + fuzz_random_below(random, 8), choices[8];
    for (unsigned i = 0; i < 8; i++)
        choices[i] = fuzz_random_below(random, one_in(random, 2) ? 64 : unit_count);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        units[lane] = choices[fuzz_random_below(random, kinds)];
}

/* Rows of 128 bytes, most lanes at the same place of theirs. */
static void one_bank(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t row_units = unit_count * SWB_WAVEFRONT_BYTES / FUZZ_WINDOW_BYTES;
    uint32_t place = fuzz_random_below(random, row_units);
    uint32_t rows = 1u << fuzz_random_below(random, 10);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        units[lane] = fuzz_random_below(random, rows) * row_units +
                      (one_in(random, 4) ? fuzz_random_below(random, row_units) : place);
}

static pattern *const patterns[] = {
    scattered, strided, padded, swizzled, permuted, few, one_bank,
};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

/* ---- Pairs of lanes ------------------------------------------------------------------------ */

/* Gives lanes n and n ^ distance one address, in all pairs or in all but one or two. */
static void pair_up(struct fuzz_random *random, uint32_t unit_count, uint32_t *units)
{
    uint32_t distance = 1u << fuzz_random_below(random, 4);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        if (lane & distance)
            units[lane] = units[lane ^ distance];
    for (uint32_t broken = fuzz_random_below(random, 3); broken > 0; broken--) {
        uint32_t lane = fuzz_random_below(random, SWB_LANES);
        units[lane] = one_in(random, 2) ? units[lane] ^ 1u << fuzz_random_below(random, 8)
                                        : fuzz_random_below(random, unit_count);
    }
}

/* ---- Masks --------------------------------------------------------------------------------- */

static uint32_t random_mask(struct fuzz_random *random)
{
    uint32_t bits = (uint32_t)fuzz_random_next(random), more = (uint32_t)fuzz_random_next(random);
    uint32_t lane = fuzz_random_below(random, SWB_LANES);
    switch (fuzz_random_below(random, 10)) {
    case 0:
        return bits;
    case 1:
        return bits & more;
    case 2:
        return bits | more;
    case 3:
        return 1u << lane;
    case 4:
        return UINT32_MAX >> lane;
    case 5:
        return UINT32_MAX ^ 1u << lane;
    case 6: /* one lane of each pair */
        return (bits & 0x55555555) << 1 | (~bits & 0x55555555);
    default:
        return UINT32_MAX;
    }
}

void fuzz_access(struct fuzz_random *random, const struct swb_instruction *instruction,
                 struct swb_access *access)
{
    uint32_t unit_count = FUZZ_WINDOW_BYTES / instruction->lane_bytes, units[SWB_LANES];

    patterns[fuzz_random_below(random, PATTERNS)](random, unit_count, units);
    if (one_in(random, 4))
        pair_up(random, unit_count, units);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        access->lane_byte_addresses[lane] = units[lane] % unit_count * instruction->lane_bytes;
    access->active_mask = instruction->matrices ? UINT32_MAX : random_mask(random);
}

/* ---- Both ends of a copy ------------------------------------------------------------------- */

/* All addresses into a few lines, where sectors and chunks meet most often. */
static void crowd(struct fuzz_random *random, unsigned lane_bytes, uint32_t *addresses)
{
    uint32_t window = SWB_WAVEFRONT_BYTES << fuzz_random_below(random, 4);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        addresses[lane] = addresses[lane] % window / lane_bytes * lane_bytes;
}

/* Rows of a matrix, as a copy of a tile reads them. */
static void matrix_rows(struct fuzz_random *random, unsigned lane_bytes, uint32_t *addresses)
{
    uint32_t row = 16u << fuzz_random_below(random, 4), pitch = row << fuzz_random_below(random, 5);
    uint32_t base = 16 * fuzz_random_below(random, 64);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        addresses[lane] =
            (base + lane * lane_bytes / row * pitch + lane * lane_bytes % row) % FUZZ_WINDOW_BYTES;
}

void fuzz_copy(struct fuzz_random *random, const struct swb_instruction *instruction,
               struct swb_copy *copy)
{
    struct swb_access from;
    fuzz_access(random, instruction, &copy->to);
    fuzz_access(random, instruction, &from);
    if (one_in(random, 3))
        crowd(random, instruction->lane_bytes, copy->to.lane_byte_addresses);
    if (one_in(random, 3))
        crowd(random, instruction->lane_bytes, from.lane_byte_addresses);
    else if (one_in(random, 2))
        matrix_rows(random, instruction->lane_bytes, from.lane_byte_addresses);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        copy->global_byte_addresses[lane] = from.lane_byte_addresses[lane];
}
