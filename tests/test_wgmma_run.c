/* Does the wgmma family verify, count and judge products rightly?
 *
 * On a GPU that is made up here: its wgmma takes descriptors apart and finds bytes as the PTX
 * documentation says, decodes them and adds up, with none of the code that says what should come
 * out; and it can be told to do one thing wrong. */
#include "bench/families.h"
#include "bench/wgmma_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"
#include "tests/made_up_descriptor.h"
#include "tests/made_up_gpu.h"

/* ---- The made-up GPU ----------------------------------------------------------------------- */

enum { SMEM_BYTES = 227 * 1024 };

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT,
        LOST_STEP,
        LOST_ROUND,
        SWAPS_OFFSETS,
        IGNORES_BASE_OFFSET,
        IGNORES_MODE,
        MERGED,
        EXTRA_WAVEFRONT,
        CONFLICT
    } fault;
} fake;

/* The kernel is its names: "wgmma_bf16", "n64_ss_k_mn". */
struct kernel_name {
    char fatbin[16], entry[24];
};

bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    enum { KEPT = 256 };
    static struct kernel_name kept[KEPT];
    static unsigned next;
    struct kernel_name *name = &kept[next++ % KEPT];
    (void)unused, (void)error;
    snprintf(name->fatbin, sizeof name->fatbin, "%s", fatbin);
    snprintf(name->entry, sizeof name->entry, "%s", entry);
    kernel->function = name;
    kernel->entry = name->entry;
    return true;
}

/* ---- Its wgmma ----------------------------------------------------------------------------- */

/* A number as it is stored: sign, exponent and fraction, or a whole one. */
static double decode(const char *type, const uint8_t *bytes)
{
    static const struct {
        const char *name;
        int bytes, exponent_bits, fraction_bits;
    } floats[] = {
        {"bf16", 2, 8, 7}, {"f16", 2, 5, 10}, {"tf32", 4, 8, 23},
        {"e4m3", 1, 4, 3}, {"e5m2", 1, 5, 2},
    };
    if (strcmp(type, "s8") == 0)
        return (int8_t)*bytes;
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        if (strcmp(type, floats[i].name) != 0)
            continue;
        uint32_t word = 0;
        memcpy(&word, bytes, (size_t)floats[i].bytes);
        int e = floats[i].exponent_bits, f = floats[i].fraction_bits;
        int exponent = (int)(word >> f & ((1u << e) - 1)), bias = (1 << (e - 1)) - 1;
        double fraction = (double)(word & ((1u << f) - 1)) / (double)(1u << f);
        double size = exponent ? ldexp(1 + fraction, exponent - bias) : ldexp(fraction, 1 - bias);
        return word >> (e + f) & 1 ? -size : size;
    }
    return *bytes;
}

static unsigned type_bytes(const char *type)
{
    return strcmp(type, "tf32") == 0 ? 4 : strstr(type, "f16") ? 2 : 1;
}

static uint32_t find(uint64_t bits, bool mn_major, unsigned line, unsigned along)
{
    struct made_up_descriptor d = made_up_descriptor_of(bits);
    if (fake.fault == SWAPS_OFFSETS) {
        uint32_t keep = d.lbo;
        d.lbo = d.sbo;
        d.sbo = keep;
    }
    if (fake.fault == IGNORES_BASE_OFFSET)
        d.base = 0;
    if (fake.fault == IGNORES_MODE)
        d.mode = 0;
    return made_up_descriptor_find(&d, mn_major, line, along);
}

struct multiplier {
    const struct wgmma_arguments *a;
    const char *type;
    unsigned n, k, bytes;
    bool a_in_registers, a_mn, b_mn;
    double of_a[64][32], of_b[256][32]; /* of a step */
    double d[64][256];
};

static void read_kernel_name(struct multiplier *m, const struct kernel_name *name)
{
    m->type = name->fatbin + strlen("wgmma_");
    m->bytes = type_bytes(m->type);
    m->k = 32 / m->bytes;
    m->n = (unsigned)atoi(name->entry + 1);
    m->a_in_registers = strstr(name->entry, "_rs_") != NULL;
    m->a_mn = strstr(name->entry, "_ss_mn") != NULL;
    m->b_mn = strcmp(name->entry + strlen(name->entry) - 3, "_mn") == 0;
}

static double element(const struct multiplier *m, uint64_t descriptor, bool mn_major, unsigned row,
                      unsigned k)
{
    uint32_t address = mn_major ? find(descriptor, true, k, row * m->bytes)
                                : find(descriptor, false, row, k * m->bytes);
    if (fake.fault != NO_FAULT && address + m->bytes > m->a->image_bytes)
        return 0;
    assert_true(address + m->bytes <= m->a->image_bytes);
    return decode(m->type, at(m->a->image) + address);
}

/* Register r of thread 32w + 4g + t holds four bytes of row 16w + g + 8 (r % 2). */
static double in_register(const struct multiplier *m, unsigned step, unsigned row, unsigned k)
{
    unsigned byte = k * m->bytes, r = row / 8 % 2 + byte / 16 * 2;
    unsigned thread = row / 16 * 32 + row % 8 * 4 + byte % 16 / 4;
    return decode(m->type, at(m->a->fragments) + ((step * 128 + thread) * 4 + r) * 4 + byte % 4);
}

