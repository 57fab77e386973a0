/* Which tiles does the family pipeline load and multiply, and in which layouts? */
#ifndef SWIZZLEBENCH_BENCH_PIPELINE_CASES_H
#define SWIZZLEBENCH_BENCH_PIPELINE_CASES_H

#include "bench/wgmma_operands.h"

enum {
    PIPELINE_MOST_STAGES = 8,
    PIPELINE_ELEM_BITS = 16,          /* bf16 */
    PIPELINE_STEP_K = 16,             /* K of an instruction */
    PIPELINE_BARRIER_BYTES = 2048,    /* barriers, and what the next multiple of 1024 costs */
    PIPELINE_DATA_BYTES = 225 * 1024, /* of a GPU with wgmma, for the stages */
};

/* bf16; A is 64 x k_block and K-major, B n x k_block, both in the shared memory of a stage. */
struct pipeline_case {
    unsigned n, k_block;
    unsigned stages;
    struct wgmma_layout layouts[WGMMA_OPERANDS];
    bool one_box; /* of rank 3 an operand; else one of rank 2 for each span along its lines */
};

size_t pipeline_case_count(bool full);
struct pipeline_case pipeline_case_at(size_t index);
void pipeline_case_name(const struct pipeline_case *c, char *name, size_t bytes);

/* Extents of an operand: lines of contiguous elements, rows of a K-major one. */
unsigned pipeline_rows(const struct pipeline_case *c, enum swb_mma_operand operand);
unsigned pipeline_lines(const struct pipeline_case *c, enum swb_mma_operand operand);
unsigned pipeline_line_elements(const struct pipeline_case *c, enum swb_mma_operand operand);

uint32_t pipeline_operand_bytes(const struct pipeline_case *c, enum swb_mma_operand operand);
uint32_t pipeline_stage_bytes(const struct pipeline_case *c);

/* What CUTLASS takes for lines of so many elements: ss_smem_selector in
 * cutlass/gemm/collective/builders/sm90_common.inl tries 128B, 64B, 32B and none in this order, and
 * takes the first whose atom's width divides the line. */
const struct swb_layout_mode *pipeline_cutlass_mode(unsigned line_elements);
bool pipeline_is_cutlass_choice(const struct pipeline_case *c); /* of both operands */

#endif
