/* Which families and commands are there? This is the only list. */
#include "bench/families.h"
#include "harness/commands.h"

const struct family *const registry_families[] = {
    &family_shared,
    NULL,
};

const struct command *const registry_commands[] = {
    &command_list,
    &command_run,
    NULL,
};
