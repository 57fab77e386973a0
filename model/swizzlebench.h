/* swizzlebench's model of shared memory: the one public header of libswizzlebench.
 *
 * Pure C11, no dependency, no allocation behind the caller's back, no global state. Addresses are
 * byte addresses in shared memory; the low seven bits choose the bank. Every number the model
 * returns is exact on the hardware it was proven on (see docs/method.md), or the function says
 * that it cannot tell.
 */
#ifndef SWIZZLEBENCH_H
#define SWIZZLEBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Instructions ------------------------------------------------------------------------- */

enum { SWB_LANES = 32, SWB_BANKS = 32, SWB_BANK_BYTES = 4, SWB_WAVEFRONT_BYTES = 128 };

enum swb_kind { SWB_LOAD, SWB_STORE, SWB_LDMATRIX, SWB_STMATRIX, SWB_CP_ASYNC };

struct swb_instruction {
    const char *name; /* "ld.shared.b32", "ldmatrix.x4.trans", "cp.async.16" ... */
    enum swb_kind kind;
    unsigned lane_bytes; /* bytes at one lane address: 1 to 16; 16 (a row) for the matrix kinds */
    unsigned matrices;   /* N of .xN, lanes 0 .. 8N-1 give the row addresses; 0 for the others */
    bool transposed;     /* .trans */
};

/* The instructions by name and by number, in the order of the documentation; NULL where there is
 * none. */
const struct swb_instruction *swb_instruction_find(const char *name);
const struct swb_instruction *swb_instruction_at(size_t index);

/* Lanes that give an address, from lane 0 on: 8N for ldmatrix.xN and stmatrix.xN, else all. */
unsigned swb_instruction_lanes(const struct swb_instruction *instruction);

/* Bytes that one instruction moves with all its lanes active. */
unsigned swb_instruction_bytes(const struct swb_instruction *instruction);

/* ---- Bank model --------------------------------------------------------------------------- */

/* One instruction of one warp: which lanes take part, and the byte address each gives.
 * Lanes that an instruction does not read (8N and up of ldmatrix.xN) and inactive ones are
 * ignored. Addresses must be multiples of lane_bytes. */
struct swb_access {
    uint32_t active_mask;
    uint32_t lane_byte_addresses[SWB_LANES];
};

struct swb_cost {
    unsigned wavefronts;       /* passes through the banks */
    unsigned ideal_wavefronts; /* phases with an active lane: what no address pattern goes below */
    unsigned conflicts;        /* wavefronts - ideal_wavefronts: the hardware's bank conflicts */
};

/* Exact for every kind but SWB_CP_ASYNC, whose writes are grouped by the global lines they come
 * from; for that one it returns false and leaves *cost alone. */
bool swb_bank_cost(const struct swb_instruction *instruction, const struct swb_access *access,
                   struct swb_cost *cost);

/* Lanes that are served together: 32, 16 or 8, and twice as many (up to 32) where the pair rule
 * merges phases. The phases are the lanes [0, n), [n, 2n) ... */
unsigned swb_bank_phase_lanes(const struct swb_instruction *instruction,
                              const struct swb_access *access);

/* The pair rule, for loads of 8 and 16 bytes: 1 when every pair of lanes (n, n ^ 1) wants one
 * address or lacks a lane, else 2 when every pair (n, n ^ 2) does, else 0: phases do not merge.
 * 0 for every other instruction. */
unsigned swb_bank_pair_distance(const struct swb_instruction *instruction,
                                const struct swb_access *access);

/* ---- cp.async ----------------------------------------------------------------------------- */

/* One cp.async of one warp: where each lane writes in shared memory, and where it reads. */
struct swb_copy {
    struct swb_access to;
    uint64_t global_byte_addresses[SWB_LANES]; /* multiples of lane_bytes */
    bool bypass_l1;                            /* .cg, which takes 16 bytes a lane; else .ca */
};

struct swb_copy_cost {
    unsigned wavefronts;       /* of the writes, as op_ldgsts counts them */
    unsigned ideal_wavefronts; /* phases with an active lane */
    unsigned conflicts;        /* wavefronts - ideal through L1; past it none are ever counted */
    unsigned sectors;          /* of 32 bytes, that it asks the memory for */
};

/* Exact against the counters of a GH100. Returns false, and leaves *cost alone, for another
 * instruction and for .cg of less than 16 bytes. */
