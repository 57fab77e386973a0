/* How does a printer know the length of a text that does not fit? */
#include "model/text.h"

#include <stdarg.h>
#include <stdio.h>

void swb_text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    size_t room = text->length < text->bytes ? text->bytes - text->length : 0;
    va_start(arguments, format);
    int added = vsnprintf(room ? text->start + text->length : NULL, room, format, arguments);
    va_end(arguments);
    text->length += (size_t)added; /* which no format of the model can make fail */
}
