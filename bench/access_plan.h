/* Which 32 addresses does an instruction give at each position of a tile, and which bytes of the
 * tile must come out? The plan is what the model, the kernel and the check are all given. */
#ifndef SWIZZLEBENCH_BENCH_ACCESS_PLAN_H
#define SWIZZLEBENCH_BENCH_ACCESS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/swizzlebench.h"

enum {
    PLAN_MAX_SLOTS = 128,
    PLAN_TILE_BYTES = 16 * 1024, /* the most that a tile takes in shared memory */
    PLAN_MAX_LINES = 128,
    PLAN_SOURCE_PITCH_BYTES = 1024, /* from one line to the next where cp.async reads from */
};

/* How the lanes of a warp share out a tile. */
enum access_shape {
    ACCESS_SUBTILE,  /* matrices: 8 lines x 16 B each, one behind the other along the line */
    ACCESS_BLOCK,    /* matrices, .x4: 16 lines x 32 B in the order of an mma operand */
    ACCESS_ROWS,     /* consecutive lanes along the line, as a copy fills the tile */
    ACCESS_COLUMNS,  /* consecutive lanes down the lines, all at the same byte of theirs */
    ACCESS_FRAGMENT, /* the accumulator of m16n8: lane 4g+t holds elements 2t, 2t+1 of line g */
    ACCESS_LADDER,   /* plain: `ways` lanes of a phase on each bank */
};
const char *access_shape_name(enum access_shape shape);

struct access_plan {
    const struct swb_instruction *instruction;
    bool bypass_l1; /* cp.async alone: .cg */
    uint32_t active_mask;
    unsigned slots; /* positions of the instruction in the tile */

    /* Byte offset from the tile's base that each lane gives, and the number of the first byte
     * there, counted line by line through the tile as the program sees it. */
    uint32_t offsets[PLAN_MAX_SLOTS][SWB_LANES];
    uint32_t tile_bytes_at[PLAN_MAX_SLOTS][SWB_LANES];

    /* cp.async alone: byte offset in global memory, from a multiple of 128, that each lane reads
     * at. Equal offsets hold equal bytes of the tile. */
    uint32_t sources[PLAN_MAX_SLOTS][SWB_LANES];

    /* Where byte b of the tile lies in shared memory, and how much of that the tile takes. */
    uint16_t place[PLAN_TILE_BYTES];
    unsigned tile_bytes, smem_bytes, line_bytes;
};

/* Returns NULL, or one sentence that says why the three do not go together: an access wider than
 * what the swizzle keeps whole, for example. */
const char *access_plan_refusal(const struct swb_instruction *instruction,
                                const struct swb_tile *tile, enum access_shape shape);

/* Lays `shape` of the instruction over the whole tile; returns the refusal, with *plan of no use,
 * where there is one. */
const char *access_plan_tile(struct access_plan *plan, const struct swb_instruction *instruction,
                             const struct swb_tile *tile, enum access_shape shape);

/* One position, in which `ways` lanes of each phase want different words of the same bank.
 * ways: a power of two. */
const char *access_plan_ladder(struct access_plan *plan, const struct swb_instruction *instruction,
                               unsigned ways);

/* One position, with the addresses of a given access. What only the hardware sees is kept: places
 * within 128 bytes, and which addresses share their 128 bytes; the rows themselves are moved
 * together. copy->global_byte_addresses is read for cp.async alone. Returns NULL, or one sentence
 * that says why it cannot be run. */
const char *access_plan_access(struct access_plan *plan, const struct swb_instruction *instruction,
                               const struct swb_copy *copy);

/* What the model says of all positions together: sums over the slots, and the costliest slot. */
struct plan_cost {
    unsigned wavefronts, ideal_wavefronts, conflicts;
    unsigned sectors; /* of global memory: cp.async alone */
    unsigned worst_slot, worst_wavefronts;
};
struct plan_cost access_plan_cost(const struct access_plan *plan);

/* Byte `byte` (0 to 3) of register `reg` of lane `lane` comes from (load) or goes to (store) byte
 * *piece_byte of the piece whose address lane *piece_lane gives. */
void access_register_byte(const struct swb_instruction *instruction, unsigned lane, unsigned reg,
                          unsigned byte, unsigned *piece_lane, unsigned *piece_byte);
unsigned access_registers(const struct swb_instruction *instruction);     /* a lane, 1, 2 or 4 */
unsigned access_address_lanes(const struct swb_instruction *instruction); /* that give an address */

#endif
