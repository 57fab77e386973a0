/* A GPU for the contention family: its ldmatrix, its wgmma and its TMA are those of the PTX
 * documentation, its stores follow the lists, and none of the code that says what should come out
 * is asked; and it can be told to do one thing wrong. Two sides that run at the same time are as
 * slow as it is told; when one has ended the other is as fast as alone. Defines functions of
 * harness/gpu.h, so that one file of a program includes it, behind cmocka.h. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_CONTENTION_H
#define SWIZZLEBENCH_TESTS_MADE_UP_CONTENTION_H

#include "bench/contention_bench.h"
#include "tests/made_up_descriptor.h"
#include "tests/made_up_gpu.h"

enum { SMEM_BYTES = 227 * 1024, SMS = 3, SEGMENTS = 31, COPIES = 4, PITCH = 4096, GROUP = 4 };

static struct {
    enum {
        NO_FAULT,
        FLIPPED_BIT, /* of what was read */
        LOST_LANE,   /* of the writers, in the last copy */
        STRAY_STORE, /* into the stage that is read */
        LOST_STEP,   /* of the products */
        LOST_BOX,
        SHIFTED_BOX,
        STILL_SOURCE, /* the writers copy the same over and over */
        NEXT_SOURCE,  /* they go on by a step, as if each were alone */
        OTHER_WARPS_SOURCE,
        SOURCE_BEFORE, /* of the iteration before the last */
        CLOSED_BARRIER,
        STUCK_WHEN_TIMED,
        SWAPPED_MARKS, /* the writers begin when the readers have ended */
        TURNED_MARKS,  /* two and two of a warp of the writers */
        TURNED_BESIDE, /* the same, only while readers are at work */
        UNSET_MARK,    /* the last one of a warp of the readers */
        STOPPED_CLOCK, /* of a warp of the writers, before its last mark */
        LATE_WARP,     /* of the writers: the last one begins when the others have ended */
        MERGED_READ,
        MERGED_WRITE,
        OTHER_CACHE, /* .cg goes through L1, .ca past it */
        EXTRA_READ_WAVEFRONT,
        EXTRA_WRITE_WAVEFRONT,
        LOST_TURNS, /* in the hardware's conflicts alone: one an instruction */
        FEW_TURNS,  /* the same, of which the counter of arbitration knows next to nothing */
        OTHER_TURNS /* the same, of which it knows nothing */
    } fault;
    bool refuses_maps, races; /* warps that write to the same bytes end in any order */
    double reader_alone, writer_alone, reader_together, writer_together; /* clk/instruction */
    unsigned carveout_pct, grid, smem_bytes_counted, iterations; /* of the launch counted last */
    unsigned launches, most_ctas; /* that were not counted; of one of them */
    uint32_t last_smem_bytes;
    uint8_t smem[SMEM_BYTES];
} fake;

void gpu_clocks(struct gpu *unused, struct gpu_clocks *clocks)
{
    (void)unused;
    *clocks = (struct gpu_clocks){.sm_mhz = 1980};
}

/* The kernel is its name, which says in which file it is. */
bool gpu_kernel_find(struct gpu *unused, const char *fatbin, const char *entry,
                     struct gpu_kernel *kernel, struct error *error)
{
    (void)unused, (void)error;
    assert_string_equal(fatbin, entry[0] == 'n'              ? "contention_wgmma"
                                : strstr(entry, "_tma") != 0 ? "contention_tma"
                                                             : "contention");
    kernel->entry = entry;
    return true;
}

#include "tests/made_up_map.h"

/* ---- A kernel by its name ------------------------------------------------------------------ */

struct side {
    unsigned warps, bodies, body; /* bodies: that run `body` instructions an iteration each */
    uint32_t iterations;
    double alone, together;
};
struct work {
    const struct contention_arguments *a;
    const struct tensor_map *map;
    bool trans, boxes, copies, async, past_l1;
    unsigned n, lane_bytes; /* of the products; of what is written */
    unsigned ctas;
    struct side reader, writer;
};

