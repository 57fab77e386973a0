/* When is a comparison a failure? */
#include "harness/compare_fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/options.h"
#include "harness/text.h"

static const struct {
    const char *word;
    enum difference_kind kind;
} kind_words[] = {
    {"counters", DIFFERENCE_COUNTER}, {"traffic", DIFFERENCE_TRAFFIC},
    {"model", DIFFERENCE_MODEL},      {"missing", DIFFERENCE_MISSING},
    {"new", DIFFERENCE_NEW},          {"status", DIFFERENCE_STATUS},
};
enum { KIND_WORDS = sizeof kind_words / sizeof kind_words[0], OTHER_WORDS = 5 };

static bool unknown_word(const char *word, struct error *error)
{
    static const char *const others[OTHER_WORDS] = {"slower>P%", "faster>P%", "lost", "failed",
                                                    "never"};
    const char *known[KIND_WORDS + OTHER_WORDS];
    char hint[320];
    for (size_t i = 0; i < OTHER_WORDS; i++)
        known[i] = others[i];
    for (size_t i = 0; i < KIND_WORDS; i++)
        known[OTHER_WORDS + i] = kind_words[i].word;
    text_suggest(word, known, KIND_WORDS + OTHER_WORDS, hint, sizeof hint);
    return error_set(error, ERROR_INPUT, "--fail-if '%s': no such condition; %s", word, hint);
}

/* "slower>5%", with or without the sign. */
static bool take_limit(const char *word, double threshold, struct compare_conditions *conditions,
                       struct error *error)
{
    bool slower = strncmp(word, "slower>", strlen("slower>")) == 0;
    char number[64];
    double percent;
    snprintf(number, sizeof number, "%s", strchr(word, '>') + 1);
    if (*number && number[strlen(number) - 1] == '%')
        number[strlen(number) - 1] = '\0';
    if (!option_number("--fail-if", number, 0, &percent, error))
        return error_set(error, ERROR_INPUT,
                         "--fail-if '%s': a number of percent is needed, as in "
                         "slower>5%%",
                         word);
    if (percent / 100 < threshold)
        return error_set(error, ERROR_INPUT,
                         "--fail-if '%s': below %g %% nothing counts as changed; --threshold says "
                         "another",
                         word, 100 * threshold);
    conditions->kinds[slower ? DIFFERENCE_SLOWER : DIFFERENCE_FASTER] = true;
    *(slower ? &conditions->slower : &conditions->faster) = percent / 100;
    return true;
}

static bool take_word(const char *word, double threshold, struct compare_conditions *conditions,
                      struct error *error)
{
    if (strncmp(word, "slower>", strlen("slower>")) == 0 ||
        strncmp(word, "faster>", strlen("faster>")) == 0)
        return take_limit(word, threshold, conditions, error);
    for (size_t i = 0; i < KIND_WORDS; i++) {
        if (strcmp(word, kind_words[i].word) == 0)
            return conditions->kinds[kind_words[i].kind] = true;
    }
    if (strcmp(word, "lost") == 0)
        return conditions->lost = true;
    if (strcmp(word, "failed") == 0)
        return conditions->failed = true;
    if (strcmp(word, "never") == 0)
        return error_set(error, ERROR_INPUT,
                         "--fail-if: never stands alone, and not beside other conditions");
    return unknown_word(word, error);
}

bool compare_conditions_parse(const char *text, double threshold,
                              struct compare_conditions *conditions, struct error *error)
{
    char words[512], *rest = words;
    *conditions = (struct compare_conditions){.failed = false};
    if (snprintf(words, sizeof words, "%s", text) >= (int)sizeof words)
        return error_set(error, ERROR_INPUT, "--fail-if: too long");
    if (strcmp(text, "never") == 0)
        return true;
    for (char *word; (word = strsep(&rest, ","));) {
        if (!take_word(word, threshold, conditions, error))
            return false;
    }
    return true;
}

/* ---- Whether it is met --------------------------------------------------------------------- */

