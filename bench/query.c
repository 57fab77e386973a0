/* Which accesses does a command line ask about? */
#include "bench/query.h"

#include <stdio.h>
#include <string.h>

#include "bench/access_file.h"
#include "bench/lanes.h"
#include "harness/text.h"

/* ---- Options ------------------------------------------------------------------------------ */

const char query_help[] =
    "  --accesses FILE   CSV with the columns instruction, active_mask (hex), and\n"
    "                    lane_byte_addresses (32 numbers with spaces between); cp.async also\n"
    "                    global_byte_addresses and cache (ca or cg); - reads standard input\n"
    "  --layout LAYOUT   (8,64):(64,1); Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1), a swizzle on\n"
    "                    byte addresses; Sw<3,3,3> o (8,64):(64,1), one on element numbers; or\n"
    "                    linear, padded, K/none, K/32B, K/64B, K/128B, MN/none, MN/32B ...\n"
    "  --elem-bits B     width of an element; 4 and 6 are possible\n"
    "  --instruction I   ld.shared.b32 .b64 .b128, st.shared..., ldmatrix.x1 .x2 .x4 (.trans),\n"
    "                    stmatrix...\n"
    "  --tile RxC        rows and columns; the layout, or its atom, is repeated to fill it\n"
    "  --stack col|row   the next repetition in memory is the next down a column (default), or\n"
    "                    along a row\n"
    "  --access A        rows (default): consecutive lanes along the contiguous dimension;\n"
    "                    columns: consecutive lanes across it. Loads and stores\n"
    "  --tv LAYOUT       who takes what instead: (thread,value) -> number of the element, counted\n"
    "                    down the columns\n"
    "  --base BYTES      where the tile starts in shared memory (default 0)\n"
    "  --lanes LAYOUT    one access: lane -> byte address, as in 32:128, (16,2):(8,0),\n"
    "                    Sw<3,4,3> o 32:128; lanes behind its size are off\n"
    "  --mask HEX        the lanes of it that are active (default ffffffff)\n";

void query_take_option(int answer, const char *value, struct query_words *words)
{
    const struct {
        enum query_option option;
        const char **value;
    } values[] = {
        {QUERY_ACCESSES, &words->accesses},
        {QUERY_LAYOUT, &words->placed.layout},
        {QUERY_ELEM_BITS, &words->placed.elem_bits},
        {QUERY_TILE, &words->placed.tile},
        {QUERY_STACK, &words->placed.stack},
        {QUERY_BASE, &words->placed.base},
        {QUERY_LANES, &words->lanes},
        {QUERY_MASK, &words->mask},
        {QUERY_INSTRUCTION, &words->instruction},
        {QUERY_ACCESS, &words->access},
        {QUERY_TV, &words->tv},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if ((int)values[i].option == answer)
            *values[i].value = value;
    }
}

