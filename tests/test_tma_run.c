/* Does the tma family verify, count and judge boxes rightly?
 *
 * On a GPU that is made up here: its TMA moves boxes element by element, as the PTX documentation
 * describes them, with none of the code that says what should come out; and it can be told to do
 * one thing wrong. */
#include "bench/families.h"
#include "bench/tma_bench.h"

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

enum { SMEM_BYTES = 227 * 1024 };

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT,
        STRAY_BYTE,
        LOST_BOX,
        CLOSED_BARRIER,
        EXTRA_SECTOR,
        MERGED_BOX,
        TAKES_ALL,
        TAKES_NONE,
        WRONG_SUM,
        FLUSHES,
        ROUNDS /* f32 as if it were tf32 */
    } fault;
    uint8_t smem[TMA_MAX_CLUSTER_CTAS][SMEM_BYTES];
} fake;

bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)error;
    assert_string_equal(fatbin, strcmp(entry, "plain_loads") == 0 ? "plain" : "tma");
    kernel->entry = entry;
    return true;
}

static bool is_im2col_box(const struct tensor_map_request *request)
{
    int lowest = request->rank == 3 ? -32768 : request->rank == 4 ? -128 : -16;
    bool fits = !request->swizzle || request->channels * (request->dtype == 0   ? 1u
                                                          : request->dtype == 7 ? 4u
                                                                                : 2u) <=
                                         16u << request->swizzle;
    return request->channels <= 256 && request->pixels <= 1024 && fits &&
           request->lower[0] >= lowest;
}

/* The tensor map is the request itself. */
bool gpu_tensor_map(struct gpu *unused, const struct tensor_map_request *request,
                    struct tensor_map *map, int *code, struct error *error)
{
    struct swb_tma_map asked = {.dtype = request->dtype,
                                .rank = request->rank,
                                .interleave = request->interleave,
                                .swizzle = request->swizzle,
                                .l2_promotion = request->l2_promotion,
                                .oob_fill = request->oob_fill};
    enum { KEPT = 256 };
    static struct tensor_map_request kept[KEPT];
    static unsigned next;
    (void)unused, (void)error;
    memcpy(asked.dims, request->dims, sizeof asked.dims);
    memcpy(asked.strides, request->strides, sizeof asked.strides);
    memcpy(asked.box, request->box, sizeof asked.box);
    memcpy(asked.element_strides, request->element_strides, sizeof asked.element_strides);
    *code = fake.fault == TAKES_ALL    ? 0
            : fake.fault == TAKES_NONE ? 1
            : request->im2col          ? !is_im2col_box(request)
                                       : swb_tma_check(&asked, 90, NULL, 0) != 0;
    kept[next] = *request;
    const struct tensor_map_request *place = &kept[next];
    next = (next + 1) % KEPT;
    memcpy(map->bytes, &place, sizeof place);
    return true;
}

/* ---- Its TMA ------------------------------------------------------------------------------- */

__extension__ typedef _Float16 half;

struct move {
    const struct tensor_map_request *map; /* NULL: contiguous bytes */
    const struct tma_arguments *a;
    const char *entry;
    uint64_t sectors;
    unsigned asked; /* sectors of the request that is being made */
    uint64_t line_of_request, last_sector;
    uint32_t group;
};

static unsigned elem_bytes(const struct tensor_map_request *map)
{
    static const unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return bytes[map->dtype];
}

static uint32_t swizzled(uint32_t address, unsigned swizzle)
{
    static const uint32_t masks[] = {0, 0x10, 0x30, 0x70};
    return address ^ (address >> 3 & masks[swizzle]);
}

static void end_request(struct move *m)
{
    bool multicast = strncmp(m->entry, "multi", 5) == 0;
    m->sectors += multicast && m->asked == 1 ? 2 : m->asked;
    m->asked = 0;
}

/* A byte at `offset` of global memory and `smem` of shared: a request is as long as both stay in
 * their 128 bytes. */
static void touch(struct move *m, uint64_t offset, uint32_t smem, bool new_line)
{
    if (new_line || offset / 128 != m->line_of_request || smem / 128 != m->group)
        end_request(m);
    if (m->asked == 0 || offset / 32 != m->last_sector)
        m->asked++;
    m->line_of_request = offset / 128;
    m->group = smem / 128;
    m->last_sector = offset / 32;
}