static struct work work_of(const struct gpu_launch *launch)
{
    const struct contention_arguments *a = launch->arguments[1];
    const char *entry = launch->kernel.entry, *number = strrchr(entry, '_');
    struct work w = {.a = a, .map = launch->arguments[0], .ctas = launch->grid_x};
    if (entry[0] == 'n')
        assert_int_equal(sscanf(entry, "n%u", &w.n), 1);
    w.trans = strncmp(entry, "x4_trans", 8) == 0;
    w.boxes = strstr(entry, "_tma");
    w.async = strstr(entry, "_ca_") || strstr(entry, "_cg_");
    w.copies = w.async || strstr(entry, "_ld_st_");
    w.past_l1 = strstr(entry, "_cg_");
    w.lane_bytes = w.boxes ? 0 : (unsigned)atoi(number + 1);
    w.reader = (struct side){.warps = a->reader.warps,
                             .bodies = w.n ? 1 : a->reader.warps,
                             .body = w.n ? 8 : 64,
                             .iterations = a->reader_iterations,
                             .alone = fake.reader_alone,
                             .together = fake.reader_together};
    w.writer = (struct side){.warps = a->writer.warps,
                             .bodies = a->writer.warps,
                             .body = w.boxes    ? 1
                                     : w.copies ? 16
                                                : 64,
                             .iterations = a->writer_iterations,
                             .alone = fake.writer_alone,
                             .together = fake.writer_together};
    return w;
}

/* ---- Readers ------------------------------------------------------------------------------- */

static uint16_t half_at(uint32_t address)
{
    assert_true(address + 2 <= SMEM_BYTES);
    return (uint16_t)(fake.smem[address] | fake.smem[address + 1] << 8);
}

/* Matrix m of an ldmatrix: lane 8m + r has the address of row r. */
static uint32_t matrix_register(const struct work *w, const uint32_t *addresses, uint32_t copy,
                                unsigned lane, unsigned matrix)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 2; i++) {
        unsigned row = w->trans ? 2 * (lane % 4) + i : lane / 4;
        unsigned col = w->trans ? lane / 4 : 2 * (lane % 4) + i;
        uint32_t address = addresses[8 * matrix + row] + copy * PITCH + 2 * col;
        word |= (uint32_t)half_at(address) << 16 * i;
    }
    return word;
}

static void read_matrices(const struct work *w)
{
    enum { ROUNDS = 4 };
    const uint32_t(*lists)[32] = (const uint32_t(*)[32])(void *)at(w->a->reader.offsets);
    uint32_t *out = (uint32_t *)(void *)at(w->a->reader.out);
    for (unsigned thread = 0; thread < 32 * w->a->reader.warps; thread++)
        for (unsigned matrix = 0; matrix < 4; matrix++) {
            uint32_t sum = 0;
            const uint32_t(*group)[32] = lists + thread / 32 % w->a->reader.groups * GROUP;
            for (unsigned slot = 0; slot < GROUP; slot++)
                for (uint32_t copy = 0; copy < COPIES; copy++)
                    sum += matrix_register(w, group[slot], copy, thread % 32, matrix);
            out[4 * thread + matrix] = sum * SEGMENTS * w->reader.iterations * ROUNDS;
        }
}

