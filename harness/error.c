/* How does a failure become one line? */
#include "harness/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "harness/text.h"

bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
{
    /* Built aside, because an argument may be the text that is being replaced. */
    char text[sizeof error->text] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_visible(text, error->text, sizeof error->text);
    error->kind = kind;
    return false;
}
