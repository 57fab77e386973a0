/* What does it look like? `swizzlebench show` */
#include "bench/show.h"

#include "bench/commands.h"
#include "bench/subjects.h"

static const struct command *const list[] = {&show_layout, &show_box, &show_fragment,
                                             &show_tiled_mma};

static const struct subjects subjects = {
    .command = "show",
    .list = list,
    .count = sizeof list / sizeof list[0],
    .name_width = 12,
    .help_head = "usage: swizzlebench show SUBJECT ...\n"
                 "\n"
                 "The picture as text, as --svg FILE or as --csv. Subjects:\n",
    .help_tail = "\n`swizzlebench show SUBJECT --help` tells more.",
    .noun = "subject",
    .missing = "show what?",
};

static int show_main(int argc, char **argv)
{
    return subjects_run(&subjects, argc, argv);
}

const struct command command_show = {
    .name = "show",
    .summary = "pictures of layouts, boxes and fragments: text, SVG or CSV",
    .run = show_main,
};
