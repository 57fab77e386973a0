/* One access in short: which byte address does each lane give, as a layout of lanes? */
#ifndef SWIZZLEBENCH_BENCH_LANES_H
#define SWIZZLEBENCH_BENCH_LANES_H

#include "harness/error.h"
#include "model/swizzlebench.h"

/* `layout` is CuTe's notation and takes the lane's number to its byte address: 32:4,
 * (16,2):(8,0), Sw<3,4,3> o 32:128. Lanes behind its size are off, and so are those that `mask`,
 * hex digits or NULL, leaves out. ERROR_INPUT where a lane's address is misaligned or outside
 * shared memory. */
bool lanes_read(const char *layout, const char *mask, const struct swb_instruction *instruction,
                struct swb_access *access, struct error *error);

#endif