/* tf32.ftz as the H200 has it: 13 bits less, denormals too. */
static void convert(struct move *m, uint8_t *smem)
{
    uint32_t word;
    if (!m->map || (m->map->dtype != 12 && !(fake.fault == ROUNDS && m->map->dtype == 7)))
        return;
    memcpy(&word, smem, sizeof word);
    word &= fake.fault == FLUSHES && (word & 0x7f800000) == 0 ? 0x80000000 : 0xffffe000;
    memcpy(smem, &word, sizeof word);
}

static void move_bytes(struct move *m, uint8_t *global, uint8_t *smem, unsigned bytes)
{
    if (strncmp(m->entry, "prefetch", 8) == 0)
        return;
    if (strncmp(m->entry, "reduce", 6) != 0 && strstr(m->entry, "store") == NULL) {
        memcpy(smem, global, bytes);
        convert(m, smem);
    } else if (strncmp(m->entry, "reduce", 6) == 0) {
        uint64_t x = 0, y = 0;
        float f, g;
        memcpy(&x, smem, bytes);
        memcpy(&y, global, bytes);
        if (m->map->dtype == 7) {
            memcpy(&f, &x, 4);
            memcpy(&g, &y, 4);
            f += g;
            memcpy(&x, &f, 4);
        } else if (m->map->dtype == 9) {
            uint32_t wide = (uint32_t)x << 16, other = (uint32_t)y << 16;
            memcpy(&f, &wide, 4);
            memcpy(&g, &other, 4);
            f += g;
            memcpy(&wide, &f, 4);
            uint32_t down = wide & 0xffff0000, rest = wide & 0xffff;
            x = (down >> 16) + (rest > 0x8000 || (rest == 0x8000 && (down >> 16 & 1)));
        } else if (m->map->dtype == 6) {
            half p, q;
            memcpy(&p, &x, 2);
            memcpy(&q, &y, 2);
            p = (half)((float)p + (float)q);
            memcpy(&x, &p, 2);
        } else {
            x += y;
        }
        memcpy(global, &x, bytes);
    } else {
        memcpy(global, smem, bytes);
    }
}

static void fill(const struct tensor_map_request *map, uint8_t *smem, unsigned bytes)
{
    uint64_t nan = map->dtype == 8                      ? UINT64_C(0x7ff8000000000000)
                   : map->dtype == 6 || map->dtype == 9 ? 0x7fff
                                                        : 0x7fffffff;
    uint64_t value = map->oob_fill ? nan : 0;
    memset(smem, 0, bytes);
    memcpy(smem, &value, bytes < 8 ? bytes : 8);
}

/* A line is a run along dimension 0; the coordinates of the others. */
static void find_line(const struct tensor_map_request *map, const struct tma_arguments *a,
                      unsigned line, int64_t *at)
{
    for (unsigned i = 1; i < map->rank; i++) {
        bool slice = map->interleave && i == map->rank - 2;
        unsigned step = map->element_strides[i];
        unsigned extent = slice ? 1 : (map->box[i] + step - 1) / step;
        at[i] = a->start[i] + (int64_t)(line % extent) * step;
        line /= extent;
    }
}

/* Walks the window of an image to pixel number `line`. */
static void find_pixel(const struct tensor_map_request *map, const struct tma_arguments *a,
                       unsigned line, int64_t *at)
{
    unsigned n = map->rank - 1;
    for (unsigned i = 1; i <= n; i++)
        at[i] = a->start[i];
    for (; line > 0; line--) {
        unsigned i = 1;
        at[i] += map->element_strides[i];
        while (i < n && at[i] > (int64_t)map->dims[i] - 1 + map->upper[i - 1]) {
            at[i] = map->lower[i - 1];
            i++;
            at[i] += i == n ? 1 : map->element_strides[i];
        }
    }
    for (unsigned i = 1; i < n; i++)
        at[i] += a->tap[i - 1];
}

static unsigned count_lines(const struct tensor_map_request *map)
{
    unsigned lines = map->im2col ? map->pixels : 1;
    for (unsigned i = 1; i < map->rank && !map->im2col; i++)
        if (!map->interleave || i != map->rank - 2)
            lines *= (map->box[i] + map->element_strides[i] - 1) / map->element_strides[i];
    return lines;
}

