/* Does the shared family notice when the bytes of a load, a store or a copy are wrong?
 *
 * On a GPU that is made up here: its instructions are those of the PTX documentation, lane by lane,
 * and its loops those of kernels/sweep.cuh; and it can be told to do one thing wrong. */
#include "bench/access_bench.h"
#include "bench/families.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_gpu.h"

enum { SMEM_BASE = 1024, SMEM_BYTES = 227 * 1024 };

/* ---- The made-up GPU ----------------------------------------------------------------------- */

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT, /* of a load, as it is shown; of a byte that a store writes */
        SHORT_LOOP,  /* an iteration too few */
        SAME_COPY,   /* the last copy of a slot is the one before */
        LONG_STRIDE, /* a warp's next group is not the next of its own */
        LOST_LANE,   /* the last one does nothing */
        WRONG_LINK,  /* a chain reads its first address again and again */
        STRAY_STORE, /* of a byte that is nobody's */
        NO_TRANS,
    } fault;
    uint32_t most_iterations; /* of a sweep that was verified */
    uint8_t smem[IMAGE_BYTES];
} fake;

bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)error;
    assert_true(strncmp(fatbin, entry, 6) == 0 || strcmp(fatbin, "ld_st_shared") == 0);
    kernel->entry = entry;
    return true;
}

/* ---- Its instructions ---------------------------------------------------------------------- */

struct warp_registers {
    uint32_t of[SWB_LANES][4];
};

/* What an entry point is named after. */
struct instruction {
    bool loads, copies, trans;
    unsigned matrices, bytes; /* a lane's, where there are no matrices */
};

static struct instruction instruction_of(const char *entry)
{
    struct instruction i = {.loads = strncmp(entry, "ld", 2) == 0,
                            .copies = strncmp(entry, "cp_async_", 9) == 0,
                            .trans = strstr(entry, "_trans") && fake.fault != NO_TRANS};
    if (strstr(entry, "matrix_x"))
        i.matrices = (unsigned)atoi(strstr(entry, "matrix_x") + 8);
    else
        i.bytes =
            i.copies ? (unsigned)atoi(entry + 9) : (unsigned)atoi(strstr(entry, "_b") + 2) / 8;
    return i;
}

/* Element (row, col) of a matrix that a lane holds in half `half` of its register. */
static void element_of(unsigned lane, unsigned half, bool trans, unsigned *row, unsigned *col)
{
    unsigned a = lane / 4, b = 2 * (lane % 4) + half;
    *row = trans ? b : a;
    *col = trans ? a : b;
}

/* ldmatrix and stmatrix: lane l gives the address of row l % 8 of matrix l / 8. */
static void move_matrices(const struct instruction *i, const uint32_t *addresses,
                          struct warp_registers *registers)
{
    for (unsigned matrix = 0; matrix < i->matrices; matrix++)
        for (unsigned lane = 0; lane < SWB_LANES; lane++)
            for (unsigned half = 0; half < 2; half++) {
                unsigned row, col;
                element_of(lane, half, i->trans, &row, &col);
                uint8_t *memory = &fake.smem[addresses[8 * matrix + row] + 2 * col];
                uint8_t *held = (uint8_t *)&registers->of[lane][matrix] + 2 * half;
                memcpy(i->loads ? held : memory, i->loads ? memory : held, 2);
            }
}

static void move_words(const struct instruction *i, const uint32_t *addresses, uint32_t active,
                       const uint8_t *const *sources, struct warp_registers *registers)
{
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        uint8_t *memory = &fake.smem[addresses[lane]];
        if (!(active >> lane & 1))
            continue;
        if (i->loads)
            memcpy(registers->of[lane], memory, i->bytes);
        else
            memcpy(memory, i->copies ? sources[lane] : (uint8_t *)registers->of[lane], i->bytes);
    }
}

/* Slot `slot` of the lists, at a copy of it. */
static void execute(const struct sweep_arguments *a, const struct instruction *i, unsigned slot,
                    unsigned copy, struct warp_registers *registers)
{
    const uint32_t(*offsets)[SWB_LANES] = (void *)at(a->offsets);
    const uint32_t(*from)[SWB_LANES] = (void *)at(a->sources);
    const struct warp_registers *data = (void *)at(a->data);
    uint32_t addresses[SWB_LANES], active = a->active_mask;
    const uint8_t *sources[SWB_LANES];
    if (fake.fault == SAME_COPY && copy == COPIES - 1)
        copy--;
    if (fake.fault == LOST_LANE)
        active &= ~(1u << 31);
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        addresses[lane] = offsets[slot][lane] + copy * COPY_BYTES;
        sources[lane] = at(a->source) + from[slot][lane] + copy * COPY_BYTES;
    }
    *registers = data[slot];
    if (i->loads)
        memset(registers, 0, sizeof *registers);
    if (i->matrices)
        move_matrices(i, addresses, registers);
    else
        move_words(i, addresses, active, sources, registers);
}

