/* How many clocks does an instruction take: alone in a chain, back to back in one warp, and with
 * all SMs busy? */
#include "bench/access_bench.h"

enum {
    BUSY_CYCLES = 65536,    /* of the throughput sample */
    ONE_WARP_CYCLES = 8192, /* of the one-warp sample */
    BUSY_SAMPLES = 9,       /* at least */
    CHAIN_STEPS = 512,
    CHECKED_STEPS = 5, /* more than the body that the compiler unrolls */
};

static uint32_t at_least_four(double n)
{
    return n < 4 ? 4 : (uint32_t)n;
}

/* 32 warps on each of `ctas` SMs, or one warp alone. */
static bool time_sweep(struct run *r, unsigned ctas, unsigned warps, double cycles,
                       struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations,
                                 .min_samples = warps > 1 ? BUSY_SAMPLES : 0};
    if (!access_prepare(r, "sweep", ctas, warps, &timed.launch))
        return false;
    timed.clocks = r->arguments.clocks;
    timed.work_per_iteration = (double)r->arguments.groups * access_body(r);
    timed.n = at_least_four(cycles / (timed.work_per_iteration * r->cycles));
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

/* Lays into copy 0 of the image what makes lane's register 0, read at `slot`, the address that the
 * lane gives at `next`. Returns false where two lanes want different values of the same byte. */
static bool lay_link(struct run *r, bool *laid, unsigned slot, unsigned next)
{
    struct access_bench *b = r->bench;
    if (r->plan->instruction->lane_bytes < 4)
        return false; /* an address does not fit */
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        if (!(r->plan->active_mask >> lane & 1))
            continue;
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

/* After a few loads every lane must be where the host has come to, a link a load. */
static bool check_chain(struct run *r, const struct gpu_launch *launch, unsigned start,
                        unsigned steps)
{
    uint32_t found[SWB_LANES][2];
    const uint32_t *expected = r->plan->offsets[steps > 1 ? CHECKED_STEPS % steps : start];
    r->iterations = CHECKED_STEPS;
    if (!access_launch(r, launch) ||
        !gpu_download(r->gpu, found, r->bench->device.out, sizeof found, r->error))
        return false;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        if (!(r->plan->active_mask >> lane & 1) || found[lane][0] == expected[lane])
            continue;
        r->row->verified = VERIFIED_NO;
        row_end(r->row, ROW_FAILED, "wrong chain: lane %u is at byte %u after %u loads, not at %u",
                lane, (unsigned)found[lane][0], CHECKED_STEPS, (unsigned)expected[lane]);
    }
    return true;
}

static bool time_load_chain(struct run *r, unsigned worst, struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations, .work_per_iteration = 1};
    unsigned start, steps;
    lay_chain(r, worst, &start, &steps);
    if (!steps)
        return true;
    if (!access_prepare(r, "chain", 1, 1, &timed.launch) ||
        !gpu_upload(r->gpu, r->bench->device.image, r->bench->image, IMAGE_BYTES, r->error))
        return false;
    r->arguments.chain_start = start;
    if (!check_chain(r, &timed.launch, start, steps))
        return false;
    timed.clocks = r->arguments.clocks;
    timed.n = (CHAIN_STEPS + steps - 1) / steps * steps;
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

static bool time_store_chain(struct run *r, struct timing *timing)
{
    struct timed_kernel timed = {.iterations = &r->iterations};
    if (!access_prepare(r, "chain", 1, 1, &timed.launch))
        return false;
    timed.clocks = r->arguments.clocks;
    timed.work_per_iteration = (double)r->arguments.groups * GROUP_SLOTS;
    timed.n = at_least_four(CHAIN_STEPS / timed.work_per_iteration);
    return gpu_time_cycles(r->gpu, &timed, timing, r->error);
}

bool access_time(struct run *r, unsigned worst, struct access_result *result)
{
    unsigned sms = (unsigned)gpu_info(r->gpu)->sm_count;
    if (!time_sweep(r, sms, WARPS, BUSY_CYCLES, &result->throughput) ||
        !time_sweep(r, 1, 1, ONE_WARP_CYCLES, &result->one_warp))
        return false;
    return r->loads ? time_load_chain(r, worst, &result->latency)
                    : time_store_chain(r, &result->latency);
}