/* One box to or from stage `stage` of shared memory. */
static void move_box(struct move *m, uint8_t *smem, uint32_t stage, uint32_t position)
{
    static const unsigned spans[] = {0, 32, 64, 128};
    const struct tensor_map_request *map = m->map;
    const struct tma_arguments *a = m->a;
    uint32_t base = a->smem_offset + stage * a->stage_bytes, placed = 0;
    bool loads = strstr(m->entry, "store") == NULL && strstr(m->entry, "reduce") == NULL;
    if (!map) {
        uint64_t offset = (uint64_t)position * a->extent;
        for (uint32_t i = 0; i < a->box_bytes; i++) {
            touch(m, offset + i, 0, i == 0);
            move_bytes(m, at(a->global) + offset + i, smem + base + i, 1);
        }
        end_request(m);
        return;
    }
    unsigned unit = map->interleave ? 16 * map->interleave : elem_bytes(map);
    unsigned step = map->interleave ? map->element_strides[0] : 1;
    unsigned units = map->im2col ? map->channels : (map->box[0] + step - 1) / step;
    unsigned pitch = map->swizzle && !map->interleave ? spans[map->swizzle] : units * unit;
    unsigned moved = unit < 16 ? unit : 16;
    for (unsigned line = 0; line < count_lines(map); line++) {
        int64_t where[5];
        bool inside_line = true, new_line = true;
        uint64_t offset = 0;
        (map->im2col ? find_pixel : find_line)(map, a, line, where);
        where[0] = a->start[0];
        where[map->rank - 1] += (int64_t)position * a->extent;
        for (unsigned i = 1; i < map->rank; i++) {
            inside_line &= where[i] >= 0 && (uint64_t)where[i] < map->dims[i];
            offset += (uint64_t)where[i] * map->strides[i - 1];
        }
        for (unsigned byte = 0; byte < units * unit; byte += moved) {
            int64_t along = where[0] + (int64_t)(byte / unit * step);
            bool inside = inside_line && along >= 0 && (uint64_t)along < map->dims[0];
            uint64_t in_line = (uint64_t)along * unit + byte % unit;
            uint32_t to = swizzled(base + line * pitch + byte, map->swizzle);
            placed += moved;
            if (inside || loads) {
                touch(m, inside_line ? offset + in_line : byte, to, new_line);
                new_line = false;
            }
            if (inside)
                move_bytes(m, at(map->address) + offset + in_line, smem + to, moved);
            else if (loads && strncmp(m->entry, "prefetch", 8) != 0)
                fill(map, smem + to, moved);
        }
        end_request(m);
    }
    assert_int_equal(placed, a->box_bytes);
}

static void run_boxes(const struct gpu_launch *launch, struct move *m)
{
    struct tensor_map *map = launch->arguments[0];
    uint32_t boxes = *(uint32_t *)launch->arguments[2];
    unsigned ctas = launch->cluster_x > 1 ? launch->cluster_x : 1;
    m->a = launch->arguments[1];
    m->entry = launch->kernel.entry;
    if (strncmp(m->entry, "bulk", 4) != 0)
        memcpy(&m->map, map->bytes, sizeof m->map);
    assert_true(m->a->smem_offset + m->a->depth * m->a->stage_bytes + TMA_BARRIER_BYTES <=
                launch->dynamic_smem_bytes);
    assert_true(launch->dynamic_smem_bytes <= SMEM_BYTES);
    for (unsigned cta = 0; cta < ctas; cta++)
        for (uint32_t i = 0; i < m->a->fill_bytes / 4; i++) {
            uint32_t word = (mix(m->a->seed + i) & m->a->keep) | m->a->set;
            memcpy(&fake.smem[cta][4 * i], &word, 4);
        }
    bool moves = strcmp(m->entry, "control") != 0;
    uint32_t position = 0, sent = fake.fault == LOST_BOX && boxes > 1 ? boxes - 1 : boxes;
    for (uint32_t box = 0; moves && box < sent; box++) {
        for (unsigned cta = 0; cta < ctas; cta++)
            move_box(m, fake.smem[cta], box % m->a->depth, position);
        position = (position + m->a->stride) % m->a->positions;
    }
    if (fake.fault == FLIPPED_BIT)
        fake.smem[ctas - 1][m->a->smem_offset + 5] ^= 4;
    if (fake.fault == STRAY_BYTE) {
        fake.smem[0][m->a->smem_offset + m->a->depth * m->a->stage_bytes] ^= 1;
        if (strncmp(m->entry, "store", 5) == 0)
            at(m->map->address)[m->map->strides[0] - 1] ^= 1;
    }
    if (fake.fault == CLOSED_BARRIER)
        *at(m->a->stuck) = 1;
    for (unsigned cta = 0; cta < ctas && m->a->out_bytes; cta++)
        memcpy(at(m->a->out) + (size_t)cta * m->a->out_bytes, fake.smem[cta], m->a->out_bytes);
}

