/* How is an access plan verified, counted and timed on a GPU?
 *
 *   verify   registers (loads) or all of shared memory (stores), byte for byte, from random data
 *   count    the timed kernel under counters, less its control kernel
 *   time     the timed kernel alone: one warp in a chain, one warp back to back, all SMs busy
 */
#include "bench/access_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The shape of kernels/sweep.cuh. */
enum {
    GROUP_SLOTS = 4,
    COPIES = 4,
    COPY_BYTES = 16 * 1024,
    WARPS = 32,
    THREADS = WARPS * SWB_LANES,
    IMAGE_BYTES = COPIES * COPY_BYTES,
    SOURCE_BYTES = 128 * 1024,
    BUSY_CYCLES = 65536,     /* of the throughput sample */
    ONE_WARP_CYCLES = 16384, /* of the one-warp sample */
    CHAIN_STEPS = 512,
    ITERATIONS = 3,      /* of the counted launch: one would not show a hoisted load */
    CP_ASYNC_CYCLES = 8, /* a guess at clocks an instruction, to choose how often it runs */
};

/* As kernels/sweep.cuh declares it. */
struct sweep_arguments {
    gpu_address offsets, sources, data, image, source, out, clocks;
    uint32_t image_bytes, out_bytes, groups, warps, step, chain_start, active_mask;
};

/* What differs from one kind of instruction to the next: the fatbin, and the counters, best first.
 * A name that the chip has not is passed over. */
