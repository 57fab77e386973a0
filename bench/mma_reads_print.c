/* What each warp of a tiled mma reads from shared memory, as text and as CSV. */
#include "bench/mma_reads.h"

#include <stdio.h>

#include "bench/explain.h"

enum { TEXT_LINES = 64 };

static struct swb_cost cost_of(const struct mma_reads *reads, const struct swb_access *access)
{
    struct swb_cost cost = {0};
    swb_bank_cost(reads->instruction, access, &cost);
    return cost;
}

static void print_addresses(const struct swb_instruction *instruction,
                            const struct swb_access *access)
{
    for (unsigned lane = 0; lane < swb_instruction_lanes(instruction); lane++)
        printf("%s%u", instruction->matrices && lane > 0 && lane % 8 == 0 ? " | " : " ",
               access->lane_byte_addresses[lane]);
    putchar('\n');
}

static void print_each(const struct mma_reads *reads)
{
    unsigned count = reads->warps * reads->per_warp;
    printf("  warp  fills from %c,%c  wavefronts  byte addresses of the %s, from the tile's base\n",
           mma_operand_row_mode(reads->tile->which), mma_operand_col_mode(reads->tile->which),
           reads->instruction->matrices ? "rows, a matrix between bars" : "lanes");
    for (unsigned i = 0; i < count && i < TEXT_LINES; i++) {
        struct swb_access access;
        char from[32];
        struct mma_place place =
            mma_reads_access(reads, i / reads->per_warp, i % reads->per_warp, &access);
        snprintf(from, sizeof from, "%u,%u", place.row, place.col);
        printf("  %4u  %14s  %10u ", i / reads->per_warp, from, cost_of(reads, &access).wavefronts);
        print_addresses(reads->instruction, &access);
    }
    if (count > TEXT_LINES)
        printf("  ... of %u instructions; --reads has all\n", count);
}

void mma_reads_print(const struct mma_reads *reads)
{
    const struct placed *placed = reads->placed;
    const struct swb_instruction *instruction = reads->instruction;
    struct swb_cost cost = mma_reads_cost(reads);
    unsigned long long operand_bytes =
        (unsigned long long)placed->rows * placed->cols * placed->elem_bits / 8;
    unsigned long long read_bytes =
        (unsigned long long)reads->warps * reads->per_warp * swb_instruction_bytes(instruction);
    char text[128];
    printf("\n%c in %s, elements of %u bits, %llu bytes\n", mma_operand_letter(reads->tile->which),
           placed->name, placed->elem_bits, operand_bytes);
    if (reads->why_not[0])
        printf("  %s\n", reads->why_not);
    printf("  %s, %u a warp: %s\n", instruction->name, reads->per_warp,
           cost_text(&cost, text, sizeof text));
    printf("  %u warp%s read%s %llu bytes: each byte %.3g time%s\n", reads->warps,
           reads->warps == 1 ? "" : "s", reads->warps == 1 ? "s" : "", read_bytes,
           (double)read_bytes / (double)operand_bytes, read_bytes == operand_bytes ? "" : "s");
    print_each(reads);
}

void mma_reads_csv_header(void)
{
    puts("operand,warp,row,col,instruction,active_mask,lane_byte_addresses,wavefronts,"
         "ideal_wavefronts,conflicts");
}

void mma_reads_csv(const struct mma_reads *reads)
{
    for (unsigned i = 0; i < reads->warps * reads->per_warp; i++) {
        struct swb_access access;
        struct mma_place place =
            mma_reads_access(reads, i / reads->per_warp, i % reads->per_warp, &access);
        struct swb_cost cost = cost_of(reads, &access);
        printf("%c,%u,%u,%u,%s,%08x,", mma_operand_letter(reads->tile->which), i / reads->per_warp,
               place.row, place.col, reads->instruction->name, access.active_mask);
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            printf("%s%u", lane ? " " : "", access.lane_byte_addresses[lane]);
        printf(",%u,%u,%u\n", cost.wavefronts, cost.ideal_wavefronts, cost.conflicts);
    }
}
