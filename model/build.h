/* Layouts under construction, node by node in reading order. Private to model/.
 *
 * A node too many is counted and not stored, so that only the end of a construction has to look:
 * swb_build_finish. */
#ifndef SWIZZLEBENCH_MODEL_BUILD_H
#define SWIZZLEBENCH_MODEL_BUILD_H

#include "model/swizzlebench.h"

/* A tuple's parts. open returns the node's number, for close. */
unsigned swb_tuple_open(struct swb_tuple *tuple);
void swb_tuple_close(struct swb_tuple *tuple, unsigned node);
void swb_tuple_add(struct swb_tuple *tuple, int64_t value);
void swb_tuple_copy(struct swb_tuple *tuple, const struct swb_tuple *from, unsigned node);

/* The same for shape and stride together. */
unsigned swb_build_open(struct swb_layout *layout);
void swb_build_close(struct swb_layout *layout, unsigned node);
void swb_build_add(struct swb_layout *layout, int64_t shape, int64_t stride);
void swb_build_copy(struct swb_layout *layout, const struct swb_layout *from, unsigned node);

/* Refuses what is too long or too large, otherwise *result = *layout. */
bool swb_build_finish(const struct swb_layout *layout, struct swb_layout *result,
                      struct swb_refusal *refusal);

/* Node number of mode `mode` below node `parent`, which is a tuple; an integer is its own mode. */
unsigned swb_tuple_mode(const struct swb_tuple *tuple, unsigned parent, unsigned mode);
unsigned swb_tuple_modes(const struct swb_tuple *tuple, unsigned parent);

/* The integers of a layout without their parentheses. */
struct swb_flat {
    unsigned count;
    int64_t shape[SWB_TUPLE_NODES], stride[SWB_TUPLE_NODES];
};
void swb_flatten(const struct swb_layout *layout, struct swb_flat *flat);

/* A flat layout with these modes: an integer where there is one, 1:0 where there is none. */
void swb_build_flat(struct swb_layout *layout, const struct swb_flat *flat);

/* Merges neighbours and drops ones, as swb_coalesce. */
void swb_flat_coalesce(struct swb_flat *flat);

#endif
