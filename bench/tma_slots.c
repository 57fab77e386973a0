/* Which chunk of a box lies in each 16-byte slot of shared memory? */
#include "bench/tma_slots.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS_A_PLANE = 128 };

bool tma_slots_open(const struct swb_tma_box *box, struct tma_slots *slots, struct error *error)
{
    unsigned chunks = box->inner_bytes / SWB_TMA_CHUNK_BYTES, lines = swb_tma_box_lines(box);
    uint32_t first = box->smem_address / TMA_SLOT_ALIGNMENT_BYTES * TMA_SLOT_ALIGNMENT_BYTES;
    uint32_t end = box->smem_address + swb_tma_box_bytes(box);
    size_t room = (end - first) / SWB_TMA_CHUNK_BYTES;
    *slots = (struct tma_slots){.box = box, .first_address = first};
    slots->slots = malloc(room * sizeof *slots->slots);
    if (!slots->slots)
        return error_set(error, ERROR_MACHINE, "no memory for %zu slots", room);
    for (size_t i = 0; i < room; i++)
        slots->slots[i] = (struct tma_slot){.line = TMA_SLOT_EMPTY};
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned chunk = 0; chunk < chunks; chunk++) {
            uint32_t address = swb_tma_box_address(box, line, chunk * SWB_TMA_CHUNK_BYTES);
            size_t slot = (address - first) / SWB_TMA_CHUNK_BYTES;
            slots->slots[slot] = (struct tma_slot){.line = (int32_t)line, .chunk = chunk};
            slots->count = slot >= slots->count ? slot + 1 : slots->count;
        }
    }
    return true;
}

void tma_slots_close(struct tma_slots *slots)
{
    free(slots->slots);
    slots->slots = NULL;
}

void tma_slot_label(const struct tma_slots *slots, size_t slot, char label[TMA_SLOT_LABEL_BYTES])
{
    const struct tma_slot *written = &slots->slots[slot];
    unsigned rows = slots->box->rank > 1 ? slots->box->extents[0] : 1;
    unsigned rows_a_plane = rows > ROWS_A_PLANE ? rows : ROWS_A_PLANE;
    unsigned line = (unsigned)written->line;
    if (written->line == TMA_SLOT_EMPTY)
        snprintf(label, TMA_SLOT_LABEL_BYTES, "-");
    else
        snprintf(label, TMA_SLOT_LABEL_BYTES, "%u.%u", line / rows * rows_a_plane + line % rows,
                 written->chunk);
}
