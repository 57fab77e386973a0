/* What in a line of Markdown is code, bold, italic, a link, and what is plain text? */
#include "harness/markdown_inline.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/markdown.h"

void html_put(FILE *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char sign = (unsigned char)text[i];
        if (sign == '&')
            fputs("&amp;", to);
        else if (sign == '<')
            fputs("&lt;", to);
        else if (sign == '>')
            fputs("&gt;", to);
        else if (sign == '"')
            fputs("&quot;", to);
        else
            fputc(sign < ' ' && sign != '\n' && sign != '\t' ? ' ' : sign, to);
    }
}

/* `model_wavefronts` needs no backslash, `_this_` does. */
static bool needs_backslash(const char *text, const char *at)
{
    if (*at == '_')
        return at == text || !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)at[1]);
    return strchr("\\`*<>&[]~", *at) != NULL;
}

char *markdown_escape(const char *text)
{
    char *escaped = malloc(2 * strlen(text) + 1), *put = escaped;
    for (const char *at = text; escaped && *at; at++) {
        if (needs_backslash(text, at))
            *put++ = '\\';
        *put++ = (char)(*at == '\n' || *at == '\r' ? ' ' : *at);
    }
    if (escaped)
        *put = '\0';
    return escaped;
}

/* Where `mark` is next, or NULL. */
static const char *find(const char *from, const char *end, const char *mark)
{
    return memmem(from, (size_t)(end - from), mark, strlen(mark));
}

/* In a table a bar within code has a backslash. */
static void put_code(FILE *to, const char *text, const char *end)
{
    fputs("<code>", to);
    for (const char *at = text; at < end; at++) {
        if (*at == '\\' && at + 1 < end && at[1] == '|')
            at++;
        html_put(to, at, 1);
    }
    fputs("</code>", to);
}

/* Each takes what begins at `at`, and returns where it ends: `at` where there is none. */

static const char *take_code(FILE *to, const char *at, const char *end)
{
    const char *stop = *at == '`' ? find(at + 1, end, "`") : NULL;
    if (!stop)
        return at;
    put_code(to, at + 1, stop);
    return stop + 1;
}

static const char *take_emphasis(FILE *to, const char *at, const char *end, const char *mark,
                                 const char *tag)
{
    size_t length = strlen(mark);
    if ((size_t)(end - at) <= length || memcmp(at, mark, length) != 0 || at[length] == ' ' ||
        at[length] == '*')
        return at;
    const char *stop = find(at + length, end, mark);
    if (!stop || stop[-1] == ' ')
        return at;
    fprintf(to, "<%s>", tag);
    markdown_inline(to, at + length, (size_t)(stop - at) - length);
    fprintf(to, "</%s>", tag);
    return stop + length;
}

static const char *take_link(FILE *to, const char *at, const char *end)
{
    const char *middle = *at == '[' ? find(at, end, "](#") : NULL;
    const char *stop = middle ? find(middle, end, ")") : NULL;
    if (!stop)
        return at;
    fputs("<a href=\"", to);
    html_put(to, middle + 2, (size_t)(stop - middle - 2));
    fputs("\">", to);
    markdown_inline(to, at + 1, (size_t)(middle - at - 1));
    fputs("</a>", to);
    return stop + 1;
}

static const char *take_escaped(FILE *to, const char *at, const char *end)
{
    if (*at != '\\' || at + 1 == end || !ispunct((unsigned char)at[1]))
        return at;
    html_put(to, at + 1, 1);
    return at + 2;
}

void markdown_inline(FILE *to, const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *at = text, *next; at < end; at = next) {
        if ((next = take_escaped(to, at, end)) == at && (next = take_code(to, at, end)) == at &&
            (next = take_emphasis(to, at, end, "**", "strong")) == at &&
            (next = take_emphasis(to, at, end, "*", "em")) == at &&
            (next = take_link(to, at, end)) == at) {
            html_put(to, at, 1);
            next = at + 1;
        }
    }
}