/* ---- Its kernels --------------------------------------------------------------------------- */

static void show(const struct sweep_arguments *a, const struct instruction *i)
{
    struct warp_registers(*out)[COPIES] = (void *)at(a->out);
    for (unsigned slot = 0; slot < a->groups * GROUP_SLOTS; slot++)
        for (unsigned copy = 0; copy < COPIES; copy++)
            execute(a, i, slot, copy, &out[slot][copy]);
    out[1][1].of[5][0] ^= fake.fault == FLIPPED_BIT;
}

/* Every body does the same, so that one of them tells. */
static void sweep_group(const struct sweep_arguments *a, const struct instruction *i, unsigned warp,
                        unsigned group, uint32_t bodies)
{
    struct warp_registers *sums = (void *)at(a->out), registers;
    for (unsigned slot = GROUP_SLOTS * group; slot < GROUP_SLOTS * (group + 1); slot++)
        for (unsigned copy = 0; copy < COPIES; copy++) {
            execute(a, i, slot, copy, &registers);
            for (unsigned n = 0; i->loads && n < SWB_LANES * 4; n++)
                sums[warp].of[n / 4][n % 4] += bodies * registers.of[n / 4][n % 4];
        }
}

static void sweep(const struct sweep_arguments *a, const struct instruction *i, unsigned warps,
                  uint32_t iterations)
{
    bool narrow = i->loads && (i->matrices == 1 || i->bytes == 4);
    uint32_t bodies = (iterations - (fake.fault == SHORT_LOOP)) * (narrow ? 8 : 4);
    if (i->loads)
        memset(at(a->out), 0, warps * sizeof(struct warp_registers));
    for (unsigned warp = 0; warp < warps; warp++)
        for (unsigned group = warp; group < a->groups;
             group += a->warps + (fake.fault == LONG_STRIDE))
            sweep_group(a, i, warp, group, bodies);
    if (i->loads)
        return;
    fake.smem[fake.fault == STRAY_STORE ? IMAGE_BYTES - 1 : 0] ^= fake.fault == STRAY_STORE;
    fake.smem[0] ^= fake.fault == FLIPPED_BIT;
    memcpy(at(a->out), fake.smem, a->out_bytes);
}

/* Of loads: where each lane comes to. */
static void chain(const struct sweep_arguments *a, const struct instruction *i, uint32_t iterations)
{
    uint32_t(*out)[2] = (void *)at(a->out);
    uint32_t at_bytes[SWB_LANES];
    struct sweep_arguments now = *a;
    memcpy(at_bytes, at(a->offsets) + a->chain_start * sizeof at_bytes, sizeof at_bytes);
    now.offsets = (uintptr_t)at_bytes;
    for (uint32_t n = 0; n < iterations; n++) {
        struct warp_registers registers;
        execute(&now, i, 0, 0, &registers);
        for (unsigned lane = 0; lane < SWB_LANES && fake.fault != WRONG_LINK; lane++)
            at_bytes[lane] = registers.of[lane][0] - SMEM_BASE;
    }
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        out[lane][0] = at_bytes[lane];
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    const char *entry = launch->kernel.entry;
    (void)unused, (void)error;
    if (strcmp(entry, "shared_base") == 0) {
        uint32_t base = SMEM_BASE;
        memcpy(at(*(gpu_address *)launch->arguments[0]), &base, sizeof base);
        return true;
    }
    const struct sweep_arguments *a = launch->arguments[0];
    uint32_t iterations = *(uint32_t *)launch->arguments[1];
    struct instruction i = instruction_of(entry);
    unsigned warps = launch->block_x / SWB_LANES;
    assert_int_equal(a->warps, warps);
    assert_int_equal(launch->grid_x, 1);
    memcpy(fake.smem, at(a->image), a->image_bytes);
    if (strstr(entry, "_show"))
        show(a, &i);
    else if (strstr(entry, "_sweep"))
        sweep(a, &i, warps, iterations);
    else
        chain(a, &i, iterations);
    if (strstr(entry, "_sweep") && iterations > fake.most_iterations)
        fake.most_iterations = iterations;
    return true;
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    (void)set, (void)launch, (void)values;
    fail_msg("nothing is counted here");
}

bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    (void)unused, (void)error;
    assert_true(timed->n >= 4);
    *timing = (struct timing){4, 4, 4, 5, 0, 1980, NAN};
    return true;
}

