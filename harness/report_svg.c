/* How can several SVG pictures stand in one page? */
#include "harness/report.h"

#include <string.h>

static bool is_at(const char *at, const char *what)
{
    return strncmp(at, what, strlen(what)) == 0;
}

/* How many signs at `at` come before the name of an id: `id="`, `href='#`, `url(#`; 0: none. */
static size_t before_id(const char *at)
{
    static const char *const marks[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (is_at(at, marks[i]))
            return strlen(marks[i]);
    }
    return 0;
}

void report_svg(FILE *to, const char *svg, size_t number)
{
    while (*svg) {
        size_t length = strcspn(svg + 1, "< hu") + 1; /* nothing begins before the next of these */
        size_t mark = before_id(svg);
        const char *stop = is_at(svg, "<title>") ? strstr(svg, "</title>") : NULL;
        if (stop) {
            svg = stop + strlen("</title>");
        } else if (mark > 0) {
            fprintf(to, "%.*sp%zu-", (int)mark, svg, number);
            svg += mark;
        } else {
            fwrite(svg, 1, length, to);
            svg += length;
        }
    }
}
