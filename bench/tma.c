/* Is this tensor map legal, and where do its bytes land? `swizzlebench tma` */
#include "bench/tma.h"

#include "bench/commands.h"
#include "bench/subjects.h"

static const struct command *const list[] = {&tma_check, &tma_place};

static const struct subjects questions = {
    .command = "tma",
    .list = list,
    .count = sizeof list / sizeof list[0],
    .name_width = 8,
    .help_head = "usage: swizzlebench tma check|place ...\n"
                 "\n"
                 "What TMA, the tensor memory accelerator, takes and does. No GPU is needed.\n",
    .help_tail =
        "\n`swizzlebench tma check --help` tells more; `swizzlebench show box` draws a box.",
    .noun = "question",
    .missing = "check or place is needed;",
};

static int tma_main(int argc, char **argv)
{
    return subjects_run(&questions, argc, argv);
}

const struct command command_tma = {
    .name = "tma",
    .summary = "is a tensor map legal, and where do the bytes of its box land; no GPU",
    .run = tma_main,
};