static float element(uint64_t descriptor, unsigned row, unsigned k)
{
    struct made_up_descriptor d = made_up_descriptor_of(descriptor);
    uint32_t bits = (uint32_t)half_at(made_up_descriptor_find(&d, false, row, 2 * k)) << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Accumulator i of thread 32w + 4g + t is of row 16w + g + 8 (i / 2 % 2), column 8 (i / 4) + 2t +
 * i % 2. */
static void multiply(const struct work *w)
{
    static float a[64][128], b[256][128], d[64][256];
    float *out = (float *)(void *)at(w->a->reader.out);
    unsigned k_end = fake.fault == LOST_STEP ? 112 : 128;
    memset(d, 0, sizeof d);
    for (unsigned k = 0; k < 128; k++) {
        for (unsigned row = 0; row < 64; row++)
            a[row][k] = element(w->a->descriptors[0][k / 16], row, k % 16);
        for (unsigned row = 0; row < w->n; row++)
            b[row][k] = element(w->a->descriptors[1][k / 16], row, k % 16);
    }
    for (unsigned row = 0; row < 64; row++)
        for (unsigned col = 0; col < w->n; col++)
            for (unsigned k = 0; k < k_end; k++)
                d[row][col] += a[row][k] * b[col][k];
    for (unsigned thread = 0; thread < 128; thread++)
        for (unsigned i = 0; i < w->n / 2; i++) {
            unsigned row = 16 * (thread / 32) + thread % 32 / 4 + i / 2 % 2 * 8;
            float sum = d[row][i / 4 * 8 + thread % 4 * 2 + i % 2];
            out[i * 128 + thread] = sum * SEGMENTS * (float)w->reader.iterations;
        }
}

/* ---- Writers ------------------------------------------------------------------------------- */

/* Where a warp is with what it copies, when it is there for the last time. */
static uint32_t last_of(const struct work *w, uint32_t warp)
{
    uint32_t last = SEGMENTS * w->writer.iterations - 1;
    return fake.fault == STILL_SOURCE         ? warp
           : fake.fault == NEXT_SOURCE        ? warp + last
           : fake.fault == OTHER_WARPS_SOURCE ? warp + 1 + last * w->writer.warps
           : fake.fault == SOURCE_BEFORE      ? warp + (last - 1) * w->writer.warps
                                              : warp + last * w->writer.warps;
}

/* The same of what lies there in the end, of any warp of the group for each piece by itself; and
 * a copy that nothing orders is overtaken by those up to seven iterations older. */
static uint32_t winner_of(const struct work *w, uint32_t warp, uint32_t piece)
{
    enum { OVERTAKEN = 8 };
    uint32_t groups = w->a->writer.groups, first = warp % groups;
    uint32_t members = (w->writer.warps - 1 - first) / groups + 1;
    uint32_t any = piece * 2654435761u >> 8, older = w->async ? any / members % OVERTAKEN : 0;
    return last_of(w, first + any % members * groups) - older * w->writer.warps;
}

static void write_slot(const struct work *w, unsigned warp, unsigned slot)
{
    const struct sweep_arguments *s = &w->a->writer;
    const uint32_t(*lists)[32] = (const uint32_t(*)[32])(void *)at(s->offsets);
    const uint32_t(*sources)[32] = (const uint32_t(*)[32])(void *)at(s->sources);
    for (unsigned lane = 0; lane < 32; lane++)
        for (uint32_t copy = 0; copy < COPIES; copy++) {
            uint32_t piece = (slot * 32 + lane) * COPIES + copy;
            uint32_t place = fake.races ? winner_of(w, warp, piece) : last_of(w, warp);
            uint32_t moved = place * w->a->source_step & w->a->source_mask;
            const uint8_t *data = w->copies
                                      ? at(s->source) + moved + sources[slot][lane] + copy * PITCH
                                      : at(s->data) + 16 * (32 * slot + lane);
            uint32_t to = lists[slot][lane] + copy * PITCH;
            bool is_last = slot % 4 == 3 && lane == 31 && copy == COPIES - 1;
            assert_true(to % PITCH >= PITCH / 2 && to + w->lane_bytes <= SMEM_BYTES);
            if (fake.fault != LOST_LANE || !is_last)
                memcpy(fake.smem + to, data, w->lane_bytes);
        }
}

/* Each warp has a group of slots. */
static void write_lanes(const struct work *w)
{
    for (unsigned warp = 0; warp < w->writer.warps; warp++)
        for (unsigned slot = 0; slot < GROUP; slot++)
            write_slot(w, warp, warp % w->a->writer.groups * GROUP + slot);
}

static void move_box(const struct work *w, const struct tensor_map_request *map, uint32_t smem,
                     uint64_t first_line)
{
    unsigned width = 2 * map->box[0];
    assert_int_equal(width * map->box[1], w->a->box_bytes);
    assert_int_equal(map->box[1], w->a->box_lines);
    assert_true(map->box[0] == map->dims[0] && first_line + map->box[1] <= map->dims[1]);
    for (unsigned line = 0; line < map->box[1]; line++)
        for (unsigned byte = 0; byte < width; byte++) {
            uint32_t to = made_up_swizzled(map, smem + line * width + byte);
            assert_true(to < w->a->barrier_offset);
            fake.smem[to] = at(map->address)[(first_line + line) * map->strides[0] + byte];
        }
}

/* The last box of each warp. */
static void write_boxes(const struct work *w)
{
    const struct tensor_map_request *map = made_up_map(w->map);
    assert_true(w->a->barrier_offset + 8 * w->writer.warps <= fake.last_smem_bytes);
    for (uint32_t warp = 0; warp < w->writer.warps; warp++) {
        uint64_t box = last_of(w, warp) & w->a->box_mask;
        bool is_last = warp + 1 == w->writer.warps;
        if (fake.fault != LOST_BOX || !is_last)
            move_box(w, map,
                     w->a->box_offset + warp * w->a->box_bytes +
                         (fake.fault == SHIFTED_BOX && warp == 0 ? 1024 : 0),
                     box * w->a->box_lines);
    }
}

/* ---- Clocks -------------------------------------------------------------------------------- */

/* Clocks to do a part of a warp's work, which begins at `start`, while the other side is at work
 * until `until`. */
static double time_of(const struct side *s, double start, double part, double until)
{
    double all = (double)SEGMENTS * s->iterations * s->body * s->bodies;
    double together = until > start ? (until - start) / (all * s->together) : 0;
    together = together < part ? together : part;
    return start + all * (together * s->together + (part - together) * s->alone);
}

static double end_of(const struct side *s, double start, double until)
{
    return time_of(s, start, 1, until);
}

static void exchange(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Warps of a side start one after the other, and the SM's clock goes round meanwhile. */
static void mark(const struct work *w, uint32_t *marks)
{
    enum { LATER = 300, ROUND = 20000 };
    const struct side *r = &w->reader, *v = &w->writer;
    double writers_start = LATER, both = r->iterations && v->iterations;
    double reader_end = end_of(r, 0, both ? INFINITY : 0);
    double writer_end = end_of(v, writers_start, both ? INFINITY : 0);
    double until = both ? (reader_end < writer_end ? reader_end : writer_end) : 0;
    if (fake.fault == SWAPPED_MARKS && both)
        writers_start = reader_end + 1;
    for (unsigned warp = 0; warp < r->warps + v->warps; warp++) {
        const struct side *s = warp < r->warps ? r : v;
        double start = warp < r->warps ? warp : writers_start + warp;
        bool is_last = warp + 1 == r->warps + v->warps;
        if (fake.fault == LATE_WARP && is_last)
            start = writer_end + 1;
        for (unsigned i = 0; i <= SEGMENTS; i++)
            marks[32 * warp + i] =
                (uint32_t)(int64_t)(time_of(s, start, (double)i / SEGMENTS, until) - ROUND);
        bool turned = fake.fault == TURNED_MARKS || (fake.fault == TURNED_BESIDE && both);
        for (unsigned i = 0; turned && is_last && i < SEGMENTS; i += 2)
            exchange(&marks[32 * warp + i], &marks[32 * warp + i + 1]);
        if (fake.fault == STOPPED_CLOCK && is_last)
            marks[32 * warp + SEGMENTS] = marks[32 * warp + SEGMENTS - 1];
    }
    if (fake.fault == UNSET_MARK)
        marks[SEGMENTS] = 0;
}

/* ---- Launches ------------------------------------------------------------------------------ */

bool gpu_run(struct gpu *unused, const struct gpu_launch *launch, struct error *error)
{
    struct work w = work_of(launch);
    const struct contention_arguments *a = w.a;
    (void)unused, (void)error;
    assert_int_equal(launch->block_x, 32 * (a->reader.warps + a->writer.warps));
    assert_true(launch->dynamic_smem_bytes <= SMEM_BYTES);
    assert_true(a->reader.image_bytes <= launch->dynamic_smem_bytes);
    fake.last_smem_bytes = launch->dynamic_smem_bytes;
    fake.launches++;
    fake.most_ctas = launch->grid_x > fake.most_ctas ? launch->grid_x : fake.most_ctas;
    memset(fake.smem, 0xee, sizeof fake.smem);
    memcpy(fake.smem, at(a->reader.image), a->reader.image_bytes);
    if (w.reader.iterations && w.n)
        multiply(&w);
    else if (w.reader.iterations)
        read_matrices(&w);
    if (w.writer.iterations && w.boxes)
        write_boxes(&w);
    else if (w.writer.iterations)
        write_lanes(&w);
    if (fake.fault == FLIPPED_BIT)
        at(a->reader.out)[16] ^= 4;
    if (fake.fault == STRAY_STORE)
        fake.smem[PITCH + 5] ^= 1;
    if (fake.fault == CLOSED_BARRIER || (fake.fault == STUCK_WHEN_TIMED && w.writer.iterations > 1))
        *at(a->stuck) = 1;
    memcpy(at(a->writer.out), fake.smem, a->writer.out_bytes);
    mark(&w, (uint32_t *)(void *)at(a->marks));
    return true;
}

/* ---- Counters ------------------------------------------------------------------------------ */

/* The largest number of different rows of 128 bytes that the lanes of a phase want of one bank. */
static unsigned phase_wavefronts(const uint32_t *addresses, unsigned lanes, unsigned bytes)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
        unsigned rows = 0;
        for (unsigned lane = 0; lane < lanes; lane++) {
            bool counts = addresses[lane] / 4 % 32 <= bank &&
                          bank < addresses[lane] / 4 % 32 + (bytes + 3) / 4;
            for (unsigned other = 0; other < lane && counts; other++)
                counts = addresses[other] != addresses[lane];
            rows += counts;
        }
        most = rows > most ? rows : most;
    }
    return most;
}

