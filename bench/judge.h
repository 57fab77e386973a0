/* When does a row fail for what the hardware counted, or for a barrier that stayed closed? What
 * could not be counted is NAN, and fails nothing. */
#ifndef SWIZZLEBENCH_BENCH_JUDGE_H
#define SWIZZLEBENCH_BENCH_JUDGE_H

#include "harness/family.h"
#include "harness/gpu.h"

/* Instructions of the counted launch: `what` names them. */
void judge_executed(const char *what, double executed, uint64_t expected, struct row *row);

/* The model beside its counter; `of` is what they are counted for, as "a tile". */
void judge_counted(const char *what, const char *of, double predicted, double counted,
                   struct row *row);

/* `stuck` is a word of the GPU's that kernels set when they give up waiting for a barrier: sets it
 * to 0 again, and says whether it was. False for a fault of the GPU. */
bool judge_barriers(struct gpu *gpu, gpu_address stuck, bool *opened, struct error *error);

/* The same; the row fails where one of `of`, "a stage" for example, did not open. */
bool judge_row_barriers(struct gpu *gpu, gpu_address stuck, const char *of, struct row *row,
                        struct error *error);

/* Skips the row, and returns false, where the GPU has less than the compute capability (90: 9.0)
 * that `what` needs. */
bool judge_capability(const struct gpu_info *info, const char *what, unsigned needs,
                      struct row *row);

#endif
