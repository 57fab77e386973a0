/* Does cuTensorMapEncodeTiled take this tensor map, and if not, which rules does it break, and what
 * would be the nearest legal value? */
#include "model/tma.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
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
        return value < 64 && (limit >> value & 1) != 0;
    }
    return false;
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

/* The multiples are powers of two, so that the largest is the one that counts. */
static struct range legal_range(struct entry entry, subject *subject)
{
    struct range range = {0, UINT64_MAX, 1};
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

/* Never 0, which is a multiple of everything and what nobody wants. */
static bool nearest_number(struct entry entry, subject *subject, uint64_t value, uint64_t *nearest)
{
    struct range range = legal_range(entry, subject);
    uint64_t over = value % range.multiple;
    if (range.least == 0 && range.most >= range.multiple)
        range.least = range.multiple;
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

/* Every rule about words lets the first of them pass, so there is one below. */
static bool nearest_word(struct entry entry, subject *subject, uint64_t value, uint64_t *nearest)
{
    bool found = false;
    for (unsigned word = 0; word < value && swb_tma_name(entry.field->word, word); word++) {
        if (word_is_legal(entry, subject, word)) {
            *nearest = word;
            found = true;
        }
    }
    return found;
}

/* ---- Sentences ---------------------------------------------------------------------------- */

struct text {
    char *at;
    size_t bytes;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->bytes, format, arguments);
    va_end(arguments);
    size_t used = (size_t)length < text->bytes ? (size_t)length : text->bytes - 1;
    text->at += used;
    text->bytes -= used;
}

static void add_value(struct text *text, const struct swb_tma_field *field, uint64_t value)
{
    const char *name = field->is_word ? swb_tma_name(field->word, (unsigned)value) : NULL;
    if (name)
        add(text, "%s (%" PRIu64 ")", name, value);
    else
        add(text, "%" PRIu64, value);
}

/* The box is too large: which one extent, cut down, would make it fit? */
static void add_smaller_box(struct text *text, const struct swb_tma_map *map)
{
    unsigned longest = 0;
    for (unsigned i = 1; i < map->rank && i < SWB_TMA_MAX_RANK; i++) {
        if (longest == 0 ||
            swb_tma_counted_elements(map, i) > swb_tma_counted_elements(map, longest))
            longest = i;
    }
    struct swb_tma_map slice = *map;
    uint64_t step = map->element_strides[longest] > 1 ? map->element_strides[longest] : 1;
    slice.box[longest] = slice.element_strides[longest] = 1;
    uint64_t slice_bytes = swb_tma_counted_bytes(&slice);
    uint64_t fit = longest > 0 && slice_bytes > 0 ? SWB_TMA_MAX_BOX_BYTES / slice_bytes : 0;
    if (fit > 0 && fit * step < map->box[longest])
        add(text, "; nearest legal value of box[%u] %" PRIu64, longest,
            fit * step + step > 256 ? 256 : fit * step + step - 1);
    else
        add(text, "; more than one of box[] must shrink");
}

static void add_nearest(struct text *text, struct entry entry, subject *subject, uint64_t value)
{
    uint64_t nearest;
    if (entry.field == &swb_tma_box_bytes_field) {
        add_smaller_box(text, &subject->map);
    } else if (entry.field->is_word ? nearest_word(entry, subject, value, &nearest)
                                    : nearest_number(entry, subject, value, &nearest)) {
        add(text, "; nearest legal value ");
        add_value(text, entry.field, nearest);
    } else {
        add(text, "; no value goes with the rest");
    }
}

static void describe(const struct swb_tma_rule *rule, subject *subject, unsigned number,
                     struct swb_tma_broken *broken)
{
    static const char *const kinds[] = {[SWB_TMA_AT_LEAST] = "at least",
                                        [SWB_TMA_AT_MOST] = "at most",
                                        [SWB_TMA_MULTIPLE] = "a multiple of"};
    struct text text = {broken->sentence, sizeof broken->sentence};
    struct entry entry = {rule->field, number};
    uint64_t value = value_of(rule->field, subject, number);
    broken->rule = rule->name;
    add(&text, "%s", rule->field->name);
    if (rule->field->is_array)
        add(&text, "[%u]", number);
    add(&text, " is ");
    add_value(&text, rule->field, value);
    if (rule->field->is_word)
        add(&text, ": %s", rule->why);
    else
        add(&text, ": must be %s %" PRIu64 " (%s)", kinds[rule->kind], limit_of(rule, subject),
            rule->why);
    add_nearest(&text, entry, subject, value);
}

unsigned swb_tma_check(const struct swb_tma_map *map, unsigned compute_capability,
                       struct swb_tma_broken *broken, unsigned most)
{
    struct swb_tma_subject subject = {*map, compute_capability, swb_tma_counted_bytes(map)};
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
