/* Which SM stands for all of them where one alone is measured, and how does a launch get there?
 *
 * SMs are not alike: how many bytes a clock one gets from L2 is told by where it lies on the chip,
 * and what the hardware takes for a single CTA may be an unusual one. */
#ifndef SWIZZLEBENCH_BENCH_ONE_SM_H
#define SWIZZLEBENCH_BENCH_ONE_SM_H

#include "harness/gpu.h"

/* The first SM whose rate from L2, with bulk copies, is within 3 % of the median of all SMs: it is
 * none of an unusual kind, and the same in the next run. 0 where the GPU has no bulk copies, and
 * where nothing is timed. */
bool one_sm_find_typical(struct gpu *gpu, uint32_t *sm, struct error *error);

/* The same of rates, nan where they are not known. */
uint32_t one_sm_typical_of(const double *rates, size_t count);

/* Has the work of a launch for one CTA done on the SM. `choice` is in the launch's arguments. */
void one_sm_put(struct gpu *gpu, struct timed_kernel *timed, struct one_sm *choice, uint32_t sm);

#endif
