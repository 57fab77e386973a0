/* Which readers and writers does the family contention run beside each other? */
#include "bench/contention_cases.h"

#include <stdio.h>
#include <string.h>

#include "harness/text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- Who reads, who writes ----------------------------------------------------------------- */

/* clang-format off */
static const struct contention_actor readers[] = {
    {"ldmatrix.x4", "x4", CONTENTION_LANES, "ldmatrix.x4", false, false, 0, 80},
    {"ldmatrix.x4.trans", "x4_trans", CONTENTION_LANES, "ldmatrix.x4.trans", false, false, 0, 80},
    {"wgmma.n64", "n64", CONTENTION_WGMMA, NULL, false, false, 64, 90},
    {"wgmma.n128", "n128", CONTENTION_WGMMA, NULL, false, false, 128, 90},
    {"wgmma.n256", "n256", CONTENTION_WGMMA, NULL, false, false, 256, 90},
};
static const struct contention_actor writers[] = {
    {"st.shared.b32", "st_4", CONTENTION_LANES, "st.shared.b32", false, false, 0, 80},
    {"st.shared.b128", "st_16", CONTENTION_LANES, "st.shared.b128", false, false, 0, 80},
    {"ld.global+st.shared.b128", "ld_st_16", CONTENTION_LANES, "st.shared.b128", true, false, 0,
     80},
    {"cp.async.4.ca", "ca_4", CONTENTION_LANES, "cp.async.4", true, false, 0, 80},
    {"cp.async.8.ca", "ca_8", CONTENTION_LANES, "cp.async.8", true, false, 0, 80},
    {"cp.async.16.ca", "ca_16", CONTENTION_LANES, "cp.async.16", true, false, 0, 80},
    {"cp.async.16.cg", "cg_16", CONTENTION_LANES, "cp.async.16", true, true, 0, 80},
    {"tma", "tma", CONTENTION_TMA, NULL, true, false, 0, 90},
};
/* clang-format on */

static const struct contention_actor *find(const struct contention_actor *actors, size_t count,
                                           const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(actors[i].name, name) == 0)
            return &actors[i];
    return NULL;
}

/* ---- Layouts ------------------------------------------------------------------------------- */

/* Sw<3,3,4> on the numbers of 16-bit elements, as bytes. */
static const struct swb_layout_mode sw334 = {.name = "Sw<3,3,4>",
                                             .swizzle_bits = 3,
                                             .swizzle_base = 4,
                                             .swizzle_shift = 4,
                                             .atom_lines = 1,
                                             .chunk_bytes = 16};

bool contention_layout_find(const char *name, unsigned lane_bytes, struct contention_layout *layout)
{
    enum { TILE_LINES = 16, LINE_ELEMENTS = 64, WIDE_LINES = 8, WIDE_ELEMENTS = 128 };
    bool wide = strcmp(name, "Sw<3,3,4>/128") == 0;
    struct swb_tile *t = &layout->tile;
    unsigned lines = wide ? WIDE_LINES : TILE_LINES, across = wide ? WIDE_ELEMENTS : LINE_ELEMENTS;
    *layout = (struct contention_layout){.name = name, .side_by_side = wide};
    *t = (struct swb_tile){.stack = SWB_STACK_ROW, .elem_bits = CONTENTION_ELEM_BITS};
    if (wide || strcmp(name, "Sw<3,3,4>/64") == 0) {
        t->mode = &sw334;
        t->major = SWB_MN_MAJOR;
    } else {
        t->mode = swb_layout_find(name, &t->major);
    }
    if (!t->mode)
        return false;
    if (t->major == SWB_MN_MAJOR)
        t->stack = SWB_STACK_COL;
    t->rows = t->major == SWB_K_MAJOR ? lines : across;
    t->cols = t->major == SWB_K_MAJOR ? across : lines;
    return !t->mode->chunk_bytes || lane_bytes <= t->mode->chunk_bytes;
}

/* ---- The cases ----------------------------------------------------------------------------- */

/* Which layouts of which actor; a case has one of them for each side. */
struct part {
    const char *actor, *layouts[8];
};

static const struct part no_part[] = {{NULL, {"", NULL}}};

