/* Accesses from a file: which instruction, which lanes, which addresses? */
#include "bench/access_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/placed.h"

enum { READ_STEP_BYTES = 1 << 20, MAX_COLUMNS = 64, NO_COLUMN = MAX_COLUMNS, MAX_FIELD_TEXT = 40 };

/* ---- The whole file ----------------------------------------------------------------------- */

static bool read_all(FILE *from, struct access_file *file, struct error *error)
{
    size_t room = 0;
    for (;;) {
        if (room - file->bytes < READ_STEP_BYTES + 1) {
            room = room * 2 + 2 * READ_STEP_BYTES;
            char *larger = realloc(file->text, room);
            if (!larger)
                return error_set(error, ERROR_MACHINE, "no memory for %s", file->name);
            file->text = larger;
        }
        size_t got = fread(file->text + file->bytes, 1, room - 1 - file->bytes, from);
        file->bytes += got;
        if (got == 0)
            break;
    }
    file->text[file->bytes] = '\0';
    if (ferror(from))
        return error_set(error, ERROR_INPUT, "cannot read %s: %s", file->name, strerror(errno));
    return true;
}

/* Text ends at a NUL byte; what a damaged file has behind one must not go unread in silence. */
static bool check_text(const struct access_file *file, struct error *error)
{
    size_t line = 1, length = strlen(file->text);
    if (length == file->bytes)
        return true;
    for (size_t i = 0; i < length; i++)
        line += file->text[i] == '\n';
    return error_set(error, ERROR_INPUT, "%s, line %zu: a NUL byte, which no text file has",
                     file->name, line);
}

/* ---- Lines and fields --------------------------------------------------------------------- */

struct field {
    const char *start, *end;
};

/* Ends the field at *at, which may be quoted, and moves *at to the comma or the line's end. */
static struct field take_field(const char **at)
{
    struct field field = {.start = *at};
    if (**at == '"') {
        field.start = ++*at;
        while (**at != '"' && **at != '\n' && **at != '\0')
            ++*at;
        field.end = *at;
        *at += **at == '"';
    }
    while (**at != ',' && **at != '\n' && **at != '\r' && **at != '\0')
        ++*at;
    if (field.end == NULL)
        field.end = *at;
    return field;
}

static void skip_line(struct access_file *file)
{
    const char *newline = strchr(file->at, '\n');
    file->at = newline ? newline + 1 : file->at + strlen(file->at);
    file->line++;
}

/* Moves to the next line that is neither empty nor a comment; false when there is none. */
static bool find_line(struct access_file *file)
{
    while (*file->at == '#' || *file->at == '\n' || *file->at == '\r')
        skip_line(file);
    return *file->at != '\0';
}

/* Takes the line's fields apart and moves behind it. Returns their number. */
static unsigned take_line(struct access_file *file, struct field *fields)
{
    unsigned count = 0;
    for (;;) {
        struct field field = take_field(&file->at);
        if (count < MAX_COLUMNS)
            fields[count++] = field;
        if (*file->at != ',')
            break;
        file->at++;
    }
    skip_line(file);
    return count;
}

static bool is_text(struct field field, const char *text)
{
    return (size_t)(field.end - field.start) == strlen(text) &&
           strncmp(field.start, text, strlen(text)) == 0;
}

static bool read_header(struct access_file *file, struct error *error)
{
    struct field fields[MAX_COLUMNS];
    struct {
        const char *name;
        unsigned *column;
        bool optional;
    } wanted[] = {{"instruction", &file->instruction_column, false},
                  {"active_mask", &file->mask_column, false},
                  {"lane_byte_addresses", &file->addresses_column, false},
                  {"global_byte_addresses", &file->globals_column, true},
                  {"cache", &file->cache_column, true}};
    if (!find_line(file))
        return error_set(
            error, ERROR_INPUT,
            "%s is empty: a line instruction,active_mask,lane_byte_addresses is needed "
            "and a line for each access",
            file->name);
    unsigned count = take_line(file, fields);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        unsigned column = 0;
        while (column < count && !is_text(fields[column], wanted[i].name))
            column++;
        if (column == count && !wanted[i].optional)
            return error_set(error, ERROR_INPUT, "%s, line %zu: the header has no column %s",
                             file->name, file->line - 1, wanted[i].name);
        *wanted[i].column = column < count ? column : NO_COLUMN;
        for (unsigned other = column + 1; other < count; other++) {
            if (is_text(fields[other], wanted[i].name))
                return error_set(error, ERROR_INPUT, "%s, line %zu: the header has %s twice",
                                 file->name, file->line - 1, wanted[i].name);
        }
    }
    file->columns = count;
    return true;
}

