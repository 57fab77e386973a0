/* Where do the signs of a text end, is it UTF-8 that a page may hold, and what can stand in it for
 * what is none? */
#include "harness/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Controls, less line ends and tabs. */
static const struct utf8_range unclean[] = {{0x00, 0x08}, {0x0b, 0x1f}, {0x7f, 0x9f}};

/* The bytes of the sign that `text` begins with, and its code; 0 where it begins with none. */
static size_t decode(const char *text, unsigned long *code)
{
    static const unsigned long least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
    unsigned first = (unsigned char)text[0];
    *code = first;
    if (first < 0x80)
        return 1;
    if (first < 0xc0 || first > 0xf7)
        return 0;
    size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *code = first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code >= least[bytes] && *code <= 0x10ffff && !surrogate ? bytes : 0;
}

size_t utf8_shown(const char *text, const struct utf8_range *hidden, size_t count)
{
    unsigned long code;
    size_t bytes = decode(text, &code);
    for (size_t i = 0; i < count; i++) {
        if (code >= hidden[i].first && code <= hidden[i].last)
            return 0;
    }
    return bytes;
}

static size_t clean_bytes(const char *text)
{
    return utf8_shown(text, unclean, sizeof unclean / sizeof unclean[0]);
}

bool utf8_is_clean(const char *text)
{
    size_t bytes;
    for (; (bytes = clean_bytes(text)) > 0; text += bytes)
        continue;
    return *text == '\0';
}

char *utf8_clean(const char *text)
{
    char *clean = malloc(strlen(text) * strlen(replacement) + 1), *put = clean;
    while (clean && *text) {
        size_t bytes = clean_bytes(text), taken = bytes > 0 ? bytes : 1;
        put = bytes > 0 ? mempcpy(put, text, bytes) : stpcpy(put, replacement);
        text += taken;
    }
    if (clean)
        *put = '\0';
    return clean;
}
