/* Which GPU of a fleet is not like the others?
 *
 * Each folder of results is compared with the fleet's median: a result file in which a time, a rate
 * and the SM clock of a case are the medians over all folders (their least and largest samples
 * too), and everything else is what most folders say. What fewer than half of those say that have
 * the row with the fleet's status, the median does not have. Families are read one after another,
 * so that no more than one of all folders is in memory.
 */
#ifndef SWIZZLEBENCH_HARNESS_FLEET_H
#define SWIZZLEBENCH_HARNESS_FLEET_H

#include "harness/compare.h"
#include "harness/grid.h"

enum { FLEET_LEAST = 3 /* folders: of two none can say which is off */ };

/* How far a GPU may be from the fleet's median. */
struct fleet_limits {
    double median; /* part by which the median of a time or rate over its rows may be off, and that
                      of the SM clock */
    double rows;   /* part of the rows of a time or rate that may be slower or faster */
};

/* What a GPU's folder says beside the fleet's median. */
struct fleet_gpu {
    const char *path;
    char heads[HEAD_KEYS][96];          /* "" what its files do not say */
    size_t rows;                        /* in both */
    size_t failed;                      /* rows with this status */
    size_t differing[DIFFERENCE_KINDS]; /* rows with such a difference */
    size_t lacking, surplus; /* rows that lack a value of the fleet's, that have one more */
    double furthest;         /* time over the fleet's, median over rows, where it is furthest off */
    char furthest_of[128];   /* "mma cycles_per_mma"; "" where nothing was timed */
    double share; /* part of the rows of a column that are slower or faster, the largest */
    char share_of[128];
    double clock_mhz, clock_ratio; /* of the SM, over the fleet's; medians over rows; 0: none */
    double *clocks;                /* MHz and ratio of each row, in pairs */
    size_t clock_count;
    struct grid details; /* difference, column, rows, largest, fleet, this, case; family first */
    char why[512];       /* "": no outlier */
};

struct fleet {
    struct fleet_gpu *gpus; /* as the folders were named; after fleet_judge() outliers come first */
    size_t count, outliers;
    size_t compared; /* rows of the fleet's median that pass the filter */
};

/* Reads and compares the folders. The fleet's median is written to `median_folder`, which must be
 * there, a file a family. ERROR_INPUT for a folder that cannot be read, a file that is no result
 * file of this program, one in the median's place, and a filter that no row passes. Free with
 * fleet_free, also after a failure. */
bool fleet_read(char *const *folders, size_t count, const char *median_folder,
                const struct compare_settings *settings, struct fleet *fleet, struct error *error);
void fleet_free(struct fleet *fleet);

/* Says of each GPU why it is an outlier, and sorts them. */
void fleet_judge(struct fleet *fleet, const struct fleet_limits *limits);

/* What the folders say of their GPUs and drivers, a line for each GPU, and of each outlier what
 * differs. With GRID_CSV the lines of the GPUs alone. Returns false for lack of memory. */
bool fleet_print(const struct fleet *fleet, enum grid_style style);

/* Writes the fleet's median of a family, of which side i has sides[i].files[family], or none.
 * ERROR_INPUT where something else than a median is there already. */
bool fleet_median_write(const struct compare_side *sides, size_t count, size_t family,
                        const char *path, struct error *error);

#endif