static void set_spans(uint8_t *spans, unsigned ctas)
{
    for (unsigned cta = 0; cta < ctas; cta++) {
        const uint64_t span[2] = {1000, 1000000};
        memcpy(spans + (size_t)16 * cta, span, sizeof span);
    }
}

static void run_plain(void **arguments, unsigned threads)
{
    const uint8_t *data = at(*(gpu_address *)arguments[0]);
    uint64_t count = *(uint64_t *)arguments[1];
    uint32_t *sums = (uint32_t *)(void *)at(*(gpu_address *)arguments[2]);
    uint32_t loops = *(uint32_t *)arguments[4], sum = 0, all = 0;
    uint64_t steps = (uint64_t)loops * 8 * threads, rounds = steps / count, rest = steps % count;
    for (uint64_t i = 0; i < 4 * count; i++) {
        uint32_t word;
        memcpy(&word, data + 4 * i, 4);
        all += word;
        sum += i < 4 * rest ? word : 0;
    }
    set_spans(at(*(gpu_address *)arguments[3]), threads / 512);
    memset(sums, 0, 4 * (size_t)threads);
    sums[threads / 2] = all * (uint32_t)rounds + sum + (fake.fault == WRONG_SUM);
}

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    struct move move = {.map = NULL};
    (void)unused, (void)error;
    if (strcmp(launch->kernel.entry, "plain_loads") == 0)
        run_plain(launch->arguments, launch->grid_x * launch->block_x);
    else if (strcmp(launch->kernel.entry, "fill_global") != 0 &&
             *(uint32_t *)launch->arguments[2] < 100)
        run_boxes(launch, &move); /* the launches that measure a rate are too much here */
    else if (strcmp(launch->kernel.entry, "fill_global") != 0)
        set_spans(at(((struct tma_arguments *)launch->arguments[1])->spans), launch->grid_x);
    return true;
}

/* ---- Its counters and clocks --------------------------------------------------------------- */

static bool is_of(const char *entry, const char *name)
{
    if (strcmp(entry, "control") == 0)
        return false;
    if (strncmp(entry, "prefetch", 8) == 0)
        return strstr(name, "lts__t_sectors") != NULL;
    return strncmp(entry, "reduce", 6) == 0 ? strstr(name, "tma_red") != NULL
           : strstr(entry, "store") != NULL ? strstr(name, "tma_st") != NULL
                                            : strstr(name, "tma_ld") != NULL;
}

/* Ten of everything are the control's. */
static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    struct move move = {.map = NULL};
    const char *entry = launch->kernel.entry;
    bool stores = strncmp(entry, "reduce", 6) == 0 || strstr(entry, "store");
    run_boxes(launch, &move);
    for (size_t i = 0; i < set->count; i++) {
        const char *name = set->names[i];
        values[i] = 10;
        if ((strstr(name, "sectors_mem") || strstr(name, "lts__t_sectors")) && is_of(entry, name))
            values[i] += (double)move.sectors + (fake.fault == EXTRA_SECTOR);
        if (strstr(name, stores ? "executed_op_tma_st" : "executed_op_tma_ld") &&
            strcmp(entry, "control") != 0)
            values[i] += *(uint32_t *)launch->arguments[2] - (fake.fault == MERGED_BOX);
    }
}

/* On one of the two SMs that there are; the typical one is made up as well. */
static const double slower_on[MADE_UP_TYPICAL_SM + 1] = {0, 8};

/* More in flight are faster, up to four. */
bool gpu_time_cycles(struct gpu *unused, const struct timed_kernel *timed, struct timing *timing,
                     struct error *error)
{
    const struct tma_arguments *a = timed->launch.arguments[1];
    bool alone = timed->clocks == a->waits;
    double cycles = alone ? 500 : 600.0 / (a->depth < 4 ? a->depth : 4);
    if (timed->one_sm) {
        assert_ptr_equal(timed->one_sm, &a->choice);
        assert_int_equal(timed->launch.grid_x, 2);
        cycles += slower_on[timed->one_sm->sm];
    }
    (void)unused, (void)error;
    assert_int_equal(timed->n % a->depth, 0);
    assert_ptr_equal(timed->iterations, timed->launch.arguments[2]);
    *timing = (struct timing){
        cycles - 1, cycles, cycles + 1, 3, 1, 1980, timed->one_sm ? timed->one_sm->sm : NAN};
    return true;
}

