/* What does a family predict for a case that is known by its name? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "tests/cases.h"

size_t case_column(const struct family *family, const char *name)
{
    for (size_t i = 0; i < family->column_count; i++)
        if (strcmp(family->columns[i].name, name) == 0)
            return i;
    fail_msg("no column %s", name);
    return 0;
}

void assert_case(const struct family *family, const char *case_name, const char *column,
                 const char *value)
{
    static struct row row;
    size_t number = case_column(family, column);
    for (size_t i = 0; i < family->case_count(family, true); i++) {
        row_predict(family, i, &row);
        if (strcmp(row.case_name, case_name) != 0)
            continue;
        if (strcmp(row.values[number], value) != 0)
            fail_msg("%s: %s is %s, not %s", case_name, column, row.values[number], value);
        return;
    }
    fail_msg("no case %s", case_name);
}
