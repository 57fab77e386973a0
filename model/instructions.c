/* Which shared-memory instructions does the model know, and what does a lane of each move? */
#include "model/swizzlebench.h"

#include <string.h>

#define PLAIN(prefix, lane_kind, bits)                                                             \
    {                                                                                              \
        .name = prefix ".b" #bits, .kind = lane_kind, .lane_bytes = bits / 8                       \
    }
#define MATRIX(prefix, matrix_kind, count, suffix, is_transposed)                                  \
    {                                                                                              \
        .name = prefix ".x" #count suffix, .kind = matrix_kind, .lane_bytes = 16,                  \
        .matrices = count, .transposed = is_transposed                                             \
    }
#define ASYNC(bytes)                                                                               \
    {                                                                                              \
        .name = "cp.async." #bytes, .kind = SWB_CP_ASYNC, .lane_bytes = bytes                      \
    }

static const struct swb_instruction instructions[] = {
    PLAIN("ld.shared", SWB_LOAD, 32),
    PLAIN("ld.shared", SWB_LOAD, 64),
    PLAIN("ld.shared", SWB_LOAD, 128),
    PLAIN("st.shared", SWB_STORE, 32),
    PLAIN("st.shared", SWB_STORE, 64),
    PLAIN("st.shared", SWB_STORE, 128),
    MATRIX("ldmatrix", SWB_LDMATRIX, 1, "", false),
    MATRIX("ldmatrix", SWB_LDMATRIX, 2, "", false),
    MATRIX("ldmatrix", SWB_LDMATRIX, 4, "", false),
    MATRIX("ldmatrix", SWB_LDMATRIX, 1, ".trans", true),
    MATRIX("ldmatrix", SWB_LDMATRIX, 2, ".trans", true),
    MATRIX("ldmatrix", SWB_LDMATRIX, 4, ".trans", true),
    MATRIX("stmatrix", SWB_STMATRIX, 1, "", false),
    MATRIX("stmatrix", SWB_STMATRIX, 2, "", false),
    MATRIX("stmatrix", SWB_STMATRIX, 4, "", false),
    MATRIX("stmatrix", SWB_STMATRIX, 1, ".trans", true),
    MATRIX("stmatrix", SWB_STMATRIX, 2, ".trans", true),
    MATRIX("stmatrix", SWB_STMATRIX, 4, ".trans", true),
    ASYNC(4),
    ASYNC(8),
    ASYNC(16),
    PLAIN("ld.shared", SWB_LOAD, 8),
    PLAIN("ld.shared", SWB_LOAD, 16),
    PLAIN("st.shared", SWB_STORE, 8),
    PLAIN("st.shared", SWB_STORE, 16),
};

enum { INSTRUCTION_COUNT = sizeof instructions / sizeof *instructions };

const struct swb_instruction *swb_instruction_find(const char *name)
{
    for (size_t i = 0; i < INSTRUCTION_COUNT; i++) {
        if (strcmp(instructions[i].name, name) == 0)
            return &instructions[i];
    }
    return NULL;
}

const struct swb_instruction *swb_instruction_at(size_t index)
{
    return index < INSTRUCTION_COUNT ? &instructions[index] : NULL;
}

unsigned swb_instruction_lanes(const struct swb_instruction *instruction)
{
    return instruction->matrices ? 8 * instruction->matrices : SWB_LANES;
}

unsigned swb_instruction_bytes(const struct swb_instruction *instruction)
{
    return swb_instruction_lanes(instruction) * instruction->lane_bytes;
}