bool access_file_open(const char *name, struct access_file *file, struct error *error)
{
    bool is_input = strcmp(name, "-") == 0;
    *file = (struct access_file){.name = is_input ? "standard input" : name};
    FILE *from = is_input ? stdin : fopen(name, "r");
    if (!from)
        return error_set(error, ERROR_INPUT, "cannot open %s: %s", name, strerror(errno));
    bool read = read_all(from, file, error);
    if (!is_input)
        fclose(from);
    file->at = file->text;
    file->line = 1;
    if (read && check_text(file, error) && read_header(file, error))
        return true;
    access_file_close(file);
    return false;
}

void access_file_close(struct access_file *file)
{
    free(file->text);
    file->text = NULL;
}

/* ---- A row -------------------------------------------------------------------------------- */

static bool bad_line(const struct access_file *file, size_t line, struct error *error,
                     const char *what, struct field field)
{
    int length = (int)(field.end - field.start);
    return error_set(error, ERROR_INPUT, "%s, line %zu: %s: '%.*s'", file->name, line, what,
                     length < MAX_FIELD_TEXT ? length : MAX_FIELD_TEXT, field.start);
}

/* The instruction of the row before is most likely that of this one. */
static const struct swb_instruction *find_instruction(const struct swb_instruction *before,
                                                      struct field field)
{
    char name[MAX_FIELD_TEXT];
    size_t length = (size_t)(field.end - field.start);
    if (before && strlen(before->name) == length && memcmp(before->name, field.start, length) == 0)
        return before;
    if (length >= sizeof name)
        return NULL;
    memcpy(name, field.start, length);
    name[length] = '\0';
    return swb_instruction_find(name);
}

static bool read_mask(struct field field, uint32_t *mask)
{
    uint32_t value = 0;
    if (field.end - field.start < 1 || field.end - field.start > 8)
        return false;
    for (const char *at = field.start; at < field.end; at++) {
        unsigned digit = (unsigned)*at - '0';
        unsigned letter = ((unsigned)*at | 0x20) - 'a';
        if (digit > 9 && letter > 5)
            return false;
        value = value << 4 | (digit <= 9 ? digit : letter + 10);
    }
    *mask = value;
    return true;
}

/* Reads 32 numbers up to `most`. Returns how many there were before one that is none, or 33 for too
 * many. */
static unsigned read_addresses(struct field field, uint64_t most, uint64_t *addresses)
{
    const char *at = field.start;
    for (unsigned lane = 0; lane < SWB_LANES; lane++) {
        uint64_t value = 0;
        while (*at == ' ')
            at++;
        const char *digits = at;
        for (unsigned digit; at < field.end && (digit = (unsigned)*at - '0') <= 9; at++)
            value = value <= most ? value * 10 + digit : value;
        if (at == digits || (at < field.end && *at != ' ') || value > most)
            return lane;
        addresses[lane] = value;
    }
    while (at < field.end && *at == ' ')
        at++;
    return at == field.end ? SWB_LANES : SWB_LANES + 1;
}

static bool take_addresses(const struct access_file *file, size_t line, const char *column,
                           struct field field, uint64_t most, uint64_t *addresses,
                           struct error *error)
{
    unsigned read = read_addresses(field, most, addresses);
    if (read < SWB_LANES)
        return error_set(error, ERROR_INPUT,
                         "%s, line %zu, lane %u: no address in %s; 32 numbers with spaces between "
                         "are needed",
                         file->name, line, read, column);
    return read == SWB_LANES ||
           error_set(error, ERROR_INPUT, "%s, line %zu: more than 32 addresses in %s", file->name,
                     line, column);
}

