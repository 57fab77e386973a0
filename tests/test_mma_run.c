/* Does the mma family verify, count and judge products rightly?
 *
 * On a GPU that is made up here: its ldmatrix and its mma.sync are those of the PTX documentation,
 * lane by lane, with none of the code that says what should come out; and it can be told to do one
 * thing wrong. */
#include "bench/families.h"
#include "bench/mma_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_gpu.h"

/* ---- The made-up GPU ----------------------------------------------------------------------- */

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT,
        FLIPPED_LAST,  /* of the last accumulator of the last thread */
        FLIPPED_ALONE, /* by the kernel without loads in its loop */
        ONE_ROUND,
        IGNORES_TRANS,
        ALWAYS_TRANS,
        EXTRA_WAVEFRONT,
        EXTRA_CONFLICT,
        MERGED_LOAD,
        LOST_MMA
    } fault;
    bool sees_ldmatrix_among_loads;
} fake;

bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)error;
    assert_string_equal(fatbin, strncmp(entry, "e4m3", 4) == 0 ? "mma_fp8" : "mma");
    kernel->entry = entry;
    return true;
}

/* ---- Its numbers --------------------------------------------------------------------------- */

static double float_of(uint32_t word, unsigned exponent_bits, unsigned mantissa_bits)
{
    int exponent = (int)(word >> mantissa_bits & ((1u << exponent_bits) - 1));
    double mantissa = word & ((1u << mantissa_bits) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    double value = exponent ? ldexp(ldexp(1, (int)mantissa_bits) + mantissa,
                                    exponent - bias - (int)mantissa_bits)
                            : ldexp(mantissa, 1 - bias - (int)mantissa_bits);
    return word >> (exponent_bits + mantissa_bits) & 1 ? -value : value;
}

static const struct kind {
    const char *prefix;
    unsigned bits, exponent_bits, mantissa_bits;
} kinds[] = {{"bf16_", 16, 8, 7},
             {"f16_", 16, 5, 10},
             {"tf32_", 32, 8, 23},
             {"s8_", 8, 0, 0},
             {"e4m3_", 8, 4, 3}};

static const struct kind *kind_of(const char *entry)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(entry, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
            return &kinds[i];
    fail_msg("no kernel %s", entry);
    return NULL;
}

/* Number `i` of those in a register. */
static double number_in(const struct kind *kind, uint32_t reg, unsigned i)
{
    uint32_t bits = kind->bits == 32 ? reg : reg >> i * kind->bits & ((1u << kind->bits) - 1);
    return kind->exponent_bits ? float_of(bits, kind->exponent_bits, kind->mantissa_bits)
                               : (int8_t)bits;
}

/* ---- Its loads ----------------------------------------------------------------------------- */

struct warp_register {
    uint32_t lane[32];
};

static uint32_t word_at(const uint8_t *memory, uint32_t address)
{
    uint32_t word;
    memcpy(&word, memory + address, 4);
    return word;
}

/* ldmatrix.x4: lane l gives the address of row l % 8 of matrix l / 8. */
static void load_matrices(const uint8_t *memory, const uint32_t *offsets, bool trans,
                          struct warp_register *registers)
{
    for (unsigned matrix = 0; matrix < 4; matrix++) {
        uint16_t rows[8][8];
        for (unsigned row = 0; row < 8; row++) {
            assert_int_equal(offsets[8 * matrix + row] % 16, 0);
            memcpy(rows[row], memory + offsets[8 * matrix + row], 16);
        }
        for (unsigned lane = 0; lane < 32; lane++) {
            unsigned row = lane / 4, col = 2 * (lane % 4);
            registers[matrix].lane[lane] =
                trans ? rows[col][row] | (uint32_t)rows[col + 1][row] << 16
                      : rows[row][col] | (uint32_t)rows[row][col + 1] << 16;
        }
    }
}

struct operand {
    bool is_ldmatrix, trans;
    unsigned loads; /* of a fragment */
};

/* Reads the words of a kernel's name behind its type: those of A, then those of B. */
static struct operand next_operand(const char **words)
{
    bool is_ldmatrix = strncmp(*words, "ldmatrix_x4_", 12) == 0;
    *words += strlen(is_ldmatrix ? "ldmatrix_x4_" : "ld_shared_b32_");
    bool trans = strncmp(*words, "trans_", 6) == 0;
    *words += trans ? 6 : 0;
    return (struct operand){is_ldmatrix, trans, is_ldmatrix ? 1 : 4};
}

static void load_fragment(const struct operand *operand, const uint8_t *memory,
                          const uint32_t *offsets, struct warp_register *registers)
{
    bool trans = fake.fault == ALWAYS_TRANS || (operand->trans && fake.fault != IGNORES_TRANS);
    if (operand->is_ldmatrix)
        load_matrices(memory, offsets, trans, registers);
    for (unsigned i = 0; i < 4 && !operand->is_ldmatrix; i++)
        for (unsigned lane = 0; lane < 32; lane++)
            registers[i].lane[lane] = word_at(memory, offsets[32 * i + lane]);
}

/* Wavefronts of one address a lane with `words` of 4 bytes each: of lanes from..to. */
static unsigned wavefronts(const uint32_t *offsets, unsigned lanes, unsigned words)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
        uint32_t wanted[32];
        unsigned count = 0;
        for (unsigned i = 0; i < lanes * words; i++) {
            uint32_t word = offsets[i / words] / 4 + i % words;
            unsigned known = 0;
            while (known < count && wanted[known] != word)
                known++;
            if (word % 32 == bank && known == count)
                wanted[count++] = word;
        }
        most = count > most ? count : most;
    }
    return most;
}

