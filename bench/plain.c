/* How fast do all SMs read or write memory with plain 16-byte instructions? */
#include "bench/plain.h"

#include <inttypes.h>
#include <stdlib.h>

enum { UNROLL = 8, STORED_WORDS = 4, CHECKED_BYTES = 1 << 20 };

struct plain_run {
    unsigned ctas, threads;
    uint64_t count;
    uint32_t loops;
    uint64_t step_bytes;
};

static struct plain_run run_of(const struct gpu *gpu, const struct plain_memory *m,
                               unsigned ctas_per_sm)
{
    struct plain_run run = {.ctas = (unsigned)gpu_info(gpu)->sm_count * ctas_per_sm,
                            .count = m->bytes / 16};
    run.threads = run.ctas * PLAIN_THREADS;
    run.step_bytes = (uint64_t)run.threads * UNROLL * 16;
    run.loops = (uint32_t)(m->moved_bytes / run.step_bytes);
    return run;
}

static bool measure(struct gpu *gpu, const char *entry, const struct plain_memory *m,
                    const struct plain_run *run, void **arguments, struct chip_rate *rate,
                    struct error *error)
{
    struct gpu_launch launch = {
        .grid_x = run->ctas, .block_x = PLAIN_THREADS, .arguments = arguments};
    return gpu_kernel_find(gpu, "plain", entry, &launch.kernel, error) &&
           chip_rate_measure(gpu, &launch, m->spans, m->span_buffer,
                             (double)(run->loops * run->step_bytes), rate, error);
}

/* ---- Loads --------------------------------------------------------------------------------- */

/* Sum of the words of the first `bytes` bytes of the image, gone round as often as needed. */
static uint32_t image_sum(const struct plain_memory *m, uint64_t bytes)
{
    const uint32_t *words = (const uint32_t *)(const void *)m->image;
    uint64_t whole = bytes / m->image_bytes, rest = bytes % m->image_bytes / 4;
    uint32_t all = 0, part = 0;
    for (uint32_t i = 0; i < m->image_bytes / 4; i++) {
        all += words[i];
        part += i < rest ? words[i] : 0;
    }
    return all * (uint32_t)whole + part;
}

static bool check_sums(struct gpu *gpu, const struct plain_memory *m, const struct plain_run *run,
                       struct row *row, struct error *error)
{
    uint32_t *sums = malloc((size_t)run->threads * sizeof *sums), sum = 0;
    if (!sums)
        return error_set(error, ERROR_FAILED, "no memory for the sums of plain loads");
    bool done = gpu_download(gpu, sums, m->sums, (size_t)run->threads * sizeof *sums, error);
    for (unsigned i = 0; done && i < run->threads; i++)
        sum += sums[i];
    free(sums);
    if (!done)
        return false;
    uint32_t expected = image_sum(m, run->loops * run->step_bytes);
    row->verified = sum == expected ? VERIFIED_YES : VERIFIED_NO;
    if (sum != expected)
        row_end(row, ROW_FAILED, "wrong bytes: plain loads add up to %08x, not %08x", sum,
                expected);
    return true;
}

bool plain_load_rate(struct gpu *gpu, const struct plain_memory *m, unsigned ctas_per_sm,
                     struct chip_rate *rate, struct row *row, struct error *error)
{
    struct plain_run run = run_of(gpu, m, ctas_per_sm);
    gpu_address data = m->data, sums = m->sums, spans = m->spans;
    void *arguments[] = {&data, &run.count, &sums, &spans, &run.loops};
    return measure(gpu, "plain_loads", m, &run, arguments, rate, error) &&
           check_sums(gpu, m, &run, row, error);
}

/* ---- Stores -------------------------------------------------------------------------------- */

/* What lies at both ends of the memory, as far as the launch went. */
static bool check_stored(struct gpu *gpu, const struct plain_memory *m, const struct plain_run *run,
                         uint32_t seed, struct row *row, struct error *error)
{
    uint32_t *found = malloc(CHECKED_BYTES);
    if (!found)
        return error_set(error, ERROR_FAILED, "no memory for what plain stores wrote");
    uint64_t written = run->loops * run->step_bytes;
    written = written < m->bytes ? written : m->bytes;
    const uint64_t places[] = {0, written - CHECKED_BYTES};
    bool done = true;
    row->verified = VERIFIED_YES;
    for (size_t i = 0; done && i < sizeof places / sizeof places[0]; i++) {
        done = gpu_download(gpu, found, m->data + places[i], CHECKED_BYTES, error);
        for (uint32_t word = 0; done && word < CHECKED_BYTES / 4; word++)
            if (found[word] != seed + word % STORED_WORDS) {
                row->verified = VERIFIED_NO;
                row_end(row, ROW_FAILED, "wrong bytes: %08x at %" PRIu64 ", not %08x", found[word],
                        places[i] + 4 * word, seed + word % STORED_WORDS);
            }
    }
    free(found);
    return done;
}

bool plain_store_rate(struct gpu *gpu, const struct plain_memory *m, unsigned ctas_per_sm,
                      struct chip_rate *rate, struct row *row, struct error *error)
{
    struct plain_run run = run_of(gpu, m, ctas_per_sm);
    gpu_address data = m->data, spans = m->spans;
    uint32_t seed = ((const uint32_t *)(const void *)m->image)[0];
    void *arguments[] = {&data, &run.count, &seed, &spans, &run.loops};
    return measure(gpu, "plain_stores", m, &run, arguments, rate, error) &&
           check_stored(gpu, m, &run, seed, row, error);
}
