/* Which families and commands are there? This is the only list. */
#include "bench/commands.h"
#include "bench/families.h"
#include "harness/commands.h"

/* clang-format off */
const struct family *const registry_families[] = {
    &family_shared,
    &family_tma,
    &family_mma,
    &family_wgmma,
    &family_pipeline,
    &family_copy,
    &family_transpose,
    &family_contention,
    NULL,
};

const struct command *const registry_commands[] = {
    &command_list,
    &command_run,
    &command_predict,
    &command_measure,
    &command_show,
    &command_tma,
    &command_advise,
    &command_fuzz,
    &command_compare,
    &command_outliers,
    &command_claims,
    &command_report,
    NULL,
};
/* clang-format on */
