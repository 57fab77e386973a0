/* Which accesses does a command line ask about? */
#include "bench/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/access_file.h"
#include "bench/walk.h"
#include "harness/text.h"

bool query_check(const struct query_words *words, struct error *error)
{
    if (!words->accesses == !words->placed.layout)
        return error_set(error, ERROR_INPUT, "give either --accesses FILE or --layout LAYOUT");
    if (words->placed.layout && !words->instruction)
        return error_set(error, ERROR_INPUT, "--layout needs --instruction");
    if (words->accesses &&
        (words->instruction || words->access || words->tv || words->placed.elem_bits ||
         words->placed.tile || words->placed.stack || words->placed.base))
        return error_set(error, ERROR_INPUT,
                         "--accesses gives instructions and addresses; the options of a layout do "
                         "not go with it");
    return true;
}

static bool add(struct query *query, const struct query_access *access, struct error *error)
{
    if (query->count == query->room) {
        query->room = query->room ? 2 * query->room : 64;
        struct query_access *larger =
            realloc(query->accesses, query->room * sizeof *query->accesses);
        if (!larger)
            return error_set(error, ERROR_MACHINE, "no memory for %zu accesses", query->room);
        query->accesses = larger;
    }
    query->accesses[query->count++] = *access;
    return true;
}

static bool read_file(const struct query_words *words, struct query *query, struct error *error)
{
    struct access_file file;
    struct access_row row = {.instruction = NULL};
    snprintf(query->title, sizeof query->title, "%s", words->accesses);
    if (!access_file_open(words->accesses, &file, error))
        return false;
    while (access_file_next(&file, &row, error)) {
        struct query_access access = {
            row.instruction, {row.access, {0}, row.bypass_l1}, row.has_globals};
        memcpy(access.copy.global_byte_addresses, row.global_byte_addresses,
               sizeof row.global_byte_addresses);
        if (!add(query, &access, error))
            break;
    }
    access_file_close(&file);
    if (error->kind == ERROR_NONE && query->count == 0)
        return error_set(error, ERROR_INPUT, "%s has no accesses", words->accesses);
    return error->kind == ERROR_NONE;
}

static const struct swb_instruction *find_instruction(const char *name, struct error *error)
{
    enum { MOST = 48 };
    const struct swb_instruction *instruction = swb_instruction_find(name);
    const char *names[MOST];
    char hint[320];
    size_t count = 0;
    for (; count < MOST && swb_instruction_at(count); count++)
        names[count] = swb_instruction_at(count)->name;
    if (!instruction) {
        text_suggest(name, names, count, hint, sizeof hint);
        error_set(error, ERROR_INPUT, "unknown --instruction '%s'; %s", name, hint);
    } else if (instruction->kind == SWB_CP_ASYNC) {
        error_set(error, ERROR_INPUT,
                  "%s depends on the global addresses too, of which a layout says nothing: give "
                  "both in --accesses FILE",
                  name);
        return NULL;
    }
    return instruction;
}

static bool walk_layout(const struct query_words *words, struct query *query, struct error *error)
{
    struct placed placed;
    struct walk walk;
    struct query_access access = {.instruction = find_instruction(words->instruction, error)};
    if (!access.instruction || !placed_read(&words->placed, &placed, error) ||
        !walk_plan(&placed, access.instruction, words->access, words->tv, &walk, error))
        return false;
    query->is_walk = true;
    snprintf(query->title, sizeof query->title, "%s over %s", access.instruction->name,
             placed.name);
    for (unsigned position = 0; position < walk.positions; position++)
        if (!walk_access(&walk, position, &access.copy.to, error) || !add(query, &access, error))
            return false;
    return true;
}

bool query_make(const struct query_words *words, struct query *query, struct error *error)
{
    *query = (struct query){.count = 0};
    return words->accesses ? read_file(words, query, error) : walk_layout(words, query, error);
}

void query_free(struct query *query)
{
    free(query->accesses);
    query->accesses = NULL;
}
