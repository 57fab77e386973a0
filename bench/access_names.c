/* What is an instruction called elsewhere: its kernels, its counters, the GPUs that have it? */
#include "bench/access_names.h"

#include <stdio.h>

static const struct access_names names[] = {
    [SWB_LOAD] = {"ld_st_shared",
                  {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
                  {"smsp__inst_executed_op_shared_ld.sum",
                   "smsp__sass_inst_executed_op_shared_ld.sum"},
                  {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                   "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
    [SWB_STORE] = {"ld_st_shared",
                   {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
                   {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
                   {"smsp__inst_executed_op_shared_st.sum",
                    "smsp__sass_inst_executed_op_shared_st.sum"},
                   {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
    [SWB_LDMATRIX] = {"ldmatrix",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
                      {"smsp__inst_executed_op_ldsm.sum", "smsp__sass_inst_executed_op_ldsm.sum"},
                      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum",
                       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
    [SWB_STMATRIX] = {"stmatrix",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
                      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
                      {"smsp__inst_executed_op_shared_stsm.sum",
                       "smsp__sass_inst_executed_op_shared_stsm.sum"},
                      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum",
                       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
    [SWB_CP_ASYNC] = {"cp_async",
                      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"},
                      {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
                       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"},
                      {"smsp__sass_inst_executed_op_ldgsts.sum",
                       "smsp__inst_executed_op_ldgsts.sum"},
                      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"}},
};

const struct access_names *access_names(enum swb_kind kind)
{
    return &names[kind];
}

const char *access_name_on(struct gpu *gpu, const char *const names[2])
{
    return names[1] && !counters_has_metric(gpu, names[0]) ? names[1] : names[0];
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

void access_layout_name(const struct swb_tile *tile, char *name, size_t bytes)
{
    bool is_plain = tile->mode->span_bytes == 0 && tile->major == SWB_K_MAJOR;
    snprintf(name, bytes, "%s%s",
             is_plain                     ? ""
             : tile->major == SWB_K_MAJOR ? "K/"
                                          : "MN/",
             tile->mode->name);
}

bool access_stacks_both_ways(const struct swb_tile *tile)
{
    const struct swb_layout_mode *mode = tile->mode;
    return mode->span_bytes != 0 && swb_tile_line_bytes(tile) > mode->span_bytes &&
           swb_tile_lines(tile) > mode->atom_lines;
}

const char *access_stack_text(const struct swb_tile *tile)
{
    if (!access_stacks_both_ways(tile))
        return "";
    return tile->stack == SWB_STACK_ROW ? " stack=row" : " stack=col";
}

void access_case_name(const struct swb_instruction *instruction, bool bypass_l1,
                      const struct swb_tile *tile, enum access_shape shape, char *name,
                      size_t bytes)
{
    char layout[32];
    access_layout_name(tile, layout, sizeof layout);
    snprintf(name, bytes, "%s%s %s %ux%ux%ub %s%s", instruction->name, bypass_l1 ? ".cg" : "",
             layout, tile->rows, tile->cols, tile->elem_bits, access_shape_name(shape),
             access_stack_text(tile));
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
