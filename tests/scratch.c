/* A file to write and read in a test. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/scratch.h"

char scratch_path[] = "/tmp/swizzlebench-test-XXXXXX";

int scratch_make(void **state)
{
    (void)state;
    int file = mkstemp(scratch_path);
    return file < 0 || close(file);
}

int scratch_remove(void **state)
{
    (void)state;
    return unlink(scratch_path);
}

void scratch_write(const char *text)
{
    FILE *file = fopen(scratch_path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

void scratch_read(char *text, size_t bytes)
{
    FILE *file = fopen(scratch_path, "r");
    assert_non_null(file);
    text[fread(text, 1, bytes - 1, file)] = '\0';
    fclose(file);
}
