/* Which SM stands for all of them where one alone is measured? */
#include "bench/one_sm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge.h"
#include "bench/tma_bench.h"
#include "harness/outside.h"
#include "harness/stats.h"

enum {
    HOPPER = 9,
    COPIES = 64, /* of a sample, and as many again */
    COPY_BYTES = 16384,
    MOST_IN_FLIGHT = 8,
    CLOCKS_BYTES = 64, /* of each kind that the kernel writes */
    PATIENCE_CYCLES = 1 << 28
};
static const double alike = 0.03;

uint32_t one_sm_typical_of(const double *rates, size_t count)
{
    double sorted[count > 0 ? count : 1];
    size_t known = 0;
    for (size_t sm = 0; sm < count; sm++)
        if (!isnan(rates[sm]))
            sorted[known++] = rates[sm];
    double median = stats_median(sorted, known);
    for (uint32_t sm = 0; sm < count; sm++)
        if (fabs(rates[sm] - median) <= alike * median)
            return sm;
    /* SMs of two kinds, and as many of one as of the other. */
    for (uint32_t sm = 0; sm < count; sm++)
        if (!isnan(rates[sm]))
            return sm;
    return 0;
}

/* Copies that shared memory has room for. */
static uint32_t in_flight(const struct gpu_info *info)
{
    uint32_t room_bytes =
        (uint32_t)info->smem_per_block_optin_bytes - TMA_BARRIER_BYTES - TMA_GUARD_BYTES;
    return room_bytes / COPY_BYTES < MOST_IN_FLIGHT ? room_bytes / COPY_BYTES : MOST_IN_FLIGHT;
}

static bool time_each(struct gpu *gpu, const struct timed_kernel *timed, struct one_sm *choice,
                      double *rates, struct error *error)
{
    for (int sm = 0; sm < gpu_info(gpu)->sm_count; sm++) {
        struct timed_kernel placed = *timed;
        struct timing timing;
        one_sm_put(gpu, &placed, choice, (uint32_t)sm);
        if (!gpu_time_cycles(gpu, &placed, &timing, error))
            return false;
        rates[sm] = isnan(timing.sm) ? NAN : COPY_BYTES / timing.median_cycles;
    }
    return true;
}

/* Rates that come of a barrier that did not open are none. */
static bool check_barriers(struct gpu *gpu, gpu_address stuck, struct error *error)
{
    bool opened;
    return judge_barriers(gpu, stuck, &opened, error) &&
           (opened ||
            error_set(error, ERROR_FAILED, "a barrier that waits for a bulk copy did not open"));
}

/* Of bulk copies into each SM, from memory that begins at `memory` with what the kernel writes. nan
 * where no CTA came. */
static bool measure(struct gpu *gpu, gpu_address memory, double *rates, struct error *error)
{
    struct tma_arguments arguments = {
        .global = memory + 4 * CLOCKS_BYTES,
        .clocks = memory,
        .spans = memory + CLOCKS_BYTES,
        .waits = memory + 2 * CLOCKS_BYTES,
        .stuck = memory + 3 * CLOCKS_BYTES,
        .extent = COPY_BYTES,
        .positions = COPIES,
        .stride = 1,
        .stage_bytes = COPY_BYTES,
        .box_bytes = COPY_BYTES,
        .depth = in_flight(gpu_info(gpu)),
        .patience_cycles = PATIENCE_CYCLES,
    };
    struct tensor_map no_map = {.bytes = {0}};
    uint32_t copies;
    void *pointers[] = {&no_map, &arguments, &copies};
    struct timed_kernel timed = {
        .launch = {.block_x = TMA_THREADS,
                   .dynamic_smem_bytes =
                       TMA_BARRIER_BYTES + arguments.depth * COPY_BYTES + TMA_GUARD_BYTES,
                   .arguments = pointers},
        .iterations = &copies,
        .clocks = arguments.clocks,
        .n = COPIES,
        .work_per_iteration = 1,
        .min_samples = 3,
        .max_samples = 5,
    };
    return gpu_kernel_find(gpu, "tma", "bulk_load", &timed.launch.kernel, error) &&
           gpu_fill(gpu, arguments.stuck, 0, CLOCKS_BYTES, error) &&
           time_each(gpu, &timed, &arguments.choice, rates, error) &&
           check_barriers(gpu, arguments.stuck, error);
}

bool one_sm_find_typical(struct gpu *gpu, uint32_t *sm, struct error *error)
{
    size_t count = (size_t)gpu_info(gpu)->sm_count;
    gpu_address memory;
    *sm = 0;
    if (gpu_info(gpu)->compute_major < HOPPER || outside_untimed())
        return true;
    if (!gpu_alloc(gpu, 4 * CLOCKS_BYTES + (size_t)COPIES * COPY_BYTES, &memory, error))
        return false;
    double *rates = calloc(count, sizeof *rates);
    bool done = rates ? measure(gpu, memory, rates, error)
                      : error_set(error, ERROR_FAILED, "no memory for the rates of %zu SMs", count);
    if (done)
        *sm = one_sm_typical_of(rates, count);
    free(rates);
    gpu_free(gpu, memory);
    return done;
}
