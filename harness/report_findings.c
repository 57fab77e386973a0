/* Which of the sentences and tables that scripts/findings computes are about a family? */
#include "harness/report.h"

#include <ctype.h>
#include <string.h>

static const char family_mark[] = "<!-- family: ", block_mark[] = "<!-- findings: ";

/* What a comment such as `<!-- family: tma -->` names, if the line is one. */
static bool names(const char *line, const char *mark, char *name, size_t bytes)
{
    size_t length = strlen(mark);
    if (strncmp(line, mark, length) != 0)
        return false;
    snprintf(name, bytes, "%.*s", (int)strcspn(line + length, " \n"), line + length);
    return true;
}

bool report_is_findings(const char *text)
{
    return strncmp(text, family_mark, strlen(family_mark)) == 0;
}

/* Was a number divided by nothing? awk then prints "-nan"; "fill-nan" is a rule of TMA. */
static bool is_computed(const char *block, size_t length)
{
    static const char none[] = "-nan";
    const char *at = block;
    while ((at = memmem(at, length - (size_t)(at - block), none, strlen(none)))) {
        if (at == block || !isalnum((unsigned char)at[-1]))
            return false;
        at++;
    }
    return true;
}

/* The lines behind the comment that names it, up to the one that ends it. Returns its length. */
static size_t put_block(const char *block, FILE *to)
{
    const char *end = strstr(block, "<!-- end -->");
    size_t length = end ? (size_t)(end - block) : strlen(block);
    if (is_computed(block, length))
        fwrite(block, 1, length, to);
    else
        fputs("Left out: the file has not all the rows that this is computed from.\n", to);
    return length;
}

bool report_findings(const char *findings, const char *name, FILE *to)
{
    char family[64] = "", block[64];
    bool any = false;
    for (const char *at = findings; *at;) {
        bool is_block = names(at, block_mark, block, sizeof block);
        if (!is_block)
            names(at, family_mark, family, sizeof family);
        at += strcspn(at, "\n");
        at += *at == '\n';
        if (!is_block || strcmp(family, name) != 0)
            continue;
        fprintf(to, "\n#### %s\n\n", block);
        at += put_block(at, to);
        any = true;
    }
    return any;
}
