/* Which lines and columns does a result file have? */
#include "harness/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct column result_common_columns[RESULT_COMMON_COLUMNS] = {
    {"family", "-", "the benchmark family; also the name of the file"},
    {"case", "-", "what was measured; unique in its file and the same on every GPU"},
    {"status", "-",
     "ok; refused (driver or hardware does not take this geometry); skipped (this GPU or this "
     "permission cannot); failed (wrong bytes, wrong count, model and counter disagree, fault)"},
    {"reason", "-", "why the status is not ok"},
    {"verified", "-", "every byte was as expected: yes, no, or - where nothing ran"},
};

const char *const result_head_names[HEAD_KEYS] = {
    [HEAD_SCHEMA] = "schema",
    [HEAD_BACKEND] = "backend",
    [HEAD_GPU] = "gpu",
    [HEAD_GPU_UUID] = "gpu_uuid",
    [HEAD_COMPUTE_CAPABILITY] = "compute_capability",
    [HEAD_SM_COUNT] = "sm_count",
    [HEAD_DRIVER] = "driver",
    [HEAD_CUDA] = "cuda",
    [HEAD_VERSION] = "version",
    [HEAD_COMMAND] = "command",
    [HEAD_DATE] = "date",
    [HEAD_COUNTERS] = "counters",
};

void result_head_set(struct result_head *head, enum head_key key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(head->values[key], sizeof head->values[key], format, arguments);
    va_end(arguments);
    for (char *at = head->values[key]; (at = strpbrk(at, "\r\n")); at++)
        *at = ' ';
}

const char *result_column_name(const struct result_form *form, size_t index)
{
    if (index < RESULT_COMMON_COLUMNS)
        return result_common_columns[index].name;
    index -= RESULT_COMMON_COLUMNS;
    if (index < form->family->column_count)
        return form->family->columns[index].name;
    index -= form->family->column_count;
    return index < form->metric_count ? form->metrics[index] : NULL;
}

const char *result_row_value(const struct result_form *form, const struct row *row, size_t index)
{
    switch (index) {
    case 0:
        return form->family->name;
    case 1:
        return row->case_name;
    case 2:
        return row_status_name(row->status);
    case 3:
        return row->reason;
    case 4:
        return row_verified_name(row->verified);
    default:
        return row->values[index - RESULT_COMMON_COLUMNS];
    }
}