/* ---- Running ------------------------------------------------------------------------------- */

static struct working_family working = {.family = &family_shared, .gpu = (struct gpu *)&fake};

static int healthy(void **state)
{
    (void)state;
    made_up_hopper(SMEM_BYTES);
    fake.fault = NO_FAULT;
    fake.most_iterations = 0;
    unsetenv("SWIZZLEBENCH_UNTIMED");
    return 0;
}

static void test_all_cases(void **unused)
{
    (void)unused;
    static struct row row;
    size_t by_status[4] = {0};
    working_open(&working);
    for (size_t i = 0; i < family_shared.case_count(&family_shared, false); i++) {
        working_measure(&working, i, &row);
        if (row.status == ROW_FAILED)
            fail_msg("%s: %s", row.case_name, row.reason);
        by_status[row.status]++;
        assert_int_equal(row.verified, row.status == ROW_OK ? VERIFIED_YES : VERIFIED_NOT_RUN);
    }
    working_close(&working);
    assert_true(by_status[ROW_OK] > 1400);
    assert_int_equal(by_status[ROW_REFUSED], 0);
}

/* As often round the loop as when counted, but once for a tool that makes all slow. */
static void test_untimed(void **unused)
{
    (void)unused;
    static struct row row;
    const char *const names[] = {"ld.shared.b32 K/128B 64x64x16b rows",
                                 "st.shared.b64 K/128B 64x64x16b rows"};
    for (unsigned i = 0; i < 4; i++) {
        bool untimed = i >= 2;
        fake.most_iterations = 0;
        if (untimed)
            setenv("SWIZZLEBENCH_UNTIMED", "1", 1);
        working_open(&working);
        working_measure(&working, case_index(&family_shared, names[i % 2]), &row);
        working_close(&working);
        assert_int_equal(row.verified, VERIFIED_YES);
        assert_int_equal(fake.most_iterations, untimed ? 1 : ITERATIONS);
    }
}

static void assert_caught(const char *name, int fault, const char *reason)
{
    working_open(&working);
    fake.fault = fault;
    assert_ends(&working, case_index(&family_shared, name), ROW_FAILED, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *load = "ld.shared.b32 K/128B 64x64x16b rows",
               *wide = "ld.shared.b128 K/128B 64x64x16b rows",
               *store = "st.shared.b64 K/128B 64x64x16b rows",
               *copy = "cp.async.16 K/128B 64x64x16b rows",
               *turned = "ldmatrix.x4.trans MN/128B 64x64x16b subtile";
    const char *in_memory = "wrong bytes: byte ", *shown = "wrong bytes: position ",
               *summed = "wrong sum of the timed kernel";
    assert_caught(load, FLIPPED_BIT, "position 1 copy 1 lane 5 register 0");
    assert_caught(store, FLIPPED_BIT, in_memory);
    assert_caught(copy, FLIPPED_BIT, in_memory);
    assert_caught(load, SHORT_LOOP, summed);
    assert_caught(load, SAME_COPY, shown);
    assert_caught(store, SAME_COPY, in_memory);
    assert_caught(copy, SAME_COPY, in_memory);
    assert_caught(load, LOST_LANE, shown);
    assert_caught(store, LOST_LANE, in_memory);
    assert_caught(copy, LOST_LANE, in_memory);
    assert_caught(turned, NO_TRANS, shown);
    assert_caught(store, STRAY_STORE, in_memory);
    assert_caught(load, WRONG_LINK, "wrong chain: lane 0 is at byte");
    /* what only a warp that goes from group to group can get wrong */
    assert_caught(load, LONG_STRIDE, summed);
    assert_caught(wide, LONG_STRIDE, summed);
    assert_caught(store, LONG_STRIDE, in_memory);
    assert_caught(copy, LONG_STRIDE, in_memory);
}

/* What failed before it was timed has no clocks, and not some of 0. */
static void test_no_times(void **unused)
{
    (void)unused;
    static const char *const untold[] = {"throughput_cycles", "sm_clock_mhz", "samples"};
    static struct row row;
    working_open(&working);
    fake.fault = FLIPPED_BIT;
    working_measure(&working, case_index(&family_shared, "ld.shared.b32 K/128B 64x64x16b rows"),
                    &row);
    working_close(&working);
    assert_int_equal(row.status, ROW_FAILED);
    for (size_t i = 0; i < sizeof untold / sizeof untold[0]; i++)
        assert_string_equal(working_value(&working, &row, untold[i]), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_all_cases, healthy),
        cmocka_unit_test_setup(test_untimed, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_no_times, healthy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
