/* How does a function of the algebra say why not? */
#include "model/refuse.h"

#include <stdarg.h>
#include <stdio.h>

bool swb_refuse(struct swb_refusal *refusal, unsigned column, const char *format, ...)
{
    va_list arguments;
    if (refusal == NULL)
        return false;
    refusal->column = column;
    va_start(arguments, format);
    vsnprintf(refusal->sentence, sizeof refusal->sentence, format, arguments);
    va_end(arguments);
    return false;
}
