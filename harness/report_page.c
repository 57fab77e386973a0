/* How does the Markdown of a report become a page that needs no other file? */
#include "harness/report.h"

#include <stdlib.h>
#include <string.h>

#include "harness/markdown.h"
#include "harness/utf8.h"

/* A plot, by its name, with what it is for those who cannot see it. */
static void put_plot(FILE *to, const char *name, const char *what, const void *context)
{
    const struct report_folder *folder = context;
    for (size_t i = 0; i < folder->plot_count; i++) {
        if (strcmp(folder->plots[i].name, name) != 0)
            continue;
        fprintf(to, "<figure><div class=\"plot\" role=\"img\" aria-label=\"Plot %s\">", what);
        report_svg(to, folder->plots[i].text, i);
        fprintf(to, "</div><figcaption>%s</figcaption></figure>\n", name);
    }
}

static void put_gpu(FILE *to, const struct report_folder *folder)
{
    char gpu[512];
    compare_side_value(folder->side, "gpu", gpu, sizeof gpu);
    char *clean = utf8_clean(gpu);
    if (clean)
        html_put(to, clean, strlen(clean));
    free(clean);
}

void report_html(const struct report_folder *folder, const char *markdown, FILE *to)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          /* Whatever a picture or a reason holds, nothing is fetched and no script runs. */
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>swizzlebench: ",
          to);
    put_gpu(to, folder);
    fputs("</title>\n<style>\n", to);
    for (size_t i = 0; report_style[i]; i++)
        fprintf(to, "%s\n", report_style[i]);
    fputs("</style>\n</head>\n<body>\n<main>\n", to);
    markdown_to_html(markdown, put_plot, folder, to);
    fputs("</main>\n</body>\n</html>\n", to);
}