static const struct part usual_readers[] = {
    {"ldmatrix.x4", {"K/128B", "linear"}},
    {"ldmatrix.x4.trans", {"MN/128B"}},
    {"wgmma.n64", {"K/128B"}},
    {"wgmma.n128", {"K/128B"}},
    {"wgmma.n256", {"K/128B"}},
};
static const struct part usual_writers[] = {
    {"st.shared.b32", {"linear"}},
    {"st.shared.b128", {"K/128B", "K/none"}},
    {"cp.async.4.ca", {"linear"}},
    {"cp.async.16.ca", {"K/128B", "K/none"}},
    {"cp.async.16.cg", {"K/128B", "K/none"}},
    {"tma", {"128B", "32B"}},
};
static const struct part all_readers[] = {
    {"ldmatrix.x4", {"K/128B", "linear", "K/none", "K/32B", "K/64B"}},
    {"ldmatrix.x4.trans", {"MN/128B", "linear", "MN/none", "MN/32B", "MN/64B"}},
    {"wgmma.n64", {"K/128B", "K/none"}},
    {"wgmma.n128", {"K/128B", "K/none", "K/32B", "K/64B"}},
    {"wgmma.n256", {"K/128B", "K/none"}},
};
static const struct part all_writers[] = {
    {"st.shared.b32", {"linear", "K/none"}},
    {"st.shared.b128", {"K/128B", "K/none", "linear", "K/32B", "K/64B"}},
    {"ld.global+st.shared.b128", {"K/128B", "K/none"}},
    {"cp.async.4.ca", {"linear", "K/none"}},
    {"cp.async.8.ca", {"linear", "K/none"}},
    {"cp.async.16.ca", {"K/128B", "K/none", "linear", "K/32B", "K/64B"}},
    {"cp.async.16.cg", {"K/128B", "K/none", "linear", "K/32B", "K/64B"}},
    {"tma", {"128B", "32B", "64B", "none", "linear"}},
};

static const struct part sw334_reader[] = {
    {"ldmatrix.x4.trans", {"Sw<3,3,4>/128", "Sw<3,3,4>/64"}}};
static const struct part sw334_writers[] = {{"st.shared.b128", {"K/128B"}},
                                            {"cp.async.16.ca", {"K/128B"}},
                                            {"cp.async.16.cg", {"K/128B"}},
                                            {"tma", {"128B"}}};
static const struct part mode_writers[] = {
    {"cp.async.16.ca", {"linear", "K/none", "K/32B", "K/64B", "K/128B"}},
    {"cp.async.16.cg", {"linear", "K/none", "K/32B", "K/64B", "K/128B"}},
};
static const struct part grid_reader[] = {{"ldmatrix.x4", {"K/128B"}}};
static const struct part size_writers[] = {{"st.shared.b32", {"linear"}},
                                           {"ld.global+st.shared.b128", {"K/128B"}}};

enum setting { PLAIN, SIZES, CARVEOUTS, GRIDS };

/* smem_kib, carveout_pct, ctas_per_sm. */
static const struct {
    enum setting of;
    unsigned smem_kib, carveout_pct, ctas_per_sm;
} settings[] = {
    {PLAIN, 0, 0, 0},       {SIZES, 16, 0, 0},      {SIZES, 48, 0, 0},      {SIZES, 96, 0, 0},
    {SIZES, 160, 0, 0},     {SIZES, 227, 0, 0},     {SIZES, 16, 0, 8},      {SIZES, 48, 0, 8},
    {SIZES, 96, 0, 8},      {SIZES, 160, 0, 8},     {SIZES, 227, 0, 8},     {CARVEOUTS, 16, 1, 8},
    {CARVEOUTS, 16, 25, 8}, {CARVEOUTS, 16, 50, 8}, {CARVEOUTS, 16, 75, 8}, {CARVEOUTS, 16, 100, 8},
    {GRIDS, 16, 0, 0},      {GRIDS, 16, 0, 1},      {GRIDS, 16, 0, 10},     {GRIDS, 96, 0, 0},
    {GRIDS, 96, 0, 1},      {GRIDS, 96, 0, 2},      {GRIDS, 96, 0, 10},
};

#define PARTS(parts) parts, LENGTH(parts)