/* Whether a value of this column is asked for, so that it may not be on one side alone. */
static bool asks_for(const struct compare_conditions *conditions, enum compare_kind kind)
{
    switch (kind) {
    case COMPARE_MODEL:
        return conditions->kinds[DIFFERENCE_MODEL];
    case COMPARE_COUNTER:
        return conditions->kinds[DIFFERENCE_COUNTER];
    case COMPARE_TRAFFIC:
        return conditions->kinds[DIFFERENCE_TRAFFIC];
    default:
        return conditions->kinds[DIFFERENCE_SLOWER] || conditions->kinds[DIFFERENCE_FASTER];
    }
}

/* Whether the difference is one to fail on. */
static bool counts(const struct compare_conditions *conditions, const struct compare_pair *pair,
                   const struct difference *d)
{
    if (d->kind == DIFFERENCE_ALONE)
        return asks_for(conditions, pair->columns[d->column].kind);
    if (d->kind == DIFFERENCE_SLOWER)
        return conditions->kinds[d->kind] && d->cost - 1 > conditions->slower + COMPARE_ROUNDING;
    if (d->kind == DIFFERENCE_FASTER)
        return conditions->kinds[d->kind] &&
               1 / d->cost - 1 > conditions->faster + COMPARE_ROUNDING;
    return conditions->kinds[d->kind];
}

/* The model's backend measures nothing, so nothing can be lost between it and a GPU. */
static bool is_lost(const struct compare_pair *pair, const struct difference *d)
{
    return !pair->one_predicted && d->kind == DIFFERENCE_STATUS &&
           strcmp(result_value(pair->first, (size_t)d->first, "status"), "ok") == 0;
}

/* How often a condition is met, and where first. */
struct finding {
    size_t count;
    const struct difference *example;
};

static void find(struct finding *finding, const struct difference *d)
{
    if (finding->count++ == 0)
        finding->example = d;
}

static void say(const struct compare_pair *pair, size_t count, const char *what, const char *name)
{
    char shown[4 * ROW_CASE_BYTES];
    text_visible(name, shown, sizeof shown);
    fprintf(stderr, "swizzlebench compare: %s, %c and %c: %s %zu time%s, first in '%s'\n",
            pair->family->name, pair->first_side->letter, pair->other_side->letter, what, count,
            count == 1 ? "" : "s", shown);
}

static bool say_finding(const struct compare_pair *pair, const struct finding *finding,
                        const char *what)
{
    if (finding->count > 0)
        say(pair, finding->count, what, difference_case(pair, finding->example));
    return finding->count > 0;
}

static bool say_alone(const struct compare_pair *pair, const struct finding *finding)
{
    char what[128] = "";
    if (finding->count > 0)
        snprintf(what, sizeof what, "a value, such as %s, on one side alone",
                 pair->columns[finding->example->column].column->name);
    return say_finding(pair, finding, what);
}

static bool say_failed(const struct compare_pair *pair)
{
    say(pair, pair->failed, "failed", result_value(pair->other, pair->first_failed, "case"));
    return true;
}

bool compare_conditions_met(const struct compare_conditions *conditions,
                            const struct compare_pair *pair)
{
    struct finding met[DIFFERENCE_KINDS] = {{0}}, lost = {0};
    bool any = false;
    for (size_t i = 0; i < pair->difference_count; i++) {
        const struct difference *d = &pair->differences[i];
        if (counts(conditions, pair, d))
            find(&met[d->kind], d);
        if (conditions->lost && is_lost(pair, d))
            find(&lost, d);
    }
    for (size_t i = 0; i < DIFFERENCE_KINDS; i++) {
        bool said = i == DIFFERENCE_ALONE ? say_alone(pair, &met[i])
                                          : say_finding(pair, &met[i], difference_names[i]);
        any = any || said;
    }
    any = say_finding(pair, &lost, "lost") || any;
    return (conditions->failed && pair->failed > 0 && say_failed(pair)) || any;
}