static const struct kind {
    const char *fatbin;
    const char *wavefronts[2], *conflicts[2], *executed[2];
} kinds[] = {
    [SWB_LOAD] = {"ld_st_shared",
                  {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
                  {"smsp__inst_executed_op_shared_ld.sum",
                   "smsp__sass_inst_executed_op_shared_ld.sum"}},
    [SWB_STORE] = {"ld_st_shared",
                   {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
                   {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
                   {"smsp__inst_executed_op_shared_st.sum",
                    "smsp__sass_inst_executed_op_shared_st.sum"}},
    [SWB_LDMATRIX] = {"ldmatrix",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
                      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
                      {"smsp__inst_executed_op_ldsm.sum", "smsp__sass_inst_executed_op_ldsm.sum"}},
    [SWB_STMATRIX] = {"stmatrix",
                      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
                      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
                      {"smsp__inst_executed_op_shared_stsm.sum",
                       "smsp__sass_inst_executed_op_shared_stsm.sum"}},
    [SWB_CP_ASYNC] = {"cp_async",
                      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"},
                      {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
                       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"},
                      {"smsp__inst_executed_op_ldgsts.sum",
                       "smsp__sass_inst_executed_op_ldgsts.sum"}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], MAX_NAMES = 32 };

/* Places of the metrics in a counter set; the --metrics ones come behind. */
enum metric {
    METRIC_WAVEFRONTS,
    METRIC_CONFLICTS,
    METRIC_EXECUTED,
    METRIC_TOTAL,
    METRIC_ARBITRATION,
    METRIC_SECTORS,
    METRIC_L2_SECTORS,
    METRIC_DRAM_SECTORS,
    METRIC_EXTRA,
    METRICS = METRIC_EXTRA + ACCESS_MAX_EXTRA
};

struct count {
    double of[METRICS]; /* nan where the chip has no such counter */
};

/* A counter set that serves several kinds, and where it holds which metric of which kind. */
struct counting {
    struct counter_set *set;
    const char *names[MAX_NAMES];
    size_t name_count;
    int place[KINDS][METRICS]; /* in names; -1 where the chip has no such counter */
};

/* A kernel's control is counted once. */
struct control {
    char entry[64];
    struct count count;
};

struct access_bench {
    const struct measure_options *options;
    uint32_t smem_base;
    uint64_t random;
    struct sweep_arguments device; /* where everything lies on the GPU */
    struct counting plain, copies; /* of all other kinds, of cp.async */
    struct control controls[64];
    size_t control_count;

    /* One plan at a time is made ready here. */
    uint32_t offsets[PLAN_MAX_SLOTS][SWB_LANES], sources[PLAN_MAX_SLOTS][SWB_LANES];
    uint32_t data[PLAN_MAX_SLOTS][SWB_LANES][4];
    uint8_t tile[COPIES][PLAN_TILE_BYTES]; /* the bytes as the program sees them */
    uint8_t image[IMAGE_BYTES], dump[IMAGE_BYTES], source[SOURCE_BYTES];
    uint32_t registers[PLAN_MAX_SLOTS][COPIES][SWB_LANES][4], sums[THREADS][4];
};

/* One plan on its way through. */
struct run {
    struct gpu *gpu;
    struct access_bench *bench;
    const struct access_plan *plan;
    const struct kind *kind;
    bool bypass_l1, loads;
    unsigned rounds; /* of the unrolled body */
    char prefix[48]; /* of the entry points: "ldmatrix_x4_trans" */
    char entry[64];  /* the one launched: "ldmatrix_x4_trans_sweep" */
    double cycles;   /* expected, an instruction on a busy SM */
    struct sweep_arguments arguments;
    uint32_t iterations;
    void *pointers[2];
    struct row *row;
    struct error *error;
};

/* ---- Opening and closing ------------------------------------------------------------------- */

/* The place of a name in the set, added when it is new; -1 when the chip has none of `names`. */
static int place_of(struct gpu *gpu, struct counting *c, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && names[i]; i++) {
        for (size_t n = 0; n < c->name_count; n++)
            if (strcmp(c->names[n], names[i]) == 0)
                return (int)n;
        if (!counters_has_metric(gpu, names[i]))
            continue;
        c->names[c->name_count] = names[i];
        return (int)c->name_count++;
    }
    return -1;
}

static void place_metrics(struct gpu *gpu, enum swb_kind kind, struct counting *c,
                          const struct measure_options *options)
{
    static const char *const total[] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"};
    static const char *const arbitration[] = {"l1tex__data_bank_conflicts_type_arbitration.sum"};
    static const char *const sectors[] = {
        "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"};
    static const char *const l2[] = {"lts__t_sectors_op_read.sum"};
    static const char *const dram[] = {"dram__sectors_read.sum", "dram__sectors_op_read.sum"};
    int *place = c->place[kind];

    for (size_t i = 0; i < METRICS; i++)
        place[i] = -1;
    place[METRIC_WAVEFRONTS] = place_of(gpu, c, kinds[kind].wavefronts, 2);
    place[METRIC_CONFLICTS] = place_of(gpu, c, kinds[kind].conflicts, 2);
    place[METRIC_EXECUTED] = place_of(gpu, c, kinds[kind].executed, 2);
    place[METRIC_TOTAL] = place_of(gpu, c, total, 1);
    place[METRIC_ARBITRATION] = place_of(gpu, c, arbitration, 1);
    if (kind == SWB_CP_ASYNC) {
        place[METRIC_SECTORS] = place_of(gpu, c, sectors, 1);
        place[METRIC_L2_SECTORS] = place_of(gpu, c, l2, 1);
        place[METRIC_DRAM_SECTORS] = place_of(gpu, c, dram, 2);
    }
    for (size_t i = 0; i < options->extra_metric_count && i < ACCESS_MAX_EXTRA; i++)
        place[METRIC_EXTRA + i] = place_of(gpu, c, &options->extra_metrics[i], 1);
}

static bool open_counting(struct gpu *gpu, struct access_bench *b, struct error *error)
{
    for (enum swb_kind kind = SWB_LOAD; kind <= SWB_STMATRIX; kind++)
        place_metrics(gpu, kind, &b->plain, b->options);
    place_metrics(gpu, SWB_CP_ASYNC, &b->copies, b->options);
    return (!b->plain.name_count ||
            counter_set_open(gpu, b->plain.names, b->plain.name_count, &b->plain.set, error)) &&
           (!b->copies.name_count ||
            counter_set_open(gpu, b->copies.names, b->copies.name_count, &b->copies.set, error));
}

static bool alloc_buffers(struct gpu *gpu, struct access_bench *b, struct error *error)
{
    size_t ctas = (size_t)gpu_info(gpu)->sm_count;
    size_t sums = ctas * THREADS * 16, shown = sizeof b->registers;
    const struct {
        gpu_address *at;
        size_t bytes;
    } buffers[] = {
        {&b->device.offsets, sizeof b->offsets}, {&b->device.sources, sizeof b->sources},
        {&b->device.data, sizeof b->data},       {&b->device.image, IMAGE_BYTES},
        {&b->device.source, SOURCE_BYTES},       {&b->device.out, sums > shown ? sums : shown},
        {&b->device.clocks, ctas * 16},
    };
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (!gpu_alloc(gpu, buffers[i].bytes, buffers[i].at, error))
            return false;
    return true;
}

static bool find_smem_base(struct gpu *gpu, struct access_bench *b, struct error *error)
{
    struct gpu_launch launch = {.grid_x = 1, .block_x = 1, .dynamic_smem_bytes = IMAGE_BYTES};
    void *arguments[] = {&b->device.out};
    launch.arguments = arguments;
    return gpu_kernel_find(gpu, "ld_st_shared", "shared_base", &launch.kernel, error) &&
           gpu_run(gpu, &launch, error) && gpu_wait(gpu, error) &&
           gpu_download(gpu, &b->smem_base, b->device.out, sizeof b->smem_base, error);
}

void access_bench_close(struct gpu *gpu, struct access_bench *b)
{
    if (!b)
        return;
    const gpu_address addresses[] = {b->device.offsets, b->device.sources, b->device.data,
                                     b->device.image,   b->device.source,  b->device.out,
                                     b->device.clocks};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (addresses[i])
            gpu_free(gpu, addresses[i]);
    counter_set_close(b->plain.set);
    counter_set_close(b->copies.set);
    free(b);
}

bool access_bench_open(struct gpu *gpu, const struct measure_options *options,
                       struct access_bench **bench, struct error *error)
{
    if (options->extra_metric_count > ACCESS_MAX_EXTRA)
        return error_set(error, ERROR_INPUT, "--metrics: at most %d of them, not %zu",
                         ACCESS_MAX_EXTRA, options->extra_metric_count);
    struct access_bench *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(error, ERROR_FAILED, "no memory for the buffers of the shared family");
    b->options = options;
    if (getrandom(&b->random, sizeof b->random, 0) != (ssize_t)sizeof b->random)
        b->random = (uint64_t)(uintptr_t)b;

    if (!alloc_buffers(gpu, b, error) || !find_smem_base(gpu, b, error) ||
        (options->counters && !open_counting(gpu, b, error))) {
        access_bench_close(gpu, b);
        return false;
    }
    *bench = b;
    return true;
}

/* ---- Launching ----------------------------------------------------------------------------- */

static uint64_t next_random(struct access_bench *b)
{
    uint64_t z = b->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fill_random(struct access_bench *b, void *bytes, size_t count)
{
    uint8_t *out = bytes;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = next_random(b);
        memcpy(out + i, &word, count - i < 8 ? count - i : 8);
    }
}

/* As the kernels' instructions declare it. */
static unsigned rounds_of(const struct swb_instruction *instruction, bool loads)
{
    if (instruction->kind == SWB_CP_ASYNC)
        return 1;
    return loads && access_registers(instruction) == 1 ? 8 : 4;
}

static unsigned body_instructions(const struct run *r)
{
    return GROUP_SLOTS * COPIES * r->rounds;
}

/* Slots are gone round so often that every warp has a whole group. */
static unsigned groups_of(unsigned slots, unsigned warps)
{
    unsigned groups = (slots + GROUP_SLOTS - 1) / GROUP_SLOTS;
    return (groups + warps - 1) / warps * warps;
}

static bool prepare(struct run *r, const char *suffix, unsigned ctas, unsigned warps,
                    struct gpu_launch *launch)
{
    snprintf(r->entry, sizeof r->entry, "%s_%s", r->prefix, suffix);
    *launch = (struct gpu_launch){
        .grid_x = ctas,
        .block_x = warps * SWB_LANES,
        .dynamic_smem_bytes = IMAGE_BYTES,
        .arguments = r->pointers,
    };
    r->arguments = r->bench->device;
    r->arguments.groups = groups_of(r->plan->slots, warps);
    r->arguments.warps = warps;
    r->arguments.image_bytes = IMAGE_BYTES;
    r->arguments.active_mask = r->plan->active_mask;
    r->iterations = ITERATIONS;
    r->pointers[0] = &r->arguments;
    r->pointers[1] = &r->iterations;
    return gpu_kernel_find(r->gpu, r->kind->fatbin, r->entry, &launch->kernel, r->error);
}

static bool launch_and_wait(struct run *r, const struct gpu_launch *launch)
{
    return gpu_run(r->gpu, launch, r->error) && gpu_wait(r->gpu, r->error);
}

/* ---- Verify -------------------------------------------------------------------------------- */

/* The bytes that the program sees, copy by copy: random, or what cp.async reads. */
static void make_tiles(struct run *r)
{
    struct access_bench *b = r->bench;
    const struct access_plan *plan = r->plan;

    fill_random(b, b->tile, sizeof b->tile);
    fill_random(b, b->source, sizeof b->source);
    if (plan->instruction->kind == SWB_CP_ASYNC) {
        for (unsigned copy = 0; copy < COPIES; copy++)
            for (unsigned byte = 0; byte < plan->tile_bytes; byte++)
                b->tile[copy][byte] = b->source[copy * COPY_BYTES +
                                                byte / plan->line_bytes * PLAN_SOURCE_PITCH_BYTES +
                                                byte % plan->line_bytes];
    } else if (!r->loads) {
        /* A store's registers are the same for each copy. */
        for (unsigned copy = 1; copy < COPIES; copy++)
            memcpy(b->tile[copy], b->tile[0], sizeof b->tile[0]);
    }
}

/* Shared memory before the kernel runs: poison, and for loads the tiles in their places. */
static void make_image(struct run *r)
{
    struct access_bench *b = r->bench;
    fill_random(b, b->image, sizeof b->image);
    if (!r->loads)
        return;
    for (unsigned copy = 0; copy < COPIES; copy++)
        for (unsigned byte = 0; byte < r->plan->tile_bytes; byte++)
            b->image[copy * COPY_BYTES + r->plan->place[byte]] = b->tile[copy][byte];
}

static uint32_t tile_register(const struct run *r, unsigned slot, unsigned copy, unsigned lane,
                              unsigned reg)
{
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; byte++) {
        unsigned piece_lane, piece_byte;
        access_register_byte(r->plan->instruction, lane, reg, byte, &piece_lane, &piece_byte);
        unsigned at = r->plan->tile_bytes_at[slot][piece_lane] + piece_byte;
        value |= (uint32_t)r->bench->tile[copy][at] << 8 * byte;
    }
    return value;
}

/* Lane addresses, sources and registers, the slots repeated to fill the list. */
static void make_lists(struct run *r)
{
    struct access_bench *b = r->bench;
    const struct access_plan *plan = r->plan;
    for (unsigned i = 0; i < PLAN_MAX_SLOTS; i++) {
        unsigned slot = i % plan->slots;
        memcpy(b->offsets[i], plan->offsets[slot], sizeof b->offsets[i]);
        for (unsigned lane = 0; lane < SWB_LANES; lane++) {
            unsigned byte = plan->tile_bytes_at[slot][lane];
            b->sources[i][lane] =
                byte / plan->line_bytes * PLAN_SOURCE_PITCH_BYTES + byte % plan->line_bytes;
            if (plan->instruction->kind != SWB_CP_ASYNC)
                for (unsigned reg = 0; reg < access_registers(plan->instruction); reg++)
                    b->data[i][lane][reg] = tile_register(r, slot, 0, lane, reg);
        }
    }
}

static bool upload(struct run *r)
{
    struct access_bench *b = r->bench;
    const struct sweep_arguments *d = &b->device;
    return gpu_upload(r->gpu, d->offsets, b->offsets, sizeof b->offsets, r->error) &&
           gpu_upload(r->gpu, d->sources, b->sources, sizeof b->sources, r->error) &&
           gpu_upload(r->gpu, d->data, b->data, sizeof b->data, r->error) &&
           gpu_upload(r->gpu, d->image, b->image, IMAGE_BYTES, r->error) &&
           gpu_upload(r->gpu, d->source, b->source, SOURCE_BYTES, r->error);
}

static bool wrong(struct run *r, const char *format, unsigned slot, unsigned copy, unsigned lane,
                  unsigned reg, uint32_t found, uint32_t expected)
{
    r->row->verified = VERIFIED_NO;
    row_end(r->row, ROW_FAILED, format, slot, copy, lane, reg, (unsigned)found, (unsigned)expected);
    return true;
}

/* Every register of every slot and copy, from a kernel that shows them. */
static bool verify_registers(struct run *r)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;
    size_t bytes = (size_t)groups_of(r->plan->slots, 1) * GROUP_SLOTS * sizeof b->registers[0];

    if (!prepare(r, "show", 1, WARPS, &launch))
        return false;
    r->arguments.groups = groups_of(r->plan->slots, 1);
    if (!gpu_fill(r->gpu, b->device.out, 0xa5, bytes, r->error) || !launch_and_wait(r, &launch) ||
        !gpu_download(r->gpu, b->registers, b->device.out, bytes, r->error))
        return false;
    for (unsigned slot = 0; slot < r->plan->slots; slot++)
        for (unsigned copy = 0; copy < COPIES; copy++)
            for (unsigned lane = 0; lane < SWB_LANES; lane++)
                for (unsigned reg = 0; reg < access_registers(r->plan->instruction); reg++) {
                    uint32_t expected = tile_register(r, slot, copy, lane, reg);
                    uint32_t found = b->registers[slot][copy][lane][reg];
                    if (r->plan->active_mask >> lane & 1 && found != expected)
                        return wrong(r,
                                     "wrong bytes: position %u copy %u lane %u register %u holds "
                                     "%08x, not %08x",
                                     slot, copy, lane, reg, found, expected);
                }
    return true;
}

/* The sums that the timed kernel itself returns. */
static bool verify_sums(struct run *r)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;

    if (!prepare(r, "sweep", 1, WARPS, &launch) ||
        !gpu_fill(r->gpu, b->device.out, 0xa5, sizeof b->sums, r->error) ||
        !launch_and_wait(r, &launch) ||
        !gpu_download(r->gpu, b->sums, b->device.out, sizeof b->sums, r->error))
        return false;
    for (unsigned thread = 0; thread < THREADS; thread++)
        for (unsigned reg = 0; reg < access_registers(r->plan->instruction); reg++) {
            uint32_t expected = 0;
            unsigned lane = thread % SWB_LANES, first = thread / SWB_LANES * GROUP_SLOTS;
            if (!(r->plan->active_mask >> lane & 1))
                continue;
            for (unsigned i = first; i < r->arguments.groups * GROUP_SLOTS;
                 i += WARPS * GROUP_SLOTS)
                for (unsigned s = i; s < i + GROUP_SLOTS; s++)
                    for (unsigned copy = 0; copy < COPIES; copy++)
                        expected += ITERATIONS * r->rounds *
                                    tile_register(r, s % r->plan->slots, copy, lane, reg);
            if (b->sums[thread][reg] != expected)
                return wrong(r,
                             "wrong sum of the timed kernel: first position %u, %u copies, lane "
                             "%u register %u: %08x, not %08x",
                             first, COPIES, lane, reg, b->sums[thread][reg], expected);
        }
    return true;
}