struct sweep {
    const struct part *readers;
    size_t reader_count;
    const struct part *writers;
    size_t writer_count;
    enum contention_report report;
    enum setting setting;
    unsigned warps; /* of a side that goes lane by lane */
};

/* clang-format off */
static const struct sweep sweeps[] = {
    {PARTS(usual_readers), PARTS(no_part), CONTENTION_NO_REPORT, PLAIN, 8},
    {PARTS(no_part), PARTS(usual_writers), CONTENTION_NO_REPORT, PLAIN, 8},
    {PARTS(usual_readers), PARTS(usual_writers), CONTENTION_NO_REPORT, PLAIN, 8},
    {PARTS(sw334_reader), PARTS(no_part), CONTENTION_SW334, PLAIN, 8},
    {PARTS(sw334_reader), PARTS(sw334_writers), CONTENTION_SW334, PLAIN, 8},
    {PARTS(no_part), PARTS(mode_writers), CONTENTION_MODES, PLAIN, 8},
    {PARTS(no_part), PARTS(size_writers), CONTENTION_SIZE, SIZES, 8},
    {PARTS(no_part), PARTS(size_writers), CONTENTION_SIZE, CARVEOUTS, 8},
    {PARTS(grid_reader), PARTS(no_part), CONTENTION_GRID, GRIDS, 8},
    {PARTS(no_part), PARTS(size_writers), CONTENTION_GRID, GRIDS, 8},

    {PARTS(all_readers), PARTS(no_part), CONTENTION_NO_REPORT, PLAIN, 8}, /* --full from here */
    {PARTS(no_part), PARTS(all_writers), CONTENTION_NO_REPORT, PLAIN, 8},
    {PARTS(all_readers), PARTS(all_writers), CONTENTION_NO_REPORT, PLAIN, 8},
    {PARTS(usual_readers), PARTS(usual_writers), CONTENTION_NO_REPORT, PLAIN, 4},
    {PARTS(usual_readers), PARTS(usual_writers), CONTENTION_NO_REPORT, PLAIN, 2},
};
/* clang-format on */
enum { DEFAULT_SWEEPS = 10 };

static size_t layouts_of(const struct part *part)
{
    size_t count = 0;
    while (count < LENGTH(part->layouts) && part->layouts[count])
        count++;
    return count;
}

static size_t count_sides(const struct part *parts, size_t count)
{
    size_t all = 0;
    for (size_t p = 0; p < count; p++)
        all += layouts_of(&parts[p]);
    return all;
}

/* Number `i` of them: which actor, in which layout. */
static void side_at(const struct part *parts, size_t i, const char **actor, const char **layout)
{
    for (; i >= layouts_of(parts); parts++)
        i -= layouts_of(parts);
    *actor = parts->actor;
    *layout = parts->layouts[i];
}

/* A warpgroup has four warps, and TMA as many boxes on the way as there is room for. */
static unsigned warps_of(const struct contention_actor *actor, unsigned lane_warps)
{
    enum { WARPGROUP_WARPS = 4 };
    return !actor                             ? 0
           : actor->means == CONTENTION_WGMMA ? WARPGROUP_WARPS
           : actor->means == CONTENTION_TMA   ? CONTENTION_MOST_WARPS
                                              : lane_warps;
}

static struct contention_case case_of(const struct sweep *s, size_t reader, size_t writer,
                                      size_t setting)
{
    const char *reads, *writes;
    struct contention_case c = {.near_sources = s->setting != PLAIN,
                                .report = s->report,
                                .smem_kib = settings[setting].smem_kib,
                                .carveout_pct = settings[setting].carveout_pct,
                                .ctas_per_sm = settings[setting].ctas_per_sm};
    side_at(s->readers, reader, &reads, &c.reader_layout);
    side_at(s->writers, writer, &writes, &c.writer_layout);
    c.reader = reads ? find(readers, LENGTH(readers), reads) : NULL;
    c.writer = writes ? find(writers, LENGTH(writers), writes) : NULL;
    c.reader_warps = warps_of(c.reader, s->warps);
    c.writer_warps = warps_of(c.writer, s->warps);
    return c;
}

/* Whether it stands in an earlier sweep already, or no side of it goes lane by lane, so that the
 * number of warps changes nothing. */
