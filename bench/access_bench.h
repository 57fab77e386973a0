/* What do verifying, counting and timing an access plan share? Private to bench/access_*.c. */
#ifndef SWIZZLEBENCH_BENCH_ACCESS_BENCH_H
#define SWIZZLEBENCH_BENCH_ACCESS_BENCH_H

#include "bench/access_names.h"
#include "bench/access_run.h"
#include "bench/sweep_arguments.h"

/* The shape of kernels/sweep.cuh. */
enum {
    COPIES = 4,
    COPY_BYTES = 16 * 1024,
    WARPS = 32,
    THREADS = WARPS * SWB_LANES,
    IMAGE_BYTES = COPIES * COPY_BYTES,
    SOURCE_BYTES = (COPIES - 1) * COPY_BYTES + PLAN_MAX_LINES * PLAN_SOURCE_PITCH_BYTES,
    ITERATIONS = 3, /* of the counted launch: one would not show a hoisted load */
};

enum { KINDS = SWB_CP_ASYNC + 1, MAX_NAMES = 32 };

/* Places of the metrics in a counter set; the --metrics ones come behind. */
enum metric {
    METRIC_WAVEFRONTS,
    METRIC_CONFLICTS,
    METRIC_EXECUTED,
    METRIC_TOTAL,
    METRIC_ARBITRATION,
    METRIC_SECTORS,
    METRIC_L2_SECTORS,
    METRIC_DRAM_SECTORS,
    METRIC_EXTRA,
    METRICS = METRIC_EXTRA + ACCESS_MAX_EXTRA
};

struct count {
    double of[METRICS]; /* nan where the chip has no such counter */
};

/* A counter set that serves several kinds, and where it holds which metric of which kind. */
struct counting {
    struct counter_set *set;
    const char *names[MAX_NAMES];
    size_t name_count;
    int place[KINDS][METRICS]; /* in names; -1 where the chip has no such counter */
};

/* A kernel's control is counted once. */
struct control {
    char entry[64];
    struct count count;
};

struct access_bench {
    const struct measure_options *options;
    uint32_t smem_base;
    uint64_t random;
    struct sweep_arguments device; /* where everything lies on the GPU */
    struct counting plain, copies; /* of all other kinds, of cp.async */
    struct control controls[64];
    size_t control_count;

    /* One plan at a time is made ready here. */
    uint32_t offsets[PLAN_MAX_SLOTS][SWB_LANES], sources[PLAN_MAX_SLOTS][SWB_LANES];
    uint32_t data[PLAN_MAX_SLOTS][SWB_LANES][4];
    uint8_t tile[COPIES][PLAN_TILE_BYTES]; /* the bytes as the program sees them */
    uint8_t image[IMAGE_BYTES], dump[IMAGE_BYTES], source[SOURCE_BYTES];
    bool written[IMAGE_BYTES], either[IMAGE_BYTES]; /* of image: by a lane, by lanes that differ */
    uint32_t registers[PLAN_MAX_SLOTS][COPIES][SWB_LANES][4], sums[THREADS][4];
};

/* One plan on its way through. */
struct run {
    struct gpu *gpu;
    struct access_bench *bench;
    const struct access_plan *plan;
    bool loads;
    unsigned rounds; /* of the unrolled body */
    char prefix[48]; /* of the entry points: "ldmatrix_x4_trans" */
    char entry[64];  /* the one launched: "ldmatrix_x4_trans_sweep" */
    double cycles;   /* expected, an instruction on a busy SM */
    struct sweep_arguments arguments;
    uint32_t iterations;
    void *pointers[2];
    struct row *row;
    struct error *error;
};

/* Slots are gone round so often that every warp has a whole group. */
unsigned access_groups(unsigned slots, unsigned warps);

/* Instructions in one round of the kernel's loop, a group. */
unsigned access_body(const struct run *run);

/* Makes a launch of kernel PREFIX_<suffix> ready, with the run's arguments at their usual values,
 * which may be changed before it goes out. */
bool access_prepare(struct run *run, const char *suffix, unsigned ctas, unsigned warps,
                    struct gpu_launch *launch);
bool access_launch(struct run *run, const struct gpu_launch *launch); /* and waits */

/* Each returns false for a fault of the GPU; what is wrong with the row is in the row. */
bool access_verify(struct run *run);
bool access_counting_open(struct gpu *gpu, struct access_bench *bench, struct error *error);
bool access_count(struct run *run, struct access_result *result);
bool access_time(struct run *run, unsigned worst_slot, struct access_result *result);

#endif