static void multiply_step(struct multiplier *m, unsigned step)
{
    for (unsigned k = 0; k < m->k; k++) {
        for (unsigned row = 0; row < 64; row++)
            m->of_a[row][k] = m->a_in_registers ? in_register(m, step, row, k)
                                                : element(m, m->a->a[step], m->a_mn, row, k);
        for (unsigned row = 0; row < m->n; row++)
            m->of_b[row][k] = element(m, m->a->b[step], m->b_mn, row, k);
    }
    for (unsigned row = 0; row < 64; row++)
        for (unsigned col = 0; col < m->n; col++)
            for (unsigned k = 0; k < m->k; k++)
                m->d[row][col] += m->of_a[row][k] * m->of_b[col][k];
}

/* Accumulator i of thread 32w + 4g + t is of row 16w + g + 8 (i / 2 % 2), column 8 (i / 4) + 2t +
 * i % 2. */
static void tell(const struct multiplier *m, unsigned threads, uint32_t rounds)
{
    uint32_t *out = (uint32_t *)(void *)at(m->a->out);
    for (unsigned thread = 0; thread < threads; thread++)
        for (unsigned i = 0; i < m->n / 2; i++) {
            unsigned warp = thread / 32 % 4, row = 16 * warp + thread % 32 / 4 + i / 2 % 2 * 8;
            double d = rounds * m->d[row][i / 4 * 8 + thread % 4 * 2 + i % 2];
            float f = (float)d;
            uint32_t word = (uint32_t)(int32_t)d;
            if (strcmp(m->type, "s8") != 0 && strcmp(m->type, "u8") != 0)
                memcpy(&word, &f, sizeof word);
            out[i * threads + thread] = word;
        }
    if (fake.fault == FLIPPED_BIT)
        out[m->n / 2 * threads - 1] ^= 1;
}

static const struct kernel_name *kernel_of(const struct gpu_launch *launch)
{
    return launch->kernel.function;
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    static struct multiplier m;
    uint32_t iterations = *(uint32_t *)launch->arguments[1];
    (void)unused, (void)error;
    memset(&m, 0, sizeof m);
    m.a = launch->arguments[0];
    read_kernel_name(&m, kernel_of(launch));
    assert_true(m.a->image_bytes + 1024 <= launch->dynamic_smem_bytes);
    assert_true(launch->dynamic_smem_bytes <= SMEM_BYTES);
    for (unsigned step = 0; step < WGMMA_STEPS - (fake.fault == LOST_STEP); step++)
        multiply_step(&m, step);
    tell(&m, launch->block_x, iterations - (fake.fault == LOST_ROUND));
    return true;
}

/* ---- Its counters and clocks --------------------------------------------------------------- */

/* Ten of everything are the control's. */
static double count_of(const char *name, const struct multiplier *m, unsigned instructions)
{
    double wavefronts = (m->a_in_registers ? 0 : 16) + m->n / 4.0;
    if (strstr(name, "inst_executed"))
        return 10 + 4.0 * (instructions - (fake.fault == MERGED && instructions > 0));
    if (strstr(name, "wavefronts"))
        return 10 + instructions * wavefronts + (fake.fault == EXTRA_WAVEFRONT && instructions > 0);
    if (strstr(name, "conflicts"))
        return 10 + (fake.fault == CONFLICT && instructions > 0);
    return 10 + 32 * instructions * wavefronts;
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    static struct multiplier m;
    uint32_t rounds = *(uint32_t *)launch->arguments[1];
    read_kernel_name(&m, kernel_of(launch));
    for (size_t i = 0; i < set->count; i++)
        values[i] = count_of(set->names[i], &m, rounds * WGMMA_STEPS * launch->block_x / 128);
}

bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    static struct multiplier m;
    (void)unused, (void)error;
    read_kernel_name(&m, kernel_of(&timed->launch));
    double cycles = m.a_in_registers ? fmax(m.n / 2.0, 13) : fmax(m.n / 2.0, 16 + m.n / 4.0);
    assert_int_equal(timed->launch.grid_x, 2);
    assert_ptr_equal(timed->iterations, timed->launch.arguments[1]);
    assert_true(timed->work_per_iteration * timed->n * cycles > 60000);
    *timing = (struct timing){cycles - 1, cycles, cycles + 1, 5, 0, 1980, NAN};
    return true;
}

/* ---- Running ------------------------------------------------------------------------------- */

