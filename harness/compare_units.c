/* Do two columns say the same in other units? */
#include "harness/compare_units.h"

#include <stddef.h>
#include <string.h>

enum dimension { NO_UNIT, TIME, FREQUENCY, DATA, WORK, SHARE };

static const struct {
    const char *word;
    enum dimension dimension;
} units[] = {
    {"s", TIME},     {"sec", TIME},     {"second", TIME},   {"cycle", TIME},  {"clk", TIME},
    {"clock", TIME}, {"hz", FREQUENCY}, {"b", DATA},        {"bit", DATA},    {"byte", DATA},
    {"flop", WORK},  {"pct", SHARE},    {"percent", SHARE}, {"share", SHARE}, {"fraction", SHARE},
};

/* 1000s and 1024s. */
static const char *const prefixes[] = {"",  "p", "n",  "u",  "m",  "k",
                                       "g", "t", "ki", "mi", "gi", "ti"};

static bool is_word(const char *at, size_t length, const char *prefix, const char *unit)
{
    size_t before = strlen(prefix), all = before + strlen(unit);
    bool plural = length == all + 1 && at[all] == 's';
    return (length == all || plural) && strncmp(at, prefix, before) == 0 &&
           strncmp(at + before, unit, all - before) == 0;
}

/* Of what a word is a unit: "gibytes" of data. */
static enum dimension dimension_of(const char *at, size_t length)
{
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++)
            if (is_word(at, length, prefixes[p], units[u].word))
                return units[u].dimension;
    return NO_UNIT;
}

bool compare_units_differ(const char *name, const char *other)
{
    for (bool differ = false;; name++, other++) {
        size_t length = strcspn(name, "_"), its = strcspn(other, "_");
        if (length != its || strncmp(name, other, length) != 0) {
            enum dimension dimension = dimension_of(name, length);
            if (dimension == NO_UNIT || dimension != dimension_of(other, its))
                return false;
            differ = true;
        }
        name += length;
        other += its;
        if (!*name || !*other)
            return differ && !*name && !*other;
    }
}
