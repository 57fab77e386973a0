/* Is what a file holds fit to be compared? */
#ifndef SWIZZLEBENCH_HARNESS_COMPARE_CHECK_H
#define SWIZZLEBENCH_HARNESS_COMPARE_CHECK_H

#include "harness/compare_side.h"

/* The file of the family, read from `path`, must have the common columns, no column in another
 * unit than this program's, each case once, and in every row the family's name, a status, what
 * verified can be, and a number or nothing in each column that is compared as one: above 0 in
 * times, rates and clocks. ERROR_INPUT says which has not, with the line. Other columns, and an
 * unfinished last row, go to the side's notes. */
bool compare_check_file(struct compare_side *side, const struct family *family,
                        const struct result_file *file, const char *path, struct error *error);

#endif