/* All of shared memory after the timed kernel: what was written, and that nothing else was. */
static bool verify_memory(struct run *r)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;

    for (unsigned slot = 0; slot < r->plan->slots; slot++)
        for (unsigned lane = 0; lane < access_address_lanes(r->plan->instruction); lane++)
            for (unsigned i = 0; i < r->plan->instruction->lane_bytes; i++)
                for (unsigned copy = 0; copy < COPIES; copy++) {
                    unsigned at = r->plan->tile_bytes_at[slot][lane] + i;
                    if (r->plan->active_mask >> lane & 1)
                        b->image[copy * COPY_BYTES + r->plan->place[at]] = b->tile[copy][at];
                }
    if (!prepare(r, "sweep", 1, WARPS, &launch))
        return false;
    r->arguments.out_bytes = IMAGE_BYTES;
    if (!gpu_fill(r->gpu, b->device.out, 0xa5, IMAGE_BYTES, r->error) ||
        !launch_and_wait(r, &launch) ||
        !gpu_download(r->gpu, b->dump, b->device.out, IMAGE_BYTES, r->error))
        return false;
    for (unsigned i = 0; i < IMAGE_BYTES; i++)
        if (b->dump[i] != b->image[i]) {
            r->row->verified = VERIFIED_NO;
            row_end(r->row, ROW_FAILED,
                    "wrong bytes: byte %u of copy %u in shared memory is %02x, not %02x",
                    i % COPY_BYTES, i / COPY_BYTES, b->dump[i], b->image[i]);
            return true;
        }
    return true;
}