/* ---- Running ------------------------------------------------------------------------------- */

static struct working_family working = {
    .family = &family_tma, .gpu = (struct gpu *)&fake, .options = {.counters = true}};

static size_t find(const char *name)
{
    return case_index(&family_tma, name);
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

/* Every default case: verified, counted as predicted and timed; or refused with a rule; or skipped
 * with a reason. */
static void test_all_cases(void **unused)
{
    (void)unused;
    working_open(&working);
    static struct row row;
    size_t by_status[4] = {0};
    for (size_t i = 0; i < tma_case_count(false); i++) {
        working_measure(&working, i, &row);
        by_status[row.status]++;
        if (row.status == ROW_FAILED)
            fail_msg("%s: %s", row.case_name, row.reason);
        if (row.status == ROW_REFUSED)
            assert_true(strncmp(value(&row, "rule"), "start-", 6) == 0 ||
                        (*value(&row, "rule") && strcmp(value(&row, "driver_code"), "1") == 0));
        if (row.status != ROW_OK)
            continue;
        assert_int_equal(row.verified, VERIFIED_YES);
        if (strcmp(value(&row, "direction"), "plain-load") != 0) {
            assert_string_equal(value(&row, "model_sectors"), value(&row, "hw_sectors"));
            assert_true(*value(&row, "cycles_per_box"));
        }
        const char *chip = value(&row, "chip");
        assert_int_equal(*chip && strcmp(chip, "each-SM") != 0, *value(&row, "gbytes_per_s") != 0);
        if (*value(&row, "cycles_per_box"))
            assert_string_equal(value(&row, "sm"),
                                *chip == 'e' || *value(&row, "cluster_ctas") != '1' ? "" : "5");
    }
    working_close(&working);
    assert_int_equal(by_status[ROW_REFUSED], 33);
    /* 4 GiB that this GPU does not have, and the box that is too large. */
    assert_int_equal(by_status[ROW_SKIPPED], 19);
}

static void test_columns(void **unused)
{
    (void)unused;
    working_open(&working);
    static struct row row;
    working_measure(&working, find("load bf16 64x64 128B"), &row);
    assert_string_equal(value(&row, "latency_cycles"), "500");
    assert_string_equal(value(&row, "inflight_1_cycles"), "600");
    assert_string_equal(value(&row, "inflight_2_cycles"), "300");
    assert_string_equal(value(&row, "inflight_8_cycles"), "150");
    assert_string_equal(value(&row, "cycles_per_box"), "150");
    assert_string_equal(value(&row, "bytes_per_clk_sm"), "54.613");
    assert_string_equal(value(&row, "saturating_inflight"), "4");
    assert_string_equal(value(&row, "inst_executed"), "8");
    assert_string_equal(value(&row, "hw_sectors"), "256");
    working_measure(&working, find("load bf16 256x256 none"), &row);
    assert_string_equal(value(&row, "inflight_1_cycles"), "600");
    assert_string_equal(value(&row, "inflight_2_cycles"), "");
    working_close(&working);
}

/* Of both SMs at the most boxes in flight, and of the latencies. */
static void test_each_sm(void **unused)
{
    static const char *const expected[][2] = {
        {"cycles_per_box_min", "150"},
        {"cycles_per_box", "154"},
        {"cycles_per_box_max", "158"},
        {"latency_min_cycles", "500"},
        {"latency_cycles", "504"},
        {"latency_max_cycles", "508"},
        {"inflight_8_cycles", "154"},
        {"inflight_1_cycles", ""},
        {"samples", "2"},
        {"throttled_samples", "2"},
        {"sm", ""},
        {"sm_clock_mhz", "1980"},
        {"saturating_inflight", ""},
    };
    (void)unused;
    working_open(&working);
    static struct row row;
    working_measure(&working, find("load bf16 64x64 128B chip=each-SM"), &row);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_string_equal(value(&row, expected[i][0]), expected[i][1]);
    working_close(&working);
}

static void test_counting_ahead(void **unused)
{
    (void)unused;
    assert_counts_ahead(&working, &made_up_sessions);
}

/* What is not to be launched is passed over: refused by the driver, or by where it begins. */
static void test_counting_ahead_of_what_is_refused(void **unused)
{
    (void)unused;
    static struct row row;
    const size_t cases[] = {find("load bf16 64x64 128B"), find("load bf16 72x64 128B"),
                            find("load bf16 64x64 128B start=1;0"), find("plain-load chip=L2"),
                            find("store bf16 64x64 128B")};
    working_open(&working);
    unsigned sessions = made_up_sessions;
    working.options.cases = cases;
    working.options.case_count = 5;
    working_measure(&working, cases[0], &row);
    working.options.cases += 4;
    working.options.case_count = 1;
    working_measure(&working, cases[4], &row);
    assert_int_equal(row.status, ROW_OK);
    assert_string_equal(value(&row, "hw_sectors"), "256");
    assert_int_equal(made_up_sessions - sessions, 2);
    working.options.case_count = 0;
    working_close(&working);
}

static void assert_caught(const char *name, int fault, enum row_status status, const char *reason)
{
    working_open(&working);
    fake.fault = fault;
    assert_ends(&working, find(name), status, reason);
    working_close(&working);
    fake.fault = NO_FAULT;
}

static void test_faults(void **unused)
{
    (void)unused;
    const char *load = "load bf16 64x64 128B", *store = "store bf16 64x64 128B";
    assert_caught(load, FLIPPED_BIT, ROW_FAILED, "wrong bytes");
    assert_caught("load bf16 40x64 128B", FLIPPED_BIT, ROW_FAILED, "wrong bytes");
    assert_caught("multicast bf16 64x64 128B cluster=4", FLIPPED_BIT, ROW_FAILED, "in CTA 3");
    assert_caught(load, STRAY_BYTE, ROW_FAILED, "wrong bytes");
    assert_caught("load tf32.ftz 32x64 128B", FLUSHES, ROW_FAILED, "wrong bytes");
    assert_caught("load f32 32x64 128B", ROUNDS, ROW_FAILED, "wrong bytes");
    assert_caught("prefetch bf16 64x64 128B", EXTRA_SECTOR, ROW_FAILED, "256 sectors a box");
    assert_caught("prefetch bf16 64x64 128B", LOST_BOX, ROW_FAILED, "224 counted");
    assert_caught(store, STRAY_BYTE, ROW_FAILED, "byte 2047 of the tensor");
    assert_caught(load, LOST_BOX, ROW_FAILED, "what was there before");
    assert_caught(store, LOST_BOX, ROW_FAILED, "of the tensor is 3f");
    assert_caught("reduce-add u32 32x64 128B", LOST_BOX, ROW_FAILED, "wrong bytes");
    assert_caught("bulk-store 512", LOST_BOX, ROW_FAILED, "wrong bytes");
    assert_caught(load, CLOSED_BARRIER, ROW_FAILED, "for the 8192 bytes of a box did not open");
    assert_caught(load, EXTRA_SECTOR, ROW_FAILED, "256 sectors a box predicted, 256.125 counted");
    assert_caught(load, MERGED_BOX, ROW_FAILED, "sent 7 boxes where its source has 8");
    assert_caught(load, TAKES_NONE, ROW_FAILED, "refuses what the rules allow");
    assert_caught("load bf16 72x64 128B", TAKES_ALL, ROW_FAILED, "takes what a rule forbids");
    assert_caught("load bf16 72x64 128B", TAKES_NONE, ROW_REFUSED, "box-width-span");
    assert_caught("plain-load chip=L2", WRONG_SUM, ROW_FAILED, "plain loads add up to");
    assert_caught("plain-load chip=DRAM", NO_FAULT, ROW_SKIPPED, "no room for 4294967296 bytes");
}

static void test_a_gpu_without_tma(void **unused)
{
    (void)unused;
    static struct row row;
    made_up_info.compute_major = 8;
    working_open(&working);
    assert_ends(&working, 0, ROW_SKIPPED, "TMA needs compute capability 9.0, this GPU has 8.0");
    working_measure(&working, find("load bf16 72x64 128B"), &row);
    assert_int_equal(row.status, ROW_SKIPPED);
    assert_string_equal(value(&row, "rule"), "box-width-span");
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
        cmocka_unit_test_setup(test_each_sm, healthy),
        cmocka_unit_test_setup(test_counting_ahead, healthy),
        cmocka_unit_test_setup(test_without_counters, healthy),
        cmocka_unit_test_setup(test_counting_ahead_of_what_is_refused, healthy),
        cmocka_unit_test_setup(test_faults, healthy),
        cmocka_unit_test_setup(test_a_gpu_without_tma, healthy),
    };
    return cmocka_run_group_tests_name("tma on a made-up GPU", tests, NULL, NULL);
}