/* ---- Its mma ------------------------------------------------------------------------------- */

/* mma.sync.m16n8 over rows of 32 bytes: with lane = 4 g + t, register i of A holds row
 * g + 8 (i % 2), from column t * (numbers of a register) on, i / 2 half rows on; register i of B
 * holds column g of its 8, i half rows on; c[i] is row g + 8 (i / 2), column 2 t + i % 2. */
static void multiply(const struct kind *kind, const struct warp_register *a,
                     const struct warp_register *b, double (*c)[4])
{
    double left[16][32], right[8][32];
    unsigned in_register = 32 / kind->bits, depth = 8 * in_register;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; i < 4 * in_register; i++) {
            unsigned reg = i / in_register, k = lane % 4 * in_register + i % in_register;
            left[lane / 4 + 8 * (reg % 2)][k + reg / 2 * depth / 2] =
                number_in(kind, a[reg].lane[lane], i % in_register);
            if (reg < 2)
                right[lane / 4][k + reg * depth / 2] =
                    number_in(kind, b[reg].lane[lane], i % in_register);
        }
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < depth; k++)
                c[lane][i] += left[lane / 4 + 8 * (i / 2)][k] * right[2 * (lane % 4) + i % 2][k];
}

struct counts {
    double wavefronts, ideal, ldmatrix, loads, mma;
};

static void count_loads(const struct operand *operand, const uint32_t *offsets, unsigned fragments,
                        struct counts *counts)
{
    for (unsigned i = 0; i < fragments; i++)
        for (unsigned phase = 0; phase < 4; phase++) {
            const uint32_t *first = offsets + (i * operand->loads) * 32;
            counts->wavefronts += operand->is_ldmatrix ? wavefronts(first + 8 * phase, 8, 4)
                                                       : wavefronts(first + 32 * phase, 32, 1);
            counts->ideal++;
        }
    *(operand->is_ldmatrix ? &counts->ldmatrix : &counts->loads) += fragments * operand->loads;
}

/* The work of a warp over four steps of the problem. */
static void run_warp(const struct kind *kind, const struct operand *operands, const uint8_t *memory,
                     const uint32_t *offsets, double (*c)[4][32][4], struct counts *counts)
{
    const uint32_t *of_b = offsets + 16 * operands[0].loads * 32;
    for (unsigned step = 0; step < 4 && c; step++) {
        struct warp_register a[4][4], b[2][4];
        for (unsigned i = 0; i < 4; i++)
            load_fragment(&operands[0], memory, offsets + (4 * step + i) * operands[0].loads * 32,
                          a[i]);
        for (unsigned i = 0; i < 2; i++)
            load_fragment(&operands[1], memory, of_b + (2 * step + i) * operands[1].loads * 32,
                          b[i]);
        for (unsigned n = 0; n < 4; n++)
            for (unsigned m = 0; m < 4; m++)
                multiply(kind, a[m], &b[n / 2][n % 2 * 2], c[n][m]);
    }
    count_loads(&operands[0], offsets, 16, counts);
    count_loads(&operands[1], of_b, 8, counts);
    counts->mma += 64;
}