bool swb_copy_cost(const struct swb_instruction *instruction, const struct swb_copy *copy,
                   struct swb_copy_cost *cost);

/* ---- Layouts by name ---------------------------------------------------------------------- */

enum { SWB_TILE_MAX_EXTENT = 16384 }; /* rows or columns of a tile */

enum swb_major { SWB_K_MAJOR, SWB_MN_MAJOR };
enum swb_stack { SWB_STACK_ROW, SWB_STACK_COL }; /* the next atom in memory is the next along ... */

/* A way to lay lines of contiguous elements into shared memory. A line is a row of a K-major tile
 * and a column of an MN-major one. XOR of `swizzle_bits` address bits from swizzle_shift +
 * swizzle_base down onto swizzle_base acts on the byte offset (Sw<bits,base,shift>). */
struct swb_layout_mode {
    const char *name; /* "none", "32B", ..., "linear", "padded" */
    unsigned swizzle_bits, swizzle_base, swizzle_shift;
    unsigned span_bytes;  /* width of an atom; 0: the whole line */
    unsigned atom_lines;  /* lines of an atom: 8 (32 for the 4-byte atoms) */
    unsigned pad_bytes;   /* behind every line */
    unsigned chunk_bytes; /* what the swizzle keeps whole: 16, 32, 64, 8 or 4; 0: the whole line */
    bool flip_8_bytes;    /* the 8-byte halves of each 16 bytes change places on odd lines */
    unsigned tma_number;  /* 1 + its CUtensorMapSwizzle; 0: TMA does not write it */
};

/* A tile in a named layout. rows is M or N, cols is K, both in elements; stack orders the atoms
 * where the tile has more than one in both directions. */
struct swb_tile {
    const struct swb_layout_mode *mode;
    enum swb_major major;
    enum swb_stack stack;
    unsigned rows, cols, elem_bits; /* 4, 8, 16 or 32 */
};

/* Modes by number, NULL past the end: linear, padded, none, 32B, 64B, 128B, 128B-atom32B,
 * 128B-atom32B-flip8B, 128B-atom64B, 4B-atom. */
const struct swb_layout_mode *swb_layout_mode_at(size_t index);

/* Parses "linear", "padded", "K/128B", "MN/none" ...; linear and padded alone mean K-major.
 * Returns NULL and leaves *major alone for another text. */
const struct swb_layout_mode *swb_layout_find(const char *name, enum swb_major *major);

/* Returns NULL when the tile can be laid out, or one sentence that says why not (extents that are
 * no multiple of the atom, a bad element width). */
const char *swb_tile_refusal(const struct swb_tile *tile);
size_t swb_tile_bytes(const struct swb_tile *tile); /* of shared memory, padding included */

/* Byte offset of element (row, col), of a 4-bit one that of its byte; the tile's base must be a
 * multiple of its repeat (swb_tile_repeat_bytes) for this to be its place in memory. */
uint32_t swb_tile_byte_offset(const struct swb_tile *tile, unsigned row, unsigned col);

/* The same by line and by byte within the line. */
uint32_t swb_tile_line_offset(const struct swb_tile *tile, unsigned line, unsigned byte);
unsigned swb_tile_lines(const struct swb_tile *tile);
unsigned swb_tile_line_bytes(const struct swb_tile *tile);
unsigned swb_tile_repeat_bytes(const struct swb_tile *tile);

/* ---- Layout algebra ----------------------------------------------------------------------
 *
 * CuTe's layouts and what can be done with them, with CuTe's results where every extent is known
 * (its static integers). A layout maps a coordinate, or the number of a coordinate counted with
 * the first mode fastest, to an index: shape (8,64), stride (64,1) takes (r,c) to 64r + c.
 *
 * All types are plain values of fixed capacity. Functions that can fail return false, leave their
 * result alone and say why in *refusal, which may be NULL; a result may be the same object as an
 * argument. What CuTe refuses at compile time is refused here, and so is a result that would not
 * be the function that was asked for.
 */

enum {
    SWB_TUPLE_NODES = 64,         /* integers and parentheses of one tuple */
    SWB_LAYOUT_MAX_SIZE = 1 << 30 /* coordinates of a layout, and the largest index it gives */
};

/* Why something is not possible, in one sentence without a full stop. */
struct swb_refusal {
    unsigned column; /* where in the text that was parsed, from 1; 0 for other reasons */
    char sentence[248];
};

