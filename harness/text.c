/* Small work on words: the nearest known one, a list in a line, a name fit for a folder. */
#include "harness/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/utf8.h"

enum { WORD_BYTES = 64 };

void text_slug(const char *name, char *slug, size_t bytes)
{
    size_t length = 0;
    for (; *name && length + 1 < bytes; name++) {
        if (isalnum((unsigned char)*name))
            slug[length++] = (char)tolower((unsigned char)*name);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    if (length > 0 && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
}

/* Levenshtein's distance, of words shorter than WORD_BYTES. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[WORD_BYTES + 1];
    size_t length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            size_t gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < gap ? change : gap;
        }
    }
    return row[length];
}

const char *text_nearest(const char *word, const char *const *known, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    size_t best = length < 4 ? 2 : 3; /* it must be below this */
    for (size_t i = 0; i < count && length < WORD_BYTES; i++) {
        if (strlen(known[i]) >= WORD_BYTES)
            continue;
        size_t distance = edit_distance(word, known[i]);
        if (length >= 2 && strncasecmp(word, known[i], length) == 0)
            distance = 0;
        if (distance < best) {
            best = distance;
            nearest = known[i];
        }
    }
    return nearest;
}

void text_append(char *text, size_t bytes, const char *separator, const char *part)
{
    size_t length = strlen(text);
    snprintf(text + length, bytes - length, "%s%s", length ? separator : "", part);
}

void text_suggest(const char *word, const char *const *known, size_t count, char *text,
                  size_t bytes)
{
    const char *nearest = text_nearest(word, known, count);
    text[0] = '\0';
    if (nearest)
        snprintf(text, bytes, "did you mean '%s'? known", nearest);
    else
        snprintf(text, bytes, "known");
    for (size_t i = 0; i < count; i++)
        text_append(text, bytes, i ? ", " : ": ", known[i]);
}

static void append_quoted(char *text, size_t bytes, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=,:+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_append(text, bytes, " ", word);
        return;
    }
    text_append(text, bytes, " ", "'");
    for (; *word; word++) {
        char one[] = {*word, '\0'};
        text_append(text, bytes, "", *word == '\'' ? "'\\''" : one);
    }
    text_append(text, bytes, "", "'");
}

/* Puts the sign that the text begins with, or what stands for its first byte, into `sign`, and
 * returns how many bytes that is of the text. */
static size_t show_sign(const char *text, char sign[8])
{
    /* Controls, and what turns the direction of writing. */
    static const struct utf8_range hidden[] = {
        {0x00, 0x1f}, {0x7f, 0x9f}, {0x202a, 0x202e}, {0x2066, 0x2069}};
    size_t bytes = utf8_shown(text, hidden, sizeof hidden / sizeof hidden[0]);
    if (bytes > 0)
        snprintf(sign, 8, "%.*s", (int)bytes, text);
    else if (*text == '\n')
        snprintf(sign, 8, " ");
    else
        snprintf(sign, 8, "\\x%02x", (unsigned char)*text);
    return bytes > 0 ? bytes : 1;
}

void text_visible(const char *text, char *shown, size_t bytes)
{
    size_t used = 0;
    while (*text) {
        char sign[8];
        text += show_sign(text, sign);
        if (used + strlen(sign) >= bytes)
            break;
        strcpy(shown + used, sign);
        used += strlen(sign);
    }
    shown[used] = '\0';
}

void text_put(const char *text, FILE *to)
{
    while (*text) {
        char sign[8];
        text += show_sign(text, sign);
        fputs(sign, to);
    }
}

bool text_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && *end == '\0' && isfinite(*value);
}

void text_command(int argc, char *const *argv, char *text, size_t bytes)
{
    snprintf(text, bytes, "swizzlebench");
    for (int i = 0; i < argc; i++)
        append_quoted(text, bytes, argv[i]);
}