/* The columns of cp.async, where they are there. */
static bool take_globals(const struct access_file *file, struct access_row *row,
                         struct field globals, struct field cache, struct error *error)
{
    row->has_globals = row->instruction->kind == SWB_CP_ASYNC && globals.end > globals.start;
    row->bypass_l1 = is_text(cache, "cg");
    if (!row->has_globals)
        return true;
    if (cache.end > cache.start && !row->bypass_l1 && !is_text(cache, "ca"))
        return bad_line(file, row->line, error, "cache is ca or cg", cache);
    if (row->bypass_l1 && row->instruction->lane_bytes != 16)
        return error_set(error, ERROR_INPUT, "%s, line %zu: %s: .cg takes 16 bytes a lane",
                         file->name, row->line, row->instruction->name);
    return take_addresses(file, row->line, "global_byte_addresses", globals, UINT64_MAX / 16,
                          row->global_byte_addresses, error);
}

/* What the hardware would fault on, in the lanes that take part. */
static bool check_lanes(const struct access_file *file, const struct access_row *row,
                        struct error *error)
{
    unsigned matrices = row->instruction->matrices, width = row->instruction->lane_bytes;
    unsigned lanes = matrices ? 8 * matrices : SWB_LANES;
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t address = row->access.lane_byte_addresses[lane];
        if (!(row->access.active_mask >> lane & 1))
            continue;
        if (row->has_globals && row->global_byte_addresses[lane] % width != 0)
            return error_set(error, ERROR_INPUT,
                             "%s, line %zu, lane %u: global address %llu is no multiple of %u; %s "
                             "would fault",
                             file->name, row->line, lane,
                             (unsigned long long)row->global_byte_addresses[lane], width,
                             row->instruction->name);
        if ((address & (width - 1)) != 0)
            return error_set(error, ERROR_INPUT,
                             "%s, line %zu, lane %u: address %u is no multiple of %u; %s would "
                             "fault",
                             file->name, row->line, lane, address, width, row->instruction->name);
        if (address > PLACED_SMEM_BYTES - width)
            return error_set(error, ERROR_INPUT,
                             "%s, line %zu, lane %u: address %u lies outside the %d KiB of shared "
                             "memory",
                             file->name, row->line, lane, address, PLACED_SMEM_BYTES / 1024);
    }
    return true;
}

bool access_file_next(struct access_file *file, struct access_row *row, struct error *error)
{
    struct field fields[NO_COLUMN + 1], none = {"", ""};
    error->kind = ERROR_NONE;
    if (!find_line(file))
        return false;
    row->line = file->line;
    unsigned count = take_line(file, fields);
    if (count > file->columns)
        return bad_line(file, row->line, error, "more fields than the header has columns",
                        fields[file->columns]);
    for (unsigned column = count; column <= NO_COLUMN; column++)
        fields[column] = none;

    row->instruction = find_instruction(row->instruction, fields[file->instruction_column]);
    if (!row->instruction)
        return bad_line(file, row->line, error, "unknown instruction",
                        fields[file->instruction_column]);
    if (!read_mask(fields[file->mask_column], &row->access.active_mask))
        return bad_line(file, row->line, error, "a mask has 1 to 8 hex digits",
                        fields[file->mask_column]);
    uint64_t addresses[SWB_LANES];
    if (!take_addresses(file, row->line, "lane_byte_addresses", fields[file->addresses_column],
                        UINT32_MAX, addresses, error))
        return false;
    for (unsigned lane = 0; lane < SWB_LANES; lane++)
        row->access.lane_byte_addresses[lane] = (uint32_t)addresses[lane];
    if (!take_globals(file, row, fields[file->globals_column], fields[file->cache_column], error))
        return false;
    return check_lanes(file, row, error);
}