bool query_check(const struct query_words *words, struct error *error)
{
    const struct placed_words *placed = &words->placed;
    bool of_layout = words->access || words->tv || placed->elem_bits || placed->tile ||
                     placed->stack || placed->base;
    if (!!words->accesses + !!placed->layout + !!words->lanes != 1)
        return error_set(error, ERROR_INPUT,
                         "give one of --accesses FILE, --layout LAYOUT and --lanes LAYOUT");
    if (!words->accesses && !words->instruction)
        return error_set(error, ERROR_INPUT, "%s needs --instruction",
                         words->lanes ? "--lanes" : "--layout");
    if (words->accesses && (of_layout || words->instruction))
        return error_set(error, ERROR_INPUT,
                         "--accesses gives instructions and addresses; the options of a layout do "
                         "not go with it");
    if (words->lanes && of_layout)
        return error_set(error, ERROR_INPUT,
                         "--lanes gives addresses; the options of a layout do not go with it");
    if (words->mask && !words->lanes)
        return error_set(error, ERROR_INPUT, "--mask goes with --lanes");
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------ */

static const struct swb_instruction *find_instruction(const char *name, struct error *error)
{
    enum { MOST = 48 };
    const struct swb_instruction *instruction = swb_instruction_find(name);
    const char *names[MOST];
    char hint[320];
    size_t count = 0;
    if (instruction && instruction->kind != SWB_CP_ASYNC)
        return instruction;
    if (instruction) {
        error_set(error, ERROR_INPUT,
                  "%s is not predicted here: its writes are grouped by the global lines that they "
                  "come from; give both addresses in --accesses FILE",
                  name);
        return NULL;
    }
    for (; count < MOST && swb_instruction_at(count); count++)
        names[count] = swb_instruction_at(count)->name;
    text_suggest(name, names, count, hint, sizeof hint);
    error_set(error, ERROR_INPUT, "unknown --instruction '%s'; %s", name, hint);
    return NULL;
}

/* Two elements in one place: a store would lose one of them, a load only reads it twice. */
static bool check_collision(const struct query *query, const char *command, struct error *error)
{
    char sentence[PLACED_NAME_BYTES + 128];
    if (!placed_collision(&query->placed, sentence, sizeof sentence))
        return true;
    if (query->instruction->kind != SWB_LOAD && query->instruction->kind != SWB_LDMATRIX)
        return error_set(error, ERROR_INPUT, "%s: %s would lose one", sentence,
                         query->instruction->name);
    fprintf(stderr, "swizzlebench %s: warning: %s\n", command, sentence);
    return true;
}

static bool open_layout(const struct query_words *words, const char *command, struct query *query,
                        struct error *error)
{
    if (!placed_read(&words->placed, &query->placed, error) ||
        !check_collision(query, command, error) ||
        !walk_plan(&query->placed, query->instruction, words->access, words->tv, &query->walk,
                   error))
        return false;
    snprintf(query->title, sizeof query->title, "%s over %s", query->instruction->name,
             query->placed.name);
    return true;
}

bool query_open(const struct query_words *words, const char *command, struct query *query,
                struct error *error)
{
    *query = (struct query){.kind = QUERY_OF_FILE, .file = words->accesses};
    if (words->accesses) {
        snprintf(query->title, sizeof query->title, "%s", words->accesses);
        return true;
    }
    query->instruction = find_instruction(words->instruction, error);
    if (!query->instruction)
        return false;
    if (words->placed.layout) {
        query->kind = QUERY_OF_LAYOUT;
        return open_layout(words, command, query, error);
    }
    query->kind = QUERY_OF_LANES;
    snprintf(query->title, sizeof query->title, "%s of %s", words->instruction, words->lanes);
    return lanes_read(words->lanes, words->mask, query->instruction, &query->access, error);
}

/* ---- The accesses ------------------------------------------------------------------------- */

static bool each_of_file(const struct query *query, query_take *take, void *taker,
                         struct error *error)
{
    struct access_file file;
    struct access_row row = {.instruction = NULL};
    size_t count = 0;
    if (!access_file_open(query->file, &file, error))
        return false;
    while (access_file_next(&file, &row, error)) {
        struct query_access access = {
            row.instruction, {row.access, {0}, row.bypass_l1}, row.has_globals};
        if (row.has_globals)
            memcpy(access.copy.global_byte_addresses, row.global_byte_addresses,
                   sizeof row.global_byte_addresses);
        if (!take(taker, &access, error))
            break;
        count++;
    }
    access_file_close(&file);
    if (error->kind == ERROR_NONE && count == 0)
        return error_set(error, ERROR_INPUT, "%s has no accesses", query->file);
    return error->kind == ERROR_NONE;
}

static bool each_of_layout(const struct query *query, query_take *take, void *taker,
                           struct error *error)
{
    struct query_access access = {.instruction = query->instruction};
    for (unsigned position = 0; position < query->walk.positions; position++) {
        if (!walk_access(&query->walk, position, &access.copy.to, error) ||
            !take(taker, &access, error))
            return false;
    }
    return true;
}

bool query_each(const struct query *query, query_take *take, void *taker, struct error *error)
{
    struct query_access access = {.instruction = query->instruction, .copy.to = query->access};
    switch (query->kind) {
    case QUERY_OF_FILE:
        return each_of_file(query, take, taker, error);
    case QUERY_OF_LAYOUT:
        return each_of_layout(query, take, taker, error);
    case QUERY_OF_LANES:
        return take(taker, &access, error);
    }
    return false;
}
