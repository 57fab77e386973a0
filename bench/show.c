/* What does it look like? `swizzlebench show` */
#include "bench/show.h"

#include <stdio.h>
#include <string.h>

#include "bench/commands.h"
#include "harness/options.h"
#include "harness/text.h"

static const struct command *const subjects[] = {
    &show_layout,
    &show_box,
};

enum { SUBJECT_COUNT = sizeof subjects / sizeof subjects[0] };

static void print_help(void)
{
    puts("usage: swizzlebench show SUBJECT ...\n"
         "\n"
         "The picture as text, as --svg FILE or as --csv. Subjects:\n");
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        printf("  %-12s %s\n", subjects[i]->name, subjects[i]->summary);
    puts("\n`swizzlebench show SUBJECT --help` tells more.");
}

static int unknown_subject(const char *name)
{
    const char *names[SUBJECT_COUNT];
    char hint[320];
    struct error error;
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        names[i] = subjects[i]->name;
    text_suggest(name ? name : "", names, SUBJECT_COUNT, hint, sizeof hint);
    if (name)
        error_set(&error, ERROR_INPUT, "unknown subject '%s'; %s", name, hint);
    else
        error_set(&error, ERROR_INPUT, "show what? %s", hint);
    return complain("show", &error);
}

static int show_main(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return 0;
    }
    for (size_t i = 0; argc > 1 && i < SUBJECT_COUNT; i++) {
        if (strcmp(argv[1], subjects[i]->name) == 0)
            return subjects[i]->run(argc - 1, argv + 1);
    }
    return unknown_subject(argc > 1 ? argv[1] : NULL);
}

const struct command command_show = {
    .name = "show",
    .summary = "the picture of a layout: text, SVG or CSV",
    .run = show_main,
};