static bool verify(struct run *r)
{
    make_tiles(r);
    make_image(r);
    make_lists(r);
    if (!upload(r))
        return false;
    r->row->verified = VERIFIED_YES;
    if (!r->loads)
        return verify_memory(r);
    return verify_registers(r) && (r->row->status != ROW_OK || verify_sums(r));
}

/* ---- Count --------------------------------------------------------------------------------- */

static bool collect(struct run *r, const struct counting *c, const struct gpu_launch *launch,
                    struct count *count)
{
    double values[MAX_NAMES];
    if (!counters_collect(r->gpu, c->set, launch, 1, values, r->error))
        return false;
    for (size_t i = 0; i < METRICS; i++) {
        int place = c->place[r->plan->instruction->kind][i];
        count->of[i] = place < 0 ? NAN : values[place];
    }
    return true;
}

static bool count_control(struct run *r, const struct counting *c, struct count *count)
{
    struct access_bench *b = r->bench;
    struct gpu_launch launch;
    for (size_t i = 0; i < b->control_count; i++)
        if (strcmp(b->controls[i].entry, r->prefix) == 0) {
            *count = b->controls[i].count;
            return true;
        }
    if (!prepare(r, "control", 1, WARPS, &launch) || !collect(r, c, &launch, count))
        return false;
    if (b->control_count < sizeof b->controls / sizeof b->controls[0]) {
        struct control *kept = &b->controls[b->control_count++];
        snprintf(kept->entry, sizeof kept->entry, "%s", r->prefix);
        kept->count = *count;
    }
    return true;
}

