/* Which tiles does the family copy move, which way, and into which layouts? */
#ifndef SWIZZLEBENCH_BENCH_COPY_CASES_H
#define SWIZZLEBENCH_BENCH_COPY_CASES_H

#include "model/swizzlebench.h"

enum {
    COPY_ELEM_BITS = 16,
    COPY_MOST_STAGES = 4,
    COPY_PITCH_BYTES = 1024, /* from line to line of the tensor */
    COPY_MOST_TILE_BYTES = 16 * 1024,
};

/* What moves the bytes. */
enum copy_kind {
    COPY_REGISTERS, /* a load and a store of every lane */
    COPY_ASYNC,     /* cp.async */
    COPY_BULK,      /* cp.async.bulk, contiguous bytes */
    COPY_TMA,       /* cp.async.bulk.tensor */
    COPY_PLAIN,     /* loads or stores alone, all over the GPU: what the others are compared with */
};

struct copy_way {
    const char *name, *entry; /* entry: stem of the kernel's name */
    enum copy_kind kind;
    unsigned lane_bytes; /* 0: a thread sends for all */
    bool bypass_l1;      /* .cg */
    bool back;           /* from shared to global memory */
    unsigned compute_capability;
    bool whole; /* the tile is one box of rank 4; else boxes have rank 2, and are a span wide */
};

/* NULL: no way has that name. */
const struct copy_way *copy_way_find(const char *name);

/* In which order the lanes go over the tile: along its lines in global memory, or through shared
 * memory. */
enum copy_order { COPY_ALONG_GLOBAL, COPY_ALONG_SHARED };

enum copy_source { COPY_L2, COPY_DRAM }; /* or destination */
const char *copy_source_name(enum copy_source source);

struct copy_case {
    const struct copy_way *way;
    struct swb_tile tile; /* a line of it is contiguous in the tensor as well */
    enum copy_order order;
    enum copy_source source;
    unsigned stages; /* tiles in flight */
    bool packed;     /* the tile's lines follow each other in the tensor */
    bool stacks;     /* it has atoms in both directions */
};

size_t copy_case_count(bool full);
struct copy_case copy_case_at(size_t index);
void copy_case_name(const struct copy_case *c, char *name, size_t bytes);

/* "K/128B", "linear". */
void copy_layout_name(const struct copy_case *c, char *name, size_t bytes);

#endif
