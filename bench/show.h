/* What `swizzlebench show` can draw: each subject is a small command of its own. */
#ifndef SWIZZLEBENCH_BENCH_SHOW_H
#define SWIZZLEBENCH_BENCH_SHOW_H

#include "harness/family.h"

/* argv[0] is the subject's name. */
extern const struct command show_box, show_fragment, show_layout, show_tiled_mma;

#endif
