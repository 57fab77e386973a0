/* Why does an access take the wavefronts that it takes? */
#include "bench/explain.h"

#include <string.h>

static bool takes_part(const struct swb_instruction *instruction, const struct swb_access *access,
                       unsigned lane)
{
    return lane < swb_instruction_lanes(instruction) && (access->active_mask >> lane & 1);
}

unsigned explain_phases(const struct swb_instruction *instruction, const struct swb_access *access)
{
    return swb_instruction_lanes(instruction) / swb_bank_phase_lanes(instruction, access);
}

static void add_word(struct bank_words *bank, uint32_t byte_address, unsigned lane)
{
    unsigned word = 0;
    while (word < bank->count && bank->byte_addresses[word] != byte_address)
        word++;
    if (word == bank->count) {
        bank->byte_addresses[word] = byte_address;
        bank->lanes[word] = 0;
        bank->count++;
    }
    bank->lanes[word] |= 1u << lane;
}

void explain_phase(const struct swb_instruction *instruction, const struct swb_access *access,
                   unsigned phase, struct phase_words *words)
{
    unsigned lanes = swb_bank_phase_lanes(instruction, access);
    memset(words, 0, sizeof *words);
    words->first_lane = phase * lanes;
    words->last_lane = words->first_lane + lanes - 1;
    for (unsigned lane = words->first_lane; lane <= words->last_lane; lane++) {
        if (!takes_part(instruction, access, lane))
            continue;
        uint32_t first = access->lane_byte_addresses[lane] / SWB_BANK_BYTES * SWB_BANK_BYTES;
        words->active = true;
        for (unsigned byte = 0; byte == 0 || byte < instruction->lane_bytes; byte += 4) {
            struct bank_words *bank = &words->banks[(first + byte) / SWB_BANK_BYTES % SWB_BANKS];
            add_word(bank, first + byte, lane);
            words->wavefronts = bank->count > words->wavefronts ? bank->count : words->wavefronts;
        }
    }
}

const char *conflicts_text(unsigned long long conflicts, char *text, size_t bytes)
{
    if (conflicts == 0)
        snprintf(text, bytes, "no conflicts");
    else
        snprintf(text, bytes, "%llu conflict%s", conflicts, conflicts == 1 ? "" : "s");
    return text;
}

const char *cost_text(const struct swb_cost *cost, char *text, size_t bytes)
{
    char way[32] = "", conflicts[64];
    if (cost->conflicts > 0)
        snprintf(way, sizeof way, "%.3g-way, ", (double)cost->wavefronts / cost->ideal_wavefronts);
    snprintf(text, bytes, "%u wavefront%s, ideal %u, %s%s", cost->wavefronts,
             cost->wavefronts == 1 ? "" : "s", cost->ideal_wavefronts, way,
             conflicts_text(cost->conflicts, conflicts, sizeof conflicts));
    return text;
}

const char *lanes_text(uint32_t lanes, char *text, size_t bytes)
{
    size_t length = 0;
    text[0] = '\0';
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last + 1 < SWB_LANES && (lanes >> (last + 1) & 1))
            last++;
        int added = snprintf(text + length, bytes - length, last > lane ? "%s%u-%u" : "%s%u",
                             length ? "," : "", lane, last);
        length += (size_t)added < bytes - length ? (size_t)added : 0;
        lane = last;
    }
    return text;
}

/* ---- The pair rule in words --------------------------------------------------------------- */

/* The first lane whose partner wants another address. */
static unsigned first_disagreement(const struct swb_access *access, unsigned distance)
{
    unsigned lane = 0;
    for (; lane < SWB_LANES; lane++) {
        unsigned partner = lane ^ distance;
        if ((access->active_mask >> lane & access->active_mask >> partner & 1) &&
            access->lane_byte_addresses[lane] != access->lane_byte_addresses[partner])
            break;
    }
    return lane;
}

void explain_grouping(const struct swb_instruction *instruction, const struct swb_access *access,
                      char *sentence, size_t bytes)
{
    unsigned width = instruction->lane_bytes, lanes = swb_bank_phase_lanes(instruction, access);
    unsigned distance = swb_bank_pair_distance(instruction, access);
    if (instruction->matrices) {
        snprintf(sentence, bytes, "each 8x8 matrix is a phase: the 8 lanes that give its rows");
    } else if (width <= SWB_BANK_BYTES) {
        snprintf(sentence, bytes, "one phase of all 32 lanes: none takes more than a word");
    } else if (instruction->kind != SWB_LOAD) {
        snprintf(sentence, bytes, "phases of %u lanes, %u bytes each; those of a store never merge",
                 lanes, width);
    } else if (distance != 0) {
        snprintf(sentence, bytes,
                 "phases merge, to %u lanes: in every pair of lanes (n, n^%u) both want one "
                 "address, or one is off",
                 lanes, distance);
    } else {
        unsigned a = first_disagreement(access, 1), b = first_disagreement(access, 2);
        snprintf(sentence, bytes,
                 "phases of %u lanes, %u bytes each; they do not merge: of the pairs (n, n^1) "
                 "lanes %u and %u differ, of the pairs (n, n^2) lanes %u and %u",
                 lanes, width, a, a ^ 1, b, b ^ 2);
    }
}

/* ---- Text --------------------------------------------------------------------------------- */

