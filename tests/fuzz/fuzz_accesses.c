/* Is a CSV file of accesses read as what it says, and what it holds priced within bounds? */
#include <inttypes.h>
#include <string.h>

#include "bench/access_file.h"
#include "bench/placed.h"
#include "tests/fuzz/fuzz.h"

static void check_cost(const struct access_row *row)
{
    struct swb_cost cost;
    struct swb_copy_cost copied;
    struct swb_copy copy = {.to = row->access, .bypass_l1 = row->bypass_l1};
    uint32_t lanes = (uint32_t)(((uint64_t)1 << swb_instruction_lanes(row->instruction)) - 1);
    bool any = row->access.active_mask & lanes;
    if (swb_bank_cost(row->instruction, &row->access, &cost)) {
        FUZZ_CHECK(cost.wavefronts >= cost.ideal_wavefronts && cost.wavefronts <= SWB_LANES);
        FUZZ_CHECK(cost.conflicts == cost.wavefronts - cost.ideal_wavefronts);
        FUZZ_CHECK((cost.ideal_wavefronts > 0) == any);
    }
    if (!row->has_globals)
        return;
    memcpy(copy.global_byte_addresses, row->global_byte_addresses,
           sizeof copy.global_byte_addresses);
    FUZZ_CHECK(swb_copy_cost(row->instruction, &copy, &copied));
    FUZZ_CHECK(copied.wavefronts >= (row->bypass_l1 ? any : copied.ideal_wavefronts));
    FUZZ_CHECK((copied.sectors > 0) == any);
}

static void print_row(FILE *to, const struct access_row *row)
{
    fprintf(to, "%s,%08" PRIx32 ",", row->instruction->name, row->access.active_mask);
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        fprintf(to, "%s%" PRIu32, lane ? " " : "", row->access.lane_byte_addresses[lane]);
    fputc(',', to);
    for (unsigned lane = 0; row->has_globals && lane < SWB_LANES; lane++)
        fprintf(to, "%s%" PRIu64, lane ? " " : "", row->global_byte_addresses[lane]);
    fprintf(to, ",%s\n", row->has_globals && row->bypass_l1 ? "cg" : "");
}

/* Reads all rows of a file; prints those of the first. Returns how many there were. */
static size_t read_rows(const char *path, FILE *to)
{
    struct access_file file;
    struct access_row row = {.instruction = NULL};
    struct error error = {.kind = ERROR_NONE};
    size_t count = 0;
    if (!fuzz_read_or_refused(access_file_open(path, &file, &error), &error))
        return 0;
    for (; access_file_next(&file, &row, &error); count++) {
        for (unsigned lane = 0; lane < swb_instruction_lanes(row.instruction); lane++)
            FUZZ_CHECK(!(row.access.active_mask >> lane & 1) ||
                       row.access.lane_byte_addresses[lane] < PLACED_SMEM_BYTES);
        check_cost(&row);
        print_row(to, &row);
    }
    fuzz_read_or_refused(error.kind == ERROR_NONE, &error);
    access_file_close(&file);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char header[] =
        "instruction,active_mask,lane_byte_addresses,global_byte_addresses,cache\n";
    static char first[1 << 20];
    FILE *to = fuzz_print();
    fputs(header, to);
    size_t count = read_rows(fuzz_file(0, data, bytes), to);
    const char *text = fuzz_printed(to);
    if (count == 0 || snprintf(first, sizeof first, "%s", text) >= (int)sizeof first)
        return 0;
    to = fuzz_print();
    fputs(header, to);
    FUZZ_CHECK(read_rows(fuzz_file(1, (const uint8_t *)first, strlen(first)), to) == count);
    FUZZ_CHECK(strcmp(fuzz_printed(to), first) == 0);
    return 0;
}
