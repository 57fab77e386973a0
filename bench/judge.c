/* When does a row fail for what the hardware counted, or for a barrier that stayed closed? */
#include "bench/judge.h"

#include <inttypes.h>
#include <math.h>

void judge_executed(const char *what, double executed, uint64_t expected, struct row *row)
{
    if (!isnan(executed) && executed != (double)expected)
        row_end(row, ROW_FAILED,
                "wrong count: the kernel executed %.0f %s where its source has %" PRIu64, executed,
                what, expected);
}

void judge_counted(const char *what, const char *of, double predicted, double counted,
                   struct row *row)
{
    if (!isnan(counted) && counted != predicted)
        row_end(row, ROW_FAILED, "model and counter disagree: %.6g %s %s predicted, %.6g counted",
                predicted, what, of, counted);
}

bool judge_barriers(struct gpu *gpu, gpu_address stuck, bool *opened, struct error *error)
{
    uint64_t gave_up = 0;
    if (!gpu_download(gpu, &gave_up, stuck, sizeof gave_up, error))
        return false;
    *opened = !gave_up;
    return *opened || gpu_fill(gpu, stuck, 0, sizeof gave_up, error);
}

bool judge_row_barriers(struct gpu *gpu, gpu_address stuck, const char *of, struct row *row,
                        struct error *error)
{
    bool opened;
    if (!judge_barriers(gpu, stuck, &opened, error))
        return false;
    if (!opened)
        row_end(row, ROW_FAILED, "a barrier of %s did not open", of);
    return true;
}

bool judge_capability(const struct gpu_info *info, const char *what, unsigned needs,
                      struct row *row)
{
    unsigned has = (unsigned)(10 * info->compute_major + info->compute_minor);
    return has >= needs ||
           row_end(row, ROW_SKIPPED, "%s needs compute capability %u.%u, this GPU has %u.%u", what,
                   needs / 10, needs % 10, has / 10, has % 10);
}