/* An integer or a tuple of tuples, (2,(4,8)), as its nodes in reading order. */
struct swb_tuple_node {
    int64_t value;  /* of an integer */
    uint16_t nodes; /* in this node and below it: 1 for an integer */
    bool is_tuple;
};

struct swb_tuple {
    unsigned count; /* of nodes; the first is the whole */
    struct swb_tuple_node nodes[SWB_TUPLE_NODES];
};

/* Shape and stride have the same profile: node i of one belongs to node i of the other. */
struct swb_layout {
    struct swb_tuple shape, stride;
};

/* Tuples. Printing follows snprintf: it returns the length that the text has, and cuts it to fit.
 */
bool swb_tuple_parse(const char *text, struct swb_tuple *tuple, struct swb_refusal *refusal);
size_t swb_tuple_print(const struct swb_tuple *tuple, char *text, size_t bytes);
bool swb_tuple_equal(const struct swb_tuple *a, const struct swb_tuple *b);
bool swb_tuple_congruent(const struct swb_tuple *a, const struct swb_tuple *b); /* same profile */
int64_t swb_tuple_product(const struct swb_tuple *tuple);
unsigned swb_tuple_rank(const struct swb_tuple *tuple); /* 1 for an integer */

/* Layouts: "(8,64):(64,1)"; without strides they are compact with the first mode fastest. CuTe's
 * marks of static integers, (_8,_64):(_64,_1), are read and mean the same. */
bool swb_layout_parse(const char *text, struct swb_layout *layout, struct swb_refusal *refusal);
size_t swb_layout_print(const struct swb_layout *layout, char *text, size_t bytes);
bool swb_layout_equal(const struct swb_layout *a, const struct swb_layout *b);
bool swb_layout_make(const struct swb_tuple *shape, const struct swb_tuple *stride,
                     struct swb_layout *layout, struct swb_refusal *refusal);

/* Compact strides in the order of the numbers in `order`, an integer a mode of a flat shape. */
bool swb_layout_make_ordered(const struct swb_tuple *shape, const struct swb_tuple *order,
                             struct swb_layout *layout, struct swb_refusal *refusal);
unsigned swb_layout_rank(const struct swb_layout *layout);
int64_t swb_layout_size(const struct swb_layout *layout);   /* coordinates */
int64_t swb_layout_cosize(const struct swb_layout *layout); /* largest index, plus one */
struct swb_layout swb_layout_mode(const struct swb_layout *layout, unsigned mode);
bool swb_layout_join(const struct swb_layout *modes, unsigned count, struct swb_layout *layout,
                     struct swb_refusal *refusal); /* (modes[0], modes[1], ...) */

/* Index of coordinate number i. Beyond the size the last mode goes on, as in CuTe. */
int64_t swb_layout_at(const struct swb_layout *layout, int64_t i);

/* Index of a coordinate, which may stay an integer where the shape is a tuple. */
bool swb_layout_at_coordinate(const struct swb_layout *layout, const struct swb_tuple *coordinate,
                              int64_t *index, struct swb_refusal *refusal);

/* The coordinate with number i, with the profile of the shape. */
void swb_layout_coordinate(const struct swb_layout *layout, int64_t i,
                           struct swb_tuple *coordinate);

/* Two coordinate numbers, first < second, with one index; false when the layout is one-to-one.
 * Looks at indices below SWB_COLLISION_INDICES alone, which is more than shared memory holds, one
 * coordinate after the other: some 10 ns each. */
enum { SWB_COLLISION_INDICES = 1 << 19 };
bool swb_layout_collision(const struct swb_layout *layout, int64_t *first, int64_t *second);

/* The same function of integers with as few modes as possible; by the profile of a tuple, mode by
 * mode. */
bool swb_coalesce(const struct swb_layout *layout, struct swb_layout *result,
                  struct swb_refusal *refusal);
bool swb_coalesce_by(const struct swb_layout *layout, const struct swb_tuple *profile,
                     struct swb_layout *result, struct swb_refusal *refusal);

/* a o b: result(i) = a(b(i)), with the shape of b, refined. */
bool swb_composition(const struct swb_layout *a, const struct swb_layout *b,
                     struct swb_layout *result, struct swb_refusal *refusal);

/* What `layout` leaves out of the first `extent` indices: ordered, and disjoint from it but for 0.
 */
bool swb_complement(const struct swb_layout *layout, int64_t extent, struct swb_layout *result,
                    struct swb_refusal *refusal);

