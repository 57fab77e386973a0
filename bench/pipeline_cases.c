/* Which tiles does the family pipeline load and multiply, and in which layouts? */
#include "bench/pipeline_cases.h"

#include <stdio.h>

enum { ELEM_BYTES = PIPELINE_ELEM_BITS / 8 };

/* ---- The sweeps ---------------------------------------------------------------------------- */

enum mode { NONE, SWIZZLE_32B, SWIZZLE_64B, SWIZZLE_128B, MODES };
static const char *const mode_names[MODES] = {"none", "32B", "64B", "128B"};

static const unsigned k_blocks[] = {16, 32, 64, 128}, ns[] = {64, 128, 256};
enum { K_BLOCKS = sizeof k_blocks / sizeof k_blocks[0], NS = sizeof ns / sizeof ns[0] };

/* A K-major B has the mode of A; an MN-major one each mode beside CUTLASS's choice for A. */
struct sweep {
    enum swb_major b_major;
    unsigned stages; /* 0: four, or two where there is no room for four */
    bool one_box;
    enum mode first, last; /* of B */
};

/* clang-format off */
static const struct sweep sweeps[] = {
    {SWB_K_MAJOR, 0, true, NONE, NONE},
    {SWB_K_MAJOR, 0, false, SWIZZLE_32B, SWIZZLE_128B},
    {SWB_K_MAJOR, 0, true, SWIZZLE_32B, SWIZZLE_128B},

    {SWB_K_MAJOR, 0, false, NONE, NONE}, /* the first of --full */
    {SWB_K_MAJOR, 2, false, NONE, SWIZZLE_128B},
    {SWB_K_MAJOR, 2, true, NONE, SWIZZLE_128B},
    {SWB_K_MAJOR, 8, false, NONE, SWIZZLE_128B},
    {SWB_K_MAJOR, 8, true, NONE, SWIZZLE_128B},
    {SWB_MN_MAJOR, 0, false, NONE, SWIZZLE_128B},
    {SWB_MN_MAJOR, 0, true, NONE, SWIZZLE_128B},
};
/* clang-format on */
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0], DEFAULT_SWEEPS = 3 };

static const struct swb_layout_mode *mode_at(enum mode mode)
{
    enum swb_major major;
    char name[16];
    snprintf(name, sizeof name, "K/%s", mode_names[mode]);
    return swb_layout_find(name, &major);
}

static bool has_room(const struct pipeline_case *c, unsigned stages)
{
    return stages * pipeline_stage_bytes(c) <= PIPELINE_DATA_BYTES;
}

static unsigned deep(const struct pipeline_case *c)
{
    return has_room(c, 4) ? 4 : 2;
}

static bool divides(const struct swb_layout_mode *mode, unsigned line_elements)
{
    return line_elements * ELEM_BYTES % mode->span_bytes == 0;
}

/* One box is another case than many where an operand has more than one span along its lines. */
static bool has_spans(const struct pipeline_case *c)
{
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
        if (pipeline_line_elements(c, operand) * ELEM_BYTES > c->layouts[operand].mode->span_bytes)
            return true;
    return false;
}

/* Combination number `i` of a sweep; false where there is no such case. */
static bool combine(const struct sweep *sweep, unsigned i, struct pipeline_case *c)
{
    unsigned k = i / MODES / NS, n = i / MODES % NS;
    enum mode mode = i % MODES;
    *c = (struct pipeline_case){
        .n = ns[n], .k_block = k_blocks[k], .one_box = sweep->one_box, .stages = sweep->stages};
    c->layouts[SWB_MMA_A] = (struct wgmma_layout){SWB_K_MAJOR, mode_at(mode)};
    c->layouts[SWB_MMA_B] = (struct wgmma_layout){sweep->b_major, mode_at(mode)};
    if (sweep->b_major == SWB_MN_MAJOR)
        c->layouts[SWB_MMA_A].mode = pipeline_cutlass_mode(c->k_block);
    if (sweep->stages == 0)
        c->stages = deep(c);
    else if (c->stages == deep(c) || !has_room(c, c->stages))
        return false;
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
        if (!divides(c->layouts[operand].mode, pipeline_line_elements(c, operand)))
            return false;
    return mode >= sweep->first && mode <= sweep->last && (!c->one_box || has_spans(c));
}

/* Case number `index`; or, with `c` NULL, how many there are. */
static size_t find_case(size_t index, bool full, struct pipeline_case *c)
{
    size_t found = 0;
    for (size_t sweep = 0; sweep < (full ? SWEEPS : DEFAULT_SWEEPS); sweep++)
        for (unsigned i = 0; i < K_BLOCKS * NS * MODES; i++) {
            struct pipeline_case next;
            if (!combine(&sweeps[sweep], i, &next))
                continue;
            if (c && found == index) {
                *c = next;
                return found;
            }
            found++;
        }
    return found;
}

size_t pipeline_case_count(bool full)
{
    return find_case(0, full, NULL);
}

struct pipeline_case pipeline_case_at(size_t index)
{
    struct pipeline_case c = {.n = 0};
    find_case(index, true, &c);
    return c;
}

void pipeline_case_name(const struct pipeline_case *c, char *name, size_t bytes)
{
    char a[16], b[16];
    wgmma_layout_name(&c->layouts[SWB_MMA_A], a, sizeof a);
    wgmma_layout_name(&c->layouts[SWB_MMA_B], b, sizeof b);
    snprintf(name, bytes, "k%u n%u A=%s B=%s stages=%u boxes=%s", c->k_block, c->n, a, b, c->stages,
             c->one_box ? "one" : "many");
}

/* ---- Extents ------------------------------------------------------------------------------- */

unsigned pipeline_rows(const struct pipeline_case *c, enum swb_mma_operand operand)
{
    return operand == SWB_MMA_A ? WGMMA_M : c->n;
}

unsigned pipeline_lines(const struct pipeline_case *c, enum swb_mma_operand operand)
{
    return c->layouts[operand].major == SWB_K_MAJOR ? pipeline_rows(c, operand) : c->k_block;
}

unsigned pipeline_line_elements(const struct pipeline_case *c, enum swb_mma_operand operand)
{
    return c->layouts[operand].major == SWB_K_MAJOR ? c->k_block : pipeline_rows(c, operand);
}

uint32_t pipeline_operand_bytes(const struct pipeline_case *c, enum swb_mma_operand operand)
{
    return pipeline_rows(c, operand) * c->k_block * ELEM_BYTES;
}

uint32_t pipeline_stage_bytes(const struct pipeline_case *c)
{
    return pipeline_operand_bytes(c, SWB_MMA_A) + pipeline_operand_bytes(c, SWB_MMA_B);
}

/* ---- CUTLASS's choice ---------------------------------------------------------------------- */

const struct swb_layout_mode *pipeline_cutlass_mode(unsigned line_elements)
{
    enum mode mode = SWIZZLE_128B;
    while (mode > NONE && !divides(mode_at(mode), line_elements))
        mode--;
    return mode_at(mode);
}

bool pipeline_is_cutlass_choice(const struct pipeline_case *c)
{
    for (unsigned operand = SWB_MMA_A; operand <= SWB_MMA_B; operand++)
        if (c->layouts[operand].mode != pipeline_cutlass_mode(pipeline_line_elements(c, operand)))
            return false;
    return true;
}
