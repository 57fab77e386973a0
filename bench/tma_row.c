/* How do a tensor map and a box stand in a CSV file? */
#include "bench/tma_row.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "bench/tma_words.h"

const char tma_row_header[] = "dtype,elem_bytes,rank,addr_mod_64,dims,strides,box,element_strides,"
                              "interleave,swizzle,l2_promotion,oob_fill";

/* In the order in which table_open finds them. */
enum { DTYPE, RANK, ADDRESS, DIMS, STRIDES, BOX, STEPS, INTERLEAVE, SWIZZLE, L2_PROMOTION, FILL };

const char *const tma_row_columns[TMA_ROW_COLUMNS] = {
    "dtype",           "rank",       "addr_mod_64", "dims",         "strides", "box",
    "element_strides", "interleave", "swizzle",     "l2_promotion", "oob_fill"};

static bool read_one(const struct table *table, unsigned column, uint64_t largest, uint64_t *number,
                     struct error *error)
{
    return tma_numbers(table->fields[column], ';', largest, 1, number) == 1 ||
           table_bad_field(table, tma_row_columns[column], table->fields[column],
                           "a whole number is needed", error);
}

/* At least `needed` numbers; entries past the rank may be missing. */
static bool read_list(const struct table *table, unsigned column, uint64_t largest, unsigned needed,
                      uint64_t *numbers, struct error *error)
{
    const char *text = table->fields[column];
    memset(numbers, 0, SWB_TMA_MAX_RANK * sizeof *numbers);
    if ((needed == 0 && *text == '\0') ||
        tma_numbers(text, ';', largest, SWB_TMA_MAX_RANK, numbers) >= (needed > 0 ? needed : 1))
        return true;
    return table_bad_field(table, tma_row_columns[column], text,
                           "up to 5 whole numbers with ; between are needed, one a dimension",
                           error);
}

static bool read_lists(const struct table *table, struct swb_tma_map *map, struct error *error)
{
    unsigned rank = map->rank < SWB_TMA_MAX_RANK ? map->rank : SWB_TMA_MAX_RANK;
    uint64_t dims[SWB_TMA_MAX_RANK], strides[SWB_TMA_MAX_RANK], box[SWB_TMA_MAX_RANK],
        steps[SWB_TMA_MAX_RANK];
    if (!read_list(table, DIMS, UINT64_MAX, rank, dims, error) ||
        !read_list(table, STRIDES, UINT64_MAX, rank > 0 ? rank - 1 : 0, strides, error) ||
        !read_list(table, BOX, UINT32_MAX, rank, box, error) ||
        !read_list(table, STEPS, UINT32_MAX, rank, steps, error))
        return false;
    memcpy(map->dims, dims, sizeof map->dims);
    memcpy(map->strides, strides, sizeof map->strides);
    for (unsigned i = 0; i < SWB_TMA_MAX_RANK; i++) {
        map->box[i] = (uint32_t)box[i];
        map->element_strides[i] = (uint32_t)steps[i];
    }
    return true;
}

bool tma_row_read(const struct table *table, struct swb_tma_map *map, struct error *error)
{
    const struct {
        unsigned column;
        unsigned *value;
    } numbers[] = {{DTYPE, &map->dtype},
                   {RANK, &map->rank},
                   {INTERLEAVE, &map->interleave},
                   {SWIZZLE, &map->swizzle},
                   {L2_PROMOTION, &map->l2_promotion},
                   {FILL, &map->oob_fill}};
    *map = (struct swb_tma_map){.rank = 0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t number;
        if (!read_one(table, numbers[i].column, UINT32_MAX, &number, error))
            return false;
        *numbers[i].value = (unsigned)number;
    }
    return read_one(table, ADDRESS, UINT64_MAX, &map->address, error) &&
           read_lists(table, map, error);
}

void tma_row_print(const struct swb_tma_map *map, char text[TMA_ROW_BYTES])
{
    const uint64_t *dims = map->dims, *strides = map->strides;
    const uint32_t *box = map->box, *steps = map->element_strides;
    snprintf(text, TMA_ROW_BYTES,
             "%u,%u,%u,%" PRIu64 ",%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64
             ",%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64
             ",%u;%u;%u;%u;%u,%u;%u;%u;%u;%u,%u,%u,%u,%u",
             map->dtype, swb_tma_elem_bits(map->dtype) / 8, map->rank, map->address, dims[0],
             dims[1], dims[2], dims[3], dims[4], strides[0], strides[1], strides[2], strides[3],
             box[0], box[1], box[2], box[3], box[4], steps[0], steps[1], steps[2], steps[3],
             steps[4], map->interleave, map->swizzle, map->l2_promotion, map->oob_fill);
}

/* ---- Boxes -------------------------------------------------------------------------------- */

enum { BOX_RANK, BOX_SWIZZLE, BOX_INNER_BYTES, BOX_ROWS, BOX_PLANES, BOX_SMEM_OFFSET };

const char *const tma_box_columns[TMA_BOX_COLUMNS] = {"rank", "swizzle", "inner_bytes",
                                                      "rows", "planes",  "smem_offset"};

bool tma_box_row_read(const struct table *table, struct swb_tma_box *box, struct error *error)
{
    uint64_t numbers[TMA_BOX_COLUMNS];
    for (unsigned i = 0; i < TMA_BOX_COLUMNS; i++) {
        if (tma_numbers(table->fields[i], ',', UINT32_MAX, 1, &numbers[i]) != 1)
            return table_bad_field(table, tma_box_columns[i], table->fields[i],
                                   "a whole number is needed", error);
    }
    *box = (struct swb_tma_box){
        .rank = (unsigned)numbers[BOX_RANK],
        .swizzle = (unsigned)numbers[BOX_SWIZZLE],
        .inner_bytes = (unsigned)numbers[BOX_INNER_BYTES],
        .extents = {(unsigned)numbers[BOX_ROWS], (unsigned)numbers[BOX_PLANES], 1, 1},
        .smem_address = (uint32_t)numbers[BOX_SMEM_OFFSET]};
    const char *refusal = swb_tma_box_refusal(box);
    if (!refusal && box->rank < 2 && numbers[BOX_ROWS] != 1)
        refusal = "a box of rank 1 has one row";
    if (!refusal && box->rank < 3 && numbers[BOX_PLANES] != 1)
        refusal = "a box of rank 1 or 2 has one plane";
    return !refusal ||
           error_set(error, ERROR_INPUT, "%s, line %zu: %s", table->name, table->line, refusal);
}
