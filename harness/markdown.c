/* How do the blocks of a Markdown text become HTML? */
#include "harness/markdown.h"

#include <stdbool.h>
#include <string.h>

#include "harness/markdown_inline.h"
#include "harness/text.h"

enum block { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_LIST, BLOCK_TABLE, BLOCK_CODE };

enum { MAX_CELLS = 64 };

struct conversion {
    FILE *to;
    markdown_picture *picture;
    const void *context;
    enum block open;
    bool right[MAX_CELLS]; /* of the table's columns: numbers */
};

struct line {
    const char *text;
    size_t length;
};

/* Each line once; false behind the last. */
static bool next_line(const char **at, struct line *line)
{
    if (**at == '\0')
        return false;
    *line = (struct line){*at, strcspn(*at, "\n")};
    *at += line->length + ((*at)[line->length] == '\n');
    return true;
}

static bool begins(const struct line *line, const char *with)
{
    size_t length = strlen(with);
    return line->length >= length && memcmp(line->text, with, length) == 0;
}

static void open_block(struct conversion *c, enum block block)
{
    static const char *const ends[] = {"", "</p>\n", "</ul>\n", "</tbody></table></div>\n",
                                       "</code></pre>\n"};
    static const char *const starts[] = {"", "<p>", "<ul>\n", "<div class=\"table\"><table>\n",
                                         "<pre><code>"};
    if (c->open == block)
        return;
    fputs(ends[c->open], c->to);
    fputs(starts[block], c->to);
    c->open = block;
}

static void put_heading(struct conversion *c, const struct line *line)
{
    size_t level = strspn(line->text, "#"), skip = level + strspn(line->text + level, " ");
    char text[256], slug[256];
    snprintf(text, sizeof text, "%.*s", (int)(line->length - skip), line->text + skip);
    text_slug(text, slug, sizeof slug);
    fprintf(c->to, "<h%zu", level);
    if (level == 2)
        fprintf(c->to, " id=\"%s\"", slug);
    fputc('>', c->to);
    markdown_inline(c->to, line->text + skip, line->length - skip);
    fprintf(c->to, "</h%zu>\n", level);
}

/* ---- Tables -------------------------------------------------------------------------------- */

/* The cells between the bars, without blanks around them. */
static size_t split(const struct line *line, struct line *cells)
{
    const char *end = line->text + line->length, *start = line->text + 1;
    size_t count = 0;
    for (const char *at = start; at < end && count < MAX_CELLS; at++) {
        if (*at == '\\') {
            at++;
        } else if (*at == '|') {
            struct line *cell = &cells[count++];
            *cell = (struct line){start, (size_t)(at - start)};
            for (; cell->length > 0 && *cell->text == ' '; cell->length--)
                cell->text++;
            while (cell->length > 0 && cell->text[cell->length - 1] == ' ')
                cell->length--;
            start = at + 1;
        }
    }
    return count;
}

static void put_row(struct conversion *c, const struct line *line, const char *tag)
{
    struct line cells[MAX_CELLS];
    size_t count = split(line, cells);
    fputs("<tr>", c->to);
    for (size_t i = 0; i < count; i++) {
        fprintf(c->to, "<%s%s>", tag, c->right[i] ? " class=\"r\"" : "");
        markdown_inline(c->to, cells[i].text, cells[i].length);
        fprintf(c->to, "</%s>", tag);
    }
    fputs("</tr>\n", c->to);
}

/* The header, and from the line of hyphens below it which columns are numbers. */
static void start_table(struct conversion *c, const struct line *header, const char **at)
{
    struct line rule, cells[MAX_CELLS];
    open_block(c, BLOCK_TABLE);
    memset(c->right, 0, sizeof c->right);
    size_t count = next_line(at, &rule) ? split(&rule, cells) : 0;
    for (size_t i = 0; i < count; i++)
        c->right[i] = cells[i].length > 0 && cells[i].text[cells[i].length - 1] == ':';
    fputs("<thead>", c->to);
    put_row(c, header, "th");
    fputs("</thead><tbody>\n", c->to);
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* ![what](name) */
static void put_picture(struct conversion *c, const struct line *line)
{
    char text[512], *what = text + 2;
    snprintf(text, sizeof text, "%.*s", (int)line->length, line->text);
    char *middle = strstr(text, "]("), *stop = middle ? strchr(middle, ')') : NULL;
    if (!stop)
        return;
    *middle = *stop = '\0';
    c->picture(c->to, middle + 2, what, c->context);
}

static void put_code_line(struct conversion *c, const struct line *line)
{
    if (line->length == 3 && begins(line, "```")) {
        open_block(c, BLOCK_NONE);
        return;
    }
    html_put(c->to, line->text, line->length);
    fputc('\n', c->to);
}

static void put_item(struct conversion *c, const struct line *line)
{
    open_block(c, BLOCK_LIST);
    fputs("<li>", c->to);
    markdown_inline(c->to, line->text + 2, line->length - 2);
    fputs("</li>\n", c->to);
}

static void put_line(struct conversion *c, const struct line *line, const char **at)
{
    if (begins(line, "|") && c->open == BLOCK_TABLE) {
        put_row(c, line, "td");
    } else if (begins(line, "|")) {
        start_table(c, line, at);
    } else if (begins(line, "- ")) {
        put_item(c, line);
    } else if (begins(line, "```")) {
        open_block(c, BLOCK_CODE);
    } else if (line->length == 0 || begins(line, "#") || begins(line, "![")) {
        open_block(c, BLOCK_NONE);
        if (begins(line, "#"))
            put_heading(c, line);
        else if (line->length > 0)
            put_picture(c, line);
    } else {
        open_block(c, BLOCK_PARAGRAPH);
        markdown_inline(c->to, line->text, line->length);
        fputc('\n', c->to);
    }
}

void markdown_to_html(const char *markdown, markdown_picture *picture, const void *context,
                      FILE *to)
{
    struct conversion c = {.to = to, .picture = picture, .context = context};
    struct line line;
    for (const char *at = markdown; next_line(&at, &line);) {
        if (c.open == BLOCK_CODE)
            put_code_line(&c, &line);
        else
            put_line(&c, &line, &at);
    }
    open_block(&c, BLOCK_NONE);
}
