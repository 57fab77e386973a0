/* Is this tensor map legal, and where do its bytes land? `swizzlebench tma` */
#include "bench/tma.h"

#include <stdio.h>
#include <string.h>

#include "bench/commands.h"
#include "harness/options.h"
#include "harness/text.h"

static const struct command *const questions[] = {&tma_check, &tma_place};

enum { QUESTION_COUNT = sizeof questions / sizeof questions[0] };

static void print_help(void)
{
    puts("usage: swizzlebench tma check|place ...\n"
         "\n"
         "What TMA, the tensor memory accelerator, takes and does. No GPU is needed.\n");
    for (size_t i = 0; i < QUESTION_COUNT; i++)
        printf("  %-8s %s\n", questions[i]->name, questions[i]->summary);
    puts("\n`swizzlebench tma check --help` tells more; `swizzlebench show box` draws a box.");
}

static int unknown_question(const char *name)
{
    const char *names[QUESTION_COUNT];
    char hint[320];
    struct error error;
    for (size_t i = 0; i < QUESTION_COUNT; i++)
        names[i] = questions[i]->name;
    text_suggest(name ? name : "", names, QUESTION_COUNT, hint, sizeof hint);
    if (name)
        error_set(&error, ERROR_INPUT, "unknown question '%s'; %s", name, hint);
    else
        error_set(&error, ERROR_INPUT, "check or place is needed; %s", hint);
    return complain("tma", &error);
}

static int tma_main(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return 0;
    }
    for (size_t i = 0; argc > 1 && i < QUESTION_COUNT; i++) {
        if (strcmp(argv[1], questions[i]->name) == 0)
            return questions[i]->run(argc - 1, argv + 1);
    }
    return unknown_question(argc > 1 ? argv[1] : NULL);
}

const struct command command_tma = {
    .name = "tma",
    .summary = "is a tensor map legal, and where do the bytes of its box land; no GPU",
    .run = tma_main,
};