static bool count(struct run *r, struct access_result *result)
{
    bool copies = r->plan->instruction->kind == SWB_CP_ASYNC;
    const struct counting *c = copies ? &r->bench->copies : &r->bench->plain;
    struct gpu_launch launch;
    struct count control, whole;

    result->inst_expected =
        (uint64_t)groups_of(r->plan->slots, WARPS) * body_instructions(r) * ITERATIONS;
    if (!c->set)
        return true;
    if (!count_control(r, c, &control) || !prepare(r, "sweep", 1, WARPS, &launch) ||
        !collect(r, c, &launch, &whole))
        return false;
    for (size_t i = 0; i < METRICS; i++)
        whole.of[i] -= control.of[i];

    double n = (double)result->inst_expected;
    result->inst_executed = whole.of[METRIC_EXECUTED];
    result->wavefronts = whole.of[METRIC_WAVEFRONTS] / n;
    result->conflicts = whole.of[METRIC_CONFLICTS] / n;
    result->total_wavefronts = whole.of[METRIC_TOTAL] / n;
    result->arbitration_conflicts = whole.of[METRIC_ARBITRATION] / n;
    result->sectors = whole.of[METRIC_SECTORS] / n;
    result->l2_sectors = whole.of[METRIC_L2_SECTORS] / n;
    result->dram_sectors = whole.of[METRIC_DRAM_SECTORS] / n;
    memcpy(result->extra, &whole.of[METRIC_EXTRA], sizeof result->extra);
    if (result->inst_executed != n && !isnan(result->inst_executed))
        row_end(r->row, ROW_FAILED,
                "wrong count: the kernel executed %.0f %s where its source has %.0f: merged or "
                "dropped by the compiler",
                result->inst_executed, r->plan->instruction->name, n);
    return true;
}

