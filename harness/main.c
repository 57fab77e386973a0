/* Which command does the user want? */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "harness/family.h"
#include "harness/options.h"
#include "harness/text.h"
#include "harness/version.h"

enum { MAX_COMMANDS = 64 };

static void print_help(void)
{
    puts("usage: swizzlebench COMMAND [options]\n"
         "\n"
         "What does this way of moving a tile through shared memory cost? The exact model's\n"
         "prediction, the hardware counter and the clocks, side by side.\n");
    for (size_t i = 0; registry_commands[i]; i++)
        printf("  %-10s %s\n", registry_commands[i]->name, registry_commands[i]->summary);
    puts("\n"
         "`swizzlebench COMMAND --help` tells more; --version says which this is.\n"
         "Exit status: 0 fine, 1 a row failed or a comparison found a regression, 2 wrong input,\n"
         "3 this machine lacks what is needed.");
}

static int unknown_command(const char *name)
{
    const char *names[MAX_COMMANDS];
    char hint[320];
    struct error error;
    size_t count = 0;
    for (; count < MAX_COMMANDS && registry_commands[count]; count++)
        names[count] = registry_commands[count]->name;
    text_suggest(name, names, count, hint, sizeof hint);
    error_set(&error, ERROR_INPUT, "unknown command '%s'; %s", name, hint);
    return complain(NULL, &error);
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; registry_commands[i]; i++) {
        if (strcmp(argv[0], registry_commands[i]->name) == 0)
            return registry_commands[i]->run(argc, argv);
    }
    return unknown_command(argv[0]);
}

static int dispatch(int argc, char **argv)
{
    static const struct option known[] = {
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    struct error error = {.kind = ERROR_NONE};
    opterr = 0;
    int answer = getopt_long(argc, argv, "+:hV", known, NULL);
    if (answer == 'h') {
        print_help();
        return 0;
    }
    if (answer == 'V') {
        puts("swizzlebench " SWIZZLEBENCH_VERSION);
        return 0;
    }
    if (answer != -1)
        option_error(answer, argv, known, &error);
    else if (optind == argc)
        error_set(&error, ERROR_INPUT, "no command given; see swizzlebench --help");
    if (error.kind != ERROR_NONE)
        return complain(NULL, &error);
    int first = optind;
    optind = 0; /* the command reads its own words from the start */
    return run_command(argc - first, argv + first);
}

int main(int argc, char **argv)
{
    int status = dispatch(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "swizzlebench: cannot write to standard output: %s\n", strerror(errno));
    return status ? status : ERROR_FAILED;
}
