/* Accesses from a file: which instruction, which lanes, which addresses?
 *
 * CSV with columns by name, others ignored: instruction,active_mask,lane_byte_addresses; lines
 * that begin with # are comments. The mask has hex digits; the addresses are 32 decimal numbers
 * separated by spaces. cp.async may have two more: global_byte_addresses, 32 numbers as well, and
 * cache, which is ca (through L1, where it is missing) or cg (past it). */
#ifndef SWIZZLEBENCH_BENCH_ACCESS_FILE_H
#define SWIZZLEBENCH_BENCH_ACCESS_FILE_H

#include <stddef.h>

#include "harness/error.h"
#include "model/swizzlebench.h"

struct access_file {
    const char *name;
    char *text; /* the whole file */
    size_t bytes;
    const char *at;   /* what comes next, */
    size_t line;      /* and on which line that is, from 1 */
    unsigned columns; /* of the header */
    unsigned instruction_column, mask_column, addresses_column;
    unsigned globals_column, cache_column; /* of fields that are always empty: not there */
};

struct access_row {
    const struct swb_instruction *instruction;
    struct swb_access access;
    bool has_globals; /* cp.async whose global addresses are given, and then: */
    bool bypass_l1;
    uint64_t global_byte_addresses[SWB_LANES];
    size_t line;
};

/* Opens a file ("-": standard input) and reads its header. ERROR_INPUT when it cannot be read, is
 * empty or lacks a column. */
bool access_file_open(const char *name, struct access_file *file, struct error *error);
void access_file_close(struct access_file *file);

/* Takes the next row. False at the end, with error->kind ERROR_NONE, and at a bad line, which the
 * error names: unknown instruction, mask, number of addresses, a lane's address misaligned or
 * beyond shared memory. */
bool access_file_next(struct access_file *file, struct access_row *row, struct error *error);

#endif
