/* What about a layout may its user not have meant? */
#include "bench/placed.h"

#include <inttypes.h>
#include <stdio.h>

/* Sw<1 to 3,4,3> are the hardware's swizzles on byte addresses. On numbers of elements they keep
 * as many elements together as the hardware keeps bytes. */
static void note_elements(const char *command, const struct placed *placed)
{
    const struct swb_swizzle *swizzle = &placed->composed.swizzle;
    struct swb_composed meant = placed->composed;
    char text[PLACED_NAME_BYTES];
    if (placed->composed.pointer_bits != 0 || placed->elem_bits == 8 || swizzle->bits < 1 ||
        swizzle->bits > 3 || swizzle->base != 4 || swizzle->shift != 3)
        return;
    meant.pointer_bits = placed->elem_bits;
    meant.offset = 0;
    swb_composed_print(&meant, text, sizeof text);
    fprintf(stderr,
            "swizzlebench %s: note: Sw<%d,4,3> acts on element numbers here, and so keeps 16 "
            "elements of %u bits together, not 16 bytes; the hardware's %uB swizzle is %s\n",
            command, swizzle->bits, placed->elem_bits, 16u << swizzle->bits, text);
}

static void note_base(const char *command, const struct placed *placed)
{
    int64_t repeat = swb_swizzle_repeat(&placed->composed.swizzle);
    if (placed->composed.pointer_bits != 0 && placed->base_bytes % repeat != 0)
        fprintf(stderr,
                "swizzlebench %s: note: --base %u is no multiple of the %" PRId64
                " bytes after which the swizzle repeats, so the pattern starts in its middle\n",
                command, placed->base_bytes, repeat);
}

static void note_reach(const char *command, const struct placed *placed)
{
    int64_t own_bits = swb_layout_cosize(&placed->composed.layout) * placed->elem_bits;
    int64_t first = (int64_t)placed->base_bytes * 8, last = first + own_bits - 1;
    int64_t least = first, most = last;
    if (placed->tile.mode || placed->composed.swizzle.bits == 0)
        return;
    for (unsigned col = 0; col < placed->cols; col++) {
        for (unsigned row = 0; row < placed->rows; row++) {
            struct placed_reach reach = placed_element_reach(placed, row, col);
            least = reach.least < least ? reach.least : least;
            most = reach.most > most ? reach.most : most;
        }
    }
    if (least < first || most > last)
        fprintf(stderr,
                "swizzlebench %s: note: the swizzle moves elements %s the %" PRId64
                " bytes from byte %u on that the layout alone takes, as far as byte %" PRId64 "\n",
                command, least < first ? "before" : "behind", (own_bits + 7) / 8,
                placed->base_bytes, least < first ? least / 8 : most / 8);
}

void placed_print_notes(const char *command, const struct placed *placed)
{
    note_elements(command, placed);
    note_base(command, placed);
    note_reach(command, placed);
}
