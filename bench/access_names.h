/* What is an instruction called elsewhere: its kernels, its counters, the GPUs that have it? */
#ifndef SWIZZLEBENCH_BENCH_ACCESS_NAMES_H
#define SWIZZLEBENCH_BENCH_ACCESS_NAMES_H

#include <stddef.h>

#include "bench/access_plan.h"
#include "harness/family.h"
#include "harness/gpu.h"

/* The fatbin with the sweep kernels, and the counters, best first; a chip that lacks one has the
 * next. All are of the instruction's own kind: op_ld includes ldmatrix, op_st stmatrix, and a
 * kernel runs one of them. */
struct access_names {
    const char *fatbin;
    const char *wavefronts[2], *conflicts[2], *executed[2];
    const char *own_wavefronts[2]; /* without turns lost to other traffic, as global memory's */
};
const struct access_names *access_names(enum swb_kind kind);

/* The first of two names, unless the chip has but the second. */
const char *access_name_on(struct gpu *gpu, const char *const names[2]);

/* 32-byte sectors that cp.async asks for, past L1 as well. */
#define ACCESS_COPY_SECTORS "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"

/* Turns at the banks lost to other traffic; they are in the conflicts of loads, too. */
#define ACCESS_ARBITRATION "l1tex__data_bank_conflicts_type_arbitration.sum"

/* The stem of the entry points: "ldmatrix_x4_trans", "cp_async_16_cg". */
void access_entry(const struct swb_instruction *instruction, bool bypass_l1, char *entry,
                  size_t bytes);

/* "K/128B", "linear": what swb_layout_find reads. */
void access_layout_name(const struct swb_tile *tile, char *name, size_t bytes);

/* Whether the order of the atoms makes a difference: there are several in both directions. */
bool access_stacks_both_ways(const struct swb_tile *tile);

/* " stack=row", " stack=col", or "" where it makes none. */
const char *access_stack_text(const struct swb_tile *tile);

/* The case in shared.csv: "cp.async.16.cg K/32B 64x64x16b rows stack=col". */
void access_case_name(const struct swb_instruction *instruction, bool bypass_l1,
                      const struct swb_tile *tile, enum access_shape shape, char *name,
                      size_t bytes);

/* False, with the row skipped and the reason in it, on a GPU older than the instruction. */
bool access_supported(const struct swb_instruction *instruction, const struct gpu_info *info,
                      struct row *row);

#endif
