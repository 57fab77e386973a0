/* How does a command say what is wrong with its words? */
#include "harness/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/text.h"

int complain(const char *command, const struct error *error)
{
    fprintf(stderr, "swizzlebench%s%s: %s\n", command ? " " : "", command ? command : "",
            error->text);
    return error->kind;
}

bool option_error(int answer, char *const *argv, const struct option *known, struct error *error)
{
    enum { MOST = 48 };
    char words[MOST][32], hint[320];
    const char *names[MOST];
    size_t count = 0;
    const char *given = argv[optind - 1];
    if (answer == ':')
        return error_set(error, ERROR_INPUT, "option '%s' needs a value; see --help", given);
    if (optopt && strncmp(given, "--", 2) != 0)
        return error_set(error, ERROR_INPUT, "unknown option '-%c'; see --help", optopt);
    if (optopt)
        return error_set(error, ERROR_INPUT, "option '%s' takes no value; see --help", given);
    for (; count < MOST && known[count].name; count++) {
        snprintf(words[count], sizeof words[count], "--%s", known[count].name);
        names[count] = words[count];
    }
    text_suggest(given, names, count, hint, sizeof hint);
    return error_set(error, ERROR_INPUT, "unknown or ambiguous option '%s'; %s", given, hint);
}

int option_next(int argc, char **argv, const struct option *known, struct error *error)
{
    opterr = 0;
    int answer = getopt_long(argc, argv, ":h", known, NULL);
    if (answer != '?' && answer != ':')
        return answer;
    option_error(answer, argv, known, error);
    return -1;
}

bool option_read_words(int argc, char **argv, const struct option_word *table, size_t count,
                       unsigned command, void *words, struct error *error)
{
    enum { MOST = 48, FIRST = 256 };
    struct option known[MOST + 1] = {{0}};
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < MOST; i++) {
        if (table[i].commands & command)
            known[kept++] =
                (struct option){table[i].name, table[i].is_flag ? no_argument : required_argument,
                                NULL, strcmp(table[i].name, "help") == 0 ? 'h' : FIRST + (int)i};
    }
    optind = 0;
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        for (size_t i = 0; i < count; i++) {
            char *place = (char *)words + table[i].at;
            if (answer == 'h' ? strcmp(table[i].name, "help") != 0 : answer != FIRST + (int)i)
                continue;
            if (table[i].is_flag)
                memcpy(place, &(bool){true}, sizeof(bool));
            else
                memcpy(place, &optarg, sizeof optarg);
        }
    }
    return error->kind == ERROR_NONE;
}

bool option_no_words(int argc, char *const *argv, struct error *error)
{
    return optind >= argc ||
           error_set(error, ERROR_INPUT, "'%s' belongs to no option; see --help", argv[optind]);
}

bool option_whole(const char *option, const char *text, uint64_t least, uint64_t most,
                  uint64_t *value, struct error *error)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0 || number < least ||
        number > most)
        return error_set(error, ERROR_INPUT,
                         "%s '%s': a whole number from %" PRIu64 " to %" PRIu64 " is needed",
                         option, text, least, most);
    *value = number;
    return true;
}

bool option_number(const char *option, const char *text, double least, double *value,
                   struct error *error)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value) || *value < least)
        return error_set(error, ERROR_INPUT, "%s '%s': a number from %g up is needed", option, text,
                         least);
    return true;
}

bool option_percent(const char *option, const char *text, double *value, struct error *error)
{
    char number[64];
    size_t length = strcspn(text, "%");
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (strcmp(text + length, "%") != 0 && text[length] != '\0')
        snprintf(number, sizeof number, "%s", text);
    if (!option_number(option, number, 0, value, error))
        return false;
    *value /= 100;
    return true;
}
