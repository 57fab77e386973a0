/* Which boxes does the family tma move, and which way? */
#ifndef SWIZZLEBENCH_BENCH_TMA_CASES_H
#define SWIZZLEBENCH_BENCH_TMA_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/tma_im2col.h"

enum tma_way {
    TMA_LOAD,
    TMA_STORE,
    TMA_REDUCE,
    TMA_PREFETCH,
    TMA_BULK_LOAD, /* contiguous bytes, without a tensor map */
    TMA_BULK_STORE,
    TMA_MULTICAST,  /* one box into every CTA of a cluster */
    TMA_IM2COL,     /* a load of pixels of an image */
    TMA_PLAIN_LOAD, /* no TMA: 16-byte loads, to compare with */
    TMA_WAYS
};
const char *tma_way_name(enum tma_way way);
bool tma_way_loads(enum tma_way way);  /* fills shared memory */
bool tma_way_stores(enum tma_way way); /* changes global memory */
bool tma_way_has_map(enum tma_way way);

/* Clocks of one SM, or of each in turn; or beside them the rate of the whole GPU, from where. */
enum tma_chip { TMA_ONE_SM, TMA_EACH_SM, TMA_CHIP_L2, TMA_CHIP_DRAM };
const char *tma_chip_name(enum tma_chip chip);
bool tma_is_whole_chip(enum tma_chip chip);

enum {
    TMA_TENSOR_BYTES = 16 << 20, /* stays in L2 */
    TMA_LINE_BYTES = 2048,       /* from line to line of the tensor, where it is not packed */
};

/* The tensor begins at address 0 of `map`, wherever it will lie. */
struct tma_case {
    enum tma_way way;
    enum tma_chip chip;
    struct swb_tma_map map;
    int32_t start[SWB_TMA_MAX_RANK]; /* where box 0 begins */
    uint32_t smem_offset;
    unsigned bulk_bytes;   /* of copies without a tensor map */
    unsigned cluster_ctas; /* 1: no cluster */
    struct tma_im2col im2col;
    bool packed; /* lines are as wide as the box and follow each other */
};

size_t tma_case_count(bool full);
const struct tma_case *tma_case_at(size_t index);
void tma_case_name(const struct tma_case *c, char *name, size_t bytes);

/* "64x8": the box in elements, the contiguous dimension first; "4096" for plain copies. */
void tma_box_name(const struct tma_case *c, char *name, size_t bytes);

/* Boxes follow each other along the last dimension: how many have room, and how far apart they
 * are. One alone where the case is about a place in the tensor. */
uint32_t tma_case_positions(const struct tma_case *c);
uint32_t tma_case_extent(const struct tma_case *c);

/* The same case with a tensor of so many bytes, packed or not. */
struct tma_case tma_case_over(const struct tma_case *c, uint64_t tensor_bytes);

#endif
