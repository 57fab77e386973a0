/* Are published figures read, and put beside ours in as many rows as there are figures? */
#include <stdlib.h>
#include <string.h>

#include "bench/published.h"
#include "harness/version.h"
#include "tests/fuzz/fuzz.h"

static const char ours_text[] =
    "# schema: " SWIZZLEBENCH_SCHEMA "\n# gpu: NVIDIA H200\n# sm_count: 132\n"
    "family,case,status,reason,verified,instruction,model_conflicts,hw_wavefronts,latency_cycles,"
    "bytes_per_clk_sm,pct_of_peak\n"
    "shared,ldmatrix.x4 ladder 8-way,ok,,yes,ldmatrix.x4,28,32,90,16,12.5\n"
    "shared,ldmatrix.x4 K/128B 64x64x16b block,ok,,yes,ldmatrix.x4,0,4,34,128,100\n"
    "shared,ld.shared.b32 ladder 1-way,ok,,yes,ld.shared.b32,0,1,23,127.9,99.9\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct compare_side *ours;
    static const struct filter all;
    struct grid grid;
    struct error error = {.kind = ERROR_NONE};
    if (!ours) {
        ours = calloc(1, sizeof *ours);
        const char *path = fuzz_file(0, (const uint8_t *)ours_text, strlen(ours_text));
        FUZZ_CHECK(ours && compare_side_read(path, 'A', ours, &error));
    }
    const char *path = fuzz_file(1, data, bytes);
    published_is(path);
    grid_start(&grid, published_header, PUBLISHED_COLUMNS);
    if (fuzz_read_or_refused(published_add(&grid, path, ours, 1, &all, &error), &error)) {
        FUZZ_CHECK(grid_rows(&grid) >= 1);
        for (enum grid_style style = GRID_TEXT; style <= GRID_MARKDOWN; style++) {
            FILE *to = fuzz_print();
            FUZZ_CHECK(grid_print(&grid, style, to));
            FUZZ_CHECK(*fuzz_printed(to));
        }
    }
    grid_free(&grid);
    return 0;
}