static bool is_repeated(size_t sweep, const struct contention_case *c)
{
    const struct sweep *s = &sweeps[sweep];
    bool lanes = (c->reader && c->reader->means == CONTENTION_LANES) ||
                 (c->writer && c->writer->means == CONTENTION_LANES);
    if (s->report != CONTENTION_NO_REPORT || sweep < DEFAULT_SWEEPS)
        return false;
    if (s->warps < CONTENTION_MOST_WARPS)
        return !lanes;
    for (const struct sweep *u = sweeps; u < sweeps + DEFAULT_SWEEPS; u++) {
        size_t writer_count = count_sides(u->writers, u->writer_count);
        size_t count = writer_count * count_sides(u->readers, u->reader_count);
        for (size_t i = 0; u->report == CONTENTION_NO_REPORT && i < count; i++) {
            struct contention_case other = case_of(u, i / writer_count, i % writer_count, 0);
            if (other.reader == c->reader && other.writer == c->writer &&
                strcmp(other.reader_layout, c->reader_layout) == 0 &&
                strcmp(other.writer_layout, c->writer_layout) == 0)
                return true;
        }
    }
    return false;
}

/* ---- The list, made when first asked for, and only read from then on ------------------------ */

enum { MOST_CASES = 2048 };
struct case_list {
    struct contention_case cases[MOST_CASES];
    size_t count, default_count;
};

static void add_sweep(struct case_list *list, size_t sweep)
{
    const struct sweep *s = &sweeps[sweep];
    size_t reader_count = count_sides(s->readers, s->reader_count);
    size_t writer_count = count_sides(s->writers, s->writer_count);
    for (size_t setting = 0; setting < LENGTH(settings); setting++)
        for (size_t i = 0; settings[setting].of == s->setting && i < reader_count * writer_count;
             i++) {
            struct contention_case c = case_of(s, i / writer_count, i % writer_count, setting);
            if (list->count < MOST_CASES && !is_repeated(sweep, &c))
                list->cases[list->count++] = c;
        }
}

static const struct case_list *all_cases(void)
{
    static struct case_list list;
    if (!list.count)
        for (size_t sweep = 0; sweep < LENGTH(sweeps); sweep++) {
            add_sweep(&list, sweep);
            if (sweep + 1 == DEFAULT_SWEEPS)
                list.default_count = list.count;
        }
    return &list;
}

size_t contention_case_count(bool full)
{
    return full ? all_cases()->count : all_cases()->default_count;
}

struct contention_case contention_case_at(size_t index)
{
    return all_cases()->cases[index];
}

/* ---- Names --------------------------------------------------------------------------------- */

const char *contention_report_name(enum contention_report report)
{
    static const char *const names[] = {
        [CONTENTION_NO_REPORT] = "",     [CONTENTION_SW334] = "sw334-ldmatrix-trans",
        [CONTENTION_MODES] = "ca-or-cg", [CONTENTION_SIZE] = "smem-size",
        [CONTENTION_GRID] = "grid",
    };
    return names[report];
}

static void add_side(char *name, size_t bytes, const char *role,
                     const struct contention_actor *actor, const char *layout)
{
    char text[64];
    if (!actor)
        return;
    snprintf(text, sizeof text, "%s=%s %s", role, actor->name, layout);
    text_append(name, bytes, " ", text);
}

void contention_case_name(const struct contention_case *c, char *name, size_t bytes)
{
    char text[32];
    snprintf(name, bytes, "%s%s", c->report ? "report=" : "", contention_report_name(c->report));
    add_side(name, bytes, "reader", c->reader, c->reader_layout);
    add_side(name, bytes, "writer", c->writer, c->writer_layout);
    snprintf(text, sizeof text, "warps=%u+%u", c->reader_warps, c->writer_warps);
    text_append(name, bytes, " ", text);
    if (!c->smem_kib)
        return;
    snprintf(text, sizeof text, "smem=%uKiB", c->smem_kib);
    text_append(name, bytes, " ", text);
    snprintf(text, sizeof text, "carveout=%u%%", c->carveout_pct);
    text_append(name, bytes, c->carveout_pct ? " " : "", c->carveout_pct ? text : "");
    snprintf(text, sizeof text, "ctas=%u/SM", c->ctas_per_sm);
    text_append(name, bytes, " ", c->ctas_per_sm ? text : "ctas=1");
}