static void run(const struct gpu_launch *launch, bool multiplies, struct counts *counts)
{
    const char *entry = launch->kernel.entry;
    const struct mma_arguments *a = launch->arguments[0];
    uint32_t iterations = *(uint32_t *)launch->arguments[1];
    *counts = (struct counts){.mma = 0};
    assert_int_equal(launch->block_x, 256);
    assert_true(a->image_bytes <= launch->dynamic_smem_bytes);
    if (strcmp(entry, "control") == 0)
        return;
    const struct kind *kind = kind_of(entry);
    const char *words = entry + strlen(kind->prefix);
    struct operand operands[2];
    operands[0] = next_operand(&words);
    operands[1] = next_operand(&words);
    assert_true(strcmp(words, "loads") == 0 || strcmp(words, "alone") == 0);
    for (unsigned warp = 0; warp < 8; warp++) {
        static double c[4][4][32][4];
        const uint32_t *offsets = (const uint32_t *)(const void *)at(a->offsets) +
                                  warp * 32 * (16 * operands[0].loads + 8 * operands[1].loads);
        memset(c, 0, sizeof c);
        run_warp(kind, operands, at(a->image), offsets, multiplies ? c : NULL, counts);
        for (unsigned i = 0; i < 4 * 4 * 32 * 4 && multiplies; i++) {
            unsigned value = i % 4, lane = i / 4 % 32, m = i / 128 % 4, n = i / 512;
            double sum = c[n][m][lane][value] * (fake.fault == ONE_ROUND ? 1 : iterations);
            float as_float = (float)sum;
            int32_t as_integer = (int32_t)sum;
            memcpy(at(a->out) + 4 * ((warp * 32 + lane) * 64 + (n * 4 + m) * 4 + value),
                   kind->exponent_bits ? (const void *)&as_float : (const void *)&as_integer, 4);
        }
    }
    counts->wavefronts *= iterations;
    counts->ideal *= iterations;
    counts->ldmatrix *= iterations;
    counts->loads *= iterations;
    counts->mma *= iterations;
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    struct counts counts;
    (void)unused, (void)error;
    run(launch, true, &counts);
    uint8_t *out = at(((struct mma_arguments *)launch->arguments[0])->out);
    bool alone = strstr(launch->kernel.entry, "alone") != NULL;
    if (fake.fault == FLIPPED_BIT || (fake.fault == FLIPPED_ALONE && alone))
        out[4 * (64 * 200 + 33)] ^= 1;
    if (fake.fault == FLIPPED_LAST)
        out[4 * (64 * 255 + 63)] ^= 1;
    return true;
}

/* ---- Its counters and clocks --------------------------------------------------------------- */

/* Ten of everything are the control's, but tensor instructions: as on an H200, the control alone
 * counts some that it has not. */
static double counted(const char *name, const struct counts *counts, bool is_control)
{
    double value = strstr(name, "wavefronts")  ? counts->wavefronts
                   : strstr(name, "conflicts") ? counts->wavefronts - counts->ideal
                   : strstr(name, "ldsm")      ? counts->ldmatrix
                   : strstr(name, "shared_ld") ? counts->loads
                   : strstr(name, "tensor")    ? counts->mma
                                               : 7;
    if (fake.sees_ldmatrix_among_loads && strstr(name, "shared_ld"))
        value += counts->ldmatrix;
    if (!is_control) {
        value += fake.fault == EXTRA_WAVEFRONT && strstr(name, "wavefronts");
        value += fake.fault == EXTRA_CONFLICT && strstr(name, "conflicts");
        value -= fake.fault == MERGED_LOAD && strstr(name, "ldsm");
        value -= fake.fault == LOST_MMA && strstr(name, "tensor");
    }
    if (strstr(name, "tensor"))
        return is_control ? 8 : value;
    return value + 10;
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    struct counts counts;
    run(launch, false, &counts);
    for (size_t i = 0; i < set->count; i++)
        values[i] = counted(set->names[i], &counts, strcmp(launch->kernel.entry, "control") == 0);
}

