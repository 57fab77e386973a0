/* A picture of boxes with text in them, as an SVG file. */
#ifndef SWIZZLEBENCH_BENCH_SVG_H
#define SWIZZLEBENCH_BENCH_SVG_H

#include <stdio.h>

#include "harness/error.h"

struct svg {
    FILE *file;
    const char *path;
};

/* Lengths are in pixels. */
bool svg_open(struct svg *svg, const char *path, double width, double height, struct error *error);
bool svg_close(struct svg *svg, struct error *error); /* ERROR_INPUT when it could not be written */

/* A box whose grey says which of 8 it is, light enough for black text; group < 0: white. */
void svg_box(struct svg *svg, double x, double y, double width, double height, int group);

enum svg_anchor { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT };
void svg_text(struct svg *svg, double x, double y, double size, enum svg_anchor anchor,
              const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
