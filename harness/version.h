/* Which release is this, and which form do its files have? */
#ifndef SWIZZLEBENCH_HARNESS_VERSION_H
#define SWIZZLEBENCH_HARNESS_VERSION_H

/* The Makefile says which; a build by hand is the release that it was copied from. */
#ifndef SWIZZLEBENCH_VERSION
#define SWIZZLEBENCH_VERSION "0.1.0"
#endif

/* `schema` in the head of a result file; changes when a reader of the old form would misread. */
#define SWIZZLEBENCH_SCHEMA "swizzlebench 1"

#endif
