/* Which of the sentences and tables that scripts/findings computes are about a family? */
#include "harness/report.h"

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

bool report_findings(const char *findings, const char *name, FILE *to)
{
    char family[64] = "", block[64];
    bool any = false;
    for (const char *at = findings; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (names(at, family_mark, family, sizeof family) || strcmp(family, name) != 0)
            continue;
        if (names(at, block_mark, block, sizeof block)) {
            fprintf(to, "\n#### %s\n\n", block);
            any = true;
        } else if (strncmp(at, "<!-- ", 5) != 0) {
            fprintf(to, "%.*s\n", (int)strcspn(at, "\n"), at);
        }
    }
    return any;
}