static unsigned ideal_of(unsigned bytes)
{
    return bytes == 16 ? 4 : bytes == 8 ? 2 : 1;
}

static double lane_wavefronts(const uint32_t (*lists)[32], unsigned slots, unsigned bytes)
{
    unsigned phases = ideal_of(bytes), sum = 0;
    for (unsigned slot = 0; slot < slots; slot++)
        for (unsigned phase = 0; phase < phases; phase++)
            sum += phase_wavefronts(lists[slot] + phase * 32 / phases, 32 / phases, bytes);
    return (double)sum / slots;
}

/* cp.async goes by the model, which tests of its own hold against an H200. */
static double copy_wavefronts(const struct work *w, bool conflicts)
{
    const struct sweep_arguments *s = &w->a->writer;
    const uint32_t(*lists)[32] = (const uint32_t(*)[32])(void *)at(s->offsets);
    const uint32_t(*sources)[32] = (const uint32_t(*)[32])(void *)at(s->sources);
    char name[16];
    double sum = 0;
    snprintf(name, sizeof name, "cp.async.%u", w->lane_bytes % 100);
    for (unsigned slot = 0; slot < s->groups * GROUP; slot++) {
        struct swb_copy copy = {.to.active_mask = UINT32_MAX, .bypass_l1 = w->past_l1};
        struct swb_copy_cost cost;
        memcpy(copy.to.lane_byte_addresses, lists[slot], sizeof lists[slot]);
        for (unsigned lane = 0; lane < 32; lane++)
            copy.global_byte_addresses[lane] = sources[slot][lane];
        assert_true(swb_copy_cost(swb_instruction_find(name), &copy, &cost));
        sum += conflicts ? cost.conflicts : cost.wavefronts;
    }
    return sum / (s->groups * GROUP);
}

