/* How are the fields of a CSV line quoted and taken apart? */
#include "harness/csv.h"

#include <string.h>

void csv_put(FILE *to, const char *field)
{
    if (!strpbrk(field, ",\"\r\n")) {
        fputs(field, to);
        return;
    }
    fputc('"', to);
    for (; *field; field++) {
        if (*field == '"')
            fputc('"', to);
        fputc(*field, to);
    }
    fputc('"', to);
}

/* First byte behind the record that starts at `at`, or NULL where its newline is missing. */
static char *record_end(char *at, const char *end)
{
    bool quoted = false;
    for (; at < end; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (*at == '\n' && !quoted)
            return at + 1;
    }
    return NULL;
}

/* Unquotes the field at *at into its own place, ends it with a NUL, and moves *at behind its comma
 * or newline. Returns whether it was the record's last. */
static bool take_field(char **at, size_t *newlines)
{
    char *from = *at, *to = *at;
    bool quoted = false;
    for (;; from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else if (!quoted && (*from == ',' || *from == '\n'))
            break;
        else
            *to++ = *from;
        *newlines += *from == '\n';
    }
    bool last = *from == '\n';
    *newlines += last;
    if (last && from > *at && from[-1] == '\r') /* of the line's end, and not of what is quoted */
        to--;
    *to = '\0';
    *at = from + 1;
    return last;
}

bool csv_next(struct csv_reader *reader, char **fields, size_t max_fields, size_t *count)
{
    if (!record_end(reader->at, reader->end))
        return false;
    *count = 0;
    for (bool last = false; !last;) {
        char *field = reader->at;
        last = take_field(&reader->at, &reader->line);
        if (*count < max_fields)
            fields[*count] = field;
        ++*count;
    }
    return true;
}