/* Banks that are wanted by the same lanes in the same rows are told in one line. */
static bool same_wants(const struct bank_words *a, const struct bank_words *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned word = 0; word < a->count; word++) {
        if (a->lanes[word] != b->lanes[word] || a->byte_addresses[word] / SWB_WAVEFRONT_BYTES !=
                                                    b->byte_addresses[word] / SWB_WAVEFRONT_BYTES)
            return false;
    }
    return true;
}

/* The last of the banks from `bank` on that are wanted alike. */
static unsigned last_alike(const struct phase_words *words, unsigned bank)
{
    unsigned last = bank;
    while (last + 1 < SWB_BANKS && same_wants(&words->banks[bank], &words->banks[last + 1]))
        last++;
    return last;
}

/* The last of the banks from `bank` on that give one word to one lane each, whichever; before
 * `bank` where it is not one of these. */
static unsigned last_private(const struct phase_words *words, unsigned bank, uint32_t *lanes)
{
    *lanes = 0;
    for (; bank < SWB_BANKS; bank++) {
        const struct bank_words *wanted = &words->banks[bank];
        if (wanted->count != 1 || (wanted->lanes[0] & (wanted->lanes[0] - 1)))
            break;
        *lanes |= wanted->lanes[0];
    }
    return bank - 1;
}

static void print_bank_name(FILE *to, unsigned bank, unsigned last)
{
    char name[32];
    snprintf(name, sizeof name, last > bank ? "banks %u-%u" : "bank  %u", bank, last);
    fprintf(to, "  %-11s", name);
}

static void print_banks(FILE *to, const struct phase_words *words, unsigned bank, unsigned last)
{
    const struct bank_words *wanted = &words->banks[bank];
    char lanes[LANES_TEXT_BYTES];
    print_bank_name(to, bank, last);
    if (wanted->count == 0) {
        fputs(" -\n", to);
        return;
    }
    fprintf(to, " %2u word%s", wanted->count, wanted->count == 1 ? " " : "s");
    fputs(words->wavefronts > 1 && wanted->count == words->wavefronts ? " *" : "  ", to);
    for (unsigned word = 0; word < wanted->count; word++)
        fprintf(to, "%s byte %u: lane%s %s", word ? " |" : "", wanted->byte_addresses[word],
                wanted->lanes[word] & (wanted->lanes[word] - 1) ? "s" : "",
                lanes_text(wanted->lanes[word], lanes, sizeof lanes));
    fputc('\n', to);
}

static void print_phase(FILE *to, unsigned phase, const struct phase_words *words)
{
    if (!words->active) {
        fprintf(to, "phase %u, lanes %u-%u: all off, no wavefront\n", phase, words->first_lane,
                words->last_lane);
        return;
    }
    fprintf(to, "phase %u, lanes %u-%u: %u wavefront%s\n", phase, words->first_lane,
            words->last_lane, words->wavefronts, words->wavefronts == 1 ? "" : "s");
    for (unsigned bank = 0, last; bank < SWB_BANKS; bank = last + 1) {
        uint32_t lanes;
        char text[LANES_TEXT_BYTES];
        last = last_alike(words, bank);
        unsigned private = last_private(words, bank, &lanes);
        if (private + 1 > last + 1) {
            last = private;
            print_bank_name(to, bank, last);
            fprintf(to, "  1 word each, lanes %s\n", lanes_text(lanes, text, sizeof text));
        } else {
            print_banks(to, words, bank, last);
        }
    }
}

/* The phase with the most wavefronts. */
static void find_worst_phase(const struct swb_instruction *instruction,
                             const struct swb_access *access, struct phase_words *worst)
{
    struct phase_words words;
    explain_phase(instruction, access, 0, worst);
    for (unsigned phase = 1; phase < explain_phases(instruction, access); phase++) {
        explain_phase(instruction, access, phase, &words);
        if (words.wavefronts > worst->wavefronts)
            *worst = words;
    }
}

void explain_collision(const struct swb_instruction *instruction, const struct swb_access *access,
                       char *sentence, size_t bytes)
{
    struct phase_words words;
    char lanes[LANES_TEXT_BYTES];
    unsigned bank = 0;
    uint32_t colliding = 0;
    find_worst_phase(instruction, access, &words);
    sentence[0] = '\0';
    if (words.wavefronts < 2)
        return;
    while (words.banks[bank].count < words.wavefronts)
        bank++;
    for (unsigned word = 0; word < words.banks[bank].count; word++)
        colliding |= words.banks[bank].lanes[word];
    unsigned last = last_alike(&words, bank);
    int length = snprintf(sentence, bytes, "lanes %s want %u words from ",
                          lanes_text(colliding, lanes, sizeof lanes), words.wavefronts);
    if (last > bank)
        snprintf(sentence + length, bytes - (size_t)length, "each of banks %u-%u", bank, last);
    else
        snprintf(sentence + length, bytes - (size_t)length, "bank %u", bank);
}

void explain_text(FILE *to, const char *title, const struct swb_instruction *instruction,
                  const struct swb_access *access)
{
    struct swb_cost cost = {0};
    struct phase_words words;
    char sentence[320], text[160];
    bool many = false;
    swb_bank_cost(instruction, access, &cost);
    explain_grouping(instruction, access, sentence, sizeof sentence);
    fprintf(to, "%s: %s\n%s\n", title, cost_text(&cost, text, sizeof text), sentence);
    for (unsigned phase = 0; phase < explain_phases(instruction, access); phase++) {
        explain_phase(instruction, access, phase, &words);
        print_phase(to, phase, &words);
        many |= words.wavefronts > 1;
    }
    if (many)
        fputs("* the busiest banks: a wavefront brings one word of each\n", to);
}