/* Wavefronts, or conflicts, of an instruction of the readers or of the writers. */
static double cost_of(const struct work *w, bool reads, bool conflicts)
{
    const struct sweep_arguments *s = reads ? &w->a->reader : &w->a->writer;
    const uint32_t(*lists)[32] = (const uint32_t(*)[32])(void *)at(s->offsets);
    unsigned bytes = reads ? 16 : w->lane_bytes;
    if (reads && w->n)
        return conflicts ? 0 : 16 + w->n / 4.0;
    if (!reads && w->async)
        return copy_wavefronts(w, conflicts);
    return lane_wavefronts(lists, s->groups * GROUP, bytes) - (conflicts ? ideal_of(bytes) : 0);
}

/* Whose counter it is: of ldmatrix and wgmma the readers', else the writers'; NULL of none. */
static const struct side *side_of(const char *name, const struct work *w)
{
    static const struct {
        const char *part;
        char owner;
    } parts[] = {{"op_ldsm", 'm'}, {"op_ld.", 'm'},    {"gmma", 'g'},     {"op_ldgsts", 'a'},
                 {"op_st.", 's'},  {"shared_st", 's'}, {"op_tma_ld", 't'}};
    char reads = w->n ? 'g' : 'm', writes = w->boxes ? 't' : w->async ? 'a' : 's';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(name, parts[i].part))
            return parts[i].owner == reads    ? &w->reader
                   : parts[i].owner == writes ? &w->writer
                                              : NULL;
    return NULL;
}

