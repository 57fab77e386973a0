/* Which chunk of a box lies in each 16-byte slot of shared memory? */
#ifndef SWIZZLEBENCH_BENCH_TMA_SLOTS_H
#define SWIZZLEBENCH_BENCH_TMA_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/error.h"
#include "model/swizzlebench.h"

enum { TMA_SLOT_EMPTY = -1, TMA_SLOT_ALIGNMENT_BYTES = 1024, TMA_SLOT_LABEL_BYTES = 24 };

struct tma_slot {
    int32_t line; /* of the box, or TMA_SLOT_EMPTY */
    uint32_t chunk;
};

struct tma_slots {
    const struct swb_tma_box *box;
    uint32_t first_address; /* smem_address rounded down to TMA_SLOT_ALIGNMENT_BYTES */
    size_t count;           /* up to the last slot that is written */
    struct tma_slot *slots;
};

/* ERROR_MACHINE when there is no memory. */
bool tma_slots_open(const struct swb_tma_box *box, struct tma_slots *slots, struct error *error);
void tma_slots_close(struct tma_slots *slots);

/* "row.chunk", or "-": the row counts 128 a plane (as many as there are, where they are more). */
void tma_slot_label(const struct tma_slots *slots, size_t slot, char label[TMA_SLOT_LABEL_BYTES]);

#endif
