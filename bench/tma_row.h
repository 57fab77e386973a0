/* Tensor maps, and boxes, as rows of a CSV file: with the columns of
 * tests/golden/h200-tma-encode.csv, and those of h200-tma-placement.csv. */
#ifndef SWIZZLEBENCH_BENCH_TMA_ROW_H
#define SWIZZLEBENCH_BENCH_TMA_ROW_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/table.h"
#include "model/swizzlebench.h"

enum { TMA_ROW_COLUMNS = 11, TMA_ROW_BYTES = 512 };
extern const char *const tma_row_columns[TMA_ROW_COLUMNS]; /* what table_open is to find */

/* Reads the table's row. ERROR_INPUT: no number, or fewer of them than the rank asks for. */
bool tma_row_read(const struct table *table, struct swb_tma_map *map, struct error *error);

/* "dtype,elem_bytes,rank,..." and a row in its form, without a newline. elem_bytes is 0 for packed
 * types. */
extern const char tma_row_header[];
void tma_row_print(const struct swb_tma_map *map, char text[TMA_ROW_BYTES]);

/* A box of up to three dimensions, its swizzle as the number in cuda.h. ERROR_INPUT: no number, or
 * no such box. */
enum { TMA_BOX_COLUMNS = 6 };
extern const char *const tma_box_columns[TMA_BOX_COLUMNS];
bool tma_box_row_read(const struct table *table, struct swb_tma_box *box, struct error *error);

#endif