/* Ten of everything are the control's. */
static double count_of(const char *name, const struct work *w)
{
    const struct side *s = side_of(name, w);
    bool reads = s == &w->reader, conflicts = strstr(name, "bank_conflicts");
    double each = fake.fault == LOST_TURNS ? 1e6 : fake.fault == FEW_TURNS ? 1 : 0;
    if (strstr(name, "arbitration") || strstr(name, "data_bank"))
        if (!s)
            return 10 + each * (w->reader.iterations + w->writer.iterations);
    if (!s || s->iterations == 0)
        return 10;
    double n = (double)SEGMENTS * s->iterations * s->body * s->bodies * w->ctas;
    if (strstr(name, "cache_bypass") && w->past_l1 == (fake.fault == OTHER_CACHE))
        return 10;
    if (strstr(name, "inst_executed"))
        return 10 + n * s->warps / s->bodies - (fake.fault == (reads ? MERGED_READ : MERGED_WRITE));
    double extra = fake.fault == (reads ? EXTRA_READ_WAVEFRONT : EXTRA_WRITE_WAVEFRONT) ? n : 0;
    bool loses = fake.fault == LOST_TURNS || fake.fault == FEW_TURNS || fake.fault == OTHER_TURNS;
    if (loses && conflicts && !strstr(name, "sass"))
        extra += n;
    return 10 + n * cost_of(w, reads, conflicts) + extra;
}

static void count_launch(const struct counter_set *set, const struct gpu_launch *launch,
                         double *values)
{
    struct work w = work_of(launch);
    assert_int_equal(w.a->reader.image_bytes, 0);
    assert_int_equal(w.a->writer.out_bytes, 0);
    fake.grid = launch->grid_x;
    fake.carveout_pct = launch->carveout_pct;
    fake.smem_bytes_counted = launch->dynamic_smem_bytes;
    fake.iterations = w.reader.iterations + w.writer.iterations;
    for (size_t i = 0; i < set->count; i++)
        values[i] = count_of(set->names[i], &w);
}

#endif
