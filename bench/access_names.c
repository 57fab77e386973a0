/* What is an instruction called elsewhere: its kernels, its counters, the GPUs that have it? */
#include "bench/access_names.h"

#include <stdio.h>

static const struct access_names names[] = {
    [SWB_LOAD] = {"ld_st_shared",
                  {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
                  {"smsp__inst_executed_op_shared_ld.sum",
                   "smsp__sass_inst_executed_op_shared_ld.sum"}},
    [SWB_STORE] = {"ld_st_shared",
                   {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
                   {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
                   {"smsp__inst_executed_op_shared_st.sum",
                    "smsp__sass_inst_executed_op_shared_st.sum"}},
    [SWB_LDMATRIX] = {"ldmatrix",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
                      {"smsp__inst_executed_op_ldsm.sum", "smsp__sass_inst_executed_op_ldsm.sum"}},
    [SWB_STMATRIX] = {"stmatrix",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
                      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
                      {"smsp__inst_executed_op_shared_stsm.sum",
                       "smsp__sass_inst_executed_op_shared_stsm.sum"}},
    [SWB_CP_ASYNC] = {"cp_async",
                      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"},
                      {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
                       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"},
                      {"smsp__sass_inst_executed_op_ldgsts.sum",
                       "smsp__inst_executed_op_ldgsts.sum"}},
};

const struct access_names *access_names(enum swb_kind kind)
{
    return &names[kind];
}

void access_entry(const struct swb_instruction *instruction, bool bypass_l1, char *entry,
                  size_t bytes)
{
    const char *suffix = instruction->kind != SWB_CP_ASYNC ? "" : bypass_l1 ? "_cg" : "_ca";
    snprintf(entry, bytes, "%s%s", instruction->name, suffix);
    for (char *c = entry; *c; c++)
        if (*c == '.')
            *c = '_';
}

bool access_supported(const struct swb_instruction *instruction, const struct gpu_info *info,
                      struct row *row)
{
    static const int needs[] = {
        [SWB_LOAD] = 75,     [SWB_STORE] = 75,    [SWB_LDMATRIX] = 75,
        [SWB_STMATRIX] = 90, [SWB_CP_ASYNC] = 80,
    };
    int has = 10 * info->compute_major + info->compute_minor, need = needs[instruction->kind];
    return has >= need ||
           row_end(row, ROW_SKIPPED, "%s needs compute capability %d.%d, this GPU has %d.%d",
                   instruction->name, need / 10, need % 10, has / 10, has % 10);
}