/* layout(right(i)) = i for all i of right; left(layout(i)) = i for all i of layout, or, where modes
 * with stride 0 give several the same index, that of them which is 0 along these modes. */
bool swb_right_inverse(const struct swb_layout *layout, struct swb_layout *result,
                       struct swb_refusal *refusal);
bool swb_left_inverse(const struct swb_layout *layout, struct swb_layout *result,
                      struct swb_refusal *refusal);

/* Division splits a layout into (tile, rest); by a list of tilers, each mode by its own. The
 * zipped form gathers the tiles in the first mode and the rests, with the modes that have no
 * tiler, in the second. */
bool swb_logical_divide(const struct swb_layout *layout, const struct swb_layout *tiler,
                        struct swb_layout *result, struct swb_refusal *refusal);
bool swb_logical_divide_by(const struct swb_layout *layout, const struct swb_layout *tilers,
                           unsigned count, struct swb_layout *result, struct swb_refusal *refusal);
bool swb_zipped_divide(const struct swb_layout *layout, const struct swb_layout *tilers,
                       unsigned count, struct swb_layout *result, struct swb_refusal *refusal);

/* The product repeats a block as the tiler says: (block, repetitions). */
bool swb_logical_product(const struct swb_layout *block, const struct swb_layout *tiler,
                         struct swb_layout *result, struct swb_refusal *refusal);
bool swb_logical_product_by(const struct swb_layout *block, const struct swb_layout *tilers,
                            unsigned count, struct swb_layout *result, struct swb_refusal *refusal);
bool swb_zipped_product(const struct swb_layout *block, const struct swb_layout *tilers,
                        unsigned count, struct swb_layout *result, struct swb_refusal *refusal);

/* The tiler's elements are blocks, and mode i of the result is that of the block inside that of
 * the tiler. */
bool swb_blocked_product(const struct swb_layout *block, const struct swb_layout *tiler,
                         struct swb_layout *result, struct swb_refusal *refusal);

/* Repeats a block until it has `shape`, first along the mode with the smallest number in `order`;
 * NULL: along the first mode first. */
bool swb_tile_to_shape(const struct swb_layout *block, const struct swb_tuple *shape,
                       const struct swb_tuple *order, struct swb_layout *result,
                       struct swb_refusal *refusal);

/* The same memory seen as elements n times as wide, n times as narrow, or of new_bits. */
bool swb_upcast(const struct swb_layout *layout, int64_t n, struct swb_layout *result,
                struct swb_refusal *refusal);
bool swb_downcast(const struct swb_layout *layout, int64_t n, struct swb_layout *result,
                  struct swb_refusal *refusal);
bool swb_recast(const struct swb_layout *layout, unsigned old_bits, unsigned new_bits,
                struct swb_layout *result, struct swb_refusal *refusal);

/* ---- Swizzles, and swizzled layouts ------------------------------------------------------- */

/* Sw<bits,base,shift>: XORs `bits` bits from bit base + shift into those from bit base. A negative
 * shift takes them from below. */
struct swb_swizzle {
    int bits, base, shift;
};

/* A layout of elements in memory: Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1). With pointer_bits the
 * swizzle acts on byte addresses and elements have that width; with 0 it acts on indices, to which
 * `offset` was added. Without a swizzle its bits are 0. */
struct swb_composed {
    struct swb_swizzle swizzle;
    unsigned pointer_bits;
    int64_t offset;
    struct swb_layout layout;
};

bool swb_swizzle_check(const struct swb_swizzle *swizzle, struct swb_refusal *refusal);
int64_t swb_swizzle_apply(const struct swb_swizzle *swizzle, int64_t index);
int64_t swb_swizzle_repeat(const struct swb_swizzle *swizzle); /* in what it acts on */
bool swb_swizzle_recast(const struct swb_swizzle *swizzle, unsigned old_bits, unsigned new_bits,
                        struct swb_swizzle *result, struct swb_refusal *refusal);

/* Reads a layout with or without swizzle. */
bool swb_composed_parse(const char *text, struct swb_composed *composed,
                        struct swb_refusal *refusal);
size_t swb_composed_print(const struct swb_composed *composed, char *text, size_t bytes);

/* What CuTe's layout(i) gives, an index: the swizzle acts on indices even under a pointer, because
 * no address is known yet. */
int64_t swb_composed_at(const struct swb_composed *composed, int64_t i);