/* ---- Time ---------------------------------------------------------------------------------- */

static uint32_t at_least_four(double n)
{
    return n < 4 ? 4 : (uint32_t)n;
}

/* 32 warps on each of `ctas` SMs, or one warp alone. */
static bool time_sweep(struct run *r, unsigned ctas, unsigned warps, double cycles,
                       struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations};
    if (!prepare(r, "sweep", ctas, warps, &timed.launch))
        return false;
    timed.clocks = r->arguments.clocks;
    timed.work_per_iteration = (double)r->arguments.groups * body_instructions(r);
    timed.n = at_least_four(cycles / (timed.work_per_iteration * r->cycles));
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

/* Lays into copy 0 of the image what makes lane's register 0, read at `slot`, the address that the
 * lane gives at `next`. Returns false where two lanes want different values of the same byte. */
static bool lay_link(struct run *r, bool *laid, unsigned slot, unsigned next)
{
    struct access_bench *b = r->bench;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        uint32_t address = b->smem_base + r->plan->offsets[next][lane];
        for (unsigned byte = 0; byte < 4; byte++) {
            unsigned piece_lane, piece_byte;
            access_register_byte(r->plan->instruction, lane, 0, byte, &piece_lane, &piece_byte);
            unsigned at = r->plan->offsets[slot][piece_lane] + piece_byte;
            uint8_t value = (uint8_t)(address >> 8 * byte);
            if (laid[at] && b->image[at] != value)
                return false;
            laid[at] = true;
            b->image[at] = value;
        }
    }
    return true;
}

