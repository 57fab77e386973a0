/* What does a folder of results hold that a report can show? */
#ifndef SWIZZLEBENCH_HARNESS_REPORT_FOLDER_H
#define SWIZZLEBENCH_HARNESS_REPORT_FOLDER_H

#include "harness/compare_side.h"

enum { REPORT_MAX_PLOTS = 64, REPORT_MAX_FILES = COMPARE_MAX_FAMILIES + 16 };

struct report_plot {
    char *name; /* "tma-rate.svg" */
    char *text;
};

/* A result file: of a family, or fuzz.csv and others that have the same form. */
struct report_file {
    const struct family *family; /* NULL: of none */
    char name[64];               /* "tma" */
    const struct result_file *file;
};

struct report_folder {
    const char *path;
    struct compare_side *side; /* the files of families */
    struct result_file others[REPORT_MAX_FILES - COMPARE_MAX_FAMILIES];
    size_t other_count;
    struct report_file files[REPORT_MAX_FILES]; /* of families first, the others by name */
    size_t file_count;
    struct report_plot plots[REPORT_MAX_PLOTS]; /* by name */
    size_t plot_count;
    char left_out[8192]; /* what is in the folder and not in the report, and why; "" for nothing */
};

/* ERROR_INPUT where the folder cannot be read, holds no result file, or one that is none, has
 * another schema or a case twice. Free with report_folder_free, also after a failure. */
bool report_folder_read(const char *path, struct report_folder *folder, struct error *error);
void report_folder_free(struct report_folder *folder);

/* A plot belongs to the file whose name it begins with: "tma-rate.svg" to tma.csv. */
bool report_plot_is_of(const struct report_plot *plot, const char *name);

#endif