/* Where bit `bit` of element i lies in shared memory, counted in bits: base_bytes is the address of
 * the tile, and elem_bits the width of an element, equal to pointer_bits where that is given. A
 * pointer's swizzle that keeps less than an element together takes the element apart. */
int64_t swb_composed_bit_address(const struct swb_composed *composed, unsigned elem_bits,
                                 uint32_t base_bytes, int64_t i, unsigned bit);

/* The same memory as elements of new_bits. */
bool swb_composed_recast(const struct swb_composed *composed, unsigned old_bits, unsigned new_bits,
                         struct swb_composed *result, struct swb_refusal *refusal);

/* A tile in a named layout as CuTe writes it: rows and cols as its two modes. Refuses what has no
 * such form: 128B-atom32B-flip8B. */
bool swb_tile_composed(const struct swb_tile *tile, struct swb_composed *composed,
                       struct swb_refusal *refusal);

/* ---- MMA atoms: which thread holds what ---------------------------------------------------
 *
 * The warp's mma.sync of sm_75 to sm_90 and the warpgroup's wgmma, under the names that CuTe gives
 * them. A is M x K, B is N x K, C (and D) is M x N; a thread-value layout takes (thread, value) to
 * row + rows * column. They are those of the PTX ISA's figures of register fragments, and CuTe's;
 * but for B of SM80_16x8x32 with 4-bit types, which CuTe has wrong up to its pull request 3140.
 */

enum { SWB_MMA_NAME_BYTES = 48, SWB_MMA_MAX_THREADS = 1024 };

enum swb_mma_operand { SWB_MMA_A, SWB_MMA_B, SWB_MMA_C, SWB_MMA_OPERANDS };
enum swb_mma_mode { SWB_MMA_M, SWB_MMA_N, SWB_MMA_K, SWB_MMA_MODES };

struct swb_mma_type {
    const char *name; /* PTX's: "bf16", "e4m3"; "c64" for two f64 */
    unsigned bits;    /* in registers and in shared memory */
};

struct swb_mma_atom {
    char name[SWB_MMA_NAME_BYTES]; /* "SM80_16x8x16_F32BF16BF16F32_TN", "SM90_64x64x16_F32F16F16_RS"
                                    */
    unsigned sm;                   /* compute capability from which on it exists: 80 for 8.0 */
    unsigned threads;              /* 32; 128 for wgmma */
    unsigned extents[SWB_MMA_MODES];
    const struct swb_mma_type *types[SWB_MMA_OPERANDS];
    bool is_wgmma;    /* B comes from shared memory through a descriptor, */
    bool a_in_shared; /* and so does A: _SS */
};

/* Atom number `index`: those of mma.sync first. False past the end. */
bool swb_mma_atom_at(size_t index, struct swb_mma_atom *atom);
bool swb_mma_atom_find(const char *name, struct swb_mma_atom *atom);

/* The mode that the rows of an operand are, and its columns: M and K of A. */
enum swb_mma_mode swb_mma_rows(enum swb_mma_operand operand);
enum swb_mma_mode swb_mma_cols(enum swb_mma_operand operand);

/* Who holds the operand of one atom. Refuses what wgmma reads from shared memory. */
bool swb_mma_fragment(const struct swb_mma_atom *atom, enum swb_mma_operand operand,
                      struct swb_layout *tv, struct swb_refusal *refusal);

/* An atom repeated over warps, and over values until it covers a tile (CuTe's TiledMMA). */
struct swb_tiled_mma {
    struct swb_mma_atom atom;
    struct swb_layout atoms; /* AtomLayoutMNK: (M,N,K) -> number of the warp, or warpgroup */
    struct swb_layout
        tile[SWB_MMA_MODES]; /* PermutationMNK: place in the tile -> row of the data */
};

/* `atoms` has an integer mode for each of M, N and K. `tile` has a layout for each, 32:1 for an
 * extent alone, of which a row's place in the order of the atoms is the coordinate; NULL: the
 * atoms' own extents. Refuses a tile that the atoms do not divide, and either that is not
 * one-to-one onto its size. */
bool swb_tiled_mma_make(const struct swb_mma_atom *atom, const struct swb_layout *atoms,
                        const struct swb_layout *tile, struct swb_tiled_mma *tiled,
                        struct swb_refusal *refusal);
