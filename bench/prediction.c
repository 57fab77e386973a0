/* What does the model say of a list of accesses? */
#include "bench/prediction.h"

#include <stdlib.h>
#include <string.h>

#include "bench/explain.h"

enum { FIRST_ROOM = 1024 };

/* Is a costlier than b, measured by its own ideal? */
static bool is_worse(const struct swb_cost *a, const struct swb_cost *b)
{
    return a->wavefronts * (b->ideal_wavefronts ? b->ideal_wavefronts : 1) >
           b->wavefronts * (a->ideal_wavefronts ? a->ideal_wavefronts : 1);
}

static bool make_room(struct predictions *predictions, struct error *error)
{
    if (predictions->count < predictions->room)
        return true;
    size_t room = predictions->room ? 2 * predictions->room : FIRST_ROOM;
    struct prediction *larger = realloc(predictions->rows, room * sizeof *larger);
    if (!larger)
        return error_set(error, ERROR_MACHINE, "no memory for %zu predictions", room);
    predictions->rows = larger;
    predictions->room = room;
    return true;
}

static bool find_cost(const struct query_access *access, struct swb_cost *cost)
{
    struct swb_copy_cost copied;
    if (access->instruction->kind != SWB_CP_ASYNC)
        return swb_bank_cost(access->instruction, &access->copy.to, cost);
    if (!access->has_globals || !swb_copy_cost(access->instruction, &access->copy, &copied))
        return false;
    *cost = (struct swb_cost){copied.wavefronts, copied.ideal_wavefronts, copied.conflicts};
    return true;
}

bool predictions_add(struct predictions *predictions, const struct query_access *access,
                     struct error *error)
{
    if (!make_room(predictions, error))
        return false;
    size_t number = predictions->count++;
    struct prediction *row = &predictions->rows[number];
    *row = (struct prediction){.instruction = access->instruction};
    row->known = find_cost(access, &row->cost);
    predictions->unknown += !row->known;
    predictions->wavefronts += row->cost.wavefronts;
    predictions->ideal_wavefronts += row->cost.ideal_wavefronts;
    predictions->conflicts += row->cost.conflicts;

    bool chosen =
        predictions->is_wanted
            ? number == predictions->wanted
            : number == 0 || is_worse(&row->cost, &predictions->rows[predictions->chosen].cost);
    if (chosen) {
        predictions->chosen = number;
        predictions->chosen_access = access->copy.to;
    }
    return true;
}

void predictions_free(struct predictions *predictions)
{
    free(predictions->rows);
    predictions->rows = NULL;
}

/* printf takes longer than the model. */
static char *put_number(char *at, unsigned long long number)
{
    char digits[24];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

static void print_row(FILE *to, const struct prediction *row, size_t position, bool with_position)
{
    char line[160], *at = line;
    unsigned numbers[] = {row->cost.wavefronts, row->cost.ideal_wavefronts, row->cost.conflicts};
    size_t length = strlen(row->instruction->name);
    if (with_position) {
        at = put_number(at, position);
        *at++ = ',';
    }
    memcpy(at, row->instruction->name, length);
    at += length;
    for (unsigned i = 0; i < 3; i++) {
        *at++ = ',';
        at = row->known ? put_number(at, numbers[i]) : at;
    }
    *at++ = '\n';
    fwrite(line, 1, (size_t)(at - line), to);
}

void predictions_print_csv(FILE *to, const struct predictions *predictions, bool positions)
{
    fprintf(to, "%sinstruction,wavefronts,ideal_wavefronts,conflicts\n",
            positions ? "position," : "");
    for (size_t i = 0; i < predictions->count; i++)
        print_row(to, &predictions->rows[i], i, positions);
}

void predictions_print_by_instruction(FILE *to, const struct predictions *predictions)
{
    fputs("instruction           accesses   wavefronts        ideal    conflicts\n", to);
    for (size_t kind = 0; swb_instruction_at(kind); kind++) {
        const struct swb_instruction *instruction = swb_instruction_at(kind);
        unsigned long long known = 0, unknown = 0, wavefronts = 0, ideal = 0, conflicts = 0;
        for (size_t i = 0; i < predictions->count; i++) {
            const struct prediction *row = &predictions->rows[i];
            if (row->instruction != instruction)
                continue;
            known += row->known;
            unknown += !row->known;
            wavefronts += row->cost.wavefronts;
            ideal += row->cost.ideal_wavefronts;
            conflicts += row->cost.conflicts;
        }
        if (known > 0)
            fprintf(to, "%-18s %11llu %12llu %12llu %12llu\n", instruction->name, known, wavefronts,
                    ideal, conflicts);
        if (unknown > 0)
            fprintf(to, "%-18s %11llu  not predicted: its global_byte_addresses are missing\n",
                    instruction->name, unknown);
    }
}