/* A ring of addresses through all slots, or through the costliest alone where the slots overlap.
 * *steps is how many there are on it; 0 where there is none. */
static void lay_chain(struct run *r, unsigned worst, unsigned *start, unsigned *steps)
{
    bool laid[PLAN_TILE_BYTES] = {false}, alone[PLAN_TILE_BYTES] = {false};
    bool ring = true;
    for (unsigned slot = 0; ring && slot < r->plan->slots; slot++)
        ring = lay_link(r, laid, slot, (slot + 1) % r->plan->slots);
    *start = ring ? 0 : worst;
    *steps = ring ? r->plan->slots : lay_link(r, alone, worst, worst) ? 1 : 0;
}

static bool time_load_chain(struct run *r, unsigned worst, struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations, .work_per_iteration = 1};
    unsigned start, steps;
    lay_chain(r, worst, &start, &steps);
    if (!steps)
        return true;
    if (!prepare(r, "chain", 1, 1, &timed.launch) ||
        !gpu_upload(r->gpu, r->bench->device.image, r->bench->image, IMAGE_BYTES, r->error))
        return false;
    r->arguments.chain_start = start;
    timed.clocks = r->arguments.clocks;
    timed.n = (CHAIN_STEPS + steps - 1) / steps * steps;
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