unsigned swb_tiled_mma_threads(const struct swb_tiled_mma *tiled);
unsigned swb_tiled_mma_atoms(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode);
unsigned swb_tiled_mma_extent(const struct swb_tiled_mma *tiled, enum swb_mma_mode mode);

/* Who holds an operand of rows x cols, multiples of the tile: (thread, (V, repeats of rows, repeats
 * of columns)). Warps that share an element have it both. */
bool swb_tiled_mma_partition(const struct swb_tiled_mma *tiled, enum swb_mma_operand operand,
                             unsigned rows, unsigned cols, struct swb_layout *tv,
                             struct swb_refusal *refusal);

/* ---- wgmma: operands in shared memory, and what an instruction costs -----------------------
 *
 * A matrix descriptor is 64 bits that tell wgmma (sm_90a) where an operand lies. A line of the
 * operand is a row (M or N) of a K-major one and a column (K) of an MN-major one; eight lines of
 * the mode's span are an atom. Source: PTX ISA, "Matrix Descriptor Format" and the canonical
 * layouts of its strides.
 */
struct swb_descriptor {
    uint32_t start_bytes;               /* of the first element; all three are multiples of 16 */
    uint32_t leading_bytes;             /* LBO, from a span of a line to the next; K-major with a
                                           swizzle: not used; MN-major none: as SBO elsewhere */
    uint32_t stride_bytes;              /* SBO, from eight lines to the next eight; MN-major none:
                                           from a span to the next */
    unsigned base_offset;               /* lines of 128 bytes from a multiple of 1024 bytes to where
                                           the swizzle's pattern begins */
    const struct swb_layout_mode *mode; /* none, 32B, 64B or 128B */
};

/* NULL, or one sentence that says why these are not the fields of a descriptor. */
const char *swb_descriptor_refusal(const struct swb_descriptor *descriptor);
uint64_t swb_descriptor_encode(const struct swb_descriptor *descriptor);
struct swb_descriptor swb_descriptor_decode(uint64_t bits);

/* Describes what an instruction reads of a tile at base_bytes in shared memory, from column `col`
 * (of K) on. An offset for which the tile has no use is 0. Refuses a swizzled tile whose base is no
 * multiple of 128 bytes, which no base offset tells. */
bool swb_tile_descriptor(const struct swb_tile *tile, uint32_t base_bytes, unsigned col,
                         struct swb_descriptor *descriptor, struct swb_refusal *refusal);

/* Address from which the hardware reads element (row, col) of an operand of that major: whether the
 * descriptor is right is not asked. */
uint32_t swb_descriptor_address(const struct swb_descriptor *descriptor, enum swb_major major,
                                unsigned elem_bits, unsigned row, unsigned col);

/* Wavefronts in which an instruction reads so many rows (M or N): eight lines of 16 bytes at a
 * time, as ldmatrix does. */
unsigned swb_descriptor_wavefronts(const struct swb_descriptor *descriptor, enum swb_major major,
                                   unsigned elem_bits, unsigned rows);

/* m64nN: clocks of the tensor core for a dense product, the same for all types, and wavefronts of
 * reading operands without conflicts. */
unsigned swb_wgmma_tensor_cycles(unsigned n);
unsigned swb_wgmma_wavefronts(unsigned n, bool a_in_shared);

/* Clocks an instruction on a saturated SM, when its operands take so many wavefronts. Measured on
 * a GH100 with 7 types (docs/wgmma.md). */
unsigned swb_wgmma_cycles(unsigned n, bool a_in_shared, unsigned wavefronts);

/* ---- TMA: which tensor maps the driver takes ----------------------------------------------
 *
 * What cuTensorMapEncodeTiled is given, with the numbers that cuda.h gives the enumerations. The
 * rules are those that the driver of an H200 was seen to follow (docs/tma-rules.md), not those of
 * its documentation; for other GPUs and for what was not tried they are the documented ones.
 */

enum {
    SWB_TMA_MAX_RANK = 5,
    SWB_TMA_MAX_BOX_BYTES = 228 * 1024,
    SWB_TMA_SMEM_ALIGNMENT_BYTES = 128, /* of a box in shared memory */
    SWB_TMA_CHUNK_BYTES = 16,           /* what the swizzles of Hopper keep whole */
    SWB_TMA_MAX_BROKEN = 64,            /* no tensor map breaks more rules than this */
};

