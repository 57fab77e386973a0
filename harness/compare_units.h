/* Do two columns say the same in other units? */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_UNITS_H
#define SWIZZLEBENCH_HARNESS_COMPARE_UNITS_H

#include <stdbool.h>

/* Whether the names differ, and in nothing but units of the same dimension: cycles_per_mma and
 * ns_per_mma, gbytes_per_s and gibytes_per_s, sm_clock_mhz and sm_clock_ghz. */
bool compare_units_differ(const char *name, const char *other);

#endif