static bool time_store_chain(struct run *r, struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations};
    if (!prepare(r, "chain", 1, 1, &timed.launch))
        return false;
    timed.clocks = r->arguments.clocks;
    timed.work_per_iteration = (double)r->arguments.groups * GROUP_SLOTS;
    timed.n = at_least_four(CHAIN_STEPS / timed.work_per_iteration);
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

static bool time_all(struct run *r, unsigned worst, struct access_result *result)
{
    unsigned sms = (unsigned)gpu_info(r->gpu)->sm_count;
    if (!time_sweep(r, sms, WARPS, BUSY_CYCLES, &result->throughput) ||
        !time_sweep(r, 1, 1, ONE_WARP_CYCLES / 2, &result->one_warp))
        return false;
    return r->loads ? time_load_chain(r, worst, &result->latency)
                    : time_store_chain(r, &result->latency);
}

/* ---- All three ----------------------------------------------------------------------------- */

static void name_prefix(struct run *r)
{
    snprintf(r->prefix, sizeof r->prefix, "%s", r->plan->instruction->name);
    for (char *c = r->prefix; *c; c++)
        if (*c == '.')
            *c = '_';
    if (r->plan->instruction->kind == SWB_CP_ASYNC)
        strcat(r->prefix, r->bypass_l1 ? "_cg" : "_ca");
}

static void nothing_measured(struct access_result *result)
{
    const struct timing none = {NAN, NAN, NAN, 0, 0, 0};
    *result = (struct access_result){0};
    result->inst_executed = result->wavefronts = result->conflicts = NAN;
    result->total_wavefronts = result->arbitration_conflicts = NAN;
    result->sectors = result->l2_sectors = result->dram_sectors = NAN;
    result->latency = result->one_warp = result->throughput = none;
    for (size_t i = 0; i < ACCESS_MAX_EXTRA; i++)
        result->extra[i] = NAN;
}

/* What this GPU cannot run at all is a skipped row. */
static bool supported(struct run *r)
{
    const struct gpu_info *info = gpu_info(r->gpu);
    static const int needs[] = {[SWB_LOAD] = 75,
                                [SWB_STORE] = 75,
                                [SWB_LDMATRIX] = 75,
                                [SWB_STMATRIX] = 90,
                                [SWB_CP_ASYNC] = 80};
    int has = 10 * info->compute_major + info->compute_minor;
    int need = needs[r->plan->instruction->kind];
    if (has < need)
        return row_end(r->row, ROW_SKIPPED, "%s needs compute capability %d.%d, this GPU has %d.%d",
                       r->plan->instruction->name, need / 10, need % 10, has / 10, has % 10);
    if (info->smem_per_block_optin_bytes < IMAGE_BYTES)
        return row_end(r->row, ROW_SKIPPED,
                       "needs %d bytes of shared memory a block, this GPU has %d", IMAGE_BYTES,
                       info->smem_per_block_optin_bytes);
    return true;
}

bool access_bench_run(struct gpu *gpu, struct access_bench *bench, const struct access_plan *plan,
                      bool bypass_l1, struct access_result *result, struct row *row,
                      struct error *error)
{
    enum swb_kind kind = plan->instruction->kind;
    struct run r = {.gpu = gpu,
                    .bench = bench,
                    .plan = plan,
                    .kind = &kinds[kind],
                    .bypass_l1 = bypass_l1,
                    .row = row,
                    .error = error};
    struct plan_cost cost;

    nothing_measured(result);
    r.loads = kind == SWB_LOAD || kind == SWB_LDMATRIX;
    r.rounds = rounds_of(plan->instruction, r.loads);
    r.cycles =
        access_plan_cost(plan, &cost) ? (double)cost.wavefronts / plan->slots : CP_ASYNC_CYCLES;
    name_prefix(&r);
    if (!supported(&r))
        return true;
    if (!verify(&r))
        return false;
    if (row->status != ROW_OK)
        return true;
    if (!count(&r, result))
        return false;
    return row->status != ROW_OK || time_all(&r, cost.worst_slot, result);
}