struct swb_tma_map {
    unsigned dtype;
    unsigned rank;                              /* entries from the rank on are ignored */
    uint64_t address;                           /* in global memory */
    uint64_t dims[SWB_TMA_MAX_RANK];            /* elements; dimension 0 is contiguous */
    uint64_t strides[SWB_TMA_MAX_RANK - 1];     /* bytes, from dimension 1 on */
    uint32_t box[SWB_TMA_MAX_RANK];             /* elements */
    uint32_t element_strides[SWB_TMA_MAX_RANK]; /* every so many elements of the box */
    unsigned interleave, swizzle, l2_promotion, oob_fill;
};

/* Names of the enumerations' values: "bf16", "none", "128B-atom32B", "nan"; NULL past the end. */
enum swb_tma_word {
    SWB_TMA_DTYPE,
    SWB_TMA_INTERLEAVE,
    SWB_TMA_SWIZZLE,
    SWB_TMA_L2_PROMOTION,
    SWB_TMA_OOB_FILL,
};
const char *swb_tma_name(enum swb_tma_word word, unsigned value);

/* Width of an element in global memory, and in shared memory, where the 16-byte aligned packed
 * types have gaps. 0 for a type that does not exist. */
unsigned swb_tma_elem_bits(unsigned dtype);
unsigned swb_tma_smem_elem_bits(unsigned dtype);

struct swb_tma_broken {
    const char *rule;   /* its name, "box-width" */
    char sentence[232]; /* which value, which limit, and the nearest legal value */
};

/* Returns how many rules the tensor map breaks on a GPU of this compute capability (90 for 9.0); 0:
 * the driver takes it. The first `most` are described in `broken`, which may be NULL when most is
 * 0. */
unsigned swb_tma_check(const struct swb_tma_map *map, unsigned compute_capability,
                       struct swb_tma_broken *broken, unsigned most);

/* ---- TMA: where the bytes of a box land ---------------------------------------------------
 *
 * A box is lines of contiguous bytes. Line number l counts the outer dimensions with dimension 1
 * fastest. Where the tensor map is interleaved, dimension 0 counts slices of 16 (32) bytes, and a
 * box is one slice thick in the dimension before the last. Proven on an H200 for swizzles none to
 * 128B; the rest is as documented.
 */

/* Coordinates from one element of a box to the next along dimension i: the element stride, which
 * counts along dimension 0 of interleaved tensors alone. */
unsigned swb_tma_step(const struct swb_tma_map *map, unsigned i);

/* Bits of global memory from one coordinate of dimension 0 to the next: of an element, or slice. */
unsigned swb_tma_unit_bits(const struct swb_tma_map *map);

struct swb_tma_box {
    unsigned swizzle, interleave, rank;
    unsigned inner_bytes;                   /* of a line */
    unsigned extents[SWB_TMA_MAX_RANK - 1]; /* elements that arrive along dimension 1, 2 ... */
    uint32_t smem_address;
};

/* The box of a tensor map that swb_tma_check takes. */
struct swb_tma_box swb_tma_box_of(const struct swb_tma_map *map, uint32_t smem_address);

/* Returns NULL, or one sentence that says why there is no such box: a line that is no multiple of
 * 16 bytes or wider than the swizzle's span, an address that is no multiple of 128, no room. */
const char *swb_tma_box_refusal(const struct swb_tma_box *box);

unsigned swb_tma_box_lines(const struct swb_tma_box *box);

/* Shared memory from smem_address to behind the last line. A line takes the whole span of its
 * swizzle. */
uint32_t swb_tma_box_bytes(const struct swb_tma_box *box);

/* Address in shared memory of a byte of a line. */
uint32_t swb_tma_box_address(const struct swb_tma_box *box, unsigned line, unsigned byte);

/* Of the 16 bytes from `byte` of a line on, how many lie outside the tensor and are filled, when
 * the box begins at element start[i] of dimension i. As documented. */
unsigned swb_tma_filled_bytes(const struct swb_tma_map *map, const int32_t *start, unsigned line,
                              unsigned byte);

/* Whether the tensor core can read the box where it lies, and as which layout. */
struct swb_tma_reading {
    bool readable;
    char name[32];      /* "K/128B"; "" when it cannot */
    char sentence[232]; /* the descriptor's offsets, or what is wrong and what would be right */
};
struct swb_tma_reading swb_tma_reading(const struct swb_tma_box *box, unsigned elem_bits);

#ifdef __cplusplus
}
#endif

#endif
