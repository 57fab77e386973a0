/* Is a CSV file of TMA boxes read, and does each box lie in shared memory, no two bytes in one
 * place? */
#include "bench/tma_row.h"
#include "bench/tma_slots.h"
#include "tests/fuzz/fuzz.h"

/* Every chunk of the box is in one slot, and the slot has its label. */
static void check_slots(const struct swb_tma_box *box)
{
    struct tma_slots slots;
    struct error error = {.kind = ERROR_NONE};
    char label[TMA_SLOT_LABEL_BYTES];
    size_t taken = 0;
    FUZZ_CHECK(tma_slots_open(box, &slots, &error));
    FUZZ_CHECK(slots.count * SWB_TMA_CHUNK_BYTES <= SWB_TMA_MAX_BOX_BYTES);
    for (size_t i = 0; i < slots.count; i++) {
        tma_slot_label(&slots, i, label);
        FUZZ_CHECK(label[0]);
        taken += slots.slots[i].line != TMA_SLOT_EMPTY;
    }
    FUZZ_CHECK(taken == (size_t)swb_tma_box_lines(box) * (box->inner_bytes / SWB_TMA_CHUNK_BYTES));
    tma_slots_close(&slots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const unsigned widths[] = {4, 8, 16, 32};
    struct table table;
    struct swb_tma_box box;
    struct error error = {.kind = ERROR_NONE};
    const char *path = fuzz_file(0, data, bytes);
    if (!fuzz_read_or_refused(table_open(path, tma_box_columns, TMA_BOX_COLUMNS, &table, &error),
                              &error))
        return 0;
    while (table_next(&table, &error) && tma_box_row_read(&table, &box, &error)) {
        FUZZ_CHECK(!swb_tma_box_refusal(&box));
        check_slots(&box);
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            struct swb_tma_reading reading = swb_tma_reading(&box, widths[i]);
            FUZZ_CHECK(reading.sentence[0] && !reading.readable == !reading.name[0]);
        }
    }
    fuzz_read_or_refused(error.kind == ERROR_NONE, &error);
    table_close(&table);
    return 0;
}
