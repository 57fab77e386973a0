/* Which readers and writers does the family contention run beside each other? */
#ifndef SWIZZLEBENCH_BENCH_CONTENTION_CASES_H
#define SWIZZLEBENCH_BENCH_CONTENTION_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/swizzlebench.h"

enum { CONTENTION_ELEM_BITS = 16, CONTENTION_MOST_WARPS = 8 /* of a side */ };

/* What a side consists of. */
enum contention_means {
    CONTENTION_LANES, /* warps whose lanes each give an address */
    CONTENTION_WGMMA, /* a warpgroup: both operands from shared memory, bf16, K-major */
    CONTENTION_TMA,   /* warps that keep a box of their own on the way */
};

struct contention_actor {
    const char *name;  /* "cp.async.16.cg" */
    const char *entry; /* its part of a kernel's name */
    enum contention_means means;
    const char *instruction; /* of lanes: as the model calls it */
    bool copies;             /* from global memory, in whatever way; else out of registers */
    bool bypass_l1;          /* .cg */
    unsigned n;              /* of wgmma */
    unsigned compute_capability;
};

/* What was reported in public, and is asked here. */
enum contention_report {
    CONTENTION_NO_REPORT,
    CONTENTION_SW334, /* ldmatrix.x4.trans conflicts in Sw<3,3,4>, where none is predicted */
    CONTENTION_MODES, /* .ca and .cg conflict differently at the same addresses */
    CONTENTION_SIZE,  /* stores conflict where only the shared array, or the carve-out, grows */
    CONTENTION_GRID,  /* conflicts come with a large grid alone */
};
const char *contention_report_name(enum contention_report report); /* "" of none */

/* How the tile of a side that goes lane by lane lies in shared memory: 2 KiB. */
struct contention_layout {
    const char *name;
    struct swb_tile tile;
    bool side_by_side; /* ldmatrix: four matrices along a line, else as an mma operand has them */
};

/* A side that is NULL stays idle. */
struct contention_case {
    const struct contention_actor *reader, *writer;
    const char *reader_layout, *writer_layout;
    unsigned reader_warps, writer_warps;

    bool near_sources; /* what the writers copy fits L1 as long as shared memory leaves it room */

    enum contention_report report;
    unsigned smem_kib;     /* of dynamic shared memory; 0: what is needed */
    unsigned carveout_pct; /* of L1 that shared memory is to have; 0: left to the driver */
    unsigned ctas_per_sm;  /* in the grid; 0: one CTA alone */
};

size_t contention_case_count(bool full);
struct contention_case contention_case_at(size_t index);
void contention_case_name(const struct contention_case *c, char *name, size_t bytes);

/* False where there is no such layout of a side that goes lane by lane. */
bool contention_layout_find(const char *name, unsigned lane_bytes,
                            struct contention_layout *layout);

#endif
