/* A picture of boxes with text in them, as an SVG file. */
#include "bench/svg.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

bool svg_open(struct svg *svg, const char *path, double width, double height, struct error *error)
{
    svg->path = path;
    svg->file = fopen(path, "w");
    if (!svg->file)
        return error_set(error, ERROR_INPUT, "--svg: cannot write %s: %s", path, strerror(errno));
    fprintf(svg->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height);
    return true;
}

bool svg_close(struct svg *svg, struct error *error)
{
    fputs("</svg>\n", svg->file);
    bool written = !ferror(svg->file);
    if (fclose(svg->file) != 0 || !written)
        return error_set(error, ERROR_INPUT, "--svg: cannot write %s: %s", svg->path,
                         strerror(errno));
    return true;
}

void svg_box(struct svg *svg, double x, double y, double width, double height, int group)
{
    /* Eight hues that fall evenly in lightness, so that a grey print tells them apart. */
    static const char *const fills[] = {"#ffffe0", "#d9f0d3", "#b9dcf2", "#f7b6a0",
                                        "#c2a5cf", "#6bb36a", "#5a9bc9", "#b5733c"};
    fprintf(svg->file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
            "stroke=\"#404040\" stroke-width=\"0.6\"/>\n",
            x, y, width, height, group < 0 ? "white" : fills[group % 8]);
}

static void put_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
}

void svg_text(struct svg *svg, double x, double y, double size, enum svg_anchor anchor,
              const char *format, ...)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(svg->file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"%s\">", x, y,
            size, anchors[anchor]);
    put_escaped(svg->file, text);
    fputs("</text>\n", svg->file);
}