static struct working_family working = {
    .family = &family_wgmma, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static size_t find_case(const char *name)
{
    return case_index(&family_wgmma, name);
}

static const char *value(const struct row *row, const char *name)
{
    return working_value(&working, row, name);
}

static int healthy(void **state)
{
    (void)state;
    made_up_hopper(SMEM_BYTES);
    fake.fault = NO_FAULT;
    return 0;
}

static void assert_measured(const struct row *row)
{
    if (row->status != ROW_OK)
        fail_msg("%s: %s", row->case_name, row->reason);
    assert_int_equal(row->verified, VERIFIED_YES);
    assert_string_equal(value(row, "model_wrong_share"), value(row, "hw_wrong_share"));
    assert_string_equal(value(row, "model_wavefronts"), value(row, "hw_wavefronts"));
    assert_string_equal(value(row, "cycles_over_model"), "1");
    if (*value(row, "wrong") == '\0')
        assert_string_equal(value(row, "hw_wrong_share"), "0");
}

/* Every type, layout, stacking and flaw; of all N and pairs as many as a test has time for. */
static void test_cases(void **unused)
{
    (void)unused;
    enum { EVERY = 11 };
    working_open(&working);
    static struct row row;
    size_t flawed = 0;
    for (size_t i = 0; i < wgmma_case_count(true); i++) {
        struct wgmma_case c = wgmma_case_at(i);
        bool is_one_of_each = c.n == 24 && c.layouts[0].mode == c.layouts[1].mode;
        if (!is_one_of_each && !c.flaw && !c.base_lines && i % EVERY)
            continue;
        working_measure(&working, i, &row);
        assert_measured(&row);
        flawed += c.flaw != WGMMA_FLAWLESS;
    }
    working_close(&working);
    assert_int_equal(flawed, 100);
}

static void test_columns(void **unused)
{
    (void)unused;
    working_open(&working);
    static struct row row;
    working_measure(&working, find_case("bf16 n256 A=K/128B B=MN/none col"), &row);
    assert_string_equal(value(&row, "cycles_per_mma"), "128");
    assert_string_equal(value(&row, "cycles_per_mma_min"), "127");
    assert_string_equal(value(&row, "cycles_per_mma_max"), "129");
    assert_string_equal(value(&row, "flop_per_clk_sm"), "4096");
    assert_string_equal(value(&row, "pct_of_peak"), "100");
    assert_string_equal(value(&row, "hw_wavefronts"), "80");
    assert_string_equal(value(&row, "hw_conflicts"), "0");
    assert_string_equal(value(&row, "hw_bank_reads"), "2560");
    assert_string_equal(value(&row, "inst_expected"), "256");
    assert_string_equal(value(&row, "inst_executed"), "256");
    working_measure(&working, find_case("s8 n8 A=K/32B B=K/32B col"), &row);
    assert_string_equal(value(&row, "cycles_per_mma"), "18");
    assert_string_equal(value(&row, "flop_per_clk_sm"), "1820.44");
    assert_string_equal(value(&row, "pct_of_peak"), "22.222");
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
    assert_ends(&working, find_case(name), ROW_FAILED, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *plain = "bf16 n64 A=K/128B B=K/128B col",
               *bricks = "bf16 n64 A=MN/none B=K/none col";
    assert_caught(plain, FLIPPED_BIT, "wrong product: D(63,63) is");
    assert_caught(plain, LOST_STEP, "wrong product");
    assert_caught(plain, LOST_ROUND, "wrong product");
    assert_caught("u8 n64 A=registers B=K/128B col", LOST_STEP, "wrong product");
    assert_caught("s8 n64 A=K/none B=K/none row", LOST_ROUND, "wrong product");
    assert_caught(bricks, SWAPS_OFFSETS, "wrong product");
    assert_caught(plain, IGNORES_MODE, "wrong product");
    assert_caught("bf16 n128 A=K/64B B=K/128B col A-at-384", IGNORES_BASE_OFFSET, "wrong product");
    assert_caught("bf16 n128 A=K/128B B=MN/32B col wrong=B-stray-base-offset", IGNORES_BASE_OFFSET,
                  "as the descriptors say");
    assert_caught("bf16 n128 A=K/none B=K/128B col wrong=A-as-64B", IGNORES_MODE,
                  "as the descriptors say");
    assert_caught(plain, MERGED, "the warps executed 252 wgmma where the source has 256");
    assert_caught(plain, EXTRA_WAVEFRONT, "32 wavefronts an instruction predicted, 32.0156");
    assert_caught(plain, CONFLICT, "no bank conflicts predicted");
}

static void test_other_architectures(void **unused)
{
    (void)unused;
    static const struct {
        int major;
        const char *reason;
    } others[] = {
        {8, "wgmma needs compute capability 9.0, this GPU has 8.0"},
        {10, "wgmma needs compute capability 9.0, this GPU has 10.0"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        made_up_info.compute_major = others[i].major;
        working_open(&working);
        assert_ends(&working, 0, ROW_SKIPPED, others[i].reason);
        working_close(&working);
    }
}

static void test_without_counters(void **unused)
{
    (void)unused;
    assert_uncounted(&working, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_cases, healthy),
        cmocka_unit_test_setup(test_columns, healthy),
        cmocka_unit_test_setup(test_counting_ahead, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_other_architectures, healthy),
    };
    return cmocka_run_group_tests_name("wgmma on a made-up GPU", tests, NULL, NULL);
}
