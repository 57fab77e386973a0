/* Does cuTensorMapEncodeTiled take this tensor map, and if not, which rules does it break, and what
 * would be the nearest legal value? */
#include "model/text.h"
#include "model/tma.h"

#include <inttypes.h>
#include <string.h>

typedef const struct swb_tma_subject subject;

static unsigned end_entry(const struct swb_tma_field *field, subject *subject)
{
    unsigned rank = subject->map.rank;
    unsigned entries = rank > field->rank_less ? rank - field->rank_less : 0;
    return field->is_array && entries < field->end ? entries : field->end;
}

static uint64_t value_of(const struct swb_tma_field *field, subject *subject, unsigned entry)
{
    const char *from = (const char *)subject + field->offset_bytes + entry * field->entry_bytes;
    uint64_t wide;
    uint32_t narrow;
    if (field->entry_bytes == sizeof wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

static uint64_t limit_of(const struct swb_tma_rule *rule, subject *subject)
{
    return rule->limit_of ? rule->limit_of(subject) : rule->limit;
}

static bool keeps(enum swb_tma_limit kind, uint64_t limit, uint64_t value)
{
    switch (kind) {
    case SWB_TMA_AT_LEAST:
        return value >= limit;
    case SWB_TMA_AT_MOST:
        return value <= limit;
    case SWB_TMA_MULTIPLE:
        return value % limit == 0;
    case SWB_TMA_ONE_OF:
        break;
    }
    return value < 64 && (limit >> value & 1) != 0;
}

/* ---- The nearest legal value of an entry -------------------------------------------------- */

struct entry {
    const struct swb_tma_field *field;
    unsigned number;
};

/* The rule's limit for the entry, SWB_TMA_NO_LIMIT where it has none. */
static uint64_t limit_for(const struct swb_tma_rule *rule, struct entry entry, subject *subject)
{
    bool is_about = rule->field->offset_bytes == entry.field->offset_bytes &&
                    entry.number >= rule->field->first && entry.number < rule->field->end;
    return is_about ? limit_of(rule, subject) : SWB_TMA_NO_LIMIT;
}

/* least and most are multiples of `multiple`; least > most: nothing is legal. */
struct range {
    uint64_t least, most, multiple;
};

/* The multiples are powers of two, so that the largest is the one that counts. Without 0, which is
 * a multiple of everything and what nobody wants. */
static struct range legal_range(struct entry entry, subject *subject)
{
    struct range range = {1, UINT64_MAX, 1};
    for (const struct swb_tma_rule *rule = swb_tma_rules; rule->name; rule++) {
        uint64_t limit = limit_for(rule, entry, subject);
        if (limit == SWB_TMA_NO_LIMIT)
            continue;
        if (rule->kind == SWB_TMA_AT_LEAST && limit > range.least)
            range.least = limit;
        if (rule->kind == SWB_TMA_AT_MOST && limit < range.most)
            range.most = limit;
        if (rule->kind == SWB_TMA_MULTIPLE && limit > range.multiple)
            range.multiple = limit;
    }
    range.least = (range.least + range.multiple - 1) / range.multiple * range.multiple;
    range.most = range.most / range.multiple * range.multiple;
    return range;
}

static bool nearest_number(struct entry entry, subject *subject, uint64_t value, uint64_t *nearest)
{
    struct range range = legal_range(entry, subject);
    uint64_t over = value % range.multiple;
    if (range.least > range.most)
        return false;
    if (value <= range.least)
        *nearest = range.least;
    else if (value >= range.most)
        *nearest = range.most;
    else
        *nearest = value - over + (over > range.multiple / 2 ? range.multiple : 0);
    return true;
}

static bool word_is_legal(struct entry entry, subject *subject, unsigned value)
{
    for (const struct swb_tma_rule *rule = swb_tma_rules; rule->name; rule++) {
        uint64_t limit = limit_for(rule, entry, subject);
        if (limit != SWB_TMA_NO_LIMIT && !keeps(rule->kind, limit, value))
            return false;
    }
    return true;
}

/* The last legal one below: every rule about words lets the first of them pass, 0. */
static uint64_t nearest_word(struct entry entry, subject *subject, uint64_t value)
{
    uint64_t nearest = 0;
    for (unsigned word = 1; word != value && swb_tma_name(entry.field->word, word); word++) {
        if (word_is_legal(entry, subject, word))
            nearest = word;
    }
    return nearest;
}

/* ---- Sentences ---------------------------------------------------------------------------- */

static void add_value(struct text *text, const struct swb_tma_field *field, uint64_t value)
{
    const char *name = field->is_word ? swb_tma_name(field->word, (unsigned)value) : NULL;
    if (name)
        swb_text_add(text, "%s (%" PRIu64 ")", name, value);
    else
        swb_text_add(text, "%" PRIu64, value);
}

/* The box is too large: which one extent, cut down, would make it fit? Not dimension 0, for which
 * the multiples of 16 bytes count, too. */
static void add_smaller_box(struct text *text, const struct swb_tma_map *map)
{
    unsigned longest = 1;
    for (unsigned i = 2; i < map->rank && i < SWB_TMA_MAX_RANK; i++) {
        if (swb_tma_counted_elements(map, i) > swb_tma_counted_elements(map, longest))
            longest = i;
    }
    struct swb_tma_map slice = *map;
    slice.box[longest] = slice.element_strides[longest] = 1;
    uint64_t fit = (uint64_t)SWB_TMA_MAX_BOX_BYTES * 8 / swb_tma_counted_bits(&slice);
    if (fit == 0) {
        swb_text_add(text, "; more than one of box[] must shrink");
        return;
    }
    uint64_t most = (fit + 1) * swb_tma_counted_step(map, longest) - 1;
    swb_text_add(text, "; nearest legal value of box[%u] %" PRIu64, longest,
                 most < 256 ? most : 256);
}

static void add_nearest(struct text *text, struct entry entry, subject *subject, uint64_t value)
{
    uint64_t nearest;
    if (entry.field == &swb_tma_box_bytes_field) {
        add_smaller_box(text, &subject->map);
    } else if (entry.field->is_word) {
        swb_text_add(text, "; nearest legal value ");
        add_value(text, entry.field, nearest_word(entry, subject, value));
    } else if (nearest_number(entry, subject, value, &nearest)) {
        swb_text_add(text, "; nearest legal value %" PRIu64, nearest);
    } else {
        swb_text_add(text, "; no value goes with the rest");
    }
}

static void describe(const struct swb_tma_rule *rule, subject *subject, unsigned number,
                     struct swb_tma_broken *broken)
{
    static const char *const kinds[] = {[SWB_TMA_AT_LEAST] = "at least",
                                        [SWB_TMA_AT_MOST] = "at most",
                                        [SWB_TMA_MULTIPLE] = "a multiple of"};
    struct text text = {.start = broken->sentence, .bytes = sizeof broken->sentence};
    struct entry entry = {rule->field, number};
    uint64_t value = value_of(rule->field, subject, number);
    broken->rule = rule->name;
    swb_text_add(&text, "%s", rule->field->name);
    if (rule->field->is_array)
        swb_text_add(&text, "[%u]", number);
    swb_text_add(&text, " is ");
    add_value(&text, rule->field, value);
    if (rule->field->is_word)
        swb_text_add(&text, ": %s", rule->why);
    else
        swb_text_add(&text, ": must be %s %" PRIu64 " (%s)", kinds[rule->kind],
                     limit_of(rule, subject), rule->why);
    add_nearest(&text, entry, subject, value);
}

unsigned swb_tma_check(const struct swb_tma_map *map, unsigned compute_capability,
                       struct swb_tma_broken *broken, unsigned most)
{
    struct swb_tma_subject subject = {*map, compute_capability, swb_tma_counted_bits(map) / 8};
    unsigned count = 0;
    for (const struct swb_tma_rule *rule = swb_tma_rules; rule->name; rule++) {
        uint64_t limit = limit_of(rule, &subject);
        unsigned end = limit == SWB_TMA_NO_LIMIT ? 0 : end_entry(rule->field, &subject);
        for (unsigned number = rule->field->first; number < end; number++) {
            if (keeps(rule->kind, limit, value_of(rule->field, &subject, number)))
                continue;
            if (count < most)
                describe(rule, &subject, number, &broken[count]);
            count++;
        }
    }
    return count;
}
