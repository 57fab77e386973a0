/* Is a text UTF-8 that a page may hold, and what can stand in it for what is none? */
#include "harness/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The bytes of the sign that `text` begins with; 0 where it begins with none, or a control. */
static size_t sign_bytes(const char *text)
{
    /* The first code points of two, three and four bytes; U+0080 to U+009F are controls. */
    static const unsigned long least[] = {[2] = 0xa0, [3] = 0x800, [4] = 0x10000};
    unsigned first = (unsigned char)text[0];
    if (first < 0x80)
        return (first >= ' ' && first != 0x7f) || first == '\n' || first == '\t';
    if (first < 0xc0 || first > 0xf7)
        return 0;
    size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    unsigned long code = first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code >= least[bytes] && code <= 0x10ffff && !surrogate ? bytes : 0;
}

bool utf8_is_clean(const char *text)
{
    size_t bytes;
    for (; (bytes = sign_bytes(text)) > 0; text += bytes)
        continue;
    return *text == '\0';
}

char *utf8_clean(const char *text)
{
    char *clean = malloc(strlen(text) * strlen(replacement) + 1), *put = clean;
    while (clean && *text) {
        size_t bytes = sign_bytes(text), taken = bytes > 0 ? bytes : 1;
        put = bytes > 0 ? mempcpy(put, text, bytes) : stpcpy(put, replacement);
        text += taken;
    }
    if (clean)
        *put = '\0';
    return clean;
}
