/* A command that has commands of its own: which one is meant? */
#include "bench/subjects.h"

#include <stdio.h>
#include <string.h>

#include "harness/options.h"
#include "harness/text.h"

enum { MOST = 8 };

static void print_help(const struct subjects *subjects)
{
    puts(subjects->help_head);
    for (size_t i = 0; i < subjects->count; i++)
        printf("  %-*s %s\n", subjects->name_width, subjects->list[i]->name,
               subjects->list[i]->summary);
    puts(subjects->help_tail);
}

static int unknown(const struct subjects *subjects, const char *name)
{
    const char *names[MOST];
    char hint[320];
    struct error error;
    size_t count = 0;
    for (; count < MOST && count < subjects->count; count++)
        names[count] = subjects->list[count]->name;
    text_suggest(name ? name : "", names, count, hint, sizeof hint);
    if (name)
        error_set(&error, ERROR_INPUT, "unknown %s '%s'; %s", subjects->noun, name, hint);
    else
        error_set(&error, ERROR_INPUT, "%s %s", subjects->missing, hint);
    return complain(subjects->command, &error);
}

int subjects_run(const struct subjects *subjects, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)) {
        print_help(subjects);
        return 0;
    }
    for (size_t i = 0; name && i < subjects->count; i++) {
        if (strcmp(name, subjects->list[i]->name) == 0)
            return subjects->list[i]->run(argc - 1, argv + 1);
    }
    return unknown(subjects, name);
}
