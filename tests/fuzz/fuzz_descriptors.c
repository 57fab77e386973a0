/* Is a CSV file of tensor maps read as what it says, and judged within bounds? */
#include <string.h>

#include "bench/tma_row.h"
#include "tests/fuzz/fuzz.h"

static void check_box(const struct swb_tma_map *map)
{
    struct swb_tma_box box = swb_tma_box_of(map, 0);
    if (swb_tma_box_refusal(&box))
        return;
    unsigned lines = swb_tma_box_lines(&box);
    uint32_t bytes = swb_tma_box_bytes(&box);
    FUZZ_CHECK(lines > 0 && bytes >= lines * box.inner_bytes && bytes <= SWB_TMA_MAX_BOX_BYTES);
    const unsigned first[] = {0, lines - 1}, last[] = {0, box.inner_bytes - 1};
    for (unsigned i = 0; i < 4; i++)
        FUZZ_CHECK(swb_tma_box_address(&box, first[i & 1], last[i >> 1]) < SWB_TMA_MAX_BOX_BYTES);
    int32_t start[SWB_TMA_MAX_RANK] = {-1, 3, INT32_MAX, INT32_MIN, 0};
    FUZZ_CHECK(swb_tma_filled_bytes(map, start, lines - 1, 0) <= SWB_TMA_CHUNK_BYTES);
}

static void check_map(const struct swb_tma_map *map)
{
    static const unsigned capabilities[] = {80, 90, 100, 120};
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN], one;
    for (size_t c = 0; c < sizeof capabilities / sizeof capabilities[0]; c++) {
        unsigned count = swb_tma_check(map, capabilities[c], broken, SWB_TMA_MAX_BROKEN);
        FUZZ_CHECK(count <= SWB_TMA_MAX_BROKEN);
        FUZZ_CHECK(count == swb_tma_check(map, capabilities[c], NULL, 0));
        FUZZ_CHECK(count == swb_tma_check(map, capabilities[c], &one, 1));
        for (unsigned i = 0; i < count; i++)
            FUZZ_CHECK(broken[i].rule[0] && broken[i].sentence[0]);
        FUZZ_CHECK(count == 0 || strcmp(broken[0].sentence, one.sentence) == 0);
        if (count == 0)
            check_box(map);
    }
}

/* Reads all rows of a file; prints those that a row can hold. Returns how many there were. */
static size_t read_rows(const char *path, FILE *to)
{
    struct table table;
    struct swb_tma_map map;
    struct error error = {.kind = ERROR_NONE};
    char text[TMA_ROW_BYTES];
    size_t count = 0;
    if (!fuzz_read_or_refused(table_open(path, tma_row_columns, TMA_ROW_COLUMNS, &table, &error),
                              &error))
        return 0;
    for (; table_next(&table, &error) && tma_row_read(&table, &map, &error); count++) {
        check_map(&map);
        tma_row_print(&map, text);
        fprintf(to, "%s\n", text);
    }
    fuzz_read_or_refused(error.kind == ERROR_NONE, &error);
    table_close(&table);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static char first[1 << 20];
    FILE *to = fuzz_print();
    fprintf(to, "%s\n", tma_row_header);
    size_t count = read_rows(fuzz_file(0, data, bytes), to);
    const char *text = fuzz_printed(to);
    if (count == 0 || snprintf(first, sizeof first, "%s", text) >= (int)sizeof first)
        return 0;
    to = fuzz_print();
    fprintf(to, "%s\n", tma_row_header);
    FUZZ_CHECK(read_rows(fuzz_file(1, (const uint8_t *)first, strlen(first)), to) == count);
    FUZZ_CHECK(strcmp(fuzz_printed(to), first) == 0);
    return 0;
}
