/* What do verifying, counting and timing two sides at once share? Private to bench/contention_*.c
 * and their tests. */
#ifndef SWIZZLEBENCH_BENCH_CONTENTION_BENCH_H
#define SWIZZLEBENCH_BENCH_CONTENTION_BENCH_H

#include "bench/contention_plan.h"
#include "bench/contention_run.h"
#include "bench/count_ahead.h"
#include "bench/sweep_arguments.h"
#include "bench/wgmma_places.h"
#include "harness/tensor_map.h"

enum {
    CONTENTION_IMAGE_BYTES = 160 * 1024, /* the most that a case uses, barriers left out */
    CONTENTION_MARKS = CONTENTION_SEGMENTS + 1,
    CONTENTION_ALL_WARPS = 2 * CONTENTION_MOST_WARPS,
    CONTENTION_STEPS = WGMMA_STEPS,
};

/* As kernels/contention.cuh declares it. */
struct contention_arguments {
    struct sweep_arguments reader, writer;
    gpu_address marks, stuck;
    uint64_t descriptors[WGMMA_OPERANDS][CONTENTION_STEPS];
    uint32_t reader_iterations, writer_iterations;
    uint32_t source_step, source_mask;
    uint32_t box_offset, box_bytes, box_lines, box_mask, barrier_offset;
    uint32_t patience_cycles;
};
_Static_assert(sizeof(struct contention_arguments) == 360, "as kernels/contention.cuh declares it");

/* Addresses and registers of the sides that go lane by lane. Slots are repeated to fill them. */
struct contention_lists {
    uint32_t loads[CONTENTION_SLOTS][SWB_LANES];
    uint32_t stores[CONTENTION_SLOTS][SWB_LANES], sources[CONTENTION_SLOTS][SWB_LANES];
    uint32_t data[CONTENTION_SLOTS][SWB_LANES][4];
};

/* What a launch needs until it is over. */
struct contention_launch {
    struct tensor_map map;
    struct contention_arguments arguments;
    char entry[24];
    void *pointers[2];
    struct gpu_launch launch;
};

/* One case on its way through. */
struct contention_case_run {
    struct gpu *gpu;
    struct contention_bench *bench;
    size_t index;
    struct contention_case c;
    struct contention_plan plan;
    struct contention_launch own;
    struct row *row;
    struct error *error;
};

/* Cases that were counted in one go, with the one that was asked for. */
struct contention_ahead {
    struct count_ahead counted;
    struct contention_case_run scratch;
    struct contention_launch launches[COUNTERS_MAX_LAUNCHES];
};

/* The same launch without iterations, counted once. */
struct contention_control {
    char entry[24];
    unsigned grid_x, block_x, smem_bytes, carveout_pct;
    double counts[METRIC_SETS_MOST];
};

/* Clocks of all warps at the end of each segment, readers first; mark 0 is the start. */
typedef uint32_t contention_clocks[CONTENTION_ALL_WARPS][CONTENTION_MARKS];

struct contention_bench {
    const struct measure_options *options;
    gpu_address lists, image, source, out, memory, marks, stuck;
    struct metric_sets metrics;
    struct contention_control controls[256];
    size_t control_count;
    struct contention_ahead *ahead;
    struct contention_case_run run;
    struct wgmma_places places;
    struct wgmma_product product;
    uint8_t image_bytes[CONTENTION_IMAGE_BYTES], expected[CONTENTION_IMAGE_BYTES];
    uint8_t found[CONTENTION_IMAGE_BYTES];
    uint32_t registers[WGMMA_MAX_REGISTERS * WGMMA_WARPGROUP];
};

/* Where the lists of the case that is measured lie, behind those that are counted ahead. */
enum { CONTENTION_OWN_PLACE = COUNTERS_MAX_LAUNCHES };

/* Makes a launch ready out of the lists at `place`, with one iteration a segment of each side that
 * the case has. */
bool contention_prepare(struct contention_case_run *run, size_t place,
                        struct contention_launch *launch);

/* Whether the GPU has what the case needs; else the row is skipped. */
bool contention_supported(const struct contention_case_run *run, struct row *row);

/* Fails the row when a kernel gave up waiting for a barrier since this was asked last. */
bool contention_check_barriers(struct contention_case_run *run);

/* Which data lie where. */
bool contention_upload_data(struct gpu *gpu, struct contention_bench *bench, struct error *error);
void contention_make_lists(const struct contention_plan *plan, struct contention_lists *lists);

/* Finds iterations with which both sides run about equally long beside each other. */
bool contention_balance(struct contention_case_run *run, struct contention_launch *launch);

/* Clocks an instruction of each side, by the segments in the window in which all warps of the sides
 * that ran were in their loops. */
struct contention_rates {
    double reader_cycles, writer_cycles; /* nan: idle */
    double overlap_pct;                  /* the window, of the time in which any warp ran */
    bool overlaps;                       /* each warp has a segment in the window, else no clocks */
    bool readers_end_last;
};
struct contention_rates contention_rates_of(const struct contention_plan *plan,
                                            uint32_t reader_iterations, uint32_t writer_iterations,
                                            const uint32_t (*clocks)[CONTENTION_MARKS]);

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool contention_verify(struct contention_case_run *run);
bool contention_counting_open(struct gpu *gpu, struct contention_bench *bench, struct error *error);
bool contention_count(struct contention_case_run *run, struct contention_result *result);
bool contention_time(struct contention_case_run *run, struct contention_result *result);

#endif