/* A clock a wavefront, or two an mma. */
bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    struct counts counts;
    (void)unused, (void)error;
    assert_ptr_equal(timed->iterations, timed->launch.arguments[1]);
    assert_int_equal(timed->work_per_iteration, 512);
    assert_true(timed->n >= 4);
    *timed->iterations = 1;
    run(&timed->launch, false, &counts);
    bool alone = strstr(timed->launch.kernel.entry, "_alone") != NULL;
    double cycles = alone ? 2 : fmax(2, counts.wavefronts / 512);
    *timing = (struct timing){cycles - 0.125, cycles, cycles + 0.125, 5, 0, 1980, NAN};
    return true;
}

/* ---- Running ------------------------------------------------------------------------------- */

static struct working_family working = {
    .family = &family_mma, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static size_t find(const char *name)
{
    return case_index(&family_mma, name);
}

static const char *value(const struct row *row, const char *name)
{
    return working_value(&working, row, name);
}

static int healthy(void **state)
{
    (void)state;
    made_up_hopper(227 * 1024);
    fake.fault = NO_FAULT;
    fake.sees_ldmatrix_among_loads = false;
    return 0;
}

/* Every case of the full sweep, on a GPU that has all types: the product exact, but where it is
 * wrong on purpose; counted as predicted, and timed. */
static void test_all_cases(void **unused)
{
    (void)unused;
    made_up_info.compute_major = 12;
    working_open(&working);
    static struct row row;
    size_t by_status[4] = {0}, wrong = 0;
    for (size_t i = 0; i < mma_case_count(true); i++) {
        working_measure(&working, i, &row);
        by_status[row.status]++;
        if (row.status == ROW_FAILED)
            fail_msg("%s: %s", row.case_name, row.reason);
        if (row.status != ROW_OK)
            continue;
        assert_int_equal(row.verified, VERIFIED_YES);
        assert_string_equal(value(&row, "model_wavefronts"), value(&row, "hw_wavefronts"));
        assert_string_equal(value(&row, "model_conflicts"), value(&row, "hw_conflicts"));
        assert_string_equal(value(&row, "inst_expected"), value(&row, "inst_executed"));
        assert_true(*value(&row, "cycles_per_mma"));
        bool is_wrong = *value(&row, "wrong") != 0;
        assert_true(is_wrong ? atof(value(&row, "product_wrong_share")) > 0.9
                             : strcmp(value(&row, "product_wrong_share"), "0") == 0);
        wrong += is_wrong;
    }
    working_close(&working);
    assert_int_equal(by_status[ROW_SKIPPED], 8);
    assert_int_equal(by_status[ROW_OK], 396);
    assert_int_equal(wrong, 24);
}

static void test_columns(void **unused)
{
    (void)unused;
    working_open(&working);
    static struct row row;
    working_measure(&working, find("bf16 A=linear B=K/128B"), &row);
    assert_string_equal(value(&row, "model_wavefronts"), "8.5");
    assert_string_equal(value(&row, "cycles_per_mma"), "8.5");
    assert_string_equal(value(&row, "cycles_per_mma_min"), "8.375");
    assert_string_equal(value(&row, "cycles_per_mma_max"), "8.625");
    assert_string_equal(value(&row, "cycles_per_mma_without_loads"), "2");
    assert_string_equal(value(&row, "bound_cycles"), "8.5");
    assert_string_equal(value(&row, "flop_per_clk_sm"), "481.88");
    assert_string_equal(value(&row, "pct_of_peak"), "11.765");
    assert_string_equal(value(&row, "pct_of_without_loads"), "23.529");
    assert_string_equal(value(&row, "inst_executed"), "576");
    assert_string_equal(value(&row, "tensor_inst_executed"), "1536");
    working_measure(&working, find("s8 A=K/64B B=K/64B"), &row);
    assert_string_equal(value(&row, "bound_cycles"), "2");
    assert_string_equal(value(&row, "pct_of_peak"), "50");
    working_measure(&working, find("tf32 A=MN/64B B=K/none"), &row);
    assert_string_equal(value(&row, "load"), "ld.shared.b32, ldmatrix.x4");
    assert_string_equal(value(&row, "inst_executed"), "1728");
    working_close(&working);
}

/* The counter of plain loads may have the ldmatrix in it. */
static void test_loads_of_one_kind(void **unused)
{
    (void)unused;
    static struct row row;
    fake.sees_ldmatrix_among_loads = true;
    working_open(&working);
    working_measure(&working, find("bf16 A=K/128B B=K/128B"), &row);
    assert_int_equal(row.status, ROW_OK);
    working_measure(&working, find("tf32 A=MN/64B B=MN/64B"), &row);
    assert_int_equal(row.status, ROW_OK);
    working_close(&working);
}

static void test_counting_ahead(void **unused)
{
    (void)unused;
    assert_counts_ahead(&working, &made_up_sessions);
}

static void assert_caught(const char *name, int fault, const char *reason)
{
    working_open(&working);
    fake.fault = fault;
    assert_ends(&working, find(name), ROW_FAILED, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *turned = "bf16 A=MN/64B B=K/32B", *plain = "s8 A=K/none B=K/none";
    const char *wrong = "bf16 A=K/128B B=MN/32B B-without-trans";
    assert_caught(plain, FLIPPED_BIT, "wrong product: accumulator 33 of thread 200");
    assert_caught(plain, FLIPPED_LAST, "wrong product: accumulator 63 of thread 255");
    assert_caught(plain, FLIPPED_ALONE, "(alone)");
    assert_caught(turned, FLIPPED_BIT, "wrong product");
    assert_caught(wrong, FLIPPED_BIT, "wrong product");
    assert_caught(turned, ONE_ROUND, "wrong product");
    assert_caught(turned, IGNORES_TRANS, "wrong product");
    assert_caught(wrong, ALWAYS_TRANS, "wrong product");
    assert_caught(turned, EXTRA_WAVEFRONT, "1.5 wavefronts an mma predicted, 1.50065 counted");
    assert_caught(turned, EXTRA_CONFLICT, "0 conflicts an mma predicted, 0.000651042 counted");
    assert_caught(turned, MERGED_LOAD, "executed 575 loads where its source has 576");
    assert_caught(turned, LOST_MMA, "executed 1535 tensor instructions where its source has 1536");
}

static void assert_skipped(int major, int minor, const char *name, const char *reason)
{
    static struct row row;
    made_up_info.compute_major = major;
    made_up_info.compute_minor = minor;
    working_open(&working);
    working_measure(&working, find(name), &row);
    assert_int_equal(row.status, ROW_SKIPPED);
    assert_string_equal(row.reason, reason);
    assert_string_equal(value(&row, "model_wavefronts"), "1.5");
    working_close(&working);
}

static void test_gpus_without_a_type(void **unused)
{
    (void)unused;
    const char *fp8 = "e4m3 A=K/64B B=K/64B";
    static struct row row;
    assert_skipped(7, 5, "bf16 A=K/64B B=K/64B",
                   "the mma.sync of this family need compute capability 8.0; this GPU has 7.5");
    assert_skipped(8, 6, fp8,
                   "mma.sync of 8-bit floats needs compute capability 8.9; this GPU has 8.6");
    assert_skipped(9, 0, fp8,
                   "these tensor cores take no 8-bit floats from registers: the assembler makes "
                   "two mma.sync of f16 of each; this GPU has 9.0");
    made_up_info.compute_major = 8;
    made_up_info.compute_minor = 9;
    working_open(&working);
    working_measure(&working, find(fp8), &row);
    assert_int_equal(row.status, ROW_OK);
    assert_string_equal(value(&row, "pct_of_peak"), "");
    made_up_info.compute_minor = 0;
    working_measure(&working, find("bf16 A=K/64B B=K/64B"), &row);
    assert_string_equal(value(&row, "pct_of_peak"), "100");
    working_close(&working);
}

static void test_without_counters(void **unused)
{
    (void)unused;
    assert_uncounted(&working, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_all_cases, healthy),
        cmocka_unit_test_setup(test_columns, healthy),
        cmocka_unit_test_setup(test_loads_of_one_kind, healthy),
        cmocka_unit_test_setup(test_counting_ahead, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_gpus_without_a_type, healthy),
    };
    return cmocka_run_group_tests_name("mma on a made-up GPU", tests, NULL, NULL);
}
