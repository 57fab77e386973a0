/* An operand of an mma, or of a tiled one: who holds which element, and who holds the same? */
#include "bench/mma_operand.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/explain.h"

static void take_sizes(struct mma_operand *operand)
{
    struct swb_layout threads = swb_layout_mode(&operand->tv, 0);
    struct swb_layout values = swb_layout_mode(&operand->tv, 1);
    operand->threads = (unsigned)swb_layout_size(&threads);
    operand->values = (unsigned)swb_layout_size(&values);
}

bool mma_operand_of_atom(const struct swb_mma_atom *atom, enum swb_mma_operand which,
                         struct mma_operand *operand, struct swb_refusal *refusal)
{
    *operand = (struct mma_operand){.which = which,
                                    .bits = atom->types[which]->bits,
                                    .rows = atom->extents[swb_mma_rows(which)],
                                    .cols = atom->extents[swb_mma_cols(which)]};
    if (!swb_mma_fragment(atom, which, &operand->tv, refusal))
        return false;
    take_sizes(operand);
    return true;
}

bool mma_operand_of_tiled(const struct swb_tiled_mma *tiled, enum swb_mma_operand which,
                          const unsigned *problem, struct mma_operand *operand,
                          struct swb_refusal *refusal)
{
    *operand = (struct mma_operand){.which = which,
                                    .bits = tiled->atom.types[which]->bits,
                                    .rows = problem[swb_mma_rows(which)],
                                    .cols = problem[swb_mma_cols(which)]};
    if (!swb_tiled_mma_partition(tiled, which, operand->rows, operand->cols, &operand->tv, refusal))
        return false;
    take_sizes(operand);
    return true;
}

char mma_operand_letter(enum swb_mma_operand which)
{
    return "ABC"[which];
}

char mma_operand_row_mode(enum swb_mma_operand which)
{
    return "MNK"[swb_mma_rows(which)];
}

char mma_operand_col_mode(enum swb_mma_operand which)
{
    return "MNK"[swb_mma_cols(which)];
}

struct mma_place mma_operand_place(const struct mma_operand *operand, unsigned thread,
                                   unsigned value)
{
    int64_t index = swb_layout_at(&operand->tv, thread + (int64_t)operand->threads * value);
    return (struct mma_place){(unsigned)(index % operand->rows), (unsigned)(index / operand->rows)};
}

void mma_operand_csv_header(void)
{
    puts("operand,thread,value,row,col");
}

void mma_operand_csv(const struct mma_operand *operand, unsigned thread)
{
    for (unsigned value = 0; value < operand->values; value++) {
        struct mma_place place = mma_operand_place(operand, thread, value);
        printf("%c,%u,%u,%u,%u\n", mma_operand_letter(operand->which), thread, value, place.row,
               place.col);
    }
}

/* ---- Sharing ------------------------------------------------------------------------------- */

/* "0-15,32-47": the rows, or columns, in which an element has exactly these warps. */
static void print_extents(const struct mma_operand *operand, const uint32_t *warps, uint32_t set,
                          bool of_rows)
{
    unsigned count = of_rows ? operand->rows : operand->cols;
    unsigned others = of_rows ? operand->cols : operand->rows;
    char separator = ' ';
    unsigned first = count; /* of the run that goes on */
    putchar(of_rows ? mma_operand_row_mode(operand->which) : mma_operand_col_mode(operand->which));
    for (unsigned i = 0; i <= count; i++) {
        bool found = false;
        for (unsigned other = 0; i < count && !found && other < others; other++)
            found = warps[of_rows ? i + operand->rows * other : other + operand->rows * i] == set;
        if (found && first == count)
            first = i;
        if (found || first == count)
            continue;
        printf(i - first > 1 ? "%c%u-%u" : "%c%u", separator, first, i - 1);
        separator = ',';
        first = count;
    }
}

static void print_set(const struct mma_operand *operand, const uint32_t *warps, uint32_t set)
{
    char names[LANES_TEXT_BYTES];
    printf("  warp%s %s: ", set & (set - 1) ? "s" : "", lanes_text(set, names, sizeof names));
    print_extents(operand, warps, set, true);
    fputs(", ", stdout);
    print_extents(operand, warps, set, false);
    putchar('\n');
}

bool mma_operand_print_sharing(const struct mma_operand *operand, struct error *error)
{
    size_t elements = (size_t)operand->rows * operand->cols;
    uint32_t *warps = calloc(elements, sizeof *warps); /* a bit for each that holds the element */
    uint32_t *printed = calloc(elements, sizeof *printed);
    size_t sets = 0;
    bool made = warps && printed;
    for (unsigned thread = 0; made && thread < operand->threads; thread++) {
        for (unsigned value = 0; value < operand->values; value++) {
            struct mma_place place = mma_operand_place(operand, thread, value);
            warps[place.row + (size_t)operand->rows * place.col] |= 1u << thread / SWB_LANES;
        }
    }
    for (size_t i = 0; made && i < elements; i++) {
        size_t known = 0;
        while (known < sets && printed[known] != warps[i])
            known++;
        if (known < sets)
            continue;
        printed[sets++] = warps[i];
        print_set(operand, warps, warps[i]);
    }
    free(printed);
    free(warps);
    return made ||
           error_set(error, ERROR_MACHINE, "no memory for a tile of %zu elements", elements);
}
