/* How is a row of a result file filled in? */
#include "harness/family.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *row_status_name(enum row_status status)
{
    static const char *const names[] = {
        [ROW_OK] = "ok",
        [ROW_REFUSED] = "refused",
        [ROW_SKIPPED] = "skipped",
        [ROW_FAILED] = "failed",
    };
    return names[status];
}

const char *row_verified_name(enum verified verified)
{
    static const char *const names[] = {
        [VERIFIED_NOT_RUN] = "-",
        [VERIFIED_YES] = "yes",
        [VERIFIED_NO] = "no",
    };
    return names[verified];
}

void row_predict(const struct family *family, size_t index, struct row *row)
{
    memset(row, 0, sizeof *row);
    family->predict(family, index, row);
}

void row_set_text(struct row *row, size_t column, const char *format, ...)
{
    assert(column < ROW_MAX_COLUMNS);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->values[column], ROW_VALUE_BYTES, format, arguments);
    va_end(arguments);
}

void row_set_number(struct row *row, size_t column, double value, int digits)
{
    assert(column < ROW_MAX_COLUMNS);
    char *text = row->values[column];
    text[0] = '\0';
    /* The second test: 1e90 in full does not fit, and half a number would be a lie. */
    if (!isfinite(value) ||
        snprintf(text, ROW_VALUE_BYTES, "%.*f", digits, value) >= ROW_VALUE_BYTES) {
        text[0] = '\0';
        return;
    }
    if (strchr(text, '.')) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        if (text[length - 1] == '.')
            length--;
        text[length] = '\0';
    }
    if (strcmp(text, "-0") == 0)
        strcpy(text, "0");
}

bool row_end(struct row *row, enum row_status status, const char *format, ...)
{
    if (row->reason[0])
        return false;
    row->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->reason, sizeof row->reason, format, arguments);
    va_end(arguments);
    for (char *at = row->reason; (at = strpbrk(at, "\r\n")); at++)
        *at = ' ';
    return false;
}
